//! Descriptors and the open file descriptions behind them.

use std::rc::Rc;

use super::Kernel;
use super::errno::Errno;
use super::inode::{Ino, Inode, InodeKind};
use super::socket::{Family, Socket, SocketRole};

/// Flags of `open`, as `fcntl.h` numbers them.
pub mod flags {
    pub const ACCMODE: u32 = 3;
    pub const WRONLY: u32 = 1;
    pub const RDWR: u32 = 2;
    pub const CREAT: u32 = 0o100;
    pub const EXCL: u32 = 0o200;
    pub const TRUNC: u32 = 0o1000;
    pub const APPEND: u32 = 0o2000;
    pub const NONBLOCK: u32 = 0o4000;
    pub const DIRECT: u32 = 0o40_000;
    pub const LARGEFILE: u32 = 0o100_000;
    pub const DIRECTORY: u32 = 0o200_000;
    pub const NOFOLLOW: u32 = 0o400_000;
    pub const NOATIME: u32 = 0o1_000_000;
    pub const CLOEXEC: u32 = 0o2_000_000;
    pub const PATH: u32 = 0o10_000_000;
    pub const TMPFILE: u32 = 0o20_000_000;
}

/// An open file description.
#[derive(Clone, Copy, Debug)]
pub struct OpenFile {
    /// The file.
    pub ino: Ino,
    /// Access mode and status flags.
    pub flags: u32,
    /// Where the next read or write is.
    pub offset: u64,
    /// Descriptors that refer to it.
    pub refs: u32,
}

impl OpenFile {
    /// Whether it may be read.
    pub fn reads(&self) -> bool {
        self.flags & flags::ACCMODE != flags::WRONLY && self.flags & flags::PATH == 0
    }

    /// Whether it may be written.
    pub fn writes(&self) -> bool {
        self.flags & flags::ACCMODE != 0 && self.flags & flags::PATH == 0
    }

    /// Whether calls on it never wait.
    pub fn nonblocking(&self) -> bool {
        self.flags & flags::NONBLOCK != 0
    }
}

/// A descriptor.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// The number of its open file description.
    pub file: u64,
    /// Whether it closes when another program is executed.
    pub close_on_exec: bool,
}

impl Kernel {
    /// The open file description of a descriptor.
    ///
    /// # Errors
    /// `EBADF` if it is not open.
    pub fn file(&self, fd: i32) -> Result<&OpenFile, Errno> {
        let descriptor = self.fds.get(&fd).ok_or(Errno::EBADF)?;
        Ok(&self.files[&descriptor.file])
    }

    /// The open file of a descriptor, to be changed.
    ///
    /// # Errors
    /// `EBADF` if it is not open.
    pub fn file_mut(&mut self, fd: i32) -> Result<&mut OpenFile, Errno> {
        let descriptor = self.fds.get(&fd).ok_or(Errno::EBADF)?;
        self.files.get_mut(&descriptor.file).ok_or(Errno::EBADF)
    }

    /// The file of a descriptor that is open for more than its path.
    ///
    /// # Errors
    /// `EBADF` if it is not.
    pub fn inode_of(&self, fd: i32) -> Result<&Inode, Errno> {
        Ok(self.fs.inode(self.file(fd)?.ino))
    }

    /// Descriptors and their files, lowest first.
    pub fn open_descriptors(&self) -> Vec<(i32, Ino)> {
        self.fds.iter().map(|(fd, d)| (*fd, self.files[&d.file].ino)).collect()
    }

    /// The lowest free descriptor from a number on.
    ///
    /// # Errors
    /// `EMFILE` if there are too many.
    pub fn free_fd(&self, from: i32) -> Result<i32, Errno> {
        let mut fd = from;
        while self.fds.contains_key(&fd) {
            fd += 1;
        }
        if (fd as u64) < self.limits[super::process::NOFILE].0 { Ok(fd) } else { Err(Errno::EMFILE) }
    }

    /// Opens a file, without checks, under the lowest free descriptor.
    ///
    /// # Errors
    /// `EMFILE` if there are too many.
    pub fn install(&mut self, ino: Ino, status: u32) -> Result<i32, Errno> {
        let fd = self.free_fd(0)?;
        self.install_at(fd, ino, status);
        Ok(fd)
    }

    /// The same under a descriptor that is free.
    pub fn install_at(&mut self, fd: i32, ino: Ino, mut status: u32) {
        let close_on_exec = status & flags::CLOEXEC != 0;
        status &= !(flags::CLOEXEC | flags::CREAT | flags::EXCL | flags::TRUNC);
        let file = OpenFile { ino, flags: status, offset: 0, refs: 1 };
        let inode = self.fs.inode_mut(ino);
        inode.opens += 1;
        if let InodeKind::Pipe(pipe) = &mut inode.kind {
            pipe.readers += u32::from(file.reads());
            pipe.writers += u32::from(file.writes());
        }
        let number = self.next_file;
        self.next_file += 1;
        self.files.insert(number, file);
        self.fds.insert(fd, Descriptor { file: number, close_on_exec });
    }

    /// Makes another descriptor for the same description; `to` must be free.
    ///
    /// # Errors
    /// `EBADF` if there is none.
    pub fn duplicate(&mut self, fd: i32, to: i32, close_on_exec: bool) -> Result<(), Errno> {
        let file = self.fds.get(&fd).ok_or(Errno::EBADF)?.file;
        self.file_mut(fd)?.refs += 1;
        self.fds.insert(to, Descriptor { file, close_on_exec });
        Ok(())
    }

    /// Closes a descriptor; with the last one the description goes, and with that, perhaps, the file.
    ///
    /// # Errors
    /// `EBADF` if it is not open.
    pub fn close(&mut self, fd: i32) -> Result<(), Errno> {
        let descriptor = self.fds.remove(&fd).ok_or(Errno::EBADF)?;
        let file = &mut self.files[&descriptor.file];
        file.refs -= 1;
        let ino = file.ino;
        // Record locks go with any descriptor of the file, the others with the description.
        self.locks.retain(|lock| lock.ino != ino || lock.owner.is_some_and(|owner| owner != descriptor.file));
        if file.refs == 0 {
            let file = *file;
            self.files.remove(&descriptor.file);
            self.release_file(&file);
        }
        Ok(())
    }

    fn release_file(&mut self, file: &OpenFile) {
        let inode = self.fs.inode_mut(file.ino);
        inode.opens -= 1;
        let last = inode.opens == 0;
        match &mut inode.kind {
            InodeKind::Pipe(pipe) => {
                pipe.readers -= u32::from(file.reads());
                pipe.writers -= u32::from(file.writes());
                if last {
                    pipe.queue = super::pipe::Queue::default();
                }
            }
            InodeKind::Socket(socket) if last => {
                let reset = !socket.inbox.is_empty() || !socket.packets.is_empty();
                let role = std::mem::replace(&mut Rc::make_mut(socket).role, SocketRole::Idle);
                self.close_socket(file.ino, role, reset);
            }
            _ => {}
        }
        self.fs.release(file.ino);
    }

    /// Tells the others that a socket is gone.
    fn close_socket(&mut self, ino: Ino, role: SocketRole, reset: bool) {
        self.bound = self.bound.iter().filter(|(_, socket)| **socket != ino).map(|(k, v)| (k.clone(), *v)).collect();
        let talks_to_it = |socket: &Socket| matches!(socket.role, SocketRole::Connected { peer } if peer == Some(ino));
        for other in self.fs.sockets(talks_to_it) {
            let other = self.socket_mut(other);
            other.role = SocketRole::Connected { peer: None };
            if other.has_connections() {
                // Over the network one learns by writing that nobody is there.
                (other.read_shut, other.write_shut) = (true, reset || other.family == Family::Unix);
                other.error = reset.then_some(Errno::ECONNRESET);
            }
        }
        if let SocketRole::Listening { waiting, .. } = role {
            for end in waiting {
                self.fs.inode_mut(end).opens -= 1;
                let role = std::mem::replace(&mut self.socket_mut(end).role, SocketRole::Idle);
                self.close_socket(end, role, true);
                self.fs.release(end);
            }
        }
    }
}
