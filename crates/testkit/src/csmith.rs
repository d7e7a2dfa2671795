//! Concrete correctness: programs of csmith (random, free of undefined behaviour), run natively and under Taw without
//! any symbolic input, must print the same checksum at -O0 and -O2, and Taw must find nothing.
//!
//! Symbolically: the same programs with some of their globals made symbolic. Every test must print natively what Taw says
//! it prints, so that each operation is checked on terms as well as on numbers.
//!
//! The sample is named by seeds, not by files: the same seed gives the same program with the same csmith.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use libtest_mimic::{Completion, Failed, Trial};

use crate::native::{BuildRecipe, CLANG, CompiledProgram};
use crate::process::{Streams, run};
use crate::taw::{JsonOutcome, Taw};

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
    /// `FIRST..LAST` from the environment variable TAW_SEEDS, else the sample of the test suite: 1 to `sample`.
    ///
    /// # Errors
    /// If the variable is set and is not that.
    pub fn from_environment(sample: u32) -> Result<Self, String> {
        let Ok(text) = std::env::var("TAW_SEEDS") else { return Ok(Seeds { first: 1, last: sample }) };
        let (first, last) = text.split_once("..").ok_or("TAW_SEEDS is not FIRST..LAST")?;
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) => Ok(Seeds { first, last }),
            _ => Err("TAW_SEEDS is not FIRST..LAST".into()),
        }
    }
}

/// One trial per seed; one that fails if csmith is not installed.
pub fn csmith_trials(taw: &Taw, seeds: Seeds) -> Vec<Trial> {
    if Command::new("csmith").arg("--version").output().is_err() {
        return vec![Trial::test("csmith", || Err("it is not installed; `make setup` does that".into()))];
    }
    let mut trials = Vec::new();
    for seed in seeds.first..=seeds.last {
        let (one, two) = (taw.clone(), taw.clone());
        trials.push(Trial::ignorable_test(format!("concrete/seed-{seed}"), move || {
            check(&one, seed).map_err(Failed::from)
        }));
        trials.push(Trial::ignorable_test(format!("symbolic/seed-{seed}"), move || {
            check_symbolic(&two, seed).map_err(Failed::from)
        }));
    }
    trials
}

fn check(taw: &Taw, seed: u32) -> Result<Completion, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = folder.path().join(format!("csmith-{seed}.c"));
    generate(seed, &source)?;
    for level in ["-O0", "-O2"] {
        let Some(native) = native_output(folder.path(), &source, level)? else {
            return Ok(Completion::ignored_with("natively it runs too long"));
        };
        let ours = taw_output(taw, folder.path(), &source, level)?;
        if native != ours {
            return Err(format!("{level}: natively {native:?}, under taw {ours:?}"));
        }
    }
    Ok(Completion::Completed)
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
        [test] if matches!(test.outcome, JsonOutcome::Exit { code: 0 }) => Ok(test.output.clone()),
        [test] => Err(format!("{level}: the only path ends with {:?}", test.outcome)),
        tests => Err(format!("{level}: {} tests of a concrete program", tests.len())),
    }
}

/// Globals of one program that become symbolic. More make harder terms, not better tests.
const SYMBOLIC: usize = 3;

fn check_symbolic(taw: &Taw, seed: u32) -> Result<Completion, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = folder.path().join(format!("symbolic-{seed}.c"));
    generate(seed, &source)?;
    if native_output(folder.path(), &source, "-O0")?.is_none() {
        return Ok(Completion::ignored_with("natively it runs too long"));
    }
    let text = std::fs::read_to_string(&source).map_err(|e| e.to_string())?;
    let Some(text) = with_symbolic_globals(&text) else {
        return Ok(Completion::ignored_with("it has no integer global"));
    };
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let mut arguments = vec![source.display().to_string(), "-I".to_owned(), INCLUDE.to_owned()];
    arguments.extend(FLAGS.iter().map(|flag| format!("--cflag={flag}")));
    arguments.extend(["--max-paths", "6", "--max-time", "10s", "--search", "DFS"].map(str::to_owned));
    let run = taw.run(&folder.path().join("out"), &arguments, Duration::from_secs(120))?;
    if run.code() == 2 {
        return Err(run.stderr());
    }
    let native = CompiledProgram::compile(&BuildRecipe {
        sources: vec![source],
        sanitize: "address,undefined".into(),
        flags: FLAGS.iter().chain(&["-I", INCLUDE]).map(|&flag| flag.to_owned()).collect(),
        ..BuildRecipe::default()
    })?;
    for test in run.tests()? {
        native.confirm(&test)?;
    }
    Ok(Completion::Completed)
}

/// The program with its first integer globals made symbolic at the start of `main`.
fn with_symbolic_globals(text: &str) -> Option<String> {
    const START: &str = "    crc32_gentab();\n";
    let integers = ["int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"];
    let global = |line: &str| {
        let mut words = line.strip_prefix("static ")?.split(' ');
        let (ty, name, equals) = (words.next()?, words.next()?, words.next()?);
        (integers.contains(&ty) && name.starts_with("g_") && equals == "=").then(|| name.to_owned())
    };
    let names: Vec<String> = text.lines().filter_map(global).take(SYMBOLIC).collect();
    let makers: String =
        names.iter().map(|name| format!("    taw_symbolic(&{name}, sizeof {name}, \"{name}\");\n")).collect();
    let (before, after) = text.split_once(START)?;
    (!names.is_empty()).then(|| format!("#include <taw.h>\n{before}{makers}{START}{after}"))
}
