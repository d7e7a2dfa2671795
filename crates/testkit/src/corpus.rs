//! The corpus: programs of the papers with known answers per label (`targets.csv`).
//!
//! For every entry with integer parameters: no label that is unreachable is reached, every test does natively what it
//! claims, and an exhaustive run reaches every label that is reachable.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::native::{BuildRecipe, CompiledProgram};
use crate::reach::corpus_reach_trials;
use crate::staged::staged_trials;
use crate::taw::{JsonTest, Taw};

/// Time for one entry; several never end on their own.
const BUDGET: &str = "5s";

/// Tests of one entry that are replayed, beside one for every label.
const REPLAYED: usize = 30;

/// What `targets.csv` says of one file.
#[derive(Clone, Debug, Default)]
struct Subject {
    unreachable: BTreeSet<String>,
    /// By entry: its parameters as C declarations, and the labels it reaches.
    entries: BTreeMap<String, (Vec<String>, BTreeSet<String>)>,
}

/// One trial per entry, and the staged subjects. `folder` is the corpus.
///
/// # Panics
/// If it is not there.
pub fn corpus_trials(taw: &Taw, folder: &Path) -> Vec<Trial> {
    let table = fs::read_to_string(folder.join("targets.csv")).expect("the corpus has a table of its targets");
    let mut trials = staged_trials(taw, folder);
    trials.extend(corpus_reach_trials(taw, folder, &table));
    for (name, case) in cases(taw, folder, &table) {
        trials.push(Trial::test(name, move || case.check().map_err(Failed::from)));
    }
    trials
}

/// The entries that take only integers, with names for their trials.
pub(crate) fn cases(taw: &Taw, folder: &Path, table: &str) -> Vec<(String, Case)> {
    let mut cases = Vec::new();
    for (file, Subject { entries, unreachable }) in subjects(table) {
        for (entry, (parameters, reachable)) in entries {
            if !parameters.iter().all(|parameter| is_integer(parameter)) {
                continue;
            }
            let name = format!("{}/{entry}", file.trim_end_matches(".c"));
            let (taw, source, unreachable) = (taw.clone(), folder.join(&file), unreachable.clone());
            cases.push((name, Case { taw, source, entry, parameters, reachable, unreachable }));
        }
    }
    cases
}

/// For each file the entries that take numbers, with their parameters.
pub(crate) fn declared(table: &str) -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
    let numbers = |parameter: &String| is_integer(parameter) || parameter.starts_with("double ");
    let entries = |subject: Subject| {
        let entries = subject.entries.into_iter().map(|(entry, (parameters, _))| (entry, parameters));
        entries.filter(|(_, parameters)| parameters.iter().all(numbers)).collect()
    };
    subjects(table).into_iter().map(|(file, subject)| (file, entries(subject))).collect()
}

/// `file,label,entry,status,parameters`; parameters are "type name" pairs, separated by blanks.
fn subjects(table: &str) -> BTreeMap<String, Subject> {
    let mut subjects: BTreeMap<String, Subject> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let [file, label, entry, status, parameters] = line.split(',').collect::<Vec<_>>()[..] else { continue };
        let subject = subjects.entry(file.to_owned()).or_default();
        if status == "unreachable" {
            subject.unreachable.insert(label.to_owned());
            continue;
        }
        let words: Vec<&str> = parameters.split_whitespace().collect();
        let declared = words.chunks(2).map(|pair| pair.join(" ")).collect();
        let known = subject.entries.entry(entry.to_owned()).or_insert_with(|| (declared, BTreeSet::new()));
        known.1.insert(label.to_owned());
    }
    subjects
}

fn is_integer(parameter: &str) -> bool {
    parameter.starts_with("int ") || parameter.starts_with("int64_t ")
}

/// One entry of one file.
pub(crate) struct Case {
    pub(crate) taw: Taw,
    pub(crate) source: PathBuf,
    pub(crate) entry: String,
    pub(crate) parameters: Vec<String>,
    pub(crate) reachable: BTreeSet<String>,
    pub(crate) unreachable: BTreeSet<String>,
}

impl Case {
    /// The arguments with which Taw starts at the entry.
    pub(crate) fn arguments(&self, budget: &str) -> Vec<String> {
        let source = self.source.display().to_string();
        // CHECK_POST adds the post-conditions whose violation is the unreachable label.
        let flags = ["--entry", &self.entry, "--marker", "reach", "--max-time", budget, "-DCHECK_POST"];
        std::iter::once(source).chain(flags.map(str::to_owned)).collect()
    }

    fn check(&self) -> Result<(), String> {
        let out = crate::scratch()?;
        let run = self.taw.run(&out.path().join("out"), &self.arguments(BUDGET), Duration::from_secs(60))?;
        if run.code() == 2 {
            return Err(run.stderr());
        }
        let (document, tests) = (run.document()?, run.tests()?);
        let reached: BTreeSet<String> = tests.iter().flat_map(|test| test.labels.iter().cloned()).collect();
        if let Some(label) = reached.intersection(&self.unreachable).next() {
            return Err(format!("`{label}` is unreachable and was claimed"));
        }
        self.replay(&tests)?;
        match self.reachable.difference(&reached).next() {
            Some(missing) if document.exhaustive => Err(format!("exhaustive, but `{missing}` was not reached")),
            _ => Ok(()),
        }
    }

    fn replay(&self, tests: &[JsonTest]) -> Result<(), String> {
        let signature = signature(&self.source, &self.entry, &self.parameters)?;
        let native = CompiledProgram::compile(&BuildRecipe {
            sources: vec![self.source.clone()],
            sanitize: "address,undefined".into(),
            flags: vec!["-DCHECK_POST".into()],
            signature: Some(signature),
            ..BuildRecipe::default()
        })?;
        let step = tests.len().div_ceil(REPLAYED).max(1);
        let mut shown = BTreeSet::new();
        for (number, test) in tests.iter().enumerate() {
            let known = shown.len();
            shown.extend(test.labels.iter().cloned());
            if shown.len() > known || number % step == 0 {
                native.confirm(test)?;
            }
        }
        Ok(())
    }
}

/// The C signature of an entry; its result is as its definition has it.
pub(crate) fn signature(source: &Path, entry: &str, parameters: &[String]) -> Result<String, String> {
    let text = fs::read_to_string(source).map_err(|e| e.to_string())?;
    let head = format!(" {entry}(");
    let line = text.lines().find(|line| line.contains(&head) && !line.starts_with([' ', '/', '#', '\t']));
    let line = line.ok_or_else(|| format!("`{entry}` is not defined in the file"))?;
    let result = line.split(&head).next().unwrap_or("int").replace("static ", "").trim().to_owned();
    Ok(format!("{result} {entry}({})", parameters.join(", ")))
}
