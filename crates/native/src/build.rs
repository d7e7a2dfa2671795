//! Builds the program of a [`Recipe`] natively, once per sanitizer.
//!
//! Each source is an object of its own, compiled in the recorded directory with the recorded flags, so that `__FILE__`
//! and relative includes mean what they meant when it was explored.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use taw_cage::hand_over;
use taw_files::{ExtendedSource, SourceAdditions, extend_source};
use tempfile::TempDir;

use crate::driver;
use crate::process::{Patience, said};
use crate::replayer::CoverageMode;
use taw_report::Recipe;

/// The compiler, and what of Taw's own goes into every native program.
#[derive(Clone, Debug)]
pub struct NativeToolchain {
    /// `clang`.
    pub clang: PathBuf,
    /// A folder with `taw.h` and its like.
    pub headers: PathBuf,
    /// The text of the replay library.
    pub library: &'static str,
    /// A folder with the C library that programs are explored with, for x86-64.
    pub sysroot: Option<PathBuf>,
}

/// What watches the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Instrumentation {
    /// AddressSanitizer, and the checks of UBSan for what Taw calls an error.
    Address,
    /// MemorySanitizer, which sees uses of uninitialised memory.
    Memory,
    /// Nobody but breakpoints, whose addresses must be those of the file.
    Route,
    /// Nobody but counters of lines.
    Counters,
    /// Nobody; the C library is the one that the program was explored with.
    Library,
}

/// Breakpoints, for a run that is watched on its way.
const ROUTE: &str = include_str!("../../../runtime/replay/route.c");

/// A program that can be started.
#[derive(Debug)]
pub(crate) struct Built {
    folder: TempDir,
    /// Whether covered lines can be told.
    pub coverage: CoverageMode,
    /// What the linker says of functions that are nowhere defined; a run that calls one crashes.
    pub missing: Option<String>,
}

impl Built {
    /// The executable.
    pub(crate) fn program(&self) -> PathBuf {
        self.folder.path().join("program")
    }
}

impl NativeToolchain {
    /// Where a tool of the compiler's is, if it is installed.
    pub(crate) fn tool(&self, name: &str) -> Option<PathBuf> {
        let output = Command::new(&self.clang).arg(format!("-print-prog-name={name}")).output().ok()?;
        let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        path.is_absolute().then_some(path)
    }

    /// Builds the program.
    ///
    /// # Errors
    /// What the compiler says, or why it could not be started.
    pub(crate) fn build(
        &self,
        recipe: &Recipe,
        watch: Instrumentation,
        coverage: CoverageMode,
        patience: &Patience,
    ) -> Result<Built, String> {
        let folder = taw_files::scratch("taw-native-").map_err(|error| format!("no folder to build in: {error}"))?;
        let generated = recipe.generated.as_ref().map(|text| (folder.path().join("generated.c"), text));
        if let Some((path, text)) = &generated {
            fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let given = recipe.sources.iter().map(|source| source.path.as_path());
        let sources: Vec<&Path> = given.chain(generated.iter().map(|(path, _)| path.as_path())).collect();
        // Bitcode has lost what maps counters to lines.
        let bitcode = sources.iter().any(|path| language(path) == SourceLanguage::Bitcode);
        let coverage = if bitcode { CoverageMode::No } else { coverage };
        let mut objects = Vec::new();
        for (index, source) in sources.iter().enumerate() {
            let object = folder.path().join(format!("{index}.o"));
            let extended = extended(recipe, source, watch, &object.with_extension("c"))?;
            said(self.compile(recipe, source, extended.as_ref(), &object, watch, coverage), patience)?;
            self.export(recipe, &object);
            objects.push(object);
        }
        let driver = driver::source(recipe);
        let mut own = vec![("replay", self.library), ("driver", &driver)];
        if watch == Instrumentation::Route {
            own.push(("route", ROUTE));
        }
        own.extend(recipe.stand_ins.iter().map(|text| ("stand_ins", text.as_str())));
        for (name, text) in own {
            let source = folder.path().join(format!("{name}.c"));
            let object = folder.path().join(format!("{name}.o"));
            fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
            let mut command = Command::new(&self.clang);
            command.args(["-c", "-O1", "-w"]).args(machine(recipe)).args(self.same_library(watch));
            command.arg("-o").arg(&object).arg(source);
            said(command, patience)?;
            objects.push(object);
        }
        let mut built = Built { folder, coverage, missing: None };
        if let Err(why) = said(self.link(recipe, &objects, &built, watch), patience) {
            // Taw runs programs with undefined functions up to the call of one.
            if !why.contains("undefined reference") {
                return Err(why);
            }
            let mut again = self.link(recipe, &objects, &built, watch);
            // A program that may lie anywhere cannot be loaded so.
            again.args(["-Wl,--unresolved-symbols=ignore-in-object-files", "-no-pie"]);
            said(again, patience).map_err(|_| why.clone())?;
            built.missing =
                why.lines().find_map(|line| line.split_once("undefined reference to ")).map(|(_, f)| f.to_owned());
        }
        hand_over(built.folder.path()).map_err(|error| format!("no folder to build in: {error}"))?;
        Ok(built)
    }

    fn compile(
        &self,
        recipe: &Recipe,
        source: &Path,
        extended: Option<&ExtendedSource>,
        object: &Path,
        watch: Instrumentation,
        coverage: CoverageMode,
    ) -> Command {
        let mut command = Command::new(&self.clang);
        command.current_dir(&recipe.directory).args(["-c", "-g", "-w", "-fno-omit-frame-pointer"]);
        if language(source) == SourceLanguage::Cxx {
            command.args(["--driver-mode=g++", "-fno-exceptions"]);
        }
        command.args(sanitizers(recipe, watch)).args(counters(coverage)).args(self.same_library(watch));
        if language(source) == SourceLanguage::Bitcode {
            command.args(machine(recipe));
        } else {
            command.args(extended.iter().flat_map(|extended| &extended.flags));
            command.args(recipe.own_flags(source)).args(&recipe.cflags).arg("-idirafter").arg(&self.headers);
        }
        let source = extended.map_or_else(|| as_file(source), |extended| extended.path.clone());
        command.arg("-o").arg(object).arg("--").arg(source);
        command
    }

    /// Whether the program can be built with the C library that it was explored with.
    pub(crate) fn has_library_of(&self, recipe: &Recipe) -> bool {
        let in_c = recipe.sources.iter().all(|source| language(&source.path) == SourceLanguage::C);
        let same_system = !recipe.all_flags().any(|flag| taw_musl::is_other_system(flag));
        in_c && self.sysroot.is_some() && recipe.libraries.is_empty() && same_system && machine(recipe).next().is_none()
    }

    fn same_library(&self, watch: Instrumentation) -> impl Iterator<Item = OsString> {
        let sysroot = self.sysroot.as_ref().filter(|_| watch == Instrumentation::Library);
        sysroot.into_iter().flat_map(|sysroot| taw_musl::system(sysroot))
    }

    /// Lets the driver use functions that are `static`. Where that is not possible, linking says so.
    fn export(&self, recipe: &Recipe, object: &Path) {
        if recipe.has_driver() {
            let first = recipe.entries.iter().flat_map(|entry| &entry.preconditions).map(|(name, _)| name);
            let functions = recipe.entries.iter().map(|entry| &entry.function).chain(first).chain(&recipe.addressed);
            self.globalize(functions.map(String::as_str), object);
        }
    }

    /// Lets other objects call functions that are `static`.
    fn globalize<'a>(&self, functions: impl Iterator<Item = &'a str>, object: &Path) {
        if let Some(tool) = self.tool("llvm-objcopy") {
            let symbols = functions.map(|function| format!("--globalize-symbol={function}"));
            let _ = Command::new(tool).args(symbols).arg(object).output();
        }
    }

    fn link(&self, recipe: &Recipe, objects: &[PathBuf], built: &Built, watch: Instrumentation) -> Command {
        let mut command = Command::new(&self.clang);
        command.current_dir(&recipe.directory);
        if recipe.sources.iter().any(|source| language(&source.path) == SourceLanguage::Cxx) {
            command.arg("--driver-mode=g++");
        }
        command.args(sanitizers(recipe, watch)).args(counters(built.coverage)).args(machine(recipe));
        command.args(self.same_library(watch));
        if watch == Instrumentation::Library {
            command.arg(taw_musl::PROGRAM).args(taw_musl::LINK);
        }
        if watch == Instrumentation::Route {
            command.arg("-no-pie");
        }
        if recipe.has_driver() {
            command.arg("-Wl,--wrap=main");
        }
        command.args(objects).args(libraries(recipe)).args(["-lm", "-o"]).arg(built.program());
        command
    }

    /// Builds another program, of which `main` is in `text` (as `__wrap_main`), in `folder`. It is linked with the recipe's
    /// libraries, and with the program itself if it is to call `functions` of it.
    ///
    /// # Errors
    /// What the compiler says, or why it could not be started.
    pub fn build_beside(
        &self,
        recipe: &Recipe,
        text: &str,
        functions: &[&str],
        folder: &Path,
        patience: &Patience,
    ) -> Result<PathBuf, String> {
        let mut objects = Vec::new();
        let sources = recipe.sources.iter().filter(|_| !functions.is_empty());
        for (index, source) in sources.enumerate() {
            let object = folder.join(format!("{index}.o"));
            said(
                self.compile(recipe, &source.path, None, &object, Instrumentation::Route, CoverageMode::No),
                patience,
            )?;
            self.globalize(functions.iter().copied(), &object);
            objects.push(object);
        }
        let (source, object, program) = (folder.join("main.c"), folder.join("main.o"), folder.join("program"));
        fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
        let mut command = Command::new(&self.clang);
        command.args(["-c", "-O1", "-w", "-fno-builtin"]).args(machine(recipe)).arg("-o").arg(&object).arg(source);
        said(command, patience)?;
        let mut command = Command::new(&self.clang);
        command.current_dir(&recipe.directory).args(machine(recipe)).arg("-Wl,--wrap=main").arg(&object);
        if !objects.is_empty() {
            // What else the program calls is not called here. A program that may lie anywhere cannot be loaded so.
            command.args(&objects).args(["-Wl,--unresolved-symbols=ignore-in-object-files", "-no-pie"]);
        }
        command.args(libraries(recipe)).args(["-lm", "-o"]).arg(&program);
        said(command, patience)?;
        hand_over(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(program)
    }
}

/// The source with what is added to it, if something is. Counters of lines know no other file than that which they are in: they do without.
/// Conditions are asked on routes only.
fn extended(
    recipe: &Recipe,
    source: &Path,
    watch: Instrumentation,
    path: &Path,
) -> Result<Option<ExtendedSource>, String> {
    let behind = recipe.appendices.iter().find(|(of, _)| of == source && watch != Instrumentation::Counters);
    let conditions = recipe.conditions.as_ref().filter(|_| watch == Instrumentation::Route);
    let between = conditions.and_then(|conditions| conditions.texts.iter().find(|(of, _)| of == source));
    if behind.is_none() && between.is_none() {
        return Ok(None);
    }
    let added = SourceAdditions {
        before: conditions.filter(|_| between.is_some()).map_or("", |conditions| &conditions.declarations),
        between: between.map_or(&[], |(_, texts)| texts),
        behind: behind.map_or("", |(_, text)| text),
    };
    let extended = extend_source(path, &recipe.directory, source, added);
    extended.map(Some).map_err(|error| format!("{}: {error}", path.display()))
}

/// Only what Taw calls an error too: the rest would end runs that Taw rightly continues.
fn sanitizers(recipe: &Recipe, watch: Instrumentation) -> Vec<String> {
    match watch {
        Instrumentation::Memory => vec!["-fsanitize=memory".into()],
        Instrumentation::Route | Instrumentation::Counters | Instrumentation::Library => Vec::new(),
        Instrumentation::Address => {
            let overflow = if recipe.checks("overflow") { ",signed-integer-overflow" } else { "" };
            let cast = if recipe.checks("float-cast") { ",float-cast-overflow" } else { "" };
            vec![
                format!("-fsanitize=address,integer-divide-by-zero,shift-exponent,unreachable{overflow}{cast}"),
                "-fno-sanitize-recover=all".into(),
                "-fsanitize-address-use-after-return=always".into(),
            ]
        }
    }
}

/// Counters in a mapped file, which the system keeps however the program ends.
fn counters(coverage: CoverageMode) -> &'static [&'static str] {
    match coverage {
        CoverageMode::Yes => &["-fprofile-instr-generate", "-fcoverage-mapping", "-fprofile-continuous"],
        CoverageMode::No => &[],
    }
}

/// The flags that decide for which machine code is made.
pub(crate) fn machine(recipe: &Recipe) -> impl Iterator<Item = &String> {
    recipe.all_flags().filter(|flag| flag.starts_with("-m") || flag.starts_with("--target="))
}

/// The libraries named among the flags, and those given as files, which are found at run time where they are now.
pub(crate) fn libraries(recipe: &Recipe) -> impl Iterator<Item = OsString> {
    let flags = recipe.cflags.iter().filter(|flag| flag.starts_with("-l") || flag.starts_with("-L"));
    let files = recipe.libraries.iter().flat_map(|library| {
        let path = recipe.directory.join(&library.path);
        let place = path.parent().unwrap_or(&recipe.directory).as_os_str().to_owned();
        // Word by word: `-Wl` would take a comma in the path for the end of it, and what follows for another option.
        let found_there = ["-Xlinker".into(), "-rpath".into(), "-Xlinker".into(), place];
        std::iter::once(as_file(&path).into_os_string()).chain(found_there)
    });
    flags.map(OsString::from).chain(files)
}

/// A path as clang takes it for a file: a word that begins with `@` names a file with flags.
pub(crate) fn as_file(path: &Path) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().starts_with(b"@") { Path::new(".").join(path) } else { path.to_owned() }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SourceLanguage {
    C,
    Cxx,
    Bitcode,
}

fn language(path: &Path) -> SourceLanguage {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i") => SourceLanguage::C,
        Some("cc" | "cpp" | "cxx" | "C" | "ii") => SourceLanguage::Cxx,
        _ => SourceLanguage::Bitcode,
    }
}
