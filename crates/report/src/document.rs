//! The one document that `--json` prints, and that `stats.json` begins with. Field names and order are an interface.

use serde::{Deserialize, Serialize};

use crate::findings::FindingRecord;
use crate::lines::FileCoverage;

/// A run in one document.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Document {
    /// Paths by how they ended.
    pub paths: Paths,
    /// Whether every feasible path was explored to its end.
    pub exhaustive: bool,
    /// Why not, each reason once.
    pub incomplete: Vec<String>,
    /// The kinds of these reasons, for programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incomplete_codes: Vec<String>,
    /// What that rests on because the user said so and nobody checked it; no error is excluded where it does not hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
    /// How many of the findings do not count (`--quiet-preconditions`).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
    /// Why neither an error nor its absence is shown, if that is so: no path was completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
    /// What else the user should know of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Findings in the order in which they were met; those of a start in the middle by what they ask of the caller.
    pub findings: Vec<FindingRecord>,
    /// What came of each function, if each was started on its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<FunctionRecord>,
    /// Coverage of the user's code.
    pub coverage: CoverageTotals,
    /// Counters and times.
    pub stats: Statistics,
    /// The output directory.
    pub out: String,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Paths by how they ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Paths {
    /// Returned or exited.
    pub completed: u64,
    /// Ended in an error.
    pub errored: u64,
    /// Not ended when the run stopped, or cut off by a limit.
    pub pending: u64,
    /// Stopped by an unanswered query or an unsupported construct.
    pub unknown: u64,
}

/// A function that was started on its own, or should have been.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FunctionRecord {
    /// Its name.
    pub function: String,
    /// Why it was not started; all else is zero then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_started: Option<String>,
    /// Its paths by how they ended.
    pub paths: Paths,
    /// Whether every feasible path was explored to its end.
    pub exhaustive: bool,
    /// Why not, each reason once.
    pub incomplete: Vec<String>,
    /// How many errors its paths met.
    pub findings: usize,
    /// Coverage of the function itself.
    pub coverage: CoverageTotals,
}

/// A part of a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Share {
    /// The part.
    pub covered: usize,
    /// The whole.
    pub total: usize,
}

/// How much of the user's code was executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CoverageTotals {
    /// Source lines that have code.
    pub lines: Share,
    /// Sides of conditional branches and switches.
    pub branches: Share,
}

impl CoverageTotals {
    /// Adds up files.
    pub fn of(files: &[FileCoverage]) -> Self {
        let mut totals = CoverageTotals::default();
        for file in files {
            totals.lines.total += file.lines.len();
            totals.lines.covered += file.lines.values().filter(|&&covered| covered).count();
            totals.branches.total += file.branches.len();
            totals.branches.covered += file.branches.iter().filter(|side| side.taken).count();
        }
        totals
    }
}

/// Counters and times of a run.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Instructions executed.
    pub instructions: u64,
    /// States split off.
    pub forks: u64,
    /// Queries to the solver.
    pub queries: u64,
    /// Seconds in the solver.
    pub solver_s: f64,
    /// Seconds in all.
    pub wall_s: f64,
    /// Most states at one time.
    pub peak_states: usize,
    /// States given up for want of memory.
    #[serde(default)]
    pub shed: u64,
    /// Most memory at one time, in MB.
    pub peak_rss_mb: f64,
    /// What concolic testing did, if the search was that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concolic: Option<ConcolicRecord>,
}

/// What concolic testing did, as the IPPC paper counts it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ConcolicRecord {
    /// Paths that were executed; one that was executed before counts again.
    pub runs: u64,
    /// Questions to the solver to turn a decision.
    pub solver_calls: u64,
    /// The mean number of conditions of a question.
    pub mean_conditions: f64,
    /// Most conditions of one question.
    pub largest_conditions: u64,
    /// Decisions that were turned, or tried to.
    pub turns: u64,
    /// Of these, those that no inputs turn.
    pub impossible: u64,
    /// Those of which nobody knows.
    pub unanswered: u64,
    /// Runs that did not go where they should.
    pub mispredicted: u64,
}
