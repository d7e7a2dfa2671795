//! Who calls whom with what: arguments to parameters, results back, and what a call does whose code is not there.

use super::solve::{Loaded, NUMBER, PointerNode, PointerRule, PointerSolver, SetPassing};
use super::{AbstractObject, MovedResult, PointerConduct, PointerMoves, PointsToObstacle};
use crate::function::{Call, CallArg, Param};
use crate::program::{CallId, FuncId, Global, GlobalId, Origin, Ty};

/// A call of a function that may run.
#[derive(Clone, Copy)]
pub(super) struct CallSite {
    pub(super) caller: FuncId,
    pub(super) call: CallId,
}

impl PointerSolver<'_> {
    /// Starts where entries are called by somebody who is not seen.
    pub(super) fn run_called(&mut self, entries: &[FuncId], globals_are_unknown: bool) {
        self.start();
        let program = self.program;
        let given = self.cell(AbstractObject::Given);
        self.add(given, AbstractObject::Given);
        self.taken.clone().into_iter().for_each(|func| self.add(given, AbstractObject::Function(func)));
        // Of the library's variables nobody has pointers but for streams, on which only the library works.
        let may_be_had = |(_, global): &(GlobalId, &Global)| global.constant || global.origin == Origin::User;
        for (id, global) in program.globals.iter().filter(may_be_had) {
            self.add(given, AbstractObject::Global(id));
            if globals_are_unknown && !global.constant {
                let cell = self.cell(AbstractObject::Global(id));
                self.include(given, cell, SetPassing::Whole);
            }
        }
        for &entry in entries.iter().filter(|entry| program.functions[**entry].is_defined()) {
            self.enter(entry);
            for (at, param) in program.functions[entry].params.iter().enumerate() {
                let node = self.register(entry, param.reg);
                if param.byval.is_some() {
                    let copy = AbstractObject::Copy(entry, at as u32);
                    self.add(node, copy);
                    let cell = self.cell(copy);
                    self.include(given, cell, SetPassing::Whole);
                    continue;
                }
                self.include(given, node, SetPassing::Whole);
                self.add(node, if param.ty == Ty::Ptr { AbstractObject::Null } else { AbstractObject::Number });
            }
        }
        self.solve();
    }

    /// A call through a pointer may be one of a function of the caller's, which is not seen.
    pub(super) fn call_unseen(&mut self, site: usize) {
        let CallSite { caller, call } = self.calls[site];
        for &dst in &self.program.functions[caller].calls[call].dsts {
            self.add(self.register(caller, dst), AbstractObject::Anything);
        }
    }

    fn start(&mut self) {
        let program = self.program;
        let started = program.constructors.iter().chain(&program.destructors);
        for &func in started.filter(|func| program.functions[**func].is_defined()) {
            self.enter(func);
        }
    }

    /// Starts where the program does.
    pub(super) fn run_from(&mut self, main: FuncId) {
        self.start();
        let program = self.program;
        self.enter(main);
        for param in &program.functions[main].params {
            let node = self.register(main, param.reg);
            match param.ty {
                Ty::Ptr => self.add(node, AbstractObject::Arguments),
                _ => self.put(node, NUMBER),
            }
        }
        self.solve();
    }

    /// A call through a pointer may be one of a function. A run ends where that does not take what is passed.
    pub(super) fn call_through(&mut self, site: usize, callee: FuncId) {
        let site = self.calls[site];
        let program = self.program;
        let call = &program.functions[site.caller].calls[site.call];
        if program.functions[callee].accepts(call) {
            self.call(site, callee);
        }
    }

    /// A call calls a function.
    pub(super) fn call(&mut self, site: CallSite, callee: FuncId) {
        let program = self.program;
        let call = &program.functions[site.caller].calls[site.call];
        if self.conducts.keeps(callee) {
            self.keep(site.caller, call);
        }
        match self.conducts.conduct(callee) {
            PointerConduct::Runs => self.call_code(site.caller, call, callee),
            PointerConduct::Nothing => self.give(site.caller, call, &PointerMoves::default(), None),
            PointerConduct::Moves(moves) => self.call_moving(site, call, &moves),
            PointerConduct::HandsOut => self.call_kernel(site.caller, call),
            PointerConduct::Unknown if program.functions[site.caller].origin == Origin::User => {
                self.give_up(PointsToObstacle::Unknown(callee));
            }
            // The library passes what is its own, and what it was handed for that: code that is kept apart from the user's names.
            PointerConduct::Unknown => self.call_kernel(site.caller, call),
        }
    }

    /// The first obstacle is the one that is told.
    pub(super) fn give_up(&mut self, obstacle: PointsToObstacle) {
        self.obstacle.get_or_insert(obstacle);
    }

    fn call_code(&mut self, caller: FuncId, call: &Call, callee: FuncId) {
        let program = self.program;
        let function = &program.functions[callee];
        let sets = self.enter(callee);
        for (at, arg) in call.args.iter().enumerate() {
            let from = self.operand(caller, arg.value);
            match function.params.get(at) {
                Some(param) => self.pass(from, arg, callee, at, param),
                None if function.variadic => self.pass_further(from, arg, callee),
                None => {}
            }
        }
        for (at, (&dst, &ty)) in call.dsts.iter().zip(&function.returns).enumerate() {
            let to = self.register(caller, dst);
            let passing = passing(ty, program.functions[caller].regs[dst].ty);
            self.include(sets.results + at as PointerNode, to, passing);
        }
    }

    fn pass(&mut self, from: PointerNode, arg: &CallArg, callee: FuncId, at: usize, param: &Param) {
        let to = self.register(callee, param.reg);
        if param.byval.is_none() {
            return self.include(from, to, passing(arg.ty, param.ty));
        }
        let copy = AbstractObject::Copy(callee, at as u32);
        self.add(to, copy);
        let cell = self.cell(copy);
        self.rule(from, PointerRule::Load(cell, Loaded::Pointer));
    }

    fn pass_further(&mut self, from: PointerNode, arg: &CallArg, callee: FuncId) {
        let cell = self.cell(AbstractObject::Further(callee));
        match arg.byval {
            Some(_) => self.rule(from, PointerRule::Load(cell, Loaded::Pointer)),
            None => self.include(from, cell, SetPassing::Stored),
        }
    }

    /// What a call gives back whose code is not there.
    fn give(&mut self, caller: FuncId, call: &Call, moves: &PointerMoves, fresh: Option<AbstractObject>) {
        let program = self.program;
        for &dst in &call.dsts {
            let to = self.register(caller, dst);
            let is_pointer = program.functions[caller].regs[dst].ty == Ty::Ptr;
            match moves.result {
                MovedResult::Number if is_pointer => self.add(to, AbstractObject::Anything),
                MovedResult::Number => self.put(to, NUMBER),
                MovedResult::Fresh => fresh.into_iter().for_each(|object| self.add(to, object)),
                MovedResult::Argument => {
                    let pointers = call.args.iter().filter(|arg| !arg.ty.is_float());
                    let given: Vec<PointerNode> = pointers.map(|arg| self.operand(caller, arg.value)).collect();
                    if given.is_empty() {
                        self.add(to, AbstractObject::Arguments);
                        self.add(to, AbstractObject::ArgumentText);
                    }
                    given.into_iter().for_each(|from| self.include(from, to, SetPassing::Whole));
                }
            }
            if moves.result != MovedResult::Number {
                self.add(to, AbstractObject::Null);
            }
        }
    }

    fn call_moving(&mut self, site: CallSite, call: &Call, moves: &PointerMoves) {
        let makes = moves.writes_fresh || moves.result == MovedResult::Fresh;
        let fresh = makes.then_some(AbstractObject::Allocated(site.caller, site.call));
        self.give(site.caller, call, moves, fresh);
        let moved = self.node();
        for arg in &call.args {
            let from = self.operand(site.caller, arg.value);
            self.rule(from, PointerRule::Load(moved, Loaded::Pointer));
        }
        if let Some(object) = fresh {
            let cell = self.cell(object);
            self.include(moved, cell, SetPassing::Stored);
            if moves.writes_fresh {
                self.add(moved, object);
            }
        }
        for arg in moves.writes.iter().filter_map(|at| call.args.get(*at)) {
            let to = self.operand(site.caller, arg.value);
            self.rule(to, PointerRule::Store(moved));
        }
    }

    /// The kernel keeps the pointers in what it is handed, writes them to what it is handed, and calls what it finds there. What it
    /// gives back is one of them, or memory.
    fn call_kernel(&mut self, caller: FuncId, call: &Call) {
        for arg in &call.args {
            let from = self.operand(caller, arg.value);
            self.include(from, self.kernel, SetPassing::Stored);
            self.rule(from, PointerRule::Load(self.kernel, Loaded::Pointer));
            self.rule(from, PointerRule::Store(self.kernel));
        }
        self.rule(self.kernel, PointerRule::CallBack(self.kernel));
        for &dst in &call.dsts {
            let to = self.register(caller, dst);
            self.include(self.kernel, to, SetPassing::Whole);
        }
    }

    /// What a call hands to one that keeps functions is called later, with anything else that it hands over.
    fn keep(&mut self, caller: FuncId, call: &Call) {
        let handed = self.node();
        for arg in call.args.iter().filter(|arg| arg.ty == Ty::Ptr) {
            let from = self.operand(caller, arg.value);
            self.include(from, handed, SetPassing::Whole);
        }
        self.rule(handed, PointerRule::CallBack(handed));
    }

    /// Somebody whose code is not there calls a function, and passes something out of a set.
    pub(super) fn call_back(&mut self, callee: FuncId, from: PointerNode) {
        match self.conducts.conduct(callee) {
            PointerConduct::Runs => {}
            PointerConduct::Unknown => return self.give_up(PointsToObstacle::Unknown(callee)),
            // A function of the library that is no code: it gets numbers, or what the kernel knows already.
            PointerConduct::Nothing | PointerConduct::HandsOut | PointerConduct::Moves(_) => return,
        }
        self.enter(callee);
        for param in &self.program.functions[callee].params {
            let to = self.register(callee, param.reg);
            self.include(from, to, SetPassing::Whole);
            self.add(to, if param.ty == Ty::Ptr { AbstractObject::Null } else { AbstractObject::Number });
        }
    }
}

/// How a value of one type becomes one of another.
fn passing(from: Ty, to: Ty) -> SetPassing {
    if to == Ty::Ptr && from != Ty::Ptr { SetPassing::Mistaken } else { SetPassing::Whole }
}
