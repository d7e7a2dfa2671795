//! `taw cc` and `taw c++`: clang, with bitcode in every object it makes.
//!
//! Clang runs once, with the user's words as they are and with its own input, output and messages. It logs the commands
//! that it runs; for each object that it has made, the front end's command is run a second time for unoptimised bitcode
//! with debug information ([`bitcode`]), which is put into a section of the object ([`taw_embed`]). If a program is
//! compiled and linked in one go, that happens between the two ([`linker`]).
//!
//! Boundary: knows clang's command line, not LLVM. Invariant: exit status, messages and files are those of clang, but for
//! the section; if there is no bitcode, the native result is there all the same, and the record says why.

mod bitcode;
mod embed;
mod linker;
mod log;
mod made;
mod request;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use linker::StopPipes;
use request::CompileRequest;

/// What programs are compiled with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Toolchain {
    /// The compiler.
    pub clang: PathBuf,
    /// A folder with `usr/include` and `usr/lib` of the C library that Taw carries; `None` for the host's library.
    pub sysroot: Option<PathBuf>,
}

/// What sources are if their names do not tell, and which libraries are linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C, with Taw's C library unless the command line says otherwise.
    C,
    /// C++, always with the host's libraries.
    Cxx,
}

/// The compiler to use: `$TAW_CLANG`, else `clang-VERSION` on the path, else where Debian installs it. Whether it runs, and
/// of which version it is, is not looked at: that would cost as much as a small compile.
pub fn find_clang(version: u32) -> Option<PathBuf> {
    match std::env::var("TAW_CLANG") {
        Ok(named) if !named.is_empty() => linker::on_path(&named),
        _ => linker::on_path(&format!("clang-{version}"))
            .or_else(|| linker::on_path(&format!("/usr/lib/llvm-{version}/bin/clang"))),
    }
}

/// Behaves as clang with these arguments, and embeds bitcode in the objects. The answer is the exit status of clang.
///
/// # Errors
/// If clang cannot be run, or there is no place for temporary files.
pub fn run(toolchain: &Toolchain, language: Language, args: &[OsString]) -> io::Result<u8> {
    let request = CompileRequest::of(args);
    let folder = taw_files::scratch("taw-cc-")?;
    let log = folder.path().join("log");
    let stdin = if request.reads_stdin { Some(keep_stdin(folder.path())?) } else { None };
    let linker = if request.links_sources { linker::find(args, &toolchain.clang) } else { None };
    let stop = linker.map(|linker| StopPipes::before(&linker, folder.path())).transpose()?;

    let mut command = Command::new(&toolchain.clang);
    command.args(own_words(toolchain, language, request, stop.as_ref())).args(user_words(args, stop.as_ref()));
    command.env("CC_PRINT_OPTIONS", "1").env("CC_PRINT_OPTIONS_FILE", &log);
    if let Some(stdin) = &stdin {
        command.stdin(File::open(stdin)?);
    }
    let mut child = command.spawn()?;
    let embed = || embed_what_was_made(&log, request, stdin.as_deref());
    let linked = stop.is_some_and(|stop| stop.started().meanwhile(embed));
    let status = child.wait()?;
    // Of several sources some may have been compiled though others were not.
    if !linked && status.code().is_some() {
        embed();
    }
    Ok(exit_code(status))
}

/// Puts bitcode into the objects that the logged commands have made.
fn embed_what_was_made(log: &Path, request: CompileRequest, stdin: Option<&Path>) {
    let jobs = log::parse(&String::from_utf8_lossy(&fs::read(log).unwrap_or_default()));
    if request.verbose {
        // Clang logs them instead of showing them.
        jobs.iter().for_each(|job| eprintln!("{job}"));
    }
    embed::into_objects(&jobs, stdin);
}

/// What comes before the user's words. None of it is worth a warning if it is not used.
fn own_words(
    toolchain: &Toolchain,
    language: Language,
    request: CompileRequest,
    stop: Option<&StopPipes>,
) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    if language == Language::Cxx {
        words.push("--driver-mode=g++".into());
    }
    words.push("--start-no-unused-arguments".into());
    if let (Some(sysroot), Language::C, false) = (&toolchain.sysroot, language, request.own_system) {
        words.extend(taw_musl::system(sysroot));
        words.extend(taw_musl::LINK.map(OsString::from));
        words.extend((!request.shared).then(|| taw_musl::PROGRAM.into()));
    }
    words.extend(stop.map(StopPipes::option));
    words.push("--end-no-unused-arguments".into());
    words
}

/// The user's words as they are, with two exceptions: the linker that they name is run by our script, and there is no
/// link-time optimisation, which would leave no objects to put anything into.
fn user_words(args: &[OsString], stop: Option<&StopPipes>) -> Vec<OsString> {
    let replaced = |word: &OsString| match (word.to_str()?, stop) {
        (text, Some(stop)) if text.starts_with("--ld-path=") => Some(stop.option()),
        (text, _) if text == "-flto" || text.starts_with("-flto=") => Some("-fno-lto".into()),
        _ => None,
    };
    args.iter().map(|word| replaced(word).unwrap_or_else(|| word.clone())).collect()
}

/// Standard input as a file, because it is read twice.
fn keep_stdin(folder: &Path) -> io::Result<PathBuf> {
    let path = folder.join("stdin");
    io::copy(&mut io::stdin().lock(), &mut File::create(&path)?)?;
    Ok(path)
}

/// As a shell tells it.
fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
