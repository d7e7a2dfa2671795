//! One Z3 solver with a stack of asserted conditions: a query pops to the prefix that it shares and pushes the rest.
//!
//! With floats it is the other way round: Z3's preprocessing, which it leaves out once there are scopes, is worth more than
//! what the scopes save (measured: five times), so each query has a fresh solver over the same translated terms.

use std::time::Duration;

use taw_expr::{Assignment, Term, Terms, Var};

use super::Z3Failure;
use super::raw::{Ast, Z3, Z3Answer};
use super::translate::{Translator, Z3Refusal};

/// What a context is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Theory {
    /// Bit vectors and arrays: several times as fast when Z3 is told so.
    Bits,
    /// Floats as well.
    Floats,
}

/// A solver and its stack.
pub(crate) struct Z3Context {
    theory: Theory,
    translator: Translator,
    stack: Vec<Term>,
    limits: (u32, u32),
}

/// What a context says to a query.
pub(crate) enum Z3Outcome {
    /// Satisfiable; the values can be read.
    Sat,
    Unsat,
    /// No answer; Z3's reason.
    Unknown(String),
}

impl Z3Context {
    /// An empty context.
    pub fn new(theory: Theory) -> Result<Self, Z3Failure> {
        let logic = match theory {
            Theory::Bits => Some(c"QF_ABV"),
            Theory::Floats => Some(c"QF_BVFP"),
        };
        Ok(Self { theory, translator: Translator::new(Z3::new(logic)?), stack: Vec::new(), limits: (0, 0) })
    }

    /// How much is loaded: the number of terms translated.
    pub fn load(&self) -> usize {
        self.translator.len()
    }

    /// How many conditions of `path` are on the stack already.
    pub fn shared(&self, path: &[Term]) -> usize {
        self.stack.iter().zip(path).take_while(|(a, b)| a == b).count()
    }

    /// Is `path ∧ goal` satisfiable? Within `work` of Z3's units and `time`.
    pub fn solve(
        &mut self,
        terms: &Terms,
        path: &[Term],
        goal: Term,
        work: u32,
        time: Option<Duration>,
    ) -> Result<Z3Outcome, Z3Refusal> {
        // Translation first: a refusal must leave the stack as it is.
        let formulas = path.iter().map(|&t| self.translator.condition(terms, t)).collect::<Result<Vec<_>, _>>()?;
        let goal = self.translator.condition(terms, goal)?;
        let limits = (work, time.map_or(u32::MAX, |t| u32::try_from(t.as_millis()).unwrap_or(u32::MAX)));
        let answer = match self.theory {
            Theory::Bits => self.check_on_stack(path, &formulas, goal, limits)?,
            Theory::Floats => self.check_afresh(&formulas, goal, limits)?,
        };
        Ok(match answer {
            Z3Answer::Sat => Z3Outcome::Sat,
            Z3Answer::Unsat => Z3Outcome::Unsat,
            Z3Answer::Unknown(why) => Z3Outcome::Unknown(why),
        })
    }

    fn check_on_stack(
        &mut self,
        path: &[Term],
        formulas: &[Ast],
        goal: Ast,
        limits: (u32, u32),
    ) -> Result<Z3Answer, Z3Failure> {
        let z3 = &self.translator.z3;
        if self.limits != limits {
            z3.set_limits(limits.0, limits.1)?;
            self.limits = limits;
        }
        let shared = self.shared(path);
        if shared < self.stack.len() {
            z3.pop((self.stack.len() - shared) as u32)?;
            self.stack.truncate(shared);
        }
        for (&t, &formula) in path.iter().zip(formulas).skip(shared) {
            z3.push()?;
            self.stack.push(t);
            z3.assert(formula)?;
        }
        z3.push()?;
        z3.assert(goal)?;
        let answer = z3.check();
        z3.pop(1)?;
        Ok(answer)
    }

    fn check_afresh(&self, formulas: &[Ast], goal: Ast, limits: (u32, u32)) -> Result<Z3Answer, Z3Failure> {
        let z3 = &self.translator.z3;
        z3.renew_solver()?;
        z3.set_limits(limits.0, limits.1)?;
        formulas.iter().chain([&goal]).try_for_each(|&formula| z3.assert(formula))?;
        Ok(z3.check())
    }

    /// `witness` with the model's values of `vars`. Only after `Sat`.
    pub fn model(&self, terms: &Terms, witness: &Assignment, vars: &[Var]) -> Result<Assignment, Z3Failure> {
        let mut model = witness.clone();
        for &v in vars {
            if let Some(value) = self.translator.z3.value(self.translator.input(terms, v)?) {
                model.set(v, value);
            }
        }
        Ok(model)
    }
}
