//! What is known of a function without its code: parameters, results, source place.

use std::collections::HashMap;

use taw_ir::{Block, ByVal, Function, Inst, Param, Passing, RegData, Ty};

use super::Lower;
use super::names::VariableNames;
use super::source::points_at_constant;
use crate::llvm::{DebugNode, LlvmType, LlvmValue};

/// A function that can be called, but not executed.
pub fn unsupported(name: String, what: &str) -> Function {
    let mut f = Function { name, ..Function::default() };
    let what = f.unsupported.push(what.to_string());
    f.code = vec![Inst::Unsupported { what }, Inst::Unreachable];
    f.locs = vec![None; 2];
    f.blocks.push(Block { start: 0, end: 2 });
    f
}

impl<'m> Lower<'m> {
    /// A function as its declaration has it.
    pub(super) fn signature(&mut self, f: LlvmValue<'m>) -> Function {
        let name = f.name();
        let ty = f.value_type();
        let node = f.debug_function();
        let source_name = node.map_or_else(|| name.clone(), |node| node.name());
        let mut function = Function {
            returns: self.types.shape(ty.result()).scalars.clone(),
            variadic: ty.is_variadic(),
            noreturn: f.is_noreturn(self.kinds),
            unoptimised: f.is_optnone(self.kinds),
            is_static: f.is_internal(),
            source: self.source_type(node.and_then(DebugNode::base)),
            loc: node.and_then(|node| self.debug.declared(&mut self.program, node, &source_name)),
            name,
            ..Function::default()
        };
        let names = VariableNames::of_function(f, self.kinds);
        for (i, argument) in f.arguments().enumerate() {
            self.parameter(&mut function, f, i as u32, argument, &names);
        }
        function
    }

    fn parameter(
        &mut self,
        function: &mut Function,
        f: LlvmValue<'m>,
        i: u32,
        argument: LlvmValue<'m>,
        names: &VariableNames<'m>,
    ) {
        let byval = f.byval(i, self.kinds).map(|(ty, align)| self.copied(ty, align));
        let (name, node) = names.parameter(i, argument);
        let source = self.source_type(node);
        let read_only = node.is_some_and(points_at_constant);
        let at_least = f.dereferenceable(i, self.kinds).unwrap_or(0);
        let scalars = &self.types.shape(argument.ty()).scalars;
        let passing = match scalars.len() {
            1 if f.is_sign_extended(i, self.kinds) => Passing::SignExtended,
            1 if f.is_zero_extended(i, self.kinds) => Passing::ZeroExtended,
            1 if f.is_sret(i, self.kinds) => Passing::Result,
            1 => Passing::Plain,
            _ => Passing::Part,
        };
        for &ty in scalars {
            let reg = function.regs.push(RegData { ty, name: name.clone(), source });
            function.params.push(Param { reg, ty, name: name.clone(), source, byval, passing, read_only, at_least });
        }
    }

    /// The copy that a `byval` argument of a type makes.
    pub(super) fn copied(&self, ty: LlvmType<'m>, align: Option<u64>) -> ByVal {
        // What has no size fits no stack.
        let size = self.types.bytes(ty).unwrap_or(u64::MAX);
        ByVal { size, align: align.unwrap_or_else(|| self.layout.align(ty)) }
    }
}

/// A declaration made for a call to a library function that the module does not mention.
pub fn declared(name: &str, params: &[Ty], returns: &[Ty]) -> Function {
    let mut f = Function { name: name.to_string(), returns: returns.to_vec(), ..Function::default() };
    for &ty in params {
        let reg = f.regs.push(RegData { ty, name: String::new(), source: None });
        let (name, passing) = (String::new(), Passing::Plain);
        f.params.push(Param { reg, ty, name, source: None, byval: None, passing, read_only: false, at_least: 0 });
    }
    f
}

/// The registers of a function's arguments, as values of its body.
pub fn arguments<'m>(
    lower: &mut Lower<'m>,
    f: LlvmValue<'m>,
    function: &Function,
) -> HashMap<LlvmValue<'m>, super::body::Parts> {
    let mut regs = function.params.iter().map(|p| taw_ir::Operand::reg(p.reg));
    f.arguments()
        .map(|argument| {
            let count = lower.types.shape(argument.ty()).scalars.len();
            (argument, regs.by_ref().take(count).collect())
        })
        .collect()
}
