//! What a file is: the `stat` family, and changing mode, owner and times.

use super::SyscallDef;
use super::call::{Fail, HERE, SyscallResult, SystemCall};
use crate::kernel::SECOND;
use crate::kernel::errno::Errno;
use crate::kernel::fd::flags;
use crate::kernel::inode::{Credentials, Ino, Inode, InodeKind, Right, Time};
use crate::kernel::path::Want;

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(4, |call| stat_path(call, Want::Target)).failing(&[Errno::EACCES]),
    SyscallDef::new(5, fstat).failing(&[Errno::EIO]),
    SyscallDef::new(6, |call| stat_path(call, Want::Itself)).failing(&[Errno::EACCES]),
    SyscallDef::new(262, newfstatat).failing(&[Errno::EACCES]),
    SyscallDef::new(332, statx).failing(&[Errno::EACCES]),
    SyscallDef::new(137, statfs),
    SyscallDef::new(138, fstatfs),
    SyscallDef::new(21, |call| access(call, HERE, 0)),
    SyscallDef::new(269, |call| faccessat(call, 0)),
    SyscallDef::new(439, faccessat2),
    SyscallDef::new(90, |call| chmod(call, HERE, 0, Want::Target)),
    SyscallDef::new(91, fchmod),
    SyscallDef::new(268, fchmodat),
    SyscallDef::new(92, |call| chown(call, HERE, 0, Want::Target)),
    SyscallDef::new(93, fchown),
    SyscallDef::new(94, |call| chown(call, HERE, 0, Want::Itself)),
    SyscallDef::new(260, fchownat),
    SyscallDef::new(280, utimensat),
    SyscallDef::new(132, utime),
    SyscallDef::new(235, |call| utimes(call, HERE, 0)),
    SyscallDef::new(261, futimesat),
    SyscallDef::new(188, no_attributes),
    SyscallDef::new(189, no_attributes),
    SyscallDef::new(190, no_attributes),
    SyscallDef::new(191, no_attributes),
    SyscallDef::new(192, no_attributes),
    SyscallDef::new(193, no_attributes),
    SyscallDef::new(194, no_attributes),
    SyscallDef::new(195, no_attributes),
    SyscallDef::new(196, no_attributes),
    SyscallDef::new(197, no_attributes),
    SyscallDef::new(198, no_attributes),
    SyscallDef::new(199, no_attributes),
];

/// The number of the one file system.
const DEVICE: u64 = 0x801;
const AT_SYMLINK_NOFOLLOW: i32 = 0x100;
const AT_EACCESS: i32 = 0x200;
const AT_EMPTY_PATH: i32 = 0x1000;
const AT_NO_AUTOMOUNT: i32 = 0x800;

/// The file has no attributes beyond those of `stat`.
fn no_attributes(_: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    Err(Errno::EOPNOTSUPP.into())
}

fn device_number(inode: &Inode) -> u64 {
    match inode.kind {
        InodeKind::Device(device) => {
            let (major, minor) = device.numbers();
            major << 8 | minor
        }
        _ => 0,
    }
}

fn blocks(inode: &Inode) -> u64 {
    match &inode.kind {
        InodeKind::Regular(content) => content.blocks(),
        InodeKind::Host(file) => file.size().div_ceil(512),
        InodeKind::Directory(_) => 8,
        _ => 0,
    }
}

/// `struct stat` of x86-64.
fn stat_bytes(ino: Ino, inode: &Inode) -> Vec<u8> {
    let mut out = Vec::with_capacity(144);
    for word in [DEVICE, ino, inode.links.max(u64::from(inode.type_bits() == 0))] {
        out.extend(word.to_le_bytes());
    }
    for word in [inode.type_bits() | inode.mode, inode.uid, inode.gid, 0] {
        out.extend(word.to_le_bytes());
    }
    for word in [device_number(inode), inode.size(), 4096, blocks(inode)] {
        out.extend(word.to_le_bytes());
    }
    for time in [inode.atime, inode.mtime, inode.ctime] {
        out.extend(time.div_euclid(SECOND).to_le_bytes());
        out.extend(time.rem_euclid(SECOND).to_le_bytes());
    }
    out.resize(144, 0);
    out
}

/// `struct statx`.
fn statx_bytes(ino: Ino, inode: &Inode) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    let basic: u32 = 0x7ff;
    out.extend(basic.to_le_bytes());
    out.extend(4096u32.to_le_bytes());
    out.extend(0u64.to_le_bytes());
    for word in [inode.links as u32, inode.uid, inode.gid, inode.type_bits() | inode.mode] {
        out.extend(word.to_le_bytes());
    }
    for word in [ino, inode.size(), blocks(inode), 0] {
        out.extend(word.to_le_bytes());
    }
    for time in [inode.atime, 0, inode.ctime, inode.mtime] {
        out.extend(time.div_euclid(SECOND).to_le_bytes());
        out.extend((time.rem_euclid(SECOND) as u64).to_le_bytes());
    }
    let device = device_number(inode);
    for word in [device >> 8, device & 0xff, DEVICE >> 8, DEVICE & 0xff] {
        out.extend((word as u32).to_le_bytes());
    }
    out.resize(256, 0);
    out
}

fn stat_to(call: &mut SystemCall<'_, '_, '_>, ino: Ino, to: u64) -> SyscallResult {
    super::memory::write_back(call, ino);
    let bytes = stat_bytes(ino, call.kernel.fs.inode(ino));
    call.write_bytes(to, &bytes)?;
    Ok(0)
}

/// `int stat(const char *path, struct stat *to)`
fn stat_path(call: &mut SystemCall<'_, '_, '_>, want: Want) -> SyscallResult {
    let to = call.word(1);
    let ino = call.lookup(HERE, 0, want)?;
    stat_to(call, ino, to)
}

fn fstat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, to) = (call.int(0), call.word(1));
    let ino = call.kernel.file(fd)?.ino;
    stat_to(call, ino, to)
}

/// The file of a folder, path and flags; an empty path is the descriptor itself if the flags say so.
fn find(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, path: usize, at: i32) -> Result<Ino, Fail> {
    let address = call.word(path);
    let path = if address == 0 && at & AT_EMPTY_PATH != 0 { Vec::new() } else { call.path(path)? };
    let empty = path.is_empty() && at & AT_EMPTY_PATH != 0;
    match (empty, dirfd) {
        (true, HERE) => Ok(call.kernel.cwd),
        (true, fd) => Ok(call.kernel.file(fd)?.ino),
        (false, _) => {
            let want = if at & AT_SYMLINK_NOFOLLOW != 0 { Want::Itself } else { Want::Target };
            Ok(call.walk(dirfd, &path, want)?.found.ok_or(Errno::ENOENT)?)
        }
    }
}

/// `int newfstatat(int dirfd, const char *path, struct stat *to, int flags)`
fn newfstatat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (dirfd, to, at) = (call.int(0), call.word(2), call.int(3));
    if at & !(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let ino = find(call, dirfd, 1, at)?;
    stat_to(call, ino, to)
}

/// `int statx(int dirfd, const char *path, int flags, unsigned mask, struct statx *to)`
fn statx(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (dirfd, at, to) = (call.int(0), call.int(2), call.word(4));
    let ino = find(call, dirfd, 1, at)?;
    super::memory::write_back(call, ino);
    let bytes = statx_bytes(ino, call.kernel.fs.inode(ino));
    call.write_bytes(to, &bytes)?;
    Ok(0)
}

/// `struct statfs`: a file system of 1 GiB, half of it free.
fn statfs_to(call: &mut SystemCall<'_, '_, '_>, to: u64) -> SyscallResult {
    let words: [u64; 15] = [0xef53, 4096, 1 << 18, 1 << 17, 1 << 17, 1 << 16, 1 << 15, 1, 255, 4096, 0x20, 0, 0, 0, 0];
    if call.word_bytes() != 8 {
        return Err(taw_engine::Stop::Unsupported("`statfs` on 32 bits".to_owned()).into());
    }
    let bytes = call.words_as_bytes(&words);
    call.write_bytes(to, &bytes)?;
    Ok(0)
}

fn statfs(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let to = call.word(1);
    call.lookup(HERE, 0, Want::Target)?;
    statfs_to(call, to)
}

fn fstatfs(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (fd, to) = (call.int(0), call.word(1));
    call.kernel.file(fd)?;
    statfs_to(call, to)
}

fn check_access(call: &SystemCall<'_, '_, '_>, ino: Ino, mode: i32) -> SyscallResult {
    for right in [Right::Read, Right::Write, Right::Execute] {
        if mode & right as i32 != 0 {
            call.permit(ino, right)?;
        }
    }
    Ok(0)
}

/// `int access(const char *path, int mode)`
fn access(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, first: usize) -> SyscallResult {
    let mode = call.int(first + 1);
    if mode & !7 != 0 {
        return Err(Errno::EINVAL.into());
    }
    let ino = call.lookup(dirfd, first, Want::Target)?;
    check_access(call, ino, mode)
}

fn faccessat(call: &mut SystemCall<'_, '_, '_>, at: i32) -> SyscallResult {
    let (dirfd, mode) = (call.int(0), call.int(2));
    if mode & !7 != 0 {
        return Err(Errno::EINVAL.into());
    }
    let ino = find(call, dirfd, 1, at)?;
    check_access(call, ino, mode)
}

fn faccessat2(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let at = call.int(3);
    if at & !(AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL.into());
    }
    faccessat(call, at)
}

fn set_mode(call: &mut SystemCall<'_, '_, '_>, ino: Ino, mode: u32) -> SyscallResult {
    let (who, now) = (call.kernel.who.clone(), call.kernel.clock);
    call.kernel.fs.inode(ino).owned_by(&who)?;
    let inode = call.kernel.fs.inode_mut(ino);
    inode.mode = mode & 0o7777;
    // Only members of its group may make a file run as the group.
    if who.uid != 0 && inode.gid != who.gid && !inode.is_directory() {
        inode.mode &= !0o2000;
    }
    inode.ctime = now;
    Ok(0)
}

fn chmod(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, first: usize, want: Want) -> SyscallResult {
    let mode = call.uint(first + 1);
    let ino = call.lookup(dirfd, first, want)?;
    set_mode(call, ino, mode)
}

fn fchmodat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let dirfd = call.int(0);
    chmod(call, dirfd, 1, Want::Target)
}

fn opened(call: &mut SystemCall<'_, '_, '_>) -> Result<Ino, Fail> {
    let fd = call.int(0);
    let file = call.kernel.file(fd)?;
    if file.flags & flags::PATH != 0 { Err(Errno::EBADF.into()) } else { Ok(file.ino) }
}

fn fchmod(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let mode = call.uint(1);
    let ino = opened(call)?;
    set_mode(call, ino, mode)
}

/// A file that somebody else writes to or takes over runs as nobody else any more.
pub(super) fn drop_privileges(inode: &mut Inode, who: &Credentials) {
    if who.uid != 0 {
        let group_runs = inode.mode & 0o10 != 0;
        inode.mode &= if group_runs { !0o6000 } else { !0o4000 };
    }
}

fn set_owner(call: &mut SystemCall<'_, '_, '_>, ino: Ino, uid: u32, gid: u32) -> SyscallResult {
    let (who, now) = (call.kernel.who.clone(), call.kernel.clock);
    let inode = call.kernel.fs.inode_mut(ino);
    let keeps = |new: u32, old: u32| new == u32::MAX || new == old;
    let owns = who.uid == inode.uid;
    let allowed = who.uid == 0
        || (uid == u32::MAX || (owns && uid == inode.uid))
            && (gid == u32::MAX || (owns && (gid == who.gid || keeps(gid, inode.gid))));
    if !allowed {
        return Err(Errno::EPERM.into());
    }
    inode.uid = if uid == u32::MAX { inode.uid } else { uid };
    inode.gid = if gid == u32::MAX { inode.gid } else { gid };
    if !inode.is_directory() {
        inode.mode &= if inode.mode & 0o10 != 0 { !0o6000 } else { !0o4000 };
    }
    inode.ctime = now;
    Ok(0)
}

fn chown(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, first: usize, want: Want) -> SyscallResult {
    let (uid, gid) = (call.uint(first + 1), call.uint(first + 2));
    let ino = call.lookup(dirfd, first, want)?;
    set_owner(call, ino, uid, gid)
}

fn fchown(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (uid, gid) = (call.uint(1), call.uint(2));
    let ino = opened(call)?;
    set_owner(call, ino, uid, gid)
}

fn fchownat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (dirfd, uid, gid, at) = (call.int(0), call.uint(2), call.uint(3), call.int(4));
    if at & !(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let ino = find(call, dirfd, 1, at)?;
    set_owner(call, ino, uid, gid)
}

/// A time to be set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NewTime {
    Now,
    Keep,
    At(Time),
}

fn set_times(call: &mut SystemCall<'_, '_, '_>, ino: Ino, times: [NewTime; 2]) -> SyscallResult {
    if times == [NewTime::Keep; 2] {
        return Ok(0);
    }
    let (who, now) = (call.kernel.who.clone(), call.kernel.clock);
    if call.kernel.fs.inode(ino).owned_by(&who).is_err() {
        let only_now = times == [NewTime::Now; 2];
        if !only_now {
            return Err(Errno::EPERM.into());
        }
        call.permit(ino, Right::Write)?;
    }
    let inode = call.kernel.fs.inode_mut(ino);
    let new = |time, old| match time {
        NewTime::Now => now,
        NewTime::Keep => old,
        NewTime::At(time) => time,
    };
    (inode.atime, inode.mtime) = (new(times[0], inode.atime), new(times[1], inode.mtime));
    inode.ctime = now;
    Ok(0)
}

fn time_of(seconds: u64, nanoseconds: i64) -> Result<NewTime, Errno> {
    match nanoseconds {
        0x3fff_ffff => Ok(NewTime::Now),
        0x3fff_fffe => Ok(NewTime::Keep),
        0..SECOND => Ok(NewTime::At((seconds as i64).saturating_mul(SECOND).saturating_add(nanoseconds))),
        _ => Err(Errno::EINVAL),
    }
}

/// `int utimensat(int dirfd, const char *path, const struct timespec times[2], int flags)`
fn utimensat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (dirfd, path, times, at) = (call.int(0), call.word(1), call.word(2), call.int(3));
    let mut new = [NewTime::Now; 2];
    if times != 0 {
        for (i, time) in new.iter_mut().enumerate() {
            let base = times + i as u64 * 16;
            let (seconds, nanoseconds) = (call.load(base, 8)?, call.load(base + 8, 8)?);
            *time = time_of(seconds, nanoseconds as i64)?;
        }
    }
    if at & !(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let ino = if path == 0 { opened(call)? } else { find(call, dirfd, 1, at)? };
    set_times(call, ino, new)
}

/// `int utime(const char *path, const struct utimbuf *times)`
fn utime(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let times = call.word(1);
    let mut new = [NewTime::Now; 2];
    if times != 0 {
        for (i, time) in new.iter_mut().enumerate() {
            *time = time_of(call.load(times + i as u64 * 8, 8)?, 0)?;
        }
    }
    let ino = call.lookup(HERE, 0, Want::Target)?;
    set_times(call, ino, new)
}

/// `int utimes(const char *path, const struct timeval times[2])`
fn utimes(call: &mut SystemCall<'_, '_, '_>, dirfd: i32, first: usize) -> SyscallResult {
    let times = call.word(first + 1);
    let mut new = [NewTime::Now; 2];
    if times != 0 {
        for (i, time) in new.iter_mut().enumerate() {
            let base = times + i as u64 * 16;
            let (seconds, micro) = (call.load(base, 8)?, call.load(base + 8, 8)? as i64);
            if !(0..1_000_000).contains(&micro) {
                return Err(Errno::EINVAL.into());
            }
            *time = time_of(seconds, micro * 1000)?;
        }
    }
    let ino = call.lookup(dirfd, first, Want::Target)?;
    set_times(call, ino, new)
}

fn futimesat(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let dirfd = call.int(0);
    utimes(call, dirfd, 1)
}
