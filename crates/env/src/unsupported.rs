//! Functions that Taw knows and cannot execute: a path that calls one ends as *unsupported*, named, and the others go on.

use taw_engine::{Argument, Cx, ModelDef, Stop, Value};

macro_rules! unsupported {
    ($($what:literal: $($name:literal)*;)*) => {
        &[$($(ModelDef::new($name, "a .", |_: &mut Cx<'_, '_>, _: &[Argument]| -> Result<Value, Stop> {
            Err(Stop::Unsupported(concat!($what, " (`", $name, "`)").to_owned()))
        }),)*)*]
    };
}

/// Rows of this file.
pub(super) const MODELS: &[ModelDef] = unsupported! {
    "threads": "pthread_create" "thrd_create" "clone";
    "processes": "fork" "vfork" "execv" "execve" "execvp" "execl" "execlp" "posix_spawn" "system" "popen" "wait" "waitpid";
    "signals": "signal" "sigaction" "raise" "kill" "alarm";
    "sockets": "socket" "connect" "accept";
    "the floating-point environment": "fetestexcept" "fegetexceptflag" "fesetexceptflag" "feenableexcept" "fedisableexcept"
        "fegetexcept" "taw_other_rounding";
    "structures that differ between headers on 32 bits": "stat" "lstat" "fstat" "fstatat" "__xstat" "__lxstat" "__fxstat" "statvfs"
        "fstatvfs" "readdir" "readdir_r" "scandir" "ftw" "nftw" "glob" "getrlimit" "setrlimit" "fgetpos" "fsetpos" "utime" "utimes"
        "getitimer" "setitimer" "fcntl_with_a_lock" "syscall";
};
