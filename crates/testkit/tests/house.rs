//! The rules of the house: who may know whom, and how large a file or function may grow.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, iter};

/// Each crate and the crates of ours that it may depend on.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("ir", &[]),
    ("cage", &[]),
    ("expr", &[]),
    ("search", &[]),
    ("embed", &[]),
    ("files", &[]),
    ("driver", &["embed", "files"]),
    ("loader", &["ir", "embed", "files"]),
    ("solver", &["expr"]),
    ("engine", &["ir", "expr", "solver"]),
    ("env", &["ir", "expr", "engine", "cage"]),
    ("explore", &["ir", "engine", "search", "solver"]),
    ("report", &["ir", "engine", "files"]),
    ("targets", &["ir", "engine", "files", "report"]),
    ("native", &["engine", "cage", "files", "report"]),
    (
        "taw",
        &[
            "ir", "cage", "files", "loader", "solver", "engine", "env", "search", "explore", "report", "targets",
            "native",
        ],
    ),
    (
        "cli",
        &[
            "taw", "ir", "cage", "files", "driver", "loader", "expr", "solver", "engine", "env", "search", "explore",
            "report", "targets", "native",
        ],
    ),
    ("testkit", &[]),
];

const LINES_OF_FILE: usize = 1000;
const LINES_OF_FUNCTION: usize = 80;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn arrows_between_crates_point_down_only() {
    let rules: BTreeMap<&str, &[&str]> = MAY_KNOW.iter().copied().collect();
    for entry in fs::read_dir(root().join("crates")).expect("the crates").flatten() {
        let name = entry.file_name().into_string().expect("a plain name");
        let allowed = rules.get(name.as_str()).unwrap_or_else(|| panic!("crate {name} is not in MAY_KNOW"));
        let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).expect("a manifest");
        let runtime = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        for line in runtime.lines() {
            let package = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let ours = if package == "taw" { Some(package) } else { package.strip_prefix("taw-") };
            let Some(dependency) = ours else { continue };
            assert!(allowed.contains(&dependency), "crate {name} must not know crate {dependency}");
        }
    }
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn files_and_functions_fit_a_reader() {
    for path in rust_files(&root().join("crates")) {
        let text = fs::read_to_string(&path).expect("a source file");
        let body = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
        let lines: Vec<&str> = body.lines().collect();
        assert!(lines.len() <= LINES_OF_FILE, "{} has {} lines", path.display(), lines.len());
        assert!(text.starts_with("//!"), "{} does not open with what it is", path.display());
        for (start, length) in functions(&lines) {
            let long = length > LINES_OF_FUNCTION && !is_flat_match(&lines[start..start + length]);
            assert!(!long, "{}:{}: a function of {length} lines", path.display(), start + 1);
        }
    }
}

/// First line and length of each function, by its indentation.
fn functions<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = (usize, usize)> + 'a {
    let is_start = |line: &str| {
        let code =
            line.trim_start().trim_start_matches("pub").trim_start_matches("(crate)").trim_start_matches("(super)");
        let code = code.trim_start().trim_start_matches("const ").trim_start_matches("unsafe ");
        code.starts_with("fn ")
    };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut at = 0;
    iter::from_fn(move || {
        while at < lines.len() && !is_start(lines[at]) {
            at += 1;
        }
        let start = at;
        let end =
            (start..lines.len()).find(|i| lines[*i].trim_end() == format!("{}}}", " ".repeat(indent(lines[start]))))?;
        at = start + 1;
        Some((start, end - start + 1))
    })
}

/// A list of uniform short arms is read at a glance however long it is.
fn is_flat_match(lines: &[&str]) -> bool {
    let arms = lines.iter().filter(|l| l.contains("=>")).count();
    arms * 3 >= lines.len()
}
