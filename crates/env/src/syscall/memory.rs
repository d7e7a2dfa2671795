//! Memory from the kernel: `mmap` and what belongs to it.
//!
//! A mapping is an object of its own. A private one of a file is a copy. What is written to a shared one goes back to the file
//! when the file is used next, with `msync`, and when it is unmapped; what is written to the file does not show in the mapping.

use taw_engine::{Doubt, ObjectKind, Region, Status, Stop};

use super::SyscallDef;
use super::call::{Fail, SyscallResult, SystemCall};
use crate::kernel::content::Data;
use crate::kernel::errno::Errno;
use crate::kernel::inode::{Ino, InodeKind};
use crate::kernel::process::Mapping;

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(9, mmap).failing(&[Errno::ENOMEM]),
    SyscallDef::new(10, mprotect).failing(&[Errno::ENOMEM]),
    SyscallDef::new(11, munmap),
    SyscallDef::new(12, brk),
    SyscallDef::new(25, mremap).failing(&[Errno::ENOMEM]),
    SyscallDef::new(26, msync).failing(&[Errno::EIO]),
    SyscallDef::new(27, mincore),
    SyscallDef::new(28, |_| Ok(0)),
    SyscallDef::new(149, |_| Ok(0)),
    SyscallDef::new(150, |_| Ok(0)),
    SyscallDef::new(151, |_| Err(Errno::EPERM.into())),
    SyscallDef::new(152, |_| Ok(0)),
];

const PAGE: u64 = 4096;
const WRITE: i32 = 2;
const SHARED: i32 = 1;
const FIXED: i32 = 0x10;
const ANONYMOUS: i32 = 0x20;
const FIXED_NOREPLACE: i32 = 0x10_0000;

/// `void *mmap(void *address, size_t len, int protection, int flags, int fd, off_t offset)`
fn mmap(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (len, protection, how, fd, offset) = (call.word(1), call.int(2), call.int(3), call.int(4), call.word(5));
    if len == 0 || !offset.is_multiple_of(PAGE) || how & 3 == 0 {
        return Err(Errno::EINVAL.into());
    }
    if how & (FIXED | FIXED_NOREPLACE) != 0 {
        return Err(Stop::Unsupported("mmap at a fixed address".to_owned()).into());
    }
    let shared = how & 3 == SHARED || how & 3 == 3;
    let (content, back) =
        if how & ANONYMOUS != 0 { (Data::default(), None) } else { file_part(call, fd, len, offset)? };
    if back.is_some() && shared && protection & WRITE != 0 && !call.kernel.file(fd)?.writes() {
        return Err(Errno::EACCES.into());
    }
    let base = map(call, len)?;
    call.write(base, &content)?;
    let shared = back.filter(|_| shared && protection & WRITE != 0);
    if let Some((ino, _)) = shared {
        call.kernel.fs.inode_mut(ino).opens += 1;
    }
    call.kernel.mappings.insert(base, Mapping { len, shared });
    protect(call, base, protection);
    Ok(base)
}

/// Makes an object of whole pages, filled with zeros.
fn map(call: &mut SystemCall<'_, '_, '_>, len: u64) -> Result<u64, Fail> {
    let len = len.checked_next_multiple_of(PAGE).ok_or(Errno::ENOMEM)?;
    let most = call.cx.engine.config.max_heap;
    if len > most {
        if len < 1 << 47 {
            call.cx.engine.doubts.insert(Doubt::MappingRefused(most));
        }
        return Err(Errno::ENOMEM.into());
    }
    let memory = &mut call.cx.state.memory;
    let kind = ObjectKind::Internal("a mapping");
    Ok(memory.allocate(Region::Heap, len, PAGE, kind, 0).ok_or(Errno::ENOMEM)?)
}

/// The part of a file that is to be mapped, and where it is from.
fn file_part(
    call: &mut SystemCall<'_, '_, '_>,
    fd: i32,
    len: u64,
    offset: u64,
) -> Result<(Data, Option<(Ino, u64)>), Fail> {
    let file = *call.kernel.file(fd)?;
    if !file.reads() {
        return Err(Errno::EACCES.into());
    }
    write_back(call, file.ino);
    match &call.kernel.fs.inode(file.ino).kind {
        InodeKind::Regular(content) => Ok((content.read(offset, len), Some((file.ino, offset)))),
        InodeKind::Host(host) => Ok((Data::Known(host.read(offset, len).to_vec()), None)),
        InodeKind::Device(crate::kernel::inode::Device::Zero) => Ok((Data::default(), None)),
        _ => Err(Errno::ENODEV.into()),
    }
}

fn protect(call: &mut SystemCall<'_, '_, '_>, base: u64, protection: i32) {
    call.cx.state.memory.object_mut(base).constant = protection & WRITE == 0;
}

/// `int mprotect(void *address, size_t len, int protection)`: of whole mappings; of parts it is taken and not enforced.
fn mprotect(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (address, len, protection) = (call.word(0), call.word(1), call.int(2));
    if !address.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    if call.kernel.mappings.get(&address).is_some_and(|m| m.len.next_multiple_of(PAGE) <= len) {
        protect(call, address, protection);
    }
    Ok(0)
}

/// `int munmap(void *address, size_t len)`: a part of a mapping stays until the whole is unmapped.
fn munmap(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (address, len) = (call.word(0), call.word(1));
    if !address.is_multiple_of(PAGE) || len == 0 {
        return Err(Errno::EINVAL.into());
    }
    if let Some(mapping) = call.kernel.mappings.get(&address).copied()
        && len >= mapping.len
    {
        write_mapping_back(call, address, mapping);
        unmap(call, address);
    }
    Ok(0)
}

fn unmap(call: &mut SystemCall<'_, '_, '_>, base: u64) {
    let mapping = call.kernel.mappings.remove(&base);
    if let Some((ino, _)) = mapping.and_then(|mapping| mapping.shared) {
        call.kernel.fs.inode_mut(ino).opens -= 1;
        call.kernel.fs.release(ino);
    }
    call.cx.state.memory.retire(base, Status::Freed);
}

/// `int brk(void *address)`: there is no room; the C library then uses `mmap`.
fn brk(_: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    const END: u64 = 0x1000;
    Ok(END)
}

/// `void *mremap(void *old, size_t old_len, size_t len, int flags)`
fn mremap(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    const MAY_MOVE: i32 = 1;
    let (old, len, how) = (call.word(0), call.word(2), call.int(3));
    let Some(mapping) = call.kernel.mappings.get(&old).copied() else { return Err(Errno::EFAULT.into()) };
    if len == 0 || how & !MAY_MOVE != 0 {
        return Err(Errno::EINVAL.into());
    }
    if len <= mapping.len.next_multiple_of(PAGE) {
        call.kernel.mappings.insert(old, Mapping { len, ..mapping });
        return Ok(old);
    }
    if how & MAY_MOVE == 0 {
        return Err(Errno::ENOMEM.into());
    }
    let content = call.read(old, mapping.len)?;
    let base = map(call, len)?;
    call.write(base, &content)?;
    if let Some((ino, _)) = mapping.shared {
        call.kernel.fs.inode_mut(ino).opens += 1;
    }
    call.kernel.mappings.insert(base, Mapping { len, ..mapping });
    unmap(call, old);
    Ok(base)
}

/// `int msync(void *address, size_t len, int flags)`
fn msync(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (address, len) = (call.word(0), call.word(1));
    let inside = |base: u64, m: &Mapping| base < address.saturating_add(len) && address < base + m.len;
    let all: Vec<(u64, Mapping)> = call.kernel.mappings.iter().map(|(base, m)| (*base, *m)).collect();
    for (base, mapping) in all.into_iter().filter(|(base, m)| inside(*base, m)) {
        write_mapping_back(call, base, mapping);
    }
    Ok(0)
}

/// Lets a file have what was written to shared mappings of it.
pub(super) fn write_back(call: &mut SystemCall<'_, '_, '_>, ino: Ino) {
    let of_file = |m: &Mapping| m.shared.is_some_and(|(file, _)| file == ino);
    let all: Vec<(u64, Mapping)> =
        call.kernel.mappings.iter().filter(|(_, m)| of_file(m)).map(|(base, m)| (*base, *m)).collect();
    for (base, mapping) in all {
        write_mapping_back(call, base, mapping);
    }
}

fn write_mapping_back(call: &mut SystemCall<'_, '_, '_>, base: u64, mapping: Mapping) {
    let Some((ino, offset)) = mapping.shared else { return };
    let InodeKind::Regular(content) = &call.kernel.fs.inode(ino).kind else { return };
    // A mapping does not make its file longer.
    let len = mapping.len.min(content.size().saturating_sub(offset));
    let Ok(data) = call.read(base, len) else { return };
    if let InodeKind::Regular(content) = &mut call.kernel.fs.inode_mut(ino).kind {
        content.write(offset, &data);
    }
}

/// `int mincore(void *address, size_t len, unsigned char *to)`: what is mapped is in memory.
fn mincore(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (address, len, to) = (call.word(0), call.word(1), call.word(2));
    if !address.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    let pages = len.div_ceil(PAGE);
    if pages > 1 << 20 {
        return Err(Errno::ENOMEM.into());
    }
    for page in 0..pages {
        // Whatever lies in the page: objects are not as large as pages here.
        let first = address.wrapping_add(page * PAGE);
        let there = (0..PAGE).step_by(16).any(|at| {
            let object = call.cx.state.memory.object(first.wrapping_add(at));
            object.is_some_and(|o| o.status == Status::Live)
        });
        if !there {
            return Err(Errno::ENOMEM.into());
        }
    }
    call.write_bytes(to, &vec![1; pages as usize])?;
    Ok(0)
}
