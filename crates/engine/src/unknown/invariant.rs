//! Invariants (`--invariant`): predicates of the program that hold of every unknown structure of a type.
//!
//! A predicate runs when such a structure is first accessed, between two instructions: its call lies on top of the one that accesses, which
//! executes its instruction again when the predicate has returned. Where that is zero there is no path. A structure is checked once: it counts as
//! checked as soon as its predicate begins, so predicates may walk lists, and into themselves.
//!
//! Nothing of this happens natively: the objects of a test are as the predicates want them. So a predicate may read whatever it likes and leaves
//! nothing behind: no memory, input, output or label, no coverage, no goal ([`Upholding`]); what would is unsupported, and an error in it, too.

use std::rc::Rc;

use taw_expr::Marks;
use taw_ir::{Effect, FuncId, TypeId};

use super::kinship::is_same;
use super::{Argument, ties};
use crate::asked::{AskedCondition, CONDITION_MODELS};
use crate::coverage::PathCoverage;
use crate::cx::{Cx, Engine};
use crate::holds::HoldsTerms;
use crate::image::Binding;
use crate::memory::{Memory, ObjectKind, Status};
use crate::reason::Premise;
use crate::state::{Frame, Sides, State};
use crate::step::Flow;
use crate::stop::Stop;
use crate::value::Value;

/// What holds of every unknown structure of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The type.
    pub of: TypeId,
    /// The function of the program that says so, with a pointer as its only parameter.
    pub function: String,
    /// The type and the function as the user named them.
    pub said: (String, String),
}

/// What there was when the predicate began, or the condition of a place ([`crate::asked`]), that is being executed.
#[derive(Clone, Debug)]
pub(crate) struct Upholding {
    pub(crate) memory: Memory,
    pub(crate) covered: PathCoverage,
    pub(crate) sides: Sides,
    /// The condition, if it is one.
    pub(crate) asked: Option<AskedCondition>,
}

impl HoldsTerms for Upholding {
    fn mark(&self, marks: &mut Marks) {
        let Upholding { memory, covered: _, sides, asked: _ } = self;
        memory.mark(marks);
        sides.iter().for_each(|(_, _, condition)| condition.mark(marks));
    }
}

impl State {
    /// The calls of the program, innermost first, without those of an invariant or condition that is being checked: what it interrupts goes on
    /// at its instruction.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        let all = self.callers.len();
        let (top, callers) = match self.upholding.as_ref().map(|upholding| upholding.asked) {
            None => (Some(&self.top), all),
            Some(Some(asked)) if asked.depth == all => (Some(&self.top), all),
            Some(Some(asked)) => (None, asked.depth + 1),
            Some(None) => (None, self.callers.iter().position(|frame| frame.upholds).unwrap_or(all)),
        };
        top.into_iter().chain(self.callers[..callers].iter().rev().map(|frame| &**frame))
    }
}

impl Engine<'_> {
    /// What the invariants take for granted.
    pub(crate) fn invariants_said(&self) -> impl Iterator<Item = Premise> {
        let invariants = self.config.promises.invariants.iter();
        invariants.map(|invariant| Premise::Invariant(invariant.said.0.clone(), invariant.said.1.clone()))
    }
}

impl Cx<'_, '_> {
    /// Before an object is touched between two offsets: lets the next predicate begin that should hold there, if there is one.
    ///
    /// # Errors
    /// If one begins: the instruction is to be executed again.
    pub(super) fn uphold(&mut self, number: usize, from: u64, to: u64) -> Result<(), Stop> {
        match !self.engine.config.promises.invariants.is_empty() && self.begin_predicate(number, from, to)? {
            true => Err(Stop::Resume),
            false => Ok(()),
        }
    }

    /// Lets all predicates begin that should hold of structures which the entry is given by copy: registers have those before any access.
    pub(crate) fn uphold_copies(&mut self) -> Result<(), Stop> {
        if self.engine.config.promises.invariants.is_empty() {
            return Ok(());
        }
        let unknowns = Rc::clone(&self.state.unknowns);
        for argument in &unknowns.arguments {
            if let Argument::Copy(number) = argument {
                while self.begin_predicate(*number, 0, unknowns.objects[*number].room())? {}
            }
        }
        Ok(())
    }

    fn begin_predicate(&mut self, number: usize, from: u64, to: u64) -> Result<bool, Stop> {
        let program = self.engine.program;
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        let Some(element) = object.element.filter(|_| object.callback.is_none()) else { return Ok(false) };
        let to = to.min(object.room());
        let mut found = Vec::new();
        if object.flexible {
            ties::records_in(program, element, from..to, 0, &mut found);
        } else {
            for start in (from / object.each * object.each..to).step_by(object.each as usize) {
                let end = (to - start).min(object.each);
                ties::records_in(program, element, from.saturating_sub(start)..end, start, &mut found);
            }
        }
        for (ty, start) in found {
            for which in 0..self.engine.config.promises.invariants.len() {
                let invariant = &self.engine.config.promises.invariants[which];
                if object.upheld.contains(&(start, which)) || !is_same(program, ty, invariant.of) {
                    continue;
                }
                let Some(func) = program.function_named(&invariant.function) else { continue };
                let size = program.types.bytes(ty, &program.layout).unwrap_or(0);
                if !self.is_there(number, start + size)? {
                    continue;
                }
                let unknowns = Rc::make_mut(&mut self.state.unknowns);
                Rc::make_mut(&mut unknowns.objects[number]).upheld.push((start, which));
                self.call_predicate(func, object.base + start);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an object has as many bytes: an access at an unknown offset need not touch all that there may be.
    fn is_there(&mut self, number: usize, end: u64) -> Result<bool, Stop> {
        let object = &self.state.unknowns.objects[number];
        let is_sure = end <= object.head && (object.flexible || object.promise.tied().is_none());
        if is_sure {
            return Ok(true);
        }
        let (limit, bits) = (self.limit(number)?, self.pointer_bits());
        let end = self.engine.terms.bv(bits, end);
        let there = self.engine.terms.ule(end, limit);
        let there = self.value(there);
        Ok(self.branch(there))
    }

    fn call_predicate(&mut self, func: FuncId, address: u64) {
        let function = &self.engine.program.functions[func];
        let mut frame = self.state.new_frame(func, function);
        frame.upholds = true;
        if let Some(param) = function.params.first() {
            frame.regs[param.reg.as_u32() as usize] = Value::word(address);
        }
        if self.state.upholding.is_none() {
            let (memory, covered) = (self.state.memory.clone(), self.state.covered.clone());
            let sides = self.state.sides.clone();
            self.state.upholding = Some(Rc::new(Upholding { memory, covered, sides, asked: None }));
        }
        let caller = std::mem::replace(&mut self.state.top, frame);
        self.state.callers.push(Rc::new(caller));
    }

    /// A predicate has returned, and holds: what it has interrupted goes on.
    pub(crate) fn upheld(&mut self) -> Flow {
        let caller = self.state.callers.pop().expect("a predicate interrupts something");
        self.state.top = Rc::unwrap_or_clone(caller);
        let is_inner = self.state.top.upholds || self.state.callers.iter().any(|frame| frame.upholds);
        if !is_inner && self.asked_condition().is_none() {
            self.forget_predicates();
        }
        Flow::Frame
    }

    /// What was covered in predicates is not covered natively.
    pub(crate) fn forget_predicates(&mut self) {
        if let Some(before) = self.state.upholding.take() {
            self.state.covered = before.covered.clone();
            self.state.sides = before.sides.clone();
        }
    }

    /// A predicate leaves memory as it is, but for what it has made itself.
    pub(crate) fn check_upholding_write(&self, base: u64) -> Result<(), Stop> {
        let Some(before) = &self.state.upholding else { return Ok(()) };
        let object = self.state.memory.object(base);
        let is_unknown = object.is_some_and(|object| matches!(object.kind, ObjectKind::Unknown(_)));
        let was_there = before.memory.object(base).is_some_and(|object| object.status == Status::Live);
        match is_unknown || was_there && !object.is_some_and(|object| self.is_temporary(object)) {
            true => Err(Stop::Unsupported(format!("{}, which changes memory", self.predicate()))),
            false => Ok(()),
        }
    }

    /// A predicate calls nothing that leaves something behind.
    pub(crate) fn check_upholding_call(&self, func: FuncId) -> Result<(), Stop> {
        if self.state.upholding.is_none() {
            return Ok(());
        }
        let is_harmless = match self.image.bindings[func] {
            Binding::Code | Binding::Own(_) | Binding::Undefined => true,
            Binding::Model(model) if model.name.starts_with(CONDITION_MODELS) => true,
            Binding::Model(model) => {
                let is_memory = model.name.contains("mem") && !model.signature.is_fresh();
                let is_number = model.signature.is_of_numbers() && !is_for_taw(model.name);
                model.effect == Effect::Returns && (is_memory || is_number) && !model.signature.frees()
            }
            Binding::Marker | Binding::Stub(_) => false,
        };
        match is_harmless {
            true => Ok(()),
            false => {
                let name = &self.engine.program.functions[func].name;
                Err(Stop::Unsupported(format!("{}, which calls `{name}`", self.predicate())))
            }
        }
    }

    /// A predicate calls no function of the caller's, whose results are inputs.
    pub(crate) fn check_upholding_pointer(&self, pointer: Value) -> Result<(), Stop> {
        let is_callers = || pointer.as_word().is_some_and(|address| self.unknown_at(address).is_some());
        match self.state.upholding.is_some() && is_callers() {
            true => Err(Stop::Unsupported(format!("{}, which calls a function of the caller's", self.predicate()))),
            false => Ok(()),
        }
    }

    /// The end of a path in a predicate: what happens there does not happen natively.
    pub(crate) fn end_in_predicate(&mut self, stop: Stop) -> Stop {
        if self.state.upholding.is_none() {
            return stop;
        }
        let stop = if self.refuses_null(&stop) { Stop::Infeasible } else { self.failed_itself(stop) };
        self.forget_predicates();
        stop
    }

    /// An end that is no end of the program's, in words.
    pub(crate) fn failed_itself(&self, stop: Stop) -> Stop {
        let why = match &stop {
            Stop::Bug(kind, message) | Stop::BugAt(kind, message, _) => Some(format!("{}: {message}", kind.name())),
            Stop::Exit(_) | Stop::Signal(_) | Stop::Silent => Some("the program ends".to_owned()),
            _ => None,
        };
        match why {
            Some(why) => Stop::Unsupported(format!("{}, which fails itself ({why})", self.predicate())),
            None => stop,
        }
    }

    /// The predicate that is being executed, in words.
    fn predicate(&self) -> String {
        if let Some(condition) = self.asked_in_words() {
            return condition;
        }
        if self.engine.config.staging.is_some() {
            return format!("`{}` of --repok", self.engine.program.functions[self.state.start].name);
        }
        let frames = std::iter::once(&self.state.top).chain(self.state.callers.iter().rev().map(|frame| &**frame));
        let func = frames.into_iter().find(|frame| frame.upholds).map(|frame| frame.func);
        let said = func.map(|func| {
            let name = &self.engine.program.functions[func].name;
            let invariants = self.engine.config.promises.invariants.iter();
            let said = invariants.into_iter().find(|invariant| invariant.function == *name);
            said.map_or_else(|| name.clone(), |invariant| invariant.said.1.clone())
        });
        format!("`{}` of --invariant", said.unwrap_or_default())
    }
}

/// Whether a function is one by which programs talk to Taw and its like.
fn is_for_taw(name: &str) -> bool {
    ["taw_", "klee_", "__"].iter().any(|prefix| name.starts_with(prefix))
}
