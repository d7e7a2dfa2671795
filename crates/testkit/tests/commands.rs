//! Whole command lines: what a run leaves behind, however it ends.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use taw_testkit::{Streams, Taw, run, taw};

/// Two to the power of thirty paths; half of them end in an error.
const MANY_PATHS: &str = r#"#include <stdlib.h>
#include <taw.h>
int main(void) {
  int n = 0;
  for (int i = 0; i < 30; i++)
    if (taw_bool("b")) n++;
  if (taw_bool("last")) abort();
  return n > 100;
}
"#;

const TWO_PATHS: &str = r#"#include <taw.h>
#include <stdio.h>
int twice(int);
int main(void) {
  int x = taw_int("x");
  if (twice(x) == 84 && x > 0) {
    puts("found");
    return 1;
  }
  puts("not found");
  return 0;
}
"#;

const LIBRARY: &str = "int twice(int x) { return (int)(2u * (unsigned)x); }\n";

struct TestFolder {
    taw: Taw,
    folder: tempfile::TempDir,
}

impl TestFolder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        TestFolder { taw: taw().unwrap(), folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.taw.command(words);
        command.current_dir(self.folder.path());
        command
    }

    /// Runs to the end; exit code and document.
    fn document(&self, words: &[&str]) -> (i32, Value) {
        let words: Vec<&str> = ["run", "--json"].iter().chain(words).copied().collect();
        let ended = run(&mut self.command(&words), Streams::Apart, Duration::from_secs(100)).unwrap();
        let document = serde_json::from_slice(&ended.stdout);
        (ended.code.unwrap(), document.unwrap_or_else(|e| panic!("{words:?}: {e}: {}", ended.said())))
    }

    /// Starts an endless run and waits for so many tests.
    fn start(&self, words: &[&str], tests: usize) -> Child {
        let child = self.command(words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while json_files(&self.path("out/tests")).len() < tests {
            assert!(start.elapsed() < Duration::from_secs(60), "no tests after a minute");
            sleep(Duration::from_millis(20));
        }
        child
    }
}

/// Every JSON file of a folder that is not hidden, by name, parsed.
fn json_files(folder: &Path) -> BTreeMap<String, Value> {
    let Ok(entries) = fs::read_dir(folder) else { return BTreeMap::new() };
    entries
        .map(|entry| entry.unwrap())
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
        .filter(|(name, _)| name.ends_with(".json") && !name.starts_with('.'))
        .map(|(name, path)| (name, serde_json::from_slice(&fs::read(path).unwrap()).expect("a whole JSON file")))
        .collect()
}

#[test]
fn after_kill_9_the_directory_is_readable_and_holds_what_was_found() {
    // One test per path; or those that cover something new, which are two: each end of the program has one.
    for (keep, tests) in [("all", 20), ("covering", 2)] {
        let place = TestFolder::new(&[("many.c", MANY_PATHS)]);
        let words = ["run", "many.c", "--json", "--search", "DFS", "--keep", keep, "--out", "out"];
        let mut child = place.start(&words, tests);
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = json_files(&place.path("out/tests"));
        assert!(kept.len() >= tests);
        for outcome in ["abort", "exit"] {
            assert!(kept.keys().any(|name| name.starts_with(outcome)), "{keep}: no {outcome}");
        }
        let findings = json_files(&place.path("out/findings"));
        assert_eq!(findings.len(), 1);
        assert!(findings.values().all(|finding| finding["kind"] == "abort"));
    }
}

#[test]
fn ctrl_c_ends_cleanly_with_everything_found_so_far() {
    let place = TestFolder::new(&[("many.c", MANY_PATHS)]);
    let child = place.start(&["run", "many.c", "--json", "--search", "DFS", "--out", "out"], 2);
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "there is a finding");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["exhaustive"], false);
    assert_eq!(document["findings"][0]["kind"], "abort");
    assert!(document["paths"]["pending"].as_u64().unwrap() > 0);
    for name in ["coverage.lcov", "stats.json", "command.json"] {
        assert!(place.path("out").join(name).is_file(), "{name}");
    }
}

#[test]
fn the_document_has_the_fields_of_its_interface() {
    let place = TestFolder::new(&[("many.c", MANY_PATHS)]);
    let (code, document) = place.document(&["many.c", "--search", "DFS", "--max-paths", "3", "--out", "out"]);
    assert_eq!(code, 1);
    for (object, keys) in [
        ("/paths", "completed errored pending unknown"),
        ("/coverage/lines", "covered total"),
        ("/coverage/branches", "covered total"),
        ("/stats", "instructions forks queries solver_s wall_s peak_states shed peak_rss_mb"),
        ("/findings/0", "kind file line column function stack test count"),
    ] {
        for key in keys.split(' ') {
            let value = document.pointer(object).unwrap_or_else(|| panic!("{object} is missing")).get(key);
            assert!(value.is_some(), "{object}/{key} is missing");
        }
    }
    assert_eq!(document["findings"][0]["line"], 7);
    assert_eq!(document["findings"][0]["function"], "main");
    assert!(place.path("out").join(document["findings"][0]["test"].as_str().unwrap()).is_file());
}

#[test]
fn sources_bitcode_and_assembly_give_the_same() {
    let place = TestFolder::new(&[("main.c", TWO_PATHS), ("lib.c", LIBRARY)]);
    let runtime = taw_testkit::root().join("runtime");
    for (source, format, object) in [("lib.c", "-c", "lib.bc"), ("lib.c", "-S", "lib.ll"), ("main.c", "-c", "main.bc")]
    {
        let mut clang = Command::new("clang-22");
        clang.args(["-g", "-emit-llvm", format, source, "-o", object, "-I"]).arg(&runtime);
        assert!(clang.current_dir(place.folder.path()).status().unwrap().success());
    }
    for files in [["main.c", "lib.c"], ["main.c", "lib.bc"], ["lib.ll", "main.bc"]] {
        let (code, document) = place.document(&[files[0], files[1], "--out", "out"]);
        assert_eq!((code, document["paths"]["completed"].as_u64()), (0, Some(3)), "{files:?}");
        assert_eq!(document["exhaustive"], true);
    }
}

#[test]
fn a_recorded_path_is_walked_again_without_the_solver() {
    let place = TestFolder::new(&[("main.c", TWO_PATHS), ("lib.c", LIBRARY)]);
    place.document(&["main.c", "lib.c", "--out", "first"]);
    for (name, test) in json_files(&place.path("first/tests")) {
        let path = format!("first/tests/{name}");
        let (_, document) = place.document(&["main.c", "lib.c", "--out", "again", "--replay-path", &path]);
        assert_eq!(document["stats"]["queries"], 0, "{document}");
        let again = json_files(&place.path("again/tests"));
        assert_eq!(again.len(), 1, "{name}");
        let again = again.values().next().unwrap();
        assert_eq!((&again["output"], &again["outcome"]), (&test["output"], &test["outcome"]));
    }
}

#[test]
fn one_seed_gives_one_result() {
    let shallow = MANY_PATHS.replace("i < 30", "i < 8");
    let place = TestFolder::new(&[("many.c", &shallow)]);
    for strategy in ["KLEE", "RP", "random-state"] {
        let flags = ["many.c", "--search", strategy, "--seed", "11", "--max-paths", "20", "--out"];
        let runs = ["a", "b"].map(|out| {
            let words: Vec<&str> = flags.iter().copied().chain([out]).collect();
            let (_, document) = place.document(&words);
            let stats = &document["stats"];
            let counters = ["instructions", "forks", "queries"].map(|key| stats[key].clone());
            (counters, document["paths"].clone(), json_files(&place.path(out).join("tests")))
        });
        assert_eq!(runs[0], runs[1], "{strategy}");
    }
}

#[test]
fn every_query_can_be_written_as_smt_lib() {
    let place = TestFolder::new(&[("main.c", TWO_PATHS), ("lib.c", LIBRARY)]);
    let (_, document) = place.document(&["main.c", "lib.c", "--out", "out", "--dump-queries", "queries"]);
    let files: Vec<PathBuf> = fs::read_dir(place.path("queries")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty(), "{document}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("(set-logic") && text.contains("(check-sat)"), "{text}");
    }
}

#[test]
fn answers_can_be_validated() {
    let place = TestFolder::new(&[("main.c", TWO_PATHS), ("lib.c", LIBRARY)]);
    let (code, document) = place.document(&["main.c", "lib.c", "--validate", "--out", "out"]);
    assert_eq!((code, document["paths"]["completed"].as_u64()), (0, Some(3)));
}

#[test]
fn limits_are_kept() {
    let place = TestFolder::new(&[("many.c", MANY_PATHS)]);
    let (_, document) = place.document(&["many.c", "--search", "DFS", "--max-paths", "7", "--out", "out"]);
    let paths = |key: &str| document["paths"][key].as_u64().unwrap();
    assert_eq!(paths("completed") + paths("errored"), 7, "{document}");
    let (_, document) =
        place.document(&["many.c", "--search", "DFS", "--max-states", "5", "--max-paths", "200", "--out", "out"]);
    assert!(document["stats"]["peak_states"].as_u64().unwrap() <= 5, "{document}");
    let start = Instant::now();
    let (_, document) = place.document(&["many.c", "--max-time", "1s", "--out", "out"]);
    // Generous: the machine may be busy.
    assert!(start.elapsed() < Duration::from_secs(60) && document["exhaustive"] == false);
}

/// Breadth-first a thousand paths wait at a time, each with 400 KB of its own; the last line has no path.
const LARGE_STATES: &str = r#"#include <stdlib.h>
#include <taw.h>
static unsigned char memory[10][400000];
int main(void) {
  int n = 0;
  for (int i = 0; i < 10; i++) {
    int b = taw_bool("b");
    if (b) n++;
    for (int k = 0; k < 400000; k += 2000) memory[i][k] = (unsigned char)(b + 1);
  }
  if (n > 10)
    abort();
  return 0;
}
"#;

#[test]
fn at_the_memory_limit_paths_are_given_up_and_the_others_go_on() {
    let place = TestFolder::new(&[("large.c", LARGE_STATES)]);
    let words = ["large.c", "--search", "BFS", "--max-memory", "400M", "--out", "out"];
    let (code, document) = place.document(&words);
    let number = |pointer: &str| document.pointer(pointer).unwrap().as_u64().unwrap();
    let (shed, completed) = (number("/stats/shed"), number("/paths/completed"));
    assert!(code == 0 && shed > 100 && completed > 10, "{document}");
    assert_eq!(number("/paths/pending"), shed, "those given up are counted, and no others wait");
    assert_eq!(document["exhaustive"], false);

    let mut words = vec!["reach"];
    words.extend([
        "large.c",
        "--target",
        "large.c:12",
        "--json",
        "--search",
        "BFS",
        "--max-memory",
        "400M",
        "--out",
        "to",
    ]);
    let out = place.command(&words).output().unwrap();
    let document: Value = serde_json::from_slice(&out.stdout).unwrap();
    let target = &document["targets"][0];
    assert_eq!(target["verdict"], "unknown", "a path that was given up might lead there: {document}");
    assert!(target["reason"].as_str().unwrap().contains("given up"), "{target}");
}

const LONG_PATH: &str = r#"#include <taw.h>
static unsigned char b[N];
int main(void) {
  int n = 0;
  taw_symbolic(b, sizeof b, "b");
  for (int i = 0; i < N; i++)
    if (b[i] == 'a') n++;
  return n == 0;
}
"#;

/// What a path and the states that wait beside it take grows with its length, not with its square.
#[test]
fn a_long_path_takes_memory_by_its_length() {
    let place = TestFolder::new(&[("long.c", LONG_PATH)]);
    let megabytes = |length: u64| {
        let define = format!("N={length}");
        let words = ["long.c", "-D", &define, "--search", "DFS", "--max-paths", "1", "--no-replay", "--out", "out"];
        let (code, document) = place.document(&words);
        let number = |pointer: &str| document.pointer(pointer).unwrap().as_u64().unwrap();
        assert_eq!((code, number("/paths/completed"), number("/paths/pending")), (0, 1, length), "{document}");
        assert_eq!(number("/stats/shed"), 0);
        document["stats"]["peak_rss_mb"].as_f64().unwrap()
    };
    let [short, middle, long] = [4_000, 8_000, 16_000].map(megabytes);
    assert!(long < 300.0, "{short} {middle} {long}");
    // Twice the length, twice the growth; the rest is for tables that grow in steps.
    assert!(long - middle < 3.0 * (middle - short).max(10.0), "{short} {middle} {long}");
}

const MANY_STATES: &str = r#"#include <taw.h>
int main(void) {
  int y = 0;
  for (int i = 0; i < 60; i++) {
    if (taw_int("x") > 0) y += 1;
    else y += 2;
  }
  return y > 0;
}
"#;

/// A state that waits is what differs from the one it was split off from.
#[test]
fn a_state_that_waits_is_small() {
    let place = TestFolder::new(&[("many.c", MANY_STATES)]);
    for search in ["BFS", "KLEE"] {
        let megabytes = |states: u64| {
            let most = states.to_string();
            let words = ["many.c", "--search", search, "--max-states", &most, "--max-instructions", "2000000"];
            let (_, document) = place.document(&[&words[..], &["--no-replay", "--out", "out"]].concat());
            assert_eq!(document["stats"]["peak_states"].as_u64(), Some(states), "{search}");
            document["stats"]["peak_rss_mb"].as_f64().unwrap()
        };
        let bytes = (megabytes(50_000) - megabytes(10_000)) * 1e6 / 40_000.0;
        assert!(bytes < 2_000.0, "{search}: {bytes} bytes");
    }
}

const VANDAL: &str = r#"#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <taw.h>
#include <unistd.h>
int main(void) {
  const char *precious = "precious.txt";
  if (taw_bool("b")) puts("one"); else puts("two");
  FILE *f = fopen("made.txt", "w");
  if (f) fputs("made", f), fclose(f);
  f = fopen("/tmp/taw-vandal-was-here", "w");
  if (f) fputs("made", f), fclose(f);
  f = fopen(precious, "r");
  puts(f ? "readable" : "hidden");
  truncate(precious, 0);
  unlink(precious);
  rename(precious, "stolen.txt");
  mkdir("folder", 0755);
  chmod(".", 0);
  return 0;
}
"#;

/// Everything in a folder, with contents.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(tree(&path));
        }
        let content = path.is_file().then(|| fs::read(&path).unwrap());
        all.insert(path, content);
    }
    all
}

#[test]
fn the_hosts_files_stay_as_they_are() {
    let place = TestFolder::new(&[("vandal.c", VANDAL), ("precious.txt", "keep me")]);
    let out = tempfile::tempdir().unwrap();
    let before = tree(place.folder.path());
    for (flags, seen) in [(&["--host-dir", "."][..], "readable"), (&[], "hidden")] {
        let mut command = place.command(&["run", "vandal.c", "--no-replay", "--print-output", "--out"]);
        command.arg(out.path().join(seen)).args(flags).current_dir(place.folder.path());
        let ended = run(&mut command, Streams::Merged, Duration::from_secs(60)).unwrap();
        assert_eq!(ended.code, Some(0), "{}", ended.said());
        assert!(ended.said().contains(seen), "{}", ended.said());
        assert_eq!(tree(place.folder.path()), before);
    }
    assert!(!Path::new("/tmp/taw-vandal-was-here").exists());
}

const IS_SORTED: &str = "int isSorted(int a, int b, int c) {\n  if (a > b) return 0;\n  if (a > c) return 0;\n  if (b > c) return 0;\n  return 1;\n}\n";

/// Figures 2 and 3 of the IPPC paper: what is asked, with how many conditions, and the inputs of each run.
#[test]
fn concolic_runs_ask_what_the_paper_says() {
    let place = TestFolder::new(&[("sorted.c", IS_SORTED)]);
    let traced = |search: &str| {
        let words = ["run", "sorted.c", "--entry", "isSorted", "--search", search, "--trace", "--out", "out"];
        let ended = run(&mut place.command(&words), Streams::Apart, Duration::from_secs(100)).unwrap();
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    let sizes = |trace: &str| {
        let calls = trace.lines().filter_map(|line| line.trim().strip_prefix("solver call with "));
        calls.filter_map(|call| call.split(' ').next()?.parse().ok()).collect::<Vec<u32>>()
    };
    assert_eq!(sizes(&traced("concolic(DFS)")), [3, 2, 1]);
    let parts = traced("concolic(IPPC)");
    assert_eq!(sizes(&parts), [1, 1, 1]);
    let runs: Vec<&str> = parts.lines().filter_map(|line| line.strip_prefix("run ")).collect();
    let inputs = [[0, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]];
    assert_eq!(runs.len(), inputs.len(), "{parts}");
    for (run, [a, b, c]) in runs.iter().zip(inputs) {
        assert!(run.contains(&format!("[a = {a}, b = {b}, c = {c}]")), "{run}");
    }
    let (code, document) =
        place.document(&["sorted.c", "--entry", "isSorted", "--search", "concolic(DFS)", "--out", "out"]);
    let counts = &document["stats"]["concolic"];
    assert_eq!((code, &document["exhaustive"]), (0, &Value::Bool(true)));
    assert_eq!(
        (&counts["runs"], &counts["solver_calls"], &counts["mean_conditions"]),
        (&4.into(), &3.into(), &2.0.into())
    );
}
