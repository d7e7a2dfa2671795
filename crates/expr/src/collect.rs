//! Collecting terms: those that nobody needs any more make room for new ones.
//!
//! Terms stay where they are (states, memory and paths share what they hold of them), so only what is free is used again: an arena
//! stays as large as it was when the most terms were in use. Who holds terms says which ([`Marks`]); who remembers something of terms
//! that others hold, forgets it ([`Terms::epoch`] tells when).
//!
//! Boundary: what a root is, others know. Invariant: what is reachable from a mark is left as it is.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::arena::Terms;
use crate::node::{Array, ArrayNode, Node, Term};

/// The terms and arrays of an arena that are still needed.
#[derive(Debug)]
pub struct Marks {
    terms: Vec<bool>,
    arrays: Vec<bool>,
    /// Marked, and the operands not yet looked at.
    pending: Vec<Term>,
    pending_arrays: Vec<Array>,
    /// Where shared things are that were looked at.
    seen: FxHashSet<usize>,
}

impl Marks {
    /// A term is needed, with all that it is made of.
    #[inline]
    pub fn term(&mut self, t: Term) {
        let known = &mut self.terms[t.index()];
        if !*known {
            *known = true;
            self.pending.push(t);
        }
    }

    /// An array is needed, with all that it is made of.
    pub fn array(&mut self, a: Array) {
        let known = &mut self.arrays[a.0 as usize];
        if !*known {
            *known = true;
            self.pending_arrays.push(a);
        }
    }

    /// Whether something shared is looked at for the first time.
    #[inline]
    pub fn is_first<T: ?Sized>(&mut self, shared: &Rc<T>) -> bool {
        self.seen.insert(Rc::as_ptr(shared).cast::<()>() as usize)
    }

    /// Marks what the marked are made of.
    fn close(&mut self, terms: &Terms) {
        loop {
            if let Some(t) = self.pending.pop() {
                if let Node::Select(array, index) = terms.node(t) {
                    self.array(*array);
                    self.term(*index);
                } else {
                    terms.children(t).for_each(|operand| self.term(operand));
                }
            } else if let Some(a) = self.pending_arrays.pop() {
                match terms.array(a) {
                    ArrayNode::Elements(elements) => elements.iter().for_each(|&element| self.term(element)),
                    ArrayNode::Store { base, index, value } => {
                        self.array(*base);
                        self.term(*index);
                        self.term(*value);
                    }
                }
            } else {
                return;
            }
        }
    }

    pub(crate) fn terms(&self) -> &[bool] {
        &self.terms
    }

    pub(crate) fn arrays(&self) -> &[bool] {
        &self.arrays
    }
}

impl Terms {
    /// Nothing marked yet. The arena must not change until the marks are used.
    pub fn marks(&self) -> Marks {
        Marks {
            terms: vec![false; self.len()],
            arrays: vec![false; self.arrays_len()],
            pending: Vec::new(),
            pending_arrays: Vec::new(),
            seen: FxHashSet::default(),
        }
    }

    /// Gives up every term and array that is not marked and that nothing marked is made of.
    ///
    /// Whoever holds another term afterwards holds nothing, or soon something else.
    pub fn collect(&mut self, mut marks: Marks) {
        assert_eq!((marks.terms.len(), marks.arrays.len()), (self.len(), self.arrays_len()), "the arena has changed");
        marks.close(self);
        self.sweep(&marks);
    }

    /// These terms, each once, such that operands that are among them come before what is made of them.
    ///
    /// Until terms are collected the order is that in which they were made.
    pub fn operands_first(&self, terms: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let mut ascending: Vec<Term> = terms.into_iter().collect();
        ascending.sort_unstable();
        ascending.dedup();
        let mut waiting: FxHashSet<Term> = ascending.iter().copied().collect();
        let mut order = Vec::with_capacity(ascending.len());
        let mut stack = Vec::new();
        for t in ascending {
            stack.push(t);
            while let Some(&top) = stack.last() {
                if !waiting.contains(&top) {
                    stack.pop();
                    continue;
                }
                let before = stack.len();
                stack.extend(self.children(top).filter(|operand| waiting.contains(operand)));
                if stack.len() == before {
                    waiting.remove(&top);
                    order.push(top);
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Evaluator, Var};

    /// `x * 3 + i` for many `i`, of which every tenth is kept.
    fn arena() -> (Terms, Var, Vec<Term>) {
        let mut terms = Terms::new();
        let var = terms.new_var("x", 32);
        let (x, three) = (terms.var(var), terms.bv(32, 3));
        let product = terms.mul(x, three);
        let sums = (0..1000).map(|i| {
            let i = terms.bv(32, i);
            terms.add(product, i)
        });
        let sums: Vec<Term> = sums.collect();
        (terms, var, sums.into_iter().step_by(10).collect())
    }

    #[test]
    fn what_is_marked_stays_and_the_rest_makes_room() {
        let (mut terms, var, kept) = arena();
        let (before, epoch) = (terms.len(), terms.epoch());
        for _ in 0..3 {
            let mut marks = terms.marks();
            kept.iter().for_each(|&t| marks.term(t));
            terms.collect(marks);
        }
        assert_eq!(terms.epoch(), epoch + 3);
        assert_eq!(terms.live(), 2 * kept.len() + 1, "sums, their constants, the product's operands");
        let (x, mut last) = (terms.var(var), terms.bv(32, 7));
        for _ in 0..300 {
            last = terms.xor(last, x);
            last = terms.mul(last, x);
        }
        assert_eq!(terms.len(), before, "what was free is used");
        let mut evaluator = Evaluator::new([(var, 5)].into_iter().collect::<Assignment>());
        for (i, &t) in kept.iter().enumerate() {
            assert_eq!(evaluator.eval_u64(&terms, t), 15 + 10 * i as u64);
        }
        let product = {
            let three = terms.bv(32, 3);
            terms.mul(x, three)
        };
        let ten = terms.bv(32, 10);
        assert_eq!(terms.add(product, ten), kept[1], "equal terms are still one");
    }

    #[test]
    fn an_evaluator_forgets_what_has_become_another_term() {
        let (mut terms, var, kept) = arena();
        let mut evaluator = Evaluator::new([(var, 5)].into_iter().collect::<Assignment>());
        let x = terms.var(var);
        // Made before, so that every place that becomes free is one of a product.
        let factors: Vec<Term> = (0..4000).map(|i| terms.bv(32, 100_001 + i)).collect();
        let gone = terms.xor(kept[3], x);
        evaluator.eval_u64(&terms, gone);
        for _ in 0..2 {
            let mut marks = terms.marks();
            factors.iter().chain([&x]).for_each(|&t| marks.term(t));
            terms.collect(marks);
        }
        let mut same = false;
        for factor in factors {
            let t = terms.mul(x, factor);
            let fresh = Evaluator::new(evaluator.assignment().clone()).eval_u64(&terms, t);
            assert_eq!(evaluator.eval_u64(&terms, t), fresh);
            same |= t == gone;
        }
        assert!(same, "the number of the term was given to another");
    }

    #[test]
    fn operands_come_first_whatever_their_numbers() {
        let (mut terms, var, kept) = arena();
        for _ in 0..2 {
            let mut marks = terms.marks();
            kept.iter().rev().take(3).for_each(|&t| marks.term(t));
            terms.collect(marks);
        }
        let x = terms.var(var);
        let late = kept[kept.len() - 1];
        let sum = terms.mul(late, x);
        let order = terms.operands_first([sum, late, x]);
        assert!(sum < late, "a free number was used");
        assert_eq!(order.iter().position(|t| *t == sum), Some(2), "{order:?}");
        let mut again = Terms::new();
        let (a, b) = (again.bv(8, 1), again.bv(8, 2));
        assert_eq!(again.operands_first([b, a, b]), [a, b]);
    }
}
