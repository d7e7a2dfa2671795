//! The command as a user meets it: what is wrong is named with the way out, exit code 2, and never a panic.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What a command said.
struct Said {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn taw(folder: &Path, words: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_taw")).args(words).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Said { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A folder with `good.c`, which does nothing.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("good.c"), "int main(void) { return 0; }\n").unwrap();
    folder
}

/// The command must fail with exit code 2, and say each of `parts`, without a panic and without colours.
fn refused(folder: &Path, words: &[&str], parts: &[&str]) {
    let said = taw(folder, words);
    assert_eq!(said.code, Some(2), "{words:?}: {}{}", said.stdout, said.stderr);
    for part in parts {
        assert!(said.stderr.contains(part), "{words:?}: {part:?} is missing in: {}", said.stderr);
    }
    assert!(!said.stderr.contains("defect of Taw") && !said.stderr.contains('\x1b'), "{words:?}: {}", said.stderr);
}

#[test]
fn wrong_usage_is_named_with_the_way_out() {
    let folder = folder();
    let here = folder.path();
    refused(here, &[], &["Usage: taw <COMMAND>"]);
    refused(here, &["run"], &["<FILE>"]);
    refused(here, &["run", "good.c", "--serach", "DFS"], &["--serach", "--search"]);
    refused(here, &["run", "good.c", "--search", "rqndom-state"], &["`rqndom-state`", "did you mean `random-state`"]);
    refused(here, &["run", "good.c", "--max-time", "3 weeks"], &["3 weeks", "30s"]);
    refused(here, &["run", "good.c", "--check", "everything"], &["everything", "overflow"]);
}

#[test]
fn files_that_cannot_be_loaded_are_named() {
    let folder = folder();
    let here = folder.path();
    fs::write(here.join("bad.c"), "int main(void) { return x; }\n").unwrap();
    fs::write(here.join("corrupt.bc"), b"BC\xC0\xDE and then nonsense").unwrap();
    fs::write(here.join("text.bc"), "hello").unwrap();
    refused(here, &["run", "missing.c"], &["`missing.c`", "No such file"]);
    refused(here, &["run", "bad.c"], &["bad.c:1:25: error: use of undeclared identifier 'x'"]);
    refused(here, &["run", "corrupt.bc"], &["corrupt.bc"]);
    refused(here, &["run", "text.bc"], &["text.bc", "bitcode"]);
    refused(here, &["run", "good.c", "good.c"], &["good.c", "main"]);
    refused(here, &["run", "good.c", "--replay-path", "none.json"], &["none.json"]);
    let left: Vec<_> = fs::read_dir(here).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "a run that did not begin leaves nothing: {left:?}");
}

#[test]
fn an_output_directory_that_is_not_taws_is_left_alone() {
    let folder = folder();
    refused(folder.path(), &["run", "good.c", "--out", "."], &["not written by Taw", "--out"]);
    assert!(folder.path().join("good.c").is_file());
}

#[test]
fn every_strategy_is_listed() {
    let said = taw(folder().path(), &["strategies"]);
    assert_eq!(said.code, Some(0));
    for def in taw_search::STRATEGIES {
        assert!(said.stdout.contains(def.name) && said.stdout.contains(def.help), "{}", said.stdout);
    }
    for def in taw_search::COMBINATORS {
        assert!(said.stdout.contains(def.usage) && said.stdout.contains(def.help), "{}", said.stdout);
    }
}

#[test]
fn manual_and_completions_know_every_command() {
    let folder = folder();
    assert_eq!(taw(folder.path(), &["man", "pages"]).code, Some(0));
    let page = fs::read_to_string(folder.path().join("pages/taw-run.1")).unwrap();
    assert!(page.contains("max\\-time"), "{page}");
    for shell in ["bash", "zsh", "fish"] {
        assert!(taw(folder.path(), &["completions", shell]).stdout.contains("doctor"), "{shell}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_taw"))
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(said, "");
}
