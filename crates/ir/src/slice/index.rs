//! What a slice looks up: whom calls call, who writes an object, what is put into registers; and what forbids slicing from the start.
//!
//! Invariant: over-approximates, as the analysis of pointers does. An instruction that may write an object is among its writers.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use fixedbitset::FixedBitSet;

use super::webs::Webs;
use super::{CallActs, CallConduct, CallConducts, SliceObstacle};
use crate::callgraph::{CallGraph, Site, functions_taken};
use crate::function::{Call, Callee};
use crate::inst::{Inst, Operand};
use crate::points_to::{AbstractObject, Pointees, PointsTo};
use crate::program::{FuncId, Origin, Program};

/// Objects that an instruction reads or writes, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct SliceObjects {
    pub(super) objects: Vec<u32>,
    /// Whether it may be any object at all.
    pub(super) anything: bool,
}

/// Whom a call may call.
#[derive(Clone, Debug, Default)]
pub(super) struct CallTargets {
    pub(super) code: Vec<FuncId>,
    pub(super) acts: Vec<CallActs>,
}

pub(super) struct SliceIndex<'a> {
    pub(super) program: &'a Program,
    pub(super) points_to: Rc<PointsTo>,
    /// Functions that may run, ascending.
    pub(super) running: Vec<FuncId>,
    /// Functions of which everything is kept.
    pub(super) whole: BTreeSet<FuncId>,
    targets: HashMap<Site, CallTargets>,
    /// For each function the calls that may enter it.
    pub(super) callers: SecondaryMap<FuncId, Vec<Site>>,
    /// For each object the instructions that may write it, and those that may free it.
    pub(super) writers: Vec<Vec<Site>>,
    pub(super) freers: Vec<Vec<Site>>,
    /// Instructions that may write and free any object.
    pub(super) wild_writers: Vec<Site>,
    pub(super) wild_freers: Vec<Site>,
    pub(super) webs: SecondaryMap<FuncId, Webs>,
    /// Functions that run when the program is over, each with all that it may call.
    at_exit: Vec<(FuncId, BTreeSet<FuncId>)>,
    /// Variables of the library: what an unseen caller has passed may be one of them where the library works on it.
    librarys: Vec<u32>,
}

impl<'a> SliceIndex<'a> {
    pub(super) fn new(
        program: &'a Program,
        graph: &CallGraph,
        points_to: Rc<PointsTo>,
        conducts: &dyn CallConducts,
        entries: &[FuncId],
    ) -> Result<Self, SliceObstacle> {
        if let Some(obstacle) = points_to.obstacle() {
            return Err(SliceObstacle::Pointers(obstacle));
        }
        if let Some(&entry) = entries.iter().find(|entry| !points_to.runs(**entry)) {
            return Err(SliceObstacle::NotSeen(entry));
        }
        if let Some(&handler) = graph.handlers.first() {
            return Err(SliceObstacle::Signals(handler));
        }
        let running: Vec<FuncId> = program.functions.keys().filter(|func| points_to.runs(*func)).collect();
        if let Some(&func) = running.iter().find(|func| !graph.landings[**func].is_empty()) {
            return Err(SliceObstacle::Jumps(func));
        }
        let count = points_to.count();
        let mut index = SliceIndex {
            program,
            points_to,
            running,
            whole: BTreeSet::new(),
            targets: HashMap::new(),
            callers: SecondaryMap::new(),
            writers: vec![Vec::new(); count],
            freers: vec![Vec::new(); count],
            wild_writers: Vec::new(),
            wild_freers: Vec::new(),
            webs: SecondaryMap::new(),
            at_exit: Vec::new(),
            librarys: Vec::new(),
        };
        let librarys = program.globals.iter().filter(|(_, global)| global.origin != Origin::User && !global.constant);
        index.librarys = librarys.filter_map(|(id, _)| index.points_to.number_of(AbstractObject::Global(id))).collect();
        index.find_calls(conducts)?;
        let is_apart = |func: &FuncId| {
            matches!(conducts.call_conduct(*func), CallConduct::Acts(acts) if acts.runs_code)
                && !index.callers[*func].is_empty()
        };
        let apart: Vec<FuncId> = program.functions.keys().filter(is_apart).collect();
        index.whole = called_from(program, graph, &apart);
        let at_exit = graph.at_exit.iter().copied().filter(|func| index.points_to.runs(*func));
        index.at_exit = at_exit.map(|func| (func, called_from(program, graph, &[func]))).collect();
        index.find_writers();
        Ok(index)
    }

    /// What forbids a slice on these goals.
    pub(super) fn obstacle(&self, goals: &[Site]) -> Option<SliceObstacle> {
        let leads_there = |led_to: &BTreeSet<FuncId>| goals.iter().any(|goal| led_to.contains(&goal.func));
        let late = self.at_exit.iter().find(|(_, led_to)| leads_there(led_to));
        late.map(|(func, _)| SliceObstacle::AtExit(*func))
    }

    /// Instructions of functions that may run.
    pub(super) fn size(&self) -> usize {
        self.running.iter().map(|func| self.program.functions[*func].code.len()).sum()
    }

    pub(super) fn call(&self, site: Site) -> Option<&'a Call> {
        let function = &self.program.functions[site.func];
        match function.code[site.pc as usize] {
            Inst::Call { call } => Some(&function.calls[call]),
            _ => None,
        }
    }

    /// Whom a call may call.
    pub(super) fn targets(&self, site: Site) -> &CallTargets {
        &self.targets[&site]
    }

    fn find_calls(&mut self, conducts: &dyn CallConducts) -> Result<(), SliceObstacle> {
        let taken = functions_taken(self.program);
        for func in self.running.clone() {
            let function = &self.program.functions[func];
            self.webs[func] = Webs::of(function);
            for (pc, inst) in function.code.iter().enumerate() {
                if let Inst::Call { call } = *inst {
                    let site = Site { func, pc: pc as u32 };
                    let called = self.called(site, &function.calls[call], &taken)?;
                    self.note_call(site, &called, conducts)?;
                }
            }
        }
        Ok(())
    }

    fn called(&self, site: Site, call: &Call, taken: &[FuncId]) -> Result<Vec<FuncId>, SliceObstacle> {
        let operand = match call.callee {
            Callee::Direct(func) => return Ok(vec![func]),
            Callee::Indirect(operand) => operand,
        };
        let pointees = self.points_to.operand(site.func, operand);
        let mut functions = Vec::new();
        for object in self.points_to.objects(pointees) {
            match object {
                AbstractObject::Function(func) => functions.push(func),
                AbstractObject::Anything => functions.extend(taken),
                AbstractObject::Given => return Err(SliceObstacle::Unknown(site)),
                _ => {}
            }
        }
        functions.sort_unstable();
        functions.dedup();
        functions.retain(|func| self.program.functions[*func].accepts(call));
        Ok(functions)
    }

    fn note_call(&mut self, site: Site, called: &[FuncId], conducts: &dyn CallConducts) -> Result<(), SliceObstacle> {
        let mut targets = CallTargets::default();
        for &callee in called {
            match conducts.call_conduct(callee) {
                CallConduct::Runs => targets.code.push(callee),
                CallConduct::Acts(acts) => targets.acts.push(acts),
                CallConduct::Unknown if self.program.functions[site.func].origin == Origin::User => {
                    return Err(SliceObstacle::Unknown(site));
                }
                // As for pointers: what the library calls has what it was handed.
                CallConduct::Unknown => targets.acts.push(CallActs { is_kernel: true, ..CallActs::default() }),
            }
            self.callers[callee].push(site);
        }
        self.targets.insert(site, targets);
        Ok(())
    }

    fn find_writers(&mut self) {
        let errno = self.errno();
        for func in self.running.clone() {
            for pc in 0..self.program.functions[func].code.len() as u32 {
                let site = Site { func, pc };
                let (written, freed) = self.written(site, &errno);
                written.objects.iter().for_each(|object| self.writers[*object as usize].push(site));
                freed.objects.iter().for_each(|object| self.freers[*object as usize].push(site));
                self.wild_writers.extend(written.anything.then_some(site));
                self.wild_freers.extend(freed.anything.then_some(site));
            }
        }
    }

    /// Where `errno` is.
    fn errno(&self) -> SliceObjects {
        let mut places = SliceObjects::default();
        for (&site, targets) in &self.targets {
            if targets.acts.iter().any(|acts| acts.tells_errno)
                && let Some(arg) = self.call(site).and_then(|call| call.args.first())
            {
                self.add(&mut places, site.func, arg.value);
            }
        }
        places
    }

    /// What an instruction may write, and what it may free.
    fn written(&self, site: Site, errno: &SliceObjects) -> (SliceObjects, SliceObjects) {
        let (mut written, mut freed) = (SliceObjects::default(), SliceObjects::default());
        match self.program.functions[site.func].code[site.pc as usize] {
            Inst::Store { ptr, .. }
            | Inst::CmpXchg { ptr, .. }
            | Inst::AtomicRmw { ptr, .. }
            | Inst::LifetimeStart { ptr }
            | Inst::LifetimeEnd { ptr }
            | Inst::MemCopy { dst: ptr, .. }
            | Inst::MemSet { dst: ptr, .. }
            | Inst::VaStart { list: ptr }
            | Inst::VaEnd { list: ptr }
            | Inst::VaCopy { dst: ptr, .. }
            | Inst::VaArg { list: ptr, .. } => self.add(&mut written, site.func, ptr),
            Inst::Call { call } => {
                let data = &self.program.functions[site.func].calls[call];
                let targets = self.targets(site);
                for &callee in &targets.code {
                    self.passed(&mut written, data, callee);
                }
                for acts in &targets.acts {
                    self.acted(&mut written, site, data, acts, errno);
                    for at in acts.writes.iter().filter(|_| acts.frees).filter_map(|at| data.args.get(*at)) {
                        self.add(&mut freed, site.func, at.value);
                    }
                    let fresh = acts.allocates.then_some(AbstractObject::Allocated(site.func, call));
                    written.objects.extend(fresh.and_then(|object| self.points_to.number_of(object)));
                }
            }
            _ => {}
        }
        (written, freed)
    }

    /// A call makes copies for its callee.
    fn passed(&self, written: &mut SliceObjects, call: &Call, callee: FuncId) {
        for at in 0..call.args.len() {
            let object = match self.program.functions[callee].params.get(at) {
                Some(param) if param.byval.is_some() => AbstractObject::Copy(callee, at as u32),
                Some(_) => continue,
                None => AbstractObject::Further(callee),
            };
            written.objects.extend(self.points_to.number_of(object));
        }
    }

    fn acted(&self, written: &mut SliceObjects, site: Site, call: &Call, acts: &CallActs, errno: &SliceObjects) {
        for arg in acts.writes.iter().filter_map(|at| call.args.get(*at)) {
            self.add(written, site.func, arg.value);
        }
        if acts.tells_errno
            && let Some(arg) = call.args.first()
        {
            self.add(written, site.func, arg.value);
        }
        if acts.sets_errno {
            written.objects.extend(&errno.objects);
            written.anything |= errno.anything;
        }
        if acts.is_kernel {
            let led_to = self.led_to(site, call, true);
            written.objects.extend(&led_to.objects);
            written.anything |= led_to.anything;
        }
    }

    /// What the arguments of a call lead to, in any number of steps; and what the kernel has, if it is asked for.
    pub(super) fn led_to(&self, site: Site, call: &Call, with_kernel: bool) -> SliceObjects {
        let mut places = SliceObjects::default();
        call.args.iter().for_each(|arg| self.add(&mut places, site.func, arg.value));
        if with_kernel {
            places.objects.extend(self.points_to.number_of(AbstractObject::Kernel));
        }
        let mut seen = FixedBitSet::with_capacity(self.points_to.count());
        places.objects.retain(|object| !seen.put(*object as usize));
        let mut at = 0;
        while at < places.objects.len() && !places.anything {
            let mut held = SliceObjects::default();
            add_places(&mut held, self.points_to.held(places.objects[at]));
            places.anything |= held.anything;
            places.objects.extend(held.objects.into_iter().filter(|object| !seen.put(*object as usize)));
            at += 1;
        }
        places
    }

    /// What a pointer may point at.
    pub(super) fn add(&self, places: &mut SliceObjects, func: FuncId, operand: Operand) {
        let pointees = self.points_to.operand(func, operand);
        add_places(places, pointees);
        let is_library = self.program.functions[func].origin != Origin::User;
        if is_library
            && self
                .points_to
                .number_of(AbstractObject::Given)
                .is_some_and(|given| pointees.places().any(|one| one == given))
        {
            places.objects.extend(&self.librarys);
        }
    }
}

fn add_places(places: &mut SliceObjects, pointees: &Pointees) {
    places.anything |= pointees.is_anything();
    places.objects.extend(pointees.places());
}

/// Functions, and those with code that they may call.
fn called_from(program: &Program, graph: &CallGraph, functions: &[FuncId]) -> BTreeSet<FuncId> {
    let mut all = BTreeSet::new();
    let mut waiting = functions.to_vec();
    while let Some(func) = waiting.pop() {
        if !all.insert(func) {
            continue;
        }
        for inst in &program.functions[func].code {
            if let Inst::Call { call } = *inst {
                waiting.extend(graph.callees(func, call));
            }
        }
    }
    all
}
