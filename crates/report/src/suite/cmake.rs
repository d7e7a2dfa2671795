//! `CMakeLists.txt` of a suite: a program for each source under test, a CTest test for each test, known failures with their label.
//!
//! A program is built of the file with its tests, which includes the source under test, and of the other sources. All paths are relative to the suite.

use std::fmt::Write as _;

use super::MARKER;
use super::styles::SuiteStyle;

/// What is built and run.
#[derive(Clone, Debug)]
pub struct CmakeSuite<'a> {
    /// The style.
    pub style: &'a SuiteStyle,
    /// Flags for the compiler; paths in them are relative to the suite.
    pub flags: Vec<String>,
    /// Libraries that are linked, as `-l` names them or as files.
    pub libraries: Vec<String>,
    /// The programs.
    pub programs: Vec<CmakeProgram>,
}

/// A program of tests.
#[derive(Clone, Debug, Default)]
pub struct CmakeProgram {
    /// Its name, which is that of its file.
    pub stem: String,
    /// The source under test.
    pub source: String,
    /// Flags for that alone.
    pub own_flags: Vec<String>,
    /// The other sources of the program, each with flags of its own.
    pub others: Vec<(String, Vec<String>)>,
    /// Whether one of these has a `main`, which stands aside.
    pub has_main: bool,
    /// Names of tests.
    pub tests: Vec<String>,
    /// Names of tests of errors.
    pub errors: Vec<String>,
}

/// The text.
pub fn cmake(suite: &CmakeSuite<'_>) -> String {
    let mut text = format!(
        "# {MARKER}: `cmake -B build && cmake --build build && ctest --test-dir build`.\ncmake_minimum_required(VERSION 3.16)\nproject(taw_tests C)\nenable_testing()\n{}",
        suite.style.find
    );
    for program in &suite.programs {
        if !program.tests.is_empty() {
            of_tests(&mut text, suite, program);
        }
        if !program.errors.is_empty() {
            of_errors(&mut text, suite, program);
        }
    }
    text
}

fn of_tests(text: &mut String, suite: &CmakeSuite<'_>, program: &CmakeProgram) {
    let CmakeProgram { stem, .. } = program;
    let beside = if suite.style.beside.is_some() { format!(" {stem}.cc") } else { String::new() };
    executable(text, suite, program, stem, &beside);
    let _ = writeln!(text, "target_link_libraries({stem} PRIVATE{}{} m)", suite.style.link, libraries(suite));
    let run = suite.style.run.replace('%', stem).replace('@', "${test}");
    let _ = write!(
        text,
        "foreach(test IN ITEMS{})\n  add_test(NAME ${{test}} COMMAND {stem} {run})\n  set_tests_properties(${{test}} PROPERTIES TIMEOUT 60)\nendforeach()\n",
        list(&program.tests)
    );
}

fn of_errors(text: &mut String, suite: &CmakeSuite<'_>, program: &CmakeProgram) {
    let stem = format!("{}_errors", program.stem);
    executable(text, suite, program, &stem, "");
    let sanitizers = SANITIZERS.join(" ");
    let _ = write!(
        text,
        "target_compile_options({stem} PRIVATE -g {sanitizers})\ntarget_link_options({stem} PRIVATE {sanitizers})\ntarget_link_libraries({stem} PRIVATE{} m)\n",
        libraries(suite)
    );
    let _ = write!(
        text,
        "foreach(test IN ITEMS{})\n  add_test(NAME ${{test}} COMMAND {stem} ${{test}})\n  set_tests_properties(${{test}} PROPERTIES WILL_FAIL TRUE LABELS known-failure TIMEOUT 60)\nendforeach()\n",
        list(&program.errors)
    );
}

/// What sees the errors that Taw reports, for gcc and clang alike.
pub const SANITIZERS: [&str; 2] = [
    "-fsanitize=address,integer-divide-by-zero,shift-exponent,unreachable,signed-integer-overflow",
    "-fno-sanitize-recover=all",
];

fn executable(text: &mut String, suite: &CmakeSuite<'_>, program: &CmakeProgram, stem: &str, beside: &str) {
    let others: String = program.others.iter().map(|(path, _)| format!(" {}", quoted(path))).collect();
    let _ = writeln!(text, "\nadd_executable({stem} {stem}.c{beside}{others})");
    let _ = writeln!(
        text,
        "set_source_files_properties({stem}.c PROPERTIES OBJECT_DEPENDS ${{CMAKE_CURRENT_SOURCE_DIR}}/{}{})",
        program.source,
        options(&program.own_flags)
    );
    for (path, flags) in program.others.iter().filter(|(_, flags)| !flags.is_empty()) {
        let _ = writeln!(text, "set_source_files_properties({} PROPERTIES{})", quoted(path), options(flags));
    }
    if program.has_main && !program.others.is_empty() {
        let paths: Vec<String> = program.others.iter().map(|(path, _)| quoted(path)).collect();
        let _ = writeln!(
            text,
            "set_source_files_properties({} PROPERTIES COMPILE_DEFINITIONS main=main_of_the_program)",
            paths.join(" ")
        );
    }
    if !suite.flags.is_empty() {
        let flags: Vec<String> = suite.flags.iter().map(|flag| quoted(flag)).collect();
        let _ = writeln!(text, "target_compile_options({stem} PRIVATE {})", flags.join(" "));
    }
}

fn options(flags: &[String]) -> String {
    if flags.is_empty() {
        return String::new();
    }
    let escaped = |flag: &String| flag.replace('\\', "\\\\").replace('"', "\\\"").replace(';', "\\;");
    format!(" COMPILE_OPTIONS \"{}\"", flags.iter().map(escaped).collect::<Vec<_>>().join(";"))
}

fn libraries(suite: &CmakeSuite<'_>) -> String {
    suite.libraries.iter().map(|library| format!(" {}", quoted(library))).collect()
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("\n    {name}")).collect()
}

/// A word of CMake's, in which variables still stand for what they are.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./+=,:${}".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::STYLES;

    #[test]
    fn the_program_is_built_again_when_the_source_changes() {
        let program = CmakeProgram {
            stem: "test_lib".into(),
            source: "../lib.c".into(),
            others: vec![("../my util.c".into(), Vec::new())],
            tests: vec!["f__returns_1".into()],
            errors: vec!["f__abort".into()],
            ..CmakeProgram::default()
        };
        for style in STYLES {
            let suite = CmakeSuite {
                style,
                flags: vec!["-DX=1".into()],
                libraries: Vec::new(),
                programs: vec![program.clone()],
            };
            let text = cmake(&suite);
            assert!(text.contains("OBJECT_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/../lib.c"), "{text}");
            assert!(text.contains("\"../my util.c\"") && text.contains("LABELS known-failure"), "{text}");
        }
    }
}
