//! Parts of programs: what holds where they start, what stands in for what is elsewhere, as the native run sees it.

mod common;

use std::fs;

use common::{document, folder, said, taw};

/// A precondition that leaves a trace, a function that is elsewhere, and one that does otherwise without the trace.
const PART: &str = r#"
static int asked;
static int acceptable(int n) { asked += n; return n > 1 && n < 4; }
int elsewhere(int *out);
int part(int n) {
  int got = 0;
  if (elsewhere(&got) < 0) return 1;
  if (got == n + asked) return 2;
  return 3;
}
"#;

#[test]
fn a_native_run_calls_what_must_hold_and_hands_out_what_was_recorded() {
    let folder = folder(PART);
    let options = "--entry part --requires acceptable --stub elsewhere --keep all --replay-tests --out out";
    let run = taw(folder.path(), &format!("run p.c {options}"));
    assert!(said(&run).contains("replayed  3 same"), "{}", said(&run));
    let replay = taw(folder.path(), "replay out");
    assert!(said(&replay).contains("3 same"), "{}", said(&replay));
}

#[test]
fn a_suite_for_cmake_has_what_stands_in() {
    let folder = folder(PART);
    let run = taw(folder.path(), "run p.c --entry part --stub * --emit ctest --out out");
    assert!(run.status.success(), "{}", said(&run));
    let list = fs::read_to_string(folder.path().join("out/ctest/CMakeLists.txt")).unwrap();
    assert!(list.contains("taw_stand_ins.c"), "{list}");
    let text = fs::read_to_string(folder.path().join("out/ctest/taw_stand_ins.c")).unwrap();
    assert!(text.contains("int32_t elsewhere(void * a0)"), "{text}");
}

/// Two entries, what they call, a circle with something behind it, and one that cannot be started.
const LIBRARY: &str = r#"
typedef int three __attribute__((ext_vector_type(3)));
static int helper(int x) { return 100 / x; }
int parse_a(int x) { if (x > 5) return helper(x - 6); return 1; }
int parse_b(unsigned char c) { return c == 7 ? helper(1) : 2; }
int odd(unsigned char n);
int behind(int k) { return k == 4; }
int even(unsigned char n) { return n == 0 ? behind(1) : odd(n - 1); }
int odd(unsigned char n) { return n == 0 ? 0 : even(n - 1); }
int whole(three s) { return s[0] == 3; }
"#;

fn names(list: &serde_json::Value, which: impl Fn(&serde_json::Value) -> bool) -> Vec<String> {
    let rows = list.as_array().unwrap().iter().filter(|row| which(row));
    rows.map(|row| row["function"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn functions_are_listed_with_what_keeps_them_from_being_started() {
    let folder = folder(LIBRARY);
    let all = document(folder.path(), "run p.c --list");
    assert_eq!(names(&all, |_| true).len(), 7);
    // Of a circle, the first; not what is behind it.
    assert_eq!(names(&all, |row| row["outermost"] == true), ["parse_a", "parse_b", "even", "whole"]);
    assert_eq!(
        names(&all, |row| row["obstacle"]
            == "a parameter is a vector of an odd size, or a structure without debug information"),
        ["whole"]
    );
    let some = document(folder.path(), "run p.c --list --entry p*_b --entry odd");
    assert_eq!(names(&some, |_| true), ["parse_b", "odd"]);
    assert!(!folder.path().join("taw-out-0").exists());
    let none = taw(folder.path(), "run p.c --entry prse_*");
    assert!(said(&none).contains("did you mean `parse_a`?"), "{}", said(&none));
}

#[test]
fn each_function_is_explored_on_its_own() {
    let folder = folder(LIBRARY);
    let run = document(folder.path(), "run p.c --entry each --no-replay --out out");
    let row =
        |name: &str| run["functions"].as_array().unwrap().iter().find(|row| row["function"] == name).unwrap().clone();
    for (name, findings) in [("parse_a", 1), ("helper", 1), ("parse_b", 0), ("behind", 0), ("even", 0), ("odd", 0)] {
        assert_eq!((&row(name)["findings"], &row(name)["exhaustive"]), (&findings.into(), &true.into()), "{name}");
        assert_eq!(row(name)["coverage"]["lines"]["covered"], row(name)["coverage"]["lines"]["total"], "{name}");
    }
    assert_eq!(
        row("whole")["not_started"],
        "a parameter is a vector of an odd size, or a structure without debug information"
    );
    // Together they are not all: one was not started.
    assert_eq!((&run["exhaustive"], &run["findings"][0]["count"]), (&false.into(), &2.into()));
}

#[test]
fn each_function_has_its_share_of_the_limits() {
    let folder = folder("int f(int x) { while (x) x--; return 0; }\nint g(int x) { while (x) x--; return 1; }\n");
    let run = document(folder.path(), "run p.c --entry each --max-paths 20 --no-replay --out out");
    let ended = |row: &serde_json::Value| row["paths"]["completed"].as_u64().unwrap();
    let shares: Vec<u64> = run["functions"].as_array().unwrap().iter().map(ended).collect();
    assert_eq!(shares, [10, 10], "{run}");
}

#[test]
fn a_database_of_a_build_has_files_and_flags() {
    let folder = folder("#include <limit.h>\nint main(void) { return LIMIT * EXTRA - times(2); }\n");
    let place = |name: &str| folder.path().join(name);
    fs::create_dir_all(place("build")).unwrap();
    fs::create_dir_all(place("include")).unwrap();
    fs::write(place("include/limit.h"), "#define LIMIT 3\nint times(int);\n").unwrap();
    // Flags are each file's own: this one must not see the macro of the other.
    fs::write(place("q.c"), "#ifdef EXTRA\n#error\n#endif\nint times(int n) { return n * FACTOR; }\n").unwrap();
    fs::write(place("r.c"), "int main(void) { return 0; }\n").unwrap();
    let row = |file: &str, flags: &str| serde_json::json!({"directory": "../build", "file": format!("../{file}"), "command": format!("cc {flags} -c ../{file}")});
    let p = row("p.c", "-O2 -Werror -I../include '-DEXTRA=(1 + 1)' -MD -MF p.d -o p.o");
    let write = |rows: &[&serde_json::Value]| {
        fs::write(place("build/compile_commands.json"), serde_json::to_string(rows).unwrap()).unwrap();
    };
    let (q, r) = (row("q.c", "-DFACTOR=5"), row("r.c", ""));
    write(&[&p, &q]);
    // Natively, too: 3 * (1 + 1) - 2 * 5.
    let run = taw(folder.path(), "run -p build --keep all --replay-tests --out out");
    assert!(said(&run).contains("replayed  1 same"), "{}", said(&run));
    let tests: Vec<String> =
        fs::read_dir(place("out/tests")).unwrap().map(|e| e.unwrap().path().display().to_string()).collect();
    assert!(tests.iter().all(|name| name.contains("exit--4")), "{tests:?}");
    assert!(said(&taw(folder.path(), "replay out")).contains("1 same"));
    write(&[&p, &q, &r]);
    let all = said(&taw(folder.path(), "run -p build --out out"));
    assert!(all.contains("`main` is defined more than once") && all.contains("name the files of one"), "{all}");
    let some = taw(folder.path(), "run -p build/compile_commands.json p.c q.c --out out");
    assert!(some.status.success(), "{}", said(&some));
    let unknown = said(&taw(folder.path(), "run -p build s.c"));
    assert!(unknown.contains("it has no command for `s.c` (of 3 files)"), "{unknown}");
}
