//! What Taw claims of a suite against what native counters say of it: each test that was kept is run once on a program with
//! counters. Of an exhaustive run both are equal, line by line; of a run that was cut short Taw claims no more than there is
//! (natively the paths go on).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::corpus::{declared, signature};
use crate::measured::{ByLine, Measured};
use crate::native::{BuildRecipe, CompiledProgram};
use crate::process::{Streams, run};
use crate::taw::{JsonTest, Taw};

/// Time for one program.
const BUDGET: &str = "3s";

/// One trial per example, per program of `tests/programs/{suites,paths,realistic}`, and per file of the corpus.
pub fn suite_trials(taw: &Taw, corpus: &Path) -> Vec<Trial> {
    let examples = files(&crate::root().join("examples"));
    let programs =
        ["suites", "paths", "realistic"].map(|folder| files(&crate::root().join("tests/programs").join(folder)));
    let mut claims: Vec<Claim> = examples
        .into_iter()
        .chain(programs.into_iter().flatten())
        .filter_map(|source| Claim::of_main(taw, source))
        .collect();
    let table = fs::read_to_string(corpus.join("targets.csv")).expect("the corpus has a table of its targets");
    for (file, entries) in declared(&table) {
        claims.push(Claim { taw: taw.clone(), source: corpus.join(file), flags: Vec::new(), entries });
    }
    let trial = |claim: Claim| {
        let name = claim.source.strip_prefix(crate::root()).unwrap_or(&claim.source).display().to_string();
        Trial::test(name, move || claim.check().map_err(Failed::from))
    };
    claims.into_iter().map(trial).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    found.sort();
    found
}

/// A program and how it is explored.
struct Claim {
    taw: Taw,
    source: PathBuf,
    flags: Vec<String>,
    /// Entries with their parameters; none for `main`.
    entries: BTreeMap<String, Vec<String>>,
}

impl Claim {
    /// A program that starts at `main` and gets its inputs from there, with the flags of its annotations.
    fn of_main(taw: &Taw, source: PathBuf) -> Option<Self> {
        let text = fs::read_to_string(&source).ok()?;
        let annotated = |name: &str| text.lines().find_map(|line| line.strip_prefix("//@ ")?.strip_prefix(name));
        let flags: Vec<String> =
            annotated("flags:").into_iter().flat_map(str::split_whitespace).map(str::to_owned).collect();
        let unfit =
            ["exit:", "fixme:", "native:", "signature:", "target:"].iter().any(|name| annotated(name).is_some());
        let others = ["--sym", "--entry", "--file", "--cflag", "--search", "--max", "--keep"];
        let other = flags.iter().any(|flag| flag == "--" || others.iter().any(|start| flag.starts_with(start)));
        let starts = text.contains("int main(") && !text.contains("mix(");
        (starts && !unfit && !other).then(|| Claim { taw: taw.clone(), source, flags, entries: BTreeMap::new() })
    }

    fn check(&self) -> Result<(), String> {
        let out = crate::scratch()?;
        let folder = out.path().join("out");
        let claimed = self.explore(&folder)?;
        let tests = self.tests(&folder)?;
        let native = self.build()?;
        for test in &tests {
            native.replay(test)?;
        }
        let exhaustive = claimed["exhaustive"] == true;
        let coverage: Value = read(&folder.join("coverage/coverage.json"))?;
        let source = fs::canonicalize(&self.source).map_err(|error| error.to_string())?;
        let claims = Measured::claimed(&coverage, &source);
        if tests.is_empty() {
            let none = !claims.lines.values().any(|&covered| covered);
            return if none { Ok(()) } else { Err("lines are claimed to be covered, and there is no test".into()) };
        }
        let errors =
            claimed["findings"].as_array().into_iter().flatten().filter_map(|finding| finding["line"].as_u64());
        let measured = Measured::read(&native.program(), &source)?;
        ClaimComparison { claims, measured, exhaustive, errors: errors.collect(), other: switches(&source)? }.check()
    }

    fn explore(&self, out: &Path) -> Result<Value, String> {
        let mut command =
            self.taw.command(&["run", "--no-replay", "--json", "--emit", "coverage", "--max-time", BUDGET]);
        command.arg(&self.source).arg("--out").arg(out).args(&self.flags);
        if !self.entries.is_empty() {
            command.args(["--marker", "reach", "-DCHECK_POST"]);
            for entry in self.entries.keys() {
                command.args(["--entry", entry]);
            }
        }
        let ended = run(&mut command, Streams::Apart, Duration::from_secs(60))?;
        serde_json::from_slice(&ended.stdout)
            .map_err(|error| format!("not the JSON document: {error}\n{}", ended.said()))
    }

    fn tests(&self, out: &Path) -> Result<Vec<JsonTest>, String> {
        let mut names: Vec<PathBuf> = fs::read_dir(out.join("tests"))
            .map_err(|error| error.to_string())?
            .flatten()
            .map(|entry| entry.path())
            .collect();
        names.sort();
        names.iter().map(|path| read(path)).collect()
    }

    fn build(&self) -> Result<CompiledProgram, String> {
        let counters = crate::root().join("tests/suites/counters.c");
        let mut flags: Vec<String> =
            ["--coverage", "-fprofile-instr-generate", "-fcoverage-mapping", "-Wl,--wrap=_exit"]
                .map(str::to_owned)
                .into();
        let (folder, mut sources) = (crate::scratch()?, vec![self.source.clone(), counters]);
        if !self.entries.is_empty() {
            let driver = folder.path().join("driver.c");
            fs::write(&driver, self.driver()?).map_err(|error| error.to_string())?;
            sources.push(driver);
            flags.push("-DCHECK_POST".into());
        }
        // The sanitizer ends a run where Taw ends the path.
        CompiledProgram::compile(&BuildRecipe { sources, sanitize: "address".into(), flags, ..BuildRecipe::default() })
    }

    /// A `main` that calls the entry of a test with its inputs.
    fn driver(&self) -> Result<String, String> {
        let mut text = String::from(
            "#include <stddef.h>\n#include <stdint.h>\nvoid taw_replay_next(void *, size_t);\nint taw_replay_starts(const char *);\n",
        );
        let mut main = String::from("int main(void) {\n");
        for (entry, parameters) in &self.entries {
            text += &format!("{};\n", signature(&self.source, entry, parameters)?);
            main += &format!("  if (taw_replay_starts(\"{entry}\")) {{\n");
            for parameter in parameters {
                let name = parameter.rsplit(' ').next().unwrap_or_default();
                main += &format!("    {parameter};\n    taw_replay_next(&{name}, sizeof {name});\n");
            }
            let names: Vec<&str> = parameters.iter().filter_map(|parameter| parameter.rsplit(' ').next()).collect();
            main += &format!("    {entry}({});\n    return 0;\n  }}\n", names.join(", "));
        }
        Ok(text + &main + "  return 99;\n}\n")
    }
}

/// The lines with a `switch`, whose sides are counted otherwise, a `?`, whose arms may be branches of their own, or a macro that
/// is another in the native library.
fn switches(source: &Path) -> Result<BTreeSet<u64>, String> {
    let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
    let other = |(_, line): &(u64, &str)| ["switch", " ? ", "assert("].iter().any(|word| line.contains(word));
    Ok((1..).zip(text.lines()).filter(other).map(|(number, _)| number).collect())
}

/// What is claimed and what is seen.
struct ClaimComparison {
    claims: Measured,
    measured: Measured,
    exhaustive: bool,
    /// Lines with errors.
    errors: BTreeSet<u64>,
    /// Lines whose sides are counted otherwise.
    other: BTreeSet<u64>,
}

impl ClaimComparison {
    /// Lines with code are the same but for the line a function begins on, which is gcov's alone.
    fn check(&self) -> Result<(), String> {
        let mut wrong = Vec::new();
        let mut say = |line: u64, what: String| wrong.push(format!("line {line}: {what}"));
        for (&line, &covered) in &self.claims.lines {
            match self.measured.lines.get(&line) {
                None => say(line, "has code in Taw's eyes alone".into()),
                Some(&seen) if seen != covered && (covered || self.exhaustive && !self.is_after_error(line)) => {
                    say(line, format!("covered is {covered} in Taw's words and {seen} natively"));
                }
                _ => {}
            }
        }
        let lines: BTreeSet<u64> = self.claims.sides.keys().chain(self.measured.sides.keys()).copied().collect();
        for line in lines.difference(&self.other) {
            let of = |sides: &ByLine<(u64, u64)>| sides.get(line).copied().unwrap_or((0, 0));
            let ((claims, all), (seen, there)) = (of(&self.claims.sides), of(&self.measured.sides));
            if all != there || claims > seen || (claims != seen && self.exhaustive) {
                say(*line, format!("{claims} of {all} sides in Taw's words, {seen} of {there} natively"));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    }

    /// Whether an error lies before a line and no branch between: gcov counts a block when it is entered, and takes the rest of
    /// it for executed.
    fn is_after_error(&self, line: u64) -> bool {
        let branch = self.claims.sides.range(..line).next_back().map_or(0, |(&line, _)| line);
        self.errors.range(branch..line).next().is_some()
    }
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))
}
