//! `taw replay`, and what `taw run` does with its findings: run tests on the native program, and say what it did.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use taw_cage::Limits;
use taw_loader::Clang;
use taw_native::{Conditions, Coverage, Patience, Replayed, Replayer, Toolchain, Verdict, untrusted_flag};
use taw_report::{CommandRecord, OutcomeRecord, Recipe, Spot, TestFile};
use tempfile::TempDir;

use crate::args::ReplayArgs;
use crate::failure::Failure;
use crate::run::Answer;
use crate::style::{BOLD, ERROR, GOOD, WARNING};
use crate::terminal::{self, Within};
use crate::{interrupt, runtime, settings};

/// The program of a run, natively; built when it is first needed.
pub(crate) struct Native {
    recipe: Recipe,
    conditions: Conditions,
    started: Option<(TempDir, Replayer)>,
}

impl Native {
    pub(crate) fn new(recipe: Recipe, conditions: Conditions) -> Self {
        Native { recipe, conditions, started: None }
    }

    fn replayer(&mut self) -> Result<&mut Replayer, Failure> {
        let started = match self.started.take() {
            Some(started) => started,
            None => {
                let headers = headers()?;
                let tools = toolchain(headers.path().into())?;
                let replayer = Replayer::new(self.recipe.clone(), tools, self.conditions.clone());
                (headers, replayer)
            }
        };
        Ok(&mut self.started.insert(started).1)
    }

    /// Begins to build what `taw reach` will need.
    ///
    /// # Errors
    /// If there is no compiler.
    pub(crate) fn begin(&mut self) -> Result<(), Failure> {
        self.replayer()?.begin();
        Ok(())
    }

    /// Replays one test.
    ///
    /// # Errors
    /// If there is no compiler.
    pub(crate) fn replay(&mut self, test: &TestFile) -> Result<Replayed, Failure> {
        Ok(self.replayer()?.replay(test))
    }

    /// Why no native run can be seen to pass a route, whatever the test.
    ///
    /// # Errors
    /// If there is no compiler.
    pub(crate) fn blind_to(&mut self, route: &[Vec<Spot>]) -> Result<Option<String>, Failure> {
        Ok(self.replayer()?.blind_to(route))
    }

    /// Whether a native run of a test passes the places of a route, however it ends.
    ///
    /// # Errors
    /// If there is no compiler.
    pub(crate) fn passes(&mut self, test: &TestFile, target: &str, route: &[Vec<Spot>]) -> Result<bool, Failure> {
        let outcome = OutcomeRecord::Reached { target: target.to_owned(), route: route.to_vec() };
        Ok(self.replay(&TestFile { outcome, ..test.clone() })?.verdict == Verdict::Same)
    }

    /// Replays the tests at paths relative to `dir` that are of no finding, and says what came of it.
    pub(crate) fn check(&mut self, dir: &Path, tests: &[String]) -> Result<(), Failure> {
        let mut report = Report::default();
        for path in tests.iter().map(|name| dir.join(name)) {
            let test = TestFile::read(&path).map_err(Failure::message)?;
            if !matches!(test.outcome, OutcomeRecord::Finding { .. }) {
                let replayed = self.replayer()?.replay(&test);
                if matches!(replayed.verdict, Verdict::Diverged | Verdict::OtherProgram) {
                    warn_of(&path, &replayed.why);
                }
                report.count(&replayed);
            }
        }
        report.diverged += report.other_program;
        terminal::tell(format_args!("{BOLD}replayed{BOLD:#}  {}", report.in_words()));
        Ok(())
    }
}

pub(crate) fn warn_of(test: &Path, why: &str) {
    terminal::tell(format_args!(
        "{WARNING}warning{WARNING:#}: {} diverged: {why}\nThat is a bug in Taw; please report it with the program.",
        test.display()
    ));
}

/// Runs the whole of `taw replay`.
pub(crate) fn replay(args: &ReplayArgs) -> Result<Answer, Failure> {
    let suites = suites(args)?;
    let headers = headers()?;
    let stop = Arc::new(AtomicBool::new(false));
    interrupt::watch(Arc::clone(&stop))?;
    let conditions = Conditions {
        keeper: settings::keeper(args.unconfined)?,
        limits: Limits { time: args.timeout, memory: args.memory, ..Limits::default() },
        coverage: if args.json { Coverage::Yes } else { Coverage::No },
        patience: Patience { stop, until: None },
    };
    let mut report = Report::default();
    for (dir, suite) in suites {
        let tools = toolchain(headers.path().into())?;
        let mut replayer = Replayer::new(suite.recipe, tools, conditions.clone());
        if let Some(program) = &args.program {
            replayer.use_binary(program).map_err(Failure::Message)?;
            // Said at once, and not of each test.
            if let Some(why) = suite.tests.iter().find_map(|(_, test)| replayer.lacks(test)) {
                return Err(Failure::Message(why));
            }
        }
        for (path, test) in suite.tests {
            let replayed = replayer.replay(&test);
            let name = path.strip_prefix(&dir).unwrap_or(&path).display().to_string();
            let row = Row { test: path.display().to_string(), replayed };
            if !args.json {
                show_row(&name, &row.replayed)?;
            }
            report.count(&row.replayed);
            report.tests.push(row);
        }
    }
    finish(args, &report)
}

/// The tests of one output directory.
struct Suite {
    recipe: Recipe,
    tests: Vec<(PathBuf, TestFile)>,
}

/// All that was named, read and checked before anything is built.
fn suites(args: &ReplayArgs) -> Result<BTreeMap<PathBuf, Suite>, Failure> {
    let mut suites: BTreeMap<PathBuf, Suite> = BTreeMap::new();
    for path in &args.tests {
        let (dir, files) =
            if path.is_dir() { (path.clone(), tests_in(path)?) } else { (home(path)?, vec![path.clone()]) };
        for file in files {
            let test = read(&file)?;
            if !suites.contains_key(&dir) {
                suites.insert(dir.clone(), Suite { recipe: recipe(&dir, &args.cflag)?, tests: Vec::new() });
            }
            if let Some(suite) = suites.get_mut(&dir) {
                suite.tests.push((file, test));
            }
        }
    }
    Ok(suites)
}

fn read(path: &Path) -> Result<TestFile, Failure> {
    let test = TestFile::read(path).map_err(Failure::message)?;
    test.check().map_err(|why| Failure::Message(format!("`{}` is not a sound test: {why}", path.display())))?;
    Ok(test)
}

/// The tests of an output directory, in order.
fn tests_in(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = dir.join("tests");
    let entries = fs::read_dir(&folder).map_err(|error| {
        let (dir, folder) = (dir.display(), folder.display());
        Failure::Message(format!("`{dir}` is not an output directory of Taw: cannot read `{folder}`: {error}"))
    })?;
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    Ok(paths)
}

/// The output directory that a test lies in.
fn home(test: &Path) -> Result<PathBuf, Failure> {
    let full = test
        .canonicalize()
        .map_err(|error| Failure::Message(format!("cannot read the test `{}`: {error}", test.display())))?;
    let dir = full.parent().and_then(Path::parent).filter(|dir| dir.join("command.json").is_file());
    dir.map(Path::to_owned).ok_or_else(|| {
        Failure::Message(format!(
            "`{}` lies in no output directory of Taw, so its program is not known; name a test as DIR/tests/NAME.json",
            test.display()
        ))
    })
}

/// Somebody else may have written the command of an output directory: flags for the compiler that may do anything are passed on
/// only if the user says them again.
pub(crate) fn trusted(flags: &[String], said: &[String]) -> Result<(), Failure> {
    match untrusted_flag(flags, said) {
        None => Ok(()),
        Some(flag) => Err(Failure::Message(format!(
            "the output directory has the flag `{flag}` for the compiler, which could run code or write files, and anybody \
             may have written it; to allow it, add {}",
            taw_report::shell::quoted(format!("--cflag={flag}").as_bytes())
        ))),
    }
}

/// How to build the program of an output directory, which must still be the one that was explored.
fn recipe(dir: &Path, said: &[String]) -> Result<Recipe, Failure> {
    let recipe = CommandRecord::read(dir).map_err(Failure::Message)?.program;
    trusted(&recipe.cflags, said)?;
    let changes = recipe.changes();
    if changes.is_empty() {
        return Ok(recipe);
    }
    Err(Failure::Message(format!("{}; the tests are of what it was: run `taw run` again", changes.join(", "))))
}

pub(crate) fn headers() -> Result<TempDir, Failure> {
    runtime::include_folder()
        .map_err(|error| Failure::Message(format!("cannot make a folder for headers: {error}; is $TMPDIR writable?")))
}

pub(crate) fn toolchain(headers: PathBuf) -> Result<Toolchain, Failure> {
    Ok(Toolchain { clang: Clang::find()?.path().to_owned(), headers, library: runtime::REPLAY })
}

/// What `--json` prints.
#[derive(Debug, Default, Serialize)]
struct Report {
    same: usize,
    not_confirmed: usize,
    diverged: usize,
    other_program: usize,
    tests: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    test: String,
    #[serde(flatten)]
    replayed: Replayed,
}

impl Report {
    fn in_words(&self) -> String {
        let counts = [(self.not_confirmed, "not confirmed"), (self.diverged, "diverged")];
        let more: String = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!(", {n} {what}")).collect();
        format!("{} same{more}", self.same)
    }

    fn count(&mut self, replayed: &Replayed) {
        match replayed.verdict {
            Verdict::Same => self.same += 1,
            Verdict::NotConfirmed => self.not_confirmed += 1,
            Verdict::Diverged => self.diverged += 1,
            Verdict::OtherProgram => self.other_program += 1,
        }
    }
}

/// Shown at once: a long suite is watched.
fn show_row(name: &str, replayed: &Replayed) -> io::Result<()> {
    let (mut out, name) = (terminal::stdout(), Within(name));
    match replayed.verdict {
        Verdict::Same => write!(out, "{GOOD}same{GOOD:#}           {name}")?,
        Verdict::NotConfirmed => write!(out, "{WARNING}not confirmed{WARNING:#}  {name}")?,
        Verdict::Diverged => write!(out, "{ERROR}diverged{ERROR:#}       {name}")?,
        Verdict::OtherProgram => write!(out, "{ERROR}other program{ERROR:#}  {name}")?,
    }
    match replayed.why.as_str() {
        "" => writeln!(out),
        why => writeln!(out, ": {why}"),
    }
}

fn finish(args: &ReplayArgs, report: &Report) -> Result<Answer, Failure> {
    if args.json {
        let text = serde_json::to_string_pretty(report).expect("the report is plain data");
        writeln!(anstream::stdout().lock(), "{text}")?;
    } else {
        writeln!(terminal::stdout(), "{BOLD}replayed{BOLD:#}  {}", report.in_words())?;
    }
    io::stdout().flush()?;
    if report.diverged > 0 {
        terminal::tell(format_args!(
            "{WARNING}warning{WARNING:#}: a native run contradicts its test: that is a bug in Taw, please report it"
        ));
        return Ok(Answer::Findings);
    }
    match report.tests.iter().find(|row| row.replayed.verdict == Verdict::OtherProgram) {
        Some(row) => Err(Failure::Message(format!(
            "`{}` is not a test of this program: {} (if Taw wrote it for this program, that is a bug in Taw)",
            row.test, row.replayed.why
        ))),
        None => Ok(Answer::Clean),
    }
}
