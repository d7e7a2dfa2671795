//! The strategies, one file each.
//!
//! A new strategy is a new file here with a `DEF`, its `mod` line, and its row in [`STRATEGIES`]: help, parser and
//! test matrix follow. rustc reports a `DEF` that is not listed.

mod bfs;
mod coverage_new;
mod dfs;
mod klee;
mod random_path;
mod random_state;

use crate::StrategyDef;

/// Every strategy, in the order in which `taw strategies` shows them.
pub const STRATEGIES: &[&StrategyDef] =
    &[&klee::DEF, &dfs::DEF, &bfs::DEF, &random_path::DEF, &random_state::DEF, &coverage_new::DEF];

#[cfg(test)]
mod tests;
