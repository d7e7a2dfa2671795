//! From files to a program that can be explored: what the compiler is told, and what is remembered so as to build it natively.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use taw_ir::Origin;
use taw_loader::Sources;
use taw_report::{AskedConditions, EntryPoint, Marker, Places, Recipe, Source};
use taw_targets::AskedPlace;

use crate::conditions::ConditionTexts;
use crate::database::FileFlags;
use crate::harness::Harness;
use crate::stack::on_large_stack;
use crate::{Error, build, preconditions, runtime};

/// Errors that are looked for only on request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Check {
    /// Signed arithmetic that overflows.
    Overflow,
    /// Floats that do not fit the integer type they are converted to.
    FloatCast,
    /// Branching on, or addressing by, memory that was never written.
    Uninit,
    /// Heap memory that is not freed at exit.
    Leak,
}

impl Check {
    /// The name that output directories and the command line have for it.
    pub fn name(self) -> &'static str {
        match self {
            Check::Overflow => "overflow",
            Check::FloatCast => "float-cast",
            Check::Uninit => "uninit",
            Check::Leak => "leak",
        }
    }
}

/// How files become a program. The default is as clang would compile them, not optimised.
#[derive(Clone, Debug, Default)]
pub struct Compile {
    flags: Vec<String>,
    checks: Vec<Check>,
    harness: Option<Harness>,
    counts_library: bool,
    /// Whether comparisons that are returned, stored or passed on are conditions.
    counts_outcomes: bool,
    /// Flags of single files.
    own_flags: Vec<FileFlags>,
    /// C behind the last lines of files: what the user assumes.
    appendices: Vec<(PathBuf, String)>,
    /// C between the statements of files: conditions of places.
    conditions: ConditionTexts,
    colours: bool,
    warn: Option<fn(&str)>,
}

impl Compile {
    /// Adds flags for clang, in its spelling: `-O2`, `-m32`, `-Iinclude`, `-DN=4`.
    #[must_use]
    pub fn flags<S: Into<String>>(mut self, flags: impl IntoIterator<Item = S>) -> Self {
        self.flags.extend(flags.into_iter().map(Into::into));
        self
    }

    /// Adds flags for single files, before those for all.
    #[must_use]
    pub fn own_flags(mut self, own: impl IntoIterator<Item = FileFlags>) -> Self {
        self.own_flags.extend(own);
        self
    }

    /// Looks for these errors, too.
    #[must_use]
    pub fn checks(mut self, checks: impl IntoIterator<Item = Check>) -> Self {
        self.checks.extend(checks);
        self
    }

    /// Starts at an entry point that is there for another tool, by way of a generated `main`.
    #[must_use]
    pub fn harness(mut self, harness: Harness) -> Self {
        self.harness = Some(harness);
        self
    }

    /// Counts the C library's code in coverage too, and lets the search aim at it.
    #[must_use]
    pub fn count_library(mut self) -> Self {
        self.counts_library = true;
        self
    }

    /// Counts comparisons that are returned, stored or passed on as conditions with two outcomes.
    #[must_use]
    pub fn count_outcomes(mut self) -> Self {
        self.counts_outcomes = true;
        self
    }

    /// Has the compiler colour its messages, for a terminal.
    #[must_use]
    pub fn coloured(mut self) -> Self {
        self.colours = true;
        self
    }

    /// Who is told of the compiler's warnings, whole lines with their ends. Without this nobody is.
    #[must_use]
    pub fn on_warning(mut self, warn: fn(&str)) -> Self {
        self.warn = Some(warn);
        self
    }

    /// What clang is told: the flags, and what is between Taw and it.
    fn cflags(&self) -> Vec<String> {
        let mut cflags = self.flags.clone();
        // clang's messages pass through a pipe and would lose their colours.
        if self.colours {
            cflags.push("-fcolor-diagnostics".into());
        }
        cflags.extend(checks_in_the_code(&self.checks, &cflags));
        cflags
    }
}

/// The arithmetic that is checked on request is marked by the compiler, which alone knows what the program wrote: it folds
/// constants before there is any code, and an optimiser computes values that are not used.
fn checks_in_the_code(asked: &[Check], cflags: &[String]) -> Vec<String> {
    let wraps = cflags.iter().rev().find(|flag| ["-fwrapv", "-fno-wrapv"].contains(&flag.as_str()));
    let names = [(Check::Overflow, "signed-integer-overflow"), (Check::FloatCast, "float-cast-overflow")];
    let names = names.into_iter().filter(|(check, _)| asked.contains(check));
    let names = names.filter(|(check, _)| *check != Check::Overflow || wraps.is_none_or(|flag| flag != "-fwrapv"));
    let flags = names.flat_map(|(_, name)| [format!("-fsanitize={name}"), format!("-fsanitize-trap={name}")]);
    let flags: Vec<String> = flags.collect();
    // Each check keeps its own trap and place.
    let apart = ["-fno-sanitize-merge", "-fsanitize-debug-trap-reasons=none"].map(str::to_owned);
    if flags.is_empty() { flags } else { flags.into_iter().chain(apart).collect() }
}

/// A program that can be explored, and how it was made.
#[derive(Clone, Debug)]
pub struct Program {
    code: taw_ir::Program,
    files: Vec<PathBuf>,
    how: Compile,
    /// Where relative paths are meant.
    directory: PathBuf,
    /// The conditions that are asked in it, by number.
    asked: Vec<AskedPlace>,
}

impl Program {
    /// Compiles and links C and C++ sources, bitcode (`.bc`), LLVM assembly (`.ll`) and what `taw cc` has built.
    ///
    /// # Errors
    /// If there is no compiler, it refuses, or a file cannot be read.
    pub fn compile<P: Into<PathBuf>>(files: impl IntoIterator<Item = P>, how: &Compile) -> Result<Self, Error> {
        let files: Vec<PathBuf> = files.into_iter().map(Into::into).collect();
        let code = on_large_stack(|| load(&files, how))??;
        let directory = env::current_dir().map_err(Error::NoDirectory)?;
        Ok(Program { code, files, how: how.clone(), directory, asked: Vec::new() })
    }

    /// The same program with C behind the last lines of files.
    ///
    /// # Errors
    /// As [`Program::compile`].
    pub(crate) fn appended(&self, more: Vec<(PathBuf, String)>) -> Result<Self, Error> {
        let mut appendices = self.how.appendices.clone();
        for (file, text) in more {
            match appendices.iter_mut().find(|(known, _)| *known == file) {
                Some((_, known)) => known.push_str(&text),
                None => appendices.push((file, text)),
            }
        }
        // What there was to warn of has been said.
        let program = Self::compile(self.files.clone(), &Compile { appendices, warn: None, ..self.how.clone() })?;
        Ok(Program { asked: self.asked.clone(), ..program })
    }

    /// The same program with conditions between its statements, instead of others.
    ///
    /// # Errors
    /// As [`Program::compile`].
    pub(crate) fn asking(&self, conditions: ConditionTexts, asked: Vec<AskedPlace>) -> Result<Self, Error> {
        let program = Self::compile(self.files.clone(), &Compile { conditions, warn: None, ..self.how.clone() })?;
        Ok(Program { asked, ..program })
    }

    /// The names of its files, without their folders.
    pub(crate) fn file_names(&self) -> Vec<String> {
        let name = |file: &PathBuf| Some(file.file_name()?.to_string_lossy().into_owned());
        self.files.iter().filter_map(name).collect()
    }

    /// Its sources as they were compiled, for as long as `work` takes.
    pub(crate) fn with_sources<T>(&self, work: impl FnOnce(&Sources) -> T) -> Result<T, Error> {
        with_sources(&self.files, &self.how, work)
    }

    /// The conditions that are asked in it, by number.
    pub(crate) fn asked(&self) -> &[AskedPlace] {
        &self.asked
    }

    /// The file among those that were given in which a place is, if it is C.
    pub(crate) fn source_of(&self, loc: taw_ir::LocId) -> Option<&Path> {
        self.source_named(self.code.locs[loc].file)
    }

    /// The files among those that were given that end so and are C.
    pub(crate) fn sources_ending(&self, name: &str) -> Vec<&Path> {
        let name = name.strip_prefix("./").unwrap_or(name);
        let ends_so = |file: &&PathBuf| self.directory.join(file).ends_with(name) && is_c(file);
        self.files.iter().filter(ends_so).map(PathBuf::as_path).collect()
    }

    /// The file among those that were given that the code names so, if it is C.
    pub(crate) fn source_named(&self, file: taw_ir::FileId) -> Option<&Path> {
        let path = &self.code.files[file].path;
        let full = self.directory.join(path);
        let is_same =
            |file: &&PathBuf| self.directory.join(file) == full || file.canonicalize().ok() == full.canonicalize().ok();
        self.files.iter().filter(|file| is_c(file)).find(is_same).map(PathBuf::as_path)
    }

    /// The code.
    pub fn code(&self) -> &taw_ir::Program {
        &self.code
    }

    /// Its places in words; files below the directory in which it was compiled are named relative to that.
    pub fn places(&self) -> Places<'_> {
        Places::new(&self.code, self.directory.clone())
    }

    /// The directory in which it was compiled.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The generated entry, if there is one.
    pub(crate) fn harness(&self) -> Option<Harness> {
        self.how.harness
    }

    /// The name by which it is called: that of an executable, and a fixed one for what has none yet.
    pub(crate) fn name(&self) -> &OsStr {
        program_name(&self.files)
    }

    /// The checks, for the engine.
    pub(crate) fn checks(&self) -> taw_engine::Checks {
        let asked = |check| self.how.checks.contains(&check);
        taw_engine::Checks {
            overflow: asked(Check::Overflow),
            float_cast: asked(Check::FloatCast),
            in_the_code: self.files.iter().all(|file| taw_loader::is_source(file)),
            uninit: asked(Check::Uninit),
            leak: asked(Check::Leak),
        }
    }

    /// Whether it is compiled from source: natively by this machine's compiler, with its C library. What `taw cc` has built has ours.
    pub(crate) fn is_from_source(&self) -> bool {
        self.files.iter().any(|file| taw_loader::is_source(file))
    }

    /// Whether the code is, or may be, optimised.
    pub(crate) fn is_optimised(&self) -> bool {
        optimised(&self.files, &self.how.flags)
    }

    /// How to build it natively; what the session knows is left open.
    ///
    /// # Errors
    /// If a source has disappeared since it was compiled.
    pub(crate) fn recipe(&self, entries: &[String], markers: &[String]) -> Result<Recipe, Error> {
        let own = |path: &Path| self.how.own_flags.iter().find(|own| own.path == path);
        let flags = |path: &Path| own(path).map(|own| own.flags.clone()).unwrap_or_default();
        let read = |path: &PathBuf| Ok(Source { flags: flags(path), ..Source::read(&self.directory, path)? });
        let sources = self.files.iter().map(read);
        Ok(Recipe {
            directory: self.directory.clone(),
            sources: sources.collect::<io::Result<_>>().map_err(Error::SourceGone)?,
            stand_ins: None,
            addressed: Vec::new(),
            appendices: self.how.appendices.clone(),
            conditions: (!self.how.conditions.is_empty()).then(|| AskedConditions {
                declarations: taw_loader::CONDITION_FUNCTIONS.to_owned(),
                texts: self.how.conditions.clone(),
            }),
            generated: self.how.harness.map(Harness::source),
            cflags: self.how.flags.clone(),
            libraries: Vec::new(),
            entries: entries.iter().map(|entry| EntryPoint::of(&self.code, entry)).collect(),
            markers: markers.iter().map(|marker| Marker::of(&self.code, marker)).collect(),
            host: Vec::new(),
            checks: self.how.checks.iter().map(|check| check.name().to_owned()).collect(),
        })
    }
}

fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c")
}

/// The name by which a program of these files is called.
pub fn program_name(files: &[PathBuf]) -> &OsStr {
    match files {
        [file] if file.extension().is_none() => file.file_name().unwrap_or(OsStr::new("program")),
        _ => OsStr::new("program"),
    }
}

/// What is to be loaded, for as long as `work` takes.
fn with_sources<T>(files: &[PathBuf], how: &Compile, work: impl FnOnce(&Sources) -> T) -> Result<T, Error> {
    // Taw's headers, and the harness if there is one.
    let folder = runtime::include_folder()?;
    let harness = how.harness.map(|harness| harness.write(folder.path())).transpose().map_err(Error::Headers)?;
    let sources = Sources {
        files: files.iter().cloned().chain(harness).collect(),
        cflags: how.cflags(),
        own_flags: how.own_flags.iter().map(|own| (own.path.clone(), own.flags.clone())).collect(),
        appendices: how.appendices.clone(),
        conditions: how.conditions.clone(),
        runtime: runtime::modules(),
        sysroot: Some(runtime::sysroot().map_err(Error::Headers)?),
        include_dirs: vec![folder.path().into()],
        values: how.counts_outcomes,
        warn: Some(how.warn.unwrap_or(|_| {})),
    };
    Ok(work(&sources))
}

fn load(files: &[PathBuf], how: &Compile) -> Result<taw_ir::Program, Error> {
    let mut program = with_sources(files, how, taw_loader::load)??;
    taw_ir::promote(&mut program);
    preconditions::set_apart(&mut program);
    build::set_apart(&mut program);
    if how.counts_library {
        let libraries = program.functions.values_mut().filter(|function| function.origin == Origin::Library);
        libraries.for_each(|function| function.origin = Origin::CountedLibrary);
    }
    Ok(program)
}

/// Whether the code is, or may be, optimised: of sources the last `-O` decides, of bitcode nobody knows.
fn optimised(files: &[PathBuf], cflags: &[String]) -> bool {
    let bitcode = |file: &PathBuf| file.extension().is_some_and(|e| e == "bc" || e == "ll");
    files.iter().any(bitcode)
        || cflags.iter().rev().find_map(|flag| flag.strip_prefix("-O")).is_some_and(|level| level != "0")
}

#[cfg(test)]
mod tests {
    use super::optimised;
    use std::path::PathBuf;

    fn said(file: &str, cflags: &str) -> bool {
        optimised(&[PathBuf::from(file)], &cflags.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn the_last_level_of_optimisation_decides_of_sources() {
        assert!(said("a.c", "-O2") && said("a.c", "-O") && said("a.c", "-O0 -Os -m32"));
        assert!(!said("a.c", "-m32") && !said("a.c", "-O0") && !said("a.c", "-O2 -O0"));
    }

    #[test]
    fn bitcode_may_be_optimised() {
        assert!(said("a.bc", "-O0") && said("a.ll", ""));
    }
}
