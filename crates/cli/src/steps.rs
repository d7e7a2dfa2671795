//! `taw show --path`: a test's path line by line, with the values that changed.
//!
//! The path is executed again, without the solver, by the command line that its output directory remembers. Somebody else may
//! have written that: who looks at a test runs none of its code, and writes no file, unless they say so.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Parser;
use taw_engine::{Config, Doubt, Reason, Sink, TestCase, TraceEvent};
use taw_ir::{LocId, Program};
use taw_report::{CommandRecord, sentence};

use crate::args::{Cli, Command, RunArgs, TrustArgs};
use crate::entries::Entries;
use crate::failure::Failure;
use crate::prepare::{Walked, load};
use crate::pure::PureFunctions;
use crate::style::{ACCENT, FRAME};
use crate::terminal::Within;
use crate::{replay, settings, snippet};

/// Results of the repetition are not wanted: they are in the test.
struct Nothing;

impl Sink for Nothing {
    fn path(&mut self, _: &TestCase) {}
}

/// Shows the path of each test.
pub(crate) fn show(out: &mut impl Write, tests: &[PathBuf], trust: &TrustArgs) -> Result<(), Failure> {
    let full = |test: &PathBuf| std::path::absolute(test).map_err(Failure::message);
    for test in &tests.iter().map(full).collect::<Result<Vec<_>, _>>()? {
        let walked = Walked::read(test)?;
        let args = command_of(test, trust)?;
        let world = settings::world(&args, Some(&walked.stdin))?;
        let program = load(&args)?;
        let here = std::env::current_dir().map_err(Failure::message)?;
        let recipe = settings::recipe(&args, &here, &program, std::slice::from_ref(&walked.entry))?;
        let pure = PureFunctions::new(&args, &program, &recipe)?;
        let mut plan =
            settings::plan(&args, Entries::one(walked.entry), world, Some(walked.path), Vec::new(), Vec::new());
        plan.engine = Config { trace: true, own_models: pure.models(), ..plan.engine };
        let summary = taw_explore::explore(&program, &plan, &mut Nothing, &mut |_| {}, &AtomicBool::new(false));
        let summary = summary.map_err(Failure::message)?;
        for event in &summary.trace {
            show_event(out, &program, event)?;
        }
        let diverged = |why: &&Reason| matches!(why, Reason::Doubt(Doubt::Diverged(_)));
        for why in summary.incomplete.iter().filter(diverged) {
            writeln!(out, "{}: has the program changed since?", sentence(why, &program))?;
        }
    }
    Ok(())
}

/// The command line of the run that wrote a test. Relative paths in it are meant in the directory it was given in.
fn command_of(test: &Path, trust: &TrustArgs) -> Result<RunArgs, Failure> {
    let lost = || Failure::Message(format!("{} is not in an output directory of `taw run`", test.display()));
    let record = test
        .canonicalize()
        .ok()
        .and_then(|path| path.parent().and_then(Path::parent).and_then(|dir| CommandRecord::read(dir).ok()))
        .ok_or_else(lost)?;
    std::env::set_current_dir(&record.directory)
        .map_err(|error| Failure::Message(format!("the directory `{}`: {error}", record.directory)))?;
    let mut args = match Cli::try_parse_from(&record.command).map(|cli| cli.command) {
        Ok(Command::Run(args)) => *args,
        Ok(Command::Reach(args)) => args.run,
        _ => return Err(lost()),
    };
    replay::trusted(&settings::cflags(&args.compile), &trust.cflag)?;
    if let Some(pure) = args.pure.iter().find(|pure| !trust.pure.contains(pure)) {
        return Err(Failure::Message(format!(
            "the run called a function natively, which is not done again to show a path; to allow it, add --pure '{pure}'"
        )));
    }
    args.solver.dump_queries = None;
    Ok(args)
}

fn show_event(out: &mut impl Write, program: &Program, event: &TraceEvent) -> std::io::Result<()> {
    match event {
        TraceEvent::Line(loc) => show_line(out, program, *loc),
        TraceEvent::Change { name, value } => writeln!(out, "         {ACCENT}{} = {value}{ACCENT:#}", Within(name)),
    }
}

fn show_line(out: &mut impl Write, program: &Program, loc: LocId) -> std::io::Result<()> {
    let loc = &program.locs[loc];
    let file = &program.files[loc.file].path;
    let text = snippet::line(file, loc.line).unwrap_or_else(|| file.clone());
    writeln!(out, "{:>6} {FRAME}|{FRAME:#} {text}", loc.line)
}
