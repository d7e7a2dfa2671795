//! Each entry on its own: one exploration after the other, each with an equal share of what is left of the limits, all into one sink.

use std::collections::BTreeSet;
use std::time::Instant;

use taw_engine::{Coverage, Cut, FindingKind, Outcome, Reason, Reception, Sink, StackEntry, TestCase};
use taw_explore::{Exploration, Limits, PathCounts, Plan, Snapshot, Summary};

use crate::Error;
use crate::prepared::Prepared;

/// What came of one entry.
#[derive(Clone, Debug)]
pub struct EntryOutcome {
    /// The function.
    pub function: String,
    /// Its paths.
    pub paths: PathCounts,
    /// Why it was not explored exhaustively; empty if it was.
    pub incomplete: Vec<Reason>,
    /// What its paths covered.
    pub coverage: Coverage,
    /// Errors, by kind and place.
    pub findings: usize,
}

impl Prepared<'_> {
    /// Explores each entry on its own; what all have come to, and each. `progress` is told of the one that is explored.
    ///
    /// # Errors
    /// What must be mended before the program can run.
    pub fn explore_each(
        &self,
        sink: &mut dyn Sink,
        progress: &mut dyn FnMut(&Snapshot),
    ) -> Result<(Summary, Vec<EntryOutcome>), Error> {
        let (begin, mut plan) = (Instant::now(), self.plan(Vec::new()));
        let whole = plan.limits.clone();
        let names = std::mem::take(&mut plan.entries);
        let mut all: Option<Summary> = None;
        let mut outcomes = Vec::new();
        for (number, name) in names.iter().enumerate() {
            let limits = share(&whole, begin, all.as_ref(), (names.len() - number) as u32);
            // What is not started at all is said once.
            let left_out = if number == 0 { plan.left_out.clone() } else { Vec::new() };
            let one = Plan { entries: vec![name.clone()], limits, left_out, ..plan.clone() };
            let mut counting = Counting { sink, seen: BTreeSet::new() };
            let mut exploration = Exploration::new(self.program().code(), &one)?;
            let summary = exploration.run(&mut counting, progress, self.stop());
            outcomes.push(EntryOutcome {
                function: name.clone(),
                paths: summary.paths,
                incomplete: summary.incomplete.iter().filter(|why| !is_of_another(why)).cloned().collect(),
                coverage: summary.coverage.clone(),
                findings: counting.seen.len(),
            });
            match &mut all {
                None => all = Some(summary),
                Some(all) => all.add(summary, self.program().code()),
            }
        }
        Ok((all.ok_or(Error::NothingToStart)?, outcomes))
    }
}

/// Whether a reason is that another entry was not started.
fn is_of_another(why: &Reason) -> bool {
    matches!(why, Reason::Cut(Cut::NotStarted(_)))
}

/// An equal share of what is left for `count` entries. What limits one moment is the same for each.
fn share(whole: &Limits, begin: Instant, used: Option<&Summary>, count: u32) -> Limits {
    let left = |limit: Option<u64>, used: u64| limit.map(|limit| limit.saturating_sub(used) / u64::from(count));
    let paths = used.map_or(0, |all| all.paths.completed + all.paths.errored + all.paths.unknown);
    Limits {
        time: whole.time.map(|time| time.saturating_sub(begin.elapsed()) / count),
        paths: left(whole.paths, paths),
        instructions: left(whole.instructions, used.map_or(0, |all| all.stats.instructions)),
        ..whole.clone()
    }
}

/// Counts errors on their way to the sink.
struct Counting<'s> {
    sink: &'s mut dyn Sink,
    seen: BTreeSet<(FindingKind, Option<StackEntry>)>,
}

impl Sink for Counting<'_> {
    fn path(&mut self, test: &TestCase) {
        if let Outcome::Finding(finding) = &test.outcome {
            self.seen.insert((finding.kind, finding.stack.first().cloned()));
        }
        self.sink.path(test);
    }

    fn reached(&mut self, goal: usize, test: &TestCase) -> Reception {
        self.sink.reached(goal, test)
    }
}
