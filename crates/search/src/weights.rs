//! Weighted random choice with weights that change: a binary tree of sums.
//!
//! Sums are computed from the two below and never adjusted by differences, so no rounding error builds up.

use std::collections::HashMap;

use rand::{Rng, RngExt};

use crate::{Delta, StateId};

/// States with weights. Change and choice take logarithmic time.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    /// A complete binary tree: node i has the children 2i and 2i + 1; the leaves are the upper half, one per slot.
    sums: Vec<f64>,
    /// Who has each slot.
    slots: Vec<Option<StateId>>,
    free: Vec<usize>,
    slot_of: HashMap<StateId, usize>,
}

impl Weights {
    /// Gives `id` the weight, which must be finite and greater than zero.
    pub(crate) fn set(&mut self, id: StateId, weight: f64) {
        debug_assert!(weight.is_finite() && weight > 0.0, "weight {weight}");
        let slot = match self.slot_of.get(&id) {
            Some(&slot) => slot,
            None => self.seat(id),
        };
        self.write(slot, weight);
    }

    /// Forgets `id`.
    pub(crate) fn remove(&mut self, id: StateId) {
        if let Some(slot) = self.slot_of.remove(&id) {
            self.slots[slot] = None;
            self.free.push(slot);
            self.write(slot, 0.0);
        }
    }

    /// Follows a slice: who ended leaves, who moved or is new is weighed.
    pub(crate) fn update(&mut self, delta: &Delta<'_>, weight: impl Fn(StateId) -> f64) {
        for &id in delta.removed {
            self.remove(id);
        }
        let moved = delta.ran.filter(|id| self.slot_of.contains_key(id));
        for &id in moved.iter().chain(delta.added) {
            self.set(id, weight(id));
        }
    }

    /// Weighs all states anew.
    pub(crate) fn remake(&mut self, weight: impl Fn(StateId) -> f64) {
        for slot in 0..self.slots.len() {
            if let Some(id) = self.slots[slot] {
                self.write(slot, weight(id));
            }
        }
    }

    /// Chooses a state with a chance in proportion to its weight.
    pub(crate) fn choose(&self, random: &mut impl Rng) -> Option<StateId> {
        if self.slot_of.is_empty() {
            return None;
        }
        let mut node = 1;
        let mut at = random.random::<f64>() * self.sums[1];
        while node < self.slots.len() {
            let left = self.sums[2 * node];
            // Rounding may push `at` to the end of an empty right side: then the choice is on the left.
            let right_side = at >= left && self.sums[2 * node + 1] > 0.0;
            if right_side {
                at -= left;
            }
            node = 2 * node + usize::from(right_side);
        }
        self.slots[node - self.slots.len()]
    }

    /// Finds a slot for a newcomer.
    fn seat(&mut self, id: StateId) -> usize {
        if self.free.is_empty() {
            self.grow();
        }
        let slot = self.free.pop().expect("`grow` frees slots");
        self.slots[slot] = Some(id);
        self.slot_of.insert(id, slot);
        slot
    }

    /// Doubles the number of slots.
    fn grow(&mut self) {
        let old = self.slots.len();
        let new = (2 * old).max(8);
        let mut sums = vec![0.0; 2 * new];
        sums[new..new + old].copy_from_slice(&self.sums[old..]);
        for node in (1..new).rev() {
            sums[node] = sums[2 * node] + sums[2 * node + 1];
        }
        self.sums = sums;
        self.slots.resize(new, None);
        self.free.extend((old..new).rev());
    }

    fn write(&mut self, slot: usize, weight: f64) {
        let mut node = self.slots.len() + slot;
        self.sums[node] = weight;
        while node > 1 {
            node /= 2;
            self.sums[node] = self.sums[2 * node] + self.sums[2 * node + 1];
        }
    }
}
