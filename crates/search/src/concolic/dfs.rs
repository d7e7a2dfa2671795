//! Depth-first (algorithm 1 of the IPPC paper): the deepest decision that has a way which nobody has asked for is turned first.
//!
//! Invariant: every way that is left lies on the path it holds, so when that has none, there is none.

use super::{ConcolicDef, NextRun, RunOutcome, WalkId, WalkStrategy, Walks};

pub(super) const DEF: ConcolicDef = ConcolicDef {
    name: "DFS",
    usage: "DFS[(d)]",
    help: "the deepest decision not yet turned first; of each path the first d decisions only",
    has_number: true,
    new: |depth, _| Box::new(Dfs { depth, walk: None, below: 0, is_cut: false }),
};

#[derive(Debug)]
struct Dfs {
    depth: Option<u64>,
    walk: Option<WalkId>,
    /// Decisions from here on have nothing left.
    below: usize,
    /// Whether a path had more decisions than may be turned.
    is_cut: bool,
}

impl WalkStrategy for Dfs {
    fn next(&mut self, walks: &dyn Walks) -> Option<NextRun> {
        let walk = self.walk?;
        let choice = (0..self.below).rev().find(|&choice| walks.is_open(walk, choice));
        self.below = choice.map_or(0, |choice| choice + 1);
        choice.map(|choice| NextRun::Turn { walk, choice })
    }

    fn learn(&mut self, outcome: RunOutcome, walks: &dyn Walks) {
        let RunOutcome::Ran { walk, predicted: true, .. } = outcome else { return };
        // All ways are found from one first path.
        if self.walk.is_some() && outcome.is_first() {
            return;
        }
        self.walk = Some(walk);
        let choices = walks.choices(walk);
        let most = self.depth.map_or(choices, |depth| choices.min(usize::try_from(depth).unwrap_or(usize::MAX)));
        self.is_cut |= choices > most;
        self.below = most;
    }

    fn holds(&self, walk: WalkId) -> bool {
        self.walk == Some(walk)
    }

    fn is_exhaustive(&self) -> bool {
        !self.is_cut
    }
}
