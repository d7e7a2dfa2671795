//! Where in a native program a source line or function is: read from what `llvm-dwarfdump` and `llvm-nm` print.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::NativeToolchain;

/// Addresses of lines and functions of one program.
#[derive(Debug, Default)]
pub(crate) struct LineTable {
    /// By file, as the compiler names it: for each line the addresses at which it begins.
    lines: BTreeMap<PathBuf, BTreeMap<u32, Vec<u64>>>,
    functions: BTreeMap<String, Vec<u64>>,
}

impl LineTable {
    /// Reads the table of a program.
    ///
    /// # Errors
    /// Which tool is missing or failed.
    pub(crate) fn read(tools: &NativeToolchain, program: &Path) -> Result<Self, String> {
        let lines = printed(tools, "llvm-dwarfdump", "--debug-line", program)?;
        let symbols = printed(tools, "llvm-nm", "--defined-only", program)?;
        let mut table = LineTable { lines: BTreeMap::new(), functions: functions(&symbols) };
        for unit in lines.split("\ndebug_line[") {
            table.add_unit(unit);
        }
        Ok(table)
    }

    /// A table of the given rows.
    #[cfg(test)]
    pub(crate) fn of(lines: &[(&str, u32, u64)], functions: &[(&str, u64)]) -> Self {
        let mut table = LineTable::default();
        for &(file, line, address) in lines {
            table.lines.entry(file.into()).or_default().entry(line).or_default().push(address);
        }
        table.functions = functions.iter().map(|&(name, address)| (name.to_owned(), vec![address])).collect();
        table
    }

    /// Addresses at which a line begins; `same` tells whether a file of the table is the one meant.
    pub(crate) fn line(&self, line: u32, same: impl Fn(&Path) -> bool) -> Vec<u64> {
        let files = self.lines.iter().filter(|(file, lines)| lines.contains_key(&line) && same(file));
        files.flat_map(|(_, lines)| lines[&line].iter().copied()).collect()
    }

    /// Addresses of functions of that name.
    pub(crate) fn function(&self, name: &str) -> &[u64] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// The table of one compilation unit: folders, files, then rows.
    fn add_unit(&mut self, text: &str) {
        let mut folders: BTreeMap<usize, PathBuf> = BTreeMap::new();
        let mut files: BTreeMap<usize, PathBuf> = BTreeMap::new();
        let (mut number, mut name) = (0, "");
        for line in text.lines() {
            let trimmed = line.trim();
            if let Some((at, folder)) = indexed(trimmed, "include_directories[") {
                folders.insert(at, quoted(folder).into());
            } else if let Some((at, _)) = indexed(trimmed, "file_names[") {
                number = at;
            } else if let Some(value) = trimmed.strip_prefix("name: ") {
                name = quoted(value);
            } else if let Some(at) = trimmed.strip_prefix("dir_index: ").and_then(|at| at.parse::<usize>().ok()) {
                let base = folders.get(&0).cloned().unwrap_or_default();
                files.insert(number, base.join(folders.get(&at).cloned().unwrap_or_default()).join(name));
            } else if let Some((address, line, file)) = row(trimmed)
                && let Some(file) = files.get(&file)
            {
                self.lines.entry(file.clone()).or_default().entry(line).or_default().push(address);
            }
        }
    }
}

fn printed(tools: &NativeToolchain, name: &str, flag: &str, program: &Path) -> Result<String, String> {
    let tool = tools.tool(name).ok_or_else(|| format!("`{name}` is not installed; it comes with LLVM"))?;
    let output = Command::new(tool).arg(flag).arg(program).output().map_err(|error| format!("`{name}`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{name}` ended with {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `WORD[ 3] = REST` or `WORD[ 3]:REST`.
fn indexed<'t>(line: &'t str, word: &str) -> Option<(usize, &'t str)> {
    let (number, rest) = line.strip_prefix(word)?.split_once(']')?;
    Some((number.trim().parse().ok()?, rest.trim_start_matches([' ', '=', ':'])))
}

fn quoted(text: &str) -> &str {
    text.trim().trim_matches('"')
}

/// `0xADDRESS LINE COLUMN FILE ...`; the end of a sequence is no code.
fn row(line: &str) -> Option<(u64, u32, usize)> {
    let mut words = line.strip_prefix("0x")?.split_whitespace();
    let address = u64::from_str_radix(words.next()?, 16).ok()?;
    let (line_number, _column, file) = (words.next()?.parse().ok()?, words.next()?, words.next()?.parse().ok()?);
    (line_number > 0 && !line.ends_with("end_sequence")).then_some((address, line_number, file))
}

/// `ADDRESS KIND NAME`, of which code is T, t, W or w.
fn functions(symbols: &str) -> BTreeMap<String, Vec<u64>> {
    let mut functions: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for line in symbols.lines() {
        if let [address, "T" | "t" | "W" | "w", name] = line.split_whitespace().collect::<Vec<_>>()[..]
            && let Ok(address) = u64::from_str_radix(address, 16)
        {
            functions.entry(name.to_owned()).or_default().push(address);
        }
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
include_directories[  0] = \"/src\"
include_directories[  1] = \"lib\"
file_names[  0]:
           name: \"a.c\"
      dir_index: 0
file_names[  1]:
           name: \"b.h\"
      dir_index: 1

Address            Line   Column File   ISA Discriminator OpIndex Flags
------------------ ------ ------ ------ --- ------------- ------- -------------
0x0000000000401110     14      0      0   0             0       0  is_stmt
0x000000000040111f     14     25      0   0             0       0  is_stmt prologue_end
0x0000000000401130      2      0      1   0             0       0  is_stmt
0x0000000000401159     12      3      0   0             0       0  is_stmt end_sequence
";

    #[test]
    fn rows_belong_to_files_in_folders() {
        let mut table = LineTable::default();
        table.add_unit(PRINTED);
        assert_eq!(table.line(14, |file| file == Path::new("/src/a.c")), [0x401110, 0x40111f]);
        assert_eq!(table.line(2, |file| file == Path::new("/src/lib/b.h")), [0x401130]);
        assert!(table.line(12, |_| true).is_empty(), "the end of a sequence is no code");
    }

    #[test]
    fn only_code_is_a_function() {
        let table = functions("0000000000401130 t f\n0000000000404018 B _end\n                 U puts\n");
        assert_eq!(table, BTreeMap::from([("f".to_owned(), vec![0x401130])]));
    }
}
