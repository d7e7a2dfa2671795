//! `taw show --path`: a test's path line by line, with the values that changed.
//!
//! The path is executed again, without the solver, by the command line that its output directory remembers. Somebody else may
//! have written that: who looks at a test runs none of its code, and writes no file, unless they say so.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use taw::{Each, PureFunction, Session, WalkedTest};
use taw_engine::{Doubt, Reason, TestCase, TraceEvent};
use taw_ir::{LocId, Program};
use taw_report::{CommandRecord, TestFile, sentence};
use taw_targets::Request;

use crate::args::{Cli, Command, RunArgs, TrustArgs};
use crate::failure::Failure;
use crate::reach::requests_again;
use crate::style::{ACCENT, FRAME};
use crate::terminal::{self, Within};
use crate::{prepare, settings, snippet};

/// Shows the path of each test.
pub(crate) fn show(out: &mut impl Write, tests: &[PathBuf], trust: &TrustArgs) -> Result<(), Failure> {
    let full = |test: &PathBuf| std::path::absolute(test).map_err(Failure::message);
    for test in &tests.iter().map(full).collect::<Result<Vec<_>, _>>()? {
        let walked = WalkedTest::read(test)?;
        let (args, asked) = command_of(test, &trust.cflag, &trust.pure)?;
        let how = settings::compile(&args).on_warning(terminal::pass_on);
        let session = prepare::walking(&args, &asked, &how, walked)?.trace();
        // Results of the repetition are not wanted: they are in the test.
        let summary = session.explore(&mut Each(|_: &TestCase| {}))?;
        for event in summary.trace.iter().filter(|event| is_programs(event, session.program().code())) {
            show_event(out, session.program().code(), event)?;
        }
        let diverged = |why: &&Reason| matches!(why, Reason::Doubt(Doubt::Diverged(_)));
        for why in summary.incomplete.iter().filter(diverged) {
            writeln!(out, "{}: has the program changed since?", sentence(why, session.program().code()))?;
        }
    }
    Ok(())
}

/// The session of the run that wrote a test of an output directory; the current directory is then its.
pub(crate) fn session_of(
    dir: &Path,
    test: &TestFile,
    cflags: &[String],
    pure: &[PureFunction],
) -> Result<Session, Failure> {
    let (args, asked) =
        command_in(dir, cflags, pure)?.ok_or_else(|| Failure::Message("no command of `taw run`".into()))?;
    prepare::walking(&args, &asked, &settings::compile(&args), WalkedTest::of(test))
}

/// The command line of the run that wrote a test.
fn command_of(test: &Path, cflags: &[String], pure: &[PureFunction]) -> Result<(RunArgs, Vec<Request>), Failure> {
    let lost = || Failure::Message(format!("{} is not in an output directory of `taw run`", test.display()));
    let full = test.canonicalize().map_err(|_| lost())?;
    let dir = full.parent().and_then(Path::parent).ok_or_else(lost)?;
    command_in(dir, cflags, pure)?.ok_or_else(lost)
}

/// The command line of the run that wrote an output directory, if it is one. Relative paths in it are meant in the directory it was
/// given in, which is then the current one.
fn command_in(
    dir: &Path,
    cflags: &[String],
    pure: &[PureFunction],
) -> Result<Option<(RunArgs, Vec<Request>)>, Failure> {
    let Ok(record) = CommandRecord::read(dir) else { return Ok(None) };
    std::env::set_current_dir(&record.directory)
        .map_err(|error| Failure::Message(format!("the directory `{}`: {error}", record.directory)))?;
    let (mut args, asked) = match Cli::try_parse_from(&record.command).map(|cli| cli.command) {
        Ok(Command::Run(args)) => (*args, Vec::new()),
        Ok(Command::Reach(args)) => {
            let asked = requests_again(&args)?;
            (args.run, asked)
        }
        _ => return Ok(None),
    };
    settings::apply_database(&mut args)?;
    let own = args.compile.own_flags.iter().flat_map(|own| &own.flags).cloned();
    taw::trusted(&own.chain(settings::cflags(&args.compile)).collect::<Vec<_>>(), cflags)?;
    if let Some(unsaid) = args.pure.iter().find(|said| !pure.contains(said)) {
        return Err(Failure::Message(format!(
            "the run called a function natively, which is not done again to show a path; to allow it, add --pure '{unsaid}'"
        )));
    }
    args.solver.dump_queries = None;
    Ok(Some((args, asked)))
}

/// Lines of conditions are none of the program's.
fn is_programs(event: &TraceEvent, program: &Program) -> bool {
    match event {
        TraceEvent::Line(loc) => program.files[program.locs[*loc].file].is_programs(),
        TraceEvent::Change { .. } => true,
    }
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
