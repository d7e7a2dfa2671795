//! `pipe` and `pipe2`.

use super::SyscallDef;
use super::call::{SyscallResult, SystemCall};
use crate::kernel::errno::Errno;
use crate::kernel::fd::flags;
use crate::kernel::inode::{Inode, InodeKind};
use crate::kernel::pipe::Pipe;

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(22, |call| pipe(call, 0)).failing(&[Errno::EMFILE]),
    SyscallDef::new(293, pipe2).failing(&[Errno::EMFILE]),
];

fn pipe2(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let how = call.uint(1);
    if how & !(flags::CLOEXEC | flags::NONBLOCK | flags::DIRECT) != 0 {
        return Err(Errno::EINVAL.into());
    }
    pipe(call, how)
}

fn pipe(call: &mut SystemCall<'_, '_, '_>, how: u32) -> SyscallResult {
    let to = call.word(0);
    call.check_write(to, 8)?;
    let inode = Inode::new(InodeKind::Pipe(Pipe::default()), 0o600, &call.kernel.who, call.kernel.clock);
    let before = call.kernel.clone();
    let ino = call.kernel.fs.add(inode);
    let ends =
        call.kernel.install(ino, how).and_then(|read| Ok((read, call.kernel.install(ino, how | flags::WRONLY)?)));
    match ends {
        Ok((read, write)) => {
            // It has no name: it goes with its last descriptor.
            call.kernel.fs.inode_mut(ino).links = 0;
            call.write_bytes(to, &[read.to_le_bytes(), write.to_le_bytes()].concat())?;
            Ok(0)
        }
        Err(errno) => {
            call.kernel = before;
            Err(errno.into())
        }
    }
}
