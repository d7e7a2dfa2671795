//! The goals of a run: which are open, which states can still get to one, and what is known of each at the end.
//!
//! Which goals are open is known to [`Goals`] alone; here is how the others were decided, and what was lost on the way. Invariant: a state
//! is given up only if no open goal can be reached from its calls, or it is kept in `lost` with the reason. So a goal that no lost state can reach has been searched for exhaustively, and is unreachable.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use taw_engine::{
    Cut, DeadEnd, Engine, Finding, FindingKind, Goal, GoalStep, Goals, Phase, Reason, Refusal, StackEntry, State,
};
use taw_ir::{CallGraph, Distances, FuncId, Program, Site};

use crate::backward::Barrier;
use crate::closest::{Closest, closest};
use crate::goal_distances::{GoalDistances, goal_id, stack};
use crate::needs::Needs;

/// How often a goal may be reached in a way that is refused before the search for it ends.
const REFUSALS: u32 = 32;

/// How often an error that nobody asked for is looked at, at one place, before it is taken for none.
const LOOKS: u32 = 4;

/// Unreachable goals whose contradiction is looked for.
const EXPLAINED: usize = 20;
/// Conditions of a contradiction that is worth telling.
const SHORT: usize = 5;

/// What is known of a goal at the end.
#[derive(Clone, Debug)]
pub struct GoalOutcome {
    /// The verdict.
    pub verdict: GoalVerdict,
    /// When it was reached or given up, from the start of the run.
    pub time: Duration,
    /// How near the search came, unless it was reached.
    pub closest: Option<Closest>,
    /// If it is unreachable: branches on the nearest way whose conditions contradict each other, and whether each held; empty
    /// if there are many or that is not known.
    pub conflict: Vec<(StackEntry, bool)>,
    /// If it is unreachable: errors that ended paths on the way there. What a program does after one, nobody knows.
    pub unless: Vec<ErrorBefore>,
    /// If that was proved from its side: every way there passes one of these.
    pub barred: Vec<Barrier>,
}

/// An error that ended paths on the way to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorBefore {
    /// Of what kind.
    pub kind: FindingKind,
    /// Where, innermost call first.
    pub stack: Vec<StackEntry>,
}

/// A verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalVerdict {
    /// The sink accepted a test that reaches it.
    Reached,
    /// No input leads there.
    Unreachable(Proof),
    /// Nobody knows; why not, each reason once.
    Unknown(Vec<Reason>),
}

/// Why a goal cannot be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// No branches and calls lead there from the entry.
    Static,
    /// Every path that could lead there was explored.
    Exhaustive,
    /// Every path was explored that could lead there in a slice of the program, which leaves out what cannot matter. What a program does after an error in
    /// what was left out, nobody knows.
    Slice,
    /// Every way there leads into a call of a function of which no call gets there, whoever calls it ([`GoalOutcome::barred`]).
    Backward,
}

/// How a goal that is closed was decided.
#[derive(Clone, Debug)]
enum GoalDecision {
    Reached(Duration),
    Static,
    /// Refused too often, or for good; the last reason.
    GivenUp(Refusal),
    /// Proved from its side.
    Barred(Box<GoalOutcome>),
}

/// Where a state is, and the steps it has passed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Position {
    /// Its calls, innermost first.
    calls: Vec<Site>,
    /// What may run after them: the entry and constructors, before the program proper has begun.
    starts: Vec<Site>,
    passed: Rc<Vec<u16>>,
}

/// The goals of a run.
pub(crate) struct Hunt<'p> {
    program: &'p Program,
    goals: Vec<Goal>,
    /// For each goal that is closed how it was decided.
    decided: BTreeMap<usize, GoalDecision>,
    /// For each goal how often a test that reaches it was refused, and why first.
    refusals: BTreeMap<usize, (u32, Refusal)>,
    pub(crate) graph: Rc<CallGraph>,
    /// Where paths begin, or should and cannot.
    beginnings: Vec<Position>,
    /// Distances to the open goals.
    pub(crate) distances: GoalDistances<'p>,
    /// Distances to nothing, from which others are made.
    nowhere: Distances,
    /// Whether leaks are looked for.
    leaks: bool,
    /// States that were not explored to their end, and why.
    lost: BTreeMap<Position, Cut>,
    /// Errors that ended paths, and where.
    errors: BTreeMap<Position, ErrorBefore>,
    /// How often an error that nobody asked for was looked at, by the place where it would be.
    looked: BTreeMap<Site, u32>,
    /// For each way of a branch that a path could not go, the shortest such path.
    dead: BTreeMap<(Site, u32), DeadEnd>,
    /// What paths should pass first.
    pub(crate) needs: RefCell<Needs<'p>>,
    /// States given up because no open goal can be reached from them.
    pub(crate) dropped: u64,
}

impl<'p> Hunt<'p> {
    /// All open. `leaks` says whether these are looked for; `graph` is the program's.
    pub(crate) fn new(program: &'p Program, graph: Rc<CallGraph>, goals: Vec<Goal>, leaks: bool) -> Self {
        let steps = goals.iter().map(|goal| goal.steps.iter().map(|step| step.sites().to_vec()).collect());
        Hunt {
            program,
            refusals: BTreeMap::new(),
            decided: BTreeMap::new(),
            distances: GoalDistances::new(program, Rc::clone(&graph), steps.collect()),
            nowhere: Distances::to(program, &graph, &[]),
            needs: RefCell::new(Needs::new(program, Rc::clone(&graph))),
            goals,
            graph,
            beginnings: Vec::new(),
            leaks,
            lost: BTreeMap::new(),
            errors: BTreeMap::new(),
            looked: BTreeMap::new(),
            dead: BTreeMap::new(),
            dropped: 0,
        }
    }

    /// How many are reached, and how many there are.
    pub(crate) fn progress(&self) -> (usize, usize) {
        let reached = self.decided.values().filter(|how| matches!(how, GoalDecision::Reached(_))).count();
        (reached, self.goals.len())
    }

    fn close(&mut self, engine: &mut Engine<'p>, goal: usize, how: GoalDecision) {
        self.decided.insert(goal, how);
        engine.goals.close(self.program, goal);
        self.distances.close(&engine.goals, goal_id(goal));
    }

    /// The goals that no path from one of the first states leads to, nor from a function that is not started, are decided at
    /// once.
    pub(crate) fn begin(&mut self, engine: &mut Engine<'p>, initial: &[State], left_out: &[FuncId]) {
        let before =
            |func: FuncId| Position { calls: vec![Site { func, pc: 0 }], starts: Vec::new(), passed: Rc::default() };
        self.lost.extend(left_out.iter().map(|&func| (before(func), Cut::NotStarted(func))));
        let first = initial.iter().map(|state| position(state, self.program));
        let positions: Vec<Position> = first.chain(self.lost.keys().cloned()).collect();
        self.beginnings.clone_from(&positions);
        for goal in engine.goals.open().collect::<Vec<_>>() {
            let near = self.to_step(goal, 0);
            if !positions.iter().any(|position| self.can_reach(goal, position, &near)) {
                self.close(engine, goal, GoalDecision::Static);
            }
        }
    }

    /// Whether every way to a goal leads into a call of one of these functions, or to a place of it that nothing gets to.
    pub(crate) fn is_behind(&self, goal: usize, barred: &BTreeSet<FuncId>, is_dead: &dyn Fn(&Site) -> bool) -> bool {
        let graph = self.graph.without(barred);
        let last = self.goals[goal].steps.last().map_or(&[][..], GoalStep::sites);
        let last: Vec<Site> = last.iter().filter(|site| !is_dead(site)).copied().collect();
        let near = Distances::to(self.program, &graph, &last);
        !self.is_late(goal) && !self.beginnings.iter().any(|position| self.can_reach(goal, position, &near))
    }

    /// A goal was proved unreachable from its side.
    pub(crate) fn barred(&mut self, engine: &mut Engine<'p>, goal: usize, outcome: GoalOutcome) {
        self.close(engine, goal, GoalDecision::Barred(Box::new(outcome)));
    }

    /// A goal was reached and the test accepted.
    pub(crate) fn reached(&mut self, engine: &mut Engine<'p>, goal: usize, time: Duration) {
        self.close(engine, goal, GoalDecision::Reached(time));
    }

    /// A goal was reached and the test refused.
    pub(crate) fn refused(&mut self, engine: &mut Engine<'p>, goal: usize, why: Refusal) {
        let (times, _) = self.refusals.entry(goal).or_insert_with(|| (0, why.clone()));
        *times += 1;
        if *times < REFUSALS {
            engine.goals.reopen(goal);
        } else {
            self.given_up(engine, goal, why);
        }
    }

    /// A goal was reached, and no test of that will be accepted.
    pub(crate) fn given_up(&mut self, engine: &mut Engine<'p>, goal: usize, why: Refusal) {
        self.close(engine, goal, GoalDecision::GivenUp(why));
    }

    /// The open goals that a finding is.
    pub(crate) fn met_by(&self, goals: &Goals, finding: &Finding) -> Vec<usize> {
        let meets = |goal: &usize| match self.goals[*goal].steps.last() {
            Some(GoalStep::Error(error, _)) => error.is_met_by(finding, self.program),
            _ => false,
        };
        goals.open().filter(meets).collect()
    }

    /// Whether a state that is an error, if it is feasible, can be one that is looked for.
    pub(crate) fn wants_error(&self, goals: &Goals, state: &State) -> bool {
        let at = |goal: usize| match self.goals[goal].steps.last() {
            Some(GoalStep::Error(_, sites)) => stack(state).any(|site| sites.contains(&site)),
            _ => false,
        };
        goals.open().any(at)
    }

    /// Whether no open goal can be reached from a state.
    pub(crate) fn is_hopeless(&self, goals: &Goals, state: &State) -> bool {
        self.distances.distance(goals, state, &state.passed).is_none() && !goals.open().any(|goal| self.is_late(goal))
    }

    /// Whether a goal can be met when its place has been passed: a leak is found at the end, and reported where the memory
    /// was allocated.
    pub(crate) fn is_late(&self, goal: usize) -> bool {
        match self.goals[goal].steps.last() {
            Some(GoalStep::Error(error, _)) => self.leaks && error.kind.is_none_or(|kind| kind == FindingKind::Leak),
            _ => false,
        }
    }

    /// A state ends before its time.
    pub(crate) fn lose(&mut self, goals: &Goals, state: &State, why: &Cut) {
        if !self.is_hopeless(goals, state) {
            self.lost.entry(position(state, self.program)).or_insert_with(|| why.clone());
        }
    }

    /// Something was not looked at, and nobody keeps where: it may lead to whatever can be reached at all.
    pub(crate) fn lose_all(&mut self, why: &Cut) {
        for position in self.beginnings.clone() {
            self.lost.entry(position).or_insert_with(|| why.clone());
        }
    }

    /// A path ended in an error: natively it may go on.
    pub(crate) fn failed(&mut self, goals: &Goals, state: &State, finding: &Finding) {
        if !self.is_hopeless(goals, state) {
            let error = || ErrorBefore { kind: finding.kind, stack: finding.stack.clone() };
            self.errors.entry(position(state, self.program)).or_insert_with(error);
        }
    }

    /// Whether an error that nobody asked for, from which a goal can still be reached, should be looked at: a few times at each
    /// place, so that it can be said of a goal behind it.
    pub(crate) fn looks_at(&mut self, state: &State) -> bool {
        let Some(site) = stack(state).next() else { return false };
        let times = self.looked.entry(site).or_default();
        *times += 1;
        *times <= LOOKS && !self.errors.keys().any(|position| position.calls.first() == Some(&site))
    }

    /// Errors on the way to a goal.
    fn errors_before(&self, goal: usize) -> Vec<ErrorBefore> {
        let steps: Vec<Distances> = (0..self.goals[goal].steps.len()).map(|step| self.to_step(goal, step)).collect();
        let before = |(position, _): &(&Position, &ErrorBefore)| {
            let step = position.passed.get(goal).copied().unwrap_or(0);
            self.can_reach(goal, position, &steps[usize::from(step)])
        };
        self.errors.iter().filter(before).map(|(_, error)| error.clone()).collect()
    }

    /// Distances to one step of a goal.
    fn to_step(&self, goal: usize, step: usize) -> Distances {
        self.nowhere.to_others(self.program, &self.graph, self.goals[goal].steps[step].sites())
    }

    fn can_reach(&self, goal: usize, position: &Position, near: &Distances) -> bool {
        let then = position.starts.iter().filter_map(|start| near.from_site(*start)).min();
        self.is_late(goal) || near.from_stack_then(position.calls.iter().copied(), then).is_some()
    }

    /// What is known of every goal. What the engine doubts may lead anywhere.
    pub(crate) fn outcomes(&self, engine: &mut Engine<'p>, now: Duration) -> Vec<GoalOutcome> {
        let mut explained = 0;
        let mut outcomes = Vec::new();
        for goal in 0..self.goals.len() {
            let mut outcome = self.outcome(goal, engine, now);
            if outcome.verdict != GoalVerdict::Unreachable(Proof::Exhaustive) {
                outcomes.push(outcome);
                continue;
            }
            outcome.unless = self.errors_before(goal);
            if explained < EXPLAINED {
                explained += 1;
                outcome.conflict = self.explain(engine, &outcome).unwrap_or_default();
            }
            outcomes.push(outcome);
        }
        outcomes
    }

    /// The contradiction at the branch that is nearest to an unreachable goal.
    fn explain(&self, engine: &mut Engine<'p>, outcome: &GoalOutcome) -> Option<Vec<(StackEntry, bool)>> {
        let closest = outcome.closest.as_ref()?;
        let dead = self.dead.get(&(closest.site, u32::from(closest.needed?)))?;
        engine.conflict(dead, SHORT)
    }

    /// Paths that could not go on.
    pub(crate) fn dead_ends(&self) -> impl Iterator<Item = &DeadEnd> {
        self.dead.values()
    }

    /// A state was found to be infeasible.
    pub(crate) fn dead_end(&mut self, state: &State) {
        let Some(dead) = DeadEnd::of(state) else { return };
        let known = self.dead.entry(dead.at()).or_insert_with(|| dead.clone());
        if dead.decisions() < known.decisions() {
            *known = dead;
        }
    }

    fn outcome(&self, goal: usize, engine: &Engine<'p>, now: Duration) -> GoalOutcome {
        let (verdict, time) = match self.decided.get(&goal) {
            Some(GoalDecision::Reached(time)) => {
                return GoalOutcome {
                    verdict: GoalVerdict::Reached,
                    time: *time,
                    closest: None,
                    conflict: Vec::new(),
                    unless: Vec::new(),
                    barred: Vec::new(),
                };
            }
            Some(GoalDecision::Barred(outcome)) => return (**outcome).clone(),
            Some(GoalDecision::Static) => (GoalVerdict::Unreachable(Proof::Static), Duration::ZERO),
            Some(GoalDecision::GivenUp(why)) => (GoalVerdict::Unknown(vec![Reason::Refused(why.clone())]), now),
            None => match self.obstacles(goal, engine) {
                reasons if reasons.is_empty() => (GoalVerdict::Unreachable(Proof::Exhaustive), now),
                reasons => (GoalVerdict::Unknown(reasons), now),
            },
        };
        let last = self.to_step(goal, self.goals[goal].steps.len() - 1);
        let closest = closest(engine, &last);
        GoalOutcome { verdict, time, closest, conflict: Vec::new(), unless: Vec::new(), barred: Vec::new() }
    }

    /// Whether all goals that are open have been searched for exhaustively, if nothing is left to explore.
    pub(crate) fn is_decided(&self, engine: &Engine<'p>) -> bool {
        engine.goals.open().all(|goal| self.obstacles(goal, engine).is_empty())
    }

    /// Why the search for a goal was not exhaustive, each reason once.
    fn obstacles(&self, goal: usize, engine: &Engine<'p>) -> Vec<Reason> {
        let steps: Vec<Distances> = (0..self.goals[goal].steps.len()).map(|step| self.to_step(goal, step)).collect();
        let mut cuts: BTreeSet<&Cut> = engine.goals.unanswered(goal).collect();
        for (position, why) in &self.lost {
            let step = position.passed.get(goal).copied().unwrap_or(0);
            if !cuts.contains(why) && self.can_reach(goal, position, &steps[usize::from(step)]) {
                cuts.insert(why);
            }
        }
        let refused = self.refusals.get(&goal).map(|(_, why)| Reason::Refused(why.clone()));
        let doubts = engine.doubts.iter().cloned().map(Reason::Doubt);
        cuts.into_iter().cloned().map(Reason::Cut).chain(doubts).chain(refused).collect()
    }
}

/// A stack without the calls that an inner one at the same place makes redundant: what can be reached by returning to them can be
/// reached by returning to that. So a recursion has few positions, however deep it goes.
fn where_it_returns_to(stack: impl Iterator<Item = Site>) -> Vec<Site> {
    let mut callers = BTreeSet::new();
    stack.enumerate().filter(|(at, site)| *at == 0 || callers.insert(*site)).map(|(_, site)| site).collect()
}

fn position(state: &State, program: &Program) -> Position {
    let starting = matches!(state.phase, Phase::Booting(_) | Phase::Starting(_));
    let entry = state.entry.iter().map(|frame| frame.func);
    let starts = entry.chain(state.starters(program)).filter(|_| starting);
    Position {
        calls: where_it_returns_to(stack(state)),
        starts: starts.map(|func| Site { func, pc: 0 }).collect(),
        passed: Rc::clone(&state.passed),
    }
}
