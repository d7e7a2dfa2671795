//! Instructions: the table of their names, moves, sums and logic. `bits` and `multiply` have the others.

use taw_ir::{CmpOp, IntOp, Operand};

use super::bits::{CountedBits, Rotation, Scan, Shift};
use super::flags::{self, Flag, Flags};
use super::machine::{FoundOperand, Machine};
use super::multiply::Signs;
use super::registers::{AX, BX, CX, DX};
use super::template::{Instruction, InstructionPrefix, WrittenOperand};

/// What an instruction does to the machine, or why it cannot be told.
pub type Done = Result<(), String>;

/// The operands of an instruction, and its size if the name tells it.
pub struct Op<'t> {
    pub suffix: Option<u32>,
    pub terms: &'t [WrittenOperand],
}

impl Op<'_> {
    /// The only operand.
    pub fn one(&self) -> Result<&WrittenOperand, String> {
        match self.terms {
            [only] => Ok(only),
            _ => Err("an instruction with the wrong number of operands".to_string()),
        }
    }

    /// The source and the destination.
    pub fn two(&self) -> Result<(&WrittenOperand, &WrittenOperand), String> {
        match self.terms {
            [source, destination] => Ok((source, destination)),
            _ => Err("an instruction with the wrong number of operands".to_string()),
        }
    }
}

type InstructionStep = fn(&mut Machine<'_, '_, '_>, &Op<'_>) -> Done;

/// Names without sizes, and what they do. `set…`, `cmov…`, `movz…` and `movs…` are families of their own.
const TABLE: &[(&str, InstructionStep)] = &[
    ("mov", |m, op| m.move_(op)),
    ("movabs", |m, op| m.move_(op)),
    ("lea", |m, op| m.load_address(op)),
    ("xchg", |m, op| m.exchange(op)),
    ("xadd", |m, op| m.exchange_and_add(op)),
    ("cmpxchg", |m, op| m.compare_and_exchange(op)),
    ("add", |m, op| m.update(op, |m, a, b| Ok(m.sum(a, b, None)))),
    ("adc", |m, op| m.update(op, Machine::sum_with_carry)),
    ("sub", |m, op| m.update(op, |m, a, b| Ok(m.difference(a, b, None)))),
    ("sbb", |m, op| m.update(op, Machine::difference_with_borrow)),
    ("and", |m, op| m.update(op, |m, a, b| Ok(m.logic(IntOp::And, a, b)))),
    ("or", |m, op| m.update(op, |m, a, b| Ok(m.logic(IntOp::Or, a, b)))),
    ("xor", |m, op| m.update(op, |m, a, b| Ok(m.logic(IntOp::Xor, a, b)))),
    ("cmp", |m, op| m.inspect(op, |m, a, b| m.difference(a, b, None))),
    ("test", |m, op| m.inspect(op, |m, a, b| m.logic(IntOp::And, a, b))),
    ("not", |m, op| m.change(op, Machine::complement)),
    ("neg", |m, op| m.change(op, Machine::negative)),
    ("inc", |m, op| m.change(op, |m, a| m.step_by_one(a, Machine::sum))),
    ("dec", |m, op| m.change(op, |m, a| m.step_by_one(a, Machine::difference))),
    ("bswap", |m, op| m.swap_bytes(op)),
    ("shl", |m, op| m.shift(op, Shift::Left)),
    ("sal", |m, op| m.shift(op, Shift::Left)),
    ("shr", |m, op| m.shift(op, Shift::Right)),
    ("sar", |m, op| m.shift(op, Shift::Arithmetic)),
    ("rol", |m, op| m.rotate(op, Rotation::Left)),
    ("ror", |m, op| m.rotate(op, Rotation::Right)),
    ("bsf", |m, op| m.scan(op, Scan::Forward)),
    ("bsr", |m, op| m.scan(op, Scan::Reverse)),
    ("tzcnt", |m, op| m.count(op, CountedBits::TrailingZeros)),
    ("lzcnt", |m, op| m.count(op, CountedBits::LeadingZeros)),
    ("popcnt", |m, op| m.count(op, CountedBits::Ones)),
    ("mul", |m, op| m.multiply(op, Signs::Unsigned)),
    ("imul", |m, op| m.signed_multiply(op)),
    ("div", |m, op| m.divide(op, Signs::Unsigned)),
    ("idiv", |m, op| m.divide(op, Signs::Signed)),
    ("cltd", |m, _| m.spread_sign(32)),
    ("cdq", |m, _| m.spread_sign(32)),
    ("cqto", |m, _| m.spread_sign(64)),
    ("cqo", |m, _| m.spread_sign(64)),
    ("cpuid", |m, _| m.identify()),
    // One thread sees its own accesses in order, and may be told to wait for nothing.
    ("nop", |_, _| Ok(())),
    ("pause", |_, _| Ok(())),
    ("mfence", |_, _| Ok(())),
    ("lfence", |_, _| Ok(())),
    ("sfence", |_, _| Ok(())),
];

fn size(letter: char) -> Option<u32> {
    Some(match letter {
        'b' => 8,
        'w' => 16,
        'l' => 32,
        'q' => 64,
        _ => return None,
    })
}

/// A name without the letter of its size.
fn split_size(name: &str) -> Option<(&str, u32)> {
    let (at, letter) = name.char_indices().last()?;
    Some((&name[..at], size(letter)?))
}

/// The row of a name, and the size that the name adds.
fn find(name: &str) -> Option<(InstructionStep, Option<u32>)> {
    let row = |name: &str| TABLE.iter().find(|row| row.0 == name).map(|row| row.1);
    row(name).map(|step| (step, None)).or_else(|| {
        let (stem, width) = split_size(name)?;
        Some((row(stem)?, Some(width)))
    })
}

/// `rep` before these makes other instructions of them.
fn repeated(name: &str) -> Option<String> {
    let renamed = |from: &str, to: &str| name.strip_prefix(from).map(|size| format!("{to}{size}"));
    if name == "nop" {
        return Some("pause".to_string());
    }
    renamed("bsf", "tzcnt").or_else(|| renamed("bsr", "lzcnt"))
}

impl Machine<'_, '_, '_> {
    /// Executes an instruction.
    pub fn execute(&mut self, i: &Instruction) -> Done {
        let unknown = || format!("the instruction `{}`", i.mnemonic);
        let name = match i.prefix {
            InstructionPrefix::Rep => {
                repeated(&i.mnemonic).ok_or_else(|| format!("the instruction `rep {}`", i.mnemonic))?
            }
            InstructionPrefix::None | InstructionPrefix::Lock => i.mnemonic.clone(),
        };
        if let Some((step, suffix)) = find(&name) {
            return step(self, &Op { suffix, terms: &i.operands });
        }
        let op = Op { suffix: None, terms: &i.operands };
        if let Some(code) = name.strip_prefix("set").filter(|code| flags::is_condition(code)) {
            return self.set(&op, code);
        }
        if let Some(rest) = name.strip_prefix("cmov") {
            let whole = flags::is_condition(rest).then_some((rest, None));
            let split = || split_size(rest).map(|(code, width)| (code, Some(width)));
            let (code, suffix) = whole.or_else(split).filter(|c| flags::is_condition(c.0)).ok_or_else(unknown)?;
            return self.move_if(&Op { suffix, ..op }, code);
        }
        let (extension, sizes) = match (name.strip_prefix("movz"), name.strip_prefix("movs")) {
            (Some(sizes), _) => (Signs::Unsigned, sizes),
            (_, Some(sizes)) => (Signs::Signed, sizes),
            _ => return Err(unknown()),
        };
        self.extend(&op, extension, sizes).unwrap_or_else(|| Err(unknown()))
    }

    /// The size of an instruction: its own, or that of its registers.
    pub fn size(&self, op: &Op<'_>) -> Result<u32, String> {
        let registers = || op.terms.iter().rev().find_map(|term| self.register_width(term));
        match op.suffix.or_else(registers) {
            Some(width @ (8 | 16 | 32 | 64)) if width <= self.word => Ok(width),
            Some(width) => Err(format!("an instruction of {width} bits")),
            None => Err("an instruction without a size".to_string()),
        }
    }

    /// Reads an operand that is only read.
    pub fn source(&mut self, term: &WrittenOperand, width: u32) -> Result<Operand, String> {
        let target = self.locate(term)?;
        self.read(target, width)
    }

    fn update(
        &mut self,
        op: &Op<'_>,
        make: impl FnOnce(&mut Self, Operand, Operand) -> Result<Operand, String>,
    ) -> Done {
        let (width, (b, a)) = (self.size(op)?, op.two()?);
        let target = self.locate(a)?;
        let (b, a) = (self.source(b, width)?, self.read(target, width)?);
        let result = make(self, a, b)?;
        self.write(target, width, result)
    }

    fn inspect(&mut self, op: &Op<'_>, make: impl FnOnce(&mut Self, Operand, Operand) -> Operand) -> Done {
        let (width, (b, a)) = (self.size(op)?, op.two()?);
        let (b, a) = (self.source(b, width)?, self.source(a, width)?);
        make(self, a, b);
        Ok(())
    }

    fn change(&mut self, op: &Op<'_>, make: impl FnOnce(&mut Self, Operand) -> Operand) -> Done {
        let (width, term) = (self.size(op)?, op.one()?);
        let target = self.locate(term)?;
        let a = self.read(target, width)?;
        let result = make(self, a);
        self.write(target, width, result)
    }
}

/// Sums and logic.
impl Machine<'_, '_, '_> {
    fn sum(&mut self, a: Operand, b: Operand, carry: Option<Operand>) -> Operand {
        let width = self.width_of(a);
        let mut sum = self.bin(IntOp::Add, a, b);
        if let Some(carry) = carry {
            let carry = self.resized(carry, width);
            sum = self.bin(IntOp::Add, sum, carry);
        }
        let carried = Flag::CarryOfSum { a, sum, carry };
        self.flags = Flags::of_result(sum, width, carried, Flag::OverflowOfSum { a, b, sum });
        sum
    }

    fn difference(&mut self, a: Operand, b: Operand, borrow: Option<Operand>) -> Operand {
        let width = self.width_of(a);
        let mut difference = self.bin(IntOp::Sub, a, b);
        if let Some(borrow) = borrow {
            let borrow = self.resized(borrow, width);
            difference = self.bin(IntOp::Sub, difference, borrow);
        }
        let (borrowed, overflow) = (Flag::Borrow { a, b, borrow }, Flag::OverflowOfDifference { a, b, difference });
        let compared = borrow.is_none().then_some((a, b));
        self.flags = Flags { compared, ..Flags::of_result(difference, width, borrowed, overflow) };
        difference
    }

    fn sum_with_carry(&mut self, a: Operand, b: Operand) -> Result<Operand, String> {
        let carry = self.flag(self.flags.carry)?;
        Ok(self.sum(a, b, Some(carry)))
    }

    fn difference_with_borrow(&mut self, a: Operand, b: Operand) -> Result<Operand, String> {
        let borrow = self.flag(self.flags.carry)?;
        Ok(self.difference(a, b, Some(borrow)))
    }

    fn logic(&mut self, op: IntOp, a: Operand, b: Operand) -> Operand {
        let result = self.bin(op, a, b);
        let width = self.width_of(a);
        self.flags = Flags::of_result(result, width, Flag::Constant(false), Flag::Constant(false));
        result
    }

    fn complement(&mut self, a: Operand) -> Operand {
        let ones = self.number(self.width_of(a), u64::MAX);
        self.bin(IntOp::Xor, a, ones)
    }

    fn negative(&mut self, a: Operand) -> Operand {
        let zero = self.number(self.width_of(a), 0);
        self.difference(zero, a, None)
    }

    /// `inc` and `dec` leave the carry alone.
    fn step_by_one(
        &mut self,
        a: Operand,
        make: impl FnOnce(&mut Self, Operand, Operand, Option<Operand>) -> Operand,
    ) -> Operand {
        let carry = self.flags.carry;
        let one = self.number(self.width_of(a), 1);
        let result = make(self, a, one, None);
        self.flags = Flags { carry, compared: None, ..self.flags };
        result
    }
}

/// The instructions that move data.
impl Machine<'_, '_, '_> {
    fn move_(&mut self, op: &Op<'_>) -> Done {
        let (width, (from, to)) = (self.size(op)?, op.two()?);
        let target = self.locate(to)?;
        let value = self.source(from, width)?;
        self.write(target, width, value)
    }

    /// The sizes are in the name (`bl`), or in part (`b`), or both in the registers (`x`).
    fn extend(&mut self, op: &Op<'_>, signs: Signs, sizes: &str) -> Option<Done> {
        let [source, destination] = op.terms else { return None };
        let mut letters = sizes.chars();
        let from = match sizes {
            "x" => self.register_width(source)?,
            "xd" => 32,
            _ => size(letters.next()?)?,
        };
        let to = match (sizes, letters.next()) {
            ("x" | "xd", _) | (_, None) => self.register_width(destination)?,
            (_, Some(letter)) => size(letter)?,
        };
        let fits = from < to && to <= self.word && sizes.len() <= 2;
        fits.then(|| {
            let value = self.source(source, from)?;
            let wide = if signs == Signs::Signed { self.extended(value, to) } else { self.resized(value, to) };
            let target = self.locate(destination)?;
            self.write(target, to, wide)
        })
    }

    fn load_address(&mut self, op: &Op<'_>) -> Done {
        let (width, (from, to)) = (self.size(op)?, op.two()?);
        let FoundOperand::Memory(address) = self.locate(from)? else {
            return Err("an address of no memory".to_string());
        };
        let value = self.resized(address, width);
        let target = self.locate(to)?;
        self.write(target, width, value)
    }

    fn set(&mut self, op: &Op<'_>, code: &str) -> Done {
        let bit = self.condition(code)?;
        let byte = self.resized(bit, 8);
        let target = self.locate(op.one()?)?;
        self.write(target, 8, byte)
    }

    fn move_if(&mut self, op: &Op<'_>, code: &str) -> Done {
        let condition = self.condition(code)?;
        let flags = self.flags;
        self.update(op, |m, old, new| Ok(m.choose(condition, new, old)))?;
        self.flags = flags;
        Ok(())
    }

    fn exchange(&mut self, op: &Op<'_>) -> Done {
        let (width, (one, other)) = (self.size(op)?, op.two()?);
        let (one, other) = (self.locate(one)?, self.locate(other)?);
        let (first, second) = (self.read(one, width)?, self.read(other, width)?);
        self.write(one, width, second)?;
        self.write(other, width, first)
    }

    fn exchange_and_add(&mut self, op: &Op<'_>) -> Done {
        let (width, (source, destination)) = (self.size(op)?, op.two()?);
        let (source, destination) = (self.locate(source)?, self.locate(destination)?);
        let (b, a) = (self.read(source, width)?, self.read(destination, width)?);
        let sum = self.sum(a, b, None);
        self.write(source, width, a)?;
        self.write(destination, width, sum)
    }

    /// As on the machine, the destination is written in any case, and the accumulator, with its upper half, only if they differ.
    fn compare_and_exchange(&mut self, op: &Op<'_>) -> Done {
        let (width, (new, destination)) = (self.size(op)?, op.two()?);
        let (accumulator, destination) = (self.implied(AX), self.locate(destination)?);
        let new = self.source(new, width)?;
        let (expected, old) = (self.read(accumulator, width)?, self.read(destination, width)?);
        self.difference(expected, old, None);
        let equal = self.body.compare(CmpOp::Eq, expected, old);
        let stored = self.choose(equal, new, old);
        let room = if width == 32 { self.word } else { width };
        let (kept, seen) = (self.read(accumulator, room)?, self.resized(old, room));
        let accumulated = self.choose(equal, kept, seen);
        self.write(destination, width, stored)?;
        self.write(accumulator, room, accumulated)
    }

    /// A machine whose highest leaf is 1, and which has none of the features that leaf 1 or others could report.
    fn identify(&mut self) -> Done {
        const MAKER: [u32; 3] =
            [u32::from_le_bytes(*b"Plai"), u32::from_le_bytes(*b"n x8"), u32::from_le_bytes(*b"6-64")];
        let leaf = self.implied(AX);
        let leaf = self.read(leaf, 32)?;
        let first = self.equals_zero(leaf);
        let zero = self.number(32, 0);
        for (register, value) in [(AX, 1), (BX, MAKER[0]), (DX, MAKER[1]), (CX, MAKER[2])] {
            let value = self.number(32, u64::from(value));
            let answer = self.choose(first, value, zero);
            let target = self.implied(register);
            self.write(target, 32, answer)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_split_from_names_only_if_what_is_left_is_a_name() {
        let suffix = |name| find(name).map(|row| row.1);
        for name in ["add", "sub", "sbb", "shl", "sal", "rol", "mul", "imul", "xadd", "cpuid"] {
            assert_eq!(suffix(name), Some(None), "{name}");
        }
        assert_eq!(["subb", "shll", "mulw", "imulq", "rolb"].map(suffix), [8, 32, 16, 64, 8].map(|w| Some(Some(w))));
        assert_eq!(["sb", "addx", "cmpxchg8b", "l", ""].map(suffix), [None; 5]);
    }

    #[test]
    fn no_name_is_a_name_with_a_size() {
        for (name, _) in TABLE {
            let stem = split_size(name).map(|(stem, _)| stem);
            assert!(TABLE.iter().all(|row| Some(row.0) != stem), "{name}");
        }
    }
}
