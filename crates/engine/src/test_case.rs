//! A test: the inputs of one path, and how the path ended.

use std::sync::Arc;

use crate::finding::Finding;
use crate::reason::{Halt, Unanswered};

/// What a symbolic input is in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputType {
    /// A scalar or array of scalars, by C type name ("int", "unsigned char", "double", …).
    Scalar(String),
    /// Bytes with no known type.
    Bytes,
    /// Where a pointer points: what each value stands for.
    Choice(Arc<[String]>),
}

/// One symbolic input with the value it has in a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Name, unique within the test ("x", "x_1" for the second).
    pub name: String,
    /// What it is.
    pub ty: InputType,
    /// The value as it lies in memory.
    pub bytes: Vec<u8>,
}

/// How a path ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It returned from the entry or called `exit`, with that code.
    Exit(i32),
    /// A signal ended it that it had sent itself, or that a system call had.
    Signal(i32),
    /// It met an error.
    Finding(Finding),
    /// It reached something that cannot be executed; the place is the stack's.
    Unsupported {
        /// What is not supported, in words.
        what: String,
        /// The calls in which it was met, innermost first.
        stack: Vec<crate::StackEntry>,
    },
    /// It has reached a place that was asked for, of that name; nothing is said of how it goes on.
    Reached(String),
    /// It was cut short by the run, or still pending at its end.
    Halted(Halt),
    /// The path depends on what was not answered.
    Unknown(Unanswered),
}

/// A test.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// The function that the run started at.
    pub entry: taw_ir::FuncId,
    /// Inputs in the order in which the path made them.
    pub inputs: Vec<Input>,
    /// How the path ended.
    pub outcome: Outcome,
    /// Which way each symbolic decision went, for `--replay-path`.
    pub path: crate::PathWays,
    /// The branches that a finding depends on by their inputs: where each is and whether its condition held.
    pub decisive: Vec<(crate::StackEntry, bool)>,
    /// What a finding asks of the caller on this path as a whole; none if it is none, or paths start at `main`.
    pub caller: Option<crate::CallerClass>,
    /// What the entry was called with, if it is not `main`.
    pub graph: Option<crate::unknown::ObjectGraph>,
    /// What the call of the entry gave, if it returned and is not `main`.
    pub returned: Option<crate::unknown::CallOutcome>,
    /// What the program wrote.
    pub written: crate::Written,
    /// What a native run is started with: arguments, environment, standard input, files.
    pub given: crate::Given,
    /// Labels of the markers passed (`taw_target`, `--marker`), each once, in order.
    pub labels: Vec<String>,
    /// What the path covered, for choosing among tests.
    pub covered: crate::coverage::PathCoverage,
    /// Values shown by `taw_print` and its like.
    pub prints: Vec<String>,
}
