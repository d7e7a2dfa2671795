//! The forward explorer: from the entry on, in the order a strategy chooses.
//!
//! Invariant: every state is in `states` and known to the strategy, or has ended; each ended path went to the sink once.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use taw_engine::{End, Engine, EngineError, Outcome, Sink, Slice, State, TestCase};
use taw_ir::Program;
use taw_search::{Delta, Searcher, StateId};
use taw_solver::{Solver, SolverConfig, SolverError};

use crate::limits::Watch;
use crate::progress::{Facts, Notes};
use crate::{PathCounts, Plan, Snapshot, Summary};

/// Why an exploration could not start or had to be given up.
#[derive(Debug)]
pub enum ExploreError {
    /// The program must be mended.
    Engine(EngineError),
    /// The solver's settings must be mended.
    Solver(SolverError),
    /// There is no such strategy.
    Search(taw_search::StrategyError),
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExploreError::Engine(e) => e.fmt(f),
            ExploreError::Solver(e) => e.fmt(f),
            ExploreError::Search(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for ExploreError {}

/// Instructions a state runs before another may have its turn.
const SLICE: u64 = 100_000;

/// Explores `program` as `plan` says until nothing is left, a limit is met, or `stop` is set.
///
/// Results go to `sink` as they are found; `progress` is called a few times a second.
///
/// # Errors
/// What the user must mend before (or, for an undefined function, while) the program can run.
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
    let engine = Engine::new(program, plan.engine.clone(), solver, plan.models).map_err(ExploreError::Engine)?;
    let mut explorer = Forward {
        engine,
        states: BTreeMap::new(),
        next_id: 0,
        seeded: Vec::new(),
        searcher,
        notes: Notes::default(),
        paths: PathCounts::default(),
        peak_states: 0,
        sink,
    };
    explorer.run(plan, progress, stop)
}

struct Forward<'p, 's> {
    engine: Engine<'p>,
    states: BTreeMap<StateId, Box<State>>,
    next_id: u64,
    /// States that seeds lead to.
    seeded: Vec<StateId>,
    searcher: Box<dyn Searcher>,
    notes: Notes<'p>,
    paths: PathCounts,
    peak_states: usize,
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
        let initial = self.engine.initial(&plan.entry).map_err(ExploreError::Engine)?;
        let id = self.add(initial);
        self.tell(None, &[id], &[]);
        let mut shown = Instant::now();
        while let Some(id) = self.select() {
            if let Some(why) = watch.exceeded(&self.paths) {
                self.engine.incomplete.insert(why);
                break;
            }
            if shown.elapsed() > Duration::from_millis(200) {
                shown = Instant::now();
                progress(&self.snapshot(&watch));
            }
            self.slice(id, plan).map_err(ExploreError::Engine)?;
        }
        self.abandon();
        Ok(self.summary(&watch))
    }

    fn add(&mut self, state: State) -> StateId {
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
        let facts = Facts { states: &self.states, engine: &self.engine, notes: &self.notes };
        self.searcher.select(&facts)
    }

    fn tell(&mut self, ran: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        let delta = Delta { ran, added, removed };
        self.notes.follow(&delta, &self.states);
        let facts = Facts { states: &self.states, engine: &self.engine, notes: &self.notes };
        self.searcher.update(&delta, &facts);
    }

    /// Runs one state until it splits, ends, or has had its turn.
    fn slice(&mut self, id: StateId, plan: &Plan) -> Result<(), EngineError> {
        let mut state = self.states.remove(&id).expect("the strategy chooses among the states there are");
        let Slice { forks, end } = self.engine.run(&mut state, SLICE);
        let end = end.or_else(|| self.too_deep(&state, plan));
        let ended = end.is_some();
        if let Some(end) = end {
            self.ended(&state, end)?;
        }
        let mut added = Vec::with_capacity(forks.len());
        for mut fork in forks {
            // An error is worth knowing at once, whatever the strategy would rather do; only seeds, which need no solver,
            // come first.
            if fork.is_error()
                && self.seeded.is_empty()
                && let Some(end) = self.engine.run(&mut fork, SLICE).end
            {
                self.ended(&fork, end)?;
                continue;
            }
            if let Some(why) = self.too_much(&fork, plan) {
                self.engine.incomplete.insert(why);
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
        Ok(())
    }

    /// The end of a path that has forked too often.
    fn too_deep(&mut self, state: &State, plan: &Plan) -> Option<End> {
        let why = depth_exceeded(state, plan)?;
        self.engine.incomplete.insert(why.clone());
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

    fn ended(&mut self, state: &State, end: End) -> Result<(), EngineError> {
        let test = match end {
            End::Infeasible | End::Silent => return Ok(()),
            End::Fatal(error) => return Err(error),
            End::Test(test) => test,
        };
        self.count(&test);
        self.sink.path(&test, state.covered_new);
        Ok(())
    }

    fn count(&mut self, test: &TestCase) {
        match &test.outcome {
            Outcome::Exit(_) => self.paths.completed += 1,
            Outcome::Finding(_) => self.paths.errored += 1,
            Outcome::Limit(_) => self.paths.pending += 1,
            Outcome::Unsupported { what, stack } => {
                self.paths.unknown += 1;
                let place = self.engine.place(stack);
                self.engine.incomplete.insert(format!("not supported: {what} at {place}"));
            }
            Outcome::SolverUnknown(why) => {
                self.paths.unknown += 1;
                self.engine.incomplete.insert(why.clone());
            }
        }
    }

    /// States that never got to their end count as pending; those that covered something new leave a test of it.
    fn abandon(&mut self) {
        for state in std::mem::take(&mut self.states).into_values() {
            self.paths.pending += 1;
            if state.pending.is_none() && state.covered_new {
                let test = self.engine.test_case(&state, Outcome::Limit("the run stopped".to_owned()));
                self.sink.path(&test, state.covered_new);
            }
        }
    }

    fn snapshot(&self, watch: &Watch<'_>) -> Snapshot {
        Snapshot {
            paths: self.paths,
            states: self.states.len(),
            stats: self.engine.stats,
            queries: self.engine.solver.stats().queries,
            covered: self.covered(),
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

    fn summary(&mut self, watch: &Watch<'_>) -> Summary {
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
            trace: std::mem::take(&mut self.engine.trace),
            stages: solver.stages.iter().map(|s| (s.name.to_owned(), s.asked, s.answered, s.time)).collect(),
        }
    }
}

fn depth_exceeded(state: &State, plan: &Plan) -> Option<String> {
    let most = plan.limits.depth.filter(|most| state.depth > *most)?;
    Some(format!("the depth limit of {most} forks cut paths off"))
}
