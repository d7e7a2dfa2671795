//! Conversions.

use taw_ir::{Beyond, CastOp, FloatTy, Inst, IntOp, Operand, Ty};

use super::body::{FunctionBody, Parts, Unsupported};
use super::scalar::float;
use crate::llvm::{LlvmTypeKind, LlvmValue, Opcode};

impl<'m> FunctionBody<'_, 'm> {
    /// The type of the lanes of a result.
    fn lane_type(&mut self, i: LlvmValue<'m>) -> Ty {
        self.shape(i).scalars.first().copied().unwrap_or(Ty::Int(1))
    }

    pub(super) fn int_cast(&mut self, opcode: Opcode, i: LlvmValue<'m>) -> Parts {
        let op = match opcode {
            Opcode::LLVMTrunc => CastOp::Trunc,
            Opcode::LLVMZExt => CastOp::ZExt,
            _ => CastOp::SExt,
        };
        let to = self.lane_type(i);
        self.lanes1(i.operand(0), |body, src| body.resize(op, src, to))
    }

    /// A conversion between integers.
    pub(super) fn resize(&mut self, op: CastOp, src: Operand, ty: Ty) -> Operand {
        let (from, to) = (self.width(self.type_of(src)), self.width(ty));
        self.compute(ty, |dst| Inst::Cast { op, from, to, dst, src })
    }

    /// Zero-extends or truncates, or copies if only the type differs, or does nothing.
    pub(super) fn fit(&mut self, src: Operand, ty: Ty) -> Operand {
        let from = self.type_of(src);
        match self.width(from).cmp(&self.width(ty)) {
            std::cmp::Ordering::Less => self.resize(CastOp::ZExt, src, ty),
            std::cmp::Ordering::Greater => self.resize(CastOp::Trunc, src, ty),
            std::cmp::Ordering::Equal if from == ty => src,
            std::cmp::Ordering::Equal => self.compute(ty, |dst| Inst::Copy { dst, src }),
        }
    }

    pub(super) fn pointer_cast(&mut self, i: LlvmValue<'m>) -> Parts {
        let to = self.lane_type(i);
        self.lanes1(i.operand(0), |body, src| body.fit(src, to))
    }

    pub(super) fn float_cast(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let (from, to) = (self.float_of(i.operand(0))?, float(self.lane_type(i))?);
        Ok(self.lanes1(i.operand(0), |body, src| {
            body.compute(Ty::Float(to), |dst| Inst::FloatToFloat { from, to, dst, src })
        }))
    }

    pub(super) fn float_int_cast(&mut self, opcode: Opcode, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        match opcode {
            Opcode::LLVMFPToUI => self.float_to_int(i, false),
            Opcode::LLVMFPToSI => self.float_to_int(i, true),
            Opcode::LLVMUIToFP => self.int_to_float(i, false),
            _ => self.int_to_float(i, true),
        }
    }

    /// A conversion as C has it.
    pub(super) fn float_to_int(&mut self, i: LlvmValue<'m>, signed: bool) -> Result<Parts, Unsupported> {
        let from = self.float_of(i.operand(0))?;
        let ty = self.lane_type(i);
        let to = self.width(ty);
        let is_vector = i.ty().kind() == LlvmTypeKind::Vector;
        let beyond = if is_vector { beyond_of_vectors(to, signed) } else { self.beyond(from, to, signed) };
        self.float_to_int_or(i, signed, beyond)
    }

    pub(super) fn float_to_int_or(
        &mut self,
        i: LlvmValue<'m>,
        signed: bool,
        beyond: Beyond,
    ) -> Result<Parts, Unsupported> {
        let from = self.float_of(i.operand(0))?;
        let ty = self.lane_type(i);
        let to = self.width(ty);
        Ok(self.lanes1(i.operand(0), |body, src| {
            body.compute(ty, |dst| Inst::FloatToInt { from, to, signed, beyond, dst, src })
        }))
    }

    /// What clang's code for x86 gives beyond the range; measured at -O0 and -O2, which agree.
    ///
    /// The narrow types are made of what the machine has: 32 or 64 signed bits of SSE registers, 16, 32 or 64 of x87's. On
    /// 32 bits all floats go through x87. Quadruple precision is a library's, and so is all above 64 bits, where libraries differ.
    fn beyond(&self, from: FloatTy, to: u32, signed: bool) -> Beyond {
        let needed = if signed { to } else { to + 1 };
        let is_x87 = from == FloatTy::F80 || self.cx.program.layout.pointer_bits == 32;
        match from {
            FloatTy::F128 if to == 32 || to >= 64 => Beyond::Soft,
            FloatTy::F128 => Beyond::Open,
            _ if to > 64 => Beyond::Open,
            _ if is_x87 && needed <= 16 => Beyond::Low16,
            _ if needed <= 32 => Beyond::Low32,
            _ if needed <= 64 => Beyond::Low64,
            _ if is_x87 => Beyond::X87,
            _ => Beyond::Halves,
        }
    }

    pub(super) fn int_to_float(&mut self, i: LlvmValue<'m>, signed: bool) -> Result<Parts, Unsupported> {
        let to = float(self.lane_type(i))?;
        Ok(self.lanes1(i.operand(0), |body, src| {
            let from = body.width(body.type_of(src));
            body.compute(Ty::Float(to), |dst| Inst::IntToFloat { from, to, signed, dst, src })
        }))
    }

    /// A bit cast: the bits stay, their division into scalars changes.
    pub(super) fn bit_cast(&mut self, i: LlvmValue<'m>) -> Parts {
        let to = self.shape(i);
        let from = self.value(i.operand(0));
        self.regroup(from, &to.scalars)
    }

    /// The bits of some scalars as scalars of other types: the first is the lowest (on little-endian machines).
    pub(super) fn regroup(&mut self, from: Parts, to: &[Ty]) -> Parts {
        let same = from.len() == to.len()
            && from.iter().zip(to).all(|(&part, &ty)| self.width(self.type_of(part)) == self.width(ty));
        if same {
            return from.into_iter().zip(to).map(|(part, &ty)| self.fit(part, ty)).collect();
        }
        let big = self.cx.program.layout.big_endian;
        let turned = |parts: Parts| -> Parts { if big { parts.into_iter().rev().collect() } else { parts } };
        let from = turned(from);
        let to: Vec<Ty> = if big { to.iter().rev().copied().collect() } else { to.to_vec() };
        let mut start = 0;
        let parts = to
            .iter()
            .map(|&ty| {
                let end = start + self.width(ty);
                let part = self.gather(&from, start, end, ty);
                start = end;
                part
            })
            .collect();
        turned(parts)
    }

    /// The bits from `start` to `end` of the concatenation of some scalars.
    fn gather(&mut self, from: &Parts, start: u32, end: u32, ty: Ty) -> Operand {
        let whole = Ty::Int(end - start);
        let mut found: Option<Operand> = None;
        let mut at = 0;
        for &part in from {
            let next = at + self.width(self.type_of(part));
            let (low, high) = (at.max(start), next.min(end));
            if low < high {
                let piece = self.slice(part, low - at, high - at);
                let piece = self.fit(piece, whole);
                let piece = self.shifted(piece, whole, low - start);
                found = Some(match found {
                    Some(before) => self.binary(IntOp::Or, whole, before, piece),
                    None => piece,
                });
            }
            at = next;
        }
        match found {
            Some(bits) => self.fit(bits, ty),
            None => self.undef(ty),
        }
    }

    /// Some bits of a scalar.
    fn slice(&mut self, part: Operand, low: u32, high: u32) -> Operand {
        let width = self.width(self.type_of(part));
        let bits = self.fit(part, Ty::Int(width));
        if (low, high) == (0, width) {
            return bits;
        }
        let amount = self.number(Ty::Int(width), u64::from(low));
        let moved = if low == 0 { bits } else { self.binary(IntOp::LShr, Ty::Int(width), bits, amount) };
        self.fit(moved, Ty::Int(high - low))
    }

    fn shifted(&mut self, bits: Operand, ty: Ty, left: u32) -> Operand {
        if left == 0 {
            return bits;
        }
        let amount = self.number(ty, u64::from(left));
        self.binary(IntOp::Shl, ty, bits, amount)
    }
}

/// What vectors give for numbers that do not fit: their narrow elements are packed by instructions that depend on how many there are.
fn beyond_of_vectors(to: u32, signed: bool) -> Beyond {
    match (to, signed) {
        (32, true) => Beyond::Low32,
        (64, true) => Beyond::Low64,
        (32 | 64, false) => Beyond::Halves,
        _ => Beyond::Open,
    }
}
