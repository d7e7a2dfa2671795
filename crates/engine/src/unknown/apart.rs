//! Pointers into one array, as far as they are not tried: a later pointer lies at an element of an earlier one's object or just past it, never before it,
//! and not farther away than the longest array that is tried.
//!
//! For reading that is no loss: elements apart hold what elements of another object may hold. It is noted where the difference shows: where such
//! pointers are compared after they were moved, where a distance is computed, and where one writes what the other may read.

use std::collections::BTreeSet;
use std::rc::Rc;

use taw_ir::CmpOp;

use super::kinship::{Kinship, kinship};
use super::{Alias, MayPoint, PointerChoice, UnknownObject};
use crate::access::Access;
use crate::cx::Cx;
use crate::reason::{Bound, Doubt};
use crate::stop::Stop;
use crate::value::Value;

/// What was done to an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Traffic {
    touched: bool,
    written: bool,
    /// Something behind its first element was touched.
    far: bool,
}

impl Cx<'_, '_> {
    /// Two pointers are compared. That of two which nobody has moved is right: they are equal or not.
    pub(crate) fn note_compared_pointers(&mut self, op: CmpOp, a: Value, b: Value) -> Result<(), Stop> {
        if self.state.unknowns.pointers.len() < 2 {
            return Ok(());
        }
        if !op.is_order() && self.is_as_passed(a)? && self.is_as_passed(b)? {
            return Ok(());
        }
        self.note_distance(a, b);
        Ok(())
    }

    /// How far two pointers are apart is used.
    pub(crate) fn note_distance(&mut self, a: Value, b: Value) {
        if self.are_separate() {
            return;
        }
        let mut all = self.owners_in(a);
        all.extend(self.owners_in(b));
        let unknowns = Rc::clone(&self.state.unknowns);
        let own = |number: usize| own_object(&unknowns, number);
        let objects: Vec<&UnknownObject> = all.into_iter().filter_map(own).collect();
        let program = self.engine.program;
        let mut is_kin = |a: &UnknownObject, b: &UnknownObject| {
            let is_kin = kinship(program, a.element, b.element) != Kinship::Strangers;
            is_kin && self.may_share(&may_lead_to(&unknowns, a), &may_lead_to(&unknowns, b))
        };
        let pair = (0..objects.len()).find(|&i| objects[..i].iter().any(|other| is_kin(objects[i], other)));
        if let Some(i) = pair {
            self.engine.doubts.insert(Doubt::NotTried(Bound::Apart(objects[i].most)));
        }
    }

    /// Whether objects lie beside each other and never in one.
    fn are_separate(&self) -> bool {
        matches!(self.engine.config.shapes.alias, Alias::None | Alias::Nodes)
    }

    /// The pointers that a value is made of.
    fn owners_in(&self, value: Value) -> BTreeSet<usize> {
        let mut all: BTreeSet<usize> = self.chosen_in(value).into_iter().collect();
        let at = value.as_word().and_then(|word| self.unknown_at(word));
        all.extend(at.map(|number| self.state.unknowns.objects[number].owner));
        all
    }

    /// Whether a value is a pointer as the caller passed it, or the address of something in a single object.
    fn is_as_passed(&mut self, value: Value) -> Result<bool, Stop> {
        let Some(t) = value.as_term() else { return Ok(value.as_word().is_none_or(|word| self.is_plain_place(word))) };
        let chosen = self.chosen_in(value);
        for &number in &chosen {
            if self.pointer_value(number)?.as_term() == Some(t) {
                return Ok(true);
            }
        }
        let [number] = chosen[..] else { return Ok(false) };
        // Where it leads if the pointer leads to its own object; elsewhere it is as far from there.
        let selector = self.state.unknowns.pointers[number].selector.as_ref().map(|record| record.vars[0]);
        let at = self.engine.terms.given(t, &|var| (Some(var) == selector).then_some(0));
        let is_own =
            |word: &u64| self.unknown_at(*word).map(|at| self.state.unknowns.objects[at].owner) == Some(number);
        let word = self.engine.terms.as_u64(at).filter(is_own);
        Ok(word.is_some_and(|word| self.is_plain_place(word)))
    }

    /// Whether nothing that is not tried lies at a known distance from an address: it is the beginning of an array, or in a single object.
    fn is_plain_place(&self, word: u64) -> bool {
        let Some(number) = self.unknown_at(word) else { return true };
        let object = &self.state.unknowns.objects[number];
        object.base == word || !object.is_array() && word.wrapping_sub(object.base) < object.room()
    }

    /// An object that is not known is read or written up to an offset; nobody knows which if there is none.
    pub(crate) fn note_traffic(&mut self, base: u64, end: Option<u64>, access: Access) {
        let Some(number) = self.unknown_at(base) else { return };
        if self.state.unknowns.pointers.len() < 2 || self.are_separate() {
            return;
        }
        let object = &self.state.unknowns.objects[number];
        if object.global.is_some() {
            // Nothing lies beside it.
            return;
        }
        let before = object.traffic;
        let traffic = Traffic {
            touched: true,
            written: before.written || access == Access::Write,
            far: before.far || object.is_array() && end.is_none_or(|end| end > object.head),
        };
        if traffic == before {
            return;
        }
        let unknowns = Rc::make_mut(&mut self.state.unknowns);
        Rc::make_mut(&mut unknowns.objects[number]).traffic = traffic;
        self.note_overlap(number);
    }

    /// An array that begins before another and reaches into it is not tried.
    fn note_overlap(&mut self, number: usize) {
        let unknowns = Rc::clone(&self.state.unknowns);
        let mine = &unknowns.objects[number];
        let program = self.engine.program;
        for owner in 0..unknowns.pointers.len() {
            let Some(other) = own_object(&unknowns, owner).filter(|other| other.base != mine.base) else { continue };
            let shows = other.traffic.touched
                && (mine.traffic.written || other.traffic.written)
                && (mine.traffic.far || other.traffic.far);
            if shows
                && kinship(program, mine.element, other.element) != Kinship::Strangers
                && self.may_share(&may_lead_to(&unknowns, mine), &may_lead_to(&unknowns, other))
            {
                self.engine.doubts.insert(Doubt::NotTried(Bound::Overlapping));
                return;
            }
        }
    }
}

/// The object of a pointer's own that may have others beside it.
fn own_object(unknowns: &super::Unknowns, pointer: usize) -> Option<&UnknownObject> {
    let PointerChoice::Object(number) = *unknowns.pointers.get(pointer)?.choices.first()? else { return None };
    let object = &*unknowns.objects[number];
    let has_neighbours = !object.flexible && !object.fixed && object.bound.is_none() && object.callback.is_none();
    (object.owner == pointer && has_neighbours).then_some(object)
}

/// What the pointer may be that an object belongs to; nobody knows of one without.
fn may_lead_to(unknowns: &super::Unknowns, object: &UnknownObject) -> MayPoint {
    unknowns.pointers.get(object.owner).map(|owner| owner.may.clone()).unwrap_or_default()
}
