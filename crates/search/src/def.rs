//! A strategy or combinator as the command line, the docs and the test matrix know it.

use crate::Searcher;

/// One row of [`STRATEGIES`](crate::STRATEGIES).
#[derive(Debug)]
pub struct StrategyDef {
    /// The name as `--search` takes it, in any case.
    pub name: &'static str,
    /// One line for `taw strategies`.
    pub help: &'static str,
    /// Builds the strategy. `seed` is its only source of randomness.
    pub new: fn(seed: u64) -> Box<dyn Searcher>,
}

/// One row of [`COMBINATORS`](crate::COMBINATORS): a way to make a strategy of strategies.
#[derive(Debug)]
pub struct CombinatorDef {
    /// The name as `--search` takes it, in any case.
    pub name: &'static str,
    /// How it is written: `Ph(x,y,r)`.
    pub usage: &'static str,
    /// One line for `taw strategies`.
    pub help: &'static str,
    /// Builds the strategy from what is between the parentheses, or says in words what it wants instead.
    pub new: fn(arguments: Vec<StrategyArgument>) -> Combined,
}

/// A strategy made of others, or what the combinator wants instead.
pub type Combined = Result<Box<dyn Searcher>, &'static str>;

/// What is between the parentheses of a combinator.
#[derive(Debug)]
pub enum StrategyArgument {
    /// A strategy.
    Strategy(Box<dyn Searcher>),
    /// A number.
    Number(f64),
}
