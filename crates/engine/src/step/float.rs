//! Floating-point instructions. `float` and `double` that are concrete use the machine; all else is terms, whose
//! constants are folded exactly.

use taw_expr::{Bits, FloatBin, FloatCmp, FloatFormat, FloatUn, Term};
use taw_ir::{FloatBinOp, FloatCmpOp, FloatTy, FloatUnOp, Operand, Reg};

use crate::cx::Cx;
use crate::value::Value;

/// The term language's name for a format.
pub(crate) fn format(ty: FloatTy) -> FloatFormat {
    match ty {
        FloatTy::F16 => FloatFormat::F16,
        FloatTy::F32 => FloatFormat::F32,
        FloatTy::F64 => FloatFormat::F64,
        FloatTy::F80 => FloatFormat::F80,
        FloatTy::F128 => FloatFormat::F128,
    }
}

pub(crate) fn bin_word(op: FloatBinOp, ty: FloatTy, a: u64, b: u64) -> Option<u64> {
    match ty {
        FloatTy::F64 => {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            let result = match op {
                FloatBinOp::Add => x + y,
                FloatBinOp::Sub => x - y,
                FloatBinOp::Mul => x * y,
                FloatBinOp::Div => x / y,
                _ => return None,
            };
            Some(result.to_bits())
        }
        FloatTy::F32 => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let result = match op {
                FloatBinOp::Add => x + y,
                FloatBinOp::Sub => x - y,
                FloatBinOp::Mul => x * y,
                FloatBinOp::Div => x / y,
                _ => return None,
            };
            Some(u64::from(result.to_bits()))
        }
        _ => None,
    }
}

pub(crate) fn ordering(ty: FloatTy, a: u64, b: u64) -> Option<Option<std::cmp::Ordering>> {
    match ty {
        FloatTy::F64 => Some(f64::from_bits(a).partial_cmp(&f64::from_bits(b))),
        FloatTy::F32 => Some(f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32))),
        _ => None,
    }
}

pub(crate) fn cmp_holds(op: FloatCmpOp, order: Option<std::cmp::Ordering>) -> bool {
    let ordered = order.is_some();
    let (lt, eq, gt) = order.map_or((false, false, false), |o| (o.is_lt(), o.is_eq(), o.is_gt()));
    match op {
        FloatCmpOp::False => false,
        FloatCmpOp::Oeq => eq,
        FloatCmpOp::Ogt => gt,
        FloatCmpOp::Oge => gt || eq,
        FloatCmpOp::Olt => lt,
        FloatCmpOp::Ole => lt || eq,
        FloatCmpOp::One => lt || gt,
        FloatCmpOp::Ord => ordered,
        FloatCmpOp::Uno => !ordered,
        FloatCmpOp::Ueq => !ordered || eq,
        FloatCmpOp::Ugt => !ordered || gt,
        FloatCmpOp::Uge => !ordered || gt || eq,
        FloatCmpOp::Ult => !ordered || lt,
        FloatCmpOp::Ule => !ordered || lt || eq,
        FloatCmpOp::Une => !ordered || lt || gt,
        FloatCmpOp::True => true,
    }
}

impl Cx<'_, '_> {
    pub(super) fn float_bin(&mut self, op: FloatBinOp, ty: FloatTy, dst: Reg, a: Operand, b: Operand) {
        if let (Some(a), Some(b)) = (self.read(a).as_word(), self.read(b).as_word())
            && let Some(result) = bin_word(op, ty, a, b)
        {
            return self.set(dst, Value::word(result));
        }
        let (a, b) = (self.read_term(a, ty.bits()), self.read_term(b, ty.bits()));
        let t = self.float_bin_term(op, ty, a, b);
        self.set_term(dst, t);
    }

    pub(super) fn float_bin_term(&mut self, op: FloatBinOp, ty: FloatTy, a: Term, b: Term) -> Term {
        let op = match op {
            FloatBinOp::Add => FloatBin::Add,
            FloatBinOp::Sub => FloatBin::Sub,
            FloatBinOp::Mul => FloatBin::Mul,
            FloatBinOp::Div => FloatBin::Div,
            FloatBinOp::Rem => FloatBin::Rem,
            FloatBinOp::MinNum => FloatBin::Min,
            FloatBinOp::MaxNum => FloatBin::Max,
            FloatBinOp::Minimum | FloatBinOp::Maximum => return self.minimum(op, ty, a, b),
            FloatBinOp::CopySign => return self.copy_sign(ty, a, b),
        };
        self.terms().float_bin(op, format(ty), a, b)
    }

    fn copy_sign(&mut self, ty: FloatTy, a: Term, b: Term) -> Term {
        let sign = self.sign_mask(ty);
        let terms = self.terms();
        let magnitude = terms.not(sign);
        let (magnitude, sign) = (terms.and(a, magnitude), terms.and(b, sign));
        terms.or(magnitude, sign)
    }

    fn sign_mask(&mut self, ty: FloatTy) -> Term {
        self.terms().constant(Bits::sign_bit(ty.bits()))
    }

    /// IEEE 754-2019 minimum and maximum: NaN if either operand is, and -0 is less than +0.
    fn minimum(&mut self, op: FloatBinOp, ty: FloatTy, a: Term, b: Term) -> Term {
        let fmt = format(ty);
        let terms = self.terms();
        let nan = terms.float_cmp(FloatCmp::Unordered, fmt, a, b);
        let sum = terms.float_bin(FloatBin::Add, fmt, a, b);
        let equal = terms.float_cmp(FloatCmp::Eq, fmt, a, b);
        let less = terms.float_cmp(FloatCmp::Lt, fmt, a, b);
        let (same, rest) = if op == FloatBinOp::Minimum {
            (terms.or(a, b), terms.ite(less, a, b))
        } else {
            (terms.and(a, b), terms.ite(less, b, a))
        };
        let number = terms.ite(equal, same, rest);
        terms.ite(nan, sum, number)
    }

    pub(super) fn float_un(&mut self, op: FloatUnOp, ty: FloatTy, dst: Reg, a: Operand) {
        let a = self.read_term(a, ty.bits());
        let op = match op {
            FloatUnOp::Neg => {
                let sign = self.sign_mask(ty);
                let t = self.terms().xor(a, sign);
                return self.set_term(dst, t);
            }
            FloatUnOp::Abs => {
                let sign = self.sign_mask(ty);
                let magnitude = self.terms().not(sign);
                let t = self.terms().and(a, magnitude);
                return self.set_term(dst, t);
            }
            FloatUnOp::Sqrt => FloatUn::Sqrt,
            FloatUnOp::Floor => FloatUn::Floor,
            FloatUnOp::Ceil => FloatUn::Ceil,
            FloatUnOp::Trunc => FloatUn::Trunc,
            FloatUnOp::RoundEven => FloatUn::RoundEven,
            FloatUnOp::RoundAway => FloatUn::RoundAway,
        };
        let t = self.terms().float_un(op, format(ty), a);
        self.set_term(dst, t);
    }

    pub(super) fn fma(&mut self, ty: FloatTy, dst: Reg, [a, b, c]: [Operand; 3]) {
        let (a, b, c) = (self.read_term(a, ty.bits()), self.read_term(b, ty.bits()), self.read_term(c, ty.bits()));
        let t = self.terms().fma(format(ty), a, b, c);
        self.set_term(dst, t);
    }

    pub(super) fn float_cmp(&mut self, op: FloatCmpOp, ty: FloatTy, dst: Reg, a: Operand, b: Operand) {
        if let (Some(a), Some(b)) = (self.read(a).as_word(), self.read(b).as_word())
            && let Some(order) = ordering(ty, a, b)
        {
            return self.set(dst, Value::bool(cmp_holds(op, order)));
        }
        let (a, b) = (self.read_term(a, ty.bits()), self.read_term(b, ty.bits()));
        let t = self.float_cmp_term(op, format(ty), a, b);
        self.set_term(dst, t);
    }

    /// Every predicate from equal, less and unordered.
    fn float_cmp_term(&mut self, op: FloatCmpOp, fmt: FloatFormat, a: Term, b: Term) -> Term {
        let terms = self.terms();
        match op {
            FloatCmpOp::False => terms.bool(false),
            FloatCmpOp::True => terms.bool(true),
            FloatCmpOp::Oeq => terms.float_cmp(FloatCmp::Eq, fmt, a, b),
            FloatCmpOp::Olt => terms.float_cmp(FloatCmp::Lt, fmt, a, b),
            FloatCmpOp::Ole => terms.float_cmp(FloatCmp::Le, fmt, a, b),
            FloatCmpOp::Ogt => terms.float_cmp(FloatCmp::Lt, fmt, b, a),
            FloatCmpOp::Oge => terms.float_cmp(FloatCmp::Le, fmt, b, a),
            FloatCmpOp::Uno => terms.float_cmp(FloatCmp::Unordered, fmt, a, b),
            FloatCmpOp::One => {
                let (less, greater) =
                    (terms.float_cmp(FloatCmp::Lt, fmt, a, b), terms.float_cmp(FloatCmp::Lt, fmt, b, a));
                terms.or(less, greater)
            }
            _ => {
                let opposite = self.float_cmp_term(negation(op), fmt, a, b);
                self.terms().not(opposite)
            }
        }
    }

    pub(super) fn float_to_float(&mut self, from: FloatTy, to: FloatTy, dst: Reg, src: Operand) {
        let value = match (self.read(src).as_word(), from, to) {
            (Some(w), FloatTy::F32, FloatTy::F64) => Value::word(f64::from(f32::from_bits(w as u32)).to_bits()),
            (Some(w), FloatTy::F64, FloatTy::F32) => Value::word(u64::from((f64::from_bits(w) as f32).to_bits())),
            _ => {
                let a = self.read_term(src, from.bits());
                let t = self.terms().float_to_float(format(from), format(to), a);
                self.value(t)
            }
        };
        self.set(dst, value);
    }

    pub(super) fn int_to_float(&mut self, from: u32, to: FloatTy, signed: bool, dst: Reg, src: Operand) {
        let value = match (self.read(src).as_word(), to) {
            (Some(w), FloatTy::F64) if signed => Value::word((crate::value::signed(w, from) as f64).to_bits()),
            (Some(w), FloatTy::F64) => Value::word((w as f64).to_bits()),
            _ => {
                let a = self.read_term(src, from);
                let t = self.terms().int_to_float(format(to), signed, a);
                self.value(t)
            }
        };
        self.set(dst, value);
    }

    /// `llvm.is.fpclass`: bits 0 signalling NaN, 1 quiet NaN, 2 -inf, 3 -normal, 4 -subnormal, 5 -0, 6 +0, 7 +subnormal,
    /// 8 +normal, 9 +inf.
    pub(super) fn float_class(&mut self, mask: u16, ty: FloatTy, dst: Reg, a: Operand) {
        let a = self.read_term(a, ty.bits());
        let classes = self.classes(ty, a);
        let mut any = self.terms().bool(false);
        for (i, class) in classes.into_iter().enumerate() {
            if mask & (1 << i) != 0 {
                any = self.terms().or(any, class);
            }
        }
        self.set_term(dst, any);
    }

    fn classes(&mut self, ty: FloatTy, a: Term) -> [Term; 10] {
        let (exponent_bits, fraction_bits) = match ty {
            FloatTy::F16 => (5, 10),
            FloatTy::F32 => (8, 23),
            FloatTy::F64 => (11, 52),
            FloatTy::F80 => (15, 63),
            FloatTy::F128 => (15, 112),
        };
        let width = ty.bits();
        let terms = self.terms();
        let negative = terms.extract(a, width - 1, 1);
        let positive = terms.not(negative);
        let exponent = terms.extract(a, width - 1 - exponent_bits, exponent_bits);
        let fraction = terms.extract(a, 0, fraction_bits);
        let quiet = terms.extract(a, fraction_bits - 1, 1);
        let ones = terms.constant(Bits::ones(exponent_bits));
        let (zero_e, zero_f) = (terms.bv(exponent_bits, 0), terms.constant(Bits::new(fraction_bits, 0)));
        let special = terms.eq(exponent, ones);
        let small = terms.eq(exponent, zero_e);
        let empty = terms.eq(fraction, zero_f);
        let filled = terms.not(empty);
        let nan = terms.and(special, filled);
        let infinite = terms.and(special, empty);
        let subnormal = terms.and(small, filled);
        let zero = terms.and(small, empty);
        let extreme = terms.or(special, small);
        let normal = terms.not(extreme);
        let not_quiet = terms.not(quiet);
        [
            terms.and(nan, not_quiet),
            terms.and(nan, quiet),
            terms.and(infinite, negative),
            terms.and(normal, negative),
            terms.and(subnormal, negative),
            terms.and(zero, negative),
            terms.and(zero, positive),
            terms.and(subnormal, positive),
            terms.and(normal, positive),
            terms.and(infinite, positive),
        ]
    }
}

/// The ordered predicate that is false exactly when this unordered one is true.
fn negation(op: FloatCmpOp) -> FloatCmpOp {
    match op {
        FloatCmpOp::Ord => FloatCmpOp::Uno,
        FloatCmpOp::Ueq => FloatCmpOp::One,
        FloatCmpOp::Ugt => FloatCmpOp::Ole,
        FloatCmpOp::Uge => FloatCmpOp::Olt,
        FloatCmpOp::Ult => FloatCmpOp::Oge,
        FloatCmpOp::Ule => FloatCmpOp::Ogt,
        _ => FloatCmpOp::Oeq,
    }
}
