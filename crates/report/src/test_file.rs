//! A test on disk: JSON, one file per test.
//!
//! `inputs[].bytes` and `path` are what tools need (native replay, `--replay-path`); `value` and the rest are for people.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use taw_engine::{FindingKind, Given, Input, InputType, Outcome, TestCase};

use crate::api::BuiltRecord;
use crate::c::Text;
use crate::call::CallRecord;
use crate::given::{Blob, GivenRecord, NAMELESS};
use crate::place::{Places, StackFrame};
use crate::returned::ReturnRecord;
use crate::spot::Spot;
use crate::value;
use crate::words::{halt_in_words, unanswered_in_words};

/// A test as it is stored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TestFile {
    /// The function that was called; absent if that is `main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// How the path ended.
    pub outcome: OutcomeRecord,
    /// The inputs, in the order in which the path made them.
    pub inputs: Vec<InputRecord>,
    /// Labels of the markers passed, each once, in order.
    pub labels: Vec<String>,
    /// Values shown by `taw_print` and its like.
    pub prints: Vec<String>,
    /// What the program wrote to standard output and error; bytes that are not UTF-8 are replaced.
    pub output: String,
    /// What the program wrote in hexadecimal, present only where `output` had to replace something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<String>,
    /// The part of it that went to standard output; absent if all of it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout: Option<Blob>,
    /// The part of it that went to standard error; absent if nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<Blob>,
    /// Why nothing is said of what the program writes; absent if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_unclear: Option<String>,
    /// What the entry is called with; absent if that is `main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallRecord>,
    /// The calls that the entry makes, which Taw has put together (`--build-with`); absent if the entry is the user's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub built: Option<BuiltRecord>,
    /// What that call gives; absent if it does not return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<ReturnRecord>,
    /// What the program is started with; absent if that is nothing but its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<GivenRecord>,
    /// Which way each symbolic decision went.
    pub path: Vec<u32>,
}

/// One input as it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputRecord {
    /// Its name, unique within the test.
    pub name: String,
    /// Its C type, of one element if it is an array; `bytes` if not known.
    #[serde(rename = "type")]
    pub ty: String,
    /// The value as it lies in memory, two hexadecimal digits per byte.
    pub bytes: String,
    /// The value as C would spell it.
    pub value: String,
}

/// How a path ended, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum OutcomeRecord {
    /// It returned from the entry or called `exit`.
    Exit {
        /// The exit code.
        code: i32,
    },
    /// A signal ended it that was no error.
    Signal {
        /// Its number.
        signal: i32,
    },
    /// It met an error.
    Finding {
        /// Stable name of the kind of error.
        finding: String,
        /// What exactly.
        message: String,
        /// Where, innermost first.
        stack: Vec<StackFrame>,
    },
    /// It reached something that cannot be executed.
    Unsupported {
        /// What is not supported, in words.
        what: String,
        /// Where, innermost first.
        stack: Vec<StackFrame>,
    },
    /// It has reached a place that was asked for.
    Reached {
        /// The place, as it was asked for.
        target: String,
        /// How a native run is seen to get there: steps in order, each with places of which one will do.
        route: Vec<Vec<Spot>>,
    },
    /// It was cut short by a limit of the run.
    Limit {
        /// Which limit, in words.
        reason: String,
    },
    /// A query was not answered.
    Unknown {
        /// Why it is not known, in words.
        reason: String,
    },
}

/// Of a test file, in bytes: somebody else may have written it.
const LARGEST: u64 = 256 << 20;

impl TestFile {
    /// This test with what a native run must pass, if it is of a target that is no error.
    #[must_use]
    pub fn on_route(mut self, route: &[Vec<Spot>]) -> Self {
        if let OutcomeRecord::Reached { route: known, .. } = &mut self.outcome {
            *known = route.to_vec();
        }
        self
    }

    /// The stored form of a test.
    pub fn new(test: &TestCase, places: &Places<'_>) -> Self {
        let output = String::from_utf8_lossy(&test.written.both);
        let replaced = matches!(output, std::borrow::Cow::Owned(_));
        let apart = !test.written.err.is_empty();
        let entry = &places.program().functions[test.entry].name;
        let (call, returned) = written_call(test, entry, places);
        TestFile {
            entry: (entry != "main").then(|| entry.clone()),
            outcome: OutcomeRecord::new(&test.outcome, places),
            inputs: test.inputs.iter().map(|input| InputRecord::new(input, places)).collect(),
            labels: test.labels.clone(),
            prints: test.prints.clone(),
            output_bytes: replaced.then(|| to_hex(&test.written.both)),
            output: output.into_owned(),
            stdout: apart.then(|| Blob::new(&test.written.out)),
            stderr: apart.then(|| Blob::new(&test.written.err)),
            output_unclear: test.written.unclear.map(str::to_owned),
            call,
            built: None,
            returned,
            given: GivenRecord::new(&test.given),
            path: test.path.to_vec().into_iter().map(|decision| decision.way).collect(),
        }
    }

    /// A name made of the content (how the path ended, and a hash of that, the inputs and the path): the same test has
    /// the same name in every run.
    pub fn name(&self) -> String {
        let mut hash = Fnv::default();
        self.entry.iter().for_each(|entry| hash.add(entry.as_bytes()));
        for input in &self.inputs {
            hash.add(input.name.as_bytes());
            hash.add(input.bytes.as_bytes());
        }
        let end = match &self.outcome {
            OutcomeRecord::Exit { code } => format!("exit-{code}"),
            OutcomeRecord::Signal { signal } => format!("signal-{signal}"),
            OutcomeRecord::Finding { finding, stack, .. } => {
                stack.iter().for_each(|frame| hash.add(frame.place().as_bytes()));
                finding.clone()
            }
            OutcomeRecord::Unsupported { .. } => "unsupported".into(),
            OutcomeRecord::Reached { target, .. } => {
                hash.add(target.as_bytes());
                "reached".into()
            }
            OutcomeRecord::Limit { .. } => "limit".into(),
            OutcomeRecord::Unknown { .. } => "unknown".into(),
        };
        hash.add(end.as_bytes());
        self.path.iter().for_each(|side| hash.add(&side.to_le_bytes()));
        format!("{end}-{:016x}", hash.0)
    }

    /// Reads a test back.
    ///
    /// # Errors
    /// If the file cannot be read or is not a test of Taw's.
    pub fn read(path: &Path) -> Result<Self, TestReadError> {
        let because = |why| TestReadError { path: path.into(), why };
        let text = taw_files::read_regular(path, LARGEST).map_err(|error| because(Why::Io(error)))?;
        serde_json::from_slice(&text).map_err(|error| because(Why::Json(error)))
    }

    /// Whether a file that has the right form can be a test: what a hand or another tool may have got wrong.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        let mut names = std::collections::BTreeSet::new();
        for input in &self.inputs {
            let (name, ty) = (&input.name, &input.ty);
            let bytes =
                from_hex(&input.bytes).ok_or_else(|| format!("the bytes of input `{name}` are not hexadecimal"))?;
            if bytes.is_empty() {
                return Err(format!("input `{name}` has no bytes"));
            }
            if let Some(sizes) = sizes_of(ty).filter(|sizes| !sizes.contains(&bytes.len())) {
                let wanted: Vec<String> = sizes.iter().map(usize::to_string).collect();
                let (held, wanted) = (bytes.len(), wanted.join(" or "));
                return Err(format!("input `{name}` of type `{ty}` has {held} bytes instead of {wanted}"));
            }
            if !names.insert(name) {
                return Err(format!("two inputs are called `{name}`"));
            }
        }
        self.output_bytes()?;
        self.streams()?;
        self.given()?;
        self.call.as_ref().map_or(Ok(()), CallRecord::check)?;
        let known = self.call.as_ref().map_or(0, |call| call.objects.len());
        self.returned.as_ref().map_or(Ok(()), |returned| returned.check(known))?;
        match &self.outcome {
            OutcomeRecord::Finding { finding, .. } if FindingKind::named(finding).is_none() => {
                Err(format!("`{finding}` is no kind of error"))
            }
            OutcomeRecord::Finding { stack, .. } if stack.is_empty() => Err("the finding has no place".into()),
            _ => Ok(()),
        }
    }

    /// What the program wrote, byte by byte.
    ///
    /// # Errors
    /// If `output_bytes` is not hexadecimal.
    pub fn output_bytes(&self) -> Result<Vec<u8>, String> {
        match &self.output_bytes {
            None => Ok(self.output.clone().into_bytes()),
            Some(hex) => from_hex(hex).ok_or_else(|| "`output_bytes` is not hexadecimal".to_owned()),
        }
    }

    /// What the program wrote to standard output, and to standard error.
    ///
    /// # Errors
    /// If something is not hexadecimal.
    pub fn streams(&self) -> Result<(Vec<u8>, Vec<u8>), String> {
        let bytes = |blob: &Blob| blob.bytes().ok_or_else(|| "an output is not hexadecimal".to_owned());
        match (&self.stdout, &self.stderr) {
            (None, None) => Ok((self.output_bytes()?, Vec::new())),
            (out, err) => {
                Ok((out.as_ref().map_or(Ok(Vec::new()), bytes)?, err.as_ref().map_or(Ok(Vec::new()), bytes)?))
            }
        }
    }

    /// What the program is started with.
    ///
    /// # Errors
    /// If something is not hexadecimal.
    pub fn given(&self) -> Result<Given, String> {
        match &self.given {
            None => Ok(Given { program: NAMELESS.into(), ..Given::default() }),
            Some(given) => given.given(),
        }
    }

    /// The inputs that calls of the program ask for, in their order.
    pub fn asked(&self) -> impl Iterator<Item = &InputRecord> {
        let given = self.given.as_ref().map_or(&[][..], |given| &given.inputs);
        let made = self.call.as_ref().map_or(&[][..], |call| &call.inputs);
        self.inputs.iter().filter(move |input| !given.contains(&input.name) && !made.contains(&input.name))
    }

    /// What a person is shown of the inputs: those that the call as C (`call`) does not tell.
    pub fn inputs_beside_call(&self) -> Vec<InputRecord> {
        let call = self.call.as_ref().filter(|call| !call.shown().is_empty());
        let by_call = |name: &String| {
            call.is_some_and(|call| call.inputs.contains(name) || call.arguments.iter().any(|a| a.name == *name))
        };
        let by_calls = |name: &String| self.built.as_ref().is_some_and(|built| built.inputs.contains(name));
        self.inputs.iter().filter(|input| !by_call(&input.name) && !by_calls(&input.name)).cloned().collect()
    }

    /// What a person is shown of the calls, as C: that of the entry, or those that it makes if it is none of the user's.
    pub fn calls_shown(&self) -> &[String] {
        match &self.built {
            Some(built) => &built.c,
            None => self.call.as_ref().map_or(&[], CallRecord::shown),
        }
    }

    /// This test as one of calls that Taw has put together.
    #[must_use]
    pub fn with_calls(mut self, built: BuiltRecord) -> Self {
        self.built = Some(built);
        if let Some(call) = &mut self.call {
            call.unwritable = Some("it makes calls that Taw has put together (--build-with)".to_owned());
        }
        self
    }

    /// The inputs with their bytes.
    ///
    /// # Errors
    /// The name of an input whose `bytes` are not hexadecimal.
    pub fn inputs(&self) -> Result<Vec<Input>, String> {
        self.inputs.iter().map(|record| record.input().ok_or_else(|| record.name.clone())).collect()
    }
}

impl InputRecord {
    fn new(input: &Input, places: &Places<'_>) -> Self {
        let ty = match &input.ty {
            InputType::Scalar(name) => name.clone(),
            InputType::Choice(_) => CHOICE.to_owned(),
            InputType::Bytes => UNTYPED.to_owned(),
        };
        let value = value::in_c(input, &places.program().layout);
        InputRecord { name: input.name.clone(), ty, bytes: to_hex(&input.bytes), value }
    }

    /// The input with its bytes; nothing if these are not hexadecimal.
    pub fn input(&self) -> Option<Input> {
        let bytes = from_hex(&self.bytes)?;
        let ty = match self.ty.as_str() {
            UNTYPED => InputType::Bytes,
            CHOICE => self.choice(*bytes.first()?),
            _ => InputType::Scalar(self.ty.clone()),
        };
        Some(Input { name: self.name.clone(), ty, bytes })
    }

    /// What is known of a choice: the meaning of its value, and of no other.
    fn choice(&self, way: u8) -> InputType {
        let mut words = vec![String::new(); usize::from(way)];
        words.push(self.value.clone());
        InputType::Choice(words.into())
    }
}

/// The call of the entry and what it gives, as they are stored.
fn written_call(test: &TestCase, entry: &str, places: &Places<'_>) -> (Option<CallRecord>, Option<ReturnRecord>) {
    let Some(graph) = &test.graph else { return (None, None) };
    let text = Text::new(graph, places.program(), entry);
    let call = CallRecord::new(graph, text.call(&test.inputs), places);
    let returned = test.returned.as_ref().map(|outcome| ReturnRecord::new(outcome, text.afterwards(outcome), places));
    (Some(call), returned)
}

/// The sizes that a scalar of a type of C may have on the machines that Taw knows; none if that is not fixed.
fn sizes_of(ty: &str) -> Option<&'static [usize]> {
    match ty {
        "char" | "signed char" | "unsigned char" | "int8_t" | "uint8_t" | "_Bool" => Some(&[1]),
        "short" | "unsigned short" | "int16_t" | "uint16_t" => Some(&[2]),
        "int" | "unsigned int" | "int32_t" | "uint32_t" | "float" => Some(&[4]),
        "long" | "unsigned long" | "size_t" | "uintptr_t" => Some(&[4, 8]),
        "long long" | "unsigned long long" | "int64_t" | "uint64_t" | "double" => Some(&[8]),
        _ => None,
    }
}

/// The hash of Fowler, Noll and Vo (64 bits, 1a): short, and the same for ever. Not against those who want collisions.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a part and its end.
    fn add(&mut self, part: &[u8]) {
        for &byte in part.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// The type of an input of which only the bytes are known.
const UNTYPED: &str = "bytes";

/// The type of an input that says where a pointer points.
const CHOICE: &str = "choice";

impl OutcomeRecord {
    fn new(outcome: &Outcome, places: &Places<'_>) -> Self {
        match outcome {
            Outcome::Exit(code) => OutcomeRecord::Exit { code: *code },
            Outcome::Signal(signal) => OutcomeRecord::Signal { signal: *signal },
            Outcome::Finding(finding) => OutcomeRecord::Finding {
                finding: finding.kind.name().to_owned(),
                message: finding.message.clone(),
                stack: places.stack(&finding.stack),
            },
            Outcome::Unsupported { what, stack } => {
                OutcomeRecord::Unsupported { what: what.clone(), stack: places.stack(stack) }
            }
            Outcome::Reached(target) => OutcomeRecord::Reached { target: target.clone(), route: Vec::new() },
            Outcome::Halted(halt) => OutcomeRecord::Limit { reason: halt_in_words(halt) },
            Outcome::Unknown(what) => OutcomeRecord::Unknown { reason: unanswered_in_words(what) },
        }
    }
}

/// Why a test could not be read back.
#[derive(Debug)]
pub struct TestReadError {
    path: PathBuf,
    why: Why,
}

#[derive(Debug)]
enum Why {
    Io(io::Error),
    Json(serde_json::Error),
}

impl fmt::Display for TestReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.why {
            Why::Io(error) => write!(f, "cannot read the test `{path}`: {error}"),
            Why::Json(error) => write!(
                f,
                "`{path}` is not a test written by Taw: {error}; give a file of the folder `tests` of an output directory"
            ),
        }
    }
}

impl std::error::Error for TestReadError {}

pub(crate) fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

pub(crate) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok())).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::tests::program;
    use std::fs;
    use taw_engine::{Decision, Finding, Limit, NativeFailure, NoResult, PathWays, StackEntry, Unanswered, Written};

    fn written_ways<const N: usize>(ways: [u32; N]) -> PathWays {
        PathWays::Written(ways.map(|way| Decision { func: taw_ir::FuncId::from_u32(0), pc: 0, way }).to_vec())
    }

    fn every_outcome() -> Vec<Outcome> {
        let (_, main, _, inner) = program();
        let stack = vec![StackEntry { function: main, loc: Some(inner) }];
        let no_result = NoResult { function: "f".into(), arguments: "(1)".into(), failure: NativeFailure::Varied };
        let finding = Finding { kind: FindingKind::Leak, message: "8 bytes".into(), stack: stack.clone() };
        vec![
            Outcome::Exit(3),
            Outcome::Finding(finding),
            Outcome::Unsupported { what: "inline assembly".into(), stack },
            Outcome::Reached("a.c:3".into()),
            Outcome::Halted(Limit::Depth(3).into()),
            Outcome::Unknown(Unanswered::Call(no_result)),
        ]
    }

    #[test]
    fn what_is_written_is_read_back() {
        let (program, ..) = program();
        let places = Places::new(&program, "/".into());
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.json");
        for outcome in every_outcome() {
            let test = TestCase {
                graph: None,
                returned: None,
                entry: taw_ir::FuncId::from_u32(0),
                inputs: vec![
                    Input {
                        name: "x".into(),
                        ty: InputType::Scalar("int".into()),
                        bytes: vec![0xfe, 0xff, 0xff, 0xff],
                    },
                    Input { name: "raw".into(), ty: InputType::Bytes, bytes: vec![1, 2, 3] },
                ],
                outcome,
                path: written_ways([0, 1, 7]),
                written: Written {
                    both: b"caf\xe9\n".to_vec(),
                    out: b"caf\n".to_vec(),
                    err: b"\xe9".to_vec(),
                    unclear: None,
                },
                given: Given { args: vec![b"x".to_vec()], ..Given::default() },
                labels: vec!["L".into()],
                prints: vec!["y = 1".into()],
                covered: taw_engine::PathCoverage::default(),
                decisive: Vec::new(),
                caller: None,
            };
            let stored = TestFile::new(&test, &places);
            fs::write(&path, serde_json::to_vec(&stored).unwrap()).unwrap();
            let read = TestFile::read(&path).unwrap();
            assert_eq!(read, stored);
            assert_eq!(read.inputs().unwrap(), test.inputs);
            assert_eq!(read.inputs[0].value, "-2");
            assert_eq!(read.output_bytes.as_deref(), Some("636166e90a"));
            assert_eq!(read.streams(), Ok((test.written.out, test.written.err)));
            assert_eq!(read.given(), Ok(test.given));
        }
    }

    #[test]
    fn a_test_is_named_by_its_content() {
        let (program, ..) = program();
        let places = Places::new(&program, "/".into());
        let test = |x: u8, code| {
            let inputs = vec![Input { name: "x".into(), ty: InputType::Bytes, bytes: vec![x] }];
            let covered = taw_engine::PathCoverage::default();
            let (path, written, labels, prints) = (written_ways([1]), Written::default(), Vec::new(), Vec::new());
            let outcome = Outcome::Exit(code);
            let (entry, decisive, given) = (taw_ir::FuncId::from_u32(0), Vec::new(), Given::default());
            let test = TestCase {
                entry,
                inputs,
                outcome,
                path,
                decisive,
                caller: None,
                graph: None,
                returned: None,
                written,
                given,
                labels,
                prints,
                covered,
            };
            TestFile::new(&test, &places).name()
        };
        assert_eq!(test(1, 0), "exit-0-29aafc52b99cef04", "names must not change between versions without need");
        assert_ne!(test(1, 0), test(2, 0));
        assert!(test(1, 3).starts_with("exit-3-"));
    }

    #[test]
    fn a_file_that_is_no_test_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.json");
        assert!(TestFile::read(&path).unwrap_err().to_string().contains("cannot read the test"));
        fs::write(&path, "{}").unwrap();
        assert!(TestFile::read(&path).unwrap_err().to_string().contains("is not a test written by Taw"));
    }

    #[test]
    fn hexadecimal_goes_both_ways_and_refuses_the_rest() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&to_hex(&all)), Some(all));
        assert_eq!(from_hex("abc"), None);
        assert_eq!(from_hex("zz"), None);
    }
}
