//! Where in a native program a source line or function is: from its debug information and its symbols.

use std::borrow::Cow;
use std::collections::btree_map::{BTreeMap, Entry};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gimli::{Dwarf, EndianSlice, LineProgramHeader, RunTimeEndian, Unit};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

type DwarfBytes<'d> = EndianSlice<'d, RunTimeEndian>;

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
    /// If the program cannot be read, is no ELF file, or its debug information contradicts itself.
    pub(crate) fn read(program: &Path) -> Result<Self, String> {
        let bytes = fs::read(program).map_err(|error| format!("cannot read `{}`: {error}", program.display()))?;
        let file = object::File::parse(&*bytes).map_err(|error| format!("`{}`: {error}", program.display()))?;
        let mut table = LineTable { lines: BTreeMap::new(), functions: functions(&file) };
        table.add_lines(&file).map_err(|error| format!("the line table of `{}`: {error}", program.display()))?;
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

    /// The rows of all compilation units.
    fn add_lines(&mut self, file: &object::File<'_>) -> Result<(), Box<dyn std::error::Error>> {
        let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let sections = gimli::DwarfSections::load(|id| match file.section_by_name(id.name()) {
            Some(section) => section.uncompressed_data(),
            None => Ok(Cow::Borrowed(&[][..])),
        })?;
        let dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
        let mut units = dwarf.units();
        while let Some(header) = units.next()? {
            self.add_unit(&dwarf, &dwarf.unit(header)?)?;
        }
        Ok(())
    }

    fn add_unit<'d>(&mut self, dwarf: &Dwarf<DwarfBytes<'d>>, unit: &Unit<DwarfBytes<'d>>) -> gimli::Result<()> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let mut names: BTreeMap<u64, PathBuf> = BTreeMap::new();
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row()? {
            // The end of a sequence is no code.
            let Some(line) = row.line().filter(|_| !row.end_sequence()) else { continue };
            let name = match names.entry(row.file_index()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(file_name(dwarf, unit, header, row.file_index())?),
            };
            let lines = self.lines.entry(name.clone()).or_default();
            lines.entry(u32::try_from(line.get()).unwrap_or(u32::MAX)).or_default().push(row.address());
        }
        Ok(())
    }
}

/// A file of a line table: its name, in its folder, in the folder of the compilation.
fn file_name<'d>(
    dwarf: &Dwarf<DwarfBytes<'d>>,
    unit: &Unit<DwarfBytes<'d>>,
    header: &LineProgramHeader<DwarfBytes<'d>>,
    index: u64,
) -> gimli::Result<PathBuf> {
    let mut name: PathBuf = unit.comp_dir.iter().map(|folder| OsStr::from_bytes(folder.slice())).collect();
    if let Some(file) = header.file(index) {
        for part in file.directory(header).into_iter().chain([file.path_name()]) {
            name.push(OsStr::from_bytes(dwarf.attr_string(unit, part)?.slice()));
        }
    }
    Ok(name)
}

fn functions(file: &object::File<'_>) -> BTreeMap<String, Vec<u64>> {
    let mut functions: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition()) {
        if let Ok(name) = symbol.name() {
            functions.entry(name.to_owned()).or_default().push(symbol.address());
        }
    }
    functions
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn lines_belong_to_files_in_folders_and_functions_are_code() {
        let folder = tempfile::tempdir().expect("a folder");
        let here = fs::canonicalize(folder.path()).expect("it exists");
        fs::create_dir(here.join("lib")).expect("a folder");
        fs::write(here.join("lib/b.h"), "static int f(int x) {\n    return x + 1;\n}\n").expect("written");
        fs::write(here.join("a.c"), "#include \"lib/b.h\"\nint data = 1;\nint main(void) {\n    return f(data);\n}\n")
            .expect("written");
        for flags in [&["-gdwarf-5"][..], &["-gdwarf-4"], &["-gdwarf-5", "-gz"]] {
            let mut compiler = Command::new("cc");
            let made = compiler
                .current_dir(&here)
                .args(flags)
                .args(["-O0", "a.c", "-o", "a"])
                .status()
                .expect("the compiler runs");
            assert!(made.success());
            let table = LineTable::read(&here.join("a")).expect("it has a table");
            let (f, main) = (table.function("f"), table.function("main"));
            assert_eq!(table.line(1, |file| file == here.join("lib/b.h"))[..1], *f, "{flags:?}");
            assert_eq!(table.line(3, |file| file == here.join("a.c"))[..1], *main, "{flags:?}");
            assert!(!table.line(4, |file| file == here.join("a.c")).is_empty());
            assert!(table.line(2, |file| file == here.join("a.c")).is_empty(), "data is no code");
            assert!(f.len() == 1 && main.len() == 1 && table.function("data").is_empty());
        }
    }

    #[test]
    fn what_is_no_program_is_told() {
        let script = tempfile::NamedTempFile::new().expect("a file");
        fs::write(script.path(), "#!/bin/sh\n").expect("written");
        assert!(LineTable::read(script.path()).is_err_and(|why| why.contains("magic")));
    }
}
