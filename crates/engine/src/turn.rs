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

/// Whether parts pay, as far as was seen. A cost is counted in conditions, so it is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PartsPay {
    /// How many more decisions are turned by the whole.
    rest: u32,
    /// How many are, next time that parts do not pay.
    pause: u32,
    /// Turns by parts since the last look, what they cost, and what the whole would have.
    turns: u32,
    spent: u64,
    whole: u64,
}

/// After so many turns by parts it is looked at what they cost.
const LOOK: u32 = 8;
/// What a question costs besides its conditions, in conditions (measured on the programs of `bench/concolic.set`).
const QUESTION: u64 = 16;
/// Turns by the whole after parts did not pay, at first and at most.
const PAUSE: u32 = 64;
const LONGEST_PAUSE: u32 = 4096;

/// What a question with so many conditions costs.
fn cost(conditions: usize) -> u64 {
    conditions as u64 + QUESTION
}

impl PartsPay {
    /// Whether the next decision is turned by parts.
    fn is_by_parts(&mut self) -> bool {
        let is_resting = self.rest > 0;
        self.rest = self.rest.saturating_sub(1);
        !is_resting
    }

    /// A decision was turned by parts.
    fn learn(&mut self, calls: &[TurnCall], conditions: usize) {
        self.turns += 1;
        self.spent += calls.iter().map(|call| cost(call.conditions)).sum::<u64>();
        self.whole += cost(conditions);
        if self.turns == LOOK {
            let pays = self.spent <= self.whole;
            self.pause = if pays { 0 } else { (self.pause * 2).clamp(PAUSE, LONGEST_PAUSE) };
            (self.rest, self.turns, self.spent, self.whole) = (self.pause, 0, 0, 0);
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
            TurnBy::Parts => asking.parts(u64::MAX),
            TurnBy::Adaptive(pay) => match pay.is_by_parts() {
                true => {
                    let all = conditions.len() + 1;
                    let turned = asking.parts(cost(all));
                    pay.learn(&calls, all);
                    turned
                }
                false => asking.whole(),
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

    /// Asks for parts as long as that costs no more than so much; then for the whole.
    fn parts(&mut self, most: u64) -> Turned {
        let (mut part, mut spent): (Vec<Term>, u64) = (Vec::new(), 0);
        while spent <= most {
            spent += cost(part.len() + 1);
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
