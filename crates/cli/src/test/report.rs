//! What is said of a suite: a line for each function, what no test covers and why, and the same as a document.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};

use serde::Serialize;
use taw::{Prepared, TestedFunction};
use taw_engine::{Coverage, PathCoverage};
use taw_report::suite::{Duty, DutyKind};
use taw_report::{CoverageTotals, FileCoverage, Paths, Share, file_coverage, premises_in_words, sentences};

use super::assemble::Assembled;
use super::options::TestArgs;
use super::update::Difference;
use crate::style::{BOLD, ERROR, GOOD, WARNING};
use crate::summary::share;
use crate::terminal::Within;

/// Places that are shown for one reason; the document has the rest.
const PLACES: usize = 8;

/// What is left of a run of `taw test`.
#[derive(Serialize)]
pub(crate) struct TestDocument {
    pub functions: Vec<TestedRecord>,
    /// What the tests cover of the program, as gcov counts it; those of errors, which end before counters are written, are not among them.
    pub coverage: CoverageTotals,
    /// The same by file and line.
    pub covered: Vec<CoveredFile>,
    /// Tests that give something else than they expect.
    pub differences: Vec<Difference>,
    /// Tests that hold only in a process of their own.
    pub lonely: Vec<String>,
    /// The folder, and the files in it.
    pub out: String,
    pub files: Vec<String>,
}

/// What the tests cover of one file.
#[derive(Serialize)]
pub(crate) struct CoveredFile {
    pub file: String,
    pub covered_lines: Vec<u32>,
    pub missed_lines: Vec<u32>,
    /// Sides of branches that are taken, and all, by line.
    pub branches: BTreeMap<u32, (usize, usize)>,
}

impl CoveredFile {
    fn new(file: &FileCoverage) -> Self {
        let lines = |wanted: bool| file.lines.iter().filter(|(_, is)| **is == wanted).map(|(line, _)| *line).collect();
        let mut branches: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for side in &file.branches {
            let (taken, all) = branches.entry(side.line).or_default();
            (*taken, *all) = (*taken + usize::from(side.taken), *all + 1);
        }
        CoveredFile { file: file.path.clone(), covered_lines: lines(true), missed_lines: lines(false), branches }
    }
}

/// What came of one function.
#[derive(Serialize)]
pub(crate) struct TestedRecord {
    pub function: String,
    pub paths: Paths,
    /// Whether every path was explored.
    pub exhaustive: bool,
    pub incomplete: Vec<String>,
    /// Of the function, and of static functions that only it leads to.
    pub branches: Share,
    pub tests: Vec<String>,
    pub errors: Vec<String>,
    /// Errors that a parameter which is null, or the same as another, alone explains: they have no test.
    pub preconditions: usize,
    pub dropped: Vec<DroppedRecord>,
    pub uncovered: Vec<UncoveredRecord>,
}

/// A test that is not written.
#[derive(Serialize)]
pub(crate) struct DroppedRecord {
    pub test: String,
    pub why: String,
}

/// Something that no test covers.
#[derive(Clone, Serialize)]
pub(crate) struct UncoveredRecord {
    pub file: String,
    pub line: u32,
    /// `line`, `branch` or `outcome`.
    pub kind: &'static str,
    /// Which side of it, in words; empty for a line.
    pub side: String,
    /// `unreachable`, `error`, `left-out` or `unknown`.
    pub reason: &'static str,
    pub why: String,
}

impl TestDocument {
    pub(crate) fn new(
        args: &TestArgs,
        prepared: &Prepared<'_>,
        functions: &[TestedFunction<'_>],
        assembled: &Assembled,
        files: Vec<String>,
    ) -> Self {
        let code = prepared.program().code();
        let mut covered = PathCoverage::default();
        let tests = assembled.sources.iter().flat_map(|source| &source.tests);
        tests.for_each(|(_, found)| covered.add(&found.covered));
        let record = |(number, tested): (usize, &TestedFunction<'_>)| record(prepared, number, tested, assembled);
        let by_file = file_coverage(code, &Coverage::of(code, &covered));
        TestDocument {
            functions: functions.iter().enumerate().map(record).collect(),
            coverage: CoverageTotals::of(&by_file),
            covered: by_file.iter().map(CoveredFile::new).collect(),
            differences: Vec::new(),
            lonely: assembled.sources.iter().flat_map(|source| source.lonely.clone()).collect(),
            out: args.out.display().to_string(),
            files,
        }
    }

    /// How many tests there are, and how many of errors.
    pub(crate) fn tests(&self) -> (usize, usize) {
        let count = |of: fn(&TestedRecord) -> usize| self.functions.iter().map(of).sum();
        (count(|record| record.tests.len()), count(|record| record.errors.len()))
    }
}

fn record(prepared: &Prepared<'_>, number: usize, tested: &TestedFunction<'_>, assembled: &Assembled) -> TestedRecord {
    let code = prepared.program().code();
    let tests = || assembled.sources.iter().flat_map(|source| &source.tests).filter(|(of, _)| *of == number);
    let errors = assembled.sources.iter().flat_map(|source| &source.errors).filter(|(of, _)| *of == number);
    let done: BTreeSet<u32> = tests().flat_map(|(_, found)| found.numbers.iter().copied()).collect();
    let dropped = || assembled.dropped.iter().filter(|dropped| dropped.function == number);
    let paths = &tested.paths;
    let reasons =
        Reasons { prepared, tested, dropped: dropped().map(|test| (&test.numbers[..], test.why.as_str())).collect() };
    let missing = (0..tested.duties.all.len() as u32).filter(|duty| !done.contains(duty));
    TestedRecord {
        function: code.functions[tested.function].name.clone(),
        paths: Paths {
            completed: paths.completed,
            errored: paths.errored,
            pending: paths.pending,
            unknown: paths.unknown,
        },
        exhaustive: !tested.is_done && tested.incomplete.is_empty(),
        incomplete: sentences(&tested.incomplete, code),
        branches: Share {
            covered: tested.duties.branches().filter(|duty| done.contains(duty)).count(),
            total: tested.duties.branches().count(),
        },
        tests: tests().map(|(_, found)| found.test.name.clone()).collect(),
        errors: errors.map(|(_, test)| test.name.clone()).collect(),
        preconditions: tested.errors.iter().filter(|error| error.is_precondition).count(),
        dropped: dropped().map(|test| DroppedRecord { test: test.name.clone(), why: test.why.clone() }).collect(),
        uncovered: missing.map(|duty| reasons.uncovered(duty)).collect(),
    }
}

/// Why something is not covered.
struct Reasons<'a, 'p> {
    prepared: &'a Prepared<'p>,
    tested: &'a TestedFunction<'p>,
    /// Tests that were dropped: what they cover, and why.
    dropped: Vec<(&'a [u32], &'a str)>,
}

impl Reasons<'_, '_> {
    fn uncovered(&self, number: u32) -> UncoveredRecord {
        let Duty { file, line, kind, .. } = &self.tested.duties.all[number as usize];
        let places = self.prepared.places();
        let (kind, side) = match kind {
            DutyKind::Line => ("line", String::new()),
            DutyKind::Side(_, side) => ("branch", self.side(number, *side)),
            DutyKind::Outcome(_, side) => ("outcome", self.side(number, *side)),
        };
        let (reason, why) = self.reason(number);
        UncoveredRecord { file: places.named(file), line: *line, kind, side, reason, why }
    }

    /// A side in words; a switch has several.
    fn side(&self, number: u32, side: u32) -> String {
        let all = &self.tested.duties.all;
        let of = &all[number as usize];
        let is_same = |duty: &&Duty| match (duty.kind, of.kind) {
            (DutyKind::Side(a, _), DutyKind::Side(b, _)) | (DutyKind::Outcome(a, _), DutyKind::Outcome(b, _)) => {
                a == b && duty.function == of.function && duty.file == of.file
            }
            _ => false,
        };
        match (all.iter().filter(is_same).count(), side) {
            (0..=2, 0) => "holds".to_owned(),
            (0..=2, _) => "does not hold".to_owned(),
            (count, side) if side as usize + 1 == count => "the default".to_owned(),
            (_, side) => format!("case {}", side + 1),
        }
    }

    /// That every path was explored, and what that rests on.
    fn explored(&self) -> String {
        let premises = premises_in_words(&self.tested.premises, self.prepared.program().code());
        let so = "every path was explored";
        if premises.is_empty() { so.to_owned() } else { format!("{so}, if {}", premises.join(" and ")) }
    }

    fn reason(&self, number: u32) -> (&'static str, String) {
        let has = |numbers: &[u32]| numbers.binary_search(&number).is_ok();
        if let Some((_, why)) = self.dropped.iter().find(|(numbers, _)| has(numbers)) {
            return ("left-out", format!("its test is left out: {why}"));
        }
        if let Some(unsaid) = self.tested.unsaid.iter().find(|unsaid| has(&unsaid.numbers)) {
            return ("left-out", format!("no test in C: {}", unsaid.why));
        }
        if self.tested.errors.iter().any(|error| has(&error.numbers)) {
            return ("error", "only on paths that end in an error".to_owned());
        }
        let code = self.prepared.program().code();
        match &sentences(&self.tested.incomplete, code)[..] {
            [] => ("unreachable", self.explored()),
            reasons => ("unknown", reasons.join("; ")),
        }
    }
}

/// A line about a function that was explored.
pub(crate) fn progress(name: &str, tested: &TestedFunction<'_>) -> String {
    let done: BTreeSet<u32> = tested.tests.iter().flat_map(|found| found.numbers.iter().copied()).collect();
    let paths = (tested.paths.completed + tested.paths.errored + tested.paths.unknown) as usize;
    let (all, covered) =
        (tested.duties.branches().count(), tested.duties.branches().filter(|duty| done.contains(duty)).count());
    let (paths, tests) = (counted(paths, "path"), counted(tested.tests.len(), "test"));
    format!("{name}: {paths}, {covered} of {all} branches, {tests}")
}

/// Shows the document to people.
pub(crate) fn show(out: &mut impl Write, document: &TestDocument) -> io::Result<()> {
    let width = document.functions.iter().map(|record| record.function.chars().count()).max().unwrap_or(0).min(32);
    for record in &document.functions {
        write!(out, "{BOLD}{:<width$}{BOLD:#}  ", Within(&record.function).to_string())?;
        let colour = if record.uncovered.is_empty() { GOOD } else { WARNING };
        write!(out, "{colour}branches {}{colour:#}, {}", share(record.branches), counted(record.tests.len(), "test"))?;
        if !record.errors.is_empty() {
            write!(out, ", {ERROR}{}{ERROR:#}", counted(record.errors.len(), "error"))?;
        }
        writeln!(out)?;
        record.errors.iter().try_for_each(|test| writeln!(out, "  known failure: {test}"))?;
        for line in uncovered_lines(&record.uncovered).into_iter().chain(dropped_lines(&record.dropped)) {
            writeln!(out, "  {}", Within(&line))?;
        }
        if record.preconditions > 0 {
            let errors = counted(record.preconditions, "error");
            writeln!(out, "  {errors} that only the caller can cause (`taw run --entry` shows them)")?;
        }
    }
    for Difference { test, was, is } in &document.differences {
        let now = if is.is_empty() { "there is no such call any more".to_owned() } else { is.join(", ") };
        writeln!(
            out,
            "{WARNING}changed{WARNING:#} {test}\n  expects {}\n  is      {}",
            Within(was.join(", ")),
            Within(now)
        )?;
    }
    let (tests, errors) = document.tests();
    writeln!(
        out,
        "\n{} and {} in {}",
        counted(tests, "test"),
        counted(errors, "known failure"),
        Within(&document.out)
    )?;
    writeln!(out, "coverage  lines {}, branches {}", share(document.coverage.lines), share(document.coverage.branches))
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What is not covered, by reason; lines behind a branch that is not taken are not said again.
fn uncovered_lines(uncovered: &[UncoveredRecord]) -> Vec<String> {
    let has_sides = uncovered.iter().any(|record| record.kind != "line");
    let shown = uncovered.iter().filter(|record| record.kind != "line" || !has_sides);
    let mut by_reason: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for record in shown {
        let text = fs::read_to_string(&record.file).unwrap_or_default();
        let text = text.lines().nth(record.line as usize - 1).unwrap_or_default().trim().to_owned();
        let side = if record.side.is_empty() { String::new() } else { format!(" {}", record.side) };
        let line = format!("  {}:{}{side}: {text}", record.file, record.line);
        by_reason.entry((record.reason, &record.why)).or_default().push(line);
    }
    let mut lines = Vec::new();
    for ((reason, why), mut places) in by_reason {
        places.dedup();
        let more = places.len().saturating_sub(PLACES);
        places.truncate(PLACES);
        lines.push(format!("not covered, {reason} ({why}):"));
        lines.extend(places);
        lines.extend((more > 0).then(|| format!("  and {more} more (--json has all)")));
    }
    lines
}

/// Tests that are not written, by reason.
fn dropped_lines(dropped: &[DroppedRecord]) -> Vec<String> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    dropped.iter().for_each(|test| by_reason.entry(&test.why).or_default().push(&test.test));
    let line = |(why, tests): (&str, Vec<&str>)| match &tests[..] {
        [one] => format!("not written: {one}: {why}"),
        all => format!("not written: {} and {} others: {why}", all[0], all.len() - 1),
    };
    by_reason.into_iter().map(line).collect()
}
