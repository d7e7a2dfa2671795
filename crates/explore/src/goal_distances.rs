//! Places to be reached, and how far states are from them.
//!
//! A goal is one or more steps that a path must pass in order, each at one of some instructions; the last is the place
//! itself. Which are open, [`Goals`] knows, and whoever asks hands it over. Nearly all have one step: those share one table of distances, from which a goal is taken away when it is
//! closed. The others (stack traces) have a table per step, made when first asked for, as has a goal when it is asked for
//! by itself.

use std::cell::OnceCell;
use std::rc::Rc;

use taw_engine::{Goals, Phase, State};
use taw_ir::{CallGraph, Distances, FuncId, Program, Site};
use taw_search::GoalId;

/// A goal: per step the instructions at which it is passed.
pub type Steps = Vec<Vec<Site>>;

/// How far it is to the goals of a run. Which are open is not kept here but in [`Goals`].
#[derive(Debug)]
pub struct GoalDistances<'p> {
    program: &'p Program,
    graph: Rc<CallGraph>,
    goals: Vec<WaysToGoal>,
    /// To the nearest open goal of one step.
    nearest: Distances,
}

#[derive(Debug)]
struct WaysToGoal {
    steps: Steps,
    /// Per step the distances to it, and the shortest way from it through the steps after it.
    ways: Vec<OnceCell<(Distances, u64)>>,
}

impl<'p> GoalDistances<'p> {
    /// All open. A goal's number is its position. `graph` is the program's.
    pub fn new(program: &'p Program, graph: Rc<CallGraph>, goals: Vec<Steps>) -> Self {
        let plain: Vec<Site> = goals.iter().filter(|steps| steps.len() == 1).flatten().flatten().copied().collect();
        let nearest = Distances::to(program, &graph, &plain);
        let goal = |steps: Steps| WaysToGoal { ways: vec![OnceCell::new(); steps.len()], steps };
        GoalDistances { program, graph, goals: goals.into_iter().map(goal).collect(), nearest }
    }

    /// The goal has just been closed: nothing is near because of it any more.
    pub fn close(&mut self, goals: &Goals, goal: GoalId) {
        let closed = &self.goals[goal.0 as usize];
        if closed.steps.len() != 1 {
            return;
        }
        let sites = closed.steps[0].clone();
        let plain = || goals.open().map(|goal| &self.goals[goal].steps).filter(|steps| steps.len() == 1);
        let shared = |site: &Site| plain().any(|steps| steps[0].contains(site));
        let gone: Vec<Site> = sites.into_iter().filter(|site| !shared(site)).collect();
        self.nearest.remove(self.program, &self.graph, &gone);
    }

    /// The distance of a state to the nearest open goal; `None` means that none can be reached any more.
    ///
    /// `passed` says for each goal how many of its steps the state has passed; those at the end may be missing.
    pub fn distance(&self, goals: &Goals, state: &State, passed: &[u16]) -> Option<u64> {
        let many = goals.open().filter(|&goal| self.goals[goal].steps.len() > 1);
        let many = many.filter_map(|goal| self.distance_to(state, goal_id(goal), passed)).min();
        measure(&self.nearest, state, self.program).into_iter().chain(many).min()
    }

    /// The distance of a state to one goal.
    pub fn distance_to(&self, state: &State, goal: GoalId, passed: &[u16]) -> Option<u64> {
        let passed = passed.get(goal.0 as usize).copied().unwrap_or(0);
        let goal = &self.goals[goal.0 as usize];
        let step = usize::from(passed).min(goal.steps.len() - 1);
        let (distances, rest) = self.way(goal, step);
        Some(measure(distances, state, self.program)? + rest)
    }

    /// As [`distance`](Self::distance), for goals of one step and without ways into callees.
    pub fn distance_intra(&self, state: &State) -> Option<u64> {
        self.nearest.intra_from_stack(stack(state))
    }

    fn way<'a>(&self, goal: &'a WaysToGoal, step: usize) -> &'a (Distances, u64) {
        goal.ways[step].get_or_init(|| {
            let sites = &goal.steps[step];
            let rest = match goal.steps.len() {
                len if step + 1 == len => 0,
                _ => {
                    let (next, rest) = self.way(goal, step + 1);
                    // If the next step is not further in, it is further out: at least one more instruction.
                    rest + sites.iter().filter_map(|&site| next.from_site(site)).min().unwrap_or(1)
                }
            };
            (self.nearest.to_others(self.program, &self.graph, sites), rest)
        })
    }

    /// The distance from an instruction to the nearest open goal of one step, without returning from its function.
    pub(crate) fn nearest_from(&self, site: Site) -> Option<u64> {
        self.nearest.from_site(site)
    }

    /// To the nearest open goal of one step.
    pub(crate) fn nearest(&self) -> &Distances {
        &self.nearest
    }
}

/// A goal as strategies know it.
pub(crate) fn goal_id(goal: usize) -> GoalId {
    GoalId(u32::try_from(goal).expect("there are fewer goals than that"))
}

/// The distance of a state in the calls it is in.
pub(crate) fn measure(distances: &Distances, state: &State, program: &Program) -> Option<u64> {
    distances.from_stack_then(stack(state), from_start(distances, state, program))
}

/// The calls of a state, innermost first.
pub(crate) fn stack(state: &State) -> impl Iterator<Item = Site> + '_ {
    state.frames().map(|frame| Site { func: frame.func, pc: frame.pc })
}

/// The distance from the start of the program proper, for a state that is not there yet.
pub(crate) fn from_start(distances: &Distances, state: &State, program: &Program) -> Option<u64> {
    if !matches!(state.phase, Phase::Booting(_) | Phase::Starting(_)) {
        return None;
    }
    let first = |func: FuncId| distances.from_site(Site { func, pc: 0 });
    let entry = state.entry.iter().map(|frame| frame.func);
    entry.chain(state.starters(program)).filter_map(first).min()
}
