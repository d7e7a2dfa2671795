//! One annotated program: run under Taw in each of its revisions, compared with its annotations, replayed natively.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::annotation::{Bug, Expect, ProgramFile, Revision};
use crate::native::{BuildRecipe, CompiledProgram};
use crate::taw::{JsonDocument, JsonOutcome, JsonTest, Taw, TawRun};
use crate::{api, brute, reach, witness};

/// Tests of one program that are replayed; of more, a sample spread evenly over all of them.
const REPLAYED: usize = 50;

/// One trial per program below `folder`.
pub fn program_trials(taw: &Taw, folder: &Path) -> Vec<Trial> {
    let taw = Arc::new(taw.clone());
    let mut paths = Vec::new();
    sources(folder, &mut paths);
    paths.sort();
    let trial = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("").display().to_string();
        let taw = Arc::clone(&taw);
        Trial::test(name, move || check_program(&taw, &path).map_err(Failed::from))
    };
    paths.into_iter().map(trial).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "c") {
            found.push(path);
        }
    }
}

fn check_program(taw: &Taw, path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let program: ProgramFile = text.parse()?;
    let mut native = None;
    let mut wrong = Vec::new();
    for revision in &program.revisions {
        let checked = RevisionCheck { taw, path, program: &program, revision }.all(&mut native);
        if let Err(problems) = checked {
            let name = if revision.name.is_empty() { String::new() } else { format!("[{}] ", revision.name) };
            wrong.extend(problems.into_iter().map(|problem| format!("{name}{problem}")));
        }
    }
    match (&program.fixme, wrong.is_empty()) {
        (None, true) | (Some(_), false) => Ok(()),
        (None, false) => Err(wrong.join("\n")),
        (Some(reason), true) => Err(format!("it passes: remove the line `fixme: {reason}`")),
    }
}

/// A revision under check.
struct RevisionCheck<'a> {
    taw: &'a Taw,
    path: &'a Path,
    program: &'a ProgramFile,
    revision: &'a Revision,
}

/// What is wrong, each in a sentence.
type Problems = Vec<String>;

impl RevisionCheck<'_> {
    /// Runs and compares everything. `native` keeps the last build for the next revision.
    fn all(&self, native: &mut Option<(BuildRecipe, CompiledProgram)>) -> Result<(), Problems> {
        if !self.revision.targets.is_empty() || !self.program.places.is_empty() {
            return reach::check(self.taw, self.path, self.program, self.revision);
        }
        let one = |problem: String| vec![problem];
        let out = crate::scratch().map_err(one)?;
        let source = self.path.strip_prefix(crate::root()).unwrap_or(self.path);
        let mut arguments = vec![source.display().to_string()];
        arguments.extend(self.revision.flags.iter().cloned());
        if validated(source) {
            arguments.push("--validate".to_owned());
        }
        let run = self.taw.run(&out.path().join("out"), &arguments, Duration::from_secs(120)).map_err(one)?;
        if self.revision.exit == Some(2) {
            return self.refusal(&run).map_err(one);
        }
        let document = run.document().map_err(one)?;
        let tests = run.tests().map_err(one)?;
        let mut problems = Vec::new();
        self.exit_code(&run, &document, &mut problems);
        self.findings(&run, &document, &mut problems);
        self.paths(&document, &mut problems);
        self.premises(&document, &mut problems);
        self.brute_force(&document, &mut problems);
        self.labels(&tests, &mut problems);
        self.stops(&tests, &mut problems);
        self.output(&tests, &mut problems);
        if self.revision.replayed {
            self.replay(&run, &tests, native, &mut problems);
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Exit 2 and one message that names the cause.
    fn refusal(&self, run: &TawRun) -> Result<(), String> {
        let said = run.stderr();
        let wanted = self.revision.error.as_deref().unwrap_or_default();
        match run.code() {
            2 if said.contains(wanted) => Ok(()),
            2 => Err(format!("the message does not contain {wanted:?}:\n{said}")),
            code => Err(format!("exit code {code} instead of 2:\n{said}")),
        }
    }

    fn exit_code(&self, run: &TawRun, document: &JsonDocument, problems: &mut Problems) {
        let usual = match (document.findings.len(), document.paths.completed) {
            (0, 0) => 3,
            (0, _) => 0,
            _ => 1,
        };
        let wanted = self.revision.exit.unwrap_or(usual);
        if run.code() != wanted {
            problems.push(format!("exit code {} instead of {wanted}:\n{}", run.code(), run.stderr()));
        }
    }

    /// Every finding is annotated, every annotation is found.
    fn findings(&self, run: &TawRun, document: &JsonDocument, problems: &mut Problems) {
        let mut open: Vec<&Bug> = self.program.bugs_of(&self.revision.name).collect();
        for finding in &document.findings {
            let fits = |bug: &&Bug| {
                Some(bug.line) == finding.line && bug.kind == finding.kind && finding.message.contains(&bug.text)
            };
            let Some(at) = open.iter().position(fits) else {
                problems.push(format!(
                    "unexpected {} at line {:?} of {:?} in {}: {}",
                    finding.kind, finding.line, finding.file, finding.function, finding.message
                ));
                continue;
            };
            let bug = open.remove(at);
            if bug.count.is_some_and(|count| count != finding.count) {
                problems.push(format!("line {}: {} met {} times", bug.line, bug.kind, finding.count));
            }
            let calls = finding.api.as_ref().and_then(|api| api.test.as_ref()).map(|test| run.test(test)).transpose();
            let checked =
                calls.and_then(|test| api::check(bug, finding.api.as_ref(), test.as_ref(), self.path, &self.recipe()));
            problems.extend(checked.err());
            for condition in &bug.witness {
                match run.test(&finding.test).and_then(|test| witness::holds(condition, &test.inputs)) {
                    Ok(true) => {}
                    Ok(false) => problems.push(format!("line {}: the witness breaks `{condition}`", bug.line)),
                    Err(why) => problems.push(format!("line {}: `{condition}`: {why}", bug.line)),
                }
            }
        }
        problems.extend(open.iter().map(|bug| format!("line {}: {} was not found", bug.line, bug.kind)));
    }

    fn paths(&self, document: &JsonDocument, problems: &mut Problems) {
        let found = document.paths;
        if let Some((completed, errored)) = self.revision.paths
            && (found.completed, found.errored) != (completed, errored)
        {
            problems.push(format!("paths: {} completed, {} errored", found.completed, found.errored));
        }
        let wanted = match self.revision.exhaustive {
            Expect::Yes => self.revision.unsupported.is_none(),
            Expect::No => false,
            Expect::Any => return,
        };
        if document.exhaustive != wanted {
            let (pending, unknown) = (found.pending, found.unknown);
            problems
                .push(format!("exhaustive is {}, with {pending} pending and {unknown} unknown", document.exhaustive));
        }
    }

    fn brute_force(&self, document: &JsonDocument, problems: &mut Problems) {
        if !self.revision.brute_force {
            return;
        }
        match brute::count(self.path) {
            Ok(count) if count == (document.paths.completed, document.paths.errored) => {}
            Ok((completed, errored)) => problems.push(format!(
                "brute force counts {completed} completed, {errored} errored; taw {} and {}",
                document.paths.completed, document.paths.errored
            )),
            Err(why) => problems.push(why),
        }
    }

    fn labels(&self, tests: &[JsonTest], problems: &mut Problems) {
        let Some(wanted) = &self.revision.labels else { return };
        let sorted = |mut labels: Vec<String>| {
            labels.sort();
            labels.dedup();
            labels
        };
        let wanted = sorted(wanted.clone());
        let found = sorted(tests.iter().flat_map(|test| test.labels.iter().cloned()).collect());
        if wanted != found {
            problems.push(format!("labels {found:?} instead of {wanted:?}"));
        }
    }

    /// What stopped a path that is neither an end nor an error.
    fn stops(&self, tests: &[JsonTest], problems: &mut Problems) {
        let mut met = false;
        for test in tests {
            match &test.outcome {
                JsonOutcome::Unsupported { what } => match &self.revision.unsupported {
                    Some(wanted) if what.contains(wanted) => met = true,
                    _ => problems.push(format!("unsupported: {what}")),
                },
                JsonOutcome::Unknown { reason } if self.revision.exhaustive == Expect::Yes => {
                    problems.push(format!("unknown: {reason}"));
                }
                _ => {}
            }
        }
        if let (Some(wanted), false) = (&self.revision.unsupported, met) {
            problems.push(format!("no path was stopped by `{wanted}`"));
        }
    }

    fn output(&self, tests: &[JsonTest], problems: &mut Problems) {
        let Some(wanted) = &self.revision.output else { return };
        match tests {
            [only] if only.output == *wanted => {}
            [only] => problems.push(format!("output {:?} instead of {wanted:?}", only.output)),
            _ => problems.push(format!("{} tests instead of the only one", tests.len())),
        }
    }

    /// What the verdict rests on: exactly what is annotated.
    fn premises(&self, document: &JsonDocument, problems: &mut Problems) {
        let wanted = &self.revision.rests_on;
        let same = wanted.len() == document.rests_on.len()
            && wanted.iter().all(|part| document.rests_on.iter().any(|premise| premise.contains(part)));
        if !same {
            problems.push(format!("the verdict rests on {:?} instead of {wanted:?}", document.rests_on));
        }
    }

    fn replay(
        &self,
        run: &TawRun,
        tests: &[JsonTest],
        native: &mut Option<(BuildRecipe, CompiledProgram)>,
        problems: &mut Problems,
    ) {
        let recipe = BuildRecipe { stand_ins: run.stand_ins(), ..self.recipe() };
        if native.as_ref().is_none_or(|(of, _)| *of != recipe) {
            match CompiledProgram::compile(&recipe) {
                Ok(built) => *native = Some((recipe, built)),
                Err(why) => return problems.push(why),
            }
        }
        let Some((_, native)) = native else { return };
        if self.asks_for("leak") {
            native.check_leaks();
        }
        // Calls that Taw has put together are compiled as they are shown.
        let is_users = |test: &&JsonTest| !test.entry.as_ref().is_some_and(|entry| entry.starts_with("taw_build_"));
        let step = tests.len().div_ceil(REPLAYED).max(1);
        for test in tests.iter().filter(is_users).step_by(step) {
            if let Err(why) = native.confirm(test) {
                return problems.push(why);
            }
        }
    }

    fn recipe(&self) -> BuildRecipe {
        let mut flags = Vec::new();
        if self.asks_for("overflow") {
            flags.push("-fsanitize=signed-integer-overflow".to_owned());
        }
        flags.extend(self.revision.native.iter().cloned());
        BuildRecipe {
            sources: vec![self.path.to_owned()],
            sanitize: self.revision.sanitize.clone(),
            flags,
            signature: self.revision.signature.clone(),
            stand_ins: None,
        }
    }

    fn asks_for(&self, check: &str) -> bool {
        self.revision.flags.iter().any(|flag| flag.split(',').any(|word| word == check))
    }
}

/// Whether every answer of the solver is checked against the oracle: where queries are of bits, which the oracle answers fast.
fn validated(source: &Path) -> bool {
    let folder = source.parent().and_then(Path::file_name);
    folder.is_some_and(|f| ["bugs", "checks", "intrinsics", "paths"].iter().any(|v| f == *v))
}
