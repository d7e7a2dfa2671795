//! The command lines of `taw reach` and `taw bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use crate::args::RunArgs;
use crate::units;

pub(crate) const REACH_EXAMPLES: &str = "\
Examples:
  taw reach prog.c --target prog.c:42              a line
  taw reach prog.c --target 'prog.c:42 if n > len'  ... where a condition holds, in C, over what is in scope there
  taw reach prog.c --target 'prog.c:42 then prog.c:7'  ... and then another
  taw reach prog.c --target prog.c:42!             an error there; !KIND for one kind
  taw reach prog.c --target parse --target 'label:*'   a function; every taw_target(\"...\")
  taw reach prog.c --target error-call:reach_error     a call
  taw reach prog.c --targets-from coverage.lcov    every line that your tests do not cover
  git diff | taw reach prog.c --diff -             every line that a change touches
  taw reach prog.c --targets-from lint.sarif       every report of another tool
  taw reach prog.c --targets-from crash.txt        the way of a stack trace";

pub(crate) const REACH_EXIT_CODES: &str = "Exit codes: 0 all targets reached, 1 all decided and some unreachable, 3 some unknown, 2 wrong usage or a failure of Taw itself.";

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("wanted").required(true).multiple(true).args(["target", "targets_from", "diff"]))]
pub(crate) struct ReachArgs {
    /// What to reach: file.c:LINE, 'file.c:LINE if EXPR', file.c:LINE!KIND, a function, label:NAME, error-call:FUNCTION; 'A then B' in order
    #[arg(long, value_name = "TARGET")]
    pub target: Vec<String>,
    /// Read targets from a file: LCOV, gcov, SARIF, cppcheck's XML, diff, stack trace, or a list
    #[arg(long, value_name = "FILE")]
    pub targets_from: Vec<PathBuf>,
    /// Reach the lines that a unified diff adds or changes; - for standard input
    #[arg(long, value_name = "FILE")]
    pub diff: Vec<PathBuf>,

    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Time strategies of `taw reach`: programs × strategies × seeds
    Strategies(BenchArgs),
    /// Measure concolic testing as the IPPC paper does: programs × strategies × seeds; its tables 2, 3 and 4
    Concolic(ConcolicBenchArgs),
}

/// Which solver is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SolverArg {
    /// Slices and an incremental back end, as in the paper (`--plain-solver`)
    Plain,
    /// With ranges, intervals, caches, earlier models and local search
    Full,
    /// One table of each
    Both,
}

#[derive(Debug, Args)]
pub(crate) struct ConcolicBenchArgs {
    /// One program per line, with what to tell `taw run`: gcd.c --entry gcd --max-paths 1000
    #[arg(value_name = "SET")]
    pub set: PathBuf,
    /// A strategy to measure, as it stands in concolic(...); repeat it
    #[arg(long, value_name = "STRATEGY", default_values = ["DFS", "CFG", "RND", "IPPC", "IPPC-adaptive"])]
    pub search: Vec<String>,
    /// Runs of each program with each strategy, with the seeds 1 to N: their first inputs are by chance
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub seeds: u64,
    /// With which solver
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = SolverArg::Both)]
    pub solver: SolverArg,
    /// The longest time for one run; what it cuts off is marked
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub max_time: Duration,
    /// Print one JSON document instead of the tables
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// One program per line, with what to tell `taw reach`: prog.c --target label:x
    #[arg(value_name = "SET")]
    pub set: PathBuf,
    /// A strategy to measure; repeat it
    #[arg(long, value_name = "STRATEGY", default_values = [taw_search::DEFAULT_DIRECTED, "B(RR(RP,SDSE))", "KLEE", "RP", "SDSE", "DFS"])]
    pub search: Vec<String>,
    /// Runs of each program with each strategy, with the seeds 1 to N
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub seeds: u64,
    /// The longest time for one run
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub max_time: Duration,
    /// Print one JSON document instead of the table
    #[arg(long)]
    pub json: bool,
    /// Draw every measurement
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}
