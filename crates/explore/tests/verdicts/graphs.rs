//! Small programs: every control-flow graph of a few blocks over one byte of input, one block of which may do something special.
//!
//! A program is the text of its IR for the explorer, and a table that [`Graph::run`] interprets: what is true of it is found by
//! running it on all 256 inputs.

use std::collections::BTreeSet;
use std::fmt::Write;

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Return,
    Goto(usize),
    /// A condition by its number, and where to if it holds and if not.
    If(usize, usize, usize),
}

/// What else a block does, before it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    /// Halves the input: loops end, and conditions mean something else the next time.
    Halves,
    /// Calls `g`, which branches on the input.
    Calls,
    /// Cannot be executed; natively it does nothing.
    Unsupported,
    /// Calls a function that nobody has, and hands it `g`.
    HandsOut,
    /// Calls a function that nobody has, and hands it a pointer to `g` that was made elsewhere.
    HandsOutLater,
    /// Replaces the input by what a model says, which gives one value of several and says so.
    Picks,
    /// Turns forking off.
    NoFork,
    /// Calls itself as long as the input is small and not 0, with half of it.
    Recurs,
    /// Divides by the lowest bit of the input: an error if that is even.
    Divides,
}

pub const SPECIALS: [Special; 9] = [
    Special::Halves,
    Special::Calls,
    Special::Unsupported,
    Special::HandsOut,
    Special::HandsOutLater,
    Special::Picks,
    Special::NoFork,
    Special::Recurs,
    Special::Divides,
];

/// A condition as text, and as it is.
type Condition = (&'static str, fn(u8) -> bool);

/// The conditions: the first two exclude each other, the third is independent of them.
const CONDITIONS: [Condition; 3] = [
    ("v2: i1 = cmp ult i8 v0, i8 10", |x| x < 10),
    ("v2: i1 = cmp eq i8 v0, i8 200", |x| x == 200),
    ("v1: i8 = and v0, i8 1\n    v2: i1 = cmp ne i8 v1, i8 0", |x| x & 1 == 1),
];

/// A program: the blocks of `f`, and which one is special.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    pub ends: Vec<End>,
    pub special: Option<(usize, Special)>,
}

/// A block: of `f` by its number, or of `g`: 0 its first, 1 if the input is small, 2 if not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Block {
    F(usize),
    G(usize),
}

/// What happens at an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Errors {
    /// The program ends.
    End,
    /// It goes on, as it may natively.
    GoOn,
}

/// What one input does.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    pub blocks: BTreeSet<Block>,
    /// Whether it came to its end.
    pub ends: bool,
}

/// A run that takes so many blocks never ends. One that ends comes by a block at most once with the same value, which can be halved
/// 8 times; and it calls itself at most 4 calls deep.
const FOR_EVER: u32 = 100;

impl Graph {
    /// All blocks that a program may have as goals.
    pub fn blocks(&self) -> Vec<Block> {
        (0..self.ends.len()).map(Block::F).chain((0..3).map(Block::G)).collect()
    }

    /// What the program does on an input.
    pub fn run(&self, input: u8, errors: Errors) -> Trace {
        let mut trace = Trace::default();
        let mut left = FOR_EVER;
        trace.ends = self.call(input, errors, &mut trace.blocks, &mut left);
        trace
    }

    fn call(&self, mut x: u8, errors: Errors, blocks: &mut BTreeSet<Block>, left: &mut u32) -> bool {
        let mut at = 0;
        loop {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            blocks.insert(Block::F(at));
            match self.special.filter(|(block, _)| *block == at).map(|(_, special)| special) {
                Some(Special::Halves) => x >>= 1,
                Some(Special::Calls) => blocks.extend([Block::G(0), Block::G(if x < 10 { 1 } else { 2 })]),
                // It may call what it is given, with whatever it likes.
                Some(Special::HandsOut | Special::HandsOutLater) => blocks.extend([0, 1, 2].map(Block::G)),
                Some(Special::Recurs) if x < 10 && x > 0 => {
                    if !self.call(x >> 1, errors, blocks, left) {
                        return false;
                    }
                }
                Some(Special::Divides) if x & 1 == 0 && errors == Errors::End => return true,
                Some(Special::Divides | Special::Recurs | Special::Unsupported | Special::Picks | Special::NoFork)
                | None => {}
            }
            match self.ends[at] {
                End::Return => return true,
                End::Goto(to) => at = to,
                End::If(condition, yes, no) => at = if CONDITIONS[condition].1(x) { yes } else { no },
            }
        }
    }

    /// The program as text.
    pub fn text(&self) -> String {
        let mut text = String::from("target \"x86_64-unknown-linux-gnu\" 64 bits little\n");
        text.push_str("declare @pick(v0: i8) -> i8\ndeclare @no_fork()\ndeclare @nobody(v0: ptr)\n");
        text.push_str("func @g(v0: i8) {\nb0:\n    v2: i1 = cmp ult i8 v0, i8 10\n    br v2, b1, b2\n");
        text.push_str("b1:\n    ret\nb2:\n    ret\n}\n");
        text.push_str("func @f(v0: i8 \"x\") {\n");
        let mut helpers = String::new();
        for (at, end) in self.ends.iter().enumerate() {
            writeln!(text, "b{at}:\n    v3: i8 = copy i8 0").unwrap();
            if let Some((block, special)) = self.special
                && block == at
            {
                write_special(&mut text, &mut helpers, special);
            }
            match *end {
                End::Return => text.push_str("    ret\n"),
                End::Goto(to) => writeln!(text, "    br b{to}").unwrap(),
                End::If(condition, yes, no) => {
                    writeln!(text, "    {}\n    br v2, b{yes}, b{no}", CONDITIONS[condition].0).unwrap();
                }
            }
        }
        text.push_str("}\n");
        text + &helpers
    }
}

fn write_special(text: &mut String, helpers: &mut String, special: Special) {
    let line = match special {
        Special::Halves => "v0: i8 = lshr v0, i8 1",
        Special::Calls => "call @g(v0)",
        Special::Unsupported => "unsupported \"a riddle\"",
        Special::HandsOut => "call @nobody(ptr @g)",
        Special::HandsOutLater => "v4: ptr = copy ptr @g\n    call @nobody(v4)",
        Special::Picks => "v0: i8 = call @pick(v0) -> i8",
        Special::NoFork => "call @no_fork()",
        Special::Recurs => "call @again(v0)",
        Special::Divides => "v1: i8 = and v0, i8 1\n    v3: i8 = udiv i8 100, v1",
    };
    writeln!(text, "    {line}").unwrap();
    if special == Special::Recurs {
        helpers.push_str("func @again(v0: i8) {\nb0:\n    v1: i8 = sub v0, i8 1\n    v2: i1 = cmp ult i8 v1, i8 9\n");
        helpers.push_str(
            "    br v2, b1, b2\nb1:\n    v3: i8 = lshr v0, i8 1\n    call @f(v3)\n    br b2\nb2:\n    ret\n}\n",
        );
    }
}

/// Every graph of so many blocks over the first so many conditions, each shape once: blocks are numbered as a walk from the
/// first one meets them, and all are met.
pub fn graphs(blocks: usize, conditions: usize) -> Vec<Graph> {
    let mut ends = vec![End::Return];
    ends.extend((0..blocks).map(End::Goto));
    for condition in 0..conditions {
        let pairs = (0..blocks).flat_map(|yes| (0..blocks).map(move |no| (yes, no)));
        ends.extend(pairs.filter(|(yes, no)| yes != no).map(|(yes, no)| End::If(condition, yes, no)));
    }
    let mut all = vec![Vec::new()];
    for _ in 0..blocks {
        all = all
            .into_iter()
            .flat_map(|some: Vec<End>| ends.iter().map(move |&end| [&some[..], &[end]].concat()))
            .collect();
    }
    all.retain(|ends| is_in_order(ends));
    all.into_iter().map(|ends| Graph { ends, special: None }).collect()
}

fn is_in_order(ends: &[End]) -> bool {
    let mut met = 1;
    let mut at = 0;
    while at < met {
        let to = match ends[at] {
            End::Return => vec![],
            End::Goto(to) => vec![to],
            End::If(_, yes, no) => vec![yes, no],
        };
        for to in to {
            if to > met {
                return false;
            }
            met = met.max(to + 1);
        }
        at += 1;
    }
    met == ends.len()
}
