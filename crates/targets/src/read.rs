//! Files with targets: told apart by content, read by the format's own reader.

use std::path::Path;

use crate::{Request, SarifLog, cppcheck, diff, gcov, lcov, list, trace};

/// Of a file with targets, in bytes.
const LARGEST: u64 = 1 << 30;

/// The targets of a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TargetFile {
    /// What is asked for.
    pub requests: Vec<Request>,
    /// The log to write verdicts back into, if it was one.
    pub sarif: Option<SarifLog>,
    /// Of a log of another tool, the rule of each result, by number.
    pub rules: Vec<String>,
}

/// Reads a file of any format; `-` is standard input.
///
/// # Errors
/// In words, with the name of the file.
pub fn read(path: &Path) -> Result<TargetFile, String> {
    let text = text_of(path)?;
    let of = |requests| Ok(TargetFile { requests, ..TargetFile::default() });
    if let Some(log) = SarifLog::read(&text) {
        return Ok(TargetFile { requests: log.requests(), rules: log.rules(), sarif: Some(log) });
    }
    if cppcheck::looks_so(&text) {
        let (requests, rules) = cppcheck::requests(&text).map_err(|why| format!("`{}`: {why}", path.display()))?;
        return Ok(TargetFile { requests, rules, sarif: None });
    }
    if lcov::looks_so(&text) {
        return of(lcov::requests(&text));
    }
    if gcov::looks_so(&text) {
        return of(gcov::requests(&text));
    }
    if diff::looks_so(&text) {
        return of(diff::requests(&text));
    }
    if trace::looks_so(&text) {
        return of(trace::requests(&text));
    }
    let requests = list::requests(&text).map_err(|why| {
        format!(
            "`{}` is no LCOV, gcov, SARIF or cppcheck file, no diff, no stack trace, and as a list of targets, {why}",
            path.display()
        )
    })?;
    of(requests)
}

/// Reads a unified diff; `-` is standard input. One without added lines is not an error.
///
/// # Errors
/// In words, with the name of the file.
pub fn read_diff(path: &Path) -> Result<TargetFile, String> {
    let text = text_of(path)?;
    if !diff::looks_so(&text) && !text.trim().is_empty() {
        return Err(format!("`{}` is no unified diff; give the output of `git diff` or `diff -u`", path.display()));
    }
    Ok(TargetFile { requests: diff::requests(&text), ..TargetFile::default() })
}

fn text_of(path: &Path) -> Result<String, String> {
    let stdin = || taw_files::read_stream(std::io::stdin().lock(), LARGEST);
    let read = if path == Path::new("-") { stdin() } else { taw_files::read_named(path, LARGEST) };
    let bytes = read.map_err(|error| format!("cannot read targets from `{}`: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use crate::Spec;

    #[test]
    fn formats_are_told_apart_by_content() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t");
        let specs = |text: &str| {
            fs::write(&file, text).unwrap();
            read(&file).map(|found| found.requests.into_iter().map(|r| r.spec).collect::<Vec<_>>())
        };
        assert!(matches!(specs("SF:a.c\nDA:3,0\n").unwrap()[..], [Spec::Line(_)]));
        assert!(matches!(specs("        -:    0:Source:a.c\n    #####:    3:x\n").unwrap()[..], [Spec::Line(_)]));
        assert!(matches!(specs("--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n").unwrap()[..], [Spec::Line(_)]));
        assert!(matches!(specs("#0  f () at a.c:3\n").unwrap()[..], [Spec::Trace(_)]));
        assert!(matches!(specs("# mine\nlabel:x\nmain\n").unwrap()[..], [Spec::Label(_), Spec::Function(_)]));
        assert!(specs("{ \"runs\": [] }").unwrap().is_empty());
        assert!(specs("what is this?\n").unwrap_err().contains("line 1"));
        assert!(read_diff(&file).unwrap_err().contains("no unified diff"));
    }
}
