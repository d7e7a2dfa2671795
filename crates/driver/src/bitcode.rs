//! The second compile: the front end once more with the same words, but for bitcode that is unoptimised and has debug
//! information.
//!
//! The command is the one that clang itself made for the native object, so all of the driver's decisions hold for both.
//! Left out is what writes other files (dependencies, coverage, diagnostics) and what the front end adds to the program
//! for the sake of the native run (sanitizers, profiles). Macros stay those of the native object: the program is the same.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::log::LoggedCommand;

/// Options without a value, or with the value in the same word (then the word starts so).
const DROPPED: &[&str] = &[
    "-emit-obj",
    "-emit-llvm-bc",
    "-emit-llvm-uselists",
    "-S",
    "-discard-value-names",
    "-save-temps=",
    "-flto",
    "-ffat-lto-objects",
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile-instrument",
    "-fcoverage-mapping",
    "-ftime-report",
    "-ftime-trace",
    "-fdebug-prefix-map=",
    "-sys-header-deps",
    "-module-file-deps",
    "-MP",
    "-MG",
    "-H",
    "-v",
    "-print-stats",
    "-stats-file=",
    "-opt-record-format=",
    "-gsplit-dwarf",
    "-gz",
    "--compress-debug-sections",
    "-debug-info-kind=",
    "-dwarf-version=",
    "-fdiagnostics-format",
];

/// Options whose value is the next word.
const DROPPED_WITH_VALUE: &[&str] = &[
    "-o",
    "-dependency-file",
    "-MT",
    "-dependency-dot",
    "-header-include-file",
    "-split-dwarf-file",
    "-split-dwarf-output",
    "-serialize-diagnostic-file",
    "-diagnostic-log-file",
    "-opt-record-file",
    "-opt-record-passes",
];

/// Debug information, no passes, and no words about it: the native compile has said them.
const ADDED: &[&str] =
    &["-emit-llvm-bc", "-disable-llvm-passes", "-debug-info-kind=constructor", "-dwarf-version=5", "-w"];

/// As `-O0` for the program, but without `optnone` and with lifetime markers (for use after scope).
const AS_UNOPTIMISED: &[&str] = &["-O1", "-U__OPTIMIZE__", "-D__NO_INLINE__=1"];

/// The words of the second compile, without its output.
pub(crate) fn words(native: &LoggedCommand) -> Vec<String> {
    let mut words = Vec::with_capacity(native.words.len() + 16);
    let mut rest = native.words.iter();
    let (program, input) = (rest.next(), rest.next_back());
    words.extend(program.cloned());
    let mut optimised = false;
    while let Some(word) = rest.next() {
        if DROPPED_WITH_VALUE.contains(&word.as_str()) {
            rest.next();
        } else if word == "-include-pch" {
            words.extend(rest.next().map(|pch| header_of(pch)).into_iter().flatten());
        } else if word == "-x" {
            // It is for the input alone and comes right before it.
            words.extend(additions(optimised));
            words.push(word.clone());
        } else if !is_dropped(word) {
            optimised |= word.starts_with("-O") && word != "-O0";
            words.push(word.clone());
        }
    }
    words.extend(input.cloned());
    words
}

fn is_dropped(word: &str) -> bool {
    DROPPED.iter().any(|dropped| {
        let exact = dropped.len() <= 3 || !word.starts_with(dropped);
        if exact { word == *dropped } else { true }
    })
}

fn additions(optimised: bool) -> impl Iterator<Item = String> {
    let level = if optimised { &[][..] } else { AS_UNOPTIMISED };
    ADDED.iter().chain(level).map(|word| (*word).to_owned())
}

/// A precompiled header is for the flags it was made with, and ours are others: the header itself, if it is there.
fn header_of(pch: &str) -> Vec<String> {
    let header = pch.strip_suffix(".gch").or_else(|| pch.strip_suffix(".pch"));
    match header.filter(|header| Path::new(header).is_file()) {
        Some(header) => vec!["-include".into(), header.into()],
        None => vec!["-include-pch".into(), pch.into()],
    }
}

/// Compiles to bitcode in memory.
///
/// # Errors
/// In words, why there is none.
pub(crate) fn compile(native: &LoggedCommand, stdin: Option<&Path>) -> Result<Vec<u8>, String> {
    let words = words(native);
    let (program, rest) = words.split_first().ok_or("clang logged an empty command")?;
    let stdin = match stdin {
        Some(path) => File::open(path).map_err(|error| format!("standard input is gone: {error}"))?.into(),
        None => Stdio::null(),
    };
    let (before, input) = rest.split_at(rest.len().saturating_sub(3));
    let mut command = Command::new(program);
    command.args(before).args(["-o", "-"]).args(input).stdin(stdin);
    let output = command.output().map_err(|error| format!("cannot run `{program}`: {error}"))?;
    if output.status.success() && output.stdout.starts_with(b"BC") {
        Ok(output.stdout)
    } else {
        Err(reason(&String::from_utf8_lossy(&output.stderr)).unwrap_or_else(|| output.status.to_string()))
    }
}

/// The first error that a compiler reports, as one line.
fn reason(stderr: &str) -> Option<String> {
    let error = |line: &&str| line.contains("error:") || line.contains("fatal");
    stderr.lines().find(error).or_else(|| stderr.lines().next()).map(|line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(line: &str) -> String {
        words(&LoggedCommand { words: line.split(' ').map(str::to_owned).collect() }).join(" ")
    }

    #[test]
    fn what_writes_other_files_is_left_out() {
        let line = "clang -cc1 -triple t -O2 -emit-obj -dependency-file a.d -MT a.o -MP -sys-header-deps -D M -Dvalue \
                    -fsanitize=undefined -fsanitize-recover=undefined -split-dwarf-file a.dwo -Werror -o a.o -x c a.c";
        assert_eq!(
            edited(line),
            "clang -cc1 -triple t -O2 -D M -Dvalue -Werror -emit-llvm-bc -disable-llvm-passes \
             -debug-info-kind=constructor -dwarf-version=5 -w -x c a.c"
        );
    }

    #[test]
    fn unoptimised_code_keeps_its_macros_without_optnone() {
        let words = edited("clang -cc1 -O0 -emit-obj -o a.o -x c a.c");
        assert!(words.ends_with("-w -O1 -U__OPTIMIZE__ -D__NO_INLINE__=1 -x c a.c"), "{words}");
        assert_eq!(words, edited("clang -cc1 -emit-obj -o a.o -x c a.c").replace("-cc1", "-cc1 -O0"));
    }

    #[test]
    fn a_reason_is_one_line() {
        assert_eq!(reason("note\na.c:1: error: bad\n  x\n"), Some("a.c:1: error: bad".into()));
        assert_eq!(reason("Segmentation\n"), Some("Segmentation".into()));
        assert_eq!(reason(""), None);
    }
}
