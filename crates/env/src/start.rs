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
        let mut text = |values: &[Value]| until_zero(bytes(values));
        Given {
            program: world.program.clone(),
            args: self.args.iter().map(|arg| text(arg)).collect(),
            env: self.env.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
            stdin,
            files,
            inputs: self.inputs.clone(),
            beyond: Vec::new(),
        }
    }
}

fn byte(value: Value, terms: &Terms, witness: &mut Witness) -> u8 {
    match value.as_term() {
        None => value.as_word().unwrap_or_default() as u8,
        Some(t) => witness.word(terms, t) as u8,
    }
}

/// Bytes as a C string sees them.
fn until_zero(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(end) = bytes.iter().position(|b| *b == 0) {
        bytes.truncate(end);
    }
    bytes
}
