//! From the bytes of a file to a module that is well-formed.

use crate::compile::{Maker, ModuleContent, Unit};
use crate::llvm::{self, LlvmContext, Module};
use crate::{LLVM_VERSION, LoadError, probe};

/// A module and the file it came from.
pub struct Named<'c> {
    /// The file, for messages.
    pub name: String,
    /// The module.
    pub module: Module<'c>,
}

/// Parses and checks a module.
pub fn module<'c>(context: &'c LlvmContext, unit: &Unit) -> Result<Named<'c>, LoadError> {
    let name = unit.name.clone();
    // What our own compiler has just written is trusted: a trial costs a process.
    if unit.maker == Maker::Unknown && !probe::survives(&unit.content) {
        return Err(refused(unit, "it is corrupt: LLVM's reader fails on it".to_string()));
    }
    let module = parse(context, &name, &unit.content).map_err(|reason| refused(unit, reason))?;
    module.verify().map_err(|reason| LoadError::Malformed { name: name.clone(), reason: first_line(&reason) })?;
    Ok(Named { name, module })
}

/// What LLVM makes of it, unchecked, or what it says.
pub(crate) fn parse<'c>(context: &'c LlvmContext, name: &str, content: &ModuleContent) -> Result<Module<'c>, String> {
    match content {
        ModuleContent::Bitcode(bytes) => context.read(name, bytes, true),
        ModuleContent::Text(bytes) => context.read(name, bytes, false),
    }
}

fn refused(unit: &Unit, reason: String) -> LoadError {
    match &unit.content {
        ModuleContent::Bitcode(bytes) => bad_bitcode(&unit.name, bytes, reason),
        ModuleContent::Text(_) => LoadError::BadText { reason: reason.trim_end().to_string() },
    }
}

/// A newer producer explains what a corrupt file does not.
pub fn bad_bitcode(name: &str, bytes: &[u8], reason: String) -> LoadError {
    let name = name.to_string();
    let reason = first_line(&reason);
    match llvm::producer(bytes) {
        Some(producer) if major(&producer).is_some_and(|v| v > LLVM_VERSION) => {
            LoadError::NewerModule { name, producer, reason }
        }
        _ => LoadError::BadModule { name, reason },
    }
}

/// The major version in a producer's name: 22 in `LLVM22.1.8`.
fn major(producer: &str) -> Option<u32> {
    let digits = producer.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("unknown reason").trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_producer_names_its_version() {
        assert_eq!(major("LLVM22.1.8"), Some(22));
        assert_eq!(major("APPLE_1_1500.3.9.4_0"), Some(1));
        assert_eq!(major("unknown"), None);
    }
}
