//! Parameters that are pointers, until something may depend on them: what a path only hands on costs next to nothing.
//!
//! Such a parameter is a value that registers hold and copies, calls and returns hand on ([`Value::waiting`]). The first instruction that does
//! anything else with it makes the pointer (`pointer.rs`), in all registers. The order in which pointers are made decides what may point at whose
//! object. It stays that of the parameters, with what lies in objects after them, but for those that no register holds which may still be read: nobody
//! can tell the object of one of these from any other. So before a pointer is made, those come that belong before it and whose objects may be the same.
//!
//! Boundary: what is said of a parameter holds whether or not it is used, so that one is made at the start; so are functions, streams, and
//! what the whole program allows no object of its own. Invariant: memory holds no such value, and nothing but the instructions above sees one.

use std::collections::BTreeSet;
use std::rc::Rc;

use taw_ir::{Call, Callee, EntityRef, FuncId, Function, Inst, Liveness, Param, Reg, Ty, TypeId};

use super::kinship::{Kinship, is_function, kinship};
use super::own::own_element;
use super::pointer::not_void;
use super::{Alias, Argument, Promise, parameter_name};
use crate::cx::{Cx, Engine};
use crate::image::Binding;
use crate::state::{Frame, Phase, State};
use crate::stop::Stop;
use crate::value::Value;

impl Engine<'_> {
    fn liveness_of(&mut self, func: FuncId) -> Rc<Liveness> {
        let function = &self.program.functions[func];
        Rc::clone(self.liveness.entry(func).or_insert_with(|| Rc::new(Liveness::of(function))))
    }

    /// Those of the registers of a call that hold pointers which wait and that may be read from an instruction on, and the arguments that these are.
    fn awaited(&mut self, frame: &Frame, pc: u32) -> Vec<(Reg, usize)> {
        let mut held = held(frame).peekable();
        if held.peek().is_none() {
            return Vec::new();
        }
        let live = self.liveness_of(frame.func).at(&self.program.functions[frame.func], pc);
        held.filter(|(reg, _)| live.binary_search(reg).is_ok()).collect()
    }
}

/// The registers of a call that hold pointers which wait, and the arguments that these are.
fn held(frame: &Frame) -> impl Iterator<Item = (Reg, usize)> + '_ {
    frame.regs.iter().enumerate().filter_map(|(reg, value)| Some((Reg::new(reg), value.waits()?)))
}

impl State {
    /// All calls, the entry's among them while others come before it, outermost first.
    fn all_frames(&self) -> impl Iterator<Item = &Frame> {
        self.entry.iter().chain(&self.callers).map(|frame| &**frame).chain([&self.top])
    }

    /// Whether the program may come back to a call by a jump: then registers that matter no more may matter again.
    fn may_jump_to(&self, frame: &Frame) -> bool {
        self.jumps.iter().any(|jump| jump.serial == frame.serial)
    }
}

impl<'p> Cx<'_, 'p> {
    /// Whether a parameter waits until it is used: a pointer that may lead to an object of its own, and of which nothing is said.
    pub(super) fn may_wait(&mut self, name: &str, param: &Param) -> Result<bool, Stop> {
        if param.ty != Ty::Ptr || param.byval.is_some() || param.at_least > 0 {
            return Ok(false);
        }
        let to = self.pointee_of(param);
        let is_plain = self.opaque(not_void(self.engine.program, to)).is_none();
        let is_said = !matches!(self.promise(name, to, None)?, Promise::None);
        let may = self.may_of_parameter(param);
        Ok(is_plain && !is_said && self.may_be_object(&may))
    }

    /// The value of a parameter that waits.
    pub(super) fn wait(&mut self, argument: usize) -> Value {
        Rc::make_mut(&mut self.state.unknowns).waiting.push(argument);
        Value::waiting(argument)
    }

    /// Whether the innermost call holds pointers that wait and that it may still read. What it will not read it forgets.
    pub(crate) fn passes_on(&mut self) -> bool {
        if self.state.unknowns.waiting.is_empty() || held(&self.state.top).next().is_none() {
            return false;
        }
        let awaited = self.engine.awaited(&self.state.top, self.state.top.pc);
        if self.state.may_jump_to(&self.state.top) {
            return true;
        }
        for (at, value) in self.state.top.regs.iter_mut().enumerate() {
            if value.waits().is_some() && !awaited.iter().any(|(reg, _)| reg.index() == at) {
                *value = Value::word(0);
            }
        }
        let left: BTreeSet<usize> = self.state.all_frames().flat_map(held).map(|(_, argument)| argument).collect();
        if left.len() < self.state.unknowns.waiting.len() {
            Rc::make_mut(&mut self.state.unknowns).waiting.retain(|argument| left.contains(argument));
        }
        !awaited.is_empty()
    }

    /// Before an instruction: makes the pointers that it does not only hand on.
    ///
    /// # Errors
    /// If a query was not answered.
    pub(crate) fn make_used(&mut self, inst: &Inst, function: &Function) -> Result<(), Stop> {
        if self.state.unknowns.waiting.is_empty() {
            return Ok(());
        }
        let is_inner = !self.state.callers.is_empty() && !self.state.top.upholds;
        let hands_on = match *inst {
            Inst::Copy { .. } => true,
            Inst::Ret { .. } => is_inner,
            Inst::Call { call } => self.hands_on(&function.calls[call]),
            _ => false,
        };
        if hands_on {
            return Ok(());
        }
        let mut used = Vec::new();
        inst.for_each_use(function, |operand| {
            let value = operand.as_reg().map(|reg| self.state.top.regs[reg.index()]);
            used.extend(value.and_then(Value::waits));
        });
        if used.is_empty() {
            return Ok(());
        }
        let awaited = self.awaited();
        used.into_iter().try_for_each(|argument| self.make_waiting(argument, &awaited))
    }

    /// Whether a call puts its arguments into registers of a function as they are.
    fn hands_on(&self, call: &Call) -> bool {
        let Callee::Direct(func) = call.callee else { return false };
        let function = &self.engine.program.functions[func];
        let layout = &self.engine.program.layout;
        let mut pairs = function.params.iter().zip(&call.args);
        matches!(self.image.bindings[func], Binding::Code)
            && !function.variadic
            && pairs
                .all(|(param, arg)| param.byval.or(arg.byval).is_none() && param.ty.bits(layout) == arg.ty.bits(layout))
    }

    /// Before a pointer to something of that type is made that comes after all parameters so far: makes those whose objects may be the same.
    ///
    /// # Errors
    /// If a query was not answered.
    pub(super) fn make_kin(&mut self, to: Option<TypeId>) -> Result<(), Stop> {
        let waiting = self.state.unknowns.waiting.clone();
        if waiting.is_empty() || to.is_some_and(|to| is_function(self.engine.program, to)) {
            return Ok(());
        }
        let awaited = self.awaited();
        self.make_kin_among(&waiting, to, &awaited)
    }

    fn make_kin_among(&mut self, waiting: &[usize], to: Option<TypeId>, awaited: &BTreeSet<usize>) -> Result<(), Stop> {
        let program = self.engine.program;
        let element = own_element(program, to);
        if self.engine.config.shapes.alias == Alias::None {
            return Ok(());
        }
        for argument in waiting.iter().filter(|argument| awaited.contains(argument)) {
            let Some((_, param)) = self.waiting_param(*argument) else { continue };
            let other = own_element(program, self.pointee_of(param));
            if kinship(program, element, other) != Kinship::Strangers {
                self.make_waiting(*argument, awaited)?;
            }
        }
        Ok(())
    }

    /// Makes a pointer that waits, after those before it that may be its like, if they are awaited.
    fn make_waiting(&mut self, argument: usize, awaited: &BTreeSet<usize>) -> Result<(), Stop> {
        let waiting = &self.state.unknowns.waiting;
        let Some(at) = waiting.iter().position(|other| *other == argument) else { return Ok(()) };
        let Some((name, param)) = self.waiting_param(argument) else { return Ok(()) };
        let before = waiting[..at].to_vec();
        self.make_kin_among(&before, self.pointee_of(param), awaited)?;
        Rc::make_mut(&mut self.state.unknowns).waiting.retain(|other| *other != argument);
        let value = self.unknown_argument(argument, &name, param)?;
        self.replace_waiting(argument, value);
        Ok(())
    }

    /// The parameter that an argument is which waits.
    fn waiting_param(&self, argument: usize) -> Option<(String, &'p Param)> {
        let Argument::Waiting(number) = self.state.unknowns.arguments[argument] else { return None };
        let program = self.engine.program;
        let function = &program.functions[self.state.start];
        Some((parameter_name(function, number), &function.params[number]))
    }

    /// Gives a pointer to all registers that wait for it.
    fn replace_waiting(&mut self, argument: usize, value: Value) {
        let replace = |frame: &mut Frame| {
            for register in frame.regs.iter_mut().filter(|register| register.waits() == Some(argument)) {
                *register = value;
            }
        };
        let holds = |frame: &Frame| held(frame).any(|(_, other)| other == argument);
        replace(&mut self.state.top);
        for frame in self.state.callers.iter_mut().chain(&mut self.state.entry).filter(|frame| holds(frame)) {
            replace(Rc::make_mut(frame));
        }
    }

    /// The arguments that wait and that some call may still read. Before the entry runs, that is all of them.
    fn awaited(&mut self) -> BTreeSet<usize> {
        if !matches!(self.state.phase, Phase::Running | Phase::Exiting(..)) {
            return self.state.unknowns.waiting.iter().copied().collect();
        }
        let state = &*self.state;
        let frames: Vec<&Frame> = state.all_frames().collect();
        let mut all = BTreeSet::new();
        for (at, &frame) in frames.iter().enumerate() {
            // Whoever has called goes on behind the call; whoever was interrupted goes on where it is.
            let goes_on = frames.get(at + 1).is_none_or(|inner| inner.upholds);
            let pc = if goes_on { frame.pc } else { frame.pc + 1 };
            match state.may_jump_to(frame) {
                true => all.extend(held(frame).map(|(_, argument)| argument)),
                false => all.extend(self.engine.awaited(frame, pc).into_iter().map(|(_, argument)| argument)),
            }
        }
        all
    }
}
