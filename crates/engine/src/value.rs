//! What a register holds: a machine word while it can, a term when it must (design decision 4).

use taw_expr::{Bits, Term, Terms};

use crate::provenance::Provenance;

/// A scalar. Concrete values of at most 64 bits are a word, zero-extended; all others are a term
/// (a concrete value wider than 64 bits is a constant term). Beside it, not part of it: where it comes from, if it is a pointer
/// whose number does not tell.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    bits: u64,
    /// The term, if there is one, in the lower half and the provenance in the upper: two words travel in registers.
    tag: u64,
}

/// The tag of a pointer that waits: no set of objects has this number.
const WAITING: u64 = (u32::MAX as u64) << 32;

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        (self.bits, self.as_term()) == (other.bits, other.as_term())
    }
}

impl Eq for Value {}

/// The low `width` bits set.
#[inline]
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The low `width` bits of a word, read as two's complement.
#[inline]
pub fn signed(bits: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((bits << shift) as i64) >> shift
}

impl Value {
    /// Whether it is the same in every respect, and not just the same value.
    #[inline]
    pub(crate) fn is_same(self, other: Self) -> bool {
        (self.bits, self.tag) == (other.bits, other.tag)
    }

    /// A concrete word; the caller has reduced it to its width.
    #[inline]
    pub fn word(bits: u64) -> Self {
        Value { bits, tag: 0 }
    }

    /// A parameter that is a pointer and has not been made (`unknown/waiting.rs`), by the number of the argument.
    pub(crate) fn waiting(argument: usize) -> Self {
        Value { bits: argument as u64, tag: WAITING }
    }

    /// The argument, if it waits.
    #[inline]
    pub(crate) fn waits(self) -> Option<usize> {
        (self.tag == WAITING).then_some(self.bits as usize)
    }

    /// A truth value.
    #[inline]
    pub fn bool(b: bool) -> Self {
        Value::word(u64::from(b))
    }

    /// A term, or the word if the term is a constant of at most 64 bits.
    pub fn of_term(terms: &Terms, t: Term) -> Self {
        match terms.as_u64(t) {
            Some(bits) => Value::word(bits),
            None => Value { bits: 0, tag: u64::from(t.to_bits()) },
        }
    }

    /// This value as derived from those objects.
    #[inline]
    #[must_use]
    pub fn with_provenance(self, provenance: Provenance) -> Self {
        Value { tag: (self.tag & mask(32)) | u64::from(provenance.0) << 32, ..self }
    }

    /// The objects it is derived from, as far as that is recorded.
    #[inline]
    pub fn provenance(self) -> Provenance {
        Provenance((self.tag >> 32) as u32)
    }

    /// The word, if that is all there is to say.
    #[inline]
    pub fn plain_word(self) -> Option<u64> {
        (self.tag == 0).then_some(self.bits)
    }

    /// A constant of any width.
    pub fn of_bits(terms: &mut Terms, bits: &Bits) -> Self {
        match bits.as_u64() {
            Some(word) => Value::word(word),
            None => Value { bits: 0, tag: u64::from(terms.constant(bits.clone()).to_bits()) },
        }
    }

    /// The word, if concrete and at most 64 bits wide.
    #[inline]
    pub fn as_word(self) -> Option<u64> {
        debug_assert!(self.waits().is_none(), "a pointer is used that was not made");
        (self.tag as u32 == 0).then_some(self.bits)
    }

    /// The term, if it is not a word.
    #[inline]
    pub fn as_term(self) -> Option<Term> {
        Term::from_bits(self.tag as u32)
    }

    /// As a term of the given width.
    pub fn to_term(self, terms: &mut Terms, width: u32) -> Term {
        match self.as_term() {
            Some(t) => t,
            None => terms.bv(width, self.bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_two_words() {
        assert_eq!(size_of::<Value>(), 16);
    }

    #[test]
    fn signed_reads_twos_complement() {
        assert_eq!(signed(0xff, 8), -1);
        assert_eq!(signed(0x7f, 8), 127);
        assert_eq!(signed(1, 1), -1);
        assert_eq!(signed(u64::MAX, 64), -1);
    }
}
