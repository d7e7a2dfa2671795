//! Rules of conditionals.

use super::Rule;
use crate::arena::Terms;
use crate::fold;
use crate::node::{BinOp, Node, Term};

/// A rule of `(ite c a b)`.
type ChoiceRule = fn(&mut Terms, Term, Term, Term) -> Option<Term>;

const ITE: &[ChoiceRule] =
    &[decided, same_branches, negated, truth, zero_or_one, known_in_branch, equal_or_not, shared_branch, extended];

/// Rules that every binary operator has.
pub(super) const OVER_CONSTANTS: &[Rule] = &[over_constants];

/// What `(ite c a b)` is, if not a node of its own.
pub(crate) fn ite(t: &mut Terms, c: Term, a: Term, b: Term) -> Option<Term> {
    ITE.iter().find_map(|rule| rule(t, c, a, b))
}

/// (ite true x y) → x, (ite false x y) → y
fn decided(t: &mut Terms, c: Term, a: Term, b: Term) -> Option<Term> {
    Some(if t.is_zero(c) {
        b
    } else {
        t.as_const(c)?;
        a
    })
}

/// (ite c x x) → x
fn same_branches(_: &mut Terms, _: Term, a: Term, b: Term) -> Option<Term> {
    (a == b).then_some(a)
}

/// (ite (not c) x y) → (ite c y x)
fn negated(t: &mut Terms, c: Term, a: Term, b: Term) -> Option<Term> {
    let inner = t.as_not(c)?;
    Some(t.ite(inner, b, a))
}

/// At width 1: (ite c true x) → (or c x), (ite c x false) → (and c x), (ite c c x) → (or c x), (ite c x c) → (and c x);
/// (ite c false x) → (and (not c) x), (ite c x true) → (or (not c) x) where (not c) is no larger than c or x is constant
fn truth(t: &mut Terms, c: Term, a: Term, b: Term) -> Option<Term> {
    if t.width(a) != 1 {
        return None;
    }
    let (when, otherwise) = (t.as_u64(a), t.as_u64(b));
    if when == Some(1) || a == c {
        return Some(t.or(c, b));
    }
    if otherwise == Some(0) || b == c {
        return Some(t.and(c, a));
    }
    let free = t.not_is_free(c) || (when.is_some() && otherwise.is_some());
    if !free || (when.is_none() && otherwise.is_none()) {
        return None;
    }
    let not = t.not(c);
    Some(if when.is_some() { t.and(not, b) } else { t.or(not, a) })
}

/// (ite c 1 0) → ((_ zero_extend n) c), (ite c -1 0) → ((_ sign_extend n) c), and exchanged where (not c) is no larger
fn zero_or_one(t: &mut Terms, c: Term, a: Term, b: Term) -> Option<Term> {
    let width = t.width(a);
    let (x, y) = (t.as_const(a)?, t.as_const(b)?);
    let (c, other) = if y.is_zero() {
        (c, a)
    } else if x.is_zero() && t.not_is_free(c) {
        (t.not(c), b)
    } else {
        return None;
    };
    let other = t.as_const(other)?;
    if other.significant() == 1 {
        return Some(t.zext(c, width));
    }
    other.is_ones().then(|| t.sext(c, width))
}

/// (ite c (ite c x y) z) → (ite c x z), (ite c x (ite c y z)) → (ite c x z)
fn known_in_branch(t: &mut Terms, c: Term, a: Term, b: Term) -> Option<Term> {
    if let Node::Ite(d, x, _) = *t.node(a)
        && d == c
    {
        return Some(t.ite(c, x, b));
    }
    match *t.node(b) {
        Node::Ite(d, _, z) if d == c => Some(t.ite(c, a, z)),
        _ => None,
    }
}

/// (ite (= x y) x y) → y
fn equal_or_not(t: &mut Terms, c: Term, a: Term, b: Term) -> Option<Term> {
    let (x, y) = t.as_bin(BinOp::Eq, c)?;
    ((x, y) == (a, b) || (y, x) == (a, b)).then_some(b)
}

/// (ite c x (ite d x y)) → (ite (or c d) x y), (ite c (ite d x y) y) → (ite (and c d) x y)
fn shared_branch(t: &mut Terms, c: Term, a: Term, b: Term) -> Option<Term> {
    if let Node::Ite(d, x, y) = *t.node(b)
        && x == a
    {
        let either = t.or(c, d);
        return Some(t.ite(either, x, y));
    }
    match *t.node(a) {
        Node::Ite(d, x, y) if y == b => {
            let both = t.and(c, d);
            Some(t.ite(both, x, y))
        }
        _ => None,
    }
}

/// (ite c ((_ zero_extend n) x) ((_ zero_extend n) y)) → ((_ zero_extend n) (ite c x y)), sign_extend alike; one branch
/// may be a constant that is such an extension
fn extended(t: &mut Terms, c: Term, a: Term, b: Term) -> Option<Term> {
    let (sample, other) = if t.is_const(a) { (b, a) } else { (a, b) };
    let (inner, sign) = match *t.node(sample) {
        Node::ZExt(x, _) => (t.width(x), false),
        Node::SExt(x, _) => (t.width(x), true),
        _ => return None,
    };
    let width = t.width(a);
    let alike = match *t.node(other) {
        Node::ZExt(y, _) => !sign && t.width(y) == inner,
        Node::SExt(y, _) => sign && t.width(y) == inner,
        Node::Const(ref k) if sign => k.extract(0, inner).sext(width) == *k,
        Node::Const(ref k) => k.significant() <= inner,
        _ => false,
    };
    if !alike {
        return None;
    }
    let (x, y) = (t.extract(a, 0, inner), t.extract(b, 0, inner));
    let choice = t.ite(c, x, y);
    Some(if sign { t.sext(choice, width) } else { t.zext(choice, width) })
}

/// (op (ite c k l) d) → (ite c (op k d) (op l d)), (op d (ite c k l)) alike,
/// (op (ite c k l) (ite c m n)) → (ite c (op k m) (op l n))
fn over_constants(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let branches = |x: Term| match *t.node(x) {
        Node::Const(_) => Some((None, x, x)),
        Node::Ite(c, k, l) if t.is_const(k) && t.is_const(l) => Some((Some(c), k, l)),
        _ => None,
    };
    let ((c, k, l), (d, m, n)) = (branches(a)?, branches(b)?);
    let c = match (c, d) {
        (Some(c), Some(d)) if c == d => c,
        (Some(c), None) | (None, Some(c)) => c,
        _ => return None,
    };
    let fold = |x: Term, y: Term| Some(fold::bin(op, t.as_const(x)?, t.as_const(y)?));
    let (x, y) = (fold(k, m)?, fold(l, n)?);
    let (x, y) = (t.constant(x), t.constant(y));
    Some(t.ite(c, x, y))
}
