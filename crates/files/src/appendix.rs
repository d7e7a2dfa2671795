//! A C source with something behind its last line, or between its statements: compiled, it is the same source, and what was added sees all that
//! is declared where it stands.

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

/// What is added to a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SourceAdditions<'a> {
    /// Text before the first line.
    pub before: &'a str,
    /// Text in front of the byte with that number, whole lines; what follows keeps its line and column. Ascending.
    pub between: &'a [(usize, String)],
    /// Text behind the last line.
    pub behind: &'a str,
}

/// Writes the source called `source`, which lies in `directory` if that is relative, with what is added to `path`.
///
/// # Errors
/// If the one cannot be read or the other not be written.
pub fn extend_source(
    path: &Path,
    directory: &Path,
    source: &Path,
    added: SourceAdditions<'_>,
) -> io::Result<ExtendedSource> {
    let place = directory.join(source);
    let name = source.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let original = read_regular(&place, LARGEST)?;
    let mut content = format!("{}#line 1 \"{name}\"\n", added.before).into_bytes();
    let mut done = 0;
    for (offset, text) in added.between {
        let before = original.get(..*offset).filter(|_| *offset >= done);
        let before = before.ok_or_else(|| io::Error::other("the source has changed"))?;
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
        content.extend(&original[done..*offset]);
        content.extend(format!("\n{text}\n#line {line} \"{name}\"\n{:column$}", "").bytes());
        done = *offset;
    }
    content.extend(&original[done..]);
    content.extend(format!("\n\n{}", added.behind).bytes());
    fs::write(path, content)?;
    let folder = place.parent().unwrap_or(directory).display().to_string();
    Ok(ExtendedSource { path: path.to_owned(), flags: ["-iquote".to_owned(), folder] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extended(original: &str, between: &[(usize, String)]) -> io::Result<String> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("a.c"), original)?;
        let added = SourceAdditions { before: "B\n", between, behind: "E" };
        let made = extend_source(&folder.path().join("made.c"), folder.path(), Path::new("a.c"), added)?;
        fs::read_to_string(made.path)
    }

    #[test]
    fn what_follows_an_insertion_keeps_its_line_and_column() {
        let text = extended("a;\n  b; c;\n", &[(5, "X".into()), (8, "Y".into())]).unwrap();
        assert_eq!(text, "B\n#line 1 \"a.c\"\na;\n  \nX\n#line 2 \"a.c\"\n  b; \nY\n#line 2 \"a.c\"\n     c;\n\n\nE");
    }

    #[test]
    fn a_place_that_is_not_there_is_an_error() {
        assert!(extended("a;\n", &[(99, "X".into())]).is_err());
    }
}
