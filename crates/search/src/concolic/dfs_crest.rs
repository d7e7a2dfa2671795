//! Depth-first in CREST's order: the earliest decision is turned first, then what comes after it on the new path, then the next one of the old path.
//!
//! A number bounds how many decisions are turned on the way down; it is used up by siblings too, as there.

use super::{ConcolicDef, NextRun, RunOutcome, WalkId, WalkStrategy, Walks};

pub(super) const DEF: ConcolicDef = ConcolicDef {
    name: "DFS-crest",
    usage: "DFS-crest[(d)]",
    help: "CREST's order: the earliest decision first, then those after it on the new path; a bound of d turns on the way down",
    has_number: true,
    new: |depth, _| Box::new(DfsCrest { stack: Vec::new(), depth: depth.unwrap_or(MOST), is_cut: false }),
};

/// CREST's bound if none is given.
const MOST: u64 = 1_000_000;

/// A path that is being turned.
#[derive(Debug)]
struct Level {
    walk: WalkId,
    /// Decisions before it are others' business.
    from: usize,
    /// How many more may be turned from here down.
    depth: u64,
}

#[derive(Debug)]
struct DfsCrest {
    stack: Vec<Level>,
    depth: u64,
    is_cut: bool,
}

impl WalkStrategy for DfsCrest {
    fn next(&mut self, walks: &dyn Walks) -> Option<NextRun> {
        loop {
            let Level { walk, from, depth } = self.stack.last_mut()?;
            let open = (*from..walks.choices(*walk)).find(|&choice| walks.is_open(*walk, choice));
            match open {
                Some(choice) if *depth > 0 => {
                    *from = choice;
                    return Some(NextRun::Turn { walk: *walk, choice });
                }
                open => {
                    self.is_cut |= open.is_some();
                    self.stack.pop();
                }
            }
        }
    }

    fn learn(&mut self, outcome: RunOutcome, _: &dyn Walks) {
        let RunOutcome::Ran { walk, predicted: true, next, .. } = outcome else { return };
        if self.stack.is_empty() && outcome.is_first() {
            self.stack.push(Level { walk, from: 0, depth: self.depth });
        } else if let (Some(level), false) = (self.stack.last_mut(), outcome.is_first()) {
            level.depth -= 1;
            let depth = level.depth;
            self.stack.push(Level { walk, from: next, depth });
        }
    }

    fn holds(&self, walk: WalkId) -> bool {
        self.stack.iter().any(|level| level.walk == walk)
    }

    fn is_exhaustive(&self) -> bool {
        !self.is_cut
    }
}
