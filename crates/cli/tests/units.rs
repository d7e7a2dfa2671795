//! `taw test`: what it writes compiles without a word, passes, and covers what Taw claims, line by line as gcov counts.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use common::{document, folder, said, taw};
use serde_json::Value;

const UNITS: &str = include_str!("../../../tests/suites/units.c");

/// Runs a command in a folder, which must go well; what it prints.
fn run(folder: &Path, words: &str) -> String {
    let (program, rest) = words.split_once(' ').unwrap_or((words, ""));
    let output = Command::new(program).args(rest.split_whitespace()).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}: {said}");
    said
}

fn numbers(value: &Value) -> BTreeSet<u64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
}

/// gcov's view of `p.c`: for each line whether it was executed, and its branches, taken and all.
fn gcov(folder: &Path) -> (BTreeMap<u64, bool>, BTreeMap<u64, (u64, u64)>) {
    run(folder, "gcc --coverage -O0 -Wall -Wextra -Werror -o units taw-tests/test_p.c -lm");
    assert!(run(folder, "./units").contains("tests passed"));
    let report = run(folder, "gcov -b -t -i units-test_p.gcda");
    let report: Value = serde_json::from_str(report.lines().find(|line| line.starts_with('{')).unwrap()).unwrap();
    let is_ours = |file: &&Value| file["file"].as_str().is_some_and(|file| Path::new(file).ends_with("p.c"));
    let file = report["files"].as_array().unwrap().iter().find(is_ours).unwrap();
    let (mut lines, mut branches) = (BTreeMap::new(), BTreeMap::<u64, (u64, u64)>::new());
    for line in file["lines"].as_array().unwrap() {
        let number = line["line_number"].as_u64().unwrap();
        *lines.entry(number).or_insert(false) |= line["count"].as_u64() > Some(0);
        for branch in line["branches"].as_array().unwrap() {
            let (taken, all) = branches.entry(number).or_default();
            (*taken, *all) = (*taken + u64::from(branch["count"].as_u64() > Some(0)), *all + 1);
        }
    }
    (lines, branches)
}

#[test]
fn a_suite_compiles_without_a_word_passes_and_covers_exactly_what_is_claimed() {
    let folder = folder(UNITS);
    let said = document(folder.path(), "test p.c --iterations 300 --max-time 60s");
    let functions = said["functions"].as_array().unwrap();
    assert!(functions.len() >= 10);
    for function in functions {
        assert!(!function["tests"].as_array().unwrap().is_empty(), "{function:#}");
        assert_eq!(function["dropped"].as_array().unwrap().len(), 0, "{function:#}");
    }
    run(folder.path(), "clang-22 -Wall -Wextra -Werror -o by-clang taw-tests/test_p.c -lm");
    run(folder.path(), "./by-clang");
    let (lines, branches) = gcov(folder.path());
    let claim = &said["covered"][0];
    let (covered, missed) = (numbers(&claim["covered_lines"]), numbers(&claim["missed_lines"]));
    assert!(covered.len() > 50);
    for (line, executed) in &lines {
        // The line that a function begins on is gcov's alone.
        assert!(if *executed { !missed.contains(line) } else { !covered.contains(line) }, "line {line}: {executed}");
    }
    let claimed: BTreeMap<u64, (u64, u64)> = serde_json::from_value(claim["branches"].clone()).unwrap();
    assert_eq!(claimed, branches);
    let totals = &said["coverage"]["branches"];
    assert_eq!(totals["covered"], branches.values().map(|(taken, _)| taken).sum::<u64>());
    assert_eq!(totals["total"], branches.values().map(|(_, all)| all).sum::<u64>());
}

#[test]
fn a_comparison_that_is_returned_has_two_tests() {
    let folder = folder("int same(int a, int b) { return a == b; }\n");
    let tests = |words: &str| document(folder.path(), words)["functions"][0]["tests"].as_array().unwrap().len();
    assert_eq!(tests("test p.c"), 2);
    assert_eq!(tests("test p.c --criterion branch"), 1);
}

#[test]
fn floats_in_tests_are_exact() {
    let folder = folder(
        "double tenth(int x) { return x > 3 ? 0.1 : 0.5; }\nlong double wide(int x) { return x > 3 ? 0.1 : 2.0L; }\n\
         double zero(int x) { return x > 3 ? -0.0 : 0.0 / (x == 2 ? 0 : 1); }\n",
    );
    let output = taw(folder.path(), "test p.c");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let suite = fs::read_to_string(folder.path().join("taw-tests/test_p.c")).unwrap();
    let parts =
        ["== 0.5)", "== 0x1.999999999999ap-4)", "== 0xccccccccccccd000p-67L)", "__builtin_signbit(result) != 0"];
    for part in parts.into_iter().chain(["__builtin_isnan(result)"]) {
        assert!(suite.contains(part), "{part}: {suite}");
    }
    run(folder.path(), "gcc -Wall -Wextra -Werror -o suite taw-tests/test_p.c");
    run(folder.path(), "./suite");
}

const ENDS: &str = "#include <stdlib.h>\nstatic int seen;\nint sensor(void);\n\
    int end(int n) { if (n == 7) exit(3); if (n == 9) abort(); seen = n + 1; return sensor() > 3; }\n\
    int third(int *list, int at) { return at >= 0 && at < 4 ? 10 / list[at] : 0; }\n";

#[test]
fn ends_errors_and_values_of_others_are_in_the_tests() {
    let folder = folder(ENDS);
    let output = taw(folder.path(), "test p.c --stub sensor --array list=4");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let output = taw(folder.path(), "test p.c --stub sensor");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let suite = fs::read_to_string(folder.path().join("taw-tests/test_p.c")).unwrap();
    for part in ["WEXITSTATUS(status) == 3", "SIGABRT", "sensor_gives = (const int[]){4};", "assert(seen == 1);"] {
        assert!(suite.contains(part), "{part}: {suite}");
    }
    run(folder.path(), "gcc -Wall -Wextra -Werror -o suite taw-tests/test_p.c");
    run(folder.path(), "./suite");
    let errors = fs::read_to_string(folder.path().join("taw-tests/test_p_errors.c")).unwrap();
    assert!(errors.contains("third__division_by_zero"), "{errors}");
    let cmake = fs::read_to_string(folder.path().join("taw-tests/CMakeLists.txt")).unwrap();
    assert!(cmake.contains("LABELS known-failure") && cmake.contains("/../p.c"), "{cmake}");
}

#[test]
fn nothing_that_is_not_taws_is_replaced() {
    let folder = folder("int f(int x) { return x > 3; }\n");
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/CMakeLists.txt"), "project(mine)\n").unwrap();
    let output = taw(folder.path(), "test p.c --out mine");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("not written by Taw"), "{}", said(&output));
    assert_eq!(fs::read_dir(folder.path().join("mine")).unwrap().count(), 1);
    assert_eq!(taw(folder.path(), "test p.c").status.code(), Some(0));
    assert_eq!(taw(folder.path(), "test p.c --style gtest").status.code(), Some(0), "its own files are replaced");
    assert!(folder.path().join("taw-tests/test_p.cc").exists());
    assert_eq!(taw(folder.path(), "test p.c").status.code(), Some(0));
    assert!(!folder.path().join("taw-tests/test_p.cc").exists(), "what belongs to another style goes");
}

#[test]
fn what_no_test_covers_is_listed_with_the_reason() {
    let folder = folder(
        "static int helper(unsigned x) { if (x > 300) return 1; return 0; }\nint f(unsigned char x) { return helper(x); }\n",
    );
    let said = document(folder.path(), "test p.c --static --function f");
    let missing = said["functions"][0]["uncovered"].as_array().unwrap();
    assert!(missing.iter().any(|one| one["kind"] == "branch" && one["side"] == "holds"), "{missing:#?}");
    assert!(missing.iter().all(|one| one["reason"] == "unreachable"), "{missing:#?}");
    let said = document(folder.path(), "test p.c --static --function helper");
    assert_eq!(said["functions"][0]["uncovered"].as_array().unwrap().len(), 0, "called from elsewhere it is reached");
}

const LIMIT: &str = "int f(int x) {\n  if (x > 10) return 10;\n  return x;\n}\nint g(int x) { return x == 5; }\n";

#[test]
fn a_suite_is_kept_up_to_date_and_nobody_s_regression_becomes_what_is_expected() {
    let folder = folder(LIMIT);
    let (at, source) = (folder.path(), folder.path().join("p.c"));
    let suite = || fs::read_to_string(at.join("taw-tests/test_p.c")).unwrap();
    assert_eq!(taw(at, "test p.c").status.code(), Some(0));
    let before = suite();
    assert_eq!(taw(at, "test p.c --check").status.code(), Some(0));
    assert_eq!(taw(at, "test p.c --update").status.code(), Some(0));
    assert_eq!(suite(), before, "nothing has changed");

    // A branch more: the suite no longer covers everything, and one test is added.
    fs::write(&source, LIMIT.replace("  return x;", "  if (x < -7) return -7;\n  return x;")).unwrap();
    let output = taw(at, "test p.c --check");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("f: ") && said(&output).contains("g: the tests hold"), "{}", said(&output));
    assert_eq!(taw(at, "test p.c --update").status.code(), Some(0));
    assert_eq!(suite().matches("\nstatic void f__").count(), 3, "{}", suite());
    for line in before.lines().filter(|line| line.starts_with("static void ")) {
        assert!(suite().contains(line), "{line} is still valid");
    }

    // A result that changes is shown, and the test stays.
    fs::write(&source, LIMIT.replace("return 10;", "return 11;")).unwrap();
    assert_eq!(taw(at, "test p.c --check").status.code(), Some(1));
    let output = taw(at, "test p.c --update");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("expects result == 10") && said(&output).contains("is      result == 11"));
    assert!(suite().contains("result == 10") && !suite().contains("result == 11"));
    assert!(!suite().contains("-7"), "what covers nothing more goes: {}", suite());
    assert_eq!(taw(at, "test p.c --update --accept").status.code(), Some(0));
    assert!(suite().contains("result == 11") && !suite().contains("result == 10"));
    assert_eq!(taw(at, "test p.c --check").status.code(), Some(0));
}

#[test]
fn only_what_a_change_touches_is_explored_and_the_rest_stays() {
    let folder = folder(LIMIT);
    let diff =
        "--- a/p.c\n+++ b/p.c\n@@ -5 +5 @@\n-int g(int x) { return x == 4; }\n+int g(int x) { return x == 5; }\n";
    fs::write(folder.path().join("change.diff"), diff).unwrap();
    let functions = |words: &str| {
        let said = document(folder.path(), words);
        let names =
            said["functions"].as_array().unwrap().iter().map(|one| one["function"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(functions("test p.c --diff change.diff"), ["g"]);
    assert_eq!(functions("test p.c"), ["f", "g"]);
    assert_eq!(functions("test p.c --diff change.diff --update"), ["f", "g"]);
    let suite = fs::read_to_string(folder.path().join("taw-tests/test_p.c")).unwrap();
    assert!(suite.contains("static void f__"), "{suite}");
}

#[test]
fn options_come_from_a_file_and_the_command_line_wins() {
    let folder = folder(
        "static int counter;\nvoid start(void) { counter = 40; }\nint next(int by) { return counter + by == 42; }\n",
    );
    fs::write(
        folder.path().join("taw-test.toml"),
        "files = 'p.c'\nsetup = 'start'\nfunction = 'next'\nout = 'mine'\nstyle = 'cmocka'\n",
    )
    .unwrap();
    assert_eq!(taw(folder.path(), "test --style assert").status.code(), Some(0));
    let suite = fs::read_to_string(folder.path().join("mine/test_p.c")).unwrap();
    assert!(suite.contains("  start();\n") && suite.contains("next(2)"), "{suite}");
    assert!(!suite.contains("cmocka"), "{suite}");
    run(folder.path(), "gcc -Wall -Wextra -Werror -o suite mine/test_p.c");
    run(folder.path(), "./suite");
    fs::write(folder.path().join("taw-test.toml"), "styl = 'cmocka'\n").unwrap();
    assert_eq!(taw(folder.path(), "test p.c").status.code(), Some(2));
}

#[test]
fn two_versions_differ_or_are_shown_not_to() {
    let folder = folder("int unused;\n");
    let at = folder.path();
    let rest = "int length(const char *s) { return *s != 0; }\nunsigned turn(unsigned x) { unsigned n = 0; while (x) { x >>= 1; n++; } return n; }\n";
    let old = "int twice(int x) { return x + x; }\nint limit(int x) { return x > 10 ? 10 : x; }\nint share(int x) { return x == 3 ? 7 : 8; }\n";
    let new = "int twice(int x) { return 2 * x; }\nint limit(int x) { return x >= 12 ? 10 : x; }\nint share(int x) { return x == 3 ? 7 : 8 / (x - 5); }\n";
    fs::write(at.join("old.c"), format!("{old}{rest}")).unwrap();
    fs::write(at.join("new.c"), format!("{new}{rest}")).unwrap();
    let said = document(at, "test --compare old.c new.c");
    let verdict = |name: &str| {
        let all = said.as_array().unwrap();
        all.iter().find(|one| one["function"] == name).unwrap_or_else(|| panic!("{name}: {said:#}")).clone()
    };
    assert_eq!(verdict("twice")["verdict"], "equivalent", "{said:#}");
    assert_eq!(verdict("turn")["verdict"], "equivalent", "{said:#}");
    assert_eq!(verdict("limit")["verdict"], "differs");
    assert_eq!(verdict("limit")["differences"][0], "limit(11): the results differ");
    assert_eq!(verdict("share")["verdict"], "differs");
    let fails = verdict("share")["differences"]
        .as_array()
        .unwrap()
        .iter()
        .any(|one| one.as_str().unwrap().starts_with("share(5): only the new version fails"));
    assert!(fails, "{said:#}");
    assert_eq!(verdict("length")["verdict"], "not-compared");
    assert_eq!(taw(at, "test --compare old.c new.c").status.code(), Some(1));
    assert_eq!(taw(at, "test --compare old.c old.c --function twice").status.code(), Some(2), "a file is not two");

    // Variables are not compared, and loops without end are not explored to theirs.
    fs::write(at.join("a.c"), "static int calls;\nint next(int x) { calls++; return x + 1; }\n").unwrap();
    fs::write(at.join("b.c"), "int next(int x) { return x + 1; }\n").unwrap();
    let output = taw(at, "test --compare a.c b.c");
    assert_eq!(output.status.code(), Some(3), "{}", common::said(&output));
    assert!(common::said(&output).contains("no difference found"), "{}", common::said(&output));
}
