//! Values of coordinates as numbers: floats of every format in their order, and integers.
//!
//! Invariant: `from_key(key(x)) = x` for every number x that is not a NaN, and a greater number has a greater key (the two
//! zeros have different keys).

use taw_expr::{FloatFormat, fold};

/// What the bits of a coordinate mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CoordinateKind {
    Float(FloatFormat),
    /// Of this width.
    Int(u32),
}

/// The bits that stand for the magnitude, in order: of x87 without the leading bit that its exponent implies.
fn magnitude(format: FloatFormat, bits: u128) -> u128 {
    let rest = bits & !(1 << (format.width() - 1));
    match format {
        FloatFormat::F80 => rest >> 64 << 63 | rest & (u128::MAX >> 65),
        _ => rest,
    }
}

fn from_magnitude(format: FloatFormat, magnitude: u128) -> u128 {
    match format {
        FloatFormat::F80 => {
            let exponent = magnitude >> 63;
            exponent << 64 | u128::from(exponent != 0) << 63 | magnitude & (u128::MAX >> 65)
        }
        _ => magnitude,
    }
}

fn infinity(format: FloatFormat) -> u128 {
    fold::float_to_float(FloatFormat::F64, format, u128::from(f64::INFINITY.to_bits()))
}

/// The position of a float among all floats; that of -0 is -1.
pub(super) fn key(format: FloatFormat, bits: u128) -> i128 {
    let most = magnitude(format, infinity(format));
    let place = magnitude(format, bits).min(most) as i128;
    if bits >> (format.width() - 1) & 1 != 0 { -1 - place } else { place }
}

/// The float at a position; beyond the ends are the infinities.
pub(super) fn from_key(format: FloatFormat, key: i128) -> u128 {
    let most = magnitude(format, infinity(format)) as i128;
    match key < 0 {
        true => from_magnitude(format, (-1 - key).min(most) as u128) | 1 << (format.width() - 1),
        false => from_magnitude(format, key.min(most) as u128),
    }
}

/// The number as a double, rounded if it must be.
pub(super) fn to_double(format: FloatFormat, bits: u128) -> f64 {
    match format {
        FloatFormat::F64 => f64::from_bits(bits as u64),
        FloatFormat::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(fold::float_to_float(format, FloatFormat::F64, bits) as u64),
    }
}

/// The double in a format, rounded if it must be.
pub(super) fn from_double(format: FloatFormat, number: f64) -> u128 {
    match format {
        FloatFormat::F64 => u128::from(number.to_bits()),
        _ => fold::float_to_float(FloatFormat::F64, format, u128::from(number.to_bits())),
    }
}

/// Two's complement of `width` bits.
pub(super) fn signed(width: u32, bits: u128) -> i128 {
    ((bits << (128 - width)) as i128) >> (128 - width)
}

pub(super) fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// A number for a coordinate of any kind.
pub(super) fn number(kind: CoordinateKind, value: f64) -> u128 {
    match kind {
        CoordinateKind::Float(format) => from_double(format, value),
        CoordinateKind::Int(width) => (value as i128) as u128 & mask(width),
    }
}

/// The nearest value within bounds; a NaN stays what it is.
pub(super) fn bounded(kind: CoordinateKind, (low, high): (i128, i128), bits: u128) -> u128 {
    let CoordinateKind::Float(format) = kind else { return bits };
    if fold::is_nan(format, bits) || (low == i128::MIN && high == i128::MAX) {
        return bits;
    }
    let at = key(format, bits);
    if at < low || at > high { from_key(format, at.clamp(low, high)) } else { bits }
}

/// The position of a value among all of its kind.
pub(super) fn place(kind: CoordinateKind, bits: u128) -> i128 {
    match kind {
        CoordinateKind::Float(format) => key(format, bits),
        CoordinateKind::Int(width) => signed(width, bits),
    }
}

/// The value at a position.
pub(super) fn at_place(kind: CoordinateKind, place: i128) -> u128 {
    match kind {
        CoordinateKind::Float(format) => from_key(format, place),
        CoordinateKind::Int(width) => place as u128 & mask(width),
    }
}

/// The number of bits of precision of a format.
pub(super) fn precision(format: FloatFormat) -> i32 {
    match format {
        FloatFormat::F16 => 11,
        FloatFormat::F32 => 24,
        FloatFormat::F64 => 53,
        FloatFormat::F80 => 64,
        FloatFormat::F128 => 113,
    }
}

/// SplitMix64 (G. Steele and others, 2014).
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn sign(&mut self) -> f64 {
        if self.next() >> 63 == 0 { 1.0 } else { -1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_the_order_of_numbers_and_lead_back() {
        let numbers = [f64::NEG_INFINITY, -1e300, -2.5, -1e-310, 0.0, 5e-324, 1.0, 1.5, 65504.0, f64::INFINITY];
        for format in [FloatFormat::F16, FloatFormat::F32, FloatFormat::F64, FloatFormat::F80, FloatFormat::F128] {
            let all = numbers.map(|n| from_double(format, n));
            for pair in all.windows(2) {
                assert!(key(format, pair[0]) <= key(format, pair[1]), "{format:?} {pair:x?}");
            }
            for bits in all {
                assert_eq!(from_key(format, key(format, bits)), bits, "{format:?} {bits:x}");
            }
            let one = from_double(format, 1.0);
            assert!(to_double(format, from_key(format, key(format, one) + 1)) >= 1.0);
            assert!(to_double(format, from_key(format, key(format, one) - (1 << 5))) < 1.0 || precision(format) > 53);
        }
    }
}
