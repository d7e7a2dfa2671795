//! Sockets of one process among themselves, or with a peer of `peer.rs`: UNIX names, and TCP and UDP ports of a loopback.

use std::rc::Rc;

use taw_engine::HoldsTerms;
use taw_expr::Marks;

use super::Kernel;
use super::content::Data;
use super::errno::Errno;
use super::inode::{Ino, InodeKind};
use super::pipe::Queue;

/// Families of addresses, as `socket.h` numbers them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    /// Names in the file system.
    Unix = 1,
    /// IPv4: a host and a port.
    Inet = 2,
    /// IPv6: a host and a port.
    Inet6 = 10,
}

/// Kinds of sockets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SocketType {
    /// Bytes in order.
    Stream = 1,
    /// Packets, each by itself.
    Datagram = 2,
    /// Packets in order.
    Packets = 5,
}

/// What a socket does.
#[derive(Clone, Debug)]
pub enum SocketRole {
    /// Nothing yet.
    Idle,
    /// It waits for others to connect.
    Listening {
        /// Ends that nobody has accepted yet.
        waiting: imbl::Vector<Ino>,
        /// How many may wait.
        backlog: usize,
    },
    /// It talks to another.
    Connected {
        /// The other end; gone if it was closed.
        peer: Option<Ino>,
    },
}

/// A socket.
#[derive(Clone, Debug)]
pub struct Socket {
    /// Its family.
    pub family: Family,
    /// Its kind.
    pub kind: SocketType,
    /// What it does.
    pub role: SocketRole,
    /// Its address as `sockaddr` bytes; empty if it has none.
    pub local: Vec<u8>,
    /// The other end's address.
    pub remote: Vec<u8>,
    /// Bytes that came (streams).
    pub inbox: Queue,
    /// Packets that came, with the sender's address.
    pub packets: imbl::Vector<(Data, Vec<u8>)>,
    /// Whether nothing more can be read.
    pub read_shut: bool,
    /// Whether nothing more can be written.
    pub write_shut: bool,
    /// What the next call is told: that the other end went away with bytes unread; `EPIPE`, which only writers are told, if it
    /// was gone when something was sent to it.
    pub error: Option<Errno>,
    /// Whether it is a peer's, outside the program: what it is sent is gone.
    pub outside: bool,
    /// Options by level and number.
    pub options: imbl::OrdMap<(i32, i32), Vec<u8>>,
}

impl HoldsTerms for Socket {
    fn mark(&self, marks: &mut Marks) {
        let Socket {
            family: _,
            kind: _,
            role: _,
            local: _,
            remote: _,
            inbox,
            packets,
            read_shut: _,
            write_shut: _,
            error: _,
            outside: _,
            options: _,
        } = self;
        inbox.mark(marks);
        packets.iter().for_each(|(packet, _)| packet.mark(marks));
    }
}

impl Socket {
    /// A socket that does nothing yet.
    pub fn new(family: Family, kind: SocketType) -> Self {
        Socket {
            family,
            kind,
            role: SocketRole::Idle,
            local: Vec::new(),
            remote: Vec::new(),
            inbox: Queue::default(),
            packets: imbl::Vector::new(),
            read_shut: false,
            write_shut: false,
            error: None,
            outside: false,
            options: imbl::OrdMap::new(),
        }
    }

    /// How much may wait to be read.
    pub const ROOM: usize = 212_992;

    /// The packets that may wait for a socket that did not ask for them.
    pub const PACKETS: usize = 10;

    /// Whether both ends know each other: not so with datagrams.
    pub fn has_connections(&self) -> bool {
        self.kind != SocketType::Datagram
    }

    /// The socket it talks to, if that is still there.
    pub fn peer(&self) -> Option<Ino> {
        match self.role {
            SocketRole::Connected { peer } => peer,
            _ => None,
        }
    }
}

impl Kernel {
    /// The socket that an inode is.
    pub fn socket(&self, ino: Ino) -> &Socket {
        match &self.fs.inode(ino).kind {
            InodeKind::Socket(socket) => socket,
            _ => unreachable!("the caller has seen a socket there"),
        }
    }

    /// The socket at an inode, to be changed. The caller has seen one there.
    pub fn socket_mut(&mut self, ino: Ino) -> &mut Socket {
        match &mut self.fs.inode_mut(ino).kind {
            InodeKind::Socket(socket) => Rc::make_mut(socket),
            _ => unreachable!("the caller has seen a socket there"),
        }
    }
}
