//! What a program file says about itself: `//@` directives and `//~` expectations.
//!
//! An annotation that is not understood is an error: it would be one that nobody checks.

use std::fmt::Write as _;
use std::str::FromStr;

/// An expected error, from `//~ BUG kind: text` and the `//~|` lines under it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bug {
    /// The line of code it stands on, from 1.
    pub line: u32,
    /// Stable name of the kind.
    pub kind: String,
    /// What the message must contain.
    pub text: String,
    /// Conditions on the inputs of the finding's test.
    pub witness: Vec<String>,
    /// Calls that lead to it, as C; or `none`, or `not found: part of why`.
    pub api: Option<String>,
    /// How often it must have been met.
    pub count: Option<u64>,
    /// The revision it is for; all, if none.
    pub revision: Option<String>,
}

/// A target of `taw reach` and what must become of it, from `//@ target: label:x reached` or `//~ REACHED` on a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TargetAnnotation {
    /// As `--target` takes it; of a line only what follows the file, as `:12`.
    pub text: String,
    /// `reached`, `unreachable` or `unknown`.
    pub verdict: String,
    /// The revision it is for; all, if none.
    pub revision: Option<String>,
}

/// What is expected of one aspect of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Expect {
    /// It must be so.
    #[default]
    Yes,
    /// It must not be so.
    No,
    /// Whether it is or not does not matter.
    Any,
}

/// One way to run a program, with what must come of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Revision {
    /// Its name; empty for the only one.
    pub name: String,
    /// Flags for `taw run`.
    pub flags: Vec<String>,
    /// Completed and errored paths.
    pub paths: Option<(u64, u64)>,
    /// Parts of the sentences that say what the verdict rests on.
    pub rests_on: Vec<String>,
    /// Whether the run must be exhaustive.
    pub exhaustive: Expect,
    /// Exactly the labels that are reached.
    pub labels: Option<Vec<String>>,
    /// What a path must be stopped by.
    pub unsupported: Option<String>,
    /// Exit code, if not the one that follows from the findings.
    pub exit: Option<i32>,
    /// What the message on standard error must contain.
    pub error: Option<String>,
    /// Exactly what the only path prints.
    pub output: Option<String>,
    /// Further flags for the native compiler.
    pub native: Vec<String>,
    /// Whether the tests are run natively.
    pub replayed: bool,
    /// The sanitizers of the native build.
    pub sanitize: String,
    /// The C signature of the entry, if it is not `main`.
    pub signature: Option<String>,
    /// Whether the paths are counted by brute force.
    pub brute_force: bool,
    /// Targets; if there are any, the program is for `taw reach`.
    pub targets: Vec<TargetAnnotation>,
}

/// A program file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramFile {
    /// The ways to run it.
    pub revisions: Vec<Revision>,
    /// The errors in it.
    pub bugs: Vec<Bug>,
    /// The lines of it that are targets.
    pub places: Vec<TargetAnnotation>,
    /// Why it is known to fail, from `//@ fixme: reason`; it must then fail, so that the line goes when the defect does.
    pub fixme: Option<String>,
}

impl ProgramFile {
    /// The errors expected in a revision.
    pub fn bugs_of<'a>(&'a self, revision: &'a str) -> impl Iterator<Item = &'a Bug> {
        self.bugs.iter().filter(move |bug| bug.revision.as_deref().is_none_or(|only| only == revision))
    }
}

/// Names of revisions that need no flags line.
const KNOWN: &[(&str, &[&str])] =
    &[("O0", &[]), ("O1", &["--cflag=-O1"]), ("O2", &["--cflag=-O2"]), ("m32", &["--cflag=-m32"])];

impl FromStr for ProgramFile {
    type Err = String;

    fn from_str(source: &str) -> Result<Self, String> {
        let mut directives = Vec::new();
        let mut program = ProgramFile::default();
        let mut code_line = 0;
        for (number, line) in (1..).zip(source.lines()) {
            let at = |why: String| format!("line {number}: {why}");
            if let Some(rest) = line.strip_prefix("//@") {
                directives.push(directive(rest).map_err(at)?);
                continue;
            }
            let (code, note) = line.split_once("//~").unwrap_or((line, ""));
            if !code.trim().is_empty() {
                code_line = number;
            }
            if line.contains("//~") {
                match place(note, code_line).map_err(at)? {
                    Some(place) => program.places.push(place),
                    None => expectation(note, code_line, &mut program.bugs).map_err(at)?,
                }
            }
        }
        program.fixme = directives.iter().find(|d| d.key == "fixme").map(|d| d.value.clone());
        program.revisions = revisions(&directives)?;
        let known = |name: &&String| program.revisions.iter().any(|revision| revision.name == **name);
        let named = program.bugs.iter().map(|bug| &bug.revision).chain(program.places.iter().map(|p| &p.revision));
        if let Some(stray) = named.flatten().find(|name| !known(name)) {
            return Err(format!("no revision is called {stray:?}"));
        }
        Ok(program)
    }
}

/// `[revision] key: value`.
struct Directive {
    revision: Option<String>,
    key: String,
    value: String,
}

fn bracketed(text: &str) -> Result<(Option<String>, &str), String> {
    let Some(rest) = text.strip_prefix('[') else { return Ok((None, text)) };
    let (name, rest) = rest.split_once(']').ok_or("a `[` without `]`")?;
    Ok((Some(name.to_owned()), rest))
}

fn directive(text: &str) -> Result<Directive, String> {
    let (revision, rest) = bracketed(text)?;
    let (key, value) = rest.split_once(':').unwrap_or((rest, ""));
    // Only one space is dropped from the value, and none at its end: an expected output may have its own.
    let value = value.strip_prefix(' ').unwrap_or(value);
    Ok(Directive { revision, key: key.trim().to_owned(), value: value.to_owned() })
}

/// `REACHED`, `UNREACHABLE` or `UNKNOWN`: the line is a target, with ` if EXPR` behind it where that holds.
fn place(note: &str, line: u32) -> Result<Option<TargetAnnotation>, String> {
    if note.starts_with('|') {
        return Ok(None);
    }
    let (revision, note) = bracketed(note)?;
    let (word, condition) = note.trim().split_at(note.trim().find(" if ").unwrap_or(note.trim().len()));
    let verdict = word.to_lowercase();
    let known = VERDICTS.contains(&verdict.as_str()) && word == verdict.to_uppercase();
    Ok(known.then(|| TargetAnnotation { text: format!(":{line}{condition}"), verdict, revision }))
}

const VERDICTS: [&str; 3] = ["reached", "unreachable", "unknown"];

/// `TARGET VERDICT`.
fn target(value: &str) -> Result<TargetAnnotation, String> {
    let (text, verdict) = value.trim().rsplit_once(' ').unwrap_or((value, ""));
    if !VERDICTS.contains(&verdict) {
        return Err(format!("not `TARGET reached`, `unreachable` or `unknown`: {value}"));
    }
    Ok(TargetAnnotation { text: text.trim().to_owned(), verdict: verdict.to_owned(), revision: None })
}

fn expectation(note: &str, line: u32, bugs: &mut Vec<Bug>) -> Result<(), String> {
    if let Some(more) = note.strip_prefix('|') {
        let bug = bugs.last_mut().ok_or("`//~|` without an error above it")?;
        return match more.trim().split_once(' ') {
            Some(("WITNESS", condition)) => {
                bug.witness.push(condition.trim().to_owned());
                Ok(())
            }
            Some(("API", calls)) => {
                bug.api = Some(calls.trim().to_owned());
                Ok(())
            }
            Some(("COUNT", count)) => {
                bug.count = Some(count.trim().parse().map_err(|_| format!("not a count: {count}"))?);
                Ok(())
            }
            _ => Err(format!("not understood: //~|{more}")),
        };
    }
    let (revision, note) = bracketed(note)?;
    let rest = note.trim().strip_prefix("BUG ").ok_or_else(|| format!("not understood: //~{note}"))?;
    let (kind, text) = rest.split_once(':').unwrap_or((rest, ""));
    bugs.push(Bug { line, kind: kind.trim().into(), text: text.trim().into(), revision, ..Bug::default() });
    Ok(())
}

fn revisions(directives: &[Directive]) -> Result<Vec<Revision>, String> {
    let names: Vec<&str> =
        directives.iter().filter(|d| d.key == "revisions").flat_map(|d| d.value.split_whitespace()).collect();
    if let Some(stray) = directives.iter().filter_map(|d| d.revision.as_deref()).find(|name| !names.contains(name)) {
        return Err(format!("no revision is called `{stray}`"));
    }
    let names = if names.is_empty() { vec![""] } else { names };
    names.into_iter().map(|name| revision(name, directives)).collect()
}

fn revision(name: &str, directives: &[Directive]) -> Result<Revision, String> {
    let known = KNOWN.iter().find(|row| row.0 == name).map_or(&[][..], |row| row.1);
    let mut revision = Revision {
        name: name.to_owned(),
        flags: known.iter().map(|&flag| flag.to_owned()).collect(),
        replayed: true,
        sanitize: "address,undefined".to_owned(),
        native: if name == "m32" { vec!["-m32".to_owned()] } else { Vec::new() },
        ..Revision::default()
    };
    for d in directives.iter().filter(|d| d.revision.as_deref().is_none_or(|only| only == name)) {
        apply(&mut revision, &d.key, &d.value)?;
    }
    Ok(revision)
}

fn apply(revision: &mut Revision, key: &str, value: &str) -> Result<(), String> {
    let words = || value.split_whitespace().map(str::to_owned);
    match key {
        "revisions" | "fixme" => {}
        "flags" => revision.flags.extend(words()),
        "paths" => revision.paths = Some(paths(value)?),
        "rests-on" => revision.rests_on.push(value.to_owned()),
        "exhaustive" => revision.exhaustive = expect(value)?,
        "labels" => revision.labels = Some(words().collect()),
        "unsupported" => revision.unsupported = Some(value.trim().to_owned()),
        "exit" => revision.exit = Some(value.trim().parse().map_err(|_| format!("not an exit code: {value}"))?),
        "error" => revision.error = Some(value.trim().to_owned()),
        "output" => writeln!(revision.output.get_or_insert_default(), "{value}").expect("a string grows"),
        "native" if value.trim() == "none" => revision.replayed = false,
        "native" => revision.native.extend(words()),
        "sanitize" => revision.sanitize = value.trim().to_owned(),
        "signature" => revision.signature = Some(value.trim().to_owned()),
        "brute-force" => revision.brute_force = true,
        "target" => revision.targets.push(target(value)?),
        _ => return Err(format!("no directive is called `{key}`")),
    }
    Ok(())
}

/// `2 completed, 1 errored`.
fn paths(value: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("not `N completed, M errored`: {value}");
    let (completed, errored) = value.split_once(',').ok_or_else(wrong)?;
    let count = |text: &str, word| text.trim().strip_suffix(word)?.trim().parse().ok();
    Ok((count(completed, "completed").ok_or_else(wrong)?, count(errored, "errored").ok_or_else(wrong)?))
}

fn expect(value: &str) -> Result<Expect, String> {
    match value.trim() {
        "true" => Ok(Expect::Yes),
        "false" => Ok(Expect::No),
        "any" => Ok(Expect::Any),
        other => Err(format!("not true, false or any: {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_go_to_their_revisions() {
        let text = "//@ revisions: O2 x\n//@[x] flags: --a b\n//@ paths: 2 completed, 1 errored\n//@ output:  a\n//@ output: b\n";
        let program: ProgramFile = text.parse().unwrap();
        let [o2, x] = &program.revisions[..] else { panic!("two revisions") };
        assert_eq!(o2.flags, ["--cflag=-O2"]);
        assert_eq!(x.flags, ["--a", "b"]);
        assert_eq!(x.paths, Some((2, 1)));
        assert_eq!(x.output.as_deref(), Some(" a\nb\n"));
    }

    #[test]
    fn an_expectation_belongs_to_the_line_of_code_above() {
        let text = "f();  //~ BUG abort: why\n  //~| WITNESS x == 1\n  //~| COUNT 3\n  //~ BUG leak\n";
        let program: ProgramFile = text.parse().unwrap();
        assert_eq!(program.bugs.len(), 2);
        assert_eq!((program.bugs[0].line, program.bugs[1].line), (1, 1));
        assert_eq!(program.bugs[0].text, "why");
        assert_eq!((program.bugs[0].witness.len(), program.bugs[0].count), (1, Some(3)));
    }

    #[test]
    fn targets_are_lines_or_named() {
        let text = "//@ target: label:a b reached\nf();  //~ UNREACHABLE\ng();  //~ REACHED if x > 2\n";
        let program: ProgramFile = text.parse().unwrap();
        let [only] = &program.revisions[..] else { panic!("one revision") };
        assert_eq!((only.targets[0].text.as_str(), only.targets[0].verdict.as_str()), ("label:a b", "reached"));
        assert_eq!((program.places[0].text.as_str(), program.places[0].verdict.as_str()), (":2", "unreachable"));
        assert_eq!((program.places[1].text.as_str(), program.places[1].verdict.as_str()), (":3 if x > 2", "reached"));
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for text in [
            "//@ flag: x",
            "//@[a] flags: x",
            "x //~ BAG abort",
            "//~| WITNESS x",
            "//@ paths: 1 done",
            "x //~[q] BUG leak",
            "x //~[q] REACHED",
            "x //~ REACHABLE",
            "//@ target: main reachable",
        ] {
            assert!(text.parse::<ProgramFile>().is_err(), "{text}");
        }
    }
}
