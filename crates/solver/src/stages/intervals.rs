//! Queries on floats that are contradictory by interval arithmetic: cheap, and it knows a little of opaque functions.

use taw_expr::Term;

use crate::intervals::contradict;
use crate::{Chain, Query, Stage, StageCx, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "intervals",
    help: "float conditions that contradict each other, by interval arithmetic",
    kind: StageKind::Filter,
    new: || Box::new(Intervals),
};

struct Intervals;

impl Stage for Intervals {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        if cx.terms.has_float(query.goal) {
            let conditions: Vec<Term> = query.path.iter().copied().chain([query.goal]).collect();
            if contradict(cx.terms, &conditions) {
                return Verdict::Unsat;
            }
        }
        rest.solve(cx, query)
    }
}
