//! The command line of `taw stage`, and how stages are shown.

use std::path::PathBuf;

use clap::Args;

use crate::args::RunArgs;

pub(crate) const STAGE_EXAMPLES: &str = "\
Examples:
  taw stage tree.c --type 'struct tree' --repok tree_ok --max-nodes 4 -o tree4.stage
  taw run tree.c --entry insert --stage t=tree4.stage      t is any of them; tree_ok is not executed again
  taw stage json.c --type 'char[16]' --repok is_json -o json.stage          bytes that are JSON
  taw stage heap.c --repok heap_ok --split size -o heap.stage               each size is a shape of its own
  taw show tree4.stage                                     each shape with its condition
  taw show tree4.stage --concrete=0..3                     every instance with numbers from 0 to 3";

pub(crate) const STAGE_EXIT_CODES: &str = "Exit codes: 0 a stage was made, 2 wrong usage or a failure of Taw itself.";

/// Which structures are wanted, and where they go.
#[derive(Debug, Args)]
pub(crate) struct StageArgs {
    /// What the invariant's parameter leads to: a type, as 'struct tree', or an array, as 'char[16]' [default: as its type says]
    #[arg(long = "type", value_name = "TYPE")]
    pub ty: Option<String>,

    /// The invariant: a function of the program that takes pointers to the structure, returns 0 where it does not hold, and changes nothing
    #[arg(long, value_name = "FUNCTION")]
    pub repok: String,

    /// A structure has at most N objects of one type
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub max_nodes: u64,

    /// Each value of this member is a shape of its own, where the invariant leaves several open
    #[arg(long, value_name = "MEMBER")]
    pub split: Vec<String>,

    /// The file
    #[arg(short = 'o', long = "output", value_name = "FILE.stage")]
    pub stage_file: PathBuf,

    #[command(flatten)]
    pub run: RunArgs,
}

/// How a stage is shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Stages")]
pub(crate) struct StageShowArgs {
    /// One concrete structure for each shape; or, with a domain (0..3), every one with numbers from it, and how many there are
    #[arg(long, value_name = "A..B", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub concrete: Option<String>,
}
