//! What holds of a term under every assignment: bits that never change, and the least and greatest value.
//!
//! Boundary: terms of at most 64 bits; of a wider term nothing is known. Facts are computed once, when a node is made,
//! from the facts of its operands. Invariant: a term's value always satisfies its facts; bits at and above the width
//! are in neither mask. The bit transfer of sums is LLVM's (`KnownBits::computeForAddCarry`).

use crate::bits::{mask, signed};
use crate::node::BinOp;

/// Bits of a term that are the same under every assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownBits {
    /// Bits that are always clear.
    pub zeros: u64,
    /// Bits that are always set.
    pub ones: u64,
}

/// Known bits and unsigned range, each sharpened by the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    pub(crate) zeros: u64,
    pub(crate) ones: u64,
    pub(crate) lo: u64,
    pub(crate) hi: u64,
}

impl Facts {
    /// Any value of `width` bits.
    pub(crate) fn top(width: u32) -> Self {
        Facts { zeros: 0, ones: 0, lo: 0, hi: mask(width) }
    }

    /// One value.
    pub(crate) fn exact(width: u32, value: u64) -> Self {
        Facts { zeros: !value & mask(width), ones: value, lo: value, hi: value }
    }

    fn bits(width: u32, zeros: u64, ones: u64) -> Self {
        Facts { zeros: zeros & mask(width), ones: ones & mask(width), ..Self::top(width) }.sharpen(width)
    }

    fn range(width: u32, lo: u64, hi: u64) -> Self {
        Facts { lo, hi, ..Self::top(width) }.sharpen(width)
    }

    fn and_range(self, width: u32, lo: u64, hi: u64) -> Self {
        Facts { lo: self.lo.max(lo), hi: self.hi.min(hi), ..self }.sharpen(width)
    }

    /// Bits bound the range, and the common first bits of a range are known.
    fn sharpen(self, width: u32) -> Self {
        let lo = self.lo.max(self.ones);
        let hi = self.hi.min(mask(width) & !self.zeros);
        let common = !mask(64 - (lo ^ hi).leading_zeros()) & mask(width);
        Facts { zeros: self.zeros | (!hi & common), ones: self.ones | (lo & common), lo, hi }
    }

    /// What holds of both.
    pub(crate) fn join(self, other: Self) -> Self {
        Facts {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    /// Whether no value satisfies both.
    pub(crate) fn disjoint(self, other: Self) -> bool {
        (self.zeros & other.ones) | (self.ones & other.zeros) != 0 || self.hi < other.lo || other.hi < self.lo
    }

    /// The sign bit, if known.
    pub(crate) fn sign(self, width: u32) -> Option<bool> {
        let bit = 1 << (width - 1);
        if self.zeros & bit != 0 {
            Some(false)
        } else if self.ones & bit != 0 {
            Some(true)
        } else {
            None
        }
    }

    /// The least and greatest value as two's complement.
    pub(crate) fn signed_range(self, width: u32) -> (i64, i64) {
        match self.sign(width) {
            Some(_) => (signed(width, self.lo), signed(width, self.hi)),
            None => {
                let bit = 1 << (width - 1);
                (signed(width, self.ones | bit), signed(width, mask(width) & !self.zeros & !bit))
            }
        }
    }

    /// The number of low bits known to be clear.
    pub(crate) fn low_zeros(self, width: u32) -> u32 {
        self.zeros.trailing_ones().min(width)
    }

    pub(crate) fn zext(self, from: u32, to: u32) -> Self {
        Facts { zeros: self.zeros | (mask(to) & !mask(from)), ..self }
    }

    pub(crate) fn sext(self, from: u32, to: u32) -> Self {
        let extend = |bits: u64| signed(from, bits) as u64;
        let facts = Self::bits(to, extend(self.zeros), extend(self.ones));
        match self.sign(from) {
            Some(_) => facts.and_range(to, extend(self.lo) & mask(to), extend(self.hi) & mask(to)),
            None => facts,
        }
    }

    /// `width` bits from `lo` of a term of `from` bits.
    pub(crate) fn extract(self, from: u32, lo: u32, width: u32) -> Self {
        let facts = Self::bits(width, self.zeros >> lo, self.ones >> lo);
        // The range survives if nothing is cut off at the top.
        if lo + width == from || self.hi <= mask(lo + width) {
            return facts.and_range(width, self.lo >> lo, self.hi >> lo);
        }
        facts
    }

    pub(crate) fn concat(self, other: Self, low_width: u32, width: u32) -> Self {
        Facts {
            zeros: self.zeros << low_width | other.zeros,
            ones: self.ones << low_width | other.ones,
            lo: self.lo << low_width | other.lo,
            hi: self.hi << low_width | other.hi,
        }
        .sharpen(width)
    }

    /// Facts of `op` (any but `Concat` and comparisons) from those of its operands, all of `width` bits.
    pub(crate) fn bin(op: BinOp, width: u32, a: Self, b: Self) -> Self {
        let both_positive = a.sign(width) == Some(false) && b.sign(width) == Some(false);
        match op {
            BinOp::Add => add(width, a, b),
            BinOp::Sub => sub(width, a, b),
            BinOp::Mul => mul(width, a, b),
            BinOp::UDiv => udiv(width, a, b),
            BinOp::SDiv if both_positive => udiv(width, a, b),
            BinOp::URem => urem(width, a, b),
            BinOp::SRem if both_positive => urem(width, a, b),
            BinOp::And => Self::bits(width, a.zeros | b.zeros, a.ones & b.ones).and_range(width, 0, a.hi.min(b.hi)),
            BinOp::Or => {
                Self::bits(width, a.zeros & b.zeros, a.ones | b.ones).and_range(width, a.lo.max(b.lo), mask(width))
            }
            BinOp::Xor => {
                Self::bits(width, (a.zeros & b.zeros) | (a.ones & b.ones), (a.zeros & b.ones) | (a.ones & b.zeros))
            }
            BinOp::Shl => shl(width, a, b),
            BinOp::LShr => lshr(width, a, b),
            BinOp::AShr => ashr(width, a, b),
            _ => Self::top(width),
        }
    }
}

/// Known bits of `a + b + carry`.
fn sum_bits(width: u32, a: Facts, b: Facts, carry: u64) -> Facts {
    let (most_a, most_b) = (!a.zeros & mask(width), !b.zeros & mask(width));
    let most = most_a.wrapping_add(most_b).wrapping_add(carry);
    let least = a.ones.wrapping_add(b.ones).wrapping_add(carry);
    let carry_zeros = !(most ^ most_a ^ most_b);
    let carry_ones = least ^ a.ones ^ b.ones;
    let known = (a.zeros | a.ones) & (b.zeros | b.ones) & (carry_zeros | carry_ones);
    Facts::bits(width, !most & known, least & known)
}

fn add(width: u32, a: Facts, b: Facts) -> Facts {
    let facts = sum_bits(width, a, b, 0);
    let (lo, hi) = (u128::from(a.lo) + u128::from(b.lo), u128::from(a.hi) + u128::from(b.hi));
    if lo >> width == hi >> width {
        return facts.and_range(width, lo as u64 & mask(width), hi as u64 & mask(width));
    }
    facts
}

fn sub(width: u32, a: Facts, b: Facts) -> Facts {
    let not_b = Facts { zeros: b.ones, ones: b.zeros, ..b };
    let facts = sum_bits(width, a, not_b, 1);
    let (never, always) = (a.lo >= b.hi, a.hi < b.lo);
    if never || always {
        return facts.and_range(width, a.lo.wrapping_sub(b.hi) & mask(width), a.hi.wrapping_sub(b.lo) & mask(width));
    }
    facts
}

fn mul(width: u32, a: Facts, b: Facts) -> Facts {
    let zeros = (a.low_zeros(width) + b.low_zeros(width)).min(width);
    let facts = Facts::bits(width, mask(zeros), 0);
    let hi = u128::from(a.hi) * u128::from(b.hi);
    if hi <= u128::from(mask(width)) {
        return facts.and_range(width, a.lo * b.lo, hi as u64);
    }
    facts
}

fn udiv(width: u32, a: Facts, b: Facts) -> Facts {
    if b.lo == 0 {
        return Facts::top(width);
    }
    Facts::range(width, a.lo / b.hi, a.hi / b.lo)
}

fn urem(width: u32, a: Facts, b: Facts) -> Facts {
    if a.hi < b.lo {
        return a;
    }
    // A zero divisor gives back the dividend.
    let below = if b.lo == 0 { a.hi } else { b.hi - 1 };
    Facts::range(width, 0, a.hi.min(below))
}

fn shl(width: u32, a: Facts, b: Facts) -> Facts {
    if b.lo >= u64::from(width) {
        return Facts::exact(width, 0);
    }
    if b.lo == b.hi {
        let by = b.lo as u32;
        let facts = Facts::bits(width, a.zeros << by | mask(by), a.ones << by);
        let fits = a.hi <= mask(width) >> by;
        return if fits { facts.and_range(width, a.lo << by, a.hi << by) } else { facts };
    }
    Facts::bits(width, mask((a.low_zeros(width) + b.lo as u32).min(width)), 0)
}

fn lshr(width: u32, a: Facts, b: Facts) -> Facts {
    if b.lo >= u64::from(width) {
        return Facts::exact(width, 0);
    }
    let least = if b.hi >= u64::from(width) { 0 } else { a.lo >> b.hi };
    let facts = Facts::range(width, least, a.hi >> b.lo);
    if b.lo == b.hi {
        let vacated = !(mask(width) >> b.lo) & mask(width);
        let bits = Facts::bits(width, a.zeros >> b.lo | vacated, a.ones >> b.lo);
        return bits.and_range(width, facts.lo, facts.hi);
    }
    facts
}

fn ashr(width: u32, a: Facts, b: Facts) -> Facts {
    if a.sign(width) == Some(false) {
        return lshr(width, a, b);
    }
    if b.lo == b.hi {
        let by = b.lo.min(63);
        let shift = |bits: u64| (signed(width, bits) >> by) as u64;
        return Facts::bits(width, shift(a.zeros), shift(a.ones));
    }
    Facts::top(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::bin_u64;

    const WIDTH: u32 = 4;

    fn holds(facts: Facts, value: u64) -> bool {
        value & facts.zeros == 0 && value & facts.ones == facts.ones && (facts.lo..=facts.hi).contains(&value)
    }

    /// Every range and every pair of masks of a few bits.
    fn samples() -> Vec<Facts> {
        let mut all = Vec::new();
        for lo in 0..16 {
            all.extend((lo..16).map(|hi| Facts::range(WIDTH, lo, hi)));
        }
        for zeros in 0..16u64 {
            all.extend((0..16u64).filter(|ones| ones & zeros == 0).map(|ones| Facts::bits(WIDTH, zeros, ones)));
        }
        all
    }

    fn values(facts: Facts) -> impl Iterator<Item = u64> {
        (0..16).filter(move |&v| holds(facts, v))
    }

    #[test]
    fn every_transfer_covers_every_result_at_four_bits() {
        let samples = samples();
        for &op in BinOp::ARITHMETIC {
            for &a in &samples {
                for &b in &samples {
                    let facts = Facts::bin(op, WIDTH, a, b);
                    for x in values(a) {
                        for y in values(b) {
                            let value = bin_u64(op, WIDTH, x, y);
                            assert!(
                                holds(facts, value),
                                "{op:?} of {x} in {a:?}, {y} in {b:?} gives {value}: {facts:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn extensions_slices_and_joins_cover_every_result_at_four_bits() {
        for a in samples() {
            let (least, most) = a.signed_range(WIDTH);
            for x in values(a) {
                assert!((least..=most).contains(&signed(WIDTH, x)));
                assert!(holds(a.zext(WIDTH, 7), x));
                assert!(holds(a.sext(WIDTH, 7), signed(WIDTH, x) as u64 & mask(7)), "{a:?} {x}");
                for lo in 0..WIDTH {
                    for width in 1..=WIDTH - lo {
                        assert!(holds(a.extract(WIDTH, lo, width), x >> lo & mask(width)), "{a:?} {x} {lo} {width}");
                    }
                }
                for b in [Facts::range(3, 2, 5), Facts::bits(3, 1, 4), Facts::top(3)] {
                    for y in (0..8).filter(|&y| holds(b, y)) {
                        assert!(holds(a.concat(b, 3, 7), x << 3 | y));
                        assert!(holds(a.join(b.zext(3, WIDTH)), x) && holds(a.join(b.zext(3, WIDTH)), y));
                    }
                }
            }
        }
    }
}
