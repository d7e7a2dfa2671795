//! `taw reach`: an input for a place in the program, or a proof that there is none, or what is not known.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use taw::{Prepared, ReachSink, Summary};
use taw_report::{OutputDir, TARGETS, TARGETS_SARIF, file_coverage, lcov};
use taw_targets::{Request, Resolved, SarifLog, SarifVerdict, Target, TargetFile, conditions, read, read_diff};

use crate::args::KeepArg;
use crate::document::{document, full_statistics};
use crate::emit::{Left, emit};
use crate::failure::Failure;
use crate::progress::ProgressLine;
use crate::reach_args::ReachArgs;
use crate::reach_document::{ReachDocument, TargetRow, TargetVerdict, by_rule, rows};
use crate::run::{ExitAnswer, explored, observer, with_what_is_there};
use crate::style::{GOOD, WARNING};
use crate::summary::counted;
use crate::{plot, prepare, reach_summary, runs, terminal};

/// Runs the whole of `taw reach`.
pub(crate) fn reach(args: &ReachArgs) -> Result<ExitAnswer, Failure> {
    if !args.run.build_with.is_empty() {
        return Err(Failure::Message(
            "--build-with is about the errors that `taw run` finds; leave it away here".to_owned(),
        ));
    }
    let asked = asked(args)?;
    prepare::session(&args.run, asked.requests.clone())?.prepared(|prepared| search(args, &asked, prepared))
}

fn search(args: &ReachArgs, asked: &Asked, prepared: &Prepared<'_>) -> Result<ExitAnswer, Failure> {
    tell(prepared.targets());
    let out = prepare::output(&args.run, prepared, KeepArg::Findings)?;
    let found = Cell::new(0);
    let mut progress = ProgressLine::new(&args.run)?;
    let sink = ReachSink::new(prepared, out, observer(&args.run, &found)).on_arrival(arrivals(asked, progress.above()));
    let mut sink = sink.with_all_paths(args.run.output.keep.is_some());
    if !args.run.output.no_replay {
        sink.confirm()?;
    }
    let explored = explored(prepared, &mut sink, &mut |snapshot| progress.show(snapshot, found.get()));
    progress.clear();
    match explored {
        Ok(summary) => report(args, prepared, &summary, asked, sink),
        Err(error) => Err(Failure::Message(with_what_is_there(&error.to_string(), sink.store()))),
    }
}

/// Tells of each result of a log, which may have thousands, when it is reached.
fn arrivals(asked: &Asked, say: impl Fn(fmt::Arguments<'_>)) -> impl FnMut(&Target) {
    move |target| {
        if !target.results.is_empty() {
            let name = terminal::Within(&target.goal.name);
            say(format_args!("{GOOD}reached{GOOD:#} {name} ({})", terminal::Within(asked.rules_of(target).join(", "))));
        }
    }
}

/// Everything that is asked for, on the command line and in files.
#[derive(Default)]
struct Asked {
    requests: Vec<Request>,
    /// Logs with verdicts to be written back, each with the number of its first result.
    logs: Vec<(usize, SarifLog)>,
    /// The rule of each result, numbered through all logs.
    rules: Vec<String>,
}

impl Asked {
    /// The rules that ask for a target, each once.
    fn rules_of(&self, target: &Target) -> Vec<String> {
        let rules: BTreeSet<&String> = target.results.iter().map(|result| &self.rules[*result]).collect();
        rules.into_iter().cloned().collect()
    }
}

fn asked(args: &ReachArgs) -> Result<Asked, Failure> {
    let mut asked = Asked::default();
    for text in &args.target {
        asked.requests.push(Request::parse(text).map_err(Failure::Message)?);
    }
    let whole = |read: fn(&Path) -> Result<TargetFile, String>| move |path: &std::path::PathBuf| read(path);
    for file in args.targets_from.iter().map(whole(read)).chain(args.diff.iter().map(whole(read_diff))) {
        let TargetFile { requests, sarif, rules } = file.map_err(Failure::Message)?;
        let before = asked.rules.len();
        let numbered = |request: Request| Request { result: request.result.map(|n| n + before), ..request };
        asked.requests.extend(requests.into_iter().map(numbered));
        asked.logs.extend(sarif.map(|log| (before, log)));
        asked.rules.extend(rules);
    }
    Ok(asked)
}

/// What a command asked for, as far as it can be read again.
pub(crate) fn requests_again(args: &ReachArgs) -> Result<Vec<Request>, Failure> {
    let is_file = |path: &&std::path::PathBuf| path.as_os_str() != "-";
    let mut requests =
        args.target.iter().map(|text| Request::parse(text)).collect::<Result<Vec<_>, _>>().map_err(Failure::Message)?;
    for file in args.targets_from.iter().filter(is_file) {
        requests.extend(read(file).map_err(Failure::Message)?.requests);
    }
    Ok(requests)
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
    prepared: &Prepared<'_>,
    summary: &Summary,
    asked: &Asked,
    sink: ReachSink<'_, OutputDir<'_>>,
) -> Result<ExitAnswer, Failure> {
    let (program, places) = (prepared.program().code(), prepared.places());
    let resolved = prepared.targets();
    let files = file_coverage(program, &sink.store().covered());
    runs::show(&summary.concolic_trace, &program.layout)?;
    let run = document(summary, &files, sink.store(), &places, prepare::notes(prepared, summary));
    let conditions: Vec<String> = conditions(&asked.requests).into_iter().map(|(_, text)| text.to_owned()).collect();
    let mut rows = rows(&resolved.targets, summary, sink.results(), &conditions, &places);
    for (row, target) in rows.iter_mut().zip(&resolved.targets) {
        row.rules = asked.rules_of(target);
    }
    let mut out = sink.into_store();
    let verdicts = verdicts(asked, resolved, &rows);
    let logs = asked.logs.iter().map(|(first, log)| log.with_verdicts(&verdicts[*first..]));
    for (number, log) in logs.enumerate() {
        let name = if number == 0 { TARGETS_SARIF.to_owned() } else { format!("targets-{}.sarif", number + 1) };
        out.write(&name, &log).map_err(Failure::message)?;
    }
    let by_rule = by_rule(&asked.rules, verdicts.iter().map(|verdict| verdict.verdict.as_str()));
    let answer = ReachDocument { by_rule, ..ReachDocument::new(rows, conditions, summary, &run) };
    out.write(TARGETS, &answer).map_err(Failure::message)?;
    let left = out.finish(&lcov(&files), &full_statistics(&run, summary)).map_err(Failure::message)?;
    let (entries, stand_ins) = (prepared.entries(), prepared.stand_ins());
    emit(
        &args.run,
        &Left {
            program,
            entries,
            preconditions: prepared.preconditions(),
            stand_ins,
            coverage: &files,
            findings: &run.findings,
            dir: left.dir(),
            kept: &left.tests,
        },
    )?;
    plot::write(&args.run, summary)?;
    let shown = show(args, &answer, left.dir(), left.tests.len());
    match shown {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(answer.answer()),
    }
}

/// What became of the results of logs, by number.
fn verdicts(asked: &Asked, resolved: &Resolved, rows: &[TargetRow]) -> Vec<SarifVerdict> {
    let no_place = SarifVerdict {
        verdict: TargetVerdict::Unknown.name().into(),
        reason: Some("the result has no place in this program".into()),
        ..SarifVerdict::default()
    };
    let mut verdicts = vec![no_place; asked.rules.len()];
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
    verdicts
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
