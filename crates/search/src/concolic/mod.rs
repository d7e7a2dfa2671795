//! Strategies of concolic testing, one file each: which decision of which executed path is turned next.
//!
//! A new strategy is a new file here with a `DEF`, its `mod` line, and its row in [`CONCOLIC`]: help and parser follow.
//! Boundary: they see executed paths as [`WalkId`]s and through [`Walks`]; who solves and runs is the explorer.
//! Papers: Godefroid and others, *DART*, 2005; Burnim and Sen, *Heuristics for Scalable Dynamic Test Generation* (CREST), 2008; Godefroid and others,
//! *Automated Whitebox Fuzz Testing* (SAGE), 2008; Koroglu and Sen (IPPC: a way of solving, see [`Solving`]).

mod cfg;
mod dfs;
mod dfs_crest;
mod generational;
mod hybrid;
mod notation;
mod random_branch;
mod random_input;
mod uniform;

use std::fmt;

pub use notation::{ConcolicScheme, FirstRun, Solving, WAYS_OF_SOLVING};

/// An executed path, as strategies know it. Numbers are never reused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct WalkId(pub u64);

/// One side of a branch, as strategies know it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BranchSide(pub u64);

/// The next run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextRun {
    /// Along a path until one of its decisions, and another way there: if one is left that nobody has asked for, that one.
    Turn {
        /// The path.
        walk: WalkId,
        /// Which of the decisions that may be turned, from 0.
        choice: usize,
    },
    /// On inputs by chance.
    Random,
}

/// What came of what a strategy wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunOutcome {
    /// A path was executed.
    Ran {
        /// It.
        walk: WalkId,
        /// Whether a decision was turned for it; else it is a first run, or one on inputs by chance.
        turned: bool,
        /// Whether it went the way that it should, if it should go one.
        predicted: bool,
        /// The first of its decisions after the one that was turned.
        next: usize,
        /// How many blocks it covered that nobody had covered, or one if it covered anything else that nobody had.
        gain: u64,
    },
    /// No inputs go that way.
    Impossible,
    /// Nobody knows whether any do.
    Unanswered,
}

impl RunOutcome {
    /// Whether a path was executed that no decision was turned for.
    fn is_first(&self) -> bool {
        matches!(self, RunOutcome::Ran { turned: false, .. })
    }
}

/// The executed paths that are kept.
pub trait Walks {
    /// How many of its decisions may be turned.
    fn choices(&self, walk: WalkId) -> usize;
    /// Whether a decision has a way that nobody has asked for.
    fn is_open(&self, walk: WalkId, choice: usize) -> bool;
    /// The sides of a branch: the one that was taken, and the one that would be turned to. Nothing if it is no branch (a check, say).
    fn sides(&self, walk: WalkId, choice: usize) -> Option<(BranchSide, BranchSide)>;
    /// How many branches away the nearest side is that nobody has covered: 0 if it is this one, nothing if none can be reached.
    fn distance(&self, side: BranchSide) -> Option<u64>;
}

/// Chooses what is run next.
pub trait WalkStrategy: fmt::Debug {
    /// The next run; nothing if it wants no more. The first run is made without asking.
    fn next(&mut self, walks: &dyn Walks) -> Option<NextRun>;
    /// What came of the last, and of first runs.
    fn learn(&mut self, outcome: RunOutcome, walks: &dyn Walks);
    /// Whether it may ask for that path again; others are forgotten.
    fn holds(&self, walk: WalkId) -> bool;
    /// Whether it has asked for every way of every decision, if it wants no more.
    fn is_exhaustive(&self) -> bool;
}

/// One row of [`CONCOLIC`].
#[derive(Debug)]
pub struct ConcolicDef {
    /// The name as the notation has it, in any case.
    pub name: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// One line for `taw strategies`.
    pub help: &'static str,
    /// Whether a number may follow in parentheses.
    pub has_number: bool,
    /// Builds the strategy. `seed` is its only source of randomness.
    pub new: fn(number: Option<u64>, seed: u64) -> Box<dyn WalkStrategy>,
}

/// Every strategy, in the order in which `taw strategies` shows them.
pub const CONCOLIC: &[&ConcolicDef] = &[
    &dfs::DEF,
    &dfs_crest::DEF,
    &cfg::DEF,
    &random_branch::DEF,
    &uniform::DEF,
    &random_input::DEF,
    &hybrid::DEF,
    &generational::DEF,
];

#[cfg(test)]
mod tests;
