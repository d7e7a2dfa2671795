//! Loading for tests, and the truth to compare with: the native program.
#![allow(dead_code, reason = "each test file uses a part")]

pub mod machine;

use std::path::{Path, PathBuf};
use std::process::Command;

use taw_ir::Program;
use taw_loader::{Clang, LoadError, Sources, load};
use tempfile::TempDir;

/// A folder with one source.
pub struct Source {
    pub folder: TempDir,
    pub path: PathBuf,
}

pub fn source(name: &str, content: impl AsRef<[u8]>) -> Source {
    let folder = TempDir::new().expect("a folder for the test");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("the source is written");
    Source { folder, path }
}

pub fn sources(path: &Path, flags: &[&str]) -> Sources {
    Sources { files: vec![path.into()], cflags: flags.iter().map(ToString::to_string).collect(), ..Sources::default() }
}

pub fn try_load(name: &str, content: impl AsRef<[u8]>, flags: &[&str]) -> Result<Program, LoadError> {
    let source = source(name, content);
    load(&sources(&source.path, flags))
}

pub fn loaded(name: &str, content: &str, flags: &[&str]) -> Program {
    try_load(name, content, flags).unwrap_or_else(|error| panic!("{name} does not load: {error}"))
}

/// What is said of a program that does not load.
pub fn message(result: Result<Program, LoadError>) -> String {
    match result {
        Ok(program) => panic!("it loads:\n{program}"),
        Err(error) => error.to_string(),
    }
}

/// Bitcode of a small program: always the same bytes, whatever the folder.
pub fn bitcode(flags: &[&str]) -> Vec<u8> {
    let source = source("made.c", "int main(int argc, char **argv) { return argc > 3 ? argv[1][0] : 7; }");
    let clang = Clang::find().expect("clang is part of the set-up");
    let mut command = Command::new(clang.path());
    command.current_dir(source.folder.path()).args(["-g", "-fdebug-compilation-dir=.", "-c", "-emit-llvm"]);
    assert!(command.args(flags).args(["made.c", "-o", "made.bc"]).status().expect("clang runs").success());
    std::fs::read(source.folder.path().join("made.bc")).expect("clang wrote it")
}

/// The text of one function.
pub fn function(program: &Program, name: &str) -> String {
    let text = program.to_string();
    let start = text.find(&format!("func @{name}(")).unwrap_or_else(|| panic!("no function {name} in\n{text}"));
    let end = text[start..].find("\n}\n").expect("a function ends");
    text[start..start + end + 3].to_string()
}

/// What the native program prints; `None` if it does not end within seconds, or crashes (an endless loop without effect is
/// undefined, and optimised code runs past it).
pub fn native(path: &Path, flags: &[&str]) -> Option<String> {
    let folder = TempDir::new().expect("a folder for the test");
    let program = folder.path().join("program");
    let clang = Clang::find().expect("clang is part of the set-up");
    let status = Command::new(clang.path()).args(flags).arg(path).arg("-o").arg(&program).arg("-lm").status();
    assert!(status.expect("clang runs").success(), "{} does not compile natively", path.display());
    let output = Command::new("timeout").arg("2").arg(&program).output().expect("the program runs");
    (output.status.code().is_some_and(|code| code < 124)).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Loads and runs a program, with locals in memory and in registers, and compares with the native run. False if one of
/// the two takes too long.
#[must_use]
pub fn same_as_native(path: &Path, flags: &[&str]) -> bool {
    let Some(expected) = native(path, flags) else { return false };
    let mut program = load(&sources(path, flags)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Some(in_memory) = machine::run(&program) else { return false };
    assert_eq!(in_memory, expected, "{} {flags:?}", path.display());
    taw_ir::promote(&mut program);
    taw_ir::verify(&program).unwrap_or_else(|broken| panic!("promotion broke it: {broken}"));
    let in_registers = machine::run(&program);
    assert_eq!(in_registers, Some(expected), "{} {flags:?} with promoted locals", path.display());
    true
}
