//! Evaluation of terms under one assignment.
//!
//! Iterative and lazy: of a conditional only the branch taken is evaluated, of an array only the element read. Values
//! are remembered per term, so along a path, where each condition shares its operands with those before, each term is
//! computed once. Invariant: the memo belongs to one assignment and one arena.

use rustc_hash::FxHashMap;

use crate::arena::Terms;
use crate::assign::Assignment;
use crate::bits::{Bits, mask, signed};
use crate::fold;
use crate::node::*;

/// Evaluates terms of one arena under one assignment.
#[derive(Clone, Debug)]
pub struct Evaluator {
    assignment: Assignment,
    narrow: FxHashMap<Term, u64>,
    wide: FxHashMap<Term, Bits>,
    /// Terms still to compute, the next on top; empty between calls.
    pending: Vec<Term>,
}

/// A value in its cheapest form.
enum Value {
    /// Width 1 to 64.
    Narrow(u64),
    /// Above.
    Wide(Bits),
}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    pub fn new(assignment: Assignment) -> Self {
        Evaluator { assignment, narrow: FxHashMap::default(), wide: FxHashMap::default(), pending: Vec::new() }
    }

    /// The assignment under which terms are evaluated.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// Forgets all values (and gives their memory back); never needed for correctness.
    pub fn clear_memo(&mut self) {
        self.narrow = FxHashMap::default();
        self.wide = FxHashMap::default();
    }

    /// The value of `t`.
    pub fn eval(&mut self, terms: &Terms, t: Term) -> Bits {
        loop {
            match self.known_bits(terms, t) {
                Some(bits) => return bits,
                None => self.run(terms, t),
            }
        }
    }

    /// The value of `t`, which has at most 64 bits.
    #[inline]
    pub fn eval_u64(&mut self, terms: &Terms, t: Term) -> u64 {
        assert!(terms.width(t) <= 64, "a wide term has no 64-bit value");
        loop {
            match self.known(terms, t) {
                Some(value) => return value,
                None => self.run(terms, t),
            }
        }
    }

    /// Whether `t`, a truth value, is true.
    #[inline]
    pub fn holds(&mut self, terms: &Terms, t: Term) -> bool {
        debug_assert_eq!(terms.width(t), 1);
        self.eval_u64(terms, t) != 0
    }

    /// The value of a narrow term, if nothing has to be computed for it.
    #[inline]
    fn known(&self, terms: &Terms, t: Term) -> Option<u64> {
        match terms.node(t) {
            Node::Const(bits) => bits.as_u64(),
            Node::Var(v) => Some(self.assignment.value(*v) & mask(terms.width(t))),
            _ => self.narrow.get(&t).copied(),
        }
    }

    fn known_bits(&self, terms: &Terms, t: Term) -> Option<Bits> {
        match terms.node(t) {
            Node::Const(bits) => Some(bits.clone()),
            _ if terms.width(t) <= 64 => self.known(terms, t).map(|value| Bits::new(terms.width(t), value)),
            _ => self.wide.get(&t).cloned(),
        }
    }

    /// Computes and remembers `root` and what it needs.
    fn run(&mut self, terms: &Terms, root: Term) {
        self.pending.push(root);
        while let Some(&t) = self.pending.last() {
            match self.compute(terms, t) {
                None => continue,
                Some(Value::Narrow(value)) => {
                    self.narrow.insert(t, value);
                }
                Some(Value::Wide(bits)) => {
                    self.wide.insert(t, bits);
                }
            }
            self.pending.pop();
        }
    }

    /// The value of a narrow operand, or `None` and the operand is on the stack.
    #[inline]
    fn want(&mut self, terms: &Terms, t: Term) -> Option<u64> {
        let known = self.known(terms, t);
        if known.is_none() {
            self.pending.push(t);
        }
        known
    }

    /// The same for an operand of any width.
    fn want_bits(&mut self, terms: &Terms, t: Term) -> Option<Bits> {
        let known = self.known_bits(terms, t);
        if known.is_none() {
            self.pending.push(t);
        }
        known
    }

    fn want_value(&mut self, terms: &Terms, t: Term) -> Option<Value> {
        if terms.width(t) <= 64 {
            self.want(terms, t).map(Value::Narrow)
        } else {
            self.want_bits(terms, t).map(Value::Wide)
        }
    }

    /// The value of `t`, or `None` and at least one operand it waits for is on the stack.
    fn compute(&mut self, terms: &Terms, t: Term) -> Option<Value> {
        let width = terms.width(t);
        let narrow = |value: u64| Value::Narrow(value & mask(width));
        match *terms.node(t) {
            Node::Const(_) | Node::Var(_) => self.want_value(terms, t),
            Node::Bin(op, a, b) => self.bin(terms, op, a, b, width),
            Node::Extract { arg, lo, .. } if terms.width(arg) <= 64 => Some(narrow(self.want(terms, arg)? >> lo)),
            Node::Extract { arg, lo, width } => Some(self.want_bits(terms, arg)?.extract(lo, width).into()),
            Node::ZExt(a, _) if width <= 64 => self.want(terms, a).map(Value::Narrow),
            Node::ZExt(a, _) => Some(self.want_bits(terms, a)?.zext(width).into()),
            Node::SExt(a, _) if width <= 64 => Some(narrow(signed(terms.width(a), self.want(terms, a)?) as u64)),
            Node::SExt(a, _) => Some(self.want_bits(terms, a)?.sext(width).into()),
            Node::Ite(c, a, b) => {
                let taken = if self.want(terms, c)? != 0 { a } else { b };
                self.want_value(terms, taken)
            }
            Node::Select(array, index) => self.select(terms, array, index),
            Node::Apply(function, ref args, _) => self.apply(terms, function, args, width),
            _ => self.float(terms, t),
        }
    }

    #[inline]
    fn bin(&mut self, terms: &Terms, op: BinOp, a: Term, b: Term, width: u32) -> Option<Value> {
        let operand_width = terms.width(a);
        if operand_width.max(width) <= 64 {
            let (x, y) = (self.want(terms, a), self.want(terms, b));
            let (x, y) = (x?, y?);
            return Some(Value::Narrow(match op {
                BinOp::Concat => x << terms.width(b) | y,
                _ => fold::bin_u64(op, operand_width, x, y),
            }));
        }
        let (x, y) = (self.want_bits(terms, a), self.want_bits(terms, b));
        Some(fold::bin(op, &x?, &y?).into())
    }

    /// All indices on the way to the element are computed, but no element other than the one read.
    fn select(&mut self, terms: &Terms, array: Array, index: Term) -> Option<Value> {
        let at = self.want(terms, index);
        let mut waiting = at.is_none();
        let mut array = array;
        loop {
            match terms.array(array) {
                ArrayNode::Elements(elements) => {
                    let last = elements.len() - 1;
                    let element = at.map(|at| elements[usize::try_from(at).map_or(last, |at| at.min(last))]);
                    return if waiting { None } else { self.want_value(terms, element?) };
                }
                ArrayNode::Store { base, index, value } => {
                    let stored = self.want(terms, *index);
                    waiting |= stored.is_none();
                    if !waiting && stored == at {
                        return self.want_value(terms, *value);
                    }
                    array = *base;
                }
            }
        }
    }

    fn apply(&mut self, terms: &Terms, function: Function, args: &[Term], width: u32) -> Option<Value> {
        let values: Vec<Option<Bits>> = args.iter().map(|&arg| self.want_bits(terms, arg)).collect();
        let values: Vec<Bits> = values.into_iter().collect::<Option<_>>()?;
        let result = (terms.functions()[function.0 as usize].eval)(&values);
        assert_eq!(result.width(), width, "an opaque function returns the width it was applied at");
        Some(result.into())
    }

    fn float(&mut self, terms: &Terms, t: Term) -> Option<Value> {
        let mut pattern = |t: Term| match self.want_value(terms, t)? {
            Value::Narrow(value) => Some(u128::from(value)),
            Value::Wide(bits) => Some(bits.low_u128()),
        };
        let result = match *terms.node(t) {
            Node::FloatUn(op, fmt, a) => fold::float_un(op, fmt, pattern(a)?),
            Node::FloatBin(op, fmt, a, b) => {
                let (x, y) = (pattern(a), pattern(b));
                fold::float_bin(op, fmt, x?, y?)
            }
            Node::Fma(fmt, a, b, c) => {
                let (x, y, z) = (pattern(a), pattern(b), pattern(c));
                fold::fma(fmt, x?, y?, z?)
            }
            Node::FloatCmp(op, fmt, a, b) => {
                let (x, y) = (pattern(a), pattern(b));
                u128::from(fold::float_cmp(op, fmt, x?, y?))
            }
            Node::FloatToFloat(from, to, a) => fold::float_to_float(from, to, pattern(a)?),
            Node::FloatToInt { from, signed, arg, width } => {
                return Some(fold::float_to_int(from, signed, pattern(arg)?, width).into());
            }
            Node::IntToFloat { to, signed, arg } => fold::int_to_float(to, signed, &self.want_bits(terms, arg)?),
            ref other => unreachable!("{other:?} is no float operation"),
        };
        Some(Bits::from_u128(terms.width(t), result).into())
    }
}

impl From<Bits> for Value {
    fn from(bits: Bits) -> Self {
        match bits.as_u64() {
            Some(value) => Value::Narrow(value),
            None => Value::Wide(bits),
        }
    }
}
