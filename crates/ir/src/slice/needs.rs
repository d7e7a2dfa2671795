//! What a slice needs, to a fixpoint: registers, objects, results, and the instructions that make them.
//!
//! What is read in a register keeps all that may have put it there (`webs`); an object that is needed keeps all that may write it, in whatever order. Who writes or is a goal *matters*: so do the calls that lead there. A call that does not matter is left out, whatever it does otherwise.
//!
//! Invariant: what is kept is exact. All that an instruction that is kept reads is needed, and all that defines what is needed is kept.

use std::collections::BTreeSet;

use cranelift_entity::{EntityRef, SecondaryMap};
use fixedbitset::FixedBitSet;

use super::control::{AllPredecessors, First, Firsts, is_branch};
use super::function_needs::FunctionNeeds;
use super::index::{SliceIndex, SliceObjects};
use super::webs::{Step, WebId};
use super::{CallActs, SliceObstacle};
use crate::callgraph::Site;
use crate::function::{Call, Callee};
use crate::inst::{Inst, Operand};
use crate::points_to::AbstractObject;
use crate::program::{EdgeId, FuncId, Reg};

/// Something whose needs were not looked at.
enum NeedTask {
    Web(FuncId, WebId),
    Inst(Site),
    Object(u32),
    Result(FuncId, usize),
}

pub(super) struct SliceNeeds<'a> {
    pub(super) index: &'a SliceIndex<'a>,
    pub(super) functions: SecondaryMap<FuncId, FunctionNeeds>,
    /// Objects whose content is needed.
    objects: FixedBitSet,
    /// Objects that are made.
    made: FixedBitSet,
    tasks: Vec<NeedTask>,
    /// Functions whose branches were not looked at.
    changed: BTreeSet<FuncId>,
    pub(super) predecessors: AllPredecessors,
    obstacle: Option<SliceObstacle>,
}

impl<'a> SliceNeeds<'a> {
    pub(super) fn new(index: &'a SliceIndex<'a>) -> Self {
        let mut functions: SecondaryMap<FuncId, FunctionNeeds> = SecondaryMap::new();
        for &func in &index.running {
            let function = &index.program.functions[func];
            functions[func] = FunctionNeeds {
                kept: FixedBitSet::with_capacity(function.code.len()),
                goals: FixedBitSet::with_capacity(function.code.len()),
                edges: FixedBitSet::with_capacity(function.edges.len()),
                webs: FixedBitSet::with_capacity(index.webs[func].count()),
                results: FixedBitSet::with_capacity(function.returns.len()),
                ..FunctionNeeds::default()
            };
        }
        let count = index.points_to.count();
        SliceNeeds {
            index,
            functions,
            objects: FixedBitSet::with_capacity(count),
            made: FixedBitSet::with_capacity(count),
            tasks: Vec::new(),
            changed: BTreeSet::new(),
            predecessors: AllPredecessors::default(),
            obstacle: None,
        }
    }

    /// Entries and goals.
    pub(super) fn start(&mut self, entries: &[FuncId], goals: &[Site]) {
        let constructors = &self.index.program.constructors;
        for &func in constructors.iter().filter(|func| self.index.points_to.runs(**func)) {
            self.enter(func);
            self.functions[func].comes_back = true;
        }
        entries.iter().for_each(|entry| self.enter(*entry));
        for &goal in goals.iter().filter(|goal| self.index.points_to.runs(goal.func)) {
            self.functions[goal.func].goals.insert(goal.pc as usize);
            self.matter(goal.func);
            // One that is a marker is passed when it is called.
            if self.index.call(goal).is_some() && self.index.targets(goal).acts.iter().any(|acts| !acts.ends) {
                self.keep(goal);
            }
        }
    }

    /// Goes on until everything holds.
    pub(super) fn settle(&mut self) -> Result<(), SliceObstacle> {
        loop {
            while let Some(task) = self.tasks.pop() {
                match task {
                    NeedTask::Web(func, web) => self.define(func, web),
                    NeedTask::Inst(site) => self.execute(site),
                    NeedTask::Object(number) => self.write(number),
                    NeedTask::Result(func, at) => self.give_back(func, at),
                }
            }
            if let Some(obstacle) = self.obstacle.take() {
                return Err(obstacle);
            }
            let Some(func) = self.changed.pop_first() else { return Ok(()) };
            if self.functions[func].entered {
                self.decide(func);
            }
        }
    }

    /// Branches that decide, and calls that must come back.
    fn decide(&mut self, func: FuncId) {
        let function = &self.index.program.functions[func];
        let observation = self.functions[func].observation(function);
        let firsts = Firsts::of(function, self.predecessors.of(func, function), &observation);
        let mut deciding = firsts.deciding();
        deciding.retain(|pc| !self.functions[func].kept.contains(*pc as usize));
        let calls: Vec<u32> = (self.functions[func].kept.ones().map(|pc| pc as u32))
            .filter(|pc| firsts.behind(*pc) != First::Nothing)
            .collect();
        if !deciding.is_empty() {
            deciding.into_iter().for_each(|pc| self.keep(Site { func, pc }));
            return;
        }
        for pc in calls.into_iter().filter(|pc| matches!(function.code[*pc as usize], Inst::Call { .. })) {
            for &callee in &self.index.targets(Site { func, pc }).code {
                if !std::mem::replace(&mut self.functions[callee].comes_back, true) {
                    self.changed.insert(callee);
                }
            }
        }
    }

    /// An instruction is kept.
    pub(super) fn keep(&mut self, site: Site) {
        if !self.functions[site.func].kept.put(site.pc as usize) {
            self.changed.insert(site.func);
            self.tasks.push(NeedTask::Inst(site));
        }
    }

    fn keep_all(&mut self, sites: &[Site]) {
        for &site in sites {
            self.keep(site);
            self.matter(site.func);
        }
    }

    /// A function does something that others see.
    fn matter(&mut self, func: FuncId) {
        let mut waiting = vec![func];
        while let Some(func) = waiting.pop() {
            if std::mem::replace(&mut self.functions[func].matters, true) {
                continue;
            }
            self.changed.insert(func);
            for &call in &self.index.callers[func] {
                self.keep(call);
                waiting.push(call.func);
            }
        }
    }

    /// The slice may enter a function.
    fn enter(&mut self, func: FuncId) {
        if std::mem::replace(&mut self.functions[func].entered, true) {
            return;
        }
        self.changed.insert(func);
        if self.index.whole.contains(&func) {
            let function = &self.index.program.functions[func];
            // Conditions are for coverage alone, on edges that nobody takes.
            let is_other = |pc: &u32| matches!(function.code[*pc as usize], Inst::Ret { .. } | Inst::Condition { .. });
            (0..function.code.len() as u32).filter(|pc| !is_other(pc)).for_each(|pc| self.keep(Site { func, pc }));
            (0..self.index.webs[func].count()).for_each(|web| self.need_web(func, web));
            (0..function.returns.len()).for_each(|at| self.need_result(func, at));
            self.functions[func].comes_back = true;
        }
    }

    /// What a step reads is needed.
    fn need(&mut self, func: FuncId, step: Step, operand: Operand) {
        if let Some(reg) = operand.as_reg() {
            self.need_web(func, self.index.webs[func].read(step, reg));
        }
    }

    fn need_web(&mut self, func: FuncId, web: WebId) {
        if !self.functions[func].webs.put(web) {
            self.tasks.push(NeedTask::Web(func, web));
        }
    }

    /// Whether what a step reads is needed.
    pub(super) fn needs(&self, func: FuncId, step: Step, operand: Operand) -> bool {
        let web = |reg: Reg| self.index.webs[func].read(step, reg);
        operand.as_reg().is_none_or(|reg| self.functions[func].webs.contains(web(reg)))
    }

    fn need_object(&mut self, number: u32) {
        if !self.objects.put(number as usize) {
            self.tasks.push(NeedTask::Object(number));
        }
    }

    fn need_places(&mut self, places: &SliceObjects) {
        if places.anything {
            (0..self.index.points_to.count() as u32).for_each(|number| self.need_object(number));
        }
        places.objects.iter().for_each(|number| self.need_object(*number));
    }

    fn need_behind(&mut self, func: FuncId, pointer: Operand) {
        let mut places = SliceObjects::default();
        self.index.add(&mut places, func, pointer);
        self.need_places(&places);
    }

    fn need_result(&mut self, func: FuncId, at: usize) {
        if at < self.functions[func].results.len() && !self.functions[func].results.put(at) {
            self.tasks.push(NeedTask::Result(func, at));
        }
    }

    /// Whether the content of all these is needed.
    pub(super) fn has_all(&self, places: &SliceObjects) -> bool {
        !places.anything && places.objects.iter().all(|number| self.objects.contains(*number as usize))
    }

    /// Something in a register is needed: so is all that may have put it there.
    fn define(&mut self, func: FuncId, web: WebId) {
        let function = &self.index.program.functions[func];
        let webs = &self.index.webs[func];
        let reg = webs.register(web);
        for &definition in webs.definitions(web) {
            match definition {
                Step::Inst(pc) => {
                    let site = Site { func, pc };
                    self.keep(site);
                    if let Some(call) = self.index.call(site) {
                        let at = call.dsts.iter().position(|dst| *dst == reg);
                        let code = self.index.targets(site).code.iter();
                        code.for_each(|callee| self.need_result(*callee, at.unwrap_or_default()));
                    }
                }
                Step::Move(edge, at) => {
                    self.functions[func].edges.insert(edge.index());
                    self.changed.insert(func);
                    self.need(func, definition, function.edges[edge].moves[at].1);
                }
            }
        }
        for at in (0..function.params.len()).filter(|at| webs.has_initial(web) && function.params[*at].reg == reg) {
            for &site in &self.index.callers[func] {
                if self.functions[site.func].kept.contains(site.pc as usize) {
                    self.pass(site, at);
                }
            }
        }
    }

    /// An argument is needed.
    fn pass(&mut self, site: Site, at: usize) {
        if let Some(arg) = self.index.call(site).and_then(|call| call.args.get(at)) {
            self.need(site.func, Step::Inst(site.pc), arg.value);
        }
    }

    /// A result is needed.
    fn give_back(&mut self, func: FuncId, at: usize) {
        let function = &self.index.program.functions[func];
        self.changed.insert(func);
        for (pc, inst) in function.code.iter().enumerate() {
            if let Inst::Ret { values } = *inst {
                self.need(func, Step::Inst(pc as u32), function.lists[values][at]);
            }
        }
    }

    /// An object is needed: so is all that may be written to it.
    fn write(&mut self, number: u32) {
        let index = self.index;
        self.keep_all(&index.writers[number as usize]);
        self.keep_all(&index.wild_writers);
        let AbstractObject::Further(func) = index.points_to.object(number) else { return };
        let params = index.program.functions[func].params.len();
        for &site in &index.callers[func] {
            let args = index.call(site).map_or(0, |call| call.args.len());
            (params..args).for_each(|at| self.pass(site, at));
        }
    }

    /// An instruction is executed: what it reads is needed.
    fn execute(&mut self, site: Site) {
        let function = &self.index.program.functions[site.func];
        let inst = &function.code[site.pc as usize];
        match *inst {
            Inst::Call { call } => return self.make_call(site, &function.calls[call]),
            Inst::ReturnAddress { .. } => {
                self.obstacle.get_or_insert(SliceObstacle::LooksAtCode(site));
            }
            Inst::Load { ptr, .. } | Inst::CmpXchg { ptr, .. } | Inst::AtomicRmw { ptr, .. } => {
                self.need_behind(site.func, ptr);
            }
            Inst::MemCopy { src, .. } | Inst::VaCopy { src, .. } => self.need_behind(site.func, src),
            Inst::VaArg { list, .. } => {
                self.need_behind(site.func, list);
                let held = self.index.points_to.content(self.index.points_to.operand(site.func, list));
                self.need_places(&SliceObjects { objects: held.places().collect(), anything: held.is_anything() });
            }
            // What a stack gives back is given back.
            Inst::Alloca { .. } => {
                let restores = |pc: &u32| matches!(function.code[*pc as usize], Inst::StackRestore { .. });
                let restoring = (0..function.code.len() as u32).filter(restores);
                restoring.for_each(|pc| self.keep(Site { func: site.func, pc }));
            }
            _ => {}
        }
        inst.for_each_use(function, |operand| self.need(site.func, Step::Inst(site.pc), operand));
        debug_assert!(!inst.is_terminator() || is_branch(inst) || matches!(inst, Inst::Br { .. } | Inst::Unreachable));
    }

    fn make_call(&mut self, site: Site, call: &Call) {
        if let Callee::Indirect(callee) = call.callee {
            self.need(site.func, Step::Inst(site.pc), callee);
        }
        let index = self.index;
        for &callee in &index.targets(site).code {
            self.enter(callee);
            let params = index.program.functions[callee].params.iter();
            for (at, param) in params.enumerate() {
                if param.byval.is_some() || self.functions[callee].webs.contains(index.webs[callee].initial(param.reg))
                {
                    self.pass(site, at);
                }
            }
        }
        // Copies are made, whoever wants them.
        for arg in call.args.iter().filter(|arg| arg.byval.is_some()) {
            self.need(site.func, Step::Inst(site.pc), arg.value);
            self.need_behind(site.func, arg.value);
        }
        for acts in &index.targets(site).acts {
            self.act(site, call, acts);
        }
    }

    /// A function that is not code is called: it may read all that it is led to.
    fn act(&mut self, site: Site, call: &Call, acts: &CallActs) {
        if acts.looks_at_code {
            self.obstacle.get_or_insert(SliceObstacle::LooksAtCode(site));
        }
        call.args.iter().for_each(|arg| self.need(site.func, Step::Inst(site.pc), arg.value));
        // Who only frees looks at nothing.
        if !acts.frees || acts.allocates {
            let read = self.index.led_to(site, call, acts.is_kernel);
            self.need_places(&read);
        }
        let Inst::Call { call } = self.index.program.functions[site.func].code[site.pc as usize] else { return };
        let fresh = acts.allocates.then_some(AbstractObject::Allocated(site.func, call));
        if let Some(number) = fresh.and_then(|object| self.index.points_to.number_of(object))
            && !self.made.put(number as usize)
        {
            // What is never freed again may be more than there is room for.
            let index = self.index;
            self.keep_all(&index.freers[number as usize]);
            self.keep_all(&index.wild_freers);
        }
    }

    /// The moves of an edge that are kept.
    pub(super) fn moves(&self, func: FuncId, edge: EdgeId) -> Vec<(Reg, Operand)> {
        let moves = &self.index.program.functions[func].edges[edge].moves;
        let webs = &self.index.webs[func];
        let is_needed =
            |at: usize, dst: Reg| self.functions[func].webs.contains(webs.written(Step::Move(edge, at), dst));
        moves.iter().enumerate().filter(|(at, (dst, _))| is_needed(*at, *dst)).map(|(_, one)| *one).collect()
    }
}
