//! Goals that the bounds on the path refute: array indices that were checked, and what is computed from them.
//!
//! Conditions that compare a term with a constant give it a range; ranges are carried through the goal by interval
//! arithmetic. Boundary: refutes, never confirms. Invariant: a term's value under every model of the path is in its range.

use rustc_hash::FxHashMap;
use taw_expr::{ArrayNode, BinOp, Node, Term, Terms};

use super::order::{self, View};
use crate::{Chain, Cx, Query, Stage, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "ranges",
    help: "goals refuted by the bounds on the path, by interval arithmetic",
    kind: StageKind::Filter,
    new: || Box::new(Ranges),
};

/// Larger goals are left alone.
const MAX_DEPTH: u32 = 64;
/// Terms looked at per goal.
const BUDGET: u32 = 400;
/// Larger tables are not looked through.
const MAX_TABLE: usize = 256;

struct Ranges;

impl Stage for Ranges {
    fn solve(&mut self, cx: &mut Cx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        let mut bounds = Bounds::of_path(cx.terms, query.path);
        if bounds.by_term.is_empty() || bounds.truth(cx.terms, query.goal, 0) != Some(false) {
            return rest.solve(cx, query);
        }
        bounds.used.sort_unstable();
        bounds.used.dedup();
        cx.core = Some(bounds.used);
        Verdict::Unsat
    }
}

/// The least and the greatest value, without sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    lo: u64,
    hi: u64,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Range {
    fn all(width: u32) -> Self {
        Range { lo: 0, hi: mask(width) }
    }

    fn exact(value: u64) -> Self {
        Range { lo: value, hi: value }
    }

    /// From exact bounds that may lie outside of `width` bits: they wrap around together or not at all.
    fn wrapped(width: u32, lo: i128, hi: i128) -> Self {
        let modulus = 1i128 << width;
        match lo.div_euclid(modulus) == hi.div_euclid(modulus) {
            true => Range { lo: lo.rem_euclid(modulus) as u64, hi: hi.rem_euclid(modulus) as u64 },
            false => Range::all(width),
        }
    }

    fn join(self, other: Self) -> Self {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// As two's complement.
    fn signed(self, width: u32) -> (i64, i64) {
        let sign = 1u64 << (width - 1);
        let number = |v: u64| ((v << (64 - width)) as i64) >> (64 - width);
        match self.lo & sign == self.hi & sign {
            true => (number(self.lo), number(self.hi)),
            false => (number(sign), number(sign - 1)),
        }
    }
}

/// What the path says of one term.
struct Bound {
    width: u32,
    unsigned: (i128, i128),
    signed: (i128, i128),
    /// The conditions that say it.
    by: Vec<Term>,
}

impl Bound {
    /// Both views in one range.
    fn range(&self) -> Range {
        let (mut lo, mut hi) = self.unsigned;
        let (least, most) = self.signed;
        if least >= 0 {
            (lo, hi) = (lo.max(least), hi.min(most));
        } else if most < 0 {
            let modulus = 1i128 << self.width;
            (lo, hi) = (lo.max(least + modulus), hi.min(most + modulus));
        }
        // An empty range would mean that the path has no model; the witness says otherwise.
        if lo > hi { Range::all(self.width) } else { Range { lo: lo as u64, hi: hi as u64 } }
    }
}

#[derive(Default)]
struct Bounds {
    by_term: FxHashMap<Term, Bound>,
    known: FxHashMap<Term, Range>,
    /// The conditions that mattered.
    used: Vec<Term>,
    steps: u32,
}

impl Bounds {
    fn of_path(terms: &Terms, path: &[Term]) -> Self {
        let mut bounds = Self::default();
        for &condition in path {
            for d in order::read(terms, condition) {
                match (d.left, d.right) {
                    (Some(t), None) => bounds.add(terms, t, d.view, i128::MIN, d.bound, condition),
                    (None, Some(t)) => bounds.add(terms, t, d.view, -d.bound, i128::MAX, condition),
                    _ => {}
                }
            }
        }
        bounds
    }

    fn add(&mut self, terms: &Terms, t: Term, view: View, lo: i128, hi: i128, condition: Term) {
        let width = terms.width(t);
        let bound = self.by_term.entry(t).or_insert_with(|| Bound {
            width,
            unsigned: (0, i128::from(mask(width))),
            signed: (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            by: Vec::new(),
        });
        let range = match view {
            View::Unsigned => &mut bound.unsigned,
            View::Signed => &mut bound.signed,
        };
        *range = (range.0.max(lo), range.1.min(hi));
        bound.by.push(condition);
    }

    /// The truth of a condition, if the bounds decide it.
    fn truth(&mut self, terms: &Terms, t: Term, depth: u32) -> Option<bool> {
        let &Node::Bin(op, a, b) = terms.node(t) else { return None };
        match op {
            BinOp::Xor if terms.as_u64(b) == Some(1) && terms.width(t) == 1 => {
                return self.truth(terms, a, depth + 1).map(|value| !value);
            }
            BinOp::And | BinOp::Or if terms.width(t) == 1 => return self.connective(terms, (op, a, b), depth),
            _ if !op.is_comparison() || terms.width(a) > 64 => return None,
            _ => {}
        }
        let width = terms.width(a);
        let (x, y) = (self.range(terms, a, depth + 1), self.range(terms, b, depth + 1));
        let ((xs, xt), (ys, yt)) = (x.signed(width), y.signed(width));
        match op {
            BinOp::Eq => match x.hi < y.lo || y.hi < x.lo {
                true => Some(false),
                false => (x == y && x.lo == x.hi).then_some(true),
            },
            BinOp::Ult => decide(x.hi < y.lo, x.lo >= y.hi),
            BinOp::Ule => decide(x.hi <= y.lo, x.lo > y.hi),
            BinOp::Slt => decide(xt < ys, xs >= yt),
            _ => decide(xt <= ys, xs > yt),
        }
    }

    fn connective(&mut self, terms: &Terms, (op, a, b): (BinOp, Term, Term), depth: u32) -> Option<bool> {
        if depth > MAX_DEPTH {
            return None;
        }
        // Either decides alone: a conjunction if false, a disjunction if true.
        let alone = op == BinOp::Or;
        let first = self.truth(terms, a, depth + 1);
        if first == Some(alone) {
            return first;
        }
        match (first, self.truth(terms, b, depth + 1)) {
            (_, Some(second)) if second == alone => Some(alone),
            (Some(_), Some(_)) => Some(!alone),
            _ => None,
        }
    }

    /// The range of a term of at most 64 bits.
    fn range(&mut self, terms: &Terms, t: Term, depth: u32) -> Range {
        if let Some(&known) = self.known.get(&t) {
            return known;
        }
        self.steps += 1;
        let width = terms.width(t);
        let mut range = match depth > MAX_DEPTH || self.steps > BUDGET {
            true => Range::all(width),
            false => self.computed(terms, t, depth),
        };
        if let Some(bound) = self.by_term.get(&t) {
            let given = bound.range();
            let both = Range { lo: range.lo.max(given.lo), hi: range.hi.min(given.hi) };
            if both != range && both.lo <= both.hi {
                range = both;
                self.used.extend_from_slice(&bound.by);
            }
        }
        self.known.insert(t, range);
        range
    }

    fn computed(&mut self, terms: &Terms, t: Term, depth: u32) -> Range {
        let width = terms.width(t);
        let mut of = |t: Term| match terms.width(t) <= 64 {
            true => Some(self.range(terms, t, depth + 1)),
            false => None,
        };
        match *terms.node(t) {
            Node::Const(ref bits) => bits.as_u64().map_or(Range::all(width), Range::exact),
            Node::ZExt(a, _) => of(a).unwrap_or(Range::all(width)),
            Node::SExt(a, _) => of(a).map_or(Range::all(width), |x| {
                let (lo, hi) = x.signed(terms.width(a));
                Range::wrapped(width, i128::from(lo), i128::from(hi))
            }),
            Node::Extract { arg, lo, .. } => match of(arg) {
                Some(x) if x.hi >> lo <= mask(width) => Range { lo: x.lo >> lo, hi: x.hi >> lo },
                _ => Range::all(width),
            },
            Node::Ite(_, a, b) => match (of(a), of(b)) {
                (Some(x), Some(y)) => x.join(y),
                _ => Range::all(width),
            },
            Node::Select(array, _) => match terms.array(array) {
                ArrayNode::Elements(elements) if elements.len() <= MAX_TABLE => {
                    let ranges = elements.iter().filter_map(|&e| terms.as_u64(e)).map(Range::exact);
                    let is_table = elements.iter().all(|&e| terms.as_u64(e).is_some());
                    ranges.reduce(Range::join).filter(|_| is_table).unwrap_or(Range::all(width))
                }
                _ => Range::all(width),
            },
            Node::Bin(op, a, b) if !op.is_comparison() => match (of(a), of(b)) {
                (Some(x), Some(y)) => bin(op, width, terms.width(b), x, y),
                _ => Range::all(width),
            },
            _ => Range::all(width),
        }
    }
}

fn decide(is_true: bool, is_false: bool) -> Option<bool> {
    if is_true {
        Some(true)
    } else if is_false {
        Some(false)
    } else {
        None
    }
}

fn bin(op: BinOp, width: u32, width_b: u32, x: Range, y: Range) -> Range {
    let wide = |v: u64| i128::from(v);
    let (xl, xh, yl, yh) = (wide(x.lo), wide(x.hi), wide(y.lo), wide(y.hi));
    match op {
        BinOp::Add => Range::wrapped(width, xl + yl, xh + yh),
        BinOp::Sub => Range::wrapped(width, xl - yh, xh - yl),
        BinOp::Mul => match xh.checked_mul(yh) {
            Some(most) => Range::wrapped(width, xl * yl, most),
            None => Range::all(width),
        },
        BinOp::UDiv if y.lo > 0 => Range { lo: x.lo / y.hi, hi: x.hi / y.lo },
        BinOp::URem if y.lo > 0 && x.hi < y.lo => x,
        BinOp::URem if y.lo > 0 => Range { lo: 0, hi: x.hi.min(y.hi - 1) },
        BinOp::And => Range { lo: 0, hi: x.hi.min(y.hi) },
        BinOp::Or => Range { lo: x.lo.max(y.lo), hi: mask(64 - (x.hi | y.hi | 1).leading_zeros()) },
        BinOp::Shl if y.hi < u64::from(width) => Range::wrapped(width, xl << y.lo, xh << y.hi),
        BinOp::LShr if y.hi < u64::from(width) => Range { lo: x.lo >> y.hi, hi: x.hi >> y.lo },
        BinOp::Concat => Range { lo: x.lo << width_b | y.lo, hi: x.hi << width_b | y.hi },
        _ => Range::all(width),
    }
}
