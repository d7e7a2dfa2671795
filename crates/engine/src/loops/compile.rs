//! From instructions to [`Code`]: all of a function, or the blocks of a loop.
//!
//! A block of a loop that has something to do which code cannot, or where somebody waits for a path, is left to the engine: on arrival there the
//! loop is left. What of copies to and from variables is plain is left out: code that was not optimised consists of little else.

use taw_ir::{BlockId, Callee, CmpOp, EdgeId, EntityRef, Function, Inst, IntOp, Liveness, Operand, Program, Reg, Ty};

use super::code::{Code, CodeAction, CodeCall, CodeCallee, CodeExit, CodeLocal, CodeParam, CodeSwitch, Operation};
use super::rare::is_rare;
use crate::value::{Value, mask};

/// How far the one use of a copy is looked for.
const NEAR: usize = 32;

/// What is to become code.
pub(super) struct Part<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    pub(super) consts: &'a [Value],
    /// For each block whether it is to be run; of a function all are.
    pub(super) blocks: Vec<bool>,
    /// Where it begins.
    pub(super) first: BlockId,
    /// Set for a loop: what matters where it is left.
    pub(super) liveness: Option<&'a Liveness>,
    /// For each register whether the part may change it; only of a loop.
    pub(super) changed: Vec<bool>,
}

/// Whether code can do what an instruction does; who may be called is not asked.
pub(super) fn is_plain(inst: &Inst, function: &Function, program: &Program, in_loop: bool) -> bool {
    let narrow = |width: u32| width <= 64;
    let reads_narrow = || {
        let mut all = true;
        inst.for_each_use(function, |operand| {
            let ty = match (operand.as_reg(), operand.as_const()) {
                (Some(reg), _) => function.regs[reg].ty,
                (_, Some(constant)) => function.consts[constant].ty,
                _ => return,
            };
            all &= narrow(ty.bits(&program.layout));
        });
        inst.for_each_dst(function, |reg| all &= narrow(function.regs[reg].ty.bits(&program.layout)));
        all
    };
    let known = match *inst {
        Inst::Bin { op, .. } => !matches!(
            op,
            IntOp::UAddSat | IntOp::SAddSat | IntOp::USubSat | IntOp::SSubSat | IntOp::UShlSat | IntOp::SShlSat
        ),
        Inst::Alloca { alloca } => {
            let alloca = &function.allocas[alloca];
            !in_loop && alloca.count.as_const().is_some()
        }
        Inst::Call { call } => {
            let call = &function.calls[call];
            call.args.iter().all(|arg| arg.byval.is_none())
        }
        Inst::Copy { .. }
        | Inst::Undef { .. }
        | Inst::Cmp { .. }
        | Inst::Cast { .. }
        | Inst::Select { .. }
        | Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::PtrAdd { .. }
        | Inst::PtrIndex { .. }
        | Inst::Condition { .. }
        | Inst::Require { .. }
        | Inst::Br { .. }
        | Inst::CondBr { .. }
        | Inst::Switch { .. }
        | Inst::Ret { .. }
        | Inst::Trap
        | Inst::Unreachable => true,
        ref other => is_rare(other),
    };
    known && reads_narrow()
}

impl Part<'_> {
    /// The code; nothing if it has parts that code cannot do.
    pub(super) fn compile(&self) -> Option<Code> {
        let layout = &self.program.layout;
        let width = |ty: Ty| ty.bits(layout).min(64) as u8;
        let mut frame = vec![0; self.function.regs.len()];
        // Constants that are wider are no operands here.
        frame.extend(self.consts.iter().map(|value| value.as_word().unwrap_or_default()));
        let code = Code {
            registers: self.function.regs.len(),
            frame,
            widths: self.function.regs.values().map(|reg| width(reg.ty)).collect(),
            params: self
                .function
                .params
                .iter()
                .map(|param| CodeParam {
                    to: param.reg.as_u32(),
                    mask: mask(param.ty.bits(layout)),
                    is_float: param.ty.is_float(),
                })
                .collect(),
            pointer_bits: layout.pointer_bits,
            big_endian: layout.big_endian,
            ..Code::default()
        };
        let mut uses = vec![0; self.function.regs.len()];
        self.function.code.iter().for_each(|inst| {
            inst.for_each_use(self.function, |operand| operand.as_reg().iter().for_each(|reg| uses[reg.index()] += 1));
        });
        for (_, source) in self.function.edges.values().flat_map(|edge| &edge.moves) {
            source.as_reg().iter().for_each(|reg| uses[reg.index()] += 1);
        }
        let aliases = vec![None; self.function.regs.len()];
        let made =
            CodeMaker { part: self, code, uses, aliases, block_at: vec![None; self.blocks.len()], jumps: Vec::new() };
        made.all()
    }
}

/// Which field of an operation, or of a switch, an edge decides.
#[derive(Clone, Copy)]
enum JumpTarget {
    Then(usize),
    Other(usize),
    Case(usize, usize),
    Default(usize),
}

struct CodeMaker<'a, 'p> {
    part: &'a Part<'p>,
    code: Code,
    /// For each register how often the function reads it.
    uses: Vec<u32>,
    /// Registers that are copies of another place and not made.
    aliases: Vec<Option<u32>>,
    block_at: Vec<Option<u32>>,
    /// Where edges lead to is known at the end.
    jumps: Vec<(JumpTarget, EdgeId)>,
}

impl CodeMaker<'_, '_> {
    fn all(mut self) -> Option<Code> {
        let first = self.part.first;
        let others = (0..self.part.blocks.len()).map(BlockId::new).filter(|&block| block != first);
        let blocks: Vec<BlockId> =
            std::iter::once(first).chain(others).filter(|block| self.part.blocks[block.index()]).collect();
        for block in blocks {
            self.block(block)?;
        }
        self.edges();
        if let Some(liveness) = self.part.liveness {
            self.code.reads = liveness.at_start(first).map(Reg::as_u32).collect();
        }
        Some(self.code)
    }

    fn block(&mut self, block: BlockId) -> Option<()> {
        self.block_at[block.index()] = Some(self.code.operations.len() as u32);
        let function = self.part.function;
        let (mut pc, end) = (function.blocks[block].start as usize, function.blocks[block].end as usize);
        while pc < end {
            pc += self.instruction(pc, end)?;
        }
        Some(())
    }

    fn place(&self, operand: Operand) -> u32 {
        match operand.as_reg().and_then(|reg| self.aliases[reg.index()]) {
            Some(place) => place,
            None => self.code.place(operand),
        }
    }

    fn push(&mut self, action: CodeAction, width: u32, to: u32, [a, b]: [u32; 2]) -> usize {
        let operation = Operation { action, width: width as u8, to, a, b, then: 0, other: 0 };
        self.code.operations.push(operation);
        self.code.operations.len() - 1
    }

    /// Compiles an instruction; how many it were.
    fn instruction(&mut self, pc: usize, end: usize) -> Option<usize> {
        let function = self.part.function;
        let inst = function.code[pc];
        if !is_plain(&inst, function, self.part.program, self.part.liveness.is_some()) {
            return None;
        }
        // The result is only copied: it goes where the copy would.
        let copied = |dst: Reg| match function.code.get(pc + 1) {
            Some(&Inst::Copy { dst: to, src })
                if pc + 1 < end && src.as_reg() == Some(dst) && self.uses[dst.index()] == 1 =>
            {
                (to.as_u32(), 2)
            }
            _ => (dst.as_u32(), 1),
        };
        let count = match inst {
            Inst::Copy { dst, src } => {
                self.copy(pc, end, dst, src);
                1
            }
            Inst::Undef { dst } => {
                let fill = u64::from_ne_bytes([crate::memory::FILL; 8]);
                let place = self.constant(fill & mask(u32::from(self.code.widths[dst.index()])));
                self.push(CodeAction::Copy, 64, dst.as_u32(), [place, 0]);
                1
            }
            Inst::Bin { op, width, dst, a, b, .. } => {
                let ((to, count), places) = (copied(dst), [self.place(a), self.place(b)]);
                self.push(CodeAction::Bin(op), width, to, places);
                count
            }
            Inst::Cmp { op, width, dst, a, b } => return Some(self.compare(pc, end, op, width, dst, [a, b])),
            Inst::Cast { op, from, to: wide, dst, src } => {
                let ((to, count), place) = (copied(dst), self.place(src));
                match op {
                    taw_ir::CastOp::Trunc => self.push(CodeAction::Low, wide, to, [place, 0]),
                    taw_ir::CastOp::ZExt => self.push(CodeAction::Copy, 64, to, [place, 0]),
                    taw_ir::CastOp::SExt => self.push(CodeAction::Sign, from, to, [place, wide]),
                };
                count
            }
            Inst::Select { dst, cond, a, b, width } => {
                let ((to, count), places) = (copied(dst), [self.place(cond), self.place(a)]);
                let other = self.place(b);
                let at = self.push(CodeAction::Select, width, to, places);
                self.code.operations[at].then = other;
                count
            }
            Inst::Load { dst, ptr, width } => {
                let ((to, count), place) = (copied(dst), self.place(ptr));
                self.push(CodeAction::Load, width, to, [place, 0]);
                count
            }
            Inst::Store { ptr, value, width } => {
                let places = [self.place(ptr), self.place(value)];
                self.push(CodeAction::Store, width, 0, places);
                1
            }
            Inst::PtrAdd { dst, base, disp } => {
                let ((to, count), place) = (copied(dst), self.place(base));
                let distance = self.constant(disp as u64 & mask(self.code.pointer_bits));
                self.push(CodeAction::Bin(IntOp::Add), self.code.pointer_bits, to, [place, distance]);
                count
            }
            Inst::PtrIndex { dst, base, index, width, scale } => {
                let ((to, count), places) = (copied(dst), [self.place(base), self.place(index)]);
                let at = self.push(CodeAction::Index, width, to, places);
                self.code.operations[at].then = scale;
                count
            }
            ref other => {
                self.other_instruction(pc, other)?;
                1
            }
        };
        Some(count)
    }

    /// Compiles what is no plain computation.
    fn other_instruction(&mut self, pc: usize, inst: &Inst) -> Option<()> {
        let function = self.part.function;
        match *inst {
            Inst::Require { cond, .. } => {
                let place = self.place(cond);
                self.push(CodeAction::Require, 1, 0, [place, 0]);
            }
            Inst::Condition { .. } => {}
            // One that is made again and again is another object each time.
            Inst::Alloca { alloca } if pc < function.blocks[BlockId::new(0)].end as usize => {
                self.local(&function.allocas[alloca])?;
            }
            Inst::Alloca { .. } => return None,
            Inst::Call { call } => self.call(&function.calls[call]),
            ref terminator if terminator.is_terminator() => self.terminator(terminator),
            Inst::Trap => {
                self.push(CodeAction::Stuck, 1, 0, [0, 0]);
            }
            other => {
                self.code.rare.push(other);
                let number = self.code.rare.len() as u32 - 1;
                self.push(CodeAction::Rare, 1, 0, [number, 0]);
            }
        }
        Some(())
    }

    /// A place that holds a constant.
    fn constant(&mut self, word: u64) -> u32 {
        self.code.frame.push(word);
        self.code.frame.len() as u32 - 1
    }

    /// A copy; none if it is read once, soon, and what it is a copy of stays until then.
    fn copy(&mut self, pc: usize, end: usize, dst: Reg, src: Operand) {
        let place = self.place(src);
        if self.uses[dst.index()] == 1 && self.stays(pc, end, dst, place) {
            self.aliases[dst.index()] = Some(place);
            return;
        }
        self.push(CodeAction::Copy, 64, dst.as_u32(), [place, 0]);
    }

    /// Whether the one use of `dst` is near, and `place` is not changed before.
    fn stays(&self, pc: usize, end: usize, dst: Reg, place: u32) -> bool {
        let function = self.part.function;
        for inst in &function.code[pc + 1..end.min(pc + NEAR)] {
            let mut is_used = false;
            inst.for_each_use(function, |operand| is_used |= operand.as_reg() == Some(dst));
            if is_used {
                return !is_rare(inst);
            }
            let mut is_changed = false;
            inst.for_each_dst(function, |reg| is_changed |= reg.as_u32() == place || reg == dst);
            if is_changed {
                return false;
            }
        }
        false
    }

    fn compare(&mut self, pc: usize, end: usize, op: CmpOp, width: u32, dst: Reg, [a, b]: [Operand; 2]) -> usize {
        let (places, to) = ([self.place(a), self.place(b)], dst.as_u32());
        match self.part.function.code.get(pc + 1) {
            Some(&Inst::CondBr { cond, then, otherwise }) if pc + 1 < end && cond.as_reg() == Some(dst) => {
                let at = self.push(CodeAction::CompareJump(op), width, to, places);
                self.jumps.extend([(JumpTarget::Then(at), then), (JumpTarget::Other(at), otherwise)]);
                2
            }
            _ => {
                self.push(CodeAction::Compare(op), width, to, places);
                1
            }
        }
    }

    fn terminator(&mut self, inst: &Inst) {
        let function = self.part.function;
        match *inst {
            Inst::Br { edge } => {
                let at = self.push(CodeAction::Jump, 1, 0, [0, 0]);
                self.jumps.push((JumpTarget::Then(at), edge));
            }
            Inst::CondBr { cond, then, otherwise } => {
                let place = self.place(cond);
                let at = self.push(CodeAction::JumpIf, 1, 0, [place, 0]);
                self.jumps.extend([(JumpTarget::Then(at), then), (JumpTarget::Other(at), otherwise)]);
            }
            Inst::Switch { switch } => {
                let (place, switch) = (self.place(function.switches[switch].value), &function.switches[switch]);
                let number = self.code.switches.len();
                self.push(CodeAction::Switch, 1, 0, [place, number as u32]);
                let cases = switch.cases.iter().map(|(case, _)| (*case, 0)).collect();
                self.code.switches.push(CodeSwitch { cases, default: 0 });
                let of_case = |(at, (_, edge)): (usize, &(u64, EdgeId))| (JumpTarget::Case(number, at), *edge);
                self.jumps.extend(switch.cases.iter().enumerate().map(of_case));
                self.jumps.push((JumpTarget::Default(number), switch.default));
            }
            Inst::Ret { values } => {
                let places = function.lists[values].iter().map(|value| self.place(*value)).collect();
                self.code.returns.push(places);
                let number = self.code.returns.len() as u32 - 1;
                self.push(CodeAction::Return, 1, 0, [number, 0]);
            }
            _ => {
                self.push(CodeAction::Stuck, 1, 0, [0, 0]);
            }
        }
    }

    fn call(&mut self, call: &taw_ir::Call) {
        let callee = match call.callee {
            Callee::Direct(func) => CodeCallee::Function(func),
            Callee::Indirect(pointer) => CodeCallee::At(self.place(pointer)),
        };
        let args = call.args.iter().map(|arg| (self.place(arg.value), arg.ty.is_float())).collect();
        let dsts = call.dsts.iter().map(|dst| dst.as_u32()).collect();
        self.code.calls.push(CodeCall { callee, args, dsts });
        let number = self.code.calls.len() as u32 - 1;
        self.push(CodeAction::Call, 1, 0, [number, 0]);
    }

    /// A local variable of a function: made when it is called.
    fn local(&mut self, alloca: &taw_ir::Alloca) -> Option<()> {
        let count = self.code.frame[self.code.place(alloca.count) as usize];
        let size = alloca.size.checked_mul(count)?;
        self.code.locals.push(CodeLocal { to: alloca.dst.as_u32(), size, align: alloca.align });
        Some(())
    }

    /// Where each edge leads to.
    fn edges(&mut self) {
        let jumps = std::mem::take(&mut self.jumps);
        let mut edge_at: Vec<Option<u32>> = vec![None; self.part.function.edges.len()];
        for (target, edge) in jumps {
            let to = match edge_at[edge.index()] {
                Some(to) => to,
                None => self.edge(edge),
            };
            edge_at[edge.index()] = Some(to);
            match target {
                JumpTarget::Then(at) => self.code.operations[at].then = to,
                JumpTarget::Other(at) => self.code.operations[at].other = to,
                JumpTarget::Case(switch, at) => self.code.switches[switch].cases[at].1 = to,
                JumpTarget::Default(switch) => self.code.switches[switch].default = to,
            }
        }
    }

    fn edge(&mut self, edge: EdgeId) -> u32 {
        let edge = &self.part.function.edges[edge];
        let block_at = self.block_at[edge.to.index()];
        if let (true, Some(at)) = (edge.moves.is_empty(), block_at) {
            return at;
        }
        let at = self.code.operations.len() as u32;
        for &(dst, src) in &edge.moves {
            let place = self.code.place(src);
            self.push(CodeAction::Copy, 64, dst.as_u32(), [place, 0]);
        }
        match block_at {
            Some(to) => {
                let jump = self.push(CodeAction::Jump, 1, 0, [0, 0]);
                self.code.operations[jump].then = to;
            }
            None => {
                let exit = self.exit(edge.to);
                self.push(CodeAction::Exit, 1, 0, [exit, 0]);
            }
        }
        at
    }

    /// The number of the exit to a block, from 1.
    fn exit(&mut self, to: BlockId) -> u32 {
        if let Some(known) = self.code.exits.iter().position(|exit| exit.to == to) {
            return known as u32 + 1;
        }
        let live = self.part.liveness.into_iter().flat_map(|liveness| liveness.at_start(to));
        let registers = live.filter(|reg| self.part.changed[reg.index()]).map(Reg::as_u32).collect();
        self.code.exits.push(CodeExit { to, registers });
        self.code.exits.len() as u32
    }
}
