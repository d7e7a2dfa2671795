//! The text form says all that matters: every test program is written, read and written again, and stays the same.

mod support;

use std::path::{Path, PathBuf};

use taw_ir::{Program, read_program, verify};
use taw_loader::load;

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of programs").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(programs(&path));
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn survives(program: &Program, path: &Path) {
    let text = program.to_string();
    let read = read_program(&text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", path.display()));
    verify(&read).unwrap_or_else(|broken| panic!("{}: {broken}", path.display()));
    let again = read.to_string();
    for (was, is) in text.lines().zip(again.lines()) {
        assert_eq!(was, is, "{}", path.display());
    }
    assert_eq!(text.len(), again.len(), "{}", path.display());
}

#[test]
fn every_program_survives_its_text_form() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let include =
        [format!("-I{}", root.join("runtime").display()), format!("-I{}", root.join("runtime/include").display())];
    let mut survived = 0;
    for (i, path) in programs(&root.join("tests/programs")).into_iter().enumerate() {
        // Every program at both levels takes minutes and says no more.
        let level = if i % 2 == 0 { "-O0" } else { "-O2" };
        let flags = [include[0].as_str(), include[1].as_str(), level];
        // Some need flags of their own; those that load are many.
        if let Ok(mut program) = load(&support::sources(&path, &flags)) {
            survives(&program, &path);
            taw_ir::promote(&mut program);
            survives(&program, &path);
            survived += 1;
        }
    }
    assert!(survived > 50, "only {survived} programs were loaded");
}
