//! The files of a suite: whose they are, and how they are written.
//!
//! Invariant: nothing is written if one file would replace what is not Taw's.

use std::fs;
use std::path::{Component, Path, PathBuf};

use taw_files::write_atomically;
use taw_report::suite::{CmakeProgram, CmakeSuite, MARKER, SuiteTest, cmake};

use super::assemble::{Assembled, SourceTests, Surround};
use super::options::TestArgs;
use crate::failure::Failure;
use crate::settings;

/// Most of a file that is read to see whose it is.
const BEGINNING: usize = 400;

/// Files to be written: name and text.
pub(crate) type SuiteTexts = Vec<(String, String)>;

/// The texts of a suite.
pub(crate) fn texts(around: &Surround<'_>, assembled: &Assembled) -> SuiteTexts {
    let (args, style) = (around.args, around.args.style());
    let mut texts = Vec::new();
    let mut programs = Vec::new();
    for source in &assembled.sources {
        let include = relative(&args.out, &source.source);
        let tests: Vec<&SuiteTest> = source.tests.iter().map(|(_, found)| &found.test).collect();
        let errors: Vec<&SuiteTest> = source.errors.iter().map(|(_, test)| test).collect();
        programs.push(program(around, source, include.clone(), &tests, &errors));
        if !tests.is_empty() {
            let file = around.file(&source.stem, include.clone(), tests);
            texts.push((format!("{}.c", source.stem), file.text(style)));
            texts.extend(file.beside(style).map(|(ending, text)| (format!("{}{ending}", source.stem), text)));
        }
        if !errors.is_empty() {
            let stem = format!("{}_errors", source.stem);
            texts.push((format!("{stem}.c"), around.file(&stem, include, errors).errors()));
        }
    }
    let libraries = |flag: &String| flag.starts_with("-l") || flag.starts_with("-L");
    let (linked, flags): (Vec<String>, Vec<String>) =
        flags(args, settings::cflags(&args.compile)).into_iter().partition(libraries);
    texts.push(("CMakeLists.txt".to_owned(), cmake(&CmakeSuite { style, flags, libraries: linked, programs })));
    texts
}

fn program(
    around: &Surround<'_>,
    source: &SourceTests,
    include: String,
    tests: &[&SuiteTest],
    errors: &[&SuiteTest],
) -> CmakeProgram {
    let args = around.args;
    let own = |path: &PathBuf| {
        let known = args.compile.own_flags.iter().find(|own| own.path == *path);
        flags(args, known.map(|own| own.flags.clone()).unwrap_or_default())
    };
    let others = args.files.iter().filter(|path| **path != source.source);
    CmakeProgram {
        stem: source.stem.clone(),
        source: include,
        own_flags: own(&source.source),
        others: others.map(|path| (relative(&args.out, path), own(path))).collect(),
        has_main: around.has_main,
        tests: tests.iter().map(|test| test.name.clone()).collect(),
        errors: errors.iter().map(|test| test.name.clone()).collect(),
    }
}

/// Flags as they mean the same in the folder of the suite: folders are relative to it.
fn flags(args: &TestArgs, flags: Vec<String>) -> Vec<String> {
    let moved = |flag: String| {
        let folder = ["-I", "-L"].iter().find_map(|option| Some((*option, flag.strip_prefix(option)?)));
        match folder.filter(|(_, folder)| !folder.is_empty()) {
            Some((option, folder)) => {
                format!("{option}${{CMAKE_CURRENT_SOURCE_DIR}}/{}", relative(&args.out, Path::new(folder)))
            }
            None => flag,
        }
    };
    flags.into_iter().map(moved).collect()
}

/// Writes the files, if all that they replace is Taw's; and removes those of an earlier suite of the same sources.
pub(crate) fn write(out: &Path, texts: &SuiteTexts, stems: &[String]) -> Result<(), Failure> {
    let at = |error: std::io::Error, path: &Path| Failure::Message(format!("{}: {error}", path.display()));
    let foreign = texts.iter().map(|(name, _)| out.join(name)).find(|path| path.exists() && !is_ours(path));
    if let Some(path) = foreign {
        return Err(Failure::Message(format!(
            "`{}` was not written by Taw and is not replaced; choose another folder with --out",
            path.display()
        )));
    }
    fs::create_dir_all(out).map_err(|error| at(error, out))?;
    for stem in stems {
        for old in ["_errors.c", ".c", ".cc"].map(|ending| format!("{stem}{ending}")) {
            let path = out.join(&old);
            if !texts.iter().any(|(name, _)| *name == old) && path.exists() && is_ours(&path) {
                fs::remove_file(&path).map_err(|error| at(error, &path))?;
            }
        }
    }
    for (name, text) in texts {
        let path = out.join(name);
        write_atomically(&path, text.as_bytes()).map_err(|error| at(error, &path))?;
    }
    Ok(())
}

/// Whether a file has Taw's marker.
pub(crate) fn is_ours(path: &Path) -> bool {
    let text = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&text[..text.len().min(BEGINNING)]).contains(MARKER)
}

/// A path as seen from a folder, which need not exist.
pub(crate) fn relative(folder: &Path, path: &Path) -> String {
    let (folder, path) = (whole(folder), whole(path));
    let shared = folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = path.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// An absolute path without links as far as it exists, and without `..`.
fn whole(path: &Path) -> PathBuf {
    if let Ok(full) = path.canonicalize() {
        return full;
    }
    let from = if path.is_absolute() { PathBuf::new() } else { std::env::current_dir().unwrap_or_default() };
    let mut full = from.canonicalize().unwrap_or(from);
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = full.pop(),
            other => full.push(other),
        }
    }
    full
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_suite() {
        assert_eq!(relative(Path::new("/nowhere/a/tests"), Path::new("/nowhere/a/lib.c")), "../lib.c");
        assert_eq!(relative(Path::new("/nowhere/a"), Path::new("/nowhere/b/../c/lib.c")), "../c/lib.c");
    }
}
