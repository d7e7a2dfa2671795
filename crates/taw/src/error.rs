//! What goes wrong before there is a result, and the words for it: what is wrong, and the way out. Words name an option of the command
//! line where that is how most people say the thing; the setting of a [`Session`](crate::Session) has the same name.
//!
//! An error of the program under test is no error of Taw: it is a finding, and goes to the sink.

use std::io;
use std::path::PathBuf;

use taw_cage::NoKeeper;
use taw_explore::ExploreError;
use taw_loader::LoadError;
use taw_report::shell::quoted;
use taw_report::{OutputError, SeedError, TestReadError};
use taw_search::StrategyError;

use crate::globals::GlobalRule;
use crate::stubs::StubRule;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The program cannot be compiled or read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It cannot be explored as the settings say.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// There is no such strategy.
    #[error(transparent)]
    Search(#[from] StrategyError),
    /// The output directory cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A test cannot be read.
    #[error(transparent)]
    Test(#[from] TestReadError),
    /// A seed cannot be read.
    #[error(transparent)]
    Seed(#[from] SeedError),
    /// Nobody can start programs under test.
    #[error(transparent)]
    Keeper(#[from] NoKeeper),
    /// A function cannot be called natively.
    #[error(transparent)]
    Pure(#[from] PureError),
    /// Something that is to be reached is not in the program, or not understood; with what there is.
    #[error("{0}")]
    Target(String),
    /// A condition cannot be asked at its place.
    #[error("cannot ask `{text}`: {why}")]
    Condition {
        /// The target, as it was written.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A stage cannot be made, or not be used.
    #[error("stage `{what}`: {why}")]
    Stage {
        /// The invariant, or what was said.
        what: String,
        /// What is wrong.
        why: String,
    },
    /// No folder for Taw's own headers.
    #[error("cannot make a folder for headers: {0}; is $TMPDIR writable?")]
    Headers(#[source] io::Error),
    /// No thread with a stack that is large enough.
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
    /// The process has no current directory, in which relative paths would be meant.
    #[error("no current directory: {0}")]
    NoDirectory(#[source] io::Error),
    /// A source was there when it was compiled, and is not any more.
    #[error("a source disappeared while it was read: {0}")]
    SourceGone(#[source] io::Error),
    /// A test contradicts itself.
    #[error("`{}` is not a sound test: {why}", path.display())]
    UnsoundTest {
        /// Where it lies.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A seed does not fit what is symbolic.
    #[error("a seed of `{}` cannot be used: {why}", path.display())]
    UnfitSeed {
        /// Where it lies.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// There are seeds, and several entries.
    #[error("seeds are inputs of one function; name it with --entry")]
    SeedsOfOneEntry,
    /// Arguments are symbolic, and nobody takes them.
    #[error("`main` takes no arguments and would not see symbolic ones; write `int main(int argc, char **argv)`")]
    NoArguments,
    /// Every function is meant, and none can be started.
    #[error(
        "no function that is meant can be started (`--list` says why); write a small `main` that builds the arguments"
    )]
    NothingToStart,
    /// A pattern means no function.
    #[error(
        "--entry '{pattern}' means no function of the program{}; `--list` shows what there is",
        near.as_ref().map_or(String::new(), |near| format!(" (did you mean `{near}`?)"))
    )]
    NoMatch {
        /// What was said.
        pattern: String,
        /// A function with a name like it.
        near: Option<String>,
    },
    /// A database of compile commands cannot be used.
    #[error("`{}`: {why}", path.display())]
    Database {
        /// Where it lies.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A function needs nobody to stand in for it.
    #[error("--stub {rule}: {why}")]
    Stub {
        /// What was said.
        rule: StubRule,
        /// What is wrong with it.
        why: String,
    },
    /// Something that cannot be said of global variables.
    #[error("--globals {rule}: {why}")]
    Global {
        /// What was said.
        rule: GlobalRule,
        /// What is wrong with it.
        why: String,
    },
    /// What should hold cannot be said of an entry.
    #[error("--{option} {}: {why}", quoted(text.as_bytes()))]
    Precondition {
        /// The option.
        option: &'static str,
        /// What was said.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// The thread that runs tests of findings panicked.
    #[error("the thread that confirms findings has failed")]
    Confirmer,
    /// A folder is not what `taw run` writes.
    #[error("`{}` is not an output directory of Taw: cannot read `{}`: {error}", dir.display(), dir.join("tests").display())]
    NoOutputDirectory {
        /// The folder.
        dir: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A test that is named is not there.
    #[error("cannot read the test `{}`: {error}", path.display())]
    NoTest {
        /// What was named.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A test lies beside no `command.json`.
    #[error(
        "`{}` lies in no output directory of Taw, so its program is not known; name a test as DIR/tests/NAME.json",
        .0.display()
    )]
    Homeless(PathBuf),
    /// `command.json` cannot be read.
    #[error("{0}")]
    Command(String),
    /// Somebody else may have written a flag that could do anything.
    #[error(
        "the output directory has the flag `{flag}` for the compiler, which could run code or write files, and anybody may have \
         written it; to allow it, add {}",
        quoted(format!("--cflag={flag}").as_bytes())
    )]
    UntrustedFlag {
        /// The flag.
        flag: String,
    },
    /// The program is not what the tests are of.
    #[error("{}; the tests are of what it was: run `taw run` again", .0.join(", "))]
    Changed(Vec<String>),
    /// The binary that tests are to be run on cannot be.
    #[error("{0}")]
    Binary(String),
}

/// What is wrong with a function that is declared pure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PureError {
    /// A source instead of a library.
    #[error("--pure: `{path}` is a source, and a library is wanted: clang -shared -fPIC -o LIB.so {path}", path = .0.display())]
    Source(PathBuf),
    /// The library is not there.
    #[error("--pure: the library `{}` cannot be read: {error}", path.display())]
    Library {
        /// As it was named.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The function is a part of an executable that is already linked.
    #[error(
        "--pure {name}: `{name}` is a part of `{}`, which cannot be taken apart; put it into a library and say --pure {name}=LIB.so",
        path.display()
    )]
    PartOfExecutable {
        /// The function.
        name: String,
        /// The executable.
        path: PathBuf,
    },
    /// It cannot be called, and why.
    #[error("--pure {name}: {why}")]
    Function {
        /// The function.
        name: String,
        /// Why not, and the way out.
        why: String,
    },
    /// The functions cannot be linked, for a reason that is none of a single one.
    #[error("--pure: the functions cannot be linked: {0}")]
    Link(String),
    /// They cannot be started.
    #[error("--pure: the functions cannot be loaded: {0}")]
    Start(String),
    /// No folder to build in.
    #[error("no folder to build in: {0}; is $TMPDIR writable?")]
    Folder(#[source] io::Error),
}
