//! Goals looked for in a slice of the program (`ir`'s `slice`): what cannot influence whether one is reached costs nothing there.
//!
//! A goal that no path of its slice gets to is unreachable in the program. One that is reached there may not be in the program, because a slice has
//! behaviours of its own: its inputs are tried on the whole program ([`try_inputs`]), and where that fails a slice that keeps more branches is next.
//! Each slice gets a share of work that grows with every attempt; none is kept between two, since a run belongs to its program.
//!
//! Beside that, loops that depend on inputs are taken as functions ([`LoopMode`]), in the slice or, where there is none, in the program: what comes of
//! millions of turns is then one more question for the solver's search. Nothing is proved so.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use taw_engine::{Engine, Goal, GoalStep, JUMPS_PER_INSTRUCTION, LoopMode, Reception, Refusal, Sink, TestCase};
use taw_ir::{CallGraph, Dominators, FuncId, Loops, Origin, PointsTo, Program, ProgramSlice, Site, Slicer, Ty};
use taw_search::Spent;

use crate::exploration::Exploration;
use crate::forward::Forward;
use crate::limits::LimitWatch;
use crate::trial::{try_inputs, try_long};
use crate::{GoalOutcome, GoalVerdict, Limits, Plan, Proof};

/// How many branches one before the other each attempt keeps that only keep paths from a goal; the last is for all that follow.
const GUARDS: [u32; 3] = [1, 4, u32::MAX];
/// What the first attempt may cost, in [units](Spent::units), and how much more each that follows.
const SHARE: u64 = 200_000;
const GROWTH: u64 = 4;
/// Inputs of one slice that are tried in vain before another one is looked at.
const IN_VAIN: usize = 4;
/// Slices one after the other that nothing could be made of before no more are tried: what stands in the way of one most often does of all.
const REFUSED: u32 = 16;
/// Of a hundred instructions, how many a slice leaves out at least; else it is the program once more.
const WORTH: usize = 10;

/// What it costs to find out where pointers point, and then to make a slice: in units, for each instruction of the program (measured on tools of coreutils).
const PREPARING: u64 = 128;
const MAKING: u64 = 16;

/// With loops as functions: what evaluating one may cost at first, in jumps, and how much more in each attempt that follows.
const JUMPS: u64 = 1 << 18;
const JUMPS_GROWTH: u64 = 8;
/// Evaluations of that cost that the search for one query may take.
const EVALUATIONS: u64 = 32;
/// Searches in vain that an attempt may make before another's turn.
const QUERIES: u64 = 1;
/// Instructions that a turn of a loop may have between two jumps, when inputs are tried.
const PER_JUMP: u64 = 8;
/// Attempts with loops as functions: a loop that goes round more often takes too long.
const LOOP_ATTEMPTS: u32 = 3;
/// What an attempt with loops as functions may cost, as a multiple of what was done forward.
const ON_CREDIT: u64 = 16;

/// What is done about loops.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Manner {
    Unrolled,
    AsFunctions,
}

/// Slices that are to be tried.
#[derive(Default)]
pub(super) struct Slices<'p> {
    /// How often a goal was tried so, the goal, and how.
    todo: BTreeSet<(u32, usize, Manner)>,
    /// What makes them, once it is needed.
    slicer: Option<Slicer<'p>>,
    /// How many of the last ones were none, or hardly smaller than the program.
    refused: u32,
}

/// What an attempt has come to.
#[derive(Default)]
pub(super) struct SliceAttempt {
    pub(super) spent: Spent,
    /// What is known of the goal, if nothing gets there.
    pub(super) proved: Option<(usize, GoalOutcome)>,
    /// Goals that inputs of the slice got to in the whole program.
    pub(super) met: Vec<(usize, TestCase)>,
    /// Whether more would have been done for a larger share; with loops as functions, whether one of them did not come to its end.
    is_cut: bool,
}

/// What is sliced, and for whom.
pub(super) struct Sliced<'a, 'p> {
    pub(super) engine: &'a Engine<'p>,
    pub(super) graph: &'a CallGraph,
    pub(super) program: &'p Program,
    pub(super) plan: &'a Plan,
    pub(super) search: &'a str,
    pub(super) left: Option<Duration>,
}

impl<'p> Slices<'p> {
    /// Those of the open goals, if the program can be sliced where it begins.
    pub(super) fn new(program: &Program, plan: &Plan, open: &[usize]) -> Self {
        let is_place = |goal: &&usize| !matches!(plan.goals[**goal].steps.last(), None | Some(GoalStep::Error(..)));
        let places: Vec<usize> = open.iter().filter(is_place).copied().collect();
        let mut todo = BTreeSet::new();
        if starts_of_numbers(program, plan) {
            todo.extend(places.iter().map(|&goal| (0, goal, Manner::Unrolled)));
            if has_loops(program) {
                todo.extend(places.iter().map(|&goal| (0, goal, Manner::AsFunctions)));
            }
        }
        Slices { todo, ..Slices::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.todo.is_empty()
    }

    /// How often the next goal was tried that something is due for, when so much was done forward.
    pub(super) fn level(&self, forward: u64) -> Option<u32> {
        self.next(forward).map(|(level, ..)| level)
    }

    /// What is next. A long loop as a function is dear, and waits until something was done forward.
    fn next(&self, forward: u64) -> Option<(u32, usize, Manner)> {
        let is_due = |(level, _, manner): &&(u32, usize, Manner)| {
            *level == 0 || *manner == Manner::Unrolled || loops_share(*level) / ON_CREDIT <= forward
        };
        self.todo.iter().find(is_due).copied()
    }

    pub(super) fn close(&mut self, goal: usize) {
        self.todo.retain(|(_, other, _)| *other != goal);
    }

    /// Tries the next goal, when so much was done forward.
    pub(super) fn attempt(
        &mut self,
        sliced: &Sliced<'_, 'p>,
        forward: u64,
        watch: &mut LimitWatch<'_>,
    ) -> SliceAttempt {
        if self.slicer.is_none() {
            return self.prepare(sliced);
        }
        let (Some(next), Some(slicer)) = (self.next(forward), &self.slicer) else {
            return SliceAttempt::default();
        };
        self.todo.remove(&next);
        let (level, goal, manner) = next;
        let cost = Spent { instructions: slicer.size() as u64 * MAKING, queries: 0 };
        let guards = GUARDS[GUARDS.len().min(level as usize + 1) - 1];
        let sites = sliced.plan.goals[goal].steps.last().map_or(&[][..], GoalStep::sites);
        let is_small =
            |slice: &ProgramSlice| (slice.before - slice.after.min(slice.before)) * 100 >= slice.before * WORTH;
        let slice = slicer.slice(sites, guards).ok().filter(is_small);
        self.refused = if slice.is_some() { 0 } else { self.refused + 1 };
        if self.refused == REFUSED {
            self.todo.clear();
        }
        let share = SHARE.saturating_mul(GROWTH.saturating_pow(level));
        let attempt = match (&slice, manner) {
            (Some(slice), Manner::Unrolled) => sliced.run(goal, slice, None, share, watch),
            // With more guards it gets no smaller.
            (None, Manner::Unrolled) => return SliceAttempt { spent: cost, ..SliceAttempt::default() },
            (Some(slice), Manner::AsFunctions) => sliced.run(goal, slice, Some(level), share, watch),
            (None, Manner::AsFunctions) => sliced.run_whole(goal, level, share, watch),
        };
        let is_last = match manner {
            Manner::AsFunctions => level + 1 >= LOOP_ATTEMPTS || !attempt.is_cut,
            // The same slice again does the same.
            Manner::Unrolled => guards == u32::MAX && !attempt.is_cut,
        };
        if attempt.proved.is_none() && attempt.met.is_empty() && !is_last {
            self.todo.insert((level + 1, goal, manner));
        }
        SliceAttempt { spent: (attempt.spent + cost), ..attempt }
    }

    /// What does not depend on a goal; where the program cannot be sliced, nothing is tried.
    fn prepare(&mut self, sliced: &Sliced<'_, 'p>) -> SliceAttempt {
        self.slicer = sliced.slicer();
        match &self.slicer {
            Some(slicer) => {
                let instructions = slicer.size() as u64 * PREPARING;
                SliceAttempt { spent: Spent { instructions, queries: 0 }, ..SliceAttempt::default() }
            }
            None => {
                self.todo.clear();
                SliceAttempt::default()
            }
        }
    }
}

impl<'p> Sliced<'_, 'p> {
    fn entries(&self) -> Vec<FuncId> {
        self.plan.entries.iter().filter_map(|entry| self.program.function_named(entry)).collect()
    }

    /// What makes slices of the program, if there can be any.
    pub(super) fn slicer(&self) -> Option<Slicer<'p>> {
        self.engine.slicer(self.graph, Rc::new(self.points_to()), &self.entries()).ok()
    }

    fn points_to(&self) -> PointsTo {
        match self.plan.entries.iter().all(|entry| entry == "main") {
            true => self.engine.points_to(),
            false => self.engine.points_to_from(&self.entries(), false),
        }
    }

    /// Explores a slice until its goal is decided or the share is spent.
    fn run(
        &self,
        goal: usize,
        slice: &ProgramSlice,
        loops: Option<u32>,
        share: u64,
        watch: &mut LimitWatch<'_>,
    ) -> SliceAttempt {
        let sites = self.sites(goal).iter().filter_map(|site| slice.site(*site)).collect();
        self.run_in(&slice.program, goal, sites, loops, share, watch)
    }

    /// The same in all of the program, with loops as functions.
    fn run_whole(&self, goal: usize, level: u32, share: u64, watch: &mut LimitWatch<'_>) -> SliceAttempt {
        self.run_in(self.program, goal, self.sites(goal).to_vec(), Some(level), share, watch)
    }

    fn sites(&self, goal: usize) -> &[Site] {
        self.plan.goals[goal].steps.last().map_or(&[][..], GoalStep::sites)
    }

    fn run_in(
        &self,
        program: &Program,
        goal: usize,
        sites: Vec<Site>,
        loops: Option<u32>,
        mut share: u64,
        watch: &mut LimitWatch<'_>,
    ) -> SliceAttempt {
        let mut plan = self.plan_of(&self.plan.goals[goal].name, sites);
        let most = loops.map_or(share, |level| share.max(take_loops(&mut plan, level)));
        share = share.max(loops.map_or(0, loops_share));
        let explorer = Forward::new(&plan.search, plan.seed);
        let run = explorer.ok().and_then(|forward| Exploration::by(Box::new(forward), program, &plan).ok());
        let Some(mut run) = run else { return SliceAttempt::default() };
        let (proposed, mut tried) = (Proposed::default(), Spent::default());
        let (mut met, mut in_vain) = (Vec::new(), 0);
        while (run.spent() + tried).units() < share && !run.is_over() && met.is_empty() && in_vain < IN_VAIN {
            if run.advance(watch, &mut &proposed).is_break() {
                break;
            }
            for test in proposed.0.take() {
                let tries = if loops.is_some() { try_long } else { try_inputs };
                let trial = tries(self.program, self.plan, &test.inputs, most, self.left, watch);
                tried = tried + trial.spent;
                let is_there = trial.met.iter().any(|(other, _)| *other == goal);
                in_vain += usize::from(!is_there);
                met.extend(trial.met);
            }
        }
        let is_cut = match loops {
            None => (run.spent() + tried).units() >= share,
            Some(_) => run.engine.loops_ran_out(),
        };
        let summary = run.finish(None, watch, &mut &proposed);
        let is_proved = |outcome: &GoalOutcome| {
            loops.is_none() && matches!(outcome.verdict, GoalVerdict::Unreachable(_)) && summary.premises.is_empty()
        };
        let proved = summary.goals.into_iter().next().filter(is_proved).map(|outcome| {
            let verdict = GoalVerdict::Unreachable(Proof::Slice);
            (goal, GoalOutcome { verdict, closest: None, ..outcome })
        });
        SliceAttempt { spent: (run.spent() + tried), proved, met, is_cut }
    }

    fn plan_of(&self, name: &str, sites: Vec<Site>) -> Plan {
        let mut engine = self.plan.engine.clone();
        engine.seeds.clear();
        engine.goals_alone = true;
        let limits = Limits { time: self.left, paths: None, instructions: None, ..self.plan.limits.clone() };
        let goals = vec![Goal { name: name.to_owned(), steps: vec![GoalStep::Sites(sites)] }];
        Plan { search: self.search.to_owned(), limits, engine, goals, ..self.plan.clone() }
    }
}

/// What evaluating a loop may cost after so many attempts.
fn budget_of(attempts: u32) -> u64 {
    JUMPS.saturating_mul(JUMPS_GROWTH.saturating_pow(attempts))
}

/// Loops are functions; how many instructions trying inputs may take then.
pub(super) fn take_loops(plan: &mut Plan, attempts: u32) -> u64 {
    let budget = budget_of(attempts);
    plan.engine.loops = LoopMode::Functions { budget };
    plan.solver.walk_last = plan.solver.walk_last.max(budget.saturating_mul(EVALUATIONS));
    budget.saturating_mul(PER_JUMP)
}

/// What an attempt with loops as functions may cost at least.
pub(super) fn loops_share(attempts: u32) -> u64 {
    budget_of(attempts).saturating_mul(QUERIES * EVALUATIONS) / JUMPS_PER_INSTRUCTION
}

/// Whether the user's code has loops.
pub(super) fn has_loops(program: &Program) -> bool {
    let users = program.functions.values().filter(|function| function.origin == Origin::User && function.is_defined());
    users.into_iter().any(|function| !Loops::of(function, &Dominators::of(function)).loops.is_empty())
}

/// Whether a program asks conditions at places. They have an answer only if they change nothing: where the code is another, in a slice or on one way, they may have another.
pub(super) fn asks(program: &Program) -> bool {
    program.functions.values().any(|function| function.name.starts_with(taw_engine::CONDITION_MODELS))
}

/// Whether paths start at `main`, or where numbers alone are passed and nothing is promised.
pub(super) fn starts_of_numbers(program: &Program, plan: &Plan) -> bool {
    let is_number = |entry: &String| {
        let function = program.function_named(entry).map(|func| &program.functions[func]);
        function.is_some_and(|function| function.params.iter().all(|param| param.ty != Ty::Ptr))
    };
    let promises = plan.engine.preconditions.is_empty() && plan.engine.unknown_globals.is_empty();
    promises
        && !asks(program)
        && plan.left_out.is_empty()
        && plan.entries.iter().all(|entry| entry == "main" || is_number(entry))
}

/// Collects what gets to the goal in the slice; others are looked for.
#[derive(Default)]
struct Proposed(RefCell<Vec<TestCase>>);

impl Sink for &Proposed {
    fn path(&mut self, _: &TestCase) {}

    fn reached(&mut self, _: usize, test: &TestCase) -> Reception {
        self.0.borrow_mut().push(test.clone());
        Reception::Refused(Refusal::NotConfirmed("the whole program decides".to_owned()))
    }
}
