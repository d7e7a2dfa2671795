//! What a path has written to standard output and error, and what may be claimed of it.
//!
//! The text of a number that depends on inputs is made when the path is over. Until then a byte stands in for it wherever the C library
//! carries it: in the buffer of a stream. So what is written when, and what never is, comes from the library's own code.
//! Boundary: nobody but the writer of the console looks at a stand-in; its value means nothing.
//! Invariant: what may natively have left at another moment, so that bytes are in another order or missing, is not claimed at all.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use taw_expr::{Marks, Node, Term, Terms, Var};

use crate::cx::Cx;
use crate::holds::HoldsTerms;
use crate::state::Witness;
use crate::trail::Trail;
use crate::value::Value;

/// Where output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// What writes for the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writer {
    /// The buffer at this address, at a moment that the program chose.
    Flush(u64),
    /// The buffer at this address because it is full: how large it is natively, nobody says.
    Spill(u64),
}

/// A piece of output that depends on inputs: what it takes to make its bytes.
pub trait LateOutput: fmt::Debug + HoldsTerms {
    /// The bytes under a witness; nothing if they are not known.
    fn bytes(&self, terms: &Terms, witness: &mut Witness) -> Option<Vec<u8>>;
}

type Late = Rc<dyn LateOutput>;

#[derive(Clone, Debug)]
enum Piece {
    Bytes(Vec<u8>),
    /// Bytes that depend on inputs.
    Values(Vec<Value>),
    /// A byte that is, or for some inputs is, one of these stand-ins.
    Chosen(Term, Vec<StandIn>),
}

/// A variable that stands in for a text, and the text; none of it if it stands for nothing.
type StandIn = (Term, Option<Late>);

impl HoldsTerms for Piece {
    fn mark(&self, marks: &mut Marks) {
        match self {
            Piece::Bytes(_) => {}
            Piece::Values(values) => values.mark(marks),
            Piece::Chosen(byte, texts) => {
                byte.mark(marks);
                for (stand_in, late) in texts {
                    stand_in.mark(marks);
                    late.mark(marks);
                }
            }
        }
    }
}

/// What a path has written. Shared until something is.
#[derive(Clone, Default, Debug)]
pub struct Output(Rc<Console>);

#[derive(Clone, Default, Debug)]
struct Console {
    pieces: Trail<(Stream, Piece)>,
    /// The texts that bytes stand in for, by number.
    late: Rc<Vec<Late>>,
    /// The buffer that has spilled to each stream and was not flushed since.
    spilled: [Option<u64>; 2],
    /// Whether something was written to a stream while a buffer had spilled to it.
    disordered: bool,
    /// Who makes the next write, unless it is the program.
    writer: Option<Writer>,
}

impl HoldsTerms for (Stream, Piece) {
    fn mark(&self, marks: &mut Marks) {
        self.1.mark(marks);
    }
}

impl HoldsTerms for Output {
    fn mark(&self, marks: &mut Marks) {
        if marks.is_first(&self.0) {
            let Console { pieces, late, spilled: _, disordered: _, writer: _ } = &*self.0;
            pieces.mark(marks);
            late.mark(marks);
        }
    }
}

/// What a path has written, under a witness.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Written {
    /// To both streams, interleaved.
    pub both: Vec<u8>,
    /// To standard output.
    pub out: Vec<u8>,
    /// To standard error.
    pub err: Vec<u8>,
    /// Why nothing is claimed; the rest is empty then.
    pub unclear: Option<&'static str>,
}

impl Written {
    fn unclear(why: &'static str) -> Self {
        Written { unclear: Some(why), ..Written::default() }
    }
}

impl Output {
    /// What was written, for the inputs that the witness is.
    pub fn under(&self, terms: &Terms, witness: &Witness) -> Written {
        let Console { pieces, spilled, disordered, .. } = &*self.0;
        if *disordered || spilled.iter().any(Option::is_some) {
            return Written::unclear("when a full buffer is written depends on its size");
        }
        let mut witness = witness.clone();
        let mut all = Written::default();
        for (stream, piece) in pieces.to_vec() {
            let bytes = match piece {
                Piece::Bytes(bytes) => bytes.clone(),
                Piece::Values(values) => values.iter().map(|v| byte(*v, terms, &mut witness)).collect(),
                Piece::Chosen(byte, texts) => match chosen(*byte, texts, terms, &mut witness) {
                    Ok(bytes) => bytes,
                    Err(why) => return Written::unclear(why),
                },
            };
            all.both.extend(&bytes);
            match stream {
                Stream::Out => all.out.extend(&bytes),
                Stream::Err => all.err.extend(&bytes),
            }
        }
        all
    }

    /// Says who makes the next write; nobody, if it was not made.
    pub fn announce(&mut self, writer: Option<Writer>) {
        if self.0.writer != writer {
            Rc::make_mut(&mut self.0).writer = writer;
        }
    }

    fn moment(&mut self, stream: Stream) {
        let console = Rc::make_mut(&mut self.0);
        let writer = console.writer.take();
        let spilled = &mut console.spilled[stream as usize];
        let buffer = writer.map(|(Writer::Flush(buffer) | Writer::Spill(buffer))| buffer);
        console.disordered |= spilled.is_some() && *spilled != buffer;
        match writer {
            Some(Writer::Spill(buffer)) => *spilled = Some(buffer),
            Some(Writer::Flush(_)) => *spilled = None,
            None => {}
        }
    }

    fn push(&mut self, stream: Stream, piece: Piece) {
        let pieces = &mut Rc::make_mut(&mut self.0).pieces;
        match (pieces.last_mut(), &piece) {
            (Some((last, Piece::Bytes(text))), Piece::Bytes(more)) if *last == stream => text.extend(more),
            _ => pieces.push((stream, piece)),
        }
    }
}

fn byte(value: Value, terms: &Terms, witness: &mut Witness) -> u8 {
    match value.as_term() {
        None => value.as_word().unwrap_or_default() as u8,
        Some(t) => witness.word(terms, t) as u8,
    }
}

/// The bytes of a stand-in, or of a choice among some by where the buffer was filled: the witness says which it is.
fn chosen(mut t: Term, texts: &[StandIn], terms: &Terms, witness: &mut Witness) -> Result<Vec<u8>, &'static str> {
    while let Node::Ite(condition, yes, no) = *terms.node(t) {
        t = if witness.holds(terms, condition) { yes } else { no };
    }
    let set = terms.vars_of(t);
    match texts.iter().find(|(var, _)| terms.share_input(set, terms.vars_of(*var))) {
        None => Ok(vec![witness.word(terms, t) as u8]),
        Some((var, _)) if *var != t => Err("the text of a number was computed with"),
        Some((_, None)) => Ok(Vec::new()),
        Some((_, Some(late))) => late.bytes(terms, witness).ok_or("a number has more digits than Taw can tell"),
    }
}

/// The variables that stand in for text; the first for none. Paths share them.
#[derive(Default)]
pub(crate) struct StandIns {
    vars: Vec<Term>,
    numbers: HashMap<Var, usize>,
}

impl HoldsTerms for StandIns {
    fn mark(&self, marks: &mut Marks) {
        let StandIns { vars, numbers: _ } = self;
        vars.mark(marks);
    }
}

impl StandIns {
    fn var(&mut self, terms: &mut Terms, number: usize) -> Term {
        while self.vars.len() <= number {
            let var = terms.new_var(&format!("text#{}", self.vars.len()), 8);
            self.numbers.insert(var, self.vars.len());
            self.vars.push(terms.var(var));
        }
        self.vars[number]
    }
}

impl Cx<'_, '_> {
    /// A byte that stands in for a text on its way to the console.
    pub fn stand_in(&mut self, late: Rc<dyn LateOutput>) -> Value {
        let all = Rc::make_mut(&mut Rc::make_mut(&mut self.state.output.0).late);
        all.push(late);
        let number = all.len();
        let var = self.engine.stand_ins.var(&mut self.engine.terms, number);
        self.value(var)
    }

    /// A byte that stands in for nothing: keeps room for a text.
    pub fn stand_in_for_nothing(&mut self) -> Value {
        let var = self.engine.stand_ins.var(&mut self.engine.terms, 0);
        self.value(var)
    }

    /// Whether one of the bytes stands in for a text.
    pub fn has_stand_in(&self, bytes: &[Value]) -> bool {
        !self.state.output.0.late.is_empty() && bytes.iter().any(|b| self.stand_ins(*b).next().is_some())
    }

    /// The numbers of the stand-ins that a byte depends on.
    fn stand_ins(&self, byte: Value) -> impl Iterator<Item = usize> + '_ {
        let terms = &self.engine.terms;
        let vars = byte.as_term().into_iter().flat_map(|t| terms.vars_in(terms.vars_of(t)));
        vars.filter_map(|var| self.engine.stand_ins.numbers.get(&var).copied())
    }

    /// Adds to what the program has written.
    pub fn emit(&mut self, stream: Stream, bytes: &[u8]) {
        self.state.output.moment(stream);
        self.state.output.push(stream, Piece::Bytes(bytes.to_vec()));
    }

    /// Adds to what the program has written: bytes that may depend on inputs or stand in for texts.
    pub fn emit_values(&mut self, stream: Stream, bytes: &[Value]) {
        self.state.output.moment(stream);
        let mut plain = Vec::new();
        for byte in bytes {
            let text = |number: usize| number.checked_sub(1).and_then(|i| self.state.output.0.late.get(i)).cloned();
            let stand_ins = self.stand_ins(*byte).map(|n| (self.engine.stand_ins.vars[n], text(n)));
            let stand_ins: Vec<StandIn> = stand_ins.collect();
            let (Some(t), false) = (byte.as_term(), stand_ins.is_empty()) else {
                plain.push(*byte);
                continue;
            };
            if !plain.is_empty() {
                self.state.output.push(stream, Piece::Values(std::mem::take(&mut plain)));
            }
            if !matches!(stand_ins[..], [(var, None)] if var == t) {
                self.state.output.push(stream, Piece::Chosen(t, stand_ins));
            }
        }
        if !plain.is_empty() {
            self.state.output.push(stream, Piece::Values(plain));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(moments: &[Option<Writer>]) -> Written {
        let mut output = Output::default();
        for writer in moments {
            output.announce(*writer);
            output.moment(Stream::Out);
            output.push(Stream::Out, Piece::Bytes(b"a".to_vec()));
        }
        output.under(&Terms::new(), &Witness::new(taw_expr::Assignment::new()))
    }

    #[test]
    fn what_a_full_buffer_leaves_open_is_not_claimed() {
        let (spill, flush, other, program) =
            (Some(Writer::Spill(1)), Some(Writer::Flush(1)), Some(Writer::Flush(2)), None);
        for known in [&[program][..], &[flush, program, other], &[spill, spill, flush, program]] {
            assert_eq!(written(known).both.len(), known.len(), "{known:?}");
        }
        for open in [&[spill][..], &[spill, program, flush], &[spill, other, flush]] {
            assert!(written(open).unclear.is_some() && written(open).both.is_empty(), "{open:?}");
        }
    }
}
