//! Calls.

use taw_ir::{Call, CallArg, Callee, ConstValue, FloatTy, Inst, Operand, Symbol, Ty};

use super::body::{FunctionBody, Parts, Unsupported};
use super::function::declared;
use super::types::OPAQUE;
use crate::llvm::{LlvmTypeKind, LlvmValue, ValueKind};

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn call(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let callee = i.callee();
        if let Some((text, constraints)) = callee.inline_assembly() {
            return self.inline_assembly(i, &text, &constraints);
        }
        if callee.kind() == ValueKind::LLVMFunctionValueKind
            && let Some(name) = callee.intrinsic()
        {
            return self.intrinsic(i, name);
        }
        self.ordinary_call(i, callee)
    }

    /// A call that may throw: as nothing that throws can be executed, it goes on where it goes on normally.
    pub(super) fn invoke(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let parts = self.call(i)?;
        self.define(i, parts.clone());
        match i.successors().next() {
            Some(normal) => self.jump(normal),
            None => self.terminate(Inst::Unreachable),
        };
        Ok(self.value(i))
    }

    fn ordinary_call(&mut self, i: LlvmValue<'m>, callee: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let mut args = Vec::new();
        // A function without a prototype is none that takes further arguments.
        let named = i.named_arguments().filter(|&named| named > 0).unwrap_or(u32::MAX);
        for (n, argument) in i.call_arguments().enumerate() {
            let shape = self.shape(argument);
            if shape.opaque {
                return Err(format!("an argument of {OPAQUE}"));
            }
            let byval = i.byval(n as u32, self.cx.kinds).map(|(ty, align)| self.cx.copied(ty, align));
            let parts = self.value(argument);
            if n as u32 >= named
                && argument.ty().kind() == LlvmTypeKind::Vector
                && let Some(whole) = self.in_a_vector_register(&parts)
            {
                args.push(whole);
                continue;
            }
            args.extend(parts.into_iter().zip(&shape.scalars).map(|(value, &ty)| CallArg { value, ty, byval }));
        }
        let callee = self.callee(callee);
        let returns = self.shape(i).scalars.clone();
        let wanted = if i.is_used() { returns.as_slice() } else { &[] };
        let dsts: Vec<_> = wanted.iter().map(|&ty| self.register(ty)).collect();
        let parts = if dsts.is_empty() {
            returns.iter().map(|&ty| self.undef(ty)).collect()
        } else {
            dsts.iter().map(|&dst| Operand::reg(dst)).collect()
        };
        self.emit_call(Call { callee, args, dsts, returns });
        Ok(parts)
    }

    /// The lanes of a vector that is a variadic argument, as one number of a type that goes where the vector would.
    fn in_a_vector_register(&mut self, lanes: &Parts) -> Option<CallArg> {
        let bits: u32 = lanes.iter().map(|&lane| self.width(self.type_of(lane))).sum();
        let ty = match bits {
            64 => Ty::Float(FloatTy::F64),
            128 => Ty::Float(FloatTy::F128),
            _ => return None,
        };
        let value = self.regroup(lanes.clone(), &[ty])[0];
        Some(CallArg { value, ty, byval: None })
    }

    fn callee(&mut self, callee: LlvmValue<'m>) -> Callee {
        // A direct call of a function that may be missing is still a call of that function, not of null.
        let known = self.cx.functions.get(&callee).copied();
        if let Some(id) = known {
            return Callee::Direct(id);
        }
        if callee.is_constant()
            && let Some(ConstValue::Address(Symbol::Function(id), 0)) = self.cx.const_value(callee)
        {
            return Callee::Direct(id);
        }
        Callee::Indirect(self.scalar(callee))
    }

    fn emit_call(&mut self, call: Call) {
        let call = self.f.calls.push(call);
        self.emit(Inst::Call { call });
    }

    /// Calls a library function by name, with one result.
    pub(super) fn call_library(&mut self, name: &str, args: &[Operand], result: Option<Ty>) -> Operand {
        let args: Vec<CallArg> =
            args.iter().map(|&value| CallArg { value, ty: self.type_of(value), byval: None }).collect();
        let returns: Vec<Ty> = result.into_iter().collect();
        let params: Vec<Ty> = args.iter().map(|arg| arg.ty).collect();
        let id = self.cx.function_named(name, || declared(name, &params, &returns));
        let dsts: Vec<_> = returns.iter().map(|&ty| self.register(ty)).collect();
        let value = dsts.first().map(|&dst| Operand::reg(dst));
        self.emit_call(Call { callee: Callee::Direct(id), args, dsts, returns });
        value.unwrap_or_else(|| self.undef(Ty::Int(1)))
    }
}
