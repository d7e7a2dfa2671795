//! The engine, and the context in which one state runs: deciding conditions and splitting off what is on their other side.
//!
//! Invariant: a condition is decided by the witness, so the side taken is feasible without a query; the other side becomes a
//! state that is checked when it is first run (design decisions 1 and 2). A state that is split off in the middle of an
//! instruction executes that instruction again: conditions it knows already do not split again.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use taw_expr::{Term, Terms};
use taw_ir::{FuncId, Liveness, Operand, Origin, PointsTo, Program, Reg, TypeId};
use taw_solver::{Query, Solver, Verdict};

use crate::config::{Config, EngineError};
use crate::coverage::Coverage;
use crate::finding::{FindingKind, StackEntry};
use crate::follow::{Divergence, Following};
use crate::goals::Goals;
use crate::image::Image;
use crate::input::InputKey;
use crate::input_names::NamesAsked;
use crate::loops::KnownLoops;
use crate::model::Models;
use crate::output::StandIns;
use crate::path::{Condition, Decision, PathTerms, Tried};
use crate::provenance::Provenances;
use crate::reason::{Doubt, Premise};
use crate::shadow::Shadows;
use crate::state::{Fate, MadeInput, Pending, Phase, Seed, State, Witness};
use crate::stats::Stats;
use crate::stop::Stop;
use crate::trace::TraceEvent;
use crate::unknown::{CallersUnknown, GlobalPlaces};
use crate::value::Value;

/// Terms looked at to see whether a condition is settled: a fork and a query cost more than that.
const GLANCE: u32 = 40;

/// The ways of a condition: where it does not hold, and where it does.
const BRANCH: [u32; 2] = [0, 1];

/// What all states of a run share.
pub struct Engine<'p> {
    /// The program under test.
    pub program: &'p Program,
    /// The settings of the run; they do not change.
    pub config: Config,
    /// The arena of all terms.
    pub terms: Terms,
    /// The solver chain.
    pub solver: Solver,
    /// What was covered by all paths so far.
    pub coverage: Coverage,
    /// What was done so far, counted.
    pub stats: Stats,
    /// What was not followed on any path so far.
    pub doubts: BTreeSet<Doubt>,
    /// What was taken for granted on any path so far.
    pub premises: BTreeSet<Premise>,
    /// Structures of which the invariant that is looked at holds, as far as they were found.
    pub structures: Vec<crate::unknown::Structure>,
    /// Places to reach.
    pub goals: Goals,
    /// What was executed, if that is wanted.
    pub trace: Vec<TraceEvent>,
    /// Inputs that the seeds have under another name: as the program calls them, and as the seeds do.
    pub seeded_in_order: BTreeSet<(String, String)>,
    /// Where something was assumed.
    pub(crate) assumed: BTreeSet<(FuncId, u32)>,
    pub(crate) image: Rc<Image>,
    pub(crate) provenances: Provenances,
    /// Inputs by what tells them from others: paths that make the same inputs share them.
    pub(crate) inputs: HashMap<InputKey, Rc<MadeInput>>,
    /// The names that inputs were to have.
    pub(crate) input_names: NamesAsked,
    /// Set while a prefix is followed: the solver is not asked.
    pub(crate) following: Option<Following>,
    /// The conditions of the path that was asked about last.
    pub(crate) path_terms: PathTerms,
    /// Ways of branches that the bounds of a path have ruled out.
    pub(crate) dead_ends: BTreeSet<(FuncId, u32, u32)>,
    /// What depends on uninitialised memory, when that is checked.
    pub(crate) shadows: Shadows,
    /// Variables that stand for the text of numbers on its way to the console.
    pub(crate) stand_ins: StandIns,
    /// What looking at all states took at the last collection, in terms.
    pub(crate) held: usize,
    /// For types of what pointers point at: where in global variables such things are.
    pub(crate) global_places: HashMap<Option<TypeId>, Rc<GlobalPlaces>>,
    /// Errors of paths that started in the middle.
    pub(crate) errors_met: crate::judge::ErrorsMet,
    /// Entries of which the whole program does not tell what they are called with.
    pub callers_unknown: BTreeSet<(FuncId, CallersUnknown)>,
    /// Which registers matter where, of functions that hold pointers which wait.
    pub(crate) liveness: HashMap<FuncId, Rc<Liveness>>,
    /// What is known of loops, and of functions as code for them.
    pub(crate) loops: KnownLoops,
    /// Where pointers may point in the whole program, once somebody asked.
    pub(crate) points_to: Option<Rc<PointsTo>>,
}

impl<'p> Engine<'p> {
    /// Prepares a program for execution.
    ///
    /// # Errors
    /// What the user must mend before the program can run.
    pub fn new(program: &'p Program, config: Config, solver: Solver, models: Models) -> Result<Self, EngineError> {
        let mut terms = Terms::new();
        let mut provenances = Provenances::default();
        let image = Rc::new(Image::new(program, &mut terms, &mut provenances, models, &config)?);
        Ok(Engine {
            program,
            config,
            terms,
            solver,
            coverage: Coverage::new(program),
            stats: Stats::default(),
            doubts: BTreeSet::new(),
            premises: BTreeSet::new(),
            structures: Vec::new(),
            goals: Goals::default(),
            trace: Vec::new(),
            seeded_in_order: BTreeSet::new(),
            assumed: BTreeSet::new(),
            image,
            provenances,
            inputs: HashMap::new(),
            input_names: NamesAsked::new(),
            following: None,
            path_terms: PathTerms::default(),
            dead_ends: BTreeSet::new(),
            shadows: Shadows::default(),
            stand_ins: StandIns::default(),
            held: 0,
            global_places: HashMap::new(),
            errors_met: Default::default(),
            callers_unknown: BTreeSet::new(),
            liveness: HashMap::new(),
            loops: KnownLoops::default(),
            points_to: None,
        })
    }
}

/// One state running.
pub struct Cx<'a, 'p> {
    /// What is shared.
    pub engine: &'a mut Engine<'p>,
    /// What runs.
    pub state: &'a mut State,
    /// States split off in this slice.
    pub forks: Vec<State>,
    pub(crate) image: &'a Image,
    pub(crate) consts: &'a [Value],
}

impl Cx<'_, '_> {
    /// The terms.
    #[inline]
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.engine.terms
    }

    /// The value of an operand.
    #[inline]
    pub(crate) fn read(&self, op: Operand) -> Value {
        match op.as_reg() {
            Some(r) => self.state.top.regs[r.as_u32() as usize],
            None => self.consts[op.const_index()],
        }
    }

    /// Gives a register a value.
    #[inline]
    pub(crate) fn set(&mut self, dst: Reg, value: Value) {
        self.state.top.regs[dst.as_u32() as usize] = value;
    }

    /// The operand as a term of that width.
    pub(crate) fn read_term(&mut self, op: Operand, width: u32) -> Term {
        self.read(op).to_term(&mut self.engine.terms, width)
    }

    /// Gives a register a term (or the word it is).
    pub(crate) fn set_term(&mut self, dst: Reg, t: Term) {
        let value = Value::of_term(&self.engine.terms, t);
        self.set(dst, value);
    }

    /// A value made of a term.
    pub fn value(&self, t: Term) -> Value {
        Value::of_term(&self.engine.terms, t)
    }

    /// What a term is under the witness.
    pub fn witness_word(&mut self, t: Term) -> u64 {
        self.state.witness.word(&self.engine.terms, t)
    }

    /// The side of a condition that is the only one possible, as far as that is plain.
    pub(crate) fn settled_side(&mut self, cond: Term) -> Option<bool> {
        self.known_side(cond).or_else(|| self.bounded_side(cond))
    }

    /// The side of a condition that the path's bounds leave, if that is plain.
    fn bounded_side(&mut self, cond: Term) -> Option<bool> {
        if !self.engine.config.ranges {
            return None;
        }
        let terms = &self.engine.terms;
        let State { knowledge, path, witness, .. } = self.state;
        let bounds = &knowledge.of(terms, path).bounds;
        match bounds.fixes(terms, cond) {
            true => Some(witness.holds(terms, cond)),
            false => bounds.truth(terms, cond, GLANCE),
        }
    }

    /// The one value that the path leaves to a term of at most 64 bits, as far as that is plain.
    pub(crate) fn only_value(&mut self, t: Term) -> Option<u64> {
        if !self.engine.config.ranges {
            return None;
        }
        let terms = &self.engine.terms;
        let State { knowledge, path, witness, .. } = self.state;
        let bounds = &knowledge.of(terms, path).bounds;
        match bounds.fixes(terms, t) {
            true => Some(witness.word(terms, t)),
            false => bounds.value(terms, t, GLANCE),
        }
    }

    /// The side of a condition that the path has decided before, if it has.
    #[inline]
    fn known_side(&mut self, cond: Term) -> Option<bool> {
        if let Some(bits) = self.engine.terms.as_u64(cond) {
            return Some(bits != 0);
        }
        let known = &self.state.facts(&self.engine.terms).known;
        if known.contains(&cond) {
            return Some(true);
        }
        let negated = self.engine.terms.not(cond);
        known.contains(&negated).then_some(false)
    }

    /// Takes the witness's side of a condition and splits off the other side, to end or go on as `other` says.
    ///
    /// Returns the side, and the index in `forks` of the state split off if there is one.
    pub(crate) fn split(&mut self, cond: Term, other: Fate) -> (bool, Option<usize>) {
        self.split_ways(cond, other, BRANCH)
    }

    /// As [`split`](Self::split), with numbers of the ways where the condition does not hold and where it does.
    fn split_ways(&mut self, cond: Term, other: Fate, ways: [u32; 2]) -> (bool, Option<usize>) {
        if let Some(side) = self.known_side(cond) {
            return (side, None);
        }
        let side = self.state.witness.holds(&self.engine.terms, cond);
        let settled = self.bounded_side(cond);
        debug_assert!(settled.is_none_or(|settled| settled == side), "the bounds of a path deny its witness");
        match settled {
            None => (side, self.part(cond, side, other, ways)),
            Some(_) if self.is_first_dead_end(ways[usize::from(!side)]) => {
                let left = if side { self.engine.terms.not(cond) } else { cond };
                let fork = self.fork(left, other, ways[usize::from(!side)]);
                self.count_out(fork);
                (side, fork)
            }
            Some(_) => (side, None),
        }
    }

    /// Takes the witness's side of a condition that nothing settles, and splits off the other.
    fn part(&mut self, cond: Term, side: bool, other: Fate, ways: [u32; 2]) -> Option<usize> {
        let negated = self.engine.terms.not(cond);
        let (taken, left) = if side { (cond, negated) } else { (negated, cond) };
        let fork = self.fork(left, other, ways[usize::from(!side)]);
        self.decide(ways[usize::from(side)], taken);
        fork
    }

    /// Tries one of several things: `cond` says that it is this one, and `way` is its number; 0 is none of them. What the witness says is
    /// taken and returned, and a state that tries the others is split off.
    ///
    /// What was tried before is up to the witnesses that a path had, so it is no decision. What the path comes to is one, even where
    /// nothing else is left: the decisions of a path are the same however it was found.
    pub(crate) fn attempt(&mut self, what: Tried, cond: Term, way: u32) -> bool {
        let (goes_on, conditions) = (self.is_tried(what), self.state.path.len());
        let (side, others) = self.split_ways(cond, Fate::Continue, [0, way]);
        if let Some(pending) = others.and_then(|others| self.forks[others].pending.as_mut())
            && pending.number.is_some()
        {
            pending.condition.decided = None;
            pending.tried = Some(what);
        }
        if goes_on && self.state.path.len() == conditions {
            let taken = if side { cond } else { self.engine.terms.not(cond) };
            self.decide(if side { way } else { 0 }, taken);
        }
        side
    }

    /// Whether this path was split off in this instruction because something else that was tried is not the case.
    pub(crate) fn is_tried(&self, what: Tried) -> bool {
        let newest = self.state.path.newest_first().next();
        newest.and_then(|condition| condition.turn.as_ref()).is_some_and(|turn| turn.tried == Some(what))
    }

    /// A state that was just split off is known to be impossible.
    fn count_out(&mut self, fork: Option<usize>) {
        if let Some(pending) = fork.and_then(|fork| self.forks[fork].pending.as_mut()) {
            pending.number = None;
            self.state.splits -= 1;
        }
    }

    /// Whether this way is impossible for the first time, at this place: then it is worth a state, whose end explains why a
    /// goal behind it is unreachable.
    fn is_first_dead_end(&mut self, way: u32) -> bool {
        let place = (self.state.top.func, self.state.top.pc, way);
        !self.engine.goals.is_empty() && self.engine.dead_ends.insert(place)
    }

    /// Records which way a decision went, and its condition, which the witness satisfies.
    pub(crate) fn decide(&mut self, way: u32, condition: Term) {
        self.compare_with_recorded(way);
        let condition = Condition::decided(condition, self.way(way));
        self.state.assume(&self.engine.terms, condition);
    }

    /// A decision of the instruction that is being executed.
    fn way(&self, way: u32) -> Decision {
        Decision { func: self.state.top.func, pc: self.state.top.pc, way }
    }

    /// Splits off a state under a further condition, unless forking is off.
    pub(crate) fn fork(&mut self, condition: Term, fate: Fate, way: u32) -> Option<usize> {
        if self.engine.config.replay.is_some() {
            return None;
        }
        if self.state.no_forking {
            self.engine.doubts.insert(Doubt::ForkingOff);
            return None;
        }
        let seeds = self.seeds_for(condition);
        self.state.registers.share(&self.state.top);
        let mut fork = self.state.clone();
        let condition = Condition::decided(condition, self.way(way));
        fork.pending = Some(Pending { condition, number: Some(self.state.splits), tried: None, fate });
        self.state.splits += 1;
        fork.splits += 1;
        fork.seeds = seeds;
        fork.depth += 1;
        self.engine.stats.forks += 1;
        self.state.depth += 1;
        self.forks.push(fork);
        Some(self.forks.len() - 1)
    }

    /// Takes the seeds that satisfy a condition away from this state.
    fn seeds_for(&mut self, condition: Term) -> Vec<Seed> {
        let terms = &self.engine.terms;
        self.state.seeds.extract_if(.., |seed| seed.witness.holds(terms, condition)).collect()
    }

    /// Takes the witness's side of a truth value; the other side goes on with this instruction.
    pub fn branch(&mut self, cond: Value) -> bool {
        match (cond.as_word(), cond.as_term()) {
            (Some(word), _) => word != 0,
            (_, Some(t)) => self.split(t, Fate::Continue).0,
            _ => unreachable!("a value is a word or a term"),
        }
    }

    /// Goes on only where the condition holds; where it does not is an error.
    ///
    /// # Errors
    /// The error, if the witness does not satisfy the condition (then the rest of the path is split off to go on).
    pub fn require(&mut self, cond: Value, kind: FindingKind, message: impl FnOnce() -> String) -> Result<(), Stop> {
        let Some(t) = cond.as_term() else {
            return if cond == Value::word(0) { Err(Stop::Bug(kind, message())) } else { Ok(()) };
        };
        if let Some(side) = self.settled_side(t) {
            return if side { Ok(()) } else { Err(Stop::Bug(kind, message())) };
        }
        let message = message();
        if self.state.witness.holds(&self.engine.terms, t) {
            self.part(t, true, Fate::Error(kind, message), BRANCH);
            return Ok(());
        }
        self.part(t, false, Fate::Continue, BRANCH);
        Err(Stop::Bug(kind, message))
    }

    /// Goes on only where the condition holds; elsewhere there is no path.
    ///
    /// # Errors
    /// If it holds nowhere, or nobody knows.
    pub fn assume(&mut self, cond: Value) -> Result<(), Stop> {
        self.engine.assumed.insert((self.state.top.func, self.state.top.pc));
        let Some(t) = cond.as_term() else {
            return if cond == Value::word(0) { Err(Stop::Infeasible) } else { Ok(()) };
        };
        match self.settled_side(t) {
            Some(true) => return Ok(()),
            Some(false) => return Err(Stop::Infeasible),
            None => {}
        }
        if !self.state.witness.holds(&self.engine.terms, t) {
            self.engine.find_witness(self.state, t)?;
        }
        self.state.assume(&self.engine.terms, Condition::assumed(t));
        Ok(())
    }

    /// The one value of this state: the witness's; states with other values are split off.
    pub fn concretise(&mut self, value: Value, width: u32) -> u64 {
        match value.as_term() {
            None => value.as_word().unwrap_or_default(),
            Some(t) => {
                let word = self.witness_word(t);
                self.settle(Tried::Value(t), t, word, width, 1);
                word
            }
        }
    }

    /// Goes on where `t` is the witness's `word`, which is way `way`; states with other values are split off.
    pub(crate) fn settle(&mut self, what: Tried, t: Term, word: u64, width: u32, way: u32) {
        let constant = self.engine.terms.bv(width, word);
        let same = self.engine.terms.eq(t, constant);
        self.attempt(what, same, way);
    }
}

impl Cx<'_, '_> {
    /// The kernel is asked something: a path that may have any past rests on what it then answers.
    pub fn rest_on_fresh_kernel(&mut self) {
        if self.engine.config.any_past && self.is_in_call() {
            self.engine.premises.insert(Premise::Fresh);
        }
    }

    /// Whether the call is not over that the path started with. What exit handlers do is not what the call does.
    pub(crate) fn is_in_call(&self) -> bool {
        self.state.phase == Phase::Running
    }
}

/// Functions whose results are a sequence that each C library chooses.
const LIBRARY_DECIDES: &[&str] = &["rand", "rand_r", "random"];

impl Engine<'_> {
    /// Notes all that is taken for granted, whether or not a path meets it: where calls may lead depends on it.
    pub fn take_for_granted(&mut self) {
        for (id, function) in &self.program.functions {
            let stub = self.config.stubs.get(&function.name).filter(|_| !function.is_defined());
            self.premises.extend(stub.and_then(|&stub| Premise::of_stub(id, stub)));
        }
    }

    /// Notes what the models made for this run, and functions of the C library that were executed, say against conclusions.
    pub fn note_doubts(&mut self) {
        self.doubts.extend(self.config.own_models.iter().filter_map(|own| own.doubt()));
        if self.config.other_library {
            let of_the_library = |id: &FuncId| self.program.functions[*id].origin != Origin::User;
            let ran = |id: FuncId| self.coverage.instructions[id].iter().any(|covered| *covered);
            let decided = LIBRARY_DECIDES
                .iter()
                .filter(|name| self.program.function_named(name).filter(of_the_library).is_some_and(ran));
            self.doubts.extend(decided.copied().map(Doubt::LibraryDecides));
        }
    }

    /// Where the user's code assumed something, as far as a path got there.
    pub fn assumptions(&self) -> Vec<StackEntry> {
        let users = self.assumed.iter().filter(|(func, _)| self.program.functions[*func].origin.counts());
        let entry = |&(function, pc): &(FuncId, u32)| {
            let loc = self.program.functions[function].locs.get(pc as usize).copied().flatten();
            StackEntry { function, loc }
        };
        users.map(entry).collect()
    }

    /// Gives the state a witness for its path and one more condition.
    pub(crate) fn find_witness(&mut self, state: &mut State, goal: Term) -> Result<(), Stop> {
        state.seeds.retain_mut(|seed| seed.witness.holds(&self.terms, goal));
        if let Some(seed) = state.seeds.first() {
            state.witness = seed.witness.clone();
            return Ok(());
        }
        if let Some(following) = &mut self.following {
            following.broken = Some(Divergence::Witness(state.site()));
            return Err(Stop::Infeasible);
        }
        // The inputs are those that were recorded: that they are refused here is what the replay has shown.
        if self.config.replay.is_some() && !self.config.concrete {
            return Err(Stop::Infeasible);
        }
        let query = Query { path: self.path_terms.of(&state.path), goal, witness: state.witness.assignment() };
        match self.solver.solve(&mut self.terms, &query) {
            Verdict::Sat(model) => {
                state.witness = Witness::new(model);
                Ok(())
            }
            Verdict::Unsat => Err(Stop::Infeasible),
            Verdict::Unknown(why) => Err(Stop::Unknown(why.into())),
        }
    }
}
