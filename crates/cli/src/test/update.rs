//! A suite that there is: what it says today, what of it is still valid (`--update`), and whether it covers what it covered (`--check`).
//!
//! `taw-suite.json` beside the tests has their inputs; the tests do not need it. Each is run again by the engine: a result that has changed is shown, and the test stays as it
//! is unless `--accept` says otherwise, so that nobody's regression becomes what is expected.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use taw::ir::FuncId;
use taw::{FoundTest, Prepared};
use taw_report::TestFile;
use taw_report::suite::{Duties, MARKER, SuiteEnd, SuiteStandIn, SuiteTest};

use super::report::TestDocument;
use crate::failure::Failure;

/// The file.
pub(crate) const RECORD: &str = "taw-suite.json";

/// Of the file, in bytes.
const LARGEST: u64 = 256 << 20;

/// Paths that are looked at for one with the inputs of a test.
const PATHS: u64 = 64;

/// What is known of a suite.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SuiteRecord {
    /// Whose it is.
    pub made: String,
    /// What was left uncovered, by function.
    pub functions: Vec<RecordedFunction>,
    /// The tests.
    pub tests: Vec<RecordedTest>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RecordedFunction {
    pub function: String,
    /// How many things no test covers.
    pub uncovered: usize,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RecordedTest {
    pub name: String,
    /// Its inputs, and what was expected.
    pub test: TestFile,
}

/// A test that gives something else now.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Difference {
    pub test: String,
    /// What was expected, as C.
    pub was: Vec<String>,
    /// What it is now; empty if the inputs are none any more.
    pub is: Vec<String>,
}

impl SuiteRecord {
    /// That of a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(RECORD);
        let wrong = |why: String| {
            Failure::Message(format!(
                "`{}`: {why}; without --update and --check a suite is written anew",
                path.display()
            ))
        };
        let text = taw_files::read_regular(&path, LARGEST).map_err(|error| wrong(error.to_string()))?;
        let record: SuiteRecord = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        match record.tests.iter().find_map(|test| test.test.check().err()) {
            Some(why) => Err(wrong(why)),
            None => Ok(record),
        }
    }

    /// That of tests which are about to be written.
    pub(crate) fn new(document: &TestDocument, tests: Vec<(String, TestFile)>) -> Self {
        let function = |record: &super::report::TestedRecord| RecordedFunction {
            function: record.function.clone(),
            uncovered: record.uncovered.len(),
        };
        SuiteRecord {
            made: MARKER.to_owned(),
            functions: document.functions.iter().map(function).collect(),
            tests: tests.into_iter().map(|(name, test)| RecordedTest { name, test }).collect(),
        }
    }

    /// As text, a line for each test: differences can be read.
    pub(crate) fn text(&self) -> String {
        let functions: Vec<String> = self.functions.iter().map(|one| format!("    {}", json(one))).collect();
        let tests: Vec<String> = self.tests.iter().map(|one| format!("    {}", json(one))).collect();
        format!(
            "{{\n  \"made\": {},\n  \"functions\": [\n{}\n  ],\n  \"tests\": [\n{}\n  ]\n}}\n",
            json(&self.made),
            functions.join(",\n"),
            tests.join(",\n")
        )
    }
}

/// The tests of a function that there are, with what they are now.
pub(crate) struct Standing {
    pub kept: Vec<FoundTest>,
    pub differences: Vec<Difference>,
}

/// Runs the tests of one function again. Those that have changed keep what they expected, unless it is `accepted`.
pub(crate) fn standing<'s>(
    prepared: &Prepared<'s>,
    record: &SuiteRecord,
    function: FuncId,
    duties: &Duties<'s>,
    stand_ins: &[SuiteStandIn],
    accepted: bool,
) -> Result<Standing, Failure> {
    let name = &prepared.program().code().functions[function].name;
    let mut standing = Standing { kept: Vec::new(), differences: Vec::new() };
    for old in record.tests.iter().filter(|old| old.test.entry.as_ref() == Some(name)) {
        let expected = SuiteTest::of(&old.test, stand_ins).map_err(Failure::Message)?;
        let inputs = old.test.inputs().map_err(Failure::Message)?;
        let now = prepared.test_inputs(function, duties, stand_ins, inputs, PATHS)?;
        let now = now.filter(|now| now.test.has_inputs_of(&expected));
        let Some(mut now) = now.filter(|now| !matches!(now.test.end, SuiteEnd::Fails { .. })) else {
            standing.differences.push(Difference { test: old.name.clone(), was: said(&expected), is: Vec::new() });
            continue;
        };
        if said(&now.test) != said(&expected) {
            standing.differences.push(Difference { test: old.name.clone(), was: said(&expected), is: said(&now.test) });
            if !accepted {
                (now.test.checks, now.test.end, now.test.result) = (expected.checks, expected.end, expected.result);
                now.file = old.test.clone();
            }
        }
        now.test.name.clone_from(&old.name);
        standing.kept.push(now);
    }
    Ok(standing)
}

/// What `--check` says of a function.
#[derive(Debug, Serialize)]
pub(crate) struct CheckedFunction {
    pub function: String,
    /// Things that no test covered, and that none covers now; nothing if there is no such function any more.
    pub was_uncovered: usize,
    pub uncovered: Option<usize>,
    pub differences: Vec<Difference>,
}

impl CheckedFunction {
    pub(crate) fn new(recorded: &RecordedFunction, duties: &Duties<'_>, standing: Standing) -> Self {
        let is_changed = |found: &FoundTest| standing.differences.iter().any(|other| other.test == found.test.name);
        let valid = standing.kept.iter().filter(|found| !is_changed(found));
        let done: BTreeSet<u32> = valid.flat_map(|found| found.numbers.iter().copied()).collect();
        CheckedFunction {
            function: recorded.function.clone(),
            was_uncovered: recorded.uncovered,
            uncovered: Some(duties.all.len() - done.len()),
            differences: standing.differences,
        }
    }

    /// Of a function that is not there any more.
    pub(crate) fn gone(recorded: &RecordedFunction) -> Self {
        CheckedFunction {
            function: recorded.function.clone(),
            was_uncovered: recorded.uncovered,
            uncovered: None,
            differences: Vec::new(),
        }
    }

    /// Whether the suite is as good as it was.
    pub(crate) fn holds(&self) -> bool {
        self.differences.is_empty() && self.uncovered.is_some_and(|uncovered| uncovered <= self.was_uncovered)
    }

    pub(crate) fn show(&self, out: &mut impl Write) -> io::Result<()> {
        let function = &self.function;
        match self.uncovered {
            None => writeln!(out, "{function}: there is no such function any more")?,
            Some(_) if self.holds() => writeln!(out, "{function}: the tests hold, and cover what they did")?,
            Some(now) if now > self.was_uncovered => {
                writeln!(
                    out,
                    "{function}: {now} lines and branches are not covered, and {} were not",
                    self.was_uncovered
                )?;
            }
            Some(_) => writeln!(out, "{function}: tests give something else")?,
        }
        for Difference { test, was, is } in &self.differences {
            let now = if is.is_empty() { "there is no such call any more".to_owned() } else { is.join(", ") };
            writeln!(out, "  {test} expects {}; now: {now}", was.join(", "))?;
        }
        Ok(())
    }
}

/// What a test expects, as C.
fn said(test: &SuiteTest) -> Vec<String> {
    match &test.end {
        SuiteEnd::Returns => test.checks.iter().map(|check| check.text.clone()).collect(),
        SuiteEnd::Exits(code) => vec![format!("exit({code})")],
        SuiteEnd::Aborts => vec!["abort()".to_owned()],
        SuiteEnd::Fails { kind, .. } => vec![kind.clone()],
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}
