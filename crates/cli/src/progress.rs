//! The line that moves while a run lasts, only on a terminal; and the table of the same for other programs.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use taw_explore::Snapshot;

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::over_time::OverTime;
use crate::terminal;

/// The progress line on standard error.
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    table: OverTime,
    /// Time and queries at the last look, for the rate.
    last: (Duration, u64),
    rate: f64,
}

impl ProgressLine {
    /// A line, or nothing if standard error is not a terminal; and the table that the user wants.
    pub(crate) fn new(args: &RunArgs) -> Result<Self, Failure> {
        let table = OverTime::new(args.output.stats.as_deref())?;
        let bar = if stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{spinner} {wide_msg}").expect("the template is well-formed");
        bar.set_style(style);
        Ok(ProgressLine { bar, table, last: (Duration::ZERO, 0), rate: 0.0 })
    }

    /// Shows where the run is, and how many different errors it has found.
    pub(crate) fn show(&mut self, now: &Snapshot, findings: usize) {
        self.table.note(now);
        if self.bar.is_hidden() {
            return;
        }
        let since = now.elapsed.saturating_sub(self.last.0).as_secs_f64();
        // Rates over less than half a second jump about.
        if since >= 0.5 {
            self.rate = now.queries.saturating_sub(self.last.1) as f64 / since;
            self.last = (now.elapsed, now.queries);
        }
        self.bar.set_message(line(now, findings, self.rate));
        self.bar.tick();
    }

    /// Says something above the line.
    pub(crate) fn above(&self) -> impl Fn(fmt::Arguments<'_>) + use<> {
        let bar = self.bar.clone();
        move |text| bar.suspend(|| terminal::tell(text))
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn line(now: &Snapshot, findings: usize, rate: f64) -> String {
    let paths = now.paths.completed + now.paths.errored + now.paths.unknown;
    let percent = match now.covered {
        (_, 0) => 0.0,
        (covered, total) => 100.0 * covered as f64 / total as f64,
    };
    let found = match now.reached {
        (_, 0) => format!("{findings} findings"),
        (reached, total) => format!("{reached} of {total} targets"),
    };
    format!(
        "{}  {} paths, {found}, {percent:.0} % covered, {} states, {rate:.0} queries/s",
        HumanDuration(Duration::from_secs(now.elapsed.as_secs())),
        HumanCount(paths),
        HumanCount(now.states as u64),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use taw_explore::PathCounts;

    #[test]
    fn the_line_says_what_matters() {
        let now = Snapshot {
            paths: PathCounts { completed: 1200, errored: 3, pending: 9, unknown: 1, silent: 0 },
            states: 42,
            stats: Default::default(),
            queries: 100,
            covered: (1, 3),
            reached: (0, 0),
            terms: 0,
            resident: 0,
            elapsed: Duration::from_millis(61_500),
        };
        let text = line(&now, 2, 12.3);
        assert!(text.ends_with("1,204 paths, 2 findings, 33 % covered, 42 states, 12 queries/s"), "{text}");
        let text = line(&Snapshot { reached: (3, 7), ..now }, 2, 12.3);
        assert!(text.contains("paths, 3 of 7 targets, 33 %"), "{text}");
    }
}
