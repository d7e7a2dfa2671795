//! `taw run`: load, explore, report.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::Path;

use taw_engine::{Sink, TestCase};
use taw_explore::{Exploration, ExploreError, Plan, Snapshot, Summary};
use taw_report::{Document, FindingRecord, OutputDir, file_coverage, lcov};

use crate::args::{KeepArg, RunArgs};
use crate::confirm::Confirmer;
use crate::document::{document, full_statistics};
use crate::emit::{Left, emit};
use crate::failure::Failure;
use crate::prepare::Ready;
use crate::progress::Progress;
use crate::{concrete, plot, replay, settings, summary, terminal};

/// What `taw` answers through its exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Nothing to worry about: exit code 0.
    Clean,
    /// Findings, or something is missing: exit code 1.
    Findings,
    /// Something is not decided: exit code 3.
    Undecided,
    /// That of a compiler that was run in our place.
    Status(u8),
    /// `taw solve`: satisfiable, exit code 10 as SAT solvers have it.
    Sat,
    /// `taw solve`: not satisfiable, exit code 20.
    Unsat,
}

/// Runs the whole of `taw run`.
pub(crate) fn run(args: &RunArgs) -> Result<Answer, Failure> {
    let ready = Ready::new(args)?;
    let out = ready.output(args, KeepArg::Covering)?;
    let found = Cell::new(0);
    let conditions = settings::conditions(args, &ready.stop)?;
    let native = || replay::Native::new(ready.recipe.clone(), conditions);
    let confirmer = (!args.output.no_replay).then(|| Confirmer::new(native()));
    let mut results = Results { out, found: &found, print_output: args.print_output, confirmer };
    let mut progress = Progress::new();
    let plan = ready.plan(args, Vec::new());
    let explored = explore(&ready, &plan, &mut results, &mut |snapshot| progress.show(snapshot, found.get()));
    progress.clear();
    match explored {
        Ok(summary) => {
            let Results { mut out, confirmer, .. } = results;
            let meets = |test: &Path, finding: &FindingRecord| concrete::meets(&ready, args, test, finding);
            let native = confirmer.map(|confirmer| confirmer.finish(&mut out, meets)).transpose()?;
            report(args, &ready, &summary, out, native)
        }
        Err(error) => Err(Failure::Message(with_what_is_there(&error.to_string(), &results.out))),
    }
}

/// Explores as `plan` says.
///
/// What is left then is not taken apart: with gigabytes of states and of Z3's expressions that took longer than the run, and
/// this process has little left to do.
pub(crate) fn explore(
    ready: &Ready,
    plan: &Plan,
    sink: &mut dyn Sink,
    progress: &mut dyn FnMut(&Snapshot),
) -> Result<Summary, ExploreError> {
    let mut exploration = Exploration::new(&ready.program, plan)?;
    let summary = exploration.run(sink, progress, &ready.stop);
    std::mem::forget(exploration);
    Ok(summary)
}

/// Findings made before the run had to stop are not lost.
pub(crate) fn with_what_is_there(error: &str, out: &OutputDir<'_>) -> String {
    match out.tests() {
        0 => error.to_owned(),
        tests => {
            format!("{error}\nuntil then: {tests} tests, {} findings in {}", out.findings().len(), out.dir().display())
        }
    }
}

fn report(
    args: &RunArgs,
    ready: &Ready,
    summary: &Summary,
    out: OutputDir<'_>,
    native: Option<replay::Native>,
) -> Result<Answer, Failure> {
    let Ready { program, entries, .. } = ready;
    let files = file_coverage(program, &out.covered());
    let document = document(summary, &files, &out, &ready.places(), ready.notes(summary));
    let left = out.finish(&lcov(&files), &full_statistics(&document, summary)).map_err(Failure::message)?;
    emit(
        args,
        &Left {
            program,
            entries: &entries.names,
            coverage: &files,
            findings: &document.findings,
            dir: left.dir(),
            kept: &left.tests,
        },
    )?;
    plot::write(args, summary)?;
    if let Some(mut native) = native.filter(|_| args.output.replay_tests) {
        native.check(left.dir(), &left.tests)?;
    }
    match show(args, &document, left.tests.len()) {
        // The reader has seen enough; the exit code still tells.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ if !document.findings.is_empty() => Ok(Answer::Findings),
        _ if document.undecided.is_some() => Ok(Answer::Undecided),
        _ => Ok(Answer::Clean),
    }
}

fn show(args: &RunArgs, document: &Document, tests: usize) -> io::Result<()> {
    if args.output.json {
        let text = serde_json::to_string_pretty(document).expect("the document is plain data");
        return writeln!(anstream::stdout().lock(), "{text}");
    }
    let mut out = terminal::stdout();
    summary::show(&mut out, document, tests)?;
    out.flush()
}

/// Where results go: the output directory, and on request the terminal.
struct Results<'p> {
    out: OutputDir<'p>,
    /// The number of findings, for the progress line.
    found: &'p Cell<usize>,
    print_output: bool,
    /// Runs the tests of findings natively, unless the user does not want that.
    confirmer: Option<Confirmer>,
}

impl Sink for Results<'_> {
    fn path(&mut self, test: &TestCase) {
        self.out.path(test);
        self.found.set(self.out.findings().len());
        if let Some(confirmer) = &mut self.confirmer {
            confirmer.look_at(&self.out);
        }
        if self.print_output {
            // Standard error, because standard output may be the document's. A closed pipe must not end the run.
            let _ = terminal::stderr().write_all(&test.written.both);
        }
    }
}
