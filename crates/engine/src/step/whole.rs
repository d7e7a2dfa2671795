//! Floats to whole numbers. Within the range of the result there is one answer; beyond it C has none, and the answer is that of
//! the code that clang makes for the machine ([`Beyond`]), so that a test does natively what it claims.
//!
//! The term language has one conversion, x86's: beyond its range only the highest bit is set. All else is made of it.

use taw_expr::{Bits, FloatCmp, FloatUn, Term};
use taw_ir::{Beyond, FloatTy, Operand, Reg};

use super::float::format;
use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::stop::Stop;

/// The type of the result.
#[derive(Clone, Copy)]
pub(super) struct Whole {
    /// Width in bits.
    pub to: u32,
    /// Whether it is signed.
    pub signed: bool,
}

impl Whole {
    fn least(self) -> Bits {
        if self.signed { Bits::sign_bit(self.to) } else { Bits::new(self.to, 0) }
    }

    fn greatest(self) -> Bits {
        if self.signed { Bits::sign_bit(self.to).not() } else { Bits::ones(self.to) }
    }
}

impl Cx<'_, '_> {
    pub(super) fn float_to_int(
        &mut self,
        from: FloatTy,
        whole: Whole,
        beyond: Beyond,
        dst: Reg,
        src: Operand,
    ) -> Result<(), Stop> {
        let a = self.read_term(src, from.bits());
        let is_asked = self.engine.config.checks.float_cast && beyond != Beyond::Sat;
        let is_checked = self.checks_instructions(is_asked, "conversion of floats");
        if is_checked || beyond == Beyond::Open {
            let fits = self.fits(from, whole, a);
            let fits = self.value(fits);
            if is_checked {
                let kind = FindingKind::FloatCast;
                self.require(fits, kind, || "the number does not fit the integer type".to_owned())?;
            } else if !self.branch(fits) {
                let what = "a number out of the range of the integer type that it is converted to";
                return Err(Stop::Unsupported(what.to_owned()));
            }
        }
        let t = self.converted(from, whole, beyond, a);
        self.set_term(dst, t);
        Ok(())
    }

    fn converted(&mut self, from: FloatTy, whole: Whole, beyond: Beyond, a: Term) -> Term {
        let (fmt, Whole { to, signed }) = (format(from), whole);
        let terms = self.terms();
        let mut low = |width| {
            let wide = terms.float_to_int(fmt, true, a, width);
            terms.extract(wide, 0, to)
        };
        match beyond {
            Beyond::Low16 => low(16),
            Beyond::Low32 => low(32),
            Beyond::Low64 => low(64),
            Beyond::Open => terms.float_to_int(fmt, signed, a, to),
            Beyond::Sat | Beyond::Soft => self.saturated(from, whole, beyond, a),
            Beyond::Halves => {
                let zero = terms.constant(Bits::new(from.bits(), 0));
                let negative = terms.float_cmp(FloatCmp::Lt, fmt, a, zero);
                let (lower, upper) = (terms.float_to_int(fmt, true, a, to), terms.float_to_int(fmt, false, a, to));
                terms.ite(negative, lower, upper)
            }
            Beyond::X87 => {
                let (half, zero) = (self.power_of_two(from, to - 1), self.terms().bv(to, 0));
                let all = self.power_of_two(from, to);
                let terms = self.terms();
                let is_low = terms.float_cmp(FloatCmp::Lt, fmt, a, half);
                let is_high = terms.float_cmp(FloatCmp::Lt, fmt, a, all);
                let (lower, upper) = (terms.float_to_int(fmt, true, a, to), terms.float_to_int(fmt, false, a, to));
                let upper = terms.ite(is_high, upper, zero);
                terms.ite(is_low, lower, upper)
            }
        }
    }

    /// Clamps: too large to the largest, too small to the smallest; what a NaN is depends.
    fn saturated(&mut self, from: FloatTy, whole: Whole, beyond: Beyond, a: Term) -> Term {
        let (fmt, Whole { to, signed }) = (format(from), whole);
        let terms = self.terms();
        let plain = terms.float_to_int(fmt, signed, a, to);
        let (least, greatest) = (terms.constant(whole.least()), terms.constant(whole.greatest()));
        let (low, high) = (terms.int_to_float(fmt, signed, least), terms.int_to_float(fmt, signed, greatest));
        let of_nan = if beyond == Beyond::Soft {
            let negative = terms.extract(a, fmt.width() - 1, 1);
            terms.ite(negative, least, greatest)
        } else {
            terms.bv(to, 0)
        };
        let nan = terms.float_cmp(FloatCmp::Unordered, fmt, a, a);
        let too_low = terms.float_cmp(FloatCmp::Le, fmt, a, low);
        let too_high = terms.float_cmp(FloatCmp::Le, fmt, high, a);
        let t = terms.ite(too_low, least, plain);
        let t = terms.ite(too_high, greatest, t);
        terms.ite(nan, of_nan, t)
    }

    /// Whether the number, truncated, is one of the type's.
    fn fits(&mut self, from: FloatTy, whole: Whole, a: Term) -> Term {
        let fmt = format(from);
        let above = self.power_of_two(from, if whole.signed { whole.to - 1 } else { whole.to });
        let terms = self.terms();
        let least = terms.constant(whole.least());
        let low = terms.int_to_float(fmt, whole.signed, least);
        let truncated = terms.float_un(FloatUn::Trunc, fmt, a);
        let not_high = terms.float_cmp(FloatCmp::Lt, fmt, truncated, above);
        // Half precision has no -2^31: the bound is an infinity, which is out of range itself.
        let is_exact = from != FloatTy::F16 || !whole.signed || whole.to <= 16;
        let not_low = terms.float_cmp(if is_exact { FloatCmp::Le } else { FloatCmp::Lt }, fmt, low, truncated);
        terms.and(not_low, not_high)
    }

    /// `2^exponent`, or an infinity where the format does not reach so far.
    fn power_of_two(&mut self, ty: FloatTy, exponent: u32) -> Term {
        let width = exponent + 1;
        let terms = self.terms();
        let one = terms.constant(Bits::sign_bit(width));
        terms.int_to_float(format(ty), false, one)
    }
}
