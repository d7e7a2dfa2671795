//! Float conditions that contradict each other, by interval arithmetic: forwards through operations, backwards from conditions.
//!
//! F. Benhamou and others, "Revising hull and box consistency" (1999), on floats: what a condition leaves of its operands is
//! carried down to what they are made of, and again, a few times. Boundary: refutes, never confirms; knows `float` and `double`.
//! Invariant: under every model of the conditions seen so far, the value of a term is in its interval.

mod interval;
mod libm;
mod multiple;

use std::f64::consts::FRAC_PI_2;

use rustc_hash::{FxHashMap, FxHashSet};
use taw_expr::{BinOp, FloatBin, FloatCmp, FloatFormat, FloatUn, Node, OpaqueFunction, Term, Terms};

use interval::{ALL, Interval};
use multiple::Multiple;

/// Deeper terms are anything.
const MAX_DEPTH: u32 = 48;
/// Rounds over all conditions.
const ROUNDS: u32 = 4;
/// Terms looked at per query.
const BUDGET: u32 = 20_000;

/// Whether `conditions` cannot all be true.
pub(crate) fn contradict(terms: &Terms, conditions: &[Term]) -> bool {
    let mut bounds = TermIntervals {
        terms,
        known: FxHashMap::default(),
        forward: FxHashMap::default(),
        multiples: FxHashMap::default(),
        visited: FxHashSet::default(),
        nonzero: FxHashSet::default(),
        steps: 0,
        empty: false,
    };
    for _ in 0..ROUNDS {
        let before = bounds.known.clone();
        for &t in conditions {
            bounds.assume(t, true, 0);
            if bounds.empty {
                return true;
            }
        }
        if bounds.known == before || bounds.steps > BUDGET {
            return false;
        }
        bounds.forget();
        bounds.visited.clear();
    }
    false
}

struct TermIntervals<'a> {
    terms: &'a Terms,
    /// What conditions say of a term.
    known: FxHashMap<Term, Interval>,
    /// Intervals computed in this round.
    forward: FxHashMap<Term, Interval>,
    /// Multiples found in this round.
    multiples: FxHashMap<Term, Multiple>,
    /// Terms whose operands were looked at in this round.
    visited: FxHashSet<Term>,
    /// Terms that are not zero.
    nonzero: FxHashSet<Term>,
    steps: u32,
    /// Whether a contradiction was met.
    empty: bool,
}

/// The format of terms of this width.
fn format_of(width: u32) -> Option<FloatFormat> {
    match width {
        32 => Some(FloatFormat::F32),
        64 => Some(FloatFormat::F64),
        _ => None,
    }
}

fn number(format: FloatFormat, bits: u64) -> f64 {
    if format == FloatFormat::F32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

impl TermIntervals<'_> {
    /// Lets what was computed from what is known be computed again.
    fn forget(&mut self) {
        self.forward.clear();
        self.multiples.clear();
    }

    /// Takes in that a condition is true, or false.
    fn assume(&mut self, t: Term, want: bool, depth: u32) {
        if depth > MAX_DEPTH || self.empty {
            return;
        }
        match *self.terms.node(t) {
            Node::Bin(BinOp::Xor, a, b) if self.terms.as_u64(b) == Some(1) => self.assume(a, !want, depth + 1),
            Node::Bin(op @ (BinOp::And | BinOp::Or), a, b) if self.terms.width(t) == 1 => {
                if (op == BinOp::And) == want {
                    self.assume(a, want, depth + 1);
                    self.assume(b, want, depth + 1);
                } else {
                    self.one_of(a, b, want, depth);
                }
            }
            Node::FloatCmp(op, format, a, b) if format_of(format.width()) == Some(format) => {
                self.compare(op, a, b, want)
            }
            _ => {}
        }
    }

    /// One of two conditions has the wanted value: if the other is impossible, it is this one.
    fn one_of(&mut self, a: Term, b: Term, want: bool, depth: u32) {
        for (first, second) in [(a, b), (b, a)] {
            let saved = (self.known.clone(), self.nonzero.clone());
            self.assume(first, want, depth + 1);
            let impossible = std::mem::take(&mut self.empty);
            (self.known, self.nonzero) = saved;
            self.forget();
            if impossible {
                self.assume(second, want, depth + 1);
                return;
            }
        }
    }

    fn compare(&mut self, op: FloatCmp, a: Term, b: Term, want: bool) {
        let (x, y) = (self.interval(a, 0), self.interval(b, 0));
        let numbers = Interval { nan: false, ..ALL };
        match (op, want) {
            (FloatCmp::Unordered, false) => self.narrow_both(a, numbers, b, numbers),
            (FloatCmp::Unordered, true) => self.empty |= !x.nan && !y.nan,
            (FloatCmp::Eq, true) => {
                let both = Interval { nan: false, ..x.meet(y) };
                self.narrow_both(a, both, b, both);
            }
            (FloatCmp::Eq, false) if y == Interval::exact(0.0) || x == Interval::exact(0.0) => {
                self.nonzero.insert(if y == Interval::exact(0.0) { a } else { b });
                self.empty |= x == y;
            }
            (FloatCmp::Eq, false) => self.empty |= !x.nan && !y.nan && x.low == x.high && x == y,
            (FloatCmp::Lt, true) => self.ordered(a, x, b, y, f64::next_down, f64::next_up),
            (FloatCmp::Le, true) => self.ordered(a, x, b, y, |v| v, |v| v),
            // What is not below is above, or no number.
            (FloatCmp::Lt, false) if !x.nan && !y.nan => self.ordered(b, y, a, x, |v| v, |v| v),
            (FloatCmp::Le, false) if !x.nan && !y.nan => self.ordered(b, y, a, x, f64::next_down, f64::next_up),
            (_, false) => {}
        }
    }

    /// `a` is below `b`: `below` and `above` are the next numbers that may be.
    fn ordered(&mut self, a: Term, x: Interval, b: Term, y: Interval, below: fn(f64) -> f64, above: fn(f64) -> f64) {
        let least = Interval { low: f64::NEG_INFINITY, high: below(y.high), nan: false };
        let most = Interval { low: above(x.low), high: f64::INFINITY, nan: false };
        // Nothing is below the least number, nor above the greatest.
        if (below(0.0) < 0.0) && (y.high == f64::NEG_INFINITY || x.low == f64::INFINITY) {
            self.empty = true;
            return;
        }
        self.narrow_both(a, least, b, most);
    }

    fn narrow_both(&mut self, a: Term, x: Interval, b: Term, y: Interval) {
        self.narrow(a, x, 0);
        self.narrow(b, y, 0);
    }

    /// The value of a term is in `bound`: keeps that, and what follows for its operands.
    fn narrow(&mut self, t: Term, bound: Interval, depth: u32) {
        let old = self.interval(t, 0);
        let new = old.meet(bound);
        if new.is_empty() {
            self.empty = true;
            return;
        }
        // Once a round even where nothing is new: what the operands are made of may have changed.
        let is_news = self.visited.insert(t) || new != old;
        if !is_news || depth > MAX_DEPTH || self.steps > BUDGET {
            return;
        }
        self.steps += 1;
        self.known.insert(t, new);
        self.forward.insert(t, new);
        self.backwards(t, new, depth + 1);
    }

    fn backwards(&mut self, t: Term, r: Interval, depth: u32) {
        let terms = self.terms;
        if let Some(a) = magnitude(terms, t) {
            return self.narrow(a, Interval { low: -r.high, high: r.high, nan: r.nan }, depth);
        }
        match *terms.node(t) {
            Node::Bin(BinOp::Xor, a, b) if is_sign(terms, b) => self.narrow(a, r.negated(), depth),
            Node::FloatUn(FloatUn::Sqrt, FloatFormat::F64, a) => {
                let square = r.monotone(|v| v.max(0.0) * v.max(0.0)).widened(2);
                let low = if r.nan { f64::NEG_INFINITY } else { square.low.max(-0.0) };
                self.narrow(a, Interval { low, ..square }, depth);
            }
            Node::FloatBin(op, FloatFormat::F64, a, b) => self.backwards_binary(op, (a, b), r, depth),
            Node::Apply(function, ref args, 64) if self.is_square(function, args) => {
                let root = r.high.max(0.0).sqrt().next_up().next_up();
                self.narrow(args[0], Interval { low: -root, high: root, nan: r.nan }, depth);
            }
            Node::Ite(_, a, b) => {
                // The branch that is impossible is not taken.
                let (x, y) = (self.interval(a, 0), self.interval(b, 0));
                match (x.meet(r).is_empty(), y.meet(r).is_empty()) {
                    (true, false) => self.narrow(b, r, depth),
                    (false, true) => self.narrow(a, r, depth),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn is_square(&self, function: OpaqueFunction, args: &[Term]) -> bool {
        let is_two = |t: Term| self.terms.as_u64(t) == Some(2.0f64.to_bits());
        self.terms.functions()[function.0 as usize].standard_name() == Some("pow") && args.len() == 2 && is_two(args[1])
    }

    fn backwards_binary(&mut self, op: FloatBin, (a, b): (Term, Term), r: Interval, depth: u32) {
        if r.nan || !matches!(op, FloatBin::Add | FloatBin::Sub | FloatBin::Mul) {
            return;
        }
        let (x, y) = (self.interval(a, 0), self.interval(b, 0));
        // A result that is a number has operands that are; and what was rounded to a bound may lie beyond it.
        let wide = Interval { low: r.low.next_down(), high: r.high.next_up(), nan: false };
        let no_nan = |i: Interval| Interval { nan: false, ..i };
        let zero = r.low == 0.0 && r.high == 0.0;
        match op {
            // A difference is zero only if the operands are equal.
            FloatBin::Sub if zero => self.narrow_both(a, no_nan(y), b, no_nan(x)),
            FloatBin::Add if zero => self.narrow_both(a, no_nan(y.negated()), b, no_nan(x.negated())),
            FloatBin::Sub => {
                let for_a = Interval::binary(FloatBin::Add, FloatFormat::F64, wide, no_nan(y)).widened(2);
                let for_b = Interval::binary(FloatBin::Sub, FloatFormat::F64, no_nan(x), wide).widened(2);
                self.narrow(a, no_nan(for_a), depth);
                self.narrow(b, no_nan(for_b), depth);
            }
            FloatBin::Add => {
                let for_a = Interval::binary(FloatBin::Sub, FloatFormat::F64, wide, no_nan(y)).widened(2);
                let for_b = Interval::binary(FloatBin::Sub, FloatFormat::F64, wide, no_nan(x)).widened(2);
                self.narrow(a, no_nan(for_a), depth);
                self.narrow(b, no_nan(for_b), depth);
            }
            _ => {
                self.factor(a, y, r, wide, depth);
                self.factor(b, x, r, wide, depth);
            }
        }
    }

    /// `t · other` is in `r`.
    fn factor(&mut self, t: Term, other: Interval, r: Interval, wide: Interval, depth: u32) {
        let nothing = Interval { nan: false, ..ALL };
        let is_constant = other.low == other.high && !other.nan && other.low.is_finite();
        // A factor of one or more does not make a product vanish.
        if is_constant && other.low.abs() >= 1.0 && r.low == 0.0 && r.high == 0.0 {
            return self.narrow(t, Interval::exact(0.0), depth);
        }
        if !is_constant || other.low == 0.0 {
            return self.narrow(t, nothing, depth);
        }
        let quotient = Interval::binary(FloatBin::Div, FloatFormat::F64, wide, other).widened(2);
        self.narrow(t, Interval { nan: false, ..quotient }, depth);
    }

    /// The interval of a term, which is a float.
    fn interval(&mut self, t: Term, depth: u32) -> Interval {
        if let Some(&found) = self.forward.get(&t) {
            return found;
        }
        self.steps += 1;
        let computed = match depth > MAX_DEPTH || self.steps > BUDGET {
            true => ALL,
            false => self.computed(t, depth),
        };
        let found = computed.meet(self.known.get(&t).copied().unwrap_or(ALL));
        self.empty |= found.is_empty();
        self.forward.insert(t, found);
        found
    }

    fn computed(&mut self, t: Term, depth: u32) -> Interval {
        let terms = self.terms;
        let Some(format) = format_of(terms.width(t)) else { return ALL };
        let mut of = |t: Term| self.interval(t, depth + 1);
        if let Some(a) = magnitude(terms, t) {
            return of(a).magnitude();
        }
        match *terms.node(t) {
            Node::Const(ref bits) => Interval::exact(number(format, bits.low())),
            Node::Bin(BinOp::Xor, a, b) if is_sign(terms, b) => of(a).negated(),
            Node::Ite(_, a, b) => of(a).join(of(b)),
            Node::FloatUn(op, FloatFormat::F64, a) => Interval::unary(op, of(a)),
            Node::FloatUn(op, FloatFormat::F32, a) if op != FloatUn::Sqrt => Interval::unary(op, of(a)),
            Node::FloatBin(op, format, a, b) if format_of(format.width()) == Some(format) => {
                let (x, y) = (of(a), of(b));
                let both = Interval::binary(op, format, x, y);
                // Of a square more is known than of a product.
                match op {
                    FloatBin::Mul if a == b => both.meet(Interval { low: 0.0, ..ALL }),
                    // What is never a number and never zero needs no proof that it is.
                    FloatBin::Add | FloatBin::Sub if both.contains(0.0) && self.multiple(t, depth + 1).times == 0 => {
                        Interval::exact(0.0)
                    }
                    _ => both,
                }
            }
            Node::FloatToFloat(FloatFormat::F32, FloatFormat::F64, a) => of(a),
            Node::FloatToFloat(FloatFormat::F64, FloatFormat::F32, a) => of(a).monotone(|v| f64::from(v as f32)),
            Node::IntToFloat { to: FloatFormat::F64, signed, arg } => integer(terms, signed, arg),
            Node::Apply(function, ref args, 64) => {
                let Some(name) = terms.functions()[function.0 as usize].standard_name() else { return ALL };
                let is_nonzero = self.nonzero.contains(&args[0]);
                let mut of = |t: Term| self.interval(t, depth + 1);
                let args: Vec<Interval> = args.iter().map(|&a| of(a)).collect();
                // On the axis the angle is a right one, in both directions; at the origin it is anything.
                if name == "atan2" && is_nonzero && args[1] == Interval::exact(0.0) {
                    return Interval::numbers(-FRAC_PI_2, FRAC_PI_2).with_nan(args[0].nan);
                }
                libm::image(name, &args)
            }
            _ => ALL,
        }
    }
}

/// An integer as a double.
fn integer(terms: &Terms, signed: bool, arg: Term) -> Interval {
    let width = terms.width(arg);
    if width > 64 {
        return Interval { nan: false, ..ALL };
    }
    let (low, high) = terms.range(arg);
    let sign = 1u64 << (width - 1);
    match signed && high & sign != 0 {
        true => Interval::numbers(-(sign as f64), (sign - 1) as f64),
        false => Interval::numbers(low as f64, high as f64),
    }
}

fn is_sign(terms: &Terms, t: Term) -> bool {
    let width = terms.width(t);
    width <= 64 && terms.as_u64(t) == Some(1 << (width - 1))
}

/// The number whose magnitude `t` is: all its bits but the highest.
fn magnitude(terms: &Terms, t: Term) -> Option<Term> {
    let width = terms.width(t);
    match *terms.node(t) {
        Node::Bin(BinOp::And, a, b) if width <= 64 && terms.as_u64(b) == Some((1 << (width - 1)) - 1) => Some(a),
        Node::ZExt(low, _) => match *terms.node(low) {
            Node::Extract { arg, lo: 0, width: kept } if kept + 1 == width && terms.width(arg) == width => Some(arg),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests;
