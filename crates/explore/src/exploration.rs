//! A run: does the work that an explorer asks for, keeps to the limits, hands over results, and knows at the end what is known.
//!
//! Invariant: every state is in the store and known to the explorer, or has ended; each ended path went to the sink once; a state
//! that did not get to its end is in the ledger with the reason and, with goals, in the hunt with its place.

use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use taw_engine::{Cut, End, Engine, Goals, Halt, HoldsTerms, Outcome, Reception, Sink, Slice, State, TestCase};
use taw_ir::{CallGraph, Program};
use taw_search::{Delta, SearchScheme, Spent, StateId};
use taw_solver::{Solver, SolverConfig};

use crate::backward::{Backward, Guided, no_guides};
use crate::concolic::Concolic;
use crate::error::ExploreError;
use crate::explorer::{Explorer, Idle, Work};
use crate::forward::Forward;
use crate::goal_distances::goal_id;
use crate::hunt::Hunt;
use crate::ledger::Ledger;
use crate::limits::LimitWatch;
use crate::store::StateStore;
use crate::view::{Notes, View};
use crate::{Limits, Plan, Snapshot, Summary};

/// Instructions that an error, which is looked at at once, may take: it ends before it executes any.
const AT_ONCE: u64 = 1;
/// Time between two snapshots.
const SNAPSHOTS: Duration = Duration::from_millis(200);

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
    Ok(Exploration::new(program, plan)?.run(sink, progress, stop))
}

/// A run of one program.
///
/// After [`run`](Self::run) nothing in it is of use, but taking it apart can take longer than the run did: there may be gigabytes of states
/// and of the solver's expressions. A process that is about to end may [forget](std::mem::forget) it.
pub struct Exploration<'p> {
    pub(crate) engine: Engine<'p>,
    pub(crate) store: StateStore,
    pub(crate) ledger: Ledger,
    limits: Limits,
    /// The places to reach, if there are any.
    pub(crate) hunt: Option<Hunt<'p>>,
    notes: Notes,
    explorer: Box<dyn Explorer>,
    /// What runs one path after the other instead, if the search is concolic testing.
    pub(crate) concolic: Option<Concolic>,
    /// What goes the other way meanwhile.
    pub(crate) backward: Option<Backward<'p>>,
}

impl<'p> Exploration<'p> {
    /// A run the way the plan's search says, before its first instruction. Without goals there is nothing to go back from.
    ///
    /// # Errors
    /// What the user must mend before the program can run.
    pub fn new(program: &'p Program, plan: &Plan) -> Result<Self, ExploreError> {
        let scheme = SearchScheme::parse(&plan.search).map_err(ExploreError::Search)?;
        let forward = Forward::new(scheme.forward(), plan.seed).map_err(ExploreError::Search)?;
        let guides = no_guides();
        let backward = Backward::new(&scheme, program, plan, Rc::clone(&guides)).filter(|_| !plan.goals.is_empty());
        let Some(mut backward) = backward else {
            let mut exploration = Self::by(Box::new(forward), program, plan)?;
            exploration.go_concolic(&scheme, plan);
            return Ok(exploration);
        };
        let explorer: Box<dyn Explorer> = match scheme {
            SearchScheme::Symcretic => Box::new(Idle),
            _ => Box::new(Guided::new(forward, guides)),
        };
        let mut exploration = Self::by(explorer, program, plan)?;
        if let Some(hunt) = &exploration.hunt {
            backward.begin(hunt, exploration.engine.goals.open());
        }
        exploration.backward = Some(backward);
        Ok(exploration)
    }

    /// A run by this explorer, whichever the plan names.
    ///
    /// # Errors
    /// What the user must mend before the program can run.
    pub fn by(explorer: Box<dyn Explorer>, program: &'p Program, plan: &Plan) -> Result<Self, ExploreError> {
        let deadline = plan.limits.time.and_then(|time| Instant::now().checked_add(time));
        let solver = SolverConfig { deadline, ..plan.solver.clone() };
        let solver = Solver::new(solver).map_err(ExploreError::Solver)?;
        let mut engine =
            Engine::new(program, plan.engine.clone(), solver, plan.models).map_err(ExploreError::Engine)?;
        engine.goals = Goals::new(program, plan.goals.clone());
        if !plan.goals.is_empty() {
            // Whether one can be reached at all is asked before the first path.
            engine.take_for_granted();
        }
        let notes = Notes::default();
        let hunt = || Hunt::new(program, notes.graph(&engine), plan.goals.clone(), plan.engine.checks.leak);
        let hunt = (!plan.goals.is_empty()).then(hunt);
        let (store, ledger, limits) = (StateStore::default(), Ledger::new(program), plan.limits.clone());
        let mut exploration =
            Exploration { engine, store, ledger, limits, hunt, notes, explorer, concolic: None, backward: None };
        exploration.begin(plan)?;
        Ok(exploration)
    }

    /// The first state of every entry; with goals, of those that may lead to one.
    fn begin(&mut self, plan: &Plan) -> Result<(), ExploreError> {
        let initial = plan.entries.iter().map(|entry| self.engine.initial(entry));
        let initial: Vec<State> = initial.collect::<Result<_, _>>().map_err(ExploreError::Engine)?;
        if let Some(hunt) = &mut self.hunt {
            hunt.begin(&mut self.engine, &initial, &plan.left_out);
        }
        self.ledger.cuts.extend(plan.left_out.iter().copied().map(Cut::NotStarted));
        let mut ids = Vec::with_capacity(initial.len());
        for state in initial {
            if !self.hunt.as_ref().is_some_and(|hunt| hunt.is_hopeless(&self.engine.goals, &state)) {
                ids.push(self.store.add(state));
            }
        }
        self.tell(None, &ids, &[]);
        Ok(())
    }

    /// Explores until nothing is left, a limit is met, or `stop` is set.
    ///
    /// Results go to `sink` as they are found; `progress` is called a few times a second.
    pub fn run(&mut self, sink: &mut dyn Sink, progress: &mut dyn FnMut(&Snapshot), stop: &AtomicBool) -> Summary {
        let limits = self.limits.clone();
        let mut watch = LimitWatch::new(&limits, stop);
        let mut shown = Instant::now();
        let mut why = None;
        while !self.is_over() {
            if shown.elapsed() > SNAPSHOTS {
                shown = Instant::now();
                progress(&self.snapshot(&watch));
            }
            why = watch.exceeded(self.paths_ended(), self.instructions());
            if why.is_some() {
                break;
            }
            if self.goes_back() {
                self.go_back(self.spent().units(), &mut watch, sink);
            } else if self.advance(&mut watch, sink).is_break() {
                // Nothing is left here. Where something was lost it may be found elsewhere that nothing leads to a goal.
                let is_left = |backward: &Backward<'_>| !backward.is_over() && !backward.has_had_enough(self.spent());
                if !self.backward.as_ref().is_some_and(is_left) || self.is_decided() {
                    break;
                }
                self.go_back(u64::MAX, &mut watch, sink);
            }
        }
        self.finish(why, &mut watch, sink)
    }

    /// Does one piece of work, unless the explorer wants nothing more.
    pub(crate) fn advance(&mut self, watch: &mut LimitWatch<'_>, sink: &mut dyn Sink) -> ControlFlow<()> {
        let work = match &self.concolic {
            Some(_) => None,
            None => Some(self.next()),
        };
        if matches!(work, Some(None)) {
            return ControlFlow::Break(());
        }
        if self.wants_collection() || watch.is_short_of_memory() {
            self.collect();
        }
        if watch.is_short_of_memory() {
            self.shed(sink);
            watch.relieved();
            return ControlFlow::Continue(());
        }
        if self.ledger.curve.is_due(watch.elapsed()) {
            self.note_progress(watch);
        }
        match work.flatten() {
            Some(Work::Run { state, budget }) => self.slice(state, budget, sink),
            None => return self.walk_on(sink),
        }
        ControlFlow::Continue(())
    }

    /// How many instructions a state may execute next.
    pub(crate) fn budget(&self, state: &State, budget: u64) -> u64 {
        let left = self.limits.path_instructions.map_or(u64::MAX, |most| most.saturating_sub(state.executed));
        budget.min(left.max(1))
    }

    /// The end of a run, for that reason: what is left is given up.
    pub(crate) fn finish(&mut self, why: Option<Halt>, watch: &mut LimitWatch<'_>, sink: &mut dyn Sink) -> Summary {
        self.engine.note_doubts();
        // What an explorer did not want to run is not explored.
        let why = why.or_else(|| (!self.is_over() && self.store.len() > 0).then_some(Halt::Over));
        self.end_walks(why);
        self.abandon(why, sink);
        self.note_progress(watch);
        self.summary(watch)
    }

    /// Paths that ended, for the limit: of concolic testing all runs.
    fn paths_ended(&self) -> u64 {
        let paths = &self.ledger.paths;
        let ended = paths.completed + paths.errored + paths.unknown;
        self.concolic.as_ref().map_or(ended, |concolic| concolic.counts.runs)
    }

    /// What the run has spent, without what goes the other way.
    pub(crate) fn spent(&self) -> Spent {
        let instructions = self.engine.stats.instructions + self.engine.loops_spent();
        Spent { instructions, queries: self.engine.solver.queries() }
    }

    fn wants_collection(&self) -> bool {
        match self.limits.collect_after {
            Some(made) => self.engine.terms.made() >= made,
            None => self.engine.wants_collection(),
        }
    }

    /// Gives up terms that nobody needs any more.
    fn collect(&mut self) {
        let dead = self.hunt.iter().flat_map(Hunt::dead_ends).map(|dead| dead as &dyn HoldsTerms);
        let walks = self.concolic.iter().map(|concolic| concolic as &dyn HoldsTerms);
        self.engine.collect(self.store.states(), dead.chain(walks));
    }

    /// The call graph of the program.
    pub(crate) fn graph(&self) -> Rc<CallGraph> {
        self.notes.graph(&self.engine)
    }

    /// Whether all that was looked for is decided.
    pub(crate) fn is_over(&self) -> bool {
        self.hunt.is_some() && self.engine.goals.open().next().is_none()
    }

    fn next(&mut self) -> Option<Work> {
        self.explorer.next(&View {
            store: &self.store,
            engine: &self.engine,
            notes: &self.notes,
            hunt: self.hunt.as_ref(),
            misses: &[],
        })
    }

    fn tell(&mut self, ran: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        let delta = Delta { ran, added, removed };
        let misses: Vec<_> = self.engine.goals.misses().into_iter().map(|(goal, by)| (goal_id(goal), by)).collect();
        self.notes.follow(&delta, &self.store);
        let view = View {
            store: &self.store,
            engine: &self.engine,
            notes: &self.notes,
            hunt: self.hunt.as_ref(),
            misses: &misses,
        };
        self.explorer.learn(&delta, &view);
    }

    /// Runs one state until it splits, ends, or has had its turn.
    fn slice(&mut self, id: StateId, budget: u64, sink: &mut dyn Sink) {
        let mut state = self.store.take(id).expect("the explorer chooses among the states there are");
        let budget = self.budget(&state, budget);
        let Slice { forks, end } = self.engine.run(&mut state, budget);
        self.receive(sink);
        let end = end.or_else(|| self.too_deep(&state));
        let ended = match end {
            Some(end) => {
                self.ended(&state, end, sink);
                true
            }
            None => self.is_hopeless(&state),
        };
        let added = self.admit(forks, sink);
        if ended {
            self.store.removed(id);
            self.tell(Some(id), &added, &[id]);
        } else {
            self.store.put_back(id, state);
            self.tell(Some(id), &added, &[]);
        }
    }

    /// Puts states that were split off into the store, as far as they are wanted and the limits allow.
    fn admit(&mut self, forks: Vec<State>, sink: &mut dyn Sink) -> Vec<StateId> {
        let mut added = Vec::with_capacity(forks.len());
        for mut fork in forks {
            if self.is_unwanted(&fork) {
                continue;
            }
            // An error is worth knowing at once, whatever the explorer would rather do; only seeds, which need no solver,
            // come first.
            if fork.is_error()
                && self.store.seeded().is_none()
                && let Some(end) = self.engine.run(&mut fork, AT_ONCE).end
            {
                self.ended(&fork, end, sink);
                continue;
            }
            match self.limits.too_deep(&fork).or_else(|| self.limits.full(self.store.len())) {
                Some(why) => {
                    self.lose(&fork, why.into());
                    self.ledger.paths.pending += 1;
                }
                None => added.push(self.store.add(fork)),
            }
        }
        added
    }

    /// The end of a path that has forked too often.
    pub(crate) fn too_deep(&self, state: &State) -> Option<End> {
        let why = self.limits.too_deep(state)?;
        Some(End::Test(Box::new(self.engine.test_case(state, Outcome::Halted(why)))))
    }

    pub(crate) fn ended(&mut self, state: &State, end: End, sink: &mut dyn Sink) {
        let test = match end {
            End::Infeasible => {
                if let Some(hunt) = &mut self.hunt {
                    hunt.dead_end(state);
                }
                return;
            }
            End::Silent => {
                self.ledger.paths.silent += 1;
                return;
            }
            End::Test(test) => test,
        };
        self.ledger.count(&test.outcome);
        if let Some(why) = self.ledger.cut_short(&test.outcome) {
            self.lose(state, why);
        }
        self.show(&test, sink);
        if let (Outcome::Finding(finding), Some(hunt)) = (&test.outcome, &mut self.hunt) {
            // From an unknown state nobody knows whether the error happens; where a native run ends by it, too, nothing gets further.
            if !(self.engine.config.any_past && finding.kind.ends_natively()) {
                hunt.failed(&self.engine.goals, state, finding);
            }
            for goal in hunt.met_by(&self.engine.goals, finding) {
                self.arrived(goal, &test, sink);
            }
        }
    }

    /// A state ends before its time.
    fn lose(&mut self, state: &State, why: Cut) {
        if let Some(hunt) = &mut self.hunt {
            hunt.lose(&self.engine.goals, state, &why);
        }
        self.ledger.cuts.insert(why);
    }

    /// Whether no goal can be reached from a state, which is then counted.
    pub(crate) fn is_hopeless(&mut self, state: &State) -> bool {
        let Some(hunt) = &mut self.hunt else { return false };
        let hopeless = hunt.is_hopeless(&self.engine.goals, state);
        hunt.dropped += u64::from(hopeless);
        hopeless
    }

    /// Whether a state that was split off is not worth a query: it leads to no goal, or is an error that nobody asked for.
    pub(crate) fn is_unwanted(&mut self, fork: &State) -> bool {
        if self.is_hopeless(fork) {
            return true;
        }
        let Some(hunt) = &mut self.hunt else { return false };
        // An error in a predicate or condition is none of the program's: what lies behind it is not known.
        fork.is_error()
            && !fork.is_in_predicate()
            && !hunt.wants_error(&self.engine.goals, fork)
            && !hunt.looks_at(fork)
    }

    /// Hands over what reached a goal in the last slice.
    pub(crate) fn receive(&mut self, sink: &mut dyn Sink) {
        for arrival in self.engine.goals.arrivals() {
            self.arrived(arrival.goal, &arrival.test, sink);
        }
    }

    pub(crate) fn arrived(&mut self, goal: usize, test: &TestCase, sink: &mut dyn Sink) {
        let (begin, time) = (Instant::now(), self.ledger.searched());
        let reception = sink.reached(goal, test);
        self.ledger.confirmed_since(begin);
        let Some(hunt) = &mut self.hunt else { return };
        let closed = self.engine.goals.closed();
        match reception {
            Reception::Accepted => hunt.reached(&mut self.engine, goal, time),
            Reception::Refused(why) => hunt.refused(&mut self.engine, goal, why),
            Reception::Futile(why) => hunt.given_up(&mut self.engine, goal, why),
        }
        self.tell_backward(goal, self.engine.goals.closed() > closed);
    }

    /// States that never got to their end count as pending; those that covered what no test covers leave one.
    fn abandon(&mut self, why: Option<Halt>, sink: &mut dyn Sink) {
        self.ledger.cuts.extend(why.map(Cut::Halted));
        for state in self.store.clear() {
            self.give_up(&state, why, Halt::Over, sink);
        }
    }

    /// Gives half of the states up, that the others may go on.
    fn shed(&mut self, sink: &mut dyn Sink) {
        let why = Halt::Shed(self.limits.memory.unwrap_or(u64::MAX));
        let mut removed = Vec::new();
        for (id, state) in self.store.thin_out() {
            self.ledger.shed += 1;
            self.give_up(&state, Some(why), why, sink);
            removed.push(id);
        }
        self.tell(None, &[], &removed);
    }

    /// A state that never gets to its end: it is lost if there is a reason, and leaves a test if it covered what no test covers.
    fn give_up(&mut self, state: &State, lost: Option<Halt>, outcome: Halt, sink: &mut dyn Sink) {
        self.ledger.paths.pending += 1;
        if let Some(why) = lost {
            self.lose(state, why.into());
        }
        if state.pending.is_none() && self.ledger.is_new(&state.covered) {
            let test = self.engine.test_case(state, Outcome::Halted(outcome));
            self.show(&test, sink);
        }
    }

    /// Hands a test over.
    fn show(&mut self, test: &TestCase, sink: &mut dyn Sink) {
        self.ledger.shown(test);
        sink.path(test);
    }
}
