//! The part of a generated `main` that calls what must hold before an entry starts (`--assume`, `--requires`).
//!
//! A build that counts lines does without what `--assume` adds to a source, so these functions may be missing.

use std::fmt::Write as _;

use taw_report::EntryPoint;

use crate::driver::integer_type;

/// Declarations of the functions, which take the entry's parameters.
pub(crate) fn declared(entry: &EntryPoint, types: &[String]) -> String {
    let list = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
    let mut text = String::new();
    if !entry.preconditions.is_empty() {
        text.push_str("int taw_replay_holds(int);\n");
    }
    for (name, bits) in &entry.preconditions {
        let _ = writeln!(text, "__attribute__((weak)) {} {name}({list});", integer_type(*bits, true));
    }
    text
}

/// Their calls, each followed by `end`.
pub(crate) fn called(entry: &EntryPoint, arguments: &[&str], end: &str) -> String {
    let list = arguments.join(", ");
    let call = |(name, _): &(String, u32)| format!("taw_replay_holds(!{name} || {name}({list})){end}");
    entry.preconditions.iter().map(call).collect()
}
