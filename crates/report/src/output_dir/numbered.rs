//! Fresh directories `taw-out-N`, and the link `taw-last` to the newest. Safe beside other runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::claim::Claim;
use super::{COMMAND, OutputError, at};

/// Symbolic link to the newest numbered directory.
pub(super) const LAST: &str = "taw-last";
const PREFIX: &str = "taw-out-";

/// Makes and claims the first `taw-out-N` after all that exist: making a directory either succeeds for one run or says that
/// it exists.
pub(super) fn claim(folder: &Path) -> Result<Claim, OutputError> {
    let mut number = newest(folder, |_| true).map_err(at(folder))?.map_or(0, |newest| newest.saturating_add(1));
    loop {
        let name = format!("{PREFIX}{number}");
        // Without the `./` that nobody writes.
        let dir = if folder == Path::new(".") { PathBuf::from(&name) } else { folder.join(&name) };
        match fs::create_dir(&dir) {
            Ok(()) => return Claim::fresh(&dir),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(at(&dir)(error)),
        }
    }
}

/// Points `taw-last` at the newest directory of a run that has begun, which may be another one that begins at this moment:
/// whoever points last has looked after all the others have begun. What is not a symbolic link is the user's, and stays.
pub(super) fn point_at_newest(folder: &Path) -> io::Result<()> {
    let link = folder.join(LAST);
    if link.symlink_metadata().is_ok_and(|found| !found.is_symlink()) {
        return Ok(());
    }
    let mut pointed = None;
    loop {
        let newest = newest(folder, |dir| dir.join(COMMAND).is_file())?;
        let Some(number) = newest.filter(|_| newest != pointed) else { return Ok(()) };
        let make = |path: &Path| std::os::unix::fs::symlink(format!("{PREFIX}{number}"), path);
        let fresh =
            tempfile::Builder::new().prefix(taw_files::PART.0).suffix(taw_files::PART.1).make_in(folder, make)?;
        fresh.into_temp_path().persist(&link)?;
        pointed = newest;
    }
}

/// The highest number of the directories that count.
fn newest(folder: &Path, counts: impl Fn(&Path) -> bool) -> io::Result<Option<u64>> {
    let mut newest = None;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).and_then(|n| n.parse::<u64>().ok());
        let number = number.filter(|_| counts(&entry.path()));
        newest = newest.max(number);
    }
    Ok(newest)
}
