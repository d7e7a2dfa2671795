//! Programs for `taw reach`: every target must get the verdict that is written beside it; what is reached must be confirmed, and
//! its test must natively pass the label, which is looked at here independently of Taw.

use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::annotation::{ProgramFile, Revision, TargetAnnotation};
use crate::corpus::{Case, cases};
use crate::native::{BuildRecipe, CompiledProgram};
use crate::taw::{JsonTargetRow, Taw, TawRun};

/// Runs a revision that has targets, and compares.
pub(crate) fn check(taw: &Taw, path: &Path, program: &ProgramFile, revision: &Revision) -> Result<(), Vec<String>> {
    let source = path.strip_prefix(crate::root()).unwrap_or(path).display().to_string();
    let here = |target: &&TargetAnnotation| target.revision.as_deref().is_none_or(|only| only == revision.name);
    let wanted: Vec<TargetAnnotation> =
        revision.targets.iter().chain(program.places.iter().filter(here)).cloned().collect();
    let mut arguments = vec![source.clone()];
    for target in &wanted {
        let whole = if target.text.starts_with(':') { format!("{source}{}", target.text) } else { target.text.clone() };
        arguments.extend(["--target".to_owned(), whole]);
    }
    arguments.extend(revision.flags.iter().cloned());
    let one = |problem: String| vec![problem];
    let out = crate::scratch().map_err(one)?;
    let run = taw.reach(&out.path().join("out"), &arguments, Duration::from_secs(120)).map_err(one)?;
    if revision.exit == Some(2) {
        let said = run.stderr();
        let fits = run.code() == 2 && said.contains(revision.error.as_deref().unwrap_or_default());
        return if fits { Ok(()) } else { Err(vec![format!("exit code {}: {said}", run.code())]) };
    }
    let rows = run.reached().map_err(one)?.targets;
    let native = BuildRecipe {
        sources: vec![path.to_owned()],
        flags: revision.native.clone(),
        signature: revision.signature.clone(),
        stand_ins: run.stand_ins(),
        ..BuildRecipe::default()
    };
    let mut problems = compare(&wanted, &rows);
    problems.extend(premises(revision, &rows));
    problems.extend(exit_code(&run, &rows));
    if revision.replayed {
        problems.extend(labels(&run, &rows, &native));
    } else {
        let is_open = |row: &&JsonTargetRow| row.verdict == "reached" && !row.confirmed;
        problems.extend(rows.iter().filter(is_open).map(|row| format!("{} is not confirmed", row.target)));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Where each unreachable must say what it rests on.
fn premises(revision: &Revision, rows: &[JsonTargetRow]) -> Vec<String> {
    let says = |row: &&JsonTargetRow| {
        row.rests_on.len() == revision.rests_on.len()
            && revision.rests_on.iter().all(|part| row.rests_on.iter().any(|premise| premise.contains(part)))
    };
    let silent = rows.iter().filter(|row| row.verdict == "unreachable").filter(|row| !says(row));
    silent.map(|row| format!("{} rests on {:?} instead of {:?}", row.target, row.rests_on, revision.rests_on)).collect()
}

fn compare(wanted: &[TargetAnnotation], rows: &[JsonTargetRow]) -> Vec<String> {
    let mut problems = Vec::new();
    if wanted.len() != rows.len() {
        problems.push(format!("{} targets instead of {}", rows.len(), wanted.len()));
    }
    for (target, row) in wanted.iter().zip(rows) {
        if row.verdict != target.verdict {
            let why = row.reason.as_deref().unwrap_or("no reason");
            problems.push(format!("{} is {} ({why}) instead of {}", row.target, row.verdict, target.verdict));
        }
        if row.verdict == "reached" && !(row.confirmed && row.test.is_some()) {
            problems.push(format!("{} is reached without a confirmed test", row.target));
        }
    }
    problems
}

/// 0 all reached, 1 all decided, 3 otherwise.
fn exit_code(run: &TawRun, rows: &[JsonTargetRow]) -> Option<String> {
    let any = |verdict: &str| rows.iter().any(|row| row.verdict == verdict);
    let wanted = if any("unknown") { 3 } else { i32::from(any("unreachable")) };
    (run.code() != wanted).then(|| format!("exit code {} instead of {wanted}: {}", run.code(), run.stderr()))
}

/// The tests that reach labels pass them natively.
fn labels(run: &TawRun, rows: &[JsonTargetRow], recipe: &BuildRecipe) -> Vec<String> {
    let reached = rows.iter().filter(|row| row.verdict == "reached");
    let reached: Vec<(&str, &str)> =
        reached.filter_map(|row| Some((row.target.strip_prefix("label:")?, row.test.as_deref()?))).collect();
    if reached.is_empty() {
        return Vec::new();
    }
    let native = match CompiledProgram::compile(recipe) {
        Ok(native) => native,
        Err(why) => return vec![why],
    };
    let passes = |label: &str, test: &str| Ok(native.replay(&run.test(test)?)?.labels.iter().any(|l| l == label));
    let problem = |(label, test): (&str, &str)| match passes(label, test) {
        Ok(true) => None,
        Ok(false) => Some(format!("natively {test} does not pass `{label}`")),
        Err(why) => Some::<String>(why),
    };
    reached.into_iter().filter_map(problem).collect()
}

/// Time for one entry of the corpus: far more than any needs, because other tests run beside it. How much they need is
/// measured by `bench/corpus.py`.
const BUDGET: &str = "60s";

/// One trial per entry of the corpus: all of its labels, and those of its file that are unreachable, with the default
/// strategy and no flags.
pub(crate) fn corpus_reach_trials(taw: &Taw, folder: &Path, table: &str) -> Vec<Trial> {
    let trial = |(name, case): (String, Case)| {
        Trial::test(format!("reach/{name}"), move || case.check_verdicts().map_err(Failed::from))
    };
    cases(taw, folder, table).into_iter().map(trial).collect()
}

impl Case {
    fn check_verdicts(&self) -> Result<(), String> {
        let out = crate::scratch()?;
        let mut arguments = self.arguments(BUDGET);
        let wanted: Vec<TargetAnnotation> = self.wanted().collect();
        for target in &wanted {
            arguments.extend(["--target".to_owned(), target.text.clone()]);
        }
        let run = self.taw.reach(&out.path().join("out"), &arguments, Duration::from_secs(120))?;
        if run.code() == 2 {
            return Err(run.stderr());
        }
        let rows = run.reached()?.targets;
        let mut problems = compare(&wanted, &rows);
        let signature = crate::corpus::signature(&self.source, &self.entry, &self.parameters)?;
        let recipe = BuildRecipe {
            sources: vec![self.source.clone()],
            flags: vec!["-DCHECK_POST".into()],
            signature: Some(signature),
            ..BuildRecipe::default()
        };
        problems.extend(labels(&run, &rows, &recipe));
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }

    fn wanted(&self) -> impl Iterator<Item = TargetAnnotation> + '_ {
        let of = |verdict: &'static str| {
            move |label: &String| TargetAnnotation {
                text: format!("label:{label}"),
                verdict: verdict.into(),
                revision: None,
            }
        };
        self.reachable.iter().map(of("reached")).chain(self.unreachable.iter().map(of("unreachable")))
    }
}
