//! The stages. A new one is a new file here and two lines below; a `DEF` that is not listed is a warning of the compiler.

use crate::StageDef;

mod bitblast;
mod cache;
mod constants;
mod domain;
mod intervals;
mod local;
mod order;
mod ranges;
mod slice;
mod tables;
mod walk;
mod z3;

/// Every stage, outermost first: the chain is this list in this order.
///
/// The order is deliberate: cheap before dear; slicing before the caches, so that they see small queries.
pub const STAGES: &[&StageDef] = &[
    &constants::DEF,
    &slice::DEF,
    &cache::DEF,
    &tables::DEF,
    &ranges::DEF,
    &order::DEF,
    &intervals::DEF,
    &local::DEF,
    &domain::DEF,
    &walk::DEF,
    &bitblast::DEF,
    &z3::DEF,
];
