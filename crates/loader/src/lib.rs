//! From C sources, bitcode and textual LLVM IR to a [`Program`].
//!
//! The way: `clang` compiles sources to bitcode ([`compile`]), modules are read ([`read`]) and linked into one with what
//! they need of the runtime library ([`link`]), and the result is lowered to Taw's own representation ([`lower`]).
//!
//! Boundary: the only crate that knows LLVM; nothing of LLVM shows in its interface. `unsafe` lives in `llvm` alone.
//! Invariant: whatever is given, the answer is a program that `taw_ir::verify` accepts or a [`LoadError`], never a panic;
//! (a corrupt module is found out by [`probe`], in hosts that begin with [`read_if_asked`]); a construct that cannot be lowered becomes `Inst::Unsupported` at its place.

mod ask;
mod clang;
mod compile;
mod embedded;
mod error;
mod link;
mod llvm;
mod lower;
mod probe;
mod read;
mod syntax;

use std::path::PathBuf;

use taw_ir::Program;

pub use ask::{
    ConditionForm, ConditionPlace, FOREVER, LineStatements, NoCondition, condition_text, is_sound, statements_at,
};
pub use clang::Clang;
pub use compile::{CONDITION_FUNCTIONS, is_source};
pub use error::LoadError;
pub use probe::read_if_asked;

/// The version of LLVM that is linked, whose bitcode (and older) can be read: `22.1.8`.
pub fn llvm_version() -> String {
    llvm::version()
}

/// The major version of LLVM this crate is built for; `clang` must be of the same.
pub const LLVM_VERSION: u32 = 22;

/// What to load.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// C (`.c`, `.i`), C++ (`.cc`, `.cpp`, `.cxx`, `.C`), bitcode, textual IR (`.ll`), and executables, objects and
    /// libraries that `taw cc` has built; linked together in this order.
    pub files: Vec<PathBuf>,
    /// Arguments for `clang` when it compiles single files, before the others.
    pub own_flags: Vec<(PathBuf, Vec<String>)>,
    /// C that is compiled as if it stood behind the last line of a file, by file.
    pub appendices: Vec<(PathBuf, String)>,
    /// C that is compiled as if it stood in front of bytes of a file, by file: conditions of places, made for [`statements_at`].
    pub conditions: Vec<(PathBuf, Vec<(usize, String)>)>,
    /// Arguments for `clang`, in its spelling. One that starts with `-O` replaces the default of unoptimised code.
    pub cflags: Vec<String>,
    /// Bitcode modules, with a name for messages, of which what is referenced and not defined by the files is linked.
    /// Modules for another data layout than that of the files are passed over.
    pub runtime: Vec<(String, &'static [u8])>,
    /// Where `usr/include` has the headers of the C library; without it the compiler's own choice. For C on 64 bits only: there is no
    /// other library to match.
    pub sysroot: Option<PathBuf>,
    /// Folders searched for headers after all others (`taw.h` and its like).
    pub include_dirs: Vec<PathBuf>,
    /// Whether comparisons that are returned, stored or passed on are conditions whose outcomes count.
    pub values: bool,
    /// Who shows warnings, whole lines with their ends; standard error if nobody does.
    pub warn: Option<fn(&str)>,
}

impl Sources {
    fn warn(&self, words: &str) {
        match self.warn {
            Some(warn) => warn(words),
            None => eprint!("{words}"),
        }
    }
}

/// Compiles, links and lowers.
pub fn load(sources: &Sources) -> Result<Program, LoadError> {
    let context = llvm::LlvmContext::new();
    let units = compile::inputs(sources)?;
    let modules = units.iter().map(|unit| read::module(&context, unit)).collect::<Result<Vec<_>, _>>()?;
    let linked = link::program(&context, modules, &sources.runtime)?;
    let program = lower::program(&linked, sources.values)?;
    #[cfg(debug_assertions)]
    if let Err(broken) = taw_ir::verify(&program) {
        panic!("the loader broke an invariant of the program representation: {broken}");
    }
    Ok(program)
}
