//! Constants: bit vectors of any width, and their arithmetic.
//!
//! Boundary: values only; no terms. Invariant: bits at and above `width` are zero, and a width up to 64 is one word
//! held inline, so the common case never allocates.

use std::cmp::Ordering;

/// A constant: `width` bits, kept reduced modulo 2^width.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Bits {
    width: u32,
    words: Words,
}

/// The representation follows from the width alone, so derived equality and hash are those of values.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Words {
    /// Width 1 to 64.
    One(u64),
    /// Above: `ceil(width / 64)` words, least significant first.
    Many(Box<[u64]>),
}

/// The lowest `width` (at most 64) bits set.
pub(crate) const fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// `value` of `width` (1 to 64) bits as two's complement.
pub(crate) const fn signed(width: u32, value: u64) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

impl Bits {
    /// The lowest bits of `value` (for widths above 64 zero-extended).
    pub fn new(width: u32, value: u64) -> Self {
        assert!(width > 0, "a bit vector has at least one bit");
        if width <= 64 {
            return Bits { width, words: Words::One(value & mask(width)) };
        }
        let mut words = vec![0; width.div_ceil(64) as usize];
        words[0] = value;
        Bits { width, words: Words::Many(words.into()) }
    }

    /// From words, least significant first; missing words are zero, extra bits are dropped.
    pub fn from_words(width: u32, words: &[u64]) -> Self {
        if width <= 64 {
            return Bits::new(width, words.first().copied().unwrap_or(0));
        }
        let mut all = vec![0; width.div_ceil(64) as usize];
        let count = all.len().min(words.len());
        all[..count].copy_from_slice(&words[..count]);
        Self::reduced(width, all)
    }

    /// From the lowest bits of `value`.
    pub fn from_u128(width: u32, value: u128) -> Self {
        Self::from_words(width, &[value as u64, (value >> 64) as u64])
    }

    /// All bits clear.
    pub fn zero(width: u32) -> Self {
        Bits::new(width, 0)
    }

    /// All bits set.
    pub fn ones(width: u32) -> Self {
        Self::build(width, |_| u64::MAX)
    }

    /// Only the highest bit set: the least two's complement value.
    pub fn sign_bit(width: u32) -> Self {
        Bits::new(width, 1).shl(u64::from(width - 1))
    }

    /// Takes full-length words for a width above 64 and drops what exceeds it.
    fn reduced(width: u32, mut words: Vec<u64>) -> Self {
        debug_assert!(width > 64 && words.len() == width.div_ceil(64) as usize);
        if !width.is_multiple_of(64)
            && let Some(top) = words.last_mut()
        {
            *top &= mask(width % 64);
        }
        Bits { width, words: Words::Many(words.into()) }
    }

    /// From a function of the word's position.
    fn build(width: u32, word: impl FnMut(usize) -> u64) -> Self {
        let mut word = word;
        if width <= 64 {
            return Bits::new(width, word(0));
        }
        Self::reduced(width, (0..width.div_ceil(64) as usize).map(word).collect())
    }

    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The lowest 64 bits.
    pub fn low(&self) -> u64 {
        match &self.words {
            Words::One(word) => *word,
            Words::Many(words) => words[0],
        }
    }

    /// The value, if it fits 64 bits by width.
    pub fn as_u64(&self) -> Option<u64> {
        match self.words {
            Words::One(word) => Some(word),
            Words::Many(_) => None,
        }
    }

    /// The lowest 128 bits.
    pub fn low_u128(&self) -> u128 {
        u128::from(self.low()) | u128::from(self.word(1)) << 64
    }

    /// All words, least significant first.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.slice().iter().copied()
    }

    fn slice(&self) -> &[u64] {
        match &self.words {
            Words::One(word) => std::slice::from_ref(word),
            Words::Many(words) => words,
        }
    }

    /// The word at a position; zero past the end.
    fn word(&self, at: usize) -> u64 {
        self.slice().get(at).copied().unwrap_or(0)
    }

    /// The bit at a position; clear past the end.
    pub fn bit(&self, at: u32) -> bool {
        self.word((at / 64) as usize) >> (at % 64) & 1 != 0
    }

    /// Whether the highest bit is set.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether no bit is set.
    pub fn is_zero(&self) -> bool {
        self.slice().iter().all(|&word| word == 0)
    }

    /// Whether all bits are set.
    pub fn is_ones(&self) -> bool {
        self.count_ones() == self.width
    }

    /// How many bits are set.
    pub fn count_ones(&self) -> u32 {
        self.slice().iter().map(|word| word.count_ones()).sum()
    }

    /// The number of clear bits below the lowest set one; the width if none is set.
    pub fn trailing_zeros(&self) -> u32 {
        match self.slice().iter().position(|&word| word != 0) {
            Some(at) => at as u32 * 64 + self.slice()[at].trailing_zeros(),
            None => self.width,
        }
    }

    /// The number of bits up to the highest set one; 0 if none is set.
    pub fn significant(&self) -> u32 {
        match self.slice().iter().rposition(|&word| word != 0) {
            Some(at) => at as u32 * 64 + 64 - self.slice()[at].leading_zeros(),
            None => 0,
        }
    }

    /// The exponent, if exactly one bit is set.
    pub fn log2(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }

    /// `width` bits from bit `lo`; what lies past the end is zero.
    pub fn extract(&self, lo: u32, width: u32) -> Self {
        let (skip, shift) = ((lo / 64) as usize, lo % 64);
        Self::build(width, |i| {
            let low = self.word(i + skip) >> shift;
            if shift == 0 { low } else { low | self.word(i + skip + 1) << (64 - shift) }
        })
    }

    /// Zero-extended, or cut off.
    pub fn zext(&self, width: u32) -> Self {
        Self::from_words(width, self.slice())
    }

    /// Sign-extended, or cut off.
    pub fn sext(&self, width: u32) -> Self {
        if !self.is_negative() || width <= self.width {
            return self.zext(width);
        }
        self.not().zext(width).not()
    }

    /// `self` above `low`.
    pub fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        self.zext(width).shl(u64::from(low.width)).or(&low.zext(width))
    }

    /// Bitwise complement.
    pub fn not(&self) -> Self {
        Self::build(self.width, |i| !self.word(i))
    }

    /// Bitwise conjunction.
    pub fn and(&self, other: &Self) -> Self {
        Self::build(self.width, |i| self.word(i) & other.word(i))
    }

    /// Bitwise disjunction.
    pub fn or(&self, other: &Self) -> Self {
        Self::build(self.width, |i| self.word(i) | other.word(i))
    }

    /// Bitwise exclusive disjunction.
    pub fn xor(&self, other: &Self) -> Self {
        Self::build(self.width, |i| self.word(i) ^ other.word(i))
    }

    /// Shifted up; all out if `by` is the width or more.
    pub fn shl(&self, by: u64) -> Self {
        if by >= u64::from(self.width) {
            return Self::zero(self.width);
        }
        let (skip, shift) = ((by / 64) as usize, by % 64);
        Self::build(self.width, |i| {
            let Some(at) = i.checked_sub(skip) else { return 0 };
            let high = self.word(at) << shift;
            if shift == 0 || at == 0 { high } else { high | self.word(at - 1) >> (64 - shift) }
        })
    }

    /// Shifted down, zeros from above.
    pub fn lshr(&self, by: u64) -> Self {
        if by >= u64::from(self.width) { Self::zero(self.width) } else { self.extract(by as u32, self.width) }
    }

    /// Shifted down, copies of the highest bit from above.
    pub fn ashr(&self, by: u64) -> Self {
        if self.is_negative() { self.not().lshr(by).not() } else { self.lshr(by) }
    }

    /// The value as a shift distance: anything past 64 bits is as good as infinite.
    pub fn as_distance(&self) -> u64 {
        if self.slice()[1..].iter().any(|&word| word != 0) { u64::MAX } else { self.low() }
    }

    /// Sum, modulo 2^width.
    pub fn add(&self, other: &Self) -> Self {
        let mut carry = false;
        Self::build(self.width, |i| {
            let (sum, over) = self.word(i).overflowing_add(other.word(i));
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            carry = over | again;
            sum
        })
    }

    /// Two's complement.
    pub fn neg(&self) -> Self {
        self.not().add(&Self::new(self.width, 1))
    }

    /// Difference, modulo 2^width.
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    /// Product, modulo 2^width.
    pub fn mul(&self, other: &Self) -> Self {
        let count = self.slice().len();
        let mut words = vec![0u64; count];
        for i in 0..count {
            let mut carry = 0u128;
            for j in 0..count - i {
                let sum = u128::from(self.word(i)) * u128::from(other.word(j)) + u128::from(words[i + j]) + carry;
                words[i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        Self::from_words(self.width, &words)
    }

    /// Unsigned quotient and remainder; `(ones, self)` if `other` is zero.
    pub fn divide(&self, other: &Self) -> (Self, Self) {
        if other.is_zero() {
            return (Self::ones(self.width), self.clone());
        }
        if self.significant() <= 128 && other.significant() <= 128 {
            let (a, b) = (self.low_u128(), other.low_u128());
            return (Self::from_u128(self.width, a / b), Self::from_u128(self.width, a % b));
        }
        let (mut quotient, mut rest) = (Self::zero(self.width), Self::zero(self.width));
        for at in (0..self.significant()).rev() {
            // The bit that this shift may push out is worth 2^width, more than any divisor.
            let over = rest.is_negative();
            rest = rest.shl(1).or(&Self::new(self.width, u64::from(self.bit(at))));
            if over || rest.compare(other).is_ge() {
                rest = rest.sub(other);
                quotient = quotient.or(&Self::new(self.width, 1).shl(u64::from(at)));
            }
        }
        (quotient, rest)
    }

    /// Two's complement quotient, truncated, and remainder with the sign of `self`; total as in SMT-LIB.
    pub fn divide_signed(&self, other: &Self) -> (Self, Self) {
        let flip = |bits: Self, negative: bool| if negative { bits.neg() } else { bits };
        let (a, b) = (self.is_negative(), other.is_negative());
        let (quotient, rest) = flip(self.clone(), a).divide(&flip(other.clone(), b));
        (flip(quotient, a != b), flip(rest, a))
    }

    /// Unsigned order of two values of one width.
    pub fn compare(&self, other: &Self) -> Ordering {
        self.slice().iter().rev().cmp(other.slice().iter().rev())
    }

    /// Two's complement order of two values of one width.
    pub fn compare_signed(&self, other: &Self) -> Ordering {
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.compare(other))
    }
}
