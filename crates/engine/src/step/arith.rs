//! Integer instructions: words where possible, terms where not.

use taw_expr::{BinOp as T, Term};
use taw_ir::{BitOp, CastOp, CmpOp, IntFlags, IntOp, Operand, OverflowOp, Reg};

use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::stop::Stop;
use crate::value::{Value, mask, signed};

/// The result of an operation on words of at most 64 bits; `None` where it is an error or rare enough for terms.
#[inline]
pub(crate) fn bin_word(op: IntOp, width: u32, a: u64, b: u64) -> Option<u64> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let result = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        // Machines divide short words several times as fast.
        IntOp::UDiv if (a | b) >> 32 == 0 => u64::from((a as u32).checked_div(b as u32)?),
        IntOp::URem if (a | b) >> 32 == 0 => u64::from((a as u32).checked_rem(b as u32)?),
        IntOp::UDiv => a.checked_div(b)?,
        IntOp::URem => a.checked_rem(b)?,
        IntOp::SDiv if width == 32 => i64::from((sa as i32).checked_div(sb as i32)?) as u64,
        IntOp::SRem if width == 32 => i64::from((sa as i32).checked_rem(sb as i32)?) as u64,
        IntOp::SDiv if b != 0 && !(b == mask(width) && a == 1 << (width - 1)) => (sa / sb) as u64,
        IntOp::SRem if b != 0 && !(b == mask(width) && a == 1 << (width - 1)) => (sa % sb) as u64,
        IntOp::Shl if b < u64::from(width) => a << b,
        IntOp::LShr if b < u64::from(width) => a >> b,
        IntOp::AShr if b < u64::from(width) => (sa >> b) as u64,
        IntOp::UMin => a.min(b),
        IntOp::UMax => a.max(b),
        IntOp::SMin => sa.min(sb) as u64,
        IntOp::SMax => sa.max(sb) as u64,
        _ => return None,
    };
    Some(result & mask(width))
}

/// A comparison of words of at most 64 bits.
#[inline]
pub(crate) fn cmp_word(op: CmpOp, width: u32, a: u64, b: u64) -> bool {
    let (sa, sb) = (signed(a, width), signed(b, width));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => sa < sb,
        CmpOp::Sle => sa <= sb,
        CmpOp::Sgt => sa > sb,
        CmpOp::Sge => sa >= sb,
    }
}

impl Cx<'_, '_> {
    /// A two-operand operation that is not plain words: errors are looked for, then a term is made.
    #[cold]
    pub(super) fn bin_slow(
        &mut self,
        op: IntOp,
        flags: IntFlags,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
    ) -> Result<(), Stop> {
        let (x, y) = (self.read(a), self.read(b));
        if op == IntOp::Sub && width == self.pointer_bits() && !self.state.unknowns.pointers.is_empty() {
            self.note_distance(x, y);
        }
        let (a, b) = (self.read_term(a, width), self.read_term(b, width));
        self.check_bin(op, flags, width, a, b)?;
        let t = self.bin_term(op, width, a, b);
        let provenance = match width == self.pointer_bits() {
            true => self.provenance_of_integer(op, x, y),
            false => self.engine.provenances.sum(x.provenance(), y.provenance()),
        };
        let value = self.value(t).with_provenance(provenance);
        self.set(dst, value);
        Ok(())
    }

    fn check_bin(&mut self, op: IntOp, flags: IntFlags, width: u32, a: Term, b: Term) -> Result<(), Stop> {
        match op {
            IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem => {
                let zero = self.terms().bv(width, 0);
                let fine = self.engine.terms.ne(b, zero);
                let fine = self.value(fine);
                self.require(fine, FindingKind::DivisionByZero, || "the divisor is zero".to_owned())?;
                if matches!(op, IntOp::SDiv | IntOp::SRem) {
                    self.check_division_overflow(width, a, b)?;
                }
            }
            IntOp::Shl | IntOp::LShr | IntOp::AShr if self.code_is_as_written() => {
                let limit = self.terms().bv(width, u64::from(width));
                // A width that does not fit the operand itself cannot be exceeded.
                if width >= 64 || u64::from(width) <= mask(width) {
                    let fine = self.engine.terms.ult(b, limit);
                    let fine = self.value(fine);
                    let amount = self.engine.terms.as_const(b).map(|bits| signed(bits.low(), width.min(64)));
                    self.require(fine, FindingKind::ShiftTooWide, || match amount {
                        Some(amount) => format!("shifts a {width}-bit value by {amount}"),
                        None => format!("shifts a {width}-bit value by {width} bits or more"),
                    })?;
                }
            }
            IntOp::Add | IntOp::Sub | IntOp::Mul
                if flags.nsw && self.checks_instructions(self.engine.config.checks.overflow, "signed overflow") =>
            {
                self.check_signed_overflow(op, width, a, b)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn check_division_overflow(&mut self, width: u32, a: Term, b: Term) -> Result<(), Stop> {
        let terms = self.terms();
        let lowest = terms.constant(taw_expr::Bits::sign_bit(width));
        let minus_one = terms.constant(taw_expr::Bits::ones(width));
        let (x, y) = (terms.ne(a, lowest), terms.ne(b, minus_one));
        let fine = terms.or(x, y);
        let fine = self.value(fine);
        self.require(fine, FindingKind::DivisionOverflow, || {
            format!("the smallest {width}-bit number is divided by -1")
        })
    }

    fn check_signed_overflow(&mut self, op: IntOp, width: u32, a: Term, b: Term) -> Result<(), Stop> {
        let op = match op {
            IntOp::Add => OverflowOp::SAdd,
            IntOp::Sub => OverflowOp::SSub,
            _ => OverflowOp::SMul,
        };
        let (_, overflow) = self.overflow_terms(op, width, a, b);
        let fine = self.terms().not(overflow);
        let fine = self.value(fine);
        self.require(fine, FindingKind::SignedOverflow, || {
            let what = match op {
                OverflowOp::SAdd => "sum",
                OverflowOp::SSub => "difference",
                _ => "product",
            };
            format!("the {what} does not fit its type")
        })
    }

    pub(super) fn bin_term(&mut self, op: IntOp, width: u32, a: Term, b: Term) -> Term {
        let plain = match op {
            IntOp::Add => T::Add,
            IntOp::Sub => T::Sub,
            IntOp::Mul => T::Mul,
            IntOp::UDiv => T::UDiv,
            IntOp::SDiv => T::SDiv,
            IntOp::URem => T::URem,
            IntOp::SRem => T::SRem,
            IntOp::Shl => T::Shl,
            IntOp::LShr => T::LShr,
            IntOp::AShr => T::AShr,
            IntOp::And => T::And,
            IntOp::Or => T::Or,
            IntOp::Xor => T::Xor,
            IntOp::UMin | IntOp::UMax | IntOp::SMin | IntOp::SMax => return self.min_max(op, a, b),
            _ => return self.saturating(op, width, a, b),
        };
        self.terms().bin(plain, a, b)
    }

    fn min_max(&mut self, op: IntOp, a: Term, b: Term) -> Term {
        let compare = if matches!(op, IntOp::UMin | IntOp::UMax) { T::Ult } else { T::Slt };
        let less = self.terms().bin(compare, a, b);
        match op {
            IntOp::UMin | IntOp::SMin => self.terms().ite(less, a, b),
            _ => self.terms().ite(less, b, a),
        }
    }

    fn saturating(&mut self, op: IntOp, width: u32, a: Term, b: Term) -> Term {
        let overflow = match op {
            IntOp::UAddSat => OverflowOp::UAdd,
            IntOp::SAddSat => OverflowOp::SAdd,
            IntOp::USubSat => OverflowOp::USub,
            IntOp::SSubSat => OverflowOp::SSub,
            _ => return self.saturating_shift(op, width, a, b),
        };
        let (result, overflowed) = self.overflow_terms(overflow, width, a, b);
        let limit = match op {
            IntOp::UAddSat => self.terms().constant(taw_expr::Bits::ones(width)),
            IntOp::USubSat => self.terms().bv(width, 0),
            _ => self.signed_limit(width, a),
        };
        self.terms().ite(overflowed, limit, result)
    }

    /// The largest number for a that is not negative, else the smallest.
    fn signed_limit(&mut self, width: u32, a: Term) -> Term {
        let lowest = self.terms().constant(taw_expr::Bits::sign_bit(width));
        let highest = self.terms().not(lowest);
        let zero = self.terms().bv(width, 0);
        let negative = self.terms().slt(a, zero);
        self.terms().ite(negative, lowest, highest)
    }

    fn saturating_shift(&mut self, op: IntOp, width: u32, a: Term, b: Term) -> Term {
        let shifted = self.terms().bin(T::Shl, a, b);
        let back = self.terms().bin(if op == IntOp::UShlSat { T::LShr } else { T::AShr }, shifted, b);
        let fits = self.terms().eq(back, a);
        let limit = match op {
            IntOp::UShlSat => self.terms().constant(taw_expr::Bits::ones(width)),
            _ => self.signed_limit(width, a),
        };
        self.terms().ite(fits, shifted, limit)
    }

    /// The result and whether it overflowed.
    pub(super) fn overflow_terms(&mut self, op: OverflowOp, width: u32, a: Term, b: Term) -> (Term, Term) {
        let (plain, is_signed) = match op {
            OverflowOp::UAdd => (T::Add, false),
            OverflowOp::SAdd => (T::Add, true),
            OverflowOp::USub => (T::Sub, false),
            OverflowOp::SSub => (T::Sub, true),
            OverflowOp::UMul => (T::Mul, false),
            OverflowOp::SMul => (T::Mul, true),
        };
        let terms = self.terms();
        let result = terms.bin(plain, a, b);
        let wide = if plain == T::Mul { width * 2 } else { width + 1 };
        let mut extend = |t| if is_signed { terms.sext(t, wide) } else { terms.zext(t, wide) };
        let (wide_a, wide_b, wide_result) = (extend(a), extend(b), extend(result));
        let exact = terms.bin(plain, wide_a, wide_b);
        (result, terms.ne(exact, wide_result))
    }

    /// An operation with overflow flag.
    pub(super) fn overflow(&mut self, op: OverflowOp, width: u32, dst: Reg, a: Operand, b: Operand) {
        if let (Some(a), Some(b)) = (self.read(a).as_word(), self.read(b).as_word())
            && width <= 64
        {
            let (result, overflowed) = overflow_word(op, width, a, b);
            self.set(dst, Value::word(result));
            return self.set(Reg::from_u32(dst.as_u32() + 1), Value::bool(overflowed));
        }
        let (a, b) = (self.read_term(a, width), self.read_term(b, width));
        let (result, overflowed) = self.overflow_terms(op, width, a, b);
        self.set_term(dst, result);
        self.set_term(Reg::from_u32(dst.as_u32() + 1), overflowed);
    }

    #[cold]
    pub(super) fn cmp_slow(&mut self, op: CmpOp, width: u32, dst: Reg, a: Operand, b: Operand) -> Result<(), Stop> {
        let (x, y) = (self.read(a), self.read(b));
        if width == self.pointer_bits() {
            self.check_compared(x, y)?;
            self.note_compared_pointers(op, x, y)?;
        }
        if x.provenance().is_known() || y.provenance().is_known() || (width == self.pointer_bits() && op.is_order()) {
            self.note_compared(op, x, y);
        }
        let (a, b) = (self.read_term(a, width), self.read_term(b, width));
        let terms = self.terms();
        let t = match op {
            CmpOp::Eq => terms.eq(a, b),
            CmpOp::Ne => terms.ne(a, b),
            CmpOp::Ult => terms.ult(a, b),
            CmpOp::Ule => terms.ule(a, b),
            CmpOp::Ugt => terms.ult(b, a),
            CmpOp::Uge => terms.ule(b, a),
            CmpOp::Slt => terms.slt(a, b),
            CmpOp::Sle => terms.sle(a, b),
            CmpOp::Sgt => terms.slt(b, a),
            CmpOp::Sge => terms.sle(b, a),
        };
        self.set_term(dst, t);
        Ok(())
    }

    #[cold]
    pub(super) fn cast_slow(&mut self, op: CastOp, from: u32, to: u32, dst: Reg, src: Operand) {
        let whole = self.read(src);
        let is_address = whole.as_word().is_some_and(|word| self.has_address(from, word, word));
        // A piece of an address has no number of its own that would tell.
        let provenance = if is_address && to < from { self.provenance_of(whole) } else { whole.provenance() };
        let a = self.read_term(src, from);
        let t = match op {
            CastOp::Trunc => self.terms().extract(a, 0, to),
            CastOp::ZExt => self.terms().zext(a, to),
            CastOp::SExt => self.terms().sext(a, to),
        };
        let value = self.value(t).with_provenance(provenance);
        self.set(dst, value);
    }

    pub(super) fn select(&mut self, width: u32, dst: Reg, cond: Operand, a: Operand, b: Operand) {
        let chosen = match self.read(cond).as_term() {
            None => self.read(if self.read(cond) == Value::word(0) { b } else { a }),
            Some(c) => {
                let provenance = self.provenance_of_choice(&[self.read(a), self.read(b)]);
                let (a, b) = (self.read_term(a, width), self.read_term(b, width));
                let t = self.terms().ite(c, a, b);
                self.value(t).with_provenance(provenance)
            }
        };
        self.set(dst, chosen);
    }

    /// One-operand bit operations; words of at most 64 bits directly.
    pub(super) fn bit(&mut self, op: BitOp, width: u32, dst: Reg, a: Operand) {
        let value = self.read(a);
        if let Some(word) = value.as_word().filter(|_| width <= 64) {
            return self.set(dst, Value::word(bit_word(op, width, word) & mask(width)));
        }
        let a = value.to_term(self.terms(), width);
        let t = match op {
            BitOp::Ctpop => self.ctpop(width, a),
            BitOp::Ctlz => self.count_zeros(width, a, (0..width).collect()),
            BitOp::Cttz => self.count_zeros(width, a, (0..width).rev().collect()),
            BitOp::Bswap => self.reversed(width, a, 8),
            BitOp::BitReverse => self.reversed(width, a, 1),
            BitOp::Abs => {
                let zero = self.terms().bv(width, 0);
                let negative = self.terms().slt(a, zero);
                let negated = self.terms().neg(a);
                self.terms().ite(negative, negated, a)
            }
        };
        self.set_term(dst, t);
    }

    fn ctpop(&mut self, width: u32, a: Term) -> Term {
        let mut sum = self.terms().bv(width, 0);
        for i in 0..width {
            let bit = self.terms().extract(a, i, 1);
            let bit = self.terms().zext(bit, width);
            sum = self.terms().add(sum, bit);
        }
        sum
    }

    /// A chain of conditionals over the bits; the last bit listed is looked at first.
    fn count_zeros(&mut self, width: u32, a: Term, bits: Vec<u32>) -> Term {
        let mut count = self.terms().bv(width, u64::from(width));
        for (i, bit) in bits.iter().enumerate() {
            let set = self.terms().extract(a, *bit, 1);
            let zeros = self.terms().bv(width, u64::from(width - 1 - i as u32));
            count = self.terms().ite(set, zeros, count);
        }
        count
    }

    fn reversed(&mut self, width: u32, a: Term, unit: u32) -> Term {
        let mut all = self.terms().extract(a, 0, unit);
        for i in 1..width / unit {
            let part = self.terms().extract(a, i * unit, unit);
            all = self.terms().concat(all, part);
        }
        all
    }

    pub(super) fn funnel(&mut self, left: bool, width: u32, dst: Reg, [a, b, c]: [Operand; 3]) {
        let (a, b, c) = (self.read_term(a, width), self.read_term(b, width), self.read_term(c, width));
        let terms = self.terms();
        let modulus = terms.bv(width, u64::from(width));
        let amount = if width == 1 { terms.bv(1, 0) } else { terms.bin(T::URem, c, modulus) };
        let amount = terms.zext(amount, width * 2);
        let both = terms.concat(a, b);
        let t = if left {
            let shifted = terms.bin(T::Shl, both, amount);
            terms.extract(shifted, width, width)
        } else {
            let shifted = terms.bin(T::LShr, both, amount);
            terms.extract(shifted, 0, width)
        };
        self.set_term(dst, t);
    }
}

/// The result on words of at most 64 bits, and whether it is not exact.
pub(crate) fn overflow_word(op: OverflowOp, width: u32, a: u64, b: u64) -> (u64, bool) {
    let (sa, sb) = (i128::from(signed(a, width)), i128::from(signed(b, width)));
    let (ua, ub) = (i128::from(a), i128::from(b));
    let is_signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul);
    let exact = match op {
        OverflowOp::UAdd => Some(ua + ub),
        OverflowOp::SAdd => Some(sa + sb),
        OverflowOp::USub => Some(ua - ub),
        OverflowOp::SSub => Some(sa - sb),
        // The greatest product of unsigned words is beyond 127 bits.
        OverflowOp::UMul => ua.checked_mul(ub),
        OverflowOp::SMul => Some(sa * sb),
    };
    let result = exact.map_or(a.wrapping_mul(b), |exact| exact as u64) & mask(width);
    let back = if is_signed { i128::from(signed(result, width)) } else { i128::from(result) };
    (result, exact != Some(back))
}

/// The result on words of at most 64 bits, of which those beyond the width are to be dropped.
pub(crate) fn bit_word(op: BitOp, width: u32, a: u64) -> u64 {
    match op {
        BitOp::Ctpop => u64::from(a.count_ones()),
        BitOp::Ctlz => u64::from(a.leading_zeros() + width - 64),
        BitOp::Cttz => u64::from(a.trailing_zeros().min(width)),
        BitOp::Bswap => a.swap_bytes() >> (64 - width),
        BitOp::BitReverse => a.reverse_bits() >> (64 - width),
        BitOp::Abs => signed(a, width).unsigned_abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_on_words_is_the_exact_result_compared() {
        let all = [
            OverflowOp::UAdd,
            OverflowOp::SAdd,
            OverflowOp::USub,
            OverflowOp::SSub,
            OverflowOp::UMul,
            OverflowOp::SMul,
        ];
        for (op, a, b) in all.into_iter().flat_map(|op| (0..16).flat_map(move |a| (0..16).map(move |b| (op, a, b)))) {
            let number = |x: u64| if format!("{op:?}").starts_with('S') { signed(x, 4) } else { x as i64 };
            let exact = match op {
                OverflowOp::UAdd | OverflowOp::SAdd => number(a) + number(b),
                OverflowOp::USub | OverflowOp::SSub => number(a) - number(b),
                OverflowOp::UMul | OverflowOp::SMul => number(a) * number(b),
            };
            let (result, overflowed) = overflow_word(op, 4, a, b);
            assert_eq!((result, overflowed), (exact as u64 & 15, number(result) != exact), "{op:?} {a} {b}");
        }
        assert_eq!(overflow_word(OverflowOp::UMul, 64, u64::MAX, u64::MAX), (1, true));
        assert_eq!(overflow_word(OverflowOp::SMul, 64, 1 << 63, u64::MAX), (1 << 63, true));
    }
}
