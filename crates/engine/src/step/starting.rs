//! What runs before the entry: constructors, then preconditions, which are functions with the entry's arguments; where one returns zero there is no path.
//!
//! The entry's call waits meanwhile ([`State::entry`](crate::State::entry)). Preconditions are code like any other: they may branch, and what
//! they change stays changed, as in the native run, which calls them too.

use std::rc::Rc;

use taw_ir::{FuncId, Passing, Ty};

use super::Flow;
use crate::cx::{Cx, Engine};
use crate::reason::Premise;
use crate::state::{Frame, Phase};
use crate::stop::Stop;
use crate::value::Value;

impl Engine<'_> {
    /// What holds where paths start at a function. It is taken for granted from now on.
    pub(crate) fn preconditions_of(&mut self, entry: &str) -> Vec<FuncId> {
        let program = self.program;
        let mut functions = Vec::new();
        self.premises.extend(self.promises_of(entry));
        self.premises.extend(self.stages_said(entry));
        for precondition in self.config.preconditions.iter().filter(|precondition| precondition.entry == entry) {
            let named = (program.function_named(&precondition.function), program.function_named(entry));
            let (Some(function), Some(entry)) = named else { continue };
            functions.push(function);
            self.premises.insert(match &precondition.text {
                Some(text) => Premise::Holds(text.clone(), entry),
                None => Premise::Accepts(function, entry),
            });
        }
        functions
    }
}

impl Cx<'_, '_> {
    /// What comes first begins.
    ///
    /// # Errors
    /// If a query was not answered.
    pub(crate) fn start_constructors(&mut self) -> Result<(), Stop> {
        self.state.phase = Phase::Running;
        let first = self.state.starters(self.engine.program).next();
        if let Some(func) = first {
            let frame = self.state.new_frame(func, &self.engine.program.functions[func]);
            self.state.phase = Phase::Starting(1);
            let entry = Rc::new(std::mem::replace(&mut self.state.top, frame));
            self.state.entry = Some(Rc::clone(&entry));
            self.pass_arguments(&entry);
        } else {
            self.begin_staging();
        }
        self.uphold_after(0)
    }

    /// When the last constructor is done, invariants of what is passed by copy come first.
    fn uphold_after(&mut self, done: usize) -> Result<(), Stop> {
        if done == self.engine.program.constructors.len() { self.uphold_copies() } else { Ok(()) }
    }

    /// A constructor or a precondition has returned: the next begins, or the entry.
    pub(super) fn started(&mut self, done: usize, result: Option<Value>) -> Result<Flow, Stop> {
        let constructors = self.engine.program.constructors.len();
        if done > constructors {
            self.require_holds(result)?;
        }
        let next = self.state.starters(self.engine.program).nth(done);
        let entry = self.state.entry.take().expect("the entry waits for what comes before it");
        match next {
            Some(func) => {
                self.start(func);
                self.state.phase = Phase::Starting(done + 1);
                self.pass_arguments(&entry);
                self.state.entry = Some(entry);
            }
            None => {
                self.state.top = Rc::unwrap_or_clone(entry);
                self.state.phase = Phase::Running;
                self.begin_staging();
            }
        }
        self.uphold_after(done)?;
        Ok(Flow::Frame)
    }

    /// Gives the innermost call the entry's arguments; a constructor takes none.
    fn pass_arguments(&mut self, entry: &Frame) {
        let program = self.engine.program;
        let (from, to) = (&program.functions[entry.func].params, &program.functions[self.state.top.func].params);
        // The room for a large result is nobody else's argument.
        let from = from.iter().filter(|param| param.passing != Passing::Result);
        for (from, to) in from.zip(to) {
            self.state.top.regs[to.reg.as_u32() as usize] = entry.regs[from.reg.as_u32() as usize];
        }
    }

    /// Goes on only where the predicate that returns holds.
    pub(super) fn require_holds(&mut self, result: Option<Value>) -> Result<(), Stop> {
        let function = &self.engine.program.functions[self.state.top.func];
        let width = function.returns.first().map_or(1, |ty: &Ty| ty.bits(&self.engine.program.layout));
        let value = result.unwrap_or(Value::word(1)).to_term(self.terms(), width);
        let zero = self.terms().bv(width, 0);
        let holds = self.terms().ne(value, zero);
        let holds = self.value(holds);
        self.assume(holds)
    }
}
