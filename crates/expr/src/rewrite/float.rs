//! Rules of floating point. Few: what looks like an identity is seldom one, with signed zeros and NaNs about.

use crate::arena::Terms;
use crate::fold;
use crate::node::{FloatCmp, FloatFormat, Node, Term};

/// What a float comparison is, if not a node of its own.
pub(crate) fn compare(t: &mut Terms, op: FloatCmp, fmt: FloatFormat, a: Term, b: Term) -> Option<Term> {
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
