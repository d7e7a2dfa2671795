//! Coverage-new: random, in favour of states that lately covered something new or are near to code that nobody has
//! covered (KLEE's `nurs:covnew`).

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::weights::Weights;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "coverage-new",
    help: "random, in favour of states that covered something new or are near to uncovered code",
    new: |seed| Box::new(CoverageNew::new(seed)),
};

/// Instructions after new coverage during which a state keeps its full weight.
const GRACE: u64 = 1000;
/// The distance assumed where no uncovered code can be reached.
const FAR: u64 = 10_000;

#[derive(Debug)]
pub(super) struct CoverageNew {
    weights: Weights,
    random: Pcg64Mcg,
}

impl CoverageNew {
    pub(super) fn new(seed: u64) -> Self {
        CoverageNew { weights: Weights::default(), random: Pcg64Mcg::seed_from_u64(seed) }
    }
}

impl Searcher for CoverageNew {
    fn select(&mut self, _: &dyn Progress) -> Option<StateId> {
        self.weights.choose(&mut self.random)
    }

    /// Weighs only the states that moved: the others keep the weight of when they last ran, as in KLEE.
    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        self.weights.update(delta, |id| weight(id, facts));
    }
}

/// Never zero, and at most 2: every state keeps a chance.
fn weight(id: StateId, facts: &dyn Progress) -> f64 {
    let since = facts.since_new_coverage(id).saturating_sub(GRACE).max(1);
    let distance = facts.distance_to_uncovered(id).map_or(FAR, |d| d.clamp(1, FAR));
    square_of_inverse(since) + square_of_inverse(distance)
}

fn square_of_inverse(n: u64) -> f64 {
    let inverse = 1.0 / n as f64;
    inverse * inverse
}
