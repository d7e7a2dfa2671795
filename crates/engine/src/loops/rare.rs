//! Instructions that are rare in loops, on words: floats, bits, overflow, blocks of memory.
//!
//! Invariant: the results are those of the functions that the engine uses for constants, or there are none.

use taw_expr::{Bits, FloatUn, fold};
use taw_ir::{Beyond, FloatBinOp, FloatTy, FloatUnOp, Inst, Operand, Reg};

use super::arena::Arena;
use super::code::Code;
use crate::step::{bit_word, cmp_holds, float_bin_word, float_format, ordering, overflow_word};
use crate::value::{mask, signed};

/// Whether [`rare`] knows an instruction.
pub(super) fn is_rare(inst: &Inst) -> bool {
    let plain = |ty: FloatTy| matches!(ty, FloatTy::F32 | FloatTy::F64);
    match *inst {
        Inst::Overflow { width, .. } | Inst::Bit { width, .. } => width <= 64,
        // The amount of a shift of one bit is 0.
        Inst::Funnel { width, .. } => (2..=64).contains(&width),
        Inst::FloatUn { ty, .. } | Inst::FloatCmp { ty, .. } => plain(ty),
        Inst::FloatBin { op, ty, .. } => {
            plain(ty) && matches!(op, FloatBinOp::Add | FloatBinOp::Sub | FloatBinOp::Mul | FloatBinOp::Div)
        }
        Inst::FloatToFloat { from, to, .. } => plain(from) && plain(to),
        Inst::FloatToInt { from, to, beyond, .. } => {
            plain(from) && to <= 64 && matches!(beyond, Beyond::Low16 | Beyond::Low32 | Beyond::Low64)
        }
        Inst::IntToFloat { from, to, .. } => from <= 64 && plain(to),
        Inst::MemCopy { width, .. } | Inst::MemSet { width, .. } => width <= 64,
        Inst::LifetimeStart { .. } | Inst::LifetimeEnd { .. } => true,
        _ => false,
    }
}

/// Executes an instruction that [`is_rare`]; nothing if that is an error.
#[cold]
pub(super) fn rare(code: &Code, inst: &Inst, frame: &mut [u64], arena: &mut Arena<'_>) -> Option<()> {
    let word = |operand: Operand| frame[code.place(operand) as usize];
    let (dst, result): (Reg, u64) = match *inst {
        Inst::Overflow { op, width, dst, a, b } => {
            let (result, overflows) = overflow_word(op, width, word(a), word(b));
            frame[dst.as_u32() as usize + 1] = u64::from(overflows);
            (dst, result)
        }
        Inst::Bit { op, width, dst, a } => (dst, bit_word(op, width, word(a)) & mask(width)),
        Inst::Funnel { left, width, dst, a, b, c } => {
            let both = u128::from(word(a)) << width | u128::from(word(b));
            let amount = (word(c) % u64::from(width)) as u32;
            (dst, (if left { both << amount >> width } else { both >> amount }) as u64 & mask(width))
        }
        Inst::FloatUn { op, ty, dst, a } => (dst, float_un(op, ty, word(a))),
        Inst::FloatBin { op, ty, dst, a, b } => (dst, float_bin_word(op, ty, word(a), word(b))?),
        Inst::FloatCmp { op, ty, dst, a, b } => (dst, u64::from(cmp_holds(op, ordering(ty, word(a), word(b))?))),
        Inst::FloatToFloat { from, to, dst, src } => (dst, float_to_float(from, to, word(src))),
        Inst::FloatToInt { from, to, beyond, dst, src, .. } => {
            let width = match beyond {
                Beyond::Low16 => 16,
                Beyond::Low32 => 32,
                _ => 64,
            };
            let wide = fold::float_to_int(float_format(from), true, u128::from(word(src)), width);
            (dst, wide.low() & mask(to))
        }
        Inst::IntToFloat { from, to, signed: is_signed, dst, src } => {
            (dst, int_to_float(from, to, is_signed, word(src)))
        }
        Inst::MemCopy { dst, src, len, .. } => return copy(word(dst), word(src), word(len), arena),
        Inst::MemSet { dst, byte, len, .. } => {
            let (to, byte, len) = (word(dst), word(byte) as u8, usize::try_from(word(len)).ok()?);
            if len > 0 {
                arena.write(to, len)?.fill(byte);
            }
            return Some(());
        }
        Inst::LifetimeStart { ptr } => return arena.begin(word(ptr)),
        Inst::LifetimeEnd { .. } => return Some(()),
        _ => return None,
    };
    frame[dst.as_u32() as usize] = result;
    Some(())
}

fn copy(to: u64, from: u64, len: u64, arena: &mut Arena<'_>) -> Option<()> {
    let len = usize::try_from(len).ok()?;
    if len > 0 {
        let bytes = arena.read(from, len)?.to_vec();
        arena.write(to, len)?.copy_from_slice(&bytes);
    }
    Some(())
}

fn float_un(op: FloatUnOp, ty: FloatTy, a: u64) -> u64 {
    let sign = 1 << (ty.bits() - 1);
    let op = match op {
        FloatUnOp::Neg => return a ^ sign,
        FloatUnOp::Abs => return a & !sign,
        FloatUnOp::Sqrt => FloatUn::Sqrt,
        FloatUnOp::Floor => FloatUn::Floor,
        FloatUnOp::Ceil => FloatUn::Ceil,
        FloatUnOp::Trunc => FloatUn::Trunc,
        FloatUnOp::RoundEven => FloatUn::RoundEven,
        FloatUnOp::RoundAway => FloatUn::RoundAway,
    };
    fold::float_un(op, float_format(ty), u128::from(a)) as u64
}

fn float_to_float(from: FloatTy, to: FloatTy, a: u64) -> u64 {
    match (from, to) {
        (FloatTy::F32, FloatTy::F64) => f64::from(f32::from_bits(a as u32)).to_bits(),
        (FloatTy::F64, FloatTy::F32) => u64::from((f64::from_bits(a) as f32).to_bits()),
        _ => fold::float_to_float(float_format(from), float_format(to), u128::from(a)) as u64,
    }
}

fn int_to_float(from: u32, to: FloatTy, is_signed: bool, a: u64) -> u64 {
    match (to, is_signed) {
        (FloatTy::F64, true) => (signed(a, from) as f64).to_bits(),
        (FloatTy::F64, false) => (a as f64).to_bits(),
        _ => fold::int_to_float(float_format(to), is_signed, &Bits::new(from, a)) as u64,
    }
}
