//! Functions of the C library that are code, and what they do to the flow of control beyond what that shows: they keep the functions that
//! they are handed in memory, where the call graph does not look, and somebody else runs them.

use taw_ir::Effect::{self, Jumps, KeepsForExit, KeepsForSignals};

/// Rows by name.
pub(super) const EFFECTS: &[(&str, Effect)] = &[
    ("on_exit", KeepsForExit),
    ("at_quick_exit", KeepsForExit),
    ("__cxa_at_quick_exit", KeepsForExit),
    ("signal", KeepsForSignals),
    ("sigaction", KeepsForSignals),
    ("__sigaction", KeepsForSignals),
    ("rt_sigaction", KeepsForSignals),
    ("bsd_signal", KeepsForSignals),
    ("sysv_signal", KeepsForSignals),
    ("__sysv_signal", KeepsForSignals),
    ("sigset", KeepsForSignals),
    // They end in `taw_longjmp`, after having restored what is blocked.
    ("longjmp", Jumps),
    ("_longjmp", Jumps),
    ("siglongjmp", Jumps),
    ("__longjmp_chk", Jumps),
];
