//! Raw files for AFL++ and libFuzzer: the bytes of the one buffer, stream or file that the program reads.
//!
//! A buffer whose length is an input of its own (`size`, as the libFuzzer harness has it) is cut to that length.

use std::path::Path;

use taw_engine::{Input, InputType};

use super::{FinishedRun, FormatDef, FormatError, NamedTest, put};
use crate::output_dir::is_test;
use crate::test_file::TestFile;

pub(super) const DEF: FormatDef = FormatDef {
    name: "corpus",
    help: "raw files for AFL++ and libFuzzer, for programs with one byte buffer",
    writes: is_test,
    write,
};

fn write(suite: &FinishedRun<'_>, folder: &Path) -> Result<Vec<String>, FormatError> {
    let files: Vec<(&str, Vec<u8>)> = suite.tests.iter().map(raw).collect::<Result<_, _>>()?;
    files.iter().try_for_each(|(name, bytes)| put(folder, name, bytes))?;
    Ok(Vec::new())
}

fn raw(test: &NamedTest) -> Result<(&str, Vec<u8>), FormatError> {
    let inputs = test.test.inputs().unwrap_or_default();
    if let Some(bytes) = buffer(&inputs).or_else(|| stream(&test.test)) {
        return Ok((&test.name, bytes));
    }
    let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    let has = if names.is_empty() { "no input".into() } else { format!("the inputs {}", names.join(", ")) };
    let why = format!(
        "a raw file is one byte buffer, and the test {} has {has}; make one buffer (taw_symbolic), standard input or one file \
         symbolic, or choose ktest",
        test.name
    );
    Err(FormatError::Unfit { format: DEF.name, why })
}

/// The one input if it is standard input or a file: what fuzzers give a program.
fn stream(test: &TestFile) -> Option<Vec<u8>> {
    let ([only], Some(given)) = (test.inputs.as_slice(), &test.given) else { return None };
    let is_file = given.files.iter().any(|file| file.path == only.name);
    let is_given = given.inputs.contains(&only.name);
    (is_given && (only.name == "stdin" || is_file)).then(|| only.input().map(|input| input.bytes)).flatten()
}

/// The bytes of the one buffer; `None` if the inputs are anything else.
pub(super) fn buffer(inputs: &[Input]) -> Option<Vec<u8>> {
    match inputs {
        [buffer] if buffer.ty == InputType::Bytes => Some(buffer.bytes.clone()),
        // No bytes at all: the harness does not ask for the content of an empty buffer.
        [size] if is_size(size) && number(size) == 0 => Some(Vec::new()),
        [size, buffer] if is_size(size) && buffer.ty == InputType::Bytes => {
            let length = usize::try_from(number(size)).ok()?;
            buffer.bytes.get(..length).map(<[u8]>::to_vec)
        }
        _ => None,
    }
}

fn is_size(input: &Input) -> bool {
    input.name == "size" && matches!(&input.ty, InputType::Scalar(_))
}

fn number(input: &Input) -> u64 {
    input.bytes.iter().rev().take(8).fold(0, |n, &byte| n << 8 | u64::from(byte))
}
