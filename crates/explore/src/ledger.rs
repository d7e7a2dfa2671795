//! What a run has come to so far: paths by how they ended, why states did not get to their end, what tests cover, the time.
//!
//! Boundary: counts and remembers; nothing is decided here, and no state is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use taw_engine::{Cut, Outcome, PathCoverage, StackEntry, TestCase, UserNumbers};
use taw_ir::Program;

use crate::PathCounts;
use crate::curve::CurvePoints;

/// The books of a run.
pub(crate) struct Ledger {
    pub(crate) paths: PathCounts,
    /// States given up for want of memory.
    pub(crate) shed: u64,
    pub(crate) curve: CurvePoints,
    /// Why states did not get to their end, each reason once.
    pub(crate) cuts: BTreeSet<Cut>,
    /// For each thing that cannot be executed the first place of it.
    unsupported: BTreeMap<Arc<str>, Option<StackEntry>>,
    /// What the tests that went to the sink cover.
    shown: PathCoverage,
    users: UserNumbers,
    start: Instant,
    /// Time that the sink took to look at what was reached.
    confirming: Duration,
}

impl Ledger {
    pub(crate) fn new(program: &Program) -> Self {
        Ledger {
            paths: PathCounts::default(),
            shed: 0,
            curve: CurvePoints::default(),
            cuts: BTreeSet::new(),
            unsupported: BTreeMap::new(),
            shown: PathCoverage::default(),
            users: UserNumbers::of(program),
            start: Instant::now(),
            confirming: Duration::ZERO,
        }
    }

    /// A path ended with a test.
    pub(crate) fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Exit(_) | Outcome::Signal(_) => self.paths.completed += 1,
            Outcome::Finding(_) => self.paths.errored += 1,
            Outcome::Halted(_) | Outcome::Reached(_) => self.paths.pending += 1,
            Outcome::Unsupported { .. } | Outcome::Unknown(_) => self.paths.unknown += 1,
        }
    }

    /// Why a path ended before its time, if it did.
    pub(crate) fn cut_short(&mut self, outcome: &Outcome) -> Option<Cut> {
        match outcome {
            Outcome::Exit(_) | Outcome::Signal(_) | Outcome::Finding(_) | Outcome::Reached(_) => None,
            Outcome::Halted(halt) => Some(Cut::Halted(*halt)),
            Outcome::Unknown(what) => Some(Cut::Unanswered(what.clone())),
            Outcome::Unsupported { what, stack } => Some(self.unsupported(what, stack)),
        }
    }

    /// One place of each is enough: the innermost with a line.
    fn unsupported(&mut self, what: &str, stack: &[StackEntry]) -> Cut {
        if let Some((what, at)) = self.unsupported.get_key_value(what) {
            return Cut::Unsupported { what: Arc::clone(what), at: at.clone() };
        }
        let what: Arc<str> = what.into();
        let at = stack.iter().find(|entry| entry.loc.is_some()).or(stack.first()).cloned();
        self.unsupported.insert(Arc::clone(&what), at.clone());
        Cut::Unsupported { what, at }
    }

    /// Whether a path covered what no test does that was shown.
    pub(crate) fn is_new(&self, covered: &PathCoverage) -> bool {
        covered.has_more_than(&self.shown, |number| self.users.has(number))
    }

    /// A test goes to the sink.
    pub(crate) fn shown(&mut self, test: &TestCase) {
        self.shown.add(&test.covered);
    }

    /// How long the search has taken: confirming takes its own time, which is not the search's.
    pub(crate) fn searched(&self) -> Duration {
        self.start.elapsed().saturating_sub(self.confirming)
    }

    /// The sink has looked at what was reached since `begin`.
    pub(crate) fn confirmed_since(&mut self, begin: Instant) {
        self.confirming += begin.elapsed();
    }
}
