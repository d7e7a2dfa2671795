//! Goals that the bounds on the path refute: array indices that were checked, and what is computed from them.
//!
//! Boundary: refutes, never confirms; how is the business of [`bounds`].

use crate::bounds;
use crate::{Chain, Query, Stage, StageCx, StageDef, StageKind, Verdict};

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
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        let core = bounds::refutation(cx.terms, query.path, query.goal, BUDGET);
        if core.is_none() {
            return rest.solve(cx, query);
        }
        cx.core = core;
        Verdict::Unsat
    }
}
