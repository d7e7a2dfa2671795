//! Executes states.
//!
//! Boundary: knows how to run one state for one slice; what to run next is an explorer's choice, what library
//! functions do is `env`'s, what is written where is `report`'s (through [`Sink`]).

mod config;
mod coverage;
mod finding;
mod sink;
mod stats;
mod test_case;

pub use config::{Checks, Config, EngineError};
pub use coverage::Coverage;
pub use finding::{Finding, FindingKind, StackEntry};
pub use sink::Sink;
pub use stats::Stats;
pub use test_case::{Input, InputType, Outcome, TestCase};
