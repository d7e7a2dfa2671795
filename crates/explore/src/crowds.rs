//! Who is given up when memory runs out: crowds are thinned.
//!
//! States that wait in the same calls at the same instruction are alike, and where most are, fewest are missed. So each place
//! keeps as many as every other place may, and a place with few keeps all: what is rare, hence mostly hard to get to, stays.
//! (KLEE gives up states at random.) Who stays of a crowd is chance, by a fixed rule.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use taw_engine::State;
use taw_search::StateId;

use crate::goal_distances::stack;

/// The states to give up so that no more than `most` stay, ascending. Those that `is_spared` stay whatever happens.
pub(crate) fn surplus(
    states: &BTreeMap<StateId, Box<State>>,
    most: usize,
    is_spared: impl Fn(StateId) -> bool,
) -> Vec<StateId> {
    let mut crowds: BTreeMap<u64, Vec<StateId>> = BTreeMap::new();
    let waiting = states.iter().filter(|(id, _)| !is_spared(**id));
    for (&id, state) in waiting {
        crowds.entry(place(state)).or_default().push(id);
    }
    let spared = states.len() - crowds.values().map(Vec::len).sum::<usize>();
    let each = share(crowds.values().map(Vec::len).collect(), most.saturating_sub(spared));
    let mut surplus: Vec<StateId> = crowds.into_values().flat_map(|crowd| beyond(crowd, each)).collect();
    surplus.sort_unstable();
    surplus
}

/// Tells places apart.
fn place(state: &State) -> u64 {
    let mut hasher = DefaultHasher::new();
    stack(state).for_each(|site| site.hash(&mut hasher));
    hasher.finish()
}

/// How many may stay in each crowd so that no more than `most` stay in all.
fn share(mut sizes: Vec<usize>, most: usize) -> usize {
    sizes.sort_unstable();
    let mut left = most;
    for (done, &size) in sizes.iter().enumerate() {
        let each = left / (sizes.len() - done);
        if size > each {
            return each;
        }
        left -= size;
    }
    sizes.last().copied().unwrap_or(0)
}

/// All of a crowd but `each`, in no particular order.
fn beyond(mut crowd: Vec<StateId>, each: usize) -> Vec<StateId> {
    crowd.sort_by_key(|id| {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        hasher.finish()
    });
    crowd.split_off(each.min(crowd.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crowd_may_keep_as_many_as_the_others() {
        assert_eq!(share(vec![100, 1, 9], 20), 10, "what small crowds do not need, large ones may keep");
        assert_eq!(share(vec![100, 100], 20), 10);
        assert_eq!(share(vec![3, 4], 20), 4, "all stay");
        assert_eq!(share(vec![5, 5, 5], 2), 0, "there are more places than may stay");
        assert_eq!(share(Vec::new(), 2), 0);
    }

    #[test]
    fn the_rest_of_a_crowd_goes() {
        let crowd: Vec<StateId> = (0..100).map(StateId).collect();
        let gone = beyond(crowd.clone(), 30);
        assert_eq!(gone.len(), 70);
        assert_eq!(gone, beyond(crowd.clone(), 30), "the same every time");
        assert!(gone.contains(&StateId(99)) || gone.contains(&StateId(98)) || gone.contains(&StateId(97)));
        assert!(gone.iter().filter(|id| id.0 < 50).count() > 10, "neither the oldest nor the newest only");
        assert_eq!(beyond(crowd, 200), Vec::new());
    }
}
