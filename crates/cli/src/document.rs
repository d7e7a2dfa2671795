//! From the explorer's summary to the document of `--json` and to `stats.json`.

use std::fs;

use serde::Serialize;
use taw_engine::Premise;
use taw_explore::{ConcolicCounts, PathCounts, Summary};
use taw_report::{
    ConcolicRecord, CoverageTotals, Document, FileCoverage, FindingRecord, OutputDir, Paths, Places, StackFrame,
    Statistics, codes, premises_in_words, sentences,
};

use crate::plot::{self, PointRow};

/// The document of a run that ended.
pub(crate) fn document(
    summary: &Summary,
    files: &[FileCoverage],
    out: &OutputDir<'_>,
    places: &Places<'_>,
    notes: Vec<String>,
) -> Document {
    let paths = &summary.paths;
    let mut findings = out.findings().to_vec();
    findings.sort_by_key(FindingRecord::order);
    Document {
        paths: Paths {
            completed: paths.completed,
            errored: paths.errored,
            pending: paths.pending,
            unknown: paths.unknown,
        },
        exhaustive: summary.incomplete.is_empty(),
        incomplete: sentences(&summary.incomplete, places.program()),
        incomplete_codes: codes(&summary.incomplete),
        rests_on: premises_in_words(&summary.premises, places.program()),
        left_out: 0,
        undecided: undecided(summary, out.findings().iter().filter(|finding| !finding.is_left_out()).count(), places),
        notes,
        findings,
        functions: Vec::new(),
        coverage: CoverageTotals::of(files),
        stats: Statistics {
            instructions: summary.stats.instructions,
            forks: summary.stats.forks,
            queries: summary.queries,
            solver_s: summary.solver_time.as_secs_f64(),
            wall_s: summary.wall_time.as_secs_f64(),
            peak_states: summary.peak_states,
            shed: summary.shed,
            peak_rss_mb: peak_rss_mb(),
            concolic: summary.concolic.map(concolic),
        },
        out: out.dir().display().to_string(),
    }
}

fn concolic(counts: ConcolicCounts) -> ConcolicRecord {
    ConcolicRecord {
        runs: counts.runs,
        solver_calls: counts.calls,
        mean_conditions: counts.mean(),
        largest_conditions: counts.largest,
        turns: counts.turns,
        impossible: counts.impossible,
        unanswered: counts.unanswered,
        mispredicted: counts.mispredicted,
    }
}

/// Why a run without findings shows nothing, if it shows nothing.
fn undecided(summary: &Summary, findings: usize, places: &Places<'_>) -> Option<String> {
    let PathCounts { completed, errored, pending, unknown, silent } = summary.paths;
    if findings > 0 || completed + silent > 0 {
        return None;
    }
    let assumed = contradiction(summary, places).filter(|_| errored + pending + unknown == 0);
    Some(assumed.unwrap_or_else(|| "no path was completed".to_owned()))
}

/// That no path got past the assumptions, with their places, if there are any.
pub(crate) fn contradiction(summary: &Summary, places: &Places<'_>) -> Option<String> {
    let frames = places.stack(&summary.assumptions);
    let at: Vec<String> = frames.iter().map(StackFrame::place).collect();
    let of_start = |premise: &&Premise| matches!(premise, Premise::Holds(..) | Premise::Accepts(..));
    let at_start = premises_in_words(summary.premises.iter().filter(of_start), places.program());
    match &at[..] {
        [] if at_start.is_empty() => None,
        [] => Some(format!("it never happens that {}", at_start.join(" and "))),
        [one] => Some(format!("no path gets past the assumption at {one}")),
        _ => Some(format!("no path gets past the assumptions, which contradict each other: {}", at.join(", "))),
    }
}

/// `stats.json`: the document, and what is of interest to few.
#[derive(Serialize)]
pub(crate) struct FullStatistics<'a> {
    #[serde(flatten)]
    document: &'a Document,
    /// What was covered and reached, over time.
    curve: Vec<PointRow>,
    /// The stages of the solver, outermost first.
    stages: Vec<StageRow<'a>>,
    /// Conditions that the heuristic search evaluated.
    evaluations: u64,
    /// Those in searches that found a model.
    useful_evaluations: u64,
}

#[derive(Serialize)]
struct StageRow<'a> {
    stage: &'a str,
    asked: u64,
    answered: u64,
    seconds: f64,
}

/// Everything that was counted.
pub(crate) fn full_statistics<'a>(document: &'a Document, summary: &'a Summary) -> FullStatistics<'a> {
    let row = |(stage, asked, answered, time): &'a (String, u64, u64, std::time::Duration)| StageRow {
        stage,
        asked: *asked,
        answered: *answered,
        seconds: time.as_secs_f64(),
    };
    let stages = summary.stages.iter().map(row).collect();
    FullStatistics {
        document,
        curve: plot::rows(summary),
        stages,
        evaluations: summary.evaluations,
        useful_evaluations: summary.useful_evaluations,
    }
}

/// The most memory this process ever had, in MB; 0 where the system does not say.
fn peak_rss_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

#[cfg(test)]
mod tests {
    #[test]
    fn this_process_has_used_memory() {
        assert!(super::peak_rss_mb() > 0.1);
    }
}
