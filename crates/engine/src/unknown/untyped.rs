//! Bytes whose type nobody knows (behind `void *`, or without debug information): where the program loads a pointer out of them, there is one.
//!
//! So they are made word by word, each when it is touched. A word that was touched as something else first is a number; and characters are
//! characters, whatever they are cast to. Such a number that is used as an address is not tried ([`Bound::Bytes`]): it says nothing of callers,
//! who put a pointer there.

use std::rc::Rc;

use taw_expr::{Term, Var};
use taw_ir::{Inst, Leaf, LeafKind, Program, Ty};

use super::kinship::is_character;
use super::{MadeOf, UnknownObject};
use crate::cx::Cx;
use crate::reason::Bound;
use crate::state::MadeInput;
use crate::stop::Stop;
use crate::test_case::Input;

/// Bytes that are made at once, at least.
const WORD: u64 = 8;

/// The bytes of an input, out of recorded ones of the same object: an offset that was unknown then and is known now touches other bytes at once.
pub(crate) fn same_bytes(inputs: &[Input], record: &MadeInput) -> Option<Input> {
    let (object, start) = bytes_named(&record.name)?;
    let mut bytes = vec![None; record.size];
    for input in inputs {
        let Some((_, at)) = bytes_named(&input.name).filter(|(other, _)| *other == object) else { continue };
        for (i, byte) in input.bytes.iter().enumerate() {
            let place = (at + i).checked_sub(start).and_then(|i| bytes.get_mut(i));
            place.into_iter().for_each(|place| *place = Some(*byte));
        }
    }
    let is_there = bytes.iter().any(Option::is_some);
    let bytes = bytes.into_iter().map(Option::unwrap_or_default).collect();
    is_there.then(|| Input { name: record.name.clone(), ty: record.ty.clone(), bytes })
}

/// The object that an input has the bytes of, and from where on, by the names of [`UnknownObject::untyped_leaf`].
fn bytes_named(name: &str) -> Option<(&str, usize)> {
    if let Some(whole) = name.strip_prefix('*') {
        return Some((whole, 0));
    }
    let (object, at) = name.strip_suffix(']')?.rsplit_once("[byte ")?;
    Some((object, at.parse().ok()?))
}

impl UnknownObject {
    /// What has to be made at an offset of bytes, for an access up to another.
    pub(super) fn untyped_leaf(&self, at: u64, to: u64) -> Leaf {
        let (mut start, mut end) = (at / WORD * WORD, to.div_ceil(WORD).saturating_mul(WORD).min(self.room()));
        if self.text {
            (start, end) = (0, self.room());
        }
        for made in &self.made {
            match made.offset > at {
                true => end = end.min(made.offset),
                false => start = start.max(made.offset + made.bytes),
            }
        }
        let is_whole = start == 0 && end == self.room();
        let path = if is_whole { format!("*{}", self.name) } else { format!("{}[byte {start}]", self.name) };
        Leaf { start, bytes: end - start, what: LeafKind::Bytes, path }
    }

    /// Whether an input is bytes of it that have no type, or characters.
    fn has_bytes(&self, program: &Program, var: Var) -> bool {
        let is_bytes = self.element.is_none_or(|ty| is_character(program, ty));
        let has = |made: &super::Made| matches!(&made.what, MadeOf::Input(record) if record.vars.contains(&var));
        is_bytes && self.made.iter().any(has)
    }
}

impl Cx<'_, '_> {
    /// Before bytes are touched: makes a pointer of them, if that is what the program loads and nobody has touched them.
    pub(super) fn make_loaded_pointer(&mut self, number: usize, from: u64, len: u64) -> Result<(), Stop> {
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        let bytes = u64::from(self.engine.program.layout.pointer_bytes());
        let is_bytes = object.element.is_none() && object.global.is_none() && !object.text;
        let is_there = len == bytes && from.is_multiple_of(bytes) && from + len <= object.room();
        let is_made = || object.made.iter().any(|made| made.offset < from + len && from < made.offset + made.bytes);
        if !(is_bytes && is_there) || is_made() || !self.loads_pointer() {
            return Ok(());
        }
        let path = match from / bytes {
            0 => format!("*(void **){}", object.name),
            index => format!("((void **){})[{index}]", object.name),
        };
        self.make_pointer(number, from, &path, None)
    }

    /// Whether the instruction that is being executed loads a pointer.
    fn loads_pointer(&self) -> bool {
        let function = &self.engine.program.functions[self.state.top.func];
        match function.code.get(self.state.top.pc as usize) {
            Some(Inst::Load { dst, .. }) => function.regs[*dst].ty == Ty::Ptr,
            _ => false,
        }
    }

    /// Whether an address that is no pointer depends on bytes of the caller's that have no type.
    pub(crate) fn is_of_bytes(&self, address: Term) -> bool {
        let (terms, program) = (&self.engine.terms, self.engine.program);
        let objects = &self.state.unknowns.objects;
        let mut vars = terms.vars_in(terms.vars_of(address));
        vars.any(|var| objects.iter().any(|object| object.has_bytes(program, var)))
    }

    /// What is called is data: nobody knows whether the caller would have put a function there.
    pub(crate) fn check_code(&self, address: u64) -> Result<(), Stop> {
        let object = self.unknown_at(address).map(|number| &self.state.unknowns.objects[number]);
        match object.is_some_and(|object| object.element.is_none() && object.global.is_none() && object.base == address)
        {
            true => Err(Stop::NotTried(Bound::Callback)),
            false => Ok(()),
        }
    }
}
