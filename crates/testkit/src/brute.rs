//! Counting paths by brute force: every input of a small program, distinct traces of basic blocks.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::native::CLANG;
use crate::process::{Streams, run};

/// Completed and errored paths of the program at `source`, counted natively.
///
/// # Errors
/// What the compiler or the counting program says.
pub fn count(source: &Path) -> Result<(u64, u64), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let root = crate::root();
    let (object, binary) = (folder.path().join("program.o"), folder.path().join("count"));
    let mut compile = Command::new(CLANG);
    compile.args(["-w", "-c", "-Dmain=program", "-fsanitize-coverage=bb,no-prune,trace-pc-guard", "-o"]).arg(&object);
    compile.arg("-I").arg(root.join("runtime")).arg(source);
    let mut link = Command::new(CLANG);
    link.args(["-O2", "-o"]).arg(&binary).arg(&object).arg(root.join("crates/testkit/brute.c"));
    let limit = Duration::from_secs(60);
    for command in [&mut compile, &mut link] {
        let ended = run(command, Streams::Merged, limit)?;
        if ended.code != Some(0) {
            return Err(format!("brute force does not compile:\n{}", ended.said()));
        }
    }
    let ended = run(&mut Command::new(&binary), Streams::Merged, limit)?;
    let said = ended.said();
    let mut words = said.split_whitespace().map(str::parse);
    match (ended.code, words.next(), words.next()) {
        (Some(0), Some(Ok(completed)), Some(Ok(errored))) => Ok((completed, errored)),
        _ => Err(format!("brute force failed: code {:?}, signal {:?}\n{said}", ended.code, ended.signal)),
    }
}
