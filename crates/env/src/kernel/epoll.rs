//! A set of descriptors to be waited for.

/// What is waited for on one descriptor.
#[derive(Clone, Copy, Debug)]
pub struct Interest {
    /// Events, as `epoll.h` numbers them.
    pub events: u32,
    /// What the program wants back.
    pub data: u64,
    /// The open file description: a descriptor that was closed and given anew is another.
    pub file: u64,
    /// What was reported last, events and state of the file, for those who want changes only.
    pub reported: Option<(u32, u64)>,
}

/// The set.
#[derive(Clone, Debug, Default)]
pub struct Epoll {
    /// By descriptor.
    pub interests: imbl::OrdMap<i32, Interest>,
}
