//! `taw replay` over a sample of the annotated programs: every test it is given does natively what it claims.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use taw_testkit::{ProgramFile, Streams, Taw, root, run, taw};

/// Of so many programs, one is replayed; the test of each program replays its tests in another way.
const ONE_OF: usize = 8;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

/// What went wrong, and how many tests went right.
fn replayed(taw: &Taw, path: &Path) -> Result<u64, String> {
    let program: ProgramFile = fs::read_to_string(path).unwrap().parse()?;
    let Some(revision) = program.revisions.iter().find(|r| r.replayed && r.exit != Some(2)) else { return Ok(0) };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut arguments = vec![path.strip_prefix(root()).unwrap_or(path).display().to_string()];
    let (mut allowed, mut flags) = (Vec::new(), revision.flags.iter());
    while let Some(flag) = flags.next() {
        let value = if matches!(flag.as_str(), "--search" | "--cflag") { flags.next() } else { None };
        // A search that goes back from targets is for `taw reach`.
        if !(flag == "--search"
            && value.is_some_and(|search| ["CCBSE", "Portfolio", "symcretic"].iter().any(|back| search.contains(back))))
        {
            arguments.extend([flag].into_iter().chain(value).cloned());
        }
        allowed.extend(value.filter(|_| flag == "--cflag").map(|cflag| format!("--cflag={cflag}")));
    }
    // Some programs end no path for long: what is found until then is replayed all the same.
    for limit in ["--max-paths=40", "--max-time=20s"] {
        let said = |flag: &String| limit.starts_with(flag.as_str());
        if !arguments.iter().any(said) {
            arguments.push(limit.to_owned());
        }
    }
    taw.run(&out, &arguments, Duration::from_secs(60))?;
    let mut command = taw.command(&["replay", "--json"]);
    // Some flags for the compiler are taken only from whoever replays.
    let ended = run(command.args(allowed).arg(&out), Streams::Apart, Duration::from_secs(120))?;
    let report: Value =
        serde_json::from_slice(&ended.stdout).map_err(|e| format!("{}: {e}: {}", path.display(), ended.said()))?;
    let wrong = |test: &&Value| matches!(test["verdict"].as_str(), Some("diverged" | "other program"));
    match report["tests"].as_array().and_then(|tests| tests.iter().find(wrong)) {
        Some(test) => Err(format!("{}: {test}", path.display())),
        None => Ok(report["same"].as_u64().unwrap_or(0)),
    }
}

#[test]
fn no_test_of_a_sample_of_programs_diverges() {
    let taw = taw().unwrap();
    let mut paths = Vec::new();
    sources(&root().join("tests/programs"), &mut paths);
    paths.sort();
    let sample: Vec<PathBuf> = paths.into_iter().step_by(ONE_OF).collect();
    let (left, right) = sample.split_at(sample.len() / 2);
    let half = |paths: &[PathBuf]| paths.iter().map(|path| replayed(&taw, path)).collect::<Vec<_>>();
    let results = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(right));
        let mut results = half(left);
        results.extend(other.join().expect("the other half"));
        results
    });
    let problems: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(problems.is_empty(), "{problems:#?}");
    let same: u64 = results.iter().filter_map(|result| result.as_ref().ok()).sum();
    assert!(same > results.len() as u64, "{same} tests of {} programs", results.len());
}
