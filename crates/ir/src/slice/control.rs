//! What of a function is observed first from each of its places, and so which branches decide something.
//!
//! Observed are instructions that are kept, goals, edges with moves that are kept, and `ret` where something follows it. A branch that is not kept
//! must lead to one of them at most: [`Firsts::deciding`] says which do not. Danicic's closure: such a branch has two ways to the observed that share
//! nothing but itself; where one side leads to `x` alone, and another to something else, it is one.

use std::collections::VecDeque;

use cranelift_entity::{EntityRef, SecondaryMap};
use fixedbitset::FixedBitSet;

use crate::cfg::Predecessors;
use crate::function::Function;
use crate::inst::Inst;
use crate::program::{EdgeId, FuncId};

/// Something that is observed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ObservedPoint {
    Inst(u32),
    Edge(EdgeId),
}

/// What is observed first from somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum First {
    /// Nothing, whatever happens.
    #[default]
    Nothing,
    /// This, or nothing.
    One(ObservedPoint),
    /// Different things.
    Many,
}

impl First {
    fn join(self, other: First) -> First {
        match (self, other) {
            (First::Nothing, first) | (first, First::Nothing) => first,
            (First::One(a), First::One(b)) if a == b => self,
            _ => First::Many,
        }
    }
}

/// What is observed of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Observation {
    pub(super) insts: FixedBitSet,
    pub(super) edges: FixedBitSet,
}

/// For each instruction of a function what is observed first from there on, itself included.
pub(super) struct Firsts<'a> {
    function: &'a Function,
    observation: &'a Observation,
    at: Vec<First>,
}

impl<'a> Firsts<'a> {
    /// The least solution, from the observed back.
    pub(super) fn of(function: &'a Function, before: &Predecessors, observation: &'a Observation) -> Self {
        let mut firsts = Firsts { function, observation, at: vec![First::Nothing; function.code.len()] };
        let mut waiting: VecDeque<u32> = VecDeque::new();
        for pc in 0..function.code.len() as u32 {
            let edges = || function.edges_of(&function.code[pc as usize]);
            if observation.insts.contains(pc as usize) || edges().any(|edge| firsts.is_observed(edge)) {
                waiting.push_back(pc);
            }
        }
        while let Some(pc) = waiting.pop_front() {
            let observed = observation.insts.contains(pc as usize);
            let first = if observed { First::One(ObservedPoint::Inst(pc)) } else { firsts.behind(pc) };
            if firsts.at[pc as usize] != first {
                firsts.at[pc as usize] = first;
                waiting.extend(before.before(pc));
            }
        }
        firsts
    }

    fn is_observed(&self, edge: EdgeId) -> bool {
        self.observation.edges.contains(edge.index())
    }

    /// From an instruction on.
    pub(super) fn from(&self, pc: u32) -> First {
        self.at[pc as usize]
    }

    /// On an edge and behind it.
    pub(super) fn on(&self, edge: EdgeId) -> First {
        if self.is_observed(edge) {
            return First::One(ObservedPoint::Edge(edge));
        }
        self.from(self.function.blocks[self.function.edges[edge].to].start)
    }

    /// Behind an instruction.
    pub(super) fn behind(&self, pc: u32) -> First {
        let inst = &self.function.code[pc as usize];
        match inst.is_terminator() {
            true => self.function.edges_of(inst).map(|edge| self.on(edge)).fold(First::Nothing, First::join),
            false => self.from(pc + 1),
        }
    }

    /// Whether a branch has a side that leads to nothing.
    pub(super) fn has_dead_side(&self, pc: u32) -> bool {
        self.function.edges_of(&self.function.code[pc as usize]).any(|edge| self.on(edge) == First::Nothing)
    }

    /// The branches that decide what is observed next: as long as there is any place from which different things are, there is one.
    pub(super) fn deciding(&self) -> Vec<u32> {
        let decides = |pc: &u32| {
            let inst = &self.function.code[*pc as usize];
            let sides = || self.function.edges_of(inst).map(|edge| self.on(edge));
            let Some(one) = sides().find(|first| matches!(first, First::One(_))) else { return false };
            sides().any(|first| first != First::Nothing && first != one)
        };
        (0..self.function.code.len() as u32)
            .filter(|pc| is_branch(&self.function.code[*pc as usize]))
            .filter(decides)
            .collect()
    }

    /// All that may be observed first behind an instruction.
    pub(super) fn all_behind(&self, pc: u32) -> Vec<ObservedPoint> {
        let mut seen = FixedBitSet::with_capacity(self.function.code.len());
        let (mut found, mut waiting) = (Vec::new(), vec![pc]);
        while let Some(pc) = waiting.pop() {
            let inst = &self.function.code[pc as usize];
            let next = (!inst.is_terminator()).then_some(pc + 1);
            let edges = self.function.edges_of(inst).filter(|edge| {
                found.extend(self.is_observed(*edge).then_some(ObservedPoint::Edge(*edge)));
                !self.is_observed(*edge)
            });
            let starts = edges.map(|edge| self.function.blocks[self.function.edges[edge].to].start);
            for to in next.into_iter().chain(starts.collect::<Vec<_>>()) {
                if self.observation.insts.contains(to as usize) {
                    found.push(ObservedPoint::Inst(to));
                } else if !seen.put(to as usize) {
                    waiting.push(to);
                }
            }
        }
        found
    }
}

/// Whether one way of a branch leads to nothing that is observed before the branch comes again, if it does.
pub(super) fn can_avoid(function: &Function, observation: &Observation, branch: u32) -> bool {
    function.edges_of(&function.code[branch as usize]).any(|way| is_empty_until(function, observation, way, branch))
}

fn is_empty_until(function: &Function, observation: &Observation, way: EdgeId, branch: u32) -> bool {
    let mut seen = FixedBitSet::with_capacity(function.edges.len());
    let mut waiting = vec![way];
    while let Some(edge) = waiting.pop() {
        if observation.edges.contains(edge.index()) {
            return false;
        }
        if seen.put(edge.index()) {
            continue;
        }
        let block = &function.blocks[function.edges[edge].to];
        let end = if block.end == branch + 1 { branch } else { block.end };
        if (block.start..end).any(|pc| observation.insts.contains(pc as usize)) {
            return false;
        }
        if end == block.end {
            waiting.extend(function.edges_from(function.edges[edge].to));
        }
    }
    true
}

/// Whether an instruction may go different ways.
pub(super) fn is_branch(inst: &Inst) -> bool {
    matches!(inst, Inst::CondBr { .. } | Inst::Switch { .. } | Inst::IndirectBr { .. })
}

/// Where each function's instructions may have come from, made when it is asked for.
#[derive(Default)]
pub(super) struct AllPredecessors(SecondaryMap<FuncId, Option<Predecessors>>);

impl AllPredecessors {
    pub(super) fn of(&mut self, func: FuncId, function: &Function) -> &Predecessors {
        self.0[func].get_or_insert_with(|| Predecessors::of(function))
    }
}
