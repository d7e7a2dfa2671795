//! The `taw` binary as a user drives it: one run, its document, its tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::process::{CommandOutput, Streams, run};

/// Where the binary is.
#[derive(Clone, Debug)]
pub struct Taw {
    binary: PathBuf,
}

impl Taw {
    /// The binary at that path.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        Taw { binary: binary.into() }
    }

    /// Where it is.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// A command line of `arguments`, started in the root of the repository.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments).current_dir(crate::root());
        command
    }

    /// Runs `taw reach --json --out OUT arguments`.
    ///
    /// # Errors
    /// If it cannot be started, does not end in time, panics, or ends with anything but 0 to 3.
    pub fn reach(&self, out: &Path, arguments: &[String], limit: Duration) -> Result<TawRun, String> {
        let mut command = self.command(&["reach", "--json", "--out"]);
        command.arg(out).args(further_flags()).args(arguments);
        ended(out, run(&mut command, Streams::Apart, limit)?, limit)
    }

    /// Runs `taw run --no-replay --keep all --json --out OUT arguments`: the tests replay every test, and by themselves.
    ///
    /// # Errors
    /// If it cannot be started, does not end in time, panics, or ends with anything but 0, 1 or 2.
    pub fn run(&self, out: &Path, arguments: &[String], limit: Duration) -> Result<TawRun, String> {
        let mut command = self.command(&["run", "--no-replay", "--keep", "all", "--json", "--out"]);
        command.arg(out).args(further_flags()).args(arguments);
        ended(out, run(&mut command, Streams::Apart, limit)?, limit)
    }
}

/// What `TAW_FLAGS` adds to every run.
fn further_flags() -> Vec<String> {
    let flags = std::env::var("TAW_FLAGS").unwrap_or_default();
    flags.split_whitespace().map(str::to_owned).collect()
}

/// A run, if it ended as a run should.
fn ended(out: &Path, ended: CommandOutput, limit: Duration) -> Result<TawRun, String> {
    if ended.timed_out {
        return Err(format!("taw did not end within {} s", limit.as_secs()));
    }
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    if said.contains("panicked at") || !matches!(ended.code, Some(0..=3)) {
        return Err(format!("taw ended with {:?}, signal {:?}:\n{said}", ended.code, ended.signal));
    }
    Ok(TawRun { out: out.to_owned(), ended })
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct TawRun {
    out: PathBuf,
    ended: CommandOutput,
}

impl TawRun {
    /// C that stands in for functions which are defined nowhere, if Taw has made some.
    pub fn stand_ins(&self) -> Option<String> {
        read::<JsonCommand>(&self.out.join("command.json")).ok()?.program.stand_ins
    }

    /// The exit code.
    pub fn code(&self) -> i32 {
        self.ended.code.unwrap_or(-1)
    }

    /// What it wrote to standard error.
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.ended.stderr).into_owned()
    }

    /// The document on standard output.
    ///
    /// # Errors
    /// If it is not one.
    pub fn document(&self) -> Result<JsonDocument, String> {
        serde_json::from_slice(&self.ended.stdout)
            .map_err(|e| format!("not the JSON document: {e}\n{}", self.ended.said()))
    }

    /// The document of `taw reach` on standard output.
    ///
    /// # Errors
    /// If it is not one.
    pub fn reached(&self) -> Result<JsonReached, String> {
        serde_json::from_slice(&self.ended.stdout)
            .map_err(|e| format!("not the JSON document: {e}\n{}", self.ended.said()))
    }

    /// The test at a path relative to the output directory.
    ///
    /// # Errors
    /// If it is not there or not readable.
    pub fn test(&self, relative: &str) -> Result<JsonTest, String> {
        read(&self.out.join(relative))
    }

    /// All tests, in order.
    ///
    /// # Errors
    /// If one is not readable.
    pub fn tests(&self) -> Result<Vec<JsonTest>, String> {
        let folder = self.out.join("tests");
        let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
            .map_err(|e| format!("{}: {e}", folder.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
            .collect();
        paths.sort();
        paths.iter().map(|path| read(path)).collect()
    }
}

/// `command.json`, as far as tests look at it.
#[derive(Deserialize)]
struct JsonCommand {
    program: JsonRecipe,
}

#[derive(Deserialize)]
struct JsonRecipe {
    #[serde(default)]
    stand_ins: Option<String>,
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_slice(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// The document that `--json` prints, as far as tests look at it.
#[derive(Clone, Debug, Deserialize)]
pub struct JsonDocument {
    /// Paths by how they ended.
    pub paths: JsonPaths,
    /// What was taken for granted.
    #[serde(default)]
    pub rests_on: Vec<String>,
    /// Whether every feasible path was explored.
    pub exhaustive: bool,
    /// The findings.
    pub findings: Vec<JsonFinding>,
}

/// The document that `taw reach --json` prints, as far as tests look at it.
#[derive(Clone, Debug, Deserialize)]
pub struct JsonReached {
    /// The targets, in the order of the command line.
    pub targets: Vec<JsonTargetRow>,
}

/// A target.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the field names are the document's")]
pub struct JsonTargetRow {
    pub target: String,
    pub verdict: String,
    pub test: Option<String>,
    pub confirmed: bool,
    pub time_s: f64,
    pub reason: Option<String>,
    #[serde(default)]
    pub rests_on: Vec<String>,
}

/// Paths by how they ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[expect(missing_docs, reason = "the field names are the document's")]
pub struct JsonPaths {
    pub completed: u64,
    pub errored: u64,
    pub pending: u64,
    pub unknown: u64,
}

/// A finding.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the field names are the document's")]
pub struct JsonFinding {
    pub kind: String,
    #[serde(default)]
    pub message: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub function: String,
    pub test: String,
    pub count: u64,
    pub api: Option<JsonApi>,
}

/// Whether calls of the library's own functions lead to a finding.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the field names are the document's")]
pub struct JsonApi {
    pub verdict: String,
    pub says: String,
    pub test: Option<String>,
    #[serde(default)]
    pub c: Vec<String>,
}

/// A test file.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the field names are the file's")]
pub struct JsonTest {
    pub entry: Option<String>,
    pub outcome: JsonOutcome,
    pub inputs: Vec<JsonInput>,
    pub labels: Vec<String>,
    pub output: String,
    #[serde(default)]
    pub output_bytes: Option<String>,
    pub stdout: Option<JsonBlob>,
    pub stderr: Option<JsonBlob>,
    pub output_unclear: Option<String>,
    #[serde(default)]
    pub given: JsonGiven,
    #[serde(default)]
    pub call: JsonCall,
}

/// What an entry with pointers is called with.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct JsonCall {
    pub arguments: Vec<JsonCallArgument>,
    pub objects: Vec<JsonCallObject>,
    pub inputs: Vec<String>,
    pub c: Vec<String>,
}

/// An argument; absent `to` is a number, or null.
#[derive(Clone, Debug, Deserialize)]
pub struct JsonCallArgument {
    pub pointer: bool,
    pub to: Option<JsonCallTarget>,
}

/// An object: its bytes, and the pointers in it.
#[derive(Clone, Debug, Deserialize)]
pub struct JsonCallObject {
    pub name: String,
    pub bytes: String,
    #[serde(default)]
    pub code: Option<String>,
    pub global: Option<JsonGlobal>,
    #[serde(default)]
    pub pointers: Vec<JsonCallPointer>,
}

/// A global variable, and what is set of it: offsets and numbers of bytes.
#[derive(Clone, Debug, Deserialize)]
pub struct JsonGlobal {
    pub symbol: String,
    #[serde(default)]
    pub set: Vec<(usize, usize)>,
}

/// A pointer in an object.
#[derive(Clone, Debug, Deserialize)]
pub struct JsonCallPointer {
    pub at: u64,
    pub to: JsonCallTarget,
}

/// A place in an object.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct JsonCallTarget {
    pub object: usize,
    #[serde(default)]
    pub plus: u64,
}

impl JsonCall {
    /// The lines by which the replay library makes the objects; `place` says how far a symbol is from `taw_replay_begin`.
    pub fn lines(&self, place: impl Fn(&str) -> i64) -> String {
        let object = |object: &JsonCallObject| match (&object.code, &object.global) {
            (Some(symbol), _) => format!("#code {symbol} {}\n", object.name.replace(char::is_whitespace, "_")),
            (_, Some(global)) => format!("#global {} {}\n", object.bytes.len() / 2, place(&global.symbol)),
            _ => format!("#object {} {}\n", object.bytes.len() / 2, object.bytes),
        };
        let mut text: String = self.objects.iter().map(object).collect();
        for (number, object) in self.objects.iter().enumerate() {
            for &(at, size) in object.global.iter().flat_map(|global| &global.set) {
                text += &format!("#set {number} {at} {size} {}\n", &object.bytes[2 * at..2 * (at + size)]);
            }
            for JsonCallPointer { at, to } in &object.pointers {
                text += &format!("#pointer {number} {at} {} {}\n", to.object, to.plus);
            }
        }
        let pointers = self.arguments.iter().filter(|argument| argument.pointer);
        text + &pointers
            .map(|argument| match argument.to {
                Some(to) => format!("#argument {} {}\n", to.object, to.plus),
                None => "#argument -1 0\n".to_owned(),
            })
            .collect::<String>()
    }
}

/// Bytes: a text, or hexadecimal digits.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum JsonBlob {
    Text(String),
    Hex { hex: String },
}

impl JsonBlob {
    /// The bytes.
    ///
    /// # Errors
    /// If the digits are not hexadecimal.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        match self {
            JsonBlob::Text(text) => Ok(text.clone().into_bytes()),
            JsonBlob::Hex { hex: digits } => hex(digits),
        }
    }
}

impl Default for JsonBlob {
    fn default() -> Self {
        JsonBlob::Text(String::new())
    }
}

/// What the program is started with.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct JsonGiven {
    pub program: JsonBlob,
    pub args: Vec<JsonBlob>,
    pub env: Vec<JsonVariable>,
    pub stdin: JsonBlob,
    pub files: Vec<JsonGivenFile>,
    pub inputs: Vec<String>,
    pub beyond: Vec<String>,
    pub excuses: Vec<String>,
}

/// An environment variable.
#[derive(Clone, Debug, Deserialize)]
pub struct JsonVariable {
    pub name: JsonBlob,
    pub value: JsonBlob,
}

/// A file that is there before the start.
#[derive(Clone, Debug, Deserialize)]
pub struct JsonGivenFile {
    pub path: String,
    pub content: JsonBlob,
}

impl JsonTest {
    /// Exactly what the program printed.
    ///
    /// # Errors
    /// If the file's hexadecimal form is broken.
    pub fn output(&self) -> Result<Vec<u8>, String> {
        self.output_bytes.as_deref().map_or_else(|| Ok(self.output.clone().into_bytes()), hex)
    }

    /// What it wrote to standard output, and to standard error.
    ///
    /// # Errors
    /// If a hexadecimal form is broken.
    pub fn streams(&self) -> Result<(Vec<u8>, Vec<u8>), String> {
        match (&self.stdout, &self.stderr) {
            (Some(out), Some(err)) => Ok((out.bytes()?, err.bytes()?)),
            _ => Ok((self.output()?, Vec::new())),
        }
    }
}

/// How a path ended.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the file's")]
pub enum JsonOutcome {
    Exit { code: i32 },
    Signal { signal: i32 },
    Reached { target: String },
    Finding { finding: String },
    Unsupported { what: String },
    Limit { reason: String },
    Unknown { reason: String },
}

/// A symbolic input with its value.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct JsonInput {
    /// Its name.
    pub name: String,
    /// Its C type, or `bytes`.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its value in hexadecimal, as it lies in memory.
    pub bytes: String,
}

impl JsonInput {
    /// The bytes.
    ///
    /// # Errors
    /// If they are not hexadecimal.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        hex(&self.bytes)
    }

    /// The value as a little-endian integer, signed unless the type is unsigned.
    ///
    /// # Errors
    /// If it is wider than 16 bytes or not hexadecimal.
    pub fn integer(&self) -> Result<i128, String> {
        let bytes = self.bytes()?;
        if bytes.is_empty() || bytes.len() > 16 {
            return Err(format!("`{}` is not an integer", self.name));
        }
        let unsigned = ["unsigned", "uint", "size_t", "bool", "_Bool", "bytes"].iter().any(|u| self.ty.starts_with(u));
        let negative = !unsigned && bytes.last().is_some_and(|top| top & 0x80 != 0);
        let mut whole = [if negative { 0xff } else { 0 }; 16];
        whole[..bytes.len()].copy_from_slice(&bytes);
        Ok(i128::from_le_bytes(whole))
    }
}

fn hex(text: &str) -> Result<Vec<u8>, String> {
    let digits = text.as_bytes();
    let wrong = || format!("not hexadecimal: {text}");
    if !digits.len().is_multiple_of(2) {
        return Err(wrong());
    }
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect::<Option<_>>()
        .ok_or_else(wrong)
}
