//! What an explorer is: it decides what to run next, and nothing else.
//!
//! Boundary: an explorer sees the run through a [`View`] and answers with [`Work`]. States, limits, results and verdicts are the
//! [`Exploration`](crate::Exploration)'s, which does the work and tells what came of it. So verdicts do not depend on the explorer:
//! whatever it leaves undone is pending, and counts as that. Another way to look for states (backwards from a goal, along
//! concrete runs) is another explorer and, where it needs them, another kind of work.

use taw_search::{Delta, StateId};

use crate::view::View;

/// Something to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Run a state until it splits, ends, or has executed so many instructions.
    Run {
        /// Which; it must be there.
        state: StateId,
        /// How many, at least one.
        budget: u64,
    },
}

/// Decides what to run next.
pub trait Explorer {
    /// What is to be done next; `None` if the explorer wants nothing more. States that are left then are pending.
    fn next(&mut self, view: &View<'_, '_>) -> Option<Work>;

    /// What came of the last work, or what else happened to states. Called for the first states too, before [`Self::next`].
    fn learn(&mut self, delta: &Delta<'_>, view: &View<'_, '_>);
}

/// Wants nothing: what goes the other way is all there is.
pub(crate) struct Idle;

impl Explorer for Idle {
    fn next(&mut self, _: &View<'_, '_>) -> Option<Work> {
        None
    }

    fn learn(&mut self, _: &Delta<'_>, _: &View<'_, '_>) {}
}
