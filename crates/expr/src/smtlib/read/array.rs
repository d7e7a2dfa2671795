//! Arrays of unknown content.

use std::rc::Rc;

use super::Reader;
use crate::node::Term;

/// An array of the script.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ArrayValue {
    pub index_width: u32,
    pub element_width: u32,
    content: Rc<Content>,
}

#[derive(PartialEq, Debug)]
enum Content {
    /// Number of the free array.
    Free(usize),
    /// The same everywhere.
    Constant(Term),
    Store(ArrayValue, Term, Term),
    Ite(Term, ArrayValue, ArrayValue),
}

/// A free array: its name, and what was read of it: index and element.
pub(super) struct Free {
    name: String,
    reads: Vec<(Term, Term)>,
}

impl Reader<'_> {
    pub fn free_array(&mut self, name: &str, index_width: u32, element_width: u32) -> ArrayValue {
        self.arrays.push(Free { name: name.to_owned(), reads: Vec::new() });
        let content = Rc::new(Content::Free(self.arrays.len() - 1));
        ArrayValue { index_width, element_width, content }
    }

    pub fn constant_array(&self, index_width: u32, element: Term) -> ArrayValue {
        let content = Rc::new(Content::Constant(element));
        ArrayValue { index_width, element_width: self.terms.width(element), content }
    }

    pub fn store(&self, array: ArrayValue, index: Term, element: Term) -> ArrayValue {
        ArrayValue { content: Rc::new(Content::Store(array.clone(), index, element)), ..array }
    }

    pub fn either_array(&self, condition: Term, a: ArrayValue, b: ArrayValue) -> ArrayValue {
        ArrayValue { content: Rc::new(Content::Ite(condition, a.clone(), b)), ..a }
    }

    /// The element at `index`.
    pub fn select(&mut self, array: &ArrayValue, index: Term) -> Term {
        match &*array.content {
            Content::Constant(element) => *element,
            Content::Store(before, at, element) => {
                let same = self.terms.eq(*at, index);
                let other = self.select(before, index);
                self.terms.ite(same, *element, other)
            }
            Content::Ite(condition, a, b) => {
                let (a, b) = (self.select(a, index), self.select(b, index));
                self.terms.ite(*condition, a, b)
            }
            Content::Free(number) => {
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
