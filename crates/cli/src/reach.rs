//! `taw reach`: an input for a place in the program, or a proof that there is none, or what is not known.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use taw_engine::Step;
use taw_explore::Summary;
use taw_ir::Program;
use taw_report::{Places, TARGETS, TARGETS_SARIF, file_coverage, lcov};
use taw_targets::{Request, Resolved, SarifLog, SarifVerdict, TargetFile, read, read_diff, resolve};

use crate::args::KeepArg;
use crate::document::{document, full_statistics};
use crate::emit::{Left, emit};
use crate::failure::Failure;
use crate::prepare::Ready;
use crate::progress::Progress;
use crate::reach_args::ReachArgs;
use crate::reach_document::{ReachDocument, TargetRow, Verdict, rows};
use crate::reach_sink::ReachSink;
use crate::run::{Answer, with_what_is_there};
use crate::style::WARNING;
use crate::summary::counted;
use crate::{concrete, plot, reach_summary, replay, settings, terminal};

/// Runs the whole of `taw reach`.
pub(crate) fn reach(args: &ReachArgs) -> Result<Answer, Failure> {
    let asked = asked(args)?;
    let ready = Ready::new(&args.run)?;
    let places = ready.places();
    let resolved = resolve(&places, &args.run.marker, &asked.requests).map_err(Failure::Message)?;
    tell(&resolved);
    let out = ready.output(&args.run, KeepArg::Findings)?;
    let found = Cell::new(0);
    let mut sink = ReachSink::new(&args.run, &resolved.targets, out, &found, Arc::clone(&ready.stop));
    if !args.run.output.no_replay {
        let mut native = replay::Native::new(ready.recipe.clone(), settings::conditions(&args.run, &ready.stop)?);
        if resolved.targets.iter().any(|target| !matches!(target.goal.steps.last(), Some(Step::Error(..)))) {
            native.begin()?;
        }
        sink.confirm_by(native, Box::new(|path, test| concrete::meets_end(&ready, &args.run, path, test)));
    }
    let mut progress = Progress::new();
    let goals = resolved.targets.iter().map(|target| target.goal.clone()).collect();
    let explored = taw_explore::explore(
        &ready.program,
        &ready.plan(&args.run, goals),
        &mut sink,
        &mut |snapshot| progress.show(snapshot, found.get()),
        &ready.stop,
    );
    progress.clear();
    match explored {
        Ok(summary) => report(args, &ready, &places, &summary, &asked, &resolved, sink),
        Err(error) => Err(Failure::Message(with_what_is_there(&error.to_string(), sink.output()))),
    }
}

/// Everything that is asked for, on the command line and in files.
#[derive(Default)]
struct Asked {
    requests: Vec<Request>,
    logs: Vec<SarifLog>,
}

fn asked(args: &ReachArgs) -> Result<Asked, Failure> {
    let mut asked = Asked::default();
    for text in &args.target {
        asked.requests.push(Request::parse(text).map_err(Failure::Message)?);
    }
    let whole = |read: fn(&Path) -> Result<TargetFile, String>| move |path: &std::path::PathBuf| read(path);
    for file in args.targets_from.iter().map(whole(read)).chain(args.diff.iter().map(whole(read_diff))) {
        let TargetFile { requests, sarif } = file.map_err(Failure::Message)?;
        // Results are numbered through all logs.
        let before: usize = asked.logs.iter().map(SarifLog::len).sum();
        let numbered = |request: Request| Request { result: request.result.map(|n| n + before), ..request };
        asked.requests.extend(requests.into_iter().map(numbered));
        asked.logs.extend(sarif);
    }
    Ok(asked)
}

/// What the user should know before the search.
fn tell(resolved: &Resolved) {
    for target in &resolved.targets {
        if let Some(note) = &target.note {
            terminal::tell(format_args!("{WARNING}note{WARNING:#}: {}: {note}", target.goal.name));
        }
    }
    if let [(_, first), ..] = &resolved.left_out[..] {
        let lines = counted(resolved.left_out.len() as u64, "place", "places");
        terminal::tell(format_args!(
            "{WARNING}note{WARNING:#}: left out {lines} that this program has no code for ({first})"
        ));
    }
    if resolved.targets.is_empty() {
        terminal::tell(format_args!("{WARNING}note{WARNING:#}: none of what is asked for is code of this program"));
    }
}

fn report(
    args: &ReachArgs,
    ready: &Ready,
    places: &Places<'_>,
    summary: &Summary,
    asked: &Asked,
    resolved: &Resolved,
    sink: ReachSink<'_>,
) -> Result<Answer, Failure> {
    let program: &Program = places.program();
    let files = file_coverage(program, &sink.output().covered());
    let run = document(summary, &files, sink.output(), places, ready.notes(summary));
    let rows = rows(&resolved.targets, summary, sink.results(), places);
    let mut out = sink.into_output();
    let verdicts = write_back(asked, resolved, &rows);
    for (number, log) in verdicts.iter().enumerate() {
        let name = if number == 0 { TARGETS_SARIF.to_owned() } else { format!("targets-{}.sarif", number + 1) };
        out.write(&name, log).map_err(Failure::message)?;
    }
    let answer = ReachDocument::new(rows, summary, &run);
    out.write(TARGETS, &answer).map_err(Failure::message)?;
    let left = out.finish(&lcov(&files), &full_statistics(&run, summary)).map_err(Failure::message)?;
    let entries = &ready.entries.names;
    emit(
        &args.run,
        &Left { program, entries, coverage: &files, findings: &run.findings, dir: left.dir(), kept: &left.tests },
    )?;
    plot::write(&args.run, summary)?;
    let shown = show(args, &answer, left.dir(), left.tests.len());
    match shown {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(answer.answer()),
    }
}

/// The logs that asked, with what became of their results.
fn write_back(asked: &Asked, resolved: &Resolved, rows: &[TargetRow]) -> Vec<serde_json::Value> {
    let total = asked.logs.iter().map(SarifLog::len).sum();
    let no_place = SarifVerdict {
        verdict: Verdict::Unknown.name().into(),
        reason: Some("the result has no place in this program".into()),
        ..SarifVerdict::default()
    };
    let mut verdicts = vec![no_place; total];
    for (target, row) in resolved.targets.iter().zip(rows) {
        for &result in &target.results {
            verdicts[result] = SarifVerdict {
                verdict: row.verdict.name().into(),
                target: row.target.clone(),
                test: row.test.clone(),
                reason: row.reason.clone(),
            };
        }
    }
    let mut rest = &verdicts[..];
    let mut logs = Vec::new();
    for log in &asked.logs {
        let (mine, others) = rest.split_at(log.len());
        logs.push(log.with_verdicts(mine));
        rest = others;
    }
    logs
}

fn show(args: &ReachArgs, answer: &ReachDocument, dir: &Path, tests: usize) -> io::Result<()> {
    if args.run.output.json {
        let text = serde_json::to_string_pretty(answer).expect("the document is plain data");
        return writeln!(anstream::stdout().lock(), "{text}");
    }
    let mut out = terminal::stdout();
    reach_summary::show(&mut out, answer, dir, tests)?;
    out.flush()
}
