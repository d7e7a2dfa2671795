//! Queries that are answered by looking: a constant goal, a goal that the path states or denies, a goal that holds under the witness.

use crate::{Chain, Query, Stage, StageCx, StageDef, StageKind, Verdict};

pub(super) const DEF: StageDef = StageDef {
    name: "constants",
    help: "constant goals, goals stated or denied by the path, goals true under the witness",
    kind: StageKind::Filter,
    new: || Box::new(Constants),
};

struct Constants;

impl Stage for Constants {
    fn solve(&mut self, cx: &mut StageCx<'_>, query: &Query<'_>, rest: &mut Chain<'_>) -> Verdict {
        if cx.terms.as_u64(query.goal) == Some(0) {
            return Verdict::Unsat;
        }
        if cx.scratch.all_hold(cx.terms, query.witness, [&query.goal]) {
            return Verdict::Sat(query.witness.clone());
        }
        // The goal is false under the witness, so the path cannot state it; but it can state its negation.
        let negated = cx.terms.not(query.goal);
        if query.path.contains(&negated) {
            return Verdict::Unsat;
        }
        rest.solve(cx, query)
    }
}
