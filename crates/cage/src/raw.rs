//! The calls that no safe interface has: copying a process, leaving a copy, the version of Landlock.
#![allow(unsafe_code, reason = "copying a process cannot be expressed safely; who calls it has one thread")]

use std::io;

use rustix::process::Pid;
use rustix::thread::{UnshareFlags, unshare_unsafe};

/// Which of two processes goes on.
pub(crate) enum Forked {
    /// The one that asked, with the number of the other.
    Parent(Pid),
    /// The copy.
    Child,
}

/// Copies this process, into new namespaces if `flags` say so (`CLONE_NEW*`).
///
/// The caller must have one thread only: locks that other threads hold would stay locked for ever in the copy.
pub(crate) fn fork_into(flags: i32) -> io::Result<Forked> {
    // SAFETY: without CLONE_VM and without a stack this is fork(2) with namespaces: the copy has its own memory. The keeper has one
    // thread, so no lock is held by anybody else.
    let pid = unsafe { libc::syscall(libc::SYS_clone, libc::c_long::from(flags | libc::SIGCHLD), 0, 0, 0, 0) };
    forked(pid)
}

/// Copies this process; the same holds.
pub(crate) fn fork() -> io::Result<Forked> {
    // SAFETY: as above.
    forked(libc::c_long::from(unsafe { libc::fork() }))
}

fn forked(pid: libc::c_long) -> io::Result<Forked> {
    match i32::try_from(pid) {
        Ok(0) => Ok(Forked::Child),
        Ok(pid) if pid > 0 => Pid::from_raw(pid).map(Forked::Parent).ok_or_else(io::Error::last_os_error),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Enters new namespaces of users, mounts and network.
pub(crate) fn enter_namespaces() -> io::Result<()> {
    // SAFETY: no descriptors are unshared, so none of this program's become invalid.
    Ok(unsafe { unshare_unsafe(UnshareFlags::NEWUSER | UnshareFlags::NEWNS | UnshareFlags::NEWNET) }?)
}

/// The version of Landlock's interface; 0 if the kernel has none.
pub(crate) fn landlock_version() -> u32 {
    const VERSION: libc::c_long = 1;
    // SAFETY: with this flag the call only answers; it reads and writes no memory.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0, 0, VERSION) };
    u32::try_from(version).unwrap_or(0)
}

/// Ends this process without running what is to be run at its end: that is for the process it was copied from.
pub(crate) fn leave(code: i32) -> ! {
    // SAFETY: it does not come back, and touches nothing.
    unsafe { libc::_exit(code) }
}
