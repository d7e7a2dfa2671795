//! Rules of the orders.
//!
//! Normal form: against a constant only the strict orders, so a condition and its negation differ by the constant;
//! unsigned where the signs are known to be equal.

use super::Rule;
use crate::arena::Terms;
use crate::bits::{Bits, mask, signed};
use crate::node::{BinOp, Node, Term};

pub(super) const UNSIGNED: &[Rule] =
    &[same, decided, strict, point, narrow, narrow_const, complements, scaled, shared_high, move_constant];

pub(super) const SIGNED: &[Rule] =
    &[same, decided, strict, point, signs_agree, narrow, narrow_const, complements, move_constant];

fn is_strict(op: BinOp) -> bool {
    matches!(op, BinOp::Ult | BinOp::Slt)
}

fn is_signed(op: BinOp) -> bool {
    matches!(op, BinOp::Slt | BinOp::Sle)
}

/// The least and greatest value a term may have in the order of `op`, on a scale that both orders share.
fn bounds(t: &Terms, op: BinOp, x: Term) -> Option<(i128, i128)> {
    let width = t.width(x);
    if width > 64 {
        return None;
    }
    let facts = t.facts(x);
    Some(if is_signed(op) {
        let (lo, hi) = facts.signed_range(width);
        (i128::from(lo), i128::from(hi))
    } else {
        (i128::from(facts.lo), i128::from(facts.hi))
    })
}

/// The least and greatest constant of a width in the order of `op`.
fn extremes(op: BinOp, width: u32) -> (Bits, Bits) {
    if is_signed(op) {
        (Bits::sign_bit(width), Bits::sign_bit(width).not())
    } else {
        (Bits::zero(width), Bits::ones(width))
    }
}

/// (bvult x x) → false, (bvule x x) → true, signed alike
fn same(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| t.bool(!is_strict(op)))
}

/// (bvult x y) → true or false where the possible values decide it; all orders alike
fn decided(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let Some(((lo_a, hi_a), (lo_b, hi_b))) = bounds(t, op, a).zip(bounds(t, op, b)) else {
        return decided_wide(t, op, a, b);
    };
    let (always, never) = if is_strict(op) { (hi_a < lo_b, lo_a >= hi_b) } else { (hi_a <= lo_b, lo_a > hi_b) };
    (always || never).then(|| t.bool(always))
}

/// Above 64 bits only the extreme constants decide.
fn decided_wide(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (least, most) = extremes(op, t.width(a));
    let is = |x: Term, bits: &Bits| t.as_const(x) == Some(bits);
    if is_strict(op) && (is(b, &least) || is(a, &most)) {
        return Some(t.bool(false));
    }
    (!is_strict(op) && (is(a, &least) || is(b, &most))).then(|| t.bool(true))
}

/// (bvule x c) → (bvult x c+1), (bvule c x) → (bvult c-1 x), signed alike; `decided` has dealt with the extremes
fn strict(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let op = match op {
        BinOp::Ule => BinOp::Ult,
        BinOp::Sle => BinOp::Slt,
        _ => return None,
    };
    let one = Bits::new(t.width(a), 1);
    if let Some(c) = t.as_const(b) {
        let more = c.add(&one);
        let more = t.constant(more);
        return Some(t.bin(op, a, more));
    }
    let less = t.as_const(a)?.sub(&one);
    let less = t.constant(less);
    Some(t.bin(op, less, b))
}

/// (bvult x c) → (= x c-1) where x is never less, (not (= x c)) where x is never more; (bvult c x) and signed alike
fn point(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    if !is_strict(op) {
        return None;
    }
    let one = Bits::new(t.width(a), 1);
    if let Some(c) = t.as_const(b) {
        let (below, c) = (c.sub(&one), c.clone());
        let (least, most) = limits(t, op, a);
        return at_point(t, a, &below, &least, &c, &most);
    }
    let c = t.as_const(a)?;
    let (above, c) = (c.add(&one), c.clone());
    let (least, most) = limits(t, op, b);
    at_point(t, b, &above, &most, &c, &least)
}

/// The least and greatest value of `x` in the order of `op`, as constants.
fn limits(t: &Terms, op: BinOp, x: Term) -> (Bits, Bits) {
    let width = t.width(x);
    match bounds(t, op, x) {
        Some((lo, hi)) => (Bits::new(width, lo as u64), Bits::new(width, hi as u64)),
        None => extremes(op, width),
    }
}

/// `x = only` if that is the limit on the side that satisfies, `x ≠ never` if that is the limit on the other.
fn at_point(t: &mut Terms, x: Term, only: &Bits, near: &Bits, never: &Bits, far: &Bits) -> Option<Term> {
    if only == near {
        let c = t.constant(only.clone());
        return Some(t.eq(x, c));
    }
    if never == far {
        let c = t.constant(never.clone());
        return Some(t.ne(x, c));
    }
    None
}

/// (bvslt x y) → (bvult x y) where both signs are known (if they differ, `decided` has dealt with it)
fn signs_agree(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    let known = |x: Term| match t.as_const(x) {
        Some(c) => Some(c.is_negative()),
        None if width <= 64 => t.facts(x).sign(width),
        None => t.as_zext(x).map(|_| false),
    };
    (known(a)? == known(b)?).then(|| t.bin(if op == BinOp::Slt { BinOp::Ult } else { BinOp::Ule }, a, b))
}

/// (bvult ((_ zero_extend n) x) ((_ zero_extend m) y)) → (bvult x y) at the wider of the two widths (bvule alike);
/// the same for sign_extend and every order
fn narrow(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, y) = match (t.node(a), t.node(b)) {
        (Node::ZExt(x, _), Node::ZExt(y, _)) if !is_signed(op) => (*x, *y),
        (Node::SExt(x, _), Node::SExt(y, _)) => (*x, *y),
        _ => return None,
    };
    let width = t.width(x).max(t.width(y));
    let (x, y) = (t.extract(a, 0, width), t.extract(b, 0, width));
    Some(t.bin(op, x, y))
}

/// (bvult ((_ zero_extend n) x) c) → (bvult x c') where c' extends to c (else it is decided); sign_extend and every
/// order alike; (bvult ((_ sign_extend n) x) c) → (bvslt -1 x) for c between what extends to a positive and to a negative
fn narrow_const(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (extended, constant, left) = if t.is_const(b) { (a, b, true) } else { (b, a, false) };
    let c = t.as_const(constant)?;
    let (x, fits, sign) = match *t.node(extended) {
        Node::ZExt(x, _) if !is_signed(op) => (x, c.significant() <= t.width(x), false),
        Node::SExt(x, _) => (x, c.extract(0, t.width(x)).sext(c.width()) == *c, true),
        _ => return None,
    };
    let width = t.width(x);
    if fits {
        let cut = c.extract(0, width);
        let cut = t.constant(cut);
        return Some(if left { t.bin(op, x, cut) } else { t.bin(op, cut, x) });
    }
    // In a signed order a constant that does not fit lies beyond all values; so does one above all zero extensions.
    let negative = c.is_negative();
    if !sign || is_signed(op) {
        return Some(t.bool(left != (is_signed(op) && negative)));
    }
    let zero = t.zero(width);
    Some(if left { t.sle(zero, x) } else { t.slt(x, zero) })
}

/// (bvult (bvnot x) (bvnot y)) → (bvult y x), (bvult (bvnot x) c) → (bvult (bvnot c) x); every order alike
fn complements(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    t.as_not(a).or(t.as_not(b))?;
    let inner = |t: &mut Terms, x: Term| match t.as_not(x) {
        None if t.is_const(x) => Some(t.not(x)),
        inner => inner,
    };
    let (x, y) = (inner(t, a)?, inner(t, b)?);
    Some(t.bin(op, y, x))
}

/// (bvult (concat x 0) c) → (bvult x c/2^n rounded up), (bvult c (concat x 0)) → (bvult c/2^n x); 0 of n bits
fn scaled(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (joined, constant) = if t.is_const(b) { (a, b) } else { (b, a) };
    let c = t.as_const(constant)?;
    let (x, low) = t.as_bin(BinOp::Concat, joined)?;
    if !t.is_zero(low) || op != BinOp::Ult {
        return None;
    }
    let (high, rest) = super::slice::split_const(c, t.width(low));
    if joined == b {
        let high = t.constant(high);
        return Some(t.ult(high, x));
    }
    // `x < high + 1` is `x ≤ high`, which cannot overflow.
    let up = !rest.is_zero();
    let high = t.constant(high);
    Some(if up { t.ule(x, high) } else { t.ult(x, high) })
}

/// (bvult (concat x y) (concat x z)) → (bvult y z), bvule alike; constants may be such concatenations
fn shared_high(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, y) = t.as_bin(BinOp::Concat, a).or(t.as_bin(BinOp::Concat, b))?;
    let low = t.width(y);
    let (y, z) = (below(t, a, x, low)?, below(t, b, x, low)?);
    Some(t.bin(op, y, z))
}

/// The low part of a term whose high part is `high`.
fn below(t: &mut Terms, whole: Term, high: Term, low_width: u32) -> Option<Term> {
    if let Some((x, y)) = t.as_bin(BinOp::Concat, whole) {
        return (x == high).then_some(y);
    }
    let (top, rest) = super::slice::split_const(t.as_const(whole)?, low_width);
    (*t.as_const(high)? == top).then(|| t.constant(rest))
}

/// (bvult (bvadd x c) d) → (bvult x d-c), (bvult d (bvadd x c)) → (bvult d-c x) where the sum never wraps; signed alike
fn move_constant(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    let (sum, constant) = if t.is_const(b) { (a, b) } else { (b, a) };
    let d = t.as_u64(constant)?;
    let (x, c) = t.as_bin_const(BinOp::Add, sum)?;
    let number = |value: u64| if is_signed(op) { i128::from(signed(width, value)) } else { i128::from(value) };
    let (least, most) = extremes(op, width);
    let (least, most) = (number(least.low()), number(most.low()));
    let (lo, hi) = bounds(t, op, x)?;
    // An unsigned summand may as well be seen as a subtrahend.
    let full = i128::from(mask(width)) + 1;
    let c = [number(c.low()), number(c.low()) - full].into_iter().find(|c| lo + c >= least && hi + c <= most)?;
    let moved = number(d) - c;
    if moved < least || moved > most {
        return Some(t.bool((moved > most) == (sum == a)));
    }
    let moved = t.bv(width, moved as u64);
    Some(if sum == a { t.bin(op, x, moved) } else { t.bin(op, moved, x) })
}
