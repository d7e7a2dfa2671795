//! Branches that global variables decide, and where those are written.
//!
//! Options of a program end up in globals, which branches far away look at. No distance tells that such a branch can only go
//! the other way on a path that has passed an assignment. Here the two are brought together, by what one block shows: the
//! condition's operands back to loads of constant addresses. What is missed (pointers, fields, locals) is only not helped.

use std::collections::{BTreeMap, BTreeSet};

use crate::function::Function;
use crate::inst::{Inst, Operand};
use crate::program::{BlockId, ConstValue, EdgeId, FuncId, GlobalId, Program, Reg, Symbol};

/// A variable: a global, and an offset in it.
type Variable = (GlobalId, i64);

/// A branch that variables decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlagBranch {
    /// The function it is in.
    pub func: FuncId,
    /// Its position.
    pub pc: u32,
    /// Its two ways.
    pub edges: [EdgeId; 2],
    /// The blocks that write a variable it looks at, ascending.
    pub writers: Vec<(FuncId, BlockId)>,
}

/// The branches of the user's code that variables decide and the user's code writes.
pub fn flag_branches(program: &Program) -> Vec<FlagBranch> {
    let users = || program.functions.iter().filter(|(_, f)| f.origin.counts());
    let mut writers: BTreeMap<Variable, BTreeSet<(FuncId, BlockId)>> = BTreeMap::new();
    for (func, function) in users() {
        for (block, range) in function.blocks.iter() {
            for inst in &function.code[range.start as usize..range.end as usize] {
                if let Inst::Store { ptr, .. } = *inst
                    && let Some(variable) = variable(function, ptr)
                {
                    writers.entry(variable).or_default().insert((func, block));
                }
            }
        }
    }
    let mut branches = Vec::new();
    for (func, function) in users() {
        for range in function.blocks.values().filter(|range| range.end > range.start) {
            let pc = range.end - 1;
            let Inst::CondBr { cond, then, otherwise } = function.code[pc as usize] else { continue };
            let read = variables_of(function, range.start..pc, cond);
            let writers: BTreeSet<_> = read.iter().filter_map(|variable| writers.get(variable)).flatten().collect();
            if !writers.is_empty() {
                let writers = writers.into_iter().copied().collect();
                branches.push(FlagBranch { func, pc, edges: [then, otherwise], writers });
            }
        }
    }
    branches
}

/// The variables that an operand is computed from within a block.
fn variables_of(function: &Function, block: std::ops::Range<u32>, operand: Operand) -> BTreeSet<Variable> {
    let mut wanted: BTreeSet<Reg> = operand.as_reg().into_iter().collect();
    let mut variables = BTreeSet::new();
    for inst in function.code[block.start as usize..block.end as usize].iter().rev() {
        if !inst.dst(function).is_some_and(|dst| wanted.remove(&dst)) {
            continue;
        }
        match *inst {
            Inst::Load { ptr, .. } => variables.extend(variable(function, ptr)),
            Inst::Call { .. } => {}
            _ => inst.for_each_use(function, |used| wanted.extend(used.as_reg())),
        }
    }
    variables
}

/// The variable at a constant address.
fn variable(function: &Function, ptr: Operand) -> Option<Variable> {
    match function.consts[ptr.as_const()?].value {
        ConstValue::Address(Symbol::Global(global), offset) => Some((global, offset)),
        _ => None,
    }
}
