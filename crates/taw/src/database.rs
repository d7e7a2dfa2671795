//! `compile_commands.json`: which files a build compiles, and with which flags.
//!
//! Flags are taken as far as they say what the C means. What a build needs for itself is left out (outputs, dependency files, warnings),
//! and so is what Taw decides in its own way: optimisation, debug information, sanitizers, counters, linking.
//! Paths among them are made absolute, so that they mean the same in any folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use taw_targets::nearest;

use crate::Error;

/// Its name, in the folder of a build.
const NAME: &str = "compile_commands.json";
/// The largest that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// The files of a build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileDatabase {
    path: PathBuf,
    files: Vec<FileFlags>,
}

/// A file with its flags.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFlags {
    /// Where it is; relative if it lies below the current directory.
    pub path: PathBuf,
    /// What the compiler is told.
    pub flags: Vec<String>,
}

/// A row as it is written.
#[derive(Deserialize)]
struct DatabaseRow {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// Flags that are left out with the word after them.
const WITH_NEXT: &[&str] = &["-o", "-MF", "-MT", "-MQ", "-MJ", "-x", "-Xlinker", "--serialize-diagnostics"];
/// Flags that are left out if they are just that.
const WHOLE: &[&str] =
    &["-c", "-S", "-E", "-MD", "-MMD", "-MP", "-M", "-MM", "-MG", "-pipe", "--coverage", "-coverage", "-p", "-pg"];
/// Flags that are left out if they begin so.
const STARTS: &[&str] = &[
    "-O",
    "-g",
    "-W",
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile",
    "-fcoverage",
    "-flto",
    "-fdiagnostics",
    "-fcolor",
    "-save-temps",
    "-fdebug-prefix-map",
    "-l",
    "-L",
];
/// Flags with a path, in the same word or the next.
const PATHS: &[&str] = &["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];

impl CompileDatabase {
    /// Reads one, or that of a folder.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let path = if path.is_dir() { path.join(NAME) } else { path.to_owned() };
        let fail = |why: String| Error::Database { path: path.clone(), why };
        let text = taw_files::read_regular(&path, LARGEST).map_err(|error| {
            fail(format!("{error}; `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` writes one, and `bear -- make`"))
        })?;
        let rows: Vec<DatabaseRow> = serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))?;
        let here = std::env::current_dir().map_err(Error::NoDirectory)?;
        let home = std::path::absolute(&path).unwrap_or_default().parent().map(Path::to_owned).unwrap_or_default();
        let mut files: Vec<FileFlags> = Vec::new();
        for row in rows {
            let words = if row.arguments.is_empty() { shlex::split(&row.command) } else { Some(row.arguments) };
            let words = words.ok_or_else(|| fail(format!("a command is not understood: {}", row.command)))?;
            let directory = home.join(&row.directory);
            let full = plain(&directory.join(&row.file));
            let flags = flags(&words, &row.file, &directory);
            let path = full.strip_prefix(plain(&here)).map_or(full.clone(), Path::to_owned);
            // A file that is compiled twice is taken as it is the first time.
            if taw_loader::is_source(&path) && !files.iter().any(|known| known.path == path) {
                files.push(FileFlags { path, flags });
            }
        }
        match files.is_empty() {
            true => Err(fail("it names no C file".to_owned())),
            false => Ok(CompileDatabase { path, files }),
        }
    }

    /// All files.
    pub fn files(&self) -> &[FileFlags] {
        &self.files
    }

    /// The flags of one file.
    ///
    /// # Errors
    /// If it is not there.
    pub fn flags_of(&self, file: &Path) -> Result<&[String], Error> {
        let is_same =
            |known: &&FileFlags| known.path == file || known.path.canonicalize().ok() == file.canonicalize().ok();
        if let Some(known) = self.files.iter().find(is_same) {
            return Ok(&known.flags);
        }
        let names: Vec<String> = self.files.iter().map(|known| known.path.display().to_string()).collect();
        let near = nearest(&file.display().to_string(), names.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let why = format!("it has no command for `{}` (of {} files){near}", file.display(), names.len());
        Err(Error::Database { path: self.path.clone(), why })
    }
}

/// What is left of a command for a file.
fn flags(words: &[String], file: &Path, directory: &Path) -> Vec<String> {
    let absolute = |path: &str| plain(&directory.join(path)).display().to_string();
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        if WITH_NEXT.contains(&word) {
            words.next();
        } else if let Some(start) = PATHS.iter().find(|start| word.starts_with(**start)) {
            let rest = &word[start.len()..];
            let path = if rest.is_empty() { words.next().unwrap_or_default() } else { rest };
            // A header may also be found by the folders.
            let by_name = ["-include", "-imacros"].contains(start) && !directory.join(path).exists();
            let path = if by_name || path.starts_with('=') { path.to_owned() } else { absolute(path) };
            flags.extend([(*start).to_owned(), path]);
        } else if ["-D", "-U"].contains(&word) {
            flags.extend([word.to_owned(), words.next().unwrap_or_default().to_owned()]);
        } else if word.starts_with('-')
            && word != "--"
            && !WHOLE.contains(&word)
            && !STARTS.iter().any(|start| word.starts_with(start))
            && Path::new(word) != file
        {
            flags.push(word.to_owned());
        }
    }
    flags
}

/// A path without `.` and, as far as its names tell, without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if plain.file_name().is_some() => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_what_the_c_means_is_left() {
        let command = "cc -c -O2 -g -Wall -Werror -DX=1 -D 'Y=\"a b\"' -Iinc -I ../up -isystem /usr/i -std=c99 -m32 -fwrapv -MD -MF x.d -fsanitize=address -o x.o ./a.c";
        let left = flags(&shlex::split(command).unwrap(), Path::new("./a.c"), Path::new("/b/c"));
        let wanted = [
            "-DX=1",
            "-D",
            "Y=\"a b\"",
            "-I",
            "/b/c/inc",
            "-I",
            "/b/up",
            "-isystem",
            "/usr/i",
            "-std=c99",
            "-m32",
            "-fwrapv",
        ];
        assert_eq!(left, wanted);
    }
}
