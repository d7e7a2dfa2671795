//! Local search from the witness: change what the goal needs, then repair what that broke.
//!
//! Boundary: finds models, proves nothing. The budget is counted in conditions evaluated, so it is the same on every machine.

use taw_expr::{Assignment, Term};

use crate::force::Force;
use crate::{Chain, Query, Stage, StageCx, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef =
    StageDef { name: "local", help: "local search from the witness", kind: StageKind::Filter, new: || Box::new(Local) };

/// Ways tried to satisfy one condition.
const WAYS: u32 = 10;
/// Conditions repaired after the goal.
const REPAIRS: u32 = 4;
/// Conditions evaluated per query.
const BUDGET: usize = 400;

struct Local;

impl Stage for Local {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        match search(cx, query) {
            Some(model) => Verdict::Sat(model),
            None => rest.solve(cx, query),
        }
    }
}

fn search(cx: &mut StageCx<'_>, query: &Query<'_>) -> Option<Assignment> {
    let mut budget = BUDGET;
    let mut model = query.witness.clone();
    let mut target = query.goal;
    let mut worst = usize::MAX;
    for _ in 0..=REPAIRS {
        let (next, broken) = improve(cx, query, &model, target, worst, &mut budget)?;
        let Some(&first) = broken.first() else { return Some(next) };
        worst = broken.len();
        (model, target) = (next, first);
    }
    None
}

/// The way to satisfy `target` that leaves the fewest conditions broken (fewer than `worst`), and those.
fn improve(
    cx: &mut StageCx<'_>,
    query: &Query<'_>,
    model: &Assignment,
    target: Term,
    worst: usize,
    budget: &mut usize,
) -> Option<(Assignment, Vec<Term>)> {
    let mut best: Option<(Assignment, Vec<Term>)> = None;
    for way in 0..WAYS {
        let mut force = Force::new(model.clone(), way);
        if !force.truth(cx.terms, cx.scratch, target, true) {
            continue;
        }
        cx.scratch.begin();
        if !cx.scratch.holds(cx.terms, &force.model, target) {
            continue;
        }
        let limit = best.as_ref().map_or(worst, |(_, broken)| broken.len());
        if let Some(broken) = broken(cx, query, &force.model, limit, budget) {
            let is_done = broken.is_empty();
            best = Some((force.model, broken));
            if is_done {
                break;
            }
        }
        if *budget == 0 {
            break;
        }
    }
    best
}

/// The conditions that `model` does not satisfy, if they are fewer than `limit`.
fn broken(
    cx: &mut StageCx<'_>,
    query: &Query<'_>,
    model: &Assignment,
    limit: usize,
    budget: &mut usize,
) -> Option<Vec<Term>> {
    let mut broken = Vec::new();
    for &t in query.path.iter().chain([&query.goal]) {
        *budget = budget.checked_sub(1)?;
        if !cx.scratch.holds(cx.terms, model, t) {
            broken.push(t);
            if broken.len() >= limit {
                return None;
            }
        }
    }
    Some(broken)
}
