//! The parameters of an entry, made as C passes them: a structure that comes in registers is an object of its own first, whose parts the registers hold.
//!
//! Boundary: which parameters belong together, `ir` knows (`SourceArgument`); a single pointer or number is `pointer.rs`'s.

use std::rc::Rc;

use taw_ir::{FloatTy, Function, Param, Passing, Program, SourceArgument, Ty, Type, TypeId};

use super::kinship::{contains, is_same};
use super::{Argument, PointerChoice, UnknownObject};
use crate::cx::Cx;
use crate::memory::{FILL, ObjectKind, Region};
use crate::stop::Stop;
use crate::value::Value;

/// Bytes for a result of unknown size.
const LARGEST: u64 = 1 << 16;

impl Cx<'_, '_> {
    /// The values of the parameters that an argument is passed as.
    ///
    /// # Errors
    /// If a query was not answered, or a part is something that is not tried.
    pub(crate) fn unknown_arguments(
        &mut self,
        number: usize,
        function: &Function,
        argument: &SourceArgument,
    ) -> Result<Vec<Value>, Stop> {
        let first = &function.params[argument.params.start];
        let name = &parameter_name(function, argument.params.start);
        if self.is_staged(function, argument.params.start) {
            // It is put in place where paths may part.
            return Ok(vec![Value::word(0); argument.params.len()]);
        }
        match argument.whole {
            Some(_) => self.in_registers(number, name, function, argument),
            None if first.passing == Passing::Result => Ok(vec![self.room_for_result(number, function)?]),
            None if self.may_wait(name, first)? => Ok(vec![self.wait(number)]),
            None => {
                let is_pointer = first.ty == Ty::Ptr && first.byval.is_none();
                if is_pointer {
                    self.make_kin(self.pointee_of(first))?;
                }
                let value = self.unknown_argument(number, name, first)?;
                if is_pointer && first.at_least > 0 {
                    self.suppose_room(self.state.unknowns.pointers.len() - 1, first.at_least)?;
                }
                Ok(vec![value])
            }
        }
    }

    fn in_registers(
        &mut self,
        position: usize,
        name: &str,
        function: &Function,
        argument: &SourceArgument,
    ) -> Result<Vec<Value>, Stop> {
        let program = self.engine.program;
        let whole = argument.whole.expect("the caller has seen it");
        let size = program.types.bytes(whole, &program.layout).unwrap_or(1).max(1);
        let inside = self.may_of_parameters(&function.params[argument.params.clone()]);
        let object =
            UnknownObject { element: Some(whole), head: size, each: size, inside, ..UnknownObject::nobodys(name) };
        let number = self.place(object)?;
        Rc::make_mut(&mut self.state.unknowns).arguments[position] = Argument::Copy(number);
        match program.types.has_unclear_union(whole) {
            // What it holds is decided where paths may part.
            true => Ok(vec![Value::word(0); argument.params.len()]),
            false => self.parts_in_registers(number, function, argument),
        }
    }

    /// Gives the registers of the entry what could not be made before its paths part: structures with unions that may hold pointers.
    ///
    /// # Errors
    /// If a query was not answered.
    pub(crate) fn fill_registers(&mut self) -> Result<(), Stop> {
        let program = self.engine.program;
        let function = &program.functions[self.state.top.func];
        let unknowns = Rc::clone(&self.state.unknowns);
        let passed = function.arguments(&program.types, &program.layout);
        for (argument, made) in passed.iter().zip(&unknowns.arguments) {
            if let (Argument::Copy(number), Some(whole)) = (made, argument.whole)
                && program.types.has_unclear_union(whole)
            {
                let values = self.parts_in_registers(*number, function, argument)?;
                for (param, value) in function.params[argument.params.clone()].iter().zip(values) {
                    self.state.top.regs[param.reg.as_u32() as usize] = value;
                }
            }
        }
        Ok(())
    }

    /// The parts of an object, which are made, as registers have them.
    fn parts_in_registers(
        &mut self,
        number: usize,
        function: &Function,
        argument: &SourceArgument,
    ) -> Result<Vec<Value>, Stop> {
        let (base, size) = (self.state.unknowns.objects[number].base, self.state.unknowns.objects[number].room());
        self.touch(number, 0, size)?;
        let (bits, big_endian) = (8 * size, self.big_endian());
        let mut values = Vec::new();
        for (param, &offset) in function.params[argument.params.clone()].iter().zip(&argument.offsets) {
            let width = u64::from(param.ty.bits(&self.engine.program.layout));
            let held = width.min(bits.saturating_sub(8 * offset)) as u32;
            if held == 0 {
                values.push(Value::word(0));
                continue;
            }
            let object = Rc::clone(self.state.memory.object(base).expect("just made"));
            let part = object.load(&mut self.engine.terms, offset as usize, held, big_endian);
            values.push(match u64::from(held) < width {
                true => {
                    let t = part.to_term(self.terms(), held);
                    let t = self.terms().zext(t, width as u32);
                    self.value(t)
                }
                false => part,
            });
        }
        Ok(values)
    }

    /// A pointer leads to so many bytes at least: the caller promises it. An object that cannot have as many here is longer than what is tried.
    fn suppose_room(&mut self, pointer: usize, bytes: u64) -> Result<(), Stop> {
        let pointer = Rc::clone(&self.state.unknowns.pointers[pointer]);
        for (way, choice) in pointer.choices.iter().enumerate() {
            let chosen = self.chosen(&pointer, way);
            let not = self.engine.terms.not(chosen);
            let Some(number) = choice.object().filter(|_| !matches!(choice, PointerChoice::Past(_))) else {
                self.suppose(not)?;
                continue;
            };
            let object = Rc::clone(&self.state.unknowns.objects[number]);
            if object.bound.is_some() {
                continue;
            }
            if let PointerChoice::Inside(place) = choice {
                let needed = bytes.div_ceil(place.part.stride);
                let fits = match place.part.count.checked_sub(needed).filter(|_| !place.past) {
                    None => self.engine.terms.bool(false),
                    Some(last) => {
                        let index = pointer.index.as_ref().filter(|_| place.has_index());
                        let index = index.map(|record| self.input_term(record.vars[0]));
                        let terms = &mut self.engine.terms;
                        let (zero, last) = (terms.bv(16, 0), terms.bv(16, last));
                        terms.ule(index.unwrap_or(zero), last)
                    }
                };
                let condition = self.engine.terms.or(not, fits);
                self.suppose(condition)?;
                continue;
            }
            let longer = self.is_longer(number)?;
            let index = match (choice, &pointer.index) {
                (PointerChoice::Element(_), Some(index)) => self.input_term(index.vars[0]),
                _ => self.engine.terms.bv(16, 0),
            };
            let terms = &mut self.engine.terms;
            let index = terms.zext(index, 32);
            let needed = terms.bv(32, bytes.saturating_sub(object.head).div_ceil(object.each).min(object.most));
            let last = terms.add(index, needed);
            let fits = self.has_element(number, last)?;
            let fits = self.engine.terms.or(fits, longer);
            let condition = self.engine.terms.or(not, fits);
            self.suppose(condition)?;
        }
        Ok(())
    }

    /// Where a structure that is returned goes: the caller has room for it.
    fn room_for_result(&mut self, position: usize, function: &Function) -> Result<Value, Stop> {
        let program = self.engine.program;
        let size = function.result_type(&program.types).and_then(|ty| program.types.bytes(ty, &program.layout));
        let kind = ObjectKind::Internal("the result");
        let full = || Stop::Unsupported("no room for the result".to_owned());
        let size = size.unwrap_or(LARGEST);
        let base = self.state.memory.allocate(Region::Heap, size, 16, kind, FILL).ok_or_else(full)?;
        let unknowns = Rc::make_mut(&mut self.state.unknowns);
        unknowns.arguments[position] = Argument::Result;
        unknowns.room = Some(base);
        Ok(Value::word(base))
    }
}

/// The order in which arguments are made: a pointer to what may have an object of an earlier one in it comes before that, so that the earlier one
/// can point there. Numbers stay in order.
pub(crate) fn containers_first(program: &Program, function: &Function, arguments: &[SourceArgument]) -> Vec<usize> {
    let pointee = |argument: &SourceArgument| {
        let param = &function.params[argument.params.start];
        let is_pointer = param.ty == Ty::Ptr && param.byval.is_none() && argument.whole.is_none();
        param.source.filter(|_| is_pointer).and_then(|source| program.types.pointee(source))
    };
    let pointees: Vec<Option<TypeId>> = arguments.iter().map(pointee).collect();
    let goes_before = |whole: usize, part: usize| match (pointees[whole], pointees[part]) {
        (Some(whole), Some(part)) => !is_same(program, whole, part) && contains(program, whole, part),
        _ => false,
    };
    let mut order: Vec<usize> = Vec::new();
    for number in 0..arguments.len() {
        // One that has two others in it goes before the first of them.
        let place = order.iter().position(|&earlier| goes_before(number, earlier)).unwrap_or(order.len());
        order.insert(place, number);
    }
    order
}

/// How C calls a parameter; one without a name has a number.
pub(crate) fn parameter_name(function: &Function, number: usize) -> String {
    let own = &function.params[number].name;
    if own.is_empty() { format!("arg{number}") } else { own.clone() }
}

/// The type of a parameter that is a number, as C writes it. An old-style definition gets a `float` as a `double`, and small integers as `int`.
pub(super) fn number_type(program: &Program, param: &Param) -> String {
    let width = param.ty.bits(&program.layout);
    let Some(source) = param.source else { return format!("i{width}") };
    let is_extended = param.passing == Passing::SignExtended || param.passing == Passing::ZeroExtended;
    match (&program.types.all[program.types.plain(source)], param.ty) {
        (Type::Float { bits: 32, .. }, Ty::Float(FloatTy::F64)) => "double".to_owned(),
        (Type::Integer { bits: 8 | 16, .. }, Ty::Int(32)) if !is_extended => "int".to_owned(),
        _ => program.types.spelled(source),
    }
}

/// What keeps an argument from being made, if something does.
pub(crate) fn argument_obstacle(function: &Function, argument: &SourceArgument) -> Option<&'static str> {
    let is_part = |param: &Param| param.passing == Passing::Part && matches!(param.ty, Ty::Float(_) | Ty::Int(_));
    let is_alone = argument.whole.is_none() && function.params[argument.params.clone()].iter().any(is_part);
    is_alone.then_some("a parameter is a vector of an odd size, or a structure without debug information")
}
