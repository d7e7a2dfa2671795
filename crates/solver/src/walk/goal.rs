//! From a condition to the comparisons that are scored.
//!
//! Boundary: only scores come from here; whether a condition holds is computed.

use taw_expr::{BinOp, FloatCmp, FloatFormat, Node, Term, Terms};

use super::number::CoordinateKind;
use super::score::{Relation, TapeOperand, Test, WalkCondition};

/// Deeper conditions are scored as they stand: right or wrong.
const MAX_DEPTH: u32 = 8;

/// Makes goals of conditions that are on a tape.
pub(super) struct WalkConditions<'a> {
    pub terms: &'a Terms,
    pub slot: &'a dyn Fn(Term) -> Option<u32>,
}

impl WalkConditions<'_> {
    /// The goal that `t` is `want`.
    pub fn goal(&self, t: Term, want: bool, depth: u32) -> WalkCondition {
        let both = |a, b| WalkCondition::All(vec![a, b]);
        let either = |a, b| WalkCondition::Any(vec![a, b]);
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
    fn bit(&self, t: Term, want: bool) -> WalkCondition {
        let slot = (self.slot)(t).expect("conditions are on the tape");
        let operand = TapeOperand { slot, width: 1 };
        let relation = if want { Relation::Holds } else { Relation::Fails };
        WalkCondition::Test(Test { relation, kind: CoordinateKind::Int(1), a: operand, b: operand })
    }

    fn operand(&self, t: Term) -> Option<TapeOperand> {
        Some(TapeOperand { slot: (self.slot)(t)?, width: self.terms.width(t) })
    }

    fn integers(&self, op: BinOp, a: Term, b: Term, want: bool) -> Option<WalkCondition> {
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        let kind = CoordinateKind::Int(a.width);
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
        Some(WalkCondition::Test(Test { relation, kind, a, b }))
    }

    fn floats(&self, op: FloatCmp, format: FloatFormat, a: Term, b: Term, want: bool) -> Option<WalkCondition> {
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
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        Some(WalkCondition::Test(Test { relation, kind: CoordinateKind::Float(format), a, b }))
    }
}
