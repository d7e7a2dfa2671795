//! Rules of and, or and xor; at width 1 also those of logic.

use super::{Rule, either, slice};
use crate::arena::Terms;
use crate::bits::Bits;
use crate::fold;
use crate::node::{BinOp, Node, Term};

pub(super) const AND: &[Rule] = &[
    and_const,
    idempotent,
    complement,
    merge_constants,
    absorb,
    const_outward,
    logic,
    mask_covers,
    low_mask,
    high_mask,
    narrow_and,
    split_concat,
    split_concat_const,
    de_morgan,
];

pub(super) const OR: &[Rule] = &[
    or_const,
    idempotent,
    complement,
    merge_constants,
    absorb,
    const_outward,
    logic,
    mask_covers,
    narrow_or,
    slice::disjoint,
    split_concat,
    split_concat_const,
    de_morgan,
];

pub(super) const XOR: &[Rule] = &[
    xor_const,
    xor_self,
    merge_constants,
    xor_cancels,
    const_outward,
    not_comparison,
    not_sum,
    narrow_or,
    slice::disjoint,
    split_concat,
    split_concat_const,
];

/// (bvand x 0) → 0, (bvand x -1) → x
fn and_const(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?;
    if c.is_zero() {
        return Some(b);
    }
    c.is_ones().then_some(a)
}

/// (bvor x 0) → x, (bvor x -1) → -1
fn or_const(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?;
    if c.is_zero() {
        return Some(a);
    }
    c.is_ones().then_some(b)
}

/// (bvxor x 0) → x
fn xor_const(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    t.is_zero(b).then_some(a)
}

/// (bvxor x x) → 0, (bvxor x (bvnot x)) → -1
fn xor_self(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    if a == b {
        return Some(t.zero(width));
    }
    t.are_complements(a, b).then(|| t.constant(Bits::ones(width)))
}

/// (bvand x x), (bvor x x) → x
fn idempotent(_: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    (a == b).then_some(a)
}

/// (bvand x (bvnot x)) → 0, (bvor x (bvnot x)) → -1
fn complement(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    if !t.are_complements(a, b) {
        return None;
    }
    Some(t.constant(if op == BinOp::And { Bits::zero(width) } else { Bits::ones(width) }))
}

/// (op (op x c) d) → (op x (op c d))
fn merge_constants(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, c) = t.as_bin_const(op, a)?;
    let both = fold::bin(op, &c, t.as_const(b)?);
    let both = t.constant(both);
    Some(t.bin(op, x, both))
}

/// (op (op x c) y) → (op (op x y) c)
fn const_outward(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, c, y) = either(a, b).into_iter().find_map(|(inner, y)| {
        let (x, c) = t.as_bin(op, inner)?;
        (t.is_const(c) && !t.is_const(y)).then_some((x, c, y))
    })?;
    let inner = t.bin(op, x, y);
    Some(t.bin(op, inner, c))
}

/// (bvand x (bvand x y)) → (bvand x y), (bvand x (bvor x y)) → x; the same with and/or exchanged
fn absorb(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    either(a, b).into_iter().find_map(|(x, other)| match *t.node(other) {
        Node::Bin(inner @ (BinOp::And | BinOp::Or), v, w) if v == x || w == x => {
            Some(if inner == op { other } else { x })
        }
        _ => None,
    })
}

/// (bvand x c) → x where all bits outside c are always clear in x; (bvor x c) → x where all bits of c are always set
fn mask_covers(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_u64(b)?;
    let facts = t.facts(a);
    let covered = match op {
        BinOp::And => facts.zeros | c == crate::bits::mask(t.width(a)),
        _ => facts.ones & c == c,
    };
    covered.then_some(a)
}

/// (bvand x 2^k-1) → ((_ zero_extend w-k) ((_ extract k-1 0) x))
fn low_mask(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?;
    let (width, keep) = (c.width(), c.significant());
    if c.count_ones() != keep {
        return None;
    }
    let low = t.extract(a, 0, keep);
    Some(t.zext(low, width))
}

/// (bvand x -2^k) → (concat ((_ extract w-1 k) x) 0) where the slice is no node of its own
fn high_mask(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    let c = t.as_const(b)?;
    let (width, clear) = (c.width(), c.trailing_zeros());
    if c.count_ones() != width - clear || !slice::is_free(t, a, clear, width - clear, super::DEPTH) {
        return None;
    }
    let high = t.extract(a, clear, width - clear);
    let low = t.zero(clear);
    Some(t.concat(high, low))
}

/// (bvand ((_ zero_extend n) x) y) → ((_ zero_extend n) (bvand x ((_ extract k-1 0) y))) where the slice of y is no
/// node of its own
fn narrow_and(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    // The narrower extension is the better one to pull out.
    let (x, y) = either(a, b)
        .into_iter()
        .filter_map(|(extended, y)| Some((t.as_zext(extended)?, y)))
        .min_by_key(|&(x, _)| t.width(x))?;
    let narrow = t.width(x);
    if !slice::is_free(t, y, 0, narrow, super::DEPTH) && t.as_zext(y).is_none() {
        return None;
    }
    let y = t.extract(y, 0, narrow);
    let inner = t.bin(op, x, y);
    Some(t.zext(inner, width))
}

/// (bvor ((_ zero_extend n) x) ((_ zero_extend m) y)) → ((_ zero_extend n) (bvor x y)) at the wider of the two widths;
/// (bvxor …) alike. One may be a constant.
fn narrow_or(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    let core = |x: Term| match (t.as_zext(x), t.as_const(x)) {
        (Some(inner), _) => Some(t.width(inner)),
        (None, Some(c)) => Some(c.significant()),
        (None, None) => None,
    };
    let narrow = core(a)?.max(core(b)?);
    if narrow >= width {
        return None;
    }
    let (x, y) = (t.extract(a, 0, narrow), t.extract(b, 0, narrow));
    let inner = t.bin(op, x, y);
    Some(t.zext(inner, width))
}

/// (op (concat x y) (concat v w)) → (concat (op x v) (op y w)) where x and v have one width
fn split_concat(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let ((x, y), (v, w)) = (t.as_bin(BinOp::Concat, a)?, t.as_bin(BinOp::Concat, b)?);
    if t.width(y) != t.width(w) {
        return None;
    }
    let (high, low) = (t.bin(op, x, v), t.bin(op, y, w));
    Some(t.concat(high, low))
}

/// (op (concat x y) c) → (concat (op x c1) (op y c0)) where c1 or c0 is 0 or -1
fn split_concat_const(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, y) = t.as_bin(BinOp::Concat, a)?;
    let c = t.as_const(b)?;
    let low_width = t.width(y);
    let (high, low) = slice::split_const(c, low_width);
    // A complement is not trivial unless the operand takes it in.
    let trivial = |c: &Bits, x: Term| c.is_zero() || (c.is_ones() && (op != BinOp::Xor || t.not_is_free(x)));
    if !trivial(&high, x) && !trivial(&low, y) {
        return None;
    }
    let (high, low) = (t.constant(high), t.constant(low));
    let (high, low) = (t.bin(op, x, high), t.bin(op, y, low));
    Some(t.concat(high, low))
}

/// (bvand (bvnot x) (bvnot y)) → (bvnot (bvor x y)); the same with and/or exchanged
fn de_morgan(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, y) = (t.as_not(a)?, t.as_not(b)?);
    let inner = t.bin(if op == BinOp::And { BinOp::Or } else { BinOp::And }, x, y);
    Some(t.not(inner))
}

/// (bvxor x (bvxor x y)) → y
fn xor_cancels(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    either(a, b).into_iter().find_map(|(x, inner)| {
        let (v, w) = t.as_bin(op, inner)?;
        either(v, w).into_iter().find_map(|(v, w)| (v == x).then_some(w))
    })
}

/// (bvnot (bvult x y)) → (bvule y x), (bvnot (bvule x y)) → (bvult y x), signed alike;
/// (bvnot (bvxor x y)) → (= x y), (bvnot (= x y)) → (bvxor x y), x and y of width 1 and not constants
fn not_comparison(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    if t.width(a) != 1 || !t.is_const(b) {
        return None;
    }
    let Node::Bin(op, x, y) = *t.node(a) else { return None };
    let (op, x, y) = match op {
        BinOp::Ult => (BinOp::Ule, y, x),
        BinOp::Ule => (BinOp::Ult, y, x),
        BinOp::Slt => (BinOp::Sle, y, x),
        BinOp::Sle => (BinOp::Slt, y, x),
        BinOp::Xor if !t.is_const(y) => (BinOp::Eq, x, y),
        BinOp::Eq if t.width(x) == 1 => (BinOp::Xor, x, y),
        _ => return None,
    };
    Some(t.bin(op, x, y))
}

/// (bvnot (bvadd x c)) → (bvsub -c-1 x), (bvnot (bvsub c x)) → (bvadd x -c-1)
fn not_sum(t: &mut Terms, _: BinOp, a: Term, b: Term) -> Option<Term> {
    if !t.as_const(b)?.is_ones() {
        return None;
    }
    if let Some((x, c)) = t.as_bin_const(BinOp::Add, a) {
        let c = t.constant(c.not());
        return Some(t.sub(c, x));
    }
    let (c, x) = t.as_const_minus(a)?;
    let c = t.constant(c.not());
    Some(t.add(x, c))
}

/// At width 1, where one operand decides the other:
/// (and p (not p)) → false, (or p (not p)) → true for comparisons, whose negation is another comparison;
/// (and (= x c) q) → (= x c) or false, (or (not (= x c)) q) → (not (= x c)) or true, q a comparison of x and a constant
fn logic(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    if t.width(a) != 1 {
        return None;
    }
    if t.not_is_free(a) && t.not_is_free(b) && t.not(a) == b {
        return Some(t.bool(op == BinOp::Or));
    }
    for (point, other) in either(a, b) {
        let equality = if op == BinOp::And { Some(point) } else { t.as_not(point) };
        let Some((x, c)) = equality.and_then(|p| t.as_bin_const(BinOp::Eq, p)) else { continue };
        let Some(holds) = truth_at(t, other, x, &c) else { continue };
        return Some(match (op, holds) {
            (BinOp::And, true) | (BinOp::Or, false) => point,
            _ => t.bool(holds),
        });
    }
    None
}

/// The truth of a comparison (or its negation) of `x` and a constant, where `x` is `c`.
fn truth_at(t: &Terms, comparison: Term, x: Term, c: &Bits) -> Option<bool> {
    if let Some(inner) = t.as_not(comparison) {
        return truth_at(t, inner, x, c).map(|holds| !holds);
    }
    let Node::Bin(op, v, w) = *t.node(comparison) else { return None };
    if !op.is_comparison() {
        return None;
    }
    let at = |term: Term| if term == x { Some(c) } else { t.as_const(term) };
    Some(!fold::bin(op, at(v)?, at(w)?).is_zero())
}
