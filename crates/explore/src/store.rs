//! The states that wait for their turn.
//!
//! Invariant: ids are never reused; `seeded` are ids of states that are there, or that run at the moment.

use std::collections::BTreeMap;

use taw_engine::State;
use taw_search::StateId;

use crate::crowds::surplus;
use crate::warm::Warm;

/// The states of a run.
#[derive(Default)]
pub(crate) struct StateStore {
    states: BTreeMap<StateId, Box<State>>,
    next: u64,
    /// Those that seeds lead to, oldest first.
    seeded: Vec<StateId>,
    /// Those that began to wait lately.
    warm: Warm,
    peak: usize,
}

impl StateStore {
    pub(crate) fn add(&mut self, state: State) -> StateId {
        let id = StateId(self.next);
        self.next += 1;
        if !state.seeds.is_empty() {
            self.seeded.push(id);
        }
        self.put_back(id, Box::new(state));
        self.peak = self.peak.max(self.states.len());
        id
    }

    /// Takes a state out to run it: it is [put back](Self::put_back) or [removed](Self::removed) afterwards.
    pub(crate) fn take(&mut self, id: StateId) -> Option<Box<State>> {
        self.warm.runs(id);
        self.states.remove(&id)
    }

    pub(crate) fn put_back(&mut self, id: StateId, state: Box<State>) {
        self.states.insert(id, state);
        if let Some(cold) = self.warm.waits(id).and_then(|cold| self.states.get_mut(&cold)) {
            cold.forget();
        }
    }

    /// All that are there.
    pub(crate) fn states(&self) -> impl Iterator<Item = &State> {
        self.states.values().map(|state| &**state)
    }

    /// A state that was taken out has ended.
    pub(crate) fn removed(&mut self, id: StateId) {
        self.seeded.retain(|seeded| *seeded != id);
    }

    /// Takes about half of the states out, for good; those that seeds lead to stay.
    pub(crate) fn thin_out(&mut self) -> Vec<(StateId, Box<State>)> {
        let ids = surplus(&self.states, self.states.len().div_ceil(2), |id| self.seeded.contains(&id));
        ids.into_iter().filter_map(|id| self.states.remove_entry(&id)).collect()
    }

    /// Takes all out.
    pub(crate) fn clear(&mut self) -> impl Iterator<Item = Box<State>> + use<> {
        self.seeded.clear();
        std::mem::take(&mut self.states).into_values()
    }

    pub(crate) fn get(&self, id: StateId) -> Option<&State> {
        self.states.get(&id).map(|state| &**state)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = StateId> + '_ {
        self.states.keys().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// Most states at one time.
    pub(crate) fn peak(&self) -> usize {
        self.peak
    }

    /// The newest state that a seed leads to.
    pub(crate) fn seeded(&self) -> Option<StateId> {
        self.seeded.last().copied()
    }
}
