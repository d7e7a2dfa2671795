//! SDSE-intra: the state nearest to any goal, by distances that do not look into callees (dissertation, section 3.1.1).
//!
//! As Otter computed it: a call can be run through and the calls a state is in can be left, but none can be entered. (By
//! the text, the distance would be infinite unless the goal is in the very function.) There to show what interprocedural
//! distances are worth.

use crate::ranked::Ranked;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "SDSE-intra",
    help: "as SDSE, by distances that do not look into callees",
    new: |seed| Box::new(SdseIntra { ranked: Ranked::new(seed) }),
};

#[derive(Debug)]
struct SdseIntra {
    ranked: Ranked,
}

impl Searcher for SdseIntra {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        self.ranked.best(|id| facts.distance_intra(id))
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        self.ranked.update(delta, |id| facts.distance_intra(id));
    }
}
