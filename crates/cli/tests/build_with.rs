//! `--build-with` as whole command lines: a library in a file of its own, what is said and kept, and what is done with that.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use common::{folder, said, taw};

/// A library of which callers know the names only.
const HEADER: &str = "#include <stddef.h>\nstruct box;\nstruct box *box_new(const char *name, size_t n);\n\
    int box_open(struct box **out, const int *values, size_t count);\nint box_get(const struct box *b, int i);\n\
    void box_put(struct box *b, double d, unsigned char c);\n";
const LIBRARY: &str = "#include \"box.h\"\n#include <stdlib.h>\nstruct box { int n; int v[4]; };\n\
    struct box *box_new(const char *name, size_t n) {\n  struct box *b = calloc(1, sizeof *b);\n  b->n = name[0] && n;\n  return b;\n}\n\
    int box_open(struct box **out, const int *values, size_t count) {\n  if (count > 4) return -1;\n  *out = calloc(1, sizeof **out);\n\
    \x20 for (size_t i = 0; i < count; i++) (*out)->v[i] = values[i];\n  (*out)->n = count;\n  return 0;\n}\n\
    int box_get(const struct box *b, int i) { return i < 0 || i >= b->n ? 0 : b->v[i]; }\n\
    void box_put(struct box *b, double d, unsigned char c) { if (d > 2.5 && c == 9) b->v[0] = 7; }\n";
const USER: &str = "#include \"box.h\"\n#include <stdlib.h>\nint second(struct box *b) {\n  if (!b) return 0;\n  if (box_get(b, 0) == 7) abort();\n\
    \x20 if (box_get(b, 5) == 1) abort();\n  return 10 / (box_get(b, 1) - 42);\n}\n";

fn library() -> TempDir {
    let folder = folder(USER);
    fs::write(folder.path().join("box.h"), HEADER).unwrap();
    fs::write(folder.path().join("box.c"), LIBRARY).unwrap();
    folder
}

fn api(document: &Value, line: u64) -> &Value {
    let findings = document["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["line"] == line);
    &found.unwrap_or_else(|| panic!("nothing at line {line}: {document}"))["api"]
}

fn calls(api: &Value) -> String {
    let lines = api["c"].as_array().map(|lines| lines.iter().filter_map(Value::as_str).collect::<Vec<_>>());
    lines.unwrap_or_default().join(" ")
}

#[test]
fn a_library_in_another_file_whose_types_are_not_known() {
    let folder = library();
    for more in ["", " --cflag=-O2"] {
        let words = format!(
            "run p.c box.c --entry second --build-with box_* --build-calls 2 --max-array 2 --max-string 1 --out o{more}"
        );
        let document = common::document(folder.path(), &words);
        assert_eq!(
            calls(api(&document, 7)),
            "struct box *box1 = 0; box_open(&box1, (int[1024]){0, 42}, 2); second(box1);",
            "{document}"
        );
        assert_eq!(
            calls(api(&document, 5)),
            "struct box *box1 = 0; box_open(&box1, (int[1024]){7, 0}, 1); second(box1);"
        );
        let first = &document["findings"][0];
        assert_eq!(first["api"]["verdict"], "reachable", "what no caller is to blame for comes first");
        let none = api(&document, 6);
        assert_eq!(none["verdict"], "none", "{none}");
        let why = none["says"].as_str().unwrap();
        assert!(
            why.contains("no sequence of up to 2 calls of `box_new`, `box_open`, `box_get` and `box_put`"),
            "{why}"
        );
        assert!(why.contains("no more is said by `count`, `n` than is there"), "{why}");
    }
}

/// The text, and everything that takes a test: it is one like any other.
#[test]
fn the_calls_are_a_test() {
    let folder = library();
    let words = "run p.c box.c --entry second --build-with box_open --max-array 2 --emit ctest,sarif --out o";
    let output = taw(folder.path(), words);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("=== reachable through the API\n"), "{text}");
    assert!(text.contains("       second(box1);\n       confirmed by a native run\n       test: o/tests/"), "{text}");
    assert!(text.contains("is not among the tests in C: it makes calls that Taw has put together"), "{text}");
    let sarif = fs::read_to_string(folder.path().join("o/sarif/findings.sarif")).unwrap();
    assert!(sarif.contains("\"verdict\": \"reachable\""), "{sarif}");

    let built = |name: &Path| fs::read_to_string(name).unwrap().contains("taw_build_second_1");
    let tests = fs::read_dir(folder.path().join("o/tests")).unwrap().map(|entry| entry.unwrap().path());
    let test = tests.into_iter().find(|test| built(test)).expect("the test of the calls");
    let replayed = said(&taw(folder.path(), &format!("replay {}", test.display())));
    assert!(replayed.starts_with("same "), "{replayed}");
    let shown = said(&taw(folder.path(), &format!("show {}", test.display())));
    assert!(shown.contains("  call struct box *box1 = 0;\n       box_open(&box1, (int[1024])"), "{shown}");
    assert!(!shown.contains("taw_build") && !shown.contains("  with "), "{shown}");
    let path = said(&taw(folder.path(), &format!("show --path {}", test.display())));
    assert!(path.contains("*out = calloc(1, sizeof **out);"), "{path}");
}

#[test]
fn without_native_runs_nothing_is_called_confirmed() {
    let folder = library();
    let words = "run p.c box.c --entry second --build-with box_open --max-array 2 --no-replay --out o";
    let document = common::document(folder.path(), words);
    assert_eq!(api(&document, 7)["confirmation"], "not confirmed: no native run was wanted", "{document}");
}

/// What the limits cut off is no proof.
#[test]
fn a_search_that_is_cut_off_proves_nothing() {
    let folder = folder(
        "#include <stdlib.h>\nstruct l { unsigned n; };\nstruct l *l_new(unsigned n) {\n  struct l *l = calloc(1, sizeof *l);\n\
         \x20 for (unsigned i = 0; i < n; i++) l->n++;\n  return l;\n}\nint l_get(struct l *l) {\n  if (!l) return 0;\n  if (l->n == 3000000000u) abort();\n  return 0;\n}\n",
    );
    let document = common::document(folder.path(), "run p.c --entry l_get --build-with l_new --max-time 2s --out o");
    let api = api(&document, 10);
    assert_eq!(api["verdict"], "not found", "{document}");
    assert!(api["says"].as_str().unwrap().contains("the time was over"), "{api}");
}

#[test]
fn it_is_no_option_of_reach() {
    let folder = library();
    let output = taw(folder.path(), "reach p.c box.c --entry second --target p.c:7 --build-with box_*");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("--build-with is about the errors that `taw run` finds"), "{}", said(&output));
}

/// An object of two numbers.
type Pair = (u8, u8);

/// A function that changes an object of two numbers of four bits: its C, and what it does with an argument of two bits.
struct Change {
    c: String,
    does: Box<dyn Fn(Pair, u8) -> Pair>,
}

/// One of four changes, with random numbers.
fn change(next: &mut impl FnMut(u8) -> u8) -> Change {
    let (k, g) = (next(16), next(16));
    match next(4) {
        0 => Change {
            c: format!("if (s->b != {g}) s->a = (s->a + {k}) & 15;"),
            does: Box::new(move |(a, b), _| (if b == g { a } else { (a + k) & 15 }, b)),
        },
        1 => Change { c: "s->a ^= x & 3;".to_owned(), does: Box::new(|(a, b), x| (a ^ x, b)) },
        2 => Change {
            c: format!("if ((x & 3) == {}) s->b = (s->a * {k}) & 15;", g & 3),
            does: Box::new(move |(a, b), x| (a, if x == g & 3 { a.wrapping_mul(k) & 15 } else { b })),
        },
        _ => Change {
            c: format!("if (s->a > {g}) s->b = (s->b - s->a) & 15;"),
            does: Box::new(move |(a, b), _| (a, if a > g { b.wrapping_sub(a) & 15 } else { b })),
        },
    }
}

/// Which objects calls can make is counted out: what is said of each is so, and nothing is left open.
#[test]
fn verdicts_are_those_of_all_sequences() {
    let mut seed = 15_u32;
    let mut next = move |below: u8| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        u8::try_from((seed >> 16) % u32::from(below)).unwrap()
    };
    let (mut reachable, mut none) = (0, 0);
    for _ in 0..8 {
        let changes = [change(&mut next), change(&mut next)];
        let mut text = "#include <stdlib.h>\nstruct s { unsigned char a, b; };\n\
            struct s *s_new(unsigned char x) {\n  if ((x & 3) == 1) return NULL;\n  struct s *s = calloc(1, sizeof *s);\n  s->a = x & 3;\n  return s;\n}\n"
            .to_owned();
        for (number, change) in changes.iter().enumerate() {
            text += &format!("void s_change{number}(struct s *s, unsigned char x) {{\n  {}\n}}\n", change.c);
        }
        text += "int f(struct s *s) {\n  if (!s) return 0;\n";
        let goals: Vec<Pair> = (0..6).map(|_| (next(4), next(3))).collect();
        let first = text.lines().count() as u64 + 1;
        goals.iter().for_each(|(a, b)| text += &format!("  if (s->a == {a} && s->b == {b}) abort();\n"));
        let folder = folder(&(text + "  return 0;\n}\n"));
        let made: BTreeSet<Pair> = [0, 2, 3].into_iter().map(|a| (a, 0)).collect();
        let mut states = made;
        for _ in 0..2 {
            let more = |&state: &Pair| changes.iter().flat_map(move |c| (0..4).map(move |x| (c.does)(state, x)));
            let more: Vec<Pair> = states.iter().flat_map(more).collect();
            states.extend(more);
        }
        let document =
            common::document(folder.path(), "run p.c --entry f --build-with s_* --build-calls 3 --no-replay --out o");
        for (line, goal) in (first..).zip(&goals) {
            // The same condition again is met by nobody.
            let findings = document["findings"].as_array().unwrap();
            let Some(finding) = findings.iter().find(|finding| finding["line"] == line) else { continue };
            let verdict = &finding["api"]["verdict"];
            assert_eq!(verdict, if states.contains(goal) { "reachable" } else { "none" }, "{goal:?} {finding}");
            *(if states.contains(goal) { &mut reachable } else { &mut none }) += 1;
        }
    }
    assert!(reachable >= 5 && none >= 5, "{reachable} and {none} are too few to tell");
}
