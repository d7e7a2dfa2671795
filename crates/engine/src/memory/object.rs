//! One memory object: some bytes, each concrete or a byte of a term.
//!
//! Invariant: where a cell of the content holds a term, that is the byte's value. A term stored whole is kept whole: its cells name it with consecutive byte numbers, so
//! that loading what was stored gives back the same term (design decision 5).
//!
//! A write at an unknown offset into many bytes makes an array term that lies under the cells: a cell *below* says that the
//! byte is the array's. Later writes at known offsets cover it again.

use taw_expr::{Array, Marks, Term, Terms};
use taw_ir::{AllocaId, FuncId, GlobalId};

use super::content::{BELOW, Cell, ObjectContent};
use crate::finding::StackEntry;
use crate::holds::HoldsTerms;
use crate::provenance::Provenance;
use crate::value::Value;

/// What an object is, for messages and for what may be done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A global variable.
    Global(GlobalId),
    /// From `malloc` and its like.
    Heap,
    /// A local variable.
    Stack(FuncId, AllocaId),
    /// Of an unknown state: the number of the object there.
    Unknown(u32),
    /// Made by the engine: copies of arguments, argv, variadic areas.
    Internal(&'static str),
}

/// Whether an object may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It may.
    Live,
    /// It was freed.
    Freed,
    /// Its block has ended.
    OutOfScope,
    /// Its block has ended and begun again: another object is in its place.
    Replaced,
    /// Its function has returned.
    Returned,
}

/// A memory object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Address of its first byte.
    pub base: u64,
    /// Number of bytes that there are; the number that may be used is less if `limit` says so.
    pub size: u64,
    /// The number of bytes that may be used, where that is symbolic (`malloc(n)`).
    pub limit: Option<Term>,
    /// What it is.
    pub kind: ObjectKind,
    /// Whether it may be used.
    pub status: Status,
    /// Whether its slot stays its own though it is dead: its frame is there, and it may live again.
    pub kept: bool,
    /// Whether writing is an error.
    pub constant: bool,
    /// Granularity for symbolic content in bytes.
    pub element: u32,
    /// Where it was allocated, if on the heap.
    pub site: Option<StackEntry>,
    content: ObjectContent,
    below: Option<Array>,
}

impl HoldsTerms for Object {
    fn mark(&self, marks: &mut Marks) {
        let Object {
            base: _,
            size: _,
            limit,
            kind: _,
            status: _,
            kept: _,
            constant: _,
            element: _,
            site: _,
            content,
            below,
        } = self;
        limit.mark(marks);
        content.mark(marks);
        below.mark(marks);
    }
}

impl Object {
    /// A live object filled with one byte.
    pub fn new(base: u64, size: u64, kind: ObjectKind, fill: u8) -> Self {
        Object {
            base,
            size,
            limit: None,
            kind,
            status: Status::Live,
            kept: false,
            constant: false,
            element: 1,
            site: None,
            content: ObjectContent::new(size as usize, fill),
            below: None,
        }
    }

    /// What is left of an object that may no longer be used: enough to say so.
    pub fn tombstone(&self, status: Status) -> Self {
        Object {
            base: self.base,
            size: self.size,
            limit: self.limit,
            kind: self.kind,
            status,
            kept: false,
            constant: self.constant,
            element: self.element,
            site: self.site.clone(),
            content: ObjectContent::new(0, 0),
            below: None,
        }
    }

    /// `len` bytes from `offset` on, if they are concrete and lie in one piece.
    #[inline]
    pub fn known(&self, offset: usize, len: usize) -> Option<&[u8]> {
        self.content.known(offset, len)
    }

    /// `len` bytes from `offset` on, to be overwritten; as [`known`](Self::known).
    #[inline]
    pub fn known_mut(&mut self, offset: usize, len: usize) -> Option<&mut [u8]> {
        self.content.known_mut(offset, len)
    }

    /// Whether `len` bytes from `offset` are all concrete.
    pub fn concrete_at(&self, offset: usize, len: usize) -> bool {
        self.content.is_concrete(offset, len)
    }

    /// `len` bytes from `offset` on, if they are concrete.
    pub fn concrete_bytes(&self, offset: usize, len: usize) -> Option<Vec<u8>> {
        self.concrete_at(offset, len).then(|| (offset..offset + len).map(|i| self.content.byte(i)).collect())
    }

    /// One byte, as a value of width 8.
    pub fn byte(&self, terms: &mut Terms, offset: usize) -> Value {
        match self.content.cell(offset) {
            Cell { term: Some(t), byte, provenance } => {
                let b = terms.extract(t, byte * 8, 8);
                Value::of_term(terms, b).with_provenance(provenance)
            }
            BELOW => {
                let array = self.below.expect("a byte below has an array");
                let index = terms.bv(Terms::INDEX_WIDTH, offset as u64);
                let b = terms.select(array, index);
                Value::of_term(terms, b)
            }
            _ => Value::word(u64::from(self.content.byte(offset))),
        }
    }

    /// The whole content as an array of bytes.
    pub fn as_array(&self, terms: &mut Terms) -> Array {
        let Some(mut array) = self.below else {
            let elements = (0..self.content.len()).map(|i| self.byte(terms, i).to_term(terms, 8)).collect();
            return terms.array_of(elements);
        };
        for i in (0..self.content.len()).filter(|i| self.content.cell(*i) != BELOW) {
            let byte = self.byte(terms, i).to_term(terms, 8);
            let index = terms.bv(Terms::INDEX_WIDTH, i as u64);
            array = terms.store(array, index, byte);
        }
        array
    }

    /// Makes an array of as many bytes the content.
    pub fn set_array(&mut self, array: Array) {
        self.below = Some(array);
        self.content.put_below();
    }

    /// Whether part of the content is an array.
    pub fn has_array(&self) -> bool {
        self.below.is_some()
    }

    /// Loads `width` bits, little- or big-endian; `width` need not be a multiple of 8. In bounds by the caller's word.
    pub fn load(&self, terms: &mut Terms, offset: usize, width: u32, big_endian: bool) -> Value {
        let len = width.div_ceil(8) as usize;
        if width <= 64 && self.concrete_at(offset, len) {
            let bytes: [u8; 8] = std::array::from_fn(|i| if i < len { self.content.byte(offset + i) } else { 0 });
            return Value::word(word_of(&bytes[..len], big_endian) & crate::value::mask(width));
        }
        let whole = self.whole_term(terms, offset, len, big_endian);
        let t = match whole {
            Some(t) => t,
            None => self.join(terms, offset, len, big_endian),
        };
        let t = if width == len as u32 * 8 { t } else { terms.extract(t, 0, width) };
        Value::of_term(terms, t).with_provenance(self.provenance_at(offset, len))
    }

    /// What `len` bytes are derived from, if it is the same.
    fn provenance_at(&self, offset: usize, len: usize) -> Provenance {
        let first = self.content.cell(offset).provenance;
        let same = (offset..offset + len).all(|i| self.content.cell(i).provenance == first);
        if same { first } else { Provenance::UNKNOWN }
    }

    /// The term whose bytes are exactly the `len` bytes here, in order.
    fn whole_term(&self, terms: &Terms, offset: usize, len: usize, big_endian: bool) -> Option<Term> {
        let term = self.content.cell(offset).term?;
        let number = |i: usize| if big_endian { len - 1 - i } else { i } as u32;
        let is_next = |i: usize| matches!(self.content.cell(offset + i), Cell { term: Some(t), byte, .. } if t == term && byte == number(i));
        let consecutive = (0..len).all(is_next);
        (consecutive && terms.width(term) == len as u32 * 8).then_some(term)
    }

    fn join(&self, terms: &mut Terms, offset: usize, len: usize, big_endian: bool) -> Term {
        let mut all: Option<Term> = None;
        for i in 0..len {
            // Most significant first: concatenation puts what comes later below.
            let at = if big_endian { offset + i } else { offset + len - 1 - i };
            let byte = self.byte(terms, at);
            let byte = byte.to_term(terms, 8);
            all = Some(match all {
                None => byte,
                Some(high) => terms.bin(taw_expr::BinOp::Concat, high, byte),
            });
        }
        all.expect("an access has at least one byte")
    }

    /// Stores a value of `width` bits (padded with zeros to whole bytes). In bounds by the caller's word.
    pub fn store(&mut self, terms: &mut Terms, offset: usize, value: Value, width: u32, big_endian: bool) {
        let len = width.div_ceil(8) as usize;
        let provenance = value.provenance();
        match value.plain_word() {
            Some(word) if width <= 64 => self.write(offset, &bytes_of(word, len, big_endian)[..len]),
            _ => {
                let term = value.to_term(terms, width);
                let term = terms.zext(term, len as u32 * 8);
                if let Some(bits) = terms.as_const(term).filter(|_| !provenance.is_known()) {
                    let mut bytes: Vec<u8> = bits.words().flat_map(u64::to_le_bytes).take(len).collect();
                    bytes.resize(len, 0);
                    if big_endian {
                        bytes.reverse();
                    }
                    return self.write(offset, &bytes);
                }
                for i in 0..len {
                    let byte = if big_endian { len - 1 - i } else { i } as u32;
                    self.content.set_cell(offset + i, Cell { term: Some(term), byte, provenance });
                }
            }
        }
    }

    /// Overwrites bytes with concrete ones.
    pub fn write(&mut self, offset: usize, bytes: &[u8]) {
        self.content.write(offset, bytes);
    }

    /// Copies bytes from another object (or an earlier version of this one), keeping terms whole.
    pub fn copy_from(&mut self, terms: &mut Terms, offset: usize, from: &Object, from_offset: usize, len: usize) {
        self.content.copy_from(offset, &from.content, from_offset, len);
        if from.below.is_some() {
            for i in (0..len).filter(|i| from.content.cell(from_offset + i) == BELOW) {
                let byte = from.byte(terms, from_offset + i);
                self.store(terms, offset + i, byte, 8, false);
            }
        }
    }
}

/// Up to eight bytes as a word.
#[inline]
pub fn word_of(bytes: &[u8], big_endian: bool) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    if big_endian {
        word[..bytes.len()].reverse();
    }
    u64::from_le_bytes(word)
}

/// The low `len` bytes of a word (`len` at most 8), in memory order.
#[inline]
pub fn bytes_of(word: u64, len: usize, big_endian: bool) -> [u8; 8] {
    let mut bytes = word.to_le_bytes();
    if big_endian {
        bytes[..len].reverse();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loading_what_was_stored_gives_the_same_term() {
        let mut terms = Terms::new();
        let x = terms.new_var("x", 32);
        let x = terms.var(x);
        let mut object = Object::new(0x1000, 16, ObjectKind::Heap, 0);
        let value = Value::of_term(&terms, x);
        for big_endian in [false, true] {
            object.store(&mut terms, 4, value, 32, big_endian);
            assert_eq!(object.load(&mut terms, 4, 32, big_endian), value);
        }
    }

    #[test]
    fn a_concrete_store_splits_a_term() {
        let mut terms = Terms::new();
        let x = terms.new_var("x", 32);
        let x = terms.var(x);
        let mut object = Object::new(0x1000, 8, ObjectKind::Heap, 0);
        let value = Value::of_term(&terms, x);
        object.store(&mut terms, 0, value, 32, false);
        object.store(&mut terms, 1, Value::word(0x7f), 8, false);
        assert_eq!(object.load(&mut terms, 1, 8, false), Value::word(0x7f));
        let low = terms.extract(x, 0, 8);
        assert_eq!(object.load(&mut terms, 0, 8, false), Value::of_term(&terms, low));
    }
}
