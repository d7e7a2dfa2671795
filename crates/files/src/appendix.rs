//! A C source with something behind its last line: compiled, it is the same source, and what is behind it sees all that it has declared.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::read_regular;

/// Of a source, in bytes.
const LARGEST: u64 = 256 << 20;

/// A source of which lines, messages and debug information are those of the file that it was made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtendedSource {
    /// What to compile.
    pub path: PathBuf,
    /// Where its includes in quotes are: flags for the compiler, before all others.
    pub flags: [String; 2],
}

/// Writes the source called `source`, which lies in `directory` if that is relative, with `text` behind it to `path`.
///
/// # Errors
/// If the one cannot be read or the other not be written.
pub fn append_to_source(path: &Path, directory: &Path, source: &Path, text: &str) -> io::Result<ExtendedSource> {
    let place = directory.join(source);
    let name = source.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let mut content = format!("#line 1 \"{name}\"\n").into_bytes();
    content.extend(read_regular(&place, LARGEST)?);
    content.extend(format!("\n\n{text}").bytes());
    fs::write(path, content)?;
    let folder = place.parent().unwrap_or(directory).display().to_string();
    Ok(ExtendedSource { path: path.to_owned(), flags: ["-iquote".to_owned(), folder] })
}
