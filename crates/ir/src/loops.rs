//! Natural loops and how they are nested.
//!
//! A loop has one way in, its header, which dominates all its blocks; two loops with one header are one. Ways that go in a circle and have
//! several ways in (`goto` into a loop) are no loops here: nothing is said of them.

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};

use crate::dominators::Dominators;
use crate::function::Function;
use crate::program::BlockId;

/// A loop of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The block by which it is entered.
    pub header: BlockId,
    /// Its blocks that go back to the header, ascending.
    pub latches: Vec<BlockId>,
    /// All its blocks, those of inner loops too, ascending.
    pub blocks: Vec<BlockId>,
    /// The innermost loop around it.
    pub parent: Option<LoopId>,
    /// The number of loops that its blocks are in: 1 for an outermost one.
    pub depth: u32,
}

/// The loops of a function; an outer loop comes before those in it.
#[derive(Clone, Debug)]
pub struct Loops {
    /// All of them.
    pub loops: PrimaryMap<LoopId, Loop>,
    /// For each block the innermost loop that it is in.
    innermost: Vec<Option<LoopId>>,
}

impl Loops {
    /// Those of a function.
    pub fn of(function: &Function, dominators: &Dominators) -> Self {
        let mut found: Vec<Loop> = Vec::new();
        let mut before = vec![Vec::new(); function.blocks.len()];
        for block in function.blocks.keys().filter(|&block| dominators.is_reached(block)) {
            for to in function.blocks_after(block) {
                before[to.index()].push(block);
            }
        }
        for header in function.blocks.keys() {
            let mut latches = before[header.index()].clone();
            latches.retain(|&latch| dominators.dominates(header, latch));
            latches.dedup();
            if !latches.is_empty() {
                let blocks = body(header, &latches, &before);
                found.push(Loop { header, latches, blocks, parent: None, depth: 1 });
            }
        }
        // Of two loops that share a block one is in the other, and has fewer blocks.
        found.sort_by_key(|l| (std::cmp::Reverse(l.blocks.len()), l.header));
        let mut loops = Loops { loops: PrimaryMap::new(), innermost: vec![None; function.blocks.len()] };
        for mut inner in found {
            inner.parent = loops.innermost[inner.header.index()];
            inner.depth = inner.parent.map_or(1, |outer| loops.loops[outer].depth + 1);
            let blocks = inner.blocks.clone();
            let id = loops.loops.push(inner);
            blocks.iter().for_each(|block| loops.innermost[block.index()] = Some(id));
        }
        loops
    }

    /// The innermost loop that a block is in.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// The loops that a block is in, the innermost first.
    pub fn around(&self, block: BlockId) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(self.innermost(block), |&inner| self.loops[inner].parent)
    }
}

/// The blocks from which a latch can be got to without passing the header, ascending.
fn body(header: BlockId, latches: &[BlockId], before: &[Vec<BlockId>]) -> Vec<BlockId> {
    let mut is_in = vec![false; before.len()];
    is_in[header.index()] = true;
    let mut waiting = latches.to_vec();
    while let Some(block) = waiting.pop() {
        if !std::mem::replace(&mut is_in[block.index()], true) {
            waiting.extend(&before[block.index()]);
        }
    }
    (0..before.len()).filter(|&block| is_in[block]).map(BlockId::new).collect()
}
