//! The explorers: what to run next, and when to stop.
//!
//! Boundary: an [`Explorer`] decides what to run next; an [`Exploration`] owns the engine and the states, and does it. Neither
//! interprets an instruction itself.

mod backward;
mod closest;
mod concolic;
mod crowds;
mod curve;
mod error;
mod exploration;
mod explorer;
mod forward;
mod goal_distances;
mod hunt;
mod ledger;
mod limits;
mod needs;
mod store;
mod summary;
mod trial;
mod view;
mod warm;

use std::time::Duration;

use taw_engine::{
    CallersUnknown, Config, Coverage, Goal, Judgement, Models, Premise, Reason, StackEntry, Stats, TraceEvent,
};
use taw_ir::FuncId;
use taw_solver::SolverConfig;

pub use backward::{BackwardCounts, Barrier};
pub use closest::Closest;
pub use concolic::{ConcolicCounts, ConcolicEvent};
pub use curve::Point;
pub use error::ExploreError;
pub use exploration::{Exploration, explore};
pub use explorer::{Explorer, Work};
pub use forward::Forward;
pub use goal_distances::{GoalDistances, Steps};
pub use hunt::{ErrorBefore, GoalOutcome, GoalVerdict, Proof};
pub use view::View;

/// Limits of a run; `None` means none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Wall time.
    pub time: Option<Duration>,
    /// Paths that ended.
    pub paths: Option<u64>,
    /// Forks on one path.
    pub depth: Option<u32>,
    /// States at one time.
    pub states: Option<usize>,
    /// Instructions executed, of all paths.
    pub instructions: Option<u64>,
    /// Instructions executed on one path.
    pub path_instructions: Option<u64>,
    /// Resident memory in bytes: states are given up so as to stay below it, and if that is not enough the run stops.
    pub memory: Option<u64>,
    /// Collect terms whenever so many were made, for tests; none: when it pays.
    pub collect_after: Option<usize>,
}

/// What to explore and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Names of the functions to start at: each is where paths begin.
    pub entries: Vec<String>,
    /// Functions that should be started too and cannot be: what they lead to is not known.
    pub left_out: Vec<taw_ir::FuncId>,
    /// Name of the strategy.
    pub search: String,
    /// The only source of randomness.
    pub seed: u64,
    /// When to stop.
    pub limits: Limits,
    /// The engine's settings.
    pub engine: Config,
    /// The solver's settings.
    pub solver: SolverConfig,
    /// Places to reach; if there are any, the run is over when all are decided, and paths that lead to none are dropped.
    pub goals: Vec<Goal>,
    /// Library functions.
    pub models: Models,
}

/// Paths by how they ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PathCounts {
    /// Returned from the entry or called `exit`.
    pub completed: u64,
    /// Ended in an error (including those that split off a path which went on).
    pub errored: u64,
    /// Not ended when the run stopped, or cut off by a limit.
    pub pending: u64,
    /// Stopped because of an unanswered query or an unsupported construct.
    pub unknown: u64,
    /// Ended by the program without wanting a test.
    pub silent: u64,
}

/// A look at a running exploration, a few times a second.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Paths so far.
    pub paths: PathCounts,
    /// States now.
    pub states: usize,
    /// Counters so far.
    pub stats: Stats,
    /// Queries so far.
    pub queries: u64,
    /// Instructions covered and in total, of the user's code.
    pub covered: (usize, usize),
    /// Goals reached and in total.
    pub reached: (usize, usize),
    /// Terms that there are.
    pub terms: usize,
    /// Resident memory of the process in bytes; 0 if the system does not say.
    pub resident: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// The end of an exploration.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Paths by how they ended.
    pub paths: PathCounts,
    /// Why the run was not exhaustive, each reason once; empty means it was.
    pub incomplete: Vec<Reason>,
    /// What was taken for granted: all that is concluded holds where this does.
    pub premises: Vec<Premise>,
    /// Structures of which the entry, an invariant, holds, if the plan wanted them.
    pub structures: Vec<taw_engine::Structure>,
    /// What was covered.
    pub coverage: Coverage,
    /// What the engine did, counted.
    pub stats: Stats,
    /// Queries asked.
    pub queries: u64,
    /// Time spent in the solver.
    pub solver_time: Duration,
    /// Wall time.
    pub wall_time: Duration,
    /// Most states at one time.
    pub peak_states: usize,
    /// States given up for want of memory.
    pub shed: u64,
    /// Inputs that the seeds have under another name: as the program calls them, and as the seeds do.
    pub seeded_in_order: Vec<(String, String)>,
    /// Entries of which the whole program does not tell what they are called with.
    pub callers_unknown: Vec<(FuncId, CallersUnknown)>,
    /// Where the user's code assumed something.
    pub assumptions: Vec<StackEntry>,
    /// What the errors rest on of paths that started in the middle.
    pub judgements: Vec<Judgement>,
    /// What is known of each goal.
    pub goals: Vec<GoalOutcome>,
    /// States dropped because they lead to no open goal.
    pub dropped: u64,
    /// What was done backward from the goals; none if that was not asked for.
    pub backward: Option<BackwardCounts>,
    /// What concolic testing did; none if that was not asked for.
    pub concolic: Option<ConcolicCounts>,
    /// Its runs and questions, in their order, if the plan wanted a trace.
    pub concolic_trace: Vec<ConcolicEvent>,
    /// What was covered and reached, over time.
    pub curve: Vec<Point>,
    /// What was executed, if the plan wanted a trace.
    pub trace: Vec<TraceEvent>,
    /// Per solver stage: name, asked, answered, time.
    pub stages: Vec<(String, u64, u64, Duration)>,
    /// Conditions that the solver's heuristic search evaluated.
    pub evaluations: u64,
    /// Those in searches that found a model.
    pub useful_evaluations: u64,
}
