//! Multiplication and division, which use a pair of registers for what is twice as wide.
//!
//! A quotient that does not fit is the same fault of the machine as a divisor of zero, and an error of the program here too.

use taw_ir::{CmpOp, IntOp, Operand};

use super::flags::{Flag, Flags};
use super::instructions::{Done, Op};
use super::machine::{FoundOperand, Machine};
use super::registers::{AX, DX};

/// How numbers are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signs {
    Unsigned,
    Signed,
}

impl Machine<'_, '_, '_> {
    fn widened(&mut self, value: Operand, width: u32, signs: Signs) -> Operand {
        match signs {
            Signs::Unsigned => self.resized(value, width),
            Signs::Signed => self.extended(value, width),
        }
    }

    /// Where the upper half of what is twice as wide as `width` is: `dx`, or `ah` for bytes.
    fn upper_half(&mut self, width: u32) -> FoundOperand {
        match width {
            8 => FoundOperand::Register { slot: self.fixed(AX), low: 8 },
            _ => self.implied(DX),
        }
    }

    /// The accumulator times the operand, twice as wide.
    pub(super) fn multiply(&mut self, op: &Op<'_>, signs: Signs) -> Done {
        let (width, term) = (self.size(op)?, op.one()?);
        let accumulator = self.implied(AX);
        let (a, b) = (self.read(accumulator, width)?, self.source(term, width)?);
        let (wide_a, wide_b) = (self.widened(a, 2 * width, signs), self.widened(b, 2 * width, signs));
        let product = self.bin(IntOp::Mul, wide_a, wide_b);
        let low = self.resized(product, width);
        let high = self.shifted_right(product, width);
        let high = self.resized(high, width);
        self.write(accumulator, width, low)?;
        let upper = self.upper_half(width);
        self.write(upper, width, high)?;
        let exceeds = match signs {
            Signs::Unsigned => Flag::NotZero(high),
            Signs::Signed => Flag::OverflowOfProduct { a, b },
        };
        self.flags = Flags { carry: exceeds, overflow: exceeds, ..Flags::UNDEFINED };
        Ok(())
    }

    /// With two or three operands only the lower half is kept.
    pub(super) fn signed_multiply(&mut self, op: &Op<'_>) -> Done {
        let (factors, destination) = match op.terms {
            [_] => return self.multiply(op, Signs::Signed),
            [factor, destination] => ([factor, destination], destination),
            [first, second, destination] => ([first, second], destination),
            _ => return Err("a multiplication with the wrong number of operands".to_string()),
        };
        let width = self.size(op)?;
        let target = self.locate(destination)?;
        let (a, b) = (self.source(factors[0], width)?, self.source(factors[1], width)?);
        let product = self.bin(IntOp::Mul, a, b);
        let exceeds = Flag::OverflowOfProduct { a, b };
        self.flags = Flags { carry: exceeds, overflow: exceeds, ..Flags::UNDEFINED };
        self.write(target, width, product)
    }

    /// The pair of registers by the operand: the quotient to the lower, the remainder to the upper.
    pub(super) fn divide(&mut self, op: &Op<'_>, signs: Signs) -> Done {
        let (width, term) = (self.size(op)?, op.one()?);
        let (lower, upper) = (self.implied(AX), self.upper_half(width));
        let divisor = self.source(term, width)?;
        let (low, high) = (self.read(lower, width)?, self.read(upper, width)?);
        let (wide_low, wide_high) = (self.resized(low, 2 * width), self.resized(high, 2 * width));
        let by = self.number(2 * width, u64::from(width));
        let shifted = self.bin(IntOp::Shl, wide_high, by);
        let dividend = self.bin(IntOp::Or, shifted, wide_low);
        let wide = self.widened(divisor, 2 * width, signs);
        let (divide, rest) = match signs {
            Signs::Unsigned => (IntOp::UDiv, IntOp::URem),
            Signs::Signed => (IntOp::SDiv, IntOp::SRem),
        };
        let quotient = self.bin(divide, dividend, wide);
        let remainder = self.bin(rest, dividend, wide);
        let (narrow, remainder) = (self.resized(quotient, width), self.resized(remainder, width));
        let too_wide = match signs {
            Signs::Unsigned => self.body.compare(CmpOp::Uge, high, divisor),
            Signs::Signed => {
                let again = self.extended(narrow, 2 * width);
                self.body.compare(CmpOp::Ne, again, quotient)
            }
        };
        self.fail_if(too_wide, width);
        self.flags = Flags::UNDEFINED;
        self.write(lower, width, narrow)?;
        self.write(upper, width, remainder)
    }

    /// A division that overflows, made only if the condition holds: the one of the smallest number by -1.
    fn fail_if(&mut self, condition: Operand, width: u32) {
        let (lowest, minus_one) = (self.number(width, 1 << (width - 1)), self.number(width, u64::MAX));
        self.body.only_if(condition, |body| {
            let ty = body.type_of(lowest);
            body.binary(IntOp::SDiv, ty, lowest, minus_one);
        });
    }

    /// Fills the upper register of the pair with the sign of the lower.
    pub(super) fn spread_sign(&mut self, width: u32) -> Done {
        if width > self.word {
            return Err(format!("an instruction of {width} bits"));
        }
        let lower = self.implied(AX);
        let a = self.read(lower, width)?;
        let by = self.number(width, u64::from(width - 1));
        let signs = self.bin(IntOp::AShr, a, by);
        let upper = self.implied(DX);
        self.write(upper, width, signs)
    }
}
