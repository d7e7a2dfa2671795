//! Conditions of places (`file.c:LINE if EXPR`): C of the user's that the program executes before a statement, between a call that begins to ask and
//! one that tells the answer.
//!
//! Nothing of it is the program's. Like a predicate of an invariant (`unknown/invariant.rs`) it may read whatever it likes and leaves nothing behind:
//! no memory, input, output or label, no coverage, no other goal. Where it would, or fails itself, it has no answer: the path goes on as if nobody had
//! asked, and whether the goal is reached there is not known ([`Goals::unanswered`](crate::Goals::unanswered)).

use std::rc::Rc;

use taw_ir::{BlockId, Inst, LocId};

use crate::cx::Cx;
use crate::goals::GoalStep;
use crate::memory::{Object, ObjectKind};
use crate::reason::Cut;
use crate::stop::Stop;
use crate::unknown::Upholding;
use crate::value::Value;

/// How the models are called that conditions call.
pub const CONDITION_MODELS: &str = "taw_place_";

/// The label that is passed where a condition holds.
pub fn condition_label(number: u64) -> String {
    format!("taw_place:{number}")
}

/// A condition that is being asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AskedCondition {
    /// How many calls are below the one in which it stands.
    pub depth: usize,
    /// That call.
    serial: u64,
    number: u64,
    /// Where it began to be asked.
    pc: u32,
    block: BlockId,
}

impl Cx<'_, '_> {
    /// A condition begins; says whether it is to be asked. None is inside of another, or of a predicate.
    pub fn ask_condition(&mut self, number: u64) -> bool {
        if self.state.upholding.is_some() {
            return false;
        }
        self.cover_partial();
        let (memory, covered) = (self.state.memory.clone(), self.state.covered.clone());
        let (pc, block) = (self.state.top.pc, self.state.top.block);
        let asked =
            Some(AskedCondition { depth: self.state.callers.len(), serial: self.state.top.serial, number, pc, block });
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

    /// A path ends. If it does so in a condition it goes on instead, as if that had not been asked: what it has executed since has written to
    /// nothing that was there.
    ///
    /// # Errors
    /// The end, if that is the program's own or nobody knows whose.
    pub(crate) fn go_on_unasked(&mut self, stop: Stop) -> Result<(), Stop> {
        let Some(asked) = self.asked_condition() else { return Err(stop) };
        // A program that calls the models itself may have left the call in which it began to ask.
        let frame = self.state.callers.get(asked.depth).map_or(&self.state.top, |frame| frame);
        if self.state.callers.len() < asked.depth || frame.serial != asked.serial {
            return Err(stop);
        }
        // Nobody may use an object whose invariant was not checked to its end.
        if self.state.top.upholds || self.state.callers[asked.depth..].iter().any(|frame| frame.upholds) {
            return Err(stop);
        }
        let what = match self.failed_itself(stop) {
            Stop::Unsupported(what) => what.into(),
            other => return Err(other),
        };
        let cut = Cut::Unsupported { what, at: self.engine.stack_of(self.state).into_iter().next() };
        self.engine.goals.leave_unanswered(&condition_label(asked.number), cut);
        while self.state.callers.len() > asked.depth {
            self.retire_locals();
            if let Some(caller) = self.state.callers.pop() {
                self.state.top = Rc::unwrap_or_clone(caller);
            }
        }
        self.forget_predicates();
        (self.state.top.pc, self.state.top.block) = (asked.pc, asked.block);
        let function = &self.engine.program.functions[self.state.top.func];
        if let Inst::Call { call } = function.code[asked.pc as usize]
            && let Some(&dst) = function.calls[call].dsts.first()
        {
            self.set(dst, Value::word(0));
        }
        self.state.top.pc += 1;
        Ok(())
    }

    /// The condition that is being asked.
    pub(crate) fn asked_condition(&self) -> Option<AskedCondition> {
        self.state.upholding.as_ref().and_then(|upholding| upholding.asked)
    }

    /// Whether an object is the compiler's own, for something in a condition (a copy that is passed, a structure that is returned): nothing that is the
    /// program's uses it.
    pub(crate) fn is_temporary(&self, object: &Object) -> bool {
        let ObjectKind::Stack(func, alloca) = object.kind else { return false };
        let program = self.engine.program;
        let function = &program.functions[func];
        let address = function.allocas[alloca].dst;
        let is_programs =
            |loc: &Option<LocId>| loc.is_some_and(|loc| program.files[program.locs[loc].file].is_programs());
        let uses = |inst: &Inst| {
            let mut found = false;
            inst.for_each_use(function, |operand| found |= operand.as_reg() == Some(address));
            found
        };
        let moved = function.edges.values().flat_map(|edge| &edge.moves).any(|(_, src)| src.as_reg() == Some(address));
        let used = function.code.iter().zip(&function.locs).any(|(inst, loc)| is_programs(loc) && uses(inst));
        self.asked_condition().is_some() && !moved && !used
    }

    /// The condition that is being asked, in words.
    pub(crate) fn asked_in_words(&self) -> Option<String> {
        let label = condition_label(self.asked_condition()?.number);
        let is_it = |step: &GoalStep| matches!(step, GoalStep::Label(known, _) if *known == label);
        let name = self.engine.goals.named(is_it).unwrap_or("of a place");
        Some(format!("the condition `{name}`"))
    }
}
