//! Floating point in software, for the formats the machine does not have.
//!
//! Boundary: operands are not NaNs; a NaN result has any payload (the caller makes it canonical). Arithmetic is
//! `rustc_apfloat`'s; the square root, which it lacks, is made digit by digit from integers.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::float::{exponent_field, exponent_mask, fraction_bits, is_negative};
use crate::bits::Bits;
use crate::node::{FloatBin, FloatFormat, FloatUn};

/// Calls a generic function at the type of a format.
macro_rules! at_format {
    ($fmt:expr, $function:ident ( $($arg:expr),* )) => {
        match $fmt {
            FloatFormat::F16 => $function::<Half>($($arg),*),
            FloatFormat::F32 => $function::<Single>($($arg),*),
            FloatFormat::F64 => $function::<Double>($($arg),*),
            FloatFormat::F80 => $function::<X87DoubleExtended>($($arg),*),
            FloatFormat::F128 => $function::<Quad>($($arg),*),
        }
    };
}

pub(super) fn un(op: FloatUn, fmt: FloatFormat, a: u128) -> u128 {
    match op {
        FloatUn::Sqrt => sqrt(fmt, a),
        FloatUn::Floor => at_format!(fmt, integral(a, Round::TowardNegative)),
        FloatUn::Ceil => at_format!(fmt, integral(a, Round::TowardPositive)),
        FloatUn::Trunc => at_format!(fmt, integral(a, Round::TowardZero)),
        FloatUn::RoundEven => at_format!(fmt, integral(a, Round::NearestTiesToEven)),
        FloatUn::RoundAway => at_format!(fmt, integral(a, Round::NearestTiesToAway)),
    }
}

fn integral<F: Float>(a: u128, round: Round) -> u128 {
    F::from_bits(a).round_to_integral(round).value.to_bits()
}

pub(super) fn bin(op: FloatBin, fmt: FloatFormat, a: u128, b: u128) -> u128 {
    at_format!(fmt, bin_at(op, a, b))
}

fn bin_at<F: Float>(op: FloatBin, a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        FloatBin::Add => a + b,
        FloatBin::Sub => a - b,
        FloatBin::Mul => a * b,
        FloatBin::Div => a / b,
        FloatBin::Rem => a.c_fmod(b),
        FloatBin::Min | FloatBin::Max => unreachable!("the caller picks one operand"),
    };
    result.value.to_bits()
}

pub(super) fn fma(fmt: FloatFormat, a: u128, b: u128, c: u128) -> u128 {
    at_format!(fmt, fma_at(a, b, c))
}

fn fma_at<F: Float>(a: u128, b: u128, c: u128) -> u128 {
    F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits()
}

pub(super) fn compare(fmt: FloatFormat, a: u128, b: u128) -> Option<Ordering> {
    match fmt {
        FloatFormat::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        FloatFormat::F64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        _ => at_format!(fmt, compare_at(a, b)),
    }
}

fn compare_at<F: Float>(a: u128, b: u128) -> Option<Ordering> {
    F::from_bits(a).partial_cmp(&F::from_bits(b))
}

pub(super) fn convert(from: FloatFormat, to: FloatFormat, a: u128) -> u128 {
    at_format!(from, convert_from(to, a))
}

fn convert_from<F>(to: FloatFormat, a: u128) -> u128
where
    F: Float + FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double>,
    F: FloatConvert<X87DoubleExtended> + FloatConvert<Quad>,
{
    fn to_bits<F: FloatConvert<T>, T: Float>(a: F) -> u128 {
        a.convert(&mut false).value.to_bits()
    }
    let a = F::from_bits(a);
    match to {
        FloatFormat::F16 => to_bits::<F, Half>(a),
        FloatFormat::F32 => to_bits::<F, Single>(a),
        FloatFormat::F64 => to_bits::<F, Double>(a),
        FloatFormat::F80 => to_bits::<F, X87DoubleExtended>(a),
        FloatFormat::F128 => to_bits::<F, Quad>(a),
    }
}

pub(super) fn from_integer(to: FloatFormat, magnitude: &Bits) -> u128 {
    // More than 128 significant bits: keep 127 and one that says whether anything below was set. No format has so
    // many bits that this could change a rounding.
    let dropped = magnitude.significant().saturating_sub(127);
    if dropped <= 1 {
        return at_format!(to, scaled(magnitude.low_u128(), 0));
    }
    let sticky = u128::from(magnitude.trailing_zeros() < dropped);
    let high = magnitude.lshr(u64::from(dropped)).low_u128();
    at_format!(to, scaled(high << 1 | sticky, i32::try_from(dropped).unwrap_or(i32::MAX) - 1))
}

/// `value * 2^exponent`; rounded once as long as the result is normal.
fn scaled<F: Float>(value: u128, exponent: i32) -> u128 {
    F::from_u128(value).value.scalbn(exponent).to_bits()
}

/// The magnitude of a finite pattern as `significand * 2^exponent`; `None` for an infinity.
pub(super) fn decode(fmt: FloatFormat, a: u128) -> Option<(u128, i32)> {
    let fraction = a & ((1 << fraction_bits(fmt)) - 1);
    let field = exponent_field(fmt, a);
    if field == exponent_mask(fmt) {
        return None;
    }
    let leading = match fmt {
        FloatFormat::F80 => a >> 63 & 1,
        _ => u128::from(field != 0),
    };
    let bias = (exponent_mask(fmt) >> 1) as i32 + fraction_bits(fmt) as i32;
    Some((leading << fraction_bits(fmt) | fraction, field.max(1) as i32 - bias))
}

fn sqrt(fmt: FloatFormat, a: u128) -> u128 {
    let Some((significand, exponent)) = decode(fmt, a) else {
        return if is_negative(fmt, a) { nan(fmt) } else { a };
    };
    if significand == 0 {
        return a;
    }
    if is_negative(fmt, a) {
        return nan(fmt);
    }
    // An even exponent, and the significand at the top of the word: its highest pair of bits is not zero.
    let room = significand.leading_zeros() as i32;
    let shift = if (exponent - room) % 2 == 0 { room } else { room - 1 };
    // Two digits more than the format holds, so that the bit for "not exact" decides every rounding.
    let digits = fraction_bits(fmt) + 3;
    let (root, exact) = root_digits(significand << shift, digits);
    let exponent = (exponent - shift) / 2 + 64 - digits as i32;
    at_format!(fmt, scaled(root << 1 | u128::from(!exact), exponent - 1))
}

/// The first binary digits of the square root of `radicand` (64 pairs of bits, then zeros), and whether they are all.
fn root_digits(radicand: u128, digits: u32) -> (u128, bool) {
    let (mut root, mut rest, mut ahead) = (0u128, 0u128, radicand);
    for _ in 0..digits {
        rest = rest << 2 | ahead >> 126;
        ahead <<= 2;
        let test = root << 2 | 1;
        root <<= 1;
        if rest >= test {
            rest -= test;
            root |= 1;
        }
    }
    (root, rest == 0 && ahead == 0)
}

fn nan(fmt: FloatFormat) -> u128 {
    u128::MAX >> (128 - fmt.width())
}
