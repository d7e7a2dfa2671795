//! Taw as a library: explores the paths of a C program, and finds inputs for its errors and for places in it.
//!
//! ```no_run
//! # fn main() -> Result<(), taw::Error> {
//! let program = taw::Program::compile(["parse.c"], &taw::Compile::default())?;
//! let session = taw::Session::new(program).entry("parse");
//! let summary = session.explore(&mut taw::Each(|test: &taw::TestCase| println!("{:?}", test.inputs)))?;
//! println!("{} paths", summary.paths.completed);
//! # Ok(())
//! # }
//! ```
//!
//! The way: [`Compile`] (what the compiler is told) → [`Program`] → [`Session`] (settings) → [`Session::explore`] with a [`Sink`] for the
//! tests, or [`Session::reach`] for targets. Who wants an output directory as `taw run` writes it, or to see the progress, takes
//! [`Session::prepared`]; the command line is made of nothing else.
//!
//! # What it does to its host
//!
//! It prints nothing, changes no directory, installs no handler of signals, and ends no process. It starts threads, one of them with a
//! large stack ([`on_large_stack`]), and `clang`; it makes temporary files, and unpacks the headers of its C library once into the user's
//! cache. With a path that is a file of bitcode which Taw has not made, LLVM may crash if it is corrupt: a host that begins with
//! [`serve_if_asked`] is started again to try it first.
//!
//! # Native runs
//!
//! What is found can be confirmed on the native program ([`Confirm::Natively`], [`Prepared::native`]), which runs in a cage. The cage is
//! made by a *keeper*: this executable again, in a process of its own. So the `main` of a host that wants native runs begins with
//!
//! ```no_run
//! # use std::process::ExitCode;
//! fn main() -> ExitCode {
//!     if let Some(code) = taw::serve_if_asked() {
//!         return code;
//!     }
//!     // …
//! #   ExitCode::SUCCESS
//! }
//! ```
//!
//! A host that does not, as the executable of `cargo test`, is never started again: it gets [`NoKeeper::DoesNotServe`], or names another
//! executable of the same version: `session.keeper(Keeper::at("/usr/bin/taw", Confinement::Whole))`.
//!
//! # Boundary
//!
//! The wiring of the crates below, and no more: how to explore is `taw_explore`'s, what is left of a run `taw_report`'s. They are here
//! under short names, because their types are part of this interface.

mod build;
mod callbacks;
mod concrete;
mod conditions;
mod confirm;
mod database;
mod each;
mod entries;
mod error;
mod globals;
mod harness;
mod invariants;
mod listed;
mod nicer;
mod postconditions;
mod preconditions;
mod prepared;
mod program;
mod pure;
mod reach;
mod reached;
mod replay;
mod results;
mod runtime;
mod seeds;
mod serve;
mod session;
mod stack;
mod staged;
mod staging;
mod stand_ins;
mod stubs;
mod suite;
mod testing;
mod ties;
mod walked;

pub use build::BuildWith;
pub use confirm::{Contradiction, may_be_unseen};
pub use database::{CompileDatabase, FileFlags};
pub use each::EntryOutcome;
pub use entries::Sharing;
pub use error::{Error, PureError};
pub use globals::GlobalRule;
pub use harness::Harness;
pub use invariants::InvariantRule;
pub use listed::{Listed, listed};
pub use prepared::Prepared;
pub use program::{Check, Compile, Program, program_name};
pub use pure::PureFunction;
pub use reach::{Confirm, ReachSink, Reached, ReachingTest, TargetOutcome, TestStore};
pub use replay::NativeProgram;
pub use results::{Confirmations, Observer, Results};
pub use runtime::sysroot;
pub use seeds::read_seeds;
pub use serve::serve_if_asked;
pub use session::{Each, Session};
pub use stack::on_large_stack;
pub use staged::StageRule;
pub use staging::StageRequest;
pub use stand_ins::FILE as STAND_INS_FILE;
pub use stubs::StubRule;
pub use suite::{Suite, read_suites, trusted};
pub use testing::{FoundError, FoundTest, TEST_SEARCH, TestTrial, TestedFunction, UnsaidTest, functions_to_test};
pub use ties::ArrayRule;
pub use walked::WalkedTest;

pub use taw_cage::{Confinement, Keeper, NoKeeper};
pub use taw_engine::{Alias, Input, Outcome, Reception, Sink, Strings, TestCase, UnknownShapes};
pub use taw_env::{Arg, Content, PeerAddress, World};
pub use taw_explore::{GoalVerdict, Limits, Snapshot, Summary};
pub use taw_loader::{LoadError, is_source};
pub use taw_solver::SolverConfig;

pub use taw_engine as engine;
pub use taw_ir as ir;
pub use taw_native as native;
pub use taw_report as report;
pub use taw_targets as targets;
