//! Turning a decision of an executed path: inputs that lead the same way until there, and another way then.
//!
//! All conditions before it are asked for at once, or only a growing part of them (Koroglu and Sen, *Design of a Modified Concolic Testing Algorithm with
//! Smaller Constraints*, algorithm 2): the turned condition alone, then with the first condition that the answer violates, and so on. A contradiction in a part is
//! one of the whole; a part that nobody can answer says nothing, and the whole is asked.
//! Invariant: inputs that come out satisfy every condition before the decision and the goal there.

use std::rc::Rc;

use taw_expr::{Assignment, Evaluator, Term};
use taw_solver::{Query, Unknown, Verdict};

use crate::cx::Engine;
use crate::walked::Walk;

/// How a decision is turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnBy {
    /// By all conditions at once.
    Whole,
    /// By a growing part of them.
    Parts,
    /// By parts, as long as that pays.
    Adaptive(PartsPay),
}

/// Whether parts pay, as far as was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PartsPay {
    /// How many more decisions are turned by the whole.
    rest: u32,
    /// How many are, next time that parts do not pay.
    pause: u32,
    /// Calls and turns by parts since the last look.
    calls: u32,
    turns: u32,
}

/// After so many turns by parts it is looked at what they cost.
const LOOK: u32 = 8;
/// Calls of a turn that are worth a call with all conditions, which the caches and the incremental back end make cheap.
const PAYS: u32 = 2;
/// Calls after which the whole is asked.
const MOST: u32 = 4;
/// Turns by the whole after parts did not pay, at first and at most.
const PAUSE: u32 = 32;
const LONGEST_PAUSE: u32 = 4096;

impl PartsPay {
    /// How many calls with parts the next turn may make before the whole is asked.
    fn parts(&mut self) -> u32 {
        match self.rest.checked_sub(1) {
            Some(rest) => {
                self.rest = rest;
                0
            }
            None => MOST,
        }
    }

    fn learn(&mut self, calls: u32) {
        self.calls += calls;
        self.turns += 1;
        if self.turns == LOOK {
            let pays = self.calls <= PAYS * self.turns;
            self.pause = if pays { PAUSE } else { (self.pause * 2).clamp(PAUSE, LONGEST_PAUSE) };
            self.rest = if pays { 0 } else { self.pause };
            (self.calls, self.turns) = (0, 0);
        }
    }
}

/// A question to the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnCall {
    /// How many conditions it had, each one as the path has it.
    pub conditions: usize,
    /// Whether it was satisfiable; nothing if nobody knows.
    pub answer: Option<bool>,
}

/// What came of an attempt to turn a decision.
#[derive(Clone, Debug)]
pub enum Turned {
    /// Inputs that go there.
    Inputs(Rc<Assignment>),
    /// There is no such path.
    Impossible,
    /// Nobody knows.
    Unanswered(Unknown),
}

impl Engine<'_> {
    /// Inputs that turn a decision of a path: to a way that nobody has asked for, if there is one. Gives the questions that it took.
    pub fn turn(&mut self, walk: &Walk, choice: usize, by: &mut TurnBy) -> (Turned, Vec<TurnCall>) {
        let choice = &walk.choices[choice];
        let way = choice.open().unwrap_or(&choice.alternatives[0]).clone();
        let mut conditions = self.path_terms.of(&walk.path)[..choice.at].to_vec();
        {
            let mut node = choice.node.borrow_mut();
            if way.is_rest {
                conditions.extend(node.excluded.iter().filter(|tried| **tried != way.goal));
            } else if !node.done.contains(&way.goal) {
                node.done.push(way.goal);
            }
        }
        let mut calls = Vec::new();
        let mut asking =
            Asking { engine: self, conditions: &conditions, goal: way.goal, witness: &walk.witness, calls: &mut calls };
        let turned = match by {
            TurnBy::Whole => asking.whole(),
            TurnBy::Parts => asking.parts(u32::MAX),
            TurnBy::Adaptive(pay) => match pay.parts() {
                0 => asking.whole(),
                most => {
                    let turned = asking.parts(most);
                    pay.learn(calls.len() as u32);
                    turned
                }
            },
        };
        if way.is_rest && !matches!(turned, Turned::Inputs(_)) {
            choice.node.borrow_mut().is_exhausted = true;
        }
        (turned, calls)
    }
}

/// Conditions of a path and a goal that contradicts what came next.
struct Asking<'a, 'p> {
    engine: &'a mut Engine<'p>,
    /// They hold under the witness.
    conditions: &'a [Term],
    goal: Term,
    witness: &'a Assignment,
    calls: &'a mut Vec<TurnCall>,
}

impl Asking<'_, '_> {
    /// Asks for some of the conditions and the goal.
    fn ask(&mut self, path: &[Term]) -> Verdict {
        let query = Query { path, goal: self.goal, witness: self.witness };
        let verdict = self.engine.solver.solve(&mut self.engine.terms, &query);
        let answer = match &verdict {
            Verdict::Sat(_) => Some(true),
            Verdict::Unsat => Some(false),
            Verdict::Unknown(_) => None,
        };
        self.calls.push(TurnCall { conditions: path.len() + 1, answer });
        verdict
    }

    fn whole(&mut self) -> Turned {
        match self.ask(self.conditions) {
            Verdict::Sat(model) => Turned::Inputs(Rc::new(model)),
            Verdict::Unsat => Turned::Impossible,
            Verdict::Unknown(why) => Turned::Unanswered(why),
        }
    }

    /// Asks for parts, so many times at most.
    fn parts(&mut self, most: u32) -> Turned {
        let mut part: Vec<Term> = Vec::new();
        for _ in 0..most {
            match self.ask(&part) {
                Verdict::Unsat => return Turned::Impossible,
                Verdict::Sat(model) => {
                    let query = Query { path: &part, goal: self.goal, witness: self.witness };
                    let model = self.engine.solver.nearest(&self.engine.terms, &query, model);
                    match self.first_violated(&model) {
                        None => return Turned::Inputs(Rc::new(model)),
                        Some(condition) => part.push(condition),
                    }
                }
                Verdict::Unknown(_) => break,
            }
        }
        self.whole()
    }

    /// The first condition that does not hold. Those that depend on no input that has changed hold as before.
    fn first_violated(&self, model: &Assignment) -> Option<Term> {
        let terms = &self.engine.terms;
        let mut evaluator = Evaluator::new(model.clone());
        let has_changed = |condition: Term| {
            terms.vars_in(terms.vars_of(condition)).any(|var| model.value(var) != self.witness.value(var))
        };
        self.conditions.iter().copied().find(|&condition| has_changed(condition) && !evaluator.holds(terms, condition))
    }
}
