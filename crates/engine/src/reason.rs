//! Why something is not known, as values: what follows from a reason is decided here, its words are made where results are
//! written (`report/src/words.rs`).
//!
//! There are two kinds of reasons, and they are two types, because an *unreachable* rests on the difference. A [`Cut`] ends one
//! state before its time: whoever gives the state up knows where it was, and so what it might have reached. A [`Doubt`] is of
//! something that the engine did not follow, and concerns everything. No set of one kind can hold the other, so nobody has to
//! take them apart again.

use std::sync::Arc;
use std::time::Duration;

use taw_ir::{FuncId, GlobalId};
use taw_solver::Unknown;

use crate::finding::StackEntry;
use crate::stub::Stub;

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
    /// Paths should start at this function and cannot ([`entry_obstacle`](crate::entry_obstacle)).
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
    /// It uses something of an unknown state that is not tried.
    Bound(Bound),
}

/// What is not tried of an unknown state, by the bound that leaves it out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bound {
    /// An array of more elements, or a pointer into the middle of one.
    Array(u64),
    /// Pointers into one array that are farther apart than this, or of which the later one comes first.
    Apart(u64),
    /// An array that begins before one which was made earlier and reaches into it.
    Overlapping,
    /// A longer string.
    String(u64),
    /// A longer chain of objects.
    Nesting(u32),
    /// A structure with more objects of one type.
    Nodes(u64),
    /// Characters without an end.
    Unterminated,
    /// A pointer into an object of another type, or to one that contains another.
    Overlap,
    /// A pointer to an object that leads to it.
    Cycle,
    /// A pointer to a global.
    Global,
    /// A pointer to a constant of the program.
    Constant,
    /// A pointer that is a number and no address.
    Number,
    /// A number in a union that is the address of something, or a pointer in one of which parts are used.
    Union,
    /// Bytes without a type that are used as an address.
    Bytes,
    /// A stream that is none of those tried.
    Stream,
    /// A file of the caller's that has more bytes.
    File(u64),
    /// A list of variadic arguments.
    VariadicList,
    /// A function of the caller's.
    Callback,
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
    /// Instructions of one path.
    PathInstructions(u64),
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
    /// A pointer of the caller's was compared with something that it was not tried to be.
    NotTried(Bound),
    /// A function of the caller's was called, and may do more than give back a value; the pointer that it was called by.
    Callback(String),
    /// Calls of a native function gave no result.
    NoResults {
        /// How many, at least one.
        count: u32,
        /// The first.
        first: NoResult,
    },
    /// A function that is defined nowhere (`--stub`) may do more than was tried; its name, and what.
    Stub(String, StubGap),
    /// Loops were taken as functions of what they read ([`LoopMode`](crate::LoopMode)): nothing is said of what is inside of them.
    LoopsTaken,
    /// A recorded path was executed, and nothing else.
    OnlyRecorded,
    /// The path left the recorded one at this decision, from 1.
    Diverged(usize),
    /// Paths were executed one by one, and the strategy does not turn every decision.
    NotTurned,
    /// So many executed paths did not go the way that their inputs were solved for.
    Mispredicted(u64),
}

/// What a function that is defined nowhere may do, and no path shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StubGap {
    /// It may call a function that it is handed.
    Callback,
    /// It may write through arguments that its declaration does not name.
    FurtherArguments,
    /// It may change pointers inside of what it is given, or give back other pointers than null inside of a structure.
    InnerPointers,
    /// It may give back another pointer than null and one to a new object.
    OtherResults,
    /// It may write to memory that it was handed and that was left as it was: of a size that depends on inputs, or not the program's own.
    Unwritten,
}

/// What the user said and nobody checked. It is no reason not to know something: whatever a run concludes holds where this does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Premise {
    /// This function, which is defined nowhere, gives back any value and does nothing else.
    Returns(FuncId),
    /// The same, and it writes what its pointers lead to, as their types allow.
    Writes(FuncId),
    /// This function is not called.
    NotCalled(FuncId),
    /// This expression of the user's holds where paths start at a function.
    Holds(String, FuncId),
    /// The first function does not return zero where paths start at the second.
    Accepts(FuncId, FuncId),
    /// The first, a pointer, leads to exactly as many elements as the second says, where paths start at a function; nothing stands for members.
    Elements(String, String, Option<FuncId>),
    /// This pointer is null or leads to text, where paths start at a function.
    Text(String, Option<FuncId>),
    /// Of every unknown structure of a type a function holds: the type, and the function, as the user named them.
    Invariant(String, String),
    /// These parameters are structures of a stage, which share nothing with what else is passed.
    Staged(StagePremise),
    /// This global variable, which is not constant, has its initial value where paths start.
    Initial(GlobalId),
    /// The kernel (open files, signals, the clock) is as where the program begins.
    Fresh,
    /// Nobody calls this function, at which paths start, but the program itself.
    OnlyCalls(FuncId),
}

/// What paths start with that start with structures of a stage.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StagePremise {
    /// The parameters.
    pub parameters: Vec<String>,
    /// The stage.
    pub stage: String,
    /// How many structures it has.
    pub structures: usize,
    /// The invariant that holds of them.
    pub invariant: String,
    /// What the stage does not have, in words.
    pub cut: Vec<String>,
}

impl Premise {
    /// What is taken for granted where a function is answered so.
    pub fn of_stub(func: FuncId, stub: Stub) -> Option<Self> {
        match stub {
            Stub::Return => Some(Premise::Returns(func)),
            Stub::Havoc => Some(Premise::Writes(func)),
            Stub::Never => Some(Premise::NotCalled(func)),
            Stub::Fail => None,
        }
    }
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
