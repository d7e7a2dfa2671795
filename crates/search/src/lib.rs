//! Exploration order: which pending state runs next.
//!
//! Boundary: this crate sees states only as [`StateId`]s and through [`Progress`]; it cannot read or
//! change a state. The explorer owns the states. Every strategy is deterministic given its seed: what "time" a strategy
//! shares out or waits for is [`Spent`], never the clock.

mod combinators;
mod concolic;
mod def;
#[cfg(test)]
mod facts;
mod line;
mod parse;
mod ranked;
mod scheme;
mod strategies;
mod tree;
mod weights;

pub use combinators::COMBINATORS;
pub use concolic::{
    BranchSide, CONCOLIC, ConcolicDef, ConcolicScheme, FirstRun, NextRun, RunOutcome, Solving, WAYS_OF_SOLVING, WalkId,
    WalkStrategy, Walks,
};
pub use def::{CombinatorDef, Combined, StrategyArgument, StrategyDef};
pub use parse::{StrategyError, parse};
pub use scheme::{SCHEMES, SchemeDef, SearchScheme};
pub use strategies::STRATEGIES;

use std::fmt;
use std::rc::Rc;

/// The strategy for `taw run` when none is asked for.
pub const DEFAULT_FORWARD: &str = "KLEE";

/// The strategy for `taw reach` when none is asked for, as far as it goes forward. How it was chosen: `bench/strategies.md` and `bench/bugs.md`.
pub const DEFAULT_DIRECTED: &str = "RR(KLEE,RR(SDSE,SDSE-age,Fitnex),SDSE-need)";

/// What `taw reach` does when nothing is asked for: [`DEFAULT_DIRECTED`], and from the targets' side what that leaves open.
pub const DEFAULT_REACH: &str = "Portfolio(RR(KLEE,RR(SDSE,SDSE-age,Fitnex),SDSE-need))";

/// A state, as strategies know it. Ids are never reused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u64);

/// A place to be reached, as strategies know it. Numbers are never reused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GoalId(pub u32);

/// A sub-goal: something to be passed first that a branch on the way to a goal needs. Numbers are never reused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NeedId(pub u32);

/// What one scheduling slice did to the set of pending states.
///
/// Invariant: `added` and `removed` are disjoint; `ran` may be in `removed` but not in `added`.
#[derive(Clone, Copy, Debug)]
pub struct Delta<'a> {
    /// The state that ran; `None` for the initial states.
    pub ran: Option<StateId>,
    /// States forked off `ran` (their parent in the execution tree), oldest first.
    pub added: &'a [StateId],
    /// States that ended.
    pub removed: &'a [StateId],
}

/// What a run has spent so far: a clock that is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Instructions executed.
    pub instructions: u64,
    /// Queries asked.
    pub queries: u64,
}

impl Spent {
    /// As one number. A query costs about as much as this many instructions (a guess: 0.2 ms against 5 million a second).
    const QUERY: u64 = 1000;

    /// As one number, to compare and share out.
    pub fn units(self) -> u64 {
        self.instructions.saturating_add(self.queries.saturating_mul(Self::QUERY))
    }
}

impl std::ops::Add for Spent {
    type Output = Spent;

    fn add(self, other: Spent) -> Spent {
        Spent { instructions: self.instructions + other.instructions, queries: self.queries + other.queries }
    }
}

/// Facts about the run and its pending states that strategies may weigh.
///
/// Unless a fact says otherwise it may change only for a state that ran.
pub trait Progress {
    /// The number of forks on the way to the state.
    fn depth(&self, id: StateId) -> u32;
    /// Instructions the state ran since it last covered a line that nobody had covered.
    fn since_new_coverage(&self, id: StateId) -> u64;
    /// Shortest number of instructions from where the state is to one that nobody has covered, if any can be reached.
    /// Grows as code is covered, whoever covers it.
    fn distance_to_uncovered(&self, id: StateId) -> Option<u64>;
    /// How often a state has stopped where this one is. Grows, whoever stops there.
    fn visits(&self, id: StateId) -> u64;
    /// How many blocks have been covered so far.
    fn covered(&self) -> u64;
    /// What the run has spent so far.
    fn work(&self) -> Spent;
    /// Shortest number of instructions to the nearest open goal, if one can be reached. Grows when a goal is reached.
    fn distance(&self, id: StateId) -> Option<u64>;
    /// As [`distance`](Self::distance), if callees could only be run through, not entered. Grows when a goal is reached.
    fn distance_intra(&self, id: StateId) -> Option<u64>;
    /// Shortest number of instructions to one goal.
    fn distance_to(&self, id: StateId, goal: GoalId) -> Option<u64>;
    /// The goals not reached yet, ascending.
    fn open_goals(&self) -> Vec<GoalId>;
    /// Goals that the state which ran last has missed in that slice, and by how much: it took the wrong side of a branch that
    /// decides by known numbers.
    fn misses(&self) -> &[(GoalId, u64)];
    /// A number for the way of the branch that the state was split off at: the same for the same way of the same branch.
    fn origin(&self, id: StateId) -> u64;
    /// How many goals have been closed so far; when it grows, distances and open goals have changed.
    fn closed_goals(&self) -> u64;
    /// The needs of now, ascending; the same pointer as long as they are the same.
    fn needs(&self) -> Rc<[NeedId]>;
    /// Whether a state has passed what a need wants to be passed first.
    fn is_prepared(&self, id: StateId, need: NeedId) -> bool;
    /// Shortest number of instructions to where a need is met, by way of what must be passed first.
    fn distance_by(&self, id: StateId, need: NeedId) -> Option<u64>;
}

/// A strategy for choosing the next state.
pub trait Searcher: fmt::Debug {
    /// Returns the state to run next without removing it, or `None` if none is pending.
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId>;
    /// Brings the strategy's own bookkeeping up to date. Called once after every slice.
    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress);
    /// Whether it has nothing to go by now, so that turns are better given to others.
    fn is_idle(&self, _facts: &dyn Progress) -> bool {
        false
    }
}
