//! Rewriting at construction.
//!
//! A rule looks at the operands of the node that is about to be made and gives back a term that evaluates alike, or
//! nothing. Each family of operators has its file and, there, its table of rules; the first rule that matches wins.
//! A rule's comment is its match and its result in SMT-LIB (`c`, `d`, `k` are constants, `n` a width); `x` and the like
//! match any term. Rules build their results by the ordinary constructors, so a result is rewritten in turn.
//!
//! What keeps this finite and cheap:
//! - a result is never larger than its match, counted in nodes (one exception: the negation of an equality is not
//!   counted, so that a condition and its negation are the same atom);
//! - a rule looks at most [`DEPTH`] levels deep;
//! - operands are in normal form: constants on the right of commutative operators and outermost in sums.

mod arith;
mod bitwise;
mod choice;
mod div;
mod equal;
mod exact;
mod float;
mod memory;
mod order;
mod shift;
mod slice;

pub(crate) use choice::ite;
pub(crate) use exact::to_int as exact_to_int;
pub(crate) use float::compare as float_compare;
pub(crate) use memory::{select, store};
pub(crate) use slice::{extract, sext, zext};

use crate::arena::Terms;
use crate::bits::Bits;
use crate::fold;
use crate::node::{BinOp, Node, Term};

/// How many levels a rule may look down.
const DEPTH: u32 = 4;

/// A rule of a binary operator.
type Rule = fn(&mut Terms, BinOp, Term, Term) -> Option<Term>;

/// What `(op a b)` is, if a rule knows better than the node itself. Operands are in canonical order.
pub(crate) fn bin(t: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    if let (Some(x), Some(y)) = (t.as_const(a), t.as_const(b)) {
        let bits = fold::bin(op, x, y);
        return Some(t.constant(bits));
    }
    rules(op).iter().chain(choice::OVER_CONSTANTS).find_map(|rule| rule(t, op, a, b))
}

fn rules(op: BinOp) -> &'static [Rule] {
    match op {
        BinOp::Add => arith::ADD,
        BinOp::Sub => arith::SUB,
        BinOp::Mul => arith::MUL,
        BinOp::UDiv => div::UDIV,
        BinOp::SDiv => div::SDIV,
        BinOp::URem => div::UREM,
        BinOp::SRem => div::SREM,
        BinOp::Shl => shift::SHL,
        BinOp::LShr => shift::LSHR,
        BinOp::AShr => shift::ASHR,
        BinOp::And => bitwise::AND,
        BinOp::Or => bitwise::OR,
        BinOp::Xor => bitwise::XOR,
        BinOp::Concat => slice::CONCAT,
        BinOp::Eq => equal::EQ,
        BinOp::Ult | BinOp::Ule => order::UNSIGNED,
        BinOp::Slt | BinOp::Sle => order::SIGNED,
    }
}

/// What rules ask of the terms they see.
impl Terms {
    /// The operands, if `t` is `(op x y)`.
    fn as_bin(&self, op: BinOp, t: Term) -> Option<(Term, Term)> {
        match *self.node(t) {
            Node::Bin(o, x, y) if o == op => Some((x, y)),
            _ => None,
        }
    }

    /// `x` and `c`, if `t` is `(op x c)`.
    fn as_bin_const(&self, op: BinOp, t: Term) -> Option<(Term, Bits)> {
        let (x, c) = self.as_bin(op, t)?;
        Some((x, self.as_const(c)?.clone()))
    }

    /// `c` and `x`, if `t` is `(bvsub c x)`.
    fn as_const_minus(&self, t: Term) -> Option<(Bits, Term)> {
        let (c, x) = self.as_bin(BinOp::Sub, t)?;
        Some((self.as_const(c)?.clone(), x))
    }

    /// `x`, if `t` is `(bvnot x)`.
    fn as_not(&self, t: Term) -> Option<Term> {
        let (x, c) = self.as_bin(BinOp::Xor, t)?;
        self.as_const(c)?.is_ones().then_some(x)
    }

    fn as_zext(&self, t: Term) -> Option<Term> {
        match *self.node(t) {
            Node::ZExt(x, _) => Some(x),
            _ => None,
        }
    }

    fn as_sext(&self, t: Term) -> Option<Term> {
        match *self.node(t) {
            Node::SExt(x, _) => Some(x),
            _ => None,
        }
    }

    fn is_const(&self, t: Term) -> bool {
        self.as_const(t).is_some()
    }

    fn is_zero(&self, t: Term) -> bool {
        self.as_const(t).is_some_and(Bits::is_zero)
    }

    /// Whether one is the bitwise complement of the other.
    fn are_complements(&self, a: Term, b: Term) -> bool {
        self.as_not(a) == Some(b) || self.as_not(b) == Some(a)
    }

    /// Whether the complement of `t` is not larger than `t`.
    fn not_is_free(&self, t: Term) -> bool {
        match self.node(t) {
            Node::Const(_) => true,
            Node::Bin(op, ..) => {
                matches!(op, BinOp::Ult | BinOp::Ule | BinOp::Slt | BinOp::Sle) || self.as_not(t).is_some()
            }
            _ => false,
        }
    }

    fn zero(&mut self, width: u32) -> Term {
        self.constant(Bits::zero(width))
    }

    /// The number of low bits of `t` that are seen to be clear.
    fn low_zeros(&self, t: Term) -> u32 {
        let width = self.width(t);
        match *self.node(t) {
            Node::Const(ref bits) => bits.trailing_zeros(),
            _ if width <= 64 => self.facts(t).low_zeros(width),
            Node::Bin(BinOp::Concat, _, low) => match self.low_zeros(low) {
                all if all == self.width(low) && self.is_const(low) => all,
                some => some.min(self.width(low)),
            },
            Node::ZExt(x, _) => self.low_zeros(x).min(self.width(x)),
            _ => 0,
        }
    }

    /// The number of low bits of `t` above which all are seen to be clear.
    fn significant(&self, t: Term) -> u32 {
        let width = self.width(t);
        match *self.node(t) {
            Node::Const(ref bits) => bits.significant(),
            _ if width <= 64 => 64 - self.facts(t).hi.leading_zeros(),
            Node::ZExt(x, _) => self.significant(x),
            _ => width,
        }
    }
}

/// Both orders of a pair, for rules of commutative operators.
fn either(a: Term, b: Term) -> [(Term, Term); 2] {
    [(a, b), (b, a)]
}
