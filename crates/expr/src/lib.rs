//! Terms: what a program value is when it is not one machine word.
//!
//! Every term is a bit vector of a fixed width; a truth value has width 1, a float is its bit pattern
//! (the operation, not the operand, says that bits are meant as a float). Terms are hash-consed in a
//! [`Terms`] arena, so equal terms have equal ids, and every constructor rewrites: what comes back
//! may be any term that evaluates alike under every assignment.
//!
//! Boundary: this crate knows neither programs nor solvers. Invariant: a node's operands have smaller
//! ids than the node, so an arena is a topological order of its terms.

mod arena;
mod assign;
mod bits;
mod build;
mod eval;
mod facts;
pub mod fold;
mod memo;
mod native;
mod node;
mod rewrite;
mod show;
mod smtlib;
mod varset;

pub use arena::Terms;
pub use assign::Assignment;
pub use bits::Bits;
pub use eval::Evaluator;
pub use facts::KnownBits;
pub use native::{NativeFunction, Outside};
pub use node::{
    Array, ArrayNode, BinOp, FloatBin, FloatCmp, FloatFormat, FloatUn, FunctionInfo, Node, OpaqueFunction, Term, Var,
    VarInfo,
};
pub use show::Shown;
pub use smtlib::read;
pub use varset::VarSet;
