//! One node of the symcretic search that is run: the end of a way from any state, or a way that begins where the program does.
//!
//! Boundary: what follows from it for the search is [`symcretic`](super::symcretic)'s. Invariant: only a run that was cut off nowhere closes a node, and one from any state only if
//! nothing of it rests on a past or on an error that a native run survives.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use taw_engine::{Goal, GoalStep, Outcome, Reception, Refusal, Sink, StackEntry, TestCase, entry_obstacle};
use taw_ir::{Origin, Program, Site};
use taw_search::Spent;

use super::Barrier;
use super::origin::{plan_from, proves, without_callers};
use super::points::is_in_condition;
use super::slices::{Sliced, loops_share, take_loops};
use super::suffix::{Flow, Suffix};
use super::trace::{Beginning, Traced, Untraced, first_block};
use crate::exploration::Exploration;
use crate::forward::Forward;
use crate::limits::LimitWatch;
use crate::trial::{try_inputs, try_long};
use crate::{ErrorBefore, GoalOutcome, GoalVerdict, Limits, Plan, Summary};

/// What checking a node may cost, in [units](Spent::units), and what running a whole way may.
const CHECK: u64 = 200_000;
const WHOLE: u64 = 4_000_000;
/// Inputs of one way that the whole program is tried on in vain before the next is looked at.
const IN_VAIN: usize = 4;
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

/// The program that the ways are of.
pub(super) struct WayBase {
    pub(super) program: Program,
    pub(super) flow: Flow,
    pub(super) step: GoalStep,
    pub(super) is_slice: bool,
    /// Whether the user's code has loops.
    pub(super) has_loops: bool,
}

/// What came of a run.
pub(super) enum NodeFate {
    /// It is impossible.
    Closed(Box<GoalOutcome>),
    /// It may be.
    Possible,
    /// Nobody knows, and nothing is left to be done about it.
    GivenUp,
    /// It leads there. On its inputs the whole program got to these goals; not to this one, it may be.
    Leads(Vec<(usize, TestCase)>),
}

/// One node that is run.
pub(super) struct NodeRun<'a, 'b, 'p, 'w> {
    pub(super) base: &'a WayBase,
    pub(super) goal: usize,
    pub(super) sliced: &'a Sliced<'b, 'p>,
    pub(super) counts: &'a mut SymcreticCounts,
    pub(super) watch: &'a mut LimitWatch<'w>,
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
    pub(super) fn check(&mut self, suffix: &Suffix) -> NodeFate {
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
    pub(super) fn whole(&mut self, suffix: &Suffix, loops: Option<u32>) -> NodeFate {
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
        let share = match loops {
            Some(attempts) => loops_share(attempts).max(WHOLE),
            None if self.base.has_loops => CHECK,
            None => WHOLE,
        };
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
        let end = self.sliced.left.map(|left| self.watch.elapsed() + left);
        let is_time = |watch: &LimitWatch<'_>| end.is_none_or(|end| watch.elapsed() < end);
        while run.spent().units() < share && !run.is_over() && is_time(self.watch) {
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
