//! Why a path does not go on.

use crate::finding::{FindingKind, StackEntry};
use crate::reason::{Bound, Unanswered};

/// Why a path does not go on. Findings here have no place yet: the step loop knows where it is.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The program is over, with that exit code.
    Exit(i32),
    /// A signal that nobody handles ends the program.
    Signal(i32),
    /// An error of the program under test.
    Bug(FindingKind, String),
    /// An error of the program under test, at another place than where the path is.
    BugAt(FindingKind, String, Vec<StackEntry>),
    /// The path condition cannot be satisfied, or an assumption does not hold: no such path exists.
    Infeasible,
    /// The program ends the path without wanting a test (`klee_silent_exit`).
    Silent,
    /// A construct that cannot be executed.
    Unsupported(String),
    /// The path goes where unknown objects are not tried.
    NotTried(Bound),
    /// What the path depends on was not answered.
    Unknown(Unanswered),
    /// Not an end: the innermost call changed (`longjmp`, `exit` with handlers); go on from there.
    Resume,
}
