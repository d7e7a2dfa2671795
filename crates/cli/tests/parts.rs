//! Parts of programs: what holds where they start, what stands in for what is elsewhere, as the native run sees it.

mod common;

use std::fs;

use common::{folder, said, taw};

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
