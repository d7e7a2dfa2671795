//! Prefixes as text: how paths go to disk and to other processes.
//!
//! One JSON document a line. The first says what the file is, its version and the program; each of the others is a prefix. Decisions
//! name functions by number, so they mean something for one program only: a file of another one is refused, as is another version.
//! Boundary: where the text lies and who writes it is the caller's.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use taw_ir::{EntityRef, FuncId, Program};

use crate::follow::{Prefix, PrefixTurn};
use crate::path::Decision;
use crate::test_case::{Input, InputType};

const FORMAT: &str = "taw-prefixes";
const VERSION: u32 = 1;

/// Why a text gives no prefixes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrefixError {
    /// It is something else.
    NoPrefixes,
    /// It has another version than this Taw reads.
    Version(u32),
    /// It is of another program.
    OtherProgram,
    /// A line, counted from 1, is no prefix; why.
    Line(usize, String),
}

impl fmt::Display for PrefixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrefixError::NoPrefixes => write!(f, "this is no file of paths"),
            PrefixError::Version(version) => {
                write!(f, "the file has version {version}, and this Taw reads version {VERSION}")
            }
            PrefixError::OtherProgram => write!(f, "the paths are of another program, or of another version of it"),
            PrefixError::Line(line, why) => write!(f, "line {line}: {why}"),
        }
    }
}

impl std::error::Error for PrefixError {}

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
    program: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    entry: String,
    inputs: Vec<InputLine>,
    /// Function, instruction and way of each decision.
    ways: Vec<(u32, u32, u32)>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    turns: Vec<TurnLine>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    answers: Vec<u64>,
    /// The number of the state that is split off last.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    open: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnLine {
    number: u32,
    /// Inputs that have another value before, by position, and that value.
    before: Vec<(usize, String)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InputLine {
    name: String,
    /// The C type; nothing for bytes of no known type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", default)]
    ty: Option<String>,
    /// The value as it lies in memory, in hexadecimal.
    bytes: String,
}

/// What tells a program from every other: a hash of all that is executed.
pub fn program_identity(program: &Program) -> String {
    struct IdentityHasher(Sha256);
    impl Write for IdentityHasher {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.update(text.as_bytes());
            Ok(())
        }
    }
    let mut sink = IdentityHasher(Sha256::new());
    write!(sink, "{program}").expect("a hash takes everything");
    hex(&sink.0.finalize())
}

/// The text of prefixes of the program with that [identity](program_identity).
pub fn write_prefixes<'a>(identity: &str, prefixes: impl IntoIterator<Item = &'a Prefix>) -> String {
    let head = Head { format: FORMAT.to_owned(), version: VERSION, program: identity.to_owned() };
    let mut text = json(&head);
    for prefix in prefixes {
        text += &json(&Line::from(prefix));
    }
    text
}

fn json(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("strings and numbers are JSON") + "\n"
}

/// The prefixes of a text, for the program with that [identity](program_identity).
///
/// # Errors
/// If the text is none of prefixes, or not of that program.
pub fn read_prefixes(identity: &str, text: &str) -> Result<Vec<Prefix>, PrefixError> {
    let mut lines = text.lines().enumerate();
    let head = lines.next().and_then(|(_, head)| serde_json::from_str::<Head>(head).ok());
    let head = head.filter(|head| head.format == FORMAT).ok_or(PrefixError::NoPrefixes)?;
    if head.version != VERSION {
        return Err(PrefixError::Version(head.version));
    }
    if head.program != identity {
        return Err(PrefixError::OtherProgram);
    }
    let prefix = |(number, line): (usize, &str)| {
        let bad = |why: String| PrefixError::Line(number + 1, why);
        let line: Line = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
        Prefix::try_from(line).map_err(bad)
    };
    lines.map(prefix).collect()
}

impl From<&Prefix> for Line {
    fn from(prefix: &Prefix) -> Self {
        let input = |input: &Input| InputLine {
            name: input.name.clone(),
            ty: match &input.ty {
                InputType::Scalar(name) => Some(name.clone()),
                InputType::Choice(_) => Some("choice".to_owned()),
                InputType::Bytes => None,
            },
            bytes: hex(&input.bytes),
        };
        let turn = |turn: &PrefixTurn| {
            let values = turn.before.iter().zip(&prefix.inputs).enumerate();
            let other = values.filter(|(_, (before, after))| before.bytes != after.bytes);
            let before = other.map(|(at, (before, _))| (at, hex(&before.bytes))).collect();
            TurnLine { number: turn.number, before }
        };
        Line {
            entry: prefix.entry.clone(),
            inputs: prefix.inputs.iter().map(input).collect(),
            ways: prefix.ways.iter().map(|way| (way.func.as_u32(), way.pc, way.way)).collect(),
            turns: prefix.turns.iter().map(turn).collect(),
            answers: prefix.answers.clone(),
            open: prefix.open,
        }
    }
}

impl TryFrom<Line> for Prefix {
    type Error = String;

    fn try_from(line: Line) -> Result<Self, String> {
        let input = |input: InputLine| {
            let ty = input.ty.map_or(InputType::Bytes, InputType::Scalar);
            Ok(Input { bytes: value(&input.name, &input.bytes)?, name: input.name, ty })
        };
        let inputs = line.inputs.into_iter().map(input).collect::<Result<Vec<Input>, String>>()?;
        let turn = |turn: TurnLine| {
            let mut before = inputs.clone();
            for (at, bytes) in turn.before {
                let input = before.get_mut(at).ok_or("there is no input of that number")?;
                input.bytes = value(&input.name, &bytes)?;
            }
            Ok(PrefixTurn { number: turn.number, before })
        };
        let way = |(func, pc, way): (u32, u32, u32)| match func {
            u32::MAX => Err("there is no function of that number".to_owned()),
            func => Ok(Decision { func: FuncId::new(func as usize), pc, way }),
        };
        Ok(Prefix {
            entry: line.entry,
            ways: line.ways.into_iter().map(way).collect::<Result<_, String>>()?,
            turns: line.turns.into_iter().map(turn).collect::<Result<_, String>>()?,
            answers: line.answers,
            open: line.open,
            inputs,
        })
    }
}

fn value(name: &str, bytes: &str) -> Result<Vec<u8>, String> {
    unhex(bytes).ok_or_else(|| format!("the value of `{name}` is not hexadecimal"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix() -> Prefix {
        let way = |pc, way| Decision { func: FuncId::new(3), pc, way };
        let inputs = vec![
            Input { name: "x \"1\"".to_owned(), ty: InputType::Scalar("int".to_owned()), bytes: vec![1, 0, 0xff, 7] },
            Input { name: "b".to_owned(), ty: InputType::Bytes, bytes: Vec::new() },
        ];
        let mut before = inputs.clone();
        before[1].bytes = vec![9];
        Prefix {
            entry: "main".to_owned(),
            ways: vec![way(7, 1), way(9, 0), way(7, 12)],
            inputs,
            turns: vec![PrefixTurn { number: 2, before }],
            answers: vec![4096, u64::MAX],
            open: Some(4),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let all = [prefix(), Prefix::default()];
        let text = write_prefixes("p", &all);
        assert_eq!(text.lines().count(), 3);
        assert_eq!(read_prefixes("p", &text), Ok(all.to_vec()));
    }

    #[test]
    fn what_is_something_else_is_refused() {
        let text = write_prefixes("p", &[prefix()]);
        assert_eq!(read_prefixes("q", &text), Err(PrefixError::OtherProgram));
        assert_eq!(read_prefixes("p", &text.replace("\"version\":1", "\"version\":2")), Err(PrefixError::Version(2)));
        for other in ["", "\n", "{}", "[]", "int main(void) {}", &text.replace(FORMAT, "others")] {
            assert_eq!(read_prefixes("p", other), Err(PrefixError::NoPrefixes), "{other}");
        }
        for (from, to) in [
            ("\"open\":4", "\"open\":-4"),
            ("0100ff07", "0100f"),
            ("0100ff07", "zz"),
            ("[3,7,1]", "[3,7]"),
            ("[3,7,1]", "[4294967295,7,1]"),
            ("[1,\"09\"]", "[2,\"09\"]"),
            ("[1,\"09\"]", "[1,\"9\"]"),
            ("\"entry\"", "\"start\""),
        ] {
            let broken = text.replacen(from, to, 1);
            assert_ne!(broken, text, "{from}");
            assert!(matches!(read_prefixes("p", &broken), Err(PrefixError::Line(2, _))), "{to}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(at in 0usize..400, byte in 0u8..128) {
            let mut text = write_prefixes("p", &[prefix(), prefix()]).into_bytes();
            let at = at % text.len();
            text[at] = byte;
            let text = String::from_utf8(text).expect("it is ASCII");
            let _ = read_prefixes("p", &text);
        }
    }
}
