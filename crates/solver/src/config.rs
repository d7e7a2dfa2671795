//! What a user may choose: limits, stages, self-check.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::Ingredient;
use crate::stages::STAGES;

/// Everything that changes how a [`crate::Solver`] works.
#[derive(Clone, Debug)]
pub struct SolverConfig {
    /// SAT conflicts that a query may cost before it is handed to Z3. Default 20,000.
    pub conflicts: u32,
    /// Z3's resource limit per query, in its own deterministic unit. Default 20 million (some seconds).
    pub z3_work: u32,
    /// Z3's resource limit for a query with floats, which cost it more. Halved after each query that it did not answer, down to a
    /// thirty-second, and a sixteenth at most where conditions were left out. Default 1 million (about half a second).
    pub z3_float_work: u32,
    /// Wall-clock limit per query; only stops, never decides. Default 30 s.
    pub query_time: Option<Duration>,
    /// Limit on the back ends' time of the whole run. Default none.
    pub run_time: Option<Duration>,
    /// When the run ends: no query goes on beyond it. Default: never.
    pub deadline: Option<Instant>,
    /// Which stages are in the chain. Default all.
    pub stages: StageChoice,
    /// Whether every answer is checked against the oracle. Default off.
    pub validate: Validate,
    /// The source of chance of the heuristic search. Default 0.
    pub seed: u64,
    /// Operations that the heuristic search may spend on a query with floats or opaque functions before the back ends are
    /// asked. Default 200,000.
    pub walk_first: u64,
    /// Operations that it may spend on a query that they did not answer; halved after each in vain, down to an eighth.
    /// Default 20 million.
    pub walk_last: u64,
    /// What the heuristic search does without, to measure what it is worth. Default nothing.
    pub walk_without: Vec<Ingredient>,
    /// A folder into which every query is written as SMT-LIB. Default none.
    pub dump: Option<PathBuf>,
}

impl SolverConfig {
    /// How long a query that starts now may take.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let until_end = self.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        match (self.query_time, until_end) {
            (Some(query), Some(end)) => Some(query.min(end)),
            (query, end) => query.or(end),
        }
    }
}

impl Default for SolverConfig {
    fn default() -> Self {
        Self {
            conflicts: 20_000,
            z3_work: 20_000_000,
            z3_float_work: 1_000_000,
            query_time: Some(Duration::from_secs(30)),
            run_time: None,
            deadline: None,
            stages: StageChoice::All,
            validate: Validate::Off,
            seed: 0,
            walk_first: 200_000,
            walk_last: 20_000_000,
            walk_without: Vec::new(),
            dump: None,
        }
    }
}

/// The stages of a chain. Their order is always that of [`STAGES`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StageChoice {
    /// Every stage.
    All,
    /// These only, by name.
    Only(Vec<String>),
    /// All but these, by name.
    Without(Vec<String>),
}

impl StageChoice {
    /// Whether the stage of this name is chosen.
    pub fn contains(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.iter().any(|n| n == name),
            Self::Without(names) => names.iter().all(|n| n != name),
        }
    }

    /// The names in it that no stage has.
    pub(crate) fn unknown_name(&self) -> Option<&str> {
        let (Self::Only(names) | Self::Without(names)) = self else { return None };
        names.iter().find(|n| STAGES.iter().all(|s| s.name != n.as_str())).map(String::as_str)
    }
}

/// The self-check: is every model evaluated against its query, and every answer compared with the oracle's?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Validate {
    /// Answers are taken as they are.
    Off,
    /// Yes; a contradiction is a defect of Taw and panics with the stage and the query.
    On,
}

/// Why a [`crate::Solver`] cannot be had.
#[derive(Debug)]
pub enum SolverError {
    /// No stage has this name.
    UnknownStage(String),
    /// The folder for queries cannot be made.
    Dump(PathBuf, std::io::Error),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownStage(name) => {
                write!(f, "there is no solver stage `{name}`; there are:")?;
                STAGES.iter().try_for_each(|s| write!(f, " {}", s.name))
            }
            Self::Dump(path, error) => write!(f, "cannot make the folder {} for queries: {error}", path.display()),
        }
    }
}

impl std::error::Error for SolverError {}
