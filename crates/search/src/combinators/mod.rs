//! The combinators, one file each: strategies made of strategies.
//!
//! A new combinator is a new file here with a `DEF`, its `mod` line, and its row in [`COMBINATORS`].

mod batched;
mod phases;
mod round_robin;

pub(crate) use batched::Batched;
pub(crate) use round_robin::RoundRobin;

use crate::CombinatorDef;

/// Every combinator, in the order in which `taw strategies` shows them.
pub const COMBINATORS: &[&CombinatorDef] = &[&batched::DEF, &round_robin::DEF, &phases::DEF];

#[cfg(test)]
mod tests;
