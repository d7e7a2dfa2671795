//! What is needed to build the program of a run again: kept in `command.json`.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use taw_ir::{Program, Ty, Type, TypeId};

use crate::test_file::TestFile;

/// Of a source or executable, in bytes: `command.json` may name any file.
const LARGEST: u64 = 4 << 30;

/// A program as it was given to `taw run`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Recipe {
    /// The directory in which relative paths and flags are meant.
    pub directory: PathBuf,
    /// Its files, in order.
    pub sources: Vec<Source>,
    /// A further source that Taw generated (`--harness`), as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<String>,
    /// C that stands behind the last line of a file (`--assume`), by file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub appendices: Vec<(PathBuf, String)>,
    /// C that asks whether conditions of places hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<AskedConditions>,
    /// C that stands in for functions which are defined nowhere (`--stub`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stand_ins: Option<String>,
    /// Functions whose addresses `stand_ins` names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addressed: Vec<String>,
    /// Flags for the compiler, as given.
    pub cflags: Vec<String>,
    /// Shared libraries that it is linked with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<Source>,
    /// Where runs start.
    pub entries: Vec<EntryPoint>,
    /// Functions whose calls are marks.
    pub markers: Vec<Marker>,
    /// Files and folders of the host that the program may read, as given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host: Vec<PathBuf>,
    /// Errors that were looked for on request, by the name of the option.
    pub checks: Vec<String>,
}

/// Conditions of places, as C between the statements of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AskedConditions {
    /// What comes before the first line of a file that has some.
    pub declarations: String,
    /// By file, what stands in front of which byte.
    pub texts: Vec<(PathBuf, Vec<(usize, String)>)>,
}

/// A file of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Its path, as given.
    pub path: PathBuf,
    /// A hash of its content when it was explored.
    pub content: String,
    /// Flags for the compiler of its own, before those of all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

/// The function that is explored.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EntryPoint {
    /// Its name.
    pub function: String,
    /// Its parameters; not used of `main`.
    pub parameters: Vec<Parameter>,
    /// Bits of its result if that is an integer of at most 64: it is the exit code.
    pub result: Option<u32>,
    /// What its result comes in, if that is registers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<MachineValue>,
    /// The size of its result in bytes.
    #[serde(default)]
    pub result_bytes: u64,
    /// Functions that are called first with the same arguments, and must not return zero; each with the bits of its result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<(String, u32)>,
}

/// A symbolic parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Its C type, or empty.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its bits.
    pub bits: u32,
    /// Whether it is a float.
    pub float: bool,
    /// Whether it is a pointer.
    #[serde(default)]
    pub pointer: bool,
    /// Of a structure that is passed by copy, in memory: its size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy: Option<u64>,
    /// The alignment of that.
    #[serde(default)]
    pub align: u64,
    /// Of a part of a structure that is passed in registers: the part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<MachineValue>,
    /// Whether it is where the result goes.
    #[serde(default)]
    pub result: bool,
}

/// A part of a value, as a register has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MachineValue {
    /// The number of the argument that it is a part of.
    #[serde(default)]
    pub of: usize,
    /// Where in the whole it begins.
    pub at: u64,
    /// Bits of each number in it.
    pub bits: u32,
    /// Whether these are floats.
    pub float: bool,
    /// Whether it is a pointer.
    #[serde(default)]
    pub pointer: bool,
    /// How many numbers share the register.
    pub lanes: u32,
}

/// A function whose calls are marks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Marker {
    /// Its name.
    pub function: String,
    /// Whether the program has a body for it, which then runs natively without leaving a mark.
    pub defined: bool,
}

impl EntryPoint {
    /// The function called `name` of a program.
    pub fn of(program: &Program, name: &str) -> Self {
        let mut entry = EntryPoint { function: name.to_owned(), ..EntryPoint::default() };
        let Some(id) = program.function_named(name) else { return entry };
        let function = &program.functions[id];
        let parameter = |p: &taw_ir::Param| Parameter {
            ty: p.spelled(&program.types),
            bits: p.ty.bits(&program.layout),
            float: matches!(p.ty, Ty::Float(_)),
            pointer: p.ty == Ty::Ptr,
            copy: p.byval.map(|copy| copy.size),
            align: p.byval.map_or(0, |copy| copy.align),
            part: None,
            result: p.passing == taw_ir::Passing::Result,
        };
        for (number, argument) in function.arguments(&program.types, &program.layout).into_iter().enumerate() {
            let params = &function.params[argument.params];
            if argument.whole.is_none() {
                entry.parameters.extend(params.iter().map(parameter));
                continue;
            }
            let parts: Vec<Ty> = params.iter().map(|param| param.ty).collect();
            let is_vector = is_vector(program, argument.whole);
            for part in registers(&parts, &argument.offsets, is_vector, number, &program.layout) {
                entry.parameters.push(Parameter { part: Some(part), ..parameter(&params[0]) });
            }
        }
        let offsets = function.result_offsets(&program.types, &program.layout);
        let is_vector = is_vector(program, function.result_type(&program.types));
        entry.results = registers(&function.returns, &offsets, is_vector, 0, &program.layout);
        let ends = entry.results.iter().map(|part| part.at + part.bytes());
        let whole = function.result_type(&program.types).and_then(|ty| program.types.bytes(ty, &program.layout));
        entry.result_bytes = ends.max().unwrap_or(0).max(whole.unwrap_or(0));
        entry.result = match function.returns[..] {
            [Ty::Int(bits)] if bits <= 64 => Some(bits),
            _ => None,
        };
        entry
    }
}

/// Whether a value is a vector: C passes and returns no arrays.
fn is_vector(program: &Program, ty: Option<TypeId>) -> bool {
    ty.is_some_and(|ty| matches!(program.types.all[program.types.plain(ty)], Type::Array { .. }))
}

/// The registers that parts of a value come in: floats beside each other share one, and so do all elements of a vector.
fn registers(parts: &[Ty], offsets: &[u64], is_vector: bool, of: usize, layout: &taw_ir::Layout) -> Vec<MachineValue> {
    let mut registers: Vec<MachineValue> = Vec::new();
    let word = u64::from(layout.pointer_bytes());
    for (ty, &at) in parts.iter().zip(offsets) {
        let bits = ty.bits(layout);
        let shares = |last: &MachineValue| last.float && last.bits == bits && last.at / word == at / word;
        let lane = registers.last_mut().filter(|last| is_vector || shares(last));
        match lane {
            Some(last) => last.lanes += 1,
            None => {
                let (float, pointer) = (ty.is_float(), *ty == Ty::Ptr);
                registers.push(MachineValue { of, at, bits, float, pointer, lanes: 1 });
            }
        }
    }
    registers
}

impl MachineValue {
    /// How many bytes it has.
    pub fn bytes(&self) -> u64 {
        u64::from(self.bits.div_ceil(8) * self.lanes)
    }
}

impl Marker {
    /// The marker called `name` of a program.
    pub fn of(program: &Program, name: &str) -> Self {
        let defined = program.function_named(name).is_some_and(|id| program.functions[id].is_defined());
        Marker { function: name.to_owned(), defined }
    }
}

impl Source {
    /// The file at a path relative to `directory`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(directory: &Path, path: &Path) -> io::Result<Self> {
        Ok(Source {
            path: path.into(),
            content: fingerprint(&taw_files::read_regular(&directory.join(path), LARGEST)?),
            flags: Vec::new(),
        })
    }
}

impl Recipe {
    /// The files that are no longer what was explored, each with what happened to it.
    pub fn changes(&self) -> Vec<String> {
        let change = |source: &Source| match Source::read(&self.directory, &source.path) {
            Ok(now) if now.content == source.content => None,
            Ok(_) => Some(format!("`{}` has changed since it was explored", source.path.display())),
            Err(error) => Some(format!("`{}` cannot be read: {error}", self.directory.join(&source.path).display())),
        };
        self.sources.iter().chain(&self.libraries).filter_map(change).collect()
    }

    /// The program itself, if what was explored is an executable: it is run as it is.
    pub fn executable(&self) -> Option<PathBuf> {
        let [only] = self.sources.as_slice() else { return None };
        // Without the `.` that stands for nothing.
        let path: PathBuf = self.directory.join(&only.path).components().collect();
        let mut start = [0; 18];
        taw_files::open_regular(&path).and_then(|mut file| io::Read::read_exact(&mut file, &mut start)).ok()?;
        // Of the types of ELF files, those that can be started: EXEC and DYN.
        (start.starts_with(b"\x7fELF") && matches!(start[16..], [2 | 3, 0])).then_some(path)
    }

    /// The flags of a file of its own.
    pub fn own_flags(&self, path: &Path) -> &[String] {
        self.sources.iter().find(|source| source.path == path).map_or(&[], |source| &source.flags)
    }

    /// All flags for the compiler, of single files and of all.
    pub fn all_flags(&self) -> impl Iterator<Item = &String> {
        self.sources.iter().flat_map(|source| &source.flags).chain(&self.cflags)
    }

    /// Whether runs start at something else than `main`, or something is called before it: then a driver is written.
    pub fn has_driver(&self) -> bool {
        self.entries.iter().any(|entry| entry.function != "main" || !entry.preconditions.is_empty())
    }

    /// The function that a test calls.
    pub fn entry_of(&self, test: &TestFile) -> Option<&EntryPoint> {
        let name = test.entry.as_deref().unwrap_or("main");
        self.entries.iter().find(|entry| entry.function == name)
    }

    /// Whether a kind of error was looked for on request.
    pub fn checks(&self, check: &str) -> bool {
        self.checks.iter().any(|asked| asked == check)
    }

    /// Whether labels natively passed can be compared with those of a test.
    pub fn labels_are_seen(&self) -> bool {
        !self.markers.iter().any(|marker| marker.defined)
    }
}

/// FNV-1a: stable for ever, and enough to notice an edit.
fn fingerprint(bytes: &[u8]) -> String {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_edit_and_a_removal_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        fs::write(&file, "int x;").unwrap();
        let source = Source::read(folder.path(), Path::new("a.c")).unwrap();
        let recipe = Recipe { directory: folder.path().into(), sources: vec![source], ..Recipe::default() };
        assert!(recipe.changes().is_empty());
        fs::write(&file, "int y;").unwrap();
        assert!(recipe.changes()[0].contains("has changed"));
        fs::remove_file(&file).unwrap();
        assert!(recipe.changes()[0].contains("cannot be read"));
    }
}
