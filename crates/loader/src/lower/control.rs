//! Control flow: terminators, and phis as moves on the edges.

use std::collections::HashMap;

use taw_ir::{CmpOp, Edge, EdgeId, Inst, IntOp, Operand, RegData, Requirement, Switch, Ty};

use super::body::{FunctionBody, Parts};
use super::constants::word_count;
use super::moves::in_order;
use crate::llvm::{LlvmBlock, LlvmTypeKind, LlvmValue, Opcode, ValueKind};

/// The edges that leave a block: cases that lead to the same block share one.
type Edges<'m> = HashMap<LlvmBlock<'m>, EdgeId>;

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn ret(&mut self, i: LlvmValue<'m>) -> Parts {
        let values = match i.operand_count() {
            0 => Parts::new(),
            _ => self.value(i.operand(0)),
        };
        let values = self.f.lists.push(values.into_vec());
        self.terminate(Inst::Ret { values })
    }

    pub(super) fn branch(&mut self, i: LlvmValue<'m>) -> Parts {
        let mut edges = Edges::new();
        let to: Vec<EdgeId> = i.successors().map(|block| self.edge(block, &mut edges)).collect();
        match to[..] {
            [edge] => {
                if let Some(to) = i.successors().next() {
                    self.last_operand(to);
                }
                self.terminate(Inst::Br { edge })
            }
            _ => {
                let cond = self.scalar(i.operand(0));
                let checks: Vec<_> = i.successors().map(check_before_trap).collect();
                match checks[..] {
                    [Some(what), None] => {
                        let one = self.number(Ty::Int(1), 1);
                        let cond = self.binary(IntOp::Xor, Ty::Int(1), cond, one);
                        self.emit(Inst::Require { cond, what });
                        self.terminate(Inst::Br { edge: to[1] })
                    }
                    [None, Some(what)] => {
                        self.emit(Inst::Require { cond, what });
                        self.terminate(Inst::Br { edge: to[0] })
                    }
                    _ => self.terminate(Inst::CondBr { cond, then: to[0], otherwise: to[1] }),
                }
            }
        }
    }

    /// The last operand of `&&` or `||`, if the block being left computes one: unoptimised code branches on the others, and
    /// makes the value of the whole of this one.
    fn last_operand(&mut self, to: LlvmBlock<'m>) {
        let mut phis = to.instructions().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI));
        let Some(phi) = phis.find(|&phi| is_logical(phi)) else { return };
        let operand = phi.incoming().find(|&(_, from)| Some(from) == self.source).map(|(value, _)| value);
        let Some(operand) = operand.filter(|v| !v.is_constant()) else { return };
        // What is itself made of operands has been counted with them.
        if plain(operand).opcode() == Some(Opcode::LLVMPHI) && is_logical(plain(operand)) {
            return;
        }
        let place = operand.location().and_then(|place| self.cx.debug.place(&mut self.cx.program, place));
        let here = std::mem::replace(&mut self.loc, place);
        let cond = self.scalar(operand);
        self.condition(cond, false);
        self.loc = here;
    }

    /// Comparisons that an instruction makes a value of, if such are counted: it returns, stores or passes them, or makes them numbers.
    pub(super) fn outcomes(&mut self, opcode: Opcode, i: LlvmValue<'m>) {
        use Opcode::{LLVMCall, LLVMRet, LLVMStore, LLVMZExt};
        if !self.cx.values || !self.f.origin.counts() {
            return;
        }
        match opcode {
            LLVMZExt | LLVMStore => self.outcome(i.operand(0)),
            LLVMRet if i.operand_count() > 0 => self.outcome(i.operand(0)),
            LLVMCall if !is_intrinsic(i.callee()) => {
                let arguments: Vec<LlvmValue<'m>> = i.call_arguments().collect();
                arguments.into_iter().for_each(|argument| self.outcome(argument));
            }
            _ => {}
        }
    }

    /// A comparison that becomes a value; what is made of operands has been counted with them.
    fn outcome(&mut self, operand: LlvmValue<'m>) {
        let is_comparison = matches!(operand.opcode(), Some(Opcode::LLVMICmp | Opcode::LLVMFCmp | Opcode::LLVMXor));
        let root = plain(operand);
        let is_counted = root.opcode() == Some(Opcode::LLVMPHI) && is_logical(root);
        if is_comparison && !is_counted && operand.ty().kind() == LlvmTypeKind::Int(1) {
            let cond = self.scalar(operand);
            self.condition(cond, true);
        }
    }

    /// A condition of the user's that is no branch here and one in the source.
    pub(super) fn condition(&mut self, cond: Operand, value: bool) {
        if self.f.origin.counts() && cond.as_reg().is_some() {
            let mut side = || self.f.edges.push(Edge { to: self.block, moves: Vec::new() });
            let (then, otherwise) = (side(), side());
            self.emit(Inst::Condition { cond, value, then, otherwise });
        }
    }

    /// Leaves for a block.
    pub(super) fn jump(&mut self, to: LlvmBlock<'m>) -> Parts {
        let edge = self.edge(to, &mut Edges::new());
        self.terminate(Inst::Br { edge })
    }

    pub(super) fn switch(&mut self, i: LlvmValue<'m>) -> Parts {
        let mut edges = Edges::new();
        let value = self.scalar(i.operand(0));
        let width = self.width(self.type_of(value));
        let default = match i.successors().next() {
            Some(block) => self.edge(block, &mut edges),
            None => return self.terminate(Inst::Unreachable),
        };
        if word_count(u64::from(width)) > 1 {
            return self.wide_switch(i, value, default, &mut edges);
        }
        let mut cases = Vec::new();
        for (case, block) in i.switch_cases() {
            let edge = self.edge(block, &mut edges);
            cases.extend(case.as_u64().map(|case| (case, edge)));
        }
        let switch = self.f.switches.push(Switch { value, width, cases, default });
        self.terminate(Inst::Switch { switch })
    }

    /// Values of more than 64 bits are compared one after the other.
    fn wide_switch(&mut self, i: LlvmValue<'m>, value: Operand, default: EdgeId, edges: &mut Edges<'m>) -> Parts {
        for (case, block) in i.switch_cases() {
            let then = self.edge(block, edges);
            let case = self.scalar(case);
            let cond = self.compare(CmpOp::Eq, value, case);
            let next = self.extra_block();
            let otherwise = self.f.edges.push(Edge { to: next, moves: Vec::new() });
            self.terminate(Inst::CondBr { cond, then, otherwise });
            self.open(next);
        }
        self.terminate(Inst::Br { edge: default })
    }

    pub(super) fn indirect_branch(&mut self, i: LlvmValue<'m>) -> Parts {
        let addr = self.scalar(i.operand(0));
        let mut edges = Edges::new();
        let mut list = Vec::new();
        for block in i.successors() {
            let edge = self.edge(block, &mut edges);
            if !list.contains(&edge) {
                list.push(edge);
            }
        }
        let edges = self.f.edge_lists.push(list);
        self.terminate(Inst::IndirectBr { addr, edges })
    }

    /// The edge from the block being lowered to another.
    fn edge(&mut self, to: LlvmBlock<'m>, edges: &mut Edges<'m>) -> EdgeId {
        if let Some(&edge) = edges.get(&to) {
            return edge;
        }
        let mut moves = Vec::new();
        for phi in to.instructions().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI)) {
            let incoming = phi.incoming().find(|&(_, from)| Some(from) == self.source);
            let Some((value, _)) = incoming else { continue };
            let sources = self.value(value);
            let dsts = self.results(phi);
            moves.extend(dsts.iter().filter_map(|dst| dst.as_reg()).zip(sources));
        }
        let regs = &mut self.f.regs;
        let moves = in_order(moves, |saved| {
            let ty = regs[saved].ty;
            regs.push(RegData { ty, name: String::new(), source: None })
        });
        let edge = self.f.edges.push(Edge { to: self.block_ids[&to], moves });
        edges.insert(to, edge);
        edge
    }

    /// Does something only if `cond` holds: `then` is put into a block of its own.
    pub(super) fn only_if(&mut self, cond: Operand, then: impl FnOnce(&mut Self)) {
        let (inside, after) = (self.extra_block(), self.extra_block());
        let edge = |to| Edge { to, moves: Vec::new() };
        let (enter, skip) = (self.f.edges.push(edge(inside)), self.f.edges.push(edge(after)));
        self.terminate(Inst::CondBr { cond, then: enter, otherwise: skip });
        self.open(inside);
        then(self);
        let leave = self.f.edges.push(edge(after));
        self.terminate(Inst::Br { edge: leave });
        self.open(after);
    }

    /// A bit that is known.
    pub(super) fn known_bit(&self, operand: Operand) -> Option<bool> {
        let data = &self.f.consts[operand.as_const()?];
        match (&data.value, data.ty) {
            (taw_ir::ConstValue::Bits(words), Ty::Int(1)) => Some(words[0] == 1),
            _ => None,
        }
    }
}

/// What a branch to this block checks, if the block only traps because a check that the compiler has put there failed.
fn check_before_trap(block: LlvmBlock<'_>) -> Option<Requirement> {
    requirement_of_trap(block.instructions().next()?)
}

/// What was required where `llvm.ubsantrap` stands: its operand is the number of clang's handler (`SanitizerHandler`).
pub(super) fn requirement_of_trap(i: LlvmValue<'_>) -> Option<Requirement> {
    if i.opcode() != Some(Opcode::LLVMCall) || i.callee().name() != "llvm.ubsantrap" {
        return None;
    }
    Some(match i.operand(0).as_u64()? {
        0 => Requirement::Sum,
        3 => Requirement::Quotient,
        5 => Requirement::FloatCast,
        12 => Requirement::Product,
        13 => Requirement::Negation,
        21 => Requirement::Difference,
        _ => return None,
    })
}

/// Whether a phi is the value of `&&` or `||`: one side of each branch before it gives a constant, the last operand the rest.
fn is_logical(phi: LlvmValue<'_>) -> bool {
    let (known, open): (Vec<_>, Vec<_>) = phi.incoming().partition(|(value, _)| value.is_constant());
    let decides = |&(value, from): &(LlvmValue<'_>, LlvmBlock<'_>)| {
        value.as_u64() == known[0].0.as_u64() && from.terminator().is_some_and(|end| end.successors().count() == 2)
    };
    phi.ty().kind() == LlvmTypeKind::Int(1) && open.len() == 1 && !known.is_empty() && known.iter().all(decides)
}

/// Whether the compiler itself knows what a call does.
fn is_intrinsic(callee: LlvmValue<'_>) -> bool {
    callee.kind() == ValueKind::LLVMFunctionValueKind && callee.intrinsic().is_some()
}

/// A truth value without the `!` before it.
fn plain(value: LlvmValue<'_>) -> LlvmValue<'_> {
    match value.opcode() {
        Some(Opcode::LLVMXor) if value.operand(1).is_constant() => plain(value.operand(0)),
        _ => value,
    }
}
