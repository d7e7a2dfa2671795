//! Float operations in Z3's floating-point theory.
//!
//! A term is a bit pattern; the theory's floats have one NaN. So each operation exists twice: as a float, for the
//! operations above it, and as bits, where NaNs are spelled out as `taw_expr::fold` defines them. x87's explicit leading
//! bit is dropped on the way in and added on the way out.

use taw_expr::{Bits, FloatBin, FloatCmp, FloatFormat, FloatUn, Node, Term, Terms};
use z3_sys::*;

use super::raw::{Ast, Sort, Unary, Z3Failure};
use super::translate::Translator;

/// Widths of the exponent and of the significand without its leading bit.
fn shape(fmt: FloatFormat) -> (u32, u32) {
    match fmt {
        FloatFormat::F16 => (5, 10),
        FloatFormat::F32 => (8, 23),
        FloatFormat::F64 => (11, 52),
        FloatFormat::F80 => (15, 63),
        FloatFormat::F128 => (15, 112),
    }
}

impl Translator {
    /// The bits of a float operation (any but comparisons and the remainder) whose operands are translated.
    pub(super) fn float(&mut self, terms: &Terms, t: Term) -> Result<Ast, Z3Failure> {
        match *terms.node(t) {
            Node::FloatUn(op, fmt, a) => {
                let float = self.float_un(op, fmt, a)?;
                self.result(t, fmt, float, &[a])
            }
            Node::FloatBin(FloatBin::Min | FloatBin::Max, fmt, a, b) => {
                let is_min = matches!(terms.node(t), Node::FloatBin(FloatBin::Min, ..));
                self.extremum(is_min, fmt, a, b)
            }
            Node::FloatBin(op, fmt, a, b) => {
                let operation = match op {
                    FloatBin::Add => Z3_mk_fpa_add,
                    FloatBin::Sub => Z3_mk_fpa_sub,
                    FloatBin::Mul => Z3_mk_fpa_mul,
                    _ => Z3_mk_fpa_div,
                };
                let (x, y) = (self.as_float(a, fmt)?, self.as_float(b, fmt)?);
                let float = self.z3.ternary(operation, self.nearest()?, x, y)?;
                self.result(t, fmt, float, &[a, b])
            }
            Node::Fma(fmt, a, b, c) => {
                let (x, y, z) = (self.as_float(a, fmt)?, self.as_float(b, fmt)?, self.as_float(c, fmt)?);
                let float = self.z3.fma(self.nearest()?, x, y, z)?;
                self.result(t, fmt, float, &[a, b, c])
            }
            Node::FloatToFloat(from, to, a) => self.convert(t, from, to, a),
            Node::FloatToInt { from, signed, arg, width } => self.truncated(from, signed, arg, width),
            Node::IntToFloat { to, signed, arg } => {
                let (nearest, sort) = (self.nearest()?, self.sort(to)?);
                let float = self.z3.float_from_int(nearest, self.bits(arg)?, sort, signed)?;
                self.result(t, to, float, &[])
            }
            ref other => Err(Z3Failure(format!("{other:?} is no float operation"))),
        }
    }

    /// A comparison.
    pub(super) fn float_cmp(&mut self, op: FloatCmp, fmt: FloatFormat, a: Term, b: Term) -> Result<Ast, Z3Failure> {
        let (a, b) = (self.as_float(a, fmt)?, self.as_float(b, fmt)?);
        match op {
            FloatCmp::Eq => self.z3.binary(Z3_mk_fpa_eq, a, b),
            FloatCmp::Lt => self.z3.binary(Z3_mk_fpa_lt, a, b),
            FloatCmp::Le => self.z3.binary(Z3_mk_fpa_leq, a, b),
            FloatCmp::Unordered => {
                let (a, b) = (self.z3.unary(Z3_mk_fpa_is_nan, a)?, self.z3.unary(Z3_mk_fpa_is_nan, b)?);
                self.z3.or(&[a, b])
            }
        }
    }

    fn nearest(&self) -> Result<Ast, Z3Failure> {
        self.z3.nullary(Z3_mk_fpa_rne)
    }

    fn sort(&self, fmt: FloatFormat) -> Result<Sort, Z3Failure> {
        let (exponent, fraction) = shape(fmt);
        self.z3.float_sort(exponent, fraction + 1)
    }

    fn if_then_else(&self, c: Ast, a: Ast, b: Ast) -> Result<Ast, Z3Failure> {
        self.z3.ternary(Z3_mk_ite, c, a, b)
    }

    fn concat(&self, high: Ast, low: Ast) -> Result<Ast, Z3Failure> {
        self.z3.binary(Z3_mk_concat, high, low)
    }

    fn not(&self, a: Ast) -> Result<Ast, Z3Failure> {
        self.z3.unary(Z3_mk_not, a)
    }

    /// Whether an expression of `width` bits is zero.
    fn is_zero(&self, a: Ast, width: u32) -> Result<Ast, Z3Failure> {
        self.z3.binary(Z3_mk_eq, a, self.number(width, 0)?)
    }

    /// A translated term read as a float.
    fn as_float(&mut self, t: Term, fmt: FloatFormat) -> Result<Ast, Z3Failure> {
        if let Some(&known) = self.floats.get(&(t, fmt)) {
            return Ok(known);
        }
        let bits = self.bits(t)?;
        let float = match fmt {
            FloatFormat::F80 => self.x87_float(bits)?,
            _ => self.z3.float_from_bits(bits, self.sort(fmt)?)?,
        };
        self.floats.insert((t, fmt), float);
        Ok(float)
    }

    /// An x87 pattern as a float: with an exponent but without the leading bit it is no number; without an exponent but
    /// with the leading bit it counts as if the exponent were one.
    fn x87_float(&self, bits: Ast) -> Result<Ast, Z3Failure> {
        let (sign, exponent) = (self.z3.extract(bits, 79, 1)?, self.z3.extract(bits, 64, 15)?);
        let (leading, fraction) = (self.z3.extract(bits, 63, 1)?, self.z3.extract(bits, 0, 63)?);
        let (no_exponent, no_leading) = (self.is_zero(exponent, 15)?, self.is_zero(leading, 1)?);
        let is_pseudo = self.z3.and(&[no_exponent, self.not(no_leading)?])?;
        let exponent = self.if_then_else(is_pseudo, self.number(15, 1)?, exponent)?;
        let pattern = self.concat(sign, self.concat(exponent, fraction)?)?;
        let float = self.z3.float_from_bits(pattern, self.sort(FloatFormat::F80)?)?;
        let is_invalid = self.z3.and(&[self.not(no_exponent)?, no_leading])?;
        let nan = self.z3.float_from_bits(
            self.concat(self.number(15, 0x7fff)?, self.number(64, u64::MAX)?)?,
            self.sort(FloatFormat::F80)?,
        )?;
        self.if_then_else(is_invalid, nan, float)
    }

    /// Keeps the float form of `t` and gives its bits: those of the float, or of the first operand that is a NaN, quieted,
    /// or of the default NaN.
    fn result(&mut self, t: Term, fmt: FloatFormat, float: Ast, operands: &[Term]) -> Result<Ast, Z3Failure> {
        self.floats.insert((t, fmt), float);
        let mut nan = self.constant(&default_nan(fmt))?;
        for &operand in operands.iter().rev() {
            let is_nan = self.is_nan(operand, fmt)?;
            nan = self.if_then_else(is_nan, self.quiet(self.bits(operand)?, fmt)?, nan)?;
        }
        let is_nan = self.z3.unary(Z3_mk_fpa_is_nan, float)?;
        self.if_then_else(is_nan, nan, self.number_bits(float, fmt)?)
    }

    fn is_nan(&mut self, t: Term, fmt: FloatFormat) -> Result<Ast, Z3Failure> {
        let float = self.as_float(t, fmt)?;
        self.z3.unary(Z3_mk_fpa_is_nan, float)
    }

    /// The bits of a float that is a number.
    fn number_bits(&self, float: Ast, fmt: FloatFormat) -> Result<Ast, Z3Failure> {
        let bits = self.z3.unary(Z3_mk_fpa_to_ieee_bv, float)?;
        if fmt != FloatFormat::F80 {
            return Ok(bits);
        }
        let (top, fraction) = (self.z3.extract(bits, 63, 16)?, self.z3.extract(bits, 0, 63)?);
        let no_exponent = self.is_zero(self.z3.extract(bits, 63, 15)?, 15)?;
        let leading = self.if_then_else(no_exponent, self.number(1, 0)?, self.number(1, 1)?)?;
        self.concat(top, self.concat(leading, fraction)?)
    }

    /// What a NaN operand becomes as a result.
    fn quiet(&self, nan: Ast, fmt: FloatFormat) -> Result<Ast, Z3Failure> {
        let (_, fraction) = shape(fmt);
        let mut bit = vec![0; 2];
        bit[(fraction - 1) as usize / 64] = 1 << ((fraction - 1) % 64);
        let quieted = self.z3.binary(Z3_mk_bvor, nan, self.constant(&Bits::from_words(fmt.width(), &bit))?)?;
        if fmt != FloatFormat::F80 {
            return Ok(quieted);
        }
        let no_leading = self.is_zero(self.z3.extract(nan, 63, 1)?, 1)?;
        self.if_then_else(no_leading, self.constant(&default_nan(fmt))?, quieted)
    }

    fn float_un(&mut self, op: FloatUn, fmt: FloatFormat, a: Term) -> Result<Ast, Z3Failure> {
        let a = self.as_float(a, fmt)?;
        let rounding = match op {
            FloatUn::Sqrt => return self.z3.binary(Z3_mk_fpa_sqrt, self.nearest()?, a),
            FloatUn::Floor => Z3_mk_fpa_rtn,
            FloatUn::Ceil => Z3_mk_fpa_rtp,
            FloatUn::Trunc => Z3_mk_fpa_rtz,
            FloatUn::RoundEven => Z3_mk_fpa_rne,
            FloatUn::RoundAway => Z3_mk_fpa_rna,
        };
        self.z3.binary(Z3_mk_fpa_round_to_integral, self.z3.nullary(rounding)?, a)
    }

    /// `fmin` and `fmax`: the other operand if one is a NaN; -0 is below +0. The bits of an operand come back as they are.
    fn extremum(&mut self, is_min: bool, fmt: FloatFormat, a: Term, b: Term) -> Result<Ast, Z3Failure> {
        let (x, y) = (self.as_float(a, fmt)?, self.as_float(b, fmt)?);
        let (nan_a, nan_b) = (self.is_nan(a, fmt)?, self.is_nan(b, fmt)?);
        let (bits_a, bits_b) = (self.bits(a)?, self.bits(b)?);
        let sign_a = self.is_zero(self.z3.extract(bits_a, fmt.width() - 1, 1)?, 1)?;
        let tie = self.z3.and(&[self.z3.binary(Z3_mk_fpa_eq, x, y)?, self.not(sign_a)?])?;
        let less = self.z3.or(&[self.z3.binary(Z3_mk_fpa_lt, x, y)?, tie])?;
        let (first, second) = if is_min { (bits_a, bits_b) } else { (bits_b, bits_a) };
        let picked = self.if_then_else(less, first, second)?;
        let picked = self.if_then_else(nan_b, bits_a, picked)?;
        let of_nan = self.if_then_else(nan_b, self.quiet(bits_a, fmt)?, bits_b)?;
        self.if_then_else(nan_a, of_nan, picked)
    }

    /// Between formats; a NaN keeps its sign and the highest bits of its payload.
    fn convert(&mut self, t: Term, from: FloatFormat, to: FloatFormat, a: Term) -> Result<Ast, Z3Failure> {
        let x = self.as_float(a, from)?;
        let float = self.z3.float_from_float(self.nearest()?, x, self.sort(to)?)?;
        self.floats.insert((t, to), float);
        let quieted = self.quiet(self.bits(a)?, from)?;
        let ((_, have), (exponent, want)) = (shape(from), shape(to));
        let payload = if want <= have {
            self.z3.extract(quieted, have - want, want)?
        } else {
            self.concat(self.z3.extract(quieted, 0, have)?, self.number_of_zeros(want - have)?)?
        };
        let ones = exponent + u32::from(to == FloatFormat::F80);
        let top = self.concat(
            self.z3.extract(self.bits(a)?, from.width() - 1, 1)?,
            self.number(ones, u64::MAX >> (64 - ones))?,
        )?;
        let nan = self.concat(top, payload)?;
        let is_nan = self.z3.unary(Z3_mk_fpa_is_nan, float)?;
        self.if_then_else(is_nan, nan, self.number_bits(float, to)?)
    }

    fn number_of_zeros(&self, width: u32) -> Result<Ast, Z3Failure> {
        self.constant(&Bits::zero(width))
    }

    /// To an integer: what does not fit has only its highest bit set.
    fn truncated(&mut self, from: FloatFormat, signed: bool, arg: Term, width: u32) -> Result<Ast, Z3Failure> {
        let toward_zero = self.z3.nullary(Z3_mk_fpa_rtz)?;
        let x = self.as_float(arg, from)?;
        let whole = self.z3.binary(Z3_mk_fpa_round_to_integral, toward_zero, x)?;
        let mut fits = vec![];
        for special in [Z3_mk_fpa_is_nan as Unary, Z3_mk_fpa_is_infinite] {
            fits.push(self.not(self.z3.unary(special, x)?)?);
        }
        if let Some(bound) = self.power_of_two(from, if signed { width - 1 } else { width })? {
            fits.push(self.z3.binary(Z3_mk_fpa_lt, whole, bound)?);
            if signed {
                fits.push(self.z3.binary(Z3_mk_fpa_geq, whole, self.z3.unary(Z3_mk_fpa_neg, bound)?)?);
            }
        }
        if !signed {
            let zero = self.z3.float_from_bits(self.number_of_zeros(self.plain_width(from))?, self.sort(from)?)?;
            fits.push(self.z3.binary(Z3_mk_fpa_geq, whole, zero)?);
        }
        let value = self.z3.int_from_float(toward_zero, x, width, signed)?;
        self.if_then_else(self.z3.and(&fits)?, value, self.constant(&Bits::sign_bit(width))?)
    }

    /// The width of a format without an explicit leading bit.
    fn plain_width(&self, fmt: FloatFormat) -> u32 {
        let (exponent, fraction) = shape(fmt);
        1 + exponent + fraction
    }

    /// `2^power`, if the format has it.
    fn power_of_two(&self, fmt: FloatFormat, power: u32) -> Result<Option<Ast>, Z3Failure> {
        let (exponent, fraction) = shape(fmt);
        let bias = (1 << (exponent - 1)) - 1;
        if power > bias {
            return Ok(None);
        }
        let top = self.number(1 + exponent, u64::from(bias + power))?;
        let bits = self.concat(top, self.number_of_zeros(fraction)?)?;
        self.z3.float_from_bits(bits, self.sort(fmt)?).map(Some)
    }
}

/// The NaN that operations make: sign set, quiet, no payload.
fn default_nan(fmt: FloatFormat) -> Bits {
    let (exponent, _) = shape(fmt);
    // Sign, exponent, x87's leading bit, quiet bit.
    let ones = 2 + exponent + u32::from(fmt == FloatFormat::F80);
    Bits::ones(fmt.width()).shl(u64::from(fmt.width() - ones))
}
