//! `taw run`: load, explore, report.

use std::cell::Cell;
use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use taw_engine::{Input, Recorded, Sink, TestCase};
use taw_explore::Summary;
use taw_ir::Program;
use taw_report::{Document, OutputDir, Places, TestFile, file_coverage, lcov, read_seeds};

use crate::args::RunArgs;
use crate::document::{document, full_statistics};
use crate::emit::{Left, emit};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{harness, interrupt, replay, runtime, settings, summary};

/// What `taw` answers through its exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Nothing to worry about: exit code 0.
    Clean,
    /// Findings, or something is missing: exit code 1.
    Findings,
    /// `taw solve`: satisfiable, exit code 10 as SAT solvers have it.
    Sat,
    /// `taw solve`: not satisfiable, exit code 20.
    Unsat,
}

/// Runs the whole of `taw run`.
pub(crate) fn run(args: &RunArgs) -> Result<Answer, Failure> {
    taw_search::parse(&args.search.search, args.search.seed).map_err(Failure::message)?;
    let recorded = args.search.replay_path.as_deref().map(recorded).transpose()?;
    let seeds = seeds(args)?;
    let program = load(args)?;
    let here = env::current_dir().map_err(|error| Failure::Message(format!("no current directory: {error}")))?;
    let places = Places::new(&program, here.clone());
    // Set by Ctrl-C, and by the output directory when a file cannot be written.
    let stop = Arc::new(AtomicBool::new(false));
    let target = settings::target(args);
    let recipe = settings::recipe(args, &here, &program)
        .map_err(|error| Failure::Message(format!("a source disappeared while it was read: {error}")))?;
    let command = settings::command(&here, recipe.clone());
    let out = OutputDir::create(&target, &command, places, settings::keep(args), Arc::clone(&stop));
    interrupt::watch(Arc::clone(&stop))?;
    let found = Cell::new(0);
    let mut results = Results { out: out.map_err(Failure::message)?, found: &found, print_output: args.print_output };
    let mut progress = Progress::new();
    let explored = taw_explore::explore(
        &program,
        &settings::plan(args, recorded, seeds),
        &mut results,
        &mut |snapshot| progress.show(snapshot, found.get()),
        &stop,
    );
    progress.clear();
    match explored {
        Ok(summary) => {
            if !args.output.no_replay {
                replay::confirm(&mut results.out, recipe)?;
            }
            report(args, &program, &summary, results.out)
        }
        Err(error) => Err(Failure::Message(with_what_is_there(&error.to_string(), &results.out))),
    }
}

/// The path that a test recorded.
pub(crate) fn recorded(path: &Path) -> Result<Recorded, Failure> {
    let file = TestFile::read(path).map_err(Failure::message)?;
    let inputs = file.inputs().map_err(|name| {
        Failure::Message(format!("{}: the bytes of input `{name}` are not hexadecimal", path.display()))
    })?;
    Ok(Recorded { inputs, path: file.path })
}

/// The inputs to begin with.
fn seeds(args: &RunArgs) -> Result<Vec<Vec<Input>>, Failure> {
    let mut seeds = Vec::new();
    for path in &args.search.seeds {
        for seed in read_seeds(path).map_err(Failure::message)? {
            let unfit = |why| Failure::Message(format!("a seed of `{}` cannot be used: {why}", path.display()));
            seeds.push(harness::adapt(args, seed).map_err(unfit)?);
        }
    }
    Ok(seeds)
}

/// The program, ready to be explored.
pub(crate) fn load(args: &RunArgs) -> Result<Program, Failure> {
    // Taw's headers, and the harness if there is one.
    let folder = runtime::include_folder().map_err(no_folder)?;
    let harness = harness::write(args, folder.path()).map_err(no_folder)?;
    let mut program = taw_loader::load(&settings::sources(args, folder.path().into(), harness))?;
    taw_ir::promote(&mut program);
    Ok(program)
}

fn no_folder(error: io::Error) -> Failure {
    Failure::Message(format!("cannot make a folder for headers: {error}; is $TMPDIR writable?"))
}

/// Findings made before the run had to stop are not lost.
fn with_what_is_there(error: &str, out: &OutputDir<'_>) -> String {
    match out.tests() {
        0 => error.to_owned(),
        tests => {
            format!("{error}\nuntil then: {tests} tests, {} findings in {}", out.findings().len(), out.dir().display())
        }
    }
}

fn report(args: &RunArgs, program: &Program, summary: &Summary, out: OutputDir<'_>) -> Result<Answer, Failure> {
    let files = file_coverage(program, &summary.coverage);
    let document = document(summary, &files, &out);
    let dir = out.dir().to_owned();
    let kept = out.finish(&lcov(&files), &full_statistics(&document, summary)).map_err(Failure::message)?;
    emit(args, &Left { program, coverage: &files, findings: &document.findings, dir: &dir, kept: &kept })?;
    match show(args, &document, summary, kept.len()) {
        // The reader has seen enough; the exit code still tells.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ if document.findings.is_empty() => Ok(Answer::Clean),
        _ => Ok(Answer::Findings),
    }
}

fn show(args: &RunArgs, document: &Document, summary: &Summary, tests: usize) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    if args.output.json {
        let text = serde_json::to_string_pretty(document).expect("the document is plain data");
        writeln!(out, "{text}")?;
    } else {
        summary::show(&mut out, document, &summary.incomplete, tests)?;
    }
    out.flush()
}

/// Where results go: the output directory, and on request the terminal.
struct Results<'p> {
    out: OutputDir<'p>,
    /// The number of findings, for the progress line.
    found: &'p Cell<usize>,
    print_output: bool,
}

impl Sink for Results<'_> {
    fn path(&mut self, test: &TestCase, new_coverage: bool) {
        self.out.path(test, new_coverage);
        self.found.set(self.out.findings().len());
        if self.print_output {
            // Standard error, because standard output may be the document's. A closed pipe must not end the run.
            let _ = io::stderr().write_all(&test.output);
        }
    }
}
