//! What can be wrong with a program: kinds of errors, and one error as found.

use taw_ir::{FuncId, LocId};

/// A kind of error. `name` is stable: it is in reports, annotations and exit of tools.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the table below names and explains each")]
pub enum FindingKind {
    OutOfBoundsRead,
    OutOfBoundsWrite,
    UseAfterFree,
    UseAfterReturn,
    UseAfterScope,
    DoubleFree,
    InvalidFree,
    NullDereference,
    WildDereference,
    WriteToConstant,
    DivisionByZero,
    DivisionOverflow,
    ShiftTooWide,
    AssertionFailure,
    Abort,
    ReachedUnreachable,
    InvalidFunctionPointer,
    StackOverflow,
    MemoryLimit,
    ReportedError,
    NativeCrash,
    ForbiddenCall,
    AssumptionViolated,
    SignedOverflow,
    FloatCast,
    UninitialisedUse,
    Leak,
}

impl FindingKind {
    /// Every kind with its stable name and one line of explanation.
    pub const TABLE: &'static [(FindingKind, &'static str, &'static str)] = &[
        (Self::OutOfBoundsRead, "out-of-bounds-read", "reads past the bounds of an object"),
        (Self::OutOfBoundsWrite, "out-of-bounds-write", "writes past the bounds of an object"),
        (Self::UseAfterFree, "use-after-free", "accesses heap memory after it was freed"),
        (Self::UseAfterReturn, "use-after-return", "accesses a local of a function that has returned"),
        (Self::UseAfterScope, "use-after-scope", "accesses a local whose block has ended"),
        (Self::DoubleFree, "double-free", "frees the same memory twice"),
        (Self::InvalidFree, "invalid-free", "frees what is not the start of a heap block"),
        (Self::NullDereference, "null-dereference", "accesses memory at or near the null pointer"),
        (Self::WildDereference, "wild-dereference", "accesses an address where no object is"),
        (Self::WriteToConstant, "write-to-constant", "writes to read-only memory"),
        (Self::DivisionByZero, "division-by-zero", "divides by zero"),
        (Self::DivisionOverflow, "division-overflow", "divides the smallest number by -1"),
        (Self::ShiftTooWide, "shift-too-wide", "shifts by the width of the operand or more"),
        (Self::AssertionFailure, "assertion-failure", "an assertion does not hold"),
        (Self::Abort, "abort", "the program aborts"),
        (Self::ReachedUnreachable, "reached-unreachable", "reaches code that is declared unreachable"),
        (
            Self::InvalidFunctionPointer,
            "invalid-function-pointer",
            "calls what is no function, or one with too few arguments",
        ),
        (Self::StackOverflow, "stack-overflow", "calls nest too deeply"),
        (Self::MemoryLimit, "memory-limit", "the program allocates more than its limit"),
        (Self::ReportedError, "reported-error", "the program reports an error itself"),
        (Self::NativeCrash, "native-crash", "a function that is called natively (--pure) crashes"),
        (Self::ForbiddenCall, "forbidden-call", "calls a function that must not be called (--stub NAME=fail)"),
        (Self::AssumptionViolated, "assumption-violated", "a promise to the compiler does not hold"),
        (Self::SignedOverflow, "signed-overflow", "signed arithmetic overflows (on request)"),
        (Self::FloatCast, "float-cast", "converts a float to an integer type that it does not fit (on request)"),
        (Self::UninitialisedUse, "uninitialised-use", "branches on or addresses by uninitialised memory (on request)"),
        (Self::Leak, "leak", "heap memory is not freed at exit (on request)"),
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// One line of explanation.
    pub fn help(self) -> &'static str {
        self.row().2
    }

    /// Whether a native run ends there as well, whatever the compiler made of it.
    pub fn ends_natively(self) -> bool {
        matches!(self, FindingKind::Abort | FindingKind::AssertionFailure)
    }

    /// Whether a native run ends there as well, unless the compiler has left out what nobody needs.
    pub fn traps(self) -> bool {
        matches!(self, FindingKind::DivisionByZero | FindingKind::NullDereference)
    }

    /// The kind with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    fn row(self) -> &'static (FindingKind, &'static str, &'static str) {
        Self::TABLE.iter().find(|row| row.0 == self).expect("every kind is in the table")
    }
}

/// One call on the stack, innermost first in a [`Finding`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StackEntry {
    /// The executing function.
    pub function: FuncId,
    /// Where in it; `None` without debug information.
    pub loc: Option<LocId>,
}

/// An error of the program under test.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What kind.
    pub kind: FindingKind,
    /// What exactly: "4 bytes at offset 16 of `a`, which has 16 bytes".
    pub message: String,
    /// Where, innermost first; never empty. The first entry that is the user's is the place reported.
    pub stack: Vec<StackEntry>,
}
