//! What the program was started with on one path: the world, with numbers settled and unknown bytes as terms.
//!
//! Boundary: made by [`crate::boot`], kept by the kernel; read back when a test is written.

use std::collections::BTreeSet;

use taw_engine::{Given, HoldsTerms, Value, Witness};
use taw_expr::{Marks, Terms};

use crate::world::{PeerAddress, World};

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
    /// Names of the inputs that all this is made of, and of those that system calls made.
    pub inputs: Vec<String>,
    /// What system calls answered and natively would not: the value that is not zero if they did, and what they did.
    answers: Vec<(Value, String)>,
    /// What the program asked the system for that may be otherwise natively, in words.
    questions: BTreeSet<String>,
}

impl HoldsTerms for Start {
    fn mark(&self, marks: &mut Marks) {
        let Start { counts: _, open, args, env, stdin, files, inputs: _, answers, questions: _ } = self;
        open.mark(marks);
        args.mark(marks);
        env.iter().for_each(|(_, value)| value.mark(marks));
        stdin.mark(marks);
        files.iter().for_each(|(_, content)| content.mark(marks));
        answers.iter().for_each(|(unless_zero, _)| unless_zero.mark(marks));
    }
}

impl Start {
    /// Notes that a system call made an input, and how it answers where that is not zero (or whatever it is).
    pub(crate) fn answered(&mut self, input: String, unless_zero: Option<Value>, how: String) {
        self.inputs.push(input);
        self.answers.push((unless_zero.unwrap_or(Value::word(1)), how));
    }

    /// Notes that a peer outside has talked to the program.
    pub(crate) fn met(&mut self, at: &PeerAddress) {
        self.answers.push((Value::word(1), format!("the peer at `{at}` talking to the program")));
    }

    /// Notes that a system call asks for what is the machine's own.
    pub(crate) fn questioned(&mut self, name: &str) {
        self.questions.insert(format!("the program calls `{name}`, which answers otherwise on every machine"));
    }

    /// Notes that a path led to what is the machine's own, or to nothing where the machine may have something.
    pub(crate) fn looked_outside(&mut self) {
        self.questions
            .insert("the program looks at files outside its folder, which are others on every machine".into());
    }

    /// Notes that a system call was refused for want of permission. Who runs the program natively may have it, and then the
    /// program would write where it must not: such a path is not run natively.
    pub(crate) fn refused(&mut self, name: &str) {
        let how = format!("`{name}` being refused for want of permission");
        if self.answers.iter().all(|(_, known)| *known != how) {
            self.answers.push((Value::word(1), how));
        }
    }

    /// What a native run is given to start like this, for the inputs that the witness is.
    pub(crate) fn given(&self, world: &World, terms: &Terms, witness: &mut Witness) -> Given {
        let mut bytes =
            |values: &[Value]| -> Vec<u8> { values.iter().map(|v| word(*v, terms, witness) as u8).collect() };
        let files = self.files.iter().map(|(path, content)| (path.clone(), bytes(content))).collect();
        let stdin = bytes(&self.stdin);
        let mut excuses = Vec::new();
        excuses.extend(self.questions.iter().cloned());
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
        let is = |(value, how): &(Value, String)| (word(*value, terms, witness) != 0).then(|| how.clone());
        let beyond: BTreeSet<String> = self.answers.iter().filter_map(is).collect();
        let beyond = beyond.into_iter().collect();
        Given { program: world.program.clone(), args, env, stdin, files, inputs: self.inputs.clone(), beyond, excuses }
    }
}

fn word(value: Value, terms: &Terms, witness: &mut Witness) -> u64 {
    match value.as_term() {
        None => value.as_word().unwrap_or_default(),
        Some(t) => witness.word(terms, t),
    }
}

/// Bytes as a C string sees them, and those behind its end.
fn until_zero(mut bytes: Vec<u8>) -> (Vec<u8>, Vec<u8>) {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    let rest = bytes.split_off(end);
    (bytes, rest)
}
