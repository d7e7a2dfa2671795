//! `taw run`: load, explore, report.

use std::cell::Cell;
use std::io::{self, Write};

use taw_engine::{Sink, TestCase};
use taw_explore::Summary;
use taw_report::{Document, OutputDir, file_coverage, lcov};

use crate::args::{KeepArg, RunArgs};
use crate::document::{document, full_statistics};
use crate::emit::{Left, emit};
use crate::failure::Failure;
use crate::prepare::Ready;
use crate::progress::Progress;
use crate::{concrete, plot, replay, summary};

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
    let native = replay::Native::new(ready.recipe.clone());
    let confirms = !args.output.no_replay;
    let mut results = Results { out, native, confirms, found: &found, print_output: args.print_output };
    let mut progress = Progress::new();
    let explored = taw_explore::explore(
        &ready.program,
        &ready.plan(args, Vec::new()),
        &mut results,
        &mut |snapshot| progress.show(snapshot, found.get()),
        &ready.stop,
    );
    progress.clear();
    match explored {
        Ok(summary) => {
            let Results { mut out, mut native, .. } = results;
            if confirms {
                native.confirm(&mut out, |test, finding| concrete::meets(&ready, args, test, finding))?;
            }
            report(args, &ready, &summary, out, native)
        }
        Err(error) => Err(Failure::Message(with_what_is_there(&error.to_string(), &results.out))),
    }
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
    mut native: replay::Native,
) -> Result<Answer, Failure> {
    let Ready { program, entries, .. } = ready;
    let files = file_coverage(program, &out.covered());
    let document = document(summary, &files, &out, &ready.places(), ready.notes(summary));
    let dir = out.dir().to_owned();
    let kept = out.finish(&lcov(&files), &full_statistics(&document, summary)).map_err(Failure::message)?;
    emit(
        args,
        &Left {
            program,
            entries: &entries.names,
            coverage: &files,
            findings: &document.findings,
            dir: &dir,
            kept: &kept,
        },
    )?;
    plot::write(args, summary)?;
    if args.output.replay_tests {
        native.check(&dir, &kept)?;
    }
    match show(args, &document, kept.len()) {
        // The reader has seen enough; the exit code still tells.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ if !document.findings.is_empty() => Ok(Answer::Findings),
        _ if document.undecided.is_some() => Ok(Answer::Undecided),
        _ => Ok(Answer::Clean),
    }
}

fn show(args: &RunArgs, document: &Document, tests: usize) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    if args.output.json {
        let text = serde_json::to_string_pretty(document).expect("the document is plain data");
        writeln!(out, "{text}")?;
    } else {
        summary::show(&mut out, document, tests)?;
    }
    out.flush()
}

/// Where results go: the output directory, and on request the terminal.
struct Results<'p> {
    out: OutputDir<'p>,
    /// The native program, which is built beside the run once there is something to confirm.
    native: replay::Native,
    confirms: bool,
    /// The number of findings, for the progress line.
    found: &'p Cell<usize>,
    print_output: bool,
}

impl Sink for Results<'_> {
    fn path(&mut self, test: &TestCase) {
        self.out.path(test);
        if self.confirms && self.found.get() == 0 && !self.out.findings().is_empty() {
            self.native.begin_for_errors();
        }
        self.found.set(self.out.findings().len());
        if self.print_output {
            // Standard error, because standard output may be the document's. A closed pipe must not end the run.
            let _ = io::stderr().write_all(&test.output);
        }
    }
}
