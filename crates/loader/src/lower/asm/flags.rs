//! The flags: what an instruction leaves in them, computed only when another one asks.
//!
//! Each flag is a recipe over values that no longer change. A flag that an instruction leaves undefined, or that none has set,
//! cannot be read: the statement is not lowered, instead of getting a value that no machine promises.

use taw_ir::{BitOp, CmpOp, Inst, IntOp, Operand, OverflowOp, Ty};

use super::machine::Machine;

/// How a flag is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    /// No particular value.
    Undefined,
    /// Always so.
    Constant(bool),
    /// Whether a value is zero.
    Zero(Operand),
    /// Whether a value is not zero.
    NotZero(Operand),
    /// A bit of a value.
    Bit(Operand, u32),
    /// Whether the lowest byte has an even number of ones.
    EvenParity(Operand),
    /// Whether `a` and something, and the carry, exceeded the width; `sum` is what is left.
    CarryOfSum { a: Operand, sum: Operand, carry: Option<Operand> },
    /// Whether `a` is less than `b` and the borrow.
    Borrow { a: Operand, b: Operand, borrow: Option<Operand> },
    /// Whether the sum of two signed numbers has the wrong sign.
    OverflowOfSum { a: Operand, b: Operand, sum: Operand },
    /// Whether the difference of two signed numbers has the wrong sign.
    OverflowOfDifference { a: Operand, b: Operand, difference: Operand },
    /// Whether the product of two signed numbers exceeds the width.
    OverflowOfProduct { a: Operand, b: Operand },
}

/// The flags that instructions here set and read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flags {
    pub carry: Flag,
    pub zero: Flag,
    pub sign: Flag,
    pub overflow: Flag,
    pub parity: Flag,
    /// The numbers whose comparison set all of them.
    pub compared: Option<(Operand, Operand)>,
}

impl Flags {
    /// None has a particular value.
    pub const UNDEFINED: Flags = Flags {
        carry: Flag::Undefined,
        zero: Flag::Undefined,
        sign: Flag::Undefined,
        overflow: Flag::Undefined,
        parity: Flag::Undefined,
        compared: None,
    };

    /// Zero, sign and parity of a result of that width; the others as given.
    pub fn of_result(result: Operand, width: u32, carry: Flag, overflow: Flag) -> Flags {
        Flags {
            carry,
            zero: Flag::Zero(result),
            sign: Flag::Bit(result, width - 1),
            overflow,
            parity: Flag::EvenParity(result),
            compared: None,
        }
    }
}

/// What a condition code asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Overflow,
    Below,
    Equal,
    BelowOrEqual,
    Sign,
    Parity,
    Less,
    LessOrEqual,
}

/// A condition code's question, and the answer that it wants.
fn question(code: &str) -> Option<(Question, bool)> {
    use Question::*;
    Some(match code {
        "o" => (Overflow, true),
        "no" => (Overflow, false),
        "b" | "c" | "nae" => (Below, true),
        "ae" | "nb" | "nc" => (Below, false),
        "e" | "z" => (Equal, true),
        "ne" | "nz" => (Equal, false),
        "be" | "na" => (BelowOrEqual, true),
        "a" | "nbe" => (BelowOrEqual, false),
        "s" => (Sign, true),
        "ns" => (Sign, false),
        "p" | "pe" => (Parity, true),
        "np" | "po" => (Parity, false),
        "l" | "nge" => (Less, true),
        "ge" | "nl" => (Less, false),
        "le" | "ng" => (LessOrEqual, true),
        "g" | "nle" => (LessOrEqual, false),
        _ => return None,
    })
}

/// Whether there is such a condition code.
pub fn is_condition(code: &str) -> bool {
    question(code).is_some()
}

impl Machine<'_, '_, '_> {
    /// Whether a condition holds, in one bit.
    pub fn condition(&mut self, code: &str) -> Result<Operand, String> {
        let (question, wanted) = question(code).ok_or_else(|| format!("the condition `{code}`"))?;
        let answer = match (self.flags.compared, comparison(question)) {
            (Some((a, b)), Some(op)) => self.body.compare(op, a, b),
            _ => self.answer(question)?,
        };
        Ok(if wanted { answer } else { self.negated(answer) })
    }

    fn answer(&mut self, question: Question) -> Result<Operand, String> {
        let flags = self.flags;
        match question {
            Question::Overflow => self.flag(flags.overflow),
            Question::Below => self.flag(flags.carry),
            Question::Equal => self.flag(flags.zero),
            Question::Sign => self.flag(flags.sign),
            Question::Parity => self.flag(flags.parity),
            Question::BelowOrEqual => {
                let (carry, zero) = (self.flag(flags.carry)?, self.flag(flags.zero)?);
                Ok(self.bin(IntOp::Or, carry, zero))
            }
            Question::Less => {
                let (sign, overflow) = (self.flag(flags.sign)?, self.flag(flags.overflow)?);
                Ok(self.bin(IntOp::Xor, sign, overflow))
            }
            Question::LessOrEqual => {
                let (less, zero) = (self.answer(Question::Less)?, self.flag(flags.zero)?);
                Ok(self.bin(IntOp::Or, less, zero))
            }
        }
    }

    /// The value of a flag, in one bit.
    pub fn flag(&mut self, flag: Flag) -> Result<Operand, String> {
        Ok(match flag {
            Flag::Undefined => return Err("it reads a flag that has no particular value there".to_string()),
            Flag::Constant(bit) => self.number(1, u64::from(bit)),
            Flag::Zero(value) => self.equals_zero(value),
            Flag::NotZero(value) => {
                let zero = self.equals_zero(value);
                self.negated(zero)
            }
            Flag::Bit(value, at) => self.bit(value, at),
            Flag::EvenParity(value) => {
                let byte = self.resized(value, 8);
                let ones = self.body.compute(Ty::Int(8), |dst| Inst::Bit { op: BitOp::Ctpop, width: 8, dst, a: byte });
                let odd = self.bit(ones, 0);
                self.negated(odd)
            }
            Flag::CarryOfSum { a, sum, carry } => self.at_most(sum, a, carry),
            Flag::Borrow { a, b, borrow } => self.at_most(a, b, borrow),
            Flag::OverflowOfSum { a, b, sum } => self.both_differ((a, sum), (b, sum)),
            Flag::OverflowOfDifference { a, b, difference } => self.both_differ((a, b), (a, difference)),
            Flag::OverflowOfProduct { a, b } => {
                let ty = self.body.type_of(a);
                let width = self.body.width(ty);
                let dst = self.body.register(ty);
                let overflowed = self.body.register(Ty::Int(1));
                self.body.emit(Inst::Overflow { op: OverflowOp::SMul, width, dst, a, b });
                Operand::reg(overflowed)
            }
        })
    }

    /// `a < b`, or also `a == b` if the bit is set. With a carry of one, a sum that is the same number went all the way round.
    fn at_most(&mut self, a: Operand, b: Operand, also_equal: Option<Operand>) -> Operand {
        let less = self.body.compare(CmpOp::Ult, a, b);
        let Some(bit) = also_equal else { return less };
        let equal = self.body.compare(CmpOp::Eq, a, b);
        let equal = self.bin(IntOp::And, equal, bit);
        self.bin(IntOp::Or, less, equal)
    }

    /// Whether both pairs differ in sign.
    fn both_differ(&mut self, one: (Operand, Operand), other: (Operand, Operand)) -> Operand {
        let (one, other) = (self.bin(IntOp::Xor, one.0, one.1), self.bin(IntOp::Xor, other.0, other.1));
        let both = self.bin(IntOp::And, one, other);
        let width = self.width_of(both);
        self.bit(both, width - 1)
    }
}

/// The comparison that a question is after two numbers were compared.
fn comparison(question: Question) -> Option<CmpOp> {
    Some(match question {
        Question::Below => CmpOp::Ult,
        Question::Equal => CmpOp::Eq,
        Question::BelowOrEqual => CmpOp::Ule,
        Question::Less => CmpOp::Slt,
        Question::LessOrEqual => CmpOp::Sle,
        Question::Overflow | Question::Sign | Question::Parity => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_and_its_negation_ask_the_same() {
        for code in ["o", "b", "c", "e", "z", "be", "s", "p", "l", "le", "a", "g", "ae", "ge"] {
            let negation = format!("n{code}");
            let ((asked, wanted), (asked_again, unwanted)) = (question(code).unwrap(), question(&negation).unwrap());
            assert_eq!((asked, wanted), (asked_again, !unwanted), "{code}");
        }
        assert!(!is_condition("") && !is_condition("x"));
    }
}
