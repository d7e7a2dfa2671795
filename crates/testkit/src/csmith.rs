//! Concrete correctness: programs of csmith (random, free of undefined behaviour), run natively and under Taw without
//! any symbolic input, must print the same checksum at -O0 and -O2, and Taw must find nothing.
//!
//! The sample is named by seeds, not by files: the same seed gives the same program with the same csmith.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::native::CLANG;
use crate::process::{Streams, run};
use crate::taw::{Outcome, Taw};

/// A native run longer than this is skipped: under an interpreter it would take minutes.
const NATIVE_LIMIT: Duration = Duration::from_millis(500);

/// Which programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seeds {
    /// The first seed.
    pub first: u32,
    /// The last seed, included.
    pub last: u32,
}

impl Seeds {
    /// `FIRST..LAST` from the environment variable TAW_CSMITH_SEEDS, else the sample of the test suite.
    ///
    /// # Errors
    /// If the variable is set and is not that.
    pub fn from_environment() -> Result<Self, String> {
        let Ok(text) = std::env::var("TAW_CSMITH_SEEDS") else { return Ok(Seeds { first: 1, last: 40 }) };
        let (first, last) = text.split_once("..").ok_or("TAW_CSMITH_SEEDS is not FIRST..LAST")?;
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) => Ok(Seeds { first, last }),
            _ => Err("TAW_CSMITH_SEEDS is not FIRST..LAST".into()),
        }
    }
}

/// One trial per seed; one ignored trial if csmith is not installed.
pub fn csmith_trials(taw: &Taw, seeds: Seeds) -> Vec<Trial> {
    if Command::new("csmith").arg("--version").output().is_err() {
        return vec![Trial::test("csmith is not installed", || Ok(())).with_ignored_flag(true)];
    }
    let trial = |seed: u32| {
        let taw = taw.clone();
        Trial::test(format!("seed-{seed}"), move || check(&taw, seed).map_err(Failed::from))
    };
    (seeds.first..=seeds.last).map(trial).collect()
}

fn check(taw: &Taw, seed: u32) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = folder.path().join(format!("csmith-{seed}.c"));
    generate(seed, &source)?;
    for level in ["-O0", "-O2"] {
        let Some(native) = native_output(folder.path(), &source, level)? else { return Ok(()) };
        let ours = taw_output(taw, folder.path(), &source, level)?;
        if native != ours {
            return Err(format!("{level}: natively {native:?}, under taw {ours:?}"));
        }
    }
    Ok(())
}

fn generate(seed: u32, source: &Path) -> Result<(), String> {
    let mut csmith = Command::new("csmith");
    csmith.args(["--seed", &seed.to_string(), "--max-funcs", "5", "--output"]).arg(source);
    if seed.is_multiple_of(4) {
        csmith.arg("--float");
    }
    let ended = run(&mut csmith, Streams::Merged, Duration::from_secs(60))?;
    if ended.code == Some(0) { Ok(()) } else { Err(format!("csmith fails: {}", ended.said())) }
}

/// The headers that csmith's programs include.
const INCLUDE: &str = "/usr/include/csmith";

/// With --float csmith mixes pointers to floats and to ints.
const FLAGS: [&str; 3] = ["-w", "-Wno-incompatible-pointer-types", "-fno-strict-aliasing"];

/// What the program prints natively; none if it takes too long.
fn native_output(folder: &Path, source: &Path, level: &str) -> Result<Option<String>, String> {
    let binary = folder.join(format!("native{level}"));
    let mut compile = Command::new(CLANG);
    compile.args(FLAGS).args([level, "-I", INCLUDE, "-o"]).arg(&binary).arg(source);
    let ended = run(&mut compile, Streams::Merged, Duration::from_secs(60))?;
    if ended.code != Some(0) {
        return Err(format!("the native compiler says:\n{}", ended.said()));
    }
    let ended = run(&mut Command::new(&binary), Streams::Merged, NATIVE_LIMIT)?;
    if ended.timed_out {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&ended.stdout).into_owned()))
}

/// What the only path prints under Taw.
fn taw_output(taw: &Taw, folder: &Path, source: &Path, level: &str) -> Result<String, String> {
    let mut arguments = vec![source.display().to_string(), "-I".to_owned(), INCLUDE.to_owned()];
    arguments.extend(FLAGS.iter().chain(&[level]).map(|flag| format!("--cflag={flag}")));
    let run = taw.run(&folder.join(format!("out{level}")), &arguments, Duration::from_secs(300))?;
    if run.code() == 2 {
        return Err(run.stderr());
    }
    if let Some(finding) = run.document()?.findings.first() {
        return Err(format!("{level}: a finding in a correct program: {finding:?}"));
    }
    match &run.tests()?[..] {
        [test] if matches!(test.outcome, Outcome::Exit { code: 0 }) => Ok(test.output.clone()),
        [test] => Err(format!("{level}: the only path ends with {:?}", test.outcome)),
        tests => Err(format!("{level}: {} tests of a concrete program", tests.len())),
    }
}
