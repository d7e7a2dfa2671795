//! Symcretic execution (`symcretic`; Dinges and Agha, "Targeted test input generation using symbolic-concrete backward execution", 2014): from the goal back, one segment
//! after the other, to where the program begins.
//!
//! A node of the search is the end of a way to the goal ([`Suffix`]). It is checked by running it forward from any state ([`Traced`]): if that is shown to be impossible, so is all that is
//! before, and the node is closed. A branch that the solver has no answer to is skipped, and the rest of the way checked without it. A way that begins where the program does is run as
//! a whole, with nothing skipped: there the solver's heuristic search, the concolic walk, looks for the inputs, and what it finds the whole program executes ([`try_inputs`]).
//! All this happens in a slice of the program if there is one, so that what cannot matter is no choice.
//!
//! Invariant: when no node is left and none was given up, every way to the goal passes one that was closed, and the goal is unreachable. Only runs that were cut off
//! nowhere close a node.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use taw_engine::{Goal, GoalStep, Outcome, Reception, Refusal, Sink, StackEntry, TestCase, entry_obstacle};
use taw_ir::{BlockId, Origin, Program, Site, Slicer};
use taw_search::Spent;

use super::Barrier;
use super::origin::{plan_from, proves, without_callers};
use super::points::is_in_condition;
use super::sides::{Side, Sides};
use super::slices::{Sliced, has_loops, starts_of_numbers, take_loops};
use super::suffix::{Before, Flow, Suffix, ends};
use super::trace::{Beginning, Traced, Untraced, first_block};
use crate::exploration::Exploration;
use crate::forward::Forward;
use crate::limits::LimitWatch;
use crate::trial::{try_inputs, try_long};
use crate::{ErrorBefore, GoalOutcome, GoalVerdict, Limits, Plan, Proof, Summary};

/// How many branches one before the other each slice keeps that only keep paths from a goal; none: there is no slice.
const GUARDS: [Option<u32>; 3] = [Some(1), Some(4), None];
/// What checking a node may cost, in [units](Spent::units), and what running a whole way may.
const CHECK: u64 = 200_000;
const WHOLE: u64 = 4_000_000;
/// Inputs of one way that the whole program is tried on in vain before the next is looked at, and ways of one slice before the next slice is.
const IN_VAIN: usize = 4;
/// Nodes of one slice that are looked at before the next slice is looked at as well.
const PATIENCE: usize = 256;
/// Attempts with loops as functions.
const LOOP_ATTEMPTS: u32 = 2;
/// Turns of loops that are gone back through before loops as functions are run for longer: that takes a multiple.
const LATER: usize = 16;
/// In which order the ways through callees are tried.
const SEARCH: &str = "RR(RP,SDSE)";

/// What was done, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct SymcreticCounts {
    pub(super) segments: u64,
    pub(super) skipped: u64,
    pub(super) wholes: u64,
    pub(super) spent: Spent,
}

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
    base: Option<Base>,
    todo: BTreeMap<NodeRank, Node>,
    batches: u64,
    sides: Sides,
    /// Nodes that were looked at.
    looked: usize,
    /// Whole ways that led to the goal, but the whole program did not.
    in_vain: usize,
    closed: Vec<GoalOutcome>,
}

/// The program that the ways are of.
struct Base {
    program: Program,
    flow: Flow,
    step: GoalStep,
    is_slice: bool,
    /// Whether the user's code has loops.
    has_loops: bool,
}

/// Nearest to where the program begins first; of those the last found, in the order of the program.
type NodeRank = ((usize, usize, usize), Reverse<u64>, usize);

/// The end of a way, and what may be before.
struct Node {
    suffix: Suffix,
    before: Vec<Before>,
    /// Whether there is more of it than of the one that it was made of.
    is_segment: bool,
    /// The choices that it is on one side of, the outermost first.
    sides: Vec<Side>,
    /// Whether it is run with loops as functions, and how often it was. Nothing is proved so: it is on no side.
    loops: Option<u32>,
}

/// What came of a run.
enum NodeFate {
    /// It is impossible.
    Closed(Box<GoalOutcome>),
    /// It may be.
    Possible,
    /// Nobody knows, and nothing is left to be done about it.
    GivenUp,
    /// It leads there. On its inputs the whole program got to these goals; not to this one, it may be.
    Leads(Vec<(usize, TestCase)>),
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
        } else if !tree.todo.is_empty() && !(is_over && level < GUARDS.len()) {
            self.trees.push_back(tree);
        }
        result
    }

    /// Makes the program that a tree is of, and its first nodes; false if there is none.
    fn found(&mut self, tree: &mut Tree, sliced: &Sliced<'_, 'p>) -> bool {
        let Some(step) = sliced.plan.goals[tree.goal].steps.last() else { return false };
        let is_place = !matches!(step, GoalStep::Error(..));
        let can_slice = is_place && starts_of_numbers(sliced.program, sliced.plan);
        if !can_slice {
            tree.level = GUARDS.len() - 1;
        }
        let slice = GUARDS[tree.level].and_then(|guards| {
            let slicer = || {
                let points_to = Rc::new(sliced.points_to());
                sliced.engine.slicer(sliced.graph, points_to, &sliced.entries()).ok()
            };
            let slicer = self.slicer.get_or_insert_with(slicer).as_ref()?;
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
        let base = tree.base.insert(Base { program, flow, step, is_slice, has_loops });
        let nodes: Vec<_> = roots.into_iter().filter_map(|root| base.flow.to_choice(&base.program, root)).collect();
        let node = |(suffix, before)| Node { suffix, before, is_segment: true, sides: Vec::new(), loops: None };
        tree.add(nodes.into_iter().map(node).collect());
        true
    }
}

impl Tree {
    fn add(&mut self, nodes: Vec<Node>) {
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
    fn leave(&mut self, node: &Node) {
        let mut left = vec![node.sides.clone()];
        while let Some(sides) = left.pop().filter(|_| node.loops.is_none()) {
            for needless in self.sides.leave(&sides) {
                let is_needless = |other: &Node| other.sides.contains(&needless);
                let gone = self.todo.extract_if(.., |_, other| is_needless(other));
                left.extend(gone.map(|(_, other)| other.sides));
            }
        }
    }

    /// Nobody knows what comes of a node. A whole way that was cut off is run again with loops as functions, and then for longer.
    fn give_up(&mut self, node: &Node, is_cut: bool) {
        if node.loops.is_none() {
            self.sides.give_up(&node.sides);
        }
        let attempts = node.loops.map_or(0, |attempts| attempts + 1);
        let has_loops = self.base.as_ref().is_some_and(|base| base.has_loops);
        if is_cut && node.before == [Before::Begins] && has_loops && attempts < LOOP_ATTEMPTS {
            let (suffix, before) = (node.suffix.clone(), vec![Before::Begins]);
            self.add(vec![Node { suffix, before, is_segment: false, sides: Vec::new(), loops: Some(attempts) }]);
        }
    }

    /// Goes back from a node by each choice that there is. A loop as a whole is one side of a choice, what else leads through it the other.
    fn expand(&mut self, node: &Node) {
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
            nodes.push(Node { suffix, before, is_segment, sides, loops: None });
        }
        self.add(nodes);
    }

    /// Runs a node: as a whole if it begins where the program does, else from any state.
    fn run(
        &self,
        node: &Node,
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

/// One node that is run.
struct NodeRun<'a, 'b, 'p, 'w> {
    base: &'a Base,
    goal: usize,
    sliced: &'a Sliced<'b, 'p>,
    counts: &'a mut SymcreticCounts,
    watch: &'a mut LimitWatch<'w>,
}

/// What a run met.
#[derive(Default)]
struct Noted {
    tests: RefCell<Vec<TestCase>>,
    /// Branches that the solver had no answer to.
    unanswered: RefCell<Vec<Site>>,
}

impl Sink for &Noted {
    fn path(&mut self, test: &TestCase) {
        if let (Outcome::Unknown(_), Some(last)) = (&test.outcome, test.path.last()) {
            self.unanswered.borrow_mut().push(Site { func: last.func, pc: last.pc });
        }
    }

    fn reached(&mut self, _: usize, test: &TestCase) -> Reception {
        self.tests.borrow_mut().push(test.clone());
        Reception::Refused(Refusal::NotConfirmed("the whole program decides".to_owned()))
    }
}

impl NodeRun<'_, '_, '_, '_> {
    fn goal_of(&self, traced: &Traced) -> Vec<Goal> {
        vec![Goal { name: self.sliced.plan.goals[self.goal].name.clone(), steps: vec![traced.step.clone()] }]
    }

    /// Whether something gets to the goal by this way, from any state.
    fn check(&mut self, suffix: &Suffix) -> NodeFate {
        let mut suffix = suffix.clone();
        loop {
            let way = suffix.outer();
            let function = &self.base.program.functions[way.func];
            let starts_here = match way.start() == first_block() {
                true => !function.variadic && entry_obstacle(&self.base.program, function).is_none(),
                false => !is_in_condition(&self.base.program, function, way.start()),
            };
            if function.origin != Origin::User || !starts_here {
                return NodeFate::Possible;
            }
            let traced = match Traced::of(&self.base.program, &suffix, &self.base.step, Beginning::Anywhere) {
                Ok(traced) => traced,
                Err(Untraced::Start) => return NodeFate::Possible,
                Err(Untraced::Call) => return NodeFate::GivenUp,
            };
            let name = &traced.program.functions[traced.start].name;
            let mut plan = plan_from(name, &traced.program, self.sliced.plan, SEARCH, self.sliced.left);
            // Nobody calls a function from its middle.
            plan.engine.shapes.alias = without_callers(plan.engine.shapes.alias);
            plan.goals = self.goal_of(&traced);
            let (noted, mut is_met) = (Noted::default(), false);
            let summary = self.explore(&traced, &plan, CHECK, &noted, |_, _| {
                is_met = true;
                true
            });
            let Some(summary) = summary.filter(|_| !is_met) else { return NodeFate::Possible };
            let outcome = &summary.goals[0];
            if proves(&summary, outcome) && outcome.unless.iter().all(|error| error.kind.traps()) {
                return NodeFate::Closed(Box::new(self.outcome(outcome, &suffix, &traced)));
            }
            let unanswered = noted.unanswered.take();
            let skipped = unanswered.iter().filter_map(|site| traced.branch(&self.base.program, &suffix, *site));
            let before = suffix.skipped.len();
            let skipped: Vec<(usize, usize)> = skipped.collect();
            suffix.skipped.extend(skipped);
            self.counts.skipped += (suffix.skipped.len() - before) as u64;
            if suffix.skipped.len() == before {
                return NodeFate::Possible;
            }
        }
    }

    /// Runs a way from where the program begins, and the whole program on the inputs that it finds.
    fn whole(&mut self, suffix: &Suffix, loops: Option<u32>) -> NodeFate {
        self.counts.wholes += 1;
        let all = Suffix { skipped: BTreeSet::new(), ..suffix.clone() };
        let Ok(traced) = Traced::of(&self.base.program, &all, &self.base.step, Beginning::Entry) else {
            return NodeFate::GivenUp;
        };
        let (sliced, goal) = (self.sliced, self.goal);
        let mut engine = sliced.plan.engine.clone();
        engine.seeds.clear();
        let limits = Limits { time: sliced.left, paths: None, instructions: None, ..sliced.plan.limits.clone() };
        let entries = vec![traced.program.functions[traced.start].name.clone()];
        let goals = self.goal_of(&traced);
        let mut plan = Plan { entries, search: SEARCH.to_owned(), limits, engine, goals, ..sliced.plan.clone() };
        let most = loops.map_or(WHOLE, |attempts| take_loops(&mut plan, attempts));
        let (noted, mut met, mut in_vain) = (Noted::default(), Vec::new(), 0);
        let mut tried = Spent::default();
        // What turn by turn is too much may be little as functions.
        let share = if self.base.has_loops && loops.is_none() { CHECK } else { WHOLE };
        let summary = self.explore(&traced, &plan, share, &noted, |watch, tests| {
            for test in tests {
                let tries = if loops.is_some() { try_long } else { try_inputs };
                let trial = tries(sliced.program, sliced.plan, &test.inputs, most, sliced.left, watch);
                tried = tried + trial.spent;
                in_vain += usize::from(!trial.met.iter().any(|(other, _)| *other == goal));
                met.extend(trial.met);
            }
            !met.is_empty() || in_vain >= IN_VAIN
        });
        self.counts.spent = self.counts.spent + tried;
        if !met.is_empty() || in_vain > 0 {
            return NodeFate::Leads(met);
        }
        let is_proved = |summary: &Summary| {
            matches!(summary.goals[0].verdict, GoalVerdict::Unreachable(_)) && summary.premises.is_empty()
        };
        match summary.filter(is_proved) {
            Some(summary) => {
                let outcome = self.outcome(&summary.goals[0], suffix, &traced);
                NodeFate::Closed(Box::new(GoalOutcome { barred: Vec::new(), ..outcome }))
            }
            None => NodeFate::GivenUp,
        }
    }

    /// Explores until all is, the share is spent, or whoever looks at the tests has enough.
    fn explore(
        &mut self,
        traced: &Traced,
        plan: &Plan,
        share: u64,
        noted: &Noted,
        mut is_enough: impl FnMut(&mut LimitWatch<'_>, Vec<TestCase>) -> bool,
    ) -> Option<Summary> {
        let forward = Forward::new(&plan.search, plan.seed).ok()?;
        let mut run = Exploration::by(Box::new(forward), &traced.program, plan).ok()?;
        while run.spent().units() < share && !run.is_over() {
            if run.advance(self.watch, &mut &*noted).is_break() {
                break;
            }
            let tests = noted.tests.take();
            if !tests.is_empty() && is_enough(self.watch, tests) {
                break;
            }
        }
        let summary = run.finish(None, self.watch, &mut &*noted);
        self.counts.spent = self.counts.spent + run.spent();
        Some(summary)
    }

    /// An outcome in terms of the program.
    fn outcome(&self, outcome: &GoalOutcome, suffix: &Suffix, traced: &Traced) -> GoalOutcome {
        let entry = |entry: &StackEntry| StackEntry { function: traced.origin(entry.function), ..entry.clone() };
        let conflict = outcome.conflict.iter().map(|(at, held)| (entry(at), *held)).collect();
        let error = |error: &ErrorBefore| ErrorBefore { stack: error.stack.iter().map(entry).collect(), ..*error };
        let way = suffix.outer();
        let function = &self.base.program.functions[way.func];
        let from = function.locs.get(function.blocks[way.start()].start as usize).copied().flatten();
        let barred = vec![Barrier { func: way.func, from: from.filter(|_| way.start() != first_block()) }];
        let unless = outcome.unless.iter().map(error).collect();
        GoalOutcome { closest: None, conflict, unless, barred, time: Duration::ZERO, ..outcome.clone() }
    }
}
