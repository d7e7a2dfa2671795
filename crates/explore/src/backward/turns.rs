//! How a run and what goes the other way beside it take turns, and tell each other what is decided.

use taw_engine::{Refusal, Sink};

use super::BackwardYield;
use crate::exploration::Exploration;
use crate::limits::LimitWatch;
use crate::{GoalOutcome, GoalVerdict, Proof};

impl Exploration<'_> {
    /// Whether no state that was lost leaves an open goal undecided.
    pub(crate) fn is_decided(&mut self) -> bool {
        self.engine.note_doubts();
        self.hunt.as_ref().is_none_or(|hunt| hunt.is_decided(&self.engine))
    }

    /// Instructions of all.
    pub(crate) fn instructions(&self) -> u64 {
        self.engine.stats.instructions + self.backward.as_ref().map_or(0, |backward| backward.spent().instructions)
    }

    pub(crate) fn goes_back(&self) -> bool {
        self.backward.as_ref().is_some_and(|backward| backward.has_turn(self.spent()))
    }

    /// A piece of work for what goes the other way, when so much was done forward.
    pub(crate) fn go_back(&mut self, forward: u64, watch: &mut LimitWatch<'_>, sink: &mut dyn Sink) {
        let (Some(backward), Some(hunt)) = (&mut self.backward, &mut self.hunt) else { return };
        let open: Vec<usize> = self.engine.goals.open().collect();
        let (closed, BackwardYield { proved, met }) =
            (self.engine.goals.closed(), backward.work(&self.engine, hunt, &open, forward, watch));
        let is_of_slice = !met.is_empty()
            || proved.iter().any(|(_, outcome)| outcome.verdict == GoalVerdict::Unreachable(Proof::Slice));
        for (goal, outcome) in proved {
            hunt.barred(&mut self.engine, goal, GoalOutcome { time: self.ledger.searched(), ..outcome });
            backward.close(goal);
        }
        for (goal, test) in met.into_iter().filter(|(goal, _)| open.contains(goal)) {
            self.arrived(goal, &test, sink);
        }
        if let Some(backward) = self.backward.as_mut().filter(|_| is_of_slice) {
            backward.counts.sliced += self.engine.goals.closed() - closed;
        }
    }

    /// A goal is decided elsewhere: it is nobody's here any more.
    pub(crate) fn forget_goal(&mut self, goal: usize) {
        if let Some(hunt) = &mut self.hunt
            && self.engine.goals.open().any(|open| open == goal)
        {
            hunt.given_up(&mut self.engine, goal, Refusal::Invisible("it is decided".to_owned()));
        }
    }

    /// A goal was reached here, and is done with if it is closed.
    pub(crate) fn tell_backward(&mut self, goal: usize, is_closed: bool) {
        let Some(backward) = self.backward.as_mut() else { return };
        let led = backward.guides.borrow_mut().arrived(goal);
        if is_closed {
            backward.reached(led);
            backward.close(goal);
        }
    }
}
