//! A way back from a goal as a program: of each function on it a copy that is the way and nothing else.
//!
//! The copy has the blocks of the way one after the other, a block of a loop as often as the way passes it; a loop that is a step as a whole is a loop. Where a branch would leave the way, it returns: from there
//! nothing gets to the goal, and whoever runs the copy drops that side without asking the solver. The call by which the way goes into the next function calls that
//! one's copy. So a way is checked, from any state or from where the program begins, by running a program like any other, and there is no second semantics.
//!
//! Boundary: which ways there are is not known here ([`suffix`](super::suffix)). Invariant: the executions of the copy that get to its goal are those of the program that go this
//! way, and those that would if a branch on it that was *skipped* were none.

use std::collections::BTreeMap;

use taw_engine::GoalStep;
use taw_ir::{
    Block, BlockId, Call, Callee, CmpOp, ConstData, ConstValue, Edge, EdgeId, EntityRef, FuncId, Function, Inst,
    Operand, PrimaryMap, Program, RegData, Site, Switch, Symbol, Ty, from_block, shifted_site,
};

use super::suffix::{Suffix, Way, WayStep};

/// Where a program that is a way begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beginning {
    /// In the state that is there when its first function begins.
    Entry,
    /// In any state.
    Anywhere,
}

/// Why a way is no program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Untraced {
    /// Nobody knows what a register points at where it begins.
    Start,
    /// A call on it cannot be of a copy.
    Call,
}

/// A way as a program.
pub(super) struct Traced {
    pub(super) program: Program,
    /// The function that it begins with.
    pub(super) start: FuncId,
    /// The goal's last step.
    pub(super) step: GoalStep,
    /// What each copy is of.
    pub(super) origins: BTreeMap<FuncId, FuncId>,
}

impl Traced {
    /// The way as a program.
    ///
    /// # Errors
    /// If it cannot begin there, or calls in a manner that no copy can be called in.
    pub(super) fn of(base: &Program, suffix: &Suffix, step: &GoalStep, beginning: Beginning) -> Result<Self, Untraced> {
        let mut traced =
            Traced { program: base.clone(), start: FuncId::new(0), step: step.clone(), origins: BTreeMap::new() };
        let mut called = None;
        let last = suffix.ways.len() - 1;
        for (level, way) in suffix.ways.iter().enumerate() {
            let function = &base.functions[way.func];
            let copy = Copier::of(function, way, &suffix.skipped_at(level)).finish(base, way, called);
            let mut copy = copy.ok_or(Untraced::Call)?;
            let mut shift = 0;
            if level == last && beginning == Beginning::Anywhere && way.start() != first_block() {
                let middle = from_block(&mut traced.program, &copy, first_block());
                (copy, shift) = (middle.ok_or(Untraced::Start)?, 1);
            }
            copy.name = format!("{}@{level}", function.name);
            if level == last && beginning == Beginning::Entry {
                // Whoever else calls the function calls all of it.
                copy.name.clone_from(&function.name);
                traced.program.functions[way.func].name.push_str("@whole");
            }
            let name = copy.name.clone();
            let id = traced.program.functions.push(copy);
            traced.program.names.insert(name, id);
            traced.origins.insert(id, way.func);
            if level == 0 {
                traced.step = step_of(step, base, way, id, shift);
            }
            (traced.start, called) = (id, Some((way.func, id)));
        }
        Ok(traced)
    }

    /// The branch of the way that an instruction is: of which call, and after which of its steps.
    pub(super) fn branch(&self, base: &Program, suffix: &Suffix, site: Site) -> Option<(usize, usize)> {
        let level = self.origins.keys().position(|copy| *copy == site.func)?;
        let (way, copy) = (&suffix.ways[level], &self.program.functions[site.func]);
        // One that begins in the middle has two jumps before, else there is one.
        let mut end = 1 + u32::from(level + 1 == suffix.ways.len() && way.start() != first_block());
        let at = (1..way.steps.len()).rev().find(|&at| {
            end += length(&base.functions[way.func], &way.steps[at]);
            site.pc + 1 == end
        })?;
        matches!(copy.code[site.pc as usize], Inst::CondBr { .. } | Inst::Switch { .. }).then_some((level, at))
    }

    /// The function that a copy is of; any other is itself.
    pub(super) fn origin(&self, func: FuncId) -> FuncId {
        self.origins.get(&func).copied().unwrap_or(func)
    }
}

/// The block that a function begins with.
pub(super) fn first_block() -> BlockId {
    BlockId::new(0)
}

/// Instructions of a step.
fn length(function: &Function, step: &WayStep) -> u32 {
    step.blocks().iter().map(|block| &function.blocks[*block]).map(|block| block.end - block.start).sum()
}

/// The goal's step in the copy of the function that it lies in.
fn step_of(step: &GoalStep, base: &Program, way: &Way, copy: FuncId, shift: u32) -> GoalStep {
    let function = &base.functions[way.func];
    // A jump, and what is before the last step.
    let mut before = 1 + way.steps[1..].iter().map(|step| length(function, step)).sum::<u32>();
    let mut sites = Vec::new();
    for block in way.steps[0].blocks() {
        let Block { start, end } = function.blocks[*block];
        let last = way.end.unwrap_or(end - 1);
        let here = step.sites().iter().filter(|site| site.func == way.func && (start..=last).contains(&site.pc));
        let moved = here.map(|site| Site { func: copy, pc: before + (site.pc - start) });
        sites.extend(moved.map(|site| if shift == 0 { site } else { shifted_site(site, copy) }));
        before += end - start;
    }
    if way.end.is_none() {
        // What the loop calls may get there, and be the same function.
        sites.extend(step.sites());
    }
    match step {
        GoalStep::Sites(_) | GoalStep::Label(..) => GoalStep::Sites(sites),
        GoalStep::Error(error, _) => GoalStep::Error(*error, sites),
    }
}

/// Writes the copy of a function.
struct Copier<'a> {
    function: &'a Function,
    copy: Function,
    /// The edge by which the way is left.
    off: EdgeId,
}

impl<'a> Copier<'a> {
    /// The steps of the way but the last.
    fn of(function: &'a Function, way: &Way, skipped: &[usize]) -> Self {
        let none = (Vec::new(), Vec::new(), PrimaryMap::new());
        let (code, locs, blocks) = none;
        let mut copy = Function { code, locs, blocks, noreturn: false, ..function.clone() };
        // The block after the way and, perhaps, its call.
        let over = BlockId::new(way.steps.iter().map(|step| step.blocks().len()).sum::<usize>() + 2);
        copy.edges.values_mut().for_each(|edge| *edge = Edge { to: over, moves: Vec::new() });
        let off = copy.edges.push(Edge { to: over, moves: Vec::new() });
        let mut copier = Copier { function, copy, off };
        // Where it begins, nothing comes back to.
        let edge = copier.copy.edges.push(Edge { to: BlockId::new(1), moves: Vec::new() });
        copier.inst(Inst::Br { edge }, function.blocks[way.start()].start);
        copier.close(0);
        for (at, step) in way.steps.iter().enumerate().skip(1).rev() {
            match step {
                WayStep::Block(block) => copier.block(*block, way.edges[at - 1], skipped.contains(&at)),
                WayStep::Loop(blocks) => copier.whole_loop(blocks, Some(way.edges[at - 1])),
            }
        }
        copier
    }

    fn inst(&mut self, inst: Inst, pc: u32) {
        self.copy.code.push(inst);
        self.copy.locs.push(self.function.locs.get(pc as usize).copied().flatten());
    }

    fn close(&mut self, start: u32) {
        let end = self.copy.code.len() as u32;
        self.copy.blocks.push(Block { start, end });
    }

    /// A block that is left by an edge.
    fn block(&mut self, block: BlockId, edge: EdgeId, is_skipped: bool) {
        let Block { start, end } = self.function.blocks[block];
        let begin = self.copy.code.len() as u32;
        (start..end - 1).for_each(|pc| self.inst(self.function.code[pc as usize], pc));
        let to = BlockId::new(self.copy.blocks.len() + 1);
        let moves = self.function.edges[edge].moves.clone();
        let on = self.copy.edges.push(Edge { to, moves });
        let (function, off) = (self.function, self.off);
        let does_same = |other: EdgeId| function.edges[edge] == function.edges[other];
        let inst = match is_skipped {
            true => Inst::Br { edge: on },
            false => self.jump(function.code[end as usize - 1], |other| if does_same(other) { on } else { off }),
        };
        self.inst(inst, end - 1);
        self.close(begin);
    }

    /// A loop that is left by any edge to where this one leads, or not at all.
    fn whole_loop(&mut self, blocks: &[BlockId], edge: Option<EdgeId>) {
        let (function, off, first) = (self.function, self.off, self.copy.blocks.len());
        let out = edge.map(|edge| function.edges[edge].to);
        let mut sides: BTreeMap<EdgeId, EdgeId> = BTreeMap::new();
        for edge in blocks.iter().flat_map(|block| function.edges_from(*block)) {
            let Edge { to, moves } = &function.edges[edge];
            let inside = blocks.iter().position(|block| block == to);
            let at = inside.or((Some(*to) == out).then_some(blocks.len()));
            let side = at.map(|at| Edge { to: BlockId::new(first + at), moves: moves.clone() });
            sides.insert(edge, side.map_or(off, |side| self.copy.edges.push(side)));
        }
        for block in blocks {
            let Block { start, end } = function.blocks[*block];
            let begin = self.copy.code.len() as u32;
            (start..end - 1).for_each(|pc| self.inst(function.code[pc as usize], pc));
            let inst = self.jump(function.code[end as usize - 1], |edge| sides[&edge]);
            self.inst(inst, end - 1);
            self.close(begin);
        }
    }

    /// A jump with other edges.
    fn jump(&mut self, inst: Inst, side: impl Fn(EdgeId) -> EdgeId) -> Inst {
        let function = self.function;
        match inst {
            Inst::Br { edge } => Inst::Br { edge: side(edge) },
            Inst::CondBr { cond, then, otherwise } => {
                Inst::CondBr { cond, then: side(then), otherwise: side(otherwise) }
            }
            Inst::Switch { switch } => {
                let Switch { value, width, ref cases, default } = function.switches[switch];
                let cases = cases.iter().map(|(value, edge)| (*value, side(*edge))).collect();
                let switch = self.copy.switches.push(Switch { value, width, cases, default: side(default) });
                Inst::Switch { switch }
            }
            other => other,
        }
    }

    /// The last block, until where the way ends: the goal, or a call of a copy. Both blocks that follow are always there.
    fn finish(mut self, program: &Program, way: &Way, called: Option<(FuncId, FuncId)>) -> Option<Function> {
        let Block { start, .. } = self.function.blocks[way.steps[0].first()];
        let Some(end) = way.end else {
            self.whole_loop(way.steps[0].blocks(), None);
            (0..2).for_each(|_| self.ret(start));
            return Some(self.copy);
        };
        let begin = self.copy.code.len() as u32;
        (start..end).for_each(|pc| self.inst(self.function.code[pc as usize], pc));
        let last = self.function.code[end as usize];
        match called {
            None if last.is_terminator() => {
                let off = self.off;
                let inst = self.jump(last, |_| off);
                self.inst(inst, end);
                self.close(begin);
                self.ret(end);
            }
            None => {
                self.inst(last, end);
                self.leave(begin, end);
                self.ret(end);
            }
            Some((func, copy)) => self.call(program, begin, end, func, copy)?,
        }
        self.ret(end);
        Some(self.copy)
    }

    fn leave(&mut self, begin: u32, pc: u32) {
        self.inst(Inst::Br { edge: self.off }, pc);
        self.close(begin);
    }

    /// The call by which the way goes on, in a block of its own, if that is what is called.
    fn call(&mut self, program: &Program, begin: u32, pc: u32, func: FuncId, copy: FuncId) -> Option<()> {
        let Inst::Call { call } = self.function.code[pc as usize] else { return None };
        let call = &self.function.calls[call];
        let callee = &program.functions[func];
        let fits = call.args.len() == callee.params.len()
            && call.args.iter().zip(&callee.params).all(|(arg, param)| arg.ty == param.ty)
            && (call.returns == callee.returns || call.dsts.is_empty());
        if !fits {
            return None;
        }
        let next = BlockId::new(self.copy.blocks.len() + 1);
        let on = self.copy.edges.push(Edge { to: next, moves: Vec::new() });
        match call.callee {
            Callee::Direct(direct) if direct == func => self.inst(Inst::Br { edge: on }, pc),
            Callee::Direct(_) => return None,
            Callee::Indirect(pointer) => {
                let address = ConstData { ty: Ty::Ptr, value: ConstValue::Address(Symbol::Function(func), 0) };
                let address = Operand::constant(self.copy.consts.push(address));
                let dst = self.copy.regs.push(RegData { ty: Ty::Int(1), name: String::new(), source: None });
                let width = program.layout.pointer_bits;
                self.inst(Inst::Cmp { op: CmpOp::Eq, width, dst, a: pointer, b: address }, pc);
                self.inst(Inst::CondBr { cond: Operand::reg(dst), then: on, otherwise: self.off }, pc);
            }
        }
        self.close(begin);
        let begin = self.copy.code.len() as u32;
        let call = self.copy.calls.push(Call { callee: Callee::Direct(copy), ..call.clone() });
        self.inst(Inst::Call { call }, pc);
        self.leave(begin, pc);
        Some(())
    }

    /// A block that returns, whatever.
    fn ret(&mut self, pc: u32) {
        let nothing = |ty: &Ty| ConstData { ty: *ty, value: ConstValue::Undef };
        let constants: Vec<ConstData> = self.copy.returns.iter().map(nothing).collect();
        let values = constants.into_iter().map(|constant| Operand::constant(self.copy.consts.push(constant))).collect();
        let values = self.copy.lists.push(values);
        let begin = self.copy.code.len() as u32;
        self.inst(Inst::Ret { values }, pc);
        self.close(begin);
    }
}
