//! Values that people like in tests: small, printable, and not all the same, where the path allows.
//!
//! What a solver gives is whatever satisfies a path. Here other values are tried, one input at a time: the call is run again with them, and they stay if it does all the
//! duties that it did and ends in the same way. Nothing is believed, so nothing can become wrong.

use std::time::{Duration, Instant};

use taw_engine::{Input, InputType};
use taw_ir::FuncId;
use taw_report::suite::{Duties, SuiteStandIn};

use crate::Error;
use crate::prepared::Prepared;
use crate::testing::FoundTest;

/// Runs for one test, at most.
const RUNS: usize = 60;
/// Paths of one run, at most: the one that has the values is the first.
const PATHS: u64 = 4;

impl<'s> Prepared<'s> {
    /// The same test with values that are nicer.
    ///
    /// # Errors
    /// What must be mended before the program can run.
    pub(crate) fn nicer(
        &self,
        function: FuncId,
        duties: &Duties<'s>,
        stand_ins: &[SuiteStandIn],
        found: FoundTest,
        time: Duration,
    ) -> Result<FoundTest, Error> {
        let Ok(mut inputs) = found.file.inputs() else { return Ok(found) };
        let (begin, mut best, mut runs) = (Instant::now(), found, 0);
        for number in 0..inputs.len() {
            for bytes in candidates(&inputs, number) {
                runs += 1;
                if runs > RUNS || begin.elapsed() > time {
                    return Ok(best);
                }
                let mut tried = inputs.clone();
                tried[number].bytes = bytes;
                let now = self.test_inputs(function, duties, stand_ins, tried.clone(), PATHS)?;
                let is_as_good = |now: &FoundTest| {
                    now.file.inputs.len() == inputs.len()
                        && std::mem::discriminant(&now.test.end) == std::mem::discriminant(&best.test.end)
                        && best.numbers.iter().all(|number| now.numbers.binary_search(number).is_ok())
                };
                if let Some(now) = now.filter(is_as_good) {
                    (best, inputs) = (now, tried);
                    break;
                }
            }
        }
        Ok(best)
    }
}

/// Other values for an input, the nicest first; none if it is nice.
fn candidates(inputs: &[Input], number: usize) -> Vec<Vec<u8>> {
    let input = &inputs[number];
    let InputType::Scalar(ty) = &input.ty else { return Vec::new() };
    if input.name.ends_with(".further") {
        return Vec::new();
    }
    if ty.starts_with("char[") {
        return printable(&input.bytes).into_iter().collect();
    }
    if ty.contains('[') || ty.contains('*') || ty == "_Bool" {
        return Vec::new();
    }
    match ty.as_str() {
        "float" | "double" => floats(ty, &input.bytes),
        "char" | "signed char" | "unsigned char" if input.bytes.len() == 1 => characters(input.bytes[0]),
        _ if input.bytes.len() <= 8 => integers(inputs, number, !ty.contains("unsigned")),
        _ => Vec::new(),
    }
}

/// Text with a letter in the place of each byte that nobody can read.
fn printable(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let is_odd = |byte: &u8| !matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let letter = |at: usize| b'a' + (at % 26) as u8;
    bytes[..end].iter().any(is_odd).then(|| {
        let nice = bytes[..end].iter().enumerate().map(|(at, byte)| if is_odd(byte) { letter(at) } else { *byte });
        nice.chain(bytes[end..].iter().copied()).collect()
    })
}

fn characters(byte: u8) -> Vec<Vec<u8>> {
    match byte {
        0 | b' '..=b'~' => Vec::new(),
        _ => b"a0 ~z\n".iter().map(|nice| vec![*nice]).collect(),
    }
}

fn integers(inputs: &[Input], number: usize, signed: bool) -> Vec<Vec<u8>> {
    let input = &inputs[number];
    let size = input.bytes.len();
    let mut word = [0; 8];
    word[..size].copy_from_slice(&input.bytes);
    let bits = u64::from_le_bytes(word);
    let shift = 64 - 8 * size as u32;
    let value = if signed { i128::from((bits << shift).cast_signed() >> shift) } else { i128::from(bits) };
    let is_twin = inputs[..number].iter().any(|other| other.ty == input.ty && other.bytes == input.bytes);
    if value.abs() <= 100 && !is_twin {
        return Vec::new();
    }
    let small = [2, 3, 5, 7, 10, 1, 0, -1, 100].into_iter();
    let ends = [10, 100, 1000, 10_000, 100_000].into_iter().map(|end| value % end);
    let mut nice: Vec<i128> = if is_twin { small.take(5).collect() } else { small.chain(ends).collect() };
    nice.retain(|other| *other != value && (is_twin || other.abs() < value.abs()) && (signed || *other >= 0));
    nice.dedup();
    nice.into_iter().map(|value| value.to_le_bytes()[..size].to_vec()).collect()
}

fn floats(ty: &str, bytes: &[u8]) -> Vec<Vec<u8>> {
    let nice = [2.0f64, 3.5, 10.0, 0.5, 1.0, 100.0, -1.0, -2.5];
    match (ty, <[u8; 8]>::try_from(bytes), <[u8; 4]>::try_from(bytes)) {
        ("double", Ok(bytes), _) => {
            let value = f64::from_le_bytes(bytes);
            let is_nice = !value.is_finite() || value * 8.0 == (value * 8.0).trunc() && value.abs() <= 1000.0;
            if is_nice { Vec::new() } else { nice.iter().map(|value| value.to_le_bytes().to_vec()).collect() }
        }
        ("float", _, Ok(bytes)) => {
            let value = f32::from_le_bytes(bytes);
            let is_nice = !value.is_finite() || value * 8.0 == (value * 8.0).trunc() && value.abs() <= 1000.0;
            if is_nice { Vec::new() } else { nice.iter().map(|value| (*value as f32).to_le_bytes().to_vec()).collect() }
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(name: &str, ty: &str, bytes: &[u8]) -> Input {
        Input { name: name.into(), ty: InputType::Scalar(ty.into()), bytes: bytes.to_vec() }
    }

    #[test]
    fn what_is_nice_stays() {
        let inputs = [input("a", "int", &3i32.to_le_bytes()), input("b", "int", &4i32.to_le_bytes())];
        assert!(candidates(&inputs, 0).is_empty() && candidates(&inputs, 1).is_empty());
        assert!(candidates(&[input("x", "double", &1.5f64.to_le_bytes())], 0).is_empty());
        assert!(candidates(&[input("*s", "char[4]", b"ab\0\x01")], 0).is_empty());
    }

    #[test]
    fn large_numbers_twins_and_odd_characters_are_tried_otherwise() {
        let inputs = [input("y", "int", &2_097_152_100i32.to_le_bytes())];
        assert!(candidates(&inputs, 0).contains(&100i32.to_le_bytes().to_vec()));
        let inputs = [input("a", "int", &0i32.to_le_bytes()), input("b", "int", &0i32.to_le_bytes())];
        assert_eq!(candidates(&inputs, 1)[0], 2i32.to_le_bytes());
        assert_eq!(candidates(&[input("*s", "char[4]", b"\x01b\0\0")], 0), [b"ab\0\0".to_vec()]);
        assert!(candidates(&[input("c", "char", b"\x80")], 0).contains(&b"a".to_vec()));
    }
}
