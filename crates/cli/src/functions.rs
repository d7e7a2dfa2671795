//! Functions as places to start at: listed before a run (`--list`), and with what came of each after it (`--entry each`).

use std::io::{self, Write};

use serde::Serialize;
use taw::{EntryOutcome, Listed, Prepared, Program};
use taw_report::{CoverageTotals, FunctionRecord, Paths, function_coverage, sentences};

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::run::ExitAnswer;
use crate::settings;
use crate::style::{BOLD, ERROR, GOOD, WARNING};
use crate::summary::share;
use crate::terminal::{self, Within};

/// A function as `--list --json` shows it.
#[derive(Serialize)]
struct ListedRow<'l> {
    function: &'l str,
    declared: &'l str,
    file: Option<&'l str>,
    line: Option<u32>,
    /// Whether no other function calls it.
    outermost: bool,
    /// Why paths cannot start there.
    obstacle: Option<&'l str>,
}

/// Lists the functions, and explores nothing.
pub(crate) fn list(args: &RunArgs) -> Result<ExitAnswer, Failure> {
    let program = Program::compile(args.files.clone(), &settings::compile(args).on_warning(terminal::pass_on))?;
    // What was not said is not meant.
    let asked: &[String] = if args.entry == ["main"] { &[] } else { &args.entry };
    let listed = taw::listed(&program, asked)?;
    let mut out = terminal::stdout();
    match args.output.json {
        true => show_json(&mut out, &listed)?,
        false => listed.iter().try_for_each(|listed| show_listed(&mut out, listed))?,
    }
    out.flush()?;
    Ok(ExitAnswer::Clean)
}

fn show_json(out: &mut impl Write, listed: &[Listed]) -> io::Result<()> {
    let rows: Vec<ListedRow<'_>> = listed.iter().map(row).collect();
    writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)
}

fn row(listed: &Listed) -> ListedRow<'_> {
    let Listed { function, declared, place, outermost, obstacle } = listed;
    let (file, line) = place.as_ref().map(|(file, line)| (file.as_str(), *line)).unzip();
    ListedRow { function, declared, file, line, outermost: *outermost, obstacle: *obstacle }
}

fn show_listed(out: &mut impl Write, listed: &Listed) -> io::Result<()> {
    let place = listed.place.as_ref().map_or(String::new(), |(file, line)| format!("{file}:{line}: "));
    write!(out, "{}{BOLD}{}{BOLD:#}", Within(&place), Within(&listed.declared))?;
    match (listed.obstacle, listed.outermost) {
        (Some(why), _) => writeln!(out, "  {WARNING}cannot start{WARNING:#}: {why}"),
        (None, true) => writeln!(out, "  no other calls it"),
        (None, false) => writeln!(out),
    }
}

/// What came of each function, for the document.
pub(crate) fn records(prepared: &Prepared<'_>, each: &[EntryOutcome]) -> Vec<FunctionRecord> {
    if each.is_empty() {
        return Vec::new();
    }
    let program = prepared.program().code();
    let record = |outcome: &EntryOutcome| {
        let coverage = program.function_named(&outcome.function);
        let paths = &outcome.paths;
        FunctionRecord {
            function: outcome.function.clone(),
            not_started: None,
            paths: Paths {
                completed: paths.completed,
                errored: paths.errored,
                pending: paths.pending,
                unknown: paths.unknown,
            },
            exhaustive: outcome.incomplete.is_empty(),
            incomplete: sentences(&outcome.incomplete, program),
            findings: outcome.findings,
            coverage: coverage.map(|id| function_coverage(program, &outcome.coverage, id)).unwrap_or_default(),
        }
    };
    let not_started = prepared.not_started().map(|(function, why)| FunctionRecord {
        function: function.to_owned(),
        not_started: Some(why.to_owned()),
        paths: Paths::default(),
        exhaustive: false,
        incomplete: Vec::new(),
        findings: 0,
        coverage: CoverageTotals::default(),
    });
    each.iter().map(record).chain(not_started).collect()
}

/// What came of each function, a line each.
pub(crate) fn show(out: &mut impl Write, functions: &[FunctionRecord]) -> io::Result<()> {
    let width = functions.iter().map(|record| record.function.chars().count()).max().unwrap_or(0).min(32);
    for record in functions {
        write!(out, "{BOLD}{:<width$}{BOLD:#}  ", Within(&record.function).to_string())?;
        if let Some(why) = &record.not_started {
            writeln!(out, "{WARNING}not started{WARNING:#}: {why}")?;
            continue;
        }
        match record.findings {
            0 => write!(out, "{GOOD}no errors{GOOD:#}")?,
            1 => write!(out, "{ERROR}1 error{ERROR:#}")?,
            n => write!(out, "{ERROR}{n} errors{ERROR:#}")?,
        }
        let how = if record.exhaustive { "exhaustive" } else { "not exhaustive" };
        writeln!(out, ", lines {}, {how}", share(record.coverage.lines))?;
    }
    if functions.is_empty() { Ok(()) } else { writeln!(out) }
}
