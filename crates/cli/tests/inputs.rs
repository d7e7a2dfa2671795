//! Symbolic arguments and their like, from the command line to the native program and back.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use common::{document, explored, folder, said, taw};

/// Five ends, told by the exit code.
const PROGRAM: &str = "\
int main(int argc, char **argv) {
  if (argc < 2) return 0;
  if (argv[1][0] != '-') return 1;
  if (argv[1][1] == 'x') return 2;
  if (argv[1][1] == '\\'') return 3;
  return 4;
}
";

fn replayed(folder: &Path, words: &str) -> Value {
    document(folder, &format!("replay o {words}"))
}

/// The tests of `o`: path and content, by exit code.
fn tests(folder: &Path) -> Vec<(PathBuf, Value)> {
    let entries = fs::read_dir(folder.join("o/tests")).unwrap().map(|entry| entry.unwrap().path());
    let mut tests: Vec<(PathBuf, Value)> =
        entries.map(|path| (path.clone(), serde_json::from_slice(&fs::read(path).unwrap()).unwrap())).collect();
    tests.sort_by_key(|(path, test)| (test["outcome"]["code"].as_i64(), path.clone()));
    tests
}

fn codes(folder: &Path) -> Vec<i64> {
    tests(folder).iter().filter_map(|(_, test)| test["outcome"]["code"].as_i64()).collect()
}

fn clang(folder: &Path, words: &str) {
    let output = Command::new("clang-22").args(words.split_whitespace()).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn every_end_is_found_and_confirmed_natively() {
    let folder = explored(PROGRAM, "--sym-args 0 1 2 --replay-tests");
    assert_eq!(codes(folder.path()), [0, 1, 2, 3, 4]);
    let report = replayed(folder.path(), "");
    assert_eq!((report["same"].as_u64(), report["not_confirmed"].as_u64()), (Some(5), Some(0)), "{report}");
    let again = taw(folder.path(), "run p.c --out q --sym-args 0 1 2 --replay-tests");
    assert!(said(&again).contains("replayed  5 same"), "{}", said(&again));
}

#[test]
fn a_program_of_the_users_is_run_as_it_is() {
    let folder = explored(PROGRAM, "--sym-args 0 1 2");
    clang(folder.path(), "p.c -o own");
    assert_eq!(replayed(folder.path(), "--program own")["same"], 5);
    let other = PROGRAM.replace("return 3", "return 77");
    fs::write(folder.path().join("other.c"), other).unwrap();
    clang(folder.path(), "other.c -o other");
    let report = replayed(folder.path(), "--program other");
    assert_eq!((report["same"].as_u64(), report["diverged"].as_u64()), (Some(4), Some(1)), "{report}");
}

/// What `taw show` gives to paste does what the test says.
#[test]
fn the_shown_command_line_repeats_the_test() {
    let folder = explored(PROGRAM, "--sym-args 0 1 2 --env X=it's");
    clang(folder.path(), "p.c -o program");
    let cases = tests(folder.path());
    assert_eq!(cases.len(), 5);
    for (path, test) in cases {
        let output = taw(folder.path(), &format!("show {}", path.display()));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find_map(|line| line.split_once("by hand:")).unwrap_or_else(|| panic!("{text}")).1;
        let ended = Command::new("bash").args(["-c", line]).current_dir(folder.path()).output().unwrap();
        assert_eq!(ended.status.code().map(i64::from), test["outcome"]["code"].as_i64(), "{line}");
    }
}

#[test]
fn a_path_is_walked_again() {
    let words = "--sym-args 0 2 2 --sym-arg 1";
    let folder = explored(PROGRAM, words);
    for (path, test) in tests(folder.path()) {
        let output = taw(folder.path(), &format!("run p.c --out q {words} --replay-path {}", path.display()));
        assert!(said(&output).contains("only the recorded path was executed"), "{}", said(&output));
        let again = fs::read_dir(folder.path().join("q/tests")).unwrap().next().unwrap().unwrap().path();
        let again: Value = serde_json::from_slice(&fs::read(again).unwrap()).unwrap();
        assert_eq!(again["given"], test["given"]);
        let stepped = taw(folder.path(), &format!("show --path {}", path.display()));
        assert!(said(&stepped).contains("if (argc < 2)") && !said(&stepped).contains("diverged"), "{}", said(&stepped));
    }
}

#[test]
fn values_that_are_settled_one_by_one_are_walked_again() {
    let program = "#include <stdlib.h>\n#include <taw.h>\nint main(void) {\n  void *p[4];\n  unsigned n = taw_u32(\"n\");\n\
                     taw_assume(n < 4);\n  for (int i = 0; i < 4; i++) p[i] = malloc(4);\n  free(p[n]);\n  return 0;\n}\n";
    let folder = explored(program, "");
    assert_eq!(tests(folder.path()).len(), 4);
    for (path, _) in tests(folder.path()) {
        let output = taw(folder.path(), &format!("run p.c --out q --replay-path {}", path.display()));
        assert!(said(&output).contains("only the recorded path was executed"), "{}", said(&output));
    }
}

#[test]
fn calls_and_accesses_through_chosen_pointers_are_walked_again() {
    let program = "#include <taw.h>\nstatic int a(void) { return 1; }\nstatic int b(void) { return 2; }\n\
                   static int c(void) { return 3; }\nint (*const calls[])(void) = {a, b, c};\nint x = 4, y = 5, z = 6;\n\
                   int *const things[] = {&x, &y, &z};\nint main(void) {\n  unsigned n = taw_u32(\"n\");\n\
                   unsigned m = taw_u32(\"m\");\n  taw_assume(n < 3 && m < 3);\n  return calls[n]() + *things[m];\n}\n";
    let folder = explored(program, "");
    let walk = |path: &Path| taw(folder.path(), &format!("run p.c --out q --replay-path {}", path.display()));
    assert_eq!(tests(folder.path()).len(), 9);
    for (path, _) in tests(folder.path()) {
        let output = walk(&path);
        assert!(said(&output).contains("only the recorded path was executed"), "{}", said(&output));
    }
    // A path that the program does not have any more is not walked, and nothing is concluded.
    fs::write(folder.path().join("p.c"), program.replace("n < 3", "n > 4")).unwrap();
    for (path, _) in tests(folder.path()) {
        let output = walk(&path);
        assert!(said(&output).contains("the path diverged from the recorded one"), "{}", said(&output));
        assert!(!said(&output).contains("only the recorded path"), "{}", said(&output));
    }
}

#[test]
fn seeds_are_executed_first() {
    let folder = folder(PROGRAM);
    let first = |words: &str| {
        let output = taw(folder.path(), &format!("run p.c --out o --max-paths 1 --sym-arg 2 {words}"));
        assert!(matches!(output.status.code(), Some(0)), "{}", said(&output));
        codes(folder.path())
    };
    fs::write(folder.path().join("raw"), "-x").unwrap();
    assert_eq!(first("--seeds raw --emit ktest"), [2]);
    let ktest = fs::read_dir(folder.path().join("o/ktest")).unwrap().next().unwrap().unwrap().path();
    fs::copy(&ktest, folder.path().join("seed.ktest")).unwrap();
    fs::copy(&tests(folder.path())[0].0, folder.path().join("seed.json")).unwrap();
    assert_eq!(first("--seeds seed.ktest"), [2]);
    assert_eq!(first("--seeds seed.json"), [2]);
    assert_ne!(first(""), [2], "or this shows nothing");
    fs::write(folder.path().join("raw"), "-x-").unwrap();
    let long = taw(folder.path(), "run p.c --sym-arg 2 --seeds raw");
    assert!(
        long.status.code() == Some(2) && said(&long).contains("it has 3 bytes, and `arg1` has 2"),
        "{}",
        said(&long)
    );
}

#[test]
fn other_formats_say_what_they_can() {
    let folder = folder(PROGRAM);
    let output = taw(folder.path(), "run p.c --out o --sym-args 0 1 2 --emit testcomp,corpus,ctest,ktest");
    for unfit in ["nothing was written as `testcomp`", "nothing was written as `corpus`"] {
        assert!(said(&output).contains(unfit), "{}", said(&output));
    }
    let ktests: Vec<Vec<u8>> = fs::read_dir(folder.path().join("o/ktest"))
        .unwrap()
        .map(|entry| fs::read(entry.unwrap().path()).unwrap())
        .collect();
    assert!(ktests.iter().any(|file| file.windows(5).any(|name| name == b"arg00")));
    let suite = folder.path().join("o/ctest");
    clang(&suite, "-g -fsanitize=address -w -I. ../../p.c replay.c -o program");
    clang(&suite, "-Wall -Wextra -Werror suite.c -o suite");
    let ended = Command::new("./suite").arg("./program").current_dir(&suite).output().unwrap();
    assert!(ended.status.success() && said(&ended).contains("5 tests, 0 failed"), "{}", said(&ended));
}

/// Copies its input, and ends by what is in it.
const COPY: &str = "\
#include <stdio.h>
int main(int argc, char **argv) {
  FILE *file = fopen(argv[argc - 1], \"r\");
  int a = getchar(), b = file ? getc(file) : EOF;
  printf(\"%c\", a), fprintf(stderr, \"%c\", b);
  if (a == 'a') return 1;
  if (b == 'b') return 2;
  return 0;
}
";

#[test]
fn streams_and_files_are_the_same_natively_by_hand_and_in_a_suite() {
    let folder = explored(COPY, "--sym-stdin 1 --sym-file d/f=1 --emit ctest,corpus -- d/f");
    assert_eq!(codes(folder.path()), [0, 1, 2]);
    clang(folder.path(), "-w p.c -o program");
    for words in ["", "--program program"] {
        assert_eq!(replayed(folder.path(), words)["same"], 3);
    }
    for (path, test) in tests(folder.path()) {
        let shown = taw(folder.path(), &format!("show {}", path.display()));
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        let (_, script) = text.split_once("by hand:").unwrap();
        let (script, _) = script.split_once("natively:").unwrap();
        let ended = Command::new("bash").args(["-c", script]).current_dir(folder.path()).output().unwrap();
        assert_eq!(ended.status.code().map(i64::from), test["outcome"]["code"].as_i64(), "{script}");
    }
    let suite = folder.path().join("o/ctest");
    clang(&suite, "-g -fsanitize=address -w -I. ../../p.c replay.c -o program");
    clang(&suite, "suite.c -o suite");
    let ended = Command::new("./suite").arg("./program").current_dir(&suite).output().unwrap();
    assert!(ended.status.success() && said(&ended).contains("3 tests, 0 failed"), "{}", said(&ended));
}

#[test]
fn one_stream_is_a_corpus_and_raw_files_are_its_seeds() {
    let folder = folder(
        "#include <stdio.h>\nint main(void) { if (getchar() == 'a' && getchar() == 'b') return 1; return 0; }\n",
    );
    let run = |words: &str| {
        let output = taw(folder.path(), &format!("run p.c --sym-stdin 2 --keep all --out o {words}"));
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    };
    run("--emit corpus");
    let corpus = fs::read_dir(folder.path().join("o/corpus")).unwrap().map(|entry| fs::read(entry.unwrap().path()));
    assert!(corpus.map(Result::unwrap).any(|bytes| bytes == b"ab"));
    fs::write(folder.path().join("seed"), "ab").unwrap();
    run("--max-paths 1 --seeds seed");
    assert_eq!(codes(folder.path()), [1]);
}

#[test]
fn what_only_the_modelled_system_does_is_not_asked_of_the_native_one() {
    let program = "#include <unistd.h>\nint main(void) { return write(1, \"x\", 1) != 1; }\n";
    let folder = explored(program, "--fail-syscalls 1 --no-replay");
    let report = replayed(folder.path(), "");
    assert_eq!((&report["diverged"], &report["same"]), (&Value::from(0), &Value::from(1)), "{report}");
    let why: Vec<&str> = report["tests"].as_array().unwrap().iter().filter_map(|test| test["why"].as_str()).collect();
    assert!(why.iter().any(|why| why.contains("a failing system call (write)")), "{why:?}");
}

/// A client that is answered: its exit code is what it heard; without an answer it is 9.
const CLIENT: &str = "\
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = \"s\"};
  unsigned char heard;
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (argc > 1 && argv[1][0] == 'q') return 8;
  if (connect(fd, (struct sockaddr *)&at, sizeof at) || read(fd, &heard, 1) != 1) return 9;
  if (heard == 'a') return 1;
  return 2;
}
";

/// Whoever did not talk to the peer is the same natively; of the others replay says why it cannot tell.
#[test]
fn a_peer_is_not_asked_of_the_native_run() {
    let folder = explored(CLIENT, "--sym-peer unix:s=1 --sym-arg 1 --no-replay");
    assert_eq!(codes(folder.path()), [1, 2, 8]);
    let heard = |test: &Value| test["inputs"].as_array().unwrap().iter().any(|input| input["name"] == "peer:unix:s");
    assert!(tests(folder.path()).iter().all(|(_, test)| heard(test)));
    let report = replayed(folder.path(), "");
    let counts = ["same", "not_confirmed", "diverged"].map(|verdict| report[verdict].as_u64().unwrap());
    assert_eq!(counts, [1, 2, 0], "{report}");
    let why: Vec<&str> = report["tests"].as_array().unwrap().iter().filter_map(|test| test["why"].as_str()).collect();
    assert!(why.iter().any(|why| why.contains("the peer at `unix:s` talking to the program")), "{why:?}");
    let nobody = explored(CLIENT, "--peer unix:s=p.c --peer unix:t=p.c");
    assert_eq!(codes(nobody.path()), [2], "the file begins with #");
    assert_eq!(codes(explored(CLIENT, "--peer unix:t=p.c").path()), [9]);
}

/// Without sanitizers, a crash confirms what it can, and says what it cannot.
#[test]
fn a_crash_that_nobody_watched_is_confirmed_in_honest_words() {
    let crash = "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x' ? *(volatile int *)0 : 0; }\n";
    let folder = explored(crash, "--sym-arg 1 --no-replay");
    clang(folder.path(), "p.c -o own");
    let report = replayed(folder.path(), "--program own");
    let why: Vec<&str> = report["tests"].as_array().unwrap().iter().filter_map(|test| test["why"].as_str()).collect();
    assert_eq!(report["same"], 2, "{report}");
    assert!(why.iter().any(|why| why.contains("signal 11; without a sanitizer its place is not known")), "{why:?}");
    let silent =
        "int main(int argc, char **argv) { char b[2]; volatile int i = argv[1][0]; b[i & 3] = 1; return argc > 9; }\n";
    let folder = explored(silent, "--sym-arg 1 --no-replay");
    clang(folder.path(), "p.c -o own");
    let report = replayed(folder.path(), "--program own");
    assert_eq!(report["diverged"], 0, "{report}");
    let wrong = report["tests"].as_array().unwrap().iter().find(|test| test["verdict"] == "not confirmed").unwrap();
    assert!(wrong["why"].as_str().unwrap().contains("without sanitizers need not show"), "{wrong}");
}

#[test]
fn the_library_counts_only_when_asked() {
    let program = "#include <stdlib.h>\nint main(int argc, char **argv) { return argc > 1 && atoi(argv[1]) == 7; }\n";
    let folder = folder(program);
    let kept = |words: &str| {
        let output = taw(folder.path(), &format!("run p.c --out o --sym-arg 2 {words}"));
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        tests(folder.path()).len()
    };
    let (without, with) = (kept(""), kept("--cover-libc"));
    assert!(without < with, "{without} tests cover the program, {with} the library too");
}

#[test]
fn help_names_every_option_for_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let help = said(&taw(folder.path(), "run --help"));
    for option in [
        "--sym-arg ",
        "--sym-args",
        "--sym-stdin",
        "--stdin",
        "--sym-file ",
        "--sym-files",
        "--file",
        "--sym-env",
        "--env",
        "--peer",
        "--sym-peer",
        "--host-file",
        "--host-dir",
        "--fail-syscalls",
        "--sym-time",
        "--argv0",
        "@syms:MIN:MAX:LEN",
    ] {
        assert!(help.contains(option), "{option} is not in\n{help}");
    }
}
