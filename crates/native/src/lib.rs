//! Native replay: the program built with the machine's own compiler and sanitizers, run on the inputs of a test.
//!
//! The way: [`taw_report::Recipe`] (what was explored, kept in `command.json`) → `build` (objects, the replay library in place of the
//! intrinsics, a `main` for other entries) → `stage` (its folder, arguments, environment and standard input) → `process` (one process per test, in a cage) → `sighting` (what a sanitizer
//! saw, and where) → `verdict` (the claim against the observation). [`Replayer`] goes this way.
//!
//! Boundary: knows test files and processes, nothing of the engine's states. Invariant: whatever the program does, the
//! answer is a [`Replayed`]; only a build or a system that fails gives an error.

mod build;
mod coverage;
mod driver;
mod flags;
mod follow;
mod globals;
mod library_text;
mod line_table;
mod output_text;
mod patch;
mod preconditions;
mod process;
mod replayer;
mod returned;
mod route;
mod scratch;
mod sighting;
mod stage;
mod suite_trial;
mod variables;
mod verdict;

pub use build::NativeToolchain;
pub use coverage::Lines;
pub use driver::integer_type;
pub use flags::untrusted_flag;
pub use process::Patience;
pub use replayer::{Conditions, CoverageMode, Observed, Replayed, Replayer};
pub use suite_trial::{SuiteTrial, TrialProgram, TrialRun};
pub use verdict::{MISSED, ReplayVerdict, is_of_memory};
