//! Instructions. Kept at 24 bytes: what is larger sits in a side table of the function.
//!
//! Widths are in bits. A register of at most 64 bits holds its value zero-extended.

use std::fmt;

use cranelift_entity::EntityRef;

use crate::beyond::Beyond;
use crate::program::*;
use crate::requirement::Requirement;

/// A register or a constant of the function, in four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Operand(u32);

impl Operand {
    const CONST: u32 = 1 << 31;

    /// A register.
    pub fn reg(r: Reg) -> Self {
        Operand(r.as_u32())
    }

    /// A constant.
    pub fn constant(c: ConstId) -> Self {
        Operand(c.as_u32() | Self::CONST)
    }

    /// The register, if it is one.
    #[inline]
    pub fn as_reg(self) -> Option<Reg> {
        (self.0 & Self::CONST == 0).then(|| Reg::from_u32(self.0))
    }

    /// The position of the constant, if it is one (meaningless if it is not).
    #[inline]
    pub fn const_index(self) -> usize {
        (self.0 & !Self::CONST) as usize
    }

    /// The constant, if it is one.
    #[inline]
    pub fn as_const(self) -> Option<ConstId> {
        (self.0 & Self::CONST != 0).then(|| ConstId::new((self.0 & !Self::CONST) as usize))
    }
}

impl fmt::Debug for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_reg(), self.as_const()) {
            (Some(r), _) => write!(f, "{r}"),
            (_, Some(c)) => write!(f, "{c}"),
            _ => unreachable!("an operand is a register or a constant"),
        }
    }
}

/// A float format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "named by width")]
pub enum FloatTy {
    F16,
    F32,
    F64,
    F80,
    F128,
}

impl FloatTy {
    /// Width of the value in bits (in memory an `F80` takes 16 or 12 bytes, of which 10 are written).
    pub fn bits(self) -> u32 {
        match self {
            FloatTy::F16 => 16,
            FloatTy::F32 => 32,
            FloatTy::F64 => 64,
            FloatTy::F80 => 80,
            FloatTy::F128 => 128,
        }
    }
}

/// Promises of an integer operation whose breach is an error (checked on request).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct IntFlags {
    /// No signed wrap.
    pub nsw: bool,
    /// No unsigned wrap.
    pub nuw: bool,
}

/// Integer operations of two operands of one width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum IntOp {
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
    UMin,
    UMax,
    SMin,
    SMax,
    UAddSat,
    SAddSat,
    USubSat,
    SSubSat,
    UShlSat,
    SShlSat,
}

/// Operations that also say whether they overflowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum OverflowOp {
    UAdd,
    SAdd,
    USub,
    SSub,
    UMul,
    SMul,
}

/// Bit operations of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BitOp {
    /// Number of ones.
    Ctpop,
    /// Leading zeros; the width for zero.
    Ctlz,
    /// Trailing zeros; the width for zero.
    Cttz,
    /// Bytes reversed.
    Bswap,
    /// Bits reversed.
    BitReverse,
    /// Absolute value; the smallest number is its own.
    Abs,
}

/// Integer comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

impl CmpOp {
    /// Whether it is about which is greater, not about equality.
    #[inline]
    pub fn is_order(self) -> bool {
        !matches!(self, Self::Eq | Self::Ne)
    }
}

/// Integer conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
}

/// Float operations of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum FloatUnOp {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    RoundEven,
    RoundAway,
}

/// Float operations of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum FloatBinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    MinNum,
    MaxNum,
    /// As `MinNum`, but a NaN operand gives NaN and -0 < +0.
    Minimum,
    /// As `MaxNum`, but a NaN operand gives NaN and -0 < +0.
    Maximum,
    CopySign,
}

/// Float comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum FloatCmpOp {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

/// Read-modify-write operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum AtomicOp {
    Xchg,
    Nand,
    Int(IntOp),
    Float(FloatBinOp, FloatTy),
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "fields: dst receives, a/b/c/src are read, width and ty say how")]
pub enum Inst {
    /// Move; also `freeze`, `bitcast`, and pointer/integer conversions of equal width.
    Copy {
        dst: Reg,
        src: Operand,
    },
    /// The register no longer has a particular value (a promoted local whose lifetime starts).
    Undef {
        dst: Reg,
    },
    Bin {
        op: IntOp,
        flags: IntFlags,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    /// `dst` gets the result, the register after it (`dst + 1`, width 1) whether it overflowed.
    Overflow {
        op: OverflowOp,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Bit {
        op: BitOp,
        width: u32,
        dst: Reg,
        a: Operand,
    },
    /// Funnel shift of the concatenation `a:b` by `c` modulo the width. `left` gives the high part.
    Funnel {
        left: bool,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    Cmp {
        op: CmpOp,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Select {
        dst: Reg,
        cond: Operand,
        a: Operand,
        b: Operand,
        width: u32,
    },
    Cast {
        op: CastOp,
        from: u32,
        to: u32,
        dst: Reg,
        src: Operand,
    },
    FloatUn {
        op: FloatUnOp,
        ty: FloatTy,
        dst: Reg,
        a: Operand,
    },
    FloatBin {
        op: FloatBinOp,
        ty: FloatTy,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Fma {
        ty: FloatTy,
        dst: Reg,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    FloatCmp {
        op: FloatCmpOp,
        ty: FloatTy,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    FloatToFloat {
        from: FloatTy,
        to: FloatTy,
        dst: Reg,
        src: Operand,
    },
    /// A float to an integer, rounded towards zero.
    FloatToInt {
        from: FloatTy,
        to: u32,
        signed: bool,
        beyond: Beyond,
        dst: Reg,
        src: Operand,
    },
    IntToFloat {
        from: u32,
        to: FloatTy,
        signed: bool,
        dst: Reg,
        src: Operand,
    },
    /// `llvm.is.fpclass`: whether the operand is of one of the classes of the mask.
    FloatClass {
        mask: u16,
        ty: FloatTy,
        dst: Reg,
        a: Operand,
    },

    Alloca {
        alloca: AllocaId,
    },
    /// Reads `width` bits (rounded up to whole bytes in memory).
    Load {
        dst: Reg,
        ptr: Operand,
        width: u32,
    },
    Store {
        ptr: Operand,
        value: Operand,
        width: u32,
    },
    /// `base + disp`, at pointer width.
    PtrAdd {
        dst: Reg,
        base: Operand,
        disp: i64,
    },
    /// `base + scale * sext(index)`, at pointer width.
    PtrIndex {
        dst: Reg,
        base: Operand,
        index: Operand,
        width: u32,
        scale: u32,
    },
    /// `memcpy` and `memmove` are one: both copy as if through a buffer. `width` is that of `len`.
    MemCopy {
        dst: Operand,
        src: Operand,
        len: Operand,
        width: u32,
    },
    MemSet {
        dst: Operand,
        byte: Operand,
        len: Operand,
        width: u32,
    },
    /// The object that `ptr` points at becomes live (content undefined).
    LifetimeStart {
        ptr: Operand,
    },
    /// The object that `ptr` points at is out of scope.
    LifetimeEnd {
        ptr: Operand,
    },
    /// The number of bytes from `ptr` to the end of its object; if unknown all ones, or 0 if `min`.
    ObjectSize {
        dst: Reg,
        ptr: Operand,
        width: u32,
        min: bool,
    },
    /// `dst` gets a mark that `StackRestore` frees back to.
    StackSave {
        dst: Reg,
    },
    StackRestore {
        mark: Operand,
    },
    /// `dst` gets the old value, the register after it (`dst + 1`, width 1) whether it was replaced.
    CmpXchg {
        dst: Reg,
        ptr: Operand,
        expected: Operand,
        new: Operand,
        width: u32,
    },
    AtomicRmw {
        op: AtomicOp,
        dst: Reg,
        ptr: Operand,
        value: Operand,
        width: u32,
    },

    VaStart {
        list: Operand,
    },
    VaEnd {
        list: Operand,
    },
    VaCopy {
        dst: Operand,
        src: Operand,
    },
    /// LLVM's own `va_arg` (C front ends lower it themselves on most targets).
    VaArg {
        dst: Reg,
        list: Operand,
        ty: Ty,
    },

    /// The path goes on only where the operand (width 1) is true; elsewhere is an error.
    Require {
        cond: Operand,
        what: Requirement,
    },
    /// For coverage alone: a condition (width 1) that is a branch in the source and none here, because a value is made of it: the
    /// last operand of `&&` or `||`, or that of `?:`. Its sides are counted as edges that nobody takes.
    Condition {
        cond: Operand,
        /// Whether it is no branch in the source either: a comparison that is returned, stored or passed on.
        value: bool,
        then: EdgeId,
        otherwise: EdgeId,
    },
    /// `__builtin_trap` and friends.
    Trap,
    /// A construct that cannot be executed: reaching it stops the path.
    Unsupported {
        what: UnsupportedId,
    },
    /// `llvm.frameaddress` and its like: an address that no other call has at the same time.
    FrameAddress {
        dst: Reg,
    },
    /// Where the innermost call returns to, or one of the calls around it; null if that is not in the program.
    ReturnAddress {
        dst: Reg,
        depth: u32,
    },

    Call {
        call: CallId,
    },

    Br {
        edge: EdgeId,
    },
    CondBr {
        cond: Operand,
        then: EdgeId,
        otherwise: EdgeId,
    },
    Switch {
        switch: SwitchId,
    },
    /// Jumps to the block whose address the operand is; `edges` lists the edge to each possible one.
    IndirectBr {
        addr: Operand,
        edges: EdgeListId,
    },
    /// Returns the operands of the list.
    Ret {
        values: ListId,
    },
    Unreachable,
}

impl Inst {
    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Inst::Br { .. }
                | Inst::CondBr { .. }
                | Inst::Switch { .. }
                | Inst::IndirectBr { .. }
                | Inst::Ret { .. }
                | Inst::Unreachable
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_stay_small() {
        assert!(size_of::<Inst>() <= 24, "{}", size_of::<Inst>());
    }
}
