//! Z3: for floats, for what is too hard for bit-blasting, and as the oracle of the self-check.

mod context;
mod floats;
mod raw;
mod translate;

pub(crate) use context::{Theory, Z3Context, Z3Outcome};
pub(crate) use raw::Z3Failure;
pub(crate) use translate::Z3Refusal;

/// The version of the Z3 library in use.
pub fn z3_version() -> String {
    raw::Z3::version()
}
