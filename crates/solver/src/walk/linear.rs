//! Linear equalities, kept wherever the walk goes: each is solved for one input, which is then computed and no longer chosen.
//!
//! Integers wrap around, so a coefficient must be odd to be divided by, and then the equality holds exactly. Floats are solved as if
//! they were numbers: where rounding breaks the equality, its score says so. What is not linear counts as one unknown of its own, so
//! that `x = sin(y)` defines `x`. Invariant: definitions have no circles.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use taw_expr::{BinOp, Bits, FloatBin, FloatCmp, Node, Term, Terms, Var, fold};

use super::number::{CoordinateKind, from_double, mask, to_double};

/// Deeper sums are unknowns.
const MAX_DEPTH: u32 = 64;
/// Longer sums are not solved.
const MAX_LENGTH: usize = 64;

/// Inputs and what they are computed from.
pub(super) type Definitions = FxHashMap<Var, Term>;

/// A sum of terms with factors, and a number; factors and numbers are bits of `kind`.
#[derive(Clone, Debug)]
struct Form {
    kind: CoordinateKind,
    parts: BTreeMap<Term, u128>,
    constant: u128,
}

impl CoordinateKind {
    fn one(self) -> u128 {
        match self {
            CoordinateKind::Int(_) => 1,
            CoordinateKind::Float(format) => from_double(format, 1.0),
        }
    }

    fn plus(self, a: u128, b: u128) -> u128 {
        match self {
            CoordinateKind::Int(width) => a.wrapping_add(b) & mask(width),
            CoordinateKind::Float(format) => fold::float_bin(FloatBin::Add, format, a, b),
        }
    }

    fn times(self, a: u128, b: u128) -> u128 {
        match self {
            CoordinateKind::Int(width) => a.wrapping_mul(b) & mask(width),
            CoordinateKind::Float(format) => fold::float_bin(FloatBin::Mul, format, a, b),
        }
    }

    fn negated(self, a: u128) -> u128 {
        match self {
            CoordinateKind::Int(width) => a.wrapping_neg() & mask(width),
            CoordinateKind::Float(format) => a ^ 1 << (format.width() - 1),
        }
    }

    fn is_zero(self, a: u128) -> bool {
        match self {
            CoordinateKind::Int(_) => a == 0,
            CoordinateKind::Float(format) => to_double(format, a) == 0.0,
        }
    }

    /// What times `a` is one, if there is such a number.
    fn inverse(self, a: u128) -> Option<u128> {
        match self {
            // Newton's iteration: each step doubles the number of right bits, from five on.
            CoordinateKind::Int(width) if a & 1 == 1 => Some(
                (0..5).fold(a.wrapping_mul(3) ^ 2, |x, _| x.wrapping_mul(2u128.wrapping_sub(a.wrapping_mul(x))))
                    & mask(width),
            ),
            CoordinateKind::Int(_) => None,
            CoordinateKind::Float(format) => {
                let inverse = 1.0 / to_double(format, a);
                (inverse.is_finite() && inverse != 0.0).then(|| from_double(format, inverse))
            }
        }
    }
}

impl Form {
    fn add(&mut self, t: Term, factor: u128) {
        let old = self.parts.get(&t).copied().unwrap_or(0);
        let new = self.kind.plus(old, factor);
        if self.kind.is_zero(new) {
            self.parts.remove(&t);
        } else {
            self.parts.insert(t, new);
        }
    }

    /// Adds `factor` times a term.
    fn add_term(&mut self, terms: &Terms, t: Term, factor: u128, depth: u32) {
        let kind = self.kind;
        if let Some(bits) = terms.as_const(t) {
            self.constant = kind.plus(self.constant, kind.times(factor, bits.low_u128()));
            return;
        }
        let constant = |t: Term| terms.as_const(t).map(|bits| bits.low_u128());
        let mut pair = |(a, x): (Term, u128), (b, y): (Term, u128)| {
            self.add_term(terms, a, x, depth + 1);
            self.add_term(terms, b, y, depth + 1);
        };
        match (terms.node(t), kind) {
            _ if depth > MAX_DEPTH => self.add(t, factor),
            (&Node::Bin(BinOp::Add, a, b), CoordinateKind::Int(_)) => pair((a, factor), (b, factor)),
            (&Node::Bin(BinOp::Sub, a, b), CoordinateKind::Int(_)) => pair((a, factor), (b, kind.negated(factor))),
            (&Node::FloatBin(FloatBin::Add, _, a, b), CoordinateKind::Float(_)) => pair((a, factor), (b, factor)),
            (&Node::FloatBin(FloatBin::Sub, _, a, b), CoordinateKind::Float(_)) => {
                pair((a, factor), (b, kind.negated(factor)))
            }
            (&Node::Bin(BinOp::Xor, a, b), CoordinateKind::Float(format))
                if constant(b) == Some(1 << (format.width() - 1)) =>
            {
                self.add_term(terms, a, kind.negated(factor), depth + 1);
            }
            (&Node::Bin(BinOp::Mul, a, b), CoordinateKind::Int(_))
            | (&Node::FloatBin(FloatBin::Mul, _, a, b), CoordinateKind::Float(_)) => match (constant(a), constant(b)) {
                (Some(c), _) => self.add_term(terms, b, kind.times(factor, c), depth + 1),
                (_, Some(c)) => self.add_term(terms, a, kind.times(factor, c), depth + 1),
                _ => self.add(t, factor),
            },
            _ => self.add(t, factor),
        }
    }

    /// Replaces inputs that have a form by it, until none is left.
    fn substitute(&mut self, terms: &Terms, solved: &FxHashMap<Var, Form>) -> Option<()> {
        let of = |t: &Term| match *terms.node(*t) {
            Node::Var(v) => solved.get(&v),
            _ => None,
        };
        while let Some((t, form)) = self.parts.keys().find_map(|t| Some((*t, of(t)?))) {
            let factor = self.parts.remove(&t)?;
            if form.kind != self.kind || self.parts.len() > MAX_LENGTH {
                return None;
            }
            self.constant = self.kind.plus(self.constant, self.kind.times(factor, form.constant));
            form.parts.iter().for_each(|(&part, &own)| self.add(part, self.kind.times(factor, own)));
        }
        Some(())
    }

    /// The form of input `v` if this one is zero.
    fn solved_for(&self, t: Term) -> Option<Self> {
        let kind = self.kind;
        let factor = kind.negated(kind.inverse(*self.parts.get(&t)?)?);
        let parts = self.parts.iter().filter(|(part, _)| **part != t);
        let parts = parts.map(|(&part, &own)| (part, kind.times(own, factor))).collect();
        Some(Self { kind, parts, constant: kind.times(self.constant, factor) })
    }

    fn to_term(&self, terms: &mut Terms) -> Term {
        let (kind, width) = match self.kind {
            CoordinateKind::Int(width) => (self.kind, width),
            CoordinateKind::Float(format) => (self.kind, format.width()),
        };
        let number = |terms: &mut Terms, bits: u128| terms.constant(Bits::from_u128(width, bits));
        let mut sum = (!kind.is_zero(self.constant)).then(|| number(terms, self.constant));
        for (&part, &factor) in &self.parts {
            let is_minus = factor == kind.negated(kind.one());
            let product = match is_minus || factor == kind.one() {
                true => part,
                false => {
                    let factor = number(terms, factor);
                    binary(terms, kind, (BinOp::Mul, FloatBin::Mul), factor, part)
                }
            };
            sum = Some(match (sum, is_minus) {
                (None, false) => product,
                (Some(sum), false) => binary(terms, kind, (BinOp::Add, FloatBin::Add), sum, product),
                (sum, true) => {
                    let sum = sum.unwrap_or_else(|| number(terms, 0));
                    binary(terms, kind, (BinOp::Sub, FloatBin::Sub), sum, product)
                }
            });
        }
        sum.unwrap_or_else(|| number(terms, 0))
    }
}

fn binary(terms: &mut Terms, kind: CoordinateKind, (int, float): (BinOp, FloatBin), a: Term, b: Term) -> Term {
    match kind {
        CoordinateKind::Int(_) => terms.bin(int, a, b),
        CoordinateKind::Float(format) => terms.float_bin(float, format, a, b),
    }
}

/// Solves the equalities among `conditions`, each for an input that is not yet solved for.
pub(super) fn definitions(terms: &mut Terms, conditions: &[Term]) -> Definitions {
    let mut solved: FxHashMap<Var, Form> = FxHashMap::default();
    let mut found = Definitions::default();
    for &condition in conditions {
        let Some((kind, a, b)) = equality(terms, condition) else { continue };
        let mut form = Form { kind, parts: BTreeMap::new(), constant: 0 };
        form.add_term(terms, a, kind.one(), 0);
        form.add_term(terms, b, kind.negated(kind.one()), 0);
        if form.substitute(terms, &solved).is_none() || form.parts.len() > MAX_LENGTH {
            continue;
        }
        let inputs = form.parts.keys().filter_map(|&t| match *terms.node(t) {
            Node::Var(v) => Some((v, t)),
            _ => None,
        });
        let inputs: Vec<(Var, Term)> = inputs.collect();
        for (v, t) in inputs {
            let Some(own) = form.solved_for(t) else { continue };
            let definition = own.to_term(terms);
            if terms.width(definition) <= 64 && !leads_to(terms, &found, definition, v) {
                found.insert(v, definition);
                solved.insert(v, own);
                break;
            }
        }
    }
    found
}

/// The sides of an equality, and as what they are equal.
fn equality(terms: &Terms, t: Term) -> Option<(CoordinateKind, Term, Term)> {
    match *terms.node(t) {
        Node::Bin(BinOp::Eq, a, b) if terms.width(a) <= 64 => Some((CoordinateKind::Int(terms.width(a)), a, b)),
        Node::FloatCmp(FloatCmp::Eq, format, a, b) => Some((CoordinateKind::Float(format), a, b)),
        // Equal as SMT-LIB has it of floats: both no numbers, or the same bits.
        Node::Bin(BinOp::Or, _, same) if terms.has_float(t) => match *terms.node(same) {
            Node::Bin(BinOp::Eq, a, b) => Some((CoordinateKind::Int(terms.width(a)), a, b)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether `v` occurs in `t`, or in what defines an input of it.
fn leads_to(terms: &Terms, found: &Definitions, t: Term, v: Var) -> bool {
    let mut pending = vec![t];
    let mut seen = FxHashSet::default();
    while let Some(t) = pending.pop() {
        for input in terms.vars_in(terms.vars_of(t)) {
            if input == v {
                return true;
            }
            if seen.insert(input) {
                pending.extend(found.get(&input));
            }
        }
    }
    false
}
