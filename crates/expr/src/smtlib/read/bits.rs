//! Operations on bit vectors.

use super::sexpr::TextPosition;
use super::{Reader, ScriptError, ScriptValue, fitting};
use crate::bits::Bits;
use crate::node::{BinOp, Term};

type Read<T> = Result<T, ScriptError>;

/// Operations that take two or more operands, from the left.
fn associative(name: &str) -> Option<BinOp> {
    Some(match name {
        "bvadd" => BinOp::Add,
        "bvmul" => BinOp::Mul,
        "bvand" => BinOp::And,
        "bvor" => BinOp::Or,
        "bvxor" => BinOp::Xor,
        _ => return None,
    })
}

/// Operations on two operands of one width.
fn binary(name: &str) -> Option<BinOp> {
    Some(match name {
        "bvsub" => BinOp::Sub,
        "bvudiv" => BinOp::UDiv,
        "bvurem" => BinOp::URem,
        "bvsdiv" => BinOp::SDiv,
        "bvsrem" => BinOp::SRem,
        "bvshl" => BinOp::Shl,
        "bvlshr" => BinOp::LShr,
        "bvashr" => BinOp::AShr,
        _ => return None,
    })
}

/// Comparisons: the operator, and whether the operands are exchanged.
fn comparison(name: &str) -> Option<(BinOp, bool)> {
    Some(match name {
        "bvult" => (BinOp::Ult, false),
        "bvule" => (BinOp::Ule, false),
        "bvugt" => (BinOp::Ult, true),
        "bvuge" => (BinOp::Ule, true),
        "bvslt" => (BinOp::Slt, false),
        "bvsle" => (BinOp::Sle, false),
        "bvsgt" => (BinOp::Slt, true),
        "bvsge" => (BinOp::Sle, true),
        _ => return None,
    })
}

impl Reader<'_> {
    pub(super) fn bit_operation(&mut self, place: TextPosition, name: &str, args: &[ScriptValue]) -> Read<ScriptValue> {
        let args = args.iter().map(|a| self.bits(a, place)).collect::<Read<Vec<Term>>>()?;
        if name == "concat" {
            fitting(place, args.iter().map(|&a| u64::from(self.terms.width(a))).sum())?;
            let joined = args[1..].iter().fold(args[0], |high, &low| self.terms.concat(high, low));
            return Ok(ScriptValue::Bits(joined));
        }
        let width = self.terms.width(args[0]);
        if args.iter().any(|&a| self.terms.width(a) != width) {
            return Err(ScriptError::wrong(place, format!("the operands of `{name}` are of different widths")));
        }
        if let Some(op) = associative(name) {
            return Ok(ScriptValue::Bits(args[1..].iter().fold(args[0], |a, &b| self.terms.bin(op, a, b))));
        }
        let result = match (name, &args[..]) {
            ("bvnot", &[a]) => self.terms.not(a),
            ("bvneg", &[a]) => self.terms.neg(a),
            (_, &[a, b]) => return self.on_two(place, name, a, b),
            _ => return Err(unknown(place, name)),
        };
        Ok(ScriptValue::Bits(result))
    }

    fn on_two(&mut self, place: TextPosition, name: &str, a: Term, b: Term) -> Read<ScriptValue> {
        if let Some(op) = binary(name) {
            return Ok(ScriptValue::Bits(self.terms.bin(op, a, b)));
        }
        if let Some((op, exchanged)) = comparison(name) {
            let (a, b) = if exchanged { (b, a) } else { (a, b) };
            return Ok(ScriptValue::Truth(self.terms.bin(op, a, b)));
        }
        let complement = |reader: &mut Self, op| {
            let t = reader.terms.bin(op, a, b);
            ScriptValue::Bits(reader.terms.not(t))
        };
        Ok(match name {
            "bvnand" => complement(self, BinOp::And),
            "bvnor" => complement(self, BinOp::Or),
            "bvxnor" => complement(self, BinOp::Xor),
            "bvcomp" => ScriptValue::Bits(self.terms.eq(a, b)),
            "bvsmod" => ScriptValue::Bits(self.modulus(a, b)),
            _ => return Err(unknown(place, name)),
        })
    }

    /// The remainder with the sign of the divisor.
    fn modulus(&mut self, a: Term, b: Term) -> Term {
        let width = self.terms.width(a);
        let rest = self.terms.bin(BinOp::SRem, a, b);
        let zero = self.terms.constant(Bits::zero(width));
        let signs = self.terms.xor(rest, b);
        let differ = self.terms.slt(signs, zero);
        let is_zero = self.terms.eq(rest, zero);
        let moved = self.terms.add(rest, b);
        let nonzero = self.terms.not(is_zero);
        let both = self.terms.and(differ, nonzero);
        self.terms.ite(both, moved, rest)
    }

    pub(super) fn indexed_bits(
        &mut self,
        place: TextPosition,
        name: &str,
        indices: &[u32],
        args: &[ScriptValue],
    ) -> Read<ScriptValue> {
        let [value] = args else { return Err(unknown(place, name)) };
        let a = self.bits(value, place)?;
        let width = self.terms.width(a);
        let result = match (name, indices) {
            ("extract", &[high, low]) if low <= high && high < width => self.terms.extract(a, low, high - low + 1),
            ("extract", _) => return Err(ScriptError::wrong(place, format!("no such bits in {width} bits"))),
            ("zero_extend", &[0]) | ("sign_extend", &[0]) => a,
            ("zero_extend", &[by]) => {
                let wider = fitting(place, u64::from(width) + u64::from(by))?;
                self.terms.zext(a, wider)
            }
            ("sign_extend", &[by]) => {
                let wider = fitting(place, u64::from(width) + u64::from(by))?;
                self.terms.sext(a, wider)
            }
            ("repeat", &[times]) if times > 0 => {
                fitting(place, u64::from(width) * u64::from(times))?;
                (1..times).fold(a, |all, _| self.terms.concat(all, a))
            }
            ("rotate_left", &[by]) => self.rotated(a, by % width),
            ("rotate_right", &[by]) => self.rotated(a, (width - by % width) % width),
            _ => return Err(unknown(place, name)),
        };
        Ok(ScriptValue::Bits(result))
    }

    fn rotated(&mut self, a: Term, left: u32) -> Term {
        let width = self.terms.width(a);
        if left == 0 {
            return a;
        }
        let high = self.terms.extract(a, 0, width - left);
        let low = self.terms.extract(a, width - left, left);
        self.terms.concat(high, low)
    }
}

fn unknown(place: TextPosition, name: &str) -> ScriptError {
    ScriptError::unsupported(place, format!("the operation `{name}` with these arguments"))
}
