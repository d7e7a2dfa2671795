//! What the user says of pointers that are not known: how many elements there are (`--array`), that text ends (`--string`).
//!
//! A tied array has no length of its own: its number of elements *is* the number that it is tied to, as the caller passed that, whatever the
//! program has made of it since. So the number is made first: of parameters before all pointers, of members when the pointer is made.
//! Boundary: names were looked up before (`taw`); what is said here holds of every pointer at such a place. Invariant: whatever a tied pointer may
//! be is held to the tie, what is not tried excepted; numbers that are greater than what is tried are longer arrays, which a bound names.

use std::ops::Range;
use std::rc::Rc;

use taw_expr::Term;
use taw_ir::{FuncId, Function, Program, RecordKind, Type, TypeId};

use super::kinship::{is_plain_char, is_same};
use super::{Invariant, Made, MadeOf, Pointer, PointerChoice, UnknownObject};
use crate::cx::{Cx, Engine};
use crate::reason::Premise;
use crate::state::MadeInput;
use crate::stop::Stop;

/// What callers keep to, beside types.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallerPromises {
    /// Arrays whose lengths are numbers.
    pub arrays: Vec<ArrayTie>,
    /// Pointers that are null or lead to text.
    pub strings: Vec<StringTie>,
    /// What holds of structures.
    pub invariants: Vec<Invariant>,
}

/// A pointer that something is said of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TiedPointer {
    /// The parameter of that name of an entry.
    Parameter {
        /// The entry.
        entry: String,
        /// The parameter.
        name: String,
    },
    /// What lies at an offset of every structure of a type.
    Member {
        /// The structure.
        of: TypeId,
        /// In bytes.
        offset: u64,
    },
    /// Every `char *`.
    Every,
}

/// The number that is the length of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TiedNumber {
    /// The parameter of that name of the same entry.
    Parameter(String),
    /// What lies at an offset of the same structure.
    Member(u64),
}

/// A pointer that leads to exactly as many elements as a number says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayTie {
    /// The pointer.
    pub pointer: TiedPointer,
    /// The number: a whole one of 8 to 64 bits.
    pub number: TiedNumber,
    /// Whether the number has a sign.
    pub signed: bool,
    /// The pointer as the user named it.
    pub said: String,
    /// The number as the user named it.
    pub length: String,
}

/// A pointer that is null or leads to text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringTie {
    /// The pointer.
    pub pointer: TiedPointer,
    /// As the user named it.
    pub said: String,
}

/// What was said of the pointer that an object belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) enum Promise {
    /// Nothing.
    #[default]
    None,
    /// It is text.
    Text,
    /// So many elements.
    Elements(Tied),
}

impl Promise {
    pub(super) fn tied(&self) -> Option<&Tied> {
        match self {
            Promise::Elements(tied) => Some(tied),
            Promise::None | Promise::Text => None,
        }
    }
}

/// The length of a tied array.
#[derive(Clone, Debug)]
pub(crate) struct Tied {
    /// The number, as the caller passed it.
    pub number: Rc<MadeInput>,
    pub signed: bool,
    /// Whether the elements are characters, which have a bound of their own.
    pub characters: bool,
}

impl TiedPointer {
    fn entry<'p>(&self, program: &'p Program) -> Option<(FuncId, &'p Function)> {
        let TiedPointer::Parameter { entry, .. } = self else { return None };
        let id = program.function_named(entry)?;
        Some((id, &program.functions[id]))
    }

    /// Whether it is a parameter of this function.
    fn is_of(&self, function: &Function, parameter: &str) -> bool {
        matches!(self, TiedPointer::Parameter { entry, name } if *entry == function.name && name == parameter)
    }

    /// Whether it is there for paths that start at this function.
    fn concerns(&self, function: &str) -> bool {
        !matches!(self, TiedPointer::Parameter { entry, .. } if entry != function)
    }
}

impl Engine<'_> {
    /// What is taken for granted of the callers of an entry.
    pub(crate) fn promises_of(&self, entry: &str) -> Vec<Premise> {
        let program = self.program;
        let of = |pointer: &TiedPointer| pointer.entry(program).map(|(id, _)| id);
        let promises = &self.config.promises;
        let arrays = promises.arrays.iter().filter(|tie| tie.pointer.concerns(entry));
        let arrays = arrays.map(|tie| Premise::Elements(tie.said.clone(), tie.length.clone(), of(&tie.pointer)));
        let strings = promises.strings.iter().filter(|tie| tie.pointer.concerns(entry));
        let strings = strings.map(|tie| Premise::Text(tie.said.clone(), of(&tie.pointer)));
        arrays.chain(strings).chain(self.invariants_said()).collect()
    }

    /// Whether parameters of a function are lengths of arrays: then numbers are made before pointers.
    pub(crate) fn has_lengths(&self, function: &Function) -> bool {
        let is_of =
            |tie: &ArrayTie| matches!(&tie.pointer, TiedPointer::Parameter { entry, .. } if *entry == function.name);
        self.config.promises.arrays.iter().any(is_of)
    }
}

impl Cx<'_, '_> {
    /// What was said of a pointer: the parameter of that name, or what lies at an offset of an object.
    pub(super) fn promise(
        &mut self,
        name: &str,
        to: Option<TypeId>,
        holder: Option<(usize, u64)>,
    ) -> Result<Promise, Stop> {
        let promises = &self.engine.config.promises;
        if promises.arrays.is_empty() && promises.strings.is_empty() {
            return Ok(Promise::None);
        }
        let program = self.engine.program;
        let around = holder.map_or_else(Vec::new, |(number, at)| self.records_around(number, at));
        let start = &program.functions[self.state.start];
        // Where the structure begins that a pointer is a member of, in its object.
        let begins = |pointer: &TiedPointer| match pointer {
            TiedPointer::Parameter { .. } => (holder.is_none() && pointer.is_of(start, name)).then_some(0),
            TiedPointer::Member { of, offset } => {
                let at = holder.map_or(0, |(_, at)| at);
                let is_it = |(ty, start): &&(TypeId, u64)| start + offset == at && is_same(program, *ty, *of);
                around.iter().find(is_it).map(|(_, start)| *start)
            }
            TiedPointer::Every => to.filter(|to| is_plain_char(program, *to)).map(|_| 0),
        };
        let array = promises.arrays.iter().find_map(|tie| Some((tie.clone(), begins(&tie.pointer)?)));
        let is_text = promises.strings.iter().any(|tie| begins(&tie.pointer).is_some());
        let Some((tie, start)) = array else { return Ok(if is_text { Promise::Text } else { Promise::None }) };
        let number = match (&tie.number, holder) {
            (TiedNumber::Parameter(name), _) => self.state.unknowns.number_named(name),
            (TiedNumber::Member(offset), Some((holder, _))) => {
                self.touch(holder, start + offset, start + offset + 1)?;
                self.state.unknowns.objects[holder].number_at(start + offset)
            }
            (TiedNumber::Member(_), None) => None,
        };
        let characters = to.is_some_and(|to| super::kinship::is_character(program, to));
        let tied = number.map(|number| Tied { number, signed: tie.signed, characters });
        tied.map(Promise::Elements)
            .ok_or_else(|| Stop::Unsupported(format!("`{}`, which is no number here", tie.length)))
    }

    /// The structures that a byte of an object is in, each with the offset at which it begins.
    pub(super) fn records_around(&self, number: usize, at: u64) -> Vec<(TypeId, u64)> {
        let object = &self.state.unknowns.objects[number];
        let Some(element) = object.element else { return Vec::new() };
        let start = if object.flexible { 0 } else { at / object.each * object.each };
        let mut found = Vec::new();
        records_in(self.engine.program, element, at - start..at - start + 1, start, &mut found);
        found
    }

    /// A pointer is held to what was said of it, whatever it is.
    pub(super) fn suppose_promised(&mut self, number: usize) -> Result<(), Stop> {
        let unknowns = Rc::clone(&self.state.unknowns);
        let pointer = &unknowns.pointers[number];
        let own = |choice: &PointerChoice| choice.object().filter(|object| unknowns.objects[*object].owner == number);
        let Some(own) = pointer.choices.iter().find_map(own) else { return Ok(()) };
        match &unknowns.objects[own].promise {
            Promise::None => Ok(()),
            Promise::Elements(tied) => self.suppose_tied(number, pointer, tied),
            Promise::Text => self.suppose_others_text(number, pointer),
        }
    }

    /// Null, or just past the end of something, only where there are no elements; in another's array only where as many are left.
    fn suppose_tied(&mut self, number: usize, pointer: &Pointer, tied: &Tied) -> Result<(), Stop> {
        if tied.signed {
            self.suppose_not_negative(&tied.number)?;
        }
        let wanted = self.asked_for(tied);
        let zero = self.engine.terms.bv(WIDE, 0);
        let nothing = self.engine.terms.eq(wanted, zero);
        for (way, choice) in pointer.choices.iter().enumerate() {
            let fine = match *choice {
                PointerChoice::Null | PointerChoice::Past(_) => nothing,
                PointerChoice::Object(object) | PointerChoice::Element(object)
                    if self.state.unknowns.objects[object].is_others(number) =>
                {
                    let index = self.index_of(pointer, *choice);
                    let one = self.engine.terms.bv(WIDE, 1);
                    let end = self.engine.terms.add(index, wanted);
                    let last = self.engine.terms.sub(end, one);
                    let there = self.has_element(object, last)?;
                    let longer = self.is_longer(object)?;
                    let enough = self.engine.terms.or(there, longer);
                    self.engine.terms.or(nothing, enough)
                }
                _ => continue,
            };
            self.suppose_where(pointer, way, fine)?;
        }
        Ok(())
    }

    fn suppose_not_negative(&mut self, number: &MadeInput) -> Result<(), Stop> {
        let value = self.input_term(number.vars[0]);
        let zero = self.engine.terms.bv(self.engine.terms.width(value), 0);
        let fits = self.engine.terms.sle(zero, value);
        self.suppose(fits)
    }

    /// A number was made at an offset of an object: if it is a length, it is not below zero, whoever looks at the array.
    pub(super) fn suppose_length(&mut self, object: usize, at: u64) -> Result<(), Stop> {
        if self.engine.config.promises.arrays.is_empty() {
            return Ok(());
        }
        let program = self.engine.program;
        let around = self.records_around(object, at);
        let is_it = |tie: &ArrayTie| match (&tie.pointer, &tie.number) {
            (TiedPointer::Member { of, .. }, TiedNumber::Member(offset)) => {
                tie.signed && around.iter().any(|(ty, start)| start + offset == at && is_same(program, *ty, *of))
            }
            _ => false,
        };
        let is_length = self.engine.config.promises.arrays.iter().any(is_it);
        let number = self.state.unknowns.objects[object].number_at(at).filter(|_| is_length);
        number.map_or(Ok(()), |number| self.suppose_not_negative(&number))
    }

    /// A structure whose flexible member has as many elements as a number says, if that was said.
    pub(super) fn tie_flexible(&mut self, number: usize) -> Result<bool, Stop> {
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        let program = self.engine.program;
        let Some(ty) = object.element.filter(|_| object.flexible) else { return Ok(false) };
        let Some(row) = program.types.flexible(ty, &program.layout) else { return Ok(false) };
        let is_it = |tie: &&ArrayTie| matches!(tie.pointer, TiedPointer::Member { of, offset } if offset == row.at && is_same(program, ty, of));
        let Some(tie) = self.engine.config.promises.arrays.iter().find(is_it).cloned() else { return Ok(false) };
        let TiedNumber::Member(offset) = tie.number else { return Ok(false) };
        self.touch(number, offset, offset + 1)?;
        let Some(record) = self.state.unknowns.objects[number].number_at(offset) else { return Ok(false) };
        let characters = super::kinship::is_character(program, row.of);
        let tied = Tied { number: record, signed: tie.signed, characters };
        let unknowns = Rc::make_mut(&mut self.state.unknowns);
        Rc::make_mut(&mut unknowns.objects[number]).promise = Promise::Elements(tied);
        Ok(true)
    }

    /// A string that lies in an array of characters which nobody says is text ends there.
    fn suppose_others_text(&mut self, number: usize, pointer: &Pointer) -> Result<(), Stop> {
        for (way, choice) in pointer.choices.iter().enumerate() {
            let (PointerChoice::Object(object) | PointerChoice::Element(object)) = *choice else {
                continue;
            };
            let other = Rc::clone(&self.state.unknowns.objects[object]);
            if !other.is_others(number) || other.text {
                continue;
            }
            self.touch(object, 0, other.room())?;
            let index = self.index_of(pointer, *choice);
            let mut ends = self.is_longer(object)?;
            let made = self.state.unknowns.objects[object].made.first().cloned();
            let Some(Made { what: MadeOf::Input(record), .. }) = made else { continue };
            for (i, &var) in record.vars.iter().enumerate() {
                let byte = self.input_term(var);
                let here = self.engine.terms.bv(WIDE, i as u64);
                let there = self.has_element(object, here)?;
                let terms = &mut self.engine.terms;
                let zero = terms.bv(terms.width(byte), 0);
                let (is_zero, is_behind) = (terms.eq(byte, zero), terms.ule(index, here));
                let is_end = terms.and(is_zero, is_behind);
                let is_end = terms.and(is_end, there);
                ends = terms.or(ends, is_end);
            }
            self.suppose_where(pointer, way, ends)?;
        }
        Ok(())
    }

    /// Something holds where a pointer is one of its choices.
    fn suppose_where(&mut self, pointer: &Pointer, way: usize, fine: Term) -> Result<(), Stop> {
        let chosen = self.chosen(pointer, way);
        let not = self.engine.terms.not(chosen);
        let condition = self.engine.terms.or(not, fine);
        self.suppose(condition)
    }

    /// At which element of its object a pointer is, where it is that choice.
    fn index_of(&mut self, pointer: &Pointer, choice: PointerChoice) -> Term {
        match (choice, &pointer.index) {
            (PointerChoice::Element(_), Some(index)) => {
                let index = self.input_term(index.vars[0]);
                self.engine.terms.zext(index, WIDE)
            }
            _ => self.engine.terms.bv(WIDE, 0),
        }
    }

    /// How many elements a number asks for; one that is too large for any array stands for all that are.
    fn asked_for(&mut self, tied: &Tied) -> Term {
        const LARGE: u64 = 1 << 16;
        let value = self.input_term(tied.number.vars[0]);
        let terms = &mut self.engine.terms;
        let width = terms.width(value);
        if width <= 16 {
            return terms.zext(value, WIDE);
        }
        let large = terms.bv(width, LARGE);
        let is_small = terms.ult(value, large);
        let low = terms.extract(value, 0, WIDE);
        let large = terms.bv(WIDE, LARGE);
        terms.ite(is_small, low, large)
    }

    /// How many elements a tied array has, 16 bits wide; one more than the most stands for more than are tried.
    pub(super) fn tied_count(&mut self, object: &UnknownObject, tied: &Tied) -> Term {
        let (value, is_longer) = (self.input_term(tied.number.vars[0]), self.is_tied_longer(object, tied));
        let terms = &mut self.engine.terms;
        let longer = terms.bv(16, object.most + 1);
        let count = if terms.width(value) < 16 { terms.zext(value, 16) } else { terms.extract(value, 0, 16) };
        // A structure is the first, and the elements of its flexible member come after it.
        let first = terms.bv(16, u64::from(object.flexible));
        let count = terms.add(count, first);
        terms.ite(is_longer, longer, count)
    }

    /// Whether a tied array is longer than what is tried.
    pub(super) fn is_tied_longer(&mut self, object: &UnknownObject, tied: &Tied) -> Term {
        let value = self.input_term(tied.number.vars[0]);
        let terms = &mut self.engine.terms;
        let width = terms.width(value);
        let value = if width < 16 { terms.zext(value, 16) } else { value };
        let most = terms.bv(width.max(16), object.most - u64::from(object.flexible));
        terms.ult(most, value)
    }
}

/// Wide enough for an index and a length.
const WIDE: u32 = 32;

impl UnknownObject {
    /// Whether it is the object of another pointer, which is tried.
    fn is_others(&self, pointer: usize) -> bool {
        self.owner != pointer && self.bound.is_none() && self.callback.is_none()
    }

    /// The number that begins at an offset, as it was made.
    fn number_at(&self, offset: u64) -> Option<Rc<MadeInput>> {
        self.made.iter().find_map(|made| match &made.what {
            MadeOf::Input(record) if made.offset == offset && record.vars.len() == 1 => Some(Rc::clone(record)),
            _ => None,
        })
    }
}

/// The structures in a type that begins at `start` which have bytes of a range, the outermost first.
pub(super) fn records_in(program: &Program, ty: TypeId, bytes: Range<u64>, start: u64, found: &mut Vec<(TypeId, u64)>) {
    let types = &program.types;
    let size = |ty: TypeId| types.bytes(ty, &program.layout).unwrap_or(0);
    let within = |offset: u64| bytes.start.saturating_sub(offset)..bytes.end.saturating_sub(offset);
    match &types.all[types.plain(ty)] {
        Type::Array { of, count } if size(*of) > 0 && !types.is_number(*of) => {
            let last = bytes.end.div_ceil(size(*of)).min(count.unwrap_or(0));
            for index in bytes.start / size(*of)..last {
                records_in(program, *of, within(index * size(*of)), start + index * size(*of), found);
            }
        }
        Type::Record(record) => {
            found.push((types.plain(ty), start));
            if record.kind == RecordKind::Union {
                // Nobody says that it holds them.
                return;
            }
            for member in types.members(ty).unwrap_or_default().iter().filter(|member| member.width.is_none()) {
                let (offset, size) = (member.offset / 8, size(member.ty));
                if bytes.start < offset + size && offset < bytes.end {
                    let Range { start: from, end } = within(offset);
                    records_in(program, member.ty, from..end.min(size), start + offset, found);
                }
            }
            if let Some(row) = types.flexible(ty, &program.layout).filter(|row| row.at < bytes.end) {
                for index in bytes.start.saturating_sub(row.at) / row.each..(bytes.end - row.at).div_ceil(row.each) {
                    let offset = row.at + index * row.each;
                    let Range { start: from, end } = within(offset);
                    records_in(program, row.of, from..end.min(row.each), start + offset, found);
                }
            }
        }
        _ => {}
    }
}
