//! Formats that other tools read: one file each, one row in [`FORMATS`].
//!
//! A format is written at the end of a run from the tests that were kept, into the folder of its name in the output
//! directory. To add one: a file here with a `DEF`, and its row. Formats that are read back (`seeds`) are [`read_seed`]'s.

mod corpus;
mod coverage_json;
mod ctest;
mod ktest;
mod sarif;
mod seeds;
mod testcomp;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use taw_ir::Program;

use crate::findings::FindingRecord;
use crate::lines::FileCoverage;
use crate::output_dir::OutputError;
use crate::test_file::TestFile;
use taw_files::write_atomically;

pub use seeds::{SeedError, read_seed, read_seeds};

/// A test with the name of its file, without folder and ending.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedTest {
    /// The name.
    pub name: String,
    /// What it holds.
    pub test: TestFile,
}

/// What a run leaves, as the formats need it.
#[derive(Clone, Debug)]
pub struct FinishedRun<'a> {
    /// The program under test.
    pub program: &'a Program,
    /// The tests that were kept, by name.
    pub tests: Vec<NamedTest>,
    /// The findings.
    pub findings: &'a [FindingRecord],
    /// What was covered.
    pub coverage: &'a [FileCoverage],
    /// The user's files, absolute.
    pub sources: Vec<PathBuf>,
    /// Flags for the compiler, in its spelling; folders are absolute.
    pub cflags: Vec<String>,
    /// Flags for single files of these, before the others.
    pub own_flags: Vec<(PathBuf, Vec<String>)>,
    /// Shared libraries that the program is linked with, absolute.
    pub libraries: Vec<PathBuf>,
    /// The functions at which paths started.
    pub entries: &'a [String],
    /// Files that a native build needs beside the sources: name and content (`replay.c`, `taw.h`).
    pub support: &'a [(&'a str, &'a str)],
    /// What is called before an entry.
    pub preconditions: &'a [taw_engine::Precondition],
}

/// A format.
#[derive(Clone, Copy, Debug)]
pub struct FormatDef {
    /// What `--emit` calls it, and the folder it is written to.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// Whether it writes a file of this name, relative to its folder: such a file of an earlier run is removed.
    pub(crate) writes: fn(&str) -> bool,
    /// Gives what could not be said of single tests.
    write: fn(&FinishedRun<'_>, &Path) -> Result<Vec<String>, FormatError>,
}

/// Every format.
pub const FORMATS: &[FormatDef] = &[testcomp::DEF, ktest::DEF, corpus::DEF, ctest::DEF, sarif::DEF, coverage_json::DEF];

/// Why a format was not written.
#[derive(Debug)]
pub enum FormatError {
    /// The suite cannot be said in this format; why.
    Unfit {
        /// The format.
        format: &'static str,
        /// Why, and what to do instead.
        why: String,
    },
    /// A file could not be written.
    Output(OutputError),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Unfit { format, why } => write!(f, "nothing was written as `{format}`: {why}"),
            FormatError::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FormatError {}

impl FormatDef {
    /// The format of that name.
    pub fn named(name: &str) -> Option<&'static FormatDef> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Writes `suite` into the folder of the format's name in `dir`, and gives what could not be said of single tests.
    ///
    /// # Errors
    /// If a file cannot be written, or the suite cannot be said in the format.
    pub fn write(&self, suite: &FinishedRun<'_>, dir: &Path) -> Result<Vec<String>, FormatError> {
        let folder = dir.join(self.name);
        fs::create_dir_all(&folder).map_err(|error| FormatError::Output(OutputError::io(&folder, error)))?;
        match (self.write)(suite, &folder) {
            Ok(left_out) => Ok(left_out),
            Err(error) => {
                // An empty folder would say that there is something; a folder that is not empty stays.
                let _ = fs::remove_dir(&folder);
                Err(error)
            }
        }
    }
}

impl<'a> FinishedRun<'a> {
    /// The function at which all paths started.
    ///
    /// # Errors
    /// If there are several, which `format` cannot say.
    fn entry(&self, format: &'static str) -> Result<&'a str, FormatError> {
        match self.entries {
            [only] => Ok(only),
            _ => Err(FormatError::Unfit {
                format,
                why: "the tests start at several functions; name one of them with --entry".into(),
            }),
        }
    }
}

/// Writes one file of a format.
fn put(folder: &Path, name: &str, content: &[u8]) -> Result<(), FormatError> {
    let path = folder.join(name);
    write_atomically(&path, content).map_err(|error| FormatError::Output(OutputError::io(&path, error)))
}

#[cfg(test)]
mod tests;
