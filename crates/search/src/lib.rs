//! Exploration order: which pending state runs next.
//!
//! Boundary: this crate sees states only as [`StateId`]s and through [`Progress`]; it cannot read or
//! change a state. The explorer owns the states. Every strategy is deterministic given its seed.

mod def;
mod line;
mod strategies;
mod tree;
mod weights;

pub use def::{StrategyDef, UnknownStrategy, parse};
pub use strategies::STRATEGIES;

use std::fmt;

/// A state, as strategies know it. Ids are never reused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u64);

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

/// Facts about pending states that strategies may weigh.
pub trait Progress {
    /// The number of forks on the way to the state.
    fn depth(&self, id: StateId) -> u32;
    /// Instructions the state ran since it last covered a line that nobody had covered.
    fn since_new_coverage(&self, id: StateId) -> u64;
    /// Shortest number of instructions from where the state is to one that nobody has covered, if any can be reached.
    fn distance_to_uncovered(&self, id: StateId) -> Option<u64>;
}

/// A strategy for choosing the next state.
pub trait Searcher: fmt::Debug {
    /// Returns the state to run next without removing it, or `None` if none is pending.
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId>;
    /// Brings the strategy's own bookkeeping up to date. Called once after every slice.
    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress);
}
