//! How many branches away from one the nearest is that nobody has covered (CREST's branch distance).
//!
//! The graph has an edge from a side of a branch to those of the next branches, in the functions that are called on the way too; none leads back to callers, which
//! are reached past the call. Only the user's code has sides that are worth covering. Invariant: distances are those of the coverage that they were made for.

use std::collections::{HashMap, VecDeque};

use taw_engine::{Coverage, WalkEdge};
use taw_ir::{BlockId, CallGraph, EntityRef, FuncId, Inst, Program};

type Place = (FuncId, BlockId);

/// Where a block may have been entered from.
#[derive(Default)]
struct Before {
    /// By branching: how many branches away it is from here counts one more.
    branching: Vec<(Place, WalkEdge)>,
    /// Without: one way only, or a call.
    plain: Vec<Place>,
}

/// Distances of blocks, made anew when something was covered.
pub(super) struct BranchDistances {
    before: HashMap<Place, Before>,
    /// All sides of branches of the user's.
    sides: Vec<(Place, WalkEdge)>,
    /// From a block on.
    distances: HashMap<Place, u64>,
    /// Sides that were not covered when these were made.
    left: Option<usize>,
}

impl BranchDistances {
    pub(super) fn new(program: &Program, graph: &CallGraph) -> Self {
        let mut before: HashMap<Place, Before> = HashMap::new();
        let mut sides = Vec::new();
        for (func, function) in program.functions.iter().filter(|(_, function)| function.is_defined()) {
            for (block, range) in &function.blocks {
                let here = (func, block);
                let ways = function.edges_from(block).count();
                for edge in function.edges_from(block) {
                    let to = before.entry((func, function.edges[edge].to)).or_default();
                    let side = WalkEdge { func, edge };
                    match ways {
                        1 => to.plain.push(here),
                        _ => to.branching.push((here, side)),
                    }
                    if ways > 1 && function.origin.counts() {
                        sides.push((here, side));
                    }
                }
                for inst in &function.code[range.start as usize..range.end as usize] {
                    let Inst::Call { call } = inst else { continue };
                    for callee in graph.callees(func, *call) {
                        before.entry((*callee, BlockId::new(0))).or_default().plain.push(here);
                    }
                }
            }
        }
        BranchDistances { before, sides, distances: HashMap::new(), left: None }
    }

    /// How far it is from a side.
    pub(super) fn of(&mut self, program: &Program, coverage: &Coverage, side: WalkEdge) -> Option<u64> {
        let is_covered = |side: &WalkEdge| coverage.edges[side.func][side.edge.index()];
        let left = self.sides.iter().filter(|(_, side)| !is_covered(side)).count();
        if self.left != Some(left) {
            self.left = Some(left);
            self.make(is_covered);
        }
        let function = &program.functions[side.func];
        if function.origin.counts() && !is_covered(&side) {
            return Some(0);
        }
        self.distances.get(&(side.func, function.edges[side.edge].to)).copied()
    }

    /// Backward from the sides that are not covered, the nearest first.
    fn make(&mut self, is_covered: impl Fn(&WalkEdge) -> bool) {
        self.distances.clear();
        let uncovered = self.sides.iter().filter(|(_, side)| !is_covered(side));
        let mut next: VecDeque<(Place, u64)> = uncovered.map(|(from, _)| (*from, 1)).collect();
        while let Some((place, distance)) = next.pop_front() {
            if self.distances.get(&place).is_some_and(|known| *known <= distance) {
                continue;
            }
            self.distances.insert(place, distance);
            let Some(before) = self.before.get(&place) else { continue };
            before.plain.iter().for_each(|from| next.push_front((*from, distance)));
            before.branching.iter().for_each(|(from, _)| next.push_back((*from, distance + 1)));
        }
    }
}
