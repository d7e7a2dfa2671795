//! SAGE: generations of whole paths (Godefroid, Levin, Molnar: "Automated Whitebox Fuzz Testing", 2008; dissertation,
//! section 2.13.2).
//!
//! A path runs to its end, whatever it forks; its forks are its children. Then the path whose end covered the most new
//! blocks has its children run, each to its end, and so on. So it is stuck where a path never ends, as the dissertation
//! says of it.

use std::collections::{BTreeSet, HashMap, VecDeque};

use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "SAGE",
    help: "generational: run a path to its end, then the forks of the path that covered most",
    new: |_seed| Box::new(Sage::default()),
};

/// A path that has ended, or the start: number and children that have not run.
type PathIx = u64;

#[derive(Debug, Default)]
struct Sage {
    /// The state that runs to its end.
    current: Option<StateId>,
    /// Children of the running path.
    children: VecDeque<StateId>,
    /// New blocks of the running path.
    score: u64,
    /// Blocks covered when last looked.
    covered: u64,
    /// Children of the path that is being expanded, in order.
    expanding: VecDeque<StateId>,
    /// Ended paths with children: the score, then the newest, decides.
    ended: BTreeSet<(u64, PathIx)>,
    children_of: HashMap<PathIx, VecDeque<StateId>>,
    pending: BTreeSet<StateId>,
    next: PathIx,
}

impl Sage {
    /// The running path is over: its children wait under its score.
    fn end_path(&mut self) {
        let children = std::mem::take(&mut self.children);
        if !children.is_empty() {
            self.ended.insert((self.score, self.next));
            self.children_of.insert(self.next, children);
            self.next += 1;
        }
        self.current = None;
        self.score = 0;
    }
}

impl Searcher for Sage {
    fn select(&mut self, _: &dyn Progress) -> Option<StateId> {
        while self.current.is_none() {
            if let Some(child) = self.expanding.pop_front() {
                self.current = Some(child).filter(|id| self.pending.contains(id));
                continue;
            }
            let (_, path) = self.ended.pop_last()?;
            self.expanding = self.children_of.remove(&path).unwrap_or_default();
        }
        self.current
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        let covered = facts.covered();
        self.score += covered.saturating_sub(self.covered);
        self.covered = covered;
        self.pending.extend(delta.added);
        for id in delta.removed {
            self.pending.remove(id);
        }
        // What another strategy ran (in a round robin) leaves its forks for later, too.
        self.children.extend(delta.added);
        if self.current.is_none_or(|id| !self.pending.contains(&id)) {
            self.end_path();
        }
    }
}
