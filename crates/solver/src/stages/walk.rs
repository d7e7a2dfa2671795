//! The heuristic solver in the chain: before the back ends with a small budget for what is dear to them, after them with a
//! larger one for what they did not answer.
//!
//! Opaque functions can be evaluated but not solved. What can be known of a query with them: if it is contradictory without its
//! opaque conditions, it is contradictory; and whatever evaluates to true is a model. Boundary: never says `Unsat` itself.

use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Instant;
use taw_expr::{Assignment, Evaluator, FloatBin, Node, Term, Terms};

use crate::walk::{Effort, Without, walk};
use crate::{Chain, Query, Stage, StageCx, StageDef, StageKind, Unknown, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "walk",
    help: "heuristic search, for floats, opaque functions and what the back ends do not answer",
    kind: StageKind::BackEnd,
    new: || Box::new(Walk::default()),
};

#[derive(Default)]
struct Walk {
    /// Per condition: the first function in it that no back end understands.
    obstacles: FxHashMap<Term, Option<String>>,
    /// Queries on which the large budget was spent in vain, without those on which it was not.
    failures: u32,
}

/// Halvings of the large budget.
const MAX_HALVINGS: u32 = 3;

impl Stage for Walk {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        let conditions: Vec<Term> = [query.goal].into_iter().chain(query.path.iter().copied()).collect();
        let is_hard = conditions.iter().any(|&t| cx.terms.has_float(t) || cx.terms.has_opaque(t));
        if is_hard && let Some(model) = search(cx, &conditions, &[query.witness], cx.config.walk_first, 0) {
            return Verdict::Sat(model);
        }
        let obstacle = conditions.iter().find_map(|&t| self.obstacle(cx.terms, t));
        let verdict = match obstacle {
            None => rest.solve(cx, query),
            Some(name) => self.without_obstacles(cx, query, rest, name),
        };
        let (easy, why) = match verdict {
            Verdict::Unknown(why) => (None, why),
            Verdict::Sat(model) if cx.scratch.all_hold(cx.terms, &model, &conditions) => return Verdict::Sat(model),
            Verdict::Sat(model) => (Some(model), Unknown::Opaque(self.name(cx.terms, &conditions))),
            Verdict::Unsat => return Verdict::Unsat,
        };
        let bases: Vec<&Assignment> = [query.witness].into_iter().chain(&easy).collect();
        match search(cx, &conditions, &bases, cx.config.walk_last >> self.failures, 1) {
            Some(model) => {
                self.failures = self.failures.saturating_sub(1);
                Verdict::Sat(model)
            }
            None => {
                self.failures = (self.failures + 1).min(MAX_HALVINGS);
                Verdict::Unknown(why)
            }
        }
    }

    fn collected(&mut self, terms: &Terms) -> bool {
        self.obstacles.retain(|t, _| terms.has(*t));
        true
    }
}

impl Walk {
    /// Asks the rest about the conditions it understands. A `Sat` is only of those.
    fn without_obstacles(
        &mut self,
        cx: &mut StageCx<'_>,
        query: &Query<'_>,
        rest: &mut Chain<'_>,
        name: String,
    ) -> Verdict {
        if self.obstacle(cx.terms, query.goal).is_some() {
            // Without the goal there is only the path, which the witness satisfies.
            return Verdict::Unknown(Unknown::Opaque(name));
        }
        let understood: Vec<Term> =
            query.path.iter().copied().filter(|&t| self.obstacle(cx.terms, t).is_none()).collect();
        cx.partial = true;
        let verdict = rest.solve(cx, &Query { path: &understood, ..*query });
        cx.partial = false;
        verdict
    }

    fn name(&mut self, terms: &Terms, conditions: &[Term]) -> String {
        conditions.iter().find_map(|&t| self.obstacle(terms, t)).unwrap_or_default()
    }

    /// The name of a function in `t` that no back end understands.
    fn obstacle(&mut self, terms: &Terms, t: Term) -> Option<String> {
        if !terms.has_opaque(t) && !terms.has_float(t) {
            return None;
        }
        self.obstacles.entry(t).or_insert_with(|| find_obstacle(terms, t)).clone()
    }
}

/// A model found within `work`, confirmed by evaluation.
fn search(
    cx: &mut StageCx<'_>,
    conditions: &[Term],
    bases: &[&Assignment],
    work: u64,
    turn: u64,
) -> Option<Assignment> {
    let effort = Effort {
        work,
        // Another turn goes other ways.
        seed: cx.config.seed.wrapping_mul(2).wrapping_add(turn),
        deadline: cx.config.time_left().map(|left| Instant::now() + left),
        without: Without::new(&cx.config.walk_without),
    };
    // What depends on no input is no matter of search.
    if conditions.iter().any(|&t| cx.terms.as_u64(t) == Some(0)) {
        return None;
    }
    let walked = walk(cx.terms, conditions, bases, effort);
    cx.evaluations += walked.evaluations;
    if walked.model.is_some() {
        cx.useful_evaluations += walked.evaluations;
    }
    let mut evaluator = Evaluator::new(walked.model?);
    // A tape that is wrong must not make a path feasible.
    let holds = conditions.iter().all(|&t| evaluator.holds(cx.terms, t));
    debug_assert!(holds, "the tape and the evaluator disagree");
    holds.then(|| evaluator.assignment().clone())
}

fn find_obstacle(terms: &Terms, root: Term) -> Option<String> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut pending = vec![root];
    while let Some(t) = pending.pop() {
        match *terms.node(t) {
            Node::Apply(function, ..) => return Some(terms.functions()[function.0 as usize].name.clone()),
            Node::FloatBin(FloatBin::Rem, ..) => return Some("fmod".to_owned()),
            _ => pending.extend(terms.children(t).filter(|&child| seen.insert(child))),
        }
    }
    None
}
