//! Random functions over pointers: what Taw says of them, started from the signature alone, must be what trying all object graphs says.
//!
//! A function is a list of steps (`steps.rs`), written as C for Taw and interpreted here (`heap.rs`) for each graph that `docs/soundness.md` lists
//! (`graphs.rs`), which knows nothing of how the engine goes about it. The outcomes (which `return`, which error in which line) must be equal. And
//! where Taw says *exhaustive*, no graph at all that C allows may bring another outcome: longer arrays and lists, and what the list calls *not tried*.

mod graphs;
mod heap;
mod steps;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use self::graphs::GraphScope;
use self::steps::{EntryChance, EntryKind, RandomFunction};
use crate::taw::{JsonOutcome, Taw};

/// Functions in one file: compiling costs more than exploring.
const FUNCTIONS: usize = 20;

/// One trial per seed, with [`FUNCTIONS`] functions each.
pub fn entry_trials(taw: &Taw, seeds: crate::Seeds) -> Vec<Trial> {
    let trial = |seed: u32| {
        let taw = taw.clone();
        Trial::test(format!("entries/seed-{seed}"), move || check(&taw, seed).map_err(Failed::from))
    };
    (seeds.first..=seeds.last).map(trial).collect()
}

fn check(taw: &Taw, seed: u32) -> Result<(), String> {
    let folder = crate::scratch()?;
    let mut chance = EntryChance::new(seed);
    // With global variables around, characters may be those of one: such functions have files of their own.
    let has_globals = seed.is_multiple_of(3);
    let mut text = steps::TYPES.to_owned() + if has_globals { steps::GLOBALS } else { "" };
    let functions: Vec<RandomFunction> =
        (0..FUNCTIONS).map(|number| RandomFunction::random(&mut chance, number, has_globals, &mut text)).collect();
    let source = folder.path().join("entries.c");
    std::fs::write(&source, &text).map_err(|e| e.to_string())?;
    // All that is wrong with a seed, not the first only: mending costs a build.
    let wrong = |function: &RandomFunction| {
        let why = compare(function, taw, &source, folder.path()).err()?;
        Some(format!("{}: {why}\n{}", function.name, function.text))
    };
    let wrong: Vec<String> = functions.iter().filter_map(wrong).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// What Taw says of a function must be what trying says.
fn compare(function: &RandomFunction, taw: &Taw, source: &Path, folder: &Path) -> Result<(), String> {
    let mut arguments = vec![source.display().to_string(), "--entry".into(), function.name.clone()];
    arguments.extend(graphs::options(function.kind));
    let run = taw.run(&folder.join(&function.name), &arguments, Duration::from_secs(100))?;
    let document = run.document()?;
    let mut found = BTreeSet::new();
    for test in run.tests()? {
        match &test.outcome {
            JsonOutcome::Exit { code } => drop(found.insert(format!("return {code}"))),
            JsonOutcome::Finding { .. } | JsonOutcome::Limit { .. } => {}
            other => return Err(format!("a path ends with {other:?}")),
        }
    }
    found.extend(document.findings.iter().map(|f| format!("{} in line {}", f.kind, f.line.unwrap_or(0))));
    let (tried, all) = (function.truth(GraphScope::Tried), function.truth(GraphScope::All));
    // How far a node is behind others depends on which pointer is followed first: lists of that many nodes are tried, some longer ones too. Of three
    // arrays more is tried where all are used.
    let fits = match function.kind {
        EntryKind::Lists | EntryKind::ManyArrays => tried.is_subset(&found) && found.is_subset(&all),
        _ => found == tried,
    };
    if !fits {
        return Err(format!("found {found:?} instead of {tried:?}, of {all:?} that there are"));
    }
    if document.exhaustive && found != all {
        return Err(format!("said to be exhaustive, and there is {all:?}, not {found:?} only"));
    }
    Ok(())
}
