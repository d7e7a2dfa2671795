//! `taw solve`: answers, models, exit codes, mistakes.

use std::io::Write;
use std::process::{Command, Stdio};

/// The exit code and what was printed.
fn solve(script: &str, flags: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taw"));
    command.args(["solve", "-"]).args(flags);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn answers_have_their_words_and_exit_codes() {
    let (code, out, _) = solve("(declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x31)) (check-sat)", &[]);
    assert_eq!(code, 10, "{out}");
    assert!(out.starts_with("sat\n(\n  (define-fun x () (_ BitVec 8) #x"), "{out}");
    let (code, out, _) = solve("(declare-const x (_ BitVec 8)) (assert (bvult x #x00)) (check-sat)", &["--validate"]);
    assert_eq!((code, out.as_str()), (20, "unsat\n"));
    let (code, out, _) = solve("(declare-const r Real) (assert (> r 0.0)) (check-sat)", &[]);
    assert_eq!(code, 0);
    assert!(out.starts_with("unknown\n; -:1:18: ") && out.contains("`Real` is not supported"), "{out}");
    let (code, _, err) = solve("(assert (= x x))", &[]);
    assert_eq!(code, 2);
    assert!(err.contains("-:1:12: `x` is not declared"), "{err}");
}

#[test]
fn the_walk_answers_floats_and_says_so() {
    let script = "(declare-const x Float64) (declare-const y Float64)
        (assert (fp.eq (fp.mul RNE x y) ((_ to_fp 11 53) RNE 7.5))) (assert (fp.lt x (fp.neg y))) (check-sat)";
    let (code, out, _) = solve(script, &["--stats", "--validate"]);
    assert_eq!(code, 10, "{out}");
    let walk = out.lines().find(|line| line.starts_with("; walk")).unwrap_or_default();
    assert!(walk.contains("answered 1") && walk.contains("conditions evaluated"), "{out}");
    assert_eq!(solve(script, &["--seed", "3"]), solve(script, &["--seed", "3"]));
}

/// What `--dump-queries` writes can be answered, functions of libm included.
#[test]
fn dumped_queries_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <math.h>\n#include <taw.h>\nint main(void) {\n  double x = taw_double(\"x\");\n  if (sin(x) == 0.25) return 1;\n  return 0;\n}\n";
    std::fs::write(folder.path().join("p.c"), source).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_taw"))
        .args(["run", "p.c", "--dump-queries", "q", "--no-replay"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let script = std::fs::read_to_string(folder.path().join("q/query-000001.smt2")).unwrap();
    assert!(script.contains("?f!sin!64!64"), "{script}");
    let (code, out, _) = solve(&script, &[]);
    assert_eq!(code, 10, "{out}\n{script}");
}

/// Equal arrays are equal wherever they are read, different ones differ somewhere.
#[test]
fn arrays_may_be_equal() {
    let sort = "(Array (_ BitVec 8) (_ BitVec 8))";
    let ask = |assertions: &str| {
        let declared = format!("(declare-const a {sort})(declare-const b {sort})(declare-const i (_ BitVec 8))");
        solve(&format!("(set-logic QF_ABV){declared}{assertions}(check-sat)"), &[]).0
    };
    let (sat, unsat, unknown) = (10, 20, 0);
    assert_eq!(ask("(assert (= a b)) (assert (not (= (select a #x01) (select b #x02))))"), sat);
    assert_eq!(ask("(assert (= a b)) (assert (not (= (select a i) (select b i))))"), unsat);
    let alike = "(assert (= (store a i #x07) (store b i #x07))) (assert (not (= a b)))";
    assert_eq!(ask(alike), sat);
    assert_eq!(ask(&format!("{alike} (assert (= (select a i) (select b i)))")), unsat);
    assert_eq!(ask("(assert (= a (store a i #x05))) (assert (not (= (select a i) #x05)))"), unsat);
    assert_eq!(ask(&format!("(assert (= a ((as const {sort}) #x00)))")), unknown);
}
