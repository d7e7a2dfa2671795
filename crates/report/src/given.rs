//! What a program is started with, as a test stores it: arguments, environment, standard input, files.

use serde::{Deserialize, Serialize};
use taw_engine::Given;

use crate::test_file::{from_hex, to_hex};

/// The name of a program that the user has given none.
pub(crate) const NAMELESS: &str = "program";

/// Bytes in JSON: a text where they are one that people can read, else `{"hex": "…"}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Blob {
    /// As they are.
    Text(String),
    /// Two hexadecimal digits per byte.
    Hex {
        /// The digits.
        hex: String,
    },
}

impl Blob {
    /// The stored form of bytes.
    pub fn new(bytes: &[u8]) -> Self {
        let readable = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
        match str::from_utf8(bytes) {
            Ok(text) if text.chars().all(readable) => Blob::Text(text.to_owned()),
            _ => Blob::Hex { hex: to_hex(bytes) },
        }
    }

    /// The bytes; none if the digits are not hexadecimal.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Blob::Text(text) => Some(text.clone().into_bytes()),
            Blob::Hex { hex } => from_hex(hex),
        }
    }

    fn is_empty(&self) -> bool {
        *self == Blob::default()
    }
}

impl Default for Blob {
    fn default() -> Self {
        Blob::Text(String::new())
    }
}

/// What a program is started with.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GivenRecord {
    /// Its name, `argv[0]`.
    pub program: Blob,
    /// The arguments after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Blob>,
    /// The environment; there is nothing else in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<VariableRecord>,
    /// Standard input.
    #[serde(skip_serializing_if = "Blob::is_empty")]
    pub stdin: Blob,
    /// Files that are there before the start. Those of the host are not listed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRecord>,
    /// Names of the inputs that all this is made of: no call of the program asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// What of the path no native run can be made to do, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<String>,
    /// Why a native run may rightly go another way, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excuses: Vec<String>,
}

/// An environment variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say it")]
pub struct VariableRecord {
    pub name: Blob,
    pub value: Blob,
}

/// A file with its content.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileRecord {
    /// Relative to the folder in which the program runs, or absolute.
    pub path: String,
    /// All of it.
    pub content: Blob,
}

impl GivenRecord {
    /// The stored form; none if it says nothing.
    pub fn new(given: &Given) -> Option<Self> {
        let nothing = Given { program: given.program.clone(), ..Given::default() };
        if *given == nothing && (given.program.is_empty() || given.program == NAMELESS.as_bytes()) {
            return None;
        }
        let variable =
            |(name, value): &(Vec<u8>, Vec<u8>)| VariableRecord { name: Blob::new(name), value: Blob::new(value) };
        let file = |(path, content): &(String, Vec<u8>)| FileRecord { path: path.clone(), content: Blob::new(content) };
        Some(GivenRecord {
            program: Blob::new(&given.program),
            args: given.args.iter().map(|arg| Blob::new(arg)).collect(),
            env: given.env.iter().map(variable).collect(),
            stdin: Blob::new(&given.stdin),
            files: given.files.iter().map(file).collect(),
            inputs: given.inputs.clone(),
            beyond: given.beyond.clone(),
            excuses: given.excuses.clone(),
        })
    }

    /// All of it with its bytes.
    ///
    /// # Errors
    /// What is not hexadecimal, in words.
    pub fn given(&self) -> Result<Given, String> {
        let of = |blob: &Blob, what: &str| blob.bytes().ok_or_else(|| format!("{what} is not hexadecimal"));
        let args = self.args.iter().map(|arg| of(arg, "an argument")).collect::<Result<_, _>>()?;
        let variable = |v: &VariableRecord| -> Result<(Vec<u8>, Vec<u8>), String> {
            Ok((of(&v.name, "the name of a variable")?, of(&v.value, "an environment variable")?))
        };
        let file = |f: &FileRecord| Ok((f.path.clone(), of(&f.content, &format!("the content of `{}`", f.path))?));
        Ok(Given {
            program: of(&self.program, "the program's name")?,
            args,
            env: self.env.iter().map(variable).collect::<Result<_, _>>()?,
            stdin: of(&self.stdin, "the standard input")?,
            files: self.files.iter().map(file).collect::<Result<_, String>>()?,
            inputs: self.inputs.clone(),
            beyond: self.beyond.clone(),
            excuses: self.excuses.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_is_read_back() {
        let given = Given {
            program: b"cat".to_vec(),
            args: vec![b"-n".to_vec(), b"\xff\0".to_vec(), Vec::new()],
            env: vec![(b"HOME".to_vec(), b"\x01".to_vec())],
            stdin: b"a\nb".to_vec(),
            files: vec![("A".into(), vec![0, 1, 2]), ("d/B".into(), b"text".to_vec())],
            inputs: vec!["arg1".into()],
            beyond: vec!["the clock".into()],
            excuses: vec!["because".into()],
        };
        let record = GivenRecord::new(&given).unwrap();
        let text = serde_json::to_string(&record).unwrap();
        assert!(text.contains(r#""args":["-n",{"hex":"ff00"},""]"#), "{text}");
        let read: GivenRecord = serde_json::from_str(&text).unwrap();
        assert_eq!(read.given(), Ok(given));
    }

    #[test]
    fn nothing_is_not_stored_and_nonsense_is_named() {
        assert_eq!(GivenRecord::new(&Given::default()), None);
        assert_eq!(GivenRecord::new(&Given { program: b"program".to_vec(), ..Given::default() }), None);
        assert!(GivenRecord::new(&Given { program: b"cat".to_vec(), ..Given::default() }).is_some());
        let wrong: GivenRecord = serde_json::from_str(r#"{"stdin":{"hex":"0"}}"#).unwrap();
        assert_eq!(wrong.given(), Err("the standard input is not hexadecimal".into()));
    }
}
