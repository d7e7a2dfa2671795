//! Runs `tests/filetests/**/*.taw`: programs in the text form, each with what is asked about it and what must be answered.
//!
//! Nothing is spawned: no compiler, no binary of ours. `tests/README.md` says what may be asked. `TAW_BLESS=1` writes the
//! answers of now into the files; read what has changed before you keep it.
//!
//! Beside its questions every file is checked for what holds of all: written and read again it is the same text, and promotion
//! keeps the invariants of the program.

mod analyses;
mod answer;
mod drive;
mod explored;
mod file;
mod single;
mod sliced;

use std::path::{Path, PathBuf};
use std::{env, fs};

use libtest_mimic::{Arguments, Failed, Trial};
use similar::TextDiff;
use taw_ir::{Program, read_program, verify};

use file::{FileTest, Question};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/filetests");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    paths.sort();
    let trial = |path: PathBuf| {
        let name = path.strip_prefix(&root).expect("below the root").with_extension("").display().to_string();
        Trial::test(name, move || run(&path).map_err(Failed::from))
    };
    libtest_mimic::run(&Arguments::from_args(), paths.into_iter().map(trial).collect()).exit();
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder of the filetests").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|e| e == "taw") {
            paths.push(path);
        }
    }
}

fn run(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let test = FileTest::read(&text)?;
    if test.fixme.is_some() {
        let passes = answers(&test).is_ok_and(|answers| test.with_answers(&answers) == text);
        return if passes { Err("it is said to fail, and passes: take the `fixme` away".to_owned()) } else { Ok(()) };
    }
    let answers = answers(&test)?;
    let now = test.with_answers(&answers);
    if now == text {
        return Ok(());
    }
    if env::var_os("TAW_BLESS").is_some() {
        return fs::write(path, now).map_err(|error| error.to_string());
    }
    let diff = TextDiff::from_lines(&text, &now);
    Err(format!("{}", diff.unified_diff().context_radius(2).header("expected", "answered")))
}

/// The answers to all questions of a file, in order.
fn answers(test: &FileTest) -> Result<Vec<Vec<String>>, String> {
    let checked = read_program(&test.program).map_err(|error| error.to_string()).and_then(|program| {
        same_when_read_again(&program)?;
        verify(&program).map_err(|error| error.to_string())?;
        Ok(program)
    });
    let answer = |question: &Question| match (question.command.as_str(), &checked) {
        ("verify", Ok(_)) => Ok(vec!["right".to_owned()]),
        ("verify", Err(why)) => Ok(vec![why.clone()]),
        (_, Err(why)) => Err(why.clone()),
        (_, Ok(program)) => {
            keeps_invariants_when_promoted(program)?;
            analyses::answer(test, program, question)
        }
    };
    test.questions().map(|q| answer(q).map_err(|why| format!("line {}: {}: {why}", q.line, q.command))).collect()
}

fn same_when_read_again(program: &Program) -> Result<(), String> {
    let text = program.to_string();
    let again = read_program(&text).map_err(|error| format!("what was written cannot be read: {error}\n{text}"))?;
    let again = again.to_string();
    if again == text {
        return Ok(());
    }
    let diff = TextDiff::from_lines(&text, &again).unified_diff().context_radius(1).to_string();
    Err(format!("written and read again it is another program:\n{diff}"))
}

fn keeps_invariants_when_promoted(program: &Program) -> Result<(), String> {
    let mut promoted = program.clone();
    taw_ir::promote(&mut promoted);
    verify(&promoted).map_err(|error| format!("promotion has broken it: {error}"))
}
