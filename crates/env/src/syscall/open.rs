//! `open` and its forms, and making files of other kinds.

use super::SyscallDef;
use super::call::{Fail, HERE, SyscallResult, SystemCall};
use crate::kernel::content::FileContent;
use crate::kernel::errno::Errno;
use crate::kernel::fd::flags;
use crate::kernel::fs::NamePlace;
use crate::kernel::inode::{Device, Ino, Inode, InodeKind, Right};
use crate::kernel::path::{Last, ResolvedPath, Want};
use crate::kernel::pipe::Pipe;

const OPEN: &[Errno] = &[Errno::EMFILE, Errno::ENOMEM, Errno::EACCES, Errno::EINTR];

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(2, |call| open(call, HERE, 0)).failing(OPEN),
    SyscallDef::new(85, creat).failing(OPEN),
    SyscallDef::new(257, openat).failing(OPEN),
    SyscallDef::new(437, |_| Err(Errno::ENOSYS.into())),
    SyscallDef::new(319, memory_file).failing(&[Errno::EMFILE, Errno::ENOMEM]),
    SyscallDef::new(133, |call| mknod(call, HERE, 0)).failing(&[Errno::ENOSPC]),
    SyscallDef::new(259, mknodat).failing(&[Errno::ENOSPC]),
];

fn openat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let dirfd = call.int(0);
    open(call, dirfd, 1)
}

/// `int open(const char *path, int flags, mode_t mode)`
fn open(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, first: usize) -> SyscallResult {
    let (status, mode) = (call.uint(first + 1), call.uint(first + 2));
    open_path(call, dirfd, first, status, mode)
}

fn creat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let mode = call.uint(1);
    open_path(call, HERE, 0, flags::CREAT | flags::WRONLY | flags::TRUNC, mode)
}

fn open_path(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, path: usize, status: u32, mode: u32) -> SyscallResult {
    let mut status = status;
    if status & flags::PATH != 0 {
        status &= flags::PATH | flags::DIRECTORY | flags::NOFOLLOW | flags::CLOEXEC;
    }
    let temporary = status & flags::TMPFILE != 0;
    if temporary && (status & flags::DIRECTORY == 0 || status & flags::ACCMODE == 0 || status & flags::CREAT != 0) {
        return Err(Errno::EINVAL.into());
    }
    if status & flags::CREAT != 0 && status & flags::DIRECTORY != 0 {
        return Err(Errno::EINVAL.into());
    }
    let path = call.path(path)?;
    call.kernel.free_fd(0)?;
    if temporary {
        return open_temporary(call, dirfd, &path, status, mode);
    }
    let mode = mode & 0o7777 & !call.kernel.umask;
    let ino = if status & flags::CREAT != 0 {
        let want = if status & (flags::EXCL | flags::NOFOLLOW) != 0 { Want::NewName } else { Want::NewTarget };
        let walked = call.walk(dirfd, &path, want)?;
        match create(call, walked, status, mode)? {
            Made::New(ino) => return Ok(call.kernel.install(ino, status | flags::LARGEFILE)? as u64),
            Made::Old(ino) => ino,
        }
    } else {
        let want = if status & flags::NOFOLLOW != 0 { Want::Itself } else { Want::Target };
        call.walk(dirfd, &path, want)?.found.ok_or(Errno::ENOENT)?
    };
    open_found(call, ino, status)
}

enum Made {
    New(Ino),
    Old(Ino),
}

fn create(call: &mut SystemCall<'_, '_, '_>, walked: ResolvedPath, status: u32, mode: u32) -> Result<Made, Fail> {
    if walked.last != Last::Name {
        return Err(if status & flags::EXCL != 0 { Errno::EEXIST } else { Errno::EISDIR }.into());
    }
    if walked.slash {
        return Err(Errno::EISDIR.into());
    }
    let Some(ino) = walked.found else {
        let (place, actor) = (NamePlace { dir: walked.dir, name: walked.name }, call.kernel.actor());
        let kind = InodeKind::Regular(FileContent::default());
        return Ok(Made::New(call.kernel.fs.create(place, kind, mode, &actor)?));
    };
    let inode = call.kernel.fs.inode(ino);
    if status & flags::EXCL != 0 {
        return Err(Errno::EEXIST.into());
    }
    if inode.is_directory() {
        return Err(Errno::EISDIR.into());
    }
    Ok(Made::Old(ino))
}

fn open_temporary(
    call: &mut SystemCall<'_, '_, '_>,
    dirfd: i32,
    path: &[taw_engine::Value],
    status: u32,
    mode: u32,
) -> SyscallResult {
    let dir = call.walk(dirfd, path, Want::Target)?.found.ok_or(Errno::ENOENT)?;
    if !call.kernel.fs.inode(dir).is_directory() {
        return Err(Errno::ENOTDIR.into());
    }
    let actor = call.kernel.actor();
    call.kernel.fs.may_create(dir, &actor)?;
    let mode = mode & 0o7777 & !call.kernel.umask;
    let ino = nameless(call, mode);
    let status = status & !(flags::TMPFILE | flags::DIRECTORY) | flags::LARGEFILE;
    Ok(call.kernel.install(ino, status)? as u64)
}

/// `int memfd_create(const char *name, unsigned flags)`
fn memory_file(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let how = call.uint(1);
    if how & !7 != 0 {
        return Err(Errno::EINVAL.into());
    }
    call.kernel.free_fd(0)?;
    let ino = nameless(call, 0o777);
    let close_on_exec = if how & 1 != 0 { flags::CLOEXEC } else { 0 };
    Ok(call.kernel.install(ino, flags::RDWR | flags::LARGEFILE | close_on_exec)? as u64)
}

/// A regular file without a name.
fn nameless(call: &mut SystemCall<'_, '_, '_>, mode: u32) -> Ino {
    let actor = call.kernel.actor();
    let mut inode = Inode::new(InodeKind::Regular(FileContent::default()), mode, &actor.who, actor.now);
    inode.links = 0;
    call.kernel.fs.add(inode)
}

fn open_found(call: &mut SystemCall<'_, '_, '_>, ino: Ino, status: u32) -> SyscallResult {
    let inode = call.kernel.fs.inode(ino);
    let writes = status & flags::ACCMODE != 0 || status & flags::TRUNC != 0;
    if status & flags::PATH == 0 && matches!(inode.kind, InodeKind::Symlink(_)) {
        return Err(Errno::ELOOP.into());
    }
    if status & flags::DIRECTORY != 0 && !inode.is_directory() {
        return Err(Errno::ENOTDIR.into());
    }
    if status & flags::PATH != 0 {
        return Ok(call.kernel.install(ino, status)? as u64);
    }
    if inode.is_directory() && writes {
        return Err(Errno::EISDIR.into());
    }
    if status & flags::ACCMODE != flags::WRONLY {
        call.permit(ino, Right::Read)?;
    }
    if writes {
        call.permit(ino, Right::Write)?;
    }
    if status & flags::NOATIME != 0 {
        inode.owned_by(&call.kernel.who)?;
    }
    match &inode.kind {
        InodeKind::Device(Device::Tty) | InodeKind::Socket(_) | InodeKind::SocketName(_) => {
            return Err(Errno::ENXIO.into());
        }
        InodeKind::Host(_) if writes => return Err(Errno::EROFS.into()),
        InodeKind::Pipe(pipe) => check_fifo(call, &pipe.clone(), status)?,
        _ => {}
    }
    if status & flags::TRUNC != 0 {
        let now = call.kernel.clock;
        let inode = call.kernel.fs.inode_mut(ino);
        if let InodeKind::Regular(content) = &mut inode.kind {
            content.resize(0);
            (inode.mtime, inode.ctime) = (now, now);
            super::stat::drop_privileges(inode, &call.kernel.who);
        }
    }
    Ok(call.kernel.install(ino, status | flags::LARGEFILE)? as u64)
}

/// Opening one end of a FIFO waits for the other.
fn check_fifo(call: &mut SystemCall<'_, '_, '_>, pipe: &Pipe, status: u32) -> Result<(), Fail> {
    let nonblocking = status & flags::NONBLOCK != 0;
    match status & flags::ACCMODE {
        0 if pipe.writers == 0 && !nonblocking && pipe.fifo => Err(call.wait("it opens a FIFO that nobody writes to")),
        flags::WRONLY if pipe.readers == 0 && nonblocking => Err(Errno::ENXIO.into()),
        flags::WRONLY if pipe.readers == 0 && pipe.fifo => Err(call.wait("it opens a FIFO that nobody reads from")),
        _ => Ok(()),
    }
}

fn mknodat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let dirfd = call.int(0);
    mknod(call, dirfd, 1)
}

/// `int mknod(const char *path, mode_t mode, dev_t device)`
fn mknod(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, first: usize) -> SyscallResult {
    let (mode, path) = (call.uint(first + 1), call.path(first)?);
    let kind = match mode & 0o170_000 {
        0 | 0o100_000 => InodeKind::Regular(FileContent::default()),
        0o010_000 => InodeKind::Pipe(Pipe { fifo: true, ..Pipe::default() }),
        // Only root makes devices; that is said last.
        0o020_000 | 0o060_000 => InodeKind::Device(Device::Null),
        0o040_000 => return Err(Errno::EPERM.into()),
        0o140_000 => InodeKind::SocketName(0),
        _ => return Err(Errno::EINVAL.into()),
    };
    let place = free_place(call, dirfd, &path, false)?;
    let (mode, actor) = (mode & 0o7777 & !call.kernel.umask, call.kernel.actor());
    if matches!(kind, InodeKind::Device(_)) {
        call.kernel.fs.may_create(place.dir, &actor)?;
        return Err(Errno::EPERM.into());
    }
    call.kernel.fs.create(place, kind, mode, &actor)?;
    Ok(0)
}

/// The place of a name that must be free.
pub(super) fn free_place(
    call: &mut SystemCall<'_, '_, '_>,
    dirfd: i32,
    path: &[taw_engine::Value],
    may_have_slash: bool,
) -> Result<NamePlace, Fail> {
    let walked = call.walk(dirfd, path, Want::NewName)?;
    if walked.found.is_some() {
        return Err(Errno::EEXIST.into());
    }
    if walked.slash && !may_have_slash {
        return Err(Errno::ENOENT.into());
    }
    Ok(NamePlace { dir: walked.dir, name: walked.name })
}
