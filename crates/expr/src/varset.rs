//! Sets of inputs, shared between terms.
//!
//! Each set is a binary trie over words of 64 inputs (C. Okasaki and A. Gill, "Fast mergeable integer maps", 1998),
//! hash-consed: equal sets have equal ids, and the sets of a chain of n terms over n inputs take O(n log n) space.
//! Invariant: no empty leaf, no branch with one child.

use rustc_hash::FxHashMap;

use crate::node::Var;

/// A set of inputs of an arena; see [`crate::Terms::vars_of`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct VarSet(u32);

impl VarSet {
    /// The set of no inputs.
    pub const EMPTY: Self = VarSet(0);

    /// Whether there is no input in it.
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Trie {
    /// Inputs `64 * word` and up, by bit.
    Leaf { word: u32, bits: u64 },
    /// Words `start` to `start + 2^height - 1`; the first half on the left.
    Branch { start: u32, height: u32, left: VarSet, right: VarSet },
}

impl Trie {
    /// The first word and the logarithm of how many it covers.
    fn span(self) -> (u32, u32) {
        match self {
            Trie::Leaf { word, .. } => (word, 0),
            Trie::Branch { start, height, .. } => (start, height),
        }
    }

    fn covers(self, word: u32) -> bool {
        let (start, height) = self.span();
        word >> height == start >> height
    }
}

/// All sets of one arena.
#[derive(Debug, Default)]
pub(crate) struct VarSets {
    tries: Vec<Trie>,
    ids: FxHashMap<Trie, VarSet>,
    unions: FxHashMap<(VarSet, VarSet), VarSet>,
}

impl VarSets {
    fn trie(&self, set: VarSet) -> Option<Trie> {
        self.tries.get((set.0 as usize).wrapping_sub(1)).copied()
    }

    fn intern(&mut self, trie: Trie) -> VarSet {
        let tries = &mut self.tries;
        *self.ids.entry(trie).or_insert_with(|| {
            tries.push(trie);
            VarSet(tries.len() as u32)
        })
    }

    pub(crate) fn single(&mut self, var: Var) -> VarSet {
        self.intern(Trie::Leaf { word: var.0 / 64, bits: 1 << (var.0 % 64) })
    }

    pub(crate) fn union(&mut self, a: VarSet, b: VarSet) -> VarSet {
        let (Some(x), Some(y)) = (self.trie(a), self.trie(b)) else { return a.max(b) };
        if a == b {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let (wide, wide_id, narrow, narrow_id) = if x.span().1 >= y.span().1 { (x, a, y, b) } else { (y, b, x, a) };
        let result = self.merge(wide, wide_id, narrow, narrow_id);
        self.unions.insert(key, result);
        result
    }

    /// Union where `x` covers at least as many words as `y`.
    fn merge(&mut self, x: Trie, a: VarSet, y: Trie, b: VarSet) -> VarSet {
        let from = y.span().0;
        if !x.covers(from) {
            let height = 32 - (x.span().0 ^ from).leading_zeros();
            let start = if height == 32 { 0 } else { from >> height << height };
            let (left, right) = if x.span().0 < from { (a, b) } else { (b, a) };
            return self.intern(Trie::Branch { start, height, left, right });
        }
        match (x, y) {
            (Trie::Leaf { word, bits }, Trie::Leaf { bits: more, .. }) => {
                self.intern(Trie::Leaf { word, bits: bits | more })
            }
            (Trie::Branch { start, height, left, right }, Trie::Branch { height: same, left: l, right: r, .. })
                if same == height =>
            {
                let (left, right) = (self.union(left, l), self.union(right, r));
                self.intern(Trie::Branch { start, height, left, right })
            }
            (Trie::Branch { start, height, left, right }, _) => {
                let on_left = from >> (height - 1) & 1 == 0;
                let (left, right) = if on_left { (self.union(left, b), right) } else { (left, self.union(right, b)) };
                self.intern(Trie::Branch { start, height, left, right })
            }
            (Trie::Leaf { .. }, Trie::Branch { .. }) => unreachable!("a leaf covers less than a branch"),
        }
    }

    /// Keeps the sets that these are and are made of, and gives them their new ids.
    pub(crate) fn collect<'a>(&mut self, used: impl Iterator<Item = &'a mut VarSet>) {
        let old = std::mem::take(self);
        let mut moved = vec![VarSet::EMPTY; old.tries.len() + 1];
        used.for_each(|set| *set = self.moved(&old, *set, &mut moved));
    }

    fn moved(&mut self, old: &VarSets, set: VarSet, moved: &mut [VarSet]) -> VarSet {
        let Some(trie) = old.trie(set) else { return VarSet::EMPTY };
        if moved[set.0 as usize].is_empty() {
            moved[set.0 as usize] = match trie {
                Trie::Leaf { .. } => self.intern(trie),
                Trie::Branch { start, height, left, right } => {
                    let (left, right) = (self.moved(old, left, moved), self.moved(old, right, moved));
                    self.intern(Trie::Branch { start, height, left, right })
                }
            };
        }
        moved[set.0 as usize]
    }

    pub(crate) fn intersect(&self, a: VarSet, b: VarSet) -> bool {
        let (Some(x), Some(y)) = (self.trie(a), self.trie(b)) else { return false };
        if a == b {
            return true;
        }
        let (wide, narrow, narrow_id) = if x.span().1 >= y.span().1 { (x, y, b) } else { (y, x, a) };
        let from = narrow.span().0;
        if !wide.covers(from) {
            return false;
        }
        match (wide, narrow) {
            (Trie::Leaf { bits, .. }, Trie::Leaf { bits: more, .. }) => bits & more != 0,
            (Trie::Branch { height, left, right, .. }, Trie::Branch { height: same, left: l, right: r, .. })
                if same == height =>
            {
                self.intersect(left, l) || self.intersect(right, r)
            }
            (Trie::Branch { height, left, right, .. }, _) => {
                self.intersect(if from >> (height - 1) & 1 == 0 { left } else { right }, narrow_id)
            }
            (Trie::Leaf { .. }, Trie::Branch { .. }) => unreachable!("a leaf covers less than a branch"),
        }
    }

    /// The members in ascending order.
    pub(crate) fn iter(&self, set: VarSet) -> impl Iterator<Item = Var> + '_ {
        let mut pending = vec![set];
        let (mut word, mut bits) = (0, 0u64);
        std::iter::from_fn(move || {
            while bits == 0 {
                match self.trie(pending.pop()?)? {
                    Trie::Leaf { word: w, bits: b } => (word, bits) = (w, b),
                    Trie::Branch { left, right, .. } => pending.extend([right, left]),
                }
            }
            let low = bits.trailing_zeros();
            bits &= bits - 1;
            Some(Var(word * 64 + low))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn build(sets: &mut VarSets, members: &BTreeSet<u32>) -> VarSet {
        members.iter().fold(VarSet::EMPTY, |set, &v| {
            let one = sets.single(Var(v));
            sets.union(set, one)
        })
    }

    proptest::proptest! {
        #[test]
        fn sets_behave_like_the_standard_library_s(
            a in proptest::collection::btree_set(0u32..100_000, 0..40),
            b in proptest::collection::btree_set(0u32..300, 0..40),
        ) {
            let mut sets = VarSets::default();
            let (x, y) = (build(&mut sets, &a), build(&mut sets, &b));
            let both = sets.union(x, y);
            let all: BTreeSet<u32> = a.union(&b).copied().collect();
            assert_eq!(sets.iter(both).map(|v| v.0).collect::<Vec<_>>(), all.iter().copied().collect::<Vec<_>>());
            assert_eq!(both, build(&mut sets, &all), "equal sets have equal ids");
            assert_eq!(sets.intersect(x, y), !a.is_disjoint(&b));
            let mut kept = [y, both, VarSet::EMPTY];
            sets.collect(kept.iter_mut());
            assert_eq!(kept, [build(&mut sets, &b), build(&mut sets, &all), VarSet::EMPTY], "sets are what they were");
        }
    }
}
