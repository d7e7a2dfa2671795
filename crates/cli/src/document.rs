//! From the explorer's summary to the document of `--json` and to `stats.json`.

use std::fs;

use serde::Serialize;
use taw_explore::Summary;
use taw_report::{CoverageTotals, Document, FileCoverage, OutputDir, Paths, Statistics};

use crate::plot::{self, PointRow};

/// The document of a run that ended.
pub(crate) fn document(summary: &Summary, files: &[FileCoverage], out: &OutputDir<'_>) -> Document {
    let paths = &summary.paths;
    Document {
        paths: Paths {
            completed: paths.completed,
            errored: paths.errored,
            pending: paths.pending,
            unknown: paths.unknown,
        },
        exhaustive: summary.incomplete.is_empty(),
        findings: out.findings().to_vec(),
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
        },
        out: out.dir().display().to_string(),
    }
}

/// `stats.json`: the document, and what is of interest to few.
#[derive(Serialize)]
pub(crate) struct FullStatistics<'a> {
    #[serde(flatten)]
    document: &'a Document,
    /// Why the run was not exhaustive.
    incomplete: &'a [String],
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
        incomplete: &summary.incomplete,
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
