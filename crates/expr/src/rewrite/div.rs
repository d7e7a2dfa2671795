//! Rules of division and remainder.
//!
//! All are total as in SMT-LIB, so a rule must hold for a zero divisor too.

use super::Rule;
use crate::arena::Terms;
use crate::bits::Bits;
use crate::node::{BinOp, Term};

pub(super) const UDIV: &[Rule] = &[by_one, udiv_const, smaller_dividend, udiv_constants, narrow_unsigned];
pub(super) const UREM: &[Rule] = &[urem_const, smaller_dividend, rem_self, narrow_unsigned];
pub(super) const SDIV: &[Rule] = &[by_one, sdiv_minus_one, signs_known, narrow_signed];
pub(super) const SREM: &[Rule] = &[srem_unit, rem_self, signs_known, narrow_signed];

/// (bvudiv x 1), (bvsdiv x 1) → x
fn by_one(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let one = Bits::new(t.width(a), 1);
    // At width 1 a signed one is minus one; the quotient is the dividend all the same.
    (*t.as_const(b)? == one).then_some(a)
}

/// (bvudiv x 0) → all ones, (bvudiv x 2^k) → (bvlshr x k)
fn udiv_const(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?;
    let width = c.width();
    if c.is_zero() {
        return Some(t.constant(Bits::ones(width)));
    }
    let by = u64::from(c.log2()?);
    let by = t.bv(width, by);
    Some(t.bin(BinOp::LShr, a, by))
}

/// (bvurem x 0) → x, (bvurem x 2^k) → (bvand x 2^k-1)
fn urem_const(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?;
    if c.is_zero() {
        return Some(a);
    }
    c.log2()?;
    let below = c.sub(&Bits::new(c.width(), 1));
    let below = t.constant(below);
    Some(t.and(a, below))
}

/// (bvudiv x y) → 0, (bvurem x y) → x where x is always less than y
fn smaller_dividend(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    if width > 64 || t.facts(a).hi >= t.facts(b).lo {
        return None;
    }
    Some(if op == BinOp::URem { a } else { t.zero(width) })
}

/// (bvudiv (bvudiv x c) d) → (bvudiv x c*d), or 0 if the product does not fit
fn udiv_constants(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, c) = t.as_bin_const(BinOp::UDiv, a)?;
    let d = t.as_const(b)?;
    let width = c.width();
    if c.is_zero() || d.is_zero() {
        return None;
    }
    let product = c.zext(2 * width).mul(&d.zext(2 * width));
    if product.significant() > width {
        return Some(t.zero(width));
    }
    let product = t.constant(product.zext(width));
    Some(t.bin(op, x, product))
}

/// (bvurem x x), (bvsrem x x) → 0
fn rem_self(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    (a == b).then(|| t.zero(width))
}

/// (bvsdiv x -1) → (bvsub 0 x)
fn sdiv_minus_one(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    t.as_const(b)?.is_ones().then(|| t.neg(a))
}

/// (bvsrem x 1), (bvsrem x -1) → 0
fn srem_unit(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?;
    let unit = c.is_ones() || c.significant() == 1;
    let width = t.width(a);
    unit.then(|| t.zero(width))
}

/// (bvsdiv x y) → (bvudiv x y), (bvsrem x y) → (bvurem x y) where neither is ever negative
fn signs_known(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    let positive = |x: Term| match t.as_zext(x) {
        _ if width <= 64 => t.facts(x).sign(width) == Some(false),
        Some(_) => true,
        None => t.as_const(x).is_some_and(|c| !c.is_negative()),
    };
    if !positive(a) || !positive(b) {
        return None;
    }
    Some(t.bin(if op == BinOp::SDiv { BinOp::UDiv } else { BinOp::URem }, a, b))
}

/// (bvudiv ((_ zero_extend n) x) ((_ zero_extend m) y)) → ((_ zero_extend n) (bvudiv x y)) at the wider of the two
/// widths, where y is never 0; (bvurem …) for any y. Either may be a constant.
fn narrow_unsigned(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    let core = |x: Term| match (t.as_zext(x), t.as_const(x)) {
        (Some(inner), _) => Some(t.width(inner)),
        (None, Some(c)) => Some(c.significant().max(1)),
        (None, None) => None,
    };
    let narrow = core(a)?.max(core(b)?);
    let may_be_zero = match t.as_const(b) {
        Some(c) => c.is_zero(),
        None => width > 64 || t.facts(b).lo == 0,
    };
    if narrow >= width || (op == BinOp::UDiv && may_be_zero) {
        return None;
    }
    let (x, y) = (t.extract(a, 0, narrow), t.extract(b, 0, narrow));
    let inner = t.bin(op, x, y);
    Some(t.zext(inner, width))
}

/// (bvsdiv ((_ sign_extend n) x) c) → ((_ sign_extend n) (bvsdiv x c)), (bvsrem …) alike, where c is a sign extension
/// of a value of x's width and not 0 (nor -1, whose quotient may not fit, but that has a rule before this one)
fn narrow_signed(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let x = t.as_sext(a)?;
    let c = t.as_const(b)?;
    let (narrow, width) = (t.width(x), t.width(a));
    let cut = c.extract(0, narrow);
    if c.is_zero() || cut.sext(width) != *c {
        return None;
    }
    let cut = t.constant(cut);
    let inner = t.bin(op, x, cut);
    Some(t.sext(inner, width))
}
