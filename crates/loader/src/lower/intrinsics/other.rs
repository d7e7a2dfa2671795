//! Hints, variable arguments, traps, addresses, and what has no meaning when interpreted.

use taw_ir::{Inst, Operand, Requirement, Ty};

use super::IntrinsicResult;
use crate::llvm::LlvmValue;
use crate::lower::body::{FunctionBody, Parts};
use crate::lower::control::requirement_of_trap;

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn other_intrinsic(&mut self, i: LlvmValue<'m>, name: &str) -> IntrinsicResult {
        match name {
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "threadlocal.address"
            | "ssa.copy"
            | "annotation"
            | "ptr.annotation"
            | "arithmetic.fence"
            | "canonicalize"
            | "preserve.array.access.index"
            | "preserve.struct.access.index"
            | "preserve.union.access.index" => {
                return Ok(Some(self.value(i.operand(0))));
            }
            "assume" => self.assume(i),
            "va_start" => self.on_list(i, |list| Inst::VaStart { list }),
            "va_end" => self.on_list(i, |list| Inst::VaEnd { list }),
            "va_copy" => {
                let (dst, src) = (self.scalar(i.operand(0)), self.scalar(i.operand(1)));
                self.emit(Inst::VaCopy { dst, src });
            }
            "ubsantrap" if let Some(what) = requirement_of_trap(i) => {
                let cond = self.number(Ty::Int(1), 0);
                self.emit(Inst::Require { cond, what });
            }
            "trap" | "debugtrap" | "ubsantrap" => self.emit(Inst::Trap),
            "frameaddress" if i.operand(0).as_u64() != Some(0) => {
                return Err("the address of a caller's frame".to_string());
            }
            "returnaddress" => {
                let depth = i.operand(0).as_u64().and_then(|depth| depth.try_into().ok()).unwrap_or(u32::MAX);
                return Ok(Some(Parts::from_elem(self.compute(Ty::Ptr, |dst| Inst::ReturnAddress { dst, depth }), 1)));
            }
            "frameaddress" | "addressofreturnaddress" | "sponentry" => {
                return Ok(Some(Parts::from_elem(self.compute(Ty::Ptr, |dst| Inst::FrameAddress { dst }), 1)));
            }
            "eh.sjlj.setjmp" => {
                let buffer = self.scalar(i.operand(0));
                let result = self.call_library("taw_builtin_setjmp", &[buffer], Some(Ty::Int(32)));
                return Ok(Some(Parts::from_elem(result, 1)));
            }
            "eh.sjlj.longjmp" => {
                let buffer = self.scalar(i.operand(0));
                self.call_library("taw_builtin_longjmp", &[buffer], None);
            }
            // To nearest: changing the mode is not modelled.
            "get.rounding" => return Ok(Some(Parts::from_elem(self.number(Ty::Int(32), 1), 1))),
            "is.constant" => return Ok(Some(self.bit_of(i.operand(0).is_constant()))),
            "allow.runtime.check" | "allow.ubsan.check" => return Ok(Some(self.bit_of(true))),
            // Read or written by nothing that is executed.
            "invariant.start" => return Ok(Some(self.value_without_meaning(i))),
            "donothing"
            | "sideeffect"
            | "prefetch"
            | "experimental.noalias.scope.decl"
            | "invariant.end"
            | "x86.sse2.pause"
            | "x86.sse.sfence"
            | "x86.sse2.lfence"
            | "x86.sse2.mfence"
            | "var.annotation"
            | "codeview.annotation"
            | "pseudoprobe"
            | "instrprof.increment"
            | "fake.use"
            | "clear_cache"
            | "dbg.declare"
            | "dbg.value"
            | "dbg.label"
            | "dbg.assign" => {
                return Ok(Some(self.value_without_meaning(i)));
            }
            _ => return Ok(None),
        }
        Ok(Some(Parts::new()))
    }

    /// A promise that is trivially kept needs no check.
    fn assume(&mut self, i: LlvmValue<'m>) {
        let cond = self.scalar(i.operand(0));
        if self.known_bit(cond) != Some(true) {
            self.emit(Inst::Require { cond, what: Requirement::Promise });
        }
    }

    fn on_list(&mut self, i: LlvmValue<'m>, make: impl FnOnce(Operand) -> Inst) {
        let list = self.scalar(i.operand(0));
        self.emit(make(list));
    }

    fn bit_of(&mut self, value: bool) -> Parts {
        Parts::from_elem(self.number(Ty::Int(1), u64::from(value)), 1)
    }

    pub(in crate::lower) fn value_without_meaning(&mut self, i: LlvmValue<'m>) -> Parts {
        let shape = self.shape(i);
        shape.scalars.iter().map(|&ty| self.undef(ty)).collect()
    }
}
