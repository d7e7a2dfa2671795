//! Variadic arguments, as the platform's C compiler lays them out.
//!
//! x86-64: clang expands `va_arg` into code that looks first into an area where the callee has saved the registers, then into
//! the overflow area, which is the caller's stack. Arguments go where the machine's convention puts them. The registers that
//! are left over are taken as used up, so that an argument too many is read past the end of the overflow area, which is an
//! error. i386: the list is a pointer into the stack.

use taw_ir::{CallArg, FloatTy, Operand, Param, Passing, Reg, Ty};

use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::memory::{ObjectKind, Region};
use crate::stop::Stop;
use crate::value::Value;

/// The variadic arguments of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variadic {
    /// The area of saved registers, and behind it the overflow area.
    area: u64,
    /// Offset of the first general register that was saved.
    general: u64,
    /// Offset of the first vector register that was saved.
    vector: u64,
}

impl Variadic {
    /// The object that holds them.
    pub(super) fn area(self) -> u64 {
        self.area
    }
}

/// Offsets in the area of saved registers: six general ones of 8 bytes, eight vector ones of 16.
const GENERAL_END: u64 = 48;
const VECTOR_END: u64 = 176;

/// Registers that are left for arguments.
#[derive(Clone, Copy)]
struct Left {
    general: u64,
    vector: u64,
}

/// Where an argument is.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    General(u64),
    Vector,
    Memory,
}

impl Left {
    /// Takes the registers of a class, if there are enough.
    fn take(&mut self, class: Class) -> bool {
        let (left, count) = match class {
            Class::General(count) => (&mut self.general, count),
            Class::Vector => (&mut self.vector, 1),
            Class::Memory => return false,
        };
        let is_enough = *left >= count;
        *left -= if is_enough { count } else { 0 };
        is_enough
    }
}

fn class(ty: Ty) -> Class {
    match ty {
        Ty::Ptr => Class::General(1),
        Ty::Int(bits) if bits <= 128 => Class::General(u64::from(bits.div_ceil(64))),
        Ty::Int(_) | Ty::Float(FloatTy::F80) => Class::Memory,
        Ty::Float(_) => Class::Vector,
    }
}

impl Cx<'_, '_> {
    /// Writes the extra arguments of a call where `va_arg` looks for them.
    pub(super) fn variadic_area(&mut self, params: &[Param], args: &[CallArg]) -> Result<Variadic, Stop> {
        let is_wide = self.pointer_bits() == 64;
        let mut left = if is_wide { Left { general: 6, vector: 8 } } else { Left { general: 0, vector: 0 } };
        pass_named(params, &mut left);
        let (named, mut offset) = (left, if is_wide { VECTOR_END } else { 0 });
        let mut in_memory = Vec::new();
        for arg in args {
            let class = if arg.byval.is_some() { Class::Memory } else { class(arg.ty) };
            in_memory.push(if left.take(class) { None } else { Some(self.place_argument(arg, &mut offset)) });
        }
        let mut general = GENERAL_END - 8 * (named.general - left.general);
        let mut vector = VECTOR_END - 16 * (named.vector - left.vector);
        let starts = (general, vector);
        let kind = ObjectKind::Internal("the variadic arguments");
        let align = args.iter().filter_map(|arg| Some(arg.byval?.align)).fold(16, u64::max);
        let Some(base) = self.state.memory.allocate(Region::Stack, offset, align, kind, 0) else {
            return Err(Stop::Bug(FindingKind::StackOverflow, "the arguments do not fit the stack".to_owned()));
        };
        for (arg, place) in args.iter().zip(in_memory) {
            let (next, size) = match class(arg.ty) {
                Class::General(count) => (&mut general, 8 * count),
                _ => (&mut vector, 16),
            };
            let at = place.unwrap_or(*next);
            *next += if place.is_none() { size } else { 0 };
            self.write_argument(arg, base + at)?;
        }
        Ok(Variadic { area: base, general: starts.0, vector: starts.1 })
    }

    fn write_argument(&mut self, arg: &CallArg, at: u64) -> Result<(), Stop> {
        let value = self.read(arg.value);
        match arg.byval {
            Some(byval) => self.mem_copy(Value::word(at), value, Value::word(byval.size), 64),
            None => {
                let width = arg.ty.bits(&self.engine.program.layout);
                self.store(Value::word(at), value, width)
            }
        }
    }

    /// Where the next argument goes in memory; moves the offset behind it.
    fn place_argument(&self, arg: &CallArg, offset: &mut u64) -> u64 {
        let slot = u64::from(self.pointer_bits() / 8);
        let (size, align) = match arg.byval {
            Some(byval) => (byval.size, byval.align),
            None => self.size_in_memory(arg.ty),
        };
        let align = if self.pointer_bits() == 64 { align.max(slot) } else { slot };
        let at = offset.next_multiple_of(align);
        *offset = at + size.next_multiple_of(slot);
        at
    }

    /// Size and alignment of an argument.
    fn size_in_memory(&self, ty: Ty) -> (u64, u64) {
        let bytes = u64::from(ty.bits(&self.engine.program.layout).div_ceil(8));
        match ty {
            Ty::Float(FloatTy::F80) if self.pointer_bits() == 64 => (16, 16),
            Ty::Float(FloatTy::F80) => (12, 4),
            _ => (bytes, bytes.next_power_of_two().min(16)),
        }
    }

    pub(super) fn va_start(&mut self, list: Operand) -> Result<(), Stop> {
        let list = self.read(list);
        let bits = self.pointer_bits();
        let Variadic { area, general, vector } = match self.state.top.variadic {
            Some(variadic) => variadic,
            // The entry: what else its caller passes is not tried.
            None => Variadic { area: self.arguments_not_tried()?, general: GENERAL_END, vector: VECTOR_END },
        };
        if bits != 64 {
            return self.store(list, Value::word(area), bits);
        }
        let field = |cx: &mut Self, offset: u64| {
            let at = list.to_term(cx.terms(), 64);
            let offset = cx.terms().bv(64, offset);
            let at = cx.terms().add(at, offset);
            cx.value(at)
        };
        let (of_vector, of_overflow, of_registers) = (field(self, 4), field(self, 8), field(self, 16));
        self.store(list, Value::word(general), 32)?;
        self.store(of_vector, Value::word(vector), 32)?;
        self.store(of_overflow, Value::word(area + VECTOR_END), 64)?;
        self.store(of_registers, Value::word(area), 64)
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

    /// Reads the next argument of a list.
    ///
    /// # Errors
    /// If the list cannot be read.
    pub fn next_variadic(&mut self, list: Value, ty: Ty) -> Result<Value, Stop> {
        let bits = self.pointer_bits();
        let list = self.concretise(list, bits);
        if bits == 64
            && let Some(value) = self.next_in_registers(list, ty)?
        {
            return Ok(value);
        }
        let field = Value::word(if bits == 64 { list + 8 } else { list });
        let area = self.load(field, bits)?;
        let area = self.concretise(area, bits);
        let (size, align) = self.size_in_memory(ty);
        let slot = u64::from(bits / 8);
        let at = area.next_multiple_of(if bits == 64 { align.max(slot) } else { slot });
        let width = ty.bits(&self.engine.program.layout);
        let value = self.load(Value::word(at), width)?;
        self.store(field, Value::word(at + size.next_multiple_of(slot)), bits)?;
        Ok(value)
    }

    fn next_in_registers(&mut self, list: u64, ty: Ty) -> Result<Option<Value>, Stop> {
        let (field, size, end) = match class(ty) {
            Class::General(count) => (list, 8 * count, GENERAL_END),
            Class::Vector => (list + 4, 16, VECTOR_END),
            Class::Memory => return Ok(None),
        };
        let offset = self.load(Value::word(field), 32)?;
        let offset = self.concretise(offset, 32);
        if offset + size > end {
            return Ok(None);
        }
        let area = self.load(Value::word(list + 16), 64)?;
        let area = self.concretise(area, 64);
        let value = self.load(Value::word(area.wrapping_add(offset)), ty.bits(&self.engine.program.layout))?;
        self.store(Value::word(field), Value::word(offset + size), 32)?;
        Ok(Some(value))
    }
}

/// Takes the registers of the parameters that are named. The parts of a vector share one.
fn pass_named(params: &[Param], left: &mut Left) {
    let mut shared = 0;
    for param in params.iter().filter(|p| p.byval.is_none()) {
        let is_part = param.passing == Passing::Part && class(param.ty) == Class::Vector;
        let bits = if let Ty::Float(float) = param.ty { float.bits() } else { 0 };
        if !is_part || shared == 0 {
            left.take(class(param.ty));
        }
        shared = if is_part { (shared + bits) % 128 } else { 0 };
    }
}
