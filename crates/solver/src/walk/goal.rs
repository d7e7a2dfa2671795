//! From a condition to the comparisons that are scored.
//!
//! Comparisons with zero are told in the form in which progress shows: `a - b = 0` as `a = b`, `c · a = 0` as `a = 0`, a sum of
//! squares that is zero as squares that are. Boundary: only scores come from here; whether a condition holds is computed.

use taw_expr::{BinOp, FloatBin, FloatCmp, FloatFormat, Node, Term, Terms, fold};

use super::number::Kind;
use super::score::{Goal, Operand, Relation, Test};

/// Deeper conditions are scored as they stand: right or wrong.
const MAX_DEPTH: u32 = 8;

/// Makes goals of conditions that are on a tape.
pub(super) struct Goals<'a> {
    pub terms: &'a Terms,
    pub slot: &'a dyn Fn(Term) -> Option<u32>,
    /// The function squared by this application, if it is one: `pow(x, 2)`.
    pub squared: &'a dyn Fn(Term) -> Option<Term>,
    /// Whether zero is told in other forms.
    pub rewrites: bool,
}

impl Goals<'_> {
    /// The goal that `t` is `want`.
    pub fn goal(&self, t: Term, want: bool, depth: u32) -> Goal {
        let both = |a, b| Goal::All(vec![a, b]);
        let either = |a, b| Goal::Any(vec![a, b]);
        let next = |t, want| self.goal(t, want, depth + 1);
        if depth > MAX_DEPTH {
            return self.bit(t, want);
        }
        match *self.terms.node(t) {
            Node::Bin(BinOp::Xor, a, b) if self.terms.as_u64(b) == Some(1) => next(a, !want),
            Node::Bin(op @ (BinOp::And | BinOp::Or), a, b) if self.terms.width(t) == 1 => {
                let join = if (op == BinOp::And) == want { both } else { either };
                join(next(a, want), next(b, want))
            }
            Node::Bin(op @ (BinOp::Xor | BinOp::Eq), a, b) if self.terms.width(a) == 1 && self.terms.width(t) == 1 => {
                let same = (op == BinOp::Eq) == want;
                either(both(next(a, true), next(b, same)), both(next(a, false), next(b, !same)))
            }
            Node::Ite(c, a, b) => either(both(next(c, true), next(a, want)), both(next(c, false), next(b, want))),
            Node::Bin(op, a, b) if op.is_comparison() => {
                self.integers(op, a, b, want).unwrap_or_else(|| self.bit(t, want))
            }
            Node::FloatCmp(op, format, a, b) => {
                self.floats(op, format, a, b, want).unwrap_or_else(|| self.bit(t, want))
            }
            _ => self.bit(t, want),
        }
    }

    /// A truth value as it stands.
    fn bit(&self, t: Term, want: bool) -> Goal {
        let slot = (self.slot)(t).expect("conditions are on the tape");
        let operand = Operand { slot, width: 1, negated: false };
        let relation = if want { Relation::Holds } else { Relation::Fails };
        Goal::Test(Test { relation, kind: Kind::Int(1), a: operand, b: operand })
    }

    fn operand(&self, t: Term) -> Option<Operand> {
        Some(Operand { slot: (self.slot)(t)?, width: self.terms.width(t), negated: false })
    }

    fn integers(&self, op: BinOp, a: Term, b: Term, want: bool) -> Option<Goal> {
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        let kind = Kind::Int(a.width);
        // not (a < b) is b <= a
        let (relation, a, b) = match (op, want) {
            (BinOp::Eq, true) => (Relation::Equal, a, b),
            (BinOp::Eq, false) => (Relation::NotEqual, a, b),
            (BinOp::Ult, true) => (Relation::Less, a, b),
            (BinOp::Ult, false) => (Relation::LessOrEqual, b, a),
            (BinOp::Ule, true) => (Relation::LessOrEqual, a, b),
            (BinOp::Ule, false) => (Relation::Less, b, a),
            (BinOp::Slt, true) => (Relation::SignedLess, a, b),
            (BinOp::Slt, false) => (Relation::SignedLessOrEqual, b, a),
            (BinOp::Sle, true) => (Relation::SignedLessOrEqual, a, b),
            (_, _) => (Relation::SignedLess, b, a),
        };
        Some(Goal::Test(Test { relation, kind, a, b }))
    }

    fn floats(&self, op: FloatCmp, format: FloatFormat, a: Term, b: Term, want: bool) -> Option<Goal> {
        let relation = match (op, want) {
            (FloatCmp::Eq, true) => Relation::Equal,
            (FloatCmp::Eq, false) => Relation::NotEqual,
            (FloatCmp::Lt, true) => Relation::Less,
            (FloatCmp::Lt, false) => Relation::NotLess,
            (FloatCmp::Le, true) => Relation::LessOrEqual,
            (FloatCmp::Le, false) => Relation::NotLessOrEqual,
            (FloatCmp::Unordered, true) => Relation::Unordered,
            (FloatCmp::Unordered, false) => Relation::Ordered,
        };
        let is_order = op != FloatCmp::Unordered && self.rewrites;
        match (self.is_zero(format, a), self.is_zero(format, b)) {
            (_, true) if is_order => self.with_zero(relation, format, (a, b), Side::Left),
            (true, _) if is_order => self.with_zero(relation, format, (b, a), Side::Right),
            _ => self.test(relation, format, self.operand(a)?, self.operand(b)?),
        }
    }

    fn test(&self, relation: Relation, format: FloatFormat, a: Operand, b: Operand) -> Option<Goal> {
        Some(Goal::Test(Test { relation, kind: Kind::Float(format), a, b }))
    }

    fn is_zero(&self, format: FloatFormat, t: Term) -> bool {
        self.terms.as_const(t).is_some_and(|bits| fold::float_cmp(FloatCmp::Eq, format, bits.low_u128(), 0))
    }

    /// A term on the given side of a comparison with zero.
    fn with_zero(&self, relation: Relation, format: FloatFormat, (t, zero): (Term, Term), side: Side) -> Option<Goal> {
        let ordered = |x: Operand, y: Operand| match side {
            Side::Left => self.test(relation, format, x, y),
            Side::Right => self.test(relation, format, y, x),
        };
        if relation == Relation::Equal {
            let parts = self.zero_parts(t);
            if parts != [t] {
                let goals =
                    parts.iter().map(|&p| self.with_zero(relation, format, (p, zero), side)).collect::<Option<_>>()?;
                return Some(Goal::All(goals));
            }
        }
        match *self.terms.node(t) {
            Node::FloatBin(FloatBin::Sub, _, x, y) => ordered(self.operand(x)?, self.operand(y)?),
            Node::FloatBin(FloatBin::Add, _, x, y) => {
                ordered(self.operand(x)?, Operand { negated: true, ..self.operand(y)? })
            }
            _ => ordered(self.operand(t)?, self.operand(zero)?),
        }
    }

    /// What must be zero for `t` to be.
    fn zero_parts(&self, t: Term) -> Vec<Term> {
        match *self.terms.node(t) {
            Node::FloatBin(FloatBin::Mul, _, x, y) if x == y => self.zero_parts(x),
            Node::FloatBin(FloatBin::Mul, _, x, y) if self.terms.as_const(x).is_some() => self.zero_parts(y),
            Node::FloatBin(FloatBin::Mul, _, x, y) if self.terms.as_const(y).is_some() => self.zero_parts(x),
            Node::FloatBin(FloatBin::Add, _, x, y) if self.is_square(x) && self.is_square(y) => {
                let mut parts = self.zero_parts(x);
                parts.extend(self.zero_parts(y));
                parts
            }
            _ => match (self.squared)(t) {
                Some(inner) => self.zero_parts(inner),
                None => vec![t],
            },
        }
    }

    /// Whether a term is a square, but for a constant factor.
    fn is_square(&self, t: Term) -> bool {
        match *self.terms.node(t) {
            Node::FloatBin(FloatBin::Mul, _, x, y) if x == y => true,
            Node::FloatBin(FloatBin::Mul, _, x, y) => {
                (self.terms.as_const(x).is_some() && self.is_square(y))
                    || (self.terms.as_const(y).is_some() && self.is_square(x))
            }
            Node::FloatBin(FloatBin::Add, _, x, y) => self.is_square(x) && self.is_square(y),
            _ => (self.squared)(t).is_some(),
        }
    }
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}
