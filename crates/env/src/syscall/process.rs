//! The process and the machine: who it is, what it may use, how it ends, what cannot be started.

use std::rc::Rc;

use taw_engine::Stop;

use super::SyscallDef;
use super::call::{Fail, SyscallResult, SystemCall};
use crate::kernel::Kernel;
use crate::kernel::errno::Errno;

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(60, exit),
    SyscallDef::new(231, exit),
    SyscallDef::new(39, |_| Ok(PID)),
    SyscallDef::new(186, |_| Ok(PID)),
    SyscallDef::new(110, |_| Ok(PARENT)),
    SyscallDef::new(111, |_| Ok(PID)),
    SyscallDef::new(121, of_self),
    SyscallDef::new(124, of_self),
    SyscallDef::new(109, |_| Ok(0)),
    SyscallDef::new(112, |_| Err(Errno::EPERM.into())),
    SyscallDef::new(102, |call| Ok(u64::from(call.kernel.who.uid))),
    SyscallDef::new(107, |call| Ok(u64::from(call.kernel.who.uid))),
    SyscallDef::new(104, |call| Ok(u64::from(call.kernel.who.gid))),
    SyscallDef::new(108, |call| Ok(u64::from(call.kernel.who.gid))),
    SyscallDef::new(105, |call| become_same(call, 1, Who::User)),
    SyscallDef::new(106, |call| become_same(call, 1, Who::Group)),
    SyscallDef::new(113, |call| become_same(call, 2, Who::User)),
    SyscallDef::new(114, |call| become_same(call, 2, Who::Group)),
    SyscallDef::new(117, |call| become_same(call, 3, Who::User)),
    SyscallDef::new(119, |call| become_same(call, 3, Who::Group)),
    SyscallDef::new(118, |call| three(call, Who::User)),
    SyscallDef::new(120, |call| three(call, Who::Group)),
    SyscallDef::new(115, getgroups),
    SyscallDef::new(116, |_| Err(Errno::EPERM.into())),
    SyscallDef::new(63, uname),
    SyscallDef::new(318, getrandom).failing(&[Errno::EINTR]),
    SyscallDef::new(97, getrlimit),
    SyscallDef::new(160, setrlimit),
    SyscallDef::new(302, prlimit),
    SyscallDef::new(99, sysinfo),
    SyscallDef::new(24, |_| Ok(0)),
    SyscallDef::new(204, affinity),
    SyscallDef::new(135, personality),
    SyscallDef::new(140, getpriority),
    SyscallDef::new(141, setpriority),
    SyscallDef::new(218, |_| Ok(PID)),
    SyscallDef::new(273, |_| Ok(0)),
    SyscallDef::new(202, futex),
    SyscallDef::new(158, |_| Ok(0)),
    SyscallDef::new(157, prctl),
    SyscallDef::new(56, |_| unsupported("clone: threads and processes are not modelled")),
    SyscallDef::new(57, |_| unsupported("fork: processes are not modelled")),
    SyscallDef::new(58, |_| unsupported("vfork: processes are not modelled")),
    SyscallDef::new(435, |_| unsupported("clone3: threads and processes are not modelled")),
    SyscallDef::new(59, |_| unsupported("execve: other programs are not modelled")),
    SyscallDef::new(322, |_| unsupported("execveat: other programs are not modelled")),
    SyscallDef::new(163, not_root),
    SyscallDef::new(164, not_root),
    SyscallDef::new(165, not_root),
    SyscallDef::new(166, not_root),
    SyscallDef::new(169, not_root),
    SyscallDef::new(170, not_root),
    SyscallDef::new(171, not_root),
    SyscallDef::new(61, |_| Err(Errno::ECHILD.into())),
    SyscallDef::new(247, |_| Err(Errno::ECHILD.into())),
    SyscallDef::new(253, |_| Err(Errno::ENOSYS.into())),
    SyscallDef::new(254, |_| Err(Errno::ENOSYS.into())),
    SyscallDef::new(255, |_| Err(Errno::ENOSYS.into())),
    SyscallDef::new(294, |_| Err(Errno::ENOSYS.into())),
    SyscallDef::new(334, |_| Err(Errno::ENOSYS.into())),
    SyscallDef::new(425, |_| Err(Errno::ENOSYS.into())),
];

/// The number of the process, and of its one thread.
pub(super) const PID: u64 = 1000;
const PARENT: u64 = 999;

fn unsupported(what: &str) -> SyscallResult {
    Err(Stop::Unsupported(what.to_owned()).into())
}

/// What only root may do: set the clock, mount, restart, name the machine.
fn not_root(_: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    Err(Errno::EPERM.into())
}

/// `void exit_group(int code)`
fn exit(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let code = call.args.first().map_or(0, |arg| call.cx.exit_code(arg.value));
    Err(Stop::Exit(code & 0xff).into())
}

fn of_self(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    match call.int(0) {
        0 => Ok(PID),
        pid if pid as u64 == PID => Ok(PID),
        _ => Err(Errno::ESRCH.into()),
    }
}

#[derive(Clone, Copy)]
enum Who {
    User,
    Group,
}

/// Only what the process is already can it become.
fn become_same(call: &mut SystemCall<'_, '_, '_>, count: usize, who: Who) -> SyscallResult {
    let own = match who {
        Who::User => call.kernel.who.uid,
        Who::Group => call.kernel.who.gid,
    };
    for i in 0..count {
        let id = call.uint(i);
        if id != own && (count == 1 || id != u32::MAX) {
            return Err(Errno::EPERM.into());
        }
    }
    Ok(0)
}

fn three(call: &mut SystemCall<'_, '_, '_>, who: Who) -> SyscallResult {
    let id = match who {
        Who::User => call.kernel.who.uid,
        Who::Group => call.kernel.who.gid,
    };
    let to = [call.word(0), call.word(1), call.word(2)];
    for address in to {
        call.check_write(address, 4)?;
    }
    for address in to {
        call.write_bytes(address, &id.to_le_bytes())?;
    }
    Ok(0)
}

/// `int getgroups(int size, gid_t to[])`
fn getgroups(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (size, to, gid) = (call.int(0), call.word(1), call.kernel.who.gid);
    match size {
        ..0 => Err(Errno::EINVAL.into()),
        0 => Ok(1),
        _ => {
            call.write_bytes(to, &gid.to_le_bytes())?;
            Ok(1)
        }
    }
}

/// `int uname(struct utsname *to)`
fn uname(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let to = call.word(0);
    let mut bytes = Vec::new();
    for text in ["Linux", "taw", "6.1.0", "#1 SMP", "x86_64", "(none)"] {
        let mut field = text.as_bytes().to_vec();
        field.resize(65, 0);
        bytes.extend(field);
    }
    call.write_bytes(to, &bytes)?;
    Ok(0)
}

/// Bytes that look random (xorshift64*), the same in every run.
pub(super) fn random_bytes(kernel: &mut Kernel, len: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(len as usize + 8);
    while (bytes.len() as u64) < len {
        kernel.random ^= kernel.random >> 12;
        kernel.random ^= kernel.random << 25;
        kernel.random ^= kernel.random >> 27;
        bytes.extend(kernel.random.wrapping_mul(0x2545_f491_4f6c_dd1d).to_le_bytes());
    }
    bytes.truncate(len as usize);
    bytes
}

/// `ssize_t getrandom(void *to, size_t len, unsigned flags)`
fn getrandom(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (to, len, how) = (call.word(0), call.word(1).min(1 << 25), call.uint(2));
    if how & !7 != 0 {
        return Err(Errno::EINVAL.into());
    }
    call.check_write(to, len)?;
    let bytes = random_bytes(&mut call.kernel, len);
    call.write_bytes(to, &bytes)?;
    Ok(len)
}

fn limit_number(call: &mut SystemCall<'_, '_, '_>, i: usize) -> Result<usize, Errno> {
    let number = call.uint(i) as usize;
    if number < call.kernel.limits.len() { Ok(number) } else { Err(Errno::EINVAL) }
}

fn write_limit(call: &mut SystemCall<'_, '_, '_>, number: usize, to: u64) -> SyscallResult {
    let (soft, hard) = call.kernel.limits[number];
    call.write_bytes(to, &[soft.to_le_bytes(), hard.to_le_bytes()].concat())?;
    Ok(0)
}

fn new_limit(call: &mut SystemCall<'_, '_, '_>, number: usize, from: u64) -> Result<(u64, u64), super::call::Fail> {
    let (soft, hard) = (call.load(from, 8)?, call.load(from + 8, 8)?);
    if soft > hard {
        return Err(Errno::EINVAL.into());
    }
    if hard > call.kernel.limits[number].1 && call.kernel.who.uid != 0 {
        return Err(Errno::EPERM.into());
    }
    Ok((soft, hard))
}

fn getrlimit(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let number = limit_number(call, 0)?;
    let to = call.word(1);
    write_limit(call, number, to)
}

fn setrlimit(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let number = limit_number(call, 0)?;
    let from = call.word(1);
    let new = new_limit(call, number, from)?;
    Rc::make_mut(&mut call.kernel.limits)[number] = new;
    Ok(0)
}

/// `int prlimit64(pid_t pid, int resource, const struct rlimit *new, struct rlimit *old)`
fn prlimit(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    of_self(call)?;
    let number = limit_number(call, 1)?;
    let (from, to) = (call.word(2), call.word(3));
    let new = if from == 0 { None } else { Some(new_limit(call, number, from)?) };
    if to != 0 {
        write_limit(call, number, to)?;
    }
    if let Some(new) = new {
        Rc::make_mut(&mut call.kernel.limits)[number] = new;
    }
    Ok(0)
}

/// The process that a priority is of must be this one, its group or its user.
fn whose(call: &mut SystemCall<'_, '_, '_>) -> Result<(), Fail> {
    let (which, who) = (call.int(0), call.int(1));
    match which {
        0..=2 if who == 0 || who as u64 == PID || (which == 2 && who as u32 == call.kernel.who.uid) => Ok(()),
        0..=2 => Err(Errno::ESRCH.into()),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// `int getpriority(int which, int who)`: the greater, the sooner, and never negative.
fn getpriority(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    whose(call)?;
    Ok((20 - call.kernel.niceness) as u64)
}

/// `int setpriority(int which, int who, int niceness)`: nobody may become less nice than he was.
fn setpriority(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    whose(call)?;
    let wanted = call.int(2).clamp(-20, 19);
    if wanted < call.kernel.niceness {
        return Err(Errno::EACCES.into());
    }
    call.kernel.niceness = wanted;
    Ok(0)
}

/// `int personality(unsigned long persona)`: what it was; all ones only ask.
fn personality(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let wanted = u64::from(call.uint(0));
    let was = call.kernel.personality;
    if wanted != 0xffff_ffff {
        call.kernel.personality = wanted;
    }
    Ok(was)
}

/// `int sysinfo(struct sysinfo *to)`: one GiB, half of it free.
fn sysinfo(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let to = call.word(0);
    let words: [u64; 14] = [100, 0, 0, 0, 1 << 30, 1 << 29, 0, 0, 0, 0, 1, 0, 0, 1];
    let bytes = call.words_as_bytes(&words);
    call.write_bytes(to, &bytes)?;
    Ok(0)
}

/// `int sched_getaffinity(pid_t pid, size_t len, unsigned long *to)`: one processor.
fn affinity(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (len, to) = (call.word(1), call.word(2));
    if len < 8 || !len.is_multiple_of(8) {
        return Err(Errno::EINVAL.into());
    }
    call.write_bytes(to, &1u64.to_le_bytes())?;
    Ok(8)
}

/// `int futex(int *word, int operation, int value, …)`: there is one thread, so nobody wakes and nobody waits for long.
fn futex(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (word, operation, value) = (call.word(0), call.int(1) & 0x7f, call.uint(2));
    match operation {
        0 | 9 => {
            if call.load(word, 4)? as u32 != value {
                return Err(Errno::EAGAIN.into());
            }
            let limit = call.word(3);
            match super::time::timeout(call, limit)? {
                Some(_) => Err(Errno::ETIMEDOUT.into()),
                None => Err(call.wait("it waits on a futex")),
            }
        }
        1 | 3 | 4 | 5 | 10 => Ok(0),
        _ => Err(Errno::ENOSYS.into()),
    }
}

/// `int prctl(int option, …)`: names are taken and forgotten.
fn prctl(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    match call.int(0) {
        15 => Ok(0),
        38 => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}
