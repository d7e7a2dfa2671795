//! Branches and calls that only keep paths from going on, and look at nothing but what is needed anyway: they cost nothing, and tell much.
//!
//! `if (y < 0) return;`, `taw_assume(y < 9)`, a check that a compiler has put in. Each comes with the instructions that compute what it looks at. None may make a
//! branch decide that is not kept: where it would, it is left out.

use std::collections::BTreeSet;

use super::control::{First, Firsts, Observation, ObservedPoint};
use super::index::SliceObjects;
use super::needs::SliceNeeds;
use super::webs::Step;
use crate::callgraph::Site;
use crate::function::Function;
use crate::inst::{Inst, Operand};
use crate::program::FuncId;

/// What is kept together: the instructions by which one of them knows what it looks at, and itself.
type Group = BTreeSet<u32>;

impl SliceNeeds<'_> {
    /// Keeps what restricts for nothing.
    pub(super) fn keep_restricting(&mut self) {
        let index = self.index;
        for &func in &index.running {
            if self.functions[func].entered {
                let groups = self.restricting(func);
                let pcs: BTreeSet<u32> = groups.into_iter().flatten().collect();
                pcs.into_iter().for_each(|pc| self.keep(Site { func, pc }));
            }
        }
    }

    /// Groups that can be kept all at once without making any branch decide.
    fn restricting(&mut self, func: FuncId) -> Vec<Group> {
        let function = &self.index.program.functions[func];
        let observation = self.functions[func].observation(function);
        let firsts = Firsts::of(function, self.predecessors.of(func, function), &observation);
        let mut groups: Vec<Group> = Vec::new();
        for pc in 0..function.code.len() as u32 {
            let is_new = !self.functions[func].kept.contains(pc as usize);
            if is_new && matches!(firsts.behind(pc), First::One(_)) {
                groups.extend(self.looked_at(func, &firsts, pc).and_then(|looked_at| self.group(func, pc, &looked_at)));
            }
        }
        loop {
            let mut with_groups: Observation = observation.clone();
            groups.iter().flatten().for_each(|pc| with_groups.insts.insert(*pc as usize));
            let firsts = Firsts::of(function, self.predecessors.of(func, function), &with_groups);
            let in_the_way: BTreeSet<ObservedPoint> = (firsts.deciding().into_iter())
                .filter(|pc| !with_groups.insts.contains(*pc as usize) || !self.is_kept_by(func, &groups, *pc))
                .flat_map(|pc| firsts.all_behind(pc))
                .collect();
            let before = groups.len();
            groups.retain(|group| !group.iter().any(|pc| in_the_way.contains(&ObservedPoint::Inst(*pc))));
            if groups.len() == before {
                return groups;
            }
        }
    }

    /// Whether a branch is kept as such, and is not only a goal.
    fn is_kept_by(&self, func: FuncId, groups: &[Group], pc: u32) -> bool {
        self.functions[func].kept.contains(pc as usize) || groups.iter().any(|group| group.contains(&pc))
    }

    /// What an instruction looks at that only restricts.
    fn looked_at(&self, func: FuncId, firsts: &Firsts<'_>, pc: u32) -> Option<Vec<Operand>> {
        let function = &self.index.program.functions[func];
        let restricts = match function.code[pc as usize] {
            Inst::CondBr { .. } | Inst::Switch { .. } => firsts.has_dead_side(pc),
            Inst::Require { .. } => true,
            Inst::Call { .. } => {
                let targets = self.index.targets(Site { func, pc });
                targets.code.is_empty() && !targets.acts.is_empty() && targets.acts.iter().all(|acts| acts.restricts)
            }
            _ => false,
        };
        let mut operands = Vec::new();
        function.code[pc as usize].for_each_use(function, |operand| operands.push(operand));
        restricts.then_some(operands)
    }

    /// An instruction, with those that compute what it looks at; none if that takes more than what is needed anyway.
    fn group(&self, func: FuncId, pc: u32, looked_at: &[Operand]) -> Option<Group> {
        let function = &self.index.program.functions[func];
        let webs = &self.index.webs[func];
        let mut group = Group::from([pc]);
        let mut known = BTreeSet::new();
        let mut waiting: Vec<(Step, Operand)> = looked_at.iter().map(|operand| (Step::Inst(pc), *operand)).collect();
        while let Some((step, operand)) = waiting.pop() {
            let Some(reg) = operand.as_reg().filter(|_| !self.needs(func, step, operand)) else { continue };
            let web = webs.read(step, reg);
            if !known.insert(web) {
                continue;
            }
            if webs.has_initial(web) && function.params.iter().any(|param| param.reg == reg) {
                return None;
            }
            for &definition in webs.definitions(web) {
                let Step::Inst(pc) = definition else { return None };
                if !self.only_computes(func, function, &function.code[pc as usize]) {
                    return None;
                }
                group.insert(pc);
                function.code[pc as usize].for_each_use(function, |operand| waiting.push((definition, operand)));
            }
        }
        Some(group)
    }

    /// Whether an instruction computes something of registers, or of memory that is needed.
    fn only_computes(&self, func: FuncId, function: &Function, inst: &Inst) -> bool {
        match *inst {
            Inst::Load { ptr, .. } => {
                let mut places = SliceObjects::default();
                self.index.add(&mut places, func, ptr);
                self.has_all(&places)
            }
            Inst::Copy { .. }
            | Inst::Undef { .. }
            | Inst::Bin { .. }
            | Inst::Overflow { .. }
            | Inst::Bit { .. }
            | Inst::Funnel { .. }
            | Inst::Cmp { .. }
            | Inst::Select { .. }
            | Inst::Cast { .. }
            | Inst::FloatUn { .. }
            | Inst::FloatBin { .. }
            | Inst::Fma { .. }
            | Inst::FloatCmp { .. }
            | Inst::FloatToFloat { .. }
            | Inst::FloatToInt { .. }
            | Inst::IntToFloat { .. }
            | Inst::FloatClass { .. }
            | Inst::PtrAdd { .. }
            | Inst::PtrIndex { .. } => inst.dst(function).is_some(),
            _ => false,
        }
    }
}
