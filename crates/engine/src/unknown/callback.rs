//! A function that the caller passes: one that nobody has the code of.
//!
//! It gives back any value of its type and does nothing else, and whoever calls it is in doubt ([`Doubt::Callback`]): it may do more. The C that
//! does the same natively is made by `taw`, from the [`CallbackShape`] that both read here; a test says which symbol it is.

use std::rc::Rc;

use taw_ir::{Call, EntityRef, FloatTy, FuncId, Function, Origin, Program, Ty, Type, TypeId};

use super::kinship::is_same;
use super::{MayPoint, PointerChoice};
use crate::cx::Cx;
use crate::reason::{Bound, Doubt};
use crate::step::Flow;
use crate::stop::Stop;
use crate::stub::object_bytes;
use crate::value::Value;

/// How many functions of one type a test may need.
pub const CALLBACKS: u32 = 4;

/// The most functions of the program that one pointer is tried to be.
const OWN: usize = 32;

/// What a type says of calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallbackShape {
    /// What it takes.
    pub params: Vec<Ty>,
    /// What it gives back, with its type in the source.
    pub result: Option<(Ty, TypeId)>,
    /// What its result may point at, with its bytes.
    pub object: Option<(TypeId, u64)>,
}

impl CallbackShape {
    /// That of functions of a type; nothing if it passes or gives back more than scalars.
    pub fn of(program: &Program, ty: TypeId) -> Option<Self> {
        let types = &program.types;
        let Type::Function { returns, params, variadic: false } = &types.all[types.plain(ty)] else { return None };
        let scalar = |id: &TypeId| scalar(&types.all[types.plain(*id)]);
        let is_void = types.all[types.plain(*returns)] == Type::Void;
        let result = if is_void { None } else { Some((scalar(returns)?, *returns)) };
        let to = types.pointee(*returns);
        let object = to.and_then(|to| Some((to, object_bytes(types, &program.layout, to)?)));
        Some(CallbackShape { params: params.iter().map(scalar).collect::<Option<_>>()?, result, object })
    }

    fn accepts(&self, call: &Call) -> bool {
        let is_alike = |(ty, arg): (&Ty, &taw_ir::CallArg)| ty.is_float() == arg.ty.is_float() && arg.byval.is_none();
        call.args.len() == self.params.len() && self.params.iter().zip(&call.args).all(is_alike)
    }
}

/// How a scalar is passed.
fn scalar(ty: &Type) -> Option<Ty> {
    Some(match ty {
        Type::Integer { name, .. } if matches!(name.as_str(), "_Bool" | "bool") => Ty::Int(1),
        Type::Integer { bits, .. } | Type::Enum { bits, .. } => Ty::Int(*bits as u32),
        Type::Float { name, .. } if name == "long double" => Ty::Float(FloatTy::F80),
        Type::Float { bits: 32, .. } => Ty::Float(FloatTy::F32),
        Type::Float { bits: 64, .. } => Ty::Float(FloatTy::F64),
        Type::Pointer { .. } => Ty::Ptr,
        _ => return None,
    })
}

/// The symbol that stands for a function of the caller's natively.
pub fn callback_symbol(program: &Program, ty: TypeId, slot: u32) -> String {
    format!("taw_callback_{}_{slot}", program.types.plain(ty).index())
}

/// Whether paths may start with a pointer to this function of the program: the caller got it from there.
pub fn may_be_passed(function: &Function) -> bool {
    function.origin == Origin::User && function.is_defined() && function.source.is_some()
}

impl Cx<'_, '_> {
    /// Which of the functions of its type a new one is, if there is one more.
    pub(super) fn callback_slot(&self, ty: TypeId) -> Option<u32> {
        let program = self.engine.program;
        CallbackShape::of(program, ty)?;
        let plain = |ty: TypeId| program.types.plain(ty);
        let is_like = |object: &super::UnknownObject| {
            object.callback.is_some() && object.element.is_some_and(|element| plain(element) == plain(ty))
        };
        let before = self.state.unknowns.objects.iter().filter(|object| is_like(object)).count() as u32;
        (before < CALLBACKS).then_some(before)
    }

    /// Functions of the program that a pointer may be to.
    fn own_functions(&self, ty: TypeId) -> Vec<FuncId> {
        let program = self.engine.program;
        let fits = |func: &&FuncId| {
            let function = &program.functions[**func];
            may_be_passed(function) && function.source.is_some_and(|source| is_same(program, source, ty))
        };
        self.image.taken.iter().filter(fits).copied().collect()
    }

    /// The functions of the program that a pointer to a function may be, and one that stands for others that the program may pass.
    pub(super) fn functions_tried(
        &mut self,
        own: usize,
        to: Option<TypeId>,
        may: &MayPoint,
    ) -> Result<Vec<PointerChoice>, Stop> {
        let types = &self.engine.program.types;
        let is_code = |to: &TypeId| matches!(types.all[types.plain(*to)], Type::Function { .. });
        let Some(to) = to.filter(is_code) else { return Ok(Vec::new()) };
        let is_tried = self.state.unknowns.objects[own].callback.is_some();
        let mut functions = if is_tried { self.own_functions(to) } else { Vec::new() };
        functions.retain(|func| self.may_be_function(may, *func));
        functions.truncate(OWN);
        let mut choices: Vec<PointerChoice> = functions.iter().map(|func| PointerChoice::Function(*func)).collect();
        if self.may_be_other_code(may, &functions) {
            choices.push(PointerChoice::Object(self.phantom(own, Bound::Callback)?));
        }
        Ok(choices)
    }

    /// Calls what a pointer points at, if that is a function of the caller's.
    pub(crate) fn call_unknown(&mut self, pointer: Value, call: &Call) -> Result<Option<Flow>, Stop> {
        let address = pointer.as_word().filter(|_| !self.state.unknowns.objects.is_empty());
        let Some((address, number)) = address.and_then(|at| Some((at, self.unknown_at(at)?))) else { return Ok(None) };
        let object = Rc::clone(&self.state.unknowns.objects[number]);
        let program = self.engine.program;
        let is_there = object.callback.is_some() && object.base == address;
        let shape = object.element.filter(|_| is_there).and_then(|ty| CallbackShape::of(program, ty));
        let Some(shape) = shape.filter(|shape| shape.accepts(call)) else { return Ok(None) };
        let wanted = call.dsts.first().map(|dst| program.functions[self.state.top.func].regs[*dst].ty);
        if call.dsts.len() > 1 || wanted.is_some_and(|wanted| !shape.gives(wanted)) {
            return Err(Stop::NotTried(Bound::Callback));
        }
        self.engine.doubts.insert(Doubt::Callback(object.name.clone()));
        let result = self.callback_result(&object.name, &shape)?;
        if let (Some(dst), Some((ty, _)), Some(wanted)) = (call.dsts.first(), shape.result, wanted) {
            let result = self.fit(result, ty, wanted);
            self.set(*dst, result);
        }
        Ok(Some(Flow::Next))
    }

    fn callback_result(&mut self, name: &str, shape: &CallbackShape) -> Result<Value, Stop> {
        let program = self.engine.program;
        let name = format!("{name}()");
        match shape.result {
            None => Ok(Value::word(0)),
            Some((Ty::Ptr, _)) => self.pointer_result(&name, shape.object),
            Some((ty, source)) => {
                let spelled = program.types.spelled(source);
                Ok(self.scalar_input(&name, &spelled, ty.bits(&program.layout)))
            }
        }
    }
}

impl CallbackShape {
    fn gives(&self, wanted: Ty) -> bool {
        self.result.is_some_and(|(ty, _)| ty.is_float() == wanted.is_float())
    }
}
