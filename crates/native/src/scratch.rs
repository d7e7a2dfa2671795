//! The folder of one native run: what it is given, and what it leaves, which is not trusted.
//!
//! Nobody else may look into it. A program may leave links, pipes and folders that cannot be entered; files are read only if they are files.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Most that is read of a file that a program has left.
const LONGEST: u64 = 64 << 20;

/// The folder; gone when dropped.
#[derive(Debug)]
pub(crate) struct ScratchFolder {
    folder: TempDir,
}

impl ScratchFolder {
    /// Makes it, with the folder in which the program is started.
    ///
    /// # Errors
    /// In words.
    pub(crate) fn new() -> Result<Self, String> {
        let folder = taw_files::scratch("taw-replay-").map_err(no_folder)?;
        let scratch = ScratchFolder { folder };
        taw_files::private_folder(&scratch.work()).map_err(no_folder)?;
        Ok(scratch)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where the program is started.
    pub(crate) fn work(&self) -> PathBuf {
        self.at("work")
    }

    /// The place of a file beside that.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file beside that.
    ///
    /// # Errors
    /// In words.
    pub(crate) fn write(&self, name: &str, content: &str) -> Result<(), String> {
        fs::write(self.at(name), content).map_err(no_folder)
    }

    /// Whether the run has left that file.
    pub(crate) fn has(&self, name: &str) -> bool {
        fs::symlink_metadata(self.at(name)).is_ok_and(|data| data.is_file())
    }

    /// What the run has left in that file, empty if there is none.
    pub(crate) fn text(&self, name: &str) -> String {
        // A link would be followed.
        let bytes = self.has(name).then(|| taw_files::read_regular(&self.at(name), LONGEST).unwrap_or_default());
        String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
    }

    /// The names of what lies beside the program's folder, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path()) else { return Vec::new() };
        let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        open_up(self.path());
    }
}

/// Folders that the program has shut are opened, so that they can be removed.
fn open_up(folder: &Path) {
    let Ok(data) = fs::symlink_metadata(folder) else { return };
    if !data.is_dir() {
        return;
    }
    let mode = data.permissions().mode();
    if mode & 0o700 != 0o700 {
        // If not, it stays.
        let _ = fs::set_permissions(folder, Permissions::from_mode(mode | 0o700));
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        open_up(&entry.path());
    }
}

fn no_folder(error: io::Error) -> String {
    format!("no scratch folder: {error}")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_files_are_read_and_shut_folders_are_removed() {
        let scratch = ScratchFolder::new().unwrap();
        scratch.write("a", "text").unwrap();
        symlink("/dev/zero", scratch.at("b")).unwrap();
        symlink(scratch.at("a"), scratch.at("c")).unwrap();
        assert_eq!(["a", "b", "c", "d"].map(|name| scratch.text(name)), ["text", "", "", ""]);
        assert!(scratch.has("a") && !scratch.has("b") && !scratch.has("work"));
        assert_eq!(scratch.names(), ["a", "b", "c", "work"]);
        assert_eq!(fs::metadata(scratch.work()).unwrap().permissions().mode() & 0o777, 0o700);
        fs::create_dir(scratch.work().join("shut")).unwrap();
        fs::write(scratch.work().join("shut/file"), "").unwrap();
        fs::set_permissions(scratch.work().join("shut"), Permissions::from_mode(0o0)).unwrap();
        let path = scratch.path().to_owned();
        drop(scratch);
        assert!(!path.exists());
    }
}
