//! Symcretic execution (`symcretic`; Dinges and Agha, "Targeted test input generation using symbolic-concrete backward execution", 2014): from the goal back, one segment
//! after the other, to where the program begins.
//!
//! A node of the search is the end of a way to the goal ([`Suffix`]). It is checked by running it forward from any state ([`node_run`](super::node_run)): if that is shown to be impossible, so is all that is
//! before, and the node is closed. A branch that the solver has no answer to is skipped, and the rest of the way checked without it. A way that begins where the program does is run as
//! a whole, with nothing skipped: there the solver's heuristic search, the concolic walk, looks for the inputs, and what it finds the whole program executes.
//! All this happens in a slice of the program if there is one, so that what cannot matter is no choice.
//!
//! Invariant: when no node is left and none was given up, every way to the goal passes one that was closed, and the goal is unreachable. Only runs that were cut off
//! nowhere close a node.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use taw_engine::{GoalStep, TestCase};
use taw_ir::{BlockId, Site, Slicer};

use super::Barrier;
use super::node_run::{NodeFate, NodeRun, SymcreticCounts, WayBase};
use super::sides::{Side, Sides};
use super::slices::{Sliced, asks, has_loops, starts_of_numbers};
use super::suffix::{Before, Flow, Suffix, ends};
use crate::limits::LimitWatch;
use crate::{ErrorBefore, GoalOutcome, GoalVerdict, Proof};

/// How many branches one before the other each slice keeps that only keep paths from a goal; none: there is no slice.
const GUARDS: [Option<u32>; 3] = [Some(1), Some(4), None];
/// Ways of one slice that lead to the goal, and the program does not, before the next slice is looked at.
const IN_VAIN: usize = 4;
/// Nodes of one slice that are looked at before the next slice is looked at as well.
const PATIENCE: usize = 256;
/// Attempts with loops as functions.
const LOOP_ATTEMPTS: u32 = 3;
/// Turns of loops that are gone back through before loops as functions are run for longer: that takes a multiple.
const LATER: usize = 16;
/// The search from all goals.
#[derive(Default)]
pub(super) struct Symcretic<'p> {
    trees: VecDeque<Tree>,
    pub(super) counts: SymcreticCounts,
    /// What makes slices, once it is known whether there are any.
    slicer: Option<Option<Slicer<'p>>>,
}

/// What is known of a goal, and what is to be looked at next.
struct Tree {
    goal: usize,
    /// Which of the slices it is in.
    level: usize,
    base: Option<WayBase>,
    todo: BTreeMap<NodeRank, SuffixNode>,
    batches: u64,
    sides: Sides,
    /// Nodes that were looked at.
    looked: usize,
    /// Whole ways that led to the goal, but the whole program did not.
    in_vain: usize,
    closed: Vec<GoalOutcome>,
}

/// Nearest to where the program begins first; of those the last found, in the order of the program.
type NodeRank = ((usize, usize, usize), Reverse<u64>, usize);

/// The end of a way, and what may be before.
struct SuffixNode {
    suffix: Suffix,
    before: Vec<Before>,
    /// Whether there is more of it than of the one that it was made of.
    is_segment: bool,
    /// The choices that it is on one side of, the outermost first.
    sides: Vec<Side>,
    /// Whether it is run with loops as functions, and how often it was. Nothing is proved so: it is on no side.
    loops: Option<u32>,
}

/// What a piece of work has come to.
#[derive(Default)]
pub(super) struct SymcreticYield {
    pub(super) proved: Option<(usize, GoalOutcome)>,
    pub(super) met: Vec<(usize, TestCase)>,
}

impl<'p> Symcretic<'p> {
    /// From the goals that are open.
    pub(super) fn new(open: &[usize]) -> Self {
        let tree = |&goal: &usize| Tree {
            goal,
            level: 0,
            base: None,
            todo: BTreeMap::new(),
            batches: 0,
            sides: Sides::default(),
            looked: 0,
            in_vain: 0,
            closed: Vec::new(),
        };
        Symcretic { trees: open.iter().map(tree).collect(), ..Symcretic::default() }
    }

    pub(super) fn is_over(&self) -> bool {
        self.trees.is_empty()
    }

    pub(super) fn close(&mut self, goal: usize) {
        self.trees.retain(|tree| tree.goal != goal);
    }

    /// Looks at one node of one goal.
    pub(super) fn work(&mut self, sliced: &Sliced<'_, 'p>, watch: &mut LimitWatch<'_>) -> SymcreticYield {
        let Some(mut tree) = self.trees.pop_front() else { return SymcreticYield::default() };
        if tree.base.is_none() && !self.found(&mut tree, sliced) {
            return SymcreticYield::default();
        }
        let mut result = SymcreticYield::default();
        if let Some((_, node)) = tree.todo.pop_first() {
            tree.looked += 1;
            self.counts.segments += u64::from(node.is_segment);
            match tree.run(&node, sliced, &mut self.counts, watch) {
                NodeFate::Closed(outcome) => tree.closed.extend(node.loops.is_none().then_some(*outcome)),
                NodeFate::Possible => tree.expand(&node),
                NodeFate::GivenUp => tree.give_up(&node, true),
                NodeFate::Leads(met) => {
                    tree.give_up(&node, false);
                    tree.in_vain += 1;
                    result.met = met;
                }
            }
            tree.leave(&node);
        }
        let (goal, level, is_over) = (tree.goal, tree.level + 1, tree.todo.is_empty() || tree.in_vain >= IN_VAIN);
        if level < GUARDS.len() && (is_over || tree.looked == PATIENCE) {
            // What is left out may be what decides.
            let next = Symcretic::<'p>::new(&[goal]).trees.into_iter().map(|tree| Tree { level, ..tree });
            self.trees.extend(next.filter(|_| !tree.sides.is_closed()));
        }
        if tree.sides.is_closed() {
            result.proved = Some((goal, tree.outcome()));
        } else if !(tree.todo.is_empty() || is_over && level < GUARDS.len()) {
            self.trees.push_back(tree);
        }
        result
    }

    /// Makes the program that a tree is of, and its first nodes; false if there is none.
    fn found(&mut self, tree: &mut Tree, sliced: &Sliced<'_, 'p>) -> bool {
        if asks(sliced.program) {
            return false;
        }
        let Some(step) = sliced.plan.goals[tree.goal].steps.last() else { return false };
        let is_place = !matches!(step, GoalStep::Error(..));
        let can_slice = is_place && starts_of_numbers(sliced.program, sliced.plan);
        if !can_slice {
            tree.level = GUARDS.len() - 1;
        }
        let slice = GUARDS[tree.level].and_then(|guards| {
            let slicer = self.slicer.get_or_insert_with(|| sliced.slicer()).as_ref()?;
            slicer.slice(step.sites(), guards).ok()
        });
        let (program, step, is_slice) = match slice {
            Some(slice) => {
                let sites: Vec<Site> = step.sites().iter().filter_map(|site| slice.site(*site)).collect();
                (slice.program, GoalStep::Sites(sites), true)
            }
            None => {
                tree.level = GUARDS.len() - 1;
                (sliced.program.clone(), step.clone(), false)
            }
        };
        let flow = Flow::new(&program, sliced.engine, &sliced.plan.entries);
        let roots = ends(&program, step.sites(), !is_place);
        let has_loops = has_loops(&program);
        let base = tree.base.insert(WayBase { program, flow, step, is_slice, has_loops });
        let nodes: Vec<_> = roots.into_iter().filter_map(|root| base.flow.until_choice(&base.program, root)).collect();
        let node = |(suffix, before)| SuffixNode { suffix, before, is_segment: true, sides: Vec::new(), loops: None };
        tree.add(nodes.into_iter().map(node).collect());
        true
    }
}

impl Tree {
    fn add(&mut self, nodes: Vec<SuffixNode>) {
        let Some(base) = &mut self.base else { return };
        self.batches += 1;
        for (at, node) in nodes.into_iter().enumerate() {
            // Nothing is before: no branches and calls lead there.
            if node.before.is_empty() {
                continue;
            }
            let (rounds, calls, blocks) = base.flow.distance(&base.program, &node.suffix);
            let rounds = rounds + LATER * node.loops.map_or(0, |attempts| attempts as usize);
            if node.loops.is_none() {
                self.sides.enter(&node.sides);
            }
            self.todo.insert(((rounds, calls, blocks), Reverse(self.batches), at), node);
        }
    }

    /// A node was looked at.
    fn leave(&mut self, node: &SuffixNode) {
        let mut left = vec![node.sides.clone()];
        while let Some(sides) = left.pop().filter(|_| node.loops.is_none()) {
            for needless in self.sides.leave(&sides) {
                self.todo.retain(|_, other| {
                    let is_needless = other.sides.contains(&needless);
                    left.extend(is_needless.then(|| other.sides.clone()));
                    !is_needless
                });
            }
        }
    }

    /// Nobody knows what comes of a node. A whole way that was cut off is run again with loops as functions, and then for longer.
    fn give_up(&mut self, node: &SuffixNode, is_cut: bool) {
        if node.loops.is_none() {
            self.sides.give_up(&node.sides);
        }
        let attempts = node.loops.map_or(0, |attempts| attempts + 1);
        let has_loops = self.base.as_ref().is_some_and(|base| base.has_loops);
        if is_cut && node.before == [Before::Begins] && has_loops && attempts < LOOP_ATTEMPTS {
            let (suffix, before) = (node.suffix.clone(), vec![Before::Begins]);
            self.add(vec![SuffixNode { suffix, before, is_segment: false, sides: Vec::new(), loops: Some(attempts) }]);
        }
    }

    /// Goes back from a node by each choice that there is. A loop as a whole is one side of a choice, what else leads through it the other.
    fn expand(&mut self, node: &SuffixNode) {
        let Some(base) = &mut self.base else { return };
        let (mut nodes, mut common) = (Vec::new(), node.sides.clone());
        let mut wholes: Vec<(Rc<[BlockId]>, usize)> = Vec::new();
        for before in &node.before {
            let mut sides = common.clone();
            match before {
                Before::Unseen => self.sides.give_up(&common),
                Before::Around(_) => {
                    let choice = self.sides.choose();
                    sides.push((choice, 0));
                    common.push((choice, 1));
                }
                Before::Loop(blocks, _) => {
                    let choice = self.sides.choose();
                    sides.push((choice, 0));
                    wholes.push((Rc::clone(blocks), choice));
                }
                Before::Block(block, _) => {
                    let through = wholes.iter().filter(|(blocks, _)| blocks.contains(block));
                    sides.extend(through.map(|(_, choice)| (*choice, 1)));
                }
                Before::Call(_) | Before::Begins => {}
            }
            let (suffix, before, is_segment) = match before {
                Before::Unseen => continue,
                Before::Begins => (node.suffix.clone(), vec![Before::Begins], false),
                _ => match base.flow.back(&base.program, &node.suffix, before) {
                    Some((suffix, before)) => (suffix, before, true),
                    None => continue,
                },
            };
            nodes.push(SuffixNode { suffix, before, is_segment, sides, loops: None });
        }
        self.add(nodes);
    }

    /// Runs a node: as a whole if it begins where the program does, else from any state.
    fn run(
        &self,
        node: &SuffixNode,
        sliced: &Sliced<'_, '_>,
        counts: &mut SymcreticCounts,
        watch: &mut LimitWatch<'_>,
    ) -> NodeFate {
        let Some(base) = &self.base else { return NodeFate::GivenUp };
        let mut run = NodeRun { base, goal: self.goal, sliced, counts, watch };
        match node.before[..] {
            [Before::Begins] => run.whole(&node.suffix, node.loops),
            _ => run.check(&node.suffix),
        }
    }

    /// The goal is unreachable: every way there passes one of the nodes that were closed.
    fn outcome(&self) -> GoalOutcome {
        let told = self.closed.iter().find(|outcome| !outcome.conflict.is_empty());
        let is_slice = self.base.as_ref().is_some_and(|base| base.is_slice);
        let mut barred: BTreeSet<Barrier> = self.closed.iter().flat_map(|outcome| outcome.barred.clone()).collect();
        if self.closed.iter().any(|outcome| outcome.barred.is_empty()) {
            // It is known of where the program begins, and not of any other call.
            barred.clear();
        } else if self.batches > 1 {
            // From one place another way may have gone on, and been closed before.
            barred = barred.into_iter().map(|at| Barrier { from: None, ..at }).collect();
        }
        let mut unless: Vec<ErrorBefore> = Vec::new();
        for error in self.closed.iter().flat_map(|outcome| &outcome.unless) {
            if !unless.contains(error) {
                unless.push(error.clone());
            }
        }
        GoalOutcome {
            verdict: GoalVerdict::Unreachable(if is_slice { Proof::Slice } else { Proof::Backward }),
            time: Duration::ZERO,
            closest: None,
            conflict: told.map(|outcome| outcome.conflict.clone()).unwrap_or_default(),
            unless,
            barred: barred.into_iter().collect(),
        }
    }
}
