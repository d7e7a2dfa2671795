//! Variadic arguments, as the platform's C compiler lays them out.
//!
//! x86-64: clang expands `va_arg` into code that looks first into a register area, then into an overflow area. We put all
//! arguments into the overflow area and mark the registers as used up. i386: the list is a pointer into the stack.

use taw_ir::{Arg, Operand, Reg, Ty};

use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::memory::{Kind, Region};
use crate::stop::Stop;
use crate::value::Value;

/// Offsets beyond the six general and eight vector registers of x86-64.
const GENERAL_USED_UP: u64 = 48;
const VECTOR_USED_UP: u64 = 176;

impl Cx<'_, '_> {
    /// Writes the extra arguments of a call side by side; the address.
    pub(super) fn variadic_area(&mut self, args: &[Arg]) -> Result<u64, Stop> {
        let mut offset = 0;
        let places: Vec<u64> = args.iter().map(|arg| self.place_argument(arg, &mut offset)).collect();
        let kind = Kind::Internal("the variadic arguments");
        let Some(base) = self.state.memory.allocate(Region::Stack, offset, 16, kind, 0) else {
            return Err(Stop::Bug(FindingKind::StackOverflow, "the arguments do not fit the stack".to_owned()));
        };
        for (arg, at) in args.iter().zip(places) {
            let value = self.read(arg.value);
            match arg.byval {
                Some(byval) => self.mem_copy(Value::word(base + at), value, Value::word(byval.size), 64)?,
                None => {
                    let width = arg.ty.bits(&self.engine.program.layout);
                    self.store(Value::word(base + at), value, width)?;
                }
            }
        }
        Ok(base)
    }

    /// Where the next argument goes; moves the offset behind it.
    fn place_argument(&self, arg: &Arg, offset: &mut u64) -> u64 {
        let slot = u64::from(self.pointer_bits() / 8);
        let (size, align) = match arg.byval {
            Some(byval) => (byval.size, byval.align),
            None => self.size_in_memory(arg.ty),
        };
        let align = if self.pointer_bits() == 64 { align.clamp(slot, 16) } else { slot };
        let at = offset.next_multiple_of(align);
        *offset = at + size.next_multiple_of(slot);
        at
    }

    /// Size and alignment of an argument.
    fn size_in_memory(&self, ty: Ty) -> (u64, u64) {
        let bytes = u64::from(ty.bits(&self.engine.program.layout).div_ceil(8));
        match ty {
            Ty::Float(taw_ir::FloatTy::F80) if self.pointer_bits() == 64 => (16, 16),
            Ty::Float(taw_ir::FloatTy::F80) => (12, 4),
            _ => (bytes, bytes.next_power_of_two()),
        }
    }

    pub(super) fn va_start(&mut self, list: Operand) -> Result<(), Stop> {
        let list = self.read(list);
        let bits = self.pointer_bits();
        let area = Value::word(self.state.top.variadic.unwrap_or_default());
        if bits != 64 {
            return self.store(list, area, bits);
        }
        self.store(list, Value::word(GENERAL_USED_UP), 32)?;
        let field = |cx: &mut Self, offset: u64| {
            let at = list.to_term(cx.terms(), 64);
            let offset = cx.terms().bv(64, offset);
            let at = cx.terms().add(at, offset);
            cx.value(at)
        };
        let (vector, overflow, registers) = (field(self, 4), field(self, 8), field(self, 16));
        self.store(vector, Value::word(VECTOR_USED_UP), 32)?;
        self.store(overflow, area, 64)?;
        self.store(registers, Value::word(0), 64)
    }

    pub(super) fn va_copy(&mut self, dst: Operand, src: Operand) -> Result<(), Stop> {
        let size = if self.pointer_bits() == 64 { 24 } else { 4 };
        self.mem_copy(self.read(dst), self.read(src), Value::word(size), self.pointer_bits())
    }

    /// LLVM's own `va_arg`.
    pub(super) fn va_arg(&mut self, dst: Reg, list: Operand, ty: Ty) -> Result<(), Stop> {
        let value = self.next_variadic(self.read(list), ty)?;
        self.set(dst, value);
        Ok(())
    }

    /// Reads the next argument of a list from the overflow area.
    ///
    /// # Errors
    /// If the list cannot be read.
    pub fn next_variadic(&mut self, list: Value, ty: Ty) -> Result<Value, Stop> {
        let bits = self.pointer_bits();
        let list = self.concretise(list, bits);
        let field = Value::word(if bits == 64 { list + 8 } else { list });
        let area = self.load(field, bits)?;
        let area = self.concretise(area, bits);
        let (size, align) = self.size_in_memory(ty);
        let slot = u64::from(bits / 8);
        let at = area.next_multiple_of(if bits == 64 { align.clamp(slot, 16) } else { slot });
        let width = ty.bits(&self.engine.program.layout);
        let value = self.load(Value::word(at), width)?;
        self.store(field, Value::word(at + size.next_multiple_of(slot)), bits)?;
        Ok(value)
    }
}
