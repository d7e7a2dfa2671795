//! Evaluation of terms under one assignment.
//!
//! Lazy: of a conditional only the branch taken is evaluated, of an array only the element read. Values are remembered
//! per term, so along a path, where each condition shares its operands with those before, each term is computed once.
//! Operands are computed by recursion down to a depth; one that lies deeper is put on a stack, what waits for it is given
//! up, and begun again once it is known. Invariant: the memo belongs to one assignment and one arena between two collections.

use rustc_hash::FxHashMap;

use crate::arena::Terms;
use crate::assign::Assignment;
use crate::bits::{Bits, mask, signed};
use crate::fold;
use crate::memo::Memo;
use crate::node::*;

/// Evaluates terms of one arena under one assignment.
#[derive(Clone, Debug)]
pub struct Evaluator {
    assignment: Assignment,
    narrow: Memo,
    wide: FxHashMap<Term, Bits>,
    /// The arena's when the values were computed.
    epoch: u32,
    /// Terms still to compute, the next on top; empty between calls.
    pending: Vec<Term>,
    /// Levels of recursion; 0 between calls.
    depth: u32,
}

/// Deep enough for nearly every term, and little stack.
const DEPTH: u32 = 128;

/// A value in its cheapest form.
enum Evaluated {
    /// Width 1 to 64.
    Narrow(u64),
    /// More than 64 bits.
    Wide(Bits),
}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    pub fn new(assignment: Assignment) -> Self {
        Evaluator {
            assignment,
            narrow: Memo::default(),
            wide: FxHashMap::default(),
            epoch: 0,
            pending: Vec::new(),
            depth: 0,
        }
    }

    /// The assignment under which terms are evaluated.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// Forgets all values (and gives their memory back); never needed for correctness.
    pub fn clear_memo(&mut self) {
        self.narrow = Memo::default();
        self.wide = FxHashMap::default();
    }

    /// Forgets values that may be of other terms by now.
    #[inline]
    fn keep_up(&mut self, terms: &Terms) {
        if self.epoch != terms.epoch() {
            self.epoch = terms.epoch();
            self.clear_memo();
        }
    }

    /// The value of `t`.
    pub fn eval(&mut self, terms: &Terms, t: Term) -> Bits {
        self.keep_up(terms);
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
        self.keep_up(terms);
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
            _ => self.narrow.get(t),
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
            if self.compute_known(terms, t).is_some() {
                self.pending.pop();
            }
        }
    }

    /// Computes and remembers `t`, unless something lies too deep.
    fn compute_known(&mut self, terms: &Terms, t: Term) -> Option<Evaluated> {
        let value = self.compute(terms, t)?;
        match &value {
            Evaluated::Narrow(value) => self.narrow.insert(t, *value),
            Evaluated::Wide(bits) => {
                self.wide.insert(t, bits.clone());
            }
        }
        Some(value)
    }

    /// The value of an operand, one level down; what would be too deep goes on the stack.
    fn descend(&mut self, terms: &Terms, t: Term) -> Option<Evaluated> {
        if self.depth == DEPTH {
            self.pending.push(t);
            return None;
        }
        self.depth += 1;
        let value = self.compute_known(terms, t);
        self.depth -= 1;
        value
    }

    /// The value of a narrow operand, or `None` if something lies too deep.
    #[inline]
    fn want(&mut self, terms: &Terms, t: Term) -> Option<u64> {
        if let Some(value) = self.known(terms, t) {
            return Some(value);
        }
        match self.descend(terms, t)? {
            Evaluated::Narrow(value) => Some(value),
            Evaluated::Wide(_) => unreachable!("the operand is narrow"),
        }
    }

    /// The bits of an operand of any width; none if it has to wait.
    fn want_bits(&mut self, terms: &Terms, t: Term) -> Option<Bits> {
        if let Some(bits) = self.known_bits(terms, t) {
            return Some(bits);
        }
        Some(match self.descend(terms, t)? {
            Evaluated::Narrow(value) => Bits::new(terms.width(t), value),
            Evaluated::Wide(bits) => bits,
        })
    }

    fn want_value(&mut self, terms: &Terms, t: Term) -> Option<Evaluated> {
        if terms.width(t) <= 64 {
            self.want(terms, t).map(Evaluated::Narrow)
        } else {
            self.want_bits(terms, t).map(Evaluated::Wide)
        }
    }

    /// The value of `t`, or `None` if something lies too deep. Nothing more is tried after the first such: a second try
    /// may well meet the same, and so on at each level.
    fn compute(&mut self, terms: &Terms, t: Term) -> Option<Evaluated> {
        let width = terms.width(t);
        let narrow = |value: u64| Evaluated::Narrow(value & mask(width));
        match *terms.node(t) {
            Node::Const(_) | Node::Var(_) => self.want_value(terms, t),
            Node::Bin(op, a, b) => self.bin(terms, op, a, b, width),
            Node::Extract { arg, lo, .. } if terms.width(arg) <= 64 => Some(narrow(self.want(terms, arg)? >> lo)),
            Node::Extract { arg, lo, width } => Some(self.want_bits(terms, arg)?.extract(lo, width).into()),
            Node::ZExt(a, _) if width <= 64 => self.want(terms, a).map(Evaluated::Narrow),
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
    fn bin(&mut self, terms: &Terms, op: BinOp, a: Term, b: Term, width: u32) -> Option<Evaluated> {
        let operand_width = terms.width(a);
        if operand_width.max(width) <= 64 {
            let (x, y) = (self.want(terms, a)?, self.want(terms, b)?);
            return Some(Evaluated::Narrow(match op {
                BinOp::Concat => x << terms.width(b) | y,
                _ => fold::bin_u64(op, operand_width, x, y),
            }));
        }
        let (x, y) = (self.want_bits(terms, a)?, self.want_bits(terms, b)?);
        Some(fold::bin(op, &x, &y).into())
    }

    /// Newest store first; no element other than the one read is computed.
    fn select(&mut self, terms: &Terms, array: Array, index: Term) -> Option<Evaluated> {
        let at = self.want(terms, index)?;
        let mut array = array;
        loop {
            match terms.array(array) {
                ArrayNode::Elements(elements) => {
                    let last = elements.len() - 1;
                    let element = elements[usize::try_from(at).map_or(last, |at| at.min(last))];
                    return self.want_value(terms, element);
                }
                ArrayNode::Store { index, value, .. } if self.want(terms, *index)? == at => {
                    return self.want_value(terms, *value);
                }
                ArrayNode::Store { base, .. } => array = *base,
            }
        }
    }

    fn apply(&mut self, terms: &Terms, function: OpaqueFunction, args: &[Term], width: u32) -> Option<Evaluated> {
        let values: Vec<Bits> = args.iter().map(|&arg| self.want_bits(terms, arg)).collect::<Option<_>>()?;
        let result = terms.functions()[function.0 as usize].eval.call(&values);
        assert_eq!(result.width(), width, "an opaque function returns the width it was applied at");
        Some(result.into())
    }

    fn float(&mut self, terms: &Terms, t: Term) -> Option<Evaluated> {
        let mut pattern = |t: Term| match self.want_value(terms, t)? {
            Evaluated::Narrow(value) => Some(u128::from(value)),
            Evaluated::Wide(bits) => Some(bits.low_u128()),
        };
        let result = match *terms.node(t) {
            Node::FloatUn(op, fmt, a) => fold::float_un(op, fmt, pattern(a)?),
            Node::FloatBin(op, fmt, a, b) => fold::float_bin(op, fmt, pattern(a)?, pattern(b)?),
            Node::Fma(fmt, a, b, c) => fold::fma(fmt, pattern(a)?, pattern(b)?, pattern(c)?),
            Node::FloatCmp(op, fmt, a, b) => u128::from(fold::float_cmp(op, fmt, pattern(a)?, pattern(b)?)),
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

impl From<Bits> for Evaluated {
    fn from(bits: Bits) -> Self {
        match bits.as_u64() {
            Some(value) => Evaluated::Narrow(value),
            None => Evaluated::Wide(bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::NativeFunction;

    #[test]
    fn deep_terms_need_no_deep_stack_and_shared_ones_no_second_look() {
        let mut t = Terms::new();
        let v = t.new_var("x", 64);
        let (mut deep, mut shared) = (t.var(v), t.var(v));
        for i in 0..1_000_000u64 {
            let c = t.bv(64, i << 1 | 1);
            deep = t.mul(deep, c);
            deep = t.xor(deep, c);
        }
        for _ in 0..2000 {
            let square = t.mul(shared, shared);
            shared = t.sub(square, shared);
        }
        let mut x = 3u64;
        let want_deep = (0..1_000_000u64).fold(x, |x, i| x.wrapping_mul(i << 1 | 1) ^ (i << 1 | 1));
        for _ in 0..2000 {
            x = x.wrapping_mul(x).wrapping_sub(x);
        }
        let mut evaluator = Evaluator::new([(v, 3)].into_iter().collect());
        assert_eq!(evaluator.eval_u64(&t, deep), want_deep);
        assert_eq!(evaluator.eval_u64(&t, shared), x);
    }

    #[test]
    fn a_long_chain_of_stores_is_read_through() {
        let mut t = Terms::new();
        let v = t.new_var("x", 64);
        let (x, zero) = (t.var(v), t.bv(8, 0));
        let mut array = t.array_of(vec![zero; 4].into());
        let (mut index, step) = (x, t.bv(64, 3));
        for i in 0..5000 {
            index = t.mul(index, step);
            index = t.xor(index, x);
            let value = t.bv(8, i % 250 + 1);
            array = t.store(array, index, value);
        }
        let (at, byte) = (t.bv(64, 2), t.bv(8, 7));
        let read = t.select(array, at);
        let eq = t.eq(read, byte);
        assert!(!Evaluator::new([(v, 5)].into_iter().collect()).holds(&t, eq));
    }

    #[test]
    fn an_opaque_function_is_called() {
        let mut t = Terms::new();
        let v = t.new_var("x", 8);
        let x = t.var(v);
        let double = t.function(FunctionInfo {
            name: "double".to_owned(),
            eval: NativeFunction::Bits(|args| args[0].add(&args[0])),
        });
        let applied = t.apply(double, [x].into(), 8);
        assert!(t.has_opaque(applied) && !t.has_float(applied));
        assert_eq!(Evaluator::new([(v, 21)].into_iter().collect()).eval_u64(&t, applied), 42);
        let c = t.bv(8, 4);
        let folded = t.apply(double, [c].into(), 8);
        assert_eq!(t.as_u64(folded), Some(8));
    }
}
