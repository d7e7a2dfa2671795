//! The output directory: every test and finding is in it the moment it is found.
//!
//! ```text
//! DIR/.taw-output              the marker that proves the directory Taw's (`claim.rs`)
//! DIR/command.json             the command line, where and by which version
//! DIR/tests/exit-0-HASH.json   one file per test that is worth it (`keep`), named by content
//! DIR/findings/001-KIND.json   one file per finding, with the test that shows it
//! DIR/targets.json             what became of each target (`taw reach`)
//! DIR/targets.sarif            the same in the log of another tool that asked for them
//! DIR/coverage.lcov            lines, branches and functions of the user's code
//! DIR/stats.json               the document of `--json`, with what only statisticians want
//! DIR/FORMAT/                  the tests that were kept in another format (`--emit`)
//! ```
//! The last three, and the counts of findings, are written at the end of the run, when tests that need not stay go.
//!
//! An earlier output stays until there is something to put in its place, so that no mistake in a command costs results. What
//! Taw has not written stays for ever (`owned.rs`).

mod claim;
mod numbered;
mod owned;

pub(crate) use owned::{is_number, is_test};

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use taw_engine::{Coverage, Judgement, Outcome, Sink, TestCase, UserNumbers};

use claim::Claim;
use taw_files::write_atomically;

use crate::api::ApiRecord;
use crate::findings::{Because, Confirmed, FindingRecord, Findings, Seen};
use crate::keep::{Keep, KeptTests};
use crate::place::Places;
use crate::recipe::Recipe;
use crate::spot::Spot;
use crate::test_file::TestFile;
use crate::writer::{TestWriter, compact};

const COMMAND: &str = "command.json";
const TESTS: &str = "tests";
const FINDINGS: &str = "findings";
const COVERAGE: &str = "coverage.lcov";
const STATS: &str = "stats.json";
/// What became of the targets of `taw reach`.
pub const TARGETS: &str = "targets.json";
/// What became of them in the SARIF log that asked for them.
pub const TARGETS_SARIF: &str = "targets.sarif";

/// Of `command.json`, in bytes: somebody else may have written it.
const LARGEST: u64 = 64 << 20;

/// Which directory to write to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Destination {
    /// This one: new, empty, or an earlier output directory, whose output is then replaced.
    Named(PathBuf),
    /// A fresh `taw-out-N` in the given folder, with `taw-last` pointing at it.
    NumberedIn(PathBuf),
}

/// What is kept of the command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommandRecord {
    /// Version of Taw.
    pub taw: String,
    /// The command line.
    pub command: Vec<String>,
    /// The directory it was given in.
    pub directory: String,
    /// What is needed to build the program natively.
    pub program: Recipe,
}

impl CommandRecord {
    /// Reads the command of an output directory.
    ///
    /// # Errors
    /// In words, with the way out.
    pub fn read(dir: &Path) -> Result<Self, String> {
        let path = dir.join(COMMAND);
        let text = taw_files::read_regular(&path, LARGEST).map_err(|error| {
            format!("`{}` is not an output directory of Taw: cannot read `{}`: {error}", dir.display(), path.display())
        })?;
        serde_json::from_slice(&text).map_err(|error| {
            format!("`{}` does not tell the program: {error}; run `taw run` again to write it anew", path.display())
        })
    }
}

/// An output directory that could not be made or written.
#[derive(Debug)]
pub struct OutputError {
    path: PathBuf,
    why: Why,
}

#[derive(Debug)]
enum Why {
    NotOurs,
    /// It looks as outputs did before there were markers.
    Unmarked,
    /// The marker is of another version.
    Format(String),
    /// Another run writes to it.
    InUse,
    /// Something that is not a folder is where Taw has one.
    InTheWay,
    Io(io::Error),
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.why {
            Why::NotOurs => write!(
                f,
                "`{path}` is not empty and was not written by Taw; name another directory with --out or remove it"
            ),
            Why::Unmarked => write!(
                f,
                "`{path}` has no marker of Taw's (`{}`): an earlier version of Taw wrote it, or somebody else did; name \
                 another directory with --out, or remove it if nothing in it is needed",
                claim::MARKER
            ),
            Why::Format(format) => write!(
                f,
                "`{path}` was written by another version of Taw (format {format}); name another directory with --out or \
                 remove it"
            ),
            Why::InUse => {
                write!(f, "another run of Taw is writing to `{path}`; wait for it or name another directory with --out")
            }
            Why::InTheWay => {
                write!(f, "`{path}` is not a folder that Taw made; remove it or name another directory with --out")
            }
            Why::Io(error) => write!(f, "cannot write `{path}`: {error}; name another directory with --out"),
        }
    }
}

impl std::error::Error for OutputError {}

impl OutputError {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        OutputError { path: path.into(), why: Why::Io(error) }
    }
}

/// Turns an error of the system into one that names the path.
fn at(path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    move |error| OutputError::io(path, error)
}

/// An output directory being written.
#[derive(Debug)]
pub struct OutputDir<'p> {
    /// Where `taw-last` is, if the directory is numbered.
    numbered_in: Option<PathBuf>,
    /// The command, until it is written: then the run has begun, and an earlier output is gone.
    command: Option<CommandRecord>,
    places: Places<'p>,
    findings: Findings,
    tests: u64,
    written: KeptTests,
    /// Whether there is a file for every path: these are written beside the run.
    every_path: bool,
    writer: TestWriter,
    /// The first finding that could not be written.
    failure: Option<OutputError>,
    stop: Arc<AtomicBool>,
    /// The last to be dropped: other runs are kept away until all is written.
    claim: Claim,
}

/// An output directory with all that the exploration gave. Other runs are kept away from it as long as this lives.
#[derive(Debug)]
pub struct Finished {
    /// The tests that stay, relative to the directory, by name.
    pub tests: Vec<String>,
    claim: Claim,
}

impl Finished {
    /// Where it is.
    pub fn dir(&self) -> &Path {
        self.claim.dir()
    }
}

impl<'p> OutputDir<'p> {
    /// Claims the directory for this run. An earlier output in it stays until the first result is there. When a file cannot be
    /// written later, `stop` is set, and [`OutputDir::finish`] says why.
    ///
    /// # Errors
    /// If the directory cannot be made, holds what is not Taw's, or another run writes to it.
    pub fn create(
        destination: &Destination,
        command: CommandRecord,
        places: Places<'p>,
        keep: Keep,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, OutputError> {
        let (claim, numbered_in) = match destination {
            Destination::Named(dir) => (Claim::of(dir)?, None),
            Destination::NumberedIn(folder) => (numbered::claim(folder)?, Some(folder.clone())),
        };
        let writer = TestWriter::new(Arc::clone(&stop));
        let written = KeptTests::new(keep, UserNumbers::of(places.program()));
        Ok(OutputDir {
            numbered_in,
            command: Some(command),
            places,
            findings: Findings::default(),
            tests: 0,
            written,
            every_path: keep == Keep::All,
            writer,
            failure: None,
            stop,
            claim,
        })
    }

    /// Puts this run in the place of an earlier one. Every result comes through here, so that nothing which can be wrong before
    /// the first one costs what is there.
    fn begin(&mut self) -> Result<(), OutputError> {
        let Some(command) = self.command.take() else { return Ok(()) };
        let dir = self.claim.dir();
        owned::clear(dir)?;
        for part in [TESTS, FINDINGS] {
            owned::make(dir, part)?;
        }
        write(dir, COMMAND, &pretty(&command))?;
        self.claim.keep();
        match &self.numbered_in {
            Some(folder) => numbered::point_at_newest(folder).map_err(at(&folder.join(numbered::LAST))),
            None => Ok(()),
        }
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        self.claim.dir()
    }

    /// The findings so far.
    pub fn findings(&self) -> &[FindingRecord] {
        self.findings.records()
    }

    /// Keeps what native replay says of finding number `index`.
    pub fn confirm(&mut self, index: usize, confirmed: Confirmed, why: String) {
        self.findings.confirm(index, confirmed, why);
    }

    /// Keeps whether calls of the library's own functions lead to finding number `index`.
    pub fn built(&mut self, index: usize, api: ApiRecord) {
        self.findings.built(index, api);
    }

    /// Writes the test that makes these calls, and says where; it stays, as those of findings do.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_built(&mut self, test: &TestCase, file: &TestFile) -> Result<String, OutputError> {
        self.begin()?;
        let name = format!("{TESTS}/{}.json", file.name());
        write(self.claim.dir(), &name, &compact(file))?;
        self.tests += 1;
        self.written.add(&name, test, Some(Seen::First(0)));
        Ok(name)
    }

    /// Keeps what findings rest on. With `quiet` those do not count that parameters explain which are null or the same.
    pub fn judge(&mut self, judgements: &[Judgement], quiet: bool) {
        judgements.iter().for_each(|judgement| self.findings.judge(judgement, quiet, &self.places));
    }

    /// What the tests cover: no more than that is to be claimed.
    pub fn covered(&self) -> Coverage {
        Coverage::of(self.places.program(), self.written.covered())
    }

    /// How many tests were written so far.
    pub fn tests(&self) -> u64 {
        self.tests
    }

    /// Writes what is known only at the end (counts of findings, coverage, statistics), removes the tests that need not
    /// stay, and names the others.
    ///
    /// # Errors
    /// The first file that could not be written, also earlier in the run.
    pub fn finish(mut self, lcov: &str, statistics: &impl Serialize) -> Result<Finished, OutputError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.begin()?;
        self.writer.finish()?;
        let dir = self.claim.dir();
        for (index, finding) in self.findings.records().iter().enumerate().filter(|(_, f)| f.is_newer_than_its_file()) {
            write(dir, &finding_name(index, finding), &pretty(finding))?;
        }
        write(dir, COVERAGE, lcov.as_bytes())?;
        write(dir, STATS, &pretty(statistics))?;
        let (tests, go) = self.written.divide();
        for name in go {
            let path = dir.join(name);
            owned::absent_is_fine(fs::remove_file(&path)).map_err(at(&path))?;
        }
        Ok(Finished { tests, claim: self.claim })
    }

    /// Writes the test that reaches a target at once, and says where; `route` is what a native run must pass, empty if the
    /// target is the error that the test ends with.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn reached(&mut self, test: &TestCase, route: &[Vec<Spot>]) -> Result<(String, TestFile), OutputError> {
        self.begin()?;
        let file = TestFile::new(test, &self.places).on_route(route);
        let name = format!("{TESTS}/{}.json", file.name());
        if !self.claim.dir().join(&name).exists() {
            write(self.claim.dir(), &name, &compact(&file))?;
            self.tests += 1;
            self.written.add(&name, test, None);
        }
        Ok((name, file))
    }

    /// Writes a file beside the tests.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, name: &str, content: &impl Serialize) -> Result<(), OutputError> {
        self.begin()?;
        write(self.claim.dir(), name, &pretty(content))
    }

    fn record(&mut self, test: &TestCase) -> Result<(), OutputError> {
        self.begin()?;
        let seen = match &test.outcome {
            Outcome::Finding(finding) => Some(self.findings.count(finding, test.caller, &self.places)),
            _ => None,
        };
        if !self.written.wants(test, seen) {
            return Ok(());
        }
        let file = TestFile::new(test, &self.places);
        self.tests += 1;
        let name = format!("{TESTS}/{}.json", file.name());
        self.written.add(&name, test, seen);
        if seen.is_none() && self.every_path {
            self.writer.write(self.claim.dir().join(name), file);
            return Ok(());
        }
        write(self.claim.dir(), &name, &compact(&file))?;
        let Some(Seen::First(index) | Seen::Better(index)) = seen else { return Ok(()) };
        if let Some(Seen::Better(_)) = seen {
            self.written.outdone(&self.findings.records()[index].test);
        }
        let because = test.decisive.iter().filter_map(|(entry, held)| {
            let at = self.places.stack(std::slice::from_ref(entry)).into_iter().next()?;
            at.user.then_some(Because { at, held: *held })
        });
        let because = because.collect();
        let finding = self.findings.complete(index, name, &file, because);
        write(self.claim.dir(), &finding_name(index, finding), &pretty(finding))
    }
}

impl Sink for OutputDir<'_> {
    fn path(&mut self, test: &TestCase) {
        if self.failure.is_some() {
            return;
        }
        if let Err(failure) = self.record(test) {
            self.failure = Some(failure);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

fn write(dir: &Path, name: &str, content: &[u8]) -> Result<(), OutputError> {
    let path = dir.join(name);
    write_atomically(&path, content).map_err(at(&path))
}

fn finding_name(index: usize, finding: &FindingRecord) -> String {
    format!("{FINDINGS}/{:03}-{}.json", index + 1, finding.kind)
}

fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("our records are plain data with string keys");
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests;
