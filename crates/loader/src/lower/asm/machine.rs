//! The machine that a statement runs on while it is lowered: which value is in which register now, and access to operands.
//!
//! Nothing here jumps, so that what a register holds after each instruction is known when lowering: an operand of ours that never
//! changes. Registers that the compiler chooses are registers of their own; so an output shares none with an input, which is one of
//! the choices that it has.

use taw_ir::{BinOp, CastOp, CmpOp, ConstValue, Inst, Operand, Ty};

use super::flags::Flags;
use super::registers::{COUNT, Register};
use super::template::{Address, Term};
use crate::lower::body::{Body, Parts};

/// A register of the machine.
pub struct Slot {
    /// What is in it; empty if nothing was put there yet. Upper bits that a value lacks are zero.
    pub parts: Parts,
    /// As many bits of it as the statement gives or takes.
    pub width: u32,
}

/// Where an operand of the statement is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
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
pub enum Target {
    Register { slot: usize, low: u32 },
    Memory(Operand),
    Value(Operand),
}

/// The state of a statement.
pub struct Machine<'x, 'a, 'm> {
    pub body: &'x mut Body<'a, 'm>,
    /// Width of a register.
    pub word: u32,
    pub flags: Flags,
    pub slots: Vec<Slot>,
    pub arguments: Vec<Place>,
    fixed: [Option<usize>; COUNT],
}

impl<'x, 'a, 'm> Machine<'x, 'a, 'm> {
    pub fn new(body: &'x mut Body<'a, 'm>) -> Self {
        let word = body.width(Ty::Ptr);
        Machine { body, word, flags: Flags::UNDEFINED, slots: Vec::new(), arguments: Vec::new(), fixed: [None; COUNT] }
    }

    /// A register that the compiler chooses.
    pub fn slot(&mut self, parts: Parts, width: u32) -> usize {
        self.slots.push(Slot { parts, width });
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
    pub fn implied(&mut self, number: usize) -> Target {
        Target::Register { slot: self.fixed(number), low: 0 }
    }
}

/// Operands.
impl Machine<'_, '_, '_> {
    /// Bits of an operand that is a register.
    pub fn register_width(&self, term: &Term) -> Option<u32> {
        match term {
            Term::Register(register) => Some(register.width),
            Term::Argument { number, modifier } => match self.arguments.get(*number)? {
                Place::Register { width, .. } => match modifier {
                    None => Some(*width),
                    Some('b' | 'h') => Some(8),
                    Some('w') => Some(16),
                    Some('k') => Some(32),
                    Some('q') => Some(64),
                    Some(_) => None,
                },
                _ => None,
            },
            Term::Immediate(_) | Term::Memory(_) => None,
        }
    }

    /// Finds an operand. Addresses are computed here: what changes afterwards does not move it.
    pub fn locate(&mut self, term: &Term) -> Result<Target, String> {
        match term {
            Term::Register(Register { number, low, .. }) => {
                Ok(Target::Register { slot: self.fixed(*number), low: *low })
            }
            Term::Immediate(value) => Ok(Target::Value(self.number(64, *value as u64))),
            Term::Memory(address) => Ok(Target::Memory(self.address(address)?)),
            Term::Argument { number, modifier } => self.locate_argument(*number, *modifier),
        }
    }

    fn locate_argument(&mut self, number: usize, modifier: Option<char>) -> Result<Target, String> {
        let place =
            self.arguments.get(number).ok_or_else(|| format!("the operand {number}, which it does not have"))?;
        match (place.clone(), modifier) {
            (Place::Register { slot, .. }, None | Some('b' | 'w' | 'k' | 'q')) => Ok(Target::Register { slot, low: 0 }),
            (Place::Register { slot, .. }, Some('h')) => Ok(Target::Register { slot, low: 8 }),
            (Place::Register { slot, width }, Some('a')) if width == self.word => {
                Ok(Target::Memory(self.pointer(slot)?))
            }
            (Place::Memory(at), None | Some('a' | 'b' | 'w' | 'k' | 'q')) => Ok(Target::Memory(at)),
            (Place::Value(value), None | Some('b' | 'w' | 'k' | 'q')) => Ok(Target::Value(value)),
            (Place::Other { letters, .. }, _) => Err(format!("an operand in a register of the kind `{letters}`")),
            (_, Some(letter)) => Err(format!("the operand modifier `{letter}`")),
            (Place::Flag(_), None) => Err("an operand that is a flag".to_string()),
        }
    }

    fn address(&mut self, address: &Address) -> Result<Operand, String> {
        let word = Ty::Int(self.word);
        let mut at = match &address.base {
            Some(base) => self.pointer_in(base)?,
            None => self.body.number(Ty::Ptr, 0),
        };
        if let Some(index) = &address.index {
            let index = self.whole_register(index)?;
            let index = self.read(Target::Register { slot: index, low: 0 }, self.word)?;
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

    fn displacement(&mut self, term: &Term) -> Result<i64, String> {
        let known = match term {
            Term::Immediate(value) => Some(*value),
            Term::Argument { number, modifier: Some('c' | 'P') } => match self.arguments.get(*number) {
                Some(&Place::Value(value)) => {
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
    fn whole_register(&mut self, term: &Term) -> Result<usize, String> {
        match (self.register_width(term), self.locate(term)?) {
            (Some(width), Target::Register { slot, low: 0 }) if width == self.word => Ok(slot),
            _ => Err("an address of something else than whole registers".to_string()),
        }
    }

    fn pointer_in(&mut self, term: &Term) -> Result<Operand, String> {
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
        let bits = self.read(Target::Register { slot, low: 0 }, self.word)?;
        Ok(self.body.fit(bits, Ty::Ptr))
    }

    /// The low bits of what is there.
    pub fn read(&mut self, from: Target, width: u32) -> Result<Operand, String> {
        match from {
            Target::Value(value) => Ok(self.extended(value, width)),
            Target::Memory(ptr) => Ok(self.body.compute(Ty::Int(width), |dst| Inst::Load { dst, ptr, width })),
            Target::Register { slot, low } => {
                let content = self.content(slot, low + width)?;
                let shifted = self.shifted_right(content, low);
                Ok(self.resized(shifted, width))
            }
        }
    }

    /// Changes the low bits of what is there. As on the machine, 32 bits clear the upper half; fewer leave the rest alone.
    pub fn write(&mut self, to: Target, width: u32, value: Operand) -> Result<(), String> {
        match to {
            Target::Value(_) => return Err("a constant as a destination".to_string()),
            Target::Memory(ptr) => self.body.emit(Inst::Store { ptr, value, width }),
            Target::Register { slot, low } => {
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
        let kept = self.bin(BinOp::And, old, mask);
        let wide = self.resized(value, all);
        let by = self.number(all, u64::from(low));
        let moved = if low == 0 { wide } else { self.bin(BinOp::Shl, wide, by) };
        Ok(self.bin(BinOp::Or, kept, moved))
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

/// Values.
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

    pub fn bin(&mut self, op: BinOp, a: Operand, b: Operand) -> Operand {
        let ty = self.body.type_of(a);
        self.body.binary(op, ty, a, b)
    }

    pub fn shifted_right(&mut self, value: Operand, by: u32) -> Operand {
        if by == 0 {
            return value;
        }
        let amount = self.number(self.width_of(value), u64::from(by));
        self.bin(BinOp::LShr, value, amount)
    }

    /// One bit of a value.
    pub fn bit(&mut self, value: Operand, at: u32) -> Operand {
        let shifted = self.shifted_right(value, at);
        self.resized(shifted, 1)
    }

    pub fn negated(&mut self, bit: Operand) -> Operand {
        let one = self.number(1, 1);
        self.bin(BinOp::Xor, bit, one)
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
