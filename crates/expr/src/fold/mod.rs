//! What every operation computes: the one meaning that folding, evaluation and rewriting share.
//!
//! Boundary: values in, values out, no terms. Every function is total; operands have the widths that
//! [`crate::Node`] prescribes. The `_u64` variants are for operands and results of at most 64 bits and do not allocate.

mod float;
mod soft;

pub use float::{float_bin, float_cmp, float_to_float, float_to_int, float_un, fma, int_to_float, is_nan};

use crate::bits::{Bits, mask, signed};
use crate::node::BinOp;

/// `op` on two values.
pub fn bin(op: BinOp, a: &Bits, b: &Bits) -> Bits {
    let width = a.width();
    if let (Some(x), Some(y)) = (a.as_u64(), b.as_u64()) {
        match op {
            BinOp::Concat if width + b.width() > 64 => {}
            BinOp::Concat => return Bits::new(width + b.width(), x << b.width() | y),
            _ => return Bits::new(if op.is_comparison() { 1 } else { width }, bin_u64(op, width, x, y)),
        }
    }
    match op {
        BinOp::Add => a.add(b),
        BinOp::Sub => a.sub(b),
        BinOp::Mul => a.mul(b),
        BinOp::UDiv => a.divide(b).0,
        BinOp::SDiv => a.divide_signed(b).0,
        BinOp::URem => a.divide(b).1,
        BinOp::SRem => a.divide_signed(b).1,
        BinOp::Shl => a.shl(b.as_distance()),
        BinOp::LShr => a.lshr(b.as_distance()),
        BinOp::AShr => a.ashr(b.as_distance()),
        BinOp::And => a.and(b),
        BinOp::Or => a.or(b),
        BinOp::Xor => a.xor(b),
        BinOp::Concat => a.concat(b),
        BinOp::Eq => truth(a == b),
        BinOp::Ult => truth(a.compare(b).is_lt()),
        BinOp::Ule => truth(a.compare(b).is_le()),
        BinOp::Slt => truth(a.compare_signed(b).is_lt()),
        BinOp::Sle => truth(a.compare_signed(b).is_le()),
    }
}

fn truth(value: bool) -> Bits {
    Bits::new(1, u64::from(value))
}

/// `op` (any but `Concat`, whose second width is not known here) on two reduced values of `width` bits, 1 to 64.
#[inline]
pub fn bin_u64(op: BinOp, width: u32, a: u64, b: u64) -> u64 {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let full = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        BinOp::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                u64::MAX
            }
        }
        BinOp::SDiv => sa.wrapping_div(sb) as u64,
        BinOp::URem => a.checked_rem(b).unwrap_or(a),
        BinOp::SRem if b == 0 => a,
        BinOp::SRem => sa.wrapping_rem(sb) as u64,
        BinOp::Shl => {
            if b >= u64::from(width) {
                0
            } else {
                a << b
            }
        }
        BinOp::LShr => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        BinOp::AShr => (sa >> b.min(63)) as u64,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Concat => unreachable!("the caller folds concatenation"),
        BinOp::Eq => u64::from(a == b),
        BinOp::Ult => u64::from(a < b),
        BinOp::Ule => u64::from(a <= b),
        BinOp::Slt => u64::from(sa < sb),
        BinOp::Sle => u64::from(sa <= sb),
    };
    full & mask(width)
}
