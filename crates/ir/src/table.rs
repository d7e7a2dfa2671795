//! Shortest distances from every instruction to the nearest of a set of instructions, entering callees but not callers.
//!
//! These are the N- and S-paths of the dissertation ("Directed Symbolic Execution", figure 3.2), with the numbers of the
//! facts: a target has 0, any other instruction one more than its nearest successor, and a call one more than the nearer of
//! its nearest callee's entry and the way through its cheapest callee to the instruction after it.
//!
//! Every distance knows the target it leads to, so that a target can be taken away without starting over: only the
//! distances that led to it are made anew, from the others around them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use cranelift_entity::SecondaryMap;

use crate::callgraph::{CallGraph, CalleesIx, Site};
use crate::inst::Inst;
use crate::program::{FuncId, Program};
use crate::returns::{Cost, FAR, plus};

/// A distance and the target it leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct NearestSite {
    cost: Cost,
    /// Its position among the targets that the table was made for.
    target: u32,
}

impl NearestSite {
    const NONE: NearestSite = NearestSite { cost: FAR, target: u32::MAX };

    fn longer(self, by: Cost) -> NearestSite {
        NearestSite { cost: plus(self.cost, by), ..self }
    }
}

/// What has a distance: an instruction, or "to enter one of these callees".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum DistanceNode {
    At(Site),
    Enter(CalleesIx),
}

/// Whether the ways into callees count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// They do.
    Whole,
    /// They do not: a callee can only be run through.
    Intra,
}

type DistanceQueue = BinaryHeap<Reverse<(NearestSite, DistanceNode)>>;

/// The distances.
#[derive(Clone, Debug)]
pub(crate) struct DistanceTable {
    scope: Scope,
    /// The number of each target that is left.
    numbers: HashMap<Site, u32>,
    /// Which numbers are of targets that were taken away.
    removed: Vec<bool>,
    /// For each function that a target can be reached from without returning from it, its instructions.
    ways: SecondaryMap<FuncId, Option<Box<[NearestSite]>>>,
    enter: Vec<NearestSite>,
}

impl DistanceTable {
    /// The distances to the nearest of `targets`.
    pub(crate) fn new(program: &Program, graph: &CallGraph, targets: &[Site], scope: Scope) -> Self {
        let mut table = DistanceTable {
            scope,
            // Of places that are named twice the first number counts.
            numbers: targets.iter().enumerate().rev().map(|(i, &site)| (site, i as u32)).collect(),
            removed: vec![false; targets.len()],
            ways: SecondaryMap::new(),
            enter: vec![NearestSite::NONE; graph.callees.len()],
        };
        let start =
            |(i, &site): (usize, &Site)| Reverse((NearestSite { cost: 0, target: i as u32 }, DistanceNode::At(site)));
        table.spread(program, graph, targets.iter().enumerate().map(start).collect());
        table
    }

    /// The distance from an instruction.
    pub(crate) fn from(&self, site: Site) -> Cost {
        self.way(site).cost
    }

    /// Takes targets away, all at once: one after the other, what lies before them would be made anew for each.
    pub(crate) fn remove(&mut self, program: &Program, graph: &CallGraph, targets: &[Site]) {
        let mut next: Vec<DistanceNode> = Vec::new();
        for target in targets {
            if let Some(number) = self.numbers.remove(target) {
                self.removed[number as usize] = true;
                next.push(DistanceNode::At(*target));
            }
        }
        let mut lost = Vec::new();
        while let Some(node) = next.pop() {
            let removed = |way: &NearestSite, removed: &[bool]| removed.get(way.target as usize) == Some(&true);
            if self.way_of(node).is_some_and(|way| removed(&way, &self.removed)) {
                *self.slot(node).expect("just seen") = NearestSite::NONE;
                lost.push(node);
                self.for_each_before(graph, node, |before| next.push(before));
            }
        }
        let again = lost.into_iter().map(|node| Reverse((self.look_ahead(program, graph, node), node)));
        let queue = again.filter(|Reverse((way, _))| way.cost != FAR).collect();
        self.spread(program, graph, queue);
    }

    fn way(&self, site: Site) -> NearestSite {
        self.ways[site.func].as_ref().and_then(|ways| ways.get(site.pc as usize)).copied().unwrap_or(NearestSite::NONE)
    }

    /// Settles what is in the queue, nearest first, and passes it on against the control flow (Dijkstra).
    fn spread(&mut self, program: &Program, graph: &CallGraph, mut queue: DistanceQueue) {
        while let Some(Reverse((way, node))) = queue.pop() {
            if let DistanceNode::At(Site { func, .. }) = node {
                let length = program.functions[func].code.len();
                self.ways[func].get_or_insert_with(|| vec![NearestSite::NONE; length].into());
            }
            if let Some(settled) = self.slot(node).filter(|way| way.cost == FAR) {
                *settled = way;
                self.pass_on(program, graph, way, node, &mut queue);
            }
        }
    }

    fn way_of(&self, node: DistanceNode) -> Option<NearestSite> {
        match node {
            DistanceNode::Enter(ix) => self.enter.get(ix).copied(),
            DistanceNode::At(site) => Some(self.way(site)),
        }
    }

    fn slot(&mut self, node: DistanceNode) -> Option<&mut NearestSite> {
        match node {
            DistanceNode::Enter(ix) => self.enter.get_mut(ix),
            DistanceNode::At(site) => self.ways[site.func].as_mut()?.get_mut(site.pc as usize),
        }
    }

    fn pass_on(
        &self,
        program: &Program,
        graph: &CallGraph,
        way: NearestSite,
        node: DistanceNode,
        queue: &mut DistanceQueue,
    ) {
        self.for_each_before(graph, node, |before| {
            let by = match (node, before) {
                (_, DistanceNode::Enter(_)) => 0,
                (DistanceNode::Enter(_), DistanceNode::At(_)) => 1,
                (DistanceNode::At(_), DistanceNode::At(site)) => plus(1, through(program, graph, site)),
            };
            let longer = way.longer(by);
            if longer.cost != FAR {
                queue.push(Reverse((longer, before)));
            }
        });
    }

    /// What may come right before a node.
    fn for_each_before(&self, graph: &CallGraph, node: DistanceNode, mut visit: impl FnMut(DistanceNode)) {
        match node {
            DistanceNode::Enter(ix) => graph.calls[ix].iter().for_each(|&call| visit(DistanceNode::At(call))),
            DistanceNode::At(Site { func, pc }) => {
                let before = graph.returns.predecessors[func].before(pc);
                before.iter().for_each(|&pc| visit(DistanceNode::At(Site { func, pc })));
                if pc == 0 && self.scope == Scope::Whole {
                    graph.entered_by[func].iter().for_each(|&ix| visit(DistanceNode::Enter(ix)));
                }
            }
        }
    }

    /// The way of a node by those of its successors.
    fn look_ahead(&self, program: &Program, graph: &CallGraph, node: DistanceNode) -> NearestSite {
        let site = match node {
            DistanceNode::Enter(ix) => {
                let entries = graph.callees[ix].enters.iter().map(|&func| self.way(Site { func, pc: 0 }));
                return entries.min().unwrap_or(NearestSite::NONE);
            }
            DistanceNode::At(site) => site,
        };
        let function = &program.functions[site.func];
        let entering = match function.code[site.pc as usize] {
            Inst::Call { call } => self.enter[graph.callees_of(site.func, call)],
            _ => NearestSite::NONE,
        };
        let through = through(program, graph, site);
        let on = function.successors(site.pc).map(|pc| self.way(Site { func: site.func, pc }).longer(through)).min();
        on.unwrap_or(NearestSite::NONE).min(entering).longer(1)
    }
}

/// What an instruction costs beyond itself: for a call, the way through its cheapest callee.
fn through(program: &Program, graph: &CallGraph, site: Site) -> Cost {
    match program.functions[site.func].code[site.pc as usize] {
        Inst::Call { call } => graph.returns.through(graph.callees_of(site.func, call)),
        _ => 0,
    }
}
