//! How sockets of the program come to talk to a peer outside of it (`--peer`, `--sym-peer`).
//!
//! A connecting socket meets the peer where no socket of the program listens; a listening one finds all peers of its address
//! waiting to be accepted. What a peer says is there at once and followed by the end: when it would come natively is not known.

use super::address;
use super::call::{Fail, SystemCall};
use super::socket::make;
use crate::kernel::content::Data;
use crate::kernel::inode::Ino;
use crate::kernel::socket::{Socket, SocketRole, SocketType};

/// Connects a socket that does nothing yet with the peer at an address, if there is one.
pub(super) fn meet(call: &mut SystemCall<'_, '_, '_>, ino: Ino, remote: &[u8]) -> Result<bool, Fail> {
    let socket = call.kernel.socket(ino);
    let (family, kind) = (socket.family, socket.kind);
    if kind != SocketType::Stream {
        return Ok(false);
    }
    let at = address::of_peer(remote, family)?;
    let Some(says) = call.kernel.meet_peer(&at) else { return Ok(false) };
    address::bind_any(call, ino)?;
    link(call, ino, says, remote.to_vec());
    Ok(true)
}

/// Lets the peers at a listening socket's address connect to it.
pub(super) fn arrive(call: &mut SystemCall<'_, '_, '_>, listener: Ino) -> Result<(), Fail> {
    let socket = call.kernel.socket(listener);
    let (family, kind, local) = (socket.family, socket.kind, socket.local.clone());
    if kind != SocketType::Stream {
        return Ok(());
    }
    let at = address::of_peer(&local, family)?;
    let mut number = 0;
    while let Some(says) = call.kernel.meet_peer(&at) {
        let mut end = Socket::new(family, kind);
        end.local.clone_from(&local);
        let end = make(call, end);
        call.kernel.fs.inode_mut(end).opens = 1;
        link(call, end, says, address::of_caller(family, number));
        number += 1;
        if let SocketRole::Listening { waiting, .. } = &mut call.kernel.socket_mut(listener).role {
            waiting.push_back(end);
        }
    }
    Ok(())
}

/// Makes the peer's end: it has said everything, and nobody reads what it is sent.
fn link(call: &mut SystemCall<'_, '_, '_>, ino: Ino, says: Data, remote: Vec<u8>) {
    let socket = call.kernel.socket(ino);
    let mut outside = Socket::new(socket.family, socket.kind);
    outside.outside = true;
    outside.role = SocketRole::Connected { peer: Some(ino) };
    let outside = make(call, outside);
    call.kernel.fs.inode_mut(outside).opens = 1;
    let socket = call.kernel.socket_mut(ino);
    (socket.role, socket.remote) = (SocketRole::Connected { peer: Some(outside) }, remote);
    socket.inbox.put(says);
    socket.read_shut = true;
}
