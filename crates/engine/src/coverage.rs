//! What was executed: instructions and edges.
//!
//! A block counts as covered when it was left; of a block in which a path ended, the instructions up to there.

use taw_ir::{BlockId, EdgeId, EntityRef, FuncId, Function, Program, SecondaryMap};

/// Covered instructions and edges, by function.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// For each instruction whether some path executed it.
    pub instructions: SecondaryMap<FuncId, Vec<bool>>,
    /// For each edge whether it was taken.
    pub edges: SecondaryMap<FuncId, Vec<bool>>,
    blocks: SecondaryMap<FuncId, Vec<bool>>,
}

impl Coverage {
    /// Nothing covered yet.
    pub fn new(program: &Program) -> Self {
        let mut coverage = Coverage::default();
        for (id, function) in &program.functions {
            coverage.instructions[id] = vec![false; function.code.len()];
            coverage.edges[id] = vec![false; function.edges.len()];
            coverage.blocks[id] = vec![false; function.blocks.len()];
        }
        coverage
    }

    /// Whether leaving the block by that edge covers something.
    #[inline]
    pub(crate) fn is_new(&self, func: FuncId, block: BlockId, edge: Option<EdgeId>) -> bool {
        !self.blocks[func][block.index()] || edge.is_some_and(|e| !self.edges[func][e.index()])
    }

    /// Marks a block that was left, and the edge.
    pub(crate) fn mark(&mut self, func: FuncId, block: BlockId, function: &Function, edge: Option<EdgeId>) {
        self.blocks[func][block.index()] = true;
        let range = &function.blocks[block];
        self.instructions[func][range.start as usize..range.end as usize].fill(true);
        if let Some(edge) = edge {
            self.mark_edge(func, edge);
        }
    }

    /// Marks an edge alone; returns whether that is new.
    pub(crate) fn mark_edge(&mut self, func: FuncId, edge: EdgeId) -> bool {
        !std::mem::replace(&mut self.edges[func][edge.index()], true)
    }

    /// Marks a block up to and including an instruction; returns whether that is new.
    pub(crate) fn mark_until(&mut self, func: FuncId, block: BlockId, function: &Function, pc: u32) -> bool {
        let start = function.blocks[block].start as usize;
        let Some(range) = self.instructions[func].get_mut(start..=pc as usize) else { return false };
        let new = range.iter().any(|covered| !covered);
        range.fill(true);
        new
    }
}
