//! The truth about a small program by brute force: every input, distinct traces of basic blocks, labels passed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::native::CLANG;
use crate::process::{Streams, run};

/// Completed and errored paths of the program at `source`, counted natively.
///
/// # Errors
/// What the compiler or the counting program says.
pub fn count(source: &Path) -> Result<(u64, u64), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let root = crate::root();
    let (object, binary) = (folder.path().join("program.o"), folder.path().join("count"));
    let mut compile = Command::new(CLANG);
    compile.args(["-w", "-c", "-Dmain=program", "-fsanitize-coverage=bb,no-prune,trace-pc-guard", "-o"]).arg(&object);
    compile.arg("-I").arg(root.join("runtime")).arg(source);
    let mut link = Command::new(CLANG);
    link.args(["-O2", "-o"]).arg(&binary).arg(&object).arg(root.join("crates/testkit/brute.c"));
    let limit = Duration::from_secs(60);
    for command in [&mut compile, &mut link] {
        let ended = run(command, Streams::Merged, limit)?;
        if ended.code != Some(0) {
            return Err(format!("brute force does not compile:\n{}", ended.said()));
        }
    }
    let ended = run(&mut Command::new(&binary), Streams::Merged, limit)?;
    let said = ended.said();
    let mut words = said.split_whitespace().map(str::parse);
    match (ended.code, words.next(), words.next()) {
        (Some(0), Some(Ok(completed)), Some(Ok(errored))) => Ok((completed, errored)),
        _ => Err(format!("brute force failed: code {:?}, signal {:?}\n{said}", ended.code, ended.signal)),
    }
}

/// Runs a program of two inputs of a byte each, `x` and `y`, on all their values, and prints the labels.
const LABELS: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint8_t x, y;
static char seen[1024];
int program(void);
int quiet(const char *format, ...) { return format != 0; }
uint8_t taw_u8(const char *name) { return *name == 'x' ? x : y; }
void taw_target(const char *label) {
  unsigned n;
  if (sscanf(label, "L%u", &n) == 1 && n < sizeof seen) seen[n] = 1;
}
int main(void) {
  for (unsigned i = 0; i < 65536; i++) {
    x = i >> 8;
    y = i & 255;
    program();
  }
  for (unsigned n = 0; n < sizeof seen; n++)
    if (seen[n]) printf("L%u\n", n);
}
"#;

/// The labels `L0`, `L1`, ... that the program at `source` passes for some values of its inputs, the bytes `x` and `y`.
///
/// # Errors
/// What the compiler or the program says.
pub fn labels(source: &Path) -> Result<BTreeSet<String>, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (object, driver, binary) =
        (folder.path().join("program.o"), folder.path().join("driver.c"), folder.path().join("labels"));
    fs::write(&driver, LABELS).map_err(|e| e.to_string())?;
    let mut compile = Command::new(CLANG);
    compile.args(["-w", "-c", "-O1", "-Dmain=program", "-Dprintf=quiet", "-o"]).arg(&object);
    compile.arg("-I").arg(crate::root().join("runtime")).arg(source);
    let mut link = Command::new(CLANG);
    link.args(["-w", "-O1", "-o"]).arg(&binary).arg(&object).arg(&driver);
    let said = |command: &mut Command| {
        let ended = run(command, Streams::Merged, Duration::from_secs(60))?;
        let fine = ended.code == Some(0);
        if fine { Ok(ended.said()) } else { Err(format!("brute force fails:\n{}", ended.said())) }
    };
    said(&mut compile)?;
    said(&mut link)?;
    Ok(said(&mut Command::new(&binary))?.lines().map(str::to_owned).collect())
}
