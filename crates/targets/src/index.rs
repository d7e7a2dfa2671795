//! Which lines of which files have code, and in which function a line is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use taw_ir::{FileId, FuncId, Inst, Program, Site};

use crate::near::nearest;

/// Where code of the user's is.
pub(crate) struct CodeIndex<'p> {
    program: &'p Program,
    /// By file: for each line its instructions.
    lines: BTreeMap<FileId, BTreeMap<u32, Vec<Site>>>,
    /// Functions with their first and last line.
    functions: Vec<Extent>,
}

struct Extent {
    func: FuncId,
    file: FileId,
    first: u32,
    last: u32,
}

/// A line that has code.
pub(crate) struct CodeLine {
    pub file: FileId,
    pub line: u32,
    pub sites: Vec<Site>,
}

impl<'p> CodeIndex<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut index = CodeIndex { program, lines: BTreeMap::new(), functions: Vec::new() };
        for (func, function) in program.functions.iter().filter(|(_, f)| f.origin.counts() && f.is_defined()) {
            let declared = function.loc.map(|loc| &program.locs[loc]);
            let mut extent: Option<Extent> =
                declared.map(|loc| Extent { func, file: loc.file, first: loc.line, last: loc.line });
            for (pc, loc) in (0..).zip(&function.locs) {
                let Some(loc) = loc.map(|loc| &program.locs[loc]).filter(|loc| loc.line > 0) else { continue };
                if !program.files[loc.file].is_programs() {
                    continue;
                }
                index.lines.entry(loc.file).or_default().entry(loc.line).or_default().push(Site { func, pc });
                if let Some(extent) = &mut extent
                    && extent.file == loc.file
                    && loc.inlined_at.is_none()
                {
                    extent.last = extent.last.max(loc.line);
                }
            }
            index.functions.extend(extent);
        }
        index
    }

    /// The only file that ends so.
    ///
    /// # Errors
    /// If there is none or more than one, in words.
    pub(crate) fn file(&self, name: &str) -> Result<FileId, String> {
        let ends_so = |file: &&FileId| is_suffix(name, &self.program.files[**file].path);
        let found: BTreeSet<FileId> = self.lines.keys().filter(ends_so).copied().collect();
        // The same file may be known under several names.
        let paths: BTreeSet<&str> = found.iter().map(|file| self.path(*file)).collect();
        match (found.first(), paths.len()) {
            (Some(file), 1) => Ok(*file),
            (None, _) => {
                let known: BTreeSet<&str> = self.lines.keys().map(|file| self.path(*file)).collect();
                let names: BTreeSet<&str> = known.iter().filter_map(|path| path.rsplit('/').next()).collect();
                let guess = nearest(name.rsplit('/').next().unwrap_or(name), names.iter().copied());
                let guess = guess.map(|near| format!("did you mean `{near}`? "));
                let some: Vec<&str> = names.into_iter().take(8).collect();
                Err(format!(
                    "no file `{name}` has code; {}files with code: {}",
                    guess.unwrap_or_default(),
                    some.join(", ")
                ))
            }
            _ => {
                let all: Vec<&str> = paths.into_iter().collect();
                Err(format!("`{name}` is several files; write more of the path: {}", all.join(", ")))
            }
        }
    }

    /// The line, or the next one with code in the same function.
    ///
    /// # Errors
    /// If there is none, in words.
    pub(crate) fn line(&self, file: FileId, line: u32) -> Result<CodeLine, String> {
        let empty = BTreeMap::new();
        let lines = self.lines.get(&file).unwrap_or(&empty);
        let code = |(&line, sites): (&u32, &Vec<Site>)| CodeLine { file, line, sites: sites.clone() };
        if let Some(found) = lines.get_key_value(&line) {
            return Ok(code(found));
        }
        let around = self.functions.iter().find(|f| f.file == file && f.first <= line && line <= f.last);
        if let Some(found) = around.and_then(|f| lines.range(line..=f.last).next()) {
            return Ok(code(found));
        }
        let path = self.path(file);
        let before = lines.range(..line).next_back().map(|(line, _)| line.to_string());
        let after = lines.range(line..).next().map(|(line, _)| line.to_string());
        let near: Vec<String> = before.into_iter().chain(after).collect();
        Err(format!("line {line} of {path} is in no function; the nearest lines with code are {}", near.join(" and ")))
    }

    /// The function of that name that is the user's and has code.
    ///
    /// # Errors
    /// If there is none, in words.
    pub(crate) fn function(&self, name: &str) -> Result<FuncId, String> {
        let defined = |f: &FuncId| self.program.functions[*f].is_defined();
        self.program.function_named(name).filter(defined).ok_or_else(|| {
            let users = self.functions.iter().map(|f| self.program.functions[f.func].name.as_str());
            let known: BTreeSet<&str> = users.collect();
            let guess = nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`? "));
            let some: Vec<&str> = known.into_iter().take(12).collect();
            format!(
                "no function `{name}` has code; {}functions: {} (a line is file.c:LINE, a label label:NAME)",
                guess.unwrap_or_default(),
                some.join(", ")
            )
        })
    }

    /// Those of some instructions that are calls; all of them if none is.
    pub(crate) fn calls_of(&self, sites: &[Site]) -> Vec<Site> {
        let is_call =
            |site: &&Site| matches!(self.program.functions[site.func].code[site.pc as usize], Inst::Call { .. });
        let calls: Vec<Site> = sites.iter().filter(is_call).copied().collect();
        if calls.is_empty() { sites.to_vec() } else { calls }
    }

    pub(crate) fn path(&self, file: FileId) -> &'p str {
        &self.program.files[file].path
    }
}

/// Whether `path` ends with the components of `name`.
fn is_suffix(name: &str, path: &str) -> bool {
    let plain = |c: &Component<'_>| !matches!(c, Component::CurDir);
    let name: Vec<Component<'_>> = Path::new(name).components().filter(plain).collect();
    let path: Vec<Component<'_>> = Path::new(path).components().filter(plain).collect();
    path.ends_with(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_is_of_whole_components() {
        assert!(is_suffix("a.c", "/src/a.c") && is_suffix("src/a.c", "/src/a.c") && is_suffix("./a.c", "/src/a.c"));
        assert!(is_suffix("/src/a.c", "/src/a.c"));
        assert!(!is_suffix("a.c", "/src/ba.c") && !is_suffix("/a.c", "/src/a.c"));
    }
}
