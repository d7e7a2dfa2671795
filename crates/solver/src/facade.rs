//! Questions in the engine's words, as functions over [`Solver::solve`].

use taw_expr::{Assignment, BinOp, Evaluator, Term, Terms};

use crate::{Query, Solver, Unknown, Verdict};

/// A possible value of a term, with an assignment that gives it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The value.
    pub value: u64,
    /// Satisfies the path and gives the term this value.
    pub model: Assignment,
}

/// The possible values of a term.
#[derive(Clone, Debug)]
pub enum Choices {
    /// There are no others.
    All(Vec<Choice>),
    /// There may be others: the number asked for was reached.
    Enough(Vec<Choice>),
    /// There may be others: a query had no answer.
    Undecided(Vec<Choice>, Unknown),
}

impl Solver {
    /// Whether the goal can be true on the path.
    pub fn may_be_true(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<bool, Unknown> {
        match self.solve(terms, query) {
            Verdict::Sat(_) => Ok(true),
            Verdict::Unsat => Ok(false),
            Verdict::Unknown(why) => Err(why),
        }
    }

    /// Whether the goal cannot be false on the path.
    pub fn must_be_true(&mut self, terms: &mut Terms, query: &Query<'_>) -> Result<bool, Unknown> {
        let goal = terms.not(query.goal);
        self.may_be_true(terms, &Query { goal, ..*query }).map(|may_be_false| !may_be_false)
    }

    /// The least unsigned value of `term` (at most 64 bits) on the path.
    pub fn min(&mut self, terms: &mut Terms, path: &[Term], term: Term, witness: &Assignment) -> Result<u64, Unknown> {
        let width = terms.width(term);
        let mut high = Evaluator::new(witness.clone()).eval_u64(terms, term);
        let mut low = 0;
        while low < high {
            let middle = low + (high - low) / 2;
            let bound = terms.bv(width, middle);
            let goal = terms.bin(BinOp::Ule, term, bound);
            match self.solve(terms, &Query { path, goal, witness }) {
                Verdict::Sat(model) => high = Evaluator::new(model).eval_u64(terms, term),
                Verdict::Unsat => low = middle + 1,
                Verdict::Unknown(why) => return Err(why),
            }
        }
        Ok(low)
    }

    /// The greatest unsigned value of `term` (at most 64 bits) on the path.
    pub fn max(&mut self, terms: &mut Terms, path: &[Term], term: Term, witness: &Assignment) -> Result<u64, Unknown> {
        let complement = terms.not(term);
        let width = terms.width(term);
        let mask = u64::MAX >> (64 - width);
        self.min(terms, path, complement, witness).map(|v| !v & mask)
    }

    /// Up to `limit` values of `term` (at most 64 bits) on the path, the witness's first.
    pub fn values(
        &mut self,
        terms: &mut Terms,
        path: &[Term],
        term: Term,
        witness: &Assignment,
        limit: usize,
    ) -> Choices {
        let width = terms.width(term);
        let mut path = path.to_vec();
        let mut found: Vec<Choice> = Vec::new();
        let mut model = witness.clone();
        loop {
            let value = Evaluator::new(model.clone()).eval_u64(terms, term);
            found.push(Choice { value, model });
            if found.len() >= limit {
                return Choices::Enough(found);
            }
            let constant = terms.bv(width, value);
            let goal = terms.ne(term, constant);
            // The last model has none of the values excluded before, so it is a witness of the path so far.
            let witness = &found[found.len() - 1].model;
            model = match self.solve(terms, &Query { path: &path, goal, witness }) {
                Verdict::Sat(next) => next,
                Verdict::Unsat => return Choices::All(found),
                Verdict::Unknown(why) => return Choices::Undecided(found, why),
            };
            path.push(goal);
        }
    }
}
