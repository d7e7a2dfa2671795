//! `--stats`: how a run goes over time, as a table for other programs; a line every second.
//!
//! Boundary: what [`Snapshot`] knows and no more. A line that cannot be written ends the table, not the run.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use taw_explore::Snapshot;

use crate::failure::Failure;
use crate::style::WARNING;
use crate::terminal;

const HEAD: &str = "seconds,instructions,paths,errors,states,queries,terms,collections,covered,reached,resident_bytes";
const EVERY: Duration = Duration::from_secs(1);

/// The table, if one is wanted.
pub(crate) struct OverTime {
    file: Option<(File, PathBuf)>,
    /// When the next line is due.
    next: Duration,
}

impl OverTime {
    /// Begins the table.
    pub(crate) fn new(path: Option<&Path>) -> Result<Self, Failure> {
        let begin = |path: &Path| {
            let mut file = File::create(path)?;
            writeln!(file, "{HEAD}")?;
            Ok((file, path.to_owned()))
        };
        let file = path.map(|path| {
            begin(path).map_err(|error: io::Error| {
                Failure::Message(format!("cannot write the table `{}`: {error}", path.display()))
            })
        });
        Ok(OverTime { file: file.transpose()?, next: Duration::ZERO })
    }

    /// Adds a line if it is time for one.
    pub(crate) fn note(&mut self, now: &Snapshot) {
        let Some((file, path)) = self.file.as_mut().filter(|_| now.elapsed >= self.next) else { return };
        self.next = now.elapsed + EVERY;
        if let Err(error) = writeln!(file, "{}", line(now)) {
            terminal::tell(format_args!(
                "{WARNING}warning{WARNING:#}: the table `{}` is not complete: {error}",
                path.display()
            ));
            self.file = None;
        }
    }
}

fn line(now: &Snapshot) -> String {
    let paths = now.paths.completed + now.paths.errored + now.paths.unknown;
    format!(
        "{:.3},{},{paths},{},{},{},{},{},{},{},{}",
        now.elapsed.as_secs_f64(),
        now.stats.instructions,
        now.paths.errored,
        now.states,
        now.queries,
        now.terms,
        now.stats.collections,
        now.covered.0,
        now.reached.0,
        now.resident,
    )
}
