//! Waiting for several descriptors: `poll`, `select`, `epoll`.
//!
//! There is no other process: what is not ready now never will be, so a wait with a limit lasts until its limit or an alarm, and
//! one without a limit ends only by an alarm.

use super::SyscallDef;
use super::call::{Fail, SyscallResult, SystemCall};
use crate::kernel::Kernel;
use crate::kernel::epoll::{Epoll, Interest};
use crate::kernel::errno::Errno;
use crate::kernel::fd::{OpenFile, flags};
use crate::kernel::inode::{Ino, Inode, InodeKind, Time};
use crate::kernel::process::NOFILE;
use crate::kernel::socket::{Socket, SocketRole};

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(7, poll).failing(&[Errno::EINTR]),
    SyscallDef::new(271, ppoll).failing(&[Errno::EINTR]),
    SyscallDef::new(23, select).failing(&[Errno::EINTR]),
    SyscallDef::new(270, pselect).failing(&[Errno::EINTR]),
    SyscallDef::new(213, |call| epoll_create(call, 0)),
    SyscallDef::new(291, epoll_create1),
    SyscallDef::new(233, epoll_ctl),
    SyscallDef::new(232, epoll_wait).failing(&[Errno::EINTR]),
    SyscallDef::new(281, epoll_pwait).failing(&[Errno::EINTR]),
];

const IN: u32 = 1;
const OUT: u32 = 4;
const ERR: u32 = 8;
const HUP: u32 = 0x10;
const NVAL: u32 = 0x20;
const READ_BAND: u32 = 0x40;
const WRITE_BAND: u32 = 0x100;
const READ_HUP: u32 = 0x2000;
const READABLE: u32 = IN | READ_BAND;
const WRITABLE: u32 = OUT | WRITE_BAND;

/// A moment that never comes.
const NEVER: Time = Time::MAX;

fn when(condition: bool, events: u32) -> u32 {
    if condition { events } else { 0 }
}

/// What can be done at once with an open file, and a number that changes when something new happens to it.
fn ready(kernel: &Kernel, file: &OpenFile) -> (u32, u64) {
    match &kernel.fs.inode(file.ino).kind {
        InodeKind::Pipe(pipe) => {
            let read = when(!pipe.queue.is_empty(), READABLE) | when(pipe.writers == 0, HUP);
            let write = when(pipe.room() > 0, WRITABLE) | when(pipe.readers == 0, ERR);
            (when(file.reads(), read) | when(file.writes(), write), pipe.queue.total())
        }
        InodeKind::Stream(_) => (WRITABLE, 0),
        InodeKind::Socket(socket) => (socket_ready(kernel, socket), socket.inbox.total()),
        InodeKind::Epoll(epoll) => (when(!waiting(kernel, epoll).is_empty(), READABLE), 0),
        _ => (READABLE | WRITABLE, 0),
    }
}

fn socket_ready(kernel: &Kernel, socket: &Socket) -> u32 {
    let shut = when(socket.read_shut, READABLE | READ_HUP)
        | when(socket.read_shut && socket.write_shut, HUP)
        | when(socket.error.is_some(), ERR);
    match &socket.role {
        SocketRole::Listening { waiting, .. } => shut | when(!waiting.is_empty(), READABLE),
        SocketRole::Idle => {
            let readable = !socket.packets.is_empty();
            shut | when(readable, READABLE) | WRITABLE | when(socket.has_connections(), HUP)
        }
        SocketRole::Connected { peer } => {
            let readable = !socket.inbox.is_empty() || !socket.packets.is_empty();
            let room = peer.is_none_or(|ino| kernel.socket(ino).inbox.len() < Socket::ROOM);
            shut | when(readable, READABLE) | when(room, WRITABLE)
        }
    }
}

/// Nothing is ready: waits until a moment. Returns when it has come, without anything being ready.
fn pass(call: &mut SystemCall<'_, '_, '_>, until: Time, what: &str) -> Result<(), Fail> {
    if until == NEVER {
        return Err(call.wait(what));
    }
    if call.ring(until).is_some() {
        return Err(Errno::EINTR.into());
    }
    call.kernel.pass_until(until);
    Ok(())
}

fn after_milliseconds(call: &SystemCall<'_, '_, '_>, timeout: i32) -> Time {
    if timeout < 0 { NEVER } else { call.kernel.clock + Time::from(timeout) * 1_000_000 }
}

fn after(call: &mut SystemCall<'_, '_, '_>, address: u64) -> Result<Time, Fail> {
    let span = super::time::timeout(call, address)?;
    Ok(span.map_or(NEVER, |span| call.kernel.clock.saturating_add(span)))
}

/// Blocks other signals while a call waits.
fn with_mask(call: &mut SystemCall<'_, '_, '_>, address: u64) -> Result<(), Fail> {
    if address != 0 {
        let mask = call.load(address, 8)?;
        call.replace_mask(mask);
    }
    Ok(())
}

/// `int poll(struct pollfd *fds, nfds_t count, int timeout)`
fn poll(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let timeout = call.int(2);
    let until = after_milliseconds(call, timeout);
    poll_until(call, until)
}

fn ppoll(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (timeout, mask) = (call.word(2), call.word(3));
    let until = after(call, timeout)?;
    with_mask(call, mask)?;
    poll_until(call, until)
}

fn poll_until(call: &mut SystemCall<'_, '_, '_>, until: Time) -> SyscallResult {
    let (fds, count) = (call.word(0), call.word(1));
    if count > call.kernel.limits[NOFILE].0 {
        return Err(Errno::EINVAL.into());
    }
    let mut answers = Vec::new();
    for i in 0..count {
        let (fd, wanted) = (call.load(fds + i * 8, 4)? as u32 as i32, call.load(fds + i * 8 + 4, 2)? as u32);
        answers.push(match call.kernel.file(fd) {
            _ if fd < 0 => 0,
            Err(_) => NVAL,
            Ok(file) => ready(&call.kernel, file).0 & (wanted | ERR | HUP),
        });
    }
    let found = answers.iter().filter(|events| **events != 0).count() as u64;
    if found == 0 {
        pass(call, until, "it polls descriptors")?;
    }
    for (i, events) in (0..).zip(answers) {
        call.write_bytes(fds + i * 8 + 6, &(events as u16).to_le_bytes())?;
    }
    Ok(found)
}

/// `int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout)`
fn select(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let timeout = call.word(4);
    let until = if timeout == 0 {
        NEVER
    } else {
        let (seconds, micro) = (call.load(timeout, 8)? as i64, call.load(timeout + 8, 8)? as i64);
        if seconds < 0 || micro < 0 {
            return Err(Errno::EINVAL.into());
        }
        let span = seconds.saturating_mul(crate::kernel::SECOND).saturating_add(micro.saturating_mul(1000));
        call.kernel.clock.saturating_add(span)
    };
    select_until(call, until)
}

fn pselect(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (timeout, mask) = (call.word(4), call.word(5));
    let until = after(call, timeout)?;
    if mask != 0 {
        let set = call.load(mask, 8)?;
        with_mask(call, set)?;
    }
    select_until(call, until)
}

fn select_until(call: &mut SystemCall<'_, '_, '_>, until: Time) -> SyscallResult {
    // What counts as readable, writable, exceptional.
    const KINDS: [u32; 3] = [IN | READ_BAND | HUP | ERR, OUT | WRITE_BAND | ERR, 2];
    let count = call.int(0);
    if count < 0 {
        return Err(Errno::EINVAL.into());
    }
    let words = (count as u64).min(call.kernel.limits[NOFILE].0).div_ceil(64);
    let mut answers: Vec<(u64, u64)> = Vec::new();
    let mut found = 0;
    for (kind, events) in KINDS.iter().enumerate() {
        let set = call.word(kind + 1);
        for i in (0..words).filter(|_| set != 0) {
            let wanted = call.load(set + i * 8, 8)?;
            let mut answer = 0u64;
            for bit in (0..64).filter(|bit| wanted >> bit & 1 != 0 && i * 64 + bit < count as u64) {
                let file = call.kernel.file((i * 64 + bit) as i32)?;
                answer |= u64::from(ready(&call.kernel, file).0 & events != 0) << bit;
            }
            found += u64::from(answer.count_ones());
            answers.push((set + i * 8, answer));
        }
    }
    if found == 0 {
        pass(call, until, "it selects among descriptors")?;
    }
    for (address, answer) in answers {
        call.write_bytes(address, &answer.to_le_bytes())?;
    }
    Ok(found)
}

fn epoll_create(call: &mut SystemCall<'_, '_, '_>, how: u32) -> SyscallResult {
    let mut inode = Inode::new(InodeKind::Epoll(Epoll::default()), 0o600, &call.kernel.who, call.kernel.clock);
    inode.links = 0;
    call.kernel.free_fd(0)?;
    let ino = call.kernel.fs.add(inode);
    Ok(call.kernel.install(ino, how | flags::RDWR)? as u64)
}

fn epoll_create1(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let how = call.uint(0);
    if how & !flags::CLOEXEC != 0 { Err(Errno::EINVAL.into()) } else { epoll_create(call, how) }
}

const EDGE: u32 = 1 << 31;
const ONCE: u32 = 1 << 30;

fn epoll_of(call: &mut SystemCall<'_, '_, '_>, fd: i32) -> Result<(Ino, Epoll), Fail> {
    let ino = call.kernel.file(fd)?.ino;
    match &call.kernel.fs.inode(ino).kind {
        InodeKind::Epoll(epoll) => Ok((ino, epoll.clone())),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// `int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)`
fn epoll_ctl(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (epfd, operation, fd, event) = (call.int(0), call.int(1), call.int(2), call.word(3));
    call.kernel.file(epfd)?;
    let target = *call.kernel.file(fd)?;
    if matches!(
        call.kernel.fs.inode(target.ino).kind,
        InodeKind::Regular(_) | InodeKind::Host(_) | InodeKind::Directory(_)
    ) {
        return Err(Errno::EPERM.into());
    }
    let (ino, mut epoll) = epoll_of(call, epfd)?;
    if target.ino == ino {
        return Err(Errno::EINVAL.into());
    }
    if operation == 1 && contains(&call.kernel, target.ino, ino) {
        return Err(Errno::ELOOP.into());
    }
    let file = call.kernel.fds[&fd].file;
    let there = epoll.interests.get(&fd).is_some_and(|i| i.file == file);
    match (operation, there) {
        (1, true) => return Err(Errno::EEXIST.into()),
        (2 | 3, false) => return Err(Errno::ENOENT.into()),
        (1 | 3, _) => {
            let (events, data) = (call.load(event, 4)? as u32, call.load(event + 4, 8)?);
            epoll.interests.insert(fd, Interest { events, data, file, reported: None });
        }
        (2, _) => {
            epoll.interests.remove(&fd);
        }
        _ => return Err(Errno::EINVAL.into()),
    }
    call.kernel.fs.inode_mut(ino).kind = InodeKind::Epoll(epoll);
    Ok(0)
}

/// Whether a set is in another, or in one that is in it: then nothing could be said about either.
fn contains(kernel: &Kernel, outer: Ino, inner: Ino) -> bool {
    let InodeKind::Epoll(epoll) = &kernel.fs.inode(outer).kind else { return false };
    let members = epoll.interests.values().filter_map(|interest| kernel.files.get(&interest.file));
    outer == inner || members.into_iter().any(|file| contains(kernel, file.ino, inner))
}

/// Descriptors of a set that have something to report, with what, and the state of things reported.
fn waiting(kernel: &Kernel, epoll: &Epoll) -> Vec<(i32, u32, (u32, u64))> {
    let mut found = Vec::new();
    for (fd, interest) in &epoll.interests {
        let Some(file) = kernel.files.get(&interest.file) else { continue };
        let (events, stamp) = ready(kernel, file);
        let events = events & (interest.events | ERR | HUP);
        let news = interest.events & EDGE == 0 || interest.reported != Some((events, stamp));
        if events != 0 && news && interest.events & !(EDGE | ONCE) != 0 {
            found.push((*fd, events, (events, stamp)));
        }
    }
    found
}

/// `int epoll_wait(int epoll, struct epoll_event *to, int most, int timeout)`
fn epoll_wait(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, to, most, timeout) = (call.int(0), call.word(1), call.int(2), call.int(3));
    let until = after_milliseconds(call, timeout);
    if most <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let (ino, mut epoll) = epoll_of(call, fd)?;
    let mut found = waiting(&call.kernel, &epoll);
    found.truncate(most as usize);
    if found.is_empty() {
        pass(call, until, "it waits for events")?;
        return Ok(0);
    }
    let mut bytes = Vec::new();
    for (fd, events, reported) in &found {
        let Some(interest) = epoll.interests.get_mut(fd) else { continue };
        bytes.extend(events.to_le_bytes());
        bytes.extend(interest.data.to_le_bytes());
        interest.reported = Some(*reported);
        if interest.events & ONCE != 0 {
            interest.events &= EDGE | ONCE;
        }
    }
    call.write_bytes(to, &bytes)?;
    call.kernel.fs.inode_mut(ino).kind = InodeKind::Epoll(epoll);
    Ok(found.len() as u64)
}

fn epoll_pwait(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let mask = call.word(4);
    with_mask(call, mask)?;
    epoll_wait(call)
}
