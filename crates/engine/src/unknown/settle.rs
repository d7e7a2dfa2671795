//! What an access does to what is not known: it decides where its pointer points, and meets the bounds of what is tried.

use std::collections::BTreeSet;
use std::rc::Rc;

use taw_expr::{Term, Var};
use taw_ir::{FuncId, Origin};

use super::{Alias, PointerChoice};
use crate::cx::Cx;
use crate::memory::ObjectKind;
use crate::reason::{Bound, Doubt};
use crate::stop::Stop;
use crate::value::Value;

/// A pointer whose choices are decided.
pub(crate) struct Settled {
    /// The pointer.
    pub pointer: Value,
    /// Whether it is made of one that is null, and of no other pointer.
    pub null: bool,
    /// Whether it is made of one just past the end of an object: no caller expects that to be used.
    pub past: Past,
    /// The only object that it may be in.
    pub object: Option<u64>,
    /// Where nobody would use it, because it was passed as a place just past something inside of an object: addresses and sizes.
    pub unused: Vec<(u64, u64)>,
}

/// Whether a pointer is made of one just past the end of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Past {
    /// It is not.
    No,
    /// It is.
    Alone,
    /// That is one of those it may be.
    AmongOthers,
}

impl Cx<'_, '_> {
    /// Decides where a pointer points: as the witness says, other choices are split off.
    pub fn settled(&mut self, pointer: Value) -> Value {
        self.settle_pointer(pointer).pointer
    }

    /// The same, and whether the caller passed it as one just past the end of an object.
    pub fn settled_or_past(&mut self, pointer: Value) -> (Value, bool) {
        let settled = self.settle_pointer(pointer);
        (settled.pointer, settled.past == Past::Alone)
    }

    /// Decides where a pointer points whose use depends on a length: nobody passes one past the end of an object for what is there.
    pub(crate) fn settled_for(&mut self, pointer: Value, len: Term, width: u32) -> Result<Value, Stop> {
        let Settled { pointer, null, past, .. } = self.settle_pointer(pointer);
        if null {
            // However far it was moved.
            return Ok(Value::word(0));
        }
        if past == Past::Alone {
            let terms = &mut self.engine.terms;
            let zero = terms.bv(width, 0);
            let nothing = terms.eq(len, zero);
            self.suppose(nothing)?;
        }
        Ok(pointer)
    }

    pub(crate) fn settle_pointer(&mut self, pointer: Value) -> Settled {
        let mut settled = Settled { pointer, null: false, past: Past::No, object: None, unused: Vec::new() };
        let Some(t) = pointer.as_term().filter(|_| !self.state.unknowns.pointers.is_empty()) else { return settled };
        let terms = &self.engine.terms;
        let vars = terms.vars_in(terms.vars_of(t));
        let of: Vec<(Var, usize)> = vars.filter_map(|var| Some((var, self.state.unknowns.chosen_by(var)?))).collect();
        if of.is_empty() {
            return settled;
        }
        let mut chosen = Vec::new();
        let (mut meant, mut excluded) = (BTreeSet::new(), BTreeSet::new());
        for &(var, number) in &of {
            let which = self.engine.terms.var(var);
            let which = self.value(which);
            let way = self.concretise(which, 8);
            let unknowns = &self.state.unknowns;
            let base = |choice: &PointerChoice| Some(unknowns.objects[choice.object()?].base);
            let choices = &unknowns.pointers[number].choices;
            meant.extend(base(&choices[way as usize]));
            excluded.extend(choices.iter().filter_map(base));
            chosen.push((var, way, choices[way as usize]));
        }
        let is = |wanted: fn(&PointerChoice) -> bool| chosen.iter().any(|(_, _, choice)| wanted(choice));
        let past_inner = chosen.iter().filter_map(|(_, _, choice)| match choice {
            PointerChoice::Inside(place) if place.past => Some(place),
            _ => None,
        });
        let objects = &self.state.unknowns.objects;
        settled.unused =
            past_inner.map(|place| (objects[place.object].base + place.offset(0), place.part.stride)).collect();
        let is_past = is(|choice| matches!(choice, PointerChoice::Past(_))) || !settled.unused.is_empty();
        settled.past = match (is_past, chosen.len()) {
            (false, _) => Past::No,
            (true, 1) => Past::Alone,
            (true, _) => Past::AmongOthers,
        };
        settled.object = meant.first().copied().filter(|_| chosen.len() == 1);
        let value = |var: Var| chosen.iter().find(|(known, ..)| *known == var).map(|(_, way, _)| *way);
        let t = self.engine.terms.given(t, &value);
        let left = self.engine.provenances.objects(pointer.provenance());
        let left: BTreeSet<u64> =
            left.iter().copied().filter(|base| !excluded.contains(base) || meant.contains(base)).collect();
        // Beside an unknown pointer it may be one to an object of the program.
        let is_of_others = !left.is_empty() || !pointer.provenance().is_known();
        settled.null = chosen.iter().any(|(_, _, choice)| *choice == PointerChoice::Null) && !is_of_others;
        let provenance = self.engine.provenances.of(&left);
        settled.pointer = match self.engine.terms.as_u64(t) {
            Some(word) => Value::word(word),
            None => self.value(t).with_provenance(provenance),
        };
        settled
    }

    /// Before two words are compared: a pointer that is not tried may be equal to one that is.
    pub(crate) fn check_compared(&mut self, a: Value, b: Value) -> Result<(), Stop> {
        if self.state.unknowns.pointers.is_empty() {
            return Ok(());
        }
        self.note_number(a, b);
        self.note_number(b, a);
        if self.is_nobodys(a) || self.is_nobodys(b) {
            return Ok(());
        }
        self.note_constant(a, b);
        self.note_constant(b, a);
        self.check_meant(a)?;
        self.check_meant(b)
    }

    /// A pointer that is a number and no address (`(void *)-1`) is not tried: whoever compares it with one could tell.
    pub(crate) fn note_number(&mut self, number: Value, pointer: Value) {
        let Some(word) = number.as_word().filter(|word| *word != 0 && pointer.provenance().is_known()) else { return };
        if self.state.memory.object(word).is_some() || self.state.memory.function_at(word).is_some() {
            return;
        }
        let unknowns = Rc::clone(&self.state.unknowns);
        let chosen = self.chosen_in(pointer);
        if chosen.iter().any(|number| self.may_be_number(&unknowns.pointers[*number].may)) {
            self.engine.doubts.insert(Doubt::NotTried(Bound::Number));
        }
    }

    /// A constant is read like any object of that content, so pointers to it are not tried; only whoever compares them could tell.
    fn note_constant(&mut self, constant: Value, pointer: Value) {
        let program = self.engine.program;
        if let Some(func) = constant.as_word().and_then(|word| self.function_at(word)) {
            self.note_function(func, pointer);
        }
        let object = constant.as_word().and_then(|word| self.state.memory.object(word));
        let Some(ObjectKind::Global(id)) = object.map(|object| object.kind) else { return };
        let unknowns = Rc::clone(&self.state.unknowns);
        let chosen = self.chosen_in(pointer);
        let is_no_choice = program.globals[id].constant || program.globals[id].origin != Origin::User;
        let alias = self.engine.config.shapes.alias;
        let is_left_out = |number: &usize| {
            let pointer = &unknowns.pointers[*number];
            !pointer.choices.contains(&PointerChoice::Stream(id)) && self.may_be_global(&pointer.may, id)
        };
        if is_no_choice && !matches!(alias, Alias::None | Alias::Nodes) && chosen.iter().any(is_left_out) {
            self.engine.doubts.insert(Doubt::NotTried(Bound::Constant));
        }
    }

    /// A pointer that was not tried to be a function is compared with it.
    fn note_function(&mut self, func: FuncId, pointer: Value) {
        let unknowns = Rc::clone(&self.state.unknowns);
        let is_tried = |number: &usize| unknowns.pointers[*number].choices.contains(&PointerChoice::Function(func));
        let chosen = self.chosen_in(pointer);
        let mut may_be = |number: &usize| self.may_be_function(&unknowns.pointers[*number].may, func);
        if !chosen.iter().any(is_tried) && chosen.iter().any(&mut may_be) {
            self.engine.doubts.insert(Doubt::NotTried(Bound::Callback));
        }
    }

    /// The pointers on which a value depends, because the caller chose where they point.
    pub(super) fn chosen_in(&self, value: Value) -> Vec<usize> {
        let terms = &self.engine.terms;
        let vars = value.as_term().into_iter().flat_map(|t| terms.vars_in(terms.vars_of(t)));
        vars.filter_map(|var| self.state.unknowns.chosen_by(var)).collect()
    }

    /// Whether a word is none that the caller could have an address of: null, a number, an object of the program's own making.
    fn is_nobodys(&self, value: Value) -> bool {
        let Some(word) = value.as_word() else { return false };
        let memory = &self.state.memory;
        let kind = memory.object(word).map(|object| object.kind);
        let is_code = memory.function_at(word).is_some();
        !is_code && !matches!(kind, Some(ObjectKind::Global(_) | ObjectKind::Unknown(_)))
    }

    /// Ends the path where a word depends on a pointer to something that may be another object and is not tried.
    fn check_meant(&mut self, value: Value) -> Result<(), Stop> {
        let unknowns = Rc::clone(&self.state.unknowns);
        for pointer in self.chosen_in(value).into_iter().map(|number| &unknowns.pointers[number]) {
            for (way, choice) in pointer.choices.iter().enumerate() {
                let bound = choice.object().and_then(|object| unknowns.objects[object].bound);
                let Some(bound) = bound.filter(may_be_another) else { continue };
                let chosen = self.chosen(pointer, way);
                let chosen = self.value(chosen);
                if self.branch(chosen) {
                    return Err(Stop::NotTried(bound));
                }
            }
        }
        Ok(())
    }

    /// Decides where a pointer points that is freed: what is inside of another object, or a variable, nobody passes for that.
    ///
    /// # Errors
    /// If it points there.
    pub fn settled_to_free(&mut self, pointer: Value) -> Result<Value, Stop> {
        let numbers = self.chosen_in(pointer);
        let settled = self.settle_pointer(pointer);
        self.check_number(settled.pointer)?;
        let unknowns = Rc::clone(&self.state.unknowns);
        for pointer in numbers.into_iter().map(|number| &unknowns.pointers[number]) {
            for (way, choice) in pointer.choices.iter().enumerate() {
                if matches!(choice, PointerChoice::Inside(_)) {
                    let chosen = self.chosen(pointer, way);
                    let elsewhere = self.engine.terms.not(chosen);
                    self.suppose(elsewhere)?;
                }
            }
        }
        Ok(settled.pointer)
    }

    /// Before an access by a pointer that was passed as one just past something: nobody would use what is there.
    pub(crate) fn suppose_used(&mut self, pointer: Value, len: u64, unused: &[(u64, u64)]) -> Result<(), Stop> {
        let bits = self.pointer_bits();
        for &(from, size) in unused {
            let at = pointer.to_term(&mut self.engine.terms, bits);
            let terms = &mut self.engine.terms;
            let (len, first, last) = (terms.bv(bits, len), terms.bv(bits, from), terms.bv(bits, from + size));
            let end = terms.add(at, len);
            let (before, behind) = (terms.ule(end, first), terms.ule(last, at));
            let elsewhere = terms.or(before, behind);
            self.suppose(elsewhere)?;
        }
        Ok(())
    }

    /// Nobody would use an address just past the end of an unknown object.
    pub(crate) fn suppose_not_past(&mut self, address: u64) -> Result<(), Stop> {
        let Some(number) = self.unknown_at(address) else { return Ok(()) };
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        if object.flexible {
            return Ok(());
        }
        let limit = self.limit(number)?;
        let bits = self.pointer_bits();
        let terms = &mut self.engine.terms;
        let (at, each) = (terms.bv(bits, address.wrapping_sub(object.base)), terms.bv(bits, object.each));
        let end = terms.add(limit, each);
        let (before, behind) = (terms.ult(at, limit), terms.ule(end, at));
        let elsewhere = terms.or(before, behind);
        self.suppose(elsewhere)
    }

    /// The number of the unknown object whose slot an address is in.
    pub(crate) fn unknown_at(&self, address: u64) -> Option<usize> {
        match self.state.memory.object(address)?.kind {
            ObjectKind::Unknown(number) => Some(number as usize),
            ObjectKind::Global(id) => self.state.unknowns.globals.get(&id).copied(),
            _ => None,
        }
    }

    /// Before an access to `len` bytes at a known address: whether it is tried, and what it needs.
    pub(crate) fn approach(&mut self, address: u64, len: u64) -> Result<(), Stop> {
        self.meet_global(address)?;
        let Some(number) = self.unknown_at(address) else { return Ok(()) };
        self.check_tried(number)?;
        let object = &self.state.unknowns.objects[number];
        let (offset, head, room) = (address.wrapping_sub(object.base), object.head, object.room());
        let end = offset.wrapping_add(len);
        if offset <= room && end <= head {
            return Ok(());
        }
        self.length_of(number)?;
        if offset > room || end > room { self.beyond(number) } else { Ok(()) }
    }

    /// An access through a pointer to an object is far outside of that: an error, unless the object is one that is not tried.
    pub(crate) fn astray(&mut self, base: u64) -> Result<(), Stop> {
        let Some(number) = self.unknown_at(base) else { return Ok(()) };
        self.check_tried(number)?;
        self.beyond(number)
    }

    /// Before an access at an unknown offset.
    pub(crate) fn approach_within(&mut self, address: u64) -> Result<(), Stop> {
        self.meet_global(address)?;
        match self.unknown_at(address) {
            None => Ok(()),
            Some(number) => {
                self.check_tried(number)?;
                self.length_of(number)
            }
        }
    }

    /// An access is outside of all that there is of an object: where the object is longer, the path is not tried.
    pub(crate) fn beyond(&mut self, number: usize) -> Result<(), Stop> {
        let longer = self.is_longer(number)?;
        let longer = self.value(longer);
        match self.branch(longer) {
            true => Err(Stop::NotTried(self.state.unknowns.objects[number].length_bound())),
            false => Ok(()),
        }
    }

    fn check_tried(&self, number: usize) -> Result<(), Stop> {
        self.check_nodes(number)?;
        let object = &self.state.unknowns.objects[number];
        match object.bound.or(object.callback.map(|_| Bound::Callback)) {
            Some(bound) => Err(Stop::NotTried(bound)),
            None => Ok(()),
        }
    }

    /// Makes what an access reads or writes.
    pub(crate) fn touch_at(&mut self, base: u64, from: u64, len: u64) -> Result<(), Stop> {
        self.meet_global(base)?;
        let Some(number) = self.unknown_at(base) else { return Ok(()) };
        let to = if len == 0 { self.state.unknowns.objects[number].room() } else { from.saturating_add(len) };
        self.uphold(number, from, to)?;
        self.make_loaded_pointer(number, from, len)?;
        self.touch(number, from, to)
    }

    /// All of an object goes elsewhere: of one that is longer than what is tried nobody knows what that would be.
    ///
    /// # Errors
    /// If the object is such a one, or a query was not answered.
    pub fn check_whole(&mut self, address: u64) -> Result<(), Stop> {
        self.unknown_at(address).map_or(Ok(()), |number| self.beyond(number))
    }

    /// Makes all of an object, if it is an unknown one.
    ///
    /// # Errors
    /// If a query was not answered, or the path is not tried.
    pub fn touch_all(&mut self, address: u64) -> Result<(), Stop> {
        let Some(number) = self.unknown_at(address) else { return Ok(()) };
        self.check_tried(number)?;
        self.uphold(number, 0, u64::MAX)?;
        self.touch(number, 0, u64::MAX)
    }
}

/// Whether what is not tried for this reason may be an object that there is: a function, a stream, a global of the program.
fn may_be_another(bound: &Bound) -> bool {
    matches!(bound, Bound::Overlap | Bound::Cycle | Bound::Global | Bound::Callback | Bound::Stream)
}
