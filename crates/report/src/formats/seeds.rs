//! Starting inputs from files of any known format, told apart by content: `.ktest`, Test-Comp's XML, Taw's own JSON, and
//! anything else as the raw bytes of one unnamed buffer.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use taw_engine::{Input, InputType};

use super::{ktest, testcomp};
use crate::test_file::TestFile;

/// Of a seed, in bytes.
const LARGEST: u64 = 256 << 20;

/// A file of seeds that cannot be used.
#[derive(Debug)]
pub struct SeedError {
    path: PathBuf,
    why: String,
}

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the seed `{}` cannot be used: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for SeedError {}

/// The seeds at `path`: a file, or every file of a folder in the order of their names. Hidden files, folders within and
/// the `metadata.xml` of a suite are passed over.
///
/// # Errors
/// The first file that cannot be read, or looks like a known format and is not.
pub fn read_seeds(path: &Path) -> Result<Vec<Vec<Input>>, SeedError> {
    let at = |error: io::Error| SeedError { path: path.into(), why: error.to_string() };
    if !fs::metadata(path).map_err(at)?.is_dir() {
        return Ok(vec![read_seed(path)?]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(at)? {
        let file = entry.map_err(at)?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if file.is_file() && !name.starts_with('.') && name != "metadata.xml" {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(SeedError { path: path.into(), why: "the folder has no files".into() });
    }
    files.iter().map(|file| read_seed(file)).collect()
}

/// The inputs in one file.
///
/// # Errors
/// If it cannot be read, or looks like a known format and is not.
pub fn read_seed(path: &Path) -> Result<Vec<Input>, SeedError> {
    let because = |why: String| SeedError { path: path.into(), why };
    let bytes = taw_files::read_named(path, LARGEST).map_err(|error| because(error.to_string()))?;
    decode(&bytes, path).map_err(because)
}

fn decode(bytes: &[u8], path: &Path) -> Result<Vec<Input>, String> {
    let ending = |ending: &str| path.extension().is_some_and(|found| found == ending);
    let start = bytes.trim_ascii_start();
    if bytes.starts_with(ktest::MAGIC) || ending("ktest") {
        return ktest::decode(bytes).map_err(|why| format!("it is not a whole .ktest file: {why}"));
    }
    if start.starts_with(b"<?xml") || start.starts_with(b"<testcase") || ending("xml") {
        return testcomp::decode(bytes).map_err(|why| format!("it is not a test case of the Test-Comp format: {why}"));
    }
    if is_ours(start) || ending("json") && start.starts_with(b"{") {
        let file: TestFile =
            serde_json::from_slice(bytes).map_err(|error| format!("it is not a test written by Taw: {error}"))?;
        return file.inputs().map_err(|name| format!("the bytes of input `{name}` are not hexadecimal"));
    }
    Ok(vec![Input { name: String::new(), ty: InputType::Bytes, bytes: bytes.to_vec() }])
}

/// Whether the file begins as Taw's tests do: programs that read JSON have JSON as raw seeds.
fn is_ours(start: &[u8]) -> bool {
    let words: Vec<u8> = start.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).take(20).collect();
    words.starts_with(b"{\"outcome\":{\"kind\":")
}
