//! Proofs from the middle of a function: a place that every way to a goal in that function passes, and from which nothing gets there, whatever was before.
//!
//! The places are the blocks that dominate the goal's, nearest first, a few of them: what decides is mostly near. Each is the beginning of a function of its
//! own ([`from_block`]), in a copy of the program, and gets a fixed share of work. It ends where its block would begin again: whoever gets to the goal has
//! passed the block a last time, in the same call. Invariant: only a run that was cut off nowhere, met no error that a native run survives and
//! rests on no past says anything; what it found otherwise is forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use taw_engine::{Goal, GoalStep, StackEntry};
use taw_ir::{BlockId, Dominators, FuncId, Function, Origin, Program, Site, from_block, shifted_site};
use taw_search::Spent;

use super::Barrier;
use super::origin::{Found, plan_from, proves};
use crate::exploration::Exploration;
use crate::forward::Forward;
use crate::limits::LimitWatch;
use crate::{ErrorBefore, GoalOutcome, GoalVerdict, Plan};

/// Blocks that are tried of a goal's function, from the goal on.
const CLIMBS: usize = 8;
/// What one may cost, in [units](Spent::units).
const SHARE: u64 = 200_000;
/// In which order states are run: all of them must be, if the run is to say something.
const SEARCH: &str = "BFS";

/// Places in the middle of functions that are to be tried.
#[derive(Default)]
pub(super) struct Points {
    /// How far from its goal, the function, the block.
    todo: BTreeSet<(usize, FuncId, BlockId)>,
    /// For each function a copy of the program with all that begin in its middle.
    copies: BTreeMap<FuncId, Rc<Copy>>,
}

/// A program with functions that begin in the middle of another.
struct Copy {
    program: Program,
    middles: BTreeMap<BlockId, FuncId>,
}

/// What an attempt has shown.
pub(super) struct Tried {
    pub(super) func: FuncId,
    pub(super) spent: Spent,
    /// Goals whose places in the function nothing gets to.
    pub(super) dead: Vec<(usize, GoalOutcome)>,
}

impl Points {
    /// Those of the open goals.
    pub(super) fn new(program: &Program, plan: &Plan, open: &[usize]) -> Self {
        let mut todo = BTreeSet::new();
        for &goal in open {
            for (func, blocks) in blocks_of(program, &plan.goals[goal]) {
                let function = &program.functions[func];
                if function.origin == Origin::User {
                    let whole = |block: &BlockId| !is_in_condition(program, function, *block);
                    let dominating = dominating(function, &blocks).into_iter().filter(whole).enumerate();
                    todo.extend(dominating.take(CLIMBS).map(|(level, block)| (level, func, block)));
                }
            }
        }
        Points { todo, copies: BTreeMap::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.todo.is_empty()
    }

    /// Tries the next; nothing if that is of no use.
    pub(super) fn attempt(
        &mut self,
        program: &Program,
        plan: &Plan,
        open: &[usize],
        left: Option<Duration>,
        watch: &mut LimitWatch<'_>,
    ) -> Option<Tried> {
        let (_, func, block) = self.todo.pop_first()?;
        let function = &program.functions[func];
        let doms = Dominators::of(function);
        let is_behind = |goal: &usize| {
            let blocks = blocks_of(program, &plan.goals[*goal]);
            blocks.get(&func).is_some_and(|blocks| blocks.iter().all(|at| *at != block && doms.dominates(block, *at)))
        };
        let goals: Vec<usize> = open.iter().copied().filter(is_behind).collect();
        let wanted = self.todo.iter().filter(|(_, of, _)| *of == func).map(|(.., block)| *block).chain([block]);
        let copy = || Rc::new(Copy::of(program, func, wanted.collect()));
        let copy = Rc::clone(self.copies.entry(func).or_insert_with(copy));
        let middle = *copy.middles.get(&block).filter(|_| !goals.is_empty())?;
        let (spent, outcomes) = run(&copy.program, middle, func, plan, &goals, left, watch)?;
        let from = function.locs.get(function.blocks[block].start as usize).copied().flatten();
        let dead = goals.into_iter().zip(outcomes).filter_map(|(goal, outcome)| {
            let outcome = outcome?;
            Some((goal, GoalOutcome { barred: vec![Barrier { func, from }], ..outcome }))
        });
        Some(Tried { func, spent, dead: dead.collect() })
    }
}

/// Whether a block begins in the middle of the condition of a place: that is asked as a whole, or what it executes would count as the program's.
pub(super) fn is_in_condition(program: &Program, function: &Function, block: BlockId) -> bool {
    let block = &function.blocks[block];
    let first = (block.start..block.end).find_map(|pc| function.locs.get(pc as usize).copied().flatten());
    let root = std::iter::successors(first, |loc| program.locs[*loc].inlined_at).last();
    root.is_some_and(|loc| !program.files[program.locs[loc].file].is_programs())
}

impl Copy {
    /// With these blocks of a function, as far as one can start there.
    fn of(program: &Program, func: FuncId, blocks: BTreeSet<BlockId>) -> Self {
        let (mut program, function) = (program.clone(), &program.functions[func]);
        let mut middles = BTreeMap::new();
        for block in blocks {
            if let Some(middle) = from_block(&mut program, function, block) {
                let name = middle.name.clone();
                let id = program.functions.push(middle);
                program.names.insert(name, id);
                middles.insert(block, id);
            }
        }
        Copy { program, middles }
    }
}

/// Runs from the middle of a function until all is explored, a goal is reached, or the share is spent. For each goal what is known if nothing gets there.
fn run(
    program: &Program,
    middle: FuncId,
    func: FuncId,
    plan: &Plan,
    goals: &[usize],
    left: Option<Duration>,
    watch: &mut LimitWatch<'_>,
) -> Option<(Spent, Vec<Option<GoalOutcome>>)> {
    let mut plan = plan_from(&program.functions[middle].name, program, plan, SEARCH, left);
    // Nobody calls a function from its middle.
    plan.engine.shapes.alias = super::origin::without_callers(plan.engine.shapes.alias);
    plan.goals = goals.iter().map(|&goal| in_copy(&plan.goals[goal], func, middle)).collect();
    let forward = Forward::new(SEARCH, plan.seed).ok()?;
    let mut run = Exploration::by(Box::new(forward), program, &plan).ok()?;
    let found = Found::default();
    while run.spent().units() < SHARE && !run.is_over() && run.advance(watch, &mut &found).is_continue() {
        // Others are not looked for: that it can be reached from here is all that this would tell.
        found.take().into_iter().for_each(|(goal, _)| run.forget_goal(goal));
    }
    let summary = run.finish(None, watch, &mut &found);
    let is_proved = |goal: &GoalOutcome| proves(&summary, goal) && goal.unless.iter().all(|error| error.kind.traps());
    let outcome = |goal: &GoalOutcome| is_proved(goal).then(|| in_function(goal, middle, func));
    Some((run.spent(), summary.goals.iter().map(outcome).collect()))
}

/// A goal in the copy of its function. Another call of the function has a place of its own that it passes, so it need not be met there.
fn in_copy(goal: &Goal, func: FuncId, middle: FuncId) -> Goal {
    let copied = |sites: &[Site]| -> Vec<Site> {
        sites.iter().filter(|site| site.func == func).map(|site| shifted_site(*site, middle)).collect()
    };
    let step = |step: &GoalStep| match step {
        GoalStep::Sites(sites) | GoalStep::Label(_, sites) => GoalStep::Sites(copied(sites)),
        GoalStep::Error(error, sites) => GoalStep::Error(*error, copied(sites)),
    };
    Goal { name: goal.name.clone(), steps: goal.steps.iter().map(step).collect() }
}

/// An outcome in terms of the function that the copy is of.
fn in_function(outcome: &GoalOutcome, middle: FuncId, func: FuncId) -> GoalOutcome {
    let entry = |entry: &StackEntry| match entry.function == middle {
        true => StackEntry { function: func, ..entry.clone() },
        false => entry.clone(),
    };
    let conflict = outcome.conflict.iter().map(|(at, held)| (entry(at), *held)).collect();
    let error = |error: &ErrorBefore| ErrorBefore { stack: error.stack.iter().map(entry).collect(), ..*error };
    let unless = outcome.unless.iter().map(error).collect();
    GoalOutcome { verdict: GoalVerdict::clone(&outcome.verdict), closest: None, conflict, unless, ..outcome.clone() }
}

/// The blocks in which a goal's last step lies, by function.
fn blocks_of(program: &Program, goal: &Goal) -> BTreeMap<FuncId, BTreeSet<BlockId>> {
    let mut blocks: BTreeMap<FuncId, BTreeSet<BlockId>> = BTreeMap::new();
    for site in goal.steps.last().map_or(&[][..], GoalStep::sites) {
        let function = &program.functions[site.func];
        let block = function.blocks.iter().find(|(_, block)| (block.start..block.end).contains(&site.pc));
        blocks.entry(site.func).or_default().extend(block.map(|(id, _)| id));
    }
    blocks
}

/// The other blocks that every way to all of these passes, nearest first, without the one that the function begins with.
fn dominating(function: &Function, blocks: &BTreeSet<BlockId>) -> Vec<BlockId> {
    let doms = Dominators::of(function);
    let Some(&first) = blocks.first() else { return Vec::new() };
    let above = std::iter::successors(doms.immediate(first), |block| doms.immediate(*block));
    let passes_all = |block: &BlockId| blocks.iter().all(|at| at != block && doms.dominates(*block, *at));
    let mut all: Vec<BlockId> = above.filter(passes_all).collect();
    all.pop_if(|last| doms.immediate(*last).is_none());
    all
}
