//! The forward explorer: from the entry on, in the order a strategy chooses.

use taw_search::{Delta, Searcher, StrategyError};

use crate::explorer::{Explorer, Work};
use crate::view::View;

/// Instructions a state runs before another may have its turn.
const SLICE: u64 = 100_000;
/// Instructions a state runs when something is to be reached: fewer, because a path that runs on without a fork is mostly a loop that
/// leads nowhere, and the strategy should hear of it soon.
pub(crate) const DIRECTED_SLICE: u64 = 1_000;

/// Runs the states that seeds lead to, then those that a strategy chooses.
#[derive(Debug)]
pub struct Forward {
    searcher: Box<dyn Searcher>,
}

impl Forward {
    /// With the strategy of that name. `seed` is its only source of randomness.
    ///
    /// # Errors
    /// If there is no such strategy.
    pub fn new(search: &str, seed: u64) -> Result<Self, StrategyError> {
        Ok(Forward { searcher: taw_search::parse(search, seed)? })
    }
}

impl Explorer for Forward {
    fn next(&mut self, view: &View<'_, '_>) -> Option<Work> {
        let state = view.seeded().or_else(|| self.searcher.select(view))?;
        Some(Work::Run { state, budget: if view.is_directed() { DIRECTED_SLICE } else { SLICE } })
    }

    fn learn(&mut self, delta: &Delta<'_>, view: &View<'_, '_>) {
        self.searcher.update(delta, view);
    }
}
