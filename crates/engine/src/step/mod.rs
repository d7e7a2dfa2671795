//! One instruction at a time: `step` names, for each instruction, the function that executes it.
//!
//! The loop is the hot path of everything: concrete operands are handled in line, all else in cold functions.

mod arith;
mod atomic;
mod bulk;
mod call;
mod checks;
mod control;
mod float;
mod layout;
mod memory;
mod pointer;
mod starting;
mod stub;
mod variadic;
mod whole;

use taw_ir::{Function, Inst, Reg};

use crate::cx::Cx;
use crate::memory::Memory;
use crate::stop::Stop;
use crate::value::{Value, mask, signed};

pub(crate) use arith::{bin_word, bit_word, cmp_word, overflow_word};
pub(crate) use float::{bin_word as float_bin_word, cmp_holds, format as float_format, ordering};
pub(crate) use variadic::Variadic;
use whole::Whole;

/// Where execution goes after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// To the next instruction.
    Next,
    /// The program counter is set.
    Jumped,
    /// The innermost call is another one.
    Frame,
}

impl<'p> Cx<'_, 'p> {
    /// Runs instructions of the innermost call until another becomes the innermost, a state is split off, or `left` is 0.
    pub(crate) fn run_frame(&mut self, left: &mut u64) -> Result<(), Stop> {
        let watches = self.passes_on() || self.engine.goals.watches(self.state.top.func) || self.takes_loops();
        match (self.engine.config.trace, watches) {
            (false, false) => self.run_instructions::<false, false>(left),
            (false, true) => self.run_instructions::<false, true>(left),
            (true, _) => self.run_instructions::<true, true>(left),
        }
    }

    fn run_instructions<const TRACE: bool, const WATCH: bool>(&mut self, left: &mut u64) -> Result<(), Stop> {
        let image = self.image;
        let func = self.state.top.func;
        let function = &self.engine.program.functions[func];
        self.consts = &image.consts[func];
        while *left > 0 {
            *left -= 1;
            let inst = &function.code[self.state.top.pc as usize];
            if WATCH {
                self.look_around();
                if self.take_loop(function) {
                    // On with what is behind the loop, or one of its exits was split off.
                    if !self.forks.is_empty() {
                        return Ok(());
                    }
                    continue;
                }
                self.make_used(inst, function)?;
            }
            if TRACE {
                self.trace_line(function);
            }
            let flow = self.step(inst, function)?;
            if TRACE && flow == Flow::Next {
                self.trace_change(inst, function);
            }
            match flow {
                Flow::Next => self.state.top.pc += 1,
                Flow::Jumped => {}
                Flow::Frame => return Ok(()),
            }
            if !self.forks.is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn step(&mut self, inst: &Inst, function: &'p Function) -> Result<Flow, Stop> {
        match *inst {
            Inst::Copy { dst, src } => self.set(dst, self.read(src)),
            Inst::Bin { op, flags, width, dst, a, b } => {
                if let (Some(x), Some(y)) = (self.read(a).plain_word(), self.read(b).plain_word())
                    && width <= 64
                    && !(flags.nsw && self.engine.config.checks.overflow)
                    && let Some(result) = arith::bin_word(op, width, x, y)
                {
                    let value = if self.has_address(width, x, y) {
                        self.with_address(op, self.read(a), self.read(b), result)
                    } else {
                        Value::word(result)
                    };
                    self.set(dst, value);
                } else {
                    self.bin_slow(op, flags, width, dst, a, b)?;
                }
            }
            Inst::Cmp { op, width, dst, a, b } => {
                if let (Some(x), Some(y)) = (self.read(a).plain_word(), self.read(b).plain_word())
                    && width <= 64
                {
                    // Equality of addresses, and their order within an object, are the same wherever the objects lie.
                    if self.has_address(width, x, y) && op.is_order() && !self.state.memory.in_one_slot(x, y) {
                        self.note_compared(op, self.read(a), self.read(b));
                    }
                    self.set(dst, Value::bool(arith::cmp_word(op, width, x, y)));
                } else {
                    self.cmp_slow(op, width, dst, a, b)?;
                }
            }
            Inst::Cast { op, from, to, dst, src } => match self.read(src).plain_word() {
                Some(x) if to <= 64 && from <= 64 && (to >= from || !self.has_address(from, x, x)) => {
                    let x = if op == taw_ir::CastOp::SExt { signed(x, from) as u64 } else { x };
                    self.set(dst, Value::word(x & mask(to)));
                }
                _ => self.cast_slow(op, from, to, dst, src),
            },
            Inst::Load { dst, ptr, width } => {
                let value = self.load(self.read(ptr), width)?;
                self.set(dst, value);
            }
            Inst::Store { ptr, value, width } => self.store(self.read(ptr), self.read(value), width)?,
            Inst::PtrAdd { dst, base, disp } => self.ptr_add(dst, base, disp),
            Inst::PtrIndex { dst, base, index, width, scale } => self.ptr_index(dst, base, index, width, scale),
            Inst::Br { edge } => return Ok(self.take_edge(function, edge)),
            Inst::CondBr { cond, then, otherwise } => return self.cond_br(function, cond, then, otherwise),
            Inst::Select { dst, cond, a, b, width } => self.select(width, dst, cond, a, b),
            Inst::Call { call } => return self.call(&function.calls[call]),
            Inst::Ret { values } => return self.ret(&function.lists[values]),
            ref other => return self.step_rare(other, function),
        }
        Ok(Flow::Next)
    }

    fn step_rare(&mut self, inst: &Inst, function: &'p Function) -> Result<Flow, Stop> {
        match *inst {
            Inst::Undef { dst } => self.undefine(function, dst),
            Inst::Overflow { op, width, dst, a, b } => self.overflow(op, width, dst, a, b),
            Inst::Bit { op, width, dst, a } => self.bit(op, width, dst, a),
            Inst::Funnel { left, width, dst, a, b, c } => self.funnel(left, width, dst, [a, b, c]),
            Inst::FloatUn { op, ty, dst, a } => self.float_un(op, ty, dst, a),
            Inst::FloatBin { op, ty, dst, a, b } => self.float_bin(op, ty, dst, a, b),
            Inst::Fma { ty, dst, a, b, c } => self.fma(ty, dst, [a, b, c]),
            Inst::FloatCmp { op, ty, dst, a, b } => self.float_cmp(op, ty, dst, a, b),
            Inst::FloatToFloat { from, to, dst, src } => self.float_to_float(from, to, dst, src),
            Inst::FloatToInt { from, to, signed, beyond, dst, src } => {
                self.float_to_int(from, Whole { to, signed }, beyond, dst, src)?;
            }
            Inst::IntToFloat { from, to, signed, dst, src } => self.int_to_float(from, to, signed, dst, src),
            Inst::FloatClass { mask, ty, dst, a } => self.float_class(mask, ty, dst, a),
            Inst::Alloca { alloca } => self.alloca(alloca, &function.allocas[alloca])?,
            Inst::MemCopy { dst, src, len, width } => {
                self.mem_copy(self.read(dst), self.read(src), self.read(len), width)?
            }
            Inst::MemSet { dst, byte, len, width } => {
                self.mem_set(self.read(dst), self.read(byte), self.read(len), width)?
            }
            Inst::LifetimeStart { ptr } => self.lifetime_start(function, ptr)?,
            Inst::LifetimeEnd { ptr } => self.lifetime_end(ptr),
            Inst::ObjectSize { dst, ptr, width, min } => self.object_size(dst, ptr, width, min),
            Inst::StackSave { dst } => self.set(dst, Value::word(self.state.top.locals.len() as u64)),
            Inst::StackRestore { mark } => self.stack_restore(mark),
            Inst::CmpXchg { dst, ptr, expected, new, width } => self.cmp_xchg(dst, ptr, expected, new, width)?,
            Inst::AtomicRmw { op, dst, ptr, value, width } => self.atomic_rmw(op, dst, ptr, value, width)?,
            Inst::VaStart { list } => self.va_start(list)?,
            Inst::VaEnd { .. } => {}
            Inst::VaCopy { dst, src } => self.va_copy(dst, src)?,
            Inst::VaArg { dst, list, ty } => self.va_arg(dst, list, ty)?,
            Inst::Require { cond, what } => self.require_what(self.read(cond), what)?,
            Inst::Condition { cond, then, otherwise, .. } => self.condition(function, cond, then, otherwise),
            Inst::Trap => {
                return Err(Stop::Bug(crate::FindingKind::Abort, "the program traps".to_owned()));
            }
            Inst::Unsupported { what } => return Err(Stop::Unsupported(function.unsupported[what].clone())),
            Inst::FrameAddress { dst } => self.frame_address(dst)?,
            Inst::ReturnAddress { dst, depth } => self.return_address(dst, depth),
            Inst::Switch { switch } => return self.switch(function, &function.switches[switch]),
            Inst::IndirectBr { addr, edges } => return self.indirect_br(function, addr, &function.edge_lists[edges]),
            Inst::Unreachable => {
                return Err(Stop::Bug(
                    crate::FindingKind::ReachedUnreachable,
                    "this place is declared unreachable".to_owned(),
                ));
            }
            _ => unreachable!("`step` handles {inst:?} itself"),
        }
        Ok(Flow::Next)
    }

    #[inline]
    fn ptr_add(&mut self, dst: Reg, base: taw_ir::Operand, disp: i64) {
        let bits = self.pointer_bits();
        let value = self.read(base);
        match value.as_word() {
            Some(word) => {
                let to = self.moved(value, word, disp);
                self.set(dst, to);
            }
            None => {
                let base = value.to_term(self.terms(), bits);
                let disp = self.terms().bv(bits, disp as u64);
                let t = self.terms().add(base, disp);
                let provenance = self.provenance_of(value);
                let value = self.value(t).with_provenance(provenance);
                self.set(dst, value);
            }
        }
    }

    #[inline]
    fn ptr_index(&mut self, dst: Reg, base: taw_ir::Operand, index: taw_ir::Operand, width: u32, scale: u32) {
        let bits = self.pointer_bits();
        let (from, by) = (self.read(base), self.read(index));
        if let (Some(b), Some(i)) = (from.as_word(), by.plain_word()) {
            let to = self.moved(from, b, signed(i, width).wrapping_mul(i64::from(scale)));
            return self.set(dst, to);
        }
        let provenance = self.provenance_of_sum(from, by);
        let (base, index) = (self.read_term(base, bits), self.read_term(index, width));
        let terms = self.terms();
        let index = if width < bits { terms.sext(index, bits) } else { terms.extract(index, 0, bits) };
        let scale = terms.bv(bits, u64::from(scale));
        let distance = terms.mul(index, scale);
        let t = terms.add(base, distance);
        let value = self.value(t).with_provenance(provenance);
        self.set(dst, value);
    }

    /// Whether one of two words of that width is an address. Asked in the step loop of nearly everything: most are not even large.
    #[inline]
    fn has_address(&self, width: u32, x: u64, y: u64) -> bool {
        let memory = &self.state.memory;
        width == memory.pointer_bits() && Memory::is_large(x | y) && (memory.is_address(x) || memory.is_address(y))
    }

    /// A pointer whose address is known, moved by a distance.
    #[inline]
    fn moved(&mut self, from: Value, word: u64, distance: i64) -> Value {
        let to = word.wrapping_add_signed(distance) & mask(self.pointer_bits());
        if from.plain_word().is_some() && self.state.memory.in_one_slot(word, to) {
            return Value::word(to);
        }
        self.stray(from, to)
    }
}
