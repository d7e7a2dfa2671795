//! Running and turning: what a strategy asks for is done a slice at a time, so that limits are kept and results handed over as in any run.

use std::ops::ControlFlow;

use taw_engine::{Cut, Doubt, End, FirstInputs, Halt, Input, Prediction, Sink, Slice, State, Turned, Walk};
use taw_search::{NextRun, RunOutcome, SearchScheme, WalkId};

use super::{Concolic, ConcolicEvent, Running, WalksView};
use crate::Plan;
use crate::exploration::Exploration;

/// Instructions between two looks at the limits; a decision ends a slice anyway.
const SLICE: u64 = 100_000;

impl Exploration<'_> {
    /// Makes a run that has not begun a concolic one, if the scheme says so.
    pub(crate) fn go_concolic(&mut self, scheme: &SearchScheme, plan: &Plan) {
        if let SearchScheme::Concolic(scheme) = scheme {
            let initial = self.store.clear();
            self.concolic = Some(Concolic::new(scheme, initial, plan.seed, plan.engine.trace_runs));
        }
    }

    /// One slice of the run in progress, or the next question.
    pub(crate) fn walk_on(&mut self, sink: &mut dyn Sink) -> ControlFlow<()> {
        let Some(mut concolic) = self.concolic.take() else { return ControlFlow::Break(()) };
        let flow = match concolic.running.take() {
            Some(running) => {
                self.go_on(&mut concolic, running, sink);
                ControlFlow::Continue(())
            }
            None => self.begin_next(&mut concolic),
        };
        self.concolic = Some(concolic);
        flow
    }

    /// What the strategy whose turn it is wants next.
    fn begin_next(&mut self, concolic: &mut Concolic) -> ControlFlow<()> {
        let Some(entry) = concolic.next_entry() else { return ControlFlow::Break(()) };
        if let Some(first) = concolic.entries[entry].first.pop_front() {
            self.start(concolic, entry, &first, None);
            return ControlFlow::Continue(());
        }
        let wanted = self.with_view(concolic, entry, |strategy, view| strategy.next(view));
        match wanted {
            None => concolic.entries[entry].is_over = true,
            Some(NextRun::Random) => {
                let source = concolic.next_source();
                self.start(concolic, entry, &FirstInputs::Random(source), None);
            }
            Some(NextRun::Turn { walk, choice }) => self.turn(concolic, entry, walk, choice),
        }
        ControlFlow::Continue(())
    }

    /// Looks for inputs that turn a decision, and begins to run on them.
    fn turn(&mut self, concolic: &mut Concolic, entry: usize, id: WalkId, choice: usize) {
        let walk = &concolic.entries[entry].walks[&id];
        let (turned, calls) = self.engine.turn(walk, choice, &mut concolic.by);
        concolic.counts.turns += 1;
        concolic.note(|| ConcolicEvent::Turn(choice + 1));
        for call in calls {
            let conditions = call.conditions as u64;
            concolic.counts.calls += 1;
            concolic.counts.conditions += conditions;
            concolic.counts.largest = concolic.counts.largest.max(conditions);
            concolic.note(|| ConcolicEvent::Call { conditions: call.conditions, answer: call.answer });
        }
        let outcome = match turned {
            Turned::Inputs(inputs) => {
                return self.start(concolic, entry, &FirstInputs::Solved(inputs), Some((id, choice)));
            }
            Turned::Impossible => {
                concolic.counts.impossible += 1;
                RunOutcome::Impossible
            }
            Turned::Unanswered(why) => {
                concolic.counts.unanswered += 1;
                self.lose_all(&Cut::Unanswered(why.into()));
                RunOutcome::Unanswered
            }
        };
        self.learn(concolic, entry, outcome);
    }

    fn start(&mut self, concolic: &mut Concolic, entry: usize, inputs: &FirstInputs, from: Option<(WalkId, usize)>) {
        let state = self.engine.start_on(&concolic.entries[entry].initial, inputs);
        let (blocks, state) = (self.engine.coverage.log.len(), self.store.add(state));
        concolic.running = Some(Running { entry, state, walk: Walk::default(), from, blocks });
    }

    /// Runs the path on until it splits, ends, or has had its turn. What is split off leaves a note.
    fn go_on(&mut self, concolic: &mut Concolic, mut running: Running, sink: &mut dyn Sink) {
        let mut state = self.store.take(running.state).expect("it is there while the path runs");
        let budget = self.budget(&state, SLICE);
        let Slice { forks, end } = self.engine.run(&mut state, budget);
        self.receive(sink);
        for fork in forks {
            if !self.is_unwanted(&fork) {
                running.walk.note(&fork, self.engine.program);
            }
        }
        let end = end.or_else(|| self.too_deep(&state));
        if end.is_none() && !self.is_hopeless(&state) {
            self.store.put_back(running.state, state);
            concolic.running = Some(running);
            return;
        }
        let is_new = self.ledger.is_new(&state.covered);
        let inputs = match &end {
            Some(End::Test(test)) if concolic.wants_trace => test.inputs.clone(),
            _ => Vec::new(),
        };
        if let Some(end) = end {
            self.ended(&state, end, sink);
        }
        self.store.removed(running.state);
        self.conclude(concolic, running, &state, is_new, inputs);
    }

    /// A path was executed: tells the strategy, and forgets the paths that it does not hold.
    fn conclude(&mut self, concolic: &mut Concolic, running: Running, state: &State, is_new: bool, inputs: Vec<Input>) {
        let Running { entry, state: _, mut walk, from, blocks } = running;
        let walks = &mut concolic.entries[entry];
        let before = from.map(|(id, choice)| (&walks.walks[&id], choice));
        let prediction = walk.conclude(state, before);
        let next = before.map_or(0, |(before, choice)| walk.after(before, choice));
        let id = WalkId(walks.next);
        walks.next += 1;
        let conditions = walk.conditions();
        walks.walks.insert(id, walk);
        concolic.counts.runs += 1;
        concolic.counts.mispredicted += u64::from(prediction == Prediction::Failed);
        let predicted = prediction == Prediction::Held;
        concolic.note(|| ConcolicEvent::Run { inputs, conditions, predicted });
        let gain = ((self.engine.coverage.log.len() - blocks) as u64).max(u64::from(is_new));
        self.learn(concolic, entry, RunOutcome::Ran { walk: id, turned: from.is_some(), predicted, next, gain });
        let walks = &mut concolic.entries[entry];
        walks.walks.retain(|id, _| walks.strategy.holds(*id));
    }

    fn learn(&mut self, concolic: &mut Concolic, entry: usize, outcome: RunOutcome) {
        self.with_view(concolic, entry, |strategy, view| strategy.learn(outcome, view));
    }

    fn with_view<T>(
        &mut self,
        concolic: &mut Concolic,
        entry: usize,
        act: impl FnOnce(&mut dyn taw_search::WalkStrategy, &WalksView<'_, '_>) -> T,
    ) -> T {
        let graph = self.graph();
        let walks = &mut concolic.entries[entry];
        let view = WalksView { walks: &walks.walks, engine: &self.engine, graph: &graph, branches: &concolic.branches };
        act(&mut *walks.strategy, &view)
    }

    /// Something is not looked at, wherever it is.
    fn lose_all(&mut self, why: &Cut) {
        if let Some(hunt) = &mut self.hunt {
            hunt.lose_all(why);
        }
        self.ledger.cuts.insert(why.clone());
    }

    /// The end of the run, for that reason: says what was not turned.
    pub(crate) fn end_walks(&mut self, why: Option<Halt>) {
        let Some(concolic) = &self.concolic else { return };
        let is_left = concolic.entries.iter().any(|entry| !entry.is_over);
        let is_partial = concolic.entries.iter().any(|entry| entry.is_over && !entry.strategy.is_exhaustive());
        if concolic.counts.mispredicted > 0 {
            self.engine.doubts.insert(Doubt::Mispredicted(concolic.counts.mispredicted));
        }
        if is_partial {
            self.engine.doubts.insert(Doubt::NotTurned);
        }
        if is_left && !self.is_over() {
            self.lose_all(&Cut::Halted(why.unwrap_or(Halt::Over)));
        }
    }
}
