//! Why a program could not be loaded: each message names the thing and the way out.

use std::path::PathBuf;

use thiserror::Error;

use crate::LLVM_VERSION;

/// Why a program could not be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// No file was given.
    #[error("no input file: give C sources (.c), bitcode (.bc), LLVM assembly (.ll) or a program built with `taw cc`")]
    NoInput,
    /// A file cannot be opened or read.
    #[error("cannot read `{}`: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A global is larger than what is kept of one.
    #[error(
        "the global `{global}` has more than {most} bytes, the most that Taw keeps of one; make it smaller, as by a macro"
    )]
    GlobalSize {
        /// Its name.
        global: String,
        /// The most bytes.
        most: u64,
    },
    /// A file is of a kind that is not understood.
    #[error("`{}` is {kind}; give C sources (.c), bitcode (.bc, made with `clang-{LLVM_VERSION} -g -emit-llvm -c`) or LLVM assembly (.ll)", path.display())]
    WrongKind {
        /// The file.
        path: PathBuf,
        /// What it is: `an ELF object file`.
        kind: &'static str,
    },
    /// Machine code without embedded bitcode.
    #[error("`{}` is {kind} without bitcode in it; was it built with `taw cc` (make CC=\"taw cc\", ./configure CC=\"taw cc\"), and not stripped by llvm-strip?", path.display())]
    NoBitcode {
        /// The file.
        path: PathBuf,
        /// What it is: `an archive`.
        kind: &'static str,
    },
    /// Machine code whose embedded bitcode cannot be used.
    #[error("the bitcode in `{}` cannot be used: {reason}; build it anew with `taw cc`", path.display())]
    Carrier {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The compiler is missing.
    #[error(
        "clang of LLVM {LLVM_VERSION} not found (looked at {looked}); install the package clang-{LLVM_VERSION} or name it in TAW_CLANG"
    )]
    NoClang {
        /// Where it was looked for.
        looked: String,
    },
    /// The compiler is there, but of another version.
    #[error(
        "`{}` is of LLVM {found}, but Taw reads LLVM {LLVM_VERSION}; install clang-{LLVM_VERSION} or name it in TAW_CLANG", path.display()
    )]
    ClangVersion {
        /// The compiler.
        path: PathBuf,
        /// Its version.
        found: String,
    },
    /// The compiler could not be started, or its output could not be kept.
    #[error("cannot run `{}`: {error}", path.display())]
    ClangFailed {
        /// The compiler.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The compiler rejected a source. Displays as the compiler's own words, unchanged.
    #[error("{}", stderr.trim_end())]
    Compile {
        /// The source.
        path: PathBuf,
        /// What the compiler wrote to standard error.
        stderr: String,
    },
    /// A module cannot be read.
    #[error("`{name}` is not a module that LLVM {version} can read: {reason}; make it anew with clang-{LLVM_VERSION}", version = crate::llvm_version())]
    BadModule {
        /// The file.
        name: String,
        /// LLVM's words.
        reason: String,
    },
    /// A text is no LLVM assembly. Displays as LLVM's own words, which show file, line and place.
    #[error("{reason}")]
    BadText {
        /// LLVM's words.
        reason: String,
    },
    /// A module was made by a newer LLVM.
    #[error("`{name}` was made by {producer}, which is newer than LLVM {version} that Taw reads ({reason}); make it anew with clang-{LLVM_VERSION}", version = crate::llvm_version())]
    NewerModule {
        /// The file.
        name: String,
        /// Who made it.
        producer: String,
        /// LLVM's words.
        reason: String,
    },
    /// A module was read but is not well-formed.
    #[error("`{name}` is not well-formed LLVM IR: {reason}")]
    Malformed {
        /// The file.
        name: String,
        /// LLVM's words.
        reason: String,
    },
    /// Modules for different machines.
    #[error(
        "`{first}` is for {first_target}, but `{second}` is for {second_target}: compile all files for the same target"
    )]
    TargetMismatch {
        /// A file.
        first: String,
        /// Its target.
        first_target: String,
        /// Another file.
        second: String,
        /// Its target.
        second_target: String,
    },
    /// Modules that do not fit together, for example because both define a symbol.
    #[error("cannot link `{name}`: {reason}")]
    Link {
        /// The file that was being added.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The target's memory is of a kind that is not understood.
    #[error("the program is for {triple}, with pointers of {bits} bits: Taw runs programs with 32 or 64 bits")]
    Target {
        /// The target.
        triple: String,
        /// Width of a pointer.
        bits: u32,
    },
    /// A global's initial content depends on addresses in a way that is not understood.
    #[error("the initial value of `{global}` cannot be computed: {reason}")]
    Initializer {
        /// The global.
        global: String,
        /// What is wrong.
        reason: String,
    },
}
