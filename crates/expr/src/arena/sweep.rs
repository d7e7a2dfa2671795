//! Terms that nobody holds make room for new ones.
//!
//! Boundary: who holds what is for the caller to mark (`collect.rs`). Invariant: what is marked keeps its place, so ids stay as they are.

use hashbrown::HashTable;

use super::{ArenaEntry, Meta, Position, Terms, Traits};
use crate::bits::Bits;
use crate::collect::Marks;
use crate::node::{ArrayNode, Node};
use crate::varset::VarSet;

impl Terms {
    /// Gives up all terms and arrays that are not marked, and what only they needed.
    pub(crate) fn sweep(&mut self, marks: &Marks) {
        let (free, free_arrays) = (
            give_up(&mut self.index, &mut self.nodes, marks.terms(), || Node::Const(Bits::zero(1))),
            give_up(&mut self.array_index, &mut self.arrays, marks.arrays(), || ArrayNode::Elements(Box::default())),
        );
        let free = [free, free_arrays];
        let ready = if cfg!(debug_assertions) { std::mem::replace(&mut self.resting, free) } else { free };
        for (places, ready) in [&mut self.free, &mut self.free_arrays].into_iter().zip(ready) {
            places.extend(ready);
            places.sort_unstable_by(|a, b| b.cmp(a));
        }
        self.renumber_facts();
        let metas = self.nodes.iter_mut().map(|e| &mut e.meta).chain(self.arrays.iter_mut().map(|e| &mut e.meta));
        self.sets.collect(metas.filter(|meta| meta.width != 0).map(|meta| &mut meta.vars));
        (self.epoch, self.made) = (self.epoch + 1, 0);
    }

    /// Keeps the facts of the terms that there are.
    fn renumber_facts(&mut self) {
        let old = std::mem::take(&mut self.facts);
        let mut places = vec![0; old.len()];
        let metas = self.nodes.iter_mut().map(|e| &mut e.meta).chain(self.arrays.iter_mut().map(|e| &mut e.meta));
        for meta in metas.filter(|meta| meta.width != 0 && meta.facts != 0) {
            let before = meta.facts as usize - 1;
            if places[before] == 0 {
                self.facts.push(old[before]);
                places[before] = self.facts.len() as u32;
            }
            meta.facts = places[before];
        }
    }
}

/// Removes what is not marked. Gives the places that are free now.
fn give_up<N>(
    index: &mut HashTable<Position>,
    entries: &mut [ArenaEntry<N>],
    marked: &[bool],
    nothing: impl Fn() -> N,
) -> Vec<u32> {
    index.retain(|p| marked[p.at as usize]);
    let mut free = Vec::new();
    for (at, entry) in entries.iter_mut().enumerate().filter(|(at, entry)| !marked[*at] && entry.meta.width != 0) {
        entry.node = nothing();
        entry.meta = Meta { width: 0, vars: VarSet::EMPTY, facts: 0, traits: Traits::default() };
        free.push(at as u32);
    }
    free
}
