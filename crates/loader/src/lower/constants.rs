//! Constants: evaluated as far as they can be before addresses are known.

use taw_ir::{ConstValue, Symbol};

use super::Lower;
use crate::llvm::{LlvmType, LlvmTypeKind, LlvmValue, Opcode, ValueKind};

/// The number of 64-bit words that hold so many bits.
pub fn word_count(bits: u64) -> usize {
    bits.div_ceil(64) as usize
}

/// A number as plain bits of a width.
pub fn bits(value: u64, width: u32) -> ConstValue {
    let mut words = vec![0; word_count(u64::from(width))];
    words[0] = value;
    mask(&mut words, u64::from(width));
    ConstValue::Bits(words.into())
}

/// Clears what lies above the width.
fn mask(words: &mut [u64], width: u64) {
    if let (Some(last), rest @ 1..) = (words.last_mut(), width % 64) {
        *last &= (1 << rest) - 1;
    }
}

impl<'m> Lower<'m> {
    /// The value of a constant of scalar type, or `None` if it takes instructions to compute it.
    pub fn const_value(&mut self, c: LlvmValue<'m>) -> Option<ConstValue> {
        match c.kind() {
            ValueKind::LLVMConstantIntValueKind | ValueKind::LLVMConstantFPValueKind => {
                Some(ConstValue::Bits(c.words()?.into()))
            }
            ValueKind::LLVMConstantPointerNullValueKind => Some(self.zero(c.ty())),
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => Some(ConstValue::Undef),
            ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalIFuncValueKind
            | ValueKind::LLVMGlobalVariableValueKind => self.address(c),
            ValueKind::LLVMGlobalAliasValueKind => self.const_value(c.aliasee()),
            ValueKind::LLVMBlockAddressValueKind => {
                let (function, block) = c.block_address();
                let id = self.block_id(function, block);
                Some(ConstValue::Address(Symbol::Block(*self.functions.get(&function)?, id), 0))
            }
            ValueKind::LLVMConstantExprValueKind => self.const_expression(c),
            _ => None,
        }
    }

    fn zero(&self, ty: LlvmType<'m>) -> ConstValue {
        let bits = self.layout.bits(ty);
        ConstValue::Bits(vec![0; word_count(bits)].into())
    }

    fn address(&mut self, c: LlvmValue<'m>) -> Option<ConstValue> {
        if c.is_declaration() && c.is_extern_weak() {
            return Some(self.zero(c.ty()));
        }
        let symbol = match self.functions.get(&c) {
            Some(&id) => Symbol::Function(id),
            None => Symbol::Global(*self.globals.get(&c)?),
        };
        Some(ConstValue::Address(symbol, 0))
    }

    fn const_expression(&mut self, c: LlvmValue<'m>) -> Option<ConstValue> {
        let width = match c.ty().kind() {
            LlvmTypeKind::Int(_) | LlvmTypeKind::Pointer => self.layout.bits(c.ty()),
            _ => return None,
        };
        match c.opcode()? {
            Opcode::LLVMGetElementPtr => {
                let base = self.const_value(c.operand(0))?;
                let offset = self.const_offset(c)?;
                Some(add(base, ConstValue::Bits([offset as u64].into()), width))
            }
            Opcode::LLVMAdd => {
                let (a, b) = (self.const_value(c.operand(0))?, self.const_value(c.operand(1))?);
                Some(add(a, b, width))
            }
            Opcode::LLVMSub => {
                let (a, b) = (self.const_value(c.operand(0))?, self.const_value(c.operand(1))?);
                Some(sub(a, b, width))
            }
            // Narrowing commutes with sums and differences: only the low bits of the symbols matter.
            Opcode::LLVMPtrToInt
            | Opcode::LLVMPtrToAddr
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMTrunc => {
                let from = c.operand(0);
                if !matches!(from.ty().kind(), LlvmTypeKind::Int(_) | LlvmTypeKind::Pointer) {
                    return None;
                }
                let widens = self.layout.bits(from.ty()) < width;
                match self.const_value(from)? {
                    ConstValue::Bits(words) => Some(resize(&words, width)),
                    other if !widens => Some(other),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The number of bytes that a `getelementptr` with constant indices adds.
    pub fn const_offset(&mut self, gep: LlvmValue<'m>) -> Option<i64> {
        let mut at = gep.gep_type();
        self.types.bytes(at)?;
        let mut sum = 0i64;
        for (i, index) in gep.operands().skip(1).enumerate() {
            let index = signed(index)?;
            sum = sum.wrapping_add(self.step(&mut at, i, index));
        }
        Some(sum)
    }

    /// The number of bytes that index number `i` of a `getelementptr` adds; `at` moves to the type it selects.
    pub fn step(&self, at: &mut LlvmType<'m>, i: usize, index: i64) -> i64 {
        if i > 0 && at.kind() == LlvmTypeKind::Struct {
            let offset = self.layout.offset(*at, index as u32);
            *at = at.element(index as u32);
            return offset as i64;
        }
        index.wrapping_mul(self.stride(at, i) as i64)
    }

    /// The number of bytes that one more in index number `i` means, for anything but a structure; `at` moves on.
    pub fn stride(&self, at: &mut LlvmType<'m>, i: usize) -> u64 {
        let packed = i > 0 && at.kind() == LlvmTypeKind::Vector;
        if i > 0 {
            *at = at.element(0);
        }
        if packed { self.layout.bits(*at).div_ceil(8) } else { self.layout.alloc_bytes(*at) }
    }
}

/// The value of an integer constant (or of the one that all lanes of a vector are) as a signed number.
pub fn signed(c: LlvmValue<'_>) -> Option<i64> {
    let ty = c.ty();
    match ty.kind() {
        LlvmTypeKind::Int(width) => {
            let words = match c.kind() {
                ValueKind::LLVMConstantIntValueKind => c.words()?,
                _ => return None,
            };
            let low = *words.first()?;
            let shift = 64 - width.min(64);
            Some(((low << shift) as i64) >> shift)
        }
        LlvmTypeKind::Vector if c.kind() == ValueKind::LLVMConstantAggregateZeroValueKind => Some(0),
        LlvmTypeKind::Vector if c.is_constant() => {
            let first = signed(c.aggregate_element(0)?)?;
            let all = (1..ty.count() as u32).all(|i| c.aggregate_element(i).and_then(signed) == Some(first));
            all.then_some(first)
        }
        _ => None,
    }
}

fn resize(words: &[u64], width: u64) -> ConstValue {
    let mut words: Vec<u64> = words.iter().copied().chain(std::iter::repeat(0)).take(word_count(width)).collect();
    mask(&mut words, width);
    ConstValue::Bits(words.into())
}

/// A number that is small enough to be an offset.
fn small(value: &ConstValue) -> Option<i64> {
    match value {
        ConstValue::Bits(words) => match words.as_ref() {
            [word] => Some(*word as i64),
            _ => None,
        },
        _ => None,
    }
}

/// Sign-extends a number of the width, so that an offset is the distance it means.
fn as_offset(value: i64, width: u64) -> i64 {
    let shift = 64 - width.clamp(1, 64) as u32;
    (value << shift) >> shift
}

fn add(a: ConstValue, b: ConstValue, width: u64) -> ConstValue {
    match (a, b) {
        (ConstValue::Undef, _) | (_, ConstValue::Undef) => ConstValue::Undef,
        (ConstValue::Address(s, x), b) if small(&b).is_some() && width <= 64 => {
            ConstValue::Address(s, x.wrapping_add(as_offset(small(&b).unwrap_or(0), width)))
        }
        (a, ConstValue::Address(s, x)) if small(&a).is_some() => add(ConstValue::Address(s, x), a, width),
        (ConstValue::Bits(a), ConstValue::Bits(b)) => arithmetic(&a, &b, width, false),
        (a, b) => ConstValue::Add(Box::new(a), Box::new(b)),
    }
}

fn sub(a: ConstValue, b: ConstValue, width: u64) -> ConstValue {
    match (a, b) {
        (ConstValue::Undef, _) | (_, ConstValue::Undef) => ConstValue::Undef,
        (ConstValue::Address(s, x), b) if small(&b).is_some() && width <= 64 => {
            ConstValue::Address(s, x.wrapping_sub(as_offset(small(&b).unwrap_or(0), width)))
        }
        // Two places of one object are a known distance apart.
        (ConstValue::Address(s, x), ConstValue::Address(t, y)) if s == t => {
            let low = [x.wrapping_sub(y) as u64];
            let high = if x < y { u64::MAX } else { 0 };
            let words: Vec<u64> = low.into_iter().chain(std::iter::repeat(high)).take(word_count(width)).collect();
            resize(&words, width)
        }
        (ConstValue::Bits(a), ConstValue::Bits(b)) => arithmetic(&a, &b, width, true),
        (a, b) => ConstValue::Sub(Box::new(a), Box::new(b)),
    }
}

/// `a + b`, or `a - b` as `a + !b + 1`.
fn arithmetic(a: &[u64], b: &[u64], width: u64, subtract: bool) -> ConstValue {
    let mut carry = subtract;
    let word = |words: &[u64], i: usize| words.get(i).copied().unwrap_or(0);
    let sum: Vec<u64> = (0..word_count(width))
        .map(|i| {
            let b = if subtract { !word(b, i) } else { word(b, i) };
            let (low, first) = word(a, i).overflowing_add(b);
            let (low, second) = low.overflowing_add(u64::from(carry));
            carry = first || second;
            low
        })
        .collect();
    resize(&sum, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_arithmetic_carries() {
        let one = [1, 0];
        let max = [u64::MAX, 0];
        assert_eq!(arithmetic(&max, &one, 128, false), ConstValue::Bits([0, 1].into()));
        assert_eq!(arithmetic(&[0, 1], &one, 128, true), ConstValue::Bits([u64::MAX, 0].into()));
        assert_eq!(arithmetic(&[0], &[1], 33, true), ConstValue::Bits([(1 << 33) - 1].into()));
    }

    #[test]
    fn offsets_below_zero_are_distances() {
        let here = ConstValue::Address(Symbol::Global(taw_ir::GlobalId::from_u32(0)), 8);
        let minus_four = ConstValue::Bits([0xFFFF_FFFC].into());
        let expected = ConstValue::Address(Symbol::Global(taw_ir::GlobalId::from_u32(0)), 4);
        assert_eq!(add(here.clone(), minus_four, 32), expected);
        assert_eq!(sub(here.clone(), expected, 64), bits(4, 64));
    }
}
