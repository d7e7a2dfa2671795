//! Bit-blasting: terms become circuits, circuits become clauses, clauses go to CaDiCaL.
//!
//! Boundary: bit vectors and arrays of moderate size. Floats, opaque functions and large arrays are refused by name.

mod blast;
mod circuits;
mod context;
mod gates;
#[cfg(test)]
mod tests;

pub(crate) use blast::{BlastRefusal, Blaster};
pub(crate) use context::{SatContext, SatOutcome};
