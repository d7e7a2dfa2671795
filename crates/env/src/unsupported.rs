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
};
