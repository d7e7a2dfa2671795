//! Names and types of source variables, as far as the debug information ties them to values.

use std::collections::{BTreeMap, HashMap};

use crate::llvm::{AttributeKinds, DebugNode, Declares, LlvmValue, Opcode};

/// What is known of the variables of a function.
#[derive(Default)]
pub struct VariableNames<'m> {
    /// Addresses of variables (allocas, `byval` arguments).
    addresses: HashMap<LlvmValue<'m>, DebugNode<'m>>,
    /// Values of variables.
    values: HashMap<LlvmValue<'m>, DebugNode<'m>>,
    /// The function's own parameters by number.
    numbered: BTreeMap<u32, DebugNode<'m>>,
    /// Types of the source parameters, if there is one argument for each: then the first is argument `hidden`.
    types: Vec<Option<DebugNode<'m>>>,
    /// Arguments before the first source parameter (the place for the result).
    hidden: u32,
}

impl<'m> VariableNames<'m> {
    /// Reads the debug records of a function's code, if it has any.
    pub fn of_function(f: LlvmValue<'m>, kinds: AttributeKinds) -> Self {
        let mut names = VariableNames::default();
        let Some(function) = f.debug_function() else { return names };
        names.positions(f, function, kinds);
        for instruction in f.blocks().flat_map(|block| block.instructions()) {
            for (how, value, variable) in instruction.debug_records() {
                names.record(how, value, variable);
            }
        }
        if let Some(entry) = f.blocks().next() {
            names.follow_arguments(entry.instructions());
        }
        names
    }

    fn positions(&mut self, f: LlvmValue<'m>, function: DebugNode<'m>, kinds: AttributeKinds) {
        let parts = function.base().map(DebugNode::elements).unwrap_or_default();
        let arguments = f.arguments().count();
        self.hidden = u32::from(arguments > 0 && f.is_sret(0, kinds));
        if parts.len().checked_sub(1) == Some(arguments - self.hidden as usize) {
            self.types = parts[1..].to_vec();
        }
    }

    fn record(&mut self, how: Declares, value: LlvmValue<'m>, variable: DebugNode<'m>) {
        match how {
            Declares::Address if !value.is_constant() => _ = self.addresses.entry(value).or_insert(variable),
            Declares::Value if !value.is_constant() => _ = self.values.entry(value).or_insert(variable),
            _ => {}
        }
        let number = variable.argument();
        if number > 0 {
            self.numbered.entry(number).or_insert(variable);
        }
    }

    /// Unoptimised code stores each argument into the variable it is: `x` goes into `x.addr`, a `_Bool` after widening, a
    /// structure that comes in several registers field by field.
    fn follow_arguments(&mut self, entry: impl Iterator<Item = LlvmValue<'m>>) {
        let behind = |v: LlvmValue<'m>, opcode| if v.opcode() == Some(opcode) { v.operand(0) } else { v };
        for store in entry.filter(|i| i.opcode() == Some(Opcode::LLVMStore)) {
            let value = behind(store.operand(0), Opcode::LLVMZExt);
            let place = behind(store.operand(1), Opcode::LLVMGetElementPtr);
            if !value.is_constant()
                && !value.is_instruction()
                && let Some(&variable) = self.addresses.get(&place)
            {
                self.values.entry(value).or_insert(variable);
            }
        }
    }

    /// Name and type of argument number `i` (from 0), as far as they are known.
    pub fn parameter(&self, i: u32, argument: LlvmValue<'m>) -> (String, Option<DebugNode<'m>>) {
        if let Some(variable) = self.values.get(&argument).or_else(|| self.addresses.get(&argument)) {
            return (variable.name(), variable.base());
        }
        let own = argument.name();
        // A structure that is passed in registers: `s.coerce0`.
        let name = own.split(".coerce").next().unwrap_or_default().to_string();
        if let Some(position) = i.checked_sub(self.hidden)
            && let Some(ty) = self.types.get(position as usize)
        {
            let known = self.numbered.get(&(position + 1)).map(|variable| variable.name());
            return (known.unwrap_or(name), *ty);
        }
        let ty = self.numbered.values().find(|known| known.name() == name).and_then(|known| known.base());
        (name, ty)
    }

    /// The variable that lives at an alloca: by debug information, or else by the value's name (`x.addr` is `x`).
    pub fn alloca(&self, alloca: LlvmValue<'m>) -> (String, Option<DebugNode<'m>>) {
        match self.addresses.get(&alloca) {
            Some(variable) => (variable.name(), variable.base()),
            None => (alloca.name().trim_end_matches(".addr").to_string(), None),
        }
    }

    /// The variable that a value is.
    pub fn value(&self, value: LlvmValue<'m>) -> (String, Option<DebugNode<'m>>) {
        self.values.get(&value).map(|variable| (variable.name(), variable.base())).unwrap_or_default()
    }
}
