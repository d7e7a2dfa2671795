//! Coverage in LCOV's tracefile format, as `genhtml`, editors and coverage services read it (`man geninfo`).
//! Counts are 1 or 0: executed on some path, or on none.

use std::fmt::Write as _;

use crate::lines::FileCoverage;

/// The tracefile of `files`.
pub fn lcov(files: &[FileCoverage]) -> String {
    let mut out = String::from("TN:taw\n");
    for file in files {
        // Writing to a string cannot fail.
        let _ = record(&mut out, file);
    }
    out
}

fn record(out: &mut String, file: &FileCoverage) -> std::fmt::Result {
    writeln!(out, "SF:{}", file.path)?;
    for function in &file.functions {
        writeln!(out, "FN:{},{}", function.line, function.name)?;
    }
    for function in &file.functions {
        writeln!(out, "FNDA:{},{}", u8::from(function.covered), function.name)?;
    }
    let hit = file.functions.iter().filter(|f| f.covered).count();
    writeln!(out, "FNF:{}\nFNH:{hit}", file.functions.len())?;
    for side in &file.branches {
        let taken = match (side.reached, side.taken) {
            (false, _) => "-",
            (true, false) => "0",
            (true, true) => "1",
        };
        writeln!(out, "BRDA:{},{},{},{taken}", side.line, side.branch, side.side)?;
    }
    let taken = file.branches.iter().filter(|side| side.taken).count();
    writeln!(out, "BRF:{}\nBRH:{taken}", file.branches.len())?;
    for (line, &covered) in &file.lines {
        writeln!(out, "DA:{line},{}", u8::from(covered))?;
    }
    let hit = file.lines.values().filter(|&&covered| covered).count();
    writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", file.lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tracefile_has_lines_branches_functions_and_their_sums() {
        let (program, coverage) = crate::lines::tests::example();
        let text = lcov(&crate::file_coverage(&program, &coverage));
        assert_eq!(
            text,
            "TN:taw\nSF:/src/a.c\nFN:1,f\nFNDA:1,f\nFNF:1\nFNH:1\nBRDA:2,0,0,1\nBRDA:2,0,1,0\nBRF:2\nBRH:1\n\
             DA:2,1\nDA:3,1\nDA:4,0\nLF:3\nLH:2\nend_of_record\n"
        );
    }
}
