//! A map from terms to words for evaluation: the hot path of every branch.
//!
//! Open addressing where the low bits of a term's index stay as they are: terms made together are looked up together,
//! and so share cache lines. Invariant: at most half full, so a search ends soon.

use crate::node::Term;

/// Slots of neighbouring terms, as a power of two.
const BLOCK: u32 = 4;

/// Values of terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    /// The term in each slot, 0 for none; a power of two of them, or none at all.
    keys: Vec<u32>,
    values: Vec<u64>,
    len: usize,
}

impl Memo {
    /// The slot that holds `key`, or the empty one where it belongs.
    #[inline]
    fn slot(&self, key: u32) -> usize {
        let last = self.keys.len() - 1;
        // Fibonacci hashing of the block; its place within the block is the term's own.
        let block = u64::from(key >> BLOCK).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let mut at = ((block << BLOCK) as usize | (key & ((1 << BLOCK) - 1)) as usize) & last;
        while self.keys[at] != key && self.keys[at] != 0 {
            at = (at + 1) & last;
        }
        at
    }

    #[inline]
    pub(crate) fn get(&self, t: Term) -> Option<u64> {
        if self.len == 0 {
            return None;
        }
        let at = self.slot(t.0.get());
        (self.keys[at] != 0).then(|| self.values[at])
    }

    pub(crate) fn insert(&mut self, t: Term, value: u64) {
        if self.keys.len() < 2 * (self.len + 1) {
            self.grow();
        }
        let at = self.slot(t.0.get());
        self.len += usize::from(self.keys[at] == 0);
        self.keys[at] = t.0.get();
        self.values[at] = value;
    }

    fn grow(&mut self) {
        let size = (self.keys.len() * 2).max(1 << BLOCK);
        let keys = std::mem::replace(&mut self.keys, vec![0; size]);
        let values = std::mem::replace(&mut self.values, vec![0; size]);
        for (key, value) in keys.into_iter().zip(values).filter(|&(key, _)| key != 0) {
            let at = self.slot(key);
            self.keys[at] = key;
            self.values[at] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::num::NonZeroU32;

    use super::*;

    proptest::proptest! {
        #[test]
        fn a_memo_is_a_map(entries in proptest::collection::vec((1u32..2000, 0u64..9), 0..600)) {
            let (mut memo, mut map) = (Memo::default(), HashMap::new());
            for (key, value) in entries {
                // Spread over blocks, so that blocks collide.
                let term = Term(NonZeroU32::new(key * 37).expect("not zero"));
                memo.insert(term, value);
                map.insert(term, value);
            }
            for key in 1..2000 * 37 {
                let term = Term(NonZeroU32::new(key).expect("not zero"));
                assert_eq!(memo.get(term), map.get(&term).copied());
            }
        }
    }
}
