//! Tests of functions (`taw test`): each function is explored on its own until what is to be covered is, and the fewest tests that cover it stay.
//!
//! Boundary: finds tests and what they cover; what is written of them is `taw_report::suite`'s, whether they hold natively [`TestTrial`] asks. Invariant: a duty is
//! *unreachable* only if every path was explored; whatever C cannot say is no test, and covers nothing.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use taw_engine::{Cut, FindingKind, Input, Judgement, Outcome, PathCoverage, Reason, Sink, TestCase, UserNumbers};
use taw_explore::{Exploration, PathCounts, Plan, Snapshot, Summary};
use taw_ir::{FuncId, Origin, matches_pattern};
use taw_native::{Conditions, CoverageMode, Patience, SuiteTrial};
use taw_report::suite::{Duties, SuiteStandIn, SuiteTest};
use taw_report::{Places, TestFile, fewest};

use crate::Error;
use crate::entries::users;
use crate::prepared::Prepared;
use crate::program::Program;
use crate::replay::{Headers, toolchain};
use crate::session::Each;

/// The search of `taw test`, unless another is named.
pub const TEST_SEARCH: &str = taw_search::DEFAULT_FORWARD;

/// Tests that C cannot say, of one function, before no more are looked at.
const UNSAID: usize = 256;

/// For nicer values of all tests of a function.
const NICETIES: Duration = Duration::from_secs(2);

/// A test that may be kept.
#[derive(Clone, Debug)]
pub struct FoundTest {
    /// As it is stored.
    pub file: TestFile,
    /// As C says it.
    pub test: SuiteTest,
    /// What its path covers.
    pub covered: PathCoverage,
    /// Which duties that are.
    pub numbers: Vec<u32>,
}

/// An error that a call leads to.
#[derive(Clone, Debug)]
pub struct FoundError {
    /// The test, as C says it, or why it cannot.
    pub test: Result<SuiteTest, String>,
    /// As it is stored.
    pub file: TestFile,
    /// Which duties its path covers.
    pub numbers: Vec<u32>,
    /// Whether a parameter that is null, or the same as another, alone explains it.
    pub is_precondition: bool,
    finding: (FindingKind, Option<taw_engine::StackEntry>),
}

/// A path that would have covered something, and why it is no test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsaidTest {
    /// Why.
    pub why: String,
    /// What it covers.
    pub numbers: Vec<u32>,
}

/// What came of one function.
#[derive(Clone, Debug)]
pub struct TestedFunction<'p> {
    /// Which.
    pub function: FuncId,
    /// Its paths.
    pub paths: PathCounts,
    /// Why not every path was explored; empty if each was, or everything was covered before.
    pub incomplete: Vec<taw_engine::Reason>,
    /// What was taken for granted.
    pub premises: Vec<taw_engine::Premise>,
    /// Whether everything was covered.
    pub is_done: bool,
    /// What was to be covered.
    pub duties: Duties<'p>,
    /// The tests that stay.
    pub tests: Vec<FoundTest>,
    /// Errors, one for each kind and place.
    pub errors: Vec<FoundError>,
    /// Paths that are no tests.
    pub unsaid: Vec<UnsaidTest>,
}

/// The functions of a program that names and patterns mean; without any, all that it exports but `main`. With `statics` also those that are `static`.
///
/// # Errors
/// If one means no function.
pub fn functions_to_test(program: &Program, asked: &[String], statics: bool) -> Result<Vec<FuncId>, Error> {
    let code = program.code();
    let name = |id: &FuncId| code.functions[*id].name.as_str();
    let mut all = users(code);
    all.retain(|id| name(id) != "main" && !name(id).contains('.') && code.functions[*id].origin == Origin::User);
    let is_meant = |id: &FuncId| statics || !code.functions[*id].is_static;
    if asked.is_empty() {
        all.retain(is_meant);
        return Ok(all);
    }
    let mut found = Vec::new();
    for pattern in asked {
        let is_named = |id: &&FuncId| matches_pattern(pattern, name(id)) && (!pattern.contains('*') || is_meant(id));
        let before = found.len();
        let meant: Vec<FuncId> = all.iter().filter(is_named).copied().collect();
        found.extend(meant.iter().filter(|id| !found.contains(*id)).copied().collect::<Vec<_>>());
        if meant.is_empty() && found.len() == before {
            let near = taw_targets::nearest(&pattern.replace('*', ""), all.iter().map(name)).map(str::to_owned);
            return Err(Error::NoMatch { pattern: pattern.clone(), near });
        }
    }
    found.sort_unstable();
    Ok(found)
}

impl<'s> Prepared<'s> {
    /// Explores one function for tests that do its duties, beside those that there are (`kept`).
    ///
    /// # Errors
    /// What must be mended before the program can run.
    pub fn test_function(
        &self,
        function: FuncId,
        duties: Duties<'s>,
        stand_ins: &[SuiteStandIn],
        kept: Vec<FoundTest>,
        progress: &mut dyn FnMut(&Snapshot),
    ) -> Result<TestedFunction<'s>, Error> {
        let code = self.program().code();
        let plan = self.plan_of(function, Vec::new());
        let over = AtomicBool::new(false);
        let old = kept.len();
        let mut sink = Collecting {
            places: self.places(),
            users: UserNumbers::of(code),
            duties: &duties,
            stand_ins,
            missing: (0..duties.all.len() as u32).collect(),
            covered: PathCoverage::default(),
            found: Vec::new(),
            errors: Vec::new(),
            unsaid: Vec::new(),
            over: &over,
        };
        kept.into_iter().for_each(|test| sink.keep(test));
        let stop = self.stop();
        let mut watch = |now: &Snapshot| {
            over.fetch_or(stop.load(Ordering::Relaxed), Ordering::Relaxed);
            progress(now);
        };
        let summary: Option<Summary> = match sink.missing.is_empty() {
            true => None,
            false => Some(Exploration::new(code, &plan)?.run(&mut sink, &mut watch, &over)),
        };
        let Collecting { found, mut errors, unsaid, missing, .. } = sink;
        let (paths, incomplete, judgements, premises) = summary.map_or_else(Default::default, |summary| {
            (summary.paths, summary.incomplete, summary.judgements, summary.premises)
        });
        errors.iter_mut().for_each(|error| error.is_precondition = is_precondition(error, &judgements));
        let is_done = missing.is_empty();
        let tests = self.with_nicer_values(function, &duties, stand_ins, fewest_of(found, old))?;
        Ok(TestedFunction {
            function,
            paths,
            // That it was stopped because nothing was left to cover is no reason.
            incomplete: if is_done { Vec::new() } else { incomplete },
            premises,
            is_done,
            tests,
            errors,
            unsaid,
            duties,
        })
    }

    /// Tests that have no name yet with nicer values, as far as no two become the same.
    fn with_nicer_values(
        &self,
        function: FuncId,
        duties: &Duties<'s>,
        stand_ins: &[SuiteStandIn],
        mut tests: Vec<FoundTest>,
    ) -> Result<Vec<FoundTest>, Error> {
        let begin = Instant::now();
        for at in 0..tests.len() {
            let left = NICETIES.saturating_sub(begin.elapsed());
            if !tests[at].test.name.is_empty() || left.is_zero() {
                continue;
            }
            let nicer = self.nicer(function, duties, stand_ins, tests[at].clone(), left)?;
            let is_same = |(other, known): (usize, &FoundTest)| other != at && known.test.has_inputs_of(&nicer.test);
            if !tests.iter().enumerate().any(is_same) {
                tests[at] = nicer;
            }
        }
        Ok(tests)
    }

    /// One function with the tests that there are, which is not explored.
    pub fn keep_function(&self, function: FuncId, duties: Duties<'s>, kept: Vec<FoundTest>) -> TestedFunction<'s> {
        let done: BTreeSet<u32> = kept.iter().flat_map(|found| found.numbers.iter().copied()).collect();
        TestedFunction {
            function,
            paths: PathCounts::default(),
            incomplete: vec![Reason::Cut(Cut::NotStarted(function))],
            premises: Vec::new(),
            is_done: done.len() == duties.all.len(),
            duties,
            tests: kept,
            errors: Vec::new(),
            unsaid: Vec::new(),
        }
    }

    /// What a call with these inputs is now: the first path that has them among so many, if it is a test.
    ///
    /// # Errors
    /// What must be mended before the program can run.
    pub fn test_inputs(
        &self,
        function: FuncId,
        duties: &Duties<'s>,
        stand_ins: &[SuiteStandIn],
        inputs: Vec<Input>,
        paths: u64,
    ) -> Result<Option<FoundTest>, Error> {
        let mut plan = self.plan_of(function, vec![inputs.clone()]);
        plan.limits.paths = Some(paths);
        let over = AtomicBool::new(false);
        let mut found = None;
        let has_them = |case: &TestCase| {
            let known = |input: &Input| inputs.iter().find(|wanted| wanted.name == input.name);
            case.inputs.iter().all(|input| known(input).is_some_and(|wanted| wanted.bytes == input.bytes))
        };
        let mut sink = Each(|case: &TestCase| {
            if found.is_none() && has_them(case) {
                let file = TestFile::new(case, &self.places());
                found = SuiteTest::of(&file, stand_ins).ok().map(|test| FoundTest {
                    numbers: duties.covered(&case.covered),
                    covered: case.covered.clone(),
                    file,
                    test,
                });
                over.store(true, Ordering::Relaxed);
            }
        });
        Exploration::new(self.program().code(), &plan)?.run(&mut sink, &mut |_| {}, &over);
        Ok(found)
    }

    fn plan_of(&self, function: FuncId, seeds: Vec<Vec<Input>>) -> Plan {
        let mut plan = self.plan(Vec::new());
        plan.engine.seeds = seeds;
        plan.entries = vec![self.program().code().functions[function].name.clone()];
        plan.left_out.clear();
        plan
    }

    /// Who builds and runs suites natively.
    ///
    /// # Errors
    /// If there is no compiler, or nobody can start programs.
    pub fn test_trial(&self) -> Result<TestTrial, Error> {
        let headers = Headers::new()?;
        let tools = toolchain(&headers)?;
        let conditions = Conditions {
            keeper: self.session().keeper_or_this()?,
            limits: taw_cage::RunLimits::default(),
            coverage: CoverageMode::No,
            patience: Patience { stop: std::sync::Arc::clone(self.stop()), until: None },
        };
        Ok(TestTrial { _headers: headers, trial: SuiteTrial::new(self.recipe().clone(), tools, conditions) })
    }
}

/// Builds and runs suites natively.
pub struct TestTrial {
    _headers: Headers,
    /// Who does it.
    pub trial: SuiteTrial,
}

/// The fewest that do as many duties as all: of the first `old` as many as are needed, and of the others those that do more.
fn fewest_of(found: Vec<FoundTest>, old: usize) -> Vec<FoundTest> {
    let sets: Vec<Vec<u32>> = found.iter().map(|found| found.numbers.clone()).collect();
    let (before, after) = sets.split_at(old);
    let mut chosen = fewest(before);
    let done: BTreeSet<u32> = before.iter().flatten().copied().collect();
    let more = |set: &Vec<u32>| set.iter().copied().filter(|number| !done.contains(number)).collect();
    let added = fewest(&after.iter().map(more).collect::<Vec<Vec<u32>>>());
    chosen.extend(added.into_iter().map(|number| number + old));
    found.into_iter().enumerate().filter(|(number, _)| chosen.contains(number)).map(|(_, found)| found).collect()
}

fn is_precondition(error: &FoundError, judgements: &[Judgement]) -> bool {
    let is_its = |judgement: &&Judgement| {
        (judgement.finding.kind, judgement.finding.stack.first()) == (error.finding.0, error.finding.1.as_ref())
    };
    judgements.iter().find(is_its).is_some_and(|judgement| judgement.is_precondition)
}

/// Collects the paths of one function.
struct Collecting<'a, 'p> {
    places: Places<'p>,
    users: UserNumbers,
    duties: &'a Duties<'p>,
    stand_ins: &'a [SuiteStandIn],
    /// Duties that no test does yet.
    missing: Vec<u32>,
    /// What the tests cover together.
    covered: PathCoverage,
    found: Vec<FoundTest>,
    errors: Vec<FoundError>,
    unsaid: Vec<UnsaidTest>,
    /// Set when nothing is missing.
    over: &'a AtomicBool,
}

impl Collecting<'_, '_> {
    fn error(&mut self, case: &TestCase, finding: (FindingKind, Option<taw_engine::StackEntry>)) {
        if self.errors.iter().any(|error| error.finding == finding) {
            return;
        }
        let file = TestFile::new(case, &self.places);
        self.errors.push(FoundError {
            test: SuiteTest::of(&file, self.stand_ins),
            numbers: self.duties.covered(&case.covered),
            file,
            is_precondition: false,
            finding,
        });
    }

    fn candidate(&mut self, case: &TestCase) {
        if self.unsaid.len() >= UNSAID || !case.covered.has_more_than(&self.covered, |number| self.users.has(number)) {
            return;
        }
        let numbers = self.duties.covered(&case.covered);
        let file = TestFile::new(case, &self.places);
        match SuiteTest::of(&file, self.stand_ins) {
            Err(why) => self.unsaid.push(UnsaidTest { why, numbers }),
            Ok(test) if self.found.iter().any(|known| known.test.has_inputs_of(&test)) => {}
            Ok(test) => self.keep(FoundTest { file, test, covered: case.covered.clone(), numbers }),
        }
    }

    fn keep(&mut self, found: FoundTest) {
        self.covered.add(&found.covered);
        self.missing.retain(|number| found.numbers.binary_search(number).is_err());
        self.found.push(found);
        if self.missing.is_empty() {
            self.over.store(true, Ordering::Relaxed);
        }
    }
}

impl Sink for Collecting<'_, '_> {
    fn path(&mut self, case: &TestCase) {
        match &case.outcome {
            Outcome::Exit(_) | Outcome::Signal(_) => self.candidate(case),
            Outcome::Finding(finding) if finding.kind == FindingKind::Abort && finding.message.contains("abort") => {
                self.candidate(case);
            }
            Outcome::Finding(finding) => self.error(case, (finding.kind, finding.stack.first().cloned())),
            _ => {}
        }
    }
}
