//! Random path: a uniform walk down the execution tree (KLEE, section 3.4; Otter's RP).

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::tree::ExecutionTree;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "RP",
    help: "random path: walk down the execution tree, either way with equal chance at each fork",
    new: |seed| Box::new(RandomPath::new(seed)),
};

#[derive(Debug)]
pub(super) struct RandomPath {
    tree: ExecutionTree,
    random: Pcg64Mcg,
}

impl RandomPath {
    pub(super) fn new(seed: u64) -> Self {
        RandomPath { tree: ExecutionTree::default(), random: Pcg64Mcg::seed_from_u64(seed) }
    }
}

impl Searcher for RandomPath {
    fn select(&mut self, _: &dyn Progress) -> Option<StateId> {
        self.tree.walk(&mut self.random)
    }

    fn update(&mut self, delta: &Delta<'_>, _: &dyn Progress) {
        for &id in delta.added {
            self.tree.fork(delta.ran, id);
        }
        for &id in delta.removed {
            self.tree.remove(id);
        }
    }
}
