//! The binary execution tree over the pending states, and uniform walks down it.
//!
//! Leaves are the pending states; an inner node is a fork both sides of which still have pending states (a node that
//! loses a side is replaced by the other: walks are the same, and n states need 2n - 1 nodes).
//! A walk takes either side of each fork with equal chance, so that a loop that forks without end does not drown the
//! states beside it. Its expected length is the entropy of the choice, hence at most log2 n, however skewed the tree.

use std::collections::HashMap;

use rand::{Rng, RngExt};

use crate::StateId;

/// Index into `ExecutionTree::nodes`.
type NodeIx = usize;

#[derive(Debug, Clone, Copy)]
enum NodeKind {
    Leaf(StateId),
    Fork([NodeIx; 2]),
}

#[derive(Debug, Clone, Copy)]
struct TreeNode {
    parent: Option<NodeIx>,
    kind: NodeKind,
}

/// The execution tree.
#[derive(Debug, Default)]
pub(crate) struct ExecutionTree {
    nodes: Vec<TreeNode>,
    free: Vec<NodeIx>,
    root: Option<NodeIx>,
    leaf_of: HashMap<StateId, NodeIx>,
}

impl ExecutionTree {
    /// Splits the leaf of `parent` into itself and `id`; without a parent in the tree, splits the root.
    pub(crate) fn fork(&mut self, parent: Option<StateId>, id: StateId) {
        let leaf = self.allocate(TreeNode { parent: None, kind: NodeKind::Leaf(id) });
        self.leaf_of.insert(id, leaf);
        let Some(at) = parent.and_then(|p| self.leaf_of.get(&p).copied()).or(self.root) else {
            self.root = Some(leaf);
            return;
        };
        let above = self.nodes[at].parent;
        let fork = self.allocate(TreeNode { parent: above, kind: NodeKind::Fork([at, leaf]) });
        self.nodes[at].parent = Some(fork);
        self.nodes[leaf].parent = Some(fork);
        self.replace_child(above, at, fork);
    }

    /// Takes the leaf of `id` away, and the fork it was a side of.
    pub(crate) fn remove(&mut self, id: StateId) {
        let Some(leaf) = self.leaf_of.remove(&id) else { return };
        self.free.push(leaf);
        let Some(fork) = self.nodes[leaf].parent else {
            self.root = None;
            return;
        };
        let NodeKind::Fork([left, right]) = self.nodes[fork].kind else { unreachable!("a parent is a fork") };
        let sibling = if left == leaf { right } else { left };
        let above = self.nodes[fork].parent;
        self.nodes[sibling].parent = above;
        self.replace_child(above, fork, sibling);
        self.free.push(fork);
    }

    /// Walks from the root to a leaf, either way with equal chance at each fork.
    pub(crate) fn walk(&self, random: &mut impl Rng) -> Option<StateId> {
        let mut at = self.root?;
        loop {
            match self.nodes[at].kind {
                NodeKind::Leaf(id) => return Some(id),
                NodeKind::Fork(sides) => at = sides[usize::from(random.random::<bool>())],
            }
        }
    }

    /// Makes `new` the child of `above` (the root, if none) that `old` was.
    fn replace_child(&mut self, above: Option<NodeIx>, old: NodeIx, new: NodeIx) {
        match above.map(|ix| &mut self.nodes[ix].kind) {
            None => self.root = Some(new),
            Some(NodeKind::Fork(sides)) => sides[usize::from(sides[1] == old)] = new,
            Some(NodeKind::Leaf(_)) => unreachable!("a parent is a fork"),
        }
    }

    fn allocate(&mut self, node: TreeNode) -> NodeIx {
        match self.free.pop() {
            Some(ix) => {
                self.nodes[ix] = node;
                ix
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        }
    }
}
