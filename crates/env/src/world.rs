//! The world, which is what the user says the program is started with: arguments, environment, standard input, files, and whom it can talk to.
//!
//! Boundary: plain data, made by the command line; [`crate::kernel::Kernel`] is what becomes of it.

use std::fmt;
use std::path::PathBuf;

/// What the user says the program is started with. On a path it becomes a `Start`, in a test a [`taw_engine::Given`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct World {
    /// The program's name, `argv[0]`.
    pub program: Vec<u8>,
    /// Arguments after it.
    pub args: Vec<Arg>,
    /// Environment variables: name and value.
    pub env: Vec<(Vec<u8>, Content)>,
    /// Standard input.
    pub stdin: Option<Content>,
    /// Files that are there: path and content. Relative paths are in the current folder.
    pub files: Vec<(String, Content)>,
    /// Those outside whom its sockets can talk to, each for one connection: where, and what they say.
    pub peers: Vec<(PeerAddress, Content)>,
    /// Files and folders of the host that may be read.
    pub host: Vec<PathBuf>,
    /// How many system calls of a path may fail where they could (`--fail-syscalls`).
    pub failures: u32,
    /// Whether the clock is an input.
    pub symbolic_time: bool,
}

impl World {
    /// A world in which there is nothing but a program of that name.
    pub fn of(program: impl Into<Vec<u8>>) -> Self {
        World {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            stdin: None,
            files: Vec::new(),
            peers: Vec::new(),
            host: Vec::new(),
            failures: 0,
            symbolic_time: false,
        }
    }
}

/// Arguments, in the order of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// One argument, as given.
    Text(Vec<u8>),
    /// One argument of up to so many bytes, none of them known.
    Symbolic(usize),
    /// Any number of such arguments, within bounds.
    Several {
        /// The least number.
        min: usize,
        /// The greatest.
        max: usize,
        /// The length of each.
        len: usize,
    },
}

impl Arg {
    /// Between which numbers of arguments a path has to choose, if it has to.
    pub(crate) fn bounds(&self) -> Option<(usize, usize)> {
        match *self {
            Arg::Several { min, max, .. } if min < max => Some((min, max)),
            _ => None,
        }
    }
}

/// Bytes that are given, or not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// As given.
    Bytes(Vec<u8>),
    /// So many bytes, none of them known.
    Symbolic(usize),
}

/// Where a peer is met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PeerAddress {
    /// A port, of whatever machine.
    Tcp(u16),
    /// A path as the program writes it; one that begins with `@` is an abstract name.
    Unix(Vec<u8>),
}

impl fmt::Display for PeerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PeerAddress::Tcp(port) => write!(f, "tcp:{port}"),
            PeerAddress::Unix(path) => write!(f, "unix:{}", String::from_utf8_lossy(path)),
        }
    }
}

impl Default for World {
    fn default() -> Self {
        World::of("program")
    }
}
