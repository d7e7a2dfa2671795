//! A loop at one arrival as a function of terms: what it reads are the arguments, what it writes and by which exit it is left the results.
//!
//! All results are of one opaque function; which of them is wanted is its first argument. Whoever evaluates one gets the others for nothing: the loop is
//! run once for each list of arguments (or so: what is remembered is bounded).
//!
//! Invariant: exit 0 says that there is no result, because the loop did not end within the budget, or met an error or something that was not foreseen.
//! Then the other results are what they were at that time: a hint for whoever searches, and nothing more.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use taw_expr::{Bits, FloatFormat, Outside};

use super::arena::Arena;
use super::code::Code;
use super::machine::{Callees, Ran, run};
use crate::memory::{Memory, Object, bytes_of, word_of};

/// Words remembered of results.
const MOST_KNOWN: usize = 1 << 18;
/// What an answer that is remembered costs, in operations on words.
const REMEMBERED: u64 = 32;

/// A place that an argument is put into before the loop runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArgumentPlace {
    Register(u32),
    /// So many bytes of the object that begins here.
    Bytes {
        base: u64,
        offset: usize,
        len: usize,
    },
}

/// A place that a result is taken from when the loop is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ResultPlace {
    /// The number of the exit, from 1.
    Exit,
    Register(u32),
    /// So many bytes of the object that begins here.
    Bytes {
        base: u64,
        offset: usize,
        len: usize,
    },
}

/// Bits of the number of an exit, and of the number of a result.
pub(super) const EXIT_BITS: u32 = 8;
pub(super) const RESULT_BITS: u32 = 16;

/// A loop and what it is run on.
#[derive(Clone)]
pub(super) struct LoopRun {
    pub(super) code: Rc<Code>,
    pub(super) callees: Rc<Callees>,
    /// The frame at the header, without arguments.
    pub(super) frame: Vec<u64>,
    pub(super) memory: Memory,
    /// The places of arguments.
    pub(super) arguments: Vec<ArgumentPlace>,
    /// For objects that may be written where that is.
    pub(super) open: BTreeMap<u64, Range<usize>>,
    pub(super) budget: u64,
}

/// Results by arguments.
type KnownResults = FxHashMap<Box<[u64]>, Rc<[u64]>>;

/// The function.
pub(super) struct LoopFunction {
    pub(super) run: LoopRun,
    pub(super) results: Vec<(ResultPlace, u32)>,
    known: RefCell<KnownResults>,
    /// Contents of objects as they are at the header, without arguments.
    contents: RefCell<FxHashMap<u64, Option<Rc<[u8]>>>>,
    price: Cell<u64>,
    effort: Rc<LoopEffort>,
}

/// What evaluating the loops of a run has taken.
#[derive(Debug, Default)]
pub(super) struct LoopEffort {
    pub(super) jumps: Cell<u64>,
    /// Whether the budget of one evaluation was too small.
    pub(super) ran_out: Cell<bool>,
}

impl fmt::Debug for LoopFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a loop of {} operations", self.run.code.operations.len())
    }
}

impl LoopFunction {
    pub(super) fn new(run: LoopRun, results: Vec<(ResultPlace, u32)>, effort: Rc<LoopEffort>) -> Self {
        LoopFunction {
            run,
            results,
            known: RefCell::default(),
            contents: RefCell::default(),
            price: Cell::new(REMEMBERED),
            effort,
        }
    }

    /// All results for these arguments.
    pub(super) fn results_of(&self, arguments: &[u64]) -> Rc<[u64]> {
        if let Some(known) = self.known.borrow().get(arguments) {
            self.price.set(REMEMBERED);
            return Rc::clone(known);
        }
        let results = self.compute(arguments);
        let mut known = self.known.borrow_mut();
        if known.len() * (self.results.len() + arguments.len()) >= MOST_KNOWN {
            known.clear();
        }
        known.insert(arguments.into(), Rc::clone(&results));
        results
    }

    fn compute(&self, arguments: &[u64]) -> Rc<[u64]> {
        let LoopRun { code, callees, frame, memory, arguments: places, open, budget } = &self.run;
        let mut frame = frame.clone();
        for (place, &word) in places.iter().zip(arguments) {
            if let ArgumentPlace::Register(register) = place {
                frame[*register as usize] = word;
            }
        }
        let mut fill = |object: &Object| {
            let mut bytes = self.content(object)?.to_vec();
            for (place, &word) in places.iter().zip(arguments) {
                match *place {
                    ArgumentPlace::Bytes { base, offset, len } if base == object.base => {
                        bytes[offset..offset + len].copy_from_slice(&bytes_of(word, len, code.big_endian)[..len]);
                    }
                    _ => {}
                }
            }
            Some((bytes, open.get(&object.base).cloned().unwrap_or(0..0)))
        };
        let mut arena = Arena::new(memory, code.big_endian, &mut fill);
        let Ran { mut exit, frame, spent } = run(code, callees, frame, &mut arena, *budget);
        self.price.set(REMEMBERED + spent);
        self.effort.jumps.set(self.effort.jumps.get() + spent);
        if spent >= *budget {
            self.effort.ran_out.set(true);
        }
        let mut words: Vec<u64> = Vec::with_capacity(self.results.len());
        for (place, _) in &self.results {
            words.push(match *place {
                ResultPlace::Exit => u64::from(exit),
                ResultPlace::Register(register) => frame[register as usize],
                ResultPlace::Bytes { base, offset, len } => match arena.read(base + offset as u64, len) {
                    Some(bytes) => word_of(bytes, code.big_endian),
                    None => {
                        exit = 0;
                        0
                    }
                },
            });
        }
        if let Some(first) = words.first_mut() {
            *first = u64::from(exit);
        }
        words.into()
    }

    /// What an object holds at the header, zeros where arguments go; nothing if there is more that nobody knows.
    fn content(&self, object: &Object) -> Option<Rc<[u8]>> {
        let mut contents = self.contents.borrow_mut();
        let known = contents.entry(object.base).or_insert_with(|| self.content_of(object).map(Into::into));
        known.clone()
    }

    fn content_of(&self, object: &Object) -> Option<Vec<u8>> {
        if let Some(bytes) = object.concrete_bytes(0, object.size as usize) {
            return Some(bytes);
        }
        let mut bytes = vec![None; object.size as usize];
        for place in &self.run.arguments {
            match *place {
                ArgumentPlace::Bytes { base, offset, len } if base == object.base => {
                    bytes[offset..offset + len].fill(Some(0));
                }
                _ => {}
            }
        }
        let whole = |(at, byte): (usize, Option<u8>)| byte.or_else(|| object.known(at, 1).map(|bytes| bytes[0]));
        bytes.into_iter().enumerate().map(whole).collect()
    }
}

impl Outside for LoopFunction {
    fn call(&self, args: &[Bits]) -> Bits {
        let words: Vec<u64> = args[1..].iter().map(Bits::low).collect();
        let number = args[0].low() as usize;
        Bits::new(self.results[number].1, self.results_of(&words)[number])
    }

    fn parameter(&self, _: usize) -> Option<FloatFormat> {
        None
    }

    fn price(&self) -> u64 {
        self.price.get()
    }
}
