//! What became of each target, as `--json` prints it and `targets.json` keeps it. Field names and order are an interface.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use taw::ReachingTest;
use taw_engine::{Premise, StackEntry};
use taw_explore::{BackwardCounts, Barrier, Closest, GoalOutcome, GoalVerdict, PathCounts, Proof, Summary};
use taw_ir::FuncId;
use taw_report::{
    Because, CoverageTotals, Document, InputRecord, Paths, Places, StackFrame, Statistics, codes, premises_in_words,
    sentences,
};
use taw_targets::Target;

use crate::document::contradiction;
use crate::run::ExitAnswer;
use crate::snippet;

/// All targets, and the figures of the run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ReachDocument {
    pub targets: Vec<TargetRow>,
    pub reached: usize,
    pub unreachable: usize,
    pub unknown: usize,
    pub paths: Paths,
    /// States that were dropped because they lead to no target.
    pub dropped: u64,
    /// What was done backward from the targets, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backward: Option<BackwardRow>,
    /// Errors that were met on the way.
    pub findings: usize,
    /// What else the user should know of the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    pub coverage: CoverageTotals,
    pub stats: Statistics,
    pub out: String,
    /// What became of the results of other tools' logs, by rule.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_rule: Vec<RuleRow>,
    /// The conditions that were asked, by number.
    #[serde(skip)]
    pub conditions: Vec<String>,
}

/// What was done backward from the targets.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct BackwardRow {
    /// Functions that it started at.
    pub functions: u64,
    /// Places in the middle of functions that it started at.
    pub points: u64,
    /// Paths from one of them to a target.
    pub found: u64,
    /// Calls that took such a path up and got there.
    pub stitched: u64,
    /// Calls that took one up and did not.
    pub refuted: u64,
    /// Targets whose test comes from such a path.
    pub decisive: u64,
    /// Slices of the program that targets were looked for in.
    pub slices: u64,
    /// Targets that were decided so.
    pub sliced: u64,
    /// Stretches between two places with a choice, on ways back from targets.
    pub segments: u64,
    /// Branches on them that the solver had no answer to.
    pub skipped: u64,
    /// Ways that were followed back to where the program begins, and run from there.
    pub wholes: u64,
    pub instructions: u64,
    pub queries: u64,
}

impl From<BackwardCounts> for BackwardRow {
    fn from(counts: BackwardCounts) -> Self {
        let (instructions, queries) = (counts.spent.instructions, counts.spent.queries);
        BackwardRow {
            functions: counts.origins,
            points: counts.points,
            found: counts.found,
            stitched: counts.stitched,
            refuted: counts.refuted,
            decisive: counts.decisive,
            slices: counts.slices,
            sliced: counts.sliced,
            segments: counts.segments,
            skipped: counts.skipped,
            wholes: counts.wholes,
            instructions,
            queries,
        }
    }
}

/// One target.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TargetRow {
    pub target: String,
    pub verdict: TargetVerdict,
    /// The test that reaches it, relative to the output directory.
    pub test: Option<String>,
    /// Whether a native run of that test got there, and showed the error if there is to be one.
    pub confirmed: bool,
    /// When it was decided, in seconds from the start, without the time of native runs.
    pub time_s: f64,
    /// Why it is unreachable or unknown, or why a native run that got there did not show the error.
    pub reason: Option<String>,
    /// What an unreachable rests on because the user said so and nobody checked it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
    /// The kinds of reasons why it is unknown, for programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reason_codes: Vec<String>,
    /// How near the search came.
    pub closest: Option<ClosestRow>,
    /// Errors after which a native run may get there all the same, if it is unreachable but for them: their places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unless: Vec<String>,
    /// Branches on the nearest way whose conditions contradict each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflict: Vec<Because>,
    /// The rules of other tools by which it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    #[serde(skip)]
    pub call: Vec<String>,
    #[serde(skip)]
    pub inputs: Vec<InputRecord>,
}

/// The results of one rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct RuleRow {
    pub rule: String,
    pub results: usize,
    pub reached: usize,
    pub unreachable: usize,
    pub unknown: usize,
}

/// What is known of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TargetVerdict {
    Reached,
    Unreachable,
    Unknown,
}

/// The nearest that was executed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ClosestRow {
    /// Instructions from there to the target, at least.
    pub distance: u64,
    pub place: String,
    pub function: String,
    /// The branch that never went the right way.
    pub branch: Option<BranchRow>,
}

/// A branch that never went the right way.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BranchRow {
    /// Whether its condition had to hold, and never did, or the other way round.
    pub must_hold: bool,
    /// The condition, in the words of the source.
    pub text: Option<String>,
}

impl TargetVerdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            TargetVerdict::Reached => "reached",
            TargetVerdict::Unreachable => "unreachable",
            TargetVerdict::Unknown => "unknown",
        }
    }
}

impl TargetRow {
    fn is(&self, test: &str) -> bool {
        self.test.as_deref() == Some(test)
    }
}

impl ReachDocument {
    pub(crate) fn new(targets: Vec<TargetRow>, conditions: Vec<String>, summary: &Summary, run: &Document) -> Self {
        let count = |verdict| targets.iter().filter(|row| row.verdict == verdict).count();
        ReachDocument {
            reached: count(TargetVerdict::Reached),
            unreachable: count(TargetVerdict::Unreachable),
            unknown: count(TargetVerdict::Unknown),
            paths: run.paths,
            dropped: summary.dropped,
            backward: summary.backward.map(BackwardRow::from),
            findings: run.findings.iter().filter(|finding| !targets.iter().any(|row| row.is(&finding.test))).count(),
            notes: run.notes.clone(),
            coverage: run.coverage,
            stats: run.stats,
            targets,
            out: run.out.clone(),
            by_rule: Vec::new(),
            conditions,
        }
    }

    /// The exit code in words.
    pub(crate) fn answer(&self) -> ExitAnswer {
        match (self.unknown, self.unreachable) {
            (0, 0) => ExitAnswer::Clean,
            (0, _) => ExitAnswer::Findings,
            _ => ExitAnswer::Undecided,
        }
    }
}

/// Results by their rules, with the verdict of each; rules with most results first.
pub(crate) fn by_rule<'v>(rules: &[String], verdicts: impl Iterator<Item = &'v str>) -> Vec<RuleRow> {
    let mut counts: BTreeMap<&String, [usize; 3]> = BTreeMap::new();
    for (rule, verdict) in rules.iter().zip(verdicts) {
        let known = [TargetVerdict::Reached, TargetVerdict::Unreachable, TargetVerdict::Unknown];
        let which = known.iter().position(|known| known.name() == verdict).unwrap_or(2);
        counts.entry(rule).or_default()[which] += 1;
    }
    let row = |(rule, [reached, unreachable, unknown]): (&String, [usize; 3])| RuleRow {
        rule: rule.clone(),
        results: reached + unreachable + unknown,
        reached,
        unreachable,
        unknown,
    };
    let mut rows: Vec<RuleRow> = counts.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.results));
    rows
}

/// One row for each target.
pub(crate) fn rows(
    targets: &[Target],
    summary: &Summary,
    results: &[Option<ReachingTest>],
    conditions: &[String],
    places: &Places<'_>,
) -> Vec<TargetRow> {
    targets
        .iter()
        .zip(&summary.goals)
        .zip(results)
        .map(|((target, known), result)| row(target, known, result, conditions, summary, places))
        .collect()
}

/// Why a goal that was searched for everywhere is unreachable.
fn searched(unless: &[String], summary: &Summary, places: &Places<'_>) -> String {
    let PathCounts { completed, errored, pending, unknown, silent } = summary.paths;
    let none = completed + errored + pending + unknown + silent + summary.dropped == 0;
    match (unless, contradiction(summary, places)) {
        ([], Some(why)) if none => why,
        ([], _) => "every path that could lead there was explored".to_owned(),
        ([one], _) => format!("unless the error at {one} happens first"),
        _ => format!("unless one of the errors at {} happens first", unless.join(", ")),
    }
}

/// Why a goal is unreachable of which that was proved from its side.
fn barred(barriers: &[Barrier], unless: &[String], places: &Places<'_>) -> String {
    let name = |func: FuncId| &places.program().functions[func].name;
    let point = |at: &Barrier| {
        let entry = StackEntry { function: at.func, loc: Some(at.from?) };
        let frame = places.stack(std::slice::from_ref(&entry)).into_iter().next()?;
        Some(format!("nothing gets there from {} on, whatever was before", frame.place()))
    };
    let whole = |at: &Barrier| format!("no call of `{}` gets there, whoever calls it", name(at.func));
    let mut reasons: Vec<String> = barriers.iter().map(|at| point(at).unwrap_or_else(|| whole(at))).collect();
    if reasons.is_empty() {
        reasons.push("every way back from there to where the program begins contradicts itself".to_owned());
    }
    match unless {
        [] => reasons.join("; "),
        places => format!("{}, unless an error happens first at {}", reasons.join("; "), places.join(", ")),
    }
}

/// Why a goal is unreachable that was looked for in a slice.
fn sliced(unless: &[String]) -> String {
    let among = match unless {
        [] => String::new(),
        places => format!(" or at {}", places.join(", ")),
    };
    format!(
        "every path was explored that could lead there, in a slice of the program, unless an error happens first in what cannot matter else{among}"
    )
}

/// The place of an error in the user's code.
fn error_place(stack: &[StackEntry], places: &Places<'_>) -> Option<String> {
    let frames = places.stack(stack);
    frames.iter().find(|frame| frame.user).or(frames.first()).map(StackFrame::place)
}

fn row(
    target: &Target,
    known: &GoalOutcome,
    result: &Option<ReachingTest>,
    conditions: &[String],
    summary: &Summary,
    places: &Places<'_>,
) -> TargetRow {
    let unless: BTreeSet<String> = known.unless.iter().filter_map(|error| error_place(&error.stack, places)).collect();
    let unless: Vec<String> = unless.into_iter().collect();
    let (verdict, reason) = match &known.verdict {
        GoalVerdict::Reached => (TargetVerdict::Reached, result.as_ref().and_then(|arrival| arrival.unseen.clone())),
        GoalVerdict::Unreachable(Proof::Static) => {
            (TargetVerdict::Unreachable, Some("no branches and calls lead there from the entry".to_owned()))
        }
        GoalVerdict::Unreachable(Proof::Exhaustive) => {
            (TargetVerdict::Unreachable, Some(searched(&unless, summary, places)))
        }
        GoalVerdict::Unreachable(Proof::Slice) if !known.barred.is_empty() => {
            let why = barred(&known.barred, &[], places);
            (TargetVerdict::Unreachable, Some(format!("{why}; {}", sliced(&unless))))
        }
        GoalVerdict::Unreachable(Proof::Slice) => (TargetVerdict::Unreachable, Some(sliced(&unless))),
        GoalVerdict::Unreachable(Proof::Backward) => {
            (TargetVerdict::Unreachable, Some(barred(&known.barred, &unless, places)))
        }
        GoalVerdict::Unknown(reasons) => {
            (TargetVerdict::Unknown, Some(sentences(reasons, places.program()).join("; ")))
        }
    };
    let rests_on = match verdict {
        TargetVerdict::Unreachable => premises_in_words(premises_of(&known.verdict, summary), places.program()),
        TargetVerdict::Reached | TargetVerdict::Unknown => Vec::new(),
    };
    // The last test of one that is not reached is what a native run refused.
    let shown = result.as_ref().filter(|_| verdict != TargetVerdict::Unreachable);
    TargetRow {
        target: target.goal.name.clone(),
        verdict,
        test: shown.map(|arrival| arrival.test.clone()),
        confirmed: shown.is_some_and(|arrival| arrival.confirmed),
        time_s: known.time.as_secs_f64(),
        reason,
        rests_on,
        reason_codes: match &known.verdict {
            GoalVerdict::Unknown(reasons) => codes(reasons),
            _ => Vec::new(),
        },
        closest: known.closest.as_ref().map(|closest| closest_row(closest, conditions, places)),
        unless,
        conflict: because(&known.conflict, places),
        rules: Vec::new(),
        call: shown.map(|arrival| arrival.call.clone()).unwrap_or_default(),
        inputs: shown.map(|arrival| arrival.inputs.clone()).unwrap_or_default(),
    }
}

/// What a verdict rests on: branches and calls alone do not depend on what holds at the start.
fn premises_of<'s>(verdict: &GoalVerdict, summary: &'s Summary) -> impl Iterator<Item = &'s Premise> {
    let of_start = |premise: &Premise| {
        matches!(
            premise,
            Premise::Holds(..)
                | Premise::Accepts(..)
                | Premise::Initial(_)
                | Premise::OnlyCalls(_)
                | Premise::Staged(_)
        )
    };
    let is_static = *verdict == GoalVerdict::Unreachable(Proof::Static);
    summary.premises.iter().filter(move |premise| !is_static || !of_start(premise))
}

/// The branches of a contradiction, if all of them are the user's.
fn because(conflict: &[(StackEntry, bool)], places: &Places<'_>) -> Vec<Because> {
    let branch = |(entry, held): &(StackEntry, bool)| {
        let at = places.stack(std::slice::from_ref(entry)).into_iter().next()?;
        (at.user && at.line.is_some()).then_some(Because { at, held: *held })
    };
    conflict.iter().map(branch).collect::<Option<_>>().unwrap_or_default()
}

fn closest_row(closest: &Closest, conditions: &[String], places: &Places<'_>) -> ClosestRow {
    let frame: Option<StackFrame> = places.stack(std::slice::from_ref(&closest.at)).into_iter().next();
    let text = || {
        let (file, line) = frame.as_ref().and_then(|frame| frame.file.clone().zip(frame.line))?;
        snippet::condition_among(conditions, &file, line, frame.as_ref().and_then(|frame| frame.column))
    };
    ClosestRow {
        distance: closest.distance,
        branch: closest.needed.map(|must_hold| BranchRow { must_hold, text: text() }),
        place: frame.as_ref().map_or(String::new(), StackFrame::place),
        function: frame.map_or(String::new(), |frame| frame.function),
    }
}
