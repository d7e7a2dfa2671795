//! What a process has besides files: limits, locks, mappings, signals, timers.

use super::inode::Ino;

/// `RLIMIT_NOFILE`.
pub const NOFILE: usize = 7;
/// `RLIMIT_FSIZE`.
pub const FSIZE: usize = 1;
/// No limit.
pub const INFINITY: u64 = u64::MAX;

/// The limits at the start, soft and hard, in the order of `RLIMIT_…`.
pub const LIMITS: [(u64, u64); 16] = [
    (INFINITY, INFINITY),
    (INFINITY, INFINITY),
    (INFINITY, INFINITY),
    (8 << 20, INFINITY),
    (0, INFINITY),
    (INFINITY, INFINITY),
    (4096, 4096),
    (1024, 4096),
    (8 << 20, 8 << 20),
    (INFINITY, INFINITY),
    (INFINITY, INFINITY),
    (4096, 4096),
    (819_200, 819_200),
    (0, 0),
    (0, 0),
    (INFINITY, INFINITY),
];

/// A lock on a file. One process never waits for itself, so only who holds what matters.
#[derive(Clone, Copy, Debug)]
pub struct Lock {
    /// The file.
    pub ino: Ino,
    /// The open file description, for `flock`; none for record locks, which are the process's.
    pub owner: Option<u64>,
    /// Whether others may read meanwhile.
    pub shared: bool,
}

/// A piece of memory that the program mapped.
#[derive(Clone, Copy, Debug)]
pub struct Mapping {
    /// Bytes of its object.
    pub len: u64,
    /// The file that writes go back to, and where in it.
    pub shared: Option<(Ino, u64)>,
}

/// What the program does about a signal: the words of `struct sigaction` that matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Action {
    /// Handler; 0 is the default, 1 is to ignore it.
    pub handler: u64,
    /// `SA_…`.
    pub flags: u64,
    /// The C library's way back.
    pub restorer: u64,
    /// Signals blocked while the handler runs.
    pub mask: u64,
}

/// A handler that runs, or ran when the process last entered the kernel.
#[derive(Clone, Copy, Debug)]
pub struct Handling {
    /// The call of the handler.
    pub serial: u64,
    /// Signals blocked before.
    pub mask: u64,
    /// Whether it says when it is over; else it is when its call is.
    pub returns: bool,
    /// Whether it runs on the stack that the program gave for handlers.
    pub on_stack: bool,
}

/// Signals of the process.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    /// By number.
    pub actions: imbl::OrdMap<u32, Action>,
    /// Blocked ones, bit `n - 1` for signal `n`.
    pub blocked: u64,
    /// Those that were sent and not delivered.
    pub pending: u64,
    /// Handlers that run, outermost first.
    pub handling: imbl::Vector<Handling>,
    /// When the alarm rings, and how often after that; nanoseconds.
    pub alarm: Option<(i64, i64)>,
    /// The mask to have back when the wait is over that a mask was given for.
    pub restore: Option<u64>,
    /// The stack for handlers that the program asked for: address, flags, size.
    pub stack: (u64, u32, u64),
}
