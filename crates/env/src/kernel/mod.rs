//! The modelled kernel of one path: what system calls act on instead of the host.
//!
//! Boundary: here is what there is and what may be done with it; `syscall/` reads arguments and writes results. Nothing here
//! knows a program's memory, and bytes that are symbolic are carried about, never looked at (except names, see `path.rs`).
//! Invariant: a value like the rest of the state; copying it is cheap, and no path sees what another did.

pub mod content;
pub mod epoll;
pub mod errno;
pub mod fd;
pub mod fs;
pub mod host;
pub mod inode;
pub mod path;
pub mod peer;
pub mod pipe;
pub mod process;
pub mod socket;
pub mod tree;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use taw_engine::{Given, HoldsTerms, Surroundings, Value, Witness};
use taw_expr::{Marks, Terms};

use crate::streams::CallerStream;
use crate::{Start, World};
use content::Data;
use fd::{Descriptor, OpenFile};
use fs::{Actor, Fs};
use inode::{Credentials, Ino, Inode, InodeKind, Time};
use peer::Peers;
use pipe::Pipe;
use process::{Lock, Mapping, Signals};

/// When every program starts: 2026-01-01 00:00:00 UTC.
pub const START: Time = 1_767_225_600 * SECOND;
/// Nanoseconds of a second.
pub const SECOND: Time = 1_000_000_000;
/// How much time a system call takes.
pub const STEP: Time = 1_000;

/// The kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// What the user asked for.
    pub world: Rc<World>,
    /// What became of it on this path.
    pub start: Rc<Start>,
    /// Address of the environment's pointers, for the C library.
    pub environ: u64,
    /// Address of the program's name, for the C library.
    pub program_name: u64,
    /// Address of the C library's `errno`; 0 while it has said none.
    pub errno: u64,
    pub(crate) fs: Fs,
    pub(crate) fds: imbl::OrdMap<i32, Descriptor>,
    pub(crate) files: imbl::OrdMap<u64, OpenFile>,
    next_file: u64,
    pub(crate) cwd: Ino,
    proc_self: Ino,
    stdin_ino: Ino,
    pub(crate) umask: u32,
    pub(crate) niceness: i32,
    pub(crate) personality: u64,
    pub(crate) who: Credentials,
    pub(crate) clock: Time,
    /// The last time that was read, where the clock is an input.
    pub(crate) last_time: Option<Value>,
    pub(crate) random: u64,
    pub(crate) limits: Rc<[(u64, u64); 16]>,
    pub(crate) locks: Vec<Lock>,
    pub(crate) mappings: imbl::OrdMap<u64, Mapping>,
    pub(crate) signals: Signals,
    /// Sockets by the ports and abstract names they have.
    pub(crate) bound: imbl::OrdMap<Vec<u8>, Ino>,
    /// Peers outside that nobody has talked to yet.
    pub(crate) peers: Peers,
    /// Files that the caller of an entry has opened.
    pub(crate) streams: Vec<CallerStream>,
    /// System calls that may still fail on request.
    pub(crate) failures: u32,
    /// Whether the system call that is being executed fails; kept while it is executed again.
    pub(crate) armed: Option<Value>,
}

impl Kernel {
    /// The kernel before anything runs.
    pub fn new(world: World) -> Self {
        let who = Credentials { uid: 1000, gid: 1000 };
        let mut fs = Fs::new(START);
        let tree = tree::plant(&mut fs, &who, START);
        let stdin_ino = fs.add(Inode::new(InodeKind::Pipe(Pipe::default()), 0o600, &who, START));
        for path in &world.host {
            host::mount(&mut fs, tree.home, path);
        }
        let failures = world.failures;
        let mut kernel = Kernel {
            world: Rc::new(world),
            start: Rc::default(),
            environ: 0,
            program_name: 0,
            errno: 0,
            fs,
            fds: imbl::OrdMap::new(),
            files: imbl::OrdMap::new(),
            next_file: 0,
            cwd: tree.home,
            proc_self: tree.proc_self,
            stdin_ino,
            umask: 0o022,
            niceness: 0,
            personality: 0,
            who,
            clock: START,
            last_time: None,
            random: 0x9e37_79b9_7f4a_7c15,
            limits: Rc::new(process::LIMITS),
            locks: Vec::new(),
            mappings: imbl::OrdMap::new(),
            signals: Signals::default(),
            bound: imbl::OrdMap::new(),
            peers: Peers::default(),
            streams: Vec::new(),
            failures,
            armed: None,
        };
        let standard = [(stdin_ino, 0), (tree.out, fd::flags::WRONLY), (tree.err, fd::flags::WRONLY)];
        for (ino, status) in standard {
            kernel.install(ino, status).expect("the first descriptors are free");
        }
        kernel.fs.inode_mut(tree.home).opens += 1;
        kernel
    }

    /// Puts a file with these bytes at a path; a relative one is in the current folder.
    pub fn add_file(&mut self, path: &str, bytes: &[Value]) {
        let who = self.who.clone();
        self.fs.put(self.cwd, path.as_bytes(), &Data::of(bytes), &who);
    }

    /// Makes these bytes standard input.
    pub fn set_stdin(&mut self, bytes: &[Value]) {
        if let InodeKind::Pipe(pipe) = &mut self.fs.inode_mut(self.stdin_ino).kind {
            pipe.queue = pipe::Queue::default();
            pipe.queue.put(Data::of(bytes));
        }
    }

    /// Lets time pass until a moment, unless that is over or so far away that no clock goes that long.
    pub fn pass_until(&mut self, moment: Time) {
        self.clock = self.clock.max(moment.min(Time::MAX / 2));
    }

    /// Who does something now.
    pub fn actor(&self) -> Actor {
        Actor { who: self.who.clone(), now: self.clock }
    }
}

impl HoldsTerms for Kernel {
    fn mark(&self, marks: &mut Marks) {
        let Kernel {
            world: _,
            start,
            environ: _,
            program_name: _,
            errno: _,
            fs,
            fds: _,
            files: _,
            next_file: _,
            cwd: _,
            proc_self: _,
            stdin_ino: _,
            umask: _,
            niceness: _,
            personality: _,
            who: _,
            clock: _,
            last_time,
            random: _,
            limits: _,
            locks: _,
            mappings: _,
            signals: _,
            bound: _,
            peers,
            streams,
            failures: _,
            armed,
        } = self;
        start.mark(marks);
        fs.mark(marks);
        last_time.mark(marks);
        peers.mark(marks);
        streams.mark(marks);
        armed.mark(marks);
    }
}

impl Surroundings for Kernel {
    fn given(&self, terms: &Terms, witness: &mut Witness) -> Given {
        self.start.given(&self.world, terms, witness)
    }
}
