//! What a replayed path did, line by line: for people who want to watch it.

use taw_ir::{FloatTy, Function, Inst, LocId, Origin, Ty};

use crate::cx::Cx;
use crate::memory::ObjectKind;
use crate::value::{Value, signed};

/// Something that happened on the path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceEvent {
    /// Execution came to another line of the user's code.
    Line(LocId),
    /// A variable got a value.
    Change {
        /// Its name, with an offset in bytes where only part of it changed.
        name: String,
        /// The value, as C would print it.
        value: String,
    },
}

impl Cx<'_, '_> {
    /// Notes the line of the instruction about to be executed, if it is another than before.
    pub(crate) fn trace_line(&mut self, function: &Function) {
        let Some(loc) = function.locs[self.state.top.pc as usize].filter(|_| function.origin == Origin::User) else {
            return;
        };
        let line = |loc: LocId| (self.engine.program.locs[loc].file, self.engine.program.locs[loc].line);
        let last = self.engine.trace.iter().rev().find_map(|event| match event {
            TraceEvent::Line(last) => Some(*last),
            TraceEvent::Change { .. } => None,
        });
        if last.is_none_or(|last| line(last) != line(loc)) {
            self.engine.trace.push(TraceEvent::Line(loc));
        }
    }

    /// Notes what the instruction just executed did to a variable.
    pub(crate) fn trace_change(&mut self, inst: &Inst, function: &Function) {
        if function.origin != Origin::User {
            return;
        }
        match *inst {
            // `retval` is clang's own.
            Inst::Copy { dst, .. } if !matches!(function.regs[dst].name.as_str(), "" | "retval") => {
                let value = self.state.top.regs[dst.as_u32() as usize];
                if value.waits().is_some() {
                    return;
                }
                let value = self.shown(value, function.regs[dst].ty);
                self.engine.trace.push(TraceEvent::Change { name: function.regs[dst].name.clone(), value });
            }
            Inst::Store { ptr, value, width } => {
                let Some(name) = self.stored_name(self.read(ptr)) else { return };
                let value = self.shown(self.read(value), Ty::Int(width));
                self.engine.trace.push(TraceEvent::Change { name, value });
            }
            _ => {}
        }
    }

    /// The variable at a pointer, with the offset where it is not its start.
    fn stored_name(&mut self, ptr: Value) -> Option<String> {
        let address = match ptr.as_term() {
            None => ptr.as_word()?,
            Some(t) => self.witness_word(t),
        };
        let object = self.state.memory.object(address)?;
        let name = match object.kind {
            ObjectKind::Global(g) => self.engine.program.globals[g].name.clone(),
            ObjectKind::Stack(f, a) => self.engine.program.functions[f].allocas[a].name.clone(),
            ObjectKind::Heap => "heap block".to_owned(),
            ObjectKind::Internal(_) | ObjectKind::Unknown(_) => return None,
        };
        let offset = address.wrapping_sub(object.base);
        let element = u64::from(object.element.max(1));
        Some(match offset {
            0 if object.size <= element => name,
            _ if offset.is_multiple_of(element) && element > 1 => format!("{name}[{}]", offset / element),
            _ => format!("{name}+{offset}"),
        })
    }

    fn shown(&mut self, value: Value, ty: Ty) -> String {
        let word = match value.as_term() {
            None => value.as_word().unwrap_or_default(),
            Some(t) => self.state.witness.bits(&self.engine.terms, t).low(),
        };
        match ty {
            Ty::Int(width) if width <= 64 => signed(word, width).to_string(),
            Ty::Float(FloatTy::F64) => f64::from_bits(word).to_string(),
            Ty::Float(FloatTy::F32) => f32::from_bits(word as u32).to_string(),
            _ => format!("{word:#x}"),
        }
    }
}
