//! Why an exploration could not start or had to be given up.

use std::fmt;

use taw_engine::EngineError;
use taw_solver::SolverError;

/// Why an exploration could not start or had to be given up.
#[derive(Debug)]
pub enum ExploreError {
    /// The program must be mended.
    Engine(EngineError),
    /// The solver's settings must be mended.
    Solver(SolverError),
    /// There is no such strategy.
    Search(taw_search::StrategyError),
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExploreError::Engine(e) => e.fmt(f),
            ExploreError::Solver(e) => e.fmt(f),
            ExploreError::Search(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for ExploreError {}
