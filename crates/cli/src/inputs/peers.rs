//! Those outside whom the program can talk to: `--peer ADDRESS=FILE` and `--sym-peer ADDRESS=LEN`.

use std::path::PathBuf;

use taw::{Content, PeerAddress};

use super::{Remembered, length, read};
use crate::failure::Failure;

/// Longest name that fits into the address of a UNIX socket.
const LONGEST_PATH: usize = 107;

/// What a peer says, as the options have it.
#[derive(Clone, Debug)]
pub(super) enum Says {
    File(PathBuf),
    Unknown(usize),
}

/// `ADDRESS=FILE`.
pub(super) fn scripted(text: &str) -> Result<(PeerAddress, PathBuf), String> {
    let (at, file) = parts(text).filter(|(_, file)| !file.is_empty()).ok_or_else(|| form("FILE", "reply.txt"))?;
    Ok((address(at)?, PathBuf::from(file)))
}

/// `ADDRESS=LEN`.
pub(super) fn symbolic(text: &str) -> Result<(PeerAddress, usize), String> {
    let (at, len) = parts(text).ok_or_else(|| form("LEN", "4"))?;
    Ok((address(at)?, length(len)?))
}

fn form(what: &str, example: &str) -> String {
    format!("write ADDRESS={what}, for example tcp:8080={example} or unix:/tmp/socket={example}")
}

/// Split at the last `=`: a path may have others.
fn parts(text: &str) -> Option<(&str, &str)> {
    text.rsplit_once('=')
}

fn address(text: &str) -> Result<PeerAddress, String> {
    match text.split_once(':') {
        Some(("tcp", port)) => match port.parse::<u16>() {
            Ok(port @ 1..) => Ok(PeerAddress::Tcp(port)),
            _ => Err(format!("`{port}` is no port; write a number from 1 to 65535, for example tcp:8080")),
        },
        Some(("unix", path)) if path.len() > LONGEST_PATH => {
            Err(format!("a UNIX socket's path has at most {LONGEST_PATH} bytes, and this has {}", path.len()))
        }
        Some(("unix", path)) if !path.is_empty() => Ok(PeerAddress::Unix(path.as_bytes().to_vec())),
        _ => Err(format!("`{text}` is no address; write tcp:PORT or unix:PATH, for example tcp:8080")),
    }
}

/// Peers in the order of the command line; `places` tells where the values of an option stand.
pub(super) fn in_order(
    scripted: &[(PeerAddress, PathBuf)],
    symbolic: &[(PeerAddress, usize)],
    places: impl Fn(&str) -> Vec<usize>,
) -> Vec<(PeerAddress, Says)> {
    let known = scripted.iter().map(|(at, file)| (at.clone(), Says::File(file.clone())));
    let unknown = symbolic.iter().map(|(at, len)| (at.clone(), Says::Unknown(*len)));
    let mut placed: Vec<(usize, (PeerAddress, Says))> =
        places("peer").into_iter().zip(known).chain(places("sym_peer").into_iter().zip(unknown)).collect();
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, peer)| peer).collect()
}

/// The peers with what they say, read from their files.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn contents(
    peers: &[(PeerAddress, Says)],
    before: Remembered<'_>,
) -> Result<Vec<(PeerAddress, Content)>, Failure> {
    let content = |(at, says): &(PeerAddress, Says)| {
        Ok((
            at.clone(),
            match says {
                Says::File(path) => Content::Bytes(read("--peer", path, before)?),
                Says::Unknown(len) => Content::Symbolic(*len),
            },
        ))
    };
    peers.iter().map(content).collect()
}
