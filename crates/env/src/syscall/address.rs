//! Addresses of sockets: what they say, where they are bound, who is there.

use super::call::{Fail, HERE, SyscallResult, SystemCall};
use super::open::free_place;
use crate::kernel::content::known;
use crate::kernel::errno::Errno;
use crate::kernel::inode::{Ino, InodeKind, Right};
use crate::kernel::path::Want;
use crate::kernel::socket::{Family, SocketType};
use crate::world::PeerAddress;

/// Where a `sockaddr` leads.
pub(super) enum SocketAddress {
    /// A name in the file system.
    Path(Vec<u8>),
    /// A name that is only a name.
    Abstract(Vec<u8>),
    /// A port of this machine, or of another.
    Port { port: u16, here: Here },
}

/// Whether an IP address is this machine's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Here {
    Any,
    Loopback,
    Elsewhere,
}

/// The network is unreachable: there is none.
pub(super) const ENETUNREACH: Errno = Errno(101);

/// The bytes of an address in memory.
pub(super) fn read(call: &mut SystemCall<'_, '_, '_>, address: u64, len: u64) -> Result<Vec<u8>, Fail> {
    if !(2..=128).contains(&len) {
        return Err(Errno::EINVAL.into());
    }
    call.read_known(address, len)
}

/// Writes an address where the program wants it, cut to the room that there is.
pub(super) fn write(call: &mut SystemCall<'_, '_, '_>, bytes: &[u8], to: u64, len: u64) -> Result<(), Fail> {
    if to == 0 {
        return Ok(());
    }
    let room = call.load(len, 4)?;
    if room as u32 as i32 >= 0 {
        let kept = bytes.len().min(room as usize);
        call.check_write(to, kept as u64)?;
        call.check_write(len, 4)?;
        call.write_bytes(to, &bytes[..kept])?;
        call.write_bytes(len, &(bytes.len() as u32).to_le_bytes())
    } else {
        Err(Errno::EINVAL.into())
    }
}

/// The address of a socket that has none.
pub(super) fn unnamed(family: Family) -> Vec<u8> {
    let len = match family {
        Family::Unix => 2,
        Family::Inet => 16,
        Family::Inet6 => 28,
    };
    let mut bytes = (family as u16).to_le_bytes().to_vec();
    bytes.resize(len, 0);
    bytes
}

/// The address of a port of the loopback.
fn of_port(family: Family, port: u16) -> Vec<u8> {
    let mut bytes = unnamed(family);
    bytes[2..4].copy_from_slice(&port.to_be_bytes());
    match family {
        Family::Inet => bytes[4..8].copy_from_slice(&[127, 0, 0, 1]),
        Family::Inet6 => bytes[23] = 1,
        Family::Unix => {}
    }
    bytes
}

fn parse(bytes: &[u8], family: Family) -> Result<SocketAddress, Errno> {
    if u16::from_le_bytes([bytes[0], bytes[1]]) != family as u16 {
        return Err(if family == Family::Unix { Errno::EINVAL } else { Errno::EAFNOSUPPORT });
    }
    if family == Family::Unix {
        return match bytes.get(2) {
            None => Err(Errno::EINVAL),
            Some(0) => Ok(SocketAddress::Abstract(bytes[3..].to_vec())),
            Some(_) => Ok(SocketAddress::Path(bytes[2..].iter().copied().take_while(|b| *b != 0).collect())),
        };
    }
    let least = if family == Family::Inet { 16 } else { 24 };
    if bytes.len() < least {
        return Err(Errno::EINVAL);
    }
    let here = match family {
        Family::Inet6 if bytes[8..24] == [0; 16] => Here::Any,
        Family::Inet6 if bytes[8..23] == [0; 15] && bytes[23] == 1 => Here::Loopback,
        Family::Inet if bytes[4..8] == [0; 4] => Here::Any,
        Family::Inet if bytes[4] == 127 => Here::Loopback,
        _ => Here::Elsewhere,
    };
    Ok(SocketAddress::Port { port: u16::from_be_bytes([bytes[2], bytes[3]]), here })
}

/// Where a peer must be to be met at an address.
pub(super) fn of_peer(bytes: &[u8], family: Family) -> Result<PeerAddress, Errno> {
    Ok(match parse(bytes, family)? {
        SocketAddress::Path(path) => PeerAddress::Unix(path),
        SocketAddress::Abstract(name) => PeerAddress::Unix([b"@".as_slice(), &name].concat()),
        SocketAddress::Port { port, .. } => PeerAddress::Tcp(port),
    })
}

/// The address from which a peer connects, as the one of that number; none with UNIX names.
pub(super) fn of_caller(family: Family, number: u16) -> Vec<u8> {
    if family == Family::Unix { Vec::new() } else { of_port(family, 61_000 + number % 4000) }
}

/// The key of a port, or of an abstract name.
fn key(kind: SocketType, rest: &[u8]) -> Vec<u8> {
    let mut key = vec![kind as u8];
    key.extend(rest);
    key
}

fn free_port(call: &SystemCall<'_, '_, '_>, kind: SocketType) -> Result<u16, Errno> {
    let taken = |port: &u16| call.kernel.bound.contains_key(&key(kind, &port.to_be_bytes()));
    (32_768..61_000).find(|port| !taken(port)).ok_or(Errno::EADDRINUSE)
}

/// Gives a socket an address.
pub(super) fn bind(call: &mut SystemCall<'_, '_, '_>, ino: Ino, bytes: &[u8]) -> SyscallResult {
    let (family, kind, bound) = {
        let socket = call.kernel.socket(ino);
        (socket.family, socket.kind, !socket.local.is_empty())
    };
    let address = parse(bytes, family)?;
    let local = match address {
        SocketAddress::Path(path) => {
            bind_path(call, ino, &path, bound)?;
            bytes.to_vec()
        }
        _ if bound => return Err(Errno::EINVAL.into()),
        SocketAddress::Abstract(name) => {
            claim(call, key(kind, &[b"@".as_slice(), &name].concat()), ino)?;
            bytes.to_vec()
        }
        SocketAddress::Port { here: Here::Elsewhere, .. } => return Err(Errno::EADDRNOTAVAIL.into()),
        SocketAddress::Port { port: 1..1024, .. } if call.kernel.who.uid != 0 => return Err(Errno::EACCES.into()),
        SocketAddress::Port { port, .. } => {
            let port = if port == 0 { free_port(call, kind)? } else { port };
            claim(call, key(kind, &port.to_be_bytes()), ino)?;
            let mut local = bytes.to_vec();
            local.truncate(unnamed(family).len());
            local[2..4].copy_from_slice(&port.to_be_bytes());
            local
        }
    };
    call.kernel.socket_mut(ino).local = local;
    Ok(0)
}

fn claim(call: &mut SystemCall<'_, '_, '_>, key: Vec<u8>, ino: Ino) -> Result<(), Errno> {
    if call.kernel.bound.contains_key(&key) {
        return Err(Errno::EADDRINUSE);
    }
    call.kernel.bound.insert(key, ino);
    Ok(())
}

/// Gives a socket a name in the file system. The name is looked at before the socket.
fn bind_path(call: &mut SystemCall<'_, '_, '_>, ino: Ino, path: &[u8], bound: bool) -> Result<(), Fail> {
    let place = match free_place(call, HERE, &known(path), false) {
        Err(Fail::Errno(Errno::EEXIST)) => return Err(Errno::EADDRINUSE.into()),
        other => other?,
    };
    let (mode, actor) = (0o777 & !call.kernel.umask, call.kernel.actor());
    call.kernel.fs.may_create(place.dir, &actor)?;
    if bound {
        return Err(Errno::EINVAL.into());
    }
    call.kernel.fs.create(place, InodeKind::SocketName(ino), mode, &actor)?;
    Ok(())
}

/// Gives a socket of the network that has none an address of its own.
pub(super) fn bind_any(call: &mut SystemCall<'_, '_, '_>, ino: Ino) -> Result<(), Fail> {
    let socket = call.kernel.socket(ino);
    let (family, kind) = (socket.family, socket.kind);
    if !socket.local.is_empty() || family == Family::Unix {
        return Ok(());
    }
    let port = free_port(call, kind)?;
    claim(call, key(kind, &port.to_be_bytes()), ino)?;
    call.kernel.socket_mut(ino).local = of_port(family, port);
    Ok(())
}

/// The socket at an address, for one of that family and kind.
pub(super) fn find(
    call: &mut SystemCall<'_, '_, '_>,
    bytes: &[u8],
    family: Family,
    kind: SocketType,
) -> Result<Ino, Fail> {
    let found = match parse(bytes, family)? {
        SocketAddress::Path(path) => {
            let ino = call.walk(HERE, &known(&path), Want::Target)?.found.ok_or(Errno::ENOENT)?;
            call.permit(ino, Right::Write)?;
            match call.kernel.fs.inode(ino).kind {
                InodeKind::SocketName(socket) => Some(socket),
                _ => None,
            }
        }
        SocketAddress::Abstract(name) => call.kernel.bound.get(&key(kind, &[b"@".as_slice(), &name].concat())).copied(),
        SocketAddress::Port { here: Here::Elsewhere, .. } => return Err(ENETUNREACH.into()),
        SocketAddress::Port { port, .. } => call.kernel.bound.get(&key(kind, &port.to_be_bytes())).copied(),
    };
    let found = found.filter(|ino| call.kernel.fs.lives(*ino)).ok_or(Errno::ECONNREFUSED)?;
    if call.kernel.socket(found).kind != kind {
        return Err(Errno::EPROTOTYPE.into());
    }
    Ok(found)
}
