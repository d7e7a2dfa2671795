//! Descriptors: `close`, `dup`, `fcntl`, `ioctl`, locks.

use super::SyscallDef;
use super::call::{Fail, SyscallResult, SystemCall};
use crate::kernel::errno::Errno;
use crate::kernel::fd::flags;
use crate::kernel::inode::InodeKind;
use crate::kernel::process::{Lock, NOFILE};

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(3, close).failing(&[Errno::EIO, Errno::EINTR]),
    SyscallDef::new(436, close_range),
    SyscallDef::new(32, dup).failing(&[Errno::EMFILE]),
    SyscallDef::new(33, dup2),
    SyscallDef::new(292, dup3),
    SyscallDef::new(72, fcntl),
    SyscallDef::new(16, ioctl),
    SyscallDef::new(73, flock),
];

fn close(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let fd = call.int(0);
    call.kernel.close(fd)?;
    Ok(0)
}

/// `int close_range(unsigned first, unsigned last, unsigned flags)`
fn close_range(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    const CLOEXEC: u32 = 4;
    let (first, last, how) = (call.uint(0), call.uint(1), call.uint(2));
    if first > last || how & !(CLOEXEC | 2) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let inside = |fd: &i32| (first..=last).contains(&(*fd as u32));
    let all: Vec<i32> = call.kernel.fds.keys().copied().filter(inside).collect();
    for fd in all {
        if how & CLOEXEC != 0 {
            set_close_on_exec(call, fd, true)?;
        } else {
            call.kernel.close(fd)?;
        }
    }
    Ok(0)
}

fn dup(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let fd = call.int(0);
    call.kernel.file(fd)?;
    let to = call.kernel.free_fd(0)?;
    call.kernel.duplicate(fd, to, false)?;
    Ok(to as u64)
}

fn dup_to(call: &mut SystemCall<'_, '_, '_>, fd: i32, to: i32, close_on_exec: bool) -> SyscallResult {
    call.kernel.file(fd)?;
    if to < 0 || to as u64 >= call.kernel.limits[NOFILE].0 {
        return Err(Errno::EBADF.into());
    }
    if call.kernel.file(to).is_ok() {
        // The description may be the same: it must not go in between.
        let spare = call.kernel.fds.keys().max().map_or(0, |fd| fd + 1);
        call.kernel.duplicate(fd, spare, false)?;
        call.kernel.close(to)?;
        call.kernel.duplicate(spare, to, close_on_exec)?;
        call.kernel.close(spare)?;
    } else {
        call.kernel.duplicate(fd, to, close_on_exec)?;
    }
    Ok(to as u64)
}

fn dup2(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, to) = (call.int(0), call.int(1));
    if fd == to {
        call.kernel.file(fd)?;
        return Ok(to as u64);
    }
    dup_to(call, fd, to, false)
}

fn dup3(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, to, how) = (call.int(0), call.int(1), call.uint(2));
    if fd == to || how & !flags::CLOEXEC != 0 {
        return Err(Errno::EINVAL.into());
    }
    dup_to(call, fd, to, how != 0)
}

fn set_close_on_exec(call: &mut SystemCall<'_, '_, '_>, fd: i32, on: bool) -> Result<(), Fail> {
    call.kernel.fds.get_mut(&fd).ok_or(Errno::EBADF)?.close_on_exec = on;
    Ok(())
}

/// `int fcntl(int fd, int command, long argument)`
fn fcntl(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, command) = (call.int(0), call.int(1));
    let file = *call.kernel.file(fd)?;
    match command {
        0 | 1030 => {
            let from = call.int(2);
            if from < 0 || from as u64 >= call.kernel.limits[NOFILE].0 {
                return Err(Errno::EINVAL.into());
            }
            let to = call.kernel.free_fd(from)?;
            call.kernel.duplicate(fd, to, command == 1030)?;
            Ok(to as u64)
        }
        1 => Ok(u64::from(call.kernel.fds[&fd].close_on_exec)),
        2 => {
            let on = call.int(2) & 1 != 0;
            set_close_on_exec(call, fd, on)?;
            Ok(0)
        }
        3 => Ok(u64::from(file.flags)),
        _ if file.flags & flags::PATH != 0 => Err(Errno::EBADF.into()),
        4 => {
            const MAY_CHANGE: u32 = flags::APPEND | flags::NONBLOCK | flags::DIRECT | flags::NOATIME | 0o20_000;
            let new = call.uint(2);
            call.kernel.file_mut(fd)?.flags = file.flags & !MAY_CHANGE | new & MAY_CHANGE;
            Ok(0)
        }
        5..=7 | 36..=38 => record_lock(call, fd, command),
        8..=11 => Ok(0),
        1031 | 1032 => pipe_size(call, fd, command),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// Record locks are the process's: it never meets its own.
fn record_lock(call: &mut SystemCall<'_, '_, '_>, fd: i32, command: i32) -> SyscallResult {
    let address = call.word(2);
    let kind = call.load(address, 2)? as i16;
    let file = *call.kernel.file(fd)?;
    match (command, kind) {
        (5 | 36, _) => {
            call.write_bytes(address, &2i16.to_le_bytes())?;
            Ok(0)
        }
        (_, 0) if !file.reads() => Err(Errno::EBADF.into()),
        (_, 1) if !file.writes() => Err(Errno::EBADF.into()),
        (_, 0..=2) => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

fn pipe_size(call: &mut SystemCall<'_, '_, '_>, fd: i32, command: i32) -> SyscallResult {
    let size = call.int(2);
    let ino = call.kernel.file(fd)?.ino;
    match &mut call.kernel.fs.inode_mut(ino).kind {
        InodeKind::Pipe(pipe) if command == 1032 => Ok(pipe.capacity as u64),
        InodeKind::Stream(_) if command == 1032 => Ok(1 << 16),
        InodeKind::Pipe(pipe) => {
            let size = u32::try_from(size).map_err(|_| Errno::EINVAL)?.clamp(4096, 1 << 30).next_power_of_two();
            if (size as usize) < pipe.queue.len() {
                return Err(Errno::EBUSY.into());
            }
            if size > 1 << 20 {
                return Err(Errno::EPERM.into());
            }
            pipe.capacity = size as usize;
            Ok(u64::from(size))
        }
        _ => Err(Errno::EBADF.into()),
    }
}

/// `int ioctl(int fd, unsigned long request, …)`: nothing is a terminal.
fn ioctl(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    const FIONREAD: u32 = 0x541b;
    const FIONBIO: u32 = 0x5421;
    const FIONCLEX: u32 = 0x5450;
    const FIOCLEX: u32 = 0x5451;
    const FICLONE: u32 = 0x4004_9409;
    let (fd, request, argument) = (call.int(0), call.uint(1), call.word(2));
    let file = *call.kernel.file(fd)?;
    if file.flags & flags::PATH != 0 {
        return Err(Errno::EBADF.into());
    }
    match request {
        FIONBIO => {
            let on = call.load(argument, 4)? != 0;
            let flag = if on { flags::NONBLOCK } else { 0 };
            call.kernel.file_mut(fd)?.flags = file.flags & !flags::NONBLOCK | flag;
            Ok(0)
        }
        FIOCLEX | FIONCLEX => {
            set_close_on_exec(call, fd, request == FIOCLEX)?;
            Ok(0)
        }
        FIONREAD => {
            let left = match &call.kernel.fs.inode(file.ino).kind {
                InodeKind::Pipe(pipe) => pipe.queue.len() as u64,
                InodeKind::Socket(socket) => socket.inbox.len() as u64,
                InodeKind::Regular(content) => content.size().saturating_sub(file.offset),
                InodeKind::Host(host) => host.size().saturating_sub(file.offset),
                _ => return Err(Errno::ENOTTY.into()),
            };
            call.write_bytes(argument, &(left as u32).to_le_bytes())?;
            Ok(0)
        }
        FICLONE => Err(Errno::EOPNOTSUPP.into()),
        _ => Err(Errno::ENOTTY.into()),
    }
}

/// `int flock(int fd, int operation)`
fn flock(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, operation) = (call.int(0), call.int(1));
    let file = *call.kernel.file(fd)?;
    let owner = call.kernel.fds[&fd].file;
    let (kind, nonblocking) = (operation & !4, operation & 4 != 0);
    if ![1, 2, 8].contains(&kind) {
        return Err(Errno::EINVAL.into());
    }
    let shared = kind == 1;
    let others = |lock: &&Lock| lock.ino == file.ino && lock.owner != Some(owner);
    if kind != 8 && call.kernel.locks.iter().filter(others).any(|lock| !(shared && lock.shared)) {
        return Err(if nonblocking { Errno::EAGAIN.into() } else { call.wait("it locks a file that it holds locked") });
    }
    call.kernel.locks.retain(|lock| lock.owner != Some(owner));
    if kind != 8 {
        call.kernel.locks.push(Lock { ino: file.ino, owner: Some(owner), shared });
    }
    Ok(0)
}
