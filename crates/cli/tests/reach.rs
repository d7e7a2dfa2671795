//! `taw reach` as a user meets it: every kind of target, every format of files, verdicts, exit codes, the document.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Line 6 needs a certain x, line 9 is unreachable, line 12 fails for some i.
const PROGRAM: &str = r#"#include <taw.h>
int inner(int x) {

  x = x * 3;
  if (x == 111)
    taw_target("deep");
  if (x > 10)
    if (x < 5)
      taw_target("never");
  int a[4] = {0};
  unsigned i = taw_uint("i");
  return i < 6 ? a[i] : 0;
}
int unused(void) { return 1; }
int main(void) {
  return inner(taw_int("x"));
}
"#;

struct TestFolder {
    folder: TempDir,
}

struct Ended {
    code: i32,
    stdout: String,
    stderr: String,
}

impl TestFolder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("prog.c"), PROGRAM).unwrap();
        TestFolder { folder }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.folder.path().join(name)).unwrap()).unwrap()
    }

    fn taw_with(&self, words: &[&str], input: &str) -> Ended {
        let mut child = Command::new(env!("CARGO_BIN_EXE_taw"))
            .args(words)
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ended { code: output.status.code().unwrap(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    fn reach(&self, words: &[&str]) -> Ended {
        let words: Vec<&str> = ["reach", "prog.c", "--out", "out"].iter().chain(words).copied().collect();
        self.taw_with(&words, "")
    }

    /// Exit code, and target and verdict of each row.
    fn verdicts(&self, words: &[&str]) -> (i32, Vec<String>) {
        let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
        let ended = self.reach(&words);
        let document: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}: {}", ended.stderr));
        let row = |row: &Value| format!("{} {}", row["target"].as_str().unwrap(), row["verdict"].as_str().unwrap());
        (ended.code, document["targets"].as_array().unwrap().iter().map(row).collect())
    }
}

#[test]
fn exit_codes_tell_reached_unreachable_unknown_and_wrong() {
    let place = TestFolder::new();
    assert_eq!(place.verdicts(&["--target", "label:deep"]), (0, vec!["label:deep reached".into()]));
    let (code, rows) = place.verdicts(&["--target", "prog.c:6", "--target", "prog.c:9", "--target", "unused"]);
    assert_eq!((code, rows.join(", ")), (1, "prog.c:6 reached, prog.c:9 unreachable, unused unreachable".to_owned()));
    let (code, rows) = place.verdicts(&["--target", "label:deep", "--max-depth", "0"]);
    assert_eq!((code, rows.join(", ")), (3, "label:deep unknown".to_owned()));
    assert_eq!(place.reach(&["--target", "nowhere.c:3"]).code, 2);
}

#[test]
fn all_labels_at_once() {
    let place = TestFolder::new();
    let (code, rows) = place.verdicts(&["--target", "label:*"]);
    assert_eq!((code, rows.join(", ")), (1, "label:deep reached, label:never unreachable".to_owned()));
}

#[test]
fn errors_are_reached_with_their_kind() {
    let place = TestFolder::new();
    let (code, rows) = place.verdicts(&[
        "--target",
        "prog.c:12!",
        "--target",
        "prog.c:12!out-of-bounds-read",
        "--target",
        "prog.c:12!leak",
    ]);
    let wanted = "prog.c:12! reached, prog.c:12!out-of-bounds-read reached, prog.c:12!leak unreachable";
    assert_eq!((code, rows.join(", ").as_str()), (1, wanted));
}

#[test]
fn a_line_without_code_moves_on_and_says_so() {
    let place = TestFolder::new();
    let ended = place.reach(&["--target", "prog.c:3"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("line 3 has no code; the next line with code is 4"), "{}", ended.stderr);
    assert!(ended.stdout.contains("reached prog.c:4"), "{}", ended.stdout);
}

#[test]
fn what_is_not_there_is_refused_with_suggestions() {
    let place = TestFolder::new();
    for (target, said) in [
        ("prg.c:3", "did you mean `prog.c`?"),
        ("inmer", "did you mean `inner`?"),
        ("label:dep", "did you mean `deep`?"),
        ("prog.c:12!leek", "did you mean `leak`?"),
        ("prog.c:99", "nearest lines with code are 16"),
        ("error-call:abort", "never calls `abort`"),
        ("a b", "is no target"),
    ] {
        let ended = place.reach(&["--target", target]);
        assert_eq!(ended.code, 2, "{target}");
        assert!(ended.stderr.contains(said), "{target}: {}", ended.stderr);
    }
    place.write("sub.c", "");
    fs::create_dir_all(place.folder.path().join("a")).unwrap();
    place.write("a/x.c", "int f(void) { return 1; }\n");
    place.write("x.c", "int f(void);\nint main(void) { return f(); }\n");
    let ended = place.taw_with(&["reach", "x.c", "a/x.c", "--target", "x.c:1", "--out", "o"], "");
    assert!(ended.code == 2 && ended.stderr.contains("is several files"), "{}", ended.stderr);
    assert_eq!(place.taw_with(&["reach", "x.c", "a/x.c", "--target", "a/x.c:1", "--out", "o"], "").code, 0);
}

#[test]
fn uncovered_lines_of_coverage_files() {
    let place = TestFolder::new();
    place.write("a.info", "TN:\nSF:prog.c\nDA:4,7\nDA:6,0\nDA:9,0\nend_of_record\nSF:other.c\nDA:1,0\nend_of_record\n");
    place.write("prog.c.gcov", "        -:    0:Source:prog.c\n        2:    4:  x = x * 3;\n    #####:    6:    taw_target(\"deep\");\n    #####:    9:      taw_target(\"never\");\n");
    for file in ["a.info", "prog.c.gcov"] {
        let (code, rows) = place.verdicts(&["--targets-from", file]);
        assert_eq!((code, rows.join(", ").as_str()), (1, "prog.c:6 reached, prog.c:9 unreachable"), "{file}");
    }
    let said = place.reach(&["--targets-from", "a.info"]).stderr;
    assert!(said.contains("left out 1 place that this program has no code for"), "{said}");
}

#[test]
fn changed_lines_of_a_diff() {
    let place = TestFolder::new();
    let diff = "--- a/prog.c\n+++ b/prog.c\n@@ -4,1 +4,3 @@ int inner\n   x = x * 3;\n+  if (x == 111)\n+    taw_target(\"deep\");\n--- a/README\n+++ b/README\n@@ -0,0 +1 @@\n+words\n";
    let ended = place.taw_with(&["reach", "prog.c", "--diff", "-", "--out", "out"], diff);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("reached prog.c:5") && ended.stdout.contains("reached prog.c:6"), "{}", ended.stdout);
    let ended = place.taw_with(&["reach", "prog.c", "--diff", "-", "--out", "out"], "");
    assert_eq!(ended.code, 0, "nothing to reach is no failure: {}", ended.stderr);
    assert!(ended.stderr.contains("none of what is asked for"), "{}", ended.stderr);
    let ended = place.taw_with(&["reach", "prog.c", "--diff", "-", "--out", "out"], "no diff\n");
    assert!(ended.code == 2 && ended.stderr.contains("no unified diff"), "{}", ended.stderr);
}

#[test]
fn results_of_a_sarif_log_get_their_verdicts_back() {
    let place = TestFolder::new();
    let result = |rule: &str, line: u32| {
        json!({ "ruleId": rule, "message": { "text": "m" }, "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": "prog.c" }, "region": { "startLine": line } } }] })
    };
    let results = json!([result("A1", 6), result("B2", 9), result("out-of-bounds-read", 12), result("C3", 400)]);
    let log = json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "lint" } }, "results": results }] });
    place.write("lint.sarif", &log.to_string());
    let (code, rows) = place.verdicts(&["--targets-from", "lint.sarif"]);
    let wanted = "prog.c:6 reached, prog.c:9 unreachable, prog.c:12!out-of-bounds-read reached";
    assert_eq!((code, rows.join(", ").as_str()), (1, wanted));
    let back = place.read("out/targets.sarif");
    let results = back["runs"][0]["results"].as_array().unwrap();
    let verdicts: Vec<_> = results.iter().map(|r| (&r["ruleId"], &r["properties"]["taw"]["verdict"])).collect();
    assert_eq!(
        json!(verdicts),
        json!([["A1", "reached"], ["B2", "unreachable"], ["out-of-bounds-read", "reached"], ["C3", "unknown"]])
    );
    let test = results[0]["properties"]["taw"]["test"].as_str().unwrap();
    assert!(place.folder.path().join("out").join(test).is_file());
}

#[test]
fn results_of_cppcheck_are_told_and_counted_by_rule() {
    let place = TestFolder::new();
    let error = |id: &str, line: u32| format!(r#"<error id="{id}"><location file="prog.c" line="{line}"/></error>"#);
    let errors = [
        error("zerodiv", 6),
        error("zerodiv", 9),
        error("<", 9).replace("<\"", "&lt;\""),
        "<error id=\"none\"/>".into(),
    ];
    let log = format!("<?xml version=\"1.0\"?><results><cppcheck/><errors>{}</errors></results>", errors.concat());
    place.write("log.xml", &log);
    let ended = place.reach(&["--targets-from", "log.xml"]);
    assert!(ended.stderr.contains("reached prog.c:6 (zerodiv)"), "{}", ended.stderr);
    let rows = ["by rule   2 zerodiv: 1 reached, 1 unreachable", "1 <: 1 unreachable", "1 none: 1 unknown"];
    assert!(rows.iter().all(|row| ended.stdout.contains(row)), "{}", ended.stdout);
    let document = place.read("out/targets.json");
    assert_eq!(document["targets"][1]["rules"], json!(["<", "zerodiv"]));
    assert_eq!(
        document["by_rule"][0],
        json!({"rule": "zerodiv", "results": 2, "reached": 1, "unreachable": 1, "unknown": 0})
    );
    place.write("log.xml", "<results><cppcheck/></a>");
    assert!(place.reach(&["--targets-from", "log.xml"]).stderr.contains("not the XML of cppcheck"));
}

#[test]
fn a_stack_trace_is_followed_from_the_outside_in() {
    let place = TestFolder::new();
    for (trace, verdict) in [
        ("#0  inner (x=37) at prog.c:6\n#1  main () at prog.c:16\n", "reached"),
        (
            "==1==ERROR: AddressSanitizer: x\n    #0 0x55 in inner /elsewhere/prog.c:6:5\n    #1 0x55 in main /p/prog.c:16:10\n    #2 0x7f in __libc_start_main\n",
            "reached",
        ),
        (
            "Error: e\nStack: \n\t#000000006 in inner(x=37) at prog.c:6\n\t#100000016 in main() at prog.c:16\n",
            "reached",
        ),
        ("#0  inner () at prog.c:4\n#1  inner () at prog.c:6\n", "unreachable"),
    ] {
        place.write("crash.txt", trace);
        let paths = if trace.contains("/elsewhere") {
            trace.replace("/elsewhere/", "").replace("/p/", "")
        } else {
            trace.into()
        };
        place.write("crash.txt", &paths);
        let (_, rows) = place.verdicts(&["--targets-from", "crash.txt"]);
        assert_eq!(rows.len(), 1, "{trace}");
        assert!(rows[0].ends_with(verdict), "{trace}: {rows:?}");
    }
}

#[test]
fn a_list_of_targets_and_what_is_wrong_in_it() {
    let place = TestFolder::new();
    place.write("list", "# mine\nlabel:deep\nunused\n");
    let (code, rows) = place.verdicts(&["--targets-from", "list"]);
    assert_eq!((code, rows.join(", ").as_str()), (1, "label:deep reached, unused unreachable"));
    place.write("list", "label:deep\nwhat is this\n");
    let ended = place.reach(&["--targets-from", "list"]);
    assert!(ended.code == 2 && ended.stderr.contains("line 2: `what is this` is no target"), "{}", ended.stderr);
}

#[test]
fn the_document_has_the_fields_of_its_interface() {
    let place = TestFolder::new();
    let ended = place.reach(&["--target", "label:deep", "--target", "prog.c:9", "--json", "--plot", "curve.svg"]);
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    for row in document["targets"].as_array().unwrap() {
        for key in ["target", "verdict", "test", "confirmed", "time_s", "reason", "closest"] {
            assert!(row.get(key).is_some(), "{key} is missing in {row}");
        }
    }
    let (reached, not) = (&document["targets"][0], &document["targets"][1]);
    assert_eq!((&reached["confirmed"], &reached["reason"]), (&json!(true), &Value::Null));
    assert!(place.folder.path().join("out").join(reached["test"].as_str().unwrap()).is_file());
    assert!(not["reason"].as_str().unwrap().contains("every path"));
    assert_eq!(not["closest"]["branch"]["text"], "x < 5");
    let conflict: Vec<&Value> = not["conflict"].as_array().unwrap().iter().map(|branch| &branch["line"]).collect();
    assert_eq!(conflict, [&json!(7), &json!(8)]);
    assert_eq!(
        (&document["reached"], &document["unreachable"], &document["unknown"]),
        (&json!(1), &json!(1), &json!(0))
    );
    assert_eq!(place.read("out/targets.json"), document);
    assert!(fs::read_to_string(place.folder.path().join("curve.svg")).unwrap().contains("<path"));
}

/// Conditions that have nothing to do with it stand around each contradiction.
const CONTRADICTIONS: &str = r#"#include <taw.h>
int main(void) {
  unsigned a = taw_u32("a"), x = taw_u32("x"), y = taw_u32("y");
  if (a > 7) if (y > a)
      if (x * x == 3)
        taw_target("alone");
  if (a < 3) if (y == 2)
      if (x > 10)
        if (x < 5)
          taw_target("two");
  if (y > x)
    if (a > 3)
      if (x > a)
        if (a > y)
          taw_target("three");
  return 0;
}
"#;

#[test]
fn a_contradiction_names_no_condition_too_many() {
    let place = TestFolder::new();
    place.write("prog.c", CONTRADICTIONS);
    let ended = place.reach(&["--target", "label:*", "--json"]);
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    for (row, expected) in document["targets"].as_array().unwrap().iter().zip([&[5][..], &[11, 13, 14], &[8, 9]]) {
        assert_eq!(row["verdict"], "unreachable", "{row}");
        let lines: Vec<u64> =
            row["conflict"].as_array().unwrap().iter().filter_map(|branch| branch["line"].as_u64()).collect();
        assert_eq!(lines, expected, "{row}");
    }
}

#[test]
fn a_test_that_reaches_can_be_replayed_and_shown() {
    let place = TestFolder::new();
    let ended = place.reach(&["--target", "label:deep", "--json"]);
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    let test = format!("out/{}", document["targets"][0]["test"].as_str().unwrap());
    let ended = place.taw_with(&["replay", &test], "");
    assert!(ended.code == 0 && ended.stdout.contains("same"), "{}{}", ended.stdout, ended.stderr);
    let ended = place.taw_with(&["show", &test], "");
    assert!(ended.stdout.contains("reaches label:deep") && ended.stdout.contains("x = 37"), "{}", ended.stdout);
}

#[test]
fn conditions_in_a_list_replayed_and_shown() {
    let place = TestFolder::new();
    place.write("list", "prog.c:5 if x == 9 then prog.c:7 if x == 9\nprog.c:12 if i > 6 && a[i & 3] != 0\n");
    let (code, rows) = place.verdicts(&["--targets-from", "list"]);
    let wanted = "prog.c:5 if x == 9 then prog.c:7 if x == 9 reached, prog.c:12 if i > 6 && a[i & 3] != 0 unreachable";
    assert_eq!((code, rows.join(", ").as_str()), (1, wanted));
    let test = place.read("out/targets.json")["targets"][0]["test"].as_str().unwrap().to_owned();
    let ended = place.taw_with(&["replay", "out"], "");
    assert!(ended.code == 0 && ended.stdout.contains("replayed  1 same"), "{}{}", ended.stdout, ended.stderr);
    let ended = place.taw_with(&["show", "--path", &format!("out/{test}")], "");
    assert!(
        ended.code == 0 && ended.stdout.contains("x = 9") && !ended.stdout.contains("--target"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_condition_is_asked_wherever_its_line_is_code_or_refused() {
    let place = TestFolder::new();
    place.write("part.c", "static int part(int x) {\n  return x + 1;\n}\nint USE(void) { return part(2); }\n");
    place.write(
        "whole.c",
        "#define USE other\n#include \"part.c\"\nint use(void);\nint main(void) { return use() + part(5); }\n",
    );
    let asked = ["--target", "part.c:2 if x == 5", "--cflag=-DUSE=use", "--cflag=-Wno-macro-redefined", "--out", "out"];
    let ended = place.taw_with(&[&["reach", "part.c", "whole.c"][..], &asked].concat(), "");
    assert!(ended.code == 2 && ended.stderr.contains("does another file include this one?"), "{}", ended.stderr);
    assert_eq!(place.taw_with(&["cc", "-g", "prog.c", "-o", "built"], "").code, 0);
    let ended = place.taw_with(&["reach", "built", "--target", "prog.c:5 if x == 9"], "");
    assert!(ended.code == 2 && ended.stderr.contains("give the C files"), "{}", ended.stderr);
    let ended = place.reach(&["--target", "prog.c:5 if x = 9"]);
    assert!(ended.code == 2 && ended.stderr.contains("a condition changes nothing"), "{}", ended.stderr);
    let ended = place.reach(&["--target", "prog.c:5 if x == yy"]);
    assert!(ended.stderr.ends_with("'yy'\n  x == yy\n       ^\n"), "{}", ended.stderr);
}

#[test]
fn what_no_native_run_shows_is_unknown() {
    let place = TestFolder::new();
    place.write(
        "prog.c",
        "#include <klee/klee.h>\n#include <taw.h>\nint main(void) {\n  int x = taw_int(\"x\");\n  if (klee_is_symbolic(x)) taw_target(\"l\");\n  return 0;\n}\n",
    );
    let ended = place.reach(&["--target", "label:l", "--json"]);
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    let row = &document["targets"][0];
    assert_eq!((ended.code, &row["verdict"], &row["confirmed"]), (3, &json!("unknown"), &json!(false)));
    assert!(row["reason"].as_str().unwrap().contains("the native run does not confirm it"), "{row}");
    let ended = place.reach(&["--target", "label:l", "--no-replay", "--json"]);
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    let row = &document["targets"][0];
    assert_eq!((ended.code, &row["verdict"], &row["confirmed"]), (0, &json!("reached"), &json!(false)));
}

/// AddressSanitizer does not see that an access leaves its object if it lands in another; that the run gets there is seen.
#[test]
fn an_error_that_no_native_run_shows_is_reached_if_one_gets_to_its_place() {
    let place = TestFolder::new();
    place.write(
        "prog.c",
        "#include <taw.h>\nstatic volatile char b[4096], a[4], c[4096];\nint main(void) {\n  unsigned i = taw_uint(\"i\");\n  if (i < 1000 || i > 1100) return b[1] + c[1];\n  return a[i];\n}\n",
    );
    let ended = place.reach(&["--target", "prog.c:6!", "--json"]);
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    let row = &document["targets"][0];
    assert_eq!((ended.code, &row["verdict"], &row["confirmed"]), (0, &json!("reached"), &json!(false)), "{row}");
    assert!(row["reason"].as_str().unwrap().contains("lands in another object"), "{row}");
    let ended = place.reach(&["--target", "prog.c:6!"]);
    assert!(ended.stdout.contains("gets there, but does not show the error: "), "{}", ended.stdout);
}

#[test]
fn strategies_are_measured() {
    let place = TestFolder::new();
    place.write("set", "# one program\nprog.c --target label:deep\n");
    let words = [
        "bench",
        "strategies",
        "set",
        "--search",
        "DFS",
        "--search",
        "B(RR(RP,SDSE))",
        "--seeds",
        "2",
        "--json",
        "--plot",
        "bees.svg",
    ];
    let ended = place.taw_with(&words, "");
    let cells: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}: {}", ended.stderr));
    assert_eq!(cells.as_array().unwrap().len(), 2);
    for cell in cells.as_array().unwrap() {
        assert_eq!((&cell["timeouts"], &cell["reached"]), (&json!(0), &json!(1)), "{cell}");
        assert_eq!(cell["times_s"].as_array().unwrap().len(), 2);
    }
    assert_eq!(fs::read_to_string(place.folder.path().join("bees.svg")).unwrap().matches("<circle").count(), 4);
    assert_eq!(place.taw_with(&["bench", "strategies", "set", "--search", "nonsense"], "").code, 2);
}

/// Three functions that nobody calls can be started, one cannot; the helper is only called by them.
const SEVERAL: &str = r#"#include <taw.h>
static int helper(int n) {
  if (n == 7) taw_target("seven");
  if (n == 8) taw_target("eight");
  return n;
}
void first(int x) { if (x > 5) helper(7); }
static int second(unsigned char c, double d) {
  if (c == 200 && d < -1.5) taw_target("second");
  return c;
}
void third(int *p) { *p = 1; taw_target("third"); }
void fourth(void) { taw_target("fourth"); }
struct pair { float a, b; };
void fifth(struct pair p) { if (p.a < p.b) taw_target("fifth"); }
int main(void) { taw_target("main"); return second(1, 2.0); }
"#;

#[test]
fn paths_start_at_every_function_that_is_named() {
    let place = TestFolder::new();
    place.write("several.c", SEVERAL);
    let run = |words: &[&str]| {
        let ended = place
            .taw_with(&[&["reach", "several.c", "--target", "label:*", "--json", "--out", "o"], words].concat(), "");
        let document: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}", ended.stderr));
        let rows = document["targets"].as_array().unwrap();
        let verdict = |row: &Value| {
            let (target, verdict) = (row["target"].as_str().unwrap(), row["verdict"].as_str().unwrap());
            assert_eq!(row["confirmed"], json!(verdict == "reached"), "{row}");
            format!("{} {verdict}", target.strip_prefix("label:").unwrap())
        };
        rows.iter().map(verdict).collect::<Vec<_>>()
    };
    let words = |words: &[&str]| run(words).join(", ");
    let expected = "eight unreachable, fifth reached, fourth reached, main reached, second unreachable, seven reached, third reached";
    assert_eq!(words(&["--entry", "*"]), expected);
    let expected = "eight unreachable, fifth unreachable, fourth reached, main unreachable, second reached, seven unreachable, third unreachable";
    assert_eq!(words(&["--entry", "second", "--entry", "fourth"]), expected);
    let replayed = place.taw_with(&["replay", "o"], "");
    assert!(replayed.stdout.contains("2 same"), "{}{}", replayed.stdout, replayed.stderr);
    let tests = fs::read_dir(place.folder.path().join("o/tests")).unwrap();
    let mut entries: Vec<String> = tests
        .map(|test| place.read(&format!("o/tests/{}", test.unwrap().file_name().display()))["entry"].to_string())
        .collect();
    entries.sort();
    assert_eq!(entries, ["\"fourth\"", "\"second\""]);
}
