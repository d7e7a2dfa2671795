//! Inline assembly: statements of x86 whose every instruction is understood become instructions of ours.
//!
//! `template` reads the text, `constraints` where operands are, `machine` keeps what is in registers, `flags` what is in flags,
//! `instructions` (the table), `bits` and `multiply` say what instructions do. Anything else is not supported, by name. Statements
//! without instructions (barriers, or ways to hide a value from the compiler) need no machine and work on all targets.

mod bits;
mod constraints;
mod flags;
mod instructions;
mod machine;
mod multiply;
mod registers;
mod template;

use taw_ir::{Inst, Operand, Ty};

use self::constraints::{Constraint, OperandRole, Wanted};
use self::machine::{Machine, OperandPlace};
use super::body::{FunctionBody, Parts, Unsupported};
use super::types::Shape;
use crate::llvm::{LlvmType, LlvmValue};

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn inline_assembly(
        &mut self,
        i: LlvmValue<'m>,
        text: &str,
        constraints: &str,
    ) -> Result<Parts, Unsupported> {
        self.statement(i, text, constraints).map_err(|why| format!("inline assembly {text:?}: {why}"))
    }

    fn statement(&mut self, i: LlvmValue<'m>, text: &str, constraints: &str) -> Result<Parts, String> {
        let code = template::parse(text)?;
        if !code.is_empty() {
            if !is_x86(&self.cx.program.layout.triple) {
                return Err("only that of x86 is understood".to_string());
            }
            if i.callee().is_intel_assembly() {
                return Err("Intel's syntax is not understood".to_string());
            }
        }
        let constraints = constraints::parse(constraints)?;
        let direct = constraints.iter().filter(|c| c.role == OperandRole::Output).count();
        let outputs = self.output_types(i.ty(), direct);
        let mut machine = Machine::new(self);
        machine.bind(&constraints, &outputs, i.call_arguments())?;
        for instruction in &code {
            machine.execute(instruction)?;
        }
        machine.results(&constraints, &outputs)
    }

    /// The scalars of each output: one output is the whole result, several are its fields.
    fn output_types(&mut self, result: LlvmType<'m>, outputs: usize) -> Vec<Vec<Ty>> {
        let mut scalars = |ty| self.cx.types.shape(ty).scalars.clone();
        match outputs {
            0 => Vec::new(),
            1 => vec![scalars(result)],
            _ => (0..result.count() as u32).map(|field| scalars(result.element(field))).collect(),
        }
    }
}

fn is_x86(triple: &str) -> bool {
    let machine = triple.split('-').next().unwrap_or_default();
    machine == "x86_64" || (machine.starts_with('i') && machine.ends_with("86"))
}

impl<'m> Machine<'_, '_, 'm> {
    /// Gives every operand its place, and those that are passed their value.
    fn bind(
        &mut self,
        constraints: &[Constraint],
        outputs: &[Vec<Ty>],
        mut passed: impl Iterator<Item = LlvmValue<'m>>,
    ) -> Result<(), String> {
        let mut outputs = outputs.iter();
        for Constraint { role, place } in constraints {
            let argument = match role {
                OperandRole::Output => None,
                _ => Some(passed.next().ok_or("an operand that is not passed")?),
            };
            let bound = match (role, argument) {
                (OperandRole::IndirectOutput | OperandRole::IndirectInput, Some(pointer)) => {
                    OperandPlace::Memory(self.body.scalar(pointer))
                }
                (_, Some(argument)) => self.bind_input(place, argument)?,
                (_, None) => {
                    let types = outputs.next().ok_or("an output without a type")?;
                    let width = types.iter().map(|&ty| self.body.width(ty)).sum();
                    self.bind_register(place, Parts::new(), width)?
                }
            };
            self.arguments.push(bound);
        }
        Ok(())
    }

    fn bind_input(&mut self, wanted: &Wanted, argument: LlvmValue<'m>) -> Result<OperandPlace, String> {
        let parts = self.body.value(argument);
        let width = parts.iter().map(|&part| self.width_of(part)).sum();
        match (wanted, &parts[..]) {
            (Wanted::Tied(output), _) => {
                let place = self.arguments.get(*output).cloned().ok_or("a tie to no output")?;
                match place {
                    OperandPlace::Register { slot, .. } | OperandPlace::Other { slot, .. } => {
                        self.slots[slot].parts = parts
                    }
                    OperandPlace::Memory(at) => self.hand_over(at, argument, &parts),
                    OperandPlace::Value(_) | OperandPlace::Flag(_) => return Err("a tie to no output".to_string()),
                }
                Ok(place)
            }
            (Wanted::Memory, &[pointer]) => Ok(OperandPlace::Memory(pointer)),
            (Wanted::Register { immediate: true }, &[value]) if value.as_const().is_some() => {
                Ok(OperandPlace::Value(value))
            }
            _ => self.bind_register(wanted, parts, width),
        }
    }

    /// An output that may be in memory or a register is in memory: what is tied to it is put there first.
    fn hand_over(&mut self, at: Operand, argument: LlvmValue<'m>, parts: &Parts) {
        let shape: std::rc::Rc<Shape> = self.body.shape(argument);
        self.body.store_parts(at, &shape, parts);
    }

    fn bind_register(&mut self, wanted: &Wanted, parts: Parts, width: u32) -> Result<OperandPlace, String> {
        Ok(match wanted {
            Wanted::Fixed(register) => {
                let slot = self.fixed(register.number);
                if !parts.is_empty() {
                    self.slots[slot].parts = parts;
                }
                OperandPlace::Register { slot, width }
            }
            Wanted::Register { .. } => OperandPlace::Register { slot: self.slot(parts, width), width },
            Wanted::Other(letters) => OperandPlace::Other { slot: self.slot(parts, width), letters: letters.clone() },
            Wanted::Flag(code) => OperandPlace::Flag(code.clone()),
            Wanted::Memory | Wanted::Tied(_) => return Err("an operand in a place that cannot be".to_string()),
        })
    }

    /// The scalars of all outputs that are part of the result.
    fn results(mut self, constraints: &[Constraint], outputs: &[Vec<Ty>]) -> Result<Parts, String> {
        let places = std::mem::take(&mut self.arguments);
        let direct = places.into_iter().zip(constraints).filter(|(_, c)| c.role == OperandRole::Output);
        let mut results = Parts::new();
        for ((place, _), types) in direct.zip(outputs) {
            let parts = match place {
                OperandPlace::Register { slot, .. } | OperandPlace::Other { slot, .. } => {
                    self.slots[slot].parts.clone()
                }
                OperandPlace::Flag(code) => Parts::from_elem(self.condition(&code)?, 1),
                OperandPlace::Memory(_) | OperandPlace::Value(_) => {
                    return Err("an output in a place that cannot be".to_string());
                }
            };
            if parts.is_empty() {
                results.extend(types.iter().map(|&ty| self.body.compute(ty, |dst| Inst::Undef { dst })));
            } else if parts.len() == types.len() {
                results.extend(parts.into_iter().zip(types).map(|(part, &ty)| self.body.fit(part, ty)));
            } else {
                return Err("an output of other parts than what is tied to it".to_string());
            }
        }
        Ok(results)
    }
}

#[cfg(test)]
mod tests {
    use super::is_x86;

    #[test]
    fn both_sizes_of_x86_are_known() {
        assert!(["x86_64-pc-linux-gnu", "i386-unknown-linux", "i686-pc-linux-gnu"].into_iter().all(is_x86));
        assert!(!["aarch64-linux-gnu", "", "ia64"].into_iter().any(is_x86));
    }
}
