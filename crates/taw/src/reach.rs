//! Where the results of a run with targets go: a test for each target at once, and a native run that must get there too.
//!
//! An error that such a run cannot show, as a read beyond an object in a program without sanitizers, counts if the run gets to
//! its place; what was not seen is said.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use taw_engine::{GoalStep, Outcome, Reception, Refusal, Sink, TestCase};
use taw_explore::{GoalVerdict, Summary};
use taw_native::{ReplayVerdict, Replayed};
use taw_report::{InputRecord, OutcomeRecord, OutputDir, OutputError, Places, Spot, TestFile};
use taw_targets::Target;

use crate::Error;
use crate::prepared::Prepared;
use crate::replay::NativeProgram;
use crate::results::Observer;

/// Whether what is found is confirmed by native runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confirm {
    /// It is: the program is built, and run in a cage.
    Natively,
    /// It is believed.
    No,
}

/// A test that reaches a target.
#[derive(Clone, Debug, Default)]
pub struct ReachingTest {
    /// Where the test is, relative to the output directory; empty if there is none.
    pub test: String,
    /// What the entry is called with, as C; empty unless it takes pointers.
    pub call: Vec<String>,
    /// The inputs.
    pub inputs: Vec<InputRecord>,
    /// Whether a native run got there, and showed the error if there is to be one.
    pub confirmed: bool,
    /// Why a native run that got there did not show the error.
    pub unseen: Option<String>,
}

/// Where the tests of targets go.
pub trait TestStore {
    /// A path ended that reaches nothing, or meets an error.
    fn path(&mut self, test: &TestCase);

    /// Keeps the test that reaches a target, and says where it is and what it is. `route` is what a native run must pass.
    ///
    /// # Errors
    /// If it cannot be written.
    fn reached(&mut self, test: &TestCase, route: &[Vec<Spot>]) -> Result<(String, TestFile), OutputError>;

    /// Errors met so far.
    fn findings(&self) -> usize;
}

impl TestStore for OutputDir<'_> {
    fn path(&mut self, test: &TestCase) {
        Sink::path(self, test);
    }

    fn reached(&mut self, test: &TestCase, route: &[Vec<Spot>]) -> Result<(String, TestFile), OutputError> {
        OutputDir::reached(self, test, route)
    }

    fn findings(&self) -> usize {
        OutputDir::findings(self).len()
    }
}

/// Nothing is written: what is found is in the arrivals.
struct InMemory<'p> {
    places: Places<'p>,
    findings: usize,
}

impl TestStore for InMemory<'_> {
    fn path(&mut self, _: &TestCase) {
        self.findings += 1;
    }

    fn reached(&mut self, test: &TestCase, route: &[Vec<Spot>]) -> Result<(String, TestFile), OutputError> {
        Ok((String::new(), TestFile::new(test, &self.places).on_route(route)))
    }

    fn findings(&self) -> usize {
        self.findings
    }
}

/// What became of the targets of a session.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reached {
    /// Each target, in the order in which they were asked for.
    pub targets: Vec<TargetOutcome>,
    /// The run.
    pub summary: Summary,
}

/// What became of a target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TargetOutcome {
    /// The target, by the name that it has in the program: a line without code is the next that has some.
    pub name: String,
    /// Whether it is reached.
    pub verdict: GoalVerdict,
    /// The test that reaches it; of one that is not reached, the last that a native run refused.
    pub arrival: Option<ReachingTest>,
}

/// Looks for the targets of a session and writes nothing.
pub(crate) fn in_memory(prepared: &Prepared<'_>, confirm: Confirm) -> Result<Reached, Error> {
    let store = InMemory { places: prepared.places(), findings: 0 };
    let mut sink = ReachSink::new(prepared, store, Box::new(|_, _| {}));
    if confirm == Confirm::Natively {
        sink.confirm()?;
    }
    let summary = prepared.explore(&mut sink, &mut |_| {})?;
    let goals = prepared.targets().targets.iter().zip(&summary.goals).zip(sink.results);
    let targets = goals.map(|((target, known), arrival)| TargetOutcome {
        name: target.goal.name.clone(),
        verdict: known.verdict.clone(),
        arrival,
    });
    Ok(Reached { targets: targets.collect(), summary })
}

/// The sink of a run that looks for targets.
pub struct ReachSink<'p, S> {
    prepared: &'p Prepared<'p>,
    targets: &'p [Target],
    store: S,
    native: Option<NativeProgram>,
    /// The last test for each target, none if there was none.
    results: Vec<Option<ReachingTest>>,
    /// Whether paths that reach nothing are wanted too.
    all_paths: bool,
    observer: Observer<'p>,
    /// Who is told of each target when it is reached.
    arrived: Box<dyn FnMut(&Target) + 'p>,
    stop: Arc<AtomicBool>,
}

impl<'p, S: TestStore> ReachSink<'p, S> {
    /// Tests go to `store`.
    pub fn new(prepared: &'p Prepared<'p>, store: S, observer: Observer<'p>) -> Self {
        let targets = &prepared.targets().targets[..];
        ReachSink {
            prepared,
            targets,
            store,
            native: None,
            results: vec![None; targets.len()],
            all_paths: false,
            observer,
            arrived: Box::new(|_| {}),
            stop: Arc::clone(prepared.stop()),
        }
    }

    /// Keeps paths that reach nothing, too.
    #[must_use]
    pub fn with_all_paths(mut self, wanted: bool) -> Self {
        self.all_paths = wanted;
        self
    }

    /// Who is told of each target when it is reached.
    #[must_use]
    pub fn on_arrival(mut self, arrived: impl FnMut(&Target) + 'p) -> Self {
        self.arrived = Box::new(arrived);
        self
    }

    /// Lets native runs confirm what is found; an error that they do not show, the engine must meet with constants.
    ///
    /// # Errors
    /// If there is no compiler, or nobody can start programs.
    pub fn confirm(&mut self) -> Result<(), Error> {
        let mut native = self.prepared.native()?;
        if self.targets.iter().any(|target| !matches!(target.goal.steps.last(), Some(GoalStep::Error(..)))) {
            native.begin()?;
        }
        self.native = Some(native);
        Ok(())
    }

    /// Where tests go.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The last test for each target.
    pub fn results(&self) -> &[Option<ReachingTest>] {
        &self.results
    }

    /// Where tests went.
    pub fn into_store(self) -> S {
        self.store
    }
}

impl<S: TestStore> Sink for ReachSink<'_, S> {
    fn path(&mut self, test: &TestCase) {
        if self.all_paths || matches!(test.outcome, Outcome::Finding(_)) {
            self.store.path(test);
        }
        (self.observer)(test, self.store.findings());
    }

    fn reached(&mut self, goal: usize, test: &TestCase) -> Reception {
        let (name, file) = match self.store.reached(test, &self.targets[goal].route) {
            Ok(written) => written,
            Err(error) => {
                self.stop.store(true, Ordering::Relaxed);
                return Reception::Refused(Refusal::NotWritten(error.to_string()));
            }
        };
        let arrival = ReachingTest {
            test: name,
            inputs: file.inputs_beside_call(),
            call: file.call.as_ref().map(|call| call.shown().to_vec()).unwrap_or_default(),
            ..ReachingTest::default()
        };
        let arrival = self.results[goal].insert(arrival);
        let reception = match &mut self.native {
            Some(native) => confirmed(self.prepared, native, &self.targets[goal], &file, arrival),
            None => Reception::Accepted,
        };
        if matches!(reception, Reception::Accepted) {
            (self.arrived)(&self.targets[goal]);
        }
        reception
    }
}

/// Whether a native run shows that a test reaches a target.
pub(crate) fn confirmed(
    prepared: &Prepared<'_>,
    native: &mut NativeProgram,
    target: &Target,
    file: &TestFile,
    arrival: &mut ReachingTest,
) -> Reception {
    let Target { goal: known, route, .. } = target;
    let seen = matches!(file.outcome, OutcomeRecord::Reached { .. }).then(|| native.blind_to(route));
    if let Some(Ok(Some(why))) = seen {
        return Reception::Futile(Refusal::Invisible(why));
    }
    let why = match native.replay(file) {
        Ok(Replayed { verdict: ReplayVerdict::Same, .. }) => {
            arrival.confirmed = true;
            return Reception::Accepted;
        }
        Ok(Replayed { verdict: ReplayVerdict::NotConfirmed, why, .. })
            if matches!(file.outcome, OutcomeRecord::Finding { .. })
                && matches!(native.passes(file, &known.name, route), Ok(true)) =>
        {
            if prepared.meets(file) == Some(false) {
                return Reception::Refused(Refusal::NotMet(why));
            }
            arrival.unseen = Some(why);
            return Reception::Accepted;
        }
        Ok(Replayed { why, .. }) => why,
        Err(error) => error.to_string(),
    };
    Reception::Refused(Refusal::NotConfirmed(why))
}
