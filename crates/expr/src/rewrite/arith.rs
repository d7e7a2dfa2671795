//! Rules of sums, differences and products.
//!
//! Normal form: a constant is the last summand of the outermost sum; `x - c` is `x + -c`.

use super::{Rule, either, slice};
use crate::arena::Terms;
use crate::bits::Bits;
use crate::node::{BinOp, Node, Term};

pub(super) const ADD: &[Rule] = &[
    add_zero,
    bit_sum,
    add_constants,
    add_to_const_minus,
    add_to_not,
    const_outward,
    const_minus_outward,
    add_difference,
    add_complement,
    slice::disjoint,
];

pub(super) const SUB: &[Rule] = &[
    sub_self,
    sub_const,
    bit_sum,
    const_minus_sum,
    const_minus_difference,
    const_minus_not,
    minus_bool,
    sub_pulls_const,
    sub_of_sum,
    sub_from_const_minus,
    sub_cancels,
];

pub(super) const MUL: &[Rule] =
    &[mul_const, bit_product, mul_power, mul_constants, mul_distributes, mul_negated, mul_bool];

/// (bvadd x 0) → x
fn add_zero(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    t.is_zero(b).then_some(a)
}

/// (bvadd x y), (bvsub x y) at width 1 → (bvxor x y)
fn bit_sum(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    (t.width(a) == 1).then(|| t.xor(a, b))
}

/// (bvadd (bvadd x c) d) → (bvadd x c+d)
fn add_constants(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, c) = t.as_bin_const(BinOp::Add, a)?;
    let sum = c.add(t.as_const(b)?);
    Some(plus(t, x, sum))
}

/// (bvadd (bvsub c x) d) → (bvsub c+d x)
fn add_to_const_minus(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (c, x) = t.as_const_minus(a)?;
    let sum = c.add(t.as_const(b)?);
    Some(minus(t, sum, x))
}

/// (bvadd (bvnot x) c) → (bvsub c-1 x)
fn add_to_not(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?.clone();
    let x = t.as_not(a)?;
    let less = c.sub(&Bits::new(c.width(), 1));
    Some(minus(t, less, x))
}

/// (bvadd (bvadd x c) y) → (bvadd (bvadd x y) c)
fn const_outward(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, c, y) = either(a, b).into_iter().find_map(|(sum, y)| {
        let (x, c) = t.as_bin_const(BinOp::Add, sum)?;
        Some((x, c, y))
    })?;
    let inner = t.add(x, y);
    Some(plus(t, inner, c))
}

/// (bvadd (bvsub c x) y) → (bvadd (bvsub y x) c)
fn const_minus_outward(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (c, x, y) = either(a, b).into_iter().find_map(|(difference, y)| {
        let (c, x) = t.as_const_minus(difference)?;
        Some((c, x, y))
    })?;
    let inner = t.sub(y, x);
    Some(plus(t, inner, c))
}

/// (bvadd (bvsub x y) y) → x
fn add_difference(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    either(a, b).into_iter().find_map(|(difference, other)| {
        let (x, y) = t.as_bin(BinOp::Sub, difference)?;
        (y == other).then_some(x)
    })
}

/// (bvadd x (bvnot x)) → all ones
fn add_complement(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    t.are_complements(a, b).then(|| t.constant(Bits::ones(width)))
}

/// (bvsub x x) → 0
fn sub_self(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    (a == b).then(|| t.zero(width))
}

/// (bvsub x c) → (bvadd x -c)
fn sub_const(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let negated = t.as_const(b)?.neg();
    Some(plus(t, a, negated))
}

/// (bvsub c (bvadd x d)) → (bvsub c-d x)
fn const_minus_sum(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, d) = t.as_bin_const(BinOp::Add, b)?;
    let less = t.as_const(a)?.sub(&d);
    Some(minus(t, less, x))
}

/// (bvsub c (bvsub x y)) → (bvadd (bvsub y x) c)
fn const_minus_difference(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(a)?.clone();
    let (x, y) = t.as_bin(BinOp::Sub, b)?;
    let inner = t.sub(y, x);
    Some(plus(t, inner, c))
}

/// (bvsub c (bvnot x)) → (bvadd x c+1)
fn const_minus_not(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(a)?.clone();
    let x = t.as_not(b)?;
    let more = c.add(&Bits::new(c.width(), 1));
    Some(plus(t, x, more))
}

/// (bvsub 0 ((_ zero_extend n) x)) at width 1 of x → ((_ sign_extend n) x)
fn minus_bool(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let x = t.as_zext(b)?;
    let width = t.width(b);
    (t.is_zero(a) && t.width(x) == 1).then(|| t.sext(x, width))
}

/// (bvsub (bvadd x c) y) → (bvadd (bvsub x y) c)
/// (bvsub x (bvadd y c)) → (bvadd (bvsub x y) -c)
/// (bvsub x (bvsub c y)) → (bvadd (bvadd x y) -c)
fn sub_pulls_const(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    if let Some((x, c)) = t.as_bin_const(BinOp::Add, a) {
        let inner = t.sub(x, b);
        return Some(plus(t, inner, c));
    }
    if let Some((y, c)) = t.as_bin_const(BinOp::Add, b) {
        let inner = t.sub(a, y);
        return Some(plus(t, inner, c.neg()));
    }
    let (c, y) = t.as_const_minus(b)?;
    let inner = t.add(a, y);
    Some(plus(t, inner, c.neg()))
}

/// (bvsub (bvadd x y) x) → y, (bvsub (bvadd x y) (bvadd x z)) → (bvsub y z), and with the sums turned round
fn sub_of_sum(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, y) = t.as_bin(BinOp::Add, a)?;
    for (x, y) in either(x, y) {
        if x == b {
            return Some(y);
        }
        if let Some((v, w)) = t.as_bin(BinOp::Add, b) {
            for (v, w) in either(v, w) {
                if v == x {
                    return Some(t.sub(y, w));
                }
            }
        }
    }
    None
}

/// (bvsub (bvsub c x) y) → (bvsub c (bvadd x y))
fn sub_from_const_minus(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (c, x) = t.as_const_minus(a)?;
    let sum = t.add(x, b);
    Some(minus(t, c, sum))
}

/// (bvsub x (bvsub x y)) → y
/// (bvsub x (bvadd x y)) → (bvsub 0 y)
/// (bvsub (bvsub x y) x) → (bvsub 0 y)
fn sub_cancels(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    if let Some((x, y)) = t.as_bin(BinOp::Sub, b)
        && x == a
    {
        return Some(y);
    }
    if let Some((x, y)) = t.as_bin(BinOp::Add, b)
        && (x == a || y == a)
    {
        return Some(t.neg(if x == a { y } else { x }));
    }
    let (x, y) = t.as_bin(BinOp::Sub, a)?;
    (x == b).then(|| t.neg(y))
}

/// (bvmul x 0) → 0, (bvmul x 1) → x, (bvmul x -1) → (bvsub 0 x)
fn mul_const(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?;
    if c.is_zero() {
        return Some(b);
    }
    if c.significant() == 1 {
        return Some(a);
    }
    c.is_ones().then(|| t.neg(a))
}

/// (bvmul x y) at width 1 → (bvand x y)
fn bit_product(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    (t.width(a) == 1).then(|| t.and(a, b))
}

/// (bvmul x 2^k) → (bvshl x k)
fn mul_power(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let by = t.as_const(b)?.log2()?;
    let by = t.bv(t.width(a), u64::from(by));
    Some(t.bin(BinOp::Shl, a, by))
}

/// (bvmul (bvmul x c) d) → (bvmul x c*d), (bvmul (bvshl x k) d) → (bvmul x d*2^k)
fn mul_constants(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let d = t.as_const(b)?;
    let (x, product) = if let Some((x, c)) = t.as_bin_const(BinOp::Mul, a) {
        (x, c.mul(d))
    } else {
        let (x, k) = t.as_bin_const(BinOp::Shl, a)?;
        (x, d.shl(k.as_distance()))
    };
    let product = t.constant(product);
    Some(t.mul(x, product))
}

/// (bvmul (bvadd x c) d) → (bvadd (bvmul x d) c*d)
fn mul_distributes(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, c) = t.as_bin_const(BinOp::Add, a)?;
    let product = c.mul(t.as_const(b)?);
    let inner = t.mul(x, b);
    Some(plus(t, inner, product))
}

/// (bvmul (bvsub 0 x) c) → (bvmul x -c)
fn mul_negated(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (zero, x) = t.as_const_minus(a)?;
    let negated = t.as_const(b)?.neg();
    zero.is_zero().then(|| {
        let c = t.constant(negated);
        t.mul(x, c)
    })
}

/// (bvmul ((_ zero_extend n) x) y) at width 1 of x → (ite x y 0)
fn mul_bool(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, y) = either(a, b).into_iter().find_map(|(extended, y)| match *t.node(extended) {
        Node::ZExt(x, _) if t.width(x) == 1 => Some((x, y)),
        _ => None,
    })?;
    let zero = t.zero(t.width(y));
    Some(t.ite(x, y, zero))
}

/// `x + c`
fn plus(t: &mut Terms, x: Term, c: Bits) -> Term {
    let c = t.constant(c);
    t.add(x, c)
}

/// `c - x`
fn minus(t: &mut Terms, c: Bits, x: Term) -> Term {
    let c = t.constant(c);
    t.sub(c, x)
}
