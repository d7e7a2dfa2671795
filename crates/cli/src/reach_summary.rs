//! What became of each target, on the terminal.

use std::io::{self, Write};
use std::path::Path;

use taw_report::Because;

use crate::reach_document::{ClosestRow, ReachDocument, RuleRow, TargetRow, TargetVerdict};
use crate::snippet;
use crate::style::{BOLD, ERROR, GOOD, WARNING};
use crate::summary::{counted, resting, show_call, show_figures, show_inputs};
use crate::terminal::Within;

/// Targets that are shown with all details; of more, a line each.
const DETAILED: usize = 20;

/// Writes the summary; `tests` is how many tests were kept.
pub(crate) fn show(out: &mut impl Write, run: &ReachDocument, dir: &Path, tests: usize) -> io::Result<()> {
    for row in &run.targets {
        let detailed = (run.targets.len() <= DETAILED).then_some(&run.conditions[..]);
        show_target(out, row, dir, detailed)?;
    }
    show_counts(out, run)?;
    show_rules(out, &run.by_rule)?;
    show_figures(out, &run.coverage, &run.stats)?;
    let tests = counted(tests as u64, "test", "tests");
    writeln!(out, "{BOLD}output{BOLD:#}    {} ({tests}, targets.json, coverage.lcov, stats.json)", run.out)
}

/// `detailed` has the conditions that were asked, if more than the verdict is wanted.
fn show_target(out: &mut impl Write, row: &TargetRow, dir: &Path, detailed: Option<&[String]>) -> io::Result<()> {
    let name = Within(&row.target);
    match row.verdict {
        TargetVerdict::Reached => {
            writeln!(out, "{GOOD}reached{GOOD:#} {BOLD}{name}{BOLD:#} after {:.2} s", row.time_s)?
        }
        TargetVerdict::Unreachable => write!(out, "{ERROR}unreachable{ERROR:#} {BOLD}{name}{BOLD:#}")?,
        TargetVerdict::Unknown => write!(out, "{WARNING}unknown{WARNING:#} {BOLD}{name}{BOLD:#}")?,
    }
    if let Some(reason) = row.reason.as_ref().filter(|_| row.verdict != TargetVerdict::Reached) {
        let lead = if row.unless.is_empty() { ":" } else { "" };
        writeln!(out, "{lead} {reason}{}", resting(&row.rests_on))?;
    }
    let Some(conditions) = detailed else { return Ok(()) };
    show_call(out, &row.call)?;
    show_inputs(out, &row.inputs)?;
    if row.confirmed {
        writeln!(out, "  {GOOD}confirmed{GOOD:#} by a native run")?;
    } else if let Some(unseen) = row.reason.as_ref().filter(|_| row.verdict == TargetVerdict::Reached) {
        writeln!(
            out,
            "  a native run {GOOD}gets there{GOOD:#}, but {WARNING}does not show the error{WARNING:#}: {unseen}"
        )?;
    }
    match &row.closest {
        _ if !row.conflict.is_empty() => show_conflict(out, &row.conflict, conditions)?,
        Some(closest) => show_closest(out, row.verdict, closest)?,
        None => {}
    }
    if let Some(test) = &row.test {
        writeln!(out, "  test: {}", dir.join(test).display())?;
    }
    writeln!(out)
}

fn show_closest(out: &mut impl Write, verdict: TargetVerdict, closest: &ClosestRow) -> io::Result<()> {
    let ClosestRow { distance, place, function, branch } = closest;
    let (place, function) = (Within(place), Within(function));
    if verdict == TargetVerdict::Unknown && *distance > 0 {
        let steps = counted(*distance, "instruction", "instructions");
        writeln!(out, "  the search came within {steps} of it, at {place} in {function}")?;
    }
    let Some(branch) = branch else { return Ok(()) };
    let never = if branch.must_hold { "never holds" } else { "always holds" };
    let never = if verdict == TargetVerdict::Unreachable { never.to_owned() } else { format!("{never} so far") };
    let text = branch.text.as_ref().map_or(String::new(), |text| format!(" `{text}`"));
    writeln!(out, "  the condition{text} at {place} {never}")
}

fn show_conflict(out: &mut impl Write, conflict: &[Because], conditions: &[String]) -> io::Result<()> {
    for (index, branch) in conflict.iter().enumerate() {
        let held = if branch.held { "holds" } else { "does not hold" };
        let at = branch.at.file.as_deref().zip(branch.at.line);
        let text = at.and_then(|(file, line)| snippet::condition_among(conditions, file, line, branch.at.column));
        let text = text.map_or(String::new(), |text| format!(" `{text}`"));
        let lead = match (index, conflict.len()) {
            (_, 1) => "never does it happen that",
            (0, _) => "never together:",
            _ => "               ",
        };
        writeln!(out, "  {lead} the condition{text} at {} {held}", Within(branch.at.place()))?;
    }
    Ok(())
}

/// What became of the results of other tools, a line for each of their rules.
fn show_rules(out: &mut impl Write, rules: &[RuleRow]) -> io::Result<()> {
    let width = rules.iter().map(|row| row.results.to_string().len()).max().unwrap_or(0);
    for (index, row) in rules.iter().enumerate() {
        let lead = if index == 0 { "by rule" } else { "" };
        let counts = [(row.reached, "reached"), (row.unreachable, "unreachable"), (row.unknown, "unknown")];
        let parts: Vec<String> = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        writeln!(out, "{BOLD}{lead:9}{BOLD:#} {:>width$} {}: {}", row.results, Within(&row.rule), parts.join(", "))?;
    }
    Ok(())
}

fn show_counts(out: &mut impl Write, run: &ReachDocument) -> io::Result<()> {
    let total = counted(run.targets.len() as u64, "target", "targets");
    let counts = [(run.reached, "reached"), (run.unreachable, "unreachable"), (run.unknown, "unknown")];
    let parts: Vec<String> = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    writeln!(out, "{BOLD}{total}{BOLD:#}: {}", if parts.is_empty() { "none".into() } else { parts.join(", ") })?;
    let paths = &run.paths;
    let ended = paths.completed + paths.errored + paths.unknown;
    writeln!(
        out,
        "{BOLD}paths{BOLD:#}     {}, {} pending, {} dropped because they lead to no target",
        counted(ended, "ended", "ended"),
        paths.pending,
        run.dropped
    )?;
    if let Some(backward) = run.backward.as_ref().filter(|backward| backward.slices > 0) {
        let slices = counted(backward.slices, "slice", "slices");
        writeln!(out, "{BOLD}slices{BOLD:#}    {slices} of the program; {} decided so", backward.sliced)?;
    }
    if let Some(backward) = run.backward.as_ref().filter(|backward| backward.functions + backward.points > 0) {
        writeln!(
            out,
            "{BOLD}backward{BOLD:#}  from {} and {} in functions: {} found, {} taken up by a caller, {} in vain; {} reached so",
            counted(backward.functions, "function", "functions"),
            counted(backward.points, "place", "places"),
            counted(backward.found, "path", "paths"),
            backward.stitched,
            backward.refuted,
            backward.decisive
        )?;
    }
    if let Some(backward) = run.backward.as_ref().filter(|backward| backward.segments > 0) {
        writeln!(
            out,
            "{BOLD}backward{BOLD:#}  {} of ways back from targets, {} skipped; {} followed to the beginning",
            counted(backward.segments, "segment", "segments"),
            counted(backward.skipped, "condition", "conditions"),
            counted(backward.wholes, "way", "ways")
        )?;
    }
    if run.findings > 0 {
        let errors = counted(run.findings as u64, "error", "errors");
        writeln!(out, "          {WARNING}{errors}{WARNING:#} met on the way, in {}/findings", run.out)?;
    }
    run.notes.iter().try_for_each(|note| writeln!(out, "{BOLD}note{BOLD:#}      {note}"))
}
