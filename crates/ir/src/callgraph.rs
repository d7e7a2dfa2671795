//! Who may call whom.
//!
//! An indirect call may call every function whose address is taken anywhere and that accepts what the call passes: at least
//! as many arguments as it has parameters, floats where it wants floats ([`Function::accepts`]). Passing too few is undefined in C,
//! and a run ends there; passing more, or integers of another width, is undefined too but works and is done. Functions without a body are steps of their own,
//! with these exceptions, known by name: `exit` runs what was registered with `atexit`, functions such as `qsort` call back,
//! `longjmp` goes to where `setjmp` was called, and what was registered for a signal may run at any time.
//!
//! Invariant: over-approximates. If a run can call a function at a place, the graph says so; distances rely on it to say
//! that something can *not* be reached.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cranelift_entity::{EntityRef, SecondaryMap};

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
    /// The call graph of a program in which every function with a body runs it.
    pub fn new(program: &Program) -> Self {
        Self::with_models(program, &|_| false)
    }

    /// The call graph of a program some of whose functions do not run their bodies: calls of one that `is_modelled` are
    /// steps, as if it had none.
    pub fn with_models(program: &Program, is_modelled: &dyn Fn(FuncId) -> bool) -> Self {
        let build = Build::new(program, is_modelled);
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

const EXIT: &[&str] = &["exit", "quick_exit"];
const AT_EXIT: &[&str] = &["atexit", "__cxa_atexit", "on_exit", "at_quick_exit", "__cxa_at_quick_exit"];
const ON_SIGNAL: &[&str] =
    &["signal", "sigaction", "__sigaction", "rt_sigaction", "bsd_signal", "sysv_signal", "__sysv_signal", "sigset"];
const SETJMP: &[&str] = &["setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp"];
const LONGJMP: &[&str] = &["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "taw_longjmp"];
const CALLS_BACK: &[&str] = &[
    "bsearch",
    "call_once",
    "dl_iterate_phdr",
    "fopencookie",
    "ftw",
    "glob",
    "lfind",
    "lsearch",
    "makecontext",
    "nftw",
    "pthread_atfork",
    "pthread_create",
    "pthread_key_create",
    "pthread_once",
    "qsort",
    "qsort_r",
    "scandir",
    "tdelete",
    "tdestroy",
    "tfind",
    "thrd_create",
    "tsearch",
    "twalk",
];

/// The making of a graph.
struct Build<'p> {
    program: &'p Program,
    /// Functions that run their bodies.
    runs: SecondaryMap<FuncId, bool>,
    /// Functions whose address is taken, ascending.
    taken: Vec<FuncId>,
    /// Functions that may run at exit, ascending.
    at_exit: Vec<FuncId>,
}

impl<'p> Build<'p> {
    fn new(program: &'p Program, is_modelled: &dyn Fn(FuncId) -> bool) -> Self {
        let mut runs = SecondaryMap::new();
        for (func, function) in &program.functions {
            runs[func] = function.is_defined() && !is_modelled(func);
        }
        let mut build = Build { program, runs, taken: functions_taken(program), at_exit: Vec::new() };
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
                if self.is_named(self.constant_callee(function, data), SETJMP) {
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
        let name = self.name(callee);
        let registers = AT_EXIT.contains(&name) || ON_SIGNAL.contains(&name);
        if !self.runs[callee] && !registers {
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
            jumps |= LONGJMP.contains(&&*function.name);
            if self.runs[func] {
                enters.insert(func);
                continue;
            }
            steps |= !function.noreturn;
            if EXIT.contains(&&*function.name) {
                enters.extend(&self.at_exit);
            } else if CALLS_BACK.contains(&&*function.name) {
                enters.extend(self.taken_defined());
            }
        }
        Callees { enters: enters.into_iter().collect(), steps, jumps }
    }

    /// Destructors, and what was registered to run at exit.
    fn exit_handlers(&self) -> Vec<FuncId> {
        let mut handlers = self.registered(AT_EXIT);
        handlers.extend(&self.program.destructors);
        handlers.retain(|&f| self.runs[f]);
        handlers.into_iter().collect()
    }

    /// What the user's code registered for signals: the library may do so for itself, but not with the user's functions.
    fn signal_handlers(&self) -> Vec<FuncId> {
        let mut handlers = self.registered(ON_SIGNAL);
        handlers.retain(|&f| self.runs[f]);
        handlers.into_iter().collect()
    }

    /// The functions that the user's code hands to one of those named: all that it may, if a call does not say which.
    fn registered(&self, names: &[&str]) -> BTreeSet<FuncId> {
        let mut registered = BTreeSet::new();
        let mut any = self.taken.iter().any(|&f| names.contains(&self.name(f)));
        for function in self.program.functions.values().filter(|f| f.origin == Origin::User) {
            let by_name = |call: &&Call| self.is_named(self.constant_callee(function, call), names);
            for call in function.calls.values().filter(by_name) {
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

    fn name(&self, func: FuncId) -> &str {
        &self.program.functions[func].name
    }

    fn is_named(&self, func: Option<FuncId>, names: &[&str]) -> bool {
        func.is_some_and(|f| names.contains(&self.name(f)))
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
