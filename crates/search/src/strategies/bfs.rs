//! Breadth-first: states run in order of their number of forks, whoever waited longest first.

use crate::line::Line;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "BFS",
    help: "breadth-first: all paths advance fork by fork",
    new: |_seed| Box::new(Bfs::default()),
};

#[derive(Debug, Default)]
struct Bfs {
    line: Line,
}

impl Searcher for Bfs {
    fn select(&mut self, _: &dyn Progress) -> Option<StateId> {
        self.line.front()
    }

    fn update(&mut self, delta: &Delta<'_>, _: &dyn Progress) {
        // A fork deepens both sides, so the state that ran goes to the back with what it forked. Without a fork it
        // is still at its level and stays in front.
        let forked = delta.ran.filter(|&id| !delta.added.is_empty() && self.line.contains(id));
        for &id in forked.iter().chain(delta.added) {
            self.line.join(id);
        }
        for &id in delta.removed {
            self.line.leave(id);
        }
    }
}
