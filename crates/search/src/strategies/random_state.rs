//! Random state: every pending state is equally likely.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "random-state",
    help: "every pending state is equally likely",
    new: |seed| {
        Box::new(RandomState { states: Vec::new(), position: HashMap::new(), random: Pcg64Mcg::seed_from_u64(seed) })
    },
};

#[derive(Debug)]
struct RandomState {
    states: Vec<StateId>,
    position: HashMap<StateId, usize>,
    random: Pcg64Mcg,
}

impl Searcher for RandomState {
    fn select(&mut self, _: &dyn Progress) -> Option<StateId> {
        if self.states.is_empty() {
            return None;
        }
        Some(self.states[self.random.random_range(0..self.states.len())])
    }

    fn update(&mut self, delta: &Delta<'_>, _: &dyn Progress) {
        for &id in delta.added {
            self.position.insert(id, self.states.len());
            self.states.push(id);
        }
        for id in delta.removed {
            let Some(hole) = self.position.remove(id) else { continue };
            self.states.swap_remove(hole);
            if let Some(&moved) = self.states.get(hole) {
                self.position.insert(moved, hole);
            }
        }
    }
}
