//! Facts about states, for strategies: depth, age of coverage, distance to what is not covered.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use taw_engine::{Coverage, State};
use taw_ir::{EdgeId, EntityRef, FuncId, Function, Inst, Program, SecondaryMap};
use taw_search::{Progress, StateId};

/// The states of an explorer, seen as facts.
pub(crate) struct Facts<'a> {
    pub(crate) states: &'a BTreeMap<StateId, Box<State>>,
    pub(crate) distances: &'a RefCell<Distances>,
    pub(crate) program: &'a Program,
    pub(crate) coverage: &'a Coverage,
}

impl Progress for Facts<'_> {
    fn depth(&self, id: StateId) -> u32 {
        self.states.get(&id).map_or(0, |s| s.depth)
    }

    fn since_new_coverage(&self, id: StateId) -> u64 {
        self.states.get(&id).map_or(0, |s| s.since_new)
    }

    fn distance_to_uncovered(&self, id: StateId) -> Option<u64> {
        let state = self.states.get(&id)?;
        self.distances.borrow_mut().of(state, self.program, self.coverage)
    }
}

/// Distances in blocks, per function, to the nearest edge that nobody has taken; made anew when coverage has grown.
#[derive(Default)]
pub(crate) struct Distances {
    made: SecondaryMap<FuncId, Option<Made>>,
}

/// The distances of one function.
#[derive(Clone)]
struct Made {
    /// The number of covered edges when they were made.
    covered: usize,
    /// For each block.
    blocks: Vec<Option<u64>>,
}

impl Distances {
    fn of(&mut self, state: &State, program: &Program, coverage: &Coverage) -> Option<u64> {
        let frames = std::iter::once(&state.top).chain(state.callers.iter().rev().map(|f| &**f));
        for (away, frame) in frames.enumerate() {
            let function = &program.functions[frame.func];
            if function.origin.counts()
                && let Some(distance) = self.blocks(frame.func, function, coverage)[frame.block.index()]
            {
                return Some(away as u64 + distance);
            }
        }
        None
    }

    fn blocks(&mut self, id: FuncId, function: &Function, coverage: &Coverage) -> &[Option<u64>] {
        let covered = coverage.edges[id].iter().filter(|c| **c).count();
        if self.made[id].as_ref().is_none_or(|made| made.covered != covered) {
            self.made[id] = Some(Made { covered, blocks: to_uncovered(function, &coverage.edges[id]) });
        }
        &self.made[id].as_ref().expect("just made").blocks
    }
}

/// For each block the number of edges to the nearest one that is not covered.
fn to_uncovered(function: &Function, covered: &[bool]) -> Vec<Option<u64>> {
    let mut predecessors = vec![Vec::new(); function.blocks.len()];
    let mut distance = vec![None; function.blocks.len()];
    let mut queue = VecDeque::new();
    for (block, data) in &function.blocks {
        for edge in successors(function, &function.code[data.end as usize - 1]) {
            predecessors[function.edges[edge].to.index()].push(block.index());
            if !covered[edge.index()] && distance[block.index()].is_none() {
                distance[block.index()] = Some(1);
                queue.push_back(block.index());
            }
        }
    }
    while let Some(block) = queue.pop_front() {
        let next = distance[block].map(|d| d + 1);
        for &before in &predecessors[block] {
            if distance[before].is_none() {
                distance[before] = next;
                queue.push_back(before);
            }
        }
    }
    distance
}

fn successors(function: &Function, terminator: &Inst) -> Vec<EdgeId> {
    match *terminator {
        Inst::Br { edge } => vec![edge],
        Inst::CondBr { then, otherwise, .. } => vec![then, otherwise],
        Inst::Switch { switch } => {
            let switch = &function.switches[switch];
            switch.cases.iter().map(|(_, edge)| *edge).chain([switch.default]).collect()
        }
        Inst::IndirectBr { edges, .. } => function.edge_lists[edges].clone(),
        _ => Vec::new(),
    }
}
