//! `taw replay`: run tests on the native program, and say what it did.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use taw::{NativeProgram, Session, Suite};
use taw_cage::RunLimits;
use taw_native::{Conditions, CoverageMode, Patience, ReplayVerdict, Replayed};
use taw_report::TestFile;

use crate::args::ReplayArgs;
use crate::failure::Failure;
use crate::run::ExitAnswer;
use crate::style::{BOLD, ERROR, GOOD, WARNING};
use crate::terminal::{self, Within};
use crate::{interrupt, settings, steps};

pub(crate) fn warn_of(test: &Path, why: &str) {
    terminal::tell(format_args!(
        "{WARNING}warning{WARNING:#}: {} diverged: {why}\nThat is a bug in Taw; please report it with the program.",
        test.display()
    ));
}

/// Runs the whole of `taw replay`.
pub(crate) fn replay(args: &ReplayArgs) -> Result<ExitAnswer, Failure> {
    let suites = taw::read_suites(&args.tests, &args.cflag)?;
    let stop = Arc::new(AtomicBool::new(false));
    interrupt::watch(Arc::clone(&stop))?;
    let conditions = Conditions {
        keeper: settings::keeper(args.unconfined)?,
        limits: RunLimits { time: args.timeout, memory: args.memory, ..RunLimits::default() },
        coverage: if args.json { CoverageMode::Yes } else { CoverageMode::No },
        patience: Patience { stop, until: None },
    };
    let mut report = ReplayReport::default();
    for (dir, suite) in suites {
        replay_suite(args, &dir, suite, &conditions, &mut report)?;
    }
    finish(args, &report)
}

fn replay_suite(
    args: &ReplayArgs,
    dir: &Path,
    suite: Suite,
    conditions: &Conditions,
    report: &mut ReplayReport,
) -> Result<(), Failure> {
    let mut native = NativeProgram::new(suite.recipe, conditions.clone());
    if let Some(program) = &args.program {
        native.use_binary(program)?;
        // Said at once, and not of each test.
        for (_, test) in &suite.tests {
            if let Some(why) = native.lacks(test)? {
                return Err(Failure::Message(why));
            }
        }
    }
    let mut engine = EngineReplay::default();
    for (path, test) in suite.tests {
        let replayed = native.replay(&test)?;
        // A binary of the user's own need not be what was explored.
        let replayed = match args.program.is_none() && taw::may_be_unseen(&test, &replayed) {
            true => engine.settle(args, dir, &test, replayed),
            false => replayed,
        };
        let name = path.strip_prefix(dir).unwrap_or(&path).display().to_string();
        let row = Row { test: path.display().to_string(), replayed };
        if !args.json {
            show_row(&name, &row.replayed)?;
        }
        report.count(&row.replayed);
        report.tests.push(row);
    }
    Ok(())
}

/// The program of an output directory for the engine, which must meet what a native run does not show.
#[derive(Default)]
enum EngineReplay {
    #[default]
    NotAsked,
    /// The command of the directory cannot be repeated, or may not be.
    None,
    Ready(Box<Session>),
}

impl EngineReplay {
    fn settle(&mut self, args: &ReplayArgs, dir: &Path, test: &TestFile, replayed: Replayed) -> Replayed {
        if let EngineReplay::NotAsked = self {
            let session = again(args, dir, test);
            *self = session.map_or(EngineReplay::None, |session| EngineReplay::Ready(Box::new(session)));
        }
        let EngineReplay::Ready(session) = self else { return replayed };
        let settled = session.prepared(|prepared| Ok::<_, taw::Error>(prepared.settle(test, replayed.clone())));
        settled.unwrap_or(replayed)
    }
}

/// The session that wrote a test, once more; the current directory is then what it was before.
fn again(args: &ReplayArgs, dir: &Path, test: &TestFile) -> Result<Session, Failure> {
    let here = env::current_dir()?;
    let session = steps::session_of(dir, test, &args.cflag, &[]);
    env::set_current_dir(here)?;
    session
}

/// What `--json` prints.
#[derive(Debug, Default, Serialize)]
pub(crate) struct ReplayReport {
    same: usize,
    not_confirmed: usize,
    pub(crate) diverged: usize,
    pub(crate) other_program: usize,
    tests: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    test: String,
    #[serde(flatten)]
    replayed: Replayed,
}

impl ReplayReport {
    pub(crate) fn in_words(&self) -> String {
        let counts = [(self.not_confirmed, "not confirmed"), (self.diverged, "diverged")];
        let more: String = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!(", {n} {what}")).collect();
        format!("{} same{more}", self.same)
    }

    pub(crate) fn count(&mut self, replayed: &Replayed) {
        match replayed.verdict {
            ReplayVerdict::Same => self.same += 1,
            ReplayVerdict::NotConfirmed => self.not_confirmed += 1,
            ReplayVerdict::Diverged => self.diverged += 1,
            ReplayVerdict::OtherProgram => self.other_program += 1,
        }
    }
}

/// Shown at once: a long suite is watched.
fn show_row(name: &str, replayed: &Replayed) -> io::Result<()> {
    let (mut out, name) = (terminal::stdout(), Within(name));
    match replayed.verdict {
        ReplayVerdict::Same => write!(out, "{GOOD}same{GOOD:#}           {name}")?,
        ReplayVerdict::NotConfirmed => write!(out, "{WARNING}not confirmed{WARNING:#}  {name}")?,
        ReplayVerdict::Diverged => write!(out, "{ERROR}diverged{ERROR:#}       {name}")?,
        ReplayVerdict::OtherProgram => write!(out, "{ERROR}other program{ERROR:#}  {name}")?,
    }
    match replayed.why.as_str() {
        "" => writeln!(out),
        why => writeln!(out, ": {why}"),
    }
}

fn finish(args: &ReplayArgs, report: &ReplayReport) -> Result<ExitAnswer, Failure> {
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
        return Ok(ExitAnswer::Findings);
    }
    match report.tests.iter().find(|row| row.replayed.verdict == ReplayVerdict::OtherProgram) {
        Some(row) => Err(Failure::Message(format!(
            "`{}` is not a test of this program: {} (if Taw wrote it for this program, that is a bug in Taw)",
            row.test, row.replayed.why
        ))),
        None => Ok(ExitAnswer::Clean),
    }
}
