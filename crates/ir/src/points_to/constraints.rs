//! What each instruction makes of the sets.

use super::calls::CallSite;
use super::solve::{Loaded, NUMBER, PointerNode, PointerRule, PointerSolver, SetPassing};
use super::{AbstractObject, PointsToObstacle};
use crate::function::{Callee, Function};
use crate::inst::{Inst, IntOp, Operand};
use crate::program::{CallId, ConstValue, FuncId, Reg, Symbol, Ty};

impl<'p> PointerSolver<'p> {
    /// Everything that a function does.
    pub(super) fn constrain(&mut self, func: FuncId) {
        let function = &self.program.functions[func];
        for (id, data) in &function.consts {
            let node = self.operand(func, Operand::constant(id));
            self.constant(node, data);
        }
        for edge in function.edges.values() {
            for &(dst, src) in &edge.moves {
                self.moved(func, src, dst);
            }
        }
        let held = HeldPointers::new(function);
        for inst in &function.code {
            self.instruction(func, function, inst, &held);
        }
    }

    fn instruction(&mut self, func: FuncId, function: &'p Function, inst: &Inst, held: &HeldPointers) {
        match *inst {
            Inst::Copy { dst, src } => self.moved(func, src, dst),
            Inst::Select { dst, a, b, .. } => [a, b].into_iter().for_each(|src| self.moved(func, src, dst)),
            Inst::Bin { op: IntOp::Sub, dst, a, b, .. } if held.is_one(function, a, b) => {
                self.put(self.register(func, dst), NUMBER);
            }
            Inst::Bin { op, dst, a, b, .. } => self.computed(func, op, dst, a, b),
            Inst::PtrAdd { dst, base, .. } => {
                self.moved(func, base, dst);
                if is_null(function, base) {
                    self.add(self.register(func, dst), AbstractObject::Nowhere);
                }
            }
            Inst::PtrIndex { dst, base, index, .. } => {
                self.moved(func, base, dst);
                if is_null(function, base) {
                    let (from, to) = (self.operand(func, index), self.register(func, dst));
                    self.include(from, to, SetPassing::Cast);
                }
            }
            Inst::Alloca { alloca } => {
                let dst = self.register(func, function.allocas[alloca].dst);
                self.add(dst, AbstractObject::Local(func, alloca));
            }
            Inst::Load { dst, ptr, .. } => self.load(func, function, ptr, dst),
            Inst::Store { ptr, value, .. } => self.store(func, ptr, value),
            Inst::CmpXchg { dst, ptr, new, .. } => {
                self.load(func, function, ptr, dst);
                self.store(func, ptr, new);
                self.put(self.register(func, Reg::from_u32(dst.as_u32() + 1)), NUMBER);
            }
            Inst::AtomicRmw { dst, ptr, value, .. } => {
                self.load(func, function, ptr, dst);
                self.store(func, ptr, value);
            }
            Inst::MemCopy { dst, src, .. } | Inst::VaCopy { dst, src } => {
                let moved = self.node();
                let (from, to) = (self.operand(func, src), self.operand(func, dst));
                self.rule(from, PointerRule::Load(moved, Loaded::Pointer));
                self.rule(to, PointerRule::Store(moved));
            }
            Inst::VaStart { list } => {
                let (list, further) = (self.operand(func, list), self.node());
                self.add(further, AbstractObject::Further(func));
                self.rule(list, PointerRule::Store(further));
            }
            Inst::VaArg { dst, list, .. } => {
                let (list, area, to) = (self.operand(func, list), self.node(), self.register(func, dst));
                self.rule(list, PointerRule::Load(area, Loaded::Pointer));
                let loaded = loaded(function, dst);
                self.rule(area, PointerRule::Load(to, loaded));
            }
            Inst::Undef { .. } => {}
            Inst::FrameAddress { dst } => self.add(self.register(func, dst), AbstractObject::Anything),
            Inst::Unsupported { what } => self.give_up(PointsToObstacle::Unsupported(func, what)),
            Inst::Call { call } => self.called_at(func, function, call),
            Inst::Ret { values } => {
                let results = self.functions[func].expect("it may run").results;
                for (at, &value) in function.lists[values].iter().enumerate().take(function.returns.len()) {
                    let from = self.operand(func, value);
                    let passing = cast(self.type_of(func, value), function.returns[at]);
                    self.include(from, results + at as PointerNode, passing);
                }
            }
            _ => self.other(func, function, inst),
        }
    }

    /// What gives numbers only, or numbers made of what it reads.
    fn other(&mut self, func: FuncId, function: &Function, inst: &Inst) {
        let is_made_of_operands = matches!(
            inst,
            Inst::Cast { .. }
                | Inst::Overflow { .. }
                | Inst::Bit { .. }
                | Inst::Funnel { .. }
                | Inst::FloatUn { .. }
                | Inst::FloatBin { .. }
                | Inst::Fma { .. }
                | Inst::FloatToFloat { .. }
                | Inst::FloatToInt { .. }
                | Inst::IntToFloat { .. }
        );
        let mut written = Vec::new();
        inst.for_each_dst(function, |dst| written.push(dst));
        for dst in written.into_iter().filter(|dst| function.regs[*dst].ty != Ty::Ptr) {
            let to = self.register(func, dst);
            self.put(to, NUMBER);
            if is_made_of_operands {
                let mut read = Vec::new();
                inst.for_each_use(function, |operand| read.extend(operand.as_reg()));
                read.into_iter().for_each(|reg| self.include(self.register(func, reg), to, SetPassing::Whole));
            }
        }
    }

    /// The sum of an address and a constant is an address, and so is one without its low bits; what else comes out may be any number.
    fn computed(&mut self, func: FuncId, op: IntOp, dst: Reg, a: Operand, b: Operand) {
        let to = self.register(func, dst);
        let keeps = matches!(op, IntOp::Add | IntOp::Sub | IntOp::And | IntOp::Or | IntOp::Xor);
        if !keeps {
            self.put(to, NUMBER);
        }
        for reg in [a, b].into_iter().filter_map(Operand::as_reg) {
            self.include(self.register(func, reg), to, SetPassing::Whole);
        }
        let symbols = |operand: &Operand| operand.as_const().is_some();
        for operand in [a, b].into_iter().filter(symbols) {
            if !self.is_plain(func, operand) {
                let from = self.operand(func, operand);
                self.include(from, to, SetPassing::Whole);
            }
        }
        // Two addresses make anything.
        if a.as_reg().is_some() && b.as_reg().is_some() && op != IntOp::And {
            self.put(to, NUMBER);
        }
    }

    /// Whether a constant is a number.
    fn is_plain(&self, func: FuncId, operand: Operand) -> bool {
        let data = operand.as_const().map(|id| &self.program.functions[func].consts[id].value);
        matches!(data, Some(ConstValue::Bits(_) | ConstValue::Undef))
    }

    fn moved(&mut self, func: FuncId, src: Operand, dst: Reg) {
        let passing = cast(self.type_of(func, src), self.program.functions[func].regs[dst].ty);
        let (from, to) = (self.operand(func, src), self.register(func, dst));
        self.include(from, to, passing);
    }

    fn type_of(&self, func: FuncId, operand: Operand) -> Ty {
        let function = &self.program.functions[func];
        match operand.as_const() {
            Some(id) => function.consts[id].ty,
            None => operand.as_reg().map_or(Ty::Ptr, |reg| function.regs[reg].ty),
        }
    }

    fn load(&mut self, func: FuncId, function: &Function, ptr: Operand, dst: Reg) {
        let (from, to) = (self.operand(func, ptr), self.register(func, dst));
        self.rule(from, PointerRule::Load(to, loaded(function, dst)));
    }

    fn store(&mut self, func: FuncId, ptr: Operand, value: Operand) {
        let (to, from) = (self.operand(func, ptr), self.operand(func, value));
        self.rule(to, PointerRule::Store(from));
    }

    fn called_at(&mut self, func: FuncId, function: &Function, call: CallId) {
        let site = CallSite { caller: func, call };
        match function.calls[call].callee {
            Callee::Direct(callee) => self.call(site, callee),
            Callee::Indirect(callee) => {
                self.calls.push(site);
                let node = self.operand(func, callee);
                self.rule(node, PointerRule::Call(self.calls.len() - 1));
            }
        }
    }
}

fn loaded(function: &Function, dst: Reg) -> Loaded {
    if function.regs[dst].ty == Ty::Ptr { Loaded::Pointer } else { Loaded::Bytes }
}

fn cast(from: Ty, to: Ty) -> SetPassing {
    if to == Ty::Ptr && from != Ty::Ptr { SetPassing::Cast } else { SetPassing::Whole }
}

fn is_null(function: &Function, operand: Operand) -> bool {
    let value = operand.as_const().map(|id| &function.consts[id].value);
    matches!(value, Some(ConstValue::Bits(words)) if words.iter().all(|word| *word == 0))
}

/// Registers that hold a pointer as an integer and nothing else: their difference is no address. Compilers write `p - q` like that.
struct HeldPointers(Vec<Held>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Nothing,
    Pointer,
    Other,
}

impl HeldPointers {
    fn new(function: &Function) -> Self {
        let mut held = vec![Held::Nothing; function.regs.len()];
        let mut note = |dst: Reg, is_pointer: bool| {
            let held = &mut held[dst.as_u32() as usize];
            *held = if is_pointer && *held != Held::Other { Held::Pointer } else { Held::Other };
        };
        for inst in &function.code {
            match *inst {
                Inst::Copy { dst, src } => note(dst, is_pointer(function, src)),
                _ => inst.for_each_dst(function, |dst| note(dst, false)),
            }
        }
        for edge in function.edges.values() {
            edge.moves.iter().for_each(|(dst, _)| note(*dst, false));
        }
        function.params.iter().for_each(|param| note(param.reg, false));
        HeldPointers(held)
    }

    fn is_one(&self, function: &Function, a: Operand, b: Operand) -> bool {
        let is_held = |operand: Operand| match operand.as_reg() {
            Some(reg) => self.0[reg.as_u32() as usize] == Held::Pointer,
            None => is_address(function, operand),
        };
        is_held(a) && is_held(b)
    }
}

fn is_pointer(function: &Function, operand: Operand) -> bool {
    match operand.as_reg() {
        Some(reg) => function.regs[reg].ty == Ty::Ptr,
        None => is_address(function, operand),
    }
}

fn is_address(function: &Function, operand: Operand) -> bool {
    let value = operand.as_const().map(|id| &function.consts[id].value);
    matches!(value, Some(ConstValue::Address(Symbol::Global(_) | Symbol::Function(_), _)))
}
