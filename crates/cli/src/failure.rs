//! What ends `taw` with exit code 2: a message that names the thing and the way out.

use std::fmt;
use std::io;

use taw::LoadError;

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// One message of ours, shown after `error:`.
    Message(String),
    /// The compiler's own words, shown as they are.
    Compiler(String),
    /// Standard output was closed by its reader, who has seen enough: no failure at all.
    ClosedPipe,
}

impl Failure {
    pub(crate) fn message(error: impl fmt::Display) -> Self {
        Failure::Message(error.to_string())
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Compile { .. } => Failure::Compiler(error.to_string()),
            other => Failure::message(other),
        }
    }
}

impl From<taw::Error> for Failure {
    fn from(error: taw::Error) -> Self {
        match error {
            taw::Error::Load(error) => error.into(),
            other => Failure::message(other),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure::ClosedPipe
        } else {
            Failure::Message(format!("cannot write to standard output: {error}"))
        }
    }
}
