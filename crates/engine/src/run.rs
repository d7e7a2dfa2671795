//! Running a state for a slice, from its first instruction to its test case.

use std::rc::Rc;

use taw_expr::Term;
use taw_ir::{BlockId, Conduct, FuncId, Inst, SourceArgument, Ty};

use crate::access::Access;
use crate::config::EngineError;
use crate::coverage::PathCoverage;
use crate::cx::{Cx, Engine};
use crate::finding::{Finding, FindingKind, StackEntry};
use crate::image::Binding;
use crate::input::inputs_of;
use crate::path::{Decision, Turn};
use crate::provenance::Provenance;
use crate::reason::Doubt;
use crate::state::{Fate, Frame, Pending, Seed, State};
use crate::stop::Stop;
use crate::surroundings::Given;
use crate::test_case::{Input, Outcome, TestCase};
use crate::unknown::{Argument, ObjectGraph, argument_obstacle, containers_first, opened, opened_with, parameter_name};

/// What a slice did.
pub struct Slice {
    /// States split off.
    pub forks: Vec<State>,
    /// How the state ended, if it did.
    pub end: Option<End>,
}

/// How a state ended.
pub enum End {
    /// With a test.
    Test(Box<TestCase>),
    /// There is no such path.
    Infeasible,
    /// The program wants no test of it.
    Silent,
}

impl<'p> Engine<'p> {
    /// The state before the first instruction of `entry`, with its arguments, which are symbolic unless it is `main`: that
    /// gets them from its surroundings.
    ///
    /// # Errors
    /// If there is no such function, or it cannot be started.
    pub fn initial(&mut self, entry: &str) -> Result<State, EngineError> {
        let func = self.entry(entry)?;
        let image = Rc::clone(&self.image);
        let memory = match entry {
            "main" => &image.memory,
            _ => image.opened.get_or_init(|| {
                opened(&image.memory, self.program, &image.globals, &mut self.terms, self.config.any_past)
            }),
        };
        let mut state =
            State::new(memory.clone(), self.config.surroundings.clone(), func, &self.program.functions[func]);
        let seed = |inputs: &Vec<Input>| Seed {
            inputs: Rc::new(inputs.clone()),
            answers: Rc::default(),
            witness: state.witness.clone(),
        };
        state.seeds = self.config.seeds.iter().map(seed).collect();
        if entry != "main" {
            self.symbolic_arguments(&mut state)?;
        }
        state.preconditions = self.preconditions_of(entry).into();
        Ok(state)
    }

    fn entry(&self, name: &str) -> Result<FuncId, EngineError> {
        let defined = |f: &FuncId| matches!(self.image.bindings[*f], Binding::Code);
        self.program.function_named(name).filter(defined).ok_or_else(|| {
            let users = |f: &&taw_ir::Function| f.is_defined() && f.origin == taw_ir::Origin::User;
            let candidates = self.program.functions.values().filter(users).map(|f| f.name.clone()).collect();
            EngineError::NoEntry { name: name.to_owned(), candidates }
        })
    }

    fn symbolic_arguments(&mut self, state: &mut State) -> Result<(), EngineError> {
        let function = &self.program.functions[state.top.func];
        let arguments = function.arguments(&self.program.types, &self.program.layout);
        let mut order = containers_first(self.program, function, &arguments);
        if self.has_lengths(function) {
            // Numbers come before the arrays that some are the lengths of, and in their order: natively they are asked for in it.
            let is_number = |argument: &SourceArgument| {
                argument.whole.is_none() && function.params[argument.params.start].ty != Ty::Ptr
            };
            order.sort_by_key(|&number| !is_number(&arguments[number]));
        }
        let all = arguments.iter().map(|argument| Argument::Waiting(argument.params.start)).collect();
        Rc::make_mut(&mut state.unknowns).arguments = all;
        for number in order {
            let argument = &arguments[number];
            let unstartable = |why| {
                let (function, parameter) = (function.name.clone(), parameter_name(function, argument.params.start));
                EngineError::EntryParameter { function, parameter, why }
            };
            if let Some(why) = argument_obstacle(function, argument) {
                return Err(unstartable(why));
            }
            let values = self.with(state, |cx| cx.unknown_arguments(number, function, argument));
            let values = values.map_err(|_| unstartable("a query about it was not answered"))?;
            for (param, value) in function.params[argument.params.clone()].iter().zip(values) {
                state.top.regs[param.reg.as_u32() as usize] = value;
            }
        }
        Ok(())
    }

    /// Does something in the context of a state, outside of a slice. Nothing may be split off.
    fn with<T>(&mut self, state: &mut State, act: impl FnOnce(&mut Cx<'_, 'p>) -> T) -> T {
        let image = Rc::clone(&self.image);
        act(&mut Cx { engine: self, state, forks: Vec::new(), image: &image, consts: &[] })
    }

    /// Runs a state until it splits, ends, or has executed `budget` instructions.
    pub fn run(&mut self, state: &mut State, budget: u64) -> Slice {
        let image = Rc::clone(&self.image);
        state.registers.unpack(&mut state.top);
        let mut cx = Cx { engine: self, state, forks: Vec::new(), image: &image, consts: &[] };
        let result = cx.activate().and_then(|()| cx.boot()).and_then(|()| cx.interpret(budget));
        let result = result.or_else(|stop| cx.go_on_unasked(stop));
        let mut forks = std::mem::take(&mut cx.forks);
        // A slice ends where it forks.
        forks.iter_mut().for_each(|fork| fork.executed = cx.state.executed);
        let end = result.err().map(|stop| cx.end(stop));
        Slice { forks, end }
    }

    /// What happens when a function is called: its body runs, a model answers instead, or nobody.
    pub fn conduct(&self, func: FuncId) -> Conduct {
        let runs_code = matches!(self.image.bindings[func], Binding::Code);
        Conduct { runs_code, effect: self.image.effects[func] }
    }

    /// The calls of a state, innermost first.
    pub fn stack_of(&self, state: &State) -> Vec<StackEntry> {
        let frames = std::iter::once(&state.top).chain(state.callers.iter().rev().map(|f| &**f));
        let entry = |f: &Frame| {
            let locs = &self.program.functions[f.func].locs;
            StackEntry { function: f.func, loc: locs.get(f.pc as usize).copied().flatten() }
        };
        frames.map(entry).collect()
    }

    /// The branches that share inputs with the last decision, which is what the path is about (the others could have gone
    /// another way), and whether each condition held. Oldest first.
    fn decisive(&self, state: &State) -> Vec<(StackEntry, bool)> {
        let Some((_, last)) = state.last_decision() else { return Vec::new() };
        let about = self.terms.vars_of(last);
        let is_branch =
            |d: &Decision| matches!(self.program.functions[d.func].code.get(d.pc as usize), Some(Inst::CondBr { .. }));
        let shares = |term: Term| self.terms.share_input(self.terms.vars_of(term), about);
        let entry = |d: Decision| {
            let loc = self.program.functions[d.func].locs.get(d.pc as usize).copied().flatten();
            (StackEntry { function: d.func, loc }, d.way == 1)
        };
        let pending = state.pending.as_ref().map(|pending| &pending.condition);
        let conditions = state.path.conditions().into_iter().chain(pending);
        conditions.filter(|c| shares(c.term)).filter_map(|c| c.decided).filter(is_branch).map(entry).collect()
    }

    /// The test that a state's witness is.
    pub fn test_case(&self, state: &State, outcome: Outcome) -> TestCase {
        let is_told = matches!(outcome, Outcome::Finding(_)) && !self.config.goals_alone;
        let (graph, mut given) = (ObjectGraph::of(state, self.program, &self.config.shapes), self.given(state));
        // Files that the caller may open, and need not.
        let is_passed = |path: &str| graph.as_ref().is_none_or(|graph| graph.has_stream(path));
        given.files.retain(|(path, bytes)| opened_with(path).is_none() || !bytes.is_empty() || is_passed(path));
        TestCase {
            entry: state.start,
            inputs: inputs_of(&state.inputs.to_vec(), state.witness.assignment(), self.program.layout.big_endian),
            outcome,
            path: state.ways(),
            decisive: if is_told { self.decisive(state) } else { Vec::new() },
            caller: None,
            graph,
            returned: None,
            written: state.output.under(&self.terms, &state.witness),
            given,
            labels: state.labels.to_vec(),
            prints: state.prints.to_vec().into_iter().cloned().collect(),
            covered: self.covered(state),
        }
    }

    /// What a native run is started with, and why it may rightly go another way.
    fn given(&self, state: &State) -> Given {
        let mut witness = state.witness.clone();
        let mut given = state.surroundings.given(&self.terms, &mut witness);
        let is_far =
            |(pointer, of): &(Term, Provenance)| self.provenances.is_far(*of, witness.word(&self.terms, *pointer));
        if state.layout_decides || state.ordered.iter().any(is_far) {
            given.excuses.push("the program compares or computes with addresses, which natively are others".to_owned());
        }
        given
    }

    /// What a run on the state's witness covers, as far as the state has come.
    fn covered(&self, state: &State) -> PathCoverage {
        let (mut covered, mut witness) = (state.covered.clone(), state.witness.clone());
        for &(then, otherwise, cond) in state.sides.iter() {
            covered.insert(if witness.holds(&self.terms, cond) { then } else { otherwise });
        }
        covered
    }
}

impl Cx<'_, '_> {
    /// Checks the condition under which the state was split off, if that has not been done yet.
    fn activate(&mut self) -> Result<(), Stop> {
        let Some(term) = self.state.pending.as_ref().map(|pending| pending.condition.term) else { return Ok(()) };
        let before = self.state.witness.shared();
        self.engine.stats.queries_in_invariants += u64::from(self.is_in_invariant());
        self.engine.find_witness(self.state, term)?;
        let Some(Pending { mut condition, number, tried, fate }) = self.state.pending.take() else { return Ok(()) };
        if let (Some(number), None) = (number, self.state.entering) {
            condition.turn = Some(Rc::new(Turn { number, before, tried }));
        }
        self.state.assume(&self.engine.terms, condition);
        if let Some(edge) = self.state.entering.take()
            && self.engine.coverage.mark_edge(&mut self.state.covered, self.state.top.func, edge)
        {
            self.state.since_new = 0;
        }
        match fate {
            Fate::Continue => Ok(()),
            Fate::Error(kind, message) => Err(Stop::Bug(kind, message)),
            Fate::BadAccess { ptr, bytes, write, object } => {
                let address = self.witness_word(ptr);
                let access = if write { Access::Write } else { Access::Read };
                let (kind, message) = self.describe_bad(address, bytes, access, Some(object));
                Err(Stop::Bug(kind, message))
            }
        }
    }

    fn interpret(&mut self, budget: u64) -> Result<(), Stop> {
        let mut left = budget;
        let mut result = Ok(());
        while left > 0 && self.forks.is_empty() {
            match self.run_frame_counted(&mut left) {
                Ok(()) | Err(Stop::Resume) => {}
                Err(stop) => {
                    result = Err(stop);
                    break;
                }
            }
        }
        let executed = budget - left;
        self.engine.stats.instructions += executed;
        self.state.since_new += executed;
        self.state.executed += executed;
        result
    }

    /// Runs the innermost call, and counts what of it is an invariant's whose structures are given.
    fn run_frame_counted(&mut self, left: &mut u64) -> Result<(), Stop> {
        if !self.is_in_invariant() {
            return self.run_frame(left);
        }
        let (before, queries) = (*left, self.engine.solver.queries());
        let result = self.run_frame(left);
        self.engine.stats.in_invariants += before - *left;
        self.engine.stats.queries_in_invariants += self.engine.solver.queries() - queries;
        result
    }

    fn end(&mut self, stop: Stop) -> End {
        let end = self.end_of(stop);
        if self.engine.config.replay.is_some() {
            let is_whole = matches!(end, End::Test(_)) && self.is_recorded(None);
            self.note_replay(is_whole.then_some(Doubt::OnlyRecorded));
        }
        end
    }

    fn end_of(&mut self, stop: Stop) -> End {
        let outcome = match self.end_in_predicate(stop) {
            Stop::Infeasible => return End::Infeasible,
            Stop::Silent => return End::Silent,
            Stop::Exit(code) => Outcome::Exit(code),
            Stop::Signal(signal) => Outcome::Signal(signal),
            Stop::Bug(FindingKind::Abort, _) if self.is_assuming() => {
                self.engine.assumed.insert(self.assumption());
                return End::Infeasible;
            }
            Stop::Bug(kind, message) => Outcome::Finding(self.finding(kind, message)),
            Stop::BugAt(kind, message, stack) => Outcome::Finding(Finding { kind, message, stack }),
            Stop::Unsupported(what) => Outcome::Unsupported { what, stack: self.engine.stack_of(self.state) },
            Stop::NotTried(bound) => Outcome::Halted(crate::reason::Halt::Bound(bound)),
            Stop::Unknown(why) => Outcome::Unknown(why),
            Stop::Resume => unreachable!("`interpret` goes on"),
        };
        self.cover_partial();
        let mut test = Box::new(self.engine.test_case(self.state, outcome));
        if matches!(test.outcome, Outcome::Exit(_)) {
            test.returned = self.call_outcome(test.graph.as_ref());
        }
        if let Outcome::Finding(finding) = &test.outcome {
            test.caller = self.engine.note_error(self.state, finding);
        }
        End::Test(test)
    }

    /// A replay must go the recorded way: anything else is a defect of Taw, or the program has changed. Called before a decision is made.
    pub(crate) fn compare_with_recorded(&mut self, way: u32) {
        if self.engine.config.replay.is_some() && !self.is_recorded(Some(way)) {
            self.note_replay(None);
        }
    }

    /// Whether the recorded path goes this way next, or has no more decisions.
    fn is_recorded(&self, way: Option<u32>) -> bool {
        let recorded = self.engine.config.replay.as_ref();
        recorded.is_some_and(|recorded| recorded.path.get(self.state.path.decisions()).copied() == way)
    }

    /// Notes what a replay has shown, if it went the recorded way until now; nothing means that it goes another way from here on.
    fn note_replay(&mut self, shown: Option<Doubt>) {
        if !self.engine.doubts.iter().any(|doubt| matches!(doubt, Doubt::Diverged(_))) {
            self.engine.doubts.insert(shown.unwrap_or(Doubt::Diverged(self.state.path.decisions() + 1)));
        }
    }

    /// Whether the innermost call is of the function by which programs of the competition assume, defined by the program itself.
    fn is_assuming(&self) -> bool {
        self.engine.program.functions[self.state.top.func].name == "assume_abort_if_not"
    }

    /// Where the program assumes: of a function that it defines for that, its call.
    fn assumption(&self) -> (FuncId, u32) {
        let caller = self.state.callers.last().filter(|_| self.is_assuming());
        let frame = caller.map_or(&self.state.top, |caller| &**caller);
        (frame.func, frame.pc)
    }

    fn finding(&self, kind: FindingKind, message: String) -> Finding {
        Finding { kind, message, stack: self.engine.stack_of(self.state) }
    }

    /// Marks what was executed of blocks that were not left.
    pub(crate) fn cover_partial(&mut self) {
        let frames: Vec<(FuncId, BlockId, u32)> = std::iter::once(&self.state.top)
            .chain(self.state.callers.iter().map(|f| &**f))
            .map(|f| (f.func, f.block, f.pc))
            .collect();
        for (func, block, pc) in frames {
            let function = &self.engine.program.functions[func];
            self.engine.coverage.mark_until(&mut self.state.covered, func, block, function, pc);
        }
    }
}
