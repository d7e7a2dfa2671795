//! Whose an output directory is: a marker of Taw's own proves it, and a lock on the marker keeps other runs away.
//!
//! The lock is the process's: it is gone when the process is, however that ends. Invariant: between [`Claim`]'s making and its
//! end no other Taw writes to the directory, and nothing of an earlier output has been touched.

use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use taw_files::PART;

use super::owned::is_part;
use super::{COMMAND, OutputError, Why, at};

/// The marker.
pub(super) const MARKER: &str = ".taw-output";
/// How its first line begins; the number of the format follows.
const FIRST_WORDS: &str = "This is an output directory of Taw, format ";
const FORMAT: &str = "1";
const REST: &str = "The next run with this --out replaces the files that Taw wrote; all other files stay.";
/// Longer is no marker.
const LONGEST: u64 = 4096;

/// A directory that no other run may write to.
#[derive(Debug)]
pub(super) struct Claim {
    dir: PathBuf,
    /// Locked as long as it is open.
    _marker: File,
    /// Whether the directory was made, or marked, for this claim: then it goes again if nothing comes of the run.
    made: Made,
}

/// What was there before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Made {
    /// An earlier output.
    Nothing,
    /// An empty directory.
    Marker,
    /// Nothing at all.
    Directory,
    /// The run has begun: all stays.
    Kept,
}

impl Claim {
    /// Claims a directory: a new one, an empty one, or an earlier output.
    pub(super) fn of(dir: &Path) -> Result<Self, OutputError> {
        let new = !dir.exists();
        fs::create_dir_all(dir).map_err(at(dir))?;
        Claim::existing(dir, if new { Made::Directory } else { Made::Marker })
    }

    /// Claims a directory that has just been made.
    pub(super) fn fresh(dir: &Path) -> Result<Self, OutputError> {
        Claim::existing(dir, Made::Directory)
    }

    fn existing(dir: &Path, made: Made) -> Result<Self, OutputError> {
        let path = dir.join(MARKER);
        loop {
            let (marker, made) = match path.symlink_metadata() {
                Ok(found) if found.is_file() => match File::open(&path) {
                    Ok(marker) => (marker, Made::Nothing),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(at(&path)(error)),
                },
                Ok(_) => return Err(OutputError { path: dir.into(), why: Why::NotOurs }),
                Err(_) => match mark(dir)? {
                    Some(marker) => (marker, made),
                    // Another run was faster.
                    None => continue,
                },
            };
            lock(&marker, dir)?;
            // A run that came to nothing may have removed the marker before we had the lock.
            if is_still(&marker, &path) {
                check(&marker, dir)?;
                return Ok(Claim { dir: dir.into(), _marker: marker, made });
            }
        }
    }

    /// The directory.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The run has begun: the directory stays.
    pub(super) fn keep(&mut self) {
        self.made = Made::Kept;
    }
}

impl Drop for Claim {
    /// A run that did not begin leaves nothing.
    fn drop(&mut self) {
        if matches!(self.made, Made::Marker | Made::Directory) {
            let _ = fs::remove_file(self.dir.join(MARKER));
        }
        if self.made == Made::Directory {
            // Stays if somebody has put something into it.
            let _ = fs::remove_dir(&self.dir);
        }
    }
}

/// Marks an empty directory; none if it has been marked meanwhile. The marker is locked before anybody can see it.
fn mark(dir: &Path) -> Result<Option<File>, OutputError> {
    let path = dir.join(MARKER);
    let builder = &mut tempfile::Builder::new();
    let builder = builder.prefix(PART.0).suffix(PART.1).permissions(Permissions::from_mode(0o666));
    if !is_empty(dir).map_err(at(dir))? {
        let why = match (path.exists(), dir.join(COMMAND).is_file()) {
            (true, _) => return Ok(None),
            (false, true) => Why::Unmarked,
            (false, false) => Why::NotOurs,
        };
        return Err(OutputError { path: dir.into(), why });
    }
    let mut marker = builder.tempfile_in(dir).map_err(at(&path))?;
    write!(marker, "{FIRST_WORDS}{FORMAT}\n{REST}\n").map_err(at(&path))?;
    lock(marker.as_file(), dir)?;
    match marker.persist_noclobber(&path) {
        Ok(marker) => Ok(Some(marker)),
        Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(refused) => Err(at(&path)(refused.error)),
    }
}

/// Whether there is nothing but what a run leaves that was killed at its very start.
fn is_empty(dir: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(dir)? {
        if !is_part(&entry?.file_name()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Some file systems of other machines know no locks: there nothing keeps two runs apart.
fn lock(marker: &File, dir: &Path) -> Result<(), OutputError> {
    match marker.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(OutputError { path: dir.into(), why: Why::InUse }),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(at(dir)(error)),
    }
}

fn is_still(marker: &File, path: &Path) -> bool {
    let same = |a: fs::Metadata, b: fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    marker.metadata().is_ok_and(|ours| path.symlink_metadata().is_ok_and(|there| same(ours, there)))
}

/// Whether the marker says what Taw writes.
fn check(marker: &File, dir: &Path) -> Result<(), OutputError> {
    let mut text = Vec::new();
    let mut marker = marker;
    // One that was just written is at its end.
    marker.rewind().map_err(at(dir))?;
    marker.take(LONGEST).read_to_end(&mut text).map_err(at(dir))?;
    let text = String::from_utf8_lossy(&text);
    let why = match text.lines().next().and_then(|line| line.strip_prefix(FIRST_WORDS)) {
        Some(FORMAT) => return Ok(()),
        Some(other) => Why::Format(other.chars().take(20).collect()),
        None => Why::NotOurs,
    };
    Err(OutputError { path: dir.into(), why })
}
