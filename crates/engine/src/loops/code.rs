//! Code that is run for its result alone: a function of the program, or one loop of it, over words.
//!
//! A frame is the registers of the function, then its constants; every operand is a number in it. A block is a stretch of operations, an edge with moves
//! a stretch of copies and a jump. Invariant: it does what the engine does with concrete values, or it is stuck ([`Stuck`](super::machine::Stuck)); it never does anything else.

use taw_ir::{BlockId, CmpOp, FuncId, Inst, IntOp, Operand};

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CodeAction {
    /// `to` becomes `a`.
    Copy,
    /// Of `a` and `b`, as words of `width` bits.
    Bin(IntOp),
    /// `to` becomes whether it holds of `a` and `b`.
    Compare(CmpOp),
    /// The same, and on to `then` or `other`.
    CompareJump(CmpOp),
    /// `to` becomes the low `width` bits of `a`.
    Low,
    /// `to` becomes `a`, which has `width` bits, extended by its sign to `b` bits.
    Sign,
    /// If `a` then `b` else `then`.
    Select,
    /// On to `then`.
    Jump,
    /// On to `then` if `a`, else to `other`.
    JumpIf,
    /// By table `b`, on what `a` is.
    Switch,
    /// `to` becomes the `width` bits at address `a`.
    Load,
    /// The `width` bits at address `a` become `b`.
    Store,
    /// `to` becomes `a` moved by `then` times `b`, which has `width` bits and a sign.
    Index,
    /// Goes on only if `a`.
    Require,
    /// Number `a` of the rare instructions.
    Rare,
    /// Number `a` of the calls.
    Call,
    /// Back, with the values of list `a`.
    Return,
    /// The loop is left, by exit `a`.
    Exit,
    /// Nothing goes on here.
    Stuck,
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub(super) action: CodeAction,
    pub(super) width: u8,
    pub(super) to: u32,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) then: u32,
    pub(super) other: u32,
}

/// Who is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum CodeCallee {
    Function(FuncId),
    /// The function at the address in this place of the frame.
    At(u32),
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct CodeCall {
    pub(super) callee: CodeCallee,
    /// Places of the arguments, and whether each is a float.
    pub(super) args: Vec<(u32, bool)>,
    /// Places that the results go to.
    pub(super) dsts: Vec<u32>,
}

/// The cases of a switch with where they lead to, and where all else leads to.
#[derive(Clone, Debug)]
pub(super) struct CodeSwitch {
    pub(super) cases: Vec<(u64, u32)>,
    pub(super) default: u32,
}

/// Where a loop is left for, and what matters there of what it has computed.
#[derive(Clone, Debug)]
pub(super) struct CodeExit {
    pub(super) to: BlockId,
    pub(super) registers: Vec<u32>,
}

/// Code.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) operations: Vec<Operation>,
    /// The number of registers: constants come behind them.
    pub(super) registers: usize,
    /// A frame in which nothing is set but the constants.
    pub(super) frame: Vec<u64>,
    pub(super) params: Vec<CodeParam>,
    pub(super) rare: Vec<Inst>,
    pub(super) calls: Vec<CodeCall>,
    pub(super) switches: Vec<CodeSwitch>,
    /// Places of values that are returned.
    pub(super) returns: Vec<Vec<u32>>,
    /// By the number of the alloca.
    pub(super) locals: Vec<CodeLocal>,
    pub(super) exits: Vec<CodeExit>,
    /// Registers that it reads before it has written them; only of a loop.
    pub(super) reads: Vec<u32>,
    /// What each register has of bits.
    pub(super) widths: Vec<u8>,
    pub(super) pointer_bits: u32,
    pub(super) big_endian: bool,
}

/// A parameter: its register, the bits that it may have, and whether it is a float.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeParam {
    pub(super) to: u32,
    pub(super) mask: u64,
    pub(super) is_float: bool,
}

/// A local variable of a function that is called.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeLocal {
    pub(super) to: u32,
    pub(super) size: u64,
    pub(super) align: u64,
}

impl Code {
    /// The place of an operand.
    #[inline]
    pub(super) fn place(&self, operand: Operand) -> u32 {
        match operand.as_reg() {
            Some(reg) => reg.as_u32(),
            None => (self.registers + operand.const_index()) as u32,
        }
    }
}
