//! A function that paths to a goal are looked for from, whoever calls it: a run of its own, from an unknown state.
//!
//! Invariant: what such a run shows to be impossible is impossible for every caller with any past: variables of the program hold anything, pointers are
//! what the whole program lets them be, and a run that used what the C library or the kernel keeps from earlier proves nothing ([`proves`]).

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use taw_engine::{
    Alias, CallerPromises, Config, Decision, Goal, Premise, Reception, Refusal, Sink, TestCase, may_change,
};
use taw_ir::{FuncId, Program};

use super::guides::{Guided, SharedGuides};
use crate::error::ExploreError;
use crate::exploration::Exploration;
use crate::forward::Forward;
use crate::{GoalOutcome, GoalVerdict, Limits, Plan, Summary};

/// How a path from an unknown state is received: others are looked for.
const ANOTHER: &str = "a caller may not be able to take this path";

/// A run from the beginning of a function.
pub(super) struct OriginRun<'p> {
    pub(super) func: FuncId,
    /// Calls on the shortest way from where paths begin.
    pub(super) depth: usize,
    pub(super) run: Box<Exploration<'p>>,
}

/// What a run from the middle has found since somebody asked: goals, and the decisions that lead to each.
#[derive(Default)]
pub(super) struct Found(RefCell<Vec<(usize, Vec<Decision>)>>);

impl Found {
    pub(super) fn take(&self) -> Vec<(usize, Vec<Decision>)> {
        self.0.take()
    }
}

impl Sink for &Found {
    fn path(&mut self, _: &TestCase) {}

    fn reached(&mut self, goal: usize, test: &TestCase) -> Reception {
        self.0.borrow_mut().push((goal, test.path.to_vec()));
        Reception::Refused(Refusal::NotConfirmed(ANOTHER.to_owned()))
    }
}

impl<'p> OriginRun<'p> {
    /// Before its first instruction.
    ///
    /// # Errors
    /// If paths cannot start there.
    pub(super) fn new(
        func: FuncId,
        depth: usize,
        program: &'p Program,
        plan: &Plan,
        search: &str,
        guides: &SharedGuides,
        left: Option<Duration>,
    ) -> Result<Self, ExploreError> {
        let entry = &program.functions[func].name;
        let plan = plan_from(entry, program, plan, search, left);
        let forward = Forward::new(&plan.search, plan.seed).map_err(ExploreError::Search)?;
        let guided = Guided::new(forward, Rc::clone(guides));
        let run = Box::new(Exploration::by(Box::new(guided), program, &plan)?);
        Ok(OriginRun { func, depth, run })
    }
}

/// The plan of a run from the beginning of a function, with any past.
pub(super) fn plan_from(entry: &str, program: &Program, plan: &Plan, search: &str, left: Option<Duration>) -> Plan {
    let is_whole = plan.entries.iter().all(|entry| entry == "main");
    let mut engine = plan.engine.clone();
    // How another entry is called does not tell what the program does on the way from it.
    if !is_whole {
        engine.shapes.alias = without_callers(engine.shapes.alias);
    }
    let open = program.globals.values().filter(|global| may_change(global));
    let engine = Config {
        unknown_globals: open.map(|global| global.name.clone()).collect(),
        any_past: true,
        promises: CallerPromises::default(),
        staged: Vec::new(),
        preconditions: Vec::new(),
        seeds: Vec::new(),
        replay: None,
        trace: false,
        ..engine
    };
    let last = |goal: &Goal| Goal { name: goal.name.clone(), steps: goal.steps.last().into_iter().cloned().collect() };
    Plan {
        entries: vec![entry.to_owned()],
        left_out: Vec::new(),
        search: search.to_owned(),
        seed: plan.seed,
        limits: Limits { time: left, paths: None, instructions: None, ..plan.limits.clone() },
        engine,
        solver: plan.solver.clone(),
        goals: plan.goals.iter().map(last).collect(),
        models: plan.models,
    }
}

/// What pointers may be if nobody knows who calls.
pub(super) fn without_callers(alias: Alias) -> Alias {
    if alias == Alias::PointsTo { Alias::SameType } else { alias }
}

/// Whether a run has shown that no call of its function gets to a goal, whatever was before.
pub(super) fn proves(summary: &Summary, goal: &GoalOutcome) -> bool {
    let is_no_past = |premise: &Premise| match premise {
        Premise::Returns(_) | Premise::Writes(_) | Premise::NotCalled(_) | Premise::OnlyCalls(_) => true,
        Premise::Initial(_) | Premise::Fresh => false,
        Premise::Holds(..)
        | Premise::Accepts(..)
        | Premise::Elements(..)
        | Premise::Text(..)
        | Premise::Staged(_)
        | Premise::Invariant(..) => false,
    };
    matches!(goal.verdict, GoalVerdict::Unreachable(_)) && summary.premises.iter().all(is_no_past)
}
