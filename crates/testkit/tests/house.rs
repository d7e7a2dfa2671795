//! The rules of the house: who may know whom, how large a file or function may grow, and that a name means one thing.

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
    ("musl", &[]),
    ("driver", &["embed", "files", "musl"]),
    ("loader", &["ir", "embed", "files", "musl"]),
    ("solver", &["expr"]),
    ("engine", &["ir", "expr", "solver"]),
    ("env", &["ir", "expr", "engine", "cage"]),
    ("explore", &["ir", "engine", "search", "solver"]),
    ("report", &["ir", "engine", "files"]),
    ("targets", &["ir", "engine", "files", "report"]),
    ("native", &["engine", "cage", "files", "musl", "report"]),
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

/// Public types that share a name, and why they may.
const NAMESAKES: &[(&str, &str)] = &[(
    "Program",
    "the library's users have one program, which wraps the one that is executed: `taw::Program`, `ir::Program`",
)];

/// Words that name something in the glossary, or are so general that they name nothing: private types and those of tests must
/// not take them a second time either.
const RESERVED: &[&str] = &[
    "Answer",
    "Decision",
    "Entry",
    "Environment",
    "Explorer",
    "Finding",
    "Given",
    "Goal",
    "Kind",
    "Model",
    "Path",
    "Place",
    "Prefix",
    "Provenance",
    "Query",
    "Session",
    "Site",
    "State",
    "Step",
    "Stop",
    "Surroundings",
    "Target",
    "Verdict",
    "Watch",
    "Way",
    "Witness",
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

/// The types that a text defines: the line, whether it is public to other crates, and the name.
fn types(text: &str) -> impl Iterator<Item = (usize, bool, &str)> {
    text.lines().enumerate().filter_map(|(number, line)| {
        let code = line.trim_start();
        let inner = code.strip_prefix("pub(crate) ").or_else(|| code.strip_prefix("pub(super) "));
        let outer = code.strip_prefix("pub ");
        let rest = outer.or(inner).unwrap_or(code);
        // What is indented and begins with `type` belongs to a trait.
        let words: &[&str] = if code.len() == line.len() {
            &["struct ", "enum ", "trait ", "union ", "type "]
        } else {
            &["struct ", "enum "]
        };
        let rest = words.iter().find_map(|word| rest.strip_prefix(word))?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..end];
        // C in the text of a test has lower-case names.
        name.starts_with(char::is_uppercase).then_some((number + 1, outer.is_some(), name))
    })
}

/// All types of the workspace by name: where each is defined, and whether it is public.
fn definitions() -> BTreeMap<String, Vec<(String, bool)>> {
    let mut found: BTreeMap<String, Vec<(String, bool)>> = BTreeMap::new();
    let crates = root().join("crates");
    for path in rust_files(&crates) {
        let text = fs::read_to_string(&path).expect("a source file");
        let file = path.strip_prefix(&crates).expect("a file in it").display().to_string();
        for (line, is_public, name) in types(&text) {
            found.entry(name.to_owned()).or_default().push((format!("{file}:{line}"), is_public));
        }
    }
    found
}

#[test]
fn a_public_type_has_a_name_of_its_own() {
    let in_code = |(place, is_public): &(String, bool)| place.contains("/src/").then(|| (place.clone(), *is_public));
    let mut clashes = Vec::new();
    for (name, places) in definitions() {
        let places: Vec<_> = places.iter().filter_map(in_code).collect();
        let is_allowed = NAMESAKES.iter().any(|(known, _)| *known == name);
        if places.len() > 1 && places.iter().any(|place| place.1) && !is_allowed {
            let places: Vec<String> = places.into_iter().map(|place| place.0).collect();
            clashes.push(format!("{name}: {}", places.join(", ")));
        }
    }
    assert!(
        clashes.is_empty(),
        "name these by what they are of (docs/ARCHITECTURE.md, glossary):\n{}",
        clashes.join("\n")
    );
}

#[test]
fn a_word_of_the_glossary_names_one_type() {
    let definitions = definitions();
    for word in RESERVED {
        let places = definitions.get(*word).map_or(&[][..], Vec::as_slice);
        assert!(places.len() <= 1, "`{word}` is a word of the glossary, or of no meaning alone: {places:?}");
    }
}

#[test]
fn types_are_found_however_they_are_written() {
    let text = "pub struct A<'a> {\n    struct B;\n    type Item = C;\npub(crate) enum D\ntype E = F;\nlet struct_g = \"struct h {\";\n";
    let found: Vec<_> = types(text).collect();
    assert_eq!(found, [(1, true, "A"), (2, false, "B"), (4, false, "D"), (5, false, "E")]);
}
