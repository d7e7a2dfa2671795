//! What is needed of one function, and what of it is observed then.

use fixedbitset::FixedBitSet;

use super::control::Observation;
use crate::function::Function;
use crate::inst::Inst;

/// What is needed of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionNeeds {
    /// Instructions that are kept, but for `ret`.
    pub(super) kept: FixedBitSet,
    /// Goals.
    pub(super) goals: FixedBitSet,
    /// Edges that have moves to keep.
    pub(super) edges: FixedBitSet,
    /// What is needed of its registers.
    pub(super) webs: FixedBitSet,
    /// Results, by their position.
    pub(super) results: FixedBitSet,
    /// Whether something may be observed behind a call of it.
    pub(super) comes_back: bool,
    /// Whether it does something that others see, or a goal is there.
    pub(super) matters: bool,
    /// Whether the slice may enter it.
    pub(super) entered: bool,
}

impl FunctionNeeds {
    /// Whether its `ret` is kept.
    pub(super) fn returns(&self) -> bool {
        self.comes_back || !self.results.is_clear()
    }

    /// What is observed of it.
    pub(super) fn observation(&self, function: &Function) -> Observation {
        let mut insts = self.kept.clone();
        insts.union_with(&self.goals);
        if self.returns() {
            let rets = function.code.iter().enumerate().filter(|(_, inst)| matches!(inst, Inst::Ret { .. }));
            rets.for_each(|(pc, _)| insts.insert(pc));
        }
        Observation { insts, edges: self.edges.clone() }
    }
}
