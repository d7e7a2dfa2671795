//! Rules of equality.

use super::{Rule, either, slice};
use crate::arena::Terms;
use crate::bits::Bits;
use crate::node::{BinOp, Node, Term};

pub(super) const EQ: &[Rule] = &[
    same,
    excluded,
    bit,
    move_constant,
    move_constants,
    cancel,
    zero_difference,
    extended_const,
    extended,
    odd_product,
    shifted,
    split,
    split_const,
    choice_of_constants,
];

/// (= x x) → true, (= x (bvnot x)) → false
fn same(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(t.bool(true));
    }
    t.are_complements(a, b).then(|| t.bool(false))
}

/// (= x y) → false where no value is possible for both
fn excluded(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    (t.width(a) <= 64 && t.facts(a).disjoint(t.facts(b))).then(|| t.bool(false))
}

/// At width 1: (= x true) → x, (= x false) → (not x), (= (not x) y) → (xor x y)
fn bit(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    if t.width(a) != 1 {
        return None;
    }
    if let Some(c) = t.as_u64(b) {
        return Some(if c == 1 { a } else { t.not(a) });
    }
    let (x, y) = either(a, b).into_iter().find_map(|(x, y)| Some((t.as_not(x)?, y)))?;
    Some(t.xor(x, y))
}

/// (= (bvadd x c) d) → (= x d-c), (= (bvxor x c) d) → (= x (bvxor c d)), (= (bvsub c x) d) → (= x c-d)
fn move_constant(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let d = t.as_const(b)?;
    let (x, moved) = if let Some((x, c)) = t.as_bin_const(BinOp::Add, a) {
        (x, d.sub(&c))
    } else if let Some((x, c)) = t.as_bin_const(BinOp::Xor, a) {
        (x, d.xor(&c))
    } else {
        let (c, x) = t.as_const_minus(a)?;
        (x, c.sub(d))
    };
    let moved = t.constant(moved);
    Some(t.eq(x, moved))
}

/// (= (bvadd x c) (bvadd y d)) → (= (bvadd x c-d) y), (= (bvxor x c) (bvxor y d)) → (= (bvxor x (bvxor c d)) y),
/// (= (bvsub c x) (bvsub d y)) → (= (bvadd x d-c) y)
fn move_constants(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let pair = |op| Some((t.as_bin_const(op, a)?, t.as_bin_const(op, b)?));
    let (op, x, c, y) = if let Some(((x, c), (y, d))) = pair(BinOp::Add) {
        (BinOp::Add, x, c.sub(&d), y)
    } else if let Some(((x, c), (y, d))) = pair(BinOp::Xor) {
        (BinOp::Xor, x, c.xor(&d), y)
    } else {
        let ((c, x), (d, y)) = (t.as_const_minus(a)?, t.as_const_minus(b)?);
        (BinOp::Add, x, d.sub(&c), y)
    };
    let c = t.constant(c);
    let moved = t.bin(op, x, c);
    Some(t.eq(moved, y))
}

/// (= (bvadd x y) x) → (= y 0), (= (bvadd x y) (bvadd x z)) → (= y z); bvxor alike; (= (bvsub x y) x) → (= y 0)
fn cancel(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    for (one, other) in either(a, b) {
        let Node::Bin(op, x, y) = *t.node(one) else { continue };
        if op == BinOp::Sub && x == other {
            let zero = t.zero(t.width(a));
            return Some(t.eq(y, zero));
        }
        if !matches!(op, BinOp::Add | BinOp::Xor) {
            continue;
        }
        for (x, y) in either(x, y) {
            if x == other {
                let zero = t.zero(t.width(a));
                return Some(t.eq(y, zero));
            }
            let Some((v, w)) = t.as_bin(op, other) else { continue };
            if let Some((_, w)) = either(v, w).into_iter().find(|&(v, _)| v == x) {
                return Some(t.eq(y, w));
            }
        }
    }
    None
}

/// (= (bvsub x y) 0), (= (bvxor x y) 0) → (= x y)
fn zero_difference(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    match *t.node(a) {
        Node::Bin(BinOp::Sub | BinOp::Xor, x, y) if t.is_zero(b) => Some(t.eq(x, y)),
        _ => None,
    }
}

/// (= ((_ zero_extend n) x) c) → (= x c') where c' extends to c, else false; sign_extend alike
fn extended_const(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?;
    let (x, fits) = match *t.node(a) {
        Node::ZExt(x, _) => (x, c.significant() <= t.width(x)),
        Node::SExt(x, _) => (x, c.extract(0, t.width(x)).sext(c.width()) == *c),
        _ => return None,
    };
    if !fits {
        return Some(t.bool(false));
    }
    let cut = c.extract(0, t.width(x));
    let cut = t.constant(cut);
    Some(t.eq(x, cut))
}

/// (= ((_ zero_extend n) x) ((_ zero_extend m) y)) → (= x y) at the wider of the two widths; sign_extend alike
fn extended(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, y) = match (t.node(a), t.node(b)) {
        (Node::ZExt(x, _), Node::ZExt(y, _)) | (Node::SExt(x, _), Node::SExt(y, _)) => (*x, *y),
        _ => return None,
    };
    let width = t.width(x).max(t.width(y));
    let (x, y) = (t.extract(a, 0, width), t.extract(b, 0, width));
    Some(t.eq(x, y))
}

/// (= (bvmul x c) d) → (= x d/c) for odd c, by the inverse modulo 2^w
fn odd_product(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let d = t.as_const(b)?;
    let (x, c) = t.as_bin_const(BinOp::Mul, a)?;
    if !c.bit(0) {
        return None;
    }
    let quotient = d.mul(&inverse(&c));
    let quotient = t.constant(quotient);
    Some(t.eq(x, quotient))
}

/// The inverse of an odd number modulo 2^width, by Newton's iteration: each step doubles the bits that are right.
fn inverse(c: &Bits) -> Bits {
    let two = Bits::new(c.width(), 2);
    let mut inverse = c.clone();
    let mut right = 3;
    while right < c.width() {
        inverse = inverse.mul(&two.sub(&c.mul(&inverse)));
        right *= 2;
    }
    inverse
}

/// (= (bvshl x k) c) → (= ((_ extract w-k-1 0) x) c/2^k), or false if c is no multiple of 2^k
fn shifted(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?;
    let (x, by) = t.as_bin_const(BinOp::Shl, a)?;
    let (by, width) = (by.as_distance() as u32, c.width());
    if c.trailing_zeros() < by {
        return Some(t.bool(false));
    }
    let high = c.extract(by, width - by);
    let high = t.constant(high);
    let low = t.extract(x, 0, width - by);
    Some(t.eq(low, high))
}

/// (= (concat x y) (concat v w)) → (and (= x v) (= y w)) where x and v have one width
fn split(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let ((x, y), (v, w)) = (t.as_bin(BinOp::Concat, a)?, t.as_bin(BinOp::Concat, b)?);
    if t.width(y) != t.width(w) {
        return None;
    }
    let (high, low) = (t.eq(x, v), t.eq(y, w));
    Some(t.and(high, low))
}

/// (= (concat x y) c) → (and (= x c1) (= y c0)): larger by one, but two constraints that slicing can tell apart
fn split_const(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, y) = t.as_bin(BinOp::Concat, a)?;
    let (high, low) = slice::split_const(t.as_const(b)?, t.width(y));
    let (high, low) = (t.constant(high), t.constant(low));
    let (high, low) = (t.eq(x, high), t.eq(y, low));
    Some(t.and(high, low))
}

/// (= (ite c k l) d) → false where no constant at the end of the (possibly nested) choice is d
fn choice_of_constants(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    t.as_const(b)?;
    if !matches!(t.node(a), Node::Ite(..)) {
        return None;
    }
    let (mut pending, mut budget) = (vec![a], 32);
    while let Some(x) = pending.pop() {
        budget -= 1;
        match *t.node(x) {
            Node::Ite(_, y, z) if budget > 0 => pending.extend([y, z]),
            Node::Const(_) if x != b => {}
            _ => return None,
        }
    }
    Some(t.bool(false))
}
