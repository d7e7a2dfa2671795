//! What a name in the file system names: a regular file, a folder, a link, a device, a pipe, …

use std::rc::Rc;

use taw_engine::{HoldsTerms, Stream, Value};
use taw_expr::Marks;

use super::content::FileContent;
use super::epoll::Epoll;
use super::errno::Errno;
use super::host::HostFile;
use super::pipe::Pipe;
use super::socket::Socket;

/// The number of an inode.
pub type Ino = u64;

/// A name in a folder; its bytes may be symbolic.
pub type Name = Rc<[Value]>;

/// Nanoseconds since 1970.
pub type Time = i64;

/// A file of any kind.
#[derive(Clone, Debug)]
pub struct Inode {
    /// What it is.
    pub kind: InodeKind,
    /// Permissions, the low twelve bits of `st_mode`.
    pub mode: u32,
    /// The user it belongs to.
    pub uid: u32,
    /// The group it belongs to.
    pub gid: u32,
    /// Names it has; a folder counts itself and the folders in it.
    pub links: u64,
    /// Open file descriptions that refer to it: it lives while there are any, or names.
    pub opens: u32,
    /// Last access.
    pub atime: Time,
    /// Last change of content.
    pub mtime: Time,
    /// Last change of anything.
    pub ctime: Time,
    /// Whether it stands for something of the machine, which natively is otherwise or not there.
    pub of_the_machine: bool,
}

/// Kinds of files.
#[derive(Clone, Debug)]
pub enum InodeKind {
    /// A file of bytes.
    Regular(FileContent),
    /// A file of the host, read-only.
    Host(HostFile),
    /// A folder.
    Directory(Directory),
    /// A symbolic link and where it points.
    Symlink(Name),
    /// A pipe, with a name or without.
    Pipe(Pipe),
    /// A character device.
    Device(Device),
    /// Where the path's output goes.
    Stream(Stream),
    /// The folder of this process's descriptors.
    Descriptors,
    /// A socket.
    Socket(Rc<Socket>),
    /// The name of a socket; 0 if it has none any more.
    SocketName(Ino),
    /// A set of descriptors to be waited for.
    Epoll(Epoll),
}

impl HoldsTerms for Inode {
    fn mark(&self, marks: &mut Marks) {
        match &self.kind {
            InodeKind::Regular(content) => content.mark(marks),
            InodeKind::Directory(directory) => directory.mark(marks),
            InodeKind::Symlink(target) => target.mark(marks),
            InodeKind::Pipe(pipe) => pipe.mark(marks),
            InodeKind::Socket(socket) => socket.mark(marks),
            InodeKind::Host(_)
            | InodeKind::Device(_)
            | InodeKind::Stream(_)
            | InodeKind::Descriptors
            | InodeKind::SocketName(_)
            | InodeKind::Epoll(_) => {}
        }
    }
}

/// Character devices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// Swallows all, gives nothing.
    Null,
    /// Gives zeros.
    Zero,
    /// Gives zeros, has no room.
    Full,
    /// Gives numbers that look random and are the same in every run.
    Random,
    /// As [`Random`](Self::Random), with the number that Linux has for it.
    Urandom,
    /// The terminal of the session, which has none.
    Tty,
}

impl Device {
    /// Major and minor number.
    pub fn numbers(self) -> (u64, u64) {
        match self {
            Device::Null => (1, 3),
            Device::Zero => (1, 5),
            Device::Full => (1, 7),
            Device::Random => (1, 8),
            Device::Urandom => (1, 9),
            Device::Tty => (5, 0),
        }
    }
}

/// An entry of a folder.
#[derive(Clone, Debug)]
pub struct FolderEntry {
    /// Its name.
    pub name: Name,
    /// What it names.
    pub ino: Ino,
}

/// A folder. Entries keep their place while others come and go, so that a reader misses none.
#[derive(Clone, Debug)]
pub struct Directory {
    /// The folder above; its own number for the root.
    pub parent: Ino,
    /// Whether it was removed while in use: nothing can be made in it.
    pub removed: bool,
    /// The host's folder that is still to be listed, if it is one.
    pub host: Option<Rc<std::path::PathBuf>>,
    entries: imbl::OrdMap<u64, FolderEntry>,
    next: u64,
}

impl HoldsTerms for Directory {
    fn mark(&self, marks: &mut Marks) {
        let Directory { parent: _, removed: _, host: _, entries, next: _ } = self;
        entries.values().for_each(|FolderEntry { name, ino: _ }| name.mark(marks));
    }
}

impl Directory {
    /// An empty folder.
    pub fn new(parent: Ino) -> Self {
        Directory { parent, removed: false, host: None, entries: imbl::OrdMap::new(), next: 3 }
    }

    /// Entries in the order they were made, with their places, from a place on. `.` and `..` are not among them.
    pub fn entries(&self, from: u64) -> impl Iterator<Item = (u64, &FolderEntry)> {
        self.entries.range(from..).map(|(at, entry)| (*at, entry))
    }

    /// What a name that is structurally the same names.
    pub fn named(&self, name: &[Value]) -> Option<Ino> {
        self.entries.values().find(|e| *e.name == *name).map(|e| e.ino)
    }

    /// The name of an inode in this folder.
    pub fn name_of(&self, ino: Ino) -> Option<Name> {
        self.entries.values().find(|e| e.ino == ino).map(|e| Rc::clone(&e.name))
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a name that is not there.
    pub fn insert(&mut self, name: Name, ino: Ino) {
        self.entries.insert(self.next, FolderEntry { name, ino });
        self.next += 1;
    }

    /// Takes a name away.
    pub fn remove(&mut self, name: &[Value]) {
        let at = self.entries.iter().find(|(_, e)| *e.name == *name).map(|(at, _)| *at);
        if let Some(at) = at {
            self.entries.remove(&at);
        }
    }
}

/// What is to be done with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Right {
    /// Read it, list it.
    Read = 4,
    /// Change it.
    Write = 2,
    /// Execute it, search it.
    Execute = 1,
}

/// Who asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Credentials {
    /// Effective user.
    pub uid: u32,
    /// Effective group.
    pub gid: u32,
}

impl Inode {
    /// A new file with one name.
    pub fn new(kind: InodeKind, mode: u32, who: &Credentials, now: Time) -> Self {
        let links = if matches!(kind, InodeKind::Directory(_)) { 2 } else { 1 };
        Inode {
            kind,
            mode,
            uid: who.uid,
            gid: who.gid,
            links,
            opens: 0,
            atime: now,
            mtime: now,
            ctime: now,
            of_the_machine: false,
        }
    }

    /// The type bits of `st_mode`.
    pub fn type_bits(&self) -> u32 {
        match &self.kind {
            InodeKind::Regular(_) | InodeKind::Host(_) => 0o100_000,
            InodeKind::Directory(_) | InodeKind::Descriptors => 0o040_000,
            InodeKind::Symlink(_) => 0o120_000,
            InodeKind::Pipe(_) | InodeKind::Stream(_) => 0o010_000,
            InodeKind::Device(_) => 0o020_000,
            InodeKind::Socket(_) | InodeKind::SocketName(_) => 0o140_000,
            InodeKind::Epoll(_) => 0,
        }
    }

    /// Whether it is a folder.
    pub fn is_directory(&self) -> bool {
        matches!(self.kind, InodeKind::Directory(_) | InodeKind::Descriptors)
    }

    /// The folder that it is.
    pub fn directory(&self) -> Option<&Directory> {
        match &self.kind {
            InodeKind::Directory(directory) => Some(directory),
            _ => None,
        }
    }

    /// Number of bytes, as `st_size` has it.
    pub fn size(&self) -> u64 {
        match &self.kind {
            InodeKind::Regular(content) => content.size(),
            InodeKind::Host(file) => file.size(),
            InodeKind::Symlink(target) => target.len() as u64,
            InodeKind::Directory(_) => 4096,
            _ => 0,
        }
    }

    /// Whether somebody may do something with it.
    ///
    /// # Errors
    /// `EACCES` if not.
    pub fn permits(&self, who: &Credentials, right: Right) -> Result<(), Errno> {
        let bits = right as u32;
        if who.uid == 0 {
            let possible = right != Right::Execute || self.is_directory() || self.mode & 0o111 != 0;
            return if possible { Ok(()) } else { Err(Errno::EACCES) };
        }
        let shift = if self.uid == who.uid {
            6
        } else if self.gid == who.gid {
            3
        } else {
            0
        };
        if self.mode >> shift & bits == bits { Ok(()) } else { Err(Errno::EACCES) }
    }

    /// Whether somebody may change its attributes.
    ///
    /// # Errors
    /// `EPERM` if not.
    pub fn owned_by(&self, who: &Credentials) -> Result<(), Errno> {
        if who.uid == 0 || who.uid == self.uid { Ok(()) } else { Err(Errno::EPERM) }
    }
}
