//! What the program was started with on one path: the world, with numbers settled and unknown bytes as terms.
//!
//! Boundary: made by [`crate::boot`], kept by the kernel; read back when a test is written.

use taw_engine::{Given, Value, Witness};
use taw_expr::Terms;

use crate::world::World;

/// The start of one path.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// How many arguments each [`crate::Arg::Several`] became, in order, as far as settled.
    pub(crate) counts: Vec<usize>,
    /// The number that is to be settled next.
    pub(crate) open: Option<Value>,
    /// Arguments after the program's name, without the final zero.
    pub args: Vec<Vec<Value>>,
    /// Environment variables.
    pub env: Vec<(Vec<u8>, Vec<Value>)>,
    /// Content of standard input.
    pub stdin: Vec<Value>,
    /// Files: path and content.
    pub files: Vec<(String, Vec<Value>)>,
    /// Names of the inputs that all this is made of.
    pub inputs: Vec<String>,
}

impl Start {
    /// The same for the inputs that the witness is.
    pub(crate) fn given(&self, world: &World, terms: &Terms, witness: &mut Witness) -> Given {
        let mut bytes = |values: &[Value]| -> Vec<u8> { values.iter().map(|v| byte(*v, terms, witness)).collect() };
        let files = self.files.iter().map(|(path, content)| (path.clone(), bytes(content))).collect();
        let stdin = bytes(&self.stdin);
        let mut excuses = Vec::new();
        let mut text = |values: &[Value], what: &str| {
            let (text, rest) = until_zero(bytes(values));
            if rest.iter().any(|b| *b != 0) {
                excuses.push(format!("{what} has bytes behind its end, which no program can be given"));
            }
            text
        };
        let args = (1..).zip(&self.args).map(|(i, arg)| text(arg, &format!("argument {i}"))).collect();
        let named = |name: &[u8]| format!("the variable `{}`", String::from_utf8_lossy(name));
        let env = self.env.iter().map(|(name, value)| (name.clone(), text(value, &named(name)))).collect();
        Given {
            program: world.program.clone(),
            args,
            env,
            stdin,
            files,
            inputs: self.inputs.clone(),
            beyond: Vec::new(),
            excuses,
        }
    }
}

fn byte(value: Value, terms: &Terms, witness: &mut Witness) -> u8 {
    match value.as_term() {
        None => value.as_word().unwrap_or_default() as u8,
        Some(t) => witness.word(terms, t) as u8,
    }
}

/// Bytes as a C string sees them, and those behind its end.
fn until_zero(mut bytes: Vec<u8>) -> (Vec<u8>, Vec<u8>) {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    let rest = bytes.split_off(end);
    (bytes, rest)
}
