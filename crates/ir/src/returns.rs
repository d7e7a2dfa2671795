//! What it costs to get out of a function, and to run through one: shortest paths to a `ret`, calls and returns matched.
//!
//! Knuth's generalisation of Dijkstra's algorithm ("A generalization of Dijkstra's algorithm", 1977): the cost of a call is
//! one more than the sum of the cost of its cheapest callee and the cost from the instruction after it. Costs are settled in
//! ascending order, so the first callee to be settled is the cheapest, and recursion needs no special care.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cranelift_entity::SecondaryMap;

use crate::callgraph::{CallGraph, CalleesIx, Site};
use crate::cfg::Predecessors;
use crate::inst::Inst;
use crate::program::{FuncId, Program};

/// A number of instructions. Anything but [`FAR`] means that there is a way, and larger numbers stop at `FAR - 1`.
pub(crate) type Cost = u32;

/// There is no way.
pub(crate) const FAR: Cost = Cost::MAX;

/// The sum, as a cost.
pub(crate) fn plus(a: Cost, b: Cost) -> Cost {
    if a == FAR || b == FAR { FAR } else { a.saturating_add(b).min(FAR - 1) }
}

/// Costs of returning, and the control flow they were made from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Returns {
    pub(crate) predecessors: SecondaryMap<FuncId, Predecessors>,
    /// For each instruction the cost to the nearest `ret`, which itself has 0.
    to_return: SecondaryMap<FuncId, Vec<Cost>>,
    /// For each entry of the graph's `callees` the cost of coming back: 0 for one that need not be entered.
    through: Vec<Cost>,
}

impl Returns {
    /// Those of a program. The graph need not have its own yet.
    pub(crate) fn new(program: &Program, graph: &CallGraph) -> Self {
        let mut returns = Returns::default();
        let mut queue = BinaryHeap::new();
        for (func, function) in &program.functions {
            returns.predecessors[func] = Predecessors::of(function);
            returns.to_return[func] = vec![FAR; function.code.len()];
            let rets = (0..function.code.len()).filter(|&pc| matches!(function.code[pc], Inst::Ret { .. }));
            queue.extend(rets.map(|pc| Reverse((0, Site { func, pc: pc as u32 }))));
        }
        returns.through = graph.callees.iter().map(|c| if c.steps { 0 } else { FAR }).collect();
        while let Some(Reverse((cost, site))) = queue.pop() {
            let settled = &mut returns.to_return[site.func][site.pc as usize];
            if *settled == FAR {
                *settled = cost;
                returns.settle(program, graph, site, cost, &mut queue);
            }
        }
        returns
    }

    /// Passes a settled cost on to what may run before.
    fn settle(
        &mut self,
        program: &Program,
        graph: &CallGraph,
        site: Site,
        cost: Cost,
        queue: &mut BinaryHeap<Reverse<(Cost, Site)>>,
    ) {
        let function = &program.functions[site.func];
        for &pc in self.predecessors[site.func].before(site.pc) {
            let through = match function.code[pc as usize] {
                Inst::Call { call } => self.through[graph.callees_of(site.func, call)],
                _ => 0,
            };
            if through != FAR {
                queue.push(Reverse((plus(plus(cost, through), 1), Site { func: site.func, pc })));
            }
        }
        if site.pc != 0 {
            return;
        }
        for &ix in &graph.entered_by[site.func] {
            if self.through[ix] != FAR {
                continue;
            }
            self.through[ix] = cost;
            for &call in &graph.calls[ix] {
                let after = self.to_return[call.func][call.pc as usize + 1];
                if after != FAR {
                    queue.push(Reverse((plus(plus(after, cost), 1), call)));
                }
            }
        }
    }

    /// The cost from an instruction to the end of its function.
    pub(crate) fn from(&self, site: Site) -> Cost {
        self.to_return[site.func].get(site.pc as usize).copied().unwrap_or(FAR)
    }

    /// The cost of coming back from a call.
    pub(crate) fn through(&self, callees: CalleesIx) -> Cost {
        self.through[callees]
    }
}
