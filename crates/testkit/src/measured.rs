//! What native counters say of a suite: lines as gcov counts them, and both sides of every condition as the compiler's source
//! coverage counts them. Switches are left to tests of their own: the two count labels, Taw counts the places they lead to.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::native::CLANG;
use crate::process::{Streams, run};

/// For each line of a file something.
pub(crate) type ByLine<T> = BTreeMap<u64, T>;

/// Coverage of one source file.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    /// Whether each line with code was executed.
    pub lines: ByLine<bool>,
    /// Sides of conditions: taken, and all.
    pub sides: ByLine<(u64, u64)>,
}

impl Measured {
    /// What the counters beside a program say of `source`.
    pub(crate) fn read(program: &Path, source: &Path) -> Result<Self, String> {
        Ok(Measured { lines: lines(program, source)?, sides: sides(program, source)? })
    }

    /// What Taw claims of it, in its `coverage.json`.
    pub(crate) fn claimed(document: &Value, source: &Path) -> Self {
        let mut claimed = Measured::default();
        let is = |file: &&Value| file["path"].as_str().is_some_and(|path| Path::new(path) == source);
        for file in list(&document["files"]).filter(is) {
            for (kind, covered) in [("covered_lines", true), ("missed_lines", false)] {
                claimed.lines.extend(list(&file[kind]).filter_map(|line| Some((line.as_u64()?, covered))));
            }
            for side in list(&file["branches"]) {
                let sides = claimed.sides.entry(side["line"].as_u64().unwrap_or(0)).or_default();
                *sides = (sides.0 + u64::from(side["taken"] == true), sides.1 + 1);
            }
        }
        claimed
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn said(command: &mut Command) -> Result<String, String> {
    let ended = run(command, Streams::Apart, Duration::from_secs(60))?;
    if ended.code != Some(0) {
        return Err(format!("{command:?} says: {}", ended.said()));
    }
    String::from_utf8(ended.stdout).map_err(|error| error.to_string())
}

/// A tool of the compiler's.
fn tool(name: &str) -> Result<Command, String> {
    let path = said(Command::new(CLANG).arg(format!("-print-prog-name={name}")))?;
    Ok(Command::new(path.trim()))
}

/// The files beside the program that end so.
fn beside(program: &Path, end: &str) -> Vec<PathBuf> {
    let entries = program.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.retain(|path| path.to_string_lossy().ends_with(end));
    found.sort();
    found
}

/// gcov's lines.
fn lines(program: &Path, source: &Path) -> Result<ByLine<bool>, String> {
    let folder = program.parent().ok_or("the program has no folder")?;
    for counters in beside(program, ".gcda") {
        said(tool("llvm-cov")?.args(["gcov", "-i"]).arg(counters).current_dir(folder))?;
    }
    let mut lines = ByLine::new();
    for report in beside(program, ".gcov") {
        let mut here = false;
        for line in fs::read_to_string(report).map_err(|error| error.to_string())?.lines() {
            match line.split_once(':') {
                Some(("file", path)) => here = crate::root().join(path) == source,
                Some(("lcount", numbers)) if here => {
                    let (line, count) = numbers.split_once(',').ok_or("not a line of gcov's")?;
                    let line = line.parse().map_err(|_| format!("not a line: {line}"))?;
                    *lines.entry(line).or_insert(false) |= count != "0";
                }
                _ => {}
            }
        }
    }
    Ok(lines)
}

/// Sides of conditions. Labels of switches and conditions that are constants in the text are no conditions of Taw's.
fn sides(program: &Path, source: &Path) -> Result<ByLine<(u64, u64)>, String> {
    let merged = program.with_extension("profdata");
    said(tool("llvm-profdata")?.args(["merge", "-o"]).arg(&merged).args(beside(program, ".profraw")))?;
    let report = said(tool("llvm-cov")?.args(["export", "-instr-profile"]).arg(&merged).arg(program))?;
    let report: Value = serde_json::from_str(&report).map_err(|error| error.to_string())?;
    let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
    let mut sides = ByLine::new();
    for function in list(&report["data"][0]["functions"]) {
        if function["filenames"][0].as_str().is_none_or(|file| Path::new(file) != source) {
            continue;
        }
        for branch in list(&function["branches"]) {
            let number = |index: usize| branch[index].as_u64().unwrap_or(0);
            let start = text.lines().nth(number(0).saturating_sub(1) as usize).unwrap_or("");
            let start = start.get(number(1).saturating_sub(1) as usize..).unwrap_or("");
            let length = if number(0) == number(2) { number(3).saturating_sub(number(1)) } else { u64::MAX };
            let word = start.get(..length as usize).unwrap_or(start).trim();
            if word.starts_with("case") || word.starts_with("default") || word.parse::<u64>().is_ok() {
                continue;
            }
            let known = sides.entry(line_of(function, number(0), number(6))).or_insert((0, 0));
            *known = (known.0 + u64::from(number(4) > 0) + u64::from(number(5) > 0), known.1 + 2);
        }
    }
    Ok(sides)
}

/// The line in the file itself of what stands on `line` in the text of a macro.
fn line_of(function: &Value, mut line: u64, mut file: u64) -> u64 {
    const EXPANSION: u64 = 1;
    while file != 0 {
        let expands = |region: &&Value| region[7] == EXPANSION && region[6] == file;
        let Some(region) = list(&function["regions"]).find(expands) else { break };
        (line, file) = (region[0].as_u64().unwrap_or(0), region[5].as_u64().unwrap_or(0));
    }
    line
}
