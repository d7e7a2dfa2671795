//! Terms: what a program value is when it is not one machine word.
//!
//! Every term is a bit vector of a fixed width; a truth value has width 1, a float is its bit pattern
//! (the operation, not the operand, says that bits are meant as a float). Terms are hash-consed in a
//! [`Terms`] arena, so equal terms have equal ids, and every constructor rewrites: what comes back
//! may be any term that evaluates alike under every assignment.
//!
//! Boundary: this crate knows neither programs nor solvers. Invariant: equal terms have one id while
//! anybody holds them; an id that nobody holds may become another term's ([`Terms::collect`]).

mod arena;
mod assign;
mod bits;
mod build;
mod collect;
mod eval;
mod facts;
pub mod fold;
mod formula;
mod given;
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
pub use collect::Marks;
pub use eval::Evaluator;
pub use facts::KnownBits;
pub use formula::{Formula, FormulaInput};
pub use native::{NativeFunction, Outside};
pub use node::{
    Array, ArrayNode, BinOp, FloatBin, FloatCmp, FloatFormat, FloatUn, FunctionInfo, Node, OpaqueFunction, Term, Var,
    VarInfo,
};
pub use show::Shown;
pub use smtlib::read;
pub use varset::VarSet;
