//! The branches before a goal that can keep a path from getting there, the nearest first.
//!
//! All of them may be left out, and then the goal is simply reached; so some have to be kept for a slice to say anything. Those that are
//! nearest are what the goal is about: the others most often only stand before it (`return` if something else is wrong).

use std::collections::{BTreeMap, HashSet};

use super::control::{Observation, can_avoid, is_branch};
use super::needs::SliceNeeds;
use crate::callgraph::Site;
use crate::program::{BlockId, FuncId};

impl SliceNeeds<'_> {
    /// Keeps so many such branches, one before the other.
    pub(super) fn keep_nearest(&mut self, goals: &[Site], guards: u32) {
        let mut seen: HashSet<Site> = HashSet::new();
        let mut observations: BTreeMap<FuncId, Observation> = BTreeMap::new();
        let is_there = |goal: &&Site| self.functions[goal.func].entered;
        let mut layer: Vec<Site> = goals.iter().filter(is_there).copied().collect();
        for _ in 0..guards {
            let mut guards = Vec::new();
            while let Some(site) = layer.pop() {
                for before in self.before(site) {
                    if !seen.insert(before) {
                        continue;
                    }
                    match self.is_guard(before, &mut observations) {
                        true => guards.push(before),
                        false => layer.push(before),
                    }
                }
            }
            if guards.is_empty() {
                return;
            }
            guards.iter().for_each(|guard| self.keep(*guard));
            layer = guards;
        }
    }

    /// The instructions right before one: those of its function, and the calls that the slice has of it.
    fn before(&mut self, site: Site) -> Vec<Site> {
        let function = &self.index.program.functions[site.func];
        let before = self.predecessors.of(site.func, function).before(site.pc);
        let mut before: Vec<Site> = before.iter().map(|&pc| Site { func: site.func, pc }).collect();
        if site.pc == function.blocks[BlockId::from_u32(0)].start {
            let calls = self.index.callers[site.func].iter();
            before.extend(calls.filter(|call| self.functions[call.func].kept.contains(call.pc as usize)));
        }
        before
    }

    /// Whether it is a branch by which nothing that matters may come any more.
    fn is_guard(&self, site: Site, observations: &mut BTreeMap<FuncId, Observation>) -> bool {
        let function = &self.index.program.functions[site.func];
        let needs = &self.functions[site.func];
        if !is_branch(&function.code[site.pc as usize]) || needs.kept.contains(site.pc as usize) {
            return false;
        }
        let observation = observations.entry(site.func).or_insert_with(|| needs.observation(function));
        can_avoid(function, observation, site.pc)
    }
}
