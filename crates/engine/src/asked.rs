//! Conditions of places (`file.c:LINE if EXPR`): C of the user's that the program executes before a statement, between a call that begins to ask and
//! one that tells the answer.
//!
//! Nothing of it is the program's. Like a predicate of an invariant (`unknown/invariant.rs`) it may read whatever it likes and leaves nothing behind:
//! no memory, input, output or label, no coverage, no other goal. What would is unsupported, and an error in it, too: the path ends there, and
//! whatever it might have reached is not known.

use std::rc::Rc;

use taw_ir::Inst;

use crate::cx::Cx;
use crate::goals::GoalStep;
use crate::unknown::Upholding;
use crate::value::Value;

/// How the models are called that conditions call.
pub(crate) const CONDITION_MODELS: &str = "taw_place_";

/// The label that is passed where a condition holds.
pub fn condition_label(number: u64) -> String {
    format!("taw_place:{number}")
}

/// A condition that is being asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AskedCondition {
    /// How many calls are below the one in which it stands.
    pub depth: usize,
    number: u64,
}

impl Cx<'_, '_> {
    /// A condition begins; says whether it is to be asked. None is inside of another, or of a predicate.
    pub fn ask_condition(&mut self, number: u64) -> bool {
        if self.state.upholding.is_some() {
            return false;
        }
        self.cover_partial();
        let (memory, covered) = (self.state.memory.clone(), self.state.covered.clone());
        let asked = Some(AskedCondition { depth: self.state.callers.len(), number });
        self.state.upholding = Some(Rc::new(Upholding { memory, covered, sides: self.state.sides.clone(), asked }));
        true
    }

    /// A condition is over, and this is its truth.
    pub fn tell_condition(&mut self, number: u64, holds: Value) {
        let holds = self.branch(holds);
        self.forget_predicates();
        if holds {
            self.look_at_label(&condition_label(number));
        }
    }

    /// The condition that is being asked.
    pub(crate) fn asked_condition(&self) -> Option<AskedCondition> {
        self.state.upholding.as_ref().and_then(|upholding| upholding.asked)
    }

    /// Whether what is written is the compiler's own: a condition has no assignments, so only functions that it calls write to what is there.
    /// Optimised code may have those in it.
    pub(crate) fn is_temporary(&self) -> bool {
        let top = &self.state.top;
        let is_call = || matches!(self.engine.program.functions[top.func].code[top.pc as usize], Inst::Call { .. });
        let is_here = |asked: AskedCondition| asked.depth == self.state.callers.len();
        self.asked_condition().is_some_and(is_here) && !self.engine.config.optimised && !is_call()
    }

    /// The condition that is being asked, in words.
    pub(crate) fn asked_in_words(&self) -> Option<String> {
        let label = condition_label(self.asked_condition()?.number);
        let is_it = |step: &GoalStep| matches!(step, GoalStep::Label(known, _) if *known == label);
        let name = self.engine.goals.named(is_it).unwrap_or("of a place");
        Some(format!("the condition `{name}`"))
    }
}
