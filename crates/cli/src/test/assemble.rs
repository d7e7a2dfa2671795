//! From what was found to what is written: names, native trials, and which branches no test covers, with the reason.
//!
//! A test is written only if it was built without a warning and has held twice natively, in two orders. What differs from run to run is not asserted, and the test says so.

use std::collections::BTreeSet;
use std::path::PathBuf;

use taw::{FoundTest, Prepared, TestTrial, TestedFunction};
use taw_native::{SuiteTrial, TrialProgram, TrialRun};
use taw_report::suite::{SANITIZERS, SuiteEnd, SuiteFile, SuiteStandIn, SuiteTest, name_tests, source_of};

use super::options::TestArgs;
use crate::failure::Failure;

/// The tests of one source.
pub(crate) struct SourceTests {
    /// The source, as it was given.
    pub source: PathBuf,
    /// The name of its file of tests, without ending.
    pub stem: String,
    /// Tests, each with the number of its function.
    pub tests: Vec<(usize, FoundTest)>,
    /// Tests of errors.
    pub errors: Vec<(usize, SuiteTest)>,
    /// Tests that hold only in a process of their own.
    pub lonely: Vec<String>,
}

/// A test that is not written.
pub(crate) struct DroppedTest {
    /// The number of its function.
    pub function: usize,
    /// What it is called.
    pub name: String,
    /// Why.
    pub why: String,
    /// What it would have covered.
    pub numbers: Vec<u32>,
}

/// All that is to be written.
#[derive(Default)]
pub(crate) struct Assembled {
    pub sources: Vec<SourceTests>,
    pub dropped: Vec<DroppedTest>,
}

/// What files of tests have in common.
pub(crate) struct Surround<'a> {
    pub args: &'a TestArgs,
    pub stand_ins: &'a [SuiteStandIn],
    pub has_main: bool,
    /// Tests that stay as they are, whatever they give.
    pub fixed: Vec<String>,
}

impl<'a> Surround<'a> {
    /// A file with tests, which includes the source as `include` says.
    pub(crate) fn file(&self, stem: &str, include: String, tests: Vec<&'a SuiteTest>) -> SuiteFile<'a> {
        SuiteFile {
            stem: stem.to_owned(),
            include,
            has_main: self.has_main,
            stand_ins: self.stand_ins,
            setup: &self.args.setup,
            teardown: &self.args.teardown,
            tests,
        }
    }
}

/// Names the tests and tries them.
pub(crate) fn assemble(
    around: &Surround<'_>,
    prepared: &Prepared<'_>,
    functions: &mut [TestedFunction<'_>],
) -> Result<Assembled, Failure> {
    name_all(functions);
    let mut assembled = by_source(around.args, prepared, functions);
    let TestTrial { trial, .. } = &mut prepared.test_trial()?;
    for source in &mut assembled.sources {
        let dropped = try_tests(around, trial, source).map_err(Failure::Message)?;
        assembled.dropped.extend(dropped);
        let dropped = try_errors(around, trial, source).map_err(Failure::Message)?;
        assembled.dropped.extend(dropped);
    }
    Ok(assembled)
}

fn name_all(functions: &mut [TestedFunction<'_>]) {
    let mut tests: Vec<&mut SuiteTest> = Vec::new();
    for function in functions.iter_mut() {
        tests.extend(function.tests.iter_mut().map(|found| &mut found.test));
        let kept = function.errors.iter_mut().filter(|error| !error.is_precondition);
        tests.extend(kept.filter_map(|error| error.test.as_mut().ok()));
    }
    name_tests(&mut tests);
}

/// The tests by the file that their functions are in.
fn by_source(args: &TestArgs, prepared: &Prepared<'_>, functions: &[TestedFunction<'_>]) -> Assembled {
    let code = prepared.program().code();
    let mut assembled = Assembled::default();
    for (number, function) in functions.iter().enumerate() {
        let Some(source) = source_of(code, function.function, &args.files) else {
            let name = code.functions[function.function].name.clone();
            let why = "its function is in none of the C files that were given".to_owned();
            let numbers = function.tests.iter().flat_map(|found| found.numbers.clone()).collect();
            assembled.dropped.push(DroppedTest { function: number, name, why, numbers });
            continue;
        };
        let at = assembled.sources.iter().position(|known| known.source == source).unwrap_or_else(|| {
            let stem = stem(&source, &assembled.sources);
            let (tests, errors, lonely) = (Vec::new(), Vec::new(), Vec::new());
            assembled.sources.push(SourceTests { source, stem, tests, errors, lonely });
            assembled.sources.len() - 1
        });
        let place = &mut assembled.sources[at];
        place.tests.extend(function.tests.iter().map(|found| (number, found.clone())));
        let errors = function.errors.iter().filter(|error| !error.is_precondition);
        place.errors.extend(errors.filter_map(|error| Some((number, error.test.clone().ok()?))));
    }
    assembled
}

/// `test_lib` for `lib.c`, as long as no other source has that name.
fn stem(source: &std::path::Path, known: &[SourceTests]) -> String {
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let word: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut names = std::iter::once(format!("test_{word}")).chain((2..).map(|i| format!("test_{word}_{i}")));
    names.find(|name| !known.iter().any(|other| other.stem == *name)).unwrap_or_default()
}

/// Runs each test alone and together with the others, twice and in two orders; gives those that go.
fn try_tests(
    around: &Surround<'_>,
    trial: &mut SuiteTrial,
    source: &mut SourceTests,
) -> Result<Vec<DroppedTest>, String> {
    let mut dropped = Vec::new();
    let Some(program) = built(around, trial, source, &mut dropped)? else { return Ok(dropped) };
    let (count, orders) = (source.tests.len(), orders(source.tests.len(), around.args.seed));
    let mut noted = |program: &TrialProgram, mode: &str, order: &[usize]| {
        let words: Vec<String> = std::iter::once(mode.to_owned()).chain(order.iter().map(usize::to_string)).collect();
        Ok::<Noted, String>(Noted::of(&trial.run(program, &words)?, count))
    };
    let alone = [noted(&program.0, "alone", &orders.0)?, noted(&program.0, "alone", &orders.1)?];
    let optimised = noted(&program.1, "alone", &orders.0)?;
    let together = noted(&program.0, "together", &orders.1)?;
    let mut kept = Vec::new();
    for (i, (function, mut found)) in std::mem::take(&mut source.tests).into_iter().enumerate() {
        if around.fixed.contains(&found.test.name) {
            kept.push((function, found));
            continue;
        }
        let is_by_child = matches!(found.test.end, SuiteEnd::Exits(_) | SuiteEnd::Aborts);
        let runs = || alone.iter().chain([&optimised]);
        let ended = runs().all(|run| run.ended.contains(&i));
        let is_other = is_by_child && runs().any(|run| run.failed.iter().any(|(test, _)| *test == i));
        if !ended || is_other {
            let why = "natively the call does not end as Taw says".to_owned();
            dropped.push(DroppedTest { function, name: found.test.name.clone(), why, numbers: found.numbers });
            continue;
        }
        for (number, check) in found.test.checks.iter_mut().enumerate() {
            let failures = alone.iter().filter(|run| run.failed.contains(&(i, number))).count();
            check.left_out = match failures {
                0 if optimised.failed.contains(&(i, number)) => {
                    Some("it is something else where the compiler optimises".to_owned())
                }
                0 => None,
                n if n == alone.len() => Some("natively it is something else".to_owned()),
                _ => Some("it differs from run to run".to_owned()),
            };
        }
        let sees_others = |(number, check): (usize, &taw_report::suite::SuiteCheck)| {
            check.left_out.is_none() && together.failed.contains(&(i, number))
        };
        if !together.ended.contains(&i) || found.test.checks.iter().enumerate().any(sees_others) {
            source.lonely.push(found.test.name.clone());
        }
        kept.push((function, found));
    }
    source.tests = kept;
    Ok(dropped)
}

/// The program of trials, of the tests that compile without a word; and the same where the compiler optimises.
fn built(
    around: &Surround<'_>,
    trial: &SuiteTrial,
    source: &mut SourceTests,
    dropped: &mut Vec<DroppedTest>,
) -> Result<Option<(TrialProgram, TrialProgram)>, String> {
    while !source.tests.is_empty() {
        let tests = source.tests.iter().map(|(_, found)| &found.test).collect();
        let text = around.file(&source.stem, absolute(&source.source), tests).trial();
        let mut program = trial.build(&text, &source.source, around.has_main, &[])?;
        if program.is_built && !program.words.iter().any(|line| complaint(line).is_some()) {
            let optimised = trial.build(&text, &source.source, around.has_main, &["-O2"])?;
            if optimised.is_built && !optimised.words.iter().any(|line| complaint(line).is_some()) {
                return Ok(Some((program, optimised)));
            }
            program = optimised;
        }
        let bad: BTreeSet<usize> = program.words.iter().filter_map(|line| complaint(line)).collect();
        let first = |number: &usize| {
            let found = program.words.iter().find(|line| complaint(line) == Some(*number));
            found.map_or_else(|| refusal(&program), |line| format!("the compiler does not take it: {}", line.trim()))
        };
        // Where no test is to blame, none can be built.
        let bad = if bad.is_empty() { (0..source.tests.len()).collect() } else { bad };
        for number in bad.into_iter().rev() {
            let (function, found) = source.tests.remove(number);
            let (why, name) = (first(&number), found.test.name.clone());
            dropped.push(DroppedTest { function, name, why, numbers: found.numbers });
        }
    }
    Ok(None)
}

/// Why no program came of a text.
fn refusal(program: &TrialProgram) -> String {
    let said = |what: &str| program.words.iter().find(|line| line.contains(what));
    let undefined = said("undefined reference").and_then(|line| line.split_once("undefined reference to "));
    match undefined {
        Some((_, name)) => {
            let name = name.trim_matches(['`', '\'', ' ']);
            format!("`{name}` is defined nowhere; add the file that defines it, or say --stub {name}")
        }
        None => format!("the compiler does not take it: {}", said("error").map_or("", |line| line.trim())),
    }
}

/// The number of the test that a line of the compiler's is about, if it is an error or a warning.
fn complaint(line: &str) -> Option<usize> {
    let (place, said) = line.split_once(": ")?;
    let (_, rest) = place.split_once("taw-test-")?;
    (said.starts_with("error") || said.starts_with("warning")).then(|| rest.split(':').next()?.parse().ok())?
}

/// Runs each test of an error, which must not come back.
fn try_errors(
    around: &Surround<'_>,
    trial: &mut SuiteTrial,
    source: &mut SourceTests,
) -> Result<Vec<DroppedTest>, String> {
    if source.errors.is_empty() {
        return Ok(Vec::new());
    }
    let tests = source.errors.iter().map(|(_, test)| test).collect();
    let text = around.file(&source.stem, absolute(&source.source), tests).errors();
    let program = trial.build(&text, &source.source, around.has_main, &SANITIZERS)?;
    let mut dropped = Vec::new();
    for (function, test) in std::mem::take(&mut source.errors) {
        let shows = program.is_built && !trial.run(&program, std::slice::from_ref(&test.name))?.went_well;
        if shows {
            source.errors.push((function, test));
        } else {
            let why = match program.is_built {
                true => "natively the error does not show".to_owned(),
                false => refusal(&program),
            };
            dropped.push(DroppedTest { function, name: test.name, why, numbers: Vec::new() });
        }
    }
    Ok(dropped)
}

/// What a run has noted.
struct Noted {
    /// Tests that came to their end.
    ended: BTreeSet<usize>,
    /// Checks that did not hold: test, and number.
    failed: BTreeSet<(usize, usize)>,
}

impl Noted {
    fn of(run: &TrialRun, tests: usize) -> Self {
        let mut noted = Noted { ended: BTreeSet::new(), failed: BTreeSet::new() };
        for line in run.notes.lines() {
            let Some((test, check)) = line.split_once(' ') else { continue };
            let Some(test) = test.parse().ok().filter(|test| *test < tests) else { continue };
            match check.parse::<usize>() {
                Ok(check) => _ = noted.failed.insert((test, check)),
                Err(_) => _ = noted.ended.insert(test),
            }
        }
        noted
    }
}

/// The tests in order, and shuffled.
fn orders(count: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let order: Vec<usize> = (0..count).collect();
    let mut shuffled = order.clone();
    let mut state = seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15);
    for i in (1..count).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        shuffled.swap(i, (state >> 33) as usize % (i + 1));
    }
    (order, shuffled)
}

fn absolute(path: &std::path::Path) -> String {
    path.canonicalize().unwrap_or_else(|_| path.to_owned()).display().to_string()
}
