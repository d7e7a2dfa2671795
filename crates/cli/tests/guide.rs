//! Every command of the README and the guide is run, and prints what is written there.
//!
//! A block marked `console` holds commands after `$ ` and what they print (standard output). `…` alone on a line stands
//! for any lines, within a line for any characters. Commands of one document run in order, in one folder with `examples`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The commands of a document with what they should print.
fn commands(text: &str) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("$ ") {
            _ if line.starts_with("```") => inside = line == "```console",
            Some(command) if inside => commands.push((command.to_owned(), Vec::new())),
            None if inside => commands.last_mut().expect("a block begins with a command").1.push(line.to_owned()),
            _ => {}
        }
    }
    commands
}

fn lines_match(expected: &[String], printed: &[&str]) -> bool {
    match (expected.split_first(), printed.split_first()) {
        (None, printed) => printed.is_none(),
        (Some((line, rest)), _) if line == "…" => (0..=printed.len()).any(|n| lines_match(rest, &printed[n..])),
        (Some((line, rest)), Some((first, others))) => line_matches(line, first) && lines_match(rest, others),
        (Some(_), None) => false,
    }
}

fn line_matches(expected: &str, printed: &str) -> bool {
    match expected.split_once('…') {
        None => expected == printed.trim_end(),
        Some((start, end)) => printed
            .strip_prefix(start)
            .is_some_and(|rest| rest.char_indices().any(|(at, _)| line_matches(end, &rest[at..])) || end.is_empty()),
    }
}

fn run_document(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("examples")).unwrap();
    for entry in fs::read_dir(root().join("examples")).unwrap().flatten() {
        fs::copy(entry.path(), folder.path().join("examples").join(entry.file_name())).unwrap();
    }
    let binaries = Path::new(env!("CARGO_BIN_EXE_taw")).parent().unwrap();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
    let commands = commands(&fs::read_to_string(root().join(name)).unwrap());
    assert!(!commands.is_empty(), "{name} has no block marked `console`");
    for (command, expected) in commands {
        let output =
            Command::new("sh").args(["-c", &command]).env("PATH", &path).current_dir(folder.path()).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<&str> = printed.lines().collect();
        let said = String::from_utf8_lossy(&output.stderr);
        // The summary of a run ends each finding with an empty line, which documents need not repeat at the end.
        let shown: &[&str] = if lines.last() == Some(&"") { &lines[..lines.len() - 1] } else { &lines };
        assert!(
            lines_match(&expected, shown),
            "{name}: `{command}` should print\n{}\nbut prints\n{printed}{said}",
            expected.join("\n")
        );
    }
}

#[test]
fn the_guide_is_true() {
    run_document("docs/guide.md");
}

#[test]
fn the_readme_is_true() {
    run_document("README.md");
}

#[test]
fn what_is_left_out_matches_anything_and_nothing_else_does() {
    let matches = |expected: &str, printed: &str| {
        let expected: Vec<String> = expected.lines().map(str::to_owned).collect();
        lines_match(&expected, &printed.lines().collect::<Vec<_>>())
    };
    assert!(matches("a\n…\nb", "a\nb") && matches("a\n…\nb", "a\nx\ny\nb") && matches("x … z…", "x y z"));
    assert!(!matches("a", "a\nb") && !matches("a\n…\nb", "a\nc") && !matches("x … z", "x y") && !matches("a", "b"));
}
