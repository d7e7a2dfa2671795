//! The self-check: is every answer right?
//!
//! A model is right if the query evaluates to true under it. An `Unsat` is right if Z3, asked afresh, finds no model; where
//! Z3 does not know, nothing is said. A contradiction is a defect of Taw: it panics with the stage and the query.

use taw_expr::{Assignment, Evaluator, Terms};

use crate::backends::z3::{Theory, Z3Context, Z3Outcome};
use crate::dump::script;
use crate::{Query, SolverConfig, Verdict};

/// Checks answers.
pub(crate) struct Oracle {
    config: SolverConfig,
    /// For bits and for floats; given up when it grows.
    contexts: [Option<Z3Context>; 2],
}

/// A context with more terms than this is given up.
const MAX_LOAD: usize = 200_000;

impl Oracle {
    /// Asks with the limits of `config`.
    pub fn new(config: &SolverConfig) -> Self {
        Self { config: config.clone(), contexts: [None, None] }
    }

    /// Terms were collected: what was said of them is forgotten.
    pub fn collected(&mut self) {
        self.contexts = [None, None];
    }

    /// Panics if the witness does not satisfy the path.
    pub fn check_question(&self, terms: &Terms, query: &Query<'_>) {
        let mut evaluator = Evaluator::new(query.witness.clone());
        if let Some(&broken) = query.path.iter().find(|&&t| !evaluator.holds(terms, t)) {
            panic!("the witness of a query does not satisfy its path: {broken:?} is false\n{}", script(terms, query));
        }
    }

    /// Panics if the answer that `stage` gave is wrong.
    pub fn check_answer(&mut self, terms: &Terms, query: &Query<'_>, verdict: &Verdict, stage: &str) {
        match verdict {
            Verdict::Unknown(_) => {}
            Verdict::Sat(model) => {
                if !holds(terms, query, model) {
                    panic!("stage `{stage}` gave a wrong model {model:?}\n{}", script(terms, query));
                }
            }
            Verdict::Unsat => {
                if let Some(model) = self.model(terms, query) {
                    panic!("stage `{stage}` denied a query that has the model {model:?}\n{}", script(terms, query));
                }
            }
        }
    }

    /// A model of the query, if Z3 finds one that evaluation confirms.
    fn model(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Assignment> {
        let is_float = query.path.iter().chain([&query.goal]).any(|&t| terms.has_float(t));
        let theory = if is_float { Theory::Floats } else { Theory::Bits };
        let slot = &mut self.contexts[usize::from(is_float)];
        if slot.as_ref().is_none_or(|context| context.load() > MAX_LOAD) {
            *slot = Z3Context::new(theory).ok();
        }
        let context = slot.as_mut()?;
        let (work, time) = (self.config.z3_work, self.config.query_time);
        let Ok(Z3Outcome::Sat) = context.solve(terms, query.path, query.goal, work, time) else { return None };
        let vars: Vec<_> =
            query.path.iter().chain([&query.goal]).flat_map(|&t| terms.vars_in(terms.vars_of(t))).collect();
        context.model(terms, query.witness, &vars).ok().filter(|model| holds(terms, query, model))
    }
}

fn holds(terms: &Terms, query: &Query<'_>, model: &Assignment) -> bool {
    let mut evaluator = Evaluator::new(model.clone());
    query.path.iter().chain([&query.goal]).all(|&t| evaluator.holds(terms, t))
}
