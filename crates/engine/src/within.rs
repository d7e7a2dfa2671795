//! Reading and writing an object at an offset that is not known.
//!
//! A read is a selection among the elements that the offset can name; a write makes each of those elements conditional. How
//! far apart possible offsets are is read off the offset's known low bits, so that an index into an array of words selects
//! words, not bytes. A write that may touch many elements makes the content an array term instead.

use taw_expr::{BinOp, Term, Terms};

use crate::cx::Cx;
use crate::memory::Object;
use crate::value::Value;

/// A write to at most so many possible elements makes each conditional; to more makes the content an array.
const CONDITIONALS: u64 = 16;

/// The offsets that a term may have: `first`, `first + stride`, … , `count` of them.
#[derive(Clone, Copy, Debug)]
struct Offsets {
    first: u64,
    stride: u64,
    count: u64,
}

/// Possible offsets of accesses of `len` bytes to an object, all within it.
fn offsets(terms: &mut Terms, offset: Term, object: &Object, len: u64) -> Offsets {
    let (low, high) = terms.range(offset);
    let taw_expr::KnownBits { zeros, ones } = terms.known_bits(offset);
    let known_low = (zeros | ones).trailing_ones().min(20);
    let stride = 1u64 << known_low;
    let remainder = ones & (stride - 1);
    let first = low + (remainder.wrapping_sub(low) & (stride - 1));
    let last = high.min(object.size - len);
    let count = if last < first { 1 } else { (last - first) / stride + 1 };
    Offsets { first, stride, count }
}

impl Cx<'_, '_> {
    pub(crate) fn load_within(&mut self, base: u64, offset: Term, width: u32) -> Value {
        let object = self.object(base);
        let len = u64::from(width.div_ceil(8));
        let possible = offsets(&mut self.engine.terms, offset, &object, len);
        let big_endian = self.big_endian();
        if object.has_array() {
            return self.load_from_array(&object, offset, width);
        }
        if possible.stride >= len {
            return self.select_element(&object, offset, possible, width, big_endian);
        }
        self.joined(width, |cx, byte_at| {
            let shifted = Offsets { first: possible.first + byte_at, ..possible };
            let bits = cx.pointer_bits();
            let distance = cx.terms().bv(bits, byte_at);
            let at = cx.terms().add(offset, distance);
            cx.select_element(&object, at, shifted, 8, big_endian).to_term(cx.terms(), 8)
        })
    }

    /// A value of `width` bits out of its bytes in memory order.
    fn joined(&mut self, width: u32, mut byte: impl FnMut(&mut Self, u64) -> Term) -> Value {
        let big_endian = self.big_endian();
        let len = u64::from(width.div_ceil(8));
        let mut all: Option<Term> = None;
        for i in 0..len {
            let part = byte(self, if big_endian { i } else { len - 1 - i });
            all = Some(match all {
                None => part,
                Some(high) => self.terms().concat(high, part),
            });
        }
        let all = all.expect("an access has at least one byte");
        let t = self.terms().extract(all, 0, width);
        self.value(t)
    }

    fn load_from_array(&mut self, object: &Object, offset: Term, width: u32) -> Value {
        let array = object.as_array(&mut self.engine.terms);
        self.joined(width, |cx, at| {
            let index = cx.array_index(offset, at);
            cx.terms().select(array, index)
        })
    }

    fn array_index(&mut self, offset: Term, distance: u64) -> Term {
        let index = self.terms().zext(offset, Terms::INDEX_WIDTH);
        let distance = self.terms().bv(Terms::INDEX_WIDTH, distance);
        self.terms().add(index, distance)
    }

    fn store_to_array(&mut self, base: u64, offset: Term, value: Value, width: u32) {
        let big_endian = self.big_endian();
        let len = u64::from(width.div_ceil(8));
        let object = self.object(base);
        let mut array = object.as_array(&mut self.engine.terms);
        let whole = value.to_term(self.terms(), width);
        let whole = self.terms().zext(whole, len as u32 * 8);
        for i in 0..len {
            let number = if big_endian { len - 1 - i } else { i };
            let byte = self.terms().extract(whole, number as u32 * 8, 8);
            let index = self.array_index(offset, i);
            array = self.terms().store(array, index, byte);
        }
        drop(object);
        self.state.memory.object_mut(base).set_array(array);
    }

    /// The element at an offset, of those that are possible.
    fn select_element(
        &mut self,
        object: &Object,
        offset: Term,
        possible: Offsets,
        width: u32,
        big_endian: bool,
    ) -> Value {
        let terms = &mut self.engine.terms;
        let element = |i| object.load(terms, (possible.first + i * possible.stride) as usize, width, big_endian);
        let values: Vec<Value> = (0..possible.count).map(element).collect();
        let provenance = self.provenance_of_choice(&values);
        let elements: Vec<Term> = values.iter().map(|v| v.to_term(&mut self.engine.terms, width)).collect();
        if elements.iter().all(|e| *e == elements[0]) {
            return self.value(elements[0]).with_provenance(provenance);
        }
        let bits = self.pointer_bits();
        let terms = self.terms();
        let first = terms.bv(bits, possible.first);
        let from_first = terms.sub(offset, first);
        let shift = terms.bv(bits, u64::from(possible.stride.trailing_zeros()));
        let index = terms.bin(BinOp::LShr, from_first, shift);
        let index = terms.zext(index, Terms::INDEX_WIDTH);
        let array = terms.array_of(elements.into());
        let t = terms.select(array, index);
        self.value(t).with_provenance(provenance)
    }

    pub(crate) fn store_within(&mut self, base: u64, offset: Term, value: Value, width: u32) {
        let object = self.object(base);
        let len = u64::from(width.div_ceil(8));
        let possible = offsets(&mut self.engine.terms, offset, &object, len);
        let big_endian = self.big_endian();
        if object.has_array() || possible.count > CONDITIONALS {
            return self.store_to_array(base, offset, value, width);
        }
        if possible.stride >= len {
            return self.store_elements(base, offset, possible, value, width, big_endian);
        }
        let whole = value.to_term(self.terms(), width);
        let whole = self.terms().zext(whole, len as u32 * 8);
        let bits = self.pointer_bits();
        for i in 0..len {
            let number = if big_endian { len - 1 - i } else { i };
            let byte = self.terms().extract(whole, number as u32 * 8, 8);
            let byte = self.value(byte);
            let distance = self.terms().bv(bits, i);
            let at = self.terms().add(offset, distance);
            let shifted = Offsets { first: possible.first + i, ..possible };
            self.store_elements(base, at, shifted, byte, 8, big_endian);
        }
    }

    /// Makes each possible element conditional on the offset naming it.
    fn store_elements(
        &mut self,
        base: u64,
        offset: Term,
        possible: Offsets,
        value: Value,
        width: u32,
        big_endian: bool,
    ) {
        let bits = self.pointer_bits();
        let new = value.to_term(self.terms(), width);
        for i in 0..possible.count {
            let at = possible.first + i * possible.stride;
            let old = self.object(base).load(&mut self.engine.terms, at as usize, width, big_endian);
            let provenance = self.provenance_of_choice(&[value, old]);
            let old = old.to_term(self.terms(), width);
            let here = self.terms().bv(bits, at);
            let here = self.terms().eq(offset, here);
            let element = self.terms().ite(here, new, old);
            let element = self.value(element).with_provenance(provenance);
            let object = self.state.memory.object_mut(base);
            object.store(&mut self.engine.terms, at as usize, element, width, big_endian);
        }
    }
}
