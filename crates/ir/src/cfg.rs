//! The control flow of one function: where an instruction may go next, and where it may have come from.
//!
//! Boundary: within the function only. A call goes on at the instruction after it; what happens in between, and whether
//! it comes back at all, is the business of `callgraph` and `returns`.

use crate::function::Function;
use crate::inst::Inst;
use crate::program::{BlockId, EdgeId};

impl Function {
    /// The edges by which a terminator leaves its block; none for `ret`, `unreachable`, and what is no terminator.
    pub fn edges_of(&self, inst: &Inst) -> impl Iterator<Item = EdgeId> + '_ {
        let (plain, switch, list) = match *inst {
            Inst::Br { edge } => ([Some(edge), None], None, None),
            Inst::CondBr { then, otherwise, .. } => ([Some(then), Some(otherwise)], None, None),
            Inst::Switch { switch } => ([None, Some(self.switches[switch].default)], Some(switch), None),
            Inst::IndirectBr { edges, .. } => ([None, None], None, Some(edges)),
            _ => ([None, None], None, None),
        };
        let cases = switch.into_iter().flat_map(|s| self.switches[s].cases.iter().map(|&(_, edge)| edge));
        let listed = list.into_iter().flat_map(|l| self.edge_lists[l].iter().copied());
        plain.into_iter().flatten().chain(cases).chain(listed)
    }

    /// The edges by which a block is left.
    pub fn edges_from(&self, block: BlockId) -> impl Iterator<Item = EdgeId> + '_ {
        self.edges_of(&self.code[self.blocks[block].end as usize - 1])
    }

    /// The blocks that may run after a block; one to which several edges lead is there several times.
    pub fn blocks_after(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.edges_from(block).map(|edge| self.edges[edge].to)
    }

    /// The instructions that may run after `pc`, in this function.
    pub fn successors(&self, pc: u32) -> impl Iterator<Item = u32> + '_ {
        let inst = &self.code[pc as usize];
        let next = (!inst.is_terminator()).then_some(pc + 1);
        let jumps = self.edges_of(inst).map(|edge| self.blocks[self.edges[edge].to].start);
        next.into_iter().chain(jumps)
    }
}

/// For each instruction of a function those that may run before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Predecessors {
    /// Where the list of each instruction starts, and one past the end of the last.
    first: Vec<u32>,
    list: Vec<u32>,
}

impl Predecessors {
    /// Those of a function.
    pub(crate) fn of(function: &Function) -> Self {
        let pairs = || (0..function.code.len() as u32).flat_map(|pc| function.successors(pc).map(move |to| (pc, to)));
        let mut first = vec![0; function.code.len() + 1];
        for (_, to) in pairs() {
            first[to as usize + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut free = first.clone();
        let mut list = vec![0; first.last().copied().unwrap_or(0) as usize];
        for (from, to) in pairs() {
            list[free[to as usize] as usize] = from;
            free[to as usize] += 1;
        }
        Predecessors { first, list }
    }

    /// The instructions that may run before `pc`.
    pub(crate) fn before(&self, pc: u32) -> &[u32] {
        let at = pc as usize;
        &self.list[self.first[at] as usize..self.first[at + 1] as usize]
    }
}
