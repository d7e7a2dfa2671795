//! What callers keep to: options that findings propose, and tests that rest on them.

mod common;

use std::path::Path;

use serde_json::Value;

use common::{document, folder, said, taw};

/// The options that the findings of a run propose, each once.
fn proposed(document: &Value) -> Vec<String> {
    let findings = document["findings"].as_array().unwrap();
    let mut all: Vec<String> =
        findings.iter().filter_map(|finding| Some(finding["caller"]["propose"].as_str()?.to_owned())).collect();
    all.dedup();
    all
}

fn run(folder: &Path, words: &str) -> Value {
    document(folder, &format!("run p.c --entry f --out o --keep all {words}"))
}

/// Proposal and option are spelled the same: a run that is told what it has proposed is quiet.
#[test]
fn what_is_proposed_can_be_said_as_it_stands() {
    let programs = [
        (
            "int f(const int *data, int len) {\n  int s = 0;\n  if (!data) return 0;\n  for (int i = 0; i < len; i++) s += data[i];\n\
          \x20 return s;\n}\n",
            "--array data=len",
        ),
        (
            "struct buf { short *at; unsigned n; };\nint f(struct buf *b) {\n  int s = 0;\n  if (!b || !b->at) return 0;\n\
          \x20 for (unsigned i = 0; i < b->n; i++) s += b->at[i];\n  return s;\n}\n",
            "--array buf.at=buf.n",
        ),
        (
            "typedef struct { long *at; unsigned char n; } vec;\nint f(vec *v) {\n  int s = 0;\n  if (!v || !v->at) return 0;\n\
          \x20 for (int i = 0; i < v->n; i++) s += v->at[i] > 0;\n  return s;\n}\n",
            "--array vec.at=vec.n",
        ),
        (
            "struct row { unsigned n; int at[]; };\nint f(struct row *r) {\n  int s = 0;\n  if (!r) return 0;\n\
          \x20 for (unsigned i = 0; i < r->n; i++) s += r->at[i];\n  return s;\n}\n",
            "--array row.at=row.n",
        ),
    ];
    for (program, option) in programs {
        let folder = folder(program);
        assert_eq!(proposed(&run(folder.path(), "")), [option], "{program}");
        let quiet = run(folder.path(), option);
        assert_eq!(quiet["findings"].as_array().map(Vec::len), Some(0), "{program}: {quiet}");
    }
}

/// Arrays without elements, too, are in tests, and natively as they are there.
#[test]
fn tests_of_tied_arrays_replay() {
    let program = "#include <stdlib.h>\nstruct v { int n; long *at; };\n\
        long f(struct v *v, char *p, unsigned n) {\n  long s = 0;\n  if (!v) return 0;\n\
        \x20 for (int i = 0; i < v->n; i++) v->at[i] = s += v->at[i] > 3;\n  if (n < 3) free(p);\n\
        \x20 return s + (v->n == 0 && v->at);\n}\n";
    let folder = folder(program);
    let found = run(folder.path(), "--array v.at=v.n --array p=n --max-array 2 --alias none --emit ctest");
    assert_eq!(found["findings"].as_array().map(Vec::len), Some(0), "{found}");
    let replayed = taw(folder.path(), "replay o");
    let words = said(&replayed);
    assert_eq!(replayed.status.code(), Some(0), "{words}");
    let text = std::fs::read_to_string(folder.path().join("o/ctest/calls_0.c")).unwrap();
    assert!(text.contains("v_at[1] = {0};") && text.contains("v_at + 1") && text.contains("malloc(0)"), "{text}");
}

/// What is said holds for `taw reach` as well, and is named with the verdict.
#[test]
fn verdicts_name_what_they_rest_on() {
    let program = "#include <taw.h>\nstruct s { unsigned at, end; };\nint s_ok(const struct s *s) { return s->at < s->end; }\n\
        int f(const int *d, unsigned n, const char *t, struct s *s) {\n  if (n && !d) taw_target(\"array\");\n\
        \x20 if (t && t[0] && !t[1]) taw_target(\"string\");\n  if (s && s->at >= s->end) taw_target(\"invariant\");\n  return 0;\n}\n";
    let folder = folder(program);
    let words = "reach p.c --entry f --array d=n --string t --invariant s=s_ok --alias none --out o";
    let targets = " --target label:array --target label:string --target label:invariant";
    let found = document(folder.path(), &format!("{words}{targets}"));
    let verdicts: Vec<&str> =
        found["targets"].as_array().unwrap().iter().map(|target| target["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["unreachable", "reached", "unreachable"], "{found}");
    let rests_on = found["targets"][0]["rests_on"].to_string();
    for premise in
        ["`d` leads to exactly `n` elements where `f` starts", "`t` is null or text", "`s_ok` holds of every `s`"]
    {
        assert!(rests_on.contains(premise), "{found}");
    }
}
