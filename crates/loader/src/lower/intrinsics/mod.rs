//! Intrinsics, by name: one file per subject, each of which knows its own names and passes on the others.

mod float;
mod integer;
mod library;
mod memory;
mod other;
mod reduce;
mod x86;
mod x86_float;
mod x86_scalar;

use super::body::{FunctionBody, Parts, Unsupported};
use crate::llvm::LlvmValue;

pub use library::library_name;

/// What a family of intrinsics says to a call: its result, or nothing if it is none of them.
type IntrinsicResult = Result<Option<Parts>, Unsupported>;

impl<'m> FunctionBody<'_, 'm> {
    /// Lowers a call of the intrinsic `llvm.…`.
    pub(super) fn intrinsic(&mut self, i: LlvmValue<'m>, name: &str) -> Result<Parts, Unsupported> {
        let short = name.strip_prefix("llvm.").unwrap_or(name);
        // With strict floating point each operation is an intrinsic that also says what the environment may do.
        let plain = short.strip_prefix("experimental.constrained.").unwrap_or(short);
        if let Some(parts) = self.memory_intrinsic(i, plain)? {
            return Ok(parts);
        }
        if let Some(parts) = self.integer_intrinsic(i, plain)? {
            return Ok(parts);
        }
        if let Some(parts) = self.float_intrinsic(i, plain)? {
            return Ok(parts);
        }
        if let Some(parts) = self.library_intrinsic(i, plain)? {
            return Ok(parts);
        }
        if let Some(parts) = self.reduction(i, plain)? {
            return Ok(parts);
        }
        if let Some(parts) = self.other_intrinsic(i, plain)? {
            return Ok(parts);
        }
        if let Some(parts) = self.x86_intrinsic(i, plain)? {
            return Ok(parts);
        }
        if let Some(parts) = self.x86_scalar_intrinsic(i, plain)? {
            return Ok(parts);
        }
        if let Some(parts) = self.x86_float_intrinsic(i, plain)? {
            return Ok(parts);
        }
        Err(format!("the intrinsic `{name}`"))
    }
}
