//! States in order of a score that only grows while a state waits: the smallest first, chance among equals.
//!
//! Scores such as a distance to uncovered code grow behind our back when others run. So the score noted is a lower bound;
//! it is looked at again when its state comes first. Each look either ends the choice or moves a state back, and there are
//! no more moves than scores that grew: a choice takes logarithmic time, amortised.

use std::collections::{BTreeMap, HashMap};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{Delta, StateId};

/// A score: smaller is better. `None` is worst.
pub(crate) type Score = Option<u64>;

/// States by score.
#[derive(Debug)]
pub(crate) struct Ranked {
    /// The states of each score that some have, in no particular order.
    order: BTreeMap<u64, Vec<StateId>>,
    /// Score of each state, and its position among its equals.
    place: HashMap<StateId, (u64, usize)>,
    random: Pcg64Mcg,
}

impl Ranked {
    pub(crate) fn new(seed: u64) -> Self {
        Ranked { order: BTreeMap::new(), place: HashMap::new(), random: Pcg64Mcg::seed_from_u64(seed) }
    }

    /// Puts `id` where its score belongs.
    pub(crate) fn set(&mut self, id: StateId, score: Score) {
        self.remove(id);
        let score = score.unwrap_or(u64::MAX);
        let equals = self.order.entry(score).or_default();
        self.place.insert(id, (score, equals.len()));
        equals.push(id);
    }

    /// Forgets `id`.
    pub(crate) fn remove(&mut self, id: StateId) {
        let Some((score, hole)) = self.place.remove(&id) else { return };
        let equals = self.order.get_mut(&score).expect("a score in `place` is in `order`");
        equals.swap_remove(hole);
        if let Some(&moved) = equals.get(hole) {
            self.place.insert(moved, (score, hole));
        }
        if equals.is_empty() {
            self.order.remove(&score);
        }
    }

    /// A state of the smallest score, which is `score` now.
    pub(crate) fn best(&mut self, score: impl Fn(StateId) -> Score) -> Option<StateId> {
        loop {
            let (&noted, equals) = self.order.first_key_value()?;
            let id = equals[self.random.random_range(0..equals.len())];
            let now = score(id);
            if now.unwrap_or(u64::MAX) <= noted {
                return Some(id);
            }
            self.set(id, now);
        }
    }

    /// Follows a slice: who ended leaves, who moved or is new is scored.
    pub(crate) fn update(&mut self, delta: &Delta<'_>, score: impl Fn(StateId) -> Score) {
        for &id in delta.removed {
            self.remove(id);
        }
        let moved = delta.ran.filter(|id| self.place.contains_key(id));
        for &id in moved.iter().chain(delta.added) {
            self.set(id, score(id));
        }
    }
}
