//! Files that appear whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

/// Writes `content` to a hidden file beside `path` and renames it: a reader, also one after `kill -9`, sees the old
/// file, the new file or none, never a part.
///
/// # Errors
/// What the system says; the hidden file may then be left.
pub fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".part");
    let hidden = path.with_file_name(hidden);
    fs::write(&hidden, content)?;
    fs::rename(&hidden, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_content_is_replaced_and_nothing_else_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        assert!(write_atomically(&dir.path().join("no/such"), b"").is_err());
    }
}
