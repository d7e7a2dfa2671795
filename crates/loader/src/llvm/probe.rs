//! Tries something in a copy of the process: LLVM's readers crash, hang or eat all memory on some corrupt files.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// How long the copy may take, in seconds: far more than any real module needs.
const PATIENCE: u32 = 60;

/// Whether `action` comes back. It runs in a copy of the process, so nothing it does is seen here but this.
pub fn survives(action: impl FnOnce()) -> bool {
    // SAFETY: the copy calls `action` and ends without returning; the C library keeps its allocator usable after `fork`.
    unsafe {
        match libc::fork() {
            // No copy can be made: then the attempt itself must do.
            -1 => true,
            0 => {
                silence();
                libc::alarm(PATIENCE);
                let came_back = catch_unwind(AssertUnwindSafe(action)).is_ok();
                libc::_exit(if came_back { 0 } else { 1 })
            }
            child => {
                let mut status = 0;
                while libc::waitpid(child, &mut status, 0) == -1 {
                    if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
                        return true;
                    }
                }
                libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
            }
        }
    }
}

/// No last words and no core file. Signal handlers of the original are not the copy's.
///
/// # Safety
/// Only in a process that is about to end.
unsafe fn silence() {
    // SAFETY: plain system calls on constants.
    unsafe {
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
        libc::dup2(nowhere, 2);
        libc::setrlimit(libc::RLIMIT_CORE, &libc::rlimit { rlim_cur: 0, rlim_max: 0 });
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGINT, libc::SIGALRM, libc::SIGTERM] {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_seen_and_survived() {
        assert!(survives(|| ()));
        assert!(!survives(|| std::process::abort()));
        assert!(!survives(|| panic!("expected in this test")));
    }
}
