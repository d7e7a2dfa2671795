//! The machine that a statement runs on while it is lowered: which value is in which register now, and access to operands.
//!
//! Nothing here jumps, so that what a register holds after each instruction is known when lowering: an operand of ours that never
//! changes. Registers that the compiler chooses are registers of their own; so an output shares none with an input, which is one of
//! the choices that it has.

use taw_ir::{CastOp, CmpOp, ConstValue, Inst, IntOp, Operand, Ty};

use super::flags::Flags;
use super::registers::{COUNT, Register};
use super::template::{WrittenAddress, WrittenOperand};
use crate::lower::body::{FunctionBody, Parts};

/// A register of the machine.
pub struct AsmSlot {
    /// What is in it; empty if nothing was put there yet. Upper bits that a value lacks are zero.
    pub parts: Parts,
    /// As many bits of it as the statement gives or takes.
    pub width: u32,
}

/// Where an operand of the statement is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperandPlace {
    /// In a register, of which that many bits are its own.
    Register { slot: usize, width: u32 },
    /// In memory at this address.
    Memory(Operand),
    /// A constant, in the instruction.
    Value(Operand),
    /// In a flag.
    Flag(String),
    /// In a register of another kind, which can be handed over but not computed with.
    Other { slot: usize, letters: String },
}

/// An operand of an instruction, found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundOperand {
    Register { slot: usize, low: u32 },
    Memory(Operand),
    Value(Operand),
}

/// The state of a statement.
pub struct Machine<'x, 'a, 'm> {
    pub body: &'x mut FunctionBody<'a, 'm>,
    /// Width of a register.
    pub word: u32,
    pub flags: Flags,
    pub slots: Vec<AsmSlot>,
    pub arguments: Vec<OperandPlace>,
    fixed: [Option<usize>; COUNT],
}

impl<'x, 'a, 'm> Machine<'x, 'a, 'm> {
    pub fn new(body: &'x mut FunctionBody<'a, 'm>) -> Self {
        let word = body.width(Ty::Ptr);
        Machine { body, word, flags: Flags::UNDEFINED, slots: Vec::new(), arguments: Vec::new(), fixed: [None; COUNT] }
    }

    /// A register that the compiler chooses.
    pub fn slot(&mut self, parts: Parts, width: u32) -> usize {
        self.slots.push(AsmSlot { parts, width });
        self.slots.len() - 1
    }

    /// The slot of a register with a name.
    pub fn fixed(&mut self, number: usize) -> usize {
        if let Some(slot) = self.fixed[number] {
            return slot;
        }
        let slot = self.slot(Parts::new(), self.word);
        self.fixed[number] = Some(slot);
        slot
    }

    /// The low part of a register with a name.
    pub fn implied(&mut self, number: usize) -> FoundOperand {
        FoundOperand::Register { slot: self.fixed(number), low: 0 }
    }
}

/// How operands of an instruction are found, read and written.
impl Machine<'_, '_, '_> {
    /// Bits of an operand that is a register.
    pub fn register_width(&self, term: &WrittenOperand) -> Option<u32> {
        match term {
            WrittenOperand::Register(register) => Some(register.width),
            WrittenOperand::Argument { number, modifier } => match self.arguments.get(*number)? {
                OperandPlace::Register { width, .. } => match modifier {
                    None => Some(*width),
                    Some('b' | 'h') => Some(8),
                    Some('w') => Some(16),
                    Some('k') => Some(32),
                    Some('q') => Some(64),
                    Some(_) => None,
                },
                _ => None,
            },
            WrittenOperand::Immediate(_) | WrittenOperand::Memory(_) => None,
        }
    }

    /// Finds an operand. Addresses are computed here: what changes afterwards does not move it.
    pub fn locate(&mut self, term: &WrittenOperand) -> Result<FoundOperand, String> {
        match term {
            WrittenOperand::Register(Register { number, low, .. }) => {
                Ok(FoundOperand::Register { slot: self.fixed(*number), low: *low })
            }
            WrittenOperand::Immediate(value) => Ok(FoundOperand::Value(self.number(64, *value as u64))),
            WrittenOperand::Memory(address) => Ok(FoundOperand::Memory(self.address(address)?)),
            WrittenOperand::Argument { number, modifier } => self.locate_argument(*number, *modifier),
        }
    }

    fn locate_argument(&mut self, number: usize, modifier: Option<char>) -> Result<FoundOperand, String> {
        let place =
            self.arguments.get(number).ok_or_else(|| format!("the operand {number}, which it does not have"))?;
        match (place.clone(), modifier) {
            (OperandPlace::Register { slot, .. }, None | Some('b' | 'w' | 'k' | 'q')) => {
                Ok(FoundOperand::Register { slot, low: 0 })
            }
            (OperandPlace::Register { slot, .. }, Some('h')) => Ok(FoundOperand::Register { slot, low: 8 }),
            (OperandPlace::Register { slot, width }, Some('a')) if width == self.word => {
                Ok(FoundOperand::Memory(self.pointer(slot)?))
            }
            (OperandPlace::Memory(at), None | Some('a' | 'b' | 'w' | 'k' | 'q')) => Ok(FoundOperand::Memory(at)),
            (OperandPlace::Value(value), None | Some('b' | 'w' | 'k' | 'q')) => Ok(FoundOperand::Value(value)),
            (OperandPlace::Other { letters, .. }, _) => {
                Err(format!("an operand in a register of the kind `{letters}`"))
            }
            (_, Some(letter)) => Err(format!("the operand modifier `{letter}`")),
            (OperandPlace::Flag(_), None) => Err("an operand that is a flag".to_string()),
        }
    }

    fn address(&mut self, address: &WrittenAddress) -> Result<Operand, String> {
        let word = Ty::Int(self.word);
        let mut at = match &address.base {
            Some(base) => self.pointer_in(base)?,
            None => self.body.number(Ty::Ptr, 0),
        };
        if let Some(index) = &address.index {
            let index = self.whole_register(index)?;
            let index = self.read(FoundOperand::Register { slot: index, low: 0 }, self.word)?;
            let (base, width, scale) = (at, self.body.width(word), address.scale);
            at = self.body.compute(Ty::Ptr, |dst| Inst::PtrIndex { dst, base, index, width, scale });
        }
        match &address.displacement {
            Some(displacement) => {
                let by = self.displacement(displacement)?;
                Ok(self.body.displaced(at, by))
            }
            None => Ok(at),
        }
    }

    fn displacement(&mut self, term: &WrittenOperand) -> Result<i64, String> {
        let known = match term {
            WrittenOperand::Immediate(value) => Some(*value),
            WrittenOperand::Argument { number, modifier: Some('c' | 'P') } => match self.arguments.get(*number) {
                Some(&OperandPlace::Value(value)) => {
                    let value = self.extended(value, 64);
                    self.known(value).map(|bits| bits as i64)
                }
                _ => None,
            },
            _ => None,
        };
        known.ok_or_else(|| "an address whose displacement is no number".to_string())
    }

    /// The slot of a register that is a whole word, as in addresses.
    fn whole_register(&mut self, term: &WrittenOperand) -> Result<usize, String> {
        match (self.register_width(term), self.locate(term)?) {
            (Some(width), FoundOperand::Register { slot, low: 0 }) if width == self.word => Ok(slot),
            _ => Err("an address of something else than whole registers".to_string()),
        }
    }

    fn pointer_in(&mut self, term: &WrittenOperand) -> Result<Operand, String> {
        let slot = self.whole_register(term)?;
        self.pointer(slot)
    }

    /// A pointer that is in a register; one that was never computed with stays the pointer that it is.
    fn pointer(&mut self, slot: usize) -> Result<Operand, String> {
        if let [part] = self.slots[slot].parts[..]
            && self.body.type_of(part) == Ty::Ptr
        {
            return Ok(part);
        }
        let bits = self.read(FoundOperand::Register { slot, low: 0 }, self.word)?;
        Ok(self.body.fit(bits, Ty::Ptr))
    }

    /// The low bits of what is there.
    pub fn read(&mut self, from: FoundOperand, width: u32) -> Result<Operand, String> {
        match from {
            FoundOperand::Value(value) => Ok(self.extended(value, width)),
            FoundOperand::Memory(ptr) => Ok(self.body.compute(Ty::Int(width), |dst| Inst::Load { dst, ptr, width })),
            FoundOperand::Register { slot, low } => {
                let content = self.content(slot, low + width)?;
                let shifted = self.shifted_right(content, low);
                Ok(self.resized(shifted, width))
            }
        }
    }

    /// Changes the low bits of what is there. As on the machine, 32 bits clear the upper half; fewer leave the rest alone.
    pub fn write(&mut self, to: FoundOperand, width: u32, value: Operand) -> Result<(), String> {
        match to {
            FoundOperand::Value(_) => return Err("a constant as a destination".to_string()),
            FoundOperand::Memory(ptr) => self.body.emit(Inst::Store { ptr, value, width }),
            FoundOperand::Register { slot, low } => {
                let known: u32 = self.slots[slot].parts.iter().map(|&part| self.width_of(part)).sum();
                let whole = low == 0 && (width >= 32 || width >= known.max(self.slots[slot].width));
                let content = if whole { value } else { self.merged(slot, low, width, value)? };
                self.slots[slot].parts = Parts::from_elem(content, 1);
            }
        }
        Ok(())
    }

    fn merged(&mut self, slot: usize, low: u32, width: u32, value: Operand) -> Result<Operand, String> {
        let old = self.content(slot, low + width)?;
        let all = self.width_of(old);
        let mask = self.number(all, !(((1 << width) - 1) << low));
        let kept = self.bin(IntOp::And, old, mask);
        let wide = self.resized(value, all);
        let by = self.number(all, u64::from(low));
        let moved = if low == 0 { wide } else { self.bin(IntOp::Shl, wide, by) };
        Ok(self.bin(IntOp::Or, kept, moved))
    }

    /// What is in a register as an integer, of at least that many bits.
    fn content(&mut self, slot: usize, least: u32) -> Result<Operand, String> {
        if self.slots[slot].parts.is_empty() {
            let ty = Ty::Int(self.slots[slot].width.max(least));
            let unknown = self.body.compute(ty, |dst| Inst::Undef { dst });
            self.slots[slot].parts.push(unknown);
        }
        let [part] = self.slots[slot].parts[..] else { return Err("an operand of several parts".to_string()) };
        match self.body.type_of(part) {
            Ty::Int(width) if width > self.word => Err("an operand that is wider than a register".to_string()),
            Ty::Int(_) | Ty::Ptr => {
                let width = self.width_of(part).max(least);
                Ok(self.resized(part, width))
            }
            Ty::Float(_) => Err("a floating-point operand".to_string()),
        }
    }
}

/// Values in registers of the program, made and taken apart.
impl Machine<'_, '_, '_> {
    pub fn width_of(&self, value: Operand) -> u32 {
        self.body.width(self.body.type_of(value))
    }

    pub fn number(&mut self, width: u32, value: u64) -> Operand {
        self.body.number(Ty::Int(width), value)
    }

    /// The bits of a constant of at most 64 bits.
    pub fn known(&self, value: Operand) -> Option<u64> {
        match &self.body.f.consts[value.as_const()?].value {
            ConstValue::Bits(words) if words.len() == 1 => Some(words[0]),
            _ => None,
        }
    }

    /// Zero-extends or truncates.
    pub fn resized(&mut self, value: Operand, width: u32) -> Operand {
        match self.known(value) {
            Some(bits) if width <= 64 => self.number(width, bits),
            _ => self.body.fit(value, Ty::Int(width)),
        }
    }

    /// Sign-extends or truncates.
    pub fn extended(&mut self, value: Operand, width: u32) -> Operand {
        let from = self.width_of(value);
        match self.known(value) {
            Some(bits) if width <= 64 => {
                let unused = 64 - from;
                self.number(width, ((bits << unused) as i64 >> unused) as u64)
            }
            _ if width <= from => self.resized(value, width),
            _ => self.body.resize(CastOp::SExt, value, Ty::Int(width)),
        }
    }

    pub fn bin(&mut self, op: IntOp, a: Operand, b: Operand) -> Operand {
        let ty = self.body.type_of(a);
        self.body.binary(op, ty, a, b)
    }

    pub fn shifted_right(&mut self, value: Operand, by: u32) -> Operand {
        if by == 0 {
            return value;
        }
        let amount = self.number(self.width_of(value), u64::from(by));
        self.bin(IntOp::LShr, value, amount)
    }

    /// One bit of a value.
    pub fn bit(&mut self, value: Operand, at: u32) -> Operand {
        let shifted = self.shifted_right(value, at);
        self.resized(shifted, 1)
    }

    pub fn negated(&mut self, bit: Operand) -> Operand {
        let one = self.number(1, 1);
        self.bin(IntOp::Xor, bit, one)
    }

    pub fn equals_zero(&mut self, value: Operand) -> Operand {
        let zero = self.number(self.width_of(value), 0);
        self.body.compare(CmpOp::Eq, value, zero)
    }

    pub fn choose(&mut self, cond: Operand, a: Operand, b: Operand) -> Operand {
        let ty = self.body.type_of(a);
        self.body.choose(cond, ty, a, b)
    }
}
