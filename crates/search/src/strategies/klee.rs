//! KLEE's default: random path and coverage-new take turns, in batches (Cadar, Dunbar, Engler: "KLEE", 2008, section 3.4).
//!
//! Really guided by coverage: Otter's KLEE, by an oversight, was not.

use super::coverage_new::CoverageNew;
use super::random_path::RandomPath;
use crate::StrategyDef;
use crate::combinators::{Batched, RoundRobin};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "KLEE",
    help: "KLEE's default: RP and coverage-new take turns, in batches",
    // Two streams of random numbers from one seed.
    new: |seed| {
        let turns = RoundRobin::new(vec![Box::new(RandomPath::new(seed)), Box::new(CoverageNew::new(!seed))]);
        Box::new(Batched::new(Box::new(turns)))
    },
};
