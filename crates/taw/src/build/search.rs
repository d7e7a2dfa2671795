//! The search: for each finding of a start in the middle, from the drivers of its entry, one more call at a time.
//!
//! Invariant: *reachable* is said of nothing but a test that a native run confirmed (or, with `--no-replay`, nobody asked); that there is no such
//! sequence of nothing but what every driver was explored for to its end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use taw_engine::{CallerPromises, Cut, FindingKind, Halt, Limit, Outcome, Reason, Reception, Refusal, Sink, TestCase};
use taw_explore::{Exploration, GoalOutcome, GoalVerdict, Limits, Plan, Snapshot, Summary};
use taw_ir::Program;
use taw_report::{FindingRecord, OutcomeRecord, OutputDir, StackFrame, TestFile, premises_in_words, sentence};
use taw_targets::{Asker, FileLine, Request, Spec, Target, resolve};

use super::api::{Api, ApiFunction};
use super::words::{Scope, found, none, not_found};
use super::{BuildWith, MADE, entries_by_file, functions, is_called, name_of, seen_from, told};
use crate::Error;
use crate::prepared::Prepared;
use crate::reach::{ReachingTest, confirmed};
use crate::replay::NativeProgram;

/// How long there is to search if nothing is said.
const TIME: Duration = Duration::from_secs(30);

/// Why a test is not taken for that of a finding.
const ANOTHER: &str = "another error of that kind is at the same line";

/// What is searched for from one entry.
struct Hunted<'a> {
    asked: &'a BuildWith,
    api: &'a Api,
    entry: &'a ApiFunction,
    until: Instant,
}

/// What is known of a finding so far.
#[derive(Default)]
struct BuildProgress {
    reached: Option<ReachingTest>,
    /// Why it is not known that there is no sequence.
    doubts: BTreeSet<String>,
    /// What that would rest on.
    premises: BTreeSet<String>,
    /// Errors that building calls end in on the way there.
    unless: BTreeSet<String>,
}

impl Prepared<'_> {
    /// Searches for the findings of a run by way of the functions that the session builds with, and tells the output directory what came of it.
    /// `explored` is the run's time.
    ///
    /// # Errors
    /// What must be mended before the program can run.
    pub fn build(
        &self,
        out: &mut OutputDir<'_>,
        native: &mut Option<NativeProgram>,
        explored: Duration,
        progress: &mut dyn FnMut(&Snapshot),
    ) -> Result<(), Error> {
        let session = self.session();
        let Some(asked) = session.build.as_ref().filter(|_| session.walked.is_none()) else { return Ok(()) };
        let time = session.limits.time.map_or(TIME, |time| time.saturating_sub(explored));
        let end = Instant::now() + time;
        let functions = functions(session.program.code(), &asked.functions)?;
        let entries = by_entry(out);
        let mut left = entries.len() as u32;
        let files = entries_by_file(session, asked)?;
        for (name, findings) in entries {
            let beside = files.values().find(|entries| entries.contains(&name)).cloned().unwrap_or_default();
            let (api, entries) = seen_from(session, &functions, &beside);
            let entry = beside.iter().zip(entries).find(|(entry, _)| **entry == name).map(|(_, entry)| entry);
            let entry = entry.unwrap_or_else(|| Err("it is in none of the C files that were given".to_owned()));
            let lack = |entry: &ApiFunction| api.lack(entry).map_or(Ok(()), Err);
            match entry.and_then(|entry| lack(&entry).map(|()| entry)) {
                Ok(entry) => {
                    let until = Instant::now() + end.saturating_duration_since(Instant::now()) / left;
                    let hunted = Hunted { asked, api: &api, entry: &entry, until };
                    self.hunt(&hunted, &findings, out, native, progress)?;
                }
                Err(why) => {
                    let scope = Scope::new(asked, &api, None, &session.shapes);
                    let record = not_found(&scope, &[format!("`{name}` cannot be called by them: {why}")]);
                    findings.iter().for_each(|finding| out.built(*finding, record.clone()));
                }
            }
            left -= 1;
        }
        Ok(())
    }

    /// Searches for findings from the drivers of one entry.
    fn hunt(
        &self,
        hunted: &Hunted<'_>,
        findings: &[usize],
        out: &mut OutputDir<'_>,
        native: &mut Option<NativeProgram>,
        progress: &mut dyn FnMut(&Snapshot),
    ) -> Result<(), Error> {
        let mut known: BTreeMap<usize, BuildProgress> = BTreeMap::new();
        let code = self.program().code();
        let called = hunted.api.functions.iter().chain([hunted.entry]).map(|function| &function.name);
        let absorbed =
            called.filter(|name| !is_called(code, name)).map(|name| format!("`{name}` is a part of its caller"));
        let absorbed: BTreeSet<String> = absorbed.collect();
        for &finding in findings {
            known.insert(finding, BuildProgress { doubts: absorbed.clone(), ..BuildProgress::default() });
        }
        for calls in 0..=hunted.asked.calls {
            let open = findings.iter().filter(|finding| known.get(finding).is_none_or(|known| known.reached.is_none()));
            let open: Vec<usize> = open.copied().collect();
            if open.is_empty() {
                break;
            }
            let left = hunted.until.saturating_duration_since(Instant::now());
            let time = if calls == hunted.asked.calls { left } else { left / 2 };
            self.hunt_with(hunted, calls, time, &open, &mut known, out, native, progress)?;
        }
        let scope = Scope::new(hunted.asked, hunted.api, Some(hunted.entry), &self.session().shapes);
        for (finding, BuildProgress { reached, doubts, premises, unless }) in known {
            let record = match reached {
                Some(test) => found(test, native.is_some()),
                None if doubts.is_empty() => none(&scope, &premises, &unless),
                None => not_found(&scope, &doubts.into_iter().collect::<Vec<_>>()),
            };
            out.built(finding, record);
        }
        Ok(())
    }

    /// Searches with so many calls.
    #[expect(clippy::too_many_arguments, reason = "what is searched for, and where the results go")]
    fn hunt_with(
        &self,
        hunted: &Hunted<'_>,
        calls: u32,
        time: Duration,
        open: &[usize],
        known: &mut BTreeMap<usize, BuildProgress>,
        out: &mut OutputDir<'_>,
        native: &mut Option<NativeProgram>,
        progress: &mut dyn FnMut(&Snapshot),
    ) -> Result<(), Error> {
        let records: Vec<FindingRecord> = open.iter().map(|finding| out.findings()[*finding].clone()).collect();
        let mut goals: BTreeMap<String, (Target, Vec<usize>)> = BTreeMap::new();
        for (record, &finding) in records.iter().zip(open) {
            let state = known.entry(finding).or_default();
            match target(self, record)? {
                Ok(target) => goals.entry(target.goal.name.clone()).or_insert((target, Vec::new())).1.push(finding),
                Err(why) => drop(state.doubts.insert(why)),
            }
        }
        if goals.is_empty() {
            return Ok(());
        }
        let goals: Vec<(Target, Vec<usize>)> = goals.into_values().collect();
        let base = self.plan(goals.iter().map(|(target, _)| target.goal.clone()).collect());
        let limits = Limits { time: Some(time), ..self.session().limits.clone() };
        let mut plan = Plan { entries: vec![name_of(&hunted.entry.name, calls)], left_out: Vec::new(), limits, ..base };
        plan.engine.seeds = Vec::new();
        plan.engine.preconditions = Vec::new();
        // The API is used from the program's start.
        plan.engine.unknown_globals.clear();
        // Objects are what the library makes of them, whatever was said of those that callers pass.
        plan.engine.promises = CallerPromises::default();
        plan.engine.unknown_globals = BTreeSet::new();
        let mut sink =
            BuildSink { prepared: self, hunted, calls, goals: &goals, known, out, native, strange: BTreeSet::new() };
        let mut exploration = Exploration::new(self.program().code(), &plan)?;
        let summary = exploration.run(&mut sink, progress, self.stop());
        let strange = sink.strange;
        for ((_, findings), outcome) in goals.iter().zip(&summary.goals) {
            for finding in findings {
                let state = known.entry(*finding).or_default();
                state.note(outcome, &summary, self);
                state.doubts.extend(strange.iter().cloned());
                if self.stop().load(Ordering::Relaxed) {
                    state.doubts.insert("the run was stopped".to_owned());
                }
            }
        }
        Ok(())
    }
}

impl BuildProgress {
    /// Keeps what an exploration says of a goal that no test was accepted for.
    fn note(&mut self, outcome: &GoalOutcome, summary: &Summary, prepared: &Prepared<'_>) {
        let (places, code) = (prepared.places(), prepared.program().code());
        match &outcome.verdict {
            GoalVerdict::Reached => {}
            GoalVerdict::Unreachable(_) => {
                self.premises.extend(premises_in_words(&summary.premises, code));
                let stacks = outcome.unless.iter().map(|error| places.stack(&error.stack));
                let of_others = stacks.filter(|stack| stack.iter().any(|frame| frame.user));
                self.unless.extend(of_others.filter_map(|stack| StackFrame::reported(&stack).map(StackFrame::place)));
            }
            GoalVerdict::Unknown(reasons) => self.doubts.extend(reasons.iter().map(|why| in_words(why, code))),
        }
    }
}

/// Why nothing is proved. Times are shares that nobody has asked for.
fn in_words(why: &Reason, code: &Program) -> String {
    match why {
        Reason::Refused(Refusal::NotConfirmed(own)) if [ANOTHER, told::NULLED].contains(&own.as_str()) => own.clone(),
        Reason::Cut(Cut::Halted(Halt::Limit(Limit::Time(_)))) => "the time was over".to_owned(),
        other => sentence(other, code),
    }
}

/// The findings by the entry that their tests start at.
fn by_entry(out: &OutputDir<'_>) -> BTreeMap<String, Vec<usize>> {
    let mut entries: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, finding) in out.findings().iter().enumerate() {
        let test = TestFile::read(&out.dir().join(&finding.test)).ok();
        if let Some(entry) = test.and_then(|test| test.entry) {
            entries.entry(entry).or_default().push(number);
        }
    }
    entries
}

/// What the search looks for, or why it cannot.
fn target(prepared: &Prepared<'_>, finding: &FindingRecord) -> Result<Result<Target, String>, Error> {
    let kind = FindingKind::named(&finding.kind);
    if kind == Some(FindingKind::Leak) {
        return Ok(Err("what is left at the end is the caller's to free".to_owned()));
    }
    let (Some(file), Some(line)) = (finding.file.clone(), finding.line) else {
        return Ok(Err("the place of the error has no line".to_owned()));
    };
    let spec = Spec::Error(FileLine { file, line }, kind);
    let request = Request { spec, asker: Asker::Tool, result: None };
    let markers = &prepared.session().markers;
    let resolved = resolve(&prepared.places(), markers, &[request], &[]).map_err(Error::Target)?;
    let missing = resolved.left_out.into_iter().next().map(|(_, why)| why);
    Ok(resolved.targets.into_iter().next().ok_or_else(|| missing.unwrap_or_default()))
}

/// Where the tests of drivers go.
struct BuildSink<'a, 'p> {
    prepared: &'a Prepared<'a>,
    hunted: &'a Hunted<'a>,
    calls: u32,
    /// Each with the findings that are at its line.
    goals: &'a [(Target, Vec<usize>)],
    known: &'a mut BTreeMap<usize, BuildProgress>,
    out: &'a mut OutputDir<'p>,
    native: &'a mut Option<NativeProgram>,
    /// What drivers could not do, and careful callers might.
    strange: BTreeSet<String>,
}

impl Sink for BuildSink<'_, '_> {
    /// Errors that nobody asked for are not told: the entry was not started to find them.
    fn path(&mut self, test: &TestCase) {
        let Outcome::Finding(finding) = &test.outcome else { return };
        let at =
            finding.stack.first().map(|entry| self.prepared.program().code().functions[entry.function].name.as_str());
        let is_gone = matches!(finding.kind, FindingKind::UseAfterFree | FindingKind::UseAfterScope);
        if at.is_some_and(|name| name.starts_with(MADE)) && !is_gone {
            self.strange.insert("a function gives back a pointer that is none to memory".to_owned());
        }
    }

    fn reached(&mut self, goal: usize, test: &TestCase) -> Reception {
        let (target, findings) = &self.goals[goal];
        let open = |known: &BTreeMap<usize, BuildProgress>, finding: &usize| {
            known.get(finding).is_none_or(|known| known.reached.is_none())
        };
        let file = TestFile::new(test, &self.prepared.places());
        let here = |finding: &&usize| is_at(&self.out.findings()[**finding], &file);
        let Some(&finding) = findings.iter().filter(|finding| open(self.known, finding)).find(here) else {
            return Reception::Refused(Refusal::NotConfirmed(ANOTHER.to_owned()));
        };
        let Hunted { api, entry, .. } = self.hunted;
        let file = match told::told(api, entry, self.calls, &file, &self.prepared.program().code().layout) {
            Ok(built) => file.with_calls(built),
            Err(why) => return Reception::Refused(Refusal::NotConfirmed(why)),
        };
        // What the program itself asks for meanwhile.
        let beside = file.inputs_beside_call();
        let beside =
            beside.iter().map(|input| format!("/* with {} = {} */", input.name, input.value.replace("*/", "* /")));
        let call = beside.chain(file.calls_shown().iter().cloned()).collect();
        let mut arrival = ReachingTest { call, ..ReachingTest::default() };
        if let Some(native) = self.native {
            match confirmed(self.prepared, native, target, &file, &mut arrival) {
                Reception::Accepted => {}
                refused => return refused,
            }
        }
        match self.out.keep_built(test, &file) {
            Ok(name) => arrival.test = name,
            Err(error) => return Reception::Refused(Refusal::NotWritten(error.to_string())),
        }
        self.known.entry(finding).or_default().reached = Some(arrival);
        match findings.iter().any(|finding| open(self.known, finding)) {
            true => Reception::Refused(Refusal::NotConfirmed(ANOTHER.to_owned())),
            false => Reception::Accepted,
        }
    }
}

/// Whether a test ends in a finding: kind and line are those of the goal.
fn is_at(finding: &FindingRecord, test: &TestFile) -> bool {
    let OutcomeRecord::Finding { stack, .. } = &test.outcome else { return false };
    let at = StackFrame::reported(stack);
    at.is_some_and(|at| at.function == finding.function && at.column == finding.column)
}
