//! Sockets over UNIX names and a loopback, among the program's own or with a peer: making, naming and connecting them.

use std::rc::Rc;

use super::SyscallDef;
use super::address;
use super::call::{Fail, SyscallResult, SystemCall};
use super::message::{disconnect, may_send};
use super::peer;
use crate::kernel::errno::Errno;
use crate::kernel::fd::flags;
use crate::kernel::inode::{Ino, Inode, InodeKind};
use crate::kernel::socket::{Family, Socket, SocketRole, SocketType};

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(41, socket).failing(&[Errno::EMFILE]),
    SyscallDef::new(53, socketpair).failing(&[Errno::EMFILE]),
    SyscallDef::new(49, bind),
    SyscallDef::new(50, listen),
    SyscallDef::new(42, connect).failing(&[Errno::ECONNREFUSED, Errno::ETIMEDOUT]),
    SyscallDef::new(43, |call| accept(call, 0)).failing(&[Errno::ECONNABORTED, Errno::EMFILE]),
    SyscallDef::new(288, accept4).failing(&[Errno::ECONNABORTED, Errno::EMFILE]),
    SyscallDef::new(48, shutdown),
    SyscallDef::new(51, |call| name(call, Side::Own)),
    SyscallDef::new(52, |call| name(call, Side::Other)),
    SyscallDef::new(54, setsockopt),
    SyscallDef::new(55, getsockopt),
];

fn family(number: i32) -> Result<Family, Errno> {
    match number {
        1 => Ok(Family::Unix),
        2 => Ok(Family::Inet),
        10 => Ok(Family::Inet6),
        _ => Err(Errno::EAFNOSUPPORT),
    }
}

fn kind(word: u32, family: Family) -> Result<SocketType, Errno> {
    match word & 0xf {
        1 => Ok(SocketType::Stream),
        2 => Ok(SocketType::Datagram),
        5 if family == Family::Unix => Ok(SocketType::Packets),
        3 => Err(if family == Family::Unix { Errno::ESOCKTNOSUPPORT } else { Errno::EPERM }),
        _ => Err(Errno::ESOCKTNOSUPPORT),
    }
}

/// The socket of a descriptor.
pub(super) fn of(call: &SystemCall<'_, '_, '_>, fd: i32) -> Result<Ino, Errno> {
    let file = call.kernel.file(fd)?;
    if file.flags & flags::PATH != 0 {
        return Err(Errno::EBADF);
    }
    match call.kernel.fs.inode(file.ino).kind {
        InodeKind::Socket(_) => Ok(file.ino),
        _ => Err(Errno::ENOTSOCK),
    }
}

/// A socket that no descriptor refers to yet.
pub(super) fn make(call: &mut SystemCall<'_, '_, '_>, socket: Socket) -> Ino {
    let mut inode = Inode::new(InodeKind::Socket(Rc::new(socket)), 0o777, &call.kernel.who, call.kernel.clock);
    inode.links = 0;
    call.kernel.fs.add(inode)
}

fn status(word: u32) -> u32 {
    flags::RDWR | word & (flags::NONBLOCK | flags::CLOEXEC)
}

/// `int socket(int family, int type, int protocol)`
fn socket(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (family_number, word) = (call.int(0), call.uint(1));
    let family = family(family_number)?;
    let kind = kind(word, family)?;
    call.kernel.free_fd(0)?;
    let ino = make(call, Socket::new(family, kind));
    Ok(call.kernel.install(ino, status(word))? as u64)
}

/// `int socketpair(int family, int type, int protocol, int to[2])`
fn socketpair(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (family_number, word, to) = (call.int(0), call.uint(1), call.word(3));
    let family = family(family_number)?;
    let kind = kind(word, family)?;
    if family != Family::Unix {
        return Err(Errno::EOPNOTSUPP.into());
    }
    call.check_write(to, 8)?;
    let first = call.kernel.free_fd(0)?;
    call.kernel.free_fd(first + 1)?;
    let (a, b) = (make(call, Socket::new(family, kind)), make(call, Socket::new(family, kind)));
    call.kernel.socket_mut(a).role = SocketRole::Connected { peer: Some(b) };
    call.kernel.socket_mut(b).role = SocketRole::Connected { peer: Some(a) };
    let ends = [call.kernel.install(a, status(word))?, call.kernel.install(b, status(word))?];
    call.write_bytes(to, &ends.map(i32::to_le_bytes).concat())?;
    Ok(0)
}

/// `int bind(int fd, const struct sockaddr *address, socklen_t len)`
fn bind(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, from, len) = (call.int(0), call.word(1), u64::from(call.uint(2)));
    let ino = of(call, fd)?;
    let bytes = address::read(call, from, len)?;
    address::bind(call, ino, &bytes)
}

/// `int listen(int fd, int backlog)`
fn listen(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, backlog) = (call.int(0), call.int(1));
    let ino = of(call, fd)?;
    let socket = call.kernel.socket(ino);
    if socket.kind == SocketType::Datagram {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let unnamed = socket.local.is_empty();
    let waiting = match &socket.role {
        SocketRole::Connected { .. } => return Err(Errno::EINVAL.into()),
        SocketRole::Listening { waiting, .. } => waiting.clone(),
        SocketRole::Idle => imbl::Vector::new(),
    };
    if unnamed && socket.family == Family::Unix {
        return Err(Errno::EINVAL.into());
    }
    address::bind_any(call, ino)?;
    let backlog = backlog.clamp(0, 4096) as usize;
    call.kernel.socket_mut(ino).role = SocketRole::Listening { waiting, backlog };
    peer::arrive(call, ino)?;
    Ok(0)
}

/// `int connect(int fd, const struct sockaddr *address, socklen_t len)`
fn connect(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, from, len) = (call.int(0), call.word(1), u64::from(call.uint(2)));
    let ino = of(call, fd)?;
    let bytes = address::read(call, from, len)?;
    let socket = call.kernel.socket(ino);
    if socket.kind == SocketType::Datagram {
        return connect_datagram(call, ino, bytes);
    }
    let (family, kind) = (socket.family, socket.kind);
    let busy = match socket.role {
        SocketRole::Listening { .. } => Some(Errno::EINVAL),
        SocketRole::Connected { .. } => Some(Errno::EISCONN),
        SocketRole::Idle => None,
    };
    if let Some(errno) = busy.filter(|_| family != Family::Unix) {
        return Err(errno.into());
    }
    let nonblocking = call.kernel.file(fd)?.nonblocking();
    let listener = match address::find(call, &bytes, family, kind) {
        Err(Fail::Errno(Errno::ECONNREFUSED | Errno::ENOENT | address::ENETUNREACH))
            if busy.is_none() && peer::meet(call, ino, &bytes)? =>
        {
            return Ok(0);
        }
        found => found?,
    };
    let other = call.kernel.socket(listener);
    let SocketRole::Listening { waiting, backlog } = &other.role else {
        return Err(Errno::ECONNREFUSED.into());
    };
    if other.read_shut {
        return Err(Errno::ECONNREFUSED.into());
    }
    if waiting.len() > *backlog {
        return Err(if nonblocking { Errno::EAGAIN.into() } else { call.wait("it connects to a full queue") });
    }
    // Names of the file system are looked up before the socket is looked at.
    if let Some(errno) = busy {
        return Err(errno.into());
    }
    address::bind_any(call, ino)?;
    join(call, ino, listener, bytes);
    Ok(0)
}

/// Datagrams have no connection: only where they go is remembered.
fn connect_datagram(call: &mut SystemCall<'_, '_, '_>, ino: Ino, bytes: Vec<u8>) -> SyscallResult {
    let family = call.kernel.socket(ino).family;
    let peer = match address::find(call, &bytes, family, SocketType::Datagram) {
        Ok(peer) => Some(peer),
        Err(Fail::Errno(Errno::ECONNREFUSED)) if family != Family::Unix => None,
        Err(other) => return Err(other),
    };
    if peer.is_some_and(|peer| !may_send(call, ino, peer)) {
        return Err(Errno::EPERM.into());
    }
    address::bind_any(call, ino)?;
    if let SocketRole::Connected { peer: old } = call.kernel.socket(ino).role
        && old != peer
    {
        disconnect(call, ino, old);
    }
    let socket = call.kernel.socket_mut(ino);
    (socket.role, socket.remote) = (SocketRole::Connected { peer }, bytes);
    Ok(0)
}

/// Connects a socket with a new one that waits to be accepted.
fn join(call: &mut SystemCall<'_, '_, '_>, ino: Ino, listener: Ino, remote: Vec<u8>) {
    let own = call.kernel.socket(ino).local.clone();
    let local = call.kernel.socket(listener).local.clone();
    let mut other = Socket::new(call.kernel.socket(ino).family, call.kernel.socket(ino).kind);
    (other.role, other.local, other.remote) = (SocketRole::Connected { peer: Some(ino) }, local, own);
    let other = make(call, other);
    call.kernel.fs.inode_mut(other).opens = 1;
    if let SocketRole::Listening { waiting, .. } = &mut call.kernel.socket_mut(listener).role {
        waiting.push_back(other);
    }
    let socket = call.kernel.socket_mut(ino);
    (socket.role, socket.remote) = (SocketRole::Connected { peer: Some(other) }, remote);
}

fn accept4(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let how = call.uint(3);
    if how & !(flags::NONBLOCK | flags::CLOEXEC) != 0 { Err(Errno::EINVAL.into()) } else { accept(call, how) }
}

/// `int accept(int fd, struct sockaddr *to, socklen_t *len)`
fn accept(call: &mut SystemCall<'_, '_, '_>, how: u32) -> SyscallResult {
    let (fd, to, len) = (call.int(0), call.word(1), call.word(2));
    let ino = of(call, fd)?;
    let nonblocking = call.kernel.file(fd)?.nonblocking();
    let family = call.kernel.socket(ino).family;
    if call.kernel.socket(ino).kind == SocketType::Datagram {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let SocketRole::Listening { waiting, .. } = &mut call.kernel.socket_mut(ino).role else {
        return Err(Errno::EINVAL.into());
    };
    let Some(end) = waiting.pop_front() else {
        return Err(if nonblocking { Errno::EAGAIN.into() } else { call.wait("it accepts a connection") });
    };
    let new = call.kernel.install(end, status(how))?;
    call.kernel.fs.inode_mut(end).opens -= 1;
    let remote = call.kernel.socket(end).remote.clone();
    let remote = if remote.is_empty() { address::unnamed(family) } else { remote };
    address::write(call, &remote, to, len)?;
    Ok(new as u64)
}

/// `int shutdown(int fd, int how)`
fn shutdown(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, how) = (call.int(0), call.int(1));
    let ino = of(call, fd)?;
    if !(0..=2).contains(&how) {
        return Err(Errno::EINVAL.into());
    }
    let socket = call.kernel.socket_mut(ino);
    if socket.family != Family::Unix && !matches!(socket.role, SocketRole::Connected { .. }) {
        return Err(Errno::ENOTCONN.into());
    }
    socket.read_shut |= how != 1;
    socket.write_shut |= how != 0;
    let (unix, connected) = (socket.family == Family::Unix, socket.has_connections());
    if let Some(peer) = socket.peer().filter(|_| connected) {
        let other = call.kernel.socket_mut(peer);
        other.read_shut |= how != 0;
        // Over the network nobody is told that nobody listens any more.
        other.write_shut |= how != 1 && unix;
    }
    Ok(0)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Own,
    Other,
}

/// `int getsockname(int fd, struct sockaddr *to, socklen_t *len)` and `getpeername`
fn name(call: &mut SystemCall<'_, '_, '_>, side: Side) -> SyscallResult {
    let (fd, to, len) = (call.int(0), call.word(1), call.word(2));
    let ino = of(call, fd)?;
    let socket = call.kernel.socket(ino);
    if side == Side::Other && !matches!(socket.role, SocketRole::Connected { .. }) {
        return Err(Errno::ENOTCONN.into());
    }
    let bytes = if side == Side::Own { socket.local.clone() } else { socket.remote.clone() };
    let bytes = if bytes.is_empty() { address::unnamed(socket.family) } else { bytes };
    if to == 0 {
        return Err(Errno::EFAULT.into());
    }
    address::write(call, &bytes, to, len)?;
    Ok(0)
}

/// `int setsockopt(int fd, int level, int option, const void *value, socklen_t len)`: remembered.
fn setsockopt(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, level, option) = (call.int(0), call.int(1), call.int(2));
    let (from, len) = (call.word(3), u64::from(call.uint(4)));
    let ino = of(call, fd)?;
    if len > 256 {
        return Err(Errno::EINVAL.into());
    }
    let bytes = call.read_known(from, len)?;
    call.kernel.socket_mut(ino).options.insert((level, option), bytes);
    Ok(0)
}

/// `int getsockopt(int fd, int level, int option, void *to, socklen_t *len)`
fn getsockopt(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, level, option, to, len) = (call.int(0), call.int(1), call.int(2), call.word(3), call.word(4));
    let ino = of(call, fd)?;
    let socket = call.kernel.socket(ino);
    let number = |n: u32| n.to_le_bytes().to_vec();
    let bytes = match (level, option) {
        (1, 3) => number(socket.kind as u32),
        (1, 4) => number(0),
        (1, 7 | 8) => number(Socket::ROOM as u32),
        (1, 30) => number(u32::from(matches!(socket.role, SocketRole::Listening { .. }))),
        (1, 39) => number(socket.family as u32),
        (1, 38) => number(if socket.family == Family::Unix {
            0
        } else {
            6 + 11 * u32::from(socket.kind != SocketType::Stream)
        }),
        _ => socket.options.get(&(level, option)).cloned().unwrap_or_else(|| number(0)),
    };
    let room = call.load(len, 4)? as usize;
    let kept = bytes.len().min(room);
    call.write_bytes(to, &bytes[..kept])?;
    call.write_bytes(len, &(kept as u32).to_le_bytes())?;
    Ok(0)
}
