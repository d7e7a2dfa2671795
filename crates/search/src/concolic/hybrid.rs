//! Hybrid (CREST's `-hybrid`): from inputs by chance, 100 random turns among the first 100 decisions, then 100 among the next, to the end of the path; then
//! again. It does not end by itself.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::random_branch::{TRIES, sample};
use super::{ConcolicDef, NextRun, RunOutcome, WalkId, WalkStrategy, Walks};

pub(super) const DEF: ConcolicDef = ConcolicDef {
    name: "hybrid",
    usage: "hybrid",
    help: "random turns in one window of the path after the other, then new inputs by chance (CREST); until a limit",
    has_number: false,
    new: |_, seed| {
        let random = Pcg64Mcg::seed_from_u64(seed);
        Box::new(Hybrid { random, walk: None, window: 0, steps: 0, untried: Vec::new() })
    },
};

/// Decisions of a window, and turns in it.
const WINDOW: usize = 100;

#[derive(Debug)]
struct Hybrid {
    random: Pcg64Mcg,
    walk: Option<WalkId>,
    /// The first decision of the window.
    window: usize,
    /// Turns that were made in it.
    steps: usize,
    untried: Vec<usize>,
}

impl Hybrid {
    fn step(&mut self, walks: &dyn Walks) {
        let choices = self.walk.map_or(0, |walk| walks.choices(walk));
        let window = self.window.min(choices)..(self.window + WINDOW).min(choices);
        self.untried = sample(&mut self.random, window, TRIES);
    }
}

impl WalkStrategy for Hybrid {
    fn next(&mut self, walks: &dyn Walks) -> Option<NextRun> {
        while let Some(walk) = self.walk {
            if self.window >= walks.choices(walk) {
                break;
            }
            if let Some(choice) = self.untried.pop().filter(|_| self.steps < WINDOW) {
                return Some(NextRun::Turn { walk, choice });
            }
            (self.window, self.steps) = (self.window + WINDOW, 0);
            self.step(walks);
        }
        (self.walk, self.window, self.steps) = (None, 0, 0);
        Some(NextRun::Random)
    }

    fn learn(&mut self, outcome: RunOutcome, walks: &dyn Walks) {
        let RunOutcome::Ran { walk, predicted, .. } = outcome else { return };
        if predicted || self.walk.is_none() {
            self.walk = Some(walk);
        }
        self.steps += 1;
        self.step(walks);
    }

    fn holds(&self, walk: WalkId) -> bool {
        self.walk == Some(walk)
    }

    fn is_exhaustive(&self) -> bool {
        false
    }
}
