//! Arrays of unknown content.
//!
//! Two arrays are equal if they are at every index that the script names, and different if they are somewhere: a fresh input says
//! which, another where. That is enough (A. Stump and others, 2001), because arrays may be chosen alike at all other indices; but
//! not for arrays that are the same everywhere, whose equality is not supported.
//!
//! In a model an array is zero wherever the script does not look: so equal arrays stay equal there.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Declared, Reader, ScriptValue};
use crate::arena::Terms;
use crate::bits::Bits;
use crate::eval::Evaluator;
use crate::node::Term;
use crate::smtlib::literal;

/// An array of the script.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ArrayValue {
    pub index_width: u32,
    pub element_width: u32,
    content: Rc<ArrayContent>,
    /// Whether it is the same everywhere, but for stores.
    has_constant: bool,
}

#[derive(PartialEq, Debug)]
pub(super) enum ArrayContent {
    /// Number of the free array.
    Free(usize),
    /// This value at every index.
    Constant(Term),
    Store(ArrayValue, Term, Term),
    Ite(Term, ArrayValue, ArrayValue),
}

/// A free array: its name, and what was read of it: index and element.
pub(super) struct Free {
    name: String,
    reads: Vec<(Term, Term)>,
}

/// The question whether two arrays are equal.
pub(super) struct Equality {
    /// The answer.
    holds: Term,
    a: ArrayValue,
    b: ArrayValue,
    /// Where they differ, if they do.
    difference: Term,
}

impl Declared {
    /// The value of an array in a model.
    pub(super) fn array(&self, terms: &Terms, evaluator: &mut Evaluator) -> String {
        let ScriptValue::Array(array) = &self.value else { unreachable!("only asked of arrays") };
        let mut elements = BTreeMap::new();
        for &(index, element) in &self.reads {
            elements.insert(literal(&evaluator.eval(terms, index)), literal(&evaluator.eval(terms, element)));
        }
        let zero = format!("((as const {}) {})", self.sort, literal(&Bits::zero(array.element_width)));
        elements.iter().fold(zero, |array, (index, element)| format!("(store {array} {index} {element})"))
    }
}

impl Reader<'_> {
    /// Whether two arrays are equal; `None` if that is not supported.
    pub fn same_array(&mut self, a: &ArrayValue, b: &ArrayValue) -> Option<Term> {
        if a.has_constant || b.has_constant {
            return None;
        }
        let number = self.equalities.len();
        let holds = self.input(&format!("=[{number}]"), 1);
        let difference = self.input(&format!("=[{number}].at"), a.index_width);
        self.indices.push(difference);
        self.equalities.push(Equality { holds, a: a.clone(), b: b.clone(), difference });
        Some(holds)
    }

    /// Asserts what the answers to questions of equality mean.
    pub fn relate_arrays(&mut self) {
        let mut indices = std::mem::take(&mut self.indices);
        indices.sort_unstable();
        indices.dedup();
        for Equality { holds, a, b, difference } in std::mem::take(&mut self.equalities) {
            for &index in indices.iter().filter(|&&index| self.terms.width(index) == a.index_width).collect::<Vec<_>>()
            {
                let (x, y) = (self.select(&a, index), self.select(&b, index));
                let same = self.terms.eq(x, y);
                let t = self.terms.implies(holds, same);
                self.script.assertions.push(t);
                if index == difference {
                    let t = self.terms.implies(same, holds);
                    self.script.assertions.push(t);
                }
            }
        }
    }

    pub fn free_array(&mut self, name: &str, index_width: u32, element_width: u32) -> ArrayValue {
        self.arrays.push(Free { name: name.to_owned(), reads: Vec::new() });
        let content = Rc::new(ArrayContent::Free(self.arrays.len() - 1));
        ArrayValue { index_width, element_width, content, has_constant: false }
    }

    pub fn constant_array(&self, index_width: u32, element: Term) -> ArrayValue {
        let content = Rc::new(ArrayContent::Constant(element));
        ArrayValue { index_width, element_width: self.terms.width(element), content, has_constant: true }
    }

    pub fn store(&mut self, array: ArrayValue, index: Term, element: Term) -> ArrayValue {
        self.indices.push(index);
        ArrayValue { content: Rc::new(ArrayContent::Store(array.clone(), index, element)), ..array }
    }

    pub fn either_array(&self, condition: Term, a: ArrayValue, b: ArrayValue) -> ArrayValue {
        let has_constant = a.has_constant || b.has_constant;
        ArrayValue { content: Rc::new(ArrayContent::Ite(condition, a.clone(), b)), has_constant, ..a }
    }

    /// The element at an index that the script names.
    pub fn read_array(&mut self, array: &ArrayValue, index: Term) -> Term {
        self.indices.push(index);
        self.select(array, index)
    }

    /// Each array is asked for each index once: it may be part of others in many ways.
    fn select(&mut self, array: &ArrayValue, index: Term) -> Term {
        let key = (Rc::as_ptr(&array.content), index);
        if let Some(&(_, element)) = self.selected.get(&key) {
            return element;
        }
        let element = self.select_anew(array, index);
        self.selected.insert(key, (array.clone(), element));
        element
    }

    fn select_anew(&mut self, array: &ArrayValue, index: Term) -> Term {
        match &*array.content {
            ArrayContent::Constant(element) => *element,
            ArrayContent::Store(before, at, element) => {
                let same = self.terms.eq(*at, index);
                let other = self.select(before, index);
                self.terms.ite(same, *element, other)
            }
            ArrayContent::Ite(condition, a, b) => {
                let (a, b) = (self.select(a, index), self.select(b, index));
                self.terms.ite(*condition, a, b)
            }
            ArrayContent::Free(number) => {
                if let Some(&(_, element)) = self.arrays[*number].reads.iter().find(|(at, _)| *at == index) {
                    return element;
                }
                let name = format!("{}[{}]", self.arrays[*number].name, self.arrays[*number].reads.len());
                let element = self.input(&name, array.element_width);
                self.arrays[*number].reads.push((index, element));
                element
            }
        }
    }

    /// Asserts that reads of one array at equal indices are equal.
    pub fn relate_array_reads(&mut self) {
        for declared in &mut self.script.declared {
            if let ScriptValue::Array(ArrayValue { content, .. }) = &declared.value
                && let ArrayContent::Free(number) = **content
            {
                declared.reads.clone_from(&self.arrays[number].reads);
            }
        }
        for free in std::mem::take(&mut self.arrays) {
            for (at, &(i, x)) in free.reads.iter().enumerate() {
                for &(j, y) in &free.reads[..at] {
                    let (same_index, same) = (self.terms.eq(i, j), self.terms.eq(x, y));
                    let t = self.terms.implies(same_index, same);
                    if self.terms.as_u64(t) != Some(1) {
                        self.script.assertions.push(t);
                    }
                }
            }
        }
    }
}
