//! From files to modules in memory: sources are compiled by `clang`, one process per file, all others are read. What
//! `taw cc` has built holds modules itself (`embedded`).
//!
//! The default code generation is that of `-O1` with all passes switched off: it has lifetime markers (for use after
//! scope) and no `optnone`, and every source line keeps its instructions. The macros that tell optimised from unoptimised
//! builds are set as for `-O0`, so that system headers behave the same.

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use taw_files::{ExtendedSource, SourceAdditions, extend_source};

use crate::{Clang, LoadError, Sources, embedded};

/// A module that is not yet parsed.
pub struct Unit {
    /// The file it came from, for messages.
    pub name: String,
    /// Bitcode or textual IR.
    pub content: ModuleContent,
    /// Who made it.
    pub maker: Maker,
}

/// Where a module comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Maker {
    /// The compiler that we have run, now or as `taw cc`.
    OurCompiler,
    /// By a compiler that is not known.
    Unknown,
}

/// The content of a module file.
pub enum ModuleContent {
    /// LLVM bitcode, as read.
    Bitcode(Vec<u8>),
    /// Textual IR.
    Text(Vec<u8>),
}

/// Of a file of the program, in bytes.
const LARGEST: u64 = 4 << 30;

const UNOPTIMISED: [&str; 5] = ["-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-D__NO_INLINE__"];

/// What a source with conditions in it calls: the first says whether anybody asks, the second gives the answer; it returns zero.
pub const CONDITION_FUNCTIONS: &str = "int taw_place_ask(int); int taw_place_tell(int, int);\n";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputLanguage {
    C,
    Cxx,
}

/// Everything the files hold, in their order. Several compilers run at a time, but at most one per processor.
pub fn inputs(sources: &Sources) -> Result<Vec<Unit>, LoadError> {
    if sources.files.is_empty() {
        return Err(LoadError::NoInput);
    }
    // Existence first: a missing file should not be reported after the compile errors of another.
    for path in &sources.files {
        taw_files::open_regular(path).map_err(|error| LoadError::Unreadable { path: path.clone(), error })?;
    }
    let compiled = compile_all(sources)?;
    let mut all = Vec::new();
    for (path, bitcode) in sources.files.iter().zip(compiled) {
        all.extend(units(sources, path, bitcode)?);
    }
    Ok(all)
}

/// The modules of one file: what it was compiled to, what is embedded in it, or itself.
fn units(sources: &Sources, path: &Path, bitcode: Option<Vec<u8>>) -> Result<Vec<Unit>, LoadError> {
    let name = path.display().to_string();
    if let Some(bitcode) = bitcode {
        return Ok(vec![Unit { name, content: ModuleContent::Bitcode(bitcode), maker: Maker::OurCompiler }]);
    }
    let bytes =
        taw_files::read_regular(path, LARGEST).map_err(|error| LoadError::Unreadable { path: path.into(), error })?;
    if let Some(embedded) = embedded::units(sources, path, &bytes) {
        return embedded;
    }
    Ok(vec![Unit { name, content: classify(path, bytes)?, maker: Maker::Unknown }])
}

fn language(path: &Path) -> Option<InputLanguage> {
    match path.extension().and_then(OsStr::to_str)? {
        "c" | "i" => Some(InputLanguage::C),
        "cc" | "cpp" | "cxx" | "C" | "ii" => Some(InputLanguage::Cxx),
        _ => None,
    }
}

/// Whether the loader compiles the file.
pub fn is_source(path: &Path) -> bool {
    language(path).is_some()
}

/// By content first (an object file of a link-time-optimised build is bitcode), then by name.
fn classify(path: &Path, bytes: Vec<u8>) -> Result<ModuleContent, LoadError> {
    let kind = match bytes.get(..4) {
        Some(b"BC\xC0\xDE" | b"\xDE\xC0\x17\x0B") => return Ok(ModuleContent::Bitcode(bytes)),
        _ if path.extension().is_some_and(|e| e == "ll") => return Ok(ModuleContent::Text(bytes)),
        _ if bytes.is_empty() => "empty",
        _ if path.extension().is_some_and(|e| e == "bc") => "not bitcode, though it is named so",
        _ => "of an unknown kind",
    };
    Err(LoadError::WrongKind { path: path.into(), kind })
}

/// One compiler at work.
struct CompilerJob<'a> {
    index: usize,
    source: &'a Path,
    output: PathBuf,
    child: Child,
}

/// For each file its bitcode if it is a source. The first file in order that fails gives the error.
fn compile_all(sources: &Sources) -> Result<Vec<Option<Vec<u8>>>, LoadError> {
    let mut done: Vec<Option<Vec<u8>>> = sources.files.iter().map(|_| None).collect();
    let work: Vec<_> = sources.files.iter().enumerate().filter_map(|(i, p)| Some((i, p, language(p)?))).collect();
    if work.is_empty() {
        return Ok(done);
    }
    let clang = Clang::find()?;
    let broken = |error| LoadError::ClangFailed { path: clang.path().into(), error };
    let folder = taw_files::scratch("taw-").map_err(broken)?;
    let width = std::thread::available_parallelism().map_or(1, usize::from);
    for batch in work.chunks(width) {
        let jobs = batch.iter().map(|&(index, source, language)| {
            let output = folder.path().join(format!("{index}.bc"));
            let extended = extended(sources, source, &output.with_extension("c"))?;
            let to_bitcode = ["-emit-llvm".as_ref(), "-c".as_ref(), "-o".as_ref(), output.as_os_str()];
            let child = command(&clang, sources, source, extended.as_ref(), language, &to_bitcode).spawn()?;
            Ok(CompilerJob { index, source, output, child })
        });
        // Start all before waiting for any.
        let jobs = jobs.collect::<Vec<_>>();
        let results = jobs.into_iter().map(|job| finish(job.map_err(broken)?, &clang, sources)).collect::<Vec<_>>();
        for result in results {
            let (index, bitcode) = result?;
            done[index] = Some(bitcode);
        }
    }
    Ok(done)
}

/// The source with what is added to it, if something is.
pub(crate) fn extended(sources: &Sources, source: &Path, path: &Path) -> io::Result<Option<ExtendedSource>> {
    let behind = sources.appendices.iter().find(|(of, _)| of == source).map(|(_, text)| text.as_str());
    let between = sources.conditions.iter().find(|(of, _)| of == source).map(|(_, texts)| &texts[..]);
    if behind.is_none() && between.is_none() {
        return Ok(None);
    }
    let before = if between.is_some() { CONDITION_FUNCTIONS } else { "" };
    let added = SourceAdditions { before, between: between.unwrap_or_default(), behind: behind.unwrap_or_default() };
    extend_source(path, &env::current_dir()?, source, added).map(Some)
}

/// The command that makes something of a source; `made` says what.
pub(crate) fn command(
    clang: &Clang,
    sources: &Sources,
    source: &Path,
    extended: Option<&ExtendedSource>,
    language: InputLanguage,
    made: &[&OsStr],
) -> Command {
    let own = sources.own_flags.iter().filter(|(of, _)| of == source).flat_map(|(_, flags)| flags);
    let flags: Vec<&String> = own.chain(&sources.cflags).collect();
    let mut command = Command::new(clang.path());
    if language == InputLanguage::Cxx {
        command.arg("--driver-mode=g++").arg("-fno-exceptions");
    }
    if let Some(sysroot) = &sources.sysroot
        && language == InputLanguage::C
        && !flags.iter().any(|flag| taw_musl::is_other_system(flag))
    {
        command.args(taw_musl::system(sysroot));
    }
    command.args(["-g", "-fno-discard-value-names"]);
    // Its words go through a pipe, but are meant for the same eyes.
    if std::io::stderr().is_terminal() {
        command.arg("-fcolor-diagnostics");
    }
    if !flags.iter().any(|flag| flag.starts_with("-O")) {
        command.args(UNOPTIMISED);
    }
    // What was preprocessed has no use for half of these words.
    if source.extension().is_some_and(|extension| extension == "i" || extension == "ii") {
        command.arg("-Qunused-arguments");
    }
    command.args(extended.iter().flat_map(|extended| &extended.flags)).args(&flags);
    for dir in &sources.include_dirs {
        command.arg("-idirafter").arg(dir);
    }
    // A word that begins with `@` would name a file with flags.
    let named = source.as_os_str().as_encoded_bytes().starts_with(b"@").then(|| Path::new(".").join(source));
    let source = extended.map_or(named.as_deref().unwrap_or(source), |extended| &extended.path);
    command.args(made).arg("--").arg(source);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn finish(job: CompilerJob<'_>, clang: &Clang, sources: &Sources) -> Result<(usize, Vec<u8>), LoadError> {
    let broken = |error| LoadError::ClangFailed { path: clang.path().into(), error };
    let output = job.child.wait_with_output().map_err(broken)?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        let stderr = if stderr.is_empty() { format!("clang ended with {}", output.status) } else { stderr };
        return Err(LoadError::Compile { path: job.source.into(), stderr });
    }
    sources.warn(&stderr);
    Ok((job.index, fs::read(&job.output).map_err(broken)?))
}
