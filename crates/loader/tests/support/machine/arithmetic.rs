//! Arithmetic of the machine: integers up to 128 bits in a `u128`, floats as their bits.

use taw_ir::*;

pub fn mask(value: u128, width: u32) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

pub fn signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

pub fn binary(op: IntOp, width: u32, a: u128, b: u128) -> u128 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let (max, min) = (mask(u128::MAX, width - 1) as i128, -1 - mask(u128::MAX, width - 1) as i128);
    let value = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::UDiv => a / b,
        IntOp::SDiv => sa.wrapping_div(sb) as u128,
        IntOp::URem => a % b,
        IntOp::SRem => sa.wrapping_rem(sb) as u128,
        // Optimisers compute shifts ahead whose results they do not use if they are too wide.
        IntOp::Shl | IntOp::LShr | IntOp::AShr if b >= width.into() => 0,
        IntOp::Shl => a << b,
        IntOp::LShr => a >> b,
        IntOp::AShr => (sa >> b) as u128,
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::UMin => a.min(b),
        IntOp::UMax => a.max(b),
        IntOp::SMin => sa.min(sb) as u128,
        IntOp::SMax => sa.max(sb) as u128,
        IntOp::UAddSat => a.saturating_add(b).min(mask(u128::MAX, width)),
        IntOp::USubSat => a.saturating_sub(b),
        IntOp::SAddSat => sa.saturating_add(sb).clamp(min, max) as u128,
        IntOp::SSubSat => sa.saturating_sub(sb).clamp(min, max) as u128,
        IntOp::UShlSat | IntOp::SShlSat => panic!("{op:?}"),
    };
    mask(value, width)
}

pub fn overflow(op: OverflowOp, width: u32, a: u128, b: u128) -> (u128, bool) {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let unsigned = |(value, over): (u128, bool)| (mask(value, width), over || value != mask(value, width));
    let with_sign = |(value, over): (i128, bool)| {
        let low = mask(value as u128, width);
        (low, over || signed(low, width) != value)
    };
    match op {
        OverflowOp::UAdd => unsigned(a.overflowing_add(b)),
        OverflowOp::USub => (mask(a.wrapping_sub(b), width), a < b),
        OverflowOp::UMul => unsigned(a.overflowing_mul(b)),
        OverflowOp::SAdd => with_sign(sa.overflowing_add(sb)),
        OverflowOp::SSub => with_sign(sa.overflowing_sub(sb)),
        OverflowOp::SMul => with_sign(sa.overflowing_mul(sb)),
    }
}

pub fn bit(op: BitOp, width: u32, a: u128) -> u128 {
    match op {
        BitOp::Ctpop => a.count_ones().into(),
        BitOp::Ctlz => (a.leading_zeros() - (128 - width)).into(),
        BitOp::Cttz => a.trailing_zeros().min(width).into(),
        BitOp::Bswap => a.swap_bytes() >> (128 - width),
        BitOp::BitReverse => a.reverse_bits() >> (128 - width),
        BitOp::Abs => mask(signed(a, width).wrapping_abs() as u128, width),
    }
}

pub fn funnel(left: bool, width: u32, a: u128, b: u128, c: u128) -> u128 {
    let by = (c % u128::from(width)) as u32;
    match (left, by) {
        (true, 0) => a,
        (false, 0) => b,
        (true, _) => mask(a << by | b >> (width - by), width),
        (false, _) => mask(a << (width - by) | b >> by, width),
    }
}

pub fn compare(op: CmpOp, width: u32, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(a, width), signed(b, width));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => sa < sb,
        CmpOp::Sle => sa <= sb,
        CmpOp::Sgt => sa > sb,
        CmpOp::Sge => sa >= sb,
    }
}

pub fn decode(ty: FloatTy, bits: u128) -> f64 {
    match ty {
        FloatTy::F32 => f32::from_bits(bits as u32).into(),
        FloatTy::F64 => f64::from_bits(bits as u64),
        other => panic!("arithmetic on {other}"),
    }
}

pub fn encode(ty: FloatTy, value: f64) -> u128 {
    match ty {
        FloatTy::F32 => (value as f32).to_bits().into(),
        FloatTy::F64 => value.to_bits().into(),
        other => panic!("arithmetic on {other}"),
    }
}

pub fn float_unary(op: FloatUnOp, a: f64) -> f64 {
    match op {
        FloatUnOp::Neg => -a,
        FloatUnOp::Abs => a.abs(),
        FloatUnOp::Sqrt => a.sqrt(),
        FloatUnOp::Floor => a.floor(),
        FloatUnOp::Ceil => a.ceil(),
        FloatUnOp::Trunc => a.trunc(),
        FloatUnOp::RoundEven => a.round_ties_even(),
        FloatUnOp::RoundAway => a.round(),
    }
}

/// Computing in double and rounding to single gives the correctly rounded result for these operations.
pub fn float_binary(op: FloatBinOp, ty: FloatTy, a: u128, b: u128) -> u128 {
    let (x, y) = (decode(ty, a), decode(ty, b));
    let value = match op {
        FloatBinOp::Add => x + y,
        FloatBinOp::Sub => x - y,
        FloatBinOp::Mul => x * y,
        FloatBinOp::Div => x / y,
        FloatBinOp::Rem => x % y,
        FloatBinOp::MinNum => x.min(y),
        FloatBinOp::MaxNum => x.max(y),
        FloatBinOp::CopySign => x.copysign(y),
        FloatBinOp::Minimum | FloatBinOp::Maximum => panic!("{op:?}"),
    };
    encode(ty, value)
}

pub fn fused(ty: FloatTy, a: u128, b: u128, c: u128) -> u128 {
    match ty {
        FloatTy::F32 => {
            f32::from_bits(a as u32).mul_add(f32::from_bits(b as u32), f32::from_bits(c as u32)).to_bits().into()
        }
        _ => encode(ty, decode(ty, a).mul_add(decode(ty, b), decode(ty, c))),
    }
}

pub fn float_compare(op: FloatCmpOp, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match op {
        FloatCmpOp::False => false,
        FloatCmpOp::Oeq => a == b,
        FloatCmpOp::Ogt => a > b,
        FloatCmpOp::Oge => a >= b,
        FloatCmpOp::Olt => a < b,
        FloatCmpOp::Ole => a <= b,
        FloatCmpOp::One => !unordered && a != b,
        FloatCmpOp::Ord => !unordered,
        FloatCmpOp::Uno => unordered,
        FloatCmpOp::Ueq => unordered || a == b,
        FloatCmpOp::Ugt => unordered || a > b,
        FloatCmpOp::Uge => unordered || a >= b,
        FloatCmpOp::Ult => unordered || a < b,
        FloatCmpOp::Ule => unordered || a <= b,
        FloatCmpOp::Une => a != b,
        FloatCmpOp::True => true,
    }
}

pub fn float_to_int(value: f64, to: u32, is_signed: bool, beyond: Beyond) -> u128 {
    let (low, high) =
        if is_signed { (-(2f64.powi(to as i32 - 1)), 2f64.powi(to as i32 - 1)) } else { (0.0, 2f64.powi(to as i32)) };
    let truncated = value.trunc();
    if beyond == Beyond::Sat {
        let max = if is_signed { mask(u128::MAX, to - 1) } else { mask(u128::MAX, to) };
        let min = if is_signed { 1 << (to - 1) } else { 0 };
        return match truncated {
            t if t.is_nan() => 0,
            t if t < low => min,
            t if t >= high => max,
            t => mask(t as i128 as u128, to),
        };
    }
    let machine = match beyond {
        Beyond::Low16 => 16,
        Beyond::Low32 => 32,
        _ => 64,
    };
    let fits = truncated.abs() < 2f64.powi(machine - 1) || (truncated >= low && truncated < high);
    mask(if fits { truncated as i128 as u128 } else { 1 << (machine - 1) }, to)
}

pub fn class(mask: u16, value: f64) -> bool {
    let negative = value.is_sign_negative();
    let bit = match value.classify() {
        std::num::FpCategory::Nan => 1,
        std::num::FpCategory::Infinite => {
            if negative {
                2
            } else {
                9
            }
        }
        std::num::FpCategory::Normal => {
            if negative {
                3
            } else {
                8
            }
        }
        std::num::FpCategory::Subnormal => {
            if negative {
                4
            } else {
                7
            }
        }
        std::num::FpCategory::Zero => {
            if negative {
                5
            } else {
                6
            }
        }
    };
    mask >> bit & 1 == 1
}
