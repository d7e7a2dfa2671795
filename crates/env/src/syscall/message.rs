//! What sockets say to each other: streams, packets and datagrams.

use taw_engine::Stop;

use super::SyscallDef;
use super::address;
use super::call::{Fail, SyscallResult, SystemCall};
use super::file::{gather, scatter, vectors};
use super::socket::of;
use crate::kernel::content::Data;
use crate::kernel::errno::Errno;
use crate::kernel::inode::Ino;
use crate::kernel::socket::{Family, Socket, SocketRole, SocketType};

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(44, sendto).failing(&[Errno::EPIPE, Errno::EINTR]),
    SyscallDef::new(45, recvfrom).failing(&[Errno::ECONNRESET, Errno::EINTR]),
    SyscallDef::new(46, sendmsg).failing(&[Errno::EPIPE, Errno::EINTR]),
    SyscallDef::new(47, recvmsg).failing(&[Errno::ECONNRESET, Errno::EINTR]),
];

const DONTWAIT: u32 = 0x40;
const NOSIGNAL: u32 = 0x4000;
const PEEK: u32 = 2;

/// What came from a former partner is lost, and it is told so.
pub(super) fn disconnect(call: &mut SystemCall<'_, '_, '_>, ino: Ino, old: Option<Ino>) {
    let socket = call.kernel.socket_mut(ino);
    let lost = !socket.packets.is_empty() && socket.family == Family::Unix;
    if lost {
        socket.packets.clear();
    }
    if let Some(old) = old.filter(|_| lost)
        && call.kernel.socket(old).peer() == Some(ino)
    {
        call.kernel.socket_mut(old).error = Some(Errno::ECONNRESET);
    }
}

/// A datagram socket that is connected hears only the other end.
pub(super) fn may_send(call: &SystemCall<'_, '_, '_>, ino: Ino, to: Ino) -> bool {
    match call.kernel.socket(to).role {
        SocketRole::Connected { peer } => peer == Some(ino),
        _ => true,
    }
}

/// Writes to a socket.
pub(super) fn send(call: &mut SystemCall<'_, '_, '_>, fd: i32, data: &Data) -> SyscallResult {
    send_to(call, fd, data, 0, None)
}

fn send_to(call: &mut SystemCall<'_, '_, '_>, fd: i32, data: &Data, how: u32, to: Option<Vec<u8>>) -> SyscallResult {
    let ino = of(call, fd)?;
    let nonblocking = call.kernel.file(fd)?.nonblocking() || how & DONTWAIT != 0;
    let socket = call.kernel.socket(ino);
    let (family, kind, shut) = (socket.family, socket.kind, socket.write_shut);
    if kind == SocketType::Datagram {
        return send_packet(call, ino, data, to, nonblocking);
    }
    let peer = match socket.role {
        SocketRole::Connected { .. } if to.is_some() => return Err(Errno::EISCONN.into()),
        SocketRole::Connected { peer } => peer,
        _ if family == Family::Unix => return Err(Errno::ENOTCONN.into()),
        _ => return Err(broken(call, how)),
    };
    if shut {
        let told = call.kernel.socket_mut(ino).error.take_if(|_| family != Family::Unix);
        return Err(told.filter(|e| *e != Errno::EPIPE).map_or_else(|| broken(call, how), Fail::Errno));
    }
    if data.is_empty() && kind == SocketType::Stream {
        return Ok(0);
    }
    let Some(peer) = peer.filter(|peer| family != Family::Unix || !call.kernel.socket(*peer).read_shut) else {
        return unheard(call, ino, data, how);
    };
    if call.kernel.socket(peer).outside {
        return Ok(data.len() as u64);
    }
    let room = Socket::ROOM.saturating_sub(call.kernel.socket(peer).inbox.len());
    if room < data.len() && (room == 0 || !nonblocking) {
        return Err(if nonblocking { Errno::EAGAIN.into() } else { call.wait("it sends to a full socket") });
    }
    if kind == SocketType::Packets {
        call.kernel.socket_mut(peer).packets.push_back((data.clone(), Vec::new()));
        return Ok(data.len() as u64);
    }
    let len = data.len().min(room);
    call.kernel.socket_mut(peer).inbox.put(data.part(0, len));
    Ok(len as u64)
}

/// Nobody reads at the other end. Over the network the first to be sent there is the question, and what comes back the answer.
fn unheard(call: &mut SystemCall<'_, '_, '_>, ino: Ino, data: &Data, how: u32) -> SyscallResult {
    let socket = call.kernel.socket_mut(ino);
    if socket.family == Family::Unix {
        return Err(broken(call, how));
    }
    (socket.write_shut, socket.error) = (true, Some(Errno::EPIPE));
    Ok(data.len() as u64)
}

fn broken(call: &mut SystemCall<'_, '_, '_>, how: u32) -> Fail {
    if how & NOSIGNAL != 0 { Errno::EPIPE.into() } else { call.broken_pipe() }
}

/// Whom a datagram goes to; nobody, if what is sent there is lost.
fn receiver(call: &mut SystemCall<'_, '_, '_>, ino: Ino, to: Option<Vec<u8>>) -> Result<Option<Ino>, Fail> {
    let family = call.kernel.socket(ino).family;
    let unix = family == Family::Unix;
    match (to, &call.kernel.socket(ino).role) {
        (Some(bytes), _) => match address::find(call, &bytes, family, SocketType::Datagram) {
            Err(Fail::Errno(Errno::ECONNREFUSED)) if !unix => Ok(None),
            other => Ok(Some(other?)),
        },
        (None, SocketRole::Connected { peer: None }) if unix => {
            disconnect(call, ino, None);
            call.kernel.socket_mut(ino).role = SocketRole::Idle;
            Err(Errno::ECONNREFUSED.into())
        }
        (None, SocketRole::Connected { peer }) => Ok(*peer),
        (None, _) if unix => Err(Errno::ENOTCONN.into()),
        (None, _) => Err(Errno::EDESTADDRREQ.into()),
    }
}

fn send_packet(
    call: &mut SystemCall<'_, '_, '_>,
    ino: Ino,
    data: &Data,
    to: Option<Vec<u8>>,
    nonblocking: bool,
) -> SyscallResult {
    let (family, shut) = (call.kernel.socket(ino).family, call.kernel.socket(ino).write_shut);
    let unix = family == Family::Unix;
    if let Some(errno) = call.kernel.socket_mut(ino).error.take() {
        return Err(errno.into());
    }
    if shut {
        return Err(Errno::EPIPE.into());
    }
    let target = receiver(call, ino, to)?;
    address::bind_any(call, ino)?;
    let from = call.kernel.socket(ino).local.clone();
    let Some(target) = target else { return Ok(data.len() as u64) };
    if !may_send(call, ino, target) {
        return if unix { Err(Errno::EPERM.into()) } else { Ok(data.len() as u64) };
    }
    let other = call.kernel.socket(target);
    if unix && other.read_shut {
        return Err(Errno::EPIPE.into());
    }
    let mutual = other.peer() == Some(ino);
    if unix && !mutual && target != ino && other.packets.len() > Socket::PACKETS {
        return Err(if nonblocking { Errno::EAGAIN.into() } else { call.wait("it sends to a full socket") });
    }
    call.kernel.socket_mut(target).packets.push_back((data.clone(), from));
    Ok(data.len() as u64)
}

/// Reads from a socket.
pub(super) fn receive(call: &mut SystemCall<'_, '_, '_>, fd: i32, len: u64) -> Result<Data, Fail> {
    Ok(receive_from(call, fd, len, 0)?.0)
}

/// What came, and whom it is from.
fn receive_from(call: &mut SystemCall<'_, '_, '_>, fd: i32, len: u64, how: u32) -> Result<(Data, Vec<u8>), Fail> {
    let ino = of(call, fd)?;
    let nonblocking = call.kernel.file(fd)?.nonblocking() || how & DONTWAIT != 0;
    let socket = call.kernel.socket(ino);
    let (family, kind) = (socket.family, socket.kind);
    let stream = kind == SocketType::Stream;
    if socket.has_connections() && !matches!(socket.role, SocketRole::Connected { .. }) {
        let idle = if family != Family::Unix || !stream { Errno::ENOTCONN } else { Errno::EINVAL };
        return Err(idle.into());
    }
    let socket = call.kernel.socket_mut(ino);
    let over = socket.read_shut && (socket.has_connections() || !nonblocking);
    if stream && (!socket.inbox.is_empty() || len == 0) {
        let len = len as usize;
        let data = if how & PEEK != 0 { socket.inbox.peek(len) } else { socket.inbox.take(len) };
        return Ok((data, socket.remote.clone()));
    }
    if let Some(errno) = socket.error.take_if(|_| !stream) {
        return Err(errno.into());
    }
    if let Some((data, from)) = socket.packets.front().cloned() {
        if how & PEEK == 0 {
            socket.packets.pop_front();
        }
        let kept = data.len().min(len as usize);
        return Ok((data.part(0, kept), from));
    }
    if let Some(errno) = socket.error.take_if(|e| *e != Errno::EPIPE) {
        return Err(errno.into());
    }
    if over {
        return Ok((Data::default(), Vec::new()));
    }
    Err(if nonblocking { Errno::EAGAIN.into() } else { call.wait("it receives from an empty socket") })
}

/// `ssize_t sendto(int fd, const void *from, size_t len, int flags, const struct sockaddr *to, socklen_t to_len)`
fn sendto(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, from, len, how) = (call.int(0), call.word(1), call.word(2), call.uint(3));
    let (to, to_len) = (call.word(4), u64::from(call.uint(5)));
    of(call, fd)?;
    let to = if to == 0 { None } else { Some(address::read(call, to, to_len)?) };
    let data = call.read(from, len)?;
    send_to(call, fd, &data, how, to)
}

/// `ssize_t recvfrom(int fd, void *to, size_t len, int flags, struct sockaddr *from, socklen_t *from_len)`
fn recvfrom(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, to, len, how) = (call.int(0), call.word(1), call.word(2), call.uint(3));
    let (from, from_len) = (call.word(4), call.word(5));
    let (data, sender) = receive_from(call, fd, len, how)?;
    call.write(to, &data)?;
    address::write(call, &sender, from, from_len)?;
    Ok(data.len() as u64)
}

/// What a `struct msghdr` says; what goes along with a message is not modelled.
struct Header {
    address: u64,
    len: u64,
    pieces: Vec<(u64, u64)>,
}

fn header(call: &mut SystemCall<'_, '_, '_>) -> Result<Header, Fail> {
    let message = call.word(1);
    let word = u64::from(call.word_bytes());
    let (address, len) = (call.load_word(message, 0)?, call.load(message + word, 4)?);
    let (vector, count) = (call.load_word(message, 2)?, call.load_word(message, 3)?);
    Ok(Header { address, len, pieces: vectors(call, vector, count)? })
}

fn sendmsg(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, message, how) = (call.int(0), call.word(1), call.uint(2));
    of(call, fd)?;
    let Header { address: to, len, pieces } = header(call)?;
    if call.load_word(message, 5)? != 0 {
        return Err(Stop::Unsupported("sendmsg with control data (descriptors, credentials)".to_owned()).into());
    }
    let to = if to == 0 { None } else { Some(address::read(call, to, len)?) };
    let data = gather(call, &pieces)?;
    send_to(call, fd, &data, how, to)
}

fn recvmsg(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, message, how) = (call.int(0), call.word(1), call.uint(2));
    let Header { address: from, pieces, .. } = header(call)?;
    let (data, sender) = receive_from(call, fd, pieces.iter().map(|p| p.1).sum(), how)?;
    scatter(call, &pieces, &data)?;
    let word = u64::from(call.word_bytes());
    address::write(call, &sender, from, message + word)?;
    // No control data, no flags.
    call.write_bytes(message + 5 * word, &[0; 12][..word as usize + 4])?;
    Ok(data.len() as u64)
}
