//! Floats in SMT-LIB: the theory has floats and bits as different sorts, terms have bits only.
//!
//! An operand becomes a float by `to_fp`. A result becomes bits through a fresh constant that is asserted to be the
//! result as a float; since a float NaN has many bit patterns, which one it is (see `fold/float.rs`) is said apart.
//! The x87 format stores a leading bit that the theory implies: it is dropped on the way in, where patterns without a
//! due leading bit are NaNs, and put back on the way out.

use super::{ScriptText, literal};
use crate::bits::Bits;
use crate::fold;
use crate::node::*;

/// The parameters of the theory's sort: bits of the exponent, and of the significand with its leading bit.
pub(super) fn sort(fmt: FloatFormat) -> (u32, u32) {
    match fmt {
        FloatFormat::F16 => (5, 11),
        FloatFormat::F32 => (8, 24),
        FloatFormat::F64 => (11, 53),
        FloatFormat::F80 => (15, 64),
        FloatFormat::F128 => (15, 113),
    }
}

fn to_fp(fmt: FloatFormat) -> String {
    let (exponent, significand) = sort(fmt);
    format!("(_ to_fp {exponent} {significand})")
}

/// A bit vector as a float.
fn as_float(fmt: FloatFormat, bits: &str) -> String {
    if fmt != FloatFormat::F80 {
        return format!("({} {bits})", to_fp(fmt));
    }
    let part = |hi: u32, lo: u32| format!("((_ extract {hi} {lo}) {bits})");
    let exponent = part(78, 64);
    let without =
        |exponent: &str| format!("({} (concat {} (concat {exponent} {})))", to_fp(fmt), part(79, 79), part(62, 0));
    // Exponent 0 with a leading bit is a denormal written as if normal; another exponent without one is no number.
    format!(
        "(ite (= {exponent} (_ bv0 15)) (ite (= {} #b1) {} {}) (ite (= {} #b1) {} (_ NaN 15 64)))",
        part(63, 63),
        without("(_ bv1 15)"),
        without("(_ bv0 15)"),
        part(63, 63),
        without(&exponent),
    )
}

fn truth(condition: &str) -> String {
    format!("(ite {condition} #b1 #b0)")
}

impl ScriptText<'_> {
    /// The bits of a float operation's result.
    pub(super) fn float(&mut self, t: Term) -> String {
        match *self.terms.node(t) {
            Node::FloatUn(op, fmt, a) => {
                let x = as_float(fmt, &self.name(a));
                let value = match op {
                    FloatUn::Sqrt => format!("(fp.sqrt RNE {x})"),
                    FloatUn::Floor => format!("(fp.roundToIntegral RTN {x})"),
                    FloatUn::Ceil => format!("(fp.roundToIntegral RTP {x})"),
                    FloatUn::Trunc => format!("(fp.roundToIntegral RTZ {x})"),
                    FloatUn::RoundEven => format!("(fp.roundToIntegral RNE {x})"),
                    FloatUn::RoundAway => format!("(fp.roundToIntegral RNA {x})"),
                };
                self.result(t, fmt, &value, fmt, &[a])
            }
            Node::FloatBin(op @ (FloatBin::Min | FloatBin::Max), fmt, a, b) => self.extremum(op, fmt, a, b),
            Node::FloatBin(op, fmt, a, b) => {
                let value = arithmetic(op, &as_float(fmt, &self.name(a)), &as_float(fmt, &self.name(b)));
                self.result(t, fmt, &value, fmt, &[a, b])
            }
            Node::Fma(fmt, a, b, c) => {
                let [x, y, z] = [a, b, c].map(|x| as_float(fmt, &self.name(x)));
                self.result(t, fmt, &format!("(fp.fma RNE {x} {y} {z})"), fmt, &[a, b, c])
            }
            Node::FloatCmp(op, fmt, a, b) => {
                let (x, y) = (as_float(fmt, &self.name(a)), as_float(fmt, &self.name(b)));
                truth(&match op {
                    FloatCmp::Eq => format!("(fp.eq {x} {y})"),
                    FloatCmp::Lt => format!("(fp.lt {x} {y})"),
                    FloatCmp::Le => format!("(fp.leq {x} {y})"),
                    FloatCmp::Unordered => format!("(or (fp.isNaN {x}) (fp.isNaN {y}))"),
                })
            }
            Node::FloatToFloat(from, to, a) => {
                let value = format!("({} RNE {})", to_fp(to), as_float(from, &self.name(a)));
                self.result(t, to, &value, from, &[a])
            }
            Node::FloatToInt { from, signed, arg, width } => self.integer(from, signed, arg, width),
            Node::IntToFloat { to, signed, arg } => {
                let (exponent, significand) = sort(to);
                let kind = if signed { "to_fp" } else { "to_fp_unsigned" };
                let value = format!("((_ {kind} {exponent} {significand}) RNE {})", self.name(arg));
                self.result(t, to, &value, to, &[])
            }
            ref other => unreachable!("{other:?} is no float operation"),
        }
    }

    /// A float as bits. `operands` (of format `from`) are those whose NaNs the result takes over.
    fn result(&mut self, t: Term, fmt: FloatFormat, value: &str, from: FloatFormat, operands: &[Term]) -> String {
        let (exponent, significand) = sort(fmt);
        let fresh = format!("?r{}", t.index());
        self.line(format_args!("(declare-const {fresh} (_ BitVec {}))", exponent + significand));
        self.line(format_args!("(assert (= ({} {fresh}) {value}))", to_fp(fmt)));
        let number = match fmt {
            FloatFormat::F80 => format!(
                "(concat ((_ extract 78 63) {fresh}) (concat (ite (= ((_ extract 77 63) {fresh}) (_ bv0 15)) #b0 #b1) ((_ extract 62 0) {fresh})))"
            ),
            _ => fresh.clone(),
        };
        // A NaN that is made, not taken over, is that of 0/0.
        let nan = fold::float_bin(FloatBin::Div, fmt, 0, 0);
        let nan = literal(&Bits::from_u128(fmt.width(), nan));
        let made = format!("(ite (fp.isNaN ({} {fresh})) {nan} {number})", to_fp(fmt));
        operands.iter().rev().fold(made, |otherwise, &operand| {
            let bits = self.name(operand);
            format!("(ite (fp.isNaN {}) {} {otherwise})", as_float(from, &bits), taken_over(from, fmt, &bits))
        })
    }

    /// `fmin` and `fmax` give back one of their operands.
    fn extremum(&mut self, op: FloatBin, fmt: FloatFormat, a: Term, b: Term) -> String {
        let (a, b) = (self.name(a), self.name(b));
        let (x, y) = (as_float(fmt, &a), as_float(fmt, &b));
        let quiet = taken_over(fmt, fmt, &a);
        let less = format!("(or (fp.lt {x} {y}) (and (fp.eq {x} {y}) (fp.isNegative {x})))");
        let (when, otherwise) = if op == FloatBin::Min { (&a, &b) } else { (&b, &a) };
        format!(
            "(ite (fp.isNaN {x}) (ite (fp.isNaN {y}) {quiet} {b}) (ite (fp.isNaN {y}) {a} (ite {less} {when} {otherwise})))"
        )
    }

    /// Truncation, where it fits; the theory leaves open what happens elsewhere.
    fn integer(&mut self, from: FloatFormat, signed: bool, arg: Term, width: u32) -> String {
        let x = as_float(from, &self.name(arg));
        let power = |exponent: u32| format!("({} RNE {}.0)", to_fp(from), power_of_two(exponent));
        let least =
            if signed { format!("(fp.neg {})", power(width - 1)) } else { format!("({} RNE 0.0)", to_fp(from)) };
        let bound = power(if signed { width - 1 } else { width });
        let whole = format!("(fp.roundToIntegral RTZ {x})");
        let kind = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
        format!(
            "(ite (and (not (fp.isInfinite {x})) (fp.leq {least} {whole}) (fp.lt {whole} {bound})) ((_ {kind} {width}) RTZ {x}) {})",
            literal(&Bits::sign_bit(width))
        )
    }
}

/// Sum, difference, product, quotient, or `fmod`: the theory's remainder rounds the quotient to nearest, so where its
/// sign is not the dividend's, one divisor is missing (and adding it is exact).
fn arithmetic(op: FloatBin, x: &str, y: &str) -> String {
    let name = match op {
        FloatBin::Add => "fp.add",
        FloatBin::Sub => "fp.sub",
        FloatBin::Mul => "fp.mul",
        FloatBin::Div => "fp.div",
        FloatBin::Rem => {
            let rest = format!("(fp.rem {x} {y})");
            let step = format!("(ite (fp.isNegative {x}) (fp.neg (fp.abs {y})) (fp.abs {y}))");
            let right =
                format!("(or (fp.isZero {rest}) (fp.isNaN {rest}) (= (fp.isNegative {rest}) (fp.isNegative {x})))");
            return format!("(ite {right} {rest} (fp.add RNE {rest} {step}))");
        }
        FloatBin::Min | FloatBin::Max => unreachable!("they give back an operand"),
    };
    format!("({name} RNE {x} {y})")
}

/// The bits of a NaN of one format as a result in another: quiet, and the highest bits of the payload.
fn taken_over(from: FloatFormat, to: FloatFormat, bits: &str) -> String {
    let (from_fraction, to_fraction) = (sort(from).1 - 1, sort(to).1 - 1);
    let sign = format!("((_ extract {0} {0}) {bits})", from.width() - 1);
    let payload = if to_fraction <= from_fraction {
        format!("((_ extract {} {}) {bits})", from_fraction - 1, from_fraction - to_fraction)
    } else {
        format!("(concat ((_ extract {} 0) {bits}) (_ bv0 {}))", from_fraction - 1, to_fraction - from_fraction)
    };
    let exponent = literal(&Bits::ones(to.width() - 1 - to_fraction));
    let quiet = literal(&Bits::sign_bit(to_fraction));
    let moved = format!("(concat {sign} (concat {exponent} (bvor {payload} {quiet})))");
    if from != FloatFormat::F80 {
        return moved;
    }
    // An x87 pattern without its leading bit is no NaN to take over.
    let made = fold::float_to_float(from, to, fold::float_bin(FloatBin::Div, from, 0, 0));
    let made = literal(&Bits::from_u128(to.width(), made));
    format!("(ite (= ((_ extract 63 63) {bits}) #b1) {moved} {made})")
}

/// 2^exponent in decimal.
fn power_of_two(exponent: u32) -> String {
    let mut digits = vec![1u8];
    for _ in 0..exponent {
        let mut carry = 0;
        for digit in &mut digits {
            let double = *digit * 2 + carry;
            (*digit, carry) = (double % 10, double / 10);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect()
}
