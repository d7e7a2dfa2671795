//! What the solver did, in numbers.

use std::time::Duration;

/// Counts of a solver's life.
#[derive(Clone, Default, Debug)]
pub struct SolverStats {
    /// Queries asked from outside.
    pub queries: u64,
    /// How many of them were satisfiable.
    pub sat: u64,
    /// How many of them were not.
    pub unsat: u64,
    /// How many of them had no answer.
    pub unknown: u64,
    /// Time spent in all, self-check and dumping included.
    pub time: Duration,
    /// Why writing queries to a folder stopped, if it did.
    pub dump_error: Option<String>,
    /// Per stage of the chain, outermost first.
    pub stages: Vec<StageStats>,
}

impl SolverStats {
    /// Time spent in back ends, translation included.
    pub fn backend_time(&self) -> Duration {
        self.stages.iter().filter(|s| s.is_backend).map(|s| s.time).sum()
    }

    /// Queries that reached a back end.
    pub fn backend_queries(&self) -> u64 {
        self.stages.iter().filter(|s| s.is_backend).map(|s| s.asked).max().unwrap_or(0)
    }
}

/// Counts of one stage.
#[derive(Clone, Default, Debug)]
pub struct StageStats {
    /// Its name.
    pub name: &'static str,
    /// Whether it is a back end.
    pub is_backend: bool,
    /// Queries it was asked.
    pub asked: u64,
    /// Queries it answered itself, without asking the rest of the chain.
    pub answered: u64,
    /// Time in this stage, without the stages after it. Only back ends are timed: reading the clock would cost the others more than they do.
    pub time: Duration,
    /// Conditions it evaluated while it searched. Only the heuristic search counts them.
    pub evaluations: u64,
    /// Those in searches that found a model.
    pub useful_evaluations: u64,
}
