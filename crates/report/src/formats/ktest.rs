//! KLEE's `.ktest`, version 3, as its `ktest-tool` and replay library read it.
//!
//! All numbers are big-endian words of 32 bits: `KTEST`, version, arguments (length and bytes each), symbolic arguments
//! and their length (none here), objects (name and bytes, each with its length).

use std::path::Path;

use taw_engine::{Input, InputType};

use super::{FinishedRun, FormatDef, FormatError, put};
use crate::output_dir::is_test;

pub(super) const DEF: FormatDef = FormatDef {
    name: "ktest",
    help: "KLEE's .ktest files, one per test",
    writes: |name| name.strip_suffix(".ktest").is_some_and(is_test),
    write,
};

pub(super) const MAGIC: &[u8] = b"KTEST";
const VERSION: u32 = 3;

fn write(suite: &FinishedRun<'_>, folder: &Path) -> Result<Vec<String>, FormatError> {
    for test in &suite.tests {
        let given = test.test.given().unwrap_or_default();
        let arguments: Vec<Vec<u8>> = std::iter::once(given.program).chain(given.args).collect();
        let inputs = in_klees_words(test.test.inputs().unwrap_or_default(), &given.inputs);
        put(folder, &format!("{}.ktest", test.name), &encode(&arguments, &inputs))?;
    }
    Ok(Vec::new())
}

/// The inputs of a start under the names that KLEE's model of the system has for them, and as it has them: arguments with
/// their final zero and numbered from 0, files as `NAME-data`.
fn in_klees_words(inputs: Vec<Input>, given: &[String]) -> Vec<Input> {
    let rename = |mut input: Input| {
        if !given.contains(&input.name) {
            return input;
        }
        let number = input.name.strip_prefix("arg").and_then(|n| n.parse::<usize>().ok());
        if let Some(number) = number {
            input.name = format!("arg{:02}", number.saturating_sub(1));
            input.bytes.push(0);
        } else if !input.name.starts_with("n_args") && !input.name.starts_with('$') && input.name != "stdin" {
            input.name.push_str("-data");
        }
        input
    };
    inputs.into_iter().map(rename).collect()
}

/// What an object of KLEE's model is called here, if it is one.
fn in_our_words(object: &Input) -> Option<Input> {
    let number = object.name.strip_prefix("arg").filter(|n| n.len() == 2).and_then(|n| n.parse::<usize>().ok());
    let ours = |name: String, bytes: &[u8]| Input { name, ty: InputType::Bytes, bytes: bytes.to_vec() };
    match (number, object.name.strip_suffix("-data")) {
        (Some(number), _) => Some(ours(format!("arg{}", number + 1), object.bytes.strip_suffix(&[0])?)),
        (None, Some(file)) => Some(ours(file.to_owned(), &object.bytes)),
        (None, None) => None,
    }
}

/// One file.
pub(super) fn encode(arguments: &[Vec<u8>], objects: &[Input]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    word(&mut out, VERSION as usize);
    word(&mut out, arguments.len());
    for argument in arguments {
        sized(&mut out, argument);
    }
    word(&mut out, 0);
    word(&mut out, 0);
    word(&mut out, objects.len());
    for object in objects {
        sized(&mut out, object.name.as_bytes());
        sized(&mut out, &object.bytes);
    }
    out
}

fn word(out: &mut Vec<u8>, value: usize) {
    // Sizes of objects are far below 4 GB: the engine's heap is limited to 2 GiB.
    out.extend(u32::try_from(value).unwrap_or(u32::MAX).to_be_bytes());
}

fn sized(out: &mut Vec<u8>, bytes: &[u8]) {
    word(out, bytes.len());
    out.extend(bytes);
}

/// The objects of a file; those of KLEE's model of the system also under the names they have here.
///
/// # Errors
/// What is wrong with it.
pub(super) fn decode(bytes: &[u8]) -> Result<Vec<Input>, String> {
    let mut reader = Reader { rest: bytes.strip_prefix(MAGIC).ok_or("it does not begin with KTEST")? };
    let version = reader.word("the version")?;
    if !(1..=VERSION).contains(&version) {
        return Err(format!("version {version} of the format is not known (1 to {VERSION} are)"));
    }
    for _ in 0..reader.word("the number of arguments")? {
        reader.sized("an argument")?;
    }
    if version >= 2 {
        reader.word("the number of symbolic arguments")?;
        reader.word("the length of symbolic arguments")?;
    }
    let count = reader.word("the number of objects")?;
    let mut objects = Vec::new();
    for _ in 0..count {
        let name = String::from_utf8_lossy(reader.sized("the name of an object")?).into_owned();
        let bytes = reader.sized(&format!("the bytes of `{name}`"))?.to_vec();
        objects.push(Input { name, ty: InputType::Bytes, bytes });
    }
    // Beside the objects themselves: programs may have inputs with such names.
    let ours: Vec<Input> = objects.iter().filter_map(in_our_words).collect();
    objects.extend(ours);
    match reader.rest.len() {
        0 => Ok(objects),
        more => Err(format!("{more} bytes follow the last object")),
    }
}

struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    fn take(&mut self, size: usize, what: &str) -> Result<&'b [u8], String> {
        let (head, rest) =
            self.rest.split_at_checked(size).ok_or_else(|| format!("it ends within {what}, which has {size} bytes"))?;
        self.rest = rest;
        Ok(head)
    }

    fn word(&mut self, what: &str) -> Result<u32, String> {
        let bytes = self.take(4, what)?;
        Ok(bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte)))
    }

    fn sized(&mut self, what: &str) -> Result<&'b [u8], String> {
        let size = self.word(what)? as usize;
        self.take(size, what)
    }
}
