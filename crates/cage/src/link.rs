//! Messages over a socket: a length, then JSON; descriptors ride on the length.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Descriptors of a message at the most: standard input, output and error.
const DESCRIPTORS: usize = 3;
/// A message of more is no message of ours.
const LONGEST: u32 = 1 << 28;

/// Sends a message and descriptors.
pub(crate) fn send(mut link: &UnixStream, message: &impl Serialize, with: &[BorrowedFd<'_>]) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    let length = u32::try_from(text.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?.to_ne_bytes();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !with.is_empty() && !control.push(SendAncillaryMessage::ScmRights(with)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let sent = sendmsg(link, &[IoSlice::new(&length)], &mut control, SendFlags::NOSIGNAL)?;
    link.write_all(&length[sent..])?;
    link.write_all(&text)
}

/// Waits for a message; none when the other side is gone.
pub(crate) fn receive<T: DeserializeOwned>(mut link: &UnixStream) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut length = [0; 4];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let got = recvmsg(link, &mut [IoSliceMut::new(&mut length)], &mut control, RecvFlags::CMSG_CLOEXEC)?.bytes;
    if got == 0 {
        return Ok(None);
    }
    let rights = control.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(rights) => Some(rights),
        _ => None,
    });
    let descriptors = rights.flatten().collect();
    link.read_exact(&mut length[got..])?;
    let length = u32::from_ne_bytes(length);
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut text = vec![0; length as usize];
    link.read_exact(&mut text)?;
    Ok(Some((serde_json::from_slice(&text)?, descriptors)))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn messages_and_descriptors_arrive_in_order() {
        let (here, there) = UnixStream::pair().unwrap();
        let (mut reader, writer) = io::pipe().unwrap();
        send(&here, &"first", &[writer.as_fd()]).unwrap();
        send(&here, &vec![1, 2], &[]).unwrap();
        let (text, mut fds) = receive::<String>(&there).unwrap().unwrap();
        assert_eq!((text.as_str(), fds.len()), ("first", 1));
        drop(writer);
        File::from(fds.remove(0)).write_all(b"x").unwrap();
        let mut read = String::new();
        reader.read_to_string(&mut read).unwrap();
        assert_eq!(read, "x");
        assert_eq!(receive::<Vec<u32>>(&there).unwrap().unwrap().0, [1, 2]);
        drop(here);
        assert!(receive::<String>(&there).unwrap().is_none());
    }
}
