//! Path-weighted: chance, half as likely for each fork on the way (Otter's stand-in for RP inside round robins).
//!
//! Differs from RP, which walks the tree of *pending* states: here a state keeps its weight when its siblings have ended.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::weights::Weights;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "path-weighted",
    help: "random, half as likely for each fork on the way",
    new: |seed| Box::new(PathWeighted { weights: Weights::default(), random: Pcg64Mcg::seed_from_u64(seed) }),
};

/// Deeper states have the weight of this depth: smaller numbers would vanish beside the others.
const DEEPEST: u32 = 900;

#[derive(Debug)]
struct PathWeighted {
    weights: Weights,
    random: Pcg64Mcg,
}

impl Searcher for PathWeighted {
    fn select(&mut self, _: &dyn Progress) -> Option<StateId> {
        self.weights.choose(&mut self.random)
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        self.weights.update(delta, |id| 0.5_f64.powi(facts.depth(id).min(DEEPEST) as i32));
    }
}
