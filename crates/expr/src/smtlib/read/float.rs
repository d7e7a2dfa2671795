//! Floats: literals, operations, conversions.

use super::sexpr::{Sexpr, TextPosition};
use super::{Mode, Reader, ScriptError, ScriptValue, fitting};
use crate::bits::Bits;
use crate::node::{FloatBin, FloatCmp, FloatFormat, FloatUn, Term};

type Read<T> = Result<T, ScriptError>;

/// The format with these numbers of bits in exponent and significand.
pub(super) fn format(exponent: u32, significand: u32) -> Option<FloatFormat> {
    match (exponent, significand) {
        (5, 11) => Some(FloatFormat::F16),
        (8, 24) => Some(FloatFormat::F32),
        (11, 53) => Some(FloatFormat::F64),
        (15, 113) => Some(FloatFormat::F128),
        _ => None,
    }
}

fn fraction_bits(format: FloatFormat) -> u32 {
    crate::smtlib::float::sort(format).1 - 1
}

/// `(fp #b0 #b… #b…)`
pub(super) fn literal(format: FloatFormat, bits: &Bits) -> String {
    let fraction = fraction_bits(format);
    let binary = |low: u32, width: u32| -> String {
        (0..width).rev().map(|i| if bits.bit(low + i) { '1' } else { '0' }).collect()
    };
    let exponent = format.width() - 1 - fraction;
    format!("(fp #b{} #b{} #b{})", binary(format.width() - 1, 1), binary(fraction, exponent), binary(0, fraction))
}

/// How a value is rounded to an integer.
fn rounding(mode: Mode) -> FloatUn {
    match mode {
        Mode::NearestEven => FloatUn::RoundEven,
        Mode::NearestAway => FloatUn::RoundAway,
        Mode::Up => FloatUn::Ceil,
        Mode::Down => FloatUn::Floor,
        Mode::Zero => FloatUn::Trunc,
    }
}

impl Reader<'_> {
    fn float(&self, value: &ScriptValue, place: TextPosition) -> Read<(FloatFormat, Term)> {
        match value {
            ScriptValue::Float(format, t) => Ok((*format, *t)),
            _ => Err(ScriptError::wrong(
                place,
                format!("this is of sort {}, but a float is needed", self.sort_of(value)),
            )),
        }
    }

    /// Only the default rounding is computed.
    fn nearest_even(&self, value: &ScriptValue, place: TextPosition) -> Read<()> {
        match value {
            ScriptValue::Mode(Mode::NearestEven) => Ok(()),
            ScriptValue::Mode(mode) => {
                Err(ScriptError::unsupported(place, format!("rounding other than RNE here ({mode:?})")))
            }
            _ => Err(ScriptError::wrong(place, "a rounding mode is needed here: RNE")),
        }
    }

    pub(super) fn special_float(
        &mut self,
        place: TextPosition,
        name: &str,
        exponent: u32,
        significand: u32,
    ) -> Read<ScriptValue> {
        let number = match name {
            "+oo" => f64::INFINITY,
            "-oo" => f64::NEG_INFINITY,
            "+zero" => 0.0,
            "-zero" => -0.0,
            "NaN" => f64::NAN,
            _ => return Err(ScriptError::unsupported(place, format!("the constant `{name}`"))),
        };
        let format =
            format(exponent, significand).ok_or_else(|| ScriptError::unsupported(place, "this float format"))?;
        Ok(ScriptValue::Float(format, self.number(format, number)))
    }

    fn number(&mut self, format: FloatFormat, number: f64) -> Term {
        let double = self.terms.bv(64, number.to_bits());
        self.terms.float_to_float(FloatFormat::F64, format, double)
    }

    /// Equal as values of the theory: the same bits, or both no numbers.
    pub(super) fn same_float(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let (no_a, no_b) = (self.is_nan(format, a), self.is_nan(format, b));
        let neither = self.terms.and(no_a, no_b);
        let same = self.terms.eq(a, b);
        self.terms.or(neither, same)
    }

    fn is_nan(&mut self, format: FloatFormat, a: Term) -> Term {
        self.terms.float_cmp(FloatCmp::Unordered, format, a, a)
    }

    pub(super) fn float_operation(
        &mut self,
        place: TextPosition,
        name: &str,
        args: &[ScriptValue],
    ) -> Read<ScriptValue> {
        match (name, args) {
            ("fp", [sign, exponent, fraction]) => {
                let [s, e, f] = [sign, exponent, fraction].map(|v| self.bits(v, place));
                let (s, e, f) = (s?, e?, f?);
                let found = format(self.terms.width(e), self.terms.width(f) + 1);
                let format = found.ok_or_else(|| ScriptError::unsupported(place, "this float format"))?;
                let high = self.terms.concat(s, e);
                Ok(ScriptValue::Float(format, self.terms.concat(high, f)))
            }
            ("fp.add" | "fp.sub" | "fp.mul" | "fp.div", [mode, a, b]) => {
                self.nearest_even(mode, place)?;
                let op = match name {
                    "fp.add" => FloatBin::Add,
                    "fp.sub" => FloatBin::Sub,
                    "fp.mul" => FloatBin::Mul,
                    _ => FloatBin::Div,
                };
                self.arithmetic(place, op, a, b)
            }
            ("fp.rem", [a, b]) => {
                let (format, a) = self.float(a, place)?;
                let b = self.float_of(b, format, place)?;
                Ok(ScriptValue::Float(format, self.remainder(format, a, b)))
            }
            ("fp.min", [a, b]) => self.arithmetic(place, FloatBin::Min, a, b),
            ("fp.max", [a, b]) => self.arithmetic(place, FloatBin::Max, a, b),
            ("fp.fma", [mode, a, b, c]) => {
                self.nearest_even(mode, place)?;
                let (format, a) = self.float(a, place)?;
                let (b, c) = (self.float_of(b, format, place)?, self.float_of(c, format, place)?);
                Ok(ScriptValue::Float(format, self.terms.fma(format, a, b, c)))
            }
            ("fp.sqrt", [mode, a]) => {
                self.nearest_even(mode, place)?;
                let (format, a) = self.float(a, place)?;
                Ok(ScriptValue::Float(format, self.terms.float_un(FloatUn::Sqrt, format, a)))
            }
            ("fp.roundToIntegral", [ScriptValue::Mode(mode), a]) => {
                let (format, a) = self.float(a, place)?;
                Ok(ScriptValue::Float(format, self.terms.float_un(rounding(*mode), format, a)))
            }
            ("fp.abs" | "fp.neg", [a]) => {
                let (format, a) = self.float(a, place)?;
                let sign = self.terms.constant(Bits::sign_bit(format.width()));
                let magnitude = self.terms.not(sign);
                let result = if name == "fp.neg" { self.terms.xor(a, sign) } else { self.terms.and(a, magnitude) };
                Ok(ScriptValue::Float(format, result))
            }
            ("fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq", [_, _, ..]) => self.comparisons(place, name, args),
            (_, [a]) => self.class(place, name, a),
            _ => Err(unknown(place, name)),
        }
    }

    fn float_of(&self, value: &ScriptValue, format: FloatFormat, place: TextPosition) -> Read<Term> {
        match self.float(value, place)? {
            (own, t) if own == format => Ok(t),
            _ => Err(ScriptError::wrong(place, "the operands are floats of different formats")),
        }
    }

    fn arithmetic(&mut self, place: TextPosition, op: FloatBin, a: &ScriptValue, b: &ScriptValue) -> Read<ScriptValue> {
        let (format, a) = self.float(a, place)?;
        let b = self.float_of(b, format, place)?;
        Ok(ScriptValue::Float(format, self.terms.float_bin(op, format, a, b)))
    }

    /// The remainder of a division with the nearest quotient, of two the even one: from that of a division by twice the divisor,
    /// whose quotient is even. Every step is exact.
    fn remainder(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let sign_bit = self.terms.constant(Bits::sign_bit(format.width()));
        let rest = self.terms.not(sign_bit);
        let (sign, size, by) = (self.terms.and(a, sign_bit), self.terms.and(a, rest), self.terms.and(b, rest));
        let twice = self.terms.float_bin(FloatBin::Add, format, by, by);
        let first = self.terms.float_bin(FloatBin::Rem, format, size, twice);
        // At half of the divisor the quotient is even, at three halves it is odd.
        let (is_large, second) = self.above_half(FloatCmp::Lt, format, first, by);
        let (is_larger, third) = self.above_half(FloatCmp::Le, format, second, by);
        let reduced = self.terms.ite(is_larger, third, second);
        let size = self.terms.ite(is_large, reduced, first);
        self.terms.xor(size, sign)
    }

    /// Whether `r` is above half of `by`, and what is left of it then.
    fn above_half(&mut self, compare: FloatCmp, format: FloatFormat, r: Term, by: Term) -> (Term, Term) {
        let double = self.terms.float_bin(FloatBin::Add, format, r, r);
        let less = self.terms.float_bin(FloatBin::Sub, format, r, by);
        (self.terms.float_cmp(compare, format, by, double), less)
    }

    /// A chain: each operand with the next.
    fn comparisons(&mut self, place: TextPosition, name: &str, args: &[ScriptValue]) -> Read<ScriptValue> {
        let mut all = self.terms.bool(true);
        for pair in args.windows(2) {
            let (format, a) = self.float(&pair[0], place)?;
            let b = self.float_of(&pair[1], format, place)?;
            let (op, a, b) = match name {
                "fp.eq" => (FloatCmp::Eq, a, b),
                "fp.lt" => (FloatCmp::Lt, a, b),
                "fp.leq" => (FloatCmp::Le, a, b),
                "fp.gt" => (FloatCmp::Lt, b, a),
                _ => (FloatCmp::Le, b, a),
            };
            let holds = self.terms.float_cmp(op, format, a, b);
            all = self.terms.and(all, holds);
        }
        Ok(ScriptValue::Truth(all))
    }

    fn class(&mut self, place: TextPosition, name: &str, value: &ScriptValue) -> Read<ScriptValue> {
        let (format, a) = self.float(value, place)?;
        let fraction = fraction_bits(format);
        let exponent_width = format.width() - 1 - fraction;
        let exponent = self.terms.extract(a, fraction, exponent_width);
        let significand = self.terms.extract(a, 0, fraction);
        let (zeros, ones) = (Bits::zero(exponent_width), Bits::ones(exponent_width));
        let [low, high] = [zeros, ones].map(|bits| self.terms.constant(bits));
        let empty = self.terms.constant(Bits::zero(fraction));
        let (is_low, is_high) = (self.terms.eq(exponent, low), self.terms.eq(exponent, high));
        let is_empty = self.terms.eq(significand, empty);
        let nan = self.is_nan(format, a);
        let number = self.terms.not(nan);
        let negative = self.terms.extract(a, format.width() - 1, 1);
        Ok(ScriptValue::Truth(match name {
            "fp.isNaN" => nan,
            "fp.isInfinite" => self.terms.and(is_high, is_empty),
            "fp.isZero" => self.terms.and(is_low, is_empty),
            "fp.isSubnormal" => {
                let filled = self.terms.not(is_empty);
                self.terms.and(is_low, filled)
            }
            "fp.isNormal" => {
                let either = self.terms.or(is_low, is_high);
                self.terms.not(either)
            }
            "fp.isNegative" => self.terms.and(number, negative),
            "fp.isPositive" => {
                let positive = self.terms.not(negative);
                self.terms.and(number, positive)
            }
            _ => return Err(unknown(place, name)),
        }))
    }

    pub(super) fn conversion(
        &mut self,
        place: TextPosition,
        name: &str,
        indices: &[u32],
        args: &[ScriptValue],
    ) -> Read<ScriptValue> {
        match (name, indices, args) {
            ("fp.to_sbv" | "fp.to_ubv", &[width], [ScriptValue::Mode(mode), a]) if width > 0 => {
                fitting(place, u64::from(width))?;
                let (format, a) = self.float(a, place)?;
                let whole = self.terms.float_un(rounding(*mode), format, a);
                Ok(ScriptValue::Bits(self.terms.float_to_int(format, name == "fp.to_sbv", whole, width)))
            }
            (_, &[exponent, significand], _) => {
                let format = format(exponent, significand)
                    .ok_or_else(|| ScriptError::unsupported(place, "this float format"))?;
                self.float_from(place, name == "to_fp", format, args)
            }
            _ => Err(unknown(place, name)),
        }
    }

    fn float_from(
        &mut self,
        place: TextPosition,
        signed: bool,
        format: FloatFormat,
        args: &[ScriptValue],
    ) -> Read<ScriptValue> {
        let t = match args {
            [ScriptValue::Bits(a)] if self.terms.width(*a) == format.width() => *a,
            [mode, ScriptValue::Float(from, a)] => {
                // From a narrower format nothing is rounded.
                if from.width() >= format.width() {
                    self.nearest_even(mode, place)?;
                }
                self.terms.float_to_float(*from, format, *a)
            }
            [mode, ScriptValue::Bits(a)] => {
                self.nearest_even(mode, place)?;
                self.terms.int_to_float(format, signed, *a)
            }
            _ => return Err(unknown(place, "to_fp")),
        };
        Ok(ScriptValue::Float(format, t))
    }

    /// `((_ to_fp 11 53) RNE 0.1)`, or any other conversion with a rounding mode.
    pub(super) fn float_from_text(
        &mut self,
        place: TextPosition,
        indices: &[Sexpr],
        rest: &[Sexpr],
    ) -> Read<ScriptValue> {
        let indices = indices.iter().map(Sexpr::number).collect::<Read<Vec<u32>>>()?;
        let mode = self.term(&rest[0])?;
        let Some(text) = decimal(&rest[1]) else {
            let value = self.term(&rest[1])?;
            return self.conversion(place, "to_fp", &indices, &[mode, value]);
        };
        self.nearest_even(&mode, place)?;
        let &[exponent, significand] = &indices[..] else { return Err(unknown(place, "to_fp")) };
        let bits = match format(exponent, significand) {
            Some(FloatFormat::F64) => text.parse::<f64>().ok().map(|v| Bits::new(64, v.to_bits())),
            Some(FloatFormat::F32) => text.parse::<f32>().ok().map(|v| Bits::new(32, u64::from(v.to_bits()))),
            _ => return Err(ScriptError::unsupported(place, "a decimal number of this float format")),
        };
        let bits = bits.ok_or_else(|| ScriptError::wrong(rest[1].place, "a decimal number is needed here"))?;
        let format = if bits.width() == 64 { FloatFormat::F64 } else { FloatFormat::F32 };
        Ok(ScriptValue::Float(format, self.terms.constant(bits)))
    }
}

/// A decimal number, perhaps negated.
fn decimal(t: &Sexpr) -> Option<String> {
    match (t.atom(), t.list()) {
        (Some(text), _) if text.starts_with(|c: char| c.is_ascii_digit()) => Some(text.to_owned()),
        (_, Some([minus, number])) if minus.is("-") => decimal(number).map(|text| format!("-{text}")),
        _ => None,
    }
}

fn unknown(place: TextPosition, name: &str) -> ScriptError {
    ScriptError::unsupported(place, format!("the operation `{name}` with these arguments"))
}
