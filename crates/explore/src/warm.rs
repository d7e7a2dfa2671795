//! Which states keep at hand what makes them run fast: those that ran lately. The others make it again when they run.
//!
//! Invariant: a state that is not among them holds no more than its path, its memory and its registers.

use std::collections::{BTreeMap, VecDeque};

use taw_engine::State;
use taw_search::StateId;

/// So many keep it: strategies come back to a state soon or late.
const MOST: usize = 64;

/// The states that ran lately, the last one last.
#[derive(Default)]
pub(crate) struct Warm(VecDeque<StateId>);

impl Warm {
    /// A state runs.
    pub(crate) fn ran(&mut self, id: StateId, states: &mut BTreeMap<StateId, Box<State>>) {
        if self.0.back() == Some(&id) {
            return;
        }
        self.0.retain(|other| *other != id);
        self.0.push_back(id);
        if self.0.len() > MOST
            && let Some(state) = self.0.pop_front().and_then(|id| states.get_mut(&id))
        {
            state.forget();
        }
    }
}
