//! A test suite for CMake and CTest, or for a compiler alone.
//!
//! `program` is the user's sources with the replay library (and, if runs start at functions, the tests of these as C: `ctest/calls.rs`);
//! `suite.c` holds every test, starts the program once for each and compares how it
//! ended: the exit code, or for a finding that it crashes or a sanitizer stops it. Two programs, so that a crash is one
//! test's and the user's `main` stays as it is. Left out: tests that claim no end, and errors no sanitizer here can see.

mod calls;

use std::fmt::Write as _;
use std::path::{Component, Path};

use taw_engine::Given;

use self::calls::CallFiles;
use super::{FinishedRun, FormatDef, FormatError, NamedTest, put};
use crate::test_file::{InputRecord, OutcomeRecord, TestFile};

pub(super) const DEF: FormatDef = FormatDef {
    name: "ctest",
    help: "a C test program with a CMakeLists.txt for CTest",
    writes: |name| FILES.contains(&name) || calls::writes(name),
    write,
};

/// All that it may write beside tests of functions, and has written once: the last five are [`FinishedRun::support`]'s.
const FILES: [&str; 8] =
    ["CMakeLists.txt", "suite.c", "entry.c", "replay.c", "taw.h", "klee/klee.h", "taw_harness.c", "taw_stand_ins.c"];

/// Kinds of errors that AddressSanitizer and UndefinedBehaviorSanitizer do not see.
const UNSEEN: [&str; 2] = ["uninitialised-use", "memory-limit"];

fn write(suite: &FinishedRun<'_>, folder: &Path) -> Result<Vec<String>, FormatError> {
    let unfit = |why: String| FormatError::Unfit { format: DEF.name, why };
    let compiled = |path: &&std::path::PathBuf| path.extension().is_some_and(|e| e == "bc" || e == "ll");
    if let Some(file) = suite.sources.iter().find(compiled) {
        return Err(unfit(format!("`{}` is not source code; give the C files", file.display())));
    }
    let mut tests: Vec<(&NamedTest, Expected)> =
        suite.tests.iter().filter_map(|test| Some((test, expected(&test.test)?))).collect();
    let outside =
        |path: &str| Path::new(path).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
    for (path, _) in tests.iter().flat_map(|(test, _)| test.test.given().unwrap_or_default().files) {
        if outside(&path) {
            return Err(unfit(format!("the file `{path}` lies outside of the folder in which a test runs")));
        }
    }
    let calls = CallFiles::of(suite, &tests.iter().map(|(test, _)| *test).collect::<Vec<_>>());
    tests.retain(|(test, _)| !calls.lacks(&test.name));
    if tests.is_empty() && !calls.left_out.is_empty() {
        return Err(unfit(calls.left_out[0].1.clone()));
    }
    for (name, text, _) in &calls.files {
        put(folder, name, text.as_bytes())?;
    }
    if !calls.files.is_empty() {
        put(folder, calls::MAIN, calls.main().as_bytes())?;
    }
    for (name, content) in suite.support {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            let at = |error| FormatError::Output(crate::OutputError::io(parent, error));
            std::fs::create_dir_all(parent).map_err(at)?;
        }
        put(folder, name, content.as_bytes())?;
    }
    put(folder, "suite.c", driver(&tests).as_bytes())?;
    put(folder, "CMakeLists.txt", cmake(suite, &tests, &calls).as_bytes())?;
    Ok(calls.left_out.into_iter().map(|(test, why)| format!("`{test}` is not among the tests in C: {why}")).collect())
}

/// How a test must end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Exit(i32),
    Fails,
    Leaks,
}

fn expected(test: &TestFile) -> Option<Expected> {
    match &test.outcome {
        // What the call gives is checked by the test itself.
        OutcomeRecord::Exit { .. } if test.returned.is_some() => Some(Expected::Exit(0)),
        OutcomeRecord::Exit { code } => Some(Expected::Exit(code & 0xff)),
        OutcomeRecord::Finding { finding, .. } if finding == "leak" => Some(Expected::Leaks),
        OutcomeRecord::Finding { finding, .. } if UNSEEN.contains(&finding.as_str()) => None,
        OutcomeRecord::Finding { .. } | OutcomeRecord::Signal { .. } => Some(Expected::Fails),
        _ => None,
    }
}

fn driver(tests: &[(&NamedTest, Expected)]) -> String {
    let (mut data, mut table) = (String::new(), String::new());
    for (index, (test, expected)) in tests.iter().enumerate() {
        let expected = match expected {
            Expected::Exit(code) => code.to_string(),
            Expected::Fails => "FAILS".into(),
            Expected::Leaks => "LEAKS".into(),
        };
        let given = test.test.given().unwrap_or_default();
        given_data(&mut data, index, &given, test);
        let _ = writeln!(
            table,
            "  {{{}, {expected}, args_{index}, env_{index}, files_{index}, {}, {},",
            quoted(test.name.as_bytes()),
            quoted(&given.stdin),
            given.stdin.len()
        );
        let lines = test.test.call.as_ref().map(|call| call.replay_lines(&[])).unwrap_or_default();
        for line in lines.lines().filter(|line| names_callback(line)) {
            let _ = writeln!(table, "   {}", quoted(format!("{line}\n").as_bytes()));
        }
        for input in asked(&test.test) {
            let name: String = input.name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
            let _ = writeln!(table, "   {}", quoted(format!("{name} {}\n", input.bytes).as_bytes()));
        }
        table.push_str("   \"\"},\n");
    }
    include_str!("ctest/suite.c").replace("/*TESTS*/", &table).replace("/*DATA*/\n", &data)
}

/// Whether a line of the replay library's says which of the stand-ins is a function of the caller's.
fn names_callback(line: &str) -> bool {
    let mut words = line.split(' ');
    words.next() == Some("#code") && words.next() != words.next()
}

/// The inputs that calls ask for: arguments of a function are in its test.
fn asked(test: &TestFile) -> impl Iterator<Item = &InputRecord> {
    let is_argument =
        |name: &String| test.call.as_ref().is_some_and(|call| call.arguments.iter().any(|a| a.name == *name));
    test.asked().filter(move |input| !is_argument(&input.name))
}

/// Arguments (with the program's name), environment and files of one test, as arrays.
fn given_data(data: &mut String, index: usize, given: &Given, test: &NamedTest) {
    let args = std::iter::once(&given.program).chain(&given.args).map(|arg| quoted(arg) + ", ").collect::<String>();
    let variable = |(name, value): &(Vec<u8>, Vec<u8>)| quoted(&[name, &b"="[..], value].concat()) + ", ";
    let mut env: String = given.env.iter().map(variable).collect();
    if test.test.entry.is_some() {
        env += &(quoted(format!("{}={}", calls::VARIABLE, test.name).as_bytes()) + ", ");
    }
    let file = |(path, content): &(String, Vec<u8>)| {
        format!("{{{}, {}, {}}}, ", quoted(path.as_bytes()), quoted(content), content.len())
    };
    let files: String = given.files.iter().map(file).collect();
    let _ = writeln!(data, "static const char *const args_{index}[] = {{{args}NULL}};");
    let _ = writeln!(data, "static const char *const env_{index}[] = {{{env}NULL}};");
    let _ = writeln!(data, "static const struct file files_{index}[] = {{{files}{{NULL, NULL, 0}}}};");
}

/// A C string literal.
fn quoted(text: &[u8]) -> String {
    let byte = |byte: u8| match byte {
        b'\n' => "\\n".to_owned(),
        // A question mark could begin a trigraph.
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", text.iter().copied().map(byte).collect::<String>())
}

/// The flags of single files.
fn own_flags(suite: &FinishedRun<'_>, calls: &CallFiles) -> String {
    let mut text = String::new();
    for (path, flags) in suite.own_flags.iter().filter(|(_, flags)| !flags.is_empty()) {
        let list: Vec<String> =
            flags.iter().map(|flag| flag.replace('\\', "\\\\").replace('"', "\\\"").replace(';', "\\;")).collect();
        let list = list.join(";");
        let including = calls.files.iter().find(|(_, _, source)| source == path);
        let file = including.map_or_else(|| path.display().to_string(), |(name, ..)| name.clone());
        let _ = writeln!(text, "set_source_files_properties([==[{file}]==] PROPERTIES COMPILE_OPTIONS \"{list}\")");
    }
    text
}

fn cmake(suite: &FinishedRun<'_>, tests: &[(&NamedTest, Expected)], calls: &CallFiles) -> String {
    // In brackets, CMake takes everything as it is.
    let list =
        |words: &mut dyn Iterator<Item = String>| words.map(|word| format!(" [==[{word}]==]")).collect::<String>();
    let entry = !calls.files.is_empty();
    let is_included = |path: &&std::path::PathBuf| calls.files.iter().any(|(_, _, source)| source == *path);
    let others: Vec<&std::path::PathBuf> = suite.sources.iter().filter(|path| !is_included(path)).collect();
    let mut sources = list(&mut others.iter().map(|path| path.display().to_string()));
    calls.files.iter().for_each(|(name, ..)| _ = write!(sources, " {name}"));
    sources.push_str(if entry { " calls_main.c" } else { "" });
    let own = suite.support.iter().filter(|(name, _)| name.ends_with(".c"));
    own.for_each(|(name, _)| _ = write!(sources, " {name}"));
    let has_main = suite.program.functions.values().any(|f| f.name == "main" && f.is_defined());
    let own_main = if entry && has_main && !others.is_empty() {
        // The generated `main` takes the place of the user's.
        let files = list(&mut others.iter().map(|path| path.display().to_string()));
        format!(
            "set_source_files_properties({} PROPERTIES COMPILE_DEFINITIONS main=main_of_the_program)\n",
            files.trim()
        )
    } else {
        String::new()
    };
    let found = |kind| suite.findings.iter().any(|finding| finding.kind == kind);
    let mut unchecked = "alignment".to_owned();
    for (kind, check) in [("signed-overflow", ",signed-integer-overflow"), ("float-cast", ",float-cast-overflow")] {
        unchecked.push_str(if found(kind) { "" } else { check });
    }
    let names: String = tests.iter().map(|(test, _)| format!("\n  {}", test.name)).collect();
    include_str!("ctest/CMakeLists.txt")
        .replace("@OWN_MAIN@\n", &(own_main + &own_flags(suite, calls)))
        .replace("@SOURCES@", &sources)
        .replace("@LIBRARIES@", &list(&mut suite.libraries.iter().map(|path| path.display().to_string())))
        .replace("@FLAGS@", &list(&mut suite.cflags.iter().cloned()))
        .replace("@UNCHECKED@", &unchecked)
        .replace("@TESTS@", &names)
}
