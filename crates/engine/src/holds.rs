//! Who holds terms, and when terms that nobody holds are given up ([`taw_expr::Terms::collect`]).
//!
//! Everything that outlives an instruction and has terms or values in it says which ([`HoldsTerms`]); it names all its fields, so that
//! a new one is not forgotten. What only remembers something of terms (caches, memos) holds none and forgets instead.
//! Invariant: between two slices all terms in use are in the states, the roots below, or what the explorer adds to them.

use std::rc::Rc;

use taw_expr::{Array, Marks, Term};

use crate::cx::Engine;
use crate::state::State;
use crate::value::Value;

/// Something that holds terms.
pub trait HoldsTerms {
    /// Marks them.
    fn mark(&self, marks: &mut Marks);
}

impl HoldsTerms for Term {
    fn mark(&self, marks: &mut Marks) {
        marks.term(*self);
    }
}

impl HoldsTerms for Array {
    fn mark(&self, marks: &mut Marks) {
        marks.array(*self);
    }
}

impl HoldsTerms for Value {
    fn mark(&self, marks: &mut Marks) {
        if let Some(t) = self.as_term() {
            marks.term(t);
        }
    }
}

impl<T: HoldsTerms> HoldsTerms for [T] {
    fn mark(&self, marks: &mut Marks) {
        self.iter().for_each(|each| each.mark(marks));
    }
}

impl<T: HoldsTerms> HoldsTerms for Vec<T> {
    fn mark(&self, marks: &mut Marks) {
        self.as_slice().mark(marks);
    }
}

impl<T: HoldsTerms> HoldsTerms for Option<T> {
    fn mark(&self, marks: &mut Marks) {
        self.iter().for_each(|each| each.mark(marks));
    }
}

/// What is shared is looked at once.
impl<T: HoldsTerms + ?Sized> HoldsTerms for Rc<T> {
    fn mark(&self, marks: &mut Marks) {
        if marks.is_first(self) {
            (**self).mark(marks);
        }
    }
}

/// Fewer terms than these are not worth a collection: about 100 MB with all that belongs to them.
const FEW: usize = 1 << 20;

impl Engine<'_> {
    /// Whether so many terms were made since the last collection that another is worth its time: as many as were left then, so that
    /// looking at each costs no more than making it did.
    pub fn wants_collection(&self) -> bool {
        let left = self.terms.live().saturating_sub(self.terms.made());
        self.terms.made() >= left.max(self.held).max(FEW)
    }

    /// Gives up the terms that nobody needs but who is named. Not within a slice.
    pub fn collect<'a>(
        &mut self,
        states: impl Iterator<Item = &'a State>,
        others: impl Iterator<Item = &'a dyn HoldsTerms>,
    ) {
        let mut marks = self.terms.marks();
        self.held = 0;
        for state in states {
            self.held += HELD_PER_STATE;
            state.mark(&mut marks);
        }
        others.for_each(|other| other.mark(&mut marks));
        self.image.mark(&mut marks);
        self.stand_ins.mark(&mut marks);
        self.errors_met.mark(&mut marks);
        self.terms.collect(marks);
        self.solver.collected(&self.terms);
        self.path_terms = Default::default();
        self.shadows.forget();
        self.stats.collections += 1;
    }
}

/// Looking at a state takes about the time that it takes to make so many terms.
const HELD_PER_STATE: usize = 16;
