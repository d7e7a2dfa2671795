//! The lines that a native run covered, from the counters that it left, whole or crashed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::build::NativeToolchain;

/// Covered lines by file.
pub type Lines = BTreeMap<String, BTreeSet<u32>>;

/// Reads the counters; none if the tools are missing or there are no counters.
pub(crate) fn lines(tools: &NativeToolchain, program: &Path, counters: &Path) -> Option<Lines> {
    let merged = counters.with_extension("profdata");
    let merge = Command::new(tools.tool("llvm-profdata")?).arg("merge").arg(counters).arg("-o").arg(&merged).output();
    if !merge.ok()?.status.success() {
        return None;
    }
    let export = Command::new(tools.tool("llvm-cov")?)
        .args(["export", "-format=lcov", "-instr-profile"])
        .arg(&merged)
        .arg(program)
        .output()
        .ok()?;
    export.status.success().then(|| covered(&String::from_utf8_lossy(&export.stdout)))
}

fn covered(lcov: &str) -> Lines {
    let mut lines = Lines::new();
    let mut file = String::new();
    for line in lcov.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            file = name.to_owned();
        } else if let Some((number, count)) = line.strip_prefix("DA:").and_then(|data| data.split_once(',')) {
            let hit = count.split(',').next() != Some("0");
            if let (true, Ok(number)) = (hit, number.parse()) {
                lines.entry(file.clone()).or_default().insert(number);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_count_are_covered() {
        let lines = covered("SF:/a.c\nDA:3,1\nDA:4,0\nDA:5,12\nend_of_record\nSF:/b.c\nDA:1,0\n");
        assert_eq!(lines, Lines::from([("/a.c".to_owned(), BTreeSet::from([3, 5]))]));
    }
}
