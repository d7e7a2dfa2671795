//! What paths must have passed before a branch can go the way that nobody has gone: sub-goals of the search.
//!
//! A *need* is an assignment and a way of a branch that looks at the variable assigned, where the branch has been executed,
//! this way of it has never been taken, and leads to an open goal sooner than the other. A state is as far from it as from the assignment,
//! and once it has passed that, as from the branch's other way. Needs only guide: nothing is concluded from them.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use taw_engine::{Coverage, State};
use taw_ir::{BlockId, CallGraph, Distances, EdgeId, FlagBranch, FuncId, Program, Site, flag_branches};
use taw_search::NeedId;

use crate::goal_distances::{GoalDistances, measure};

/// An assignment, and the way that it may open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Pair {
    writer: (FuncId, BlockId),
    way: (FuncId, EdgeId),
}

#[derive(Debug)]
struct Need {
    pair: Pair,
    /// To the assignment and to the way; the shortest from one to the other.
    distances: OnceCell<(Distances, Distances, u64)>,
}

/// The needs of a run. A need's number is its position.
#[derive(Debug)]
pub(crate) struct Needs<'p> {
    program: &'p Program,
    graph: Rc<CallGraph>,
    branches: Vec<FlagBranch>,
    known: BTreeSet<(Pair, usize)>,
    needs: Vec<Need>,
    open: Rc<[NeedId]>,
}

impl<'p> Needs<'p> {
    pub(crate) fn new(program: &'p Program, graph: Rc<CallGraph>) -> Self {
        let branches = flag_branches(program);
        Needs { program, graph, branches, known: BTreeSet::new(), needs: Vec::new(), open: Rc::default() }
    }

    /// Those of now, ascending; the same pointer as long as they are the same.
    pub(crate) fn open(&self) -> Rc<[NeedId]> {
        Rc::clone(&self.open)
    }

    /// Looks which branches have a way that nobody went and that leads to an open goal.
    pub(crate) fn refresh(&mut self, coverage: &Coverage, goals: &GoalDistances<'_>) {
        let mut open = BTreeSet::new();
        for at in 0..self.branches.len() {
            let branch = &self.branches[at];
            let taken = branch.edges.map(|edge| coverage.edges[branch.func][edge.as_u32() as usize]);
            let (way, other) = match taken {
                [true, false] => (branch.edges[1], branch.edges[0]),
                [false, true] => (branch.edges[0], branch.edges[1]),
                _ => continue,
            };
            let to = |edge| goals.nearest_from(behind(self.program, (branch.func, edge)));
            if to(way).is_none_or(|new| to(other).is_some_and(|old| new >= old)) {
                continue;
            }
            for pair in
                branch.writers.iter().map(|&writer| Pair { writer, way: (branch.func, way) }).collect::<Vec<_>>()
            {
                open.insert(self.number(pair));
            }
        }
        if !self.open.iter().eq(open.iter()) {
            self.open = open.into_iter().collect();
        }
    }

    fn number(&mut self, pair: Pair) -> NeedId {
        let known = self.known.range((pair, 0)..=(pair, usize::MAX)).next().map(|&(_, number)| number);
        let number = known.unwrap_or_else(|| {
            self.needs.push(Need { pair, distances: OnceCell::new() });
            self.known.insert((pair, self.needs.len() - 1));
            self.needs.len() - 1
        });
        NeedId(u32::try_from(number).expect("there are fewer branches than that"))
    }

    /// Whether a state has passed the assignment.
    pub(crate) fn is_prepared(&self, need: NeedId, state: &State, coverage: &Coverage) -> bool {
        let (func, block) = self.needs[need.0 as usize].pair.writer;
        coverage.has_left(&state.covered, func, block)
    }

    /// How far a state is from meeting the need.
    pub(crate) fn distance(&self, need: NeedId, state: &State, coverage: &Coverage, near: &Distances) -> Option<u64> {
        let (to_writer, to_way, between) = self.needs[need.0 as usize].distances.get_or_init(|| {
            let Pair { writer, way } = self.needs[need.0 as usize].pair;
            let from = Site { func: writer.0, pc: self.program.functions[writer.0].blocks[writer.1].start };
            let to_way = near.to_others(self.program, &self.graph, &[behind(self.program, way)]);
            // If the way is not further in, it is further out, somewhere.
            let between = to_way.from_site(from).unwrap_or(FURTHER_OUT);
            (near.to_others(self.program, &self.graph, &[from]), to_way, between)
        });
        if self.is_prepared(need, state, coverage) {
            return measure(to_way, state, self.program);
        }
        Some(measure(to_writer, state, self.program)? + between)
    }
}

/// The distance assumed to what is not behind a call from here.
const FURTHER_OUT: u64 = 100;

/// The first instruction behind an edge.
fn behind(program: &Program, (func, edge): (FuncId, EdgeId)) -> Site {
    let function = &program.functions[func];
    Site { func, pc: function.blocks[function.edges[edge].to].start }
}
