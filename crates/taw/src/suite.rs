//! Tests of output directories, to be run again: all that was named is read and checked before anything is built.
//!
//! Somebody else may have written an output directory: nothing in it is trusted that could run code before the cage is closed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use taw_native::untrusted_flag;
use taw_report::{CommandRecord, Recipe, TestFile};

use crate::Error;

/// The tests of one output directory.
#[derive(Clone, Debug)]
pub struct Suite {
    /// How to build their program, which is still the one that was explored.
    pub recipe: Recipe,
    /// Where each lies, and what it says.
    pub tests: Vec<(PathBuf, TestFile)>,
}

/// Reads output directories and single tests of them, by directory. Flags for the compiler that could do anything must be among the
/// `trusted`.
///
/// # Errors
/// If something that is named is no test, contradicts itself, or is of a program that has changed.
pub fn read_suites(paths: &[PathBuf], trusted: &[String]) -> Result<BTreeMap<PathBuf, Suite>, Error> {
    let mut suites: BTreeMap<PathBuf, Suite> = BTreeMap::new();
    for path in paths {
        let (dir, files) =
            if path.is_dir() { (path.clone(), tests_in(path)?) } else { (home(path)?, vec![path.clone()]) };
        for file in files {
            let test = read(&file)?;
            if !suites.contains_key(&dir) {
                suites.insert(dir.clone(), Suite { recipe: recipe(&dir, trusted)?, tests: Vec::new() });
            }
            if let Some(suite) = suites.get_mut(&dir) {
                suite.tests.push((file, test));
            }
        }
    }
    Ok(suites)
}

fn read(path: &Path) -> Result<TestFile, Error> {
    let test = TestFile::read(path)?;
    test.check().map_err(|why| Error::UnsoundTest { path: path.into(), why })?;
    Ok(test)
}

/// The tests of an output directory, in order.
fn tests_in(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(dir.join("tests"));
    let paths = entries.and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect());
    let mut paths: Vec<PathBuf> =
        paths.map_err(|error: io::Error| Error::NoOutputDirectory { dir: dir.into(), error })?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    Ok(paths)
}

/// The output directory that a test lies in.
fn home(test: &Path) -> Result<PathBuf, Error> {
    let full = test.canonicalize().map_err(|error| Error::NoTest { path: test.into(), error })?;
    let dir = full.parent().and_then(Path::parent).filter(|dir| dir.join("command.json").is_file());
    dir.map(Path::to_owned).ok_or_else(|| Error::Homeless(test.into()))
}

/// Flags for the compiler that may do anything are passed on only if the user says them again.
///
/// # Errors
/// If there is one that the user has not `said`.
pub fn trusted(flags: &[String], said: &[String]) -> Result<(), Error> {
    match untrusted_flag(flags, said) {
        None => Ok(()),
        Some(flag) => Err(Error::UntrustedFlag { flag: flag.to_owned() }),
    }
}

/// How to build the program of an output directory, which must still be the one that was explored.
fn recipe(dir: &Path, said: &[String]) -> Result<Recipe, Error> {
    let recipe = CommandRecord::read(dir).map_err(Error::Command)?.program;
    trusted(&recipe.all_flags().cloned().collect::<Vec<_>>(), said)?;
    let changes = recipe.changes();
    if changes.is_empty() { Ok(recipe) } else { Err(Error::Changed(changes)) }
}
