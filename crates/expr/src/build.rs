//! The constructors.
//!
//! Invariant: two calls with equal arguments give the same term; the result evaluates like the operation asked for.

use crate::arena::Terms;
use crate::bits::Bits;
use crate::node::*;
use crate::{fold, rewrite};

impl Terms {
    /// A constant of any width.
    pub fn constant(&mut self, bits: Bits) -> Term {
        let width = bits.width();
        self.intern(Node::Const(bits), width)
    }

    /// A constant from the low bits of `value`.
    pub fn bv(&mut self, width: u32, value: u64) -> Term {
        self.constant(Bits::new(width, value))
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        self.bv(1, u64::from(value))
    }

    /// The input as a term.
    pub fn var(&mut self, v: Var) -> Term {
        let width = self.vars()[v.0 as usize].width;
        self.intern(Node::Var(v), width)
    }

    /// `op` applied.
    pub fn bin(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        debug_assert!(op == BinOp::Concat || self.width(a) == self.width(b), "{op:?} of different widths");
        let (a, b) = if op.is_commutative() { self.in_order(a, b) } else { (a, b) };
        let node = Node::Bin(op, a, b);
        // What is already there was not rewritten then and would not be now.
        if let Some(known) = self.find(&node) {
            return known;
        }
        if let Some(better) = rewrite::bin(self, op, a, b) {
            return better;
        }
        let width = match op {
            BinOp::Concat => self.width(a) + self.width(b),
            _ if op.is_comparison() => 1,
            _ => self.width(a),
        };
        self.intern(node, width)
    }

    /// Constants last, else the older term first.
    fn in_order(&self, a: Term, b: Term) -> (Term, Term) {
        let swap = match (self.as_const(a).is_some(), self.as_const(b).is_some()) {
            (true, false) => true,
            (false, true) => false,
            _ => b < a,
        };
        if swap { (b, a) } else { (a, b) }
    }

    /// Bitwise complement; logical negation at width 1.
    pub fn not(&mut self, a: Term) -> Term {
        let ones = self.constant(Bits::ones(self.width(a)));
        self.bin(BinOp::Xor, a, ones)
    }

    /// Two's complement.
    pub fn neg(&mut self, a: Term) -> Term {
        let zero = self.constant(Bits::zero(self.width(a)));
        self.bin(BinOp::Sub, zero, a)
    }

    /// Bitwise conjunction; logical at width 1.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::And, a, b)
    }

    /// Bitwise disjunction; logical at width 1.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Or, a, b)
    }

    /// Bitwise exclusive disjunction.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Xor, a, b)
    }

    /// If `a` then `b`, for truth values.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// The sum `a + b`, modulo two to the width.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Add, a, b)
    }

    /// The difference `a - b`, modulo two to the width.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Sub, a, b)
    }

    /// The product `a * b`, modulo two to the width.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Mul, a, b)
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        self.bin(BinOp::Concat, high, low)
    }

    /// Whether `a = b`: one bit.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Eq, a, b)
    }

    /// Not equal.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// Unsigned less.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Ult, a, b)
    }

    /// Unsigned less or equal.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Ule, a, b)
    }

    /// Signed less.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Slt, a, b)
    }

    /// Signed less or equal.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        self.bin(BinOp::Sle, a, b)
    }

    /// `width` (at least 1) bits from bit `lo`, all of which exist.
    pub fn extract(&mut self, arg: Term, lo: u32, width: u32) -> Term {
        assert!(width > 0 && lo + width <= self.width(arg), "a slice lies within its operand");
        match rewrite::extract(self, arg, lo, width) {
            Some(better) => better,
            None => self.intern(Node::Extract { arg, lo, width }, width),
        }
    }

    /// Zero-extended (or the same, if already that wide).
    pub fn zext(&mut self, arg: Term, width: u32) -> Term {
        assert!(width >= self.width(arg), "an extension is no narrower");
        if width == self.width(arg) {
            return arg;
        }
        match rewrite::zext(self, arg, width) {
            Some(better) => better,
            None => self.intern(Node::ZExt(arg, width), width),
        }
    }

    /// Sign-extended (or the same, if already that wide).
    pub fn sext(&mut self, arg: Term, width: u32) -> Term {
        assert!(width >= self.width(arg), "an extension is no narrower");
        if width == self.width(arg) {
            return arg;
        }
        match rewrite::sext(self, arg, width) {
            Some(better) => better,
            None => self.intern(Node::SExt(arg, width), width),
        }
    }

    /// If `cond` (width 1) then `a` else `b`.
    pub fn ite(&mut self, cond: Term, a: Term, b: Term) -> Term {
        debug_assert!(self.width(cond) == 1 && self.width(a) == self.width(b), "a choice between equal widths");
        let width = self.width(a);
        match rewrite::ite(self, cond, a, b) {
            Some(better) => better,
            None => self.intern(Node::Ite(cond, a, b), width),
        }
    }

    /// An array of known elements (at least one).
    pub fn array_of(&mut self, elements: Box<[Term]>) -> Array {
        assert!(!elements.is_empty(), "an array has at least one element");
        self.intern_array(ArrayNode::Elements(elements))
    }

    /// `base` with one element replaced.
    pub fn store(&mut self, base: Array, index: Term, value: Term) -> Array {
        debug_assert!(self.width(index) == Self::INDEX_WIDTH && self.width(value) == self.element_width(base));
        match rewrite::store(self, base, index, value) {
            Ok(better) => better,
            Err(base) => self.intern_array(ArrayNode::Store { base, index, value }),
        }
    }

    /// The element at `index`.
    pub fn select(&mut self, array: Array, index: Term) -> Term {
        debug_assert_eq!(self.width(index), Self::INDEX_WIDTH);
        let width = self.element_width(array);
        match rewrite::select(self, array, index) {
            Ok(better) => better,
            Err(array) => self.intern(Node::Select(array, index), width),
        }
    }

    /// Float operation on one operand.
    pub fn float_un(&mut self, op: FloatUn, fmt: FloatFormat, a: Term) -> Term {
        match self.pattern(a) {
            Some(x) => self.float(fmt, fold::float_un(op, fmt, x)),
            None => self.intern(Node::FloatUn(op, fmt, a), fmt.width()),
        }
    }

    /// Float operation on two operands.
    pub fn float_bin(&mut self, op: FloatBin, fmt: FloatFormat, a: Term, b: Term) -> Term {
        match (self.pattern(a), self.pattern(b)) {
            (Some(x), Some(y)) => self.float(fmt, fold::float_bin(op, fmt, x, y)),
            _ => self.intern(Node::FloatBin(op, fmt, a, b), fmt.width()),
        }
    }

    /// Fused multiply and add.
    pub fn fma(&mut self, fmt: FloatFormat, a: Term, b: Term, c: Term) -> Term {
        match (self.pattern(a), self.pattern(b), self.pattern(c)) {
            (Some(x), Some(y), Some(z)) => self.float(fmt, fold::fma(fmt, x, y, z)),
            _ => self.intern(Node::Fma(fmt, a, b, c), fmt.width()),
        }
    }

    /// Float comparison.
    pub fn float_cmp(&mut self, op: FloatCmp, fmt: FloatFormat, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (self.pattern(a), self.pattern(b)) {
            return self.bool(fold::float_cmp(op, fmt, x, y));
        }
        match rewrite::float_compare(self, op, fmt, a, b) {
            Some(better) => better,
            None => self.intern(Node::FloatCmp(op, fmt, a, b), 1),
        }
    }

    /// Between float formats (or the same, if they are equal).
    pub fn float_to_float(&mut self, from: FloatFormat, to: FloatFormat, a: Term) -> Term {
        if from == to {
            return a;
        }
        match self.pattern(a) {
            Some(x) => self.float(to, fold::float_to_float(from, to, x)),
            None => self.intern(Node::FloatToFloat(from, to, a), to.width()),
        }
    }

    /// Float to integer.
    pub fn float_to_int(&mut self, from: FloatFormat, signed: bool, arg: Term, width: u32) -> Term {
        match self.pattern(arg) {
            Some(x) => self.constant(fold::float_to_int(from, signed, x, width)),
            None => match rewrite::exact_to_int(self, from, signed, arg, width) {
                Some(better) => better,
                None => self.intern(Node::FloatToInt { from, signed, arg, width }, width),
            },
        }
    }

    /// Integer to float.
    pub fn int_to_float(&mut self, to: FloatFormat, signed: bool, arg: Term) -> Term {
        match self.as_const(arg) {
            Some(bits) => {
                let pattern = fold::int_to_float(to, signed, bits);
                self.float(to, pattern)
            }
            None => self.intern(Node::IntToFloat { to, signed, arg }, to.width()),
        }
    }

    /// An opaque function applied; on constants it is evaluated.
    pub fn apply(&mut self, function: OpaqueFunction, args: Box<[Term]>, width: u32) -> Term {
        let values: Option<Vec<Bits>> = args.iter().map(|&arg| self.as_const(arg).cloned()).collect();
        match values {
            Some(values) => {
                let result = self.functions()[function.0 as usize].eval.call(&values);
                assert_eq!(result.width(), width, "an opaque function returns the width it was applied at");
                self.constant(result)
            }
            None => self.intern(Node::Apply(function, args, width), width),
        }
    }

    /// The bits of a constant float.
    fn pattern(&self, a: Term) -> Option<u128> {
        self.as_const(a).map(Bits::low_u128)
    }

    fn float(&mut self, fmt: FloatFormat, pattern: u128) -> Term {
        self.constant(Bits::from_u128(fmt.width(), pattern))
    }
}
