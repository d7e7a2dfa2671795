//! `Ph(x,y,r)`: `x` as long as it keeps reaching goals, then `y` (dissertation, section 3.2).
//!
//! If the last goal was reached after so much work, the next must be reached before `r` times as much; otherwise `y` takes
//! over, for good. Before the first goal is reached there is no limit: with one goal it is `x` alone.

use crate::{CombinatorDef, Delta, Progress, Searcher, StateId, StrategyArgument};

pub(super) const DEF: CombinatorDef =
    CombinatorDef {
        name: "Ph",
        usage: "Ph(x,y,r)",
        help: "phases: x until it reaches no target in r times the work of the last, then y",
        new: |arguments| match <[StrategyArgument; 3]>::try_from(arguments) {
            Ok(
                [StrategyArgument::Strategy(first), StrategyArgument::Strategy(second), StrategyArgument::Number(r)],
            ) if r >= 1.0 => Ok(Box::new(Phases { first, second, r, closed: 0, deadline: None, over: false })),
            _ => Err("two strategies and a number of at least 1"),
        },
    };

#[derive(Debug)]
struct Phases {
    first: Box<dyn Searcher>,
    second: Box<dyn Searcher>,
    r: f64,
    /// Goals closed when last looked.
    closed: u64,
    /// The work before which the next goal must be reached.
    deadline: Option<f64>,
    /// Whether `second` has taken over.
    over: bool,
}

impl Searcher for Phases {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        if self.over { self.second.select(facts) } else { self.first.select(facts) }
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        // Both follow from the start: the second must know every state when its time comes.
        self.second.update(delta, facts);
        if self.over {
            return;
        }
        self.first.update(delta, facts);
        let now = facts.work().units() as f64;
        if facts.closed_goals() > self.closed {
            self.closed = facts.closed_goals();
            self.deadline = Some(self.r * now);
        }
        self.over = self.deadline.is_some_and(|deadline| now > deadline);
    }
}
