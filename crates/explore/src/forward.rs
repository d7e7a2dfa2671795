//! The forward explorer: from the entry on, in the order a strategy chooses.
//!
//! Invariant: every state is in `states` and known to the strategy, or has ended; each ended path went to the sink once.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::ManuallyDrop;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use taw_engine::{End, Engine, Goals, Outcome, PathCoverage, Reception, Sink, Slice, State, TestCase, UserNumbers};
use taw_ir::Program;
use taw_search::{Delta, Searcher, StateId, TargetId};
use taw_solver::{Solver, SolverConfig};

use crate::crowds::surplus;
use crate::curve::Curve;
use crate::error::ExploreError;
use crate::hunt::Hunt;
use crate::limits::Watch;
use crate::progress::{Facts, Notes};
use crate::warm::Warm;
use crate::{PathCounts, Plan, Snapshot, Summary};

/// Instructions a state runs before another may have its turn.
const SLICE: u64 = 100_000;
/// The same when something is to be reached: shorter, because a path that runs on without a fork is mostly a loop that
/// leads nowhere, and the strategy should hear of it soon.
const DIRECTED_SLICE: u64 = 1_000;

/// Explores `program` as `plan` says until nothing is left, a limit is met, or `stop` is set.
///
/// Results go to `sink` as they are found; `progress` is called a few times a second.
///
/// # Errors
/// What the user must mend before the program can run.
pub fn explore(
    program: &Program,
    plan: &Plan,
    sink: &mut dyn Sink,
    progress: &mut dyn FnMut(&Snapshot),
    stop: &AtomicBool,
) -> Result<Summary, ExploreError> {
    let searcher = taw_search::parse(&plan.search, plan.seed).map_err(ExploreError::Search)?;
    let deadline = plan.limits.time.and_then(|time| Instant::now().checked_add(time));
    let solver = SolverConfig { deadline, ..plan.solver.clone() };
    let solver = Solver::new(solver).map_err(ExploreError::Solver)?;
    let mut engine = Engine::new(program, plan.engine.clone(), solver, plan.models).map_err(ExploreError::Engine)?;
    engine.goals = Goals::new(program, plan.goals.clone());
    let leaks = plan.engine.checks.leak;
    let notes = Notes::default();
    let hunt = || Hunt::new(program, notes.graph(&engine), plan.goals.clone(), leaks);
    let hunt = (!plan.goals.is_empty()).then(hunt);
    // What is left at the end is not taken apart: with gigabytes of states and of Z3's expressions that took longer than the run,
    // and the process has little left to do.
    let mut explorer = ManuallyDrop::new(Forward {
        engine,
        states: BTreeMap::new(),
        warm: Warm::default(),
        next_id: 0,
        seeded: Vec::new(),
        searcher,
        notes,
        paths: PathCounts::default(),
        placed: BTreeSet::new(),
        peak_states: 0,
        hunt,
        curve: Curve::default(),
        start: Instant::now(),
        confirming: Duration::ZERO,
        shed: 0,
        unsupported: BTreeMap::new(),
        shown: PathCoverage::default(),
        users: UserNumbers::of(program),
        sink,
    });
    explorer.run(plan, progress, stop)
}

struct Forward<'p, 's> {
    start: Instant,
    /// Time that the sink took to look at what was reached.
    confirming: Duration,
    /// The places to reach, if there are any.
    hunt: Option<Hunt<'p>>,
    curve: Curve,
    engine: Engine<'p>,
    states: BTreeMap<StateId, Box<State>>,
    warm: Warm,
    next_id: u64,
    /// States that seeds lead to.
    seeded: Vec<StateId>,
    searcher: Box<dyn Searcher>,
    notes: Notes,
    paths: PathCounts,
    peak_states: usize,
    /// States given up for want of memory.
    shed: u64,
    /// For each thing that cannot be executed a reason with the first place of it.
    unsupported: BTreeMap<String, String>,
    /// What the tests that went to the sink cover.
    shown: PathCoverage,
    users: UserNumbers,
    /// Reasons for not being exhaustive that concern single states, which the hunt knows of.
    placed: BTreeSet<String>,
    sink: &'s mut dyn Sink,
}

impl Forward<'_, '_> {
    fn run(
        &mut self,
        plan: &Plan,
        progress: &mut dyn FnMut(&Snapshot),
        stop: &AtomicBool,
    ) -> Result<Summary, ExploreError> {
        let mut watch = Watch::new(&plan.limits, stop);
        self.begin(plan)?;
        let mut shown = Instant::now();
        let mut why = None;
        while !self.hunt.as_ref().is_some_and(Hunt::is_over)
            && let Some(id) = self.select()
        {
            why = watch.exceeded(&self.paths, self.engine.stats.instructions);
            if why.is_some() {
                break;
            }
            if watch.is_short_of_memory() {
                self.shed(plan);
                watch.relieved();
                continue;
            }
            if self.curve.is_due(watch.elapsed()) {
                self.note_progress(&watch);
            }
            if shown.elapsed() > Duration::from_millis(200) {
                shown = Instant::now();
                progress(&self.snapshot(&watch));
            }
            self.slice(id, plan);
        }
        self.engine.note_doubts();
        // What the engine itself could not follow may lead anywhere.
        let everywhere: Vec<String> = self.engine.incomplete.difference(&self.placed).cloned().collect();
        self.abandon(why);
        self.note_progress(&watch);
        Ok(self.summary(&watch, &everywhere))
    }

    /// The first state of every entry; with goals, of those that may lead to one.
    fn begin(&mut self, plan: &Plan) -> Result<(), ExploreError> {
        let initial = plan.entries.iter().map(|entry| self.engine.initial(entry));
        let initial: Vec<State> = initial.collect::<Result<_, _>>().map_err(ExploreError::Engine)?;
        if let Some(hunt) = &mut self.hunt {
            hunt.begin(&mut self.engine, &initial, &plan.left_out);
        }
        for (_, why) in &plan.left_out {
            self.engine.incomplete.insert(why.clone());
            self.placed.insert(why.clone());
        }
        let mut ids = Vec::with_capacity(initial.len());
        for state in initial {
            if !self.hunt.as_ref().is_some_and(|hunt| hunt.is_hopeless(&state)) {
                ids.push(self.add(state));
            }
        }
        self.tell(None, &ids, &[]);
        Ok(())
    }

    fn add(&mut self, mut state: State) -> StateId {
        state.forget();
        let id = StateId(self.next_id);
        self.next_id += 1;
        if !state.seeds.is_empty() {
            self.seeded.push(id);
        }
        self.states.insert(id, Box::new(state));
        self.peak_states = self.peak_states.max(self.states.len());
        id
    }

    /// The next state: as long as seeds are left, one that a seed leads to; then the strategy's choice.
    fn select(&mut self) -> Option<StateId> {
        if let Some(id) = self.seeded.last() {
            return Some(*id);
        }
        self.searcher.select(&Facts {
            states: &self.states,
            engine: &self.engine,
            notes: &self.notes,
            hunt: self.hunt.as_ref(),
            misses: &[],
        })
    }

    fn tell(&mut self, ran: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        let delta = Delta { ran, added, removed };
        let target = |goal: usize| TargetId(u32::try_from(goal).expect("there are fewer targets than that"));
        let misses: Vec<_> = self.engine.goals.misses().into_iter().map(|(goal, by)| (target(goal), by)).collect();
        self.notes.follow(&delta, &self.states);
        let facts = Facts {
            states: &self.states,
            engine: &self.engine,
            notes: &self.notes,
            hunt: self.hunt.as_ref(),
            misses: &misses,
        };
        self.searcher.update(&delta, &facts);
    }

    fn note_progress(&mut self, watch: &Watch<'_>) {
        let reached = self.hunt.as_ref().map_or(0, |hunt| hunt.progress().0);
        self.curve.add(watch.elapsed(), self.covered().0, reached);
    }

    /// Runs one state until it splits, ends, or has had its turn.
    fn slice(&mut self, id: StateId, plan: &Plan) {
        self.warm.ran(id, &mut self.states);
        let mut state = self.states.remove(&id).expect("the strategy chooses among the states there are");
        let budget = if self.hunt.is_some() { DIRECTED_SLICE } else { SLICE };
        let Slice { forks, end } = self.engine.run(&mut state, budget);
        self.receive();
        let end = end.or_else(|| self.too_deep(&state, plan));
        let mut ended = end.is_some();
        if let Some(end) = end {
            self.ended(&state, end);
        } else if self.is_hopeless(&state) {
            ended = true;
        }
        let mut added = Vec::with_capacity(forks.len());
        for mut fork in forks {
            // An error is worth knowing at once, whatever the strategy would rather do; only seeds, which need no solver,
            // come first.
            if self.is_unwanted(&fork) {
                continue;
            }
            if fork.is_error()
                && self.seeded.is_empty()
                && let Some(end) = self.engine.run(&mut fork, SLICE).end
            {
                self.ended(&fork, end);
                continue;
            }
            if let Some(why) = self.too_much(&fork, plan) {
                self.lose(&fork, why);
                self.paths.pending += 1;
            } else {
                added.push(self.add(fork));
            }
        }
        if ended {
            self.seeded.retain(|seeded| *seeded != id);
            self.tell(Some(id), &added, &[id]);
        } else {
            self.states.insert(id, state);
            self.tell(Some(id), &added, &[]);
        }
    }

    /// The end of a path that has forked too often.
    fn too_deep(&mut self, state: &State, plan: &Plan) -> Option<End> {
        let why = depth_exceeded(state, plan)?;
        Some(End::Test(Box::new(self.engine.test_case(state, Outcome::Limit(why)))))
    }

    /// Why a state may not be added, if it may not.
    fn too_much(&self, fork: &State, plan: &Plan) -> Option<String> {
        if let Some(why) = depth_exceeded(fork, plan) {
            return Some(why);
        }
        let most = plan.limits.states.filter(|most| self.states.len() >= *most)?;
        Some(format!("the limit of {most} states cut paths off"))
    }

    fn ended(&mut self, state: &State, end: End) {
        let test = match end {
            End::Infeasible => {
                if let Some(hunt) = &mut self.hunt {
                    hunt.dead_end(state);
                }
                return;
            }
            End::Silent => {
                self.paths.silent += 1;
                return;
            }
            End::Test(test) => test,
        };
        self.count(&test);
        if let Some(why) = self.cut_short(&test) {
            self.lose(state, why);
        }
        self.show(&test);
        if let (Outcome::Finding(finding), Some(hunt)) = (&test.outcome, &mut self.hunt) {
            hunt.failed(state, finding);
        }
        if let (Outcome::Finding(finding), Some(hunt)) = (&test.outcome, &self.hunt) {
            for goal in hunt.met_by(finding) {
                self.arrived(goal, &test);
            }
        }
    }

    fn count(&mut self, test: &TestCase) {
        match &test.outcome {
            Outcome::Exit(_) => self.paths.completed += 1,
            Outcome::Finding(_) => self.paths.errored += 1,
            Outcome::Limit(_) | Outcome::Reached(_) => self.paths.pending += 1,
            Outcome::Unsupported { .. } | Outcome::SolverUnknown(_) => self.paths.unknown += 1,
        }
    }

    /// Why a path ended before its time, if it did.
    fn cut_short(&mut self, test: &TestCase) -> Option<String> {
        match &test.outcome {
            Outcome::Exit(_) | Outcome::Finding(_) | Outcome::Reached(_) => None,
            Outcome::Limit(why) | Outcome::SolverUnknown(why) => Some(why.clone()),
            Outcome::Unsupported { what, stack } => {
                // One place of each is enough.
                let why = || format!("not supported: {what} at {}", self.engine.place(stack));
                Some(self.unsupported.entry(what.clone()).or_insert_with(why).clone())
            }
        }
    }

    /// A state ends before its time.
    fn lose(&mut self, state: &State, why: String) {
        if let Some(hunt) = &mut self.hunt {
            hunt.lose(state, &why);
        }
        self.placed.insert(why.clone());
        self.engine.incomplete.insert(why);
    }

    /// Whether no goal can be reached from a state, which is then counted.
    fn is_hopeless(&mut self, state: &State) -> bool {
        let Some(hunt) = &mut self.hunt else { return false };
        let hopeless = hunt.is_hopeless(state);
        hunt.dropped += u64::from(hopeless);
        hopeless
    }

    /// Whether a state that was split off is not worth a query: it leads to no goal, or is an error that nobody asked for.
    fn is_unwanted(&mut self, fork: &State) -> bool {
        if self.is_hopeless(fork) {
            return true;
        }
        let Some(hunt) = &mut self.hunt else { return false };
        fork.is_error() && !hunt.wants_error(fork) && !hunt.looks_at(fork)
    }

    /// Hands over what reached a goal in the last slice.
    fn receive(&mut self) {
        for arrival in self.engine.goals.arrivals() {
            self.arrived(arrival.goal, &arrival.test);
        }
    }

    fn arrived(&mut self, goal: usize, test: &TestCase) {
        // Confirming takes its own time, which is not the search's.
        let before = Instant::now();
        let time = before.duration_since(self.start).saturating_sub(self.confirming);
        let reception = self.sink.reached(goal, test);
        self.confirming += before.elapsed();
        let Some(hunt) = &mut self.hunt else { return };
        match reception {
            Reception::Accepted => hunt.reached(&mut self.engine, goal, time),
            Reception::Refused(why) => hunt.refused(&mut self.engine, goal, why),
            Reception::Futile(why) => hunt.given_up(&mut self.engine, goal, why),
        }
    }

    /// States that never got to their end count as pending; those that covered what no test covers leave one.
    fn abandon(&mut self, why: Option<String>) {
        if let Some(why) = &why {
            self.placed.insert(why.clone());
            self.engine.incomplete.insert(why.clone());
        }
        for state in std::mem::take(&mut self.states).into_values() {
            self.give_up(&state, why.as_deref(), "the run stopped");
        }
    }

    /// Gives half of the states up, that the others may go on.
    fn shed(&mut self, plan: &Plan) {
        let most = plan.limits.memory.unwrap_or(u64::MAX) >> 20;
        let why = format!("paths were given up to stay below the memory limit of {most} MiB");
        let removed = surplus(&self.states, self.states.len().div_ceil(2), |id| self.seeded.contains(&id));
        for state in removed.iter().filter_map(|id| self.states.remove(id)).collect::<Vec<_>>() {
            self.shed += 1;
            self.give_up(&state, Some(&why), &why);
        }
        self.tell(None, &[], &removed);
    }

    /// A state that never gets to its end: it is lost if there is a reason, and leaves a test if it covered what no test covers.
    fn give_up(&mut self, state: &State, lost: Option<&str>, outcome: &str) {
        self.paths.pending += 1;
        if let Some(why) = lost {
            self.lose(state, why.to_owned());
        }
        if state.pending.is_none() && state.covered.has_more_than(&self.shown, |number| self.users.has(number)) {
            let test = self.engine.test_case(state, Outcome::Limit(outcome.to_owned()));
            self.show(&test);
        }
    }

    /// Hands a test over.
    fn show(&mut self, test: &TestCase) {
        self.shown.add(&test.covered);
        self.sink.path(test);
    }

    fn snapshot(&self, watch: &Watch<'_>) -> Snapshot {
        Snapshot {
            paths: self.paths,
            states: self.states.len(),
            stats: self.engine.stats,
            queries: self.engine.solver.stats().queries,
            covered: self.covered(),
            reached: self.hunt.as_ref().map_or((0, 0), Hunt::progress),
            elapsed: watch.elapsed(),
        }
    }

    fn covered(&self) -> (usize, usize) {
        let users = self.engine.program.functions.iter().filter(|(_, f)| f.origin.counts());
        users.fold((0, 0), |(covered, total), (id, f)| {
            let here = self.engine.coverage.instructions[id].iter().filter(|c| **c).count();
            (covered + here, total + f.code.len())
        })
    }

    fn summary(&mut self, watch: &Watch<'_>, everywhere: &[String]) -> Summary {
        let goals = self.hunt.as_ref().map(|hunt| hunt.outcomes(&mut self.engine, everywhere, watch.elapsed()));
        let solver = self.engine.solver.stats();
        Summary {
            paths: self.paths,
            incomplete: self.engine.incomplete.iter().cloned().collect(),
            coverage: self.engine.coverage.clone(),
            stats: self.engine.stats,
            queries: solver.queries,
            solver_time: solver.time,
            wall_time: watch.elapsed(),
            peak_states: self.peak_states,
            shed: self.shed,
            seeded_in_order: self.engine.seeded_in_order.iter().cloned().collect(),
            assumptions: self.engine.assumptions(),
            goals: goals.unwrap_or_default(),
            dropped: self.hunt.as_ref().map_or(0, |hunt| hunt.dropped),
            curve: std::mem::take(&mut self.curve).into_points(),
            trace: std::mem::take(&mut self.engine.trace),
            stages: solver.stages.iter().map(|s| (s.name.to_owned(), s.asked, s.answered, s.time)).collect(),
            evaluations: solver.stages.iter().map(|s| s.evaluations).sum(),
            useful_evaluations: solver.stages.iter().map(|s| s.useful_evaluations).sum(),
        }
    }
}

fn depth_exceeded(state: &State, plan: &Plan) -> Option<String> {
    let most = plan.limits.depth.filter(|most| state.depth > *most)?;
    Some(format!("the depth limit of {most} forks cut paths off"))
}
