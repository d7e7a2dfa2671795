//! Closest to uncovered: the state nearest to code that nobody has covered (the heuristic of EXE and KLEE without its
//! chance; Otter's `closest-to-uncovered`).

use crate::ranked::Ranked;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "closest-to-uncovered",
    help: "the state nearest to code that nobody has covered",
    new: |seed| Box::new(ClosestToUncovered { ranked: Ranked::new(seed) }),
};

#[derive(Debug)]
struct ClosestToUncovered {
    ranked: Ranked,
}

impl Searcher for ClosestToUncovered {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        self.ranked.best(|id| facts.distance_to_uncovered(id))
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        self.ranked.update(delta, |id| facts.distance_to_uncovered(id));
    }
}
