//! The strategies, one file each.
//!
//! A new strategy is a new file here with a `DEF`, its `mod` line, and its row in [`STRATEGIES`]: help, parser and
//! test matrix follow. rustc reports a `DEF` that is not listed.

mod bfs;
mod closest_to_uncovered;
mod coverage_new;
mod dfs;
mod fitnex;
mod klee;
mod least_covered;
mod path_weighted;
mod random_path;
mod random_state;
mod sage;
mod sdse;
mod sdse_age;
mod sdse_intra;
mod sdse_need;
mod sdse_pr;
mod sdse_rr;

use crate::StrategyDef;

/// Every strategy, in the order in which `taw strategies` shows them.
pub const STRATEGIES: &[&StrategyDef] = &[
    &klee::DEF,
    &dfs::DEF,
    &bfs::DEF,
    &random_path::DEF,
    &random_state::DEF,
    &path_weighted::DEF,
    &coverage_new::DEF,
    &closest_to_uncovered::DEF,
    &least_covered::DEF,
    &sage::DEF,
    &sdse::DEF,
    &sdse_intra::DEF,
    &sdse_pr::DEF,
    &sdse_rr::DEF,
    &sdse_age::DEF,
    &sdse_need::DEF,
    &fitnex::DEF,
];

#[cfg(test)]
mod tests;
