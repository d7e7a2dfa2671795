//! What Taw says of a run beside its findings: that nothing was decided, what no test covers, what was taken for granted.

mod common;

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use common::{folder, taw};

fn document(folder: &Path, words: &str) -> Value {
    common::document(folder, &format!("{words} --out o"))
}

fn tests(folder: &Path) -> usize {
    fs::read_dir(folder.join("o/tests")).unwrap().count()
}

#[test]
fn assumptions_that_contradict_each_other_decide_nothing() {
    let folder = folder(
        "#include <taw.h>\nint main(void) {\n  int x = taw_int(\"x\");\n  taw_assume(x > 0);\n  taw_assume(x < 0);\n\
         \x20 taw_assert(0);\n}\n",
    );
    let output = taw(folder.path(), "run p.c");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let why = "no path gets past the assumptions, which contradict each other: p.c:4:3, p.c:5:3";
    assert!(said.starts_with(&format!("nothing was decided: {why}\n")) && !said.contains("no errors"), "{said}");
    assert_eq!(document(folder.path(), "run p.c")["undecided"], why);
    let reached = document(folder.path(), "reach p.c --target p.c:6");
    assert_eq!(reached["targets"][0]["reason"], why, "{reached}");
}

#[test]
fn a_run_without_a_completed_path_says_so() {
    let folder = folder("int nowhere(void);\nint main(void) { return nowhere(); }\n");
    let output = taw(folder.path(), "run p.c");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.starts_with("nothing was decided: no path was completed\n"), "{said}");
    let document = document(folder.path(), "run p.c");
    let reasons = document["incomplete"].as_array().unwrap();
    assert_eq!(reasons.len(), 1, "{document}");
    assert!(reasons[0].as_str().unwrap().contains("`nowhere`, which is defined nowhere"), "{document}");
}

/// Scripts need not read sentences.
#[test]
fn reasons_have_codes() {
    let text = "#include <taw.h>\nint nowhere(void);\nint main(void) {\n  if (taw_int(\"x\")) return nowhere();\n\
                \x20 if (taw_int(\"y\")) return 1;\n  taw_target(\"end\");\n  return 0;\n}\n";
    let folder = folder(text);
    let codes = |words: &str| document(folder.path(), &format!("run p.c {words}"))["incomplete_codes"].clone();
    assert_eq!(codes(""), json!(["unsupported"]));
    assert_eq!(codes("--max-instructions 1"), json!(["limit-instructions"]));
    assert_eq!(codes("--max-depth 1"), json!(["limit-depth", "unsupported"]));
    let reached = document(folder.path(), "reach p.c --target label:end --max-instructions 1");
    assert_eq!(reached["targets"][0]["reason_codes"], json!(["limit-instructions"]), "{reached}");
}

#[test]
fn what_no_test_covers_is_not_claimed() {
    let same_error = "#include <taw.h>\n#include <stdlib.h>\nint main(void) {\n  int x = taw_int(\"x\"), y;\n\
                      \x20 if (x > 100) y = 1;\n  else y = 2;\n  abort();\n  return y;\n}\n";
    for keep in ["covering", "all"] {
        let folder = folder(same_error);
        let document = document(folder.path(), &format!("run p.c --no-replay --keep {keep}"));
        assert_eq!(document["coverage"]["branches"], json!({"covered": 2, "total": 2}), "{document}");
        assert_eq!(tests(folder.path()), 2, "each side has a test");
    }
    let assumed = same_error.replace("abort();", "taw_assume(x == 7 && x == 8);");
    let folder = folder(&assumed);
    let document = document(folder.path(), "run p.c --no-replay");
    assert_eq!(document["coverage"]["branches"], json!({"covered": 0, "total": 6}), "{document}");
    assert_eq!(document["coverage"]["lines"]["covered"], 0, "{document}");
}

#[test]
fn a_suite_covers_as_much_as_is_claimed_of_it() {
    let folder = folder(
        "#include <taw.h>\nint main(void) {\n  int a = taw_int(\"a\"), n = 0;\n  unsigned char b = taw_u8(\"b\");\n\
         \x20 taw_assume(b <= 5);\n  while (n < 3 && a <= 100 && b <= 5) n++;\n\
         \x20 switch (b) { case 1: case 2: return 3; case 3: return 4; default: return n; }\n}\n",
    );
    let document = document(folder.path(), "run p.c --no-replay");
    // gcov: five of the six sides of the loop, and three places that the switch leads to.
    assert_eq!(document["coverage"]["branches"], json!({"covered": 8, "total": 9}), "{document}");
}

#[test]
fn unreachable_behind_an_error_is_said_with_the_error() {
    let folder = folder(
        "#include <taw.h>\nint main(void) {\n  int a[4] = {0}, guard = 0;\n  unsigned i = taw_u32(\"i\");\n\
         \x20 taw_assume(i < 8);\n  a[i] = 7;\n  if (guard == 7)\n    taw_target(\"smashed\");\n  return 0;\n}\n",
    );
    let output = taw(folder.path(), "reach p.c --target label:smashed");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.starts_with("unreachable label:smashed unless the error at p.c:6:8 happens first\n"), "{said}");
    let document = document(folder.path(), "reach p.c --target label:smashed");
    assert_eq!(document["targets"][0]["unless"], json!(["p.c:6:8"]), "{document}");
}

#[test]
fn labels_of_merged_calls_are_found() {
    let folder = folder(
        "#include <taw.h>\nint main(void) {\n  if (taw_int(\"x\") > 5) taw_target(\"big\"); else taw_target(\"small\");\n\
         \x20 return 0;\n}\n",
    );
    let output = taw(folder.path(), "reach p.c --cflag -O2 --target label:*");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("reached label:big") && said.contains("reached label:small"), "{said}");
}

#[test]
fn globals_of_a_function_that_is_started_alone_are_told() {
    let folder = folder("int mode = 3;\nint f(int x) { return mode == 4 ? x : 0; }\n");
    let document = document(folder.path(), "run p.c --entry f --no-replay");
    let premise = "the global variable `mode` has its initial value (--globals)";
    assert_eq!(document["rests_on"], json!([premise]), "{document}");
}

#[test]
fn seeds_with_other_names_are_taken_in_order_and_that_is_said() {
    let program = "#include <taw.h>\nint main(void) {\n  int NAME = taw_int(\"NAME\");\n  taw_target(NAME == 12345 ? \"hit\" : \"no\");\n\
                   \x20 return 0;\n}\n";
    let folder = folder(&program.replace("NAME", "old"));
    let first = document(folder.path(), "run p.c --no-replay --keep all");
    assert_eq!(first["notes"], Value::Null);
    let kept = fs::read_dir(folder.path().join("o/tests")).unwrap().map(|entry| entry.unwrap().path());
    let hit = kept.into_iter().find(|path| fs::read_to_string(path).unwrap().contains("\"hit\"")).unwrap();
    fs::copy(hit, folder.path().join("seed.json")).unwrap();
    fs::write(folder.path().join("p.c"), program.replace("NAME", "new")).unwrap();
    let document = document(folder.path(), "run p.c --no-replay --keep all --seeds seed.json --max-paths 1");
    assert_eq!(document["notes"], json!(["inputs of seeds were taken in order where names differ: `old` for `new`"]));
    let test = fs::read_dir(folder.path().join("o/tests")).unwrap().next().unwrap().unwrap().path();
    assert!(fs::read_to_string(test).unwrap().contains("\"hit\""), "the seed leads");
}

/// One test is kept of many thousand paths: files are not made for the others.
#[test]
fn a_run_ends_soon_after_its_limit_whatever_it_has_found() {
    let folder = folder(
        "#include <taw.h>\nint main(void) {\n  unsigned char a[16];\n  int n = 0;\n  taw_symbolic(a, sizeof a, \"a\");\n\
         \x20 for (int i = 0; i < 16; i++) n += a[i] % 5 > 2 ? 1 : 0;\n  for (int i = 0; i < 16; i++) if (a[i] > 9) n++;\n\
         \x20 for (int i = 0; i < 15; i++) if (a[i] < a[i + 1]) n++;\n  return n > 100;\n}\n",
    );
    let start = Instant::now();
    let document = document(folder.path(), "run p.c --no-replay --max-time 5s");
    assert!(start.elapsed().as_secs_f64() < 5.0 + 2.0, "{:?}", start.elapsed());
    assert!(document["paths"]["completed"].as_u64().unwrap() > 100, "{document}");
    assert!(tests(folder.path()) < 20, "{}", tests(folder.path()));
}

/// What a native run cannot show is not confirmed, and never "a bug in Taw"; what it can show is confirmed.
#[test]
fn true_errors_that_sanitizers_miss_are_not_called_divergences() {
    let unaligned =
        "#include <stdlib.h>\nint main(void) { char *x = malloc(8); *(int *)(x + 5) = 1; free(x); return 0; }\n";
    let library = "#include <stdlib.h>\nint main(void) { char *s = malloc(2); s[0] = s[1] = '1';\n\
                   \x20 unsigned long v = strtoul(s + 2, 0, 16); free(s); return v == 77; }\n";
    let leak = "#include <stdlib.h>\nstatic void *held;\nint main(void) { held = malloc(10); held = 0; return 0; }\n";
    let address = "#include <taw.h>\nint g[2];\nint main(void) { int *p; taw_symbolic(&p, sizeof p, \"p\");\n\
                   \x20 if (p == &g[1]) return p[1]; return 0; }\n";
    for program in [unaligned, library, leak, address] {
        let folder = folder(program);
        let document = document(folder.path(), "run p.c --check leak");
        assert_eq!(document["findings"].as_array().unwrap().len(), 1, "{document}");
        assert_ne!(document["findings"][0]["confirmed"], "diverged", "{document}");
    }
    let making =
        "#include <stdlib.h>\n#include <taw.h>\nint main(void) { char *s = malloc(4); taw_symbolic(s, 8, \"s\"); }\n";
    let own_open = "#include <stdlib.h>\n#include <taw.h>\nint open(const char *path, int flags, ...) { return taw_int(\"fd\"); }\n\
                    int main(void) { if (open(\"x\", 0) == 7) abort(); return 0; }\n";
    for program in [making, own_open] {
        let folder = folder(program);
        let document = document(folder.path(), "run p.c");
        assert_eq!(document["findings"][0]["confirmed"], "confirmed", "{document}");
    }
}

#[test]
fn preprocessed_files_make_no_words() {
    let folder = folder("");
    fs::write(folder.path().join("p.i"), "int main(void) { return 0; }\n").unwrap();
    let output = taw(folder.path(), "run p.i --no-replay");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{output:?}");
}

/// The test of a place that was reached covers all that lies before it, also where the path was split off from another.
#[test]
fn a_test_that_reaches_a_place_covers_the_way_to_it() {
    let folder = folder(
        "#include <taw.h>\nint main(void) {\n  int x = taw_int(\"x\");\n  int y = 1;\n  if (x > 100) {\n    y += 2;\n\
         \x20   if (x * 3 == 333)\n      taw_target(\"t\");\n  }\n  return y;\n}\n",
    );
    let reached = document(folder.path(), "reach p.c --target label:t");
    assert_eq!(reached["targets"][0]["confirmed"], true, "{reached}");
    let lcov = fs::read_to_string(folder.path().join("o/coverage.lcov")).unwrap();
    let covered: Vec<&str> = lcov.lines().filter_map(|line| line.strip_prefix("DA:")?.strip_suffix(",1")).collect();
    assert_eq!(covered, ["3", "4", "5", "6", "7", "8"], "{lcov}");
}

#[test]
fn a_harness_that_never_gets_to_its_code_decides_nothing() {
    let source = "#include <stddef.h>\n#include <stdint.h>\nstatic int parse(const uint8_t *d) { return d[20]; }\n\
                  int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { return n < 21 ? 0 : parse(d); }\n";
    let (place, words) = (folder(source), "run p.c --harness libfuzzer --out o");
    let output = taw(place.path(), words);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("no path gets from `LLVMFuzzerTestOneInput` to a function that it calls: `parse`"), "{said}");
    let output = taw(place.path(), &format!("{words} --max-len 24"));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn an_entry_that_calls_nothing_of_what_it_could_says_so() {
    let source = "#include <stdlib.h>\nstatic int parse(char *s) { return s[0]; }\n\
                  int main(int argc, char **argv) { return argc < 2 ? 1 : parse(argv[1]); }\n";
    let place = folder(source);
    let output = taw(place.path(), "run p.c --out o");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(0) && said.contains("no path gets from `main`"), "{said}");
    let output = taw(place.path(), "run p.c --out o --sym-args 1 1 2");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("no path gets from"));
}
