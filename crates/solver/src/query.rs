//! The question and its three answers.
//!
//! Invariant: `Unsat` is only ever said with a proof. What was not understood or not finished is `Unknown`, with the reason.

use std::fmt;

use taw_expr::{Assignment, Term};

/// Is `path ∧ goal` satisfiable?
///
/// Precondition: every term has width 1, and `witness` satisfies every term of `path`; so the path alone is satisfiable,
/// and whatever makes the query unsatisfiable involves the goal.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The conditions of the path, oldest first. Queries that share a long prefix are answered fastest.
    pub path: &'a [Term],
    /// What is asked on top of the path.
    pub goal: Term,
    /// An assignment that satisfies the path.
    pub witness: &'a Assignment,
}

/// The answer to a [`Query`].
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Satisfiable, by this assignment: it satisfies the whole path and the goal. Inputs that the goal does not depend on
    /// have the witness's values.
    Sat(Assignment),
    /// No assignment exists. Proved.
    Unsat,
    /// No answer, and why; the caller decides whether to keep the path.
    Unknown(Unknown),
}

impl Verdict {
    /// The model of a `Sat`.
    pub fn model(self) -> Option<Assignment> {
        match self {
            Self::Sat(model) => Some(model),
            Self::Unsat | Self::Unknown(_) => None,
        }
    }

    /// Whether the answer is `Sat`.
    pub fn is_sat(&self) -> bool {
        matches!(self, Self::Sat(_))
    }

    /// Whether the answer is `Unsat`.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Self::Unsat)
    }
}

/// Why a query has no answer. `Display` gives a sentence.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unknown {
    /// A limit of this query was reached.
    Limit(QueryLimit),
    /// The limit on the solving time of the whole run was reached before this query.
    RunLimit,
    /// The query depends on this opaque function, and no candidate satisfied it.
    Opaque(String),
    /// No back end of the chain understands this construct.
    Unsupported(&'static str),
    /// A back end gave up, for a reason of its own.
    BackEnd {
        /// Which one.
        name: &'static str,
        /// What it said.
        reason: String,
    },
    /// A back end gave a model that does not satisfy the query when evaluated (bits of a NaN's payload, for example).
    ModelRefused(&'static str),
    /// Every stage of the chain passed the query on.
    NoBackEnd,
}

/// A limit per query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum QueryLimit {
    /// Conflicts of the SAT solver.
    Conflicts,
    /// Work of Z3, in its own unit.
    Work,
    /// Wall-clock time.
    Time,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(QueryLimit::Conflicts) => write!(f, "the query exceeded its limit of conflicts"),
            Self::Limit(QueryLimit::Work) => write!(f, "the query exceeded its limit of solver work"),
            Self::Limit(QueryLimit::Time) => write!(f, "the query exceeded its time limit"),
            Self::RunLimit => write!(f, "the run exceeded its limit of solving time"),
            Self::Opaque(name) => {
                write!(
                    f,
                    "the query depends on `{name}`, which can be evaluated but not solved, and a search found no solution"
                )
            }
            Self::Unsupported(what) => write!(f, "no back end understands {what}"),
            Self::BackEnd { name, reason } => write!(f, "{name} gave up: {reason}"),
            Self::ModelRefused(name) => write!(f, "the model given by {name} does not satisfy the query"),
            Self::NoBackEnd => write!(f, "no stage of the chain answered the query"),
        }
    }
}
