//! Calls, returns, and the order of constructors, entry, exit handlers and destructors.

use std::rc::Rc;

use taw_ir::{Call, CallArg, Callee, FuncId, Inst, Operand, Ty};

use super::Flow;
use crate::cx::Cx;
use crate::finding::{FindingKind, StackEntry};
use crate::image::Binding;
use crate::memory::{ObjectKind, Region, Status};
use crate::model::{ModelArgument, ModelDef};
use crate::state::Phase;
use crate::stop::Stop;
use crate::value::{Value, mask};

impl<'p> Cx<'_, 'p> {
    pub(super) fn call(&mut self, call: &'p Call) -> Result<Flow, Stop> {
        let func = match call.callee {
            Callee::Direct(f) => f,
            Callee::Indirect(op) => {
                let pointer = self.read(op);
                let pointer = self.settled(pointer);
                self.check_upholding_pointer(pointer)?;
                if let Some(flow) = self.call_unknown(pointer, call)? {
                    return Ok(flow);
                }
                let func = self.callee_of(pointer, call)?;
                self.require_fit(func, call)?;
                func
            }
        };
        self.check_upholding_call(func)?;
        match self.image.bindings[func] {
            Binding::Code => match self.answered_by_stage(func, call) {
                Some(result) => {
                    self.set_result(call, result);
                    Ok(Flow::Next)
                }
                None => self.enter_function(func, call),
            },
            Binding::Model(model) => self.answer(call, model),
            Binding::Own(at) => {
                let own = Rc::clone(&self.engine.config.own_models[at]);
                let args: Vec<ModelArgument> = call.args.iter().map(|a| self.argument(a)).collect();
                let result = own.call(self, &args)?;
                self.set_result(call, result);
                Ok(Flow::Next)
            }
            Binding::Marker => {
                let label = call.args.first().filter(|a| a.ty == Ty::Ptr).map(|a| self.read(a.value));
                let label = label.map_or(Ok(String::new()), |ptr| self.read_label(ptr))?;
                self.pass_marker(label);
                Ok(Flow::Next)
            }
            Binding::Stub(stub) => self.stub(func, stub, call),
            Binding::Undefined => Err(Stop::Unsupported(undefined_function(&self.engine.program.functions[func].name))),
        }
    }

    /// The result of a call is a model's.
    fn answer(&mut self, call: &Call, model: &ModelDef) -> Result<Flow, Stop> {
        let args = self.fitted(model.name, model.signature, call)?;
        let before = cfg!(debug_assertions).then(|| self.state.memory.clone());
        let result = (model.call)(self, &args)?;
        if let Some(before) = before {
            let keeps = self.keeps_to_row(&before, model.signature, &args);
            assert!(keeps, "`{}` changed memory that its row does not name", model.name);
        }
        let result = self.fitted_result(model.name, model.signature, result, call)?;
        self.set_result(call, result);
        Ok(Flow::Next)
    }

    fn set_result(&mut self, call: &Call, result: Value) {
        if let Some(&dst) = call.dsts.first() {
            self.set(dst, result);
        }
    }

    /// Whether the call being executed uses its result.
    pub fn result_is_used(&self) -> bool {
        let function = &self.engine.program.functions[self.state.top.func];
        match function.code[self.state.top.pc as usize] {
            Inst::Call { call } => !function.calls[call].dsts.is_empty(),
            _ => false,
        }
    }

    /// Whether the user's code uses the result of the library function that it has called and that is being executed.
    pub fn users_result_is_used(&self) -> bool {
        let program = self.engine.program;
        let frames = std::iter::once(&self.state.top).chain(self.state.callers.iter().rev().map(|f| &**f));
        let mut outside = frames.filter(|f| program.functions[f.func].origin == taw_ir::Origin::User);
        outside.next().is_some_and(|frame| {
            let function = &program.functions[frame.func];
            match function.code[frame.pc as usize] {
                Inst::Call { call } => !function.calls[call].dsts.is_empty(),
                _ => false,
            }
        })
    }

    /// What a model is given: a word if the path leaves only that.
    pub(crate) fn argument(&mut self, arg: &CallArg) -> ModelArgument {
        let (value, width) = (self.read(arg.value), arg.ty.bits(&self.engine.program.layout));
        let only = value.as_term().filter(|_| width <= 64).and_then(|t| self.only_value(t));
        ModelArgument { value: only.map_or(value, Value::word), width, ty: arg.ty }
    }

    fn enter_function(&mut self, func: FuncId, call: &'p Call) -> Result<Flow, Stop> {
        if self.state.callers.len() + 1 >= self.engine.config.max_stack {
            let depth = self.engine.config.max_stack;
            return Err(Stop::Bug(FindingKind::StackOverflow, format!("more than {depth} nested calls")));
        }
        let function = &self.engine.program.functions[func];
        let mut frame = self.state.new_frame(func, function);
        for (param, arg) in function.params.iter().zip(&call.args) {
            let mut value = self.read(arg.value);
            if let Some(byval) = param.byval.or(arg.byval) {
                value = self.copy_of(value, byval.size, byval.align)?;
                frame.locals.extend(value.as_word());
            }
            frame.regs[param.reg.as_u32() as usize] = self.fit(value, arg.ty, param.ty);
        }
        if function.variadic {
            let extra = call.args.get(function.params.len()..).unwrap_or_default();
            let variadic = self.variadic_area(&function.params, extra)?;
            frame.locals.push(variadic.area());
            frame.variadic = Some(variadic);
        }
        let caller = std::mem::replace(&mut self.state.top, frame);
        self.state.callers.push(Rc::new(caller));
        Ok(Flow::Frame)
    }

    /// A caller with another prototype may pass another width.
    pub(crate) fn fit(&mut self, value: Value, from: Ty, to: Ty) -> Value {
        let layout = &self.engine.program.layout;
        let (from, to) = (from.bits(layout), to.bits(layout));
        if from == to {
            return value;
        }
        match value.as_word() {
            Some(word) if to <= 64 => Value::word(word & mask(to)),
            _ => {
                let t = value.to_term(self.terms(), from);
                let t = if from < to { self.terms().zext(t, to) } else { self.terms().extract(t, 0, to) };
                self.value(t)
            }
        }
    }

    /// A copy of an argument passed by value.
    pub(super) fn copy_of(&mut self, ptr: Value, size: u64, align: u64) -> Result<Value, Stop> {
        let kind = ObjectKind::Internal("an argument passed by value");
        let Some(base) = self.state.memory.allocate(Region::Stack, size, align, kind, 0) else {
            return Err(Stop::Bug(FindingKind::StackOverflow, "an argument does not fit the stack".to_owned()));
        };
        let copy = Value::word(base);
        self.mem_copy(copy, ptr, Value::word(size), self.pointer_bits())?;
        Ok(copy)
    }

    pub(super) fn ret(&mut self, values: &[Operand]) -> Result<Flow, Stop> {
        if self.state.top.upholds {
            return self.predicate_returned(values);
        }
        let function = &self.engine.program.functions[self.state.top.func];
        self.cover(function, None);
        let caller = self.state.callers.pop();
        let Some(caller) = caller else {
            let values: Vec<Value> = values.iter().map(|v| self.read(*v)).collect();
            let result = values.first().copied();
            self.keep_structure(result)?;
            self.keep_returned(values);
            return self.outermost_returned(result);
        };
        self.retire_locals();
        let caller = Rc::unwrap_or_clone(caller);
        let callee = std::mem::replace(&mut self.state.top, caller);
        let function = &self.engine.program.functions[self.state.top.func];
        let Inst::Call { call } = function.code[self.state.top.pc as usize] else {
            unreachable!("a caller waits at a call");
        };
        for (dst, value) in function.calls[call].dsts.iter().zip(values) {
            let value = match value.as_reg() {
                Some(r) => callee.regs[r.as_u32() as usize],
                None => self.image.consts[callee.func][value.const_index()],
            };
            self.set(*dst, value);
        }
        self.state.top.pc += 1;
        Ok(Flow::Frame)
    }

    /// A predicate of an invariant returns.
    fn predicate_returned(&mut self, values: &[Operand]) -> Result<Flow, Stop> {
        let result = values.first().map(|value| self.read(*value));
        self.require_holds(result)?;
        self.retire_locals();
        Ok(self.upheld())
    }

    pub(crate) fn retire_locals(&mut self) {
        for base in std::mem::take(&mut self.state.top.locals) {
            self.state.memory.retire(base, Status::Returned);
        }
    }

    fn outermost_returned(&mut self, result: Option<Value>) -> Result<Flow, Stop> {
        match self.state.phase {
            Phase::Booting(_) => unreachable!("nothing is called before the surroundings are made"),
            Phase::Starting(done) => self.started(done, result),
            Phase::Running => {
                let function = &self.engine.program.functions[self.state.start];
                let is_number = matches!(function.returns[..], [Ty::Int(_)]);
                let code = result.filter(|_| is_number).map_or(0, |v| self.exit_code(v));
                Err(self.exit(code))
            }
            Phase::Exiting(code, _) => Err(self.exit(code)),
        }
    }

    /// Lets the program run a function of its own (a signal handler) and go on after the call that is being executed, which
    /// then has the given result. The function's own result is not used.
    ///
    /// # Errors
    /// Always: the innermost call changes, or there is no such function.
    pub fn interrupt(&mut self, address: u64, args: &[Value], result: Value) -> Result<Value, Stop> {
        let bad = || Stop::Bug(FindingKind::InvalidFunctionPointer, format!("no function is at {address:#x}"));
        let func = self.function_at(address).ok_or_else(bad)?;
        if !matches!(self.image.bindings[func], Binding::Code) {
            return Err(bad());
        }
        let program = self.engine.program;
        if let Inst::Call { call } = program.functions[self.state.top.func].code[self.state.top.pc as usize]
            && let Some(&dst) = program.functions[self.state.top.func].calls[call].dsts.first()
        {
            self.set(dst, result);
        }
        let mut frame = self.state.new_frame(func, &program.functions[func]);
        for (param, value) in program.functions[func].params.iter().zip(args) {
            frame.regs[param.reg.as_u32() as usize] = *value;
        }
        let caller = std::mem::replace(&mut self.state.top, frame);
        self.state.callers.push(Rc::new(caller));
        Err(Stop::Resume)
    }

    /// An exit code as the program sees it; a symbolic one is the witness's (the path is over either way).
    pub fn exit_code(&mut self, value: Value) -> i32 {
        self.state.layout_decides |= value.provenance().is_known();
        let word = match value.as_term() {
            None => value.as_word().unwrap_or_default(),
            Some(t) => self.state.witness.bits(&self.engine.terms, t).low(),
        };
        word as u32 as i32
    }

    pub(super) fn start(&mut self, func: FuncId) {
        self.state.callers.clear();
        self.state.top = self.state.new_frame(func, &self.engine.program.functions[func]);
    }

    /// Ends the program: first the handlers registered with `atexit`, newest first, then destructors.
    pub fn exit(&mut self, code: i32) -> Stop {
        let started = match self.state.phase {
            Phase::Exiting(_, started) => started,
            _ => {
                // The calls that are active now are not returned from: what they executed is marked while they are known.
                self.cover_partial();
                0
            }
        };
        self.state.phase = Phase::Exiting(code, started);
        let handler = Rc::make_mut(&mut self.state.exit_handlers).pop();
        if let Some((address, argument)) = handler
            && let Some(func) = self.function_at(address)
            && matches!(self.image.bindings[func], Binding::Code)
        {
            self.start(func);
            if let Some(param) = self.engine.program.functions[func].params.first() {
                self.state.top.regs[param.reg.as_u32() as usize] = argument;
            }
            return Stop::Resume;
        }
        match self.engine.program.destructors.get(started).copied() {
            Some(func) => {
                self.state.phase = Phase::Exiting(code, started + 1);
                self.start(func);
                Stop::Resume
            }
            None => self.leak().unwrap_or(Stop::Exit(code)),
        }
    }

    /// The innermost place of the user's code.
    pub fn site(&self) -> Option<StackEntry> {
        let users = |e: &StackEntry| self.engine.program.functions[e.function].origin == taw_ir::Origin::User;
        self.engine.stack_of(self.state).into_iter().find(users)
    }

    /// Goes back to a `setjmp` place, if its call is still active.
    ///
    /// # Errors
    /// Always: the innermost call changes, or the jump is an error.
    pub fn long_jump(&mut self, token: u64, value: Value) -> Result<Value, Stop> {
        let bad = || Stop::Bug(FindingKind::WildDereference, "longjmp to a place that is not active".to_owned());
        let jump = token.checked_sub(1).and_then(|i| self.state.jumps.get(i as usize)).copied().ok_or_else(bad)?;
        let active = |serial: u64, cx: &Self| {
            cx.state.top.serial == serial || cx.state.callers.iter().any(|f| f.serial == serial)
        };
        if !active(jump.serial, self) {
            return Err(bad());
        }
        while self.state.top.serial != jump.serial {
            self.retire_locals();
            let caller = self.state.callers.pop().ok_or_else(bad)?;
            self.state.top = Rc::unwrap_or_clone(caller);
        }
        self.state.top.pc = jump.pc;
        self.state.top.block = jump.block;
        let function = &self.engine.program.functions[self.state.top.func];
        if let Inst::Call { call } = function.code[jump.pc as usize]
            && let Some(&dst) = function.calls[call].dsts.first()
        {
            let value = self.fit(value, Ty::Int(32), function.regs[dst].ty);
            self.set(dst, value);
        }
        self.state.top.pc += 1;
        Err(Stop::Resume)
    }
}

/// A path may end so: others need not call it.
fn undefined_function(name: &str) -> String {
    format!(
        "`{name}`, which is defined nowhere (add the file that defines it, say --stub {name} to have its results unknown, or \
         name it with --marker if it only marks a place)"
    )
}
