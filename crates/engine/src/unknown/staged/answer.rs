//! Calls of an invariant on a structure of its stage: as long as nobody has changed the structure, the stage knows the answer.
//!
//! Boundary: only where the result depends on nothing else ([`super::StructureSet::decides_alone`]). What the program has written to, freed, or reached by
//! another pointer than those that it was given, the invariant is executed on.

use std::rc::Rc;
use std::sync::Arc;

use taw_ir::{Call, FuncId};

use crate::cx::Cx;
use crate::memory::Status;
use crate::value::Value;

impl Cx<'_, '_> {
    /// The result of a call, if it is of an invariant on an unchanged structure of its stage.
    pub(crate) fn answered_by_stage(&mut self, func: FuncId, call: &Call) -> Option<Value> {
        let unknowns = Rc::clone(&self.state.unknowns);
        for (number, staged) in unknowns.staged.iter().enumerate() {
            let stage = Arc::clone(&self.engine.config.staged[number].stage);
            let Some(objects) = staged.placed.as_ref().filter(|_| !staged.changed && stage.decides_alone) else {
                continue;
            };
            if self.engine.program.functions[func].name != stage.invariant {
                continue;
            }
            let selector = staged.selector.as_ref()?;
            let which = self.state.witness.assignment().value(selector.vars[0]);
            let structure = stage.structures.get(which as usize)?;
            let base = |root: &super::StructurePointer| match root {
                None => 0,
                Some(object) => unknowns.objects[objects[*object]].base,
            };
            let is_live = |number: &usize| {
                let object = self.state.memory.object(unknowns.objects[*number].base);
                object.is_some_and(|object| object.status == Status::Live)
            };
            let is_passed = call.args.len() == structure.roots.len()
                && structure.roots.iter().zip(&call.args).all(|(root, arg)| {
                    let value = self.read(arg.value);
                    value.as_word() == Some(base(root))
                });
            if is_passed && objects.iter().all(is_live) {
                self.engine.stats.answered_by_stages += u64::from(structure.returns.is_some());
                return structure.returns.map(Value::word);
            }
        }
        None
    }

    /// The program writes to an object: a structure that it is part of is no longer as the stage has it.
    pub(crate) fn note_staged_write(&mut self, base: u64) {
        if self.state.unknowns.staged.is_empty() {
            return;
        }
        let Some(number) = self.unknown_at(base) else { return };
        let is_of =
            |staged: &super::StagedArgument| staged.placed.as_ref().is_some_and(|objects| objects.contains(&number));
        let of = self.state.unknowns.staged.iter().position(|staged| !staged.changed && is_of(staged));
        if let Some(of) = of {
            Rc::make_mut(&mut self.state.unknowns).staged[of].changed = true;
        }
    }

    /// Whether an invariant of a stage that is used is being executed, or something that it calls.
    pub(crate) fn is_in_invariant(&self) -> bool {
        let staged = &self.engine.config.staged;
        let is_one = |func: FuncId| {
            let name = &self.engine.program.functions[func].name;
            staged.iter().any(|staged| staged.stage.invariant == *name)
        };
        !staged.is_empty() && (is_one(self.state.top.func) || self.state.callers.iter().any(|frame| is_one(frame.func)))
    }
}
