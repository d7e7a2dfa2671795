//! Counters of a run.

/// What the engine counted. Times are in `explore` and `solver`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Instructions executed.
    pub instructions: u64,
    /// States split off.
    pub forks: u64,
    /// How often terms were collected.
    pub collections: u64,
}
