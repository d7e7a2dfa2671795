//! From an LLVM module to a program.
use crate::LoadError;
use crate::link::Linked;
use crate::llvm::Value;
use taw_ir::Program;
/// x
pub fn program(_linked: &Linked<'_>) -> Result<Program, LoadError> {
    Ok(Program::default())
}
/// x
pub fn library_name(_f: Value<'_>) -> Option<String> {
    None
}
