//! Queries written to a folder as SMT-LIB, numbered in the order they were asked.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use taw_expr::{Term, Terms};

use crate::{Query, SolverError, Verdict};

/// A folder of queries.
pub(crate) struct Dump {
    folder: PathBuf,
    count: u64,
}

impl Dump {
    /// Makes the folder if it is not there.
    pub fn new(folder: &Path) -> Result<Self, SolverError> {
        fs::create_dir_all(folder).map_err(|error| SolverError::Dump(folder.to_owned(), error))?;
        Ok(Self { folder: folder.to_owned(), count: 0 })
    }

    /// Writes a query with its answer as the status; a message if that fails.
    pub fn write(&mut self, terms: &Terms, query: &Query<'_>, verdict: &Verdict) -> Result<(), String> {
        self.count += 1;
        let file = self.folder.join(format!("query-{:06}.smt2", self.count));
        let text = format!("(set-info :status {})\n{}", status(verdict), script(terms, query));
        write_anew(&file, &text).map_err(|error| format!("cannot write {}: {error}", file.display()))
    }
}

/// The names can be guessed: what is there, which may be a link, is replaced and not followed.
fn write_anew(file: &Path, text: &str) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => fs::File::create_new(file)?.write_all(text.as_bytes()),
    }
}

fn status(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Sat(_) => "sat",
        Verdict::Unsat => "unsat",
        Verdict::Unknown(_) => "unknown",
    }
}

/// The query as a script.
pub(crate) fn script(terms: &Terms, query: &Query<'_>) -> String {
    let all: Vec<Term> = query.path.iter().copied().chain([query.goal]).collect();
    terms.smtlib(&all)
}
