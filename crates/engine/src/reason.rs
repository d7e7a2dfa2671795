//! Why something is not known, as values: what follows from a reason is decided here, its words are made where results are
//! written (`report/src/words.rs`).
//!
//! There are two kinds of reasons, and they are two types, because an *unreachable* rests on the difference. A [`Cut`] ends one
//! state before its time: whoever gives the state up knows where it was, and so what it might have reached. A [`Doubt`] is of
//! something that the engine did not follow, and concerns everything. No set of one kind can hold the other, so nobody has to
//! take them apart again.

use std::sync::Arc;
use std::time::Duration;

use taw_ir::FuncId;
use taw_solver::Unknown;

use crate::finding::StackEntry;

/// Why something is not known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// A state did not get to its end.
    Cut(Cut),
    /// Something was not followed.
    Doubt(Doubt),
    /// A path leads there, and it was not accepted as a proof of that.
    Refused(Refusal),
}

/// Why one state does not get to its end. It concerns what can be reached from where the state was.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cut {
    /// The run did not let it go on.
    Halted(Halt),
    /// It met something that cannot be executed.
    Unsupported {
        /// What is not supported, in words.
        what: Arc<str>,
        /// The first place where it was met; `None` if that is not known.
        at: Option<StackEntry>,
    },
    /// It depends on something that was not answered.
    Unanswered(Unanswered),
    /// Paths should start at this function and cannot, because a parameter is a pointer.
    NotStarted(FuncId),
}

/// What a run does to a state that could go on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Halt {
    /// The user or the caller wants the run to end.
    Interrupted,
    /// The run is over: nothing is left that it was looking for.
    Over,
    /// A limit was met.
    Limit(Limit),
    /// The state was given up so that the process stays below this many bytes.
    Shed(u64),
}

/// A limit of a run, by what it limits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Limit {
    /// Wall time.
    Time(Duration),
    /// Paths that ended.
    Paths(u64),
    /// Forks on one path.
    Depth(u32),
    /// States at one time.
    States(usize),
    /// Instructions of all paths.
    Instructions(u64),
    /// Resident memory in bytes.
    Memory(u64),
}

/// A question without an answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unanswered {
    /// The solver's.
    Query(Unknown),
    /// A native function's.
    Call(NoResult),
}

/// A call of a native function that gave no result.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NoResult {
    /// The function's name.
    pub function: String,
    /// The arguments, as C would write them.
    pub arguments: String,
    /// What happened.
    pub failure: NativeFailure,
}

/// Why a native call gave no result.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NativeFailure {
    /// It ended the process by this signal.
    Crashed(i32),
    /// It ended the process with this exit code.
    Ended(i32),
    /// It closed its link to Taw.
    Closed,
    /// It did not come back in time.
    Hung(Duration),
    /// It gave two results for the same arguments.
    Varied,
    /// It was not made: too many before had failed.
    NotCalled,
    /// The system did not let it be made; what it said.
    System(String),
}

/// What the engine did not follow. It concerns everything: nobody knows where it would have led.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Doubt {
    /// The program turned forking off.
    ForkingOff,
    /// A symbolic pointer may point at more objects than this.
    ManyObjects(usize),
    /// A check that was asked for cannot be made in code that may be optimised; of what.
    Unchecked(&'static str),
    /// An allocation of symbolic size above this many bytes was given one size.
    OneSize(u64),
    /// This function gave one value of several.
    OneValue(&'static str),
    /// A request for more heap than this many bytes failed.
    HeapRefused(u64),
    /// A mapping of more than this many bytes failed.
    MappingRefused(u64),
    /// This system call was answered as by a kernel without it.
    CallRefused(String),
    /// This function of the C library gives what its author chose; natively the program has another library.
    LibraryDecides(&'static str),
    /// Where objects lie in memory decided something, here first: natively they lie elsewhere.
    LayoutDecides(StackEntry),
    /// Calls of a native function gave no result.
    NoResults {
        /// How many, at least one.
        count: u32,
        /// The first.
        first: NoResult,
    },
    /// A recorded path was executed, and nothing else.
    OnlyRecorded,
    /// The path left the recorded one at this decision, from 1.
    Diverged(usize),
}

/// Why a test that reaches a goal is not accepted. What a native run said is in its own words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Refusal {
    /// It could not be written.
    NotWritten(String),
    /// No native run can show it.
    Invisible(String),
    /// The native run does not show it.
    NotConfirmed(String),
    /// With the inputs as constants, the engine itself does not meet the error.
    NotMet(String),
}

impl From<Halt> for Cut {
    fn from(halt: Halt) -> Self {
        Cut::Halted(halt)
    }
}

impl From<Limit> for Halt {
    fn from(limit: Limit) -> Self {
        Halt::Limit(limit)
    }
}

impl From<Unknown> for Unanswered {
    fn from(why: Unknown) -> Self {
        Unanswered::Query(why)
    }
}
