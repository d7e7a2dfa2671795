//! Tests that other tools read, seeds that other tools wrote, small suites, and harnesses for fuzzers.
//!
//! Independent readers judge what is written: `xmllint` against the document types, `lcov`, Python's XML parser and its
//! `struct`, compilers, libFuzzer. Those that are not installed are passed over with a message.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use common::folder;

const BUFFER: &str = r#"
#include <taw.h>
#include <string.h>
static int length(const char *s) { int n = 0; while (*s++) n++; return n; }
int main(void) {
  char word[4];
  taw_symbolic(word, sizeof word, "word");
  if (word[0] == 'a' && word[1] == 'b') return 3;
  if (word[0] == 'x') return length(word) > 2;
  return 0;
}
"#;

const FUNCTION: &str = r#"
unsigned char clamp(short low, unsigned char v, double d) {
  if (d > 1.5 && v < 3) return 200;
  if (low < 0 && v > 7) return (unsigned char)(v / (low + 1));
  return (unsigned char)(v * 2);
}
"#;

const TARGET: &str = r#"
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size >= 3 && data[0] == 'F' && data[1] == 'U' && data[2] == 'Z' && data[3] == 'Z') return 1;
  return 0;
}
"#;

fn taw(folder: &Path, words: &str) -> Output {
    common::taw(folder, &format!("run p.c {words}"))
}

fn document(folder: &Path, words: &str) -> Value {
    common::document(folder, &format!("run p.c {words}"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn names(folder: &Path) -> Vec<String> {
    files(folder).iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

/// Whether a tool is there; says so if not.
fn installed(tool: &str) -> bool {
    let there = Command::new(tool).arg("--version").output().is_ok();
    if !there {
        eprintln!("passed over: {tool} is not installed");
    }
    there
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

#[test]
fn xml_is_valid_by_its_document_types() {
    let folder = folder(FUNCTION);
    taw(folder.path(), "--entry clamp --emit testcomp --out o");
    let types = [
        (
            "testcase",
            "<!ELEMENT testcase (input*)>\n<!ELEMENT input (#PCDATA)>\n\
          <!ATTLIST testcase coversError (true|false) \"false\">\n\
          <!ATTLIST input type CDATA \"\" variable CDATA \"\">\n"
                .to_owned(),
        ),
        ("metadata", {
            let fields = [
                "sourcecodelang",
                "producer",
                "specification",
                "programfile",
                "programhash",
                "entryfunction",
                "architecture",
                "creationtime",
            ];
            let elements: String = fields.iter().map(|f| format!("<!ELEMENT {f} (#PCDATA)>\n")).collect();
            format!("<!ELEMENT test-metadata ({})>\n{elements}", fields.join(", "))
        }),
    ];
    for (kind, text) in types {
        let dtd = folder.path().join(format!("{kind}.dtd"));
        fs::write(&dtd, text).unwrap();
        let found: Vec<PathBuf> = files(&folder.path().join("o/testcomp"));
        let found: Vec<&PathBuf> =
            found.iter().filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(kind)).collect();
        assert!(!found.is_empty(), "{kind}");
        if installed("xmllint") {
            succeeds(Command::new("xmllint").args(["--noout", "--nonet", "--dtdvalid"]).arg(&dtd).args(found));
        }
    }
}

#[test]
fn another_language_reads_the_same_values() {
    let folder = folder(FUNCTION);
    taw(folder.path(), "--entry clamp --emit testcomp,ktest --out o");
    if !installed("python3") {
        return;
    }
    let script = r#"
import glob, json, struct, xml.etree.ElementTree as tree
tests = sorted(glob.glob("o/tests/*.json"))
ktests = sorted(glob.glob("o/ktest/*.ktest"))
cases = ["o/testcomp/testcase-%d.xml" % (i + 1) for i in range(len(tests))]
assert tests and len(tests) == len(ktests)
for test, ktest, case in zip(tests, ktests, cases):
    wanted = json.load(open(test))["inputs"]
    f = open(ktest, "rb")
    word = lambda: struct.unpack(">i", f.read(4))[0]
    assert f.read(5) == b"KTEST" and word() == 3
    assert [f.read(word()) for _ in range(word())] == [b"program"]
    assert (word(), word()) == (0, 0)
    objects = [(f.read(word()).decode(), f.read(word()).hex()) for _ in range(word())]
    assert f.read() == b""
    assert objects == [(i["name"], i["bytes"]) for i in wanted], ktest
    values = [float(i.text) for i in tree.parse(case).getroot()]
    formats = {"short": "<h", "unsigned char": "<B", "double": "<d"}
    assert values == [struct.unpack(formats[i["type"]], bytes.fromhex(i["bytes"]))[0] for i in wanted], case
"#;
    succeeds(Command::new("python3").args(["-c", script]).current_dir(folder.path()));
}

#[test]
fn coverage_is_read_by_lcov_and_the_same_as_json() {
    let folder = folder(BUFFER);
    let document = document(folder.path(), "--emit coverage --out o");
    let text = fs::read(folder.path().join("o/coverage/coverage.json")).unwrap();
    let coverage: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(coverage["totals"], document["coverage"]);
    let lines = |kind: &str| coverage["files"][0][kind].as_array().unwrap().len();
    assert_eq!(lines("covered_lines"), document["coverage"]["lines"]["covered"]);
    if installed("lcov") {
        let lcov = folder.path().join("o/coverage.lcov");
        let said = succeeds(Command::new("lcov").args(["--rc", "lcov_branch_coverage=1", "--summary"]).arg(&lcov));
        let whole =
            format!("{} of {} lines", document["coverage"]["lines"]["covered"], document["coverage"]["lines"]["total"]);
        assert!(said.contains(&whole), "{said}");
    }
}

/// Builds what `ctest` has written, without warnings, and runs it.
fn build_and_run(folder: &Path, compiler: &str, sources: &[&str]) {
    let suite = folder.join("o/ctest");
    let strict = ["-Wall", "-Wextra", "-Werror", "-I.", "-g"];
    let checked = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let mut program = Command::new(compiler);
    program.args(strict).args(checked).args(sources).args(["replay.c", "-o", "program"]);
    succeeds(program.current_dir(&suite));
    succeeds(Command::new(compiler).args(strict).args(["suite.c", "-o", "suite"]).current_dir(&suite));
    let said = succeeds(Command::new("./suite").arg("./program").current_dir(&suite));
    let tests = files(&folder.join("o/tests")).len();
    assert!(said.contains(&format!("{tests} tests, 0 failed")), "{said}");
}

#[test]
fn the_c_suite_builds_without_warnings_and_passes() {
    for compiler in ["gcc", "clang-22"] {
        let function = folder(FUNCTION);
        taw(function.path(), "--entry clamp --emit ctest --out o");
        build_and_run(function.path(), compiler, &["calls_0.c", "calls_main.c"]);
        let whole = folder(BUFFER);
        taw(whole.path(), "--emit ctest --out o");
        build_and_run(whole.path(), compiler, &["../../p.c"]);
    }
}

/// Objects of every shape: with elements behind them, freed, circular text; and a path that hangs on where they lie.
const OBJECTS: &str = r#"
#include <stdlib.h>
struct row { unsigned short n; struct row *next; int data[]; };
int shape(struct row *row, int *p, int *q) {
  if (!row || row->n > 1) return 0;
  if (row->next && row->next->n == 9) { free(row->next); row->next = 0; return 3; }
  if (row->n == 1 && row->data[0] == 7) { row->data[0]++; return 2; }
  return p && q && p < q;
}
"#;

#[test]
fn the_c_suite_makes_objects_and_leaves_out_what_hangs_on_addresses() {
    let objects = folder(OBJECTS);
    let run = taw(objects.path(), "--entry shape --max-array 1 --keep all --emit ctest --out o");
    let suite = objects.path().join("o/ctest");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(said.contains("is not among the tests in C: the program compares or computes with addresses"), "{said}");
    let strict =
        ["-Wall", "-Wextra", "-Werror", "-I.", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let sources = ["calls_0.c", "calls_main.c", "replay.c", "-o", "program"];
    for compiler in ["gcc", "clang-22"] {
        succeeds(Command::new(compiler).args(strict).args(sources).current_dir(&suite));
        succeeds(Command::new(compiler).args(["suite.c", "-o", "suite"]).current_dir(&suite));
        let said = succeeds(Command::new("./suite").arg("./program").current_dir(&suite));
        assert!(said.contains(" tests, 0 failed") && !said.starts_with("0 tests"), "{said}");
    }
    let text = fs::read_to_string(suite.join("calls_0.c")).unwrap();
    assert!(text.contains("alloca(sizeof *row + 1 * sizeof row->data[0])") && text.contains("malloc("), "{text}");
}

/// Pointers to members, elements and variables, and just past them; variables that hold anything.
const PLACES: &str = r#"
struct in { int a; };
struct s { struct in in; int *p; struct in row[2]; };
struct s whole;
static int limit;
char name[3];
int place(int *p, struct in *in, struct s *s) {
  if (!p || !in || !s) return 0;
  if (s == &whole) return 10;
  if (in == &s->row[1]) return 1;
  if (in == s->row + 2) return 2;
  if (in == whole.row + 2) return 3;
  if (p == &s->in.a) return 4;
  if (p == &whole.row[0].a) return 5;
  if (p == &limit + 1) return 6;
  if (p == &limit) { *p = 7; return limit; }
  if (limit > 3 && name[1] == 'x') return 8;
  return 9;
}
"#;

#[test]
fn the_c_suite_names_members_and_sets_variables() {
    let places = folder(PLACES);
    taw(places.path(), "--entry place --globals unknown --keep all --emit ctest --out o");
    for compiler in ["gcc", "clang-22"] {
        build_and_run(places.path(), compiler, &["calls_0.c", "calls_main.c"]);
    }
    let text = fs::read_to_string(places.path().join("o/ctest/calls_0.c")).unwrap();
    for part in
        ["&s.row[1]", "&s.row[1] + 1", "&whole.row[1] + 1", "&s.in.a", "&limit + 1", "limit = 4;", "memcpy(name,"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!((1..=10).all(|code| text.contains(&format!("result == {code})"))), "{text}");
}

#[test]
fn the_c_suite_fails_when_the_program_has_changed() {
    let folder = folder(BUFFER);
    taw(folder.path(), "--emit ctest --out o");
    fs::write(folder.path().join("p.c"), BUFFER.replace("return 3", "return 4")).unwrap();
    let suite = folder.path().join("o/ctest");
    let flags = ["-g", "-I.", "-fsanitize=address"];
    succeeds(Command::new("gcc").args(flags).args(["../../p.c", "replay.c", "-o", "program"]).current_dir(&suite));
    succeeds(Command::new("gcc").args(["suite.c", "-o", "suite"]).current_dir(&suite));
    let output = Command::new("./suite").arg("./program").current_dir(&suite).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("exit code 4 instead of 3"));
}

#[test]
fn cmake_and_ctest_run_the_suite() {
    if !installed("cmake") {
        return;
    }
    let with_main = format!("{FUNCTION}\nint main(void) {{ return clamp(1, 2, 3); }}\n");
    for (program, words) in [(BUFFER, ""), (&with_main, "--entry clamp")] {
        let folder = folder(program);
        taw(folder.path(), &format!("--emit ctest --out o {words}"));
        let build = folder.path().join("build");
        succeeds(Command::new("cmake").arg("-S").arg(folder.path().join("o/ctest")).arg("-B").arg(&build));
        succeeds(Command::new("cmake").arg("--build").arg(&build));
        let said = succeeds(Command::new("ctest").current_dir(&build));
        assert!(said.contains("100% tests passed"), "{said}");
    }
}

#[test]
fn findings_as_sarif_name_rule_place_and_inputs() {
    let folder = folder(FUNCTION);
    taw(folder.path(), "--entry clamp --emit sarif --out o");
    let text = fs::read(folder.path().join("o/sarif/findings.sarif")).unwrap();
    let log: Value = serde_json::from_slice(&text).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "division-by-zero");
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "p.c");
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    assert!(flow[0].to_string().contains("low = -1"), "{flow:?}");
}

#[test]
fn what_a_format_cannot_say_is_said() {
    let folder = folder(FUNCTION);
    let output = taw(folder.path(), "--entry clamp --emit corpus --out o");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("nothing was written as `corpus`") && said.contains("low, v, d"), "{said}");
    assert!(!folder.path().join("o/corpus").exists());
}

#[test]
fn a_seed_of_any_format_is_executed_first_and_without_the_solver() {
    let folder = folder(BUFFER);
    taw(folder.path(), "--emit testcomp,ktest,corpus --keep all --out o");
    let seeds: Vec<PathBuf> = ["tests", "ktest", "corpus", "testcomp"]
        .iter()
        .flat_map(|kind| files(&folder.path().join("o").join(kind)))
        .filter(|path| !path.ends_with("metadata.xml"))
        .collect();
    assert!(seeds.len() > 8);
    for seed in &seeds {
        let words = format!("--seeds {} --max-paths 1 --keep all --out again", seed.display());
        let document = document(folder.path(), &words);
        assert_eq!(document["stats"]["queries"], 0, "{}", seed.display());
        let stem = seed.file_stem().unwrap().to_str().unwrap();
        if !stem.starts_with("testcase-") {
            let kept = names(&folder.path().join("again/tests"));
            assert!(kept.contains(&format!("{stem}.json")), "{stem}: {kept:?}");
        }
    }
}

#[test]
fn exploration_goes_on_after_the_seeds() {
    let folder = folder(BUFFER);
    let without = document(folder.path(), "--out a");
    fs::write(folder.path().join("seed"), "abcd").unwrap();
    let with = document(folder.path(), "--seeds seed --out b");
    assert_eq!(with["paths"], without["paths"]);
    assert_eq!(with["exhaustive"], true);
}

#[test]
fn a_seed_that_is_broken_is_named() {
    let folder = folder(BUFFER);
    fs::write(folder.path().join("bad.ktest"), "KTEST\0\0").unwrap();
    for (words, part) in [("--seeds bad.ktest", "bad.ktest"), ("--seeds none", "`none`")] {
        let output = taw(folder.path(), words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(part) && !said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_covering_suite_is_smaller_and_covers_the_same() {
    let folder = folder(BUFFER);
    let whole = document(folder.path(), "--keep all --out all");
    document(folder.path(), "--out few");
    let (all, few) = (names(&folder.path().join("all/tests")), names(&folder.path().join("few/tests")));
    assert!(few.len() < all.len() && few.iter().all(|name| all.contains(name)), "{few:?} of {all:?}");
    // Just these paths, executed again, reach every line and branch that the whole run has reached.
    let again = document(folder.path(), &format!("--seeds few/tests --max-paths {} --out again", few.len()));
    assert_eq!(again["coverage"], whole["coverage"]);
    assert_eq!(again["stats"]["queries"], 0);
    document(folder.path(), "--keep findings --out f");
    assert!(names(&folder.path().join("f/tests")).iter().all(|name| name.starts_with("out-of-bounds-read-")));
}

#[test]
fn two_runs_write_the_same_files() {
    let folder = folder(BUFFER);
    for out in ["a", "b"] {
        taw(folder.path(), &format!("--emit testcomp,ktest,corpus,ctest,sarif,coverage --out {out}"));
    }
    for kind in ["tests", "testcomp", "ktest", "corpus", "ctest", "sarif", "coverage", "findings"] {
        let (a, b) = (folder.path().join("a").join(kind), folder.path().join("b").join(kind));
        assert_eq!(names(&a), names(&b));
        for (one, other) in files(&a).iter().zip(files(&b)).filter(|(one, _)| one.is_file()) {
            assert_eq!(fs::read(one).unwrap(), fs::read(other).unwrap(), "{}", one.display());
        }
    }
}

#[test]
fn an_input_for_a_fuzz_target_is_reproduced_by_the_fuzzer() {
    let folder = folder(TARGET);
    let output = taw(folder.path(), "--harness libfuzzer --max-len 5 --out o");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let line = said.lines().find_map(|line| line.trim().strip_prefix("input for the fuzzer: "));
    let input = folder.path().join(line.unwrap_or_else(|| panic!("{said}")));
    assert_eq!(fs::read(&input).unwrap(), b"FUZ");
    let mut build = Command::new("clang-22");
    succeeds(build.args(["-g", "-fsanitize=fuzzer,address", "p.c", "-o", "fuzz"]).current_dir(folder.path()));
    let fuzz = |input: &Path| Command::new("./fuzz").arg(input).current_dir(folder.path()).output().unwrap();
    let crash = fuzz(&input);
    assert!(String::from_utf8_lossy(&crash.stderr).contains("heap-buffer-overflow"), "{crash:?}");
    let raw = files(&folder.path().join("o/corpus"));
    assert!(raw.len() > 2);
    for other in raw.iter().filter(|path| **path != input) {
        assert!(fuzz(other).status.success(), "{}", other.display());
    }
    let words = format!("--harness libfuzzer --max-len 5 --seeds {} --max-paths 1 --out again", input.display());
    let again = document(folder.path(), &words);
    assert_eq!((&again["paths"]["errored"], &again["stats"]["queries"]), (&1.into(), &0.into()));
}

#[test]
fn a_test_is_shown_again_with_the_command_that_repeats_it() {
    let folder = folder(FUNCTION);
    taw(folder.path(), "--entry clamp --max-paths 50 --out o");
    for test in files(&folder.path().join("o/tests")) {
        let test = test.strip_prefix(folder.path()).unwrap().to_str().unwrap();
        let mut show = Command::new(env!("CARGO_BIN_EXE_taw"));
        let said = succeeds(show.args(["show", test]).current_dir(folder.path()));
        let finding = test.contains("division-by-zero");
        let head = if finding { "division-by-zero: the divisor is zero\n --> p.c:4:" } else { "exit code " };
        assert!(said.starts_with(head) && said.contains("with low = "), "{said}");
        let again = said.lines().find_map(|line| line.trim().strip_prefix("again:    taw run p.c ")).unwrap();
        assert!(!again.contains("--max-paths"), "{again}");
        let document = document(folder.path(), &format!("{again} --out again"));
        assert_eq!(document["findings"].as_array().unwrap().len(), usize::from(finding));
        assert_eq!(document["stats"]["queries"], 0);
    }
    let broken = Command::new(env!("CARGO_BIN_EXE_taw")).args(["show", "no/such"]).output().unwrap();
    assert_eq!(broken.status.code(), Some(2));
}
