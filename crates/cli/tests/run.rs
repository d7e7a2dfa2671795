//! Whole runs: what `taw run` answers, what it leaves on disk, and that nothing found is lost.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use taw_report::{OutcomeRecord, TestFile};

use common::folder;

/// Two paths that return and one that writes past the end of an array, met twice.
const BUGGY: &str = r#"
#include <taw.h>
#include <stdio.h>
int main(void) {
  int a[4] = {0};
  unsigned i = taw_u32("i");
  taw_assume(i < 5);
  if (taw_bool("twice")) puts("twice"); else puts("once");
  a[i] = 7;
  return (int)i > 2;
}
"#;

/// Forks for ever.
const ENDLESS: &str = r#"
#include <taw.h>
int main(void) {
  volatile int n = 0;
  for (;;) {
    int x = taw_int("x");
    if (x == 77) return 1;
    n += x > 0;
  }
}
"#;

/// Ends in the middle of two functions: five lines are executed, a closing brace and a `return` are not.
const LEAVES: &str = r#"
#include <stdlib.h>
static void leave(int x) {
  x++;
  exit(x);
}
int main(void) {
  int x = 1;
  x++;
  leave(x);
  return x;
}
"#;

fn command(folder: &Path, words: &str) -> Command {
    common::command(folder, &format!("run p.c {words}"))
}

fn run(folder: &Path, words: &str) -> Output {
    command(folder, words).output().unwrap()
}

fn document(folder: &Path, words: &str) -> Value {
    common::document(folder, &format!("run p.c {words}"))
}

fn tests(dir: &Path) -> Vec<(PathBuf, TestFile)> {
    let entries = fs::read_dir(dir.join("tests")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "json"));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), TestFile::read(&path).unwrap())).collect()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_document_has_the_promised_shape() {
    let folder = folder(BUGGY);
    let document = document(folder.path(), "");
    assert_eq!(
        keys(&document),
        BTreeSet::from(["paths", "exhaustive", "incomplete", "findings", "coverage", "stats", "out"])
    );
    assert_eq!(keys(&document["paths"]), BTreeSet::from(["completed", "errored", "pending", "unknown"]));
    assert_eq!(keys(&document["coverage"]), BTreeSet::from(["lines", "branches"]));
    assert_eq!(keys(&document["coverage"]["lines"]), BTreeSet::from(["covered", "total"]));
    let stats = ["instructions", "forks", "queries", "solver_s", "wall_s", "peak_states", "shed", "peak_rss_mb"];
    assert_eq!(keys(&document["stats"]), BTreeSet::from(stats));
    let finding = ["kind", "message", "file", "line", "column", "function", "stack", "test", "count", "confirmed"];
    assert_eq!(keys(&document["findings"][0]), BTreeSet::from(finding));
}

#[test]
fn an_error_is_found_once_with_its_count_place_and_test() {
    let folder = folder(BUGGY);
    let output = run(folder.path(), "");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for part in ["out-of-bounds-write", "p.c:9:", "a[i] = 7;", "^", "i ", "= 4", "seen on 2 paths", "exhaustive"] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    let document = document(folder.path(), "");
    let finding = &document["findings"][0];
    assert_eq!((finding["line"].as_u64(), finding["function"].as_str()), (Some(9), Some("main")));
    let test = TestFile::read(&folder.path().join("taw-last").join(finding["test"].as_str().unwrap())).unwrap();
    assert_eq!(test.inputs[0].value, "4");
    assert!(matches!(test.outcome, OutcomeRecord::Finding { .. }));
    assert_eq!(document["exhaustive"], true);
}

#[test]
fn every_completed_path_has_its_test_and_coverage_is_written() {
    let folder = folder(BUGGY);
    let document = document(folder.path(), "--out o --keep all");
    let out = folder.path().join("o");
    let exits = tests(&out).iter().filter(|(_, test)| matches!(test.outcome, OutcomeRecord::Exit { .. })).count();
    assert_eq!(document["paths"]["completed"], exits);
    let lcov = fs::read_to_string(out.join("coverage.lcov")).unwrap();
    assert!(lcov.contains("p.c\n") && lcov.contains("DA:9,1\n"), "{lcov}");
    assert!(out.join("stats.json").is_file() && out.join("command.json").is_file());
}

#[test]
fn what_the_program_prints_is_kept_and_shown_on_request() {
    let folder = folder(BUGGY);
    let output = run(folder.path(), "--print-output --out o --keep all");
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(shown.contains("twice\n") && shown.contains("once\n"), "{shown}");
    assert!(tests(&folder.path().join("o")).iter().any(|(_, test)| test.output == "twice\n"));
}

#[test]
fn one_seed_gives_one_result() {
    for def in taw_search::STRATEGIES {
        let folder = folder(BUGGY);
        for out in ["a", "b"] {
            let words = format!("--search {} --seed 5 --out {out}", def.name);
            assert_eq!(run(folder.path(), &words).status.code(), Some(1), "{}", def.name);
        }
        let content = |out: &str| tests(&folder.path().join(out)).into_iter().map(|(_, test)| test).collect::<Vec<_>>();
        assert_eq!(content("a"), content("b"), "{}", def.name);
    }
}

#[test]
fn limits_end_a_run_that_would_not_and_are_named() {
    let folder = folder(ENDLESS);
    for (limit, name) in [("--max-paths 5", "limit of 5 paths"), ("--max-time 1s", "time limit of 1s")] {
        let output = run(folder.path(), limit);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{limit}: {text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("not exhaustive") && text.contains(name), "{limit}: {text}");
    }
    assert_eq!(document(folder.path(), "--max-paths 5")["exhaustive"], false);
}

#[test]
fn a_recorded_path_is_walked_again_without_the_solver() {
    let folder = folder(BUGGY);
    run(folder.path(), "--out o");
    for (path, test) in tests(&folder.path().join("o")) {
        let words = format!("--replay-path {} --out again", path.display());
        let document = document(folder.path(), &words);
        assert_eq!(document["stats"]["queries"], 0, "{}", path.display());
        let replayed = tests(&folder.path().join("again"));
        assert_eq!(replayed.len(), 1, "{}", path.display());
        assert_eq!(replayed[0].1, test);
    }
}

/// Starts an endless run and waits until it has written a number of tests.
fn under_way(folder: &Path) -> Child {
    let child = command(folder, "--out o --search BFS --keep all")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let written = || fs::read_dir(folder.join("o/tests")).map_or(0, Iterator::count);
    while written() < 20 {
        assert!(start.elapsed() < Duration::from_secs(60), "no tests after a minute");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_killed_run_leaves_a_readable_directory() {
    let folder = folder(ENDLESS);
    let mut child = under_way(folder.path());
    signal(&child, "KILL");
    child.wait().unwrap();
    assert!(tests(&folder.path().join("o")).len() >= 20);
}

#[test]
fn an_interrupted_run_ends_cleanly_with_everything_written() {
    let folder = folder(ENDLESS);
    let child = under_way(folder.path());
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("not exhaustive"), "{text}");
    let out = folder.path().join("o");
    let stats: Value = serde_json::from_slice(&fs::read(out.join("stats.json")).unwrap()).unwrap();
    assert!(stats["paths"]["completed"].as_u64().unwrap() <= tests(&out).len() as u64);
}

#[test]
fn what_cannot_run_is_named_with_the_way_out() {
    let undefined = folder("int elsewhere(void);\nint main(void) { return elsewhere(); }\n");
    let output = run(undefined.path(), "");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("`elsewhere`") && said.contains("p.c:2:") && said.contains("--stub elsewhere"), "{said}");
    let output = run(undefined.path(), "--entry man");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("`man`") && said.contains("main"), "{said}");
}

#[test]
fn what_is_executed_before_exit_is_covered() {
    let folder = folder(LEAVES);
    let document = document(folder.path(), "--out o");
    assert_eq!(document["coverage"]["lines"]["covered"], 5, "{document}");
    assert_eq!(document["coverage"]["lines"]["total"], 7, "{document}");
}

#[test]
fn what_a_caller_has_to_pass_is_told_by_its_name() {
    let reads = "#include <stdio.h>\nint f(FILE *in, int *out) {\n  if (!in) return 1;\n  if (fgetc(in) == 'x') *out = 1;\n  return 0;\n}\n";
    let document = document(folder(reads).path(), "--out o --entry f");
    let asked = document["findings"].as_array().unwrap().iter().map(|finding| &finding["caller"]);
    assert!(
        asked.clone().count() > 0 && asked.clone().all(|asks| !asks["says"].as_str().unwrap().contains("`in` is null")),
        "{document}"
    );
    let opened = "char *open_it(int (*is_there)(void), char *(*get)(void)) {\n  if (!is_there || !get) return 0;\n  char *it = get();\n  if (it) *(char *)0 = 1;\n  return it;\n}\n";
    let document = self::document(folder(opened).path(), "--out o --entry open_it");
    assert!(document["findings"][0]["caller"]["says"].as_str().unwrap().contains("`get() != NULL`"), "{document}");
}
