//! `B(x)`: what `x` chooses runs on for a while before `x` is asked again (KLEE's batching; dissertation, section 2.11).
//!
//! Otter's batch ends when the path forks, because there every instruction is a choice; here a state runs until it forks
//! anyway. So a batch here is KLEE's: it goes on over forks. In a loop of forks, choosing anew each time would go
//! breadth-first and see the end of no path.

use crate::{CombinatorDef, Delta, Progress, Searcher, StateId, StrategyArgument};

pub(super) const DEF: CombinatorDef = CombinatorDef {
    name: "B",
    usage: "B(x)",
    help: "batched: what x chooses runs on over its next forks before x is asked again",
    new: |arguments| match <[StrategyArgument; 1]>::try_from(arguments) {
        Ok([StrategyArgument::Strategy(inner)]) => Ok(Box::new(Batched::new(inner))),
        _ => Err("one strategy"),
    },
};

/// Turns that a chosen state has in a row, and the work after which it has no more.
const TURNS: u32 = 64;
const WORK: u64 = 50_000;

#[derive(Debug)]
pub(crate) struct Batched {
    inner: Box<dyn Searcher>,
    batch: Option<Batch>,
}

/// What runs on.
#[derive(Clone, Copy, Debug)]
struct Batch {
    id: StateId,
    turns_left: u32,
    /// The work at which it ends.
    until: u64,
}

impl Batched {
    pub(crate) fn new(inner: Box<dyn Searcher>) -> Self {
        Batched { inner, batch: None }
    }
}

impl Searcher for Batched {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        let now = facts.work().units();
        if let Some(batch) = self.batch.as_mut().filter(|batch| batch.turns_left > 0 && now < batch.until) {
            batch.turns_left -= 1;
            return Some(batch.id);
        }
        let chosen = self.inner.select(facts);
        self.batch = chosen.map(|id| Batch { id, turns_left: TURNS - 1, until: now.saturating_add(WORK) });
        chosen
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        if self.batch.is_some_and(|batch| delta.removed.contains(&batch.id)) {
            self.batch = None;
        }
        self.inner.update(delta, facts);
    }

    fn is_idle(&self, facts: &dyn Progress) -> bool {
        self.inner.is_idle(facts)
    }
}
