//! Following a path: executing again, without the solver, the decisions that somebody made before.
//!
//! A [`Prefix`] is what it takes: the decisions with their places, the witness as the inputs' values, and where the path depends on more
//! than that: what the solver answered, and what an instruction tried before. Runs on given inputs, joined paths, other processes and
//! resumed runs all begin with one.
//!
//! The witness decides, as in any run (decision 3 of the map); what is decided is compared with the prefix at once. Invariant: a state
//! that comes out has made exactly the decisions of the prefix, and its witness satisfies them; everything else is a [`Divergence`].
//! Boundary: how a prefix lies in a file is `prefix_file`'s. What a witness decides without a condition (`klee_get_value`, names of inputs
//! out of symbolic bytes) and the settings of the run are no part of a prefix: where they matter, the path diverges.

use std::fmt;
use std::rc::Rc;

use taw_expr::Assignment;
use taw_ir::Site;

use crate::cx::Engine;
use crate::input::{inputs_of, set_input};
use crate::path::{Condition, Decision, Path};
use crate::run::{End, Slice};
use crate::state::{Seed, State, Witness};
use crate::test_case::Input;

/// A path, or the beginning of one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prefix {
    /// The function that it starts at.
    pub entry: String,
    /// The decisions, oldest first.
    pub ways: Vec<Decision>,
    /// The witness: the inputs in the order in which the path makes them, with their values.
    pub inputs: Vec<Input>,
    /// Where the path was split off within an instruction that it then executed again, oldest first.
    pub turns: Vec<PrefixTurn>,
    /// What the solver answered when it was asked for a number (the most that an allocation of symbolic size may need).
    pub answers: Vec<u64>,
    /// Set if the path is split off last, as the state of this number, and nobody knows yet whether it exists: the witness is that of what
    /// it is split off from.
    pub open: Option<u32>,
}

/// Where a path goes on with another witness. What an instruction tries first (which object, which value) is up to the witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrefixTurn {
    /// Which of the states that the path splits off it goes on as, from 0.
    pub number: u32,
    /// The witness until then.
    pub before: Vec<Input>,
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
        expected: Decision,
        /// The one that was made.
        found: Decision,
    },
    /// The instruction of the last decision makes one more.
    More {
        /// Which one.
        at: usize,
        /// The one that was made.
        found: Decision,
    },
    /// The path was over before this decision.
    End {
        /// Which one.
        at: usize,
        /// The prefix's.
        expected: Decision,
    },
    /// The state of this number, which the prefix goes on as, is not split off, or is another one.
    Fork(u32),
    /// The path asked the solver something that the prefix does not know the answer of, or knows one that cannot be.
    Answer(Site),
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |way: &Decision| format!("way {} at instruction {} of function {}", way.way, way.pc, way.func);
        match self {
            Divergence::Entry(name) => write!(f, "the path starts at `{name}`, not where the state does"),
            Divergence::Witness(site) => {
                write!(f, "the inputs do not satisfy what holds at instruction {} of function {}", site.pc, site.func)
            }
            Divergence::Decision { at, expected, found } => {
                write!(f, "decision {at} is {}, not {}", place(found), place(expected))
            }
            Divergence::More { at, found } => write!(f, "there is one more decision than {at}: {}", place(found)),
            Divergence::End { at, expected } => write!(f, "the path is over before decision {at}, {}", place(expected)),
            Divergence::Fork(number) => write!(f, "the state that is split off as number {number} is not the path's"),
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
    /// What it takes to get to where a state is. A state that is known to be impossible has no prefix.
    pub fn prefix(&self, state: &State) -> Option<Prefix> {
        let records = state.inputs.to_vec();
        let inputs = |witness: &Assignment| inputs_of(&records, witness, self.program.layout.big_endian);
        let turn = |condition: &Condition| {
            let turn = condition.turn.as_ref()?;
            Some(PrefixTurn { number: turn.number, before: inputs(&turn.before) })
        };
        let open = match &state.pending {
            Some(pending) => Some(pending.number?),
            None => None,
        };
        Some(Prefix {
            entry: self.program.functions[state.start].name.clone(),
            ways: state.ways().to_vec(),
            inputs: inputs(state.witness.assignment()),
            turns: state.path.conditions().into_iter().filter_map(turn).collect(),
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
        if state.pending.is_some() {
            return Err(Divergence::Witness(state.site()));
        }
        let mut comparison = PathComparison { prefix, turns: 0, conditions: 0, decisions: 0 };
        state.witness = self.lend(&mut state, prefix, comparison.inputs())?;
        self.following = Some(Following::default());
        let result = self.go_along(state, &mut comparison, others);
        self.following = None;
        result
    }

    /// Gives the inputs of a state these values: those that there are, and those to come. Gives the witness that they are.
    fn lend(&self, state: &mut State, prefix: &Prefix, inputs: &[Input]) -> Result<Witness, Divergence> {
        let mut witness = Witness::new(state.witness.assignment().clone());
        for (position, made) in state.inputs.to_vec().into_iter().enumerate() {
            set_input(inputs, position, made, &mut witness, self.program.layout.big_endian);
        }
        if !state.path.newest_first().all(|condition| witness.holds(&self.terms, condition.term)) {
            return Err(Divergence::Witness(state.site()));
        }
        let (inputs, answers) = (Rc::new(inputs.to_vec()), Rc::from(&prefix.answers[..]));
        state.seeds = vec![Seed { inputs, answers, witness: witness.clone() }];
        Ok(witness)
    }

    fn go_along(
        &mut self,
        mut state: State,
        comparison: &mut PathComparison<'_>,
        others: Others,
    ) -> Result<Followed, Divergence> {
        let prefix = comparison.prefix;
        let mut kept = Vec::new();
        comparison.proceed(&state.path)?;
        while !comparison.is_over() || state.pending.is_some() {
            let Slice { forks, mut end } = self.run(&mut state, SLICE);
            let (wanted, rest) = comparison.pick(forks);
            // What the state that is left behind would have asked is nobody's concern.
            let broken = self.following.as_mut().and_then(|following| following.broken.take());
            if let (Some(broken), None) = (broken, &wanted) {
                return Err(broken);
            }
            kept.extend(rest.into_iter().filter(|_| others == Others::Kept));
            if let Some(fork) = wanted {
                let mut left = std::mem::replace(&mut state, fork);
                left.seeds.clear();
                kept.extend(Some(left).filter(|_| others == Others::Kept && end.is_none()));
                end = None;
                if comparison.turns == prefix.turns.len() {
                    comparison.proceed(&state.path)?;
                    comparison.conclude(&state)?;
                    return Ok(Followed { state, end, others: kept });
                }
                // It is checked when it is run: by the witness that it goes on with.
                comparison.turns += 1;
                self.lend(&mut state, prefix, comparison.inputs())?;
            }
            comparison.proceed(&state.path)?;
            comparison.check_passed(&state)?;
            match (end, prefix.ways.get(comparison.decisions)) {
                (Some(_), Some(&expected)) => return Err(Divergence::End { at: comparison.decisions, expected }),
                (Some(end), None) => match comparison.next() {
                    None => return Ok(Followed { state, end: Some(end), others: kept }),
                    Some(number) => return Err(Divergence::Fork(number)),
                },
                (None, _) => {}
            }
        }
        Ok(Followed { state, end: None, others: kept })
    }
}

/// How far a path is the prefix's.
struct PathComparison<'a> {
    prefix: &'a Prefix,
    /// Turns that were taken.
    turns: usize,
    /// Conditions of the path that were looked at.
    conditions: usize,
    /// Decisions that were the prefix's.
    decisions: usize,
}

impl<'a> PathComparison<'a> {
    /// The witness until the next turn.
    fn inputs(&self) -> &'a [Input] {
        self.prefix.turns.get(self.turns).map_or(&self.prefix.inputs, |turn| &turn.before)
    }

    /// The next state that must be split off.
    fn next(&self) -> Option<u32> {
        self.prefix.turns.get(self.turns).map(|turn| turn.number).or(self.prefix.open)
    }

    fn is_over(&self) -> bool {
        self.decisions == self.prefix.ways.len() && self.next().is_none()
    }

    /// Looks at what was decided since.
    fn proceed(&mut self, path: &Path) -> Result<(), Divergence> {
        for found in path.since(self.conditions).into_iter().filter_map(|c| c.decided) {
            let at = self.decisions;
            match self.prefix.ways.get(at) {
                Some(&expected) if expected == found => self.decisions += 1,
                Some(&expected) => return Err(Divergence::Decision { at, expected, found }),
                // The instruction of the last decision makes another one.
                None => return Err(Divergence::More { at, found }),
            }
        }
        self.conditions = path.len();
        Ok(())
    }

    /// The state that the prefix goes on as, if that is one of those that were split off now; and the others.
    fn pick(&self, forks: Vec<State>) -> (Option<State>, Vec<State>) {
        let Some(next) = self.next() else { return (None, forks) };
        let is_next = |fork: &State| fork.pending.as_ref().and_then(|pending| pending.number) == Some(next);
        let (mut wanted, rest): (Vec<State>, Vec<State>) = forks.into_iter().partition(is_next);
        (wanted.pop(), rest)
    }

    /// A state that the prefix goes on as must not be behind.
    fn check_passed(&self, state: &State) -> Result<(), Divergence> {
        match self.next() {
            Some(next) if state.splits > next => Err(Divergence::Fork(next)),
            _ => Ok(()),
        }
    }

    /// The last decision, which is left open, must be the prefix's too.
    fn conclude(&self, state: &State) -> Result<(), Divergence> {
        let open = state.pending.as_ref().map(|pending| (pending.condition.decided, pending.number));
        let (found, number) = open.unwrap_or_default();
        match self.prefix.ways.get(self.decisions..) == Some(found.as_slice()) {
            true => Ok(()),
            false => Err(Divergence::Fork(number.unwrap_or_default())),
        }
    }
}
