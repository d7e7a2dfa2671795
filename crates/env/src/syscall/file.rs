//! Reading and writing: `read`, `write`, their vector and positioned forms, `lseek`, `truncate` and what belongs to them.

use taw_engine::Stop;

use super::SyscallDef;
use super::call::{Fail, HERE, SyscallResult, SystemCall};
use crate::kernel::content::Data;
use crate::kernel::errno::Errno;
use crate::kernel::fd::flags;
use crate::kernel::inode::{Device, Ino, InodeKind, Right};
use crate::kernel::path::Want;
use crate::kernel::pipe::PIPE_BUF;
use crate::kernel::process::FSIZE;

const READ: &[Errno] = &[Errno::EIO, Errno::EINTR];
const WRITE: &[Errno] = &[Errno::ENOSPC, Errno::EIO, Errno::EINTR];

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(0, read).failing(READ),
    SyscallDef::new(1, write).failing(WRITE),
    SyscallDef::new(8, lseek),
    SyscallDef::new(17, pread).failing(READ),
    SyscallDef::new(18, pwrite).failing(WRITE),
    SyscallDef::new(19, |call| readv(call, None)).failing(READ),
    SyscallDef::new(20, |call| writev(call, None)).failing(WRITE),
    SyscallDef::new(295, preadv).failing(READ),
    SyscallDef::new(296, pwritev).failing(WRITE),
    SyscallDef::new(40, |_| Err(Errno::EINVAL.into())),
    SyscallDef::new(275, |_| Err(Errno::ENOSYS.into())),
    SyscallDef::new(276, |_| Err(Errno::ENOSYS.into())),
    SyscallDef::new(278, |_| Err(Errno::ENOSYS.into())),
    SyscallDef::new(326, |_| Err(Errno::ENOSYS.into())),
    SyscallDef::new(76, truncate).failing(&[Errno::EIO]),
    SyscallDef::new(77, ftruncate).failing(&[Errno::EIO]),
    SyscallDef::new(285, fallocate).failing(&[Errno::ENOSPC]),
    SyscallDef::new(74, sync_file).failing(&[Errno::EIO, Errno::ENOSPC]),
    SyscallDef::new(75, sync_file).failing(&[Errno::EIO, Errno::ENOSPC]),
    SyscallDef::new(277, sync_file),
    SyscallDef::new(306, sync_file),
    SyscallDef::new(162, |_| Ok(0)),
    SyscallDef::new(221, advise),
    SyscallDef::new(187, advise),
];

/// The most that one call moves.
const MOST: u64 = 0x7fff_f000;

/// Where in a file.
pub(super) type At = Option<u64>;

/// The bytes that a read gives. The offset moves if none is given.
pub(super) fn take(call: &mut SystemCall<'_, '_, '_>, fd: i32, len: u64, at: At) -> Result<Data, Fail> {
    let file = *call.kernel.file(fd)?;
    if !file.reads() {
        return Err(Errno::EBADF.into());
    }
    super::memory::write_back(call, file.ino);
    let len = len.min(MOST);
    let offset = at.unwrap_or(file.offset);
    let data = match &call.kernel.fs.inode(file.ino).kind {
        InodeKind::Regular(content) => content.read(offset, len),
        InodeKind::Host(host) => Data::Known(host.read(offset, len).to_vec()),
        InodeKind::Directory(_) | InodeKind::Descriptors => return Err(Errno::EISDIR.into()),
        InodeKind::Device(device) => return take_from_device(call, *device, len),
        InodeKind::Pipe(_) => return take_from_pipe(call, file.ino, len, file.nonblocking()),
        InodeKind::Stream(_) | InodeKind::Epoll(_) | InodeKind::Symlink(_) => return Err(Errno::EINVAL.into()),
        InodeKind::Socket(_) if len == 0 => Data::default(),
        InodeKind::Socket(_) | InodeKind::SocketName(_) => return super::message::receive(call, fd, len),
    };
    if at.is_none() {
        call.kernel.file_mut(fd)?.offset += data.len() as u64;
    }
    let now = call.kernel.clock;
    let inode = call.kernel.fs.inode_mut(file.ino);
    // As mounted with `relatime`: an access counts if it is the first since a change.
    if file.flags & flags::NOATIME == 0 && inode.atime <= inode.mtime {
        inode.atime = now;
    }
    Ok(data)
}

/// The most that a device gives at once.
const LARGEST: u64 = 1 << 24;

fn take_from_device(call: &mut SystemCall<'_, '_, '_>, device: Device, len: u64) -> Result<Data, Fail> {
    Ok(match device {
        Device::Null | Device::Tty => Data::default(),
        Device::Zero | Device::Full => Data::Known(vec![0; len.min(LARGEST) as usize]),
        Device::Random | Device::Urandom => {
            Data::Known(super::process::random_bytes(&mut call.kernel, len.min(LARGEST)))
        }
    })
}

fn take_from_pipe(call: &mut SystemCall<'_, '_, '_>, ino: Ino, len: u64, nonblocking: bool) -> Result<Data, Fail> {
    let InodeKind::Pipe(pipe) = &mut call.kernel.fs.inode_mut(ino).kind else {
        return Err(Errno::EINVAL.into());
    };
    if pipe.queue.is_empty() && pipe.writers > 0 && len > 0 {
        return Err(if nonblocking { Errno::EAGAIN.into() } else { call.wait("it reads from an empty pipe") });
    }
    Ok(pipe.queue.take(len.min(usize::MAX as u64) as usize))
}

/// Writes bytes; how many.
pub(super) fn give(call: &mut SystemCall<'_, '_, '_>, fd: i32, data: &Data, at: At) -> SyscallResult {
    let file = *call.kernel.file(fd)?;
    if !file.writes() {
        return Err(Errno::EBADF.into());
    }
    let kind = &call.kernel.fs.inode(file.ino).kind;
    if let Data::Mixed(values) = data
        && !matches!(kind, InodeKind::Stream(_))
        && call.cx.has_stand_in(values)
    {
        let what = "the text of a number that depends on inputs, printed to the console and sent elsewhere before it was flushed";
        return Err(Stop::Unsupported(what.to_owned()).into());
    }
    match kind {
        InodeKind::Regular(content) => {
            let end = content.size();
            let offset = if file.flags & flags::APPEND != 0 { end } else { at.unwrap_or(file.offset) };
            let written = give_to_file(call, file.ino, data, offset)?;
            if at.is_none() {
                call.kernel.file_mut(fd)?.offset = offset + written;
            }
            Ok(written)
        }
        InodeKind::Device(Device::Full) => Err(Errno::ENOSPC.into()),
        InodeKind::Device(_) => Ok(data.len() as u64),
        InodeKind::Stream(stream) => {
            let stream = *stream;
            match data {
                Data::Known(bytes) => call.cx.emit(stream, bytes),
                Data::Mixed(values) => call.cx.emit_values(stream, values),
            }
            Ok(data.len() as u64)
        }
        InodeKind::Pipe(_) => give_to_pipe(call, file.ino, data, file.nonblocking()),
        InodeKind::Socket(_) => super::message::send(call, fd, data),
        _ => Err(Errno::EINVAL.into()),
    }
}

fn give_to_file(call: &mut SystemCall<'_, '_, '_>, ino: Ino, data: &Data, offset: u64) -> SyscallResult {
    super::memory::write_back(call, ino);
    let limit = call.kernel.limits[FSIZE].0.min(i64::MAX as u64);
    if offset >= limit && !data.is_empty() {
        return Err(Errno::EFBIG.into());
    }
    let len = (data.len() as u64).min(limit - offset.min(limit)) as usize;
    let now = call.kernel.clock;
    let inode = call.kernel.fs.inode_mut(ino);
    if let InodeKind::Regular(content) = &mut inode.kind
        && len > 0
    {
        if len == data.len() {
            content.write(offset, data);
        } else {
            content.write(offset, &data.part(0, len));
        }
        (inode.mtime, inode.ctime) = (now, now);
        super::stat::drop_privileges(inode, &call.kernel.who);
    }
    Ok(len as u64)
}

fn give_to_pipe(call: &mut SystemCall<'_, '_, '_>, ino: Ino, data: &Data, nonblocking: bool) -> SyscallResult {
    let InodeKind::Pipe(pipe) = &mut call.kernel.fs.inode_mut(ino).kind else {
        return Err(Errno::EINVAL.into());
    };
    if data.is_empty() {
        return Ok(0);
    }
    if pipe.readers == 0 {
        return Err(call.broken_pipe());
    }
    let room = pipe.room();
    if room < data.len() {
        let atomic = data.len() <= PIPE_BUF;
        match nonblocking {
            false => return Err(call.wait("it writes to a pipe that is full")),
            true if atomic || room == 0 => return Err(Errno::EAGAIN.into()),
            true => {}
        }
    }
    let len = data.len().min(room);
    pipe.queue.put(data.part(0, len));
    Ok(len as u64)
}

/// `ssize_t read(int fd, void *to, size_t len)`
fn read(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, to, len) = (call.int(0), call.word(1), call.word(2));
    let data = take(call, fd, len, None)?;
    call.write(to, &data)?;
    Ok(data.len() as u64)
}

/// `ssize_t write(int fd, const void *from, size_t len)`
fn write(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, from, len) = (call.int(0), call.word(1), call.word(2));
    if !call.kernel.file(fd)?.writes() {
        return Err(Errno::EBADF.into());
    }
    let data = call.read(from, len.min(MOST))?;
    give(call, fd, &data, None)
}

fn position(word: u64) -> Result<u64, Errno> {
    if (word as i64) < 0 { Err(Errno::EINVAL) } else { Ok(word) }
}

/// A position in a file that has positions.
fn seekable(call: &mut SystemCall<'_, '_, '_>, fd: i32, at: u64) -> Result<u64, Fail> {
    let at = position(at)?;
    let file = call.kernel.file(fd)?;
    if file.flags & flags::PATH != 0 {
        return Err(Errno::EBADF.into());
    }
    match call.kernel.fs.inode(file.ino).kind {
        InodeKind::Pipe(_) | InodeKind::Stream(_) | InodeKind::Socket(_) | InodeKind::Epoll(_) => {
            Err(Errno::ESPIPE.into())
        }
        _ => Ok(at),
    }
}

/// `ssize_t pread64(int fd, void *to, size_t len, off_t at)`
fn pread(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, to, len, at) = (call.int(0), call.word(1), call.word(2), call.word(3));
    let at = seekable(call, fd, at)?;
    let data = take(call, fd, len, Some(at))?;
    call.write(to, &data)?;
    Ok(data.len() as u64)
}

/// `ssize_t pwrite64(int fd, const void *from, size_t len, off_t at)`
fn pwrite(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, from, len, at) = (call.int(0), call.word(1), call.word(2), call.word(3));
    let at = seekable(call, fd, at)?;
    if !call.kernel.file(fd)?.writes() {
        return Err(Errno::EBADF.into());
    }
    let data = call.read(from, len.min(MOST))?;
    give(call, fd, &data, Some(at))
}

/// An array of `struct iovec`: addresses and lengths.
pub(super) fn vectors(call: &mut SystemCall<'_, '_, '_>, address: u64, count: u64) -> Result<Vec<(u64, u64)>, Fail> {
    if count > 1024 {
        return Err(Errno::EINVAL.into());
    }
    let mut all = Vec::new();
    let mut sum: u64 = 0;
    for i in 0..count {
        let (base, len) = (call.load_word(address, 2 * i)?, call.load_word(address, 2 * i + 1)?);
        sum = sum.checked_add(len).filter(|s| *s <= i64::MAX as u64).ok_or(Errno::EINVAL)?;
        all.push((base, len));
    }
    Ok(all)
}

/// Spreads data over pieces of memory.
pub(super) fn scatter(call: &mut SystemCall<'_, '_, '_>, pieces: &[(u64, u64)], data: &Data) -> Result<(), Fail> {
    let mut done = 0;
    let mut parts = Vec::new();
    for (base, len) in pieces {
        let part = (*len).min((data.len() - done) as u64) as usize;
        call.check_write(*base, part as u64)?;
        parts.push((*base, data.part(done, part)));
        done += part;
    }
    for (base, part) in parts {
        call.write(base, &part)?;
    }
    Ok(())
}

/// Collects data from pieces of memory.
pub(super) fn gather(call: &mut SystemCall<'_, '_, '_>, pieces: &[(u64, u64)]) -> Result<Data, Fail> {
    let mut data = Data::default();
    for (base, len) in pieces {
        let part = call.read(*base, *len)?;
        data.append(&part);
    }
    Ok(data)
}

fn readv(call: &mut SystemCall<'_, '_, '_>, at: At) -> SyscallResult {
    let (fd, vector, count) = (call.int(0), call.word(1), call.word(2));
    let pieces = vectors(call, vector, count)?;
    let data = take(call, fd, pieces.iter().map(|p| p.1).sum(), at)?;
    scatter(call, &pieces, &data)?;
    Ok(data.len() as u64)
}

fn writev(call: &mut SystemCall<'_, '_, '_>, at: At) -> SyscallResult {
    let (fd, vector, count) = (call.int(0), call.word(1), call.word(2));
    let pieces = vectors(call, vector, count)?;
    if !call.kernel.file(fd)?.writes() {
        return Err(Errno::EBADF.into());
    }
    let data = gather(call, &pieces)?;
    give(call, fd, &data, at)
}

fn preadv(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, at) = (call.int(0), call.word(3));
    let at = seekable(call, fd, at)?;
    readv(call, Some(at))
}

fn pwritev(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, at) = (call.int(0), call.word(3));
    let at = seekable(call, fd, at)?;
    writev(call, Some(at))
}

/// `off_t lseek(int fd, off_t offset, int whence)`
fn lseek(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, distance, whence) = (call.int(0), call.word(1) as i64, call.int(2));
    let file = *call.kernel.file(fd)?;
    if file.flags & flags::PATH != 0 {
        return Err(Errno::EBADF.into());
    }
    let inode = call.kernel.fs.inode(file.ino);
    let size = match inode.kind {
        InodeKind::Pipe(_) | InodeKind::Stream(_) | InodeKind::Socket(_) | InodeKind::Epoll(_) => {
            return Err(Errno::ESPIPE.into());
        }
        // The kernel's own devices stay where they are.
        InodeKind::Device(_) => return Ok(0),
        _ => inode.size() as i64,
    };
    let from = match whence {
        0 => 0,
        1 => file.offset as i64,
        2 => size,
        // Data and holes: a file is all data, with one hole at its end.
        3 | 4 if distance < 0 || distance >= size => return Err(Errno::ENXIO.into()),
        3 => 0,
        4 => size - distance,
        _ => return Err(Errno::EINVAL.into()),
    };
    let to = from.checked_add(distance).ok_or(Errno::EOVERFLOW)?;
    if to < 0 {
        return Err(Errno::EINVAL.into());
    }
    call.kernel.file_mut(fd)?.offset = to as u64;
    Ok(to as u64)
}

fn resize(call: &mut SystemCall<'_, '_, '_>, ino: Ino, size: u64) -> SyscallResult {
    if size > call.kernel.limits[FSIZE].0 {
        return Err(Errno::EFBIG.into());
    }
    super::memory::write_back(call, ino);
    let now = call.kernel.clock;
    let inode = call.kernel.fs.inode_mut(ino);
    let InodeKind::Regular(content) = &mut inode.kind else { return Err(Errno::EINVAL.into()) };
    content.resize(size);
    (inode.mtime, inode.ctime) = (now, now);
    super::stat::drop_privileges(inode, &call.kernel.who);
    Ok(0)
}

/// `int truncate(const char *path, off_t size)`
fn truncate(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let size = position(call.word(1))?;
    let ino = call.lookup(HERE, 0, Want::Target)?;
    match call.kernel.fs.inode(ino).kind {
        InodeKind::Directory(_) | InodeKind::Descriptors => return Err(Errno::EISDIR.into()),
        InodeKind::Regular(_) | InodeKind::Host(_) => {}
        _ => return Err(Errno::EINVAL.into()),
    }
    call.permit(ino, Right::Write)?;
    resize(call, ino, size)
}

/// `int ftruncate(int fd, off_t size)`
fn ftruncate(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let size = position(call.word(1))?;
    let fd = call.int(0);
    let file = *call.kernel.file(fd)?;
    if file.flags & flags::PATH != 0 {
        return Err(Errno::EBADF.into());
    }
    if !file.writes() || !matches!(call.kernel.fs.inode(file.ino).kind, InodeKind::Regular(_)) {
        return Err(Errno::EINVAL.into());
    }
    resize(call, file.ino, size)
}

/// `int fallocate(int fd, int mode, off_t from, off_t len)`: room is never short; holes are not modelled.
fn fallocate(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, mode, from, len) = (call.int(0), call.int(1), call.word(2) as i64, call.word(3) as i64);
    let file = *call.kernel.file(fd)?;
    if from < 0 || len <= 0 {
        return Err(Errno::EINVAL.into());
    }
    if mode & !1 != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    if !file.writes() {
        return Err(Errno::EBADF.into());
    }
    let end = from.checked_add(len).ok_or(Errno::EFBIG)? as u64;
    match &call.kernel.fs.inode(file.ino).kind {
        InodeKind::Regular(content) if mode == 0 && end > content.size() => resize(call, file.ino, end),
        InodeKind::Regular(_) => Ok(0),
        InodeKind::Pipe(_) | InodeKind::Stream(_) => Err(Errno::ESPIPE.into()),
        _ => Err(Errno::ENODEV.into()),
    }
}

fn sync_file(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let fd = call.int(0);
    let file = call.kernel.file(fd)?;
    if file.flags & flags::PATH != 0 {
        return Err(Errno::EBADF.into());
    }
    match call.kernel.inode_of(fd)?.kind {
        InodeKind::Regular(_) | InodeKind::Host(_) | InodeKind::Directory(_) => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// Advice about what comes next is taken and not followed.
fn advise(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let fd = call.int(0);
    match call.kernel.inode_of(fd)?.kind {
        InodeKind::Pipe(_) | InodeKind::Stream(_) | InodeKind::Socket(_) => Err(Errno::ESPIPE.into()),
        _ => Ok(0),
    }
}
