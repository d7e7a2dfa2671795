//! What concolic testing counts, as the IPPC paper does, and what a trace of it has.

use taw_engine::Input;

/// What was done, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConcolicCounts {
    /// Paths that were executed; one that was executed before counts again.
    pub runs: u64,
    /// Questions to the solver to turn a decision.
    pub calls: u64,
    /// Conditions of all these questions together, each one as its path has it.
    pub conditions: u64,
    /// Most conditions of one question.
    pub largest: u64,
    /// Decisions that were turned to a way, or tried to.
    pub turns: u64,
    /// Of these, those that no inputs turn.
    pub impossible: u64,
    /// Those of which nobody knows.
    pub unanswered: u64,
    /// Runs that did not go where they should.
    pub mispredicted: u64,
}

impl ConcolicCounts {
    /// The mean number of conditions of a question.
    pub fn mean(&self) -> f64 {
        if self.calls == 0 { 0.0 } else { self.conditions as f64 / self.calls as f64 }
    }
}

impl std::ops::AddAssign for ConcolicCounts {
    fn add_assign(&mut self, more: Self) {
        let ConcolicCounts { runs, calls, conditions, largest, turns, impossible, unanswered, mispredicted } = more;
        self.runs += runs;
        self.calls += calls;
        self.conditions += conditions;
        self.largest = self.largest.max(largest);
        self.turns += turns;
        self.impossible += impossible;
        self.unanswered += unanswered;
        self.mispredicted += mispredicted;
    }
}

/// Something that happened, for people who want to watch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConcolicEvent {
    /// A decision is turned, the one of this number on its path, from 1.
    Turn(usize),
    /// The solver was asked.
    Call {
        /// How many conditions.
        conditions: usize,
        /// Whether they can be satisfied together; nothing if nobody knows.
        answer: Option<bool>,
    },
    /// A path was executed.
    Run {
        /// Its inputs.
        inputs: Vec<Input>,
        /// How many conditions it has.
        conditions: usize,
        /// Whether it went where it should.
        predicted: bool,
    },
}
