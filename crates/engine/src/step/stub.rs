//! A call of a function that is defined nowhere and of which the user says how it behaves (`--stub`).
//!
//! What it gives back and writes are inputs of the path, in the order in which the native stand-in asks for them: through its pointers, in the
//! order of the parameters, then the result. Invariant: all that may split the state (where its pointers point) is decided before the first
//! input is made, because a state that is split off executes the call again.
//!
//! Pointers are not made up from nothing: those inside of what is written stay as they are (null in what is new), a result is null or points
//! at a new object, and each time the run is in doubt about the others.

use taw_ir::{Call, FuncId, Function, Origin, Param, Ty, Type, TypeId};

use super::Flow;
use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::memory::{Object, ObjectKind, Region, Status};
use crate::reason::{Doubt, Premise, StubGap};
use crate::stop::Stop;
use crate::stub::{IS_SOME, PartKind, Stub, StubPart, StubShape, leaves, pointee, room};
use crate::test_case::InputType;
use crate::value::Value;

/// What is written through one pointer.
struct Writing {
    /// As inputs name it.
    name: String,
    /// The object.
    base: u64,
    /// The pointer's offset in it.
    at: u64,
    /// What is written, from the start of the object.
    leaves: Vec<StubPart>,
    /// What becomes of addresses in it.
    addresses: Addresses,
}

/// What becomes of addresses in what is written.
#[derive(PartialEq)]
enum Addresses {
    /// They stay as they are.
    Stay,
    /// They are null: nobody has written them before.
    Null,
}

impl<'p> Cx<'_, 'p> {
    pub(super) fn stub(&mut self, func: FuncId, stub: Stub, call: &'p Call) -> Result<Flow, Stop> {
        let function = &self.engine.program.functions[func];
        let name = &function.name;
        self.engine.premises.extend(Premise::of_stub(func, stub));
        match stub {
            Stub::Fail => {
                let message = format!("`{name}` is called, which --stub {name}=fail forbids");
                return Err(Stop::Bug(FindingKind::ForbiddenCall, message));
            }
            Stub::Never => {
                self.engine.assumed.insert((self.state.top.func, self.state.top.pc));
                return Err(Stop::Infeasible);
            }
            Stub::Return | Stub::Havoc if function.noreturn => {
                self.hold_registers();
                return Err(self.exit(1));
            }
            Stub::Return | Stub::Havoc => {}
        }
        let shape = StubShape::of(self.engine.program, function);
        if call.dsts.len() > function.returns.len() {
            return Err(Stop::Unsupported(format!("a call of `{name}` as if it returned something else than it does")));
        }
        if shape.place.is_none() && self.returns_into_memory(function) {
            return Err(Stop::Unsupported(format!("a structure of unknown type that `{name}` returns")));
        }
        let writings = self.writings(function, stub, &shape, call);
        for writing in &writings {
            self.write_unknown(writing)?;
        }
        let results = self.results(function, &shape)?;
        for ((dst, value), ty) in call.dsts.iter().zip(results).zip(&function.returns) {
            let wanted = self.engine.program.functions[self.state.top.func].regs[*dst].ty;
            let value = self.fit(value, *ty, wanted);
            self.set(*dst, value);
        }
        Ok(Flow::Next)
    }

    /// Whether the result goes to memory, as far as the declaration tells.
    fn returns_into_memory(&self, function: &Function) -> bool {
        let types = &self.engine.program.types;
        let returns = function.source.and_then(|source| match types.all[types.plain(source)] {
            Type::Function { returns, .. } => Some(types.plain(returns)),
            _ => None,
        });
        function.returns.is_empty() && returns.is_some_and(|returns| types.all[returns] != Type::Void)
    }

    fn doubt_stub(&mut self, function: &Function, gap: StubGap) {
        self.engine.doubts.insert(Doubt::Stub(function.name.clone(), gap));
    }

    /// Where its pointers point, and what is written there.
    fn writings(&mut self, function: &Function, stub: Stub, shape: &StubShape, call: &Call) -> Vec<Writing> {
        let hidden = usize::from(shape.place.is_some());
        let bits = self.pointer_bits();
        let mut writings = Vec::new();
        if let (Some((ty, _)), Some(arg)) = (shape.place, call.args.first()) {
            let address = self.read(arg.value);
            let address = self.concretise(address, bits);
            if self.use_whole_global(address).is_ok()
                && let Some((base, at)) = self.writable(address)
            {
                let mut all = Vec::new();
                leaves(self.engine.program, ty, 1, at, &mut all);
                let name = format!("{}()", function.name);
                if all.iter().any(|leaf| leaf.kind == PartKind::Address) {
                    self.doubt_stub(function, StubGap::InnerPointers);
                }
                writings.push(Writing { name, base, at, leaves: all, addresses: Addresses::Null });
            }
        }
        if stub == Stub::Return {
            return writings;
        }
        for (i, param) in function.params.iter().enumerate().skip(hidden) {
            let Some(arg) = call.args.get(i).filter(|_| param.ty == Ty::Ptr && param.byval.is_none()) else { continue };
            let address = self.read(arg.value);
            if param.read_only {
                continue;
            }
            let address = self.concretise(address, bits);
            self.doubt_of_callback(function, address);
            if !self.could_write(address) {
                continue;
            }
            let place = self.use_whole_global(address).ok().and_then(|()| self.writable(address));
            let Some((base, at)) = place else {
                self.doubt_stub(function, StubGap::Unwritten);
                continue;
            };
            let name = format!("{}(arg{})", function.name, i - hidden + 1);
            let leaves = self.reached(function, param, base, at);
            writings.push(Writing { name, base, at, leaves, addresses: Addresses::Stay });
        }
        if call.args.iter().skip(function.params.len()).any(|arg| arg.ty == Ty::Ptr) {
            self.doubt_stub(function, StubGap::FurtherArguments);
        }
        writings
    }

    /// A function that unknown code is handed, it may call.
    fn doubt_of_callback(&mut self, function: &Function, address: u64) {
        if self.function_at(address).is_some() {
            self.doubt_stub(function, StubGap::Callback);
        }
    }

    /// Whether a write at an address would be no error.
    fn could_write(&self, address: u64) -> bool {
        let object = self.state.memory.object(address).filter(|_| address >= 4096);
        let is_open = |o: &Object| o.status == Status::Live && !o.constant && address.wrapping_sub(o.base) < o.size;
        object.is_some_and(|object| is_open(object))
    }

    /// The object at an address and the offset in it, if it is written there.
    fn writable(&self, address: u64) -> Option<(u64, u64)> {
        let object = self.state.memory.object(address).filter(|_| self.could_write(address))?;
        let is_plain = object.limit.is_none() && self.is_users(object);
        is_plain.then(|| (object.base, address - object.base))
    }

    /// What belongs to the C library or to Taw is not for others to write.
    fn is_users(&self, object: &Object) -> bool {
        match object.kind {
            ObjectKind::Global(global) => self.engine.program.globals[global].origin == Origin::User,
            ObjectKind::Stack(func, _) => self.engine.program.functions[func].origin == Origin::User,
            ObjectKind::Internal(_) => false,
            _ => true,
        }
    }

    /// What can be written by way of a pointer: by its type, or all of the object if that is not known.
    fn reached(&mut self, function: &Function, param: &Param, base: u64, at: u64) -> Vec<StubPart> {
        let program = self.engine.program;
        let (types, layout) = (&program.types, &program.layout);
        let size = self.object(base).size;
        let ty = pointee(program, param);
        let known = ty.and_then(|ty| Some((ty, types.bytes(ty, layout).filter(|bytes| *bytes > 0)?)));
        let variable = self.type_of_object(base);
        let mut all = Vec::new();
        match (known, variable) {
            (Some((ty, bytes)), _) => {
                let within = variable.and_then(|of| room(types, layout, of, at, bytes));
                let count = within.unwrap_or(size - at).min(size - at) / bytes;
                leaves(program, ty, count, at, &mut all);
            }
            (None, Some(of)) => leaves(program, of, 1, 0, &mut all),
            (None, None) => all = self.untyped(base),
        }
        all.retain(|leaf| leaf.offset + leaf.bytes <= size);
        if all.iter().any(|leaf| leaf.kind == PartKind::Address) {
            self.doubt_stub(function, StubGap::InnerPointers);
        }
        all
    }

    /// The content of an object of which only the bytes are known: what is an address now is told from the rest.
    fn untyped(&mut self, base: u64) -> Vec<StubPart> {
        let object = self.object(base);
        let (bits, word) = (self.pointer_bits(), u64::from(self.pointer_bits() / 8));
        let mut all: Vec<StubPart> = Vec::new();
        for offset in (0..object.size).step_by(word as usize) {
            let bytes = word.min(object.size - offset);
            let is_address = bytes == word && {
                let big_endian = self.big_endian();
                let value = object.load(&mut self.engine.terms, offset as usize, bits, big_endian);
                self.provenance_of(value).is_known() || value.as_word().is_some_and(|w| self.function_at(w).is_some())
            };
            let kind = if is_address { PartKind::Address } else { PartKind::Bits };
            match all.last_mut().filter(|last| last.kind == kind) {
                Some(last) => last.bytes += bytes,
                None => all.push(StubPart { offset, bytes, element: 1, kind, ty: InputType::Bytes }),
            }
        }
        all
    }

    /// The type in the source of the variable that an object is.
    fn type_of_object(&self, base: u64) -> Option<TypeId> {
        let program = self.engine.program;
        match self.object(base).kind {
            ObjectKind::Global(global) => program.globals[global].source,
            ObjectKind::Stack(func, alloca) => program.functions[func].allocas[alloca].source,
            _ => None,
        }
    }

    /// Makes inputs of what is written, and writes them.
    fn write_unknown(&mut self, writing: &Writing) -> Result<(), Stop> {
        let big_endian = self.big_endian();
        let addresses = writing.leaves.iter().filter(|leaf| leaf.kind == PartKind::Address);
        for leaf in addresses.filter(|_| writing.addresses == Addresses::Null) {
            let object = self.state.memory.object_mut(writing.base);
            object.write(leaf.offset as usize, &vec![0; leaf.bytes as usize]);
        }
        for leaf in writing.leaves.iter().filter(|leaf| leaf.kind != PartKind::Address) {
            let name = match leaf.offset.wrapping_sub(writing.at).cast_signed() {
                0 => writing.name.clone(),
                distance => format!("{}{distance:+}", writing.name),
            };
            let vars = self.make_input(&name, leaf.ty.clone(), leaf.bytes as usize, leaf.element as usize);
            for (i, &var) in vars.iter().enumerate() {
                let term = self.input_term(var);
                let value = self.value(term);
                if leaf.kind == PartKind::Bool {
                    self.assume_bit(value, leaf.element as u32 * 8)?;
                }
                let (offset, width) = (leaf.offset as usize + i * leaf.element as usize, leaf.element as u32 * 8);
                let object = self.state.memory.object_mut(writing.base);
                object.store(&mut self.engine.terms, offset, value, width, big_endian);
            }
        }
        Ok(())
    }

    fn assume_bit(&mut self, value: Value, width: u32) -> Result<(), Stop> {
        let (value, two) = (value.to_term(self.terms(), width), self.terms().bv(width, 2));
        let is_bit = self.terms().ult(value, two);
        let is_bit = self.value(is_bit);
        self.assume(is_bit)
    }

    /// What it gives back: unknown numbers, and null or a new object for a pointer.
    fn results(&mut self, function: &Function, shape: &StubShape) -> Result<Vec<Value>, Stop> {
        let program = self.engine.program;
        let name = format!("{}()", function.name);
        if let [Ty::Ptr] = function.returns[..] {
            self.doubt_stub(function, StubGap::OtherResults);
            return Ok(vec![self.pointer_result(&name, shape.object)?]);
        }
        if let [ty] = function.returns[..] {
            let spelled = StubShape::result_type(program, function);
            return Ok(vec![self.scalar_input(&name, &spelled, ty.bits(&program.layout))]);
        }
        let mut values = Vec::new();
        for (i, ty) in function.returns.iter().enumerate() {
            values.push(match ty {
                Ty::Ptr => {
                    self.doubt_stub(function, StubGap::InnerPointers);
                    Value::word(0)
                }
                ty => {
                    let bits = ty.bits(&program.layout);
                    self.scalar_input(&format!("{name}.{i}"), &format!("i{bits}"), bits)
                }
            });
        }
        Ok(values)
    }

    /// One address under a condition instead of two paths.
    pub(crate) fn pointer_result(&mut self, name: &str, object: Option<(TypeId, u64)>) -> Result<Value, Stop> {
        let Some((ty, bytes)) = object else { return Ok(Value::word(0)) };
        let is_some = self.scalar_input(&format!("{name}{IS_SOME}"), "_Bool", 8);
        self.assume_bit(is_some, 8)?;
        let full = || Stop::Unsupported("a result that does not fit into memory".to_owned());
        let base = self.state.memory.allocate(Region::Heap, bytes, 16, ObjectKind::Heap, 0).ok_or_else(full)?;
        let (types, layout) = (&self.engine.program.types, &self.engine.program.layout);
        // The last character of a string is its end.
        let one = types.bytes(ty, layout).unwrap_or(0);
        let count = if one == 1 { bytes - 1 } else { 1 };
        let mut all = Vec::new();
        leaves(self.engine.program, ty, count, 0, &mut all);
        self.write_unknown(&Writing {
            name: format!("*{name}"),
            base,
            at: 0,
            leaves: all,
            addresses: Addresses::Null,
        })?;
        let bits = self.pointer_bits();
        let is_some = is_some.to_term(self.terms(), 8);
        let (none, null, address) = (self.terms().bv(8, 0), self.terms().bv(bits, 0), self.terms().bv(bits, base));
        let is_null = self.terms().eq(is_some, none);
        let either = self.terms().ite(is_null, null, address);
        Ok(self.value(either))
    }
}
