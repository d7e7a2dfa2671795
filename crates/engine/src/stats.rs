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
    /// Instructions executed in invariants of stages that are used, and in what these call.
    pub in_invariants: u64,
    /// Queries asked there.
    pub queries_in_invariants: u64,
    /// Calls of such invariants that their stages answered.
    pub answered_by_stages: u64,
}
