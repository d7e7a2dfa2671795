//! What of an output directory is Taw's to remove: files of names that Taw writes, and folders that are empty then.
//!
//! Invariant: nothing is removed through a symbolic link, and no folder that still holds something.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use taw_files::PART;

use super::{COMMAND, COVERAGE, FINDINGS, OutputError, STATS, TARGETS, TARGETS_SARIF, TESTS, Why, at};
use crate::formats::FORMATS;

/// Hexadecimal digits at the end of a test's name.
const HASH: usize = 16;

/// Removes an earlier output.
pub(super) fn clear(dir: &Path) -> Result<(), OutputError> {
    // What makes it an output goes first: a run that is killed here leaves none that seems whole.
    let own = |name: &str| [COMMAND, STATS, COVERAGE, TARGETS, TARGETS_SARIF].contains(&name) || is_further_log(name);
    remove(dir, &own)?;
    let parts = [(TESTS, is_test_file as fn(&str) -> bool), (FINDINGS, is_finding)];
    for (part, writes) in parts.into_iter().chain(FORMATS.iter().map(|format| (format.name, format.writes))) {
        let folder = dir.join(part);
        if !is_folder(&folder)? {
            continue;
        }
        for entry in fs::read_dir(&folder).map_err(at(&folder))? {
            let inner = entry.map_err(at(&folder))?.path();
            let Some(name) = inner.file_name().and_then(OsStr::to_str) else { continue };
            // Formats have folders in theirs, of one file each.
            if inner.symlink_metadata().is_ok_and(|found| found.is_dir()) {
                remove(&inner, &|file| writes(&format!("{name}/{file}")))?;
                remove_if_empty(&inner)?;
            }
        }
        remove(&folder, &writes)?;
        remove_if_empty(&folder)?;
    }
    Ok(())
}

/// Makes the folder `part` of an output directory, if it is not there.
pub(super) fn make(dir: &Path, part: &str) -> Result<(), OutputError> {
    let folder = dir.join(part);
    if is_folder(&folder)? { Ok(()) } else { fs::create_dir(&folder).map_err(at(&folder)) }
}

/// Whether a folder is there. Something else of that name is not Taw's, nor is what a link leads to.
fn is_folder(path: &Path) -> Result<bool, OutputError> {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => Ok(true),
        Ok(_) => Err(OutputError { path: path.into(), why: Why::InTheWay }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(at(path)(error)),
    }
}

/// Removes the files of a folder whose names Taw writes, and parts of such.
fn remove(folder: &Path, writes: &dyn Fn(&str) -> bool) -> Result<(), OutputError> {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let entry = entry.map_err(at(folder))?;
        let is_file = entry.file_type().is_ok_and(|kind| !kind.is_dir());
        let name = entry.file_name();
        if is_file && (is_part(&name) || name.to_str().is_some_and(writes)) {
            absent_is_fine(fs::remove_file(entry.path())).map_err(at(&entry.path()))?;
        }
    }
    Ok(())
}

fn remove_if_empty(folder: &Path) -> Result<(), OutputError> {
    match fs::remove_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        other => absent_is_fine(other).map_err(at(folder)),
    }
}

pub(super) fn absent_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// What a run leaves that is killed while it writes.
pub(super) fn is_part(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(PART.0.as_bytes()) && name.ends_with(PART.1.as_bytes())
}

/// The name of a test without its ending: `TestFile::name`.
pub(crate) fn is_test(stem: &str) -> bool {
    let digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    stem.rsplit_once('-').is_some_and(|(end, hash)| !end.is_empty() && hash.len() == HASH && hash.chars().all(digit))
}

fn is_test_file(name: &str) -> bool {
    name.strip_suffix(".json").is_some_and(is_test)
}

/// `001-KIND.json`
fn is_finding(name: &str) -> bool {
    let Some((number, kind)) = name.strip_suffix(".json").and_then(|stem| stem.split_once('-')) else { return false };
    number.len() >= 3 && is_number(number) && taw_engine::FindingKind::named(kind).is_some()
}

/// `targets-2.sarif`, of a second log.
fn is_further_log(name: &str) -> bool {
    name.strip_prefix("targets-").and_then(|rest| rest.strip_suffix(".sarif")).is_some_and(is_number)
}

/// Whether a text is digits.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_taw_writes_are_told_from_others() {
        assert!(is_test_file("exit-0-0123456789abcdef.json") && is_test_file("unknown-0123456789abcdef.json"));
        for other in ["notes.json", "exit-0.json", "-0123456789abcdef.json", "exit-0-0123456789abcdef.txt", ".json"] {
            assert!(!is_test_file(other), "{other}");
        }
        assert!(is_finding("001-abort.json") && is_finding("1234-out-of-bounds-read.json"));
        assert!(!is_finding("1-abort.json") && !is_finding("001-mine.json") && !is_finding("001-abort"));
        assert!(is_further_log("targets-2.sarif") && !is_further_log("targets-.sarif"));
        let writes = |format: &str| FORMATS.iter().find(|known| known.name == format).unwrap().writes;
        assert!(writes("ctest")("klee/klee.h") && !writes("ctest")("main.c"));
        assert!(writes("testcomp")("testcase-17.xml") && !writes("testcomp")("mine.xml"));
        assert!(writes("corpus")("exit-0-0123456789abcdef") && !writes("corpus")("seed"));
    }
}
