//! Which conditions of a path its error needs: the fewest from which it follows that the call takes one of the paths that are known to
//! end in that error.
//!
//! A path is taken where its decisions hold; what was supposed on it is granted as soon as it is supposed, and not before: on another path the
//! same input may be one of other things. So "the path is taken" is `s1 → (d1 ∧ (s2 → (d2 ∧ …)))`, oldest first. A path that ends elsewhere
//! has left this one at one of its decisions, when all that came before held; so it makes this false, and what follows from
//! facts here holds for every call.

use taw_expr::{Evaluator, Term};
use taw_solver::{Query, Verdict};

use super::ErrorPath;
use super::literals::{Literal, is_decision};
use crate::cx::Engine;
use crate::path::Path;

/// Conditions of a path, at most: with more nothing is proved of it.
const CONDITIONS: usize = 400;
/// Conditions of all paths together.
const IN_ALL: usize = 4000;
/// Questions about one error.
const QUESTIONS: usize = 150;

/// A search for the fewest facts.
struct Search<'e, 'a, 'p> {
    engine: &'e mut Engine<'p>,
    path: &'a ErrorPath,
    /// What is granted: no array or text is longer than what is tried.
    granted: Vec<Term>,
    /// That no path is taken which ends in the error.
    escapes: Term,
    left: usize,
}

impl<'p> Engine<'p> {
    /// Those of the facts of the first path that its error needs, for lengths that are tried; none only if it needs none whatsoever. All of them
    /// where that is not found out.
    pub(super) fn needed(&mut self, paths: &[ErrorPath], all: &[Literal]) -> Vec<Literal> {
        let escapes = self.escapes(paths);
        let search = self.search(&paths[0], escapes);
        if search.filter(|_| !all.is_empty()).is_some_and(|mut search| search.is_enough(&[])) {
            return Vec::new();
        }
        let granted = self.lengths_tried(&paths[0], all);
        self.fewest(&paths[0], granted, escapes, all)
    }

    /// The facts of a path without those that follow from the others.
    pub(super) fn without_repetition(&mut self, path: &ErrorPath, all: &[Literal]) -> Vec<Literal> {
        let mut escapes = self.terms.bool(false);
        for literal in all {
            let not = self.terms.not(literal.term);
            escapes = self.terms.or(escapes, not);
        }
        self.fewest(path, Vec::new(), escapes, all)
    }

    fn search<'e, 'a>(&'e mut self, path: &'a ErrorPath, escapes: Term) -> Option<Search<'e, 'a, 'p>> {
        let is_short = path.path.len() <= CONDITIONS;
        is_short.then_some(Search { engine: self, path, granted: Vec::new(), escapes, left: QUESTIONS })
    }

    fn fewest(&mut self, path: &ErrorPath, granted: Vec<Term>, escapes: Term, all: &[Literal]) -> Vec<Literal> {
        // What comes first is kept rather than what comes last: what is least to be blamed.
        let mut ordered = all.to_vec();
        ordered.sort_by_key(|literal| self.blame(path, literal.term));
        let terms: Vec<Term> = ordered.iter().map(|literal| literal.term).collect();
        let Some(mut search) = self.search(path, escapes) else { return all.to_vec() };
        search.granted = granted;
        let few = search.among(&mut Vec::new(), false, &terms);
        // A question without an answer is taken for a no, so what comes of many need not be enough.
        search.left = 1;
        match search.is_enough(&few) {
            true => all.iter().filter(|literal| few.contains(&literal.term)).copied().collect(),
            false => all.to_vec(),
        }
    }

    /// That what the path has met is not longer than what is tried, unless the error is that it is too short.
    fn lengths_tried(&mut self, path: &ErrorPath, facts: &[Literal]) -> Vec<Term> {
        let mut granted = Vec::new();
        for object in &path.unknowns.objects {
            let Some(var) = object.further.as_ref().map(|record| record.vars[0]) else { continue };
            let (length, most) = (self.terms.var(var), self.terms.bv(16, object.most));
            let is_tried = self.terms.ult(length, most);
            let mut longer = (*path.witness).clone();
            longer.set(var, object.most);
            let mut longer = Evaluator::new(longer);
            let suits_longer = facts.iter().all(|fact| longer.holds(&self.terms, fact.term));
            if path.value(var) < object.most && suits_longer {
                granted.push(is_tried);
            }
        }
        granted
    }

    /// That none of these paths is taken.
    fn escapes(&mut self, paths: &[ErrorPath]) -> Term {
        let mut escapes = self.terms.bool(true);
        let mut conditions = 0;
        for path in paths.iter().map(|error| &error.path).filter(|path| path.len() <= CONDITIONS) {
            conditions += path.len();
            if conditions > IN_ALL {
                break;
            }
            let taken = self.is_taken(path);
            let not = self.terms.not(taken);
            escapes = self.terms.and(escapes, not);
        }
        escapes
    }

    fn is_taken(&mut self, path: &Path) -> Term {
        let mut taken = self.terms.bool(true);
        for condition in path.newest_first() {
            taken = match is_decision(condition) {
                true => self.terms.and(condition.term, taken),
                false => self.terms.implies(condition.term, taken),
            };
        }
        taken
    }
}

impl Search<'_, '_, '_> {
    /// Those of `candidates` that are needed beside `given`: few, of which none can be left out, as far as the questions reach (Junker's
    /// QuickXplain).
    fn among(&mut self, given: &mut Vec<Term>, has_more: bool, candidates: &[Term]) -> Vec<Term> {
        if has_more && self.is_enough(given) {
            return Vec::new();
        }
        if candidates.len() <= 1 {
            return candidates.to_vec();
        }
        let (first, second) = candidates.split_at(candidates.len() / 2);
        let len = given.len();
        given.extend(first);
        let of_second = self.among(given, true, second);
        given.truncate(len);
        given.extend(&of_second);
        let mut all = self.among(given, !of_second.is_empty(), first);
        given.truncate(len);
        all.extend(of_second);
        all
    }

    /// Whether the error follows from these facts.
    fn is_enough(&mut self, facts: &[Term]) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let facts = [&self.granted, facts].concat();
        let Engine { terms, solver, .. } = &mut *self.engine;
        debug_assert!({
            let mut evaluator = Evaluator::new((*self.path.witness).clone());
            facts.iter().all(|fact| evaluator.holds(terms, *fact))
        });
        let query = Query { path: &facts, goal: self.escapes, witness: &self.path.witness };
        matches!(solver.solve(terms, &query), Verdict::Unsat)
    }
}
