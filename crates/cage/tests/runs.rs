//! Runs in the cage, made through a keeper that is this very executable: each fact in every kind of cage that this machine can make.

use std::fs::{self, File, Permissions};
use std::io::{Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use taw_cage::{Cage, Confinement, Ended, Job, Keeper, LimitHit, RunLimits, hand_over};
use tempfile::TempDir;

const KINDS: [(&str, Confinement); 4] = [
    ("whole", Confinement::Whole),
    ("landlock", Confinement::WithoutNamespaces),
    ("namespaces", Confinement::WithoutLandlock),
    ("unconfined", Confinement::None),
];

type Fact = fn(Confinement);

const FACTS: [(&str, Fact); 8] = [
    ("an_end_is_told_with_code_signal_and_words", ends),
    ("standard_input_is_read_to_its_end", reads),
    ("what_does_not_end_is_ended_with_all_that_it_started", is_cut),
    ("too_much_memory_words_and_files_are_cut", is_limited),
    ("scratch_is_writable_and_temporary_folders_are_its_own", writes),
    ("somebody_who_does_not_want_to_wait_need_not", stops),
    ("a_program_that_is_not_there_is_told", is_missing),
    ("nothing_outside_is_changed", is_shut_in),
];

fn main() -> ExitCode {
    if let Some(code) = taw_cage::serve_if_asked() {
        return code;
    }
    let facts = FACTS.iter().flat_map(|(name, fact)| {
        KINDS.iter().map(move |(kind, confinement)| {
            let (fact, confinement) = (*fact, *confinement);
            Trial::test(format!("{name}::{kind}"), move || {
                fact(confinement);
                Ok(())
            })
        })
    });
    libtest_mimic::run(&Arguments::from_args(), facts.collect()).exit_code()
}

struct Said {
    ended: Ended,
    stdout: String,
    stderr: String,
}

fn cage(confinement: Confinement) -> Cage {
    Cage::open(&Keeper::this(confinement).unwrap()).unwrap()
}

fn shell(cage: &Cage, script: &str, limits: RunLimits, stop: impl FnMut() -> bool) -> Said {
    let scratch = TempDir::with_prefix("taw-cage-test-").unwrap();
    hand_over(scratch.path()).unwrap();
    let job = Job {
        program: "/bin/sh".into(),
        arguments: vec![b"-c".to_vec(), script.into()],
        environment: vec![(b"PATH".to_vec(), b"/usr/bin:/bin".to_vec())],
        directory: scratch.path().into(),
        scratch: scratch.path().into(),
        limits,
        ..Job::default()
    };
    let mut files = [tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap()];
    let [input, out, err] = &files;
    input.set_len(300_000).unwrap();
    let ended = cage.run(&job, [input.as_fd(), out.as_fd(), err.as_fd()], stop).unwrap();
    let text = |file: &mut File| {
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.take(1 << 20).read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let stdout = text(&mut files[1]);
    Said { ended, stdout, stderr: text(&mut files[2]) }
}

fn run(confinement: Confinement, script: &str) -> Said {
    shell(&cage(confinement), script, RunLimits::default(), || false)
}

fn ends(confinement: Confinement) {
    let cage = cage(confinement);
    for _ in 0..2 {
        let Said { ended, stdout, stderr } = shell(&cage, "echo a; echo b >&2; exit 3", RunLimits::default(), || false);
        assert_eq!(ended, Ended { code: Some(3), ..Ended::default() });
        assert_eq!((stdout.as_str(), stderr.as_str()), ("a\n", "b\n"));
    }
    assert_eq!(shell(&cage, "kill -ABRT $$", RunLimits::default(), || false).ended.signal, Some(6));
}

fn reads(confinement: Confinement) {
    assert_eq!(run(confinement, "wc -c").stdout.trim(), "300000");
}

/// Whether a process with this in its command line runs somewhere.
fn runs(marker: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok()).any(|line| {
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.starts_with("sleep") && line.contains(marker)
    })
}

fn is_cut(confinement: Confinement) {
    let limits = RunLimits { time: Duration::from_millis(300), ..RunLimits::default() };
    // A number that no other test sleeps for.
    let marker = format!("9{}", confinement as u32 + 4321);
    let script = format!("setsid sleep {marker} & (sleep {marker} &) ; exec sleep {marker}");
    let start = Instant::now();
    assert_eq!(shell(&cage(confinement), &script, limits, || false).ended.cut, Some(LimitHit::Time));
    assert!(start.elapsed() < Duration::from_secs(20));
    assert!(!runs(&marker), "a process has survived");
    // What a program leaves behind that ends by itself goes too.
    let script = format!("setsid sleep {marker} & exit 0");
    assert_eq!(run(confinement, &script).ended.code, Some(0));
    assert!(!runs(&marker), "a process has survived");
}

fn is_limited(confinement: Confinement) {
    let cage = cage(confinement);
    let small = RunLimits { memory: 20 << 20, ..RunLimits::default() };
    let cut = |script, limits| shell(&cage, script, limits, || false).ended.cut;
    assert_eq!(cut("x=0123456789; while :; do x=$x$x; done", small), Some(LimitHit::Memory));
    assert_eq!(cut("yes", RunLimits::default()), Some(LimitHit::Output));
    let small = RunLimits { disk: 1 << 20, ..RunLimits::default() };
    assert_eq!(cut("i=0; while :; do i=$((i+1)); head -c 100000 /dev/zero > $i; done", small), Some(LimitHit::Disk));
    if confinement != Confinement::None {
        let few = RunLimits { time: Duration::from_secs(2), processes: 40, ..RunLimits::default() };
        let Said { ended, stderr, .. } = shell(&cage, "f() { f | f & wait; }; f & exec sleep 100", few, || false);
        // Where processes are counted with those of other tests, not even the first may be had.
        assert!(ended.cut == Some(LimitHit::Time) || stderr.contains("fork"), "{ended:?} {stderr}");
    }
}

fn writes(confinement: Confinement) {
    let said = run(confinement, "echo x > a && mkdir d && mv a d/b && ln -s d/b c && cat c && rm -r d && ls");
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("x\nc\n", ""));
    if matches!(confinement, Confinement::Whole | Confinement::WithoutLandlock) {
        let said = run(confinement, "ls /tmp | grep -v taw-; echo y > /tmp/y && chmod 600 /tmp/y && cat /tmp/y");
        assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("y\n", ""));
        assert!(!Path::new("/tmp/y").exists());
        assert_eq!(run(confinement, "echo /proc/[0-9]* | wc -w").stdout.trim(), "4", "init, sh, and those of the pipe");
    }
}

fn stops(confinement: Confinement) {
    let start = Instant::now();
    let said = shell(&cage(confinement), "sleep 100", RunLimits::default(), || start.elapsed().as_millis() > 100);
    assert_eq!(said.ended.cut, Some(LimitHit::Stopped));
    assert!(start.elapsed() < Duration::from_secs(3));
    // Also if there is nobody left to be told.
    let marker = format!("8{}", confinement as u32 + 4321);
    let cage = cage(confinement);
    let null = File::open("/dev/null").unwrap();
    let job = Job {
        program: "/bin/sleep".into(),
        name: Some(b"sleep".to_vec()),
        arguments: vec![marker.clone().into()],
        directory: "/".into(),
        scratch: TempDir::new().unwrap().path().into(),
        ..Job::default()
    };
    fs::create_dir(&job.scratch).unwrap();
    hand_over(&job.scratch).unwrap();
    cage.start(&job, [null.as_fd(); 3]).unwrap();
    while !runs(&marker) {
        assert!(start.elapsed() < Duration::from_secs(30), "it does not start");
        thread::sleep(Duration::from_millis(5));
    }
    drop(cage);
    assert!(!runs(&marker));
    fs::remove_dir_all(&job.scratch).unwrap();
}

fn is_missing(confinement: Confinement) {
    let scratch = TempDir::new().unwrap();
    hand_over(scratch.path()).unwrap();
    let directory = scratch.path().to_owned();
    let job =
        Job { program: "/nowhere/at/all".into(), directory: directory.clone(), scratch: directory, ..Job::default() };
    let null = File::open("/dev/null").unwrap();
    let ended = cage(confinement).run(&job, [null.as_fd(); 3], || false).unwrap();
    assert!(ended.failed.unwrap().contains("No such file"));
}

/// Everything that lies outside may be changed by anybody; only the cage keeps it as it is.
fn is_shut_in(confinement: Confinement) {
    let outside = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    if confinement == Confinement::None {
        // What is tried below would succeed.
        let script = format!("cd {} && touch a && chmod 0 a && mv a b && ls", outside.path().display());
        assert_eq!(run(confinement, &script).stdout, "b\n");
        return;
    }
    let (dir, file) = (outside.path(), outside.path().join("file"));
    fs::write(&file, "precious").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(dir, Permissions::from_mode(0o777)).unwrap();
    hand_over(&file).unwrap();
    let before = fs::metadata(&file).unwrap();
    let mut neighbour = Command::new("sleep").arg("100").spawn().unwrap();
    let attempts = [
        "rm -f F",
        "mv F G",
        "mv D D2",
        "chmod 0 F",
        "chmod 0 D",
        "touch F",
        "touch D/new",
        "mkdir D/new",
        "ln F D/new",
        "ln -s / D/new",
        "echo x > F",
        "echo x >> F",
        "truncate -s 0 F",
        "ln -s F here && echo x > here",
        "ln -s D there && rm -rf there/*",
        "mkfifo D/new",
        "chown 65534 F",
        "kill -9 P",
        "setfattr -n user.x -v 1 F",
        "cp F here && mv here F",
    ];
    for attempt in attempts {
        let words =
            [("F", file.display().to_string()), ("D", dir.display().to_string()), ("P", neighbour.id().to_string())];
        let named = |word: &str| {
            let of = |name: &str| words.iter().find(|(short, _)| *short == name).map(|(_, long)| long.clone());
            let (head, tail) = word.split_once('/').map_or((word, None), |(head, tail)| (head, Some(tail)));
            of(head).map_or(word.to_owned(), |long| tail.map_or(long.clone(), |tail| format!("{long}/{tail}")))
        };
        let script: Vec<String> = attempt.split(' ').map(named).collect();
        run(confinement, &script.join(" "));
        let after = fs::metadata(&file).unwrap_or_else(|_| panic!("`{attempt}` has removed it"));
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious", "after `{attempt}`");
        assert_eq!(after.permissions(), before.permissions(), "after `{attempt}`");
        assert_eq!(after.modified().unwrap(), before.modified().unwrap(), "after `{attempt}`");
        assert_eq!(fs::read_dir(dir).unwrap().count(), 1, "after `{attempt}`");
        assert!(neighbour.try_wait().unwrap().is_none(), "`{attempt}` has killed a process");
    }
    neighbour.kill().unwrap();
    neighbour.wait().unwrap();
}
