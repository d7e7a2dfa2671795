//! Pointers into objects that are there: to members and elements of those that earlier pointers have, and to global variables.
//!
//! Each place is a choice, and just past its end another, unless something of the type begins there. What is left out is a bound: characters and bytes,
//! which may be those of anything; objects that have an earlier one in them; places that are too many for a path each. Invariant: no two
//! choices are the same address.

use std::collections::BTreeSet;
use std::rc::Rc;

use taw_ir::{GlobalId, Program, TypeId};

use super::global::may_change;
use super::kinship::{contains, is_character, is_function, is_same};
use super::parts::{TypePart, TypeParts, parts_of};
use super::{Alias, MayPoint, PointerChoice, UnknownObject};
use crate::cx::Cx;
use crate::reason::Bound;
use crate::stop::Stop;

/// Places in objects of earlier pointers that one pointer is tried at, at most.
const MEMBERS: usize = 6;
/// Places in global variables that one pointer is tried at, at most: each is a path at every first use.
const GLOBALS: usize = 4;

/// Objects of a pointer's type in one that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InnerPlace {
    /// In which object.
    pub object: usize,
    /// Where: which of several in a row, the pointer's index says.
    pub part: TypePart,
    /// Whether the pointer is just past the last of them.
    pub past: bool,
}

impl InnerPlace {
    /// How many bytes into the object the pointer leads, if its index is this.
    pub(crate) fn offset(&self, index: u64) -> u64 {
        let number = if self.past { self.part.count } else { index };
        self.part.at + number * self.part.stride
    }

    /// Whether the pointer's index matters.
    pub(crate) fn has_index(&self) -> bool {
        self.part.count > 1 && !self.past
    }
}

/// Where objects of a type lie in global variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct GlobalPlaces {
    list: Vec<(GlobalId, TypePart)>,
    /// Whether there are more.
    more: bool,
}

/// Places that a pointer is tried at, and what is not tried.
#[derive(Debug, Default)]
pub(super) struct InnerChoices {
    pub choices: Vec<PointerChoice>,
    pub bounds: BTreeSet<Bound>,
}

impl InnerChoices {
    fn add(&mut self, object: usize, parts: &[TypePart]) {
        for part in parts {
            self.choices.push(PointerChoice::Inside(InnerPlace { object, part: *part, past: false }));
            let end = part.at + part.count * part.stride;
            if !parts.iter().any(|other| other.at == end) {
                self.choices.push(PointerChoice::Inside(InnerPlace { object, part: *part, past: true }));
            }
        }
    }
}

impl Cx<'_, '_> {
    /// Where in objects that are there a pointer may point, whose own object is `own` and which lies in `holder`.
    pub(super) fn inner_choices(
        &mut self,
        own: usize,
        holder: Option<usize>,
        may: &MayPoint,
    ) -> Result<InnerChoices, Stop> {
        let mut inner = InnerChoices::default();
        let mine = Rc::clone(&self.state.unknowns.objects[own]);
        let alias = self.engine.config.shapes.alias;
        if mine.bound.is_some() || mine.callback.is_some() || matches!(alias, Alias::None | Alias::Nodes) {
            return Ok(inner);
        }
        let before = if alias == Alias::Cyclic { BTreeSet::new() } else { self.leading_to(holder) };
        self.add_members(&mine, &before, may, &mut inner);
        self.add_globals(&mine, &before, may, &mut inner)?;
        Ok(inner)
    }

    fn add_members(
        &mut self,
        mine: &UnknownObject,
        before: &BTreeSet<usize>,
        may: &MayPoint,
        inner: &mut InnerChoices,
    ) {
        let (program, unknowns) = (self.engine.program, Rc::clone(&self.state.unknowns));
        let mut places = 0;
        for (number, other) in unknowns.objects.iter().enumerate() {
            let owner = unknowns.pointers.get(other.owner);
            let is_own = owner.is_some_and(|owner| owner.choices[0] == PointerChoice::Object(number));
            if !is_own || !self.may_be_there(other) {
                continue;
            }
            let Some(parts) = parts_in(program, mine.element, other.element) else { continue };
            if !self.may_share(may, &unknowns.pointers[other.owner].may) {
                continue;
            }
            if before.contains(&number) && (parts.more || !parts.list.is_empty()) {
                inner.bounds.insert(Bound::Cycle);
                continue;
            }
            let is_plain = other.bound.is_none() && other.callback.is_none() && other.most == 1;
            places += parts.list.len();
            if is_plain && places <= MEMBERS {
                inner.add(number, &parts.list);
            } else if !parts.list.is_empty() {
                inner.bounds.insert(Bound::Overlap);
            }
            if parts.more {
                inner.bounds.insert(Bound::Overlap);
            }
        }
    }

    fn add_globals(
        &mut self,
        mine: &UnknownObject,
        before: &BTreeSet<usize>,
        may: &MayPoint,
        inner: &mut InnerChoices,
    ) -> Result<(), Stop> {
        let places = self.global_places(mine.element);
        if places.more && self.may_be_some_global(may) {
            inner.bounds.insert(Bound::Global);
        }
        let mut at = 0;
        while let Some(&(id, _)) = places.list.get(at) {
            let parts: Vec<TypePart> =
                places.list[at..].iter().take_while(|(other, _)| *other == id).map(|(_, part)| *part).collect();
            at += parts.len();
            if !self.may_be_global(may, id) {
                continue;
            }
            let number = self.object_of_global(id)?;
            match before.contains(&number) {
                true => _ = inner.bounds.insert(Bound::Cycle),
                false => inner.add(number, &parts),
            }
        }
        Ok(())
    }

    /// Where objects of a type lie in global variables; nowhere, and said so, if that is in too many places.
    fn global_places(&mut self, element: Option<TypeId>) -> Rc<GlobalPlaces> {
        if let Some(known) = self.engine.global_places.get(&element) {
            return Rc::clone(known);
        }
        let program = self.engine.program;
        let mut places = GlobalPlaces::default();
        for (id, global) in program.globals.iter().filter(|(_, global)| may_change(global)) {
            let typed = global.source.filter(|ty| program.types.bytes(*ty, &program.layout) == Some(global.size));
            let Some((part, whole)) = element.zip(typed).filter(|(part, _)| !is_character(program, *part)) else {
                places.more = true;
                continue;
            };
            let parts = parts_of(program, whole, part);
            places.list.extend(parts.list.iter().map(|part| (id, *part)));
            places.more |= parts.more;
        }
        if places.list.len() > GLOBALS {
            places = GlobalPlaces { list: Vec::new(), more: true };
        }
        let places = Rc::new(places);
        self.engine.global_places.insert(element, Rc::clone(&places));
        places
    }
}

/// Where objects of a pointer's type lie in another object; nothing if they have nothing in common or are the same.
fn parts_in(program: &Program, mine: Option<TypeId>, other: Option<TypeId>) -> Option<TypeParts> {
    let unclear = Some(TypeParts { list: Vec::new(), more: true });
    match (mine, other) {
        (None, None) => None,
        // Code is nothing that one looks into.
        _ if [mine, other].into_iter().flatten().any(|ty| is_function(program, ty)) => None,
        (Some(mine), Some(other)) if is_same(program, mine, other) => None,
        (Some(mine), Some(other)) if !is_character(program, mine) && !is_character(program, other) => {
            match contains(program, other, mine) {
                true => Some(parts_of(program, other, mine)),
                // It may have the other one in it.
                false if contains(program, mine, other) => unclear,
                false => None,
            }
        }
        _ => unclear,
    }
}

/// A place in an object as C calls it.
pub(crate) fn place_in_words(program: &Program, object: &UnknownObject, wanted: Option<TypeId>, at: u64) -> String {
    let is_wanted = |ty: TypeId| wanted.is_some_and(|wanted| is_same(program, wanted, ty));
    let path = object.element.and_then(|ty| program.types.path_to(ty, at, &program.layout, &is_wanted));
    let name = &object.name;
    match (path, object.global.is_some()) {
        (None, _) => format!("byte {at} of {name}"),
        (Some(path), true) => format!("{name}{path}"),
        (Some(path), false) => match path.strip_prefix('.') {
            Some(member) => format!("{name}->{member}"),
            None => format!("(*{name}){path}"),
        },
    }
}
