//! Coverage as JSON: per file the lines with code and the sides of branches.

use std::path::Path;

use serde::Serialize;

use super::{FinishedRun, FormatDef, FormatError, put};
use crate::document::CoverageTotals;
use crate::lines::FileCoverage;

pub(super) const DEF: FormatDef = FormatDef {
    name: "coverage",
    help: "coverage.json: lines, branches and functions per file",
    writes: |name| name == "coverage.json",
    write,
};

#[derive(Serialize)]
struct Report<'a> {
    totals: CoverageTotals,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    covered_lines: Vec<u32>,
    missed_lines: Vec<u32>,
    branches: Vec<Branch>,
    functions: Vec<FunctionRow<'a>>,
}

#[derive(Serialize)]
struct Branch {
    line: u32,
    branch: u32,
    side: u32,
    reached: bool,
    taken: bool,
}

#[derive(Serialize)]
struct FunctionRow<'a> {
    name: &'a str,
    line: u32,
    covered: bool,
}

fn write(suite: &FinishedRun<'_>, folder: &Path) -> Result<Vec<String>, FormatError> {
    let report =
        Report { totals: CoverageTotals::of(suite.coverage), files: suite.coverage.iter().map(file).collect() };
    let mut text = serde_json::to_vec_pretty(&report).expect("plain data");
    text.push(b'\n');
    put(folder, "coverage.json", &text)?;
    Ok(Vec::new())
}

fn file(file: &FileCoverage) -> File<'_> {
    let lines = |wanted| file.lines.iter().filter(move |&(_, &covered)| covered == wanted).map(|(&line, _)| line);
    let side = |side: &crate::BranchSide| {
        let crate::BranchSide { line, branch, side, reached, taken } = *side;
        Branch { line, branch, side, reached, taken }
    };
    File {
        path: &file.path,
        covered_lines: lines(true).collect(),
        missed_lines: lines(false).collect(),
        branches: file.branches.iter().map(side).collect(),
        functions: file
            .functions
            .iter()
            .map(|f| FunctionRow { name: &f.name, line: f.line, covered: f.covered })
            .collect(),
    }
}
