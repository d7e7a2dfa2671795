//! Floating point on bit patterns, round to nearest even.
//!
//! `f32` and `f64` are computed natively, the other formats in software. What IEEE 754 leaves open is decided as
//! x86 decides it, in one place:
//! - a NaN that an operation makes is the *default NaN*: sign set, quiet, no payload;
//! - a NaN operand comes back quieted; of several, the first (x87 would take the larger payload: not modelled);
//! - x87 patterns without the leading bit they need (unnormals, pseudo-NaNs) are NaNs and come back as the default NaN.

use std::cmp::Ordering;

use super::soft;
use crate::bits::Bits;
use crate::node::{FloatBin, FloatCmp, FloatFormat, FloatUn};

/// `op` on one pattern.
pub fn float_un(op: FloatUn, fmt: FloatFormat, a: u128) -> u128 {
    if is_nan(fmt, a) {
        return quiet(fmt, a);
    }
    let result = match fmt {
        FloatFormat::F32 => u128::from(native_un_f32(op, f32::from_bits(a as u32)).to_bits()),
        FloatFormat::F64 => u128::from(native_un_f64(op, f64::from_bits(a as u64)).to_bits()),
        _ => soft::un(op, fmt, a),
    };
    canonical(fmt, result)
}

fn native_un_f32(op: FloatUn, a: f32) -> f32 {
    match op {
        FloatUn::Sqrt => a.sqrt(),
        FloatUn::Floor => a.floor(),
        FloatUn::Ceil => a.ceil(),
        FloatUn::Trunc => a.trunc(),
        FloatUn::RoundEven => a.round_ties_even(),
        FloatUn::RoundAway => a.round(),
    }
}

fn native_un_f64(op: FloatUn, a: f64) -> f64 {
    match op {
        FloatUn::Sqrt => a.sqrt(),
        FloatUn::Floor => a.floor(),
        FloatUn::Ceil => a.ceil(),
        FloatUn::Trunc => a.trunc(),
        FloatUn::RoundEven => a.round_ties_even(),
        FloatUn::RoundAway => a.round(),
    }
}

/// `op` on two patterns.
pub fn float_bin(op: FloatBin, fmt: FloatFormat, a: u128, b: u128) -> u128 {
    if matches!(op, FloatBin::Min | FloatBin::Max) {
        return extremum(op, fmt, a, b);
    }
    if let Some(&nan) = [a, b].iter().find(|&&x| is_nan(fmt, x)) {
        return quiet(fmt, nan);
    }
    let result = match fmt {
        FloatFormat::F32 => {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            u128::from(native_bin(op, a, b).to_bits())
        }
        FloatFormat::F64 => {
            let (a, b) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            u128::from(native_bin(op, a, b).to_bits())
        }
        _ => soft::bin(op, fmt, a, b),
    };
    canonical(fmt, result)
}

fn native_bin<F>(op: FloatBin, a: F, b: F) -> F
where
    F: std::ops::Add<Output = F> + std::ops::Sub<Output = F> + std::ops::Mul<Output = F>,
    F: std::ops::Div<Output = F> + std::ops::Rem<Output = F>,
{
    match op {
        FloatBin::Add => a + b,
        FloatBin::Sub => a - b,
        FloatBin::Mul => a * b,
        FloatBin::Div => a / b,
        FloatBin::Rem => a % b,
        FloatBin::Min | FloatBin::Max => unreachable!("the caller picks one operand"),
    }
}

/// `fmin` and `fmax`: a NaN only if both are; -0 is below +0, as IEEE 754-2019 and musl have it.
fn extremum(op: FloatBin, fmt: FloatFormat, a: u128, b: u128) -> u128 {
    match (is_nan(fmt, a), is_nan(fmt, b)) {
        (true, true) => return quiet(fmt, a),
        (true, false) => return b,
        (false, true) => return a,
        (false, false) => {}
    }
    let less = match soft::compare(fmt, a, b) {
        Some(Ordering::Equal) => is_negative(fmt, a),
        order => order == Some(Ordering::Less),
    };
    if less == (op == FloatBin::Min) { a } else { b }
}

/// `a * b + c`, rounded once.
pub fn fma(fmt: FloatFormat, a: u128, b: u128, c: u128) -> u128 {
    if let Some(&nan) = [a, b, c].iter().find(|&&x| is_nan(fmt, x)) {
        return quiet(fmt, nan);
    }
    canonical(fmt, soft::fma(fmt, a, b, c))
}

/// Comparison; every comparison but `Unordered` is false on a NaN.
pub fn float_cmp(op: FloatCmp, fmt: FloatFormat, a: u128, b: u128) -> bool {
    if is_nan(fmt, a) || is_nan(fmt, b) {
        return op == FloatCmp::Unordered;
    }
    let order = soft::compare(fmt, a, b);
    match op {
        FloatCmp::Eq => order == Some(Ordering::Equal),
        FloatCmp::Lt => order == Some(Ordering::Less),
        FloatCmp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        FloatCmp::Unordered => false,
    }
}

/// Between formats. The payload of a NaN keeps its highest bits.
pub fn float_to_float(from: FloatFormat, to: FloatFormat, a: u128) -> u128 {
    if from == to {
        return a;
    }
    if is_nan(from, a) {
        let quieted = quiet(from, a);
        let (have, want) = (fraction_bits(from), fraction_bits(to));
        let payload = quieted & ((1 << have) - 1);
        let moved = if want >= have { payload << (want - have) } else { payload >> (have - want) };
        return default_nan(to) & !(1 << (to.width() - 1))
            | moved
            | u128::from(is_negative(from, a)) << (to.width() - 1);
    }
    match (from, to) {
        (FloatFormat::F32, FloatFormat::F64) => u128::from(f64::from(f32::from_bits(a as u32)).to_bits()),
        (FloatFormat::F64, FloatFormat::F32) => u128::from((f64::from_bits(a as u64) as f32).to_bits()),
        _ => soft::convert(from, to, a),
    }
}

/// To an integer, truncated. A NaN and what the integer type cannot hold give only the highest bit set.
pub fn float_to_int(from: FloatFormat, signed: bool, a: u128, width: u32) -> Bits {
    let indefinite = Bits::sign_bit(width);
    if is_nan(from, a) {
        return indefinite;
    }
    let negative = is_negative(from, a);
    let Some((significand, exponent)) = soft::decode(from, a) else { return indefinite };
    let magnitude =
        if exponent < 0 { significand.checked_shr(exponent.unsigned_abs()).unwrap_or(0) } else { significand };
    let shift = exponent.max(0) as u32;
    let used = 128 - magnitude.leading_zeros() + shift;
    if magnitude != 0 && used > width {
        return indefinite;
    }
    // All out of range below give the same pattern as the least signed integer, which is in range.
    let bits = Bits::from_u128(width, magnitude).shl(u64::from(shift));
    match (signed, negative) {
        (false, true) if magnitude != 0 => indefinite,
        (false, _) => bits,
        (true, _) if bits.is_negative() => indefinite,
        (true, true) => bits.neg(),
        (true, false) => bits,
    }
}

/// From an integer of any width.
pub fn int_to_float(to: FloatFormat, signed: bool, a: &Bits) -> u128 {
    let negative = signed && a.is_negative();
    let magnitude = if negative { a.neg() } else { a.clone() };
    let positive = match (to, magnitude.as_u64()) {
        (FloatFormat::F32, Some(word)) => u128::from((word as f32).to_bits()),
        (FloatFormat::F64, Some(word)) => u128::from((word as f64).to_bits()),
        _ => soft::from_integer(to, &magnitude),
    };
    positive | u128::from(negative) << (to.width() - 1)
}

/// Whether the pattern is not a number.
pub fn is_nan(fmt: FloatFormat, a: u128) -> bool {
    let fraction = a & ((1 << fraction_bits(fmt)) - 1);
    let exponent = exponent_field(fmt, a);
    let top = exponent == exponent_mask(fmt);
    match fmt {
        FloatFormat::F80 if exponent != 0 && !has_leading_bit(a) => true,
        _ => top && fraction != 0,
    }
}

/// The bit that x87 stores and the other formats imply.
fn has_leading_bit(a: u128) -> bool {
    a >> 63 & 1 != 0
}

pub(super) fn is_negative(fmt: FloatFormat, a: u128) -> bool {
    a >> (fmt.width() - 1) & 1 != 0
}

/// Stored bits of the significand, without a leading bit.
pub(super) fn fraction_bits(fmt: FloatFormat) -> u32 {
    match fmt {
        FloatFormat::F16 => 10,
        FloatFormat::F32 => 23,
        FloatFormat::F64 => 52,
        FloatFormat::F80 => 63,
        FloatFormat::F128 => 112,
    }
}

/// All ones in the exponent field.
pub(super) fn exponent_mask(fmt: FloatFormat) -> u32 {
    match fmt {
        FloatFormat::F16 => 0x1f,
        FloatFormat::F32 => 0xff,
        FloatFormat::F64 => 0x7ff,
        FloatFormat::F80 | FloatFormat::F128 => 0x7fff,
    }
}

/// The biased exponent.
pub(super) fn exponent_field(fmt: FloatFormat, a: u128) -> u32 {
    let below = fraction_bits(fmt) + u32::from(fmt == FloatFormat::F80);
    (a >> below) as u32 & exponent_mask(fmt)
}

/// The NaN that operations make.
fn default_nan(fmt: FloatFormat) -> u128 {
    let fraction = fraction_bits(fmt);
    match fmt {
        FloatFormat::F80 => 0xffff << 64 | 3 << 62,
        _ => u128::from(exponent_mask(fmt)) << fraction | 1 << (fraction - 1) | 1 << (fmt.width() - 1),
    }
}

/// What a NaN operand becomes as a result.
fn quiet(fmt: FloatFormat, nan: u128) -> u128 {
    if fmt == FloatFormat::F80 && !has_leading_bit(nan) {
        return default_nan(fmt);
    }
    nan | 1 << (fraction_bits(fmt) - 1)
}

fn canonical(fmt: FloatFormat, result: u128) -> u128 {
    if is_nan(fmt, result) { default_nan(fmt) } else { result }
}
