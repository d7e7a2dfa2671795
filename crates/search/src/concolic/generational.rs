//! Generational search (SAGE): of the path that covered most anew, every decision after the one it was turned at is turned; its children wait by what they
//! covered.
//!
//! Invariant: each way is some path's to ask for, so when none waits, all were asked for. Memory grows with the paths that wait.

use std::collections::BTreeSet;

use super::{ConcolicDef, NextRun, RunOutcome, WalkId, WalkStrategy, Walks};

pub(super) const DEF: ConcolicDef = ConcolicDef {
    name: "generational",
    usage: "generational",
    help: "all decisions of the path that covered most anew (SAGE); keeps the paths that wait",
    has_number: false,
    new: |_, _| Box::new(Generational { waiting: BTreeSet::new(), current: None }),
};

/// A path whose decisions from `from` on are to be turned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Parent {
    gain: u64,
    /// Of equals the oldest is the greatest.
    age: std::cmp::Reverse<WalkId>,
    from: usize,
}

#[derive(Debug)]
struct Generational {
    waiting: BTreeSet<Parent>,
    current: Option<Parent>,
}

impl WalkStrategy for Generational {
    fn next(&mut self, walks: &dyn Walks) -> Option<NextRun> {
        loop {
            let parent = match &mut self.current {
                Some(parent) => parent,
                None => self.current.insert(self.waiting.pop_last()?),
            };
            let walk = parent.age.0;
            if let Some(choice) = (parent.from..walks.choices(walk)).find(|&choice| walks.is_open(walk, choice)) {
                parent.from = choice;
                return Some(NextRun::Turn { walk, choice });
            }
            self.current = None;
        }
    }

    fn learn(&mut self, outcome: RunOutcome, _: &dyn Walks) {
        let RunOutcome::Ran { walk, predicted, next, gain, .. } = outcome else { return };
        // Two first runs may begin alike: what one has asked for, the other asks for again.
        if predicted {
            self.waiting.insert(Parent { gain, age: std::cmp::Reverse(walk), from: next });
        }
    }

    fn holds(&self, walk: WalkId) -> bool {
        self.current.iter().chain(&self.waiting).any(|parent| parent.age.0 == walk)
    }

    fn is_exhaustive(&self) -> bool {
        true
    }
}
