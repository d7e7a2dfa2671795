//! What a path says of the values of terms, and what follows from it by interval arithmetic.
//!
//! Conditions that compare a term with a constant give it a range; so do they to what the term is made of, as long as nothing
//! wraps around (`n - 4 >= 2` for a small `n`). Ranges are carried through other terms. Cheap enough to be asked at every branch.
//!
//! Invariant: under every model of the conditions assumed, a term's value is in its range. Boundary: what ranges do not tell is
//! `None`; relations between terms are the `order` stage's.

use imbl::shared_ptr::DefaultSharedPtr;
use imbl::{GenericHashMap, GenericHashSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use taw_expr::{ArrayNode, BinOp, Node, Term, Terms, Var};

pub(crate) use range::NumberView;
use range::{Packed, Range};

use crate::difference::{self, Difference};

mod range;
#[cfg(test)]
mod tests;

/// Larger goals are left alone.
const MAX_DEPTH: u32 = 64;
/// Larger tables are not looked through.
const MAX_TABLE: usize = 256;
/// How far a range is carried into the term that it is of.
const INWARDS: u32 = 4;

/// What the conditions of a path say. A value: cloning it costs next to nothing.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    by_term: GenericHashMap<Term, Packed, FxBuildHasher, DefaultSharedPtr>,
    /// Inputs that have one value left.
    fixed: GenericHashSet<Var, FxBuildHasher, DefaultSharedPtr>,
}

impl Bounds {
    /// Takes a condition of the path into account. Gives the terms whose range it has changed.
    pub fn assume(&mut self, terms: &Terms, condition: Term) -> Vec<Term> {
        let mut changed = Vec::new();
        self.assume_as(terms, condition, true, &mut changed);
        changed
    }

    /// Whether nothing is known of any term.
    pub fn is_empty(&self) -> bool {
        self.by_term.is_empty()
    }

    /// Whether a term has the same value under every model, because the inputs that it depends on have.
    pub fn fixes(&self, terms: &Terms, t: Term) -> bool {
        !self.fixed.is_empty() && terms.vars_in(terms.vars_of(t)).all(|input| self.fixed.contains(&input))
    }

    /// The truth of a condition, if the bounds decide it within that many terms looked at.
    pub fn truth(&self, terms: &Terms, condition: Term, budget: u32) -> Option<bool> {
        if self.is_empty() { None } else { Look::new(self, terms, budget).truth(condition, 0) }
    }

    /// The one value of a term of at most 64 bits, if the bounds tell it within that many terms looked at.
    pub fn value(&self, terms: &Terms, t: Term, budget: u32) -> Option<u64> {
        if self.is_empty() { None } else { Look::new(self, terms, budget).range(t, 0).value() }
    }

    fn assume_as(&mut self, terms: &Terms, condition: Term, truth: bool, changed: &mut Vec<Term>) {
        match *terms.node(condition) {
            Node::Bin(BinOp::Xor, a, one) if terms.as_u64(one) == Some(1) && terms.width(a) == 1 => {
                self.assume_as(terms, a, !truth, changed);
            }
            Node::Bin(op @ (BinOp::And | BinOp::Or), a, b) if terms.width(a) == 1 && truth == (op == BinOp::And) => {
                self.assume_as(terms, a, truth, changed);
                self.assume_as(terms, b, truth, changed);
            }
            Node::Bin(BinOp::Eq, x, y) if !truth => self.exclude(terms, x, y, changed),
            _ => {
                for Difference { view, left, right, bound } in difference::read_as(terms, condition, truth) {
                    match (left, right) {
                        (Some(t), None) => self.narrow(terms, t, view, (i128::MIN, bound), INWARDS, changed),
                        (None, Some(t)) => self.narrow(terms, t, view, (-bound, i128::MAX), INWARDS, changed),
                        _ => {}
                    }
                }
            }
        }
    }

    /// `x` is not `y`: at an end of the range that is news.
    fn exclude(&mut self, terms: &Terms, x: Term, y: Term, changed: &mut Vec<Term>) {
        let (t, value) = match (terms.as_u64(x), terms.as_u64(y)) {
            (None, Some(value)) => (x, value),
            (Some(value), None) => (y, value),
            _ => return,
        };
        for view in NumberView::BOTH {
            let number = view.number(terms.width(t), value);
            let (lo, hi) = self.range(terms, t).of(view);
            // Not inwards: that this is an end of the range is said by other conditions.
            if lo == number {
                self.narrow(terms, t, view, (number + 1, i128::MAX), 0, changed);
            } else if hi == number {
                self.narrow(terms, t, view, (i128::MIN, number - 1), 0, changed);
            }
        }
    }

    /// What is known of a term itself.
    fn range(&self, terms: &Terms, t: Term) -> Range {
        self.by_term.get(&t).map_or_else(|| Range::all(terms.width(t)), |range| range.unpacked(terms.width(t)))
    }

    /// A term lies between two numbers, and so does what it is made of.
    fn narrow(
        &mut self,
        terms: &Terms,
        t: Term,
        view: NumberView,
        to: (i128, i128),
        inwards: u32,
        changed: &mut Vec<Term>,
    ) {
        let before = self.range(terms, t);
        // An empty range would mean that the path has no model; the witness says otherwise.
        let Some(range) = before.within(view, to) else { return };
        if let Some(inwards) = inwards.checked_sub(1)
            && let Some((inner, to)) = self.inner(terms, t, view, to)
        {
            // What is said of the inner term says it of this one. Only what is new is carried there: what this one's range owes
            // to other conditions would be missing among those that the inner one's comes from.
            return self.narrow(terms, inner, view, to, inwards, changed);
        }
        if range != before {
            self.by_term.insert(t, range.into());
            changed.push(t);
            if let (&Node::Var(input), Some(_)) = (terms.node(t), range.value()) {
                self.fixed.insert(input);
            }
        }
    }

    /// The term that `t` is made of, and where it lies if `t` lies between two numbers.
    fn inner(&self, terms: &Terms, t: Term, view: NumberView, to: (i128, i128)) -> Option<(Term, (i128, i128))> {
        match *terms.node(t) {
            Node::Bin(BinOp::Add, x, c) => {
                let shift = NumberView::Signed.number(terms.width(t), terms.as_u64(c)?);
                let (lo, hi) = self.range(terms, x).of(view);
                let (least, most) = view.limits(terms.width(t));
                let (from, to) = (to.0.max(least), to.1.min(most));
                (least <= lo + shift && hi + shift <= most).then_some((x, (from - shift, to - shift)))
            }
            Node::ZExt(x, _) if view == NumberView::Unsigned => Some((x, to)),
            Node::SExt(x, _) if view == NumberView::Signed => Some((x, to)),
            _ => None,
        }
    }
}

/// The conditions of a path that refute a goal, if bounds tell within that many terms looked at.
pub(crate) fn refutation(terms: &Terms, path: &[Term], goal: Term, budget: u32) -> Option<Vec<Term>> {
    let mut bounds = Bounds::default();
    // By term, the conditions that its bounds come from.
    let mut by: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    for &condition in path {
        for t in bounds.assume(terms, condition) {
            by.entry(t).or_default().push(condition);
        }
    }
    let mut look = Look::new(&bounds, terms, budget);
    if bounds.is_empty() || look.truth(goal, 0) != Some(false) {
        return None;
    }
    let mut core: Vec<Term> = look.used.iter().flat_map(|t| &by[t]).copied().collect();
    core.sort_unstable();
    core.dedup();
    Some(core)
}

/// One look at a term through the bounds of a path.
struct Look<'a> {
    bounds: &'a Bounds,
    terms: &'a Terms,
    known: FxHashMap<Term, Range>,
    /// The terms whose bounds mattered.
    used: Vec<Term>,
    budget: u32,
}

impl<'a> Look<'a> {
    fn new(bounds: &'a Bounds, terms: &'a Terms, budget: u32) -> Self {
        Look { bounds, terms, known: FxHashMap::default(), used: Vec::new(), budget }
    }

    /// The truth of a condition, if the bounds decide it.
    fn truth(&mut self, t: Term, depth: u32) -> Option<bool> {
        let terms = self.terms;
        let &Node::Bin(op, a, b) = terms.node(t) else { return None };
        match op {
            BinOp::Xor if terms.as_u64(b) == Some(1) && terms.width(t) == 1 => {
                return self.truth(a, depth + 1).map(|value| !value);
            }
            BinOp::And | BinOp::Or if terms.width(t) == 1 => return self.connective((op, a, b), depth),
            _ if !op.is_comparison() || terms.width(a) > 64 => return None,
            _ => {}
        }
        let (x, y) = (self.range(a, depth + 1), self.range(b, depth + 1));
        let less = |view: NumberView| {
            let ((xl, xh), (yl, yh)) = (x.of(view), y.of(view));
            (xh < yl).then_some(true).or((xl >= yh).then_some(false))
        };
        let at_most = |view: NumberView| {
            let ((xl, xh), (yl, yh)) = (x.of(view), y.of(view));
            (xh <= yl).then_some(true).or((xl > yh).then_some(false))
        };
        match op {
            BinOp::Eq if x.meet(y).is_none() => Some(false),
            BinOp::Eq => (x.value().is_some() && x.value() == y.value()).then_some(true),
            BinOp::Ult => less(NumberView::Unsigned),
            BinOp::Ule => at_most(NumberView::Unsigned),
            BinOp::Slt => less(NumberView::Signed),
            _ => at_most(NumberView::Signed),
        }
    }

    fn connective(&mut self, (op, a, b): (BinOp, Term, Term), depth: u32) -> Option<bool> {
        if depth > MAX_DEPTH {
            return None;
        }
        // Either decides alone: a conjunction if false, a disjunction if true.
        let alone = op == BinOp::Or;
        let first = self.truth(a, depth + 1);
        if first == Some(alone) {
            return first;
        }
        match (first, self.truth(b, depth + 1)) {
            (_, Some(second)) if second == alone => Some(alone),
            (Some(_), Some(_)) => Some(!alone),
            _ => None,
        }
    }

    /// The range of a term of at most 64 bits.
    fn range(&mut self, t: Term, depth: u32) -> Range {
        if let Some(&known) = self.known.get(&t) {
            return known;
        }
        let mut range = match (depth <= MAX_DEPTH).then(|| self.budget.checked_sub(1)).flatten() {
            None => Range::all(self.terms.width(t)),
            Some(left) => {
                self.budget = left;
                self.computed(t, depth)
            }
        };
        if let Some(&given) = self.bounds.by_term.get(&t)
            && let Some(both) = range.meet(given.unpacked(range.width))
            && both != range
        {
            range = both;
            self.used.push(t);
        }
        self.known.insert(t, range);
        range
    }

    fn computed(&mut self, t: Term, depth: u32) -> Range {
        let terms = self.terms;
        let width = terms.width(t);
        let mut of = |t: Term| (terms.width(t) <= 64).then(|| self.range(t, depth + 1));
        let range = match *terms.node(t) {
            Node::Const(ref bits) => bits.as_u64().map(|value| Range::exact(width, value)),
            Node::ZExt(a, _) => of(a).map(|x| x.zero_extended(width)),
            Node::SExt(a, _) => of(a).map(|x| x.sign_extended(width)),
            Node::Extract { arg, lo, .. } => of(arg).map(|x| x.extracted(lo, width)),
            Node::Ite(_, a, b) => of(a).zip(of(b)).map(|(x, y)| x.join(y)),
            Node::Select(array, _) => match terms.array(array) {
                ArrayNode::Elements(elements) if elements.len() <= MAX_TABLE => table(terms, width, elements),
                _ => None,
            },
            Node::Bin(op, a, b) if !op.is_comparison() => of(a).zip(of(b)).map(|(x, y)| range::bin(op, width, x, y)),
            _ => None,
        };
        range.unwrap_or(Range::all(width))
    }
}

/// The range of constants; `None` if there are other elements.
fn table(terms: &Terms, width: u32, elements: &[Term]) -> Option<Range> {
    let ranges = elements.iter().map(|&e| Some(Range::exact(width, terms.as_u64(e)?)));
    ranges.reduce(|a, b| Some(a?.join(b?))).flatten()
}
