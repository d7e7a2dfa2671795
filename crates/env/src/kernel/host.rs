//! Files of the host that the user allows to be read. They are read when they are needed, once per run, and never written.

use std::cell::OnceCell;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::content::known;
use super::fs::Fs;
use super::inode::{Credentials, Directory, Ino, Inode, InodeKind};

/// A regular file of the host. All states share what was read.
#[derive(Clone, Debug)]
pub struct HostFile {
    path: Rc<PathBuf>,
    size: u64,
    bytes: Rc<OnceCell<Vec<u8>>>,
}

impl HostFile {
    /// Its size when it was first seen.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Up to `len` bytes from an offset. What cannot be read any more is zero.
    pub fn read(&self, offset: u64, len: u64) -> &[u8] {
        let read = || {
            let mut bytes = fs::read(&*self.path).unwrap_or_default();
            bytes.resize(self.size as usize, 0);
            bytes
        };
        let bytes = self.bytes.get_or_init(read);
        let from = offset.min(self.size) as usize;
        let to = offset.saturating_add(len).min(self.size) as usize;
        &bytes[from..to]
    }
}

/// Whom files of the host belong to, as the program sees it.
const NOBODY: Credentials = Credentials { uid: 0, gid: 0 };

/// The inode of something of the host, if it is a thing that can be read.
fn inode_of(path: &Path, parent: Ino) -> Option<Inode> {
    let meta = fs::symlink_metadata(path).ok()?;
    let kind = if meta.is_dir() {
        let mut directory = Directory::new(parent);
        directory.host = Some(Rc::new(path.to_owned()));
        InodeKind::Directory(directory)
    } else if meta.is_symlink() {
        InodeKind::Symlink(known(fs::read_link(path).ok()?.as_os_str().as_bytes()).into())
    } else if meta.is_file() {
        let size = meta.len();
        InodeKind::Host(HostFile { path: Rc::new(path.to_owned()), size, bytes: Rc::default() })
    } else {
        return None;
    };
    let mut inode = Inode::new(kind, meta.mode() & 0o555 | if meta.is_dir() { 0o555 } else { 0o444 }, &NOBODY, 0);
    let time = meta.mtime().saturating_mul(1_000_000_000).saturating_add(meta.mtime_nsec());
    (inode.atime, inode.mtime, inode.ctime) = (time, time, time);
    Some(inode)
}

/// Makes a path of the host visible under the same path; a relative one in the current folder.
pub fn mount(fs: &mut Fs, cwd: Ino, path: &Path) {
    let mut dir = if path.is_absolute() { fs.root() } else { cwd };
    let parts: Vec<&std::ffi::OsStr> = path
        .components()
        .filter_map(|c| match c {
            std::path::Component::Normal(name) => Some(name),
            _ => None,
        })
        .collect();
    let Some((last, above)) = parts.split_last() else { return };
    for part in above {
        dir = fs.folder(dir, part.as_bytes());
    }
    let name = known(last.as_bytes());
    if fs.entry(dir, &name).is_none()
        && let Some(inode) = fs::canonicalize(path).ok().and_then(|real| inode_of(&real, dir))
    {
        fs.place(dir, name.into(), inode);
    }
}

/// Lists a folder of the host, if that was not done yet.
pub fn list(fs: &mut Fs, dir: Ino) {
    let Some(path) = fs.inode(dir).directory().and_then(|d| d.host.clone()) else { return };
    if let InodeKind::Directory(directory) = &mut fs.inode_mut(dir).kind {
        directory.host = None;
    }
    let mut names: Vec<_> = fs::read_dir(&*path).into_iter().flatten().flatten().map(|e| e.file_name()).collect();
    names.sort();
    for name in names {
        if let Some(inode) = inode_of(&path.join(&name), dir) {
            fs.place(dir, known(name.as_bytes()).into(), inode);
        }
    }
}
