//! What a run in the cage costs more than the same run outside: `cargo bench -p taw-cage`. Milliseconds, medians of runs taken in turns.

use std::fs::File;
use std::os::fd::AsFd;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use taw_cage::{Cage, Confinement, Job, Keeper, RunLimits, hand_over};
use tempfile::TempDir;

const KINDS: [(&str, Confinement); 4] = [
    ("namespaces and Landlock", Confinement::Whole),
    ("Landlock alone", Confinement::WithoutNamespaces),
    ("namespaces alone", Confinement::WithoutLandlock),
    ("unconfined", Confinement::None),
];
const ROUNDS: usize = 200;
const PROGRAM: &str = "/bin/true";

fn main() -> ExitCode {
    if let Some(code) = taw_cage::serve_if_asked() {
        return code;
    }
    let scratch = TempDir::new().expect("a scratch folder");
    hand_over(scratch.path()).expect("it is ours");
    let null = File::open("/dev/null").expect("it is always there");
    let job = Job {
        program: PROGRAM.into(),
        directory: scratch.path().into(),
        scratch: scratch.path().into(),
        limits: RunLimits::default(),
        ..Job::default()
    };
    let open = |confinement| Cage::open(&Keeper::this(confinement).expect("an executable"));
    let cages: Vec<_> = KINDS.iter().map(|(name, confinement)| (*name, open(*confinement), Vec::new())).collect();
    let mut cages = cages;
    let mut plain = Vec::new();
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        let status = Command::new(PROGRAM).stdin(Stdio::null()).stdout(Stdio::null()).status().expect("it starts");
        plain.push(begin.elapsed());
        assert!(status.success());
        for (name, cage, times) in &mut cages {
            let Ok(cage) = cage else { continue };
            let begin = Instant::now();
            let ended = cage.run(&job, [null.as_fd(); 3], || false).expect("the keeper lives");
            times.push(begin.elapsed());
            assert_eq!(ended.code, Some(0), "{name}: {ended:?}");
        }
    }
    println!("{:<26} {:>6.2} ms", "without a keeper", median(plain));
    for (name, cage, times) in cages {
        match cage {
            Ok(_) => println!("{name:<26} {:>6.2} ms", median(times)),
            Err(why) => println!("{name:<26} {why}"),
        }
    }
    ExitCode::SUCCESS
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}
