//! `taw run`: load, explore, report.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use taw::{Confirmations, EntryOutcome, NativeProgram, Observer, Prepared, Results, Sharing, Snapshot, Summary};
use taw_engine::Sink;
use taw_native::ReplayVerdict;
use taw_report::{Document, OutcomeRecord, OutputDir, TestFile, file_coverage, lcov};
use taw_search::SearchScheme;

use crate::args::{KeepArg, RunArgs};
use crate::document::{document, full_statistics};
use crate::emit::{Left, emit};
use crate::failure::Failure;
use crate::idle::idle;
use crate::progress::ProgressLine;
use crate::replay::{ReplayReport, warn_of};
use crate::style::BOLD;
use crate::{functions, plot, prepare, runs, settings, summary, terminal};

/// What `taw` answers through its exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExitAnswer {
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
pub(crate) fn run(args: &RunArgs) -> Result<ExitAnswer, Failure> {
    if args.list {
        return functions::list(args);
    }
    goes_forward(args)?;
    prepare::session(args, Vec::new())?.prepared(|prepared| explore(args, prepared))
}

/// Where nothing is to be reached, there is nothing to go back from.
fn goes_forward(args: &RunArgs) -> Result<(), Failure> {
    let scheme = args.search.search.as_deref().map(SearchScheme::parse).transpose().map_err(Failure::message)?;
    match scheme {
        None | Some(SearchScheme::Forward(_) | SearchScheme::Concolic(_)) => Ok(()),
        Some(SearchScheme::Backward(_) | SearchScheme::Symcretic | SearchScheme::Mixed { .. }) => Err(Failure::Message(
            "`CCBSE` and `symcretic` go back from targets, and `taw run` has none: use `taw reach --target …`, or a strategy that goes forward".to_owned(),
        )),
    }
}

fn explore(args: &RunArgs, prepared: &Prepared<'_>) -> Result<ExitAnswer, Failure> {
    let out = prepare::output(args, prepared, KeepArg::Covering)?;
    let found = Cell::new(0);
    let native = (!args.output.no_replay).then(|| prepared.native()).transpose()?;
    let mut results = Results::new(out, native, observer(args, &found));
    let mut progress = ProgressLine::new(args)?;
    let mut show = |snapshot: &Snapshot| progress.show(snapshot, found.get());
    let explored = match prepared.sharing() {
        Sharing::Together => explored(prepared, &mut results, &mut show).map(|summary| (summary, Vec::new())),
        Sharing::Apart => prepared.explore_each(&mut results, &mut show),
    };
    match explored {
        Ok((summary, each)) => {
            let (mut out, Confirmations { mut native, contradictions, .. }) = results.finish(prepared)?;
            prepared.build(&mut out, &mut native, summary.wall_time, &mut show)?;
            progress.clear();
            for contradiction in &contradictions {
                warn_of(&contradiction.test, &contradiction.why);
            }
            report(args, prepared, &summary, &each, out, native)
        }
        Err(error) => {
            progress.clear();
            Err(Failure::Message(with_what_is_there(&error.to_string(), results.output())))
        }
    }
}

/// Explores a program, as `taw run` does.
///
/// What is left then is not taken apart: with gigabytes of states and of Z3's expressions that took longer than the run, and
/// this process has little left to do.
pub(crate) fn explored(
    prepared: &Prepared<'_>,
    sink: &mut dyn Sink,
    progress: &mut dyn FnMut(&Snapshot),
) -> Result<Summary, taw::Error> {
    let mut exploration = prepared.exploration()?;
    let summary = exploration.run(sink, progress, prepared.stop());
    std::mem::forget(exploration);
    Ok(summary)
}

/// Keeps the number of findings for the progress line, and shows what the program prints if that is wanted.
pub(crate) fn observer<'a>(args: &'a RunArgs, found: &'a Cell<usize>) -> Observer<'a> {
    Box::new(|test, findings| {
        found.set(findings);
        if args.print_output {
            // Standard error, because standard output may be the document's. A closed pipe must not end the run.
            let _ = terminal::stderr().write_all(&test.written.both);
        }
    })
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
    prepared: &Prepared<'_>,
    summary: &Summary,
    each: &[EntryOutcome],
    mut out: OutputDir<'_>,
    native: Option<NativeProgram>,
) -> Result<ExitAnswer, Failure> {
    let program = prepared.program().code();
    let files = file_coverage(program, &out.covered());
    runs::show(&summary.concolic_trace, &program.layout)?;
    out.judge(&summary.judgements, args.output.quiet_preconditions);
    let mut document = document(summary, &files, &out, &prepared.places(), prepare::notes(prepared, summary));
    document.functions = functions::records(prepared, each);
    document.left_out = document.findings.iter().filter(|finding| finding.is_left_out()).count();
    say_if_idle(args, prepared, summary, &mut document);
    let left = out.finish(&lcov(&files), &full_statistics(&document, summary)).map_err(Failure::message)?;
    emit(
        args,
        &Left {
            program,
            entries: prepared.entries(),
            preconditions: prepared.preconditions(),
            stand_ins: prepared.stand_ins(),
            coverage: &files,
            findings: &document.findings,
            dir: left.dir(),
            kept: &left.tests,
        },
    )?;
    plot::write(args, summary)?;
    if let Some(mut native) = native.filter(|_| args.output.replay_tests) {
        check(&mut native, left.dir(), &left.tests)?;
    }
    match show(args, &document, left.tests.len()) {
        // The reader has seen enough; the exit code still tells.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ if document.findings.len() > document.left_out => Ok(ExitAnswer::Findings),
        _ if document.undecided.is_some() => Ok(ExitAnswer::Undecided),
        _ => Ok(ExitAnswer::Clean),
    }
}

/// A harness that never gets to what it tests decides nothing. An entry may mean it: that is worth a note.
fn say_if_idle(args: &RunArgs, prepared: &Prepared<'_>, summary: &Summary, document: &mut Document) {
    if !document.findings.is_empty() {
        return;
    }
    let program = prepared.program().code();
    match settings::harness(args) {
        Some(harness) => {
            let why = idle(program, &summary.coverage, harness.entry());
            let longer = || format!("; --max-len {} allows longer inputs", args.max_len.saturating_mul(4));
            document.undecided = document.undecided.take().or(why.map(|why| why + &longer()));
        }
        None => {
            let entries = prepared.entries().iter();
            document.notes.extend(entries.filter_map(|entry| idle(program, &summary.coverage, entry)));
        }
    }
}

/// Replays the tests at paths relative to `dir` that are of no finding, and says what came of it.
fn check(native: &mut NativeProgram, dir: &Path, tests: &[String]) -> Result<(), Failure> {
    let mut report = ReplayReport::default();
    let mut reasons = BTreeMap::<String, usize>::new();
    for path in tests.iter().map(|name| dir.join(name)) {
        let test = TestFile::read(&path).map_err(Failure::message)?;
        if !matches!(test.outcome, OutcomeRecord::Finding { .. }) {
            let replayed = native.replay(&test)?;
            if matches!(replayed.verdict, ReplayVerdict::Diverged | ReplayVerdict::OtherProgram) {
                warn_of(&path, &replayed.why);
            }
            report.count(&replayed);
            if replayed.verdict == ReplayVerdict::NotConfirmed {
                *reasons.entry(replayed.why).or_default() += 1;
            }
        }
    }
    report.diverged += report.other_program;
    terminal::tell(format_args!("{BOLD}replayed{BOLD:#}  {}", report.in_words()));
    if let Some((why, count)) = reasons.into_iter().max_by_key(|(_, count)| *count) {
        terminal::tell(format_args!("          {count} not confirmed: {why}"));
    }
    Ok(())
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
