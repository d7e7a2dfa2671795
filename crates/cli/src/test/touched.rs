//! The functions that a change touches (`--diff`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use taw::Program;
use taw::ir::{FuncId, Function};
use taw_targets::{Spec, read_diff};

use crate::failure::Failure;

/// The functions of a program that have a line which a diff adds or changes.
pub(crate) fn functions(program: &Program, diffs: &[PathBuf]) -> Result<BTreeSet<FuncId>, Failure> {
    let mut lines: Vec<(String, u32)> = Vec::new();
    for path in diffs {
        for request in read_diff(path).map_err(Failure::Message)?.requests {
            if let Spec::Line(at) = request.spec {
                lines.push((at.file, at.line));
            }
        }
    }
    let code = program.code();
    let is_touched = |function: &Function| {
        let Some(loc) = function.loc else { return false };
        let (file, first) = (code.locs[loc].file, code.locs[loc].line);
        let own = function.locs.iter().flatten().map(|at| &code.locs[*at]).filter(|at| at.file == file);
        let last = own.map(|at| at.line).max().unwrap_or(first);
        let path = Path::new(&code.files[file].path);
        let is_here = |(name, line): &(String, u32)| {
            (first..=last).contains(line) && path.ends_with(name.trim_start_matches("./"))
        };
        lines.iter().any(is_here)
    };
    Ok(code.functions.iter().filter(|(_, function)| is_touched(function)).map(|(id, _)| id).collect())
}
