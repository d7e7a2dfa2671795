//! Goals that the bounds on the path refute: array indices that were checked, and what is computed from them.
//!
//! Boundary: refutes, never confirms; how is the business of [`Bounds`].

use rustc_hash::FxHashMap;
use taw_expr::Term;

use crate::bounds::{Bounds, Look};
use crate::{Chain, Cx, Query, Stage, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "ranges",
    help: "goals refuted by the bounds on the path, by interval arithmetic",
    kind: StageKind::Filter,
    new: || Box::new(Ranges),
};

/// Terms looked at per goal.
const BUDGET: u32 = 400;

struct Ranges;

impl Stage for Ranges {
    fn solve(&mut self, cx: &mut Cx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        let mut bounds = Bounds::default();
        // By term, the conditions that its bounds come from.
        let mut by: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
        for &condition in query.path {
            for t in bounds.assume(cx.terms, condition) {
                by.entry(t).or_default().push(condition);
            }
        }
        let mut look = Look::new(&bounds, cx.terms, BUDGET);
        if bounds.is_empty() || look.truth(query.goal, 0) != Some(false) {
            return rest.solve(cx, query);
        }
        let mut core: Vec<Term> = look.used.iter().flat_map(|t| &by[t]).copied().collect();
        core.sort_unstable();
        core.dedup();
        cx.core = Some(core);
        Verdict::Unsat
    }
}
