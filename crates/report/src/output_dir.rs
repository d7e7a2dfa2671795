//! The output directory: every test and finding is in it the moment it is found.
//!
//! ```text
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

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use taw_engine::{Coverage, Outcome, Sink, TestCase, UserNumbers};

use crate::atomic::write_atomically;
use crate::findings::{Because, Confirmed, FindingRecord, Findings, Seen};
use crate::formats::FORMATS;
use crate::keep::{Keep, Written};
use crate::native::{Recipe, Spot};
use crate::place::Places;
use crate::test_file::{OutcomeRecord, TestFile};
use crate::writer::{Writer, compact};

const COMMAND: &str = "command.json";
const TESTS: &str = "tests";
const FINDINGS: &str = "findings";
const COVERAGE: &str = "coverage.lcov";
const STATS: &str = "stats.json";
/// What became of the targets of `taw reach`.
pub const TARGETS: &str = "targets.json";
/// The same in the SARIF log that asked for them.
pub const TARGETS_SARIF: &str = "targets.sarif";
/// Symbolic link to the newest numbered directory.
const LAST: &str = "taw-last";

/// Which directory to write to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// This one: new, empty, or an earlier output directory, whose content is then replaced.
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
        let text = fs::read(&path).map_err(|error| {
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
    dir: PathBuf,
    places: Places<'p>,
    findings: Findings,
    tests: u64,
    written: Written,
    /// Whether there is a file for every path: these are written beside the run.
    every_path: bool,
    writer: Writer,
    /// The first finding that could not be written.
    failure: Option<OutputError>,
    stop: Arc<AtomicBool>,
}

impl<'p> OutputDir<'p> {
    /// Makes the directory and writes the command into it. When a file cannot be written later, `stop` is set, and
    /// [`OutputDir::finish`] says why.
    ///
    /// # Errors
    /// If the directory cannot be made, or holds what is not Taw's.
    pub fn create(
        target: &Target,
        command: &CommandRecord,
        places: Places<'p>,
        keep: Keep,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, OutputError> {
        let dir = match target {
            Target::Named(dir) => take_over(dir)?,
            Target::NumberedIn(folder) => numbered(folder)?,
        };
        for part in [TESTS, FINDINGS] {
            fs::create_dir(dir.join(part)).map_err(at(&dir))?;
        }
        write(&dir, COMMAND, &pretty(command))?;
        let writer = Writer::new(Arc::clone(&stop));
        let written = Written::new(keep, UserNumbers::of(places.program()));
        let (findings, every_path) = (Findings::default(), keep == Keep::All);
        Ok(OutputDir { dir, places, findings, tests: 0, written, every_path, writer, failure: None, stop })
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The findings so far.
    pub fn findings(&self) -> &[FindingRecord] {
        self.findings.records()
    }

    /// Keeps what native replay says of finding number `index`.
    pub fn confirm(&mut self, index: usize, confirmed: Confirmed, why: String) {
        self.findings.confirm(index, confirmed, why);
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
    /// stay, and gives the paths of the others relative to the directory, by name.
    ///
    /// # Errors
    /// The first file that could not be written, also earlier in the run.
    pub fn finish(self, lcov: &str, statistics: &impl Serialize) -> Result<Vec<String>, OutputError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.writer.finish()?;
        for (index, finding) in self.findings.records().iter().enumerate().filter(|(_, f)| f.is_newer_than_its_file()) {
            write(&self.dir, &finding_name(index, finding), &pretty(finding))?;
        }
        write(&self.dir, COVERAGE, lcov.as_bytes())?;
        write(&self.dir, STATS, &pretty(statistics))?;
        let (stay, go) = self.written.divide();
        for name in go {
            let path = self.dir.join(name);
            absent_is_fine(fs::remove_file(&path)).map_err(at(&path))?;
        }
        Ok(stay)
    }

    /// Writes the test that reaches a target at once, and says where; `route` is what a native run must pass, empty if the
    /// target is the error that the test ends with.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn reached(&mut self, test: &TestCase, route: &[Vec<Spot>]) -> Result<(String, TestFile), OutputError> {
        let mut file = TestFile::new(test, &self.places);
        if let OutcomeRecord::Reached { route: known, .. } = &mut file.outcome {
            *known = route.to_vec();
        }
        let name = format!("{TESTS}/{}.json", file.name());
        if !self.dir.join(&name).exists() {
            write(&self.dir, &name, &compact(&file))?;
            self.tests += 1;
            self.written.add(&name, test, None);
        }
        Ok((name, file))
    }

    /// Writes a file beside the tests.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, content: &impl Serialize) -> Result<(), OutputError> {
        write(&self.dir, name, &pretty(content))
    }

    fn record(&mut self, test: &TestCase) -> Result<(), OutputError> {
        let seen = match &test.outcome {
            Outcome::Finding(finding) => Some(self.findings.count(finding, &self.places)),
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
            self.writer.write(self.dir.join(name), file);
            return Ok(());
        }
        write(&self.dir, &name, &compact(&file))?;
        let Some(Seen::First(index)) = seen else { return Ok(()) };
        let because = test.decisive.iter().filter_map(|(entry, held)| {
            let at = self.places.stack(std::slice::from_ref(entry)).into_iter().next()?;
            at.user.then_some(Because { at, held: *held })
        });
        let because = because.collect();
        let finding = self.findings.complete(index, name, file.inputs, because);
        write(&self.dir, &finding_name(index, finding), &pretty(finding))
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

/// Makes `dir`, or empties it of an earlier run's output.
fn take_over(dir: &Path) -> Result<PathBuf, OutputError> {
    fs::create_dir_all(dir).map_err(at(dir))?;
    let occupied = fs::read_dir(dir).map_err(at(dir))?.next().is_some();
    if occupied && !dir.join(COMMAND).is_file() {
        return Err(OutputError { path: dir.into(), why: Why::NotOurs });
    }
    for part in [TESTS, FINDINGS].into_iter().chain(FORMATS.iter().map(|format| format.name)) {
        absent_is_fine(fs::remove_dir_all(dir.join(part))).map_err(at(dir))?;
    }
    for file in [COVERAGE, STATS, COMMAND, TARGETS, TARGETS_SARIF] {
        absent_is_fine(fs::remove_file(dir.join(file))).map_err(at(dir))?;
    }
    Ok(dir.into())
}

fn absent_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Makes the first `taw-out-N` after all that exist. Safe beside other runs: making a directory either succeeds for
/// one of them or says that it exists.
fn numbered(folder: &Path) -> Result<PathBuf, OutputError> {
    let mut number = next_number(folder).map_err(at(folder))?;
    loop {
        let name = format!("taw-out-{number}");
        // Without the `./` that nobody writes.
        let dir = if folder == Path::new(".") { PathBuf::from(&name) } else { folder.join(&name) };
        match fs::create_dir(&dir) {
            Ok(()) => {
                point_at(folder, &name).map_err(at(&folder.join(LAST)))?;
                return Ok(dir);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(at(&dir)(error)),
        }
    }
}

fn next_number(folder: &Path) -> io::Result<u64> {
    let mut next = 0;
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("taw-out-")).and_then(|n| n.parse::<u64>().ok());
        next = next.max(number.map_or(0, |n| n.saturating_add(1)));
    }
    Ok(next)
}

/// Points `taw-last` at `name`. What is not a symbolic link is the user's, and stays.
fn point_at(folder: &Path, name: &str) -> io::Result<()> {
    let link = folder.join(LAST);
    if link.symlink_metadata().is_ok_and(|found| !found.is_symlink()) {
        return Ok(());
    }
    let fresh = folder.join(format!(".{LAST}-{name}"));
    absent_is_fine(fs::remove_file(&fresh))?;
    std::os::unix::fs::symlink(name, &fresh)?;
    fs::rename(&fresh, &link)
}

#[cfg(test)]
mod tests;
