//! SDSE-pr: chance, in proportion to the inverse of the distance to the nearest goal (dissertation, section 3.1.1).
//!
//! Less likely than SDSE to get stuck on a path that never arrives. A state keeps its weight until it runs or a goal is
//! reached.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::weights::Weights;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "SDSE-pr",
    help: "random, in favour of states near to a target",
    new: |seed| Box::new(SdsePr { weights: Weights::default(), closed: 0, random: Pcg64Mcg::seed_from_u64(seed) }),
};

/// The weight of a state that can reach no goal: next to none, but it must not be forgotten.
const HOPELESS: f64 = 1e-12;

#[derive(Debug)]
struct SdsePr {
    weights: Weights,
    /// Goals closed when the weights were last made.
    closed: u64,
    random: Pcg64Mcg,
}

impl Searcher for SdsePr {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        if self.closed != facts.closed_goals() {
            self.closed = facts.closed_goals();
            self.weights.remake(|id| weight(id, facts));
        }
        self.weights.choose(&mut self.random)
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        self.weights.update(delta, |id| weight(id, facts));
    }
}

fn weight(id: StateId, facts: &dyn Progress) -> f64 {
    facts.distance(id).map_or(HOPELESS, |distance| 1.0 / distance.max(1) as f64)
}
