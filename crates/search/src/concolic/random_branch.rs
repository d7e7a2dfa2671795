//! Random branch (CREST's `-random`): of the current path a decision by chance is turned; where that works, the new path is the current one.
//!
//! After 10,000 turns in a row that covered nothing new it starts again on inputs by chance. It does not end by itself.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{ConcolicDef, NextRun, RunOutcome, WalkId, WalkStrategy, Walks};

pub(super) const DEF: ConcolicDef = ConcolicDef {
    name: "RND",
    usage: "RND",
    help: "a decision of the last path by chance (CREST's random branch); until a limit",
    has_number: false,
    new: |_, seed| {
        Box::new(RandomBranch { random: Pcg64Mcg::seed_from_u64(seed), walk: None, untried: Vec::new(), in_vain: 0 })
    },
};

/// Steps without new coverage before it starts again.
const PATIENCE: u32 = 10_000;
/// Decisions of a path that are tried, one after the other, until one can be turned.
pub(super) const TRIES: usize = 1_000;

#[derive(Debug)]
struct RandomBranch {
    random: Pcg64Mcg,
    walk: Option<WalkId>,
    /// Decisions of the path that were not tried in this step; picked from its end.
    untried: Vec<usize>,
    in_vain: u32,
}

/// Numbers of a range, at most so many, by chance and each once.
pub(super) fn sample(random: &mut Pcg64Mcg, range: std::ops::Range<usize>, most: usize) -> Vec<usize> {
    let mut all: Vec<usize> = range.collect();
    for at in (1..all.len()).rev() {
        all.swap(at, random.random_range(0..=at));
    }
    all.truncate(most);
    all
}

impl RandomBranch {
    fn step(&mut self, walks: &dyn Walks) {
        let choices = self.walk.map_or(0, |walk| walks.choices(walk));
        self.untried = sample(&mut self.random, 0..choices, TRIES);
    }
}

impl WalkStrategy for RandomBranch {
    fn next(&mut self, _: &dyn Walks) -> Option<NextRun> {
        let walk = self.walk.filter(|_| self.in_vain < PATIENCE);
        match (walk, self.untried.pop()) {
            (Some(walk), Some(choice)) => Some(NextRun::Turn { walk, choice }),
            _ => {
                self.in_vain = 0;
                self.walk = None;
                Some(NextRun::Random)
            }
        }
    }

    fn learn(&mut self, outcome: RunOutcome, walks: &dyn Walks) {
        let RunOutcome::Ran { walk, predicted, gain, .. } = outcome else { return };
        if predicted || gain > 0 || self.walk.is_none() {
            self.walk = Some(walk);
        }
        self.in_vain = if gain > 0 { 0 } else { self.in_vain + 1 };
        self.step(walks);
    }

    fn holds(&self, walk: WalkId) -> bool {
        self.walk == Some(walk)
    }

    fn is_exhaustive(&self) -> bool {
        false
    }
}
