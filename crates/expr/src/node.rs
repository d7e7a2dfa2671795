//! The vocabulary: ids, operators, and the one `Node` type that all terms are made of.
//!
//! Invariant: widths are part of the node or follow from its operands; nothing here rewrites.

use std::num::NonZeroU32;

use crate::bits::Bits;
use crate::native::NativeFunction;

/// A term of an arena. The index of its node plus one, so that `Option<Term>` is four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) NonZeroU32);

impl Term {
    /// The position of the term's node in its arena: dense, for side tables.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The term as a number that is not zero, for those who pack it.
    #[inline]
    pub fn to_bits(self) -> u32 {
        self.0.get()
    }

    /// The term of that number; none for zero.
    #[inline]
    pub fn from_bits(bits: u32) -> Option<Self> {
        NonZeroU32::new(bits).map(Term)
    }
}

/// An input: an unknown of at most 64 bits. Wider inputs are several of these, concatenated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

/// What is known of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarInfo {
    /// Unique within the arena; for SMT-LIB output and messages.
    pub name: String,
    /// 1 to 64.
    pub width: u32,
}

/// An uninterpreted (opaque) function: it can be evaluated but not solved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpaqueFunction(pub u32);

/// What is known of an opaque function.
#[derive(Clone, Debug)]
pub struct FunctionInfo {
    /// Its name, for messages and SMT-LIB output.
    pub name: String,
    /// Evaluates the function; must be pure and total.
    pub eval: NativeFunction,
}

impl FunctionInfo {
    /// Its name, if what C says of that name holds: somebody else's `sin` is anything.
    pub fn standard_name(&self) -> Option<&str> {
        (!matches!(self.eval, NativeFunction::Outside(_))).then_some(self.name.as_str())
    }
}

/// A byte-or-wider element array: the content of a memory object that is read at an unknown place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Array(pub(crate) u32);

/// How an array came to be. All elements of an array have the same width.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ArrayNode {
    /// Known length and elements, index 0 first.
    Elements(Box<[Term]>),
    /// `base` with the element at `index` replaced.
    Store {
        /// The array before.
        base: Array,
        /// Which element; of [`crate::Terms::INDEX_WIDTH`] bits.
        index: Term,
        /// The new element.
        value: Term,
    },
}

/// Operators of two operands. Unless said otherwise both operands and the result have one width.
/// Division and shifts are total, as in SMT-LIB: `x / 0` is all ones (`SDiv` of a negative `x`: one), `x % 0` is `x`,
/// the least integer divided by -1 is itself, too wide a shift shifts all out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are those of SMT-LIB's bit-vector theory")]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    /// First operand is the high part; the width is the sum.
    Concat,
    /// Comparisons have width 1.
    Eq,
    Ult,
    Ule,
    Slt,
    Sle,
}

impl BinOp {
    /// Every operator, in the order above.
    pub const ALL: [BinOp; 19] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::UDiv,
        BinOp::SDiv,
        BinOp::URem,
        BinOp::SRem,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Concat,
        BinOp::Eq,
        BinOp::Ult,
        BinOp::Ule,
        BinOp::Slt,
        BinOp::Sle,
    ];

    /// Those whose operands and result have one width.
    pub const ARITHMETIC: &'static [BinOp] = Self::ALL.split_at(13).0;

    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ult | Self::Ule | Self::Slt | Self::Sle)
    }

    /// Whether the operands may be exchanged.
    pub fn is_commutative(self) -> bool {
        matches!(self, Self::Add | Self::Mul | Self::And | Self::Or | Self::Xor | Self::Eq)
    }
}

/// An IEEE-like format, named by its size in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatFormat {
    /// binary16
    F16,
    /// binary32
    F32,
    /// binary64
    F64,
    /// x87 extended, 80 bits with an explicit leading bit
    F80,
    /// binary128
    F128,
}

impl FloatFormat {
    /// The width of the bit pattern.
    pub fn width(self) -> u32 {
        match self {
            Self::F16 => 16,
            Self::F32 => 32,
            Self::F64 => 64,
            Self::F80 => 80,
            Self::F128 => 128,
        }
    }
}

/// Float operators of one operand; round to nearest even unless the name says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are those of C's <math.h>")]
pub enum FloatUn {
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Half to even (`rint`, `nearbyint`, `roundeven`).
    RoundEven,
    /// Half away from zero (`round`).
    RoundAway,
}

/// Float operators of two operands of one format (round to nearest even).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are those of LLVM")]
pub enum FloatBin {
    Add,
    Sub,
    Mul,
    Div,
    /// C's `fmod`: sign of the dividend.
    Rem,
    /// `fmin`: the other operand if one is a NaN.
    Min,
    /// `fmax`.
    Max,
}

/// Float comparisons; result width 1. Every other LLVM predicate is a boolean combination of these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatCmp {
    /// Ordered and equal.
    Eq,
    /// Ordered and less.
    Lt,
    /// Ordered and less or equal.
    Le,
    /// At least one operand is a NaN.
    Unordered,
}

/// One operation. Negation, complement, sign changes of floats and the like are expressed by these
/// (`x ^ ones`, `0 - x`, `x ^ signbit`): one way to say a thing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant of any width.
    Const(Bits),
    /// An input.
    Var(Var),
    /// Two operands.
    Bin(BinOp, Term, Term),
    /// `width` bits of the operand from bit `lo` up.
    Extract {
        /// What it is taken of.
        arg: Term,
        /// Lowest bit taken.
        lo: u32,
        /// Number of bits taken.
        width: u32,
    },
    /// Zero-extended to `width`.
    ZExt(Term, u32),
    /// Sign-extended to `width`.
    SExt(Term, u32),
    /// If the first (width 1) then the second else the third.
    Ite(Term, Term, Term),
    /// The element at an index. An index past the end reads the last element of the array (the engine
    /// never asks for one: it adds the bounds to the path condition first).
    Select(Array, Term),
    /// Float operation on one operand.
    FloatUn(FloatUn, FloatFormat, Term),
    /// Float operation on two operands.
    FloatBin(FloatBin, FloatFormat, Term, Term),
    /// `a * b + c`, rounded once.
    Fma(FloatFormat, Term, Term, Term),
    /// Float comparison.
    FloatCmp(FloatCmp, FloatFormat, Term, Term),
    /// From one format to another.
    FloatToFloat(FloatFormat, FloatFormat, Term),
    /// To an integer of `width` bits, truncated. A NaN and a truncated value that the integer type cannot hold
    /// give only the highest bit set, as x86's conversions to signed 32 and 64 bits do.
    FloatToInt {
        /// Format of the operand.
        from: FloatFormat,
        /// Whether the result is two's complement.
        signed: bool,
        /// What is converted.
        arg: Term,
        /// Width of the result.
        width: u32,
    },
    /// From an integer.
    IntToFloat {
        /// Format of the result.
        to: FloatFormat,
        /// Whether the operand is two's complement.
        signed: bool,
        /// What is converted.
        arg: Term,
    },
    /// An opaque function applied; the result has the given width.
    Apply(OpaqueFunction, Box<[Term]>, u32),
}

impl Node {
    /// Whether the operation is one of floating point.
    pub fn is_float(&self) -> bool {
        match self {
            Node::FloatUn(..) | Node::FloatBin(..) | Node::Fma(..) | Node::FloatCmp(..) | Node::FloatToFloat(..) => {
                true
            }
            Node::FloatToInt { .. } | Node::IntToFloat { .. } => true,
            Node::Const(_) | Node::Var(_) | Node::Bin(..) | Node::Extract { .. } | Node::ZExt(..) => false,
            Node::SExt(..) | Node::Ite(..) | Node::Select(..) | Node::Apply(..) => false,
        }
    }
}
