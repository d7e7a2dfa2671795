//! Is this path feasible? The solver chain of Taw.
//!
//! A [`Query`] is a path condition, a goal, and a witness that satisfies the path. It goes through a chain of [`Stage`]s
//! ([`STAGES`], in that order), each of which answers it or asks the rest; at the end are the back ends: our own
//! bit-blasting onto CaDiCaL, and Z3. The answer is one of three: Sat with a model, Unsat, or Unknown with a reason.
//!
//! Boundary: this crate knows terms, not programs. Determinism: the same queries in the same order give the same answers;
//! time limits only stop. One [`Solver`] serves one arena of terms.

mod backends;
mod bounds;
mod chain;
mod config;
mod difference;
mod dump;
mod facade;
mod force;
mod intervals;
mod nearest;
mod oracle;
mod partition;
mod query;
mod scratch;
mod solver;
mod stages;
mod stats;
mod tape;
mod walk;

pub use backends::z3::z3_version;
pub use bounds::Bounds;
pub use chain::{Chain, Stage, StageCx, StageDef, StageKind};
pub use config::{SolverConfig, SolverError, StageChoice, Validate};
pub use facade::{Choice, Choices};
pub use query::{Query, QueryLimit, Unknown, Verdict};
pub use scratch::Scratch;
pub use solver::Solver;
pub use stages::STAGES;
pub use stats::{SolverStats, StageStats};
pub use walk::Ingredient;
