//! Uniform random (CREST's `-uniform_random`): along one path, each decision is turned with probability one half, where it can be; at its end again
//! from its start. Where nothing can be turned for a while, inputs by chance go on. It does not end by itself.
//!
//! The coin is tossed before the solver is asked, which gives the same paths with the same chance for half of the questions.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{ConcolicDef, NextRun, RunOutcome, WalkId, WalkStrategy, Walks};

pub(super) const DEF: ConcolicDef = ConcolicDef {
    name: "RND-uniform",
    usage: "RND-uniform",
    help: "down one path, each decision the other way with probability one half; until a limit",
    has_number: false,
    new: |_, seed| Box::new(Uniform { random: Pcg64Mcg::seed_from_u64(seed), walk: None, from: 0, in_vain: 0 }),
};

/// How often a path is gone down without a turn that works before inputs by chance are tried.
const PATIENCE: u32 = 8;

#[derive(Debug)]
struct Uniform {
    random: Pcg64Mcg,
    walk: Option<WalkId>,
    /// The next decision to toss a coin for.
    from: usize,
    /// How often the path was gone down since the last run.
    in_vain: u32,
}

impl WalkStrategy for Uniform {
    fn next(&mut self, walks: &dyn Walks) -> Option<NextRun> {
        let Some(walk) = self.walk.filter(|walk| walks.choices(*walk) > 0) else { return Some(NextRun::Random) };
        loop {
            if self.from >= walks.choices(walk) {
                (self.from, self.in_vain) = (0, self.in_vain + 1);
            }
            if self.in_vain > PATIENCE {
                return Some(NextRun::Random);
            }
            let choice = self.from;
            self.from += 1;
            if self.random.random_range(0..2) == 0 {
                return Some(NextRun::Turn { walk, choice });
            }
        }
    }

    fn learn(&mut self, outcome: RunOutcome, _: &dyn Walks) {
        if let RunOutcome::Ran { walk, predicted: true, next, .. } = outcome {
            (self.walk, self.from, self.in_vain) = (Some(walk), next, 0);
        }
    }

    fn holds(&self, walk: WalkId) -> bool {
        self.walk == Some(walk)
    }

    fn is_exhaustive(&self) -> bool {
        false
    }
}
