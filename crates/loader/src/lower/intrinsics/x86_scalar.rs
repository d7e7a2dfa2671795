//! Scalar integer instructions of x86 that have intrinsics of their own: carries, CRC-32C, bit fields, products without carry.

use taw_ir::{CastOp, CmpOp, Inst, IntOp, Operand, OverflowOp, Ty};

use super::IntrinsicResult;
use super::x86::operation;
use crate::llvm::LlvmValue;
use crate::lower::body::{FunctionBody, Parts};

/// Castagnoli's polynomial, lowest bit first.
const CASTAGNOLI: u64 = 0x82f6_3b78;

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn x86_scalar_intrinsic(&mut self, i: LlvmValue<'m>, name: &str) -> IntrinsicResult {
        let Some(name) = operation(name) else { return Ok(None) };
        let one = |part| Parts::from_elem(part, 1);
        Ok(Some(match name {
            "addcarry.32" | "addcarry.64" => self.with_carry(i, OverflowOp::UAdd),
            "subborrow.32" | "subborrow.64" => self.with_carry(i, OverflowOp::USub),
            "crc32.32.8" | "crc32.32.16" | "crc32.32.32" | "crc32.64.64" => one(self.crc(i)),
            "pext.32" | "pext.64" => one(self.gathered_bits(i)),
            "pdep.32" | "pdep.64" => one(self.scattered_bits(i)),
            "bzhi.32" | "bzhi.64" => {
                let (a, count) = (self.scalar(i.operand(0)), self.scalar(i.operand(1)));
                let count = self.op_number(IntOp::And, count, 0xff);
                one(self.low_bits(a, count))
            }
            "bextr.32" | "bextr.64" => one(self.bit_field(i)),
            "pclmulqdq" => self.product_without_carry(i),
            _ => return Ok(None),
        }))
    }

    /// A sum or difference with a carry in and out: the carry (8 bits), then the number.
    fn with_carry(&mut self, i: LlvmValue<'m>, op: OverflowOp) -> Parts {
        let (carry, a, b) = (self.scalar(i.operand(0)), self.scalar(i.operand(1)), self.scalar(i.operand(2)));
        let ty = self.type_of(a);
        let zero = self.number(Ty::Int(8), 0);
        let carry = self.compare(CmpOp::Ne, carry, zero);
        let carry = self.resize(CastOp::ZExt, carry, ty);
        let (first, over) = self.overflowing(op, a, b);
        let (result, over_again) = self.overflowing(op, first, carry);
        let over = self.op(IntOp::Or, over, over_again);
        let over = self.resize(CastOp::ZExt, over, Ty::Int(8));
        [over, result].into_iter().collect()
    }

    fn overflowing(&mut self, op: OverflowOp, a: Operand, b: Operand) -> (Operand, Operand) {
        let ty = self.type_of(a);
        let width = self.width(ty);
        let dst = self.register(ty);
        let flag = self.register(Ty::Int(1));
        self.emit(Inst::Overflow { op, width, dst, a, b });
        (Operand::reg(dst), Operand::reg(flag))
    }

    fn crc(&mut self, i: LlvmValue<'m>) -> Operand {
        let (start, data) = (self.scalar(i.operand(0)), self.scalar(i.operand(1)));
        let (result, bits) = (self.type_of(start), self.width(self.type_of(data)));
        let ty = Ty::Int(64);
        let start = self.fit(start, ty);
        let start = self.op_number(IntOp::And, start, u64::from(u32::MAX));
        let data = self.fit(data, ty);
        let mut crc = self.op(IntOp::Xor, start, data);
        let zero = self.number(ty, 0);
        for _ in 0..bits {
            let lowest = self.op_number(IntOp::And, crc, 1);
            let mask = self.op(IntOp::Sub, zero, lowest);
            let feedback = self.op_number(IntOp::And, mask, CASTAGNOLI);
            let rest = self.op_number(IntOp::LShr, crc, 1);
            crc = self.op(IntOp::Xor, rest, feedback);
        }
        self.fit(crc, result)
    }

    /// The bit of a number at a place that is known.
    fn bit_at(&mut self, a: Operand, at: u64) -> Operand {
        let shifted = self.op_number(IntOp::LShr, a, at);
        self.op_number(IntOp::And, shifted, 1)
    }

    /// `pext`: the bits under a mask, side by side.
    fn gathered_bits(&mut self, i: LlvmValue<'m>) -> Operand {
        let (a, mask) = (self.scalar(i.operand(0)), self.scalar(i.operand(1)));
        let ty = self.type_of(a);
        let (mut result, mut next) = (self.number(ty, 0), self.number(ty, 0));
        for at in 0..u64::from(self.width(ty)) {
            let (bit, wanted) = (self.bit_at(a, at), self.bit_at(mask, at));
            let bit = self.op(IntOp::And, bit, wanted);
            let bit = self.op(IntOp::Shl, bit, next);
            result = self.op(IntOp::Or, result, bit);
            next = self.op(IntOp::Add, next, wanted);
        }
        result
    }

    /// `pdep`: the low bits, spread under a mask.
    fn scattered_bits(&mut self, i: LlvmValue<'m>) -> Operand {
        let (a, mask) = (self.scalar(i.operand(0)), self.scalar(i.operand(1)));
        let ty = self.type_of(a);
        let (mut result, mut next) = (self.number(ty, 0), self.number(ty, 0));
        for at in 0..u64::from(self.width(ty)) {
            let wanted = self.bit_at(mask, at);
            let bit = self.op(IntOp::LShr, a, next);
            let bit = self.op(IntOp::And, bit, wanted);
            let bit = self.op_number(IntOp::Shl, bit, at);
            result = self.op(IntOp::Or, result, bit);
            next = self.op(IntOp::Add, next, wanted);
        }
        result
    }

    /// So many low bits; all if there are no more.
    fn low_bits(&mut self, a: Operand, count: Operand) -> Operand {
        let ty = self.type_of(a);
        let width = u64::from(self.width(ty));
        let limit = self.number(ty, width);
        let is_less = self.compare(CmpOp::Ult, count, limit);
        let (zero, one) = (self.number(ty, 0), self.number(ty, 1));
        let count = self.choose(is_less, ty, count, zero);
        let power = self.op(IntOp::Shl, one, count);
        let mask = self.op_number(IntOp::Sub, power, 1);
        let low = self.op(IntOp::And, a, mask);
        self.choose(is_less, ty, low, a)
    }

    /// `bextr`: the start is in the low byte of the control, the length in the next.
    fn bit_field(&mut self, i: LlvmValue<'m>) -> Operand {
        let (a, control) = (self.scalar(i.operand(0)), self.scalar(i.operand(1)));
        let ty = self.type_of(a);
        let start = self.op_number(IntOp::And, control, 0xff);
        let length = self.op_number(IntOp::LShr, control, 8);
        let length = self.op_number(IntOp::And, length, 0xff);
        let limit = self.number(ty, u64::from(self.width(ty)));
        let is_within = self.compare(CmpOp::Ult, start, limit);
        let zero = self.number(ty, 0);
        let start = self.choose(is_within, ty, start, zero);
        let shifted = self.op(IntOp::LShr, a, start);
        let shifted = self.choose(is_within, ty, shifted, zero);
        self.low_bits(shifted, length)
    }

    /// Polynomials over bits: a half of each operand, as the control says.
    fn product_without_carry(&mut self, i: LlvmValue<'m>) -> Parts {
        let control = i.operand(2).as_u64().unwrap_or(0) as usize;
        let (a, b) = (self.value(i.operand(0))[control & 1], self.value(i.operand(1))[control >> 4 & 1]);
        let ty = Ty::Int(128);
        let a = self.resize(CastOp::ZExt, a, ty);
        let (mut product, zero) = (self.number(ty, 0), self.number(ty, 0));
        for at in 0..64 {
            let bit = self.bit_at(b, at);
            let none = self.number(Ty::Int(64), 0);
            let is_set = self.compare(CmpOp::Ne, bit, none);
            let shifted = self.op_number(IntOp::Shl, a, at);
            let term = self.choose(is_set, ty, shifted, zero);
            product = self.op(IntOp::Xor, product, term);
        }
        self.regroup(Parts::from_elem(product, 1), &[Ty::Int(64), Ty::Int(64)])
    }
}
