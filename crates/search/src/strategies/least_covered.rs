//! Least covered: the state that is where states have been least often (EXE's best-first search; Otter's `least-covered`).
//!
//! Where a state is means where it stopped, at a fork or at the end of its turn: a fork that was met often waits.

use crate::ranked::Ranked;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "least-covered",
    help: "the state that is where states have been least often",
    new: |seed| Box::new(LeastCovered { ranked: Ranked::new(seed) }),
};

#[derive(Debug)]
struct LeastCovered {
    ranked: Ranked,
}

impl Searcher for LeastCovered {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        self.ranked.best(|id| Some(facts.visits(id)))
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        self.ranked.update(delta, |id| Some(facts.visits(id)));
    }
}
