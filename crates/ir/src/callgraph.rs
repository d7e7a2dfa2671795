//! Who may call whom.
//!
//! An indirect call may call every function whose address is taken anywhere and that accepts what the call passes: at least
//! as many arguments as it has parameters, floats where it wants floats ([`Function::accepts`]). Passing too few is undefined in C,
//! and a run ends there; passing more, or integers of another width, is undefined too but works and is done. Functions whose code does not
//! run are steps of their own; what else they do, and what library functions do beyond what their code shows, their [`Effect`] says.
//!
//! Invariant: over-approximates. If a run can call a function at a place, the graph says so; distances rely on it to say
//! that something can *not* be reached.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::effect::{Conduct, Effect};
use crate::function::{Call, Callee, Function};
use crate::inst::{Inst, Operand};
use crate::program::{CallId, ConstValue, FuncId, Origin, Program, Symbol, Ty};
use crate::returns::Returns;

/// An instruction of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site {
    /// The function.
    pub func: FuncId,
    /// The position in its code.
    pub pc: u32,
}

/// What a call may do: one for all calls that may do the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Callees {
    /// Functions with a body that may be entered, ascending.
    pub(crate) enters: Vec<FuncId>,
    /// Whether it may come back without having entered one.
    pub(crate) steps: bool,
    /// Whether it may be a `longjmp`.
    pub(crate) jumps: bool,
}

/// Index of a [`Callees`].
pub(crate) type CalleesIx = usize;

/// The call graph of a program, and what every distance over it needs.
#[derive(Clone, Debug, Default)]
pub struct CallGraph {
    pub(crate) callees: Vec<Callees>,
    /// For each call of a function what it may do.
    of_call: SecondaryMap<FuncId, Vec<CalleesIx>>,
    /// For each entry of `callees` the calls that it is of.
    pub(crate) calls: Vec<Vec<Site>>,
    /// For each function the entries of `callees` that may enter it.
    pub(crate) entered_by: SecondaryMap<FuncId, Vec<CalleesIx>>,
    /// What may run once the entry has returned or `exit` was called.
    pub(crate) at_exit: Vec<FuncId>,
    /// What may run at any time.
    pub(crate) handlers: Vec<FuncId>,
    /// For each function the places where it calls `setjmp`.
    pub(crate) landings: SecondaryMap<FuncId, Vec<u32>>,
    /// Calls that may be a `longjmp`.
    pub(crate) jumps: Vec<Site>,
    /// What running through callees costs.
    pub(crate) returns: Arc<Returns>,
}

impl CallGraph {
    /// The call graph of a program in which every function with a body runs it, and the others return.
    pub fn new(program: &Program) -> Self {
        let is_defined = |func: FuncId| program.functions[func].is_defined();
        Self::with_conduct(program, &|func| Conduct { runs_code: is_defined(func), effect: Effect::Returns })
    }

    /// The call graph of a program whose functions behave like that. One without a body never runs it.
    pub fn with_conduct(program: &Program, conduct: &dyn Fn(FuncId) -> Conduct) -> Self {
        let build = Build::new(program, conduct);
        let mut graph = build.graph();
        graph.handlers = build.signal_handlers();
        graph.at_exit = build.at_exit;
        for (ix, callees) in graph.callees.iter().enumerate() {
            for &func in &callees.enters {
                graph.entered_by[func].push(ix);
            }
            if callees.jumps {
                graph.jumps.extend(&graph.calls[ix]);
            }
        }
        graph.returns = Arc::new(Returns::new(program, &graph));
        graph
    }

    /// The same, with nobody entering these functions. What running through a call costs stays as it is: they return as before.
    #[must_use]
    pub fn without(&self, barred: &BTreeSet<FuncId>) -> Self {
        let mut graph = self.clone();
        for callees in &mut graph.callees {
            callees.enters.retain(|func| !barred.contains(func));
        }
        for &func in barred {
            graph.entered_by[func].clear();
        }
        graph.at_exit.retain(|func| !barred.contains(func));
        graph.handlers.retain(|func| !barred.contains(func));
        graph
    }

    /// The functions with a body that the call at `call` of `func` may enter, ascending.
    pub fn callees(&self, func: FuncId, call: CallId) -> &[FuncId] {
        &self.callees[self.callees_of(func, call)].enters
    }

    /// The calls that may enter `func`, in no particular order but always the same.
    pub fn callers(&self, func: FuncId) -> impl Iterator<Item = Site> + '_ {
        self.entered_by[func].iter().flat_map(|&ix| self.calls[ix].iter().copied())
    }

    pub(crate) fn callees_of(&self, func: FuncId, call: CallId) -> CalleesIx {
        self.of_call[func][call.index()]
    }
}

/// The making of a graph.
struct Build<'p> {
    program: &'p Program,
    /// Functions that run their bodies.
    runs: SecondaryMap<FuncId, bool>,
    effects: SecondaryMap<FuncId, Effect>,
    /// Functions whose address is taken, ascending.
    taken: Vec<FuncId>,
    /// Functions that may run at exit, ascending.
    at_exit: Vec<FuncId>,
}

impl<'p> Build<'p> {
    fn new(program: &'p Program, conduct: &dyn Fn(FuncId) -> Conduct) -> Self {
        let (mut runs, mut effects) = (SecondaryMap::new(), SecondaryMap::new());
        for (func, function) in &program.functions {
            let Conduct { runs_code, effect } = conduct(func);
            runs[func] = function.is_defined() && runs_code;
            effects[func] = effect;
        }
        let mut build = Build { program, runs, effects, taken: functions_taken(program), at_exit: Vec::new() };
        build.at_exit = build.exit_handlers();
        build
    }

    fn graph(&self) -> CallGraph {
        let mut graph = CallGraph::default();
        let mut known: BTreeMap<Callees, CalleesIx> = BTreeMap::new();
        let mut indirect: BTreeMap<Vec<bool>, Callees> = BTreeMap::new();
        for (func, function) in &self.program.functions {
            graph.of_call[func] = vec![usize::MAX; function.calls.len()];
            for (pc, inst) in function.code.iter().enumerate() {
                let Inst::Call { call } = *inst else { continue };
                let site = Site { func, pc: pc as u32 };
                let data = &function.calls[call];
                let callees = match self.constant_callee(function, data) {
                    Some(callee) => self.direct(function, data, callee),
                    None => indirect.entry(floats(data)).or_insert_with(|| self.indirect(data)).clone(),
                };
                if self.has(self.constant_callee(function, data), Effect::Lands) {
                    graph.landings[func].push(site.pc);
                }
                let ix = *known.entry(callees).or_insert_with_key(|new| {
                    graph.callees.push(new.clone());
                    graph.calls.push(Vec::new());
                    graph.callees.len() - 1
                });
                graph.of_call[func][call.index()] = ix;
                graph.calls[ix].push(site);
            }
        }
        graph
    }

    /// The function called, if the call itself says which.
    fn constant_callee(&self, function: &Function, call: &Call) -> Option<FuncId> {
        match call.callee {
            Callee::Direct(func) => Some(func),
            Callee::Indirect(operand) => constant_function(function, operand),
        }
    }

    fn direct(&self, caller: &Function, call: &Call, callee: FuncId) -> Callees {
        let mut callees = self.called(&[callee]);
        if !self.runs[callee] && !self.effects[callee].keeps() {
            // A function handed to unknown code may be called by it.
            let handed = call.args.iter().filter_map(|arg| constant_function(caller, arg.value));
            callees.enters.extend(handed.filter(|&f| self.runs[f]));
            callees.enters.sort_unstable();
            callees.enters.dedup();
        }
        callees
    }

    fn indirect(&self, call: &Call) -> Callees {
        let accepting = |f: &FuncId| self.program.functions[*f].accepts(call);
        let candidates: Vec<FuncId> = self.taken.iter().copied().filter(accepting).collect();
        let callees = self.called(&candidates);
        // A pointer from nowhere that anyone knows: a step.
        Callees { steps: callees.steps || candidates.is_empty(), ..callees }
    }

    fn called(&self, functions: &[FuncId]) -> Callees {
        let mut enters = BTreeSet::new();
        let (mut steps, mut jumps) = (false, false);
        for &func in functions {
            let function = &self.program.functions[func];
            let effect = self.effects[func];
            jumps |= matches!(effect, Effect::Jumps | Effect::Anything);
            if self.runs[func] {
                enters.insert(func);
                continue;
            }
            steps |= effect.returns() && !function.noreturn;
            match effect {
                Effect::Exits => enters.extend(&self.at_exit),
                Effect::CallsBack => enters.extend(self.taken_defined()),
                Effect::Anything => enters.extend(self.taken_defined().chain(self.at_exit.iter().copied())),
                _ => {}
            }
        }
        Callees { enters: enters.into_iter().collect(), steps, jumps }
    }

    /// Destructors, and what was registered to run at exit.
    fn exit_handlers(&self) -> Vec<FuncId> {
        let mut handlers = self.registered(Effect::KeepsForExit);
        handlers.extend(&self.program.destructors);
        handlers.retain(|&f| self.runs[f]);
        handlers.into_iter().collect()
    }

    /// What the user's code registered for signals: the library may do so for itself, but not with the user's functions.
    fn signal_handlers(&self) -> Vec<FuncId> {
        let mut handlers = self.registered(Effect::KeepsForSignals);
        handlers.retain(|&f| self.runs[f]);
        handlers.into_iter().collect()
    }

    /// The functions that the user's code hands to one that keeps them: all that it may, if a call does not say which.
    fn registered(&self, keeps: Effect) -> BTreeSet<FuncId> {
        let mut registered = BTreeSet::new();
        let mut any = self.taken.iter().any(|&f| self.effects[f] == keeps);
        for function in self.program.functions.values().filter(|f| f.origin == Origin::User) {
            let is_kept = |call: &&Call| self.has(self.constant_callee(function, call), keeps);
            for call in function.calls.values().filter(is_kept) {
                registered.extend(call.args.iter().filter_map(|arg| constant_function(function, arg.value)));
                any |= call.args.iter().any(|arg| arg.ty == Ty::Ptr && arg.value.as_const().is_none());
            }
        }
        if any {
            registered.extend(self.taken_defined());
        }
        registered
    }

    fn taken_defined(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.taken.iter().copied().filter(|&f| self.runs[f])
    }

    fn has(&self, func: Option<FuncId>, effect: Effect) -> bool {
        func.is_some_and(|f| self.effects[f] == effect)
    }
}

/// The function whose address the operand is, if it is a constant.
fn constant_function(function: &Function, operand: Operand) -> Option<FuncId> {
    match function.consts[operand.as_const()?].value {
        ConstValue::Address(Symbol::Function(func), 0) => Some(func),
        _ => None,
    }
}

/// Functions whose address is taken anywhere, ascending: a pointer can call no others.
pub fn functions_taken(program: &Program) -> Vec<FuncId> {
    let mut taken = BTreeSet::new();
    let mut note = |value: &ConstValue| for_each_function(value, &mut |f| taken.extend([f]));
    // Lists such as `llvm.used` and `llvm.global_ctors` are for the compiler; nothing reads them at run time.
    for global in program.globals.values().filter(|g| !g.name.starts_with("llvm.")) {
        global.init.iter().flat_map(|init| &init.relocations).for_each(|r| note(&r.value));
    }
    for function in program.functions.values() {
        function.consts.values().for_each(|c| note(&c.value));
    }
    taken.into_iter().collect()
}

fn for_each_function(value: &ConstValue, visit: &mut impl FnMut(FuncId)) {
    match value {
        ConstValue::Address(Symbol::Function(func), _) => visit(*func),
        ConstValue::Add(a, b) | ConstValue::Sub(a, b) => {
            for_each_function(a, visit);
            for_each_function(b, visit);
        }
        ConstValue::Address(..) | ConstValue::Bits(_) | ConstValue::Undef => {}
    }
}

fn floats(call: &Call) -> Vec<bool> {
    call.args.iter().map(|arg| arg.ty.is_float()).collect()
}
