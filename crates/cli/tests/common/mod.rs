//! What the tests of the command share: a program in a folder of its own, the command in it, and what it said.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own with a program in `p.c`.
pub fn folder(program: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.c"), program).unwrap();
    folder
}

/// `taw` with these words, in a folder. It has nothing to read.
pub fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taw"));
    command.args(words.split_whitespace()).current_dir(folder).stdin(Stdio::null());
    command
}

/// `taw` with these words, in a folder, run to its end.
pub fn taw(folder: &Path, words: &str) -> Output {
    command(folder, words).output().unwrap()
}

/// What it said, on both streams.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// The document that a command prints with `--json`, which is told to it first: after `--` come words of the program.
pub fn document(folder: &Path, words: &str) -> Value {
    let (name, rest) = words.split_once(' ').unwrap_or((words, ""));
    let output = taw(folder, &format!("{name} --json {rest}"));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(&output)))
}

/// A folder with a program that was explored into `o`, every path with its test.
pub fn explored(program: &str, words: &str) -> TempDir {
    let folder = folder(program);
    let output = taw(folder.path(), &format!("run p.c --out o --keep all {words}"));
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", said(&output));
    folder
}
