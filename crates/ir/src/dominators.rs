//! Which blocks every way to a block passes, and which every way from it.
//!
//! The algorithm is petgraph's (Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm", 2001); here are the graphs it works on,
//! and what a block that no way leads to, or from, means.
//!
//! Boundary: within one function, by its branches. A call is taken to come back; whether it does `callgraph` knows.

use cranelift_entity::EntityRef;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::function::Function;
use crate::program::BlockId;

/// A tree in which every block is below the one that is nearest among those it cannot do without.
#[derive(Clone, Debug)]
struct Tree {
    /// For each block how deep it is, and what is above it; nothing for a block that the root does not lead to.
    nodes: Vec<Option<(u32, Option<BlockId>)>>,
}

impl Tree {
    /// The tree of the blocks below `root`, by a graph whose nodes have the numbers of blocks; nodes beyond those are above all.
    fn new(graph: &DiGraph<(), ()>, root: NodeIndex, blocks: usize) -> Self {
        let found = simple_fast(graph, root);
        let above = |node: NodeIndex| found.immediate_dominator(node).filter(|above| above.index() < blocks);
        let mut nodes: Vec<Option<(u32, Option<BlockId>)>> = vec![None; blocks];
        for start in 0..blocks {
            // Down from the first one whose depth is known.
            let mut waiting = vec![NodeIndex::new(start)];
            while let Some(&node) = waiting.last() {
                if found.dominators(node).is_none() {
                    break;
                }
                let depth = match above(node) {
                    None => Some(0),
                    Some(above) => nodes[above.index()].map(|(depth, _)| depth + 1),
                };
                let Some(depth) = depth else {
                    waiting.extend(above(node));
                    continue;
                };
                nodes[node.index()] = Some((depth, above(node).map(|above| BlockId::new(above.index()))));
                waiting.pop();
            }
        }
        Tree { nodes }
    }

    fn has(&self, block: BlockId) -> bool {
        self.nodes[block.index()].is_some()
    }

    fn above(&self, block: BlockId) -> Option<BlockId> {
        self.nodes[block.index()]?.1
    }

    fn depth(&self, block: BlockId) -> Option<u32> {
        Some(self.nodes[block.index()]?.0)
    }

    fn is_above_or_same(&self, upper: BlockId, lower: BlockId) -> bool {
        let (Some(goal), Some(mut depth)) = (self.depth(upper), self.depth(lower)) else { return false };
        let mut block = lower;
        while depth > goal {
            block = self.above(block).expect("only the topmost is below nothing");
            depth -= 1;
        }
        block == upper
    }
}

fn graph(function: &Function) -> DiGraph<(), ()> {
    let mut graph = DiGraph::with_capacity(function.blocks.len(), function.edges.len());
    for _ in function.blocks.keys() {
        graph.add_node(());
    }
    for block in function.blocks.keys() {
        for to in function.blocks_after(block) {
            graph.add_edge(NodeIndex::new(block.index()), NodeIndex::new(to.index()), ());
        }
    }
    graph
}

/// For each block those that every way from the entry to it passes.
#[derive(Clone, Debug)]
pub struct Dominators(Tree);

impl Dominators {
    /// Those of a function that is defined.
    pub fn of(function: &Function) -> Self {
        Dominators(Tree::new(&graph(function), NodeIndex::new(0), function.blocks.len()))
    }

    /// Whether any way leads from the entry to a block.
    pub fn is_reached(&self, block: BlockId) -> bool {
        self.0.has(block)
    }

    /// The nearest other block that every way to `block` passes; none for the entry, and where no way leads.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.0.above(block)
    }

    /// Whether every way from the entry to `block` passes `by`, which may be `block` itself. Not where no way leads.
    pub fn dominates(&self, by: BlockId, block: BlockId) -> bool {
        self.0.is_above_or_same(by, block)
    }
}

/// For each block those that every way from it to an end of the function passes.
///
/// Where no end can be got to any more, a run may be thought to stop at any block: so a loop that never ends is passed by nothing that
/// is not before it.
#[derive(Clone, Debug)]
pub struct PostDominators(Tree);

impl PostDominators {
    /// Those of a function that is defined.
    pub fn of(function: &Function) -> Self {
        let mut graph = graph(function);
        graph.reverse();
        let end = graph.add_node(());
        let mut ends = vec![false; function.blocks.len()];
        let mut waiting = Vec::new();
        for block in function.blocks.keys().filter(|&block| function.edges_from(block).next().is_none()) {
            ends[block.index()] = true;
            waiting.push(NodeIndex::new(block.index()));
            graph.add_edge(end, NodeIndex::new(block.index()), ());
        }
        while let Some(node) = waiting.pop() {
            for before in graph.neighbors(node).collect::<Vec<_>>() {
                if !std::mem::replace(&mut ends[before.index()], true) {
                    waiting.push(before);
                }
            }
        }
        for (block, _) in ends.iter().enumerate().filter(|(_, ends)| !**ends) {
            graph.add_edge(end, NodeIndex::new(block), ());
        }
        PostDominators(Tree::new(&graph, end, function.blocks.len()))
    }

    /// The nearest other block that every way from `block` to an end passes, if there is one.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.0.above(block)
    }

    /// Whether every way from `block` to an end passes `by`, which may be `block` itself.
    pub fn dominates(&self, by: BlockId, block: BlockId) -> bool {
        self.0.is_above_or_same(by, block)
    }
}
