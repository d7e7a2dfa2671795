//! Terms in which some inputs are given.
//!
//! Invariant: the result evaluates as the term does, under every assignment that gives those inputs those values.

use std::collections::HashMap;

use crate::arena::Terms;
use crate::node::{ArrayNode, Node, Term, Var};

impl Terms {
    /// `t` with constants for the inputs that `value` knows. Floats, opaque functions and arrays that were written to stay as they are.
    pub fn given(&mut self, t: Term, value: &dyn Fn(Var) -> Option<u64>) -> Term {
        let mut done: HashMap<Term, Term> = HashMap::new();
        let mut todo = vec![t];
        while let Some(&at) = todo.last() {
            if done.contains_key(&at) {
                todo.pop();
                continue;
            }
            let open: Vec<Term> = self.replaceable(at).into_iter().filter(|part| !done.contains_key(part)).collect();
            if open.is_empty() {
                let new = self.remade(at, value, &done);
                done.insert(at, new);
                todo.pop();
            } else {
                todo.extend(open);
            }
        }
        done[&t]
    }

    /// The operands that can be replaced.
    fn replaceable(&self, t: Term) -> Vec<Term> {
        match self.node(t) {
            Node::Bin(..) | Node::Extract { .. } | Node::ZExt(..) | Node::SExt(..) | Node::Ite(..) => {
                self.children(t).collect()
            }
            Node::Select(array, _) if matches!(self.array(*array), ArrayNode::Elements(_)) => {
                self.children(t).collect()
            }
            _ => Vec::new(),
        }
    }

    fn remade(&mut self, t: Term, value: &dyn Fn(Var) -> Option<u64>, done: &HashMap<Term, Term>) -> Term {
        match *self.node(t) {
            Node::Var(var) => match value(var) {
                Some(word) => self.bv(self.width(t), word),
                None => t,
            },
            Node::Bin(op, a, b) => self.bin(op, done[&a], done[&b]),
            Node::Extract { arg, lo, width } => self.extract(done[&arg], lo, width),
            Node::ZExt(arg, width) => self.zext(done[&arg], width),
            Node::SExt(arg, width) => self.sext(done[&arg], width),
            Node::Ite(cond, a, b) => self.ite(done[&cond], done[&a], done[&b]),
            Node::Select(array, index) => match self.array(array) {
                ArrayNode::Elements(elements) => {
                    let elements = elements.iter().map(|element| done[element]).collect();
                    let array = self.array_of(elements);
                    self.select(array, done[&index])
                }
                ArrayNode::Store { .. } => t,
            },
            _ => t,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_among_addresses_is_the_one_that_is_given() {
        let mut terms = Terms::new();
        let (which, i) = (terms.new_var("which", 8), terms.new_var("i", 64));
        let (w, index) = (terms.var(which), terms.var(i));
        let one = terms.bv(8, 1);
        let (a, b) = (terms.bv(64, 0x1000), terms.bv(64, 0x2000));
        let is_one = terms.eq(w, one);
        let choice = terms.ite(is_one, a, b);
        let pointer = terms.add(choice, index);
        let first = terms.given(pointer, &|var| (var == which).then_some(1));
        assert_eq!(first, terms.add(a, index));
        let second = terms.given(pointer, &|var| Some(if var == which { 0 } else { 4 }));
        assert_eq!(terms.as_u64(second), Some(0x2004));
        assert_eq!(terms.given(pointer, &|_| None), pointer);
    }
}
