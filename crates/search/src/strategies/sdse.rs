//! SDSE: the state nearest to any goal (shortest-distance symbolic execution; dissertation, section 3.1.1).
//!
//! The distance is interprocedural, with calls and returns matched against the state's own stack. States from which no
//! goal can be reached come last. Chance decides among equals.

use crate::ranked::Ranked;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "SDSE",
    help: "the state nearest to a target",
    new: |seed| Box::new(Sdse { ranked: Ranked::new(seed) }),
};

#[derive(Debug)]
struct Sdse {
    ranked: Ranked,
}

impl Searcher for Sdse {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        self.ranked.best(|id| facts.distance(id))
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        self.ranked.update(delta, |id| facts.distance(id));
    }
}
