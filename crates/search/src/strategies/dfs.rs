//! Depth-first: a path runs to its end, then the newest fork is next. Few states, and each query extends the last;
//! poor coverage where loops depend on inputs.

use crate::line::Line;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "DFS",
    help: "depth-first: run each path to its end, then take the newest fork",
    new: |_seed| Box::new(Dfs::default()),
};

#[derive(Debug, Default)]
struct Dfs {
    line: Line,
}

impl Searcher for Dfs {
    fn select(&mut self, _: &dyn Progress) -> Option<StateId> {
        self.line.back()
    }

    fn update(&mut self, delta: &Delta<'_>, _: &dyn Progress) {
        for &id in delta.added {
            self.line.join(id);
        }
        // The running state stays on top: its forks are alternatives to what it does next.
        if let Some(ran) = delta.ran.filter(|&id| self.line.contains(id)) {
            self.line.join(ran);
        }
        for &id in delta.removed {
            self.line.leave(id);
        }
    }
}
