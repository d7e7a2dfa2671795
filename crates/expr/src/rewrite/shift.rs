//! Rules of shifts. Those by constants become slices, which solvers read as wires.

use super::{Rule, slice};
use crate::arena::Terms;
use crate::node::{BinOp, Term};

pub(super) const SHL: &[Rule] = &[trivial, shl_twice, shl_product, shl_distributes, shl_slices];
pub(super) const LSHR: &[Rule] = &[trivial, lshr_slices];
pub(super) const ASHR: &[Rule] = &[ashr_positive, ashr_trivial, ashr_slices];

/// (op x 0) → x, (op 0 x) → 0, (op x y) → 0 where y is always at least the width
fn trivial(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    if t.is_zero(b) || t.is_zero(a) {
        return Some(a);
    }
    let least = match t.as_const(b) {
        Some(c) => c.as_distance(),
        None if width <= 64 => t.facts(b).lo,
        None => return None,
    };
    (least >= u64::from(width)).then(|| t.zero(width))
}

/// (bvshl (bvshl x c) d) → (bvshl x c+d), or 0
fn shl_twice(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, c) = t.as_bin_const(BinOp::Shl, a)?;
    let by = c.as_distance().saturating_add(t.as_const(b)?.as_distance());
    let width = t.width(a);
    if by >= u64::from(width) {
        return Some(t.zero(width));
    }
    let by = t.bv(width, by);
    Some(t.bin(op, x, by))
}

/// (bvshl (bvmul x c) k) → (bvmul x c*2^k)
fn shl_product(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, c) = t.as_bin_const(BinOp::Mul, a)?;
    let product = c.shl(t.as_const(b)?.as_distance());
    let product = t.constant(product);
    Some(t.mul(x, product))
}

/// (bvshl (bvadd x c) k) → (bvadd (bvshl x k) c*2^k)
fn shl_distributes(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, c) = t.as_bin_const(BinOp::Add, a)?;
    let shifted = c.shl(t.as_const(b)?.as_distance());
    let inner = t.bin(op, x, b);
    let shifted = t.constant(shifted);
    Some(t.add(inner, shifted))
}

/// (bvshl x k) → (concat ((_ extract w-k-1 0) x) 0) where the slice is no node of its own
fn shl_slices(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (by, width) = (distance(t, b)?, t.width(a));
    if !slice::is_free(t, a, 0, width - by, super::DEPTH) {
        return None;
    }
    let high = t.extract(a, 0, width - by);
    let low = t.zero(by);
    Some(t.concat(high, low))
}

/// (bvlshr x k) → ((_ zero_extend k) ((_ extract w-1 k) x))
fn lshr_slices(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (by, width) = (distance(t, b)?, t.width(a));
    let high = t.extract(a, by, width - by);
    Some(t.zext(high, width))
}

/// (bvashr x y) → (bvlshr x y) where x is never negative
fn ashr_positive(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    let positive = t.as_zext(a).is_some() || (width <= 64 && t.facts(a).sign(width) == Some(false));
    positive.then(|| t.bin(BinOp::LShr, a, b))
}

/// (bvashr x 0) → x, (bvashr -1 x) → -1
fn ashr_trivial(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let ones = t.as_const(a).is_some_and(|c| c.is_ones());
    (t.is_zero(b) || ones).then_some(a)
}

/// (bvashr x k) → ((_ sign_extend k) ((_ extract w-1 k) x)), k at most w-1
fn ashr_slices(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    let by = t.as_const(b)?.as_distance().min(u64::from(width - 1)) as u32;
    let high = t.extract(a, by, width - by);
    Some(t.sext(high, width))
}

/// A constant distance below the width (`trivial` has dealt with the others).
fn distance(t: &Terms, b: Term) -> Option<u32> {
    let by = t.as_const(b)?.as_distance();
    (by < u64::from(t.width(b))).then_some(by as u32)
}
