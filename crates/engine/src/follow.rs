//! Following a path: executing again, without the solver, the decisions that somebody made before.
//!
//! A [`Prefix`] is what it takes: the decisions with their places, the witness as the inputs' values, and what the solver answered where
//! the path depends on more than a witness. Runs on given inputs, joined paths, other processes and resumed runs all begin with one.
//!
//! The witness decides, as in any run (decision 3 of the map); what is decided is compared with the prefix at once. Invariant: a state
//! that comes out has made exactly the decisions of the prefix, and its witness satisfies them; everything else is a [`Divergence`].
//! Boundary: how a prefix lies in a file is `prefix_file`'s.

use std::fmt;
use std::rc::Rc;

use taw_ir::Site;

use crate::cx::Engine;
use crate::input::{inputs_of, set_input};
use crate::path::{Path, Way};
use crate::run::{End, Slice};
use crate::state::{Seed, State, Witness};
use crate::test_case::Input;

/// A path, or the beginning of one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prefix {
    /// The function that it starts at.
    pub entry: String,
    /// The witness: the inputs in the order in which the path makes them, with their values.
    pub inputs: Vec<Input>,
    /// The decisions, oldest first.
    pub ways: Vec<Way>,
    /// What the solver answered when it was asked for a number (the most that an allocation of symbolic size may need).
    pub answers: Vec<u64>,
    /// Whether nobody knows yet if the last decision can go that way: the witness is that of the decisions before it.
    pub open: bool,
}

/// What becomes of the states on the other sides of the decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// Nobody wants them.
    Dropped,
    /// They are handed over, oldest first, each to be checked when it is first run.
    Kept,
}

/// Where a prefix has led.
pub struct Followed {
    /// The state after the last decision. Inputs that it makes later have the values of the prefix too.
    pub state: State,
    /// How it ended, if it did in the instruction of the last decision.
    pub end: Option<End>,
    /// The other sides, if they were wanted.
    pub others: Vec<State>,
}

/// Where and how a path does not go as a prefix says. Decisions are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Divergence {
    /// The state starts at another function.
    Entry(String),
    /// The witness does not satisfy a condition that the state began with, or something that the program assumes here.
    Witness(Site),
    /// Another decision was made.
    Decision {
        /// Which one.
        at: usize,
        /// The prefix's.
        expected: Way,
        /// The one that was made.
        found: Way,
    },
    /// The path was over before this decision.
    End {
        /// Which one.
        at: usize,
        /// The prefix's.
        expected: Way,
    },
    /// The path asked the solver something that the prefix does not know the answer of, or knows one that cannot be.
    Answer(Site),
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |way: &Way| format!("way {} at instruction {} of function {}", way.way, way.pc, way.func);
        match self {
            Divergence::Entry(name) => write!(f, "the path starts at `{name}`, not where the state does"),
            Divergence::Witness(site) => {
                write!(f, "the inputs do not satisfy what holds at instruction {} of function {}", site.pc, site.func)
            }
            Divergence::Decision { at, expected, found } => {
                write!(f, "decision {at} is {}, not {}", place(found), place(expected))
            }
            Divergence::End { at, expected } => write!(f, "the path is over before decision {at}, {}", place(expected)),
            Divergence::Answer(site) => {
                write!(f, "no answer is known to what is asked at instruction {} of function {}", site.pc, site.func)
            }
        }
    }
}

impl std::error::Error for Divergence {}

/// What the engine must know while it follows a prefix: that the solver is not to be asked, and who would have asked it.
#[derive(Default)]
pub(crate) struct Following {
    /// Why it cannot go on, once it cannot.
    pub(crate) broken: Option<Divergence>,
}

/// Instructions between two looks at what was decided; a decision ends a slice anyway.
const SLICE: u64 = 100_000;

impl Engine<'_> {
    /// What it takes to get to where a state is.
    ///
    /// Nothing for a state that waits with the remaining values of a term, of which one after the other is tried: those are no decision.
    pub fn prefix(&self, state: &State) -> Option<Prefix> {
        let open = state.pending.is_some();
        if state.pending.as_ref().is_some_and(|pending| pending.condition.decided.is_none()) {
            return None;
        }
        Some(Prefix {
            entry: self.program.functions[state.start].name.clone(),
            inputs: inputs_of(&state.inputs.to_vec(), state.witness.assignment(), self.program.layout.big_endian),
            ways: state.ways(),
            answers: state.answers.to_vec().into_iter().copied().collect(),
            open,
        })
    }

    /// Leads a state, mostly an initial one, along a prefix until its last decision is made. The solver is not asked.
    ///
    /// # Errors
    /// Where the path goes another way than the prefix says.
    pub fn follow(&mut self, mut state: State, prefix: &Prefix, others: Others) -> Result<Followed, Divergence> {
        if self.program.functions[state.start].name != prefix.entry {
            return Err(Divergence::Entry(prefix.entry.clone()));
        }
        self.lend(&mut state, prefix)?;
        self.following = Some(Following::default());
        let result = self.go_along(state, prefix, others);
        self.following = None;
        result
    }

    /// Makes the inputs' values the state's witness: of those that there are, and of those to come.
    fn lend(&self, state: &mut State, prefix: &Prefix) -> Result<(), Divergence> {
        let mut witness = Witness::new(state.witness.assignment().clone());
        for (position, made) in state.inputs.to_vec().into_iter().enumerate() {
            set_input(&prefix.inputs, position, made, &mut witness, self.program.layout.big_endian);
        }
        let holds = state.path.conditions().iter().all(|c| witness.holds(&self.terms, c.term));
        if !holds || state.pending.is_some() {
            return Err(Divergence::Witness(state.site()));
        }
        let (inputs, answers) = (Rc::new(prefix.inputs.clone()), Rc::from(&prefix.answers[..]));
        state.seeds = vec![Seed { inputs, answers, witness: witness.clone() }];
        state.witness = witness;
        Ok(())
    }

    fn go_along(&mut self, mut state: State, prefix: &Prefix, others: Others) -> Result<Followed, Divergence> {
        let mut comparison = Comparison { prefix, conditions: 0, decisions: 0 };
        let mut kept = Vec::new();
        comparison.proceed(&state.path)?;
        while comparison.decisions < prefix.ways.len() {
            let Slice { forks, end } = self.run(&mut state, SLICE);
            if let Some(broken) = self.following.as_mut().and_then(|following| following.broken.take()) {
                return Err(broken);
            }
            for fork in forks {
                if comparison.is_goal(&fork) {
                    return Ok(Followed { state: fork, end: None, others: kept });
                }
                if others == Others::Kept {
                    kept.push(fork);
                }
            }
            comparison.proceed(&state.path)?;
            match (end, prefix.ways.get(comparison.decisions)) {
                (Some(_), Some(&expected)) => return Err(Divergence::End { at: comparison.decisions, expected }),
                (Some(end), None) => return Ok(Followed { state, end: Some(end), others: kept }),
                (None, _) => {}
            }
        }
        Ok(Followed { state, end: None, others: kept })
    }
}

/// How far a path is the prefix's.
struct Comparison<'a> {
    prefix: &'a Prefix,
    /// Conditions of the path that were looked at.
    conditions: usize,
    /// Decisions that were the prefix's.
    decisions: usize,
}

impl Comparison<'_> {
    /// Looks at what was decided since.
    fn proceed(&mut self, path: &Path) -> Result<(), Divergence> {
        for found in path.since(self.conditions).into_iter().filter_map(|c| c.decided) {
            let at = self.decisions;
            // A decision that the prefix leaves open is one that the witness does not make; after its last, the instruction may make more.
            let Some(&expected) = self.prefix.ways.get(at).or(self.prefix.ways.last()) else { break };
            let is_open = self.prefix.open && at + 1 == self.prefix.ways.len();
            if is_open || at >= self.prefix.ways.len() || expected != found {
                return Err(Divergence::Decision { at, expected, found });
            }
            self.decisions += 1;
        }
        self.conditions = path.len();
        Ok(())
    }

    /// Whether a state that was split off is where an open prefix leads.
    fn is_goal(&self, fork: &State) -> bool {
        let pending = fork.pending.as_ref().and_then(|pending| pending.condition.decided);
        self.prefix.open
            && fork.path.decisions() + 1 == self.prefix.ways.len()
            && pending == self.prefix.ways.last().copied()
            && fork.path.ways() == self.prefix.ways[..self.prefix.ways.len() - 1]
    }
}
