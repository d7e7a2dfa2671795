//! Rules of floating point. Few: what looks like an identity is seldom one, with signed zeros and NaNs about.

use crate::arena::Terms;
use crate::bits::Bits;
use crate::fold;
use crate::node::{FloatCmp, FloatFormat, Node, Term};

use super::exact::precision;

/// What a float comparison is, if not a node of its own.
pub(crate) fn compare(t: &mut Terms, op: FloatCmp, fmt: FloatFormat, a: Term, b: Term) -> Option<Term> {
    // (fp.lt (to_fp 8 24 (to_fp 11 53 x)) y) → (fp.lt x y)
    let (x, y) = (there_and_back(t, fmt, a), there_and_back(t, fmt, b));
    if (x, y) != (a, b) {
        return Some(t.float_cmp(op, fmt, x, y));
    }
    if let Some(narrower) = in_narrower_format(t, op, fmt, a, b) {
        return Some(narrower);
    }
    match op {
        // (fp.lt x x) → false
        FloatCmp::Lt if a == b => Some(t.bool(false)),
        // (fp.eq x x), (fp.leq x x) → (not (fp.isNaN x))
        FloatCmp::Eq | FloatCmp::Le if a == b => {
            let nan = t.float_cmp(FloatCmp::Unordered, fmt, a, a);
            Some(t.not(nan))
        }
        // (fp.eq x y) → false, (fp.lt x y) → false, (fp.leq x y) → false, unordered → true where one is a constant NaN
        _ if is_nan(t, fmt, a) || is_nan(t, fmt, b) => Some(t.bool(op == FloatCmp::Unordered)),
        FloatCmp::Unordered => unordered(t, fmt, a, b),
        // The operands of (fp.eq x y) in order of age
        FloatCmp::Eq if b < a => Some(t.float_cmp(op, fmt, b, a)),
        _ => super::exact::compare(t, op, fmt, a, b),
    }
}

/// unordered x y → (fp.isNaN x) where y is never a NaN (said as: unordered x x), or false where neither is
fn unordered(t: &mut Terms, fmt: FloatFormat, a: Term, b: Term) -> Option<Term> {
    match (never_nan(t, a, fmt), never_nan(t, b, fmt)) {
        (true, true) => Some(t.bool(false)),
        (true, false) if a != b => Some(t.float_cmp(FloatCmp::Unordered, fmt, b, b)),
        (false, true) if a != b => Some(t.float_cmp(FloatCmp::Unordered, fmt, a, a)),
        _ if b < a => Some(t.float_cmp(FloatCmp::Unordered, fmt, b, a)),
        _ => None,
    }
}

/// A number that was converted to a wider format and back: a comparison does not see that.
fn there_and_back(t: &Terms, fmt: FloatFormat, a: Term) -> Term {
    match *t.node(a) {
        Node::FloatToFloat(from, to, inner) if to == fmt && precision(from) > precision(to) => {
            widened(t, from, inner).filter(|(own, _)| *own == fmt).map_or(a, |(_, x)| x)
        }
        _ => a,
    }
}

/// The number that `a` is the exact value of in a wider format, and its own format.
fn widened(t: &Terms, fmt: FloatFormat, a: Term) -> Option<(FloatFormat, Term)> {
    match *t.node(a) {
        // x87 has patterns that are numbers in no other format.
        Node::FloatToFloat(from, to, x) if to == fmt && precision(from) < precision(to) && from != FloatFormat::F80 => {
            Some((from, x))
        }
        _ => None,
    }
}

/// (fp.lt (to_fp 11 53 x) (to_fp 11 53 y)) → (fp.lt x y) in the narrower format; likewise where one is a constant that it has
fn in_narrower_format(t: &mut Terms, op: FloatCmp, fmt: FloatFormat, a: Term, b: Term) -> Option<Term> {
    let (from, x, y) = match (widened(t, fmt, a), widened(t, fmt, b)) {
        (Some((from, x)), Some((other, y))) if from == other => (from, x, y),
        (Some((from, x)), None) => (from, x, narrowed(t, fmt, from, b)?),
        (None, Some((from, y))) => (from, narrowed(t, fmt, from, a)?, y),
        _ => return None,
    };
    Some(t.float_cmp(op, from, x, y))
}

/// A constant in a narrower format, if it is a number there.
fn narrowed(t: &mut Terms, fmt: FloatFormat, to: FloatFormat, a: Term) -> Option<Term> {
    let bits = t.as_const(a)?.low_u128();
    let narrow = fold::float_to_float(fmt, to, bits);
    let is_exact = !fold::is_nan(fmt, bits) && fold::float_to_float(to, fmt, narrow) == bits;
    is_exact.then(|| t.constant(Bits::from_u128(to.width(), narrow)))
}

fn is_nan(t: &Terms, fmt: FloatFormat, a: Term) -> bool {
    t.as_const(a).is_some_and(|bits| fold::is_nan(fmt, bits.low_u128()))
}

/// Whether `a`, as a float, is seen to be a number: a constant, or converted from an integer.
fn never_nan(t: &Terms, a: Term, fmt: FloatFormat) -> bool {
    match t.node(a) {
        Node::Const(_) => !is_nan(t, fmt, a),
        Node::IntToFloat { to, .. } => *to == fmt,
        _ => false,
    }
}
