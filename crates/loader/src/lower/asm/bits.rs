//! Shifts, rotations, searches for bits and counts of them.

use taw_ir::{BitOp, Inst, IntOp, Operand, Ty};

use super::flags::{Flag, Flags};
use super::instructions::{Done, Op};
use super::machine::Machine;
use super::template::WrittenOperand;

/// A shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    Left,
    /// Zeros come in.
    Right,
    /// The sign comes in.
    Arithmetic,
}

/// A direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rotation {
    Left,
    Right,
}

/// A search for a one that has no answer for zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scan {
    /// From the lowest bit.
    Forward,
    /// From the highest.
    Reverse,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountedBits {
    TrailingZeros,
    LeadingZeros,
    Ones,
}

impl Machine<'_, '_, '_> {
    /// The amount and the destination; an amount that is not written is one.
    fn amount<'t>(&mut self, op: &Op<'t>, width: u32) -> Result<(Operand, &'t WrittenOperand), String> {
        let (amount, destination) = match op.terms {
            [destination] => (self.number(8, 1), destination),
            [amount, destination] => (self.source(amount, 8)?, destination),
            _ => return Err("a shift with the wrong number of operands".to_string()),
        };
        // The machine looks at five bits of it, or six.
        let mask = if width == 64 { 63 } else { 31 };
        let amount = match self.known(amount) {
            Some(known) => self.number(8, known & mask),
            None => {
                let mask = self.number(8, mask);
                self.bin(IntOp::And, amount, mask)
            }
        };
        Ok((amount, destination))
    }

    pub(super) fn shift(&mut self, op: &Op<'_>, shift: Shift) -> Done {
        let width = self.size(op)?;
        let (amount, destination) = self.amount(op, width)?;
        let target = self.locate(destination)?;
        let a = self.read(target, width)?;
        // Bytes and words can be shifted by more than their width.
        let room = width.max(32);
        let (wide, op) = match shift {
            Shift::Left => (self.resized(a, room), IntOp::Shl),
            Shift::Right => (self.resized(a, room), IntOp::LShr),
            Shift::Arithmetic => (self.extended(a, room), IntOp::AShr),
        };
        let by = self.resized(amount, room);
        let wide = self.bin(op, wide, by);
        let result = self.resized(wide, width);
        self.flags = match self.known(amount) {
            Some(0) => self.flags,
            Some(by) => {
                let by = by as u32;
                let carry = match shift {
                    _ if by >= width => Flag::Undefined,
                    Shift::Left => Flag::Bit(a, width - by),
                    Shift::Right | Shift::Arithmetic => Flag::Bit(a, by - 1),
                };
                Flags::of_result(result, width, carry, Flag::Undefined)
            }
            // By zero they stay as they were, which depends.
            None => Flags::UNDEFINED,
        };
        self.write(target, width, result)
    }

    pub(super) fn rotate(&mut self, op: &Op<'_>, rotation: Rotation) -> Done {
        let width = self.size(op)?;
        let (amount, destination) = self.amount(op, width)?;
        let target = self.locate(destination)?;
        let a = self.read(target, width)?;
        let c = self.resized(amount, width);
        let left = rotation == Rotation::Left;
        let result = self.body.compute(Ty::Int(width), |dst| Inst::Funnel { left, width, dst, a, b: a, c });
        let carry = match (self.known(amount), rotation) {
            (Some(0), _) => self.flags.carry,
            (Some(_), Rotation::Left) => Flag::Bit(result, 0),
            (Some(_), Rotation::Right) => Flag::Bit(result, width - 1),
            (None, _) => Flag::Undefined,
        };
        if self.known(amount) != Some(0) {
            self.flags = Flags { carry, overflow: Flag::Undefined, compared: None, ..self.flags };
        }
        self.write(target, width, result)
    }

    /// For zero the destination stays as it was, which is what all makers' machines do.
    pub(super) fn scan(&mut self, op: &Op<'_>, scan: Scan) -> Done {
        let (width, (source, destination)) = (self.size(op)?, op.two()?);
        let target = self.locate(destination)?;
        let (source, old) = (self.source(source, width)?, self.read(target, width)?);
        let found = match scan {
            Scan::Forward => self.bit_operation(BitOp::Cttz, source),
            Scan::Reverse => {
                let above = self.bit_operation(BitOp::Ctlz, source);
                let highest = self.number(width, u64::from(width - 1));
                self.bin(IntOp::Sub, highest, above)
            }
        };
        let none = self.equals_zero(source);
        let result = self.choose(none, old, found);
        self.flags = Flags { zero: Flag::Zero(source), ..Flags::UNDEFINED };
        self.write(target, width, result)
    }

    pub(super) fn count(&mut self, op: &Op<'_>, count: CountedBits) -> Done {
        let (width, (source, destination)) = (self.size(op)?, op.two()?);
        let source = self.source(source, width)?;
        let operation = match count {
            CountedBits::TrailingZeros => BitOp::Cttz,
            CountedBits::LeadingZeros => BitOp::Ctlz,
            CountedBits::Ones => BitOp::Ctpop,
        };
        let result = self.bit_operation(operation, source);
        self.flags = match count {
            CountedBits::TrailingZeros | CountedBits::LeadingZeros => {
                Flags { carry: Flag::Zero(source), zero: Flag::Zero(result), ..Flags::UNDEFINED }
            }
            CountedBits::Ones => Flags {
                carry: Flag::Constant(false),
                zero: Flag::Zero(source),
                sign: Flag::Constant(false),
                overflow: Flag::Constant(false),
                parity: Flag::Constant(false),
                compared: None,
            },
        };
        let target = self.locate(destination)?;
        self.write(target, width, result)
    }

    pub(super) fn swap_bytes(&mut self, op: &Op<'_>) -> Done {
        let (width, term) = (self.size(op)?, op.one()?);
        if width < 32 {
            return Err("a byte swap of less than 32 bits".to_string());
        }
        let target = self.locate(term)?;
        let a = self.read(target, width)?;
        let result = self.bit_operation(BitOp::Bswap, a);
        self.write(target, width, result)
    }

    fn bit_operation(&mut self, op: BitOp, a: Operand) -> Operand {
        let ty = self.body.type_of(a);
        let width = self.body.width(ty);
        self.body.compute(ty, |dst| Inst::Bit { op, width, dst, a })
    }
}
