//! KLEE's default: random path and coverage-new take turns.

use super::coverage_new::CoverageNew;
use super::random_path::RandomPath;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "KLEE",
    help: "KLEE's default: RP and coverage-new take turns",
    new: |seed| {
        // Two streams of random numbers from one seed.
        let turns: [Box<dyn Searcher>; 2] = [Box::new(RandomPath::new(seed)), Box::new(CoverageNew::new(!seed))];
        Box::new(Klee { turns, next: 0 })
    },
};

#[derive(Debug)]
struct Klee {
    turns: [Box<dyn Searcher>; 2],
    next: usize,
}

impl Searcher for Klee {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        let turn = self.next;
        self.next = (turn + 1) % self.turns.len();
        self.turns[turn].select(facts)
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        for searcher in &mut self.turns {
            searcher.update(delta, facts);
        }
    }
}
