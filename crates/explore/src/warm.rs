//! Which of the states that wait keep at hand what makes them run fast: those that ran or were split off lately. The others make it again
//! when they run.
//!
//! Invariant: a state that waits and is not among them holds no more than its path, its memory and its registers.

use std::collections::VecDeque;

use taw_search::StateId;

/// So many keep it: strategies come back to a state soon or late, and depth-first what was split off last comes next.
const MOST: usize = 128;

/// The states that began to wait lately, the last one last. Some may be gone.
#[derive(Default)]
pub(crate) struct Warm(VecDeque<StateId>);

impl Warm {
    /// A state begins to wait. Returns the one that is to do without from now on.
    pub(crate) fn waits(&mut self, id: StateId) -> Option<StateId> {
        self.0.push_back(id);
        if self.0.len() > MOST { self.0.pop_front() } else { None }
    }

    /// A state waits no longer.
    pub(crate) fn runs(&mut self, id: StateId) {
        if let Some(at) = self.0.iter().rposition(|other| *other == id) {
            self.0.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_longest_gives_way() {
        let mut warm = Warm::default();
        for id in 0..MOST as u64 {
            assert_eq!(warm.waits(StateId(id)), None);
        }
        warm.runs(StateId(0));
        assert_eq!(warm.waits(StateId(1000)), None, "what runs has made room");
        assert_eq!(warm.waits(StateId(0)), Some(StateId(1)));
        warm.runs(StateId(1));
        assert_eq!(warm.waits(StateId(1)), Some(StateId(2)));
    }
}
