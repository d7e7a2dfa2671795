//! Random testing: new inputs by chance for every run, and no question to the solver. It does not end by itself.

use super::{ConcolicDef, NextRun, RunOutcome, WalkId, WalkStrategy, Walks};

pub(super) const DEF: ConcolicDef = ConcolicDef {
    name: "random-input",
    usage: "random-input",
    help: "new inputs by chance for every run; until a limit",
    has_number: false,
    new: |_, _| Box::new(RandomInput),
};

#[derive(Debug)]
struct RandomInput;

impl WalkStrategy for RandomInput {
    fn next(&mut self, _: &dyn Walks) -> Option<NextRun> {
        Some(NextRun::Random)
    }

    fn learn(&mut self, _: RunOutcome, _: &dyn Walks) {}

    fn holds(&self, _: WalkId) -> bool {
        false
    }

    fn is_exhaustive(&self) -> bool {
        false
    }
}
