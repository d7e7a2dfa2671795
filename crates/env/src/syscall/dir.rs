//! Names: folders, links, renaming, listing, the current folder.

use taw_engine::Value;

use super::SyscallDef;
use super::call::{Fail, HERE, SyscallResult, SystemCall};
use super::open::free_place;
use crate::kernel::content::{Data, known};
use crate::kernel::errno::Errno;
use crate::kernel::fd::flags;
use crate::kernel::fs::{NamePlace, Replace};
use crate::kernel::host;
use crate::kernel::inode::{Directory, Ino, InodeKind, Right};
use crate::kernel::path::{Last, PATH_MAX, Want};

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(83, |call| mkdir(call, HERE, 0)).failing(&[Errno::ENOSPC]),
    SyscallDef::new(258, mkdirat).failing(&[Errno::ENOSPC]),
    SyscallDef::new(84, |call| rmdir(call, HERE, 0)).failing(&[Errno::EBUSY]),
    SyscallDef::new(87, |call| unlink(call, HERE, 0)).failing(&[Errno::EACCES]),
    SyscallDef::new(263, unlinkat).failing(&[Errno::EACCES]),
    SyscallDef::new(82, |call| rename(call, HERE, 0, HERE, 1, 0)).failing(&[Errno::ENOSPC]),
    SyscallDef::new(264, |call| renameat(call, 0)).failing(&[Errno::ENOSPC]),
    SyscallDef::new(316, renameat2).failing(&[Errno::ENOSPC]),
    SyscallDef::new(86, |call| link(call, HERE, 0, HERE, 1, 0)).failing(&[Errno::ENOSPC]),
    SyscallDef::new(265, linkat).failing(&[Errno::ENOSPC]),
    SyscallDef::new(88, |call| symlink(call, HERE, 1)).failing(&[Errno::ENOSPC]),
    SyscallDef::new(266, symlinkat).failing(&[Errno::ENOSPC]),
    SyscallDef::new(89, |call| readlink(call, HERE, 0)),
    SyscallDef::new(267, readlinkat),
    SyscallDef::new(80, chdir),
    SyscallDef::new(81, fchdir),
    SyscallDef::new(79, getcwd),
    SyscallDef::new(217, getdents).failing(&[Errno::EIO]),
    SyscallDef::new(95, umask),
    SyscallDef::new(161, |_| Err(Errno::EPERM.into())),
];

/// `int mkdir(const char *path, mode_t mode)`
fn mkdir(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, first: usize) -> SyscallResult {
    let (mode, path) = (call.uint(first + 1), call.path(first)?);
    let place = free_place(call, dirfd, &path, true)?;
    let (mode, actor) = (mode & 0o1777 & !call.kernel.umask, call.kernel.actor());
    let kind = InodeKind::Directory(Directory::new(place.dir));
    call.kernel.fs.create(place, kind, mode, &actor)?;
    Ok(0)
}

fn mkdirat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let dirfd = call.int(0);
    mkdir(call, dirfd, 1)
}

/// `int rmdir(const char *path)`
fn rmdir(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, path: usize) -> SyscallResult {
    let path = call.path(path)?;
    let walked = call.walk(dirfd, &path, Want::Name)?;
    match walked.last {
        Last::Dot => return Err(Errno::EINVAL.into()),
        Last::DotDot => return Err(Errno::ENOTEMPTY.into()),
        Last::Root => return Err(Errno::EBUSY.into()),
        Last::Name => {}
    }
    let ino = walked.found.ok_or(Errno::ENOENT)?;
    let actor = call.kernel.actor();
    host::list(&mut call.kernel.fs, ino);
    call.kernel.fs.rmdir(&NamePlace { dir: walked.dir, name: walked.name }, ino, &actor)?;
    Ok(0)
}

/// `int unlink(const char *path)`
fn unlink(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, path: usize) -> SyscallResult {
    let path = call.path(path)?;
    let walked = call.walk(dirfd, &path, Want::Name)?;
    if walked.last != Last::Name {
        return Err(Errno::EISDIR.into());
    }
    let ino = walked.found.ok_or(Errno::ENOENT)?;
    if walked.slash {
        let is_dir = call.kernel.fs.inode(ino).is_directory();
        return Err(if is_dir { Errno::EISDIR } else { Errno::ENOTDIR }.into());
    }
    let actor = call.kernel.actor();
    call.kernel.fs.unlink(&NamePlace { dir: walked.dir, name: walked.name }, ino, &actor)?;
    Ok(0)
}

fn unlinkat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    const AT_REMOVEDIR: i32 = 0x200;
    let (dirfd, at) = (call.int(0), call.int(2));
    match at {
        0 => unlink(call, dirfd, 1),
        AT_REMOVEDIR => rmdir(call, dirfd, 1),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// `int rename(const char *from, const char *to)`
fn rename(call: &mut SystemCall<'_, '_, '_>, fd: i32, from: usize, to_fd: i32, to: usize, how: u32) -> SyscallResult {
    const NOREPLACE: u32 = 1;
    const EXCHANGE: u32 = 2;
    if how & !(NOREPLACE | EXCHANGE) != 0 || how == NOREPLACE | EXCHANGE {
        return Err(Errno::EINVAL.into());
    }
    let (from, to) = (call.path(from)?, call.path(to)?);
    // The folders of both come first, then the last components: `ENOENT` of the old name is later than the new name's folder's.
    let old = call.walk(fd, &from, Want::NewName)?;
    let new = call.walk(to_fd, &to, Want::NewName)?;
    if old.last != Last::Name {
        return Err(Errno::EBUSY.into());
    }
    if new.last != Last::Name {
        return Err(if how & NOREPLACE != 0 { Errno::EEXIST } else { Errno::EBUSY }.into());
    }
    let ino = old.found.ok_or(Errno::ENOENT)?;
    if how & NOREPLACE != 0 && new.found.is_some() {
        return Err(Errno::EEXIST.into());
    }
    if how & EXCHANGE != 0 && new.found.is_none() {
        return Err(Errno::ENOENT.into());
    }
    if !call.kernel.fs.inode(ino).is_directory() && (old.slash || (new.slash && how & EXCHANGE == 0)) {
        return Err(Errno::ENOTDIR.into());
    }
    if how & EXCHANGE != 0 && new.slash && !new.found.is_some_and(|ino| call.kernel.fs.inode(ino).is_directory()) {
        return Err(Errno::ENOTDIR.into());
    }
    let replace = if how & EXCHANGE != 0 { Replace::Exchange } else { Replace::Yes };
    let actor = call.kernel.actor();
    let (from, to) = (NamePlace { dir: old.dir, name: old.name }, NamePlace { dir: new.dir, name: new.name });
    call.kernel.fs.rename(&from, ino, to, new.found, replace, &actor)?;
    Ok(0)
}

fn renameat(call: &mut SystemCall<'_, '_, '_>, how: u32) -> SyscallResult {
    let (from, to) = (call.int(0), call.int(2));
    rename(call, from, 1, to, 3, how)
}

fn renameat2(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let how = call.uint(4);
    renameat(call, how)
}

/// `int link(const char *from, const char *to)`
fn link(call: &mut SystemCall<'_, '_, '_>, fd: i32, from: usize, to_fd: i32, to: usize, at: i32) -> SyscallResult {
    const AT_SYMLINK_FOLLOW: i32 = 0x400;
    const AT_EMPTY_PATH: i32 = 0x1000;
    if at & !(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let (from, to) = (call.path(from)?, call.path(to)?);
    let want = if at & AT_SYMLINK_FOLLOW != 0 { Want::Target } else { Want::Itself };
    let ino = if from.is_empty() && at & AT_EMPTY_PATH != 0 {
        call.kernel.file(fd)?.ino
    } else {
        call.walk(fd, &from, want)?.found.ok_or(Errno::ENOENT)?
    };
    let place = free_place(call, to_fd, &to, false)?;
    let actor = call.kernel.actor();
    call.kernel.fs.link(ino, place, &actor)?;
    Ok(0)
}

fn linkat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (from, to, at) = (call.int(0), call.int(2), call.int(4));
    link(call, from, 1, to, 3, at)
}

/// `int symlink(const char *target, const char *path)`
fn symlink(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, path: usize) -> SyscallResult {
    let target = call.path(0)?;
    let path = call.path(path)?;
    let target = ended(call, target)?;
    if target.is_empty() {
        return Err(Errno::ENOENT.into());
    }
    let place = free_place(call, dirfd, &path, false)?;
    let actor = call.kernel.actor();
    call.kernel.fs.create(place, InodeKind::Symlink(target.into()), 0o777, &actor)?;
    Ok(0)
}

fn symlinkat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let dirfd = call.int(1);
    symlink(call, dirfd, 2)
}

/// The bytes before the first zero; where that is, is decided.
fn ended(call: &mut SystemCall<'_, '_, '_>, mut bytes: Vec<Value>) -> Result<Vec<Value>, Fail> {
    use crate::kernel::path::Judge;
    let end = bytes.iter().position(|b| super::call::Decider(call.cx).is(*b, 0));
    bytes.truncate(end.unwrap_or(bytes.len()));
    Ok(bytes)
}

/// `ssize_t readlink(const char *path, char *to, size_t len)`
fn readlink(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, first: usize) -> SyscallResult {
    let (to, len) = (call.word(first + 1), call.int(first + 2));
    if len <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let path = call.path(first)?;
    let (dir, name, ino) = if path.is_empty() && dirfd != HERE {
        let ino = call.kernel.file(dirfd)?.ino;
        (ino, Vec::new(), ino)
    } else {
        let walked = call.walk(dirfd, &path, Want::Itself)?;
        (walked.dir, walked.name.to_vec(), walked.found.ok_or(Errno::ENOENT)?)
    };
    let text = match &call.kernel.fs.inode(ino).kind {
        InodeKind::Symlink(target) => target.to_vec(),
        _ if matches!(call.kernel.fs.inode(dir).kind, InodeKind::Descriptors) && !name.is_empty() => {
            describe(call, ino)
        }
        _ if path.is_empty() => return Err(Errno::ENOENT.into()),
        _ => return Err(Errno::EINVAL.into()),
    };
    let len = text.len().min(len as usize);
    call.write(to, &Data::of(&text[..len]))?;
    Ok(len as u64)
}

/// What the link in `/proc/self/fd` says.
fn describe(call: &SystemCall<'_, '_, '_>, ino: Ino) -> Vec<Value> {
    let inode = call.kernel.fs.inode(ino);
    match inode.kind {
        InodeKind::Pipe(_) | InodeKind::Stream(_) => known(format!("pipe:[{ino}]").as_bytes()),
        InodeKind::Socket(_) => known(format!("socket:[{ino}]").as_bytes()),
        InodeKind::Epoll(_) => known(b"anon_inode:[eventpoll]"),
        InodeKind::Directory(_) => call.kernel.fs.path_of(ino).unwrap_or_else(|| known(b"(deleted)")),
        _ => call.kernel.fs.path_of_file(ino).unwrap_or_else(|| known(b"(deleted)")),
    }
}

fn readlinkat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let dirfd = call.int(0);
    readlink(call, dirfd, 1)
}

fn enter(call: &mut SystemCall<'_, '_, '_>, ino: Ino) -> SyscallResult {
    if !call.kernel.fs.inode(ino).is_directory() {
        return Err(Errno::ENOTDIR.into());
    }
    call.permit(ino, Right::Execute)?;
    let old = std::mem::replace(&mut call.kernel.cwd, ino);
    call.kernel.fs.inode_mut(ino).opens += 1;
    call.kernel.fs.inode_mut(old).opens -= 1;
    call.kernel.fs.release(old);
    Ok(0)
}

/// `int chdir(const char *path)`
fn chdir(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let ino = call.lookup(HERE, 0, Want::Target)?;
    enter(call, ino)
}

fn fchdir(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let fd = call.int(0);
    let ino = call.kernel.file(fd)?.ino;
    enter(call, ino)
}

/// `int getcwd(char *to, size_t len)`: the number of bytes, with the zero.
fn getcwd(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (to, len) = (call.word(0), call.word(1));
    let mut path = call.kernel.fs.path_of(call.kernel.cwd).ok_or(Errno::ENOENT)?;
    path.push(Value::word(0));
    if path.len() > PATH_MAX {
        return Err(Errno::ENAMETOOLONG.into());
    }
    if (len as usize) < path.len() {
        return Err(Errno::ERANGE.into());
    }
    call.write(to, &Data::of(&path))?;
    Ok(path.len() as u64)
}

/// Entries of a folder from a position on: the position after each, its number, type and name.
fn entries(call: &mut SystemCall<'_, '_, '_>, ino: Ino, from: u64) -> Vec<(u64, Ino, u8, Vec<Value>)> {
    host::list(&mut call.kernel.fs, ino);
    let kernel = &call.kernel;
    let mut out = Vec::new();
    let kind = |ino: Ino| (kernel.fs.inode(ino).type_bits() >> 12) as u8;
    let parent = kernel.fs.inode(ino).directory().map_or(ino, |d| d.parent);
    for (at, number, name) in [(0, ino, &b"."[..]), (1, parent, b"..")] {
        if from <= at {
            out.push((at + 1, number, kind(number), known(name)));
        }
    }
    match &kernel.fs.inode(ino).kind {
        InodeKind::Directory(directory) => {
            let entry =
                |(at, e): (u64, &crate::kernel::inode::FolderEntry)| (at + 1, e.ino, kind(e.ino), e.name.to_vec());
            out.extend(directory.entries(from).map(entry));
        }
        InodeKind::Descriptors => {
            let open = kernel.open_descriptors();
            let rows = open.iter().map(|(fd, ino)| (*fd as u64 + 4, *ino, 10, known(fd.to_string().as_bytes())));
            out.extend(rows.filter(|row| row.0 > from));
        }
        _ => {}
    }
    out
}

/// `int getdents64(int fd, struct dirent64 *to, unsigned len)`
fn getdents(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, to, len) = (call.int(0), call.word(1), call.uint(2) as usize);
    let file = *call.kernel.file(fd)?;
    if file.flags & flags::PATH != 0 {
        return Err(Errno::EBADF.into());
    }
    if !call.kernel.fs.inode(file.ino).is_directory() {
        return Err(Errno::ENOTDIR.into());
    }
    if call.kernel.fs.inode(file.ino).directory().is_some_and(|d| d.removed) {
        return Err(Errno::ENOENT.into());
    }
    let mut out = Data::default();
    let mut position = file.offset;
    for (next, ino, kind, name) in entries(call, file.ino, file.offset) {
        let size = (19 + name.len() + 1).next_multiple_of(8);
        if out.len() + size > len {
            if out.is_empty() {
                return Err(Errno::EINVAL.into());
            }
            break;
        }
        let mut record = Vec::new();
        record.extend(ino.to_le_bytes());
        record.extend(next.to_le_bytes());
        record.extend((size as u16).to_le_bytes());
        record.push(kind);
        out.append(&Data::Known(record));
        out.append(&Data::of(&name));
        out.append(&Data::Known(vec![0; size - 19 - name.len()]));
        position = next;
    }
    call.write(to, &out)?;
    call.kernel.file_mut(fd)?.offset = position;
    Ok(out.len() as u64)
}

/// `mode_t umask(mode_t mask)`
fn umask(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let mask = call.uint(0) & 0o777;
    Ok(u64::from(std::mem::replace(&mut call.kernel.umask, mask)))
}
