//! `--emit`: what was kept of a run, in the formats of other tools.

use std::fs;
use std::path::{Path, PathBuf};

use taw_ir::Program;
use taw_report::{FileCoverage, FindingRecord, FinishedRun, FormatDef, FormatError, NamedTest, TestFile};

use crate::args::{HarnessArg, RunArgs};
use crate::failure::Failure;
use crate::settings;
use crate::style::WARNING;
use crate::terminal;

/// The replay library and what it includes, for native builds.
const SUPPORT: [(&str, &str); 3] = [
    ("replay.c", include_str!("../../../runtime/replay/replay.c")),
    ("taw.h", include_str!("../../../runtime/taw.h")),
    ("klee/klee.h", include_str!("../../../runtime/include/klee/klee.h")),
];

/// What a run left, for the formats.
pub(crate) struct Left<'a> {
    pub program: &'a Program,
    /// The functions at which paths started.
    pub entries: &'a [String],
    /// What is called before them.
    pub preconditions: &'a [taw_engine::Precondition],
    /// C that stands in for functions which are defined nowhere.
    pub stand_ins: Option<&'a str>,
    pub coverage: &'a [FileCoverage],
    pub findings: &'a [FindingRecord],
    /// The output directory.
    pub dir: &'a Path,
    /// The tests that were kept, relative to it.
    pub kept: &'a [String],
}

/// Writes every format that is asked for. What cannot be said in a format is a warning: the run itself is done.
pub(crate) fn emit(args: &RunArgs, left: &Left<'_>) -> Result<(), Failure> {
    let mut formats: Vec<&str> = args.output.emit.iter().map(String::as_str).collect();
    // The fuzzer reads raw files only.
    if args.harness == Some(HarnessArg::Libfuzzer) && !formats.contains(&"corpus") {
        formats.push("corpus");
    }
    if formats.is_empty() {
        return Ok(());
    }
    let harness = settings::harness(args).map(taw::Harness::source);
    let mut support = SUPPORT.to_vec();
    if let Some(text) = &harness {
        support.push((taw::Harness::FILE, text));
    }
    support.extend(left.stand_ins.map(|text| (taw::STAND_INS_FILE, text)));
    let suite = FinishedRun {
        program: left.program,
        tests: left.kept.iter().map(|name| named(left.dir, name)).collect::<Result<_, _>>()?,
        findings: left.findings,
        coverage: left.coverage,
        sources: args.files.iter().map(|file| absolute(file)).collect(),
        cflags: cflags(args),
        own_flags: args.compile.own_flags.iter().map(|own| (absolute(&own.path), own.flags.clone())).collect(),
        libraries: args.pure.iter().filter_map(|pure| pure.library.as_deref()).map(absolute).collect(),
        entries: left.entries,
        support: &support,
        preconditions: left.preconditions,
    };
    for format in formats.iter().filter_map(|name| FormatDef::named(name)) {
        match format.write(&suite, left.dir) {
            Ok(left_out) => {
                left_out.iter().for_each(|why| terminal::tell(format_args!("{WARNING}note{WARNING:#}: {why}")));
            }
            Err(unfit @ FormatError::Unfit { .. }) => {
                terminal::tell(format_args!("{WARNING}warning{WARNING:#}: {unfit}"))
            }
            Err(error) => return Err(Failure::message(error)),
        }
    }
    Ok(())
}

fn named(dir: &Path, relative: &str) -> Result<NamedTest, Failure> {
    let path = dir.join(relative);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(NamedTest { name, test: TestFile::read(&path).map_err(Failure::message)? })
}

/// The flags of the run, as they mean the same in any folder.
fn cflags(args: &RunArgs) -> Vec<String> {
    let compile = &args.compile;
    let include = compile.include.iter().map(|dir| format!("-I{}", absolute(Path::new(dir)).display()));
    let define = compile.define.iter().map(|define| format!("-D{define}"));
    include.chain(define).chain(compile.cflag.iter().cloned()).collect()
}

fn absolute(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
