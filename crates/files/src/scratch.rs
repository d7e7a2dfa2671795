//! Folders that are the user's alone: others on this machine could otherwise read inputs, or exchange what is built there.

use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

use tempfile::TempDir;

/// Nobody else may look.
const PRIVATE: u32 = 0o700;

/// A folder among the temporary files, gone when dropped.
///
/// # Errors
/// What the system says.
pub fn scratch(prefix: &str) -> io::Result<TempDir> {
    tempfile::Builder::new().prefix(prefix).permissions(Permissions::from_mode(PRIVATE)).tempdir()
}

/// Makes one folder; its parent must be there.
///
/// # Errors
/// What the system says, also if something is there already.
pub fn private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(PRIVATE).create(path)
}

/// The number of the user whose rights we have.
pub fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Checks that a folder is the user's or root's, and that nobody else could have put something into it. A link is not.
///
/// # Errors
/// What the system says, or what is wrong with the folder.
pub fn only_ours(folder: &Path) -> io::Result<()> {
    let found = folder.symlink_metadata()?;
    let us = user();
    let why = match (found.is_dir(), found.uid(), found.mode() & 0o022) {
        (false, ..) => "is not a folder",
        (true, uid, 0) if uid == us || uid == 0 => return Ok(()),
        (true, uid, _) if uid == us || uid == 0 => "can be written to by others",
        _ => "belongs to somebody else",
    };
    Err(io::Error::other(format!("`{}` {why}", folder.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_others_is_told() {
        let folder = scratch("taw-test-").unwrap();
        let (open, link) = (folder.path().join("open"), folder.path().join("link"));
        private_folder(&open).unwrap();
        std::os::unix::fs::symlink(&open, &link).unwrap();
        assert!(only_ours(&open).is_ok());
        assert!(only_ours(&link).unwrap_err().to_string().contains("is not a folder"));
        std::fs::set_permissions(&open, Permissions::from_mode(0o777)).unwrap();
        assert!(only_ours(&open).unwrap_err().to_string().contains("written to by others"));
        assert!(only_ours(&folder.path().join("none")).is_err());
    }

    #[test]
    fn nobody_else_may_look() {
        let folder = scratch("taw-test-").unwrap();
        let inner = folder.path().join("inner");
        private_folder(&inner).unwrap();
        for path in [folder.path(), &inner] {
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, PRIVATE, "{}", path.display());
        }
        assert!(private_folder(&inner).is_err());
    }
}
