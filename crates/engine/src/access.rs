//! Reading and writing memory through any pointer.
//!
//! A concrete pointer is looked up. A symbolic one is resolved to the objects it is derived from (`provenance.rs`): an index may
//! be unknown, which array is indexed seldom is. The witness says which of them this state uses; the others, and the share
//! that is an error, are split off.

use std::collections::BTreeSet;
use std::rc::Rc;

use taw_expr::Term;

use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::meant::Meant;
use crate::memory::{Object, ObjectKind, Status, word_of};
use crate::path::Tried;
use crate::provenance::Candidates;
use crate::state::Fate;
use crate::stop::Stop;
use crate::unknown::{Past, Settled};
use crate::value::Value;

/// What is done to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It is read.
    Read,
    /// It is written.
    Write,
}

/// A place in an object: within bounds for the access it was resolved for.
#[derive(Clone, Copy, Debug)]
pub enum ObjectPlace {
    /// A known offset.
    At(u64, usize),
    /// An offset that is a term of the pointer's width.
    Within(u64, Term),
}

impl Cx<'_, '_> {
    pub(crate) fn pointer_bits(&self) -> u32 {
        self.engine.program.layout.pointer_bits
    }

    pub(crate) fn big_endian(&self) -> bool {
        self.engine.program.layout.big_endian
    }

    /// Loads `width` bits.
    ///
    /// # Errors
    /// If the access is an error or a query was not answered.
    #[inline]
    pub fn load(&mut self, ptr: Value, width: u32) -> Result<Value, Stop> {
        let len = width.div_ceil(8) as usize;
        if let Some(address) = ptr.as_word()
            && let Some(object) = self.state.memory.object(address)
        {
            let offset = address.wrapping_sub(object.base);
            if object.status == Status::Live
                && offset < object.size
                && object.size - offset >= len as u64
                && object.limit.is_none()
                && len <= 8
                && let Some(bytes) = object.known(offset as usize, len)
            {
                let word = word_of(bytes, self.big_endian());
                return Ok(Value::word(word & crate::value::mask(width)));
            }
        }
        self.load_slow(ptr, width)
    }

    #[cold]
    fn load_slow(&mut self, ptr: Value, width: u32) -> Result<Value, Stop> {
        let len = u64::from(width.div_ceil(8));
        let big_endian = self.big_endian();
        match self.resolve(ptr, len, Access::Read)? {
            ObjectPlace::At(base, offset) => {
                let object = self.object(base);
                let value = object.load(&mut self.engine.terms, offset, width, big_endian);
                self.check_no_float(value)?;
                Ok(value)
            }
            ObjectPlace::Within(base, offset) => Ok(self.load_within(base, offset, width)),
        }
    }

    /// Stores `width` bits.
    ///
    /// # Errors
    /// If the access is an error or a query was not answered.
    #[inline]
    pub fn store(&mut self, ptr: Value, value: Value, width: u32) -> Result<(), Stop> {
        let len = width.div_ceil(8) as usize;
        let big_endian = self.big_endian();
        if let (Some(address), Some(word)) = (ptr.as_word(), value.plain_word())
            && let Some(object) = self.state.memory.object(address)
        {
            let offset = address.wrapping_sub(object.base);
            if object.status == Status::Live
                && !object.constant
                && offset < object.size
                && object.size - offset >= len as u64
                && object.limit.is_none()
                && self.state.upholding.is_none()
                && len <= 8
                && object.known(offset as usize, len).is_some()
                && let Some(bytes) = self.state.memory.object_mut(address).known_mut(offset as usize, len)
            {
                bytes.copy_from_slice(&crate::memory::bytes_of(word, len, big_endian)[..len]);
                return Ok(());
            }
        }
        self.store_slow(ptr, value, width)
    }

    #[cold]
    fn store_slow(&mut self, ptr: Value, value: Value, width: u32) -> Result<(), Stop> {
        let len = u64::from(width.div_ceil(8));
        let big_endian = self.big_endian();
        match self.resolve(ptr, len, Access::Write)? {
            ObjectPlace::At(base, offset) => {
                let object = self.state.memory.object_mut(base);
                object.store(&mut self.engine.terms, offset, value, width, big_endian);
            }
            ObjectPlace::Within(base, offset) => self.store_within(base, offset, value, width),
        }
        Ok(())
    }

    /// The object at an address that was resolved before.
    pub(crate) fn object(&self, base: u64) -> Rc<Object> {
        Rc::clone(self.state.memory.object(base).expect("resolved before"))
    }

    /// Finds the object that `len` bytes at `ptr` are in.
    ///
    /// # Errors
    /// If the access is an error for the witness.
    pub fn resolve(&mut self, ptr: Value, len: u64, access: Access) -> Result<ObjectPlace, Stop> {
        let place = match ptr.as_term() {
            None => self.resolve_word(ptr.as_word().unwrap_or_default(), len, access)?,
            Some(t) => self.resolve_term(ptr, t, len, access)?,
        };
        if access == Access::Write {
            let (ObjectPlace::At(base, _) | ObjectPlace::Within(base, _)) = place;
            self.check_upholding_write(base)?;
            self.note_staged_write(base);
        }
        Ok(place)
    }

    /// Whether a kernel that is given this address finds memory there. What is past the end of an object, or in one that is dead,
    /// is an error of the program, though a kernel might not see it; where nothing is, or nothing that may be written, is not.
    ///
    /// # Errors
    /// That error.
    pub fn reaches(&mut self, address: u64, len: u64, access: Access) -> Result<bool, Stop> {
        if len == 0 {
            return Ok(true);
        }
        let Some(object) = self.state.memory.object(address).filter(|_| address >= 4096) else { return Ok(false) };
        let unmapped = object.status != Status::Live && matches!(object.kind, ObjectKind::Internal(_));
        if unmapped || (object.constant && access == Access::Write) {
            return Ok(false);
        }
        self.resolve_word(address, len, access).map(|_| true)
    }

    fn resolve_word(&mut self, address: u64, len: u64, access: Access) -> Result<ObjectPlace, Stop> {
        self.approach(address, len)?;
        if let Some((kind, message)) = self.wrong(address, len, access) {
            return Err(Stop::Bug(kind, message));
        }
        let object = self.state.memory.object(address).expect("an access that is not wrong is in an object");
        let (base, offset, limit) = (object.base, address - object.base, object.limit);
        if let Some(limit) = limit {
            let bits = self.pointer_bits();
            let end = self.terms().bv(bits, offset + len);
            let fine = self.engine.terms.ule(end, limit);
            let fine = self.value(fine);
            let kind = out_of_bounds(access);
            let name = self.name_of_sized(base);
            self.require(fine, kind, || format!("{} at offset {offset} of {name}", bytes(len)))?;
            self.touch_at(base, offset, len)?;
            self.note_traffic(base, (len > 0).then_some(offset + len), access);
            self.note_initial(base, offset, len, access);
        }
        Ok(ObjectPlace::At(base, offset as usize))
    }

    fn resolve_term(&mut self, pointer: Value, ptr: Term, len: u64, access: Access) -> Result<ObjectPlace, Stop> {
        self.check_undefined(ptr, "an address depends on uninitialised memory")?;
        let Settled { pointer, null, past, object, unused } = self.settle_pointer(pointer);
        self.suppose_used(pointer, len, &unused)?;
        let Some(ptr) = pointer.as_term() else {
            let word = pointer.as_word().unwrap_or_default();
            if let Some(base) = object.filter(|base| !self.state.memory.in_one_slot(*base, word)) {
                self.astray(base)?;
                let (kind, message) = self.describe_bad(word, len, access, Some(base));
                return Err(Stop::Bug(kind, message));
            }
            return self.resolve_word(word, len, access);
        };
        let meant = if null { Meant::Null } else { self.meant(pointer, ptr) };
        let pointer = match meant {
            Meant::Null if null || len > 0 => {
                let message = format!("{} through a null pointer", accessed(len, access));
                return Err(Stop::Bug(FindingKind::NullDereference, message));
            }
            Meant::Object(base) => pointer.with_provenance(self.engine.provenances.of(&BTreeSet::from([base]))),
            Meant::Null | Meant::Unclear => pointer,
        };
        match past {
            Past::No => {}
            Past::Alone => self.suppose_inside(pointer, ptr, len)?,
            Past::AmongOthers => {
                // Which of several pointers it is decides whether anybody would use it.
                let bits = self.pointer_bits();
                let word = self.concretise(pointer, bits);
                self.suppose_not_past(word)?;
                return self.resolve_word(word, len, access);
            }
        }
        self.check_number(pointer)?;
        // A number out of an input is taken for an address of Taw's: natively it is none, or another's.
        self.state.layout_decides |= !self.provenance_of(pointer).is_known();
        let address = self.witness_word(ptr);
        self.approach_within(address)?;
        let here = self.state.memory.object(address).filter(|_| self.is_right(address, len, access));
        let here = here.map(|object| (object.base, object.limit.is_none()));
        if let Some((base, true)) = here
            && self.engine.provenances.allows(pointer.provenance(), base)
            && !self.is_tried(Tried::Object(ptr, len))
            && self.only_value(ptr) == Some(address)
        {
            self.touch_at(base, address - base, len)?;
            return Ok(ObjectPlace::At(base, (address - base) as usize));
        }
        let candidates = self.candidates(pointer, ptr, address);
        match here {
            Some((base, _)) if candidates.contains(base) => self.enter(ptr, base, len, access, &candidates),
            _ => self.leave(ptr, address, len, access, &candidates),
        }
    }

    /// The witness is inside the object: go on there; the rest is split off.
    fn enter(
        &mut self,
        ptr: Term,
        base: u64,
        len: u64,
        access: Access,
        candidates: &Candidates,
    ) -> Result<ObjectPlace, Stop> {
        let offset = self.offset_term(ptr, base);
        let inside = self.inside(offset, base, len);
        let what = Tried::Object(ptr, len);
        if !self.state.witness.holds(&self.engine.terms, inside) {
            // Only a symbolic size can be exceeded where the object itself is not.
            let inside_any = self.inside_any(ptr, candidates.objects(), len, access);
            self.attempt(what, inside_any, 1);
            if let Some(number) = self.unknown_at(base) {
                self.beyond(number)?;
            }
            let address = self.witness_word(ptr);
            let (kind, message) = self.describe_bad(address, len, access, Some(base));
            return Err(Stop::Bug(kind, message));
        }
        let is_only = *candidates == Candidates::Of(vec![base]) && self.unknown_at(base).is_none();
        if is_only && !self.is_tried(what) {
            self.split(inside, Fate::BadAccess { ptr, bytes: len, write: access == Access::Write, object: base });
        } else {
            self.attempt(what, inside, candidates.number(base));
        }
        match self.engine.terms.as_u64(offset) {
            Some(offset) => {
                self.touch_at(base, offset, len)?;
                self.note_traffic(base, (len > 0).then_some(offset + len), access);
                self.note_initial(base, offset, len, access);
                Ok(ObjectPlace::At(base, offset as usize))
            }
            None => {
                self.touch_at(base, 0, 0)?;
                self.check_apart(base, offset, len)?;
                self.note_traffic(base, None, access);
                self.note_initial(base, 0, 0, access);
                Ok(ObjectPlace::Within(base, offset))
            }
        }
    }

    /// The witness is outside every object the pointer may point at: an error; where it is inside one is split off.
    fn leave(
        &mut self,
        ptr: Term,
        address: u64,
        len: u64,
        access: Access,
        candidates: &Candidates,
    ) -> Result<ObjectPlace, Stop> {
        let near = match candidates {
            Candidates::Of(objects) => objects.first().copied(),
            Candidates::Any(_) => None,
        };
        let inside_any = self.inside_any(ptr, candidates.objects(), len, access);
        self.attempt(Tried::Object(ptr, len), inside_any, 1);
        // Which of them it should be in nobody asks: if one is longer than what is tried, it may be inside of that.
        let meant = if near.is_some() { candidates.objects() } else { &[] };
        for number in meant.iter().filter_map(|base| self.unknown_at(*base)).collect::<Vec<_>>() {
            self.beyond(number)?;
        }
        let (kind, message) = self.describe_bad(address, len, access, near);
        Err(Stop::Bug(kind, message))
    }

    /// Whether an access is right in one of these objects.
    fn inside_any(&mut self, ptr: Term, objects: &[u64], len: u64, access: Access) -> Term {
        let mut inside_any = self.terms().bool(false);
        for &base in objects {
            let object = self.object(base);
            if object.status == Status::Live && !(object.constant && access == Access::Write) && object.size >= len {
                let offset = self.offset_term(ptr, base);
                let inside = self.inside(offset, base, len);
                inside_any = self.terms().or(inside_any, inside);
            }
        }
        inside_any
    }

    /// An object whose size is not known, in words.
    fn name_of_sized(&self, base: u64) -> String {
        match self.unknown_at(base) {
            Some(_) => format!("{}, past its end", self.name_of(&self.object(base))),
            None => "a block of symbolic size".to_owned(),
        }
    }

    /// Nobody passes a pointer past the end of an object for what is there.
    fn suppose_inside(&mut self, pointer: Value, ptr: Term, len: u64) -> Result<(), Stop> {
        let address = self.witness_word(ptr);
        let candidates = self.candidates(pointer, ptr, address);
        let (Candidates::Of(objects) | Candidates::Any(objects)) = candidates;
        let inside = self.inside_any(ptr, &objects, len, Access::Read);
        self.suppose(inside)
    }

    fn offset_term(&mut self, ptr: Term, base: u64) -> Term {
        let bits = self.pointer_bits();
        let base = self.terms().bv(bits, base);
        self.terms().sub(ptr, base)
    }

    /// Whether `len` bytes at the offset are in the object.
    fn inside(&mut self, offset: Term, base: u64, len: u64) -> Term {
        let bits = self.pointer_bits();
        let object = self.object(base);
        let terms = self.terms();
        let last = terms.bv(bits, object.size.saturating_sub(len));
        let mut inside = if object.size < len { terms.bool(false) } else { terms.ule(offset, last) };
        if let Some(limit) = object.limit {
            let len = terms.bv(bits, len);
            let end = terms.add(offset, len);
            let within = terms.ule(end, limit);
            inside = terms.and(inside, within);
        }
        inside
    }

    /// Whether an access is right (apart from a symbolic size).
    fn is_right(&self, address: u64, len: u64, access: Access) -> bool {
        let Some(object) = self.state.memory.object(address) else { return false };
        let offset = address.wrapping_sub(object.base);
        let inside = offset <= object.size && object.size - offset >= len;
        object.status == Status::Live && inside && !(object.constant && access == Access::Write)
    }

    /// What is wrong with an access, if anything (apart from a symbolic size).
    pub(crate) fn wrong(&mut self, address: u64, len: u64, access: Access) -> Option<(FindingKind, String)> {
        (!self.is_right(address, len, access)).then(|| self.describe_bad(address, len, access, None))
    }

    /// Names an access that is an error. `near` is the object it should have stayed in, if that is known.
    pub(crate) fn describe_bad(
        &mut self,
        address: u64,
        len: u64,
        access: Access,
        near: Option<u64>,
    ) -> (FindingKind, String) {
        let verb = if access == Access::Write { "write" } else { "read" };
        if address < 4096 {
            return (FindingKind::NullDereference, format!("{} at address {address}", accessed(len, access)));
        }
        let own = self.state.memory.object(address);
        let own = own.filter(|o| near.is_none_or(|n| n == o.base));
        let Some(object) = own.or_else(|| near.and_then(|n| self.state.memory.object(n))) else {
            return (
                FindingKind::WildDereference,
                format!("{verb} of {} at {address:#x}, where no object is", bytes(len)),
            );
        };
        let object = Rc::clone(object);
        let name = self.name_of(&object);
        let offset = address.wrapping_sub(object.base) as i64;
        // Of an object whose size depends on inputs, that of the test.
        let size = object.limit.map_or(object.size, |limit| self.witness_word(limit));
        match object.status {
            Status::Freed => {
                (FindingKind::UseAfterFree, format!("{verb} of {} in {name} after it was freed", bytes(len)))
            }
            Status::Returned => {
                (FindingKind::UseAfterReturn, format!("{verb} of {} in {name} after its function returned", bytes(len)))
            }
            Status::OutOfScope => {
                (FindingKind::UseAfterScope, format!("{verb} of {} in {name} after its block ended", bytes(len)))
            }
            Status::Replaced => (
                FindingKind::UseAfterScope,
                format!("{verb} of {} in {name} of an earlier run of its block", bytes(len)),
            ),
            Status::Live if object.constant && access == Access::Write && offset as u64 <= object.size => {
                (FindingKind::WriteToConstant, format!("{} written to {name}, which is constant", bytes(len)))
            }
            Status::Live if offset.unsigned_abs() > object.size + (1 << 32) => {
                (out_of_bounds(access), format!("{} far outside of {name}, which has {}", bytes(len), bytes(size)))
            }
            Status::Live => (
                out_of_bounds(access),
                format!("{} at offset {offset} of {name}, which has {}", bytes(len), bytes(size)),
            ),
        }
    }

    /// The variable at an address that was resolved before: its address, size and source name.
    pub fn variable_at(&self, address: u64) -> (u64, u64, String) {
        let object = self.object(address);
        let name = match object.kind {
            ObjectKind::Global(g) => self.engine.program.globals[g].name.clone(),
            ObjectKind::Stack(f, a) => self.engine.program.functions[f].allocas[a].name.clone(),
            ObjectKind::Heap | ObjectKind::Internal(_) | ObjectKind::Unknown(_) => String::new(),
        };
        (object.base, object.size, name)
    }

    /// An object in words.
    pub fn name_of(&self, object: &Object) -> String {
        match object.kind {
            ObjectKind::Global(g) => format!("`{}`", self.engine.program.globals[g].name),
            ObjectKind::Heap => "a heap block".to_owned(),
            ObjectKind::Unknown(number) => format!("`*{}`", self.state.unknowns.objects[number as usize].name),
            ObjectKind::Internal(what) => what.to_owned(),
            ObjectKind::Stack(f, a) => match self.engine.program.functions[f].allocas[a].name.as_str() {
                "" => format!("a local of `{}`", self.engine.program.functions[f].name),
                name => format!("`{name}`"),
            },
        }
    }
}

fn out_of_bounds(access: Access) -> FindingKind {
    if access == Access::Write { FindingKind::OutOfBoundsWrite } else { FindingKind::OutOfBoundsRead }
}

/// A number of bytes in words.
pub(crate) fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".to_owned() } else { format!("{n} bytes") }
}

/// An access in words; where its length depends on inputs, it is asked for with none.
fn accessed(len: u64, access: Access) -> String {
    let verb = if access == Access::Write { "write" } else { "read" };
    if len == 0 { verb.to_owned() } else { format!("{verb} of {}", bytes(len)) }
}
