//! Rules of extract, concat and the extensions.
//!
//! Normal form: extensions outermost, concatenations nested to the right. Words that were copied byte by byte come
//! back as words.

use super::{DEPTH, Rule, either};
use crate::arena::Terms;
use crate::bits::{Bits, mask};
use crate::node::{BinOp, Node, Term};

pub(super) const CONCAT: &[Rule] =
    &[concat_zero, concat_extension, concat_right, concat_merges, concat_merges_next, concat_shift, concat_sign];

/// What `((_ extract lo+width-1 lo) x)` is, if not a node of its own.
pub(crate) fn extract(t: &mut Terms, x: Term, lo: u32, width: u32) -> Option<Term> {
    let full = t.width(x);
    // ((_ extract w-1 0) x) → x
    if width == full {
        return Some(x);
    }
    match *t.node(x) {
        Node::Const(ref bits) => {
            let bits = bits.extract(lo, width);
            Some(t.constant(bits))
        }
        // ((_ extract i j) ((_ extract k l) y)) → ((_ extract i+l j+l) y)
        Node::Extract { arg, lo: below, .. } => Some(t.extract(arg, below + lo, width)),
        Node::ZExt(y, _) => Some(extract_zext(t, y, lo, width)),
        Node::SExt(y, _) => Some(extract_sext(t, y, lo, width)),
        Node::Bin(BinOp::Concat, high, low) => extract_concat(t, high, low, lo, width),
        Node::Bin(BinOp::Shl, y, by) => extract_shl(t, y, by, lo, width),
        // ((_ extract i j) (op y z)) → (op ((_ extract i j) y) ((_ extract i j) z)) where neither slice is a node;
        // sums and products from bit 0 only
        Node::Bin(op, y, z) if is_free(t, x, lo, width, DEPTH) => {
            let (y, z) = (t.extract(y, lo, width), t.extract(z, lo, width));
            Some(t.bin(op, y, z))
        }
        Node::Ite(c, y, z) if is_free(t, x, lo, width, DEPTH) => {
            let (y, z) = (t.extract(y, lo, width), t.extract(z, lo, width));
            Some(t.ite(c, y, z))
        }
        _ => None,
    }
}

/// ((_ extract i j) ((_ zero_extend n) y)) → a slice of y, extended; or 0
fn extract_zext(t: &mut Terms, y: Term, lo: u32, width: u32) -> Term {
    let inner = t.width(y);
    if lo >= inner {
        return t.zero(width);
    }
    let slice = t.extract(y, lo, width.min(inner - lo));
    t.zext(slice, width)
}

/// ((_ extract i j) ((_ sign_extend n) y)) → a slice of y (at least its sign), extended
fn extract_sext(t: &mut Terms, y: Term, lo: u32, width: u32) -> Term {
    let inner = t.width(y);
    let from = lo.min(inner - 1);
    let slice = t.extract(y, from, width.min(inner - from));
    t.sext(slice, width)
}

/// ((_ extract i j) (concat x y)) → ((_ extract …) x) or ((_ extract …) y); across both if one slice is no node
fn extract_concat(t: &mut Terms, high: Term, low: Term, lo: u32, width: u32) -> Option<Term> {
    let border = t.width(low);
    if lo >= border {
        return Some(t.extract(high, lo - border, width));
    }
    if lo + width <= border {
        return Some(t.extract(low, lo, width));
    }
    let (above, below) = (lo + width - border, border - lo);
    if !is_free(t, high, 0, above, DEPTH) && !is_free(t, low, lo, below, DEPTH) {
        return None;
    }
    let (high, low) = (t.extract(high, 0, above), t.extract(low, lo, below));
    Some(t.concat(high, low))
}

/// ((_ extract i j) (bvshl y k)) → ((_ extract i-k j-k) y), or 0; across the border (concat ((_ extract i-k 0) y) 0)
fn extract_shl(t: &mut Terms, y: Term, by: Term, lo: u32, width: u32) -> Option<Term> {
    let by = t.as_const(by)?.as_distance() as u32;
    if lo >= by {
        return Some(t.extract(y, lo - by, width));
    }
    if lo + width <= by {
        return Some(t.zero(width));
    }
    let high = t.extract(y, 0, lo + width - by);
    let low = t.zero(by - lo);
    Some(t.concat(high, low))
}

/// Whether a slice of `x` is a term that needs no `extract` of its own (or one that `x` already is).
pub(super) fn is_free(t: &Terms, x: Term, lo: u32, width: u32, depth: u32) -> bool {
    if lo == 0 && width == t.width(x) {
        return true;
    }
    match *t.node(x) {
        Node::Const(_) | Node::Extract { .. } => true,
        Node::ZExt(y, _) | Node::SExt(y, _) => {
            let inner = t.width(y);
            match t.node(x) {
                Node::ZExt(..) if lo >= inner => true,
                _ if lo >= inner => false,
                _ => is_free(t, y, lo, width.min(inner - lo), depth),
            }
        }
        Node::Bin(BinOp::Concat, high, low) => {
            let border = t.width(low);
            if lo >= border {
                is_free(t, high, lo - border, width, depth)
            } else if lo + width <= border {
                is_free(t, low, lo, width, depth)
            } else {
                is_free(t, high, 0, lo + width - border, depth) && is_free(t, low, lo, border - lo, depth)
            }
        }
        _ if depth == 0 => false,
        Node::Bin(op, y, z) => {
            let bitwise = matches!(op, BinOp::And | BinOp::Or | BinOp::Xor);
            let ring = lo == 0 && matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul);
            (bitwise || ring) && is_free(t, y, lo, width, depth - 1) && is_free(t, z, lo, width, depth - 1)
        }
        Node::Ite(_, y, z) => is_free(t, y, lo, width, depth - 1) && is_free(t, z, lo, width, depth - 1),
        _ => false,
    }
}

/// What `((_ zero_extend n) x)` to `width` bits is, if not a node of its own.
pub(crate) fn zext(t: &mut Terms, x: Term, width: u32) -> Option<Term> {
    match *t.node(x) {
        Node::Const(ref bits) => {
            let bits = bits.zext(width);
            Some(t.constant(bits))
        }
        // ((_ zero_extend n) ((_ zero_extend m) y)) → ((_ zero_extend n+m) y)
        Node::ZExt(y, _) => Some(t.zext(y, width)),
        // ((_ zero_extend n) (ite c k l)) → (ite c k l), extended
        Node::Ite(c, y, z) if t.is_const(y) && t.is_const(z) => {
            let (y, z) = (t.zext(y, width), t.zext(z, width));
            Some(t.ite(c, y, z))
        }
        // ((_ zero_extend n) ((_ extract k-1 0) y)) → y, or y cut or extended, where y is always below 2^k
        Node::Extract { arg, lo: 0, width: kept } if t.width(arg) <= 64 && t.facts(arg).hi <= mask(kept) => {
            Some(if t.width(arg) > width { t.extract(arg, 0, width) } else { t.zext(arg, width) })
        }
        _ => None,
    }
}

/// What `((_ sign_extend n) x)` to `width` bits is, if not a node of its own.
pub(crate) fn sext(t: &mut Terms, x: Term, width: u32) -> Option<Term> {
    match *t.node(x) {
        Node::Const(ref bits) => {
            let bits = bits.sext(width);
            Some(t.constant(bits))
        }
        // ((_ sign_extend n) ((_ sign_extend m) y)) → ((_ sign_extend n+m) y)
        Node::SExt(y, _) => Some(t.sext(y, width)),
        // ((_ sign_extend n) ((_ zero_extend m) y)) → ((_ zero_extend n+m) y)
        Node::ZExt(y, _) => Some(t.zext(y, width)),
        // ((_ sign_extend n) (ite c k l)) → (ite c k l), extended
        Node::Ite(c, y, z) if t.is_const(y) && t.is_const(z) => {
            let (y, z) = (t.sext(y, width), t.sext(z, width));
            Some(t.ite(c, y, z))
        }
        // ((_ sign_extend n) x) → ((_ zero_extend n) x) where x is never negative
        _ if t.width(x) <= 64 && t.facts(x).sign(t.width(x)) == Some(false) => Some(t.zext(x, width)),
        _ => None,
    }
}

/// (concat 0 x) → ((_ zero_extend n) x)
fn concat_zero(t: &mut Terms, _: BinOp, high: Term, low: Term) -> Option<Term> {
    let width = t.width(high) + t.width(low);
    t.is_zero(high).then(|| t.zext(low, width))
}

/// (concat ((_ zero_extend n) x) y) → ((_ zero_extend n) (concat x y)), sign_extend alike
fn concat_extension(t: &mut Terms, _: BinOp, high: Term, low: Term) -> Option<Term> {
    let width = t.width(high) + t.width(low);
    if let Some(x) = t.as_zext(high) {
        let inner = t.concat(x, low);
        return Some(t.zext(inner, width));
    }
    let x = t.as_sext(high)?;
    let inner = t.concat(x, low);
    Some(t.sext(inner, width))
}

/// (concat (concat x y) z) → (concat x (concat y z))
fn concat_right(t: &mut Terms, _: BinOp, high: Term, low: Term) -> Option<Term> {
    let (x, y) = t.as_bin(BinOp::Concat, high)?;
    let inner = t.concat(y, low);
    Some(t.concat(x, inner))
}

/// (concat ((_ extract i j) x) ((_ extract j-1 k) x)) → ((_ extract i k) x), in whatever form the slices are
fn concat_merges(t: &mut Terms, _: BinOp, high: Term, low: Term) -> Option<Term> {
    merged(t, high, low)
}

/// (concat x (concat y z)) → (concat x' z) where x and y merge to x'
fn concat_merges_next(t: &mut Terms, _: BinOp, high: Term, low: Term) -> Option<Term> {
    let (next, rest) = t.as_bin(BinOp::Concat, low)?;
    let first = merged(t, high, next)?;
    Some(t.concat(first, rest))
}

/// Two neighbours as one: constants, slices of one term, or choices by one condition. A slice that was rewritten is known by making it again.
fn merged(t: &mut Terms, high: Term, low: Term) -> Option<Term> {
    if let (Some(h), Some(l)) = (t.as_const(high), t.as_const(low)) {
        let bits = h.concat(l);
        return Some(t.constant(bits));
    }
    let (above, below) = (t.width(high), t.width(low));
    if let Node::Extract { arg, lo, .. } = *t.node(high)
        && let Some(from) = lo.checked_sub(below)
        && t.extract(arg, from, below) == low
    {
        return Some(t.extract(arg, from, above + below));
    }
    if let Node::Extract { arg, lo, .. } = *t.node(low)
        && lo + below + above <= t.width(arg)
        && t.extract(arg, lo + below, above) == high
    {
        return Some(t.extract(arg, lo, above + below));
    }
    merged_choice(t, high, low)
}

/// (concat ((_ extract w-k-1 0) x) 0) → (bvshl x k), 0 of k bits and x of w
fn concat_shift(t: &mut Terms, _: BinOp, high: Term, low: Term) -> Option<Term> {
    let Node::Extract { arg, lo: 0, width } = *t.node(high) else { return None };
    let by = t.width(low);
    if !t.is_zero(low) || t.width(arg) != width + by {
        return None;
    }
    let by = t.bv(width + by, u64::from(by));
    Some(t.bin(BinOp::Shl, arg, by))
}

/// (concat s x) → ((_ sign_extend 1) x) where s is the sign of x
fn concat_sign(t: &mut Terms, _: BinOp, high: Term, low: Term) -> Option<Term> {
    let top = t.width(low) - 1;
    // Not to make a slice only to see that it is another.
    let plausible = top == 0 || matches!(t.node(high), Node::Extract { .. }) || t.as_sext(low).is_some();
    if t.width(high) != 1 || !plausible {
        return None;
    }
    (t.extract(low, top, 1) == high).then(|| t.sext(low, top + 2))
}

/// (concat (ite c x y) (ite c v w)) → (ite c (concat x v) (concat y w))
/// (concat (ite c k l) d) → (ite c (concat k d) (concat l d)), (concat d (ite c k l)) alike
fn merged_choice(t: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let branches = |x: Term| match *t.node(x) {
        Node::Const(_) => Some((None, x, x)),
        Node::Ite(c, y, z) => Some((Some(c), y, z)),
        _ => None,
    };
    let ((c, x, y), (d, v, w)) = (branches(high)?, branches(low)?);
    let c = match (c, d) {
        (Some(c), Some(d)) if c == d => c,
        (Some(c), None) | (None, Some(c)) if [x, y, v, w].iter().all(|&x| t.is_const(x)) => c,
        _ => return None,
    };
    let (a, b) = (t.concat(x, v), t.concat(y, w));
    Some(t.ite(c, a, b))
}

/// (bvor x y), (bvxor x y), (bvadd x y) → (concat ((_ extract w-1 k) x) ((_ extract k-1 0) y)) where the low k bits of x
/// and the others of y are always clear, and neither slice is a node of its own; not (bvadd x c), so that the constant
/// of an address meets the others
pub(super) fn disjoint(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    if op == BinOp::Add && t.is_const(b) {
        return None;
    }
    for (x, y) in either(a, b) {
        let (least, most) = (t.significant(y), t.low_zeros(x));
        let border = t.as_zext(y).map_or(least, |inner| t.width(inner));
        for at in [least, border, most] {
            let fits = (least..=most).contains(&at) && at > 0 && at < width;
            if fits && is_free(t, x, at, width - at, DEPTH) && is_free(t, y, 0, at, DEPTH) {
                let (high, low) = (t.extract(x, at, width - at), t.extract(y, 0, at));
                return Some(t.concat(high, low));
            }
        }
    }
    None
}

/// The constants that `c` splits into at a border.
pub(super) fn split_const(c: &Bits, low_width: u32) -> (Bits, Bits) {
    (c.extract(low_width, c.width() - low_width), c.extract(0, low_width))
}
