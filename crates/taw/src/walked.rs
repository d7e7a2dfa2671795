//! A test whose path is walked again.

use std::path::Path;

use taw_engine::Recorded;
use taw_report::TestFile;

use crate::Error;

/// A test whose path is walked again.
#[derive(Clone, Debug)]
pub struct WalkedTest {
    /// The function that was started.
    pub entry: String,
    /// The path.
    pub path: Recorded,
    /// What was on standard input.
    pub stdin: Vec<u8>,
}

impl WalkedTest {
    /// Reads a test, which must be sound: anybody may have written it.
    ///
    /// # Errors
    /// If it is none, or contradicts itself.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file = TestFile::read(path)?;
        file.check().map_err(|why| Error::UnsoundTest { path: path.into(), why })?;
        Ok(WalkedTest::of(&file))
    }

    /// The path of a test.
    pub fn of(test: &TestFile) -> Self {
        let stdin = test.given.as_ref().and_then(|given| given.stdin.bytes());
        WalkedTest {
            entry: test.entry.clone().unwrap_or_else(|| "main".into()),
            path: Recorded { inputs: test.inputs().unwrap_or_default(), path: test.path.clone() },
            stdin: stdin.unwrap_or_default(),
        }
    }
}
