//! Runners for `tests/`: annotated C programs, the corpus, csmith's programs, command lines.
//!
//! Boundary: knows Taw only as a user does: the binary, its flags, its JSON, its output directory. Nothing here links
//! against the engine, so a test cannot pass because of what the engine believes about itself. The truth is the native
//! program: every test case that Taw writes is run natively and must do what Taw says.

#![deny(unsafe_code)]

mod annotation;
mod api;
mod backward;
mod brute;
mod callers;
mod corpus;
mod csmith;
mod entries;
mod fuzz;
mod locate;
mod measured;
mod native;
mod package_table;
mod packages;
mod pointers;
mod process;
mod program;
mod reach;
mod staged;
mod suites;
mod taw;
mod witness;

pub use annotation::{Bug, Expect, ProgramFile, Revision, TargetAnnotation};
pub use backward::backward_trials;
pub use callers::caller_trials;
pub use corpus::corpus_trials;
pub use csmith::{Seeds, csmith_trials};
pub use entries::entry_trials;
pub use fuzz::fuzz_trials;
pub use locate::taw;
pub use native::{BuildRecipe, CompiledProgram, NativeRun};
pub use package_table::package_trials;
pub use pointers::pointer_trials;
pub use process::{CommandOutput, Streams, run};
pub use program::program_trials;
pub use suites::suite_trials;
pub use taw::{
    JsonApi, JsonDocument, JsonFinding, JsonInput, JsonOutcome, JsonPaths, JsonReached, JsonTargetRow, JsonTest, Taw,
    TawRun,
};
pub use witness::holds;

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the crate is two folders below the root").to_owned()
}

/// A folder for a run's output, in memory where that is possible: thousands of small files are slow on a disk.
///
/// # Errors
/// What the system says.
pub fn scratch() -> Result<tempfile::TempDir, String> {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    folder.map_err(|e| format!("no temporary folder: {e}"))
}
