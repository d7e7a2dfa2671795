//! Files that appear whole or not at all.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// How the hidden files begin and end that become a file when they are whole; `kill -9` may leave one.
pub const PART: (&str, &str) = (".taw-", ".part");

/// Writes `content` to a new hidden file beside `path` and renames it: a reader, also one after `kill -9`, sees the old
/// file, the new file or none, never a part. A symbolic link at `path` is replaced, not followed.
///
/// # Errors
/// What the system says.
pub fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| io::Error::other("the path names no file"))?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // As any file that a program makes: what the user's mask leaves.
    let usual = Permissions::from_mode(0o666);
    let mut part = tempfile::Builder::new().prefix(PART.0).suffix(PART.1).permissions(usual).tempfile_in(folder)?;
    part.write_all(content)?;
    part.persist(path).map(drop).map_err(|refused| refused.error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

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

    #[test]
    fn no_link_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (victim, path) = (dir.path().join("victim"), dir.path().join("a.json"));
        fs::write(&victim, "mine").unwrap();
        symlink(&victim, &path).unwrap();
        symlink(&victim, dir.path().join(".a.json.part")).unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"mine");
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(!path.symlink_metadata().unwrap().is_symlink());
    }
}
