//! What was executed: instructions and sides of branches, of the user's functions.

use taw_ir::{FuncId, Program, SecondaryMap};

/// Covered instructions and edges, by function.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// For each instruction how often a path first entered it in a slice (saturating; 0 = never).
    pub instructions: SecondaryMap<FuncId, Vec<u32>>,
    /// For each edge of a conditional branch or switch whether it was taken.
    pub edges: SecondaryMap<FuncId, Vec<bool>>,
}

impl Coverage {
    /// Nothing covered yet.
    pub fn new(program: &Program) -> Self {
        let mut coverage = Coverage::default();
        for (id, function) in &program.functions {
            coverage.instructions[id] = vec![0; function.code.len()];
            coverage.edges[id] = vec![false; function.edges.len()];
        }
        coverage
    }
}
