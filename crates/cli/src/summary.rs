//! The summary on the terminal: each finding at its source line, then the figures.

use std::io::{self, Write};
use std::path::Path;

use indicatif::HumanCount;
use taw_report::{
    Because, ConcolicRecord, Confirmed, CoverageTotals, Document, FindingRecord, InputRecord, Share, Statistics,
};

use crate::style::{BOLD, ERROR, FRAME, GOOD, WARNING};
use crate::terminal::Within;
use crate::{functions, snippet};

/// Characters of a value that are shown; the test has the rest.
const VALUE_WIDTH: usize = 72;
/// Inputs that are shown of a finding; the test has the rest.
const INPUTS_SHOWN: usize = 12;

/// Branches that are shown of a finding; its file has the rest.
const BRANCHES_SHOWN: usize = 6;

/// Writes the summary. `tests` says how many tests were written.
pub(crate) fn show(out: &mut impl Write, run: &Document, tests: usize) -> io::Result<()> {
    let mut heading = None;
    for finding in run.findings.iter().filter(|finding| !finding.is_left_out()) {
        let of_finding = finding.heading();
        if let Some(text) = of_finding.filter(|_| of_finding != heading) {
            writeln!(out, "{FRAME}==={FRAME:#} {BOLD}{text}{BOLD:#}\n")?;
        }
        heading = of_finding;
        show_finding(out, finding, Path::new(&run.out))?;
    }
    functions::show(out, &run.functions)?;
    show_verdict(out, run)?;
    show_figures(out, &run.coverage, &run.stats)?;
    writeln!(
        out,
        "{BOLD}output{BOLD:#}    {} ({}, coverage.lcov, stats.json)",
        run.out,
        counted(tests as u64, "test", "tests")
    )
}

/// What is wrong, and the source line.
pub(crate) fn show_place(out: &mut impl Write, finding: &FindingRecord) -> io::Result<()> {
    writeln!(out, "{ERROR}{}{ERROR:#}{BOLD}: {}{BOLD:#}", finding.kind, Within(&finding.message))?;
    let place = format!("{} in {}", finding.place(), finding.function);
    match (&finding.file, finding.line) {
        (Some(file), Some(line)) => snippet::show(out, &place, file, line, finding.column),
        _ => writeln!(out, "  in {}", Within(finding.place())),
    }
}

fn show_finding(out: &mut impl Write, finding: &FindingRecord, dir: &Path) -> io::Result<()> {
    show_place(out, finding)?;
    for frame in finding.stack.iter().skip_while(|frame| !frame.user).skip(1) {
        writeln!(out, "  called from {} ({})", Within(&frame.function), Within(frame.place()))?;
    }
    show_caller(out, finding)?;
    show_api(out, finding, dir)?;
    show_call(out, &finding.call)?;
    show_inputs(out, &finding.inputs)?;
    show_because(out, &finding.because)?;
    if finding.count > 1 {
        writeln!(out, "  seen on {}", counted(finding.count, "path", "paths"))?;
    }
    show_confirmation(out, finding)?;
    writeln!(out, "  test: {}", Within(dir.join(&finding.test).display()))?;
    let raw = Path::new(&finding.test).file_stem().map(|name| dir.join("corpus").join(name));
    if let Some(raw) = raw.filter(|raw| raw.is_file()) {
        writeln!(out, "  input for the fuzzer: {}", raw.display())?;
    }
    writeln!(out)
}

/// What it asks of the caller, and the option that would exclude it.
pub(crate) fn show_caller(out: &mut impl Write, finding: &FindingRecord) -> io::Result<()> {
    let Some(caller) = &finding.caller else { return Ok(()) };
    writeln!(out, "  {BOLD}{}{BOLD:#}", Within(&caller.says))?;
    match &caller.propose {
        Some(option) => writeln!(out, "  hint: {} excludes it, if callers keep to that", Within(option)),
        None => Ok(()),
    }
}

/// Whether calls of the library's own functions lead to it.
pub(crate) fn show_api(out: &mut impl Write, finding: &FindingRecord, dir: &Path) -> io::Result<()> {
    let Some(api) = &finding.api else { return Ok(()) };
    match &api.test {
        None => writeln!(out, "  {}", Within(&api.says)),
        Some(test) => {
            writeln!(out, "  {BOLD}{}{BOLD:#}:", Within(&api.says))?;
            api.c.iter().try_for_each(|line| writeln!(out, "       {BOLD}{}{BOLD:#}", Within(line)))?;
            match &api.confirmation {
                None => writeln!(out, "       {GOOD}confirmed{GOOD:#} by a native run")?,
                Some(why) => writeln!(out, "       {WARNING}{}{WARNING:#}", Within(why))?,
            }
            writeln!(out, "       test: {}", Within(dir.join(test).display()))
        }
    }
}

/// What the native run says of it.
pub(crate) fn show_confirmation(out: &mut impl Write, finding: &FindingRecord) -> io::Result<()> {
    let why = finding.confirmation.as_deref().unwrap_or_default();
    let reason = if why.is_empty() { String::new() } else { format!(": {why}") };
    match finding.confirmed {
        None => Ok(()),
        Some(Confirmed::Yes) if why.is_empty() => writeln!(out, "  {GOOD}confirmed{GOOD:#} by a native run"),
        Some(Confirmed::Yes) => writeln!(out, "  {GOOD}confirmed{GOOD:#} by a native run ({why})"),
        Some(Confirmed::No) => writeln!(out, "  {WARNING}not confirmed{WARNING:#}{reason}"),
        Some(Confirmed::Diverged) => writeln!(
            out,
            "  {ERROR}diverged{ERROR:#}{reason}\n  The native run contradicts this finding: that is a bug in Taw, please report it."
        ),
    }
}

/// The last branches that led here, each with its source text.
pub(crate) fn show_because(out: &mut impl Write, because: &[Because]) -> io::Result<()> {
    let skipped = because.len().saturating_sub(BRANCHES_SHOWN);
    for (index, branch) in because.iter().skip(skipped).enumerate() {
        let lead = if index == 0 { "after" } else { "     " };
        let held = if branch.held { "held" } else { "did not hold" };
        let text = branch.at.file.as_deref().zip(branch.at.line).and_then(|(file, line)| snippet::line(file, line));
        let text = text.map_or(String::new(), |text| format!(": {}", text.trim()));
        writeln!(out, "  {lead} the condition at {} {held}{text}", Within(branch.at.place()))?;
    }
    Ok(())
}

/// What an entry was called with, as C.
pub(crate) fn show_call(out: &mut impl Write, lines: &[String]) -> io::Result<()> {
    let skipped = lines.len().saturating_sub(INPUTS_SHOWN);
    for (index, line) in lines.iter().skip(skipped).enumerate() {
        let lead = if index == 0 { "call" } else { "    " };
        writeln!(out, "  {lead} {BOLD}{}{BOLD:#}", Within(line))?;
    }
    if skipped > 0 {
        writeln!(out, "       and {skipped} more objects in the test")?;
    }
    Ok(())
}

/// The values of inputs, as far as they fit.
pub(crate) fn show_inputs(out: &mut impl Write, inputs: &[InputRecord]) -> io::Result<()> {
    let width = inputs.iter().take(INPUTS_SHOWN).map(|input| input.name.chars().count()).max().unwrap_or(0);
    // A column is for names that fit one, and formatting panics at a width that no line has.
    let width = width.min(VALUE_WIDTH);
    for (index, input) in inputs.iter().take(INPUTS_SHOWN).enumerate() {
        let lead = if index == 0 { "with" } else { "    " };
        writeln!(
            out,
            "  {lead} {BOLD}{:width$}{BOLD:#} = {}",
            Within(shortened(&input.name)),
            shortened(&input.value)
        )?;
    }
    if inputs.len() > INPUTS_SHOWN {
        writeln!(out, "       and {} more inputs in the test", inputs.len() - INPUTS_SHOWN)?;
    }
    Ok(())
}

fn shortened(value: &str) -> String {
    if value.chars().count() <= VALUE_WIDTH {
        return value.to_owned();
    }
    let start: String = value.chars().take(VALUE_WIDTH).collect();
    format!("{start}... (the test has all of it)")
}

fn show_verdict(out: &mut impl Write, run: &Document) -> io::Result<()> {
    match run.findings.len() - run.left_out {
        0 if run.undecided.is_some() => {
            let why = run.undecided.as_deref().unwrap_or_default();
            writeln!(out, "{WARNING}nothing was decided{WARNING:#}: {why}")?;
        }
        0 => writeln!(out, "{GOOD}no errors found{GOOD:#}")?,
        1 => writeln!(out, "{ERROR}1 error found{ERROR:#}")?,
        n => writeln!(out, "{ERROR}{n} errors found{ERROR:#}")?,
    }
    if run.left_out > 0 {
        let more = counted(run.left_out as u64, "error", "errors");
        writeln!(
            out,
            "{WARNING}{more} left out{WARNING:#}: a parameter that is null or the same as another explains it (--quiet-preconditions)"
        )?;
    }
    let paths = &run.paths;
    let mut parts = vec![format!("{} completed", HumanCount(paths.completed))];
    let others = [(paths.errored, "with errors"), (paths.pending, "pending"), (paths.unknown, "unknown")];
    parts.extend(others.iter().filter(|(n, _)| *n > 0).map(|&(n, what)| format!("{} {what}", HumanCount(n))));
    writeln!(out, "{BOLD}paths{BOLD:#}     {}", parts.join(", "))?;
    if run.exhaustive {
        writeln!(
            out,
            "          {GOOD}exhaustive{GOOD:#}: every feasible path was explored{}",
            resting(&run.rests_on)
        )?;
    } else {
        writeln!(out, "          {WARNING}not exhaustive{WARNING:#}: {}", run.incomplete.join("; "))?;
    }
    run.notes.iter().try_for_each(|note| writeln!(out, "{BOLD}note{BOLD:#}      {note}"))
}

/// What a verdict rests on, after it.
pub(crate) fn resting(on: &[String]) -> String {
    if on.is_empty() { String::new() } else { format!(", if {}", on.join(", and ")) }
}

/// Coverage and effort.
pub(crate) fn show_figures(out: &mut impl Write, coverage: &CoverageTotals, stats: &Statistics) -> io::Result<()> {
    let (lines, branches) = (share(coverage.lines), share(coverage.branches));
    writeln!(out, "{BOLD}coverage{BOLD:#}  lines {lines}, branches {branches}")?;
    if let Some(concolic) = &stats.concolic {
        show_concolic(out, concolic)?;
    }
    writeln!(
        out,
        "{BOLD}effort{BOLD:#}    {}, {}, {} in {:.2} s (solver {:.2} s), at most {}, {:.0} MB",
        counted(stats.instructions, "instruction", "instructions"),
        counted(stats.forks, "fork", "forks"),
        counted(stats.queries, "query", "queries"),
        stats.wall_s,
        stats.solver_s,
        counted(stats.peak_states as u64, "state", "states"),
        stats.peak_rss_mb,
    )
}

/// Runs and questions of concolic testing.
fn show_concolic(out: &mut impl Write, concolic: &ConcolicRecord) -> io::Result<()> {
    write!(
        out,
        "{BOLD}concolic{BOLD:#}  {}, {} with {:.1} conditions in the mean and {} at most",
        counted(concolic.runs, "run", "runs"),
        counted(concolic.solver_calls, "solver call", "solver calls"),
        concolic.mean_conditions,
        concolic.largest_conditions,
    )?;
    let impossible = (concolic.impossible, "of the other ways impossible");
    let rest =
        [impossible, (concolic.unanswered, "not answered"), (concolic.mispredicted, "runs that went another way")];
    for (count, what) in rest.iter().filter(|(count, _)| *count > 0) {
        write!(out, ", {count} {what}")?;
    }
    writeln!(out)
}

/// A number with the word for it.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", HumanCount(n), if n == 1 { one } else { many })
}

pub(crate) fn share(share: Share) -> String {
    match share.total {
        0 => "none".into(),
        total => format!("{} of {total} ({:.0} %)", share.covered, 100.0 * share.covered as f64 / total as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taw_report::{Paths, StackFrame};

    fn input(name: &str, value: &str) -> InputRecord {
        InputRecord { name: name.into(), ty: "int".into(), bytes: "00".into(), value: value.into() }
    }

    fn document(findings: Vec<FindingRecord>) -> Document {
        Document {
            paths: Paths { completed: 2, errored: 1, pending: 0, unknown: 0 },
            exhaustive: false,
            incomplete: vec!["--max-paths was reached".into()],
            incomplete_codes: vec!["limit-paths".into()],
            rests_on: Vec::new(),
            left_out: 0,
            undecided: None,
            notes: Vec::new(),
            findings,
            functions: Vec::new(),
            coverage: CoverageTotals { lines: Share { covered: 1, total: 4 }, branches: Share::default() },
            stats: Statistics { instructions: 12345, ..Default::default() },
            out: "taw-out-0".into(),
        }
    }

    fn finding() -> FindingRecord {
        let frame =
            |function: &str, user| StackFrame { function: function.into(), file: None, line: None, column: None, user };
        FindingRecord {
            kind: "abort".into(),
            message: "the program aborts".into(),
            file: None,
            line: None,
            column: None,
            function: "f".into(),
            stack: vec![frame("abort", false), frame("f", true), frame("main", true)],
            test: "tests/000002.json".into(),
            because: Vec::new(),
            count: 3,
            confirmed: Some(Confirmed::No),
            confirmation: Some("it hides".into()),
            caller: None,
            api: None,
            call: Vec::new(),
            inputs: vec![input("x", "-1"), input("long", &"9".repeat(200))],
        }
    }

    fn text(run: &Document) -> String {
        let mut out = Vec::new();
        show(&mut out, run, 2).unwrap();
        anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
    }

    #[test]
    fn a_finding_shows_place_stack_inputs_and_test() {
        let shown = text(&document(vec![finding()]));
        for part in [
            "abort: the program aborts",
            "called from main",
            "with x    = -1",
            "999... (the test has all of it)",
            "seen on 3 paths",
            "not confirmed: it hides",
            "test: taw-out-0/tests/000002.json",
            "1 error found",
            "paths     2 completed, 1 with errors",
            "not exhaustive: --max-paths was reached",
            "lines 1 of 4 (25 %), branches none",
            "12,345 instructions",
        ] {
            assert!(shown.contains(part), "{part:?} is missing in\n{shown}");
        }
        assert!(!shown.contains("called from f"), "the place itself is not a caller:\n{shown}");
    }

    #[test]
    fn a_name_may_be_of_any_length() {
        let long = FindingRecord { inputs: vec![input(&"n".repeat(100_000), "1")], ..finding() };
        assert!(text(&document(vec![long])).contains("nnn... (the test has all of it) = 1"));
    }

    #[test]
    fn nothing_found_is_said_first() {
        let run = Document { exhaustive: true, ..document(Vec::new()) };
        assert!(text(&run).starts_with("no errors found\n"));
        assert!(text(&run).contains("exhaustive: every feasible path"));
    }
}
