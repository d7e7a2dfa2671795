//! KLEE's default: random path and coverage-new take turns.
//!
//! In batches: a state chosen runs on for a while. A state has its turn until it forks, which in a loop of forks is a few
//! instructions; choosing anew each time would go breadth-first and see the end of no path.

use super::coverage_new::CoverageNew;
use super::random_path::RandomPath;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "KLEE",
    help: "KLEE's default: RP and coverage-new take turns, in batches",
    new: |seed| {
        // Two streams of random numbers from one seed.
        let turns: [Box<dyn Searcher>; 2] = [Box::new(RandomPath::new(seed)), Box::new(CoverageNew::new(!seed))];
        Box::new(Klee { turns, next: 0, batch: None })
    },
};

/// Turns that a chosen state has in a row.
const BATCH: u32 = 64;

#[derive(Debug)]
struct Klee {
    turns: [Box<dyn Searcher>; 2],
    next: usize,
    /// The state chosen, and the turns it has left.
    batch: Option<(StateId, u32)>,
}

impl Searcher for Klee {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        if let Some((id, left)) = self.batch.filter(|(_, left)| *left > 0) {
            self.batch = Some((id, left - 1));
            return Some(id);
        }
        let turn = self.next;
        self.next = (turn + 1) % self.turns.len();
        let chosen = self.turns[turn].select(facts);
        self.batch = chosen.map(|id| (id, BATCH - 1));
        chosen
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        if self.batch.is_some_and(|(id, _)| delta.removed.contains(&id)) {
            self.batch = None;
        }
        for searcher in &mut self.turns {
            searcher.update(delta, facts);
        }
    }
}
