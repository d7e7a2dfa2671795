//! Functions that Taw knows and cannot execute: a path that calls one ends as *unsupported*, named, and the others go on. What such a
//! function would do to the flow of control still counts, for what could be reached behind it.

use taw_engine::{Cx, ModelArgument, ModelDef, Stop, Value};
use taw_ir::Effect;

macro_rules! unsupported {
    ($($what:literal $effect:ident: $($name:literal)*;)*) => {
        &[$($(ModelDef::new($name, "a .", |_: &mut Cx<'_, '_>, _: &[ModelArgument]| -> Result<Value, Stop> {
            Err(Stop::Unsupported(concat!($what, " (`", $name, "`)").to_owned()))
        }).with(Effect::$effect),)*)*]
    };
}

/// Rows of this file.
pub(super) const MODELS: &[ModelDef] = unsupported! {
    "threads" CallsBack: "pthread_create" "thrd_create" "clone";
    "processes" Returns: "fork" "vfork" "execv" "execve" "execvp" "execl" "execlp" "posix_spawn" "system" "popen" "wait" "waitpid";
    "signals" KeepsForSignals: "signal" "sigaction";
    "signals" Returns: "raise" "kill" "alarm";
    "sockets" Returns: "socket" "connect" "accept";
    "the floating-point environment" Returns: "fetestexcept" "fegetexceptflag" "fesetexceptflag" "feenableexcept" "fedisableexcept"
        "fegetexcept" "taw_other_rounding";
    "structures that differ between headers on 32 bits" Returns: "stat" "lstat" "fstat" "fstatat" "__xstat" "__lxstat" "__fxstat" "statvfs"
        "fstatvfs" "readdir" "readdir_r" "getrlimit" "setrlimit" "fgetpos" "fsetpos" "utime" "utimes"
        "getitimer" "setitimer" "fcntl_with_a_lock" "syscall";
    "structures that differ between headers on 32 bits" CallsBack: "scandir" "ftw" "nftw" "glob";
};
