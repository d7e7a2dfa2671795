//! A state: everything about one path at one moment. A value: cloning it is forking it.
//!
//! Invariant: unless `pending` is set, the witness satisfies every term of `path`.

use std::rc::Rc;

use taw_expr::{Assignment, Evaluator, Marks, Term, Terms, Var};
use taw_ir::{BlockId, EdgeId, EntityRef, FuncId, Function, Program, Site};

use crate::coverage::PathCoverage;
use crate::holds::HoldsTerms;
use crate::input_names::NextNumbers;
use crate::memory::Memory;
use crate::output::Output;
use crate::path::{Condition, Decision, Facts, Knowledge, Path, PathWays, Tried};
use crate::provenance::Provenance;
use crate::registers::Registers;
use crate::surroundings::SharedSurroundings;
use crate::test_case::{Input, InputType};
use crate::trail::Trail;
use crate::unknown::{Returned, Unknowns, Upholding};
use crate::value::Value;

/// One call.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// The instruction being executed.
    pub pc: u32,
    /// The block it is in.
    pub block: BlockId,
    /// The block that it came from.
    pub(crate) from: BlockId,
    /// The registers of the call, by number.
    pub regs: Vec<Value>,
    /// Addresses of its stack objects, oldest first.
    pub locals: Vec<u64>,
    /// Address of the area with the variadic arguments, if the function takes any.
    pub(crate) variadic: Option<crate::step::Variadic>,
    /// Tells this call from every other of the path.
    pub serial: u64,
    /// Whether it checks an invariant: what is below it goes on at its instruction.
    pub(crate) upholds: bool,
}

impl Frame {
    pub(crate) fn new(func: FuncId, function: &Function, serial: u64) -> Self {
        Frame {
            func,
            pc: 0,
            block: BlockId::new(0),
            from: BlockId::new(0),
            regs: vec![Value::word(0); function.regs.len()],
            locals: Vec::new(),
            variadic: None,
            serial,
            upholds: false,
        }
    }
}

/// What a state does when its outermost call returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The surroundings are made; so many steps are done.
    Booting(usize),
    /// Constructors and then preconditions run; so many have started.
    Starting(usize),
    /// The entry runs.
    Running,
    /// Exit handlers and destructors run; the exit code, and how many destructors have started.
    Exiting(i32, usize),
}

/// A symbolic input as made on this path.
#[derive(PartialEq, Eq, Debug)]
pub struct MadeInput {
    /// Name, unique on the path.
    pub name: String,
    /// What it is.
    pub ty: InputType,
    /// Size in bytes.
    pub size: usize,
    /// Its content as variables, first in memory first; each covers `size / vars.len()` bytes.
    pub vars: Rc<[Var]>,
}

/// A place to come back to.
#[derive(Clone, Copy, Debug)]
pub struct Jump {
    /// The call that `setjmp` was called in.
    pub serial: u64,
    /// The calling instruction.
    pub pc: u32,
    /// Its block.
    pub block: BlockId,
}

/// Conditions that no branch decides: the numbers of their sides, and the condition.
pub(crate) type Sides =
    imbl::GenericHashSet<(u32, u32, Term), rustc_hash::FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>;

/// What a forked-off state is to do once its condition is known to be possible.
#[derive(Clone, Debug)]
pub enum Fate {
    /// Go on at its instruction.
    Continue,
    /// It is the share of an access that is an error.
    BadAccess {
        /// The address accessed.
        ptr: Term,
        /// How many bytes.
        bytes: u64,
        /// Whether written.
        write: bool,
        /// The object it should have stayed in.
        object: u64,
    },
    /// It is an error of that kind.
    Error(crate::FindingKind, String),
}

/// A condition still to be checked (design decision 2).
#[derive(Clone, Debug)]
pub struct Pending {
    /// The last condition, not yet part of the path.
    pub condition: Condition,
    /// Which of the states that its path has split off it is, from 0; none if it is known to be impossible.
    pub number: Option<u32>,
    /// Set if the condition is no decision: it says only that this is not what was tried first.
    pub(crate) tried: Option<Tried>,
    /// What then.
    pub fate: Fate,
}

impl Pending {
    /// Whether it stands for all that was not tried, and not for one way.
    pub fn is_rest(&self) -> bool {
        self.tried.is_some()
    }
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// The innermost call.
    pub top: Frame,
    /// How its registers are kept while the state waits.
    pub(crate) registers: Registers,
    /// The calls around it, outermost first.
    pub callers: Vec<Rc<Frame>>,
    /// The function that the run started at.
    pub start: FuncId,
    /// Functions that are called with the entry's arguments before it: each must hold.
    pub preconditions: Rc<[FuncId]>,
    /// The entry's call, while constructors and preconditions run.
    pub entry: Option<Rc<Frame>>,
    /// The memory of the path; shared with forks until it is changed.
    pub memory: Memory,
    /// The conditions of the path, and which way each decision went.
    pub path: Path,
    /// What they say.
    pub(crate) knowledge: Knowledge,
    /// A concrete assignment that satisfies the path.
    pub witness: Witness,
    /// Seeds that go this way.
    pub seeds: Vec<Seed>,
    /// Set while nobody knows whether the state is feasible.
    pub pending: Option<Pending>,
    /// The edge the state was sent along when it was split off, to be marked as covered once it is known to be feasible.
    pub entering: Option<EdgeId>,
    /// What the solver answered when it was asked for a number.
    pub(crate) answers: Trail<u64>,
    /// Symbolic inputs made so far.
    pub inputs: Trail<Rc<MadeInput>>,
    /// What the path started with that nobody knows.
    pub(crate) unknowns: Rc<Unknowns>,
    /// How they are named where there are many.
    pub(crate) next_numbers: NextNumbers,
    /// What to do at the end.
    pub phase: Phase,
    /// Functions registered with `atexit`: address and argument.
    pub exit_handlers: Rc<Vec<(u64, Value)>>,
    /// What calls held that the program ended in the midst of; only where leaks are looked for.
    pub held: Rc<Vec<u64>>,
    /// `setjmp` places, by the number stored in the buffer less one.
    pub jumps: Rc<Vec<Jump>>,
    /// What the program has written.
    pub output: Output,
    /// The kernel and whatever else is around the program.
    pub surroundings: SharedSurroundings,
    /// For each goal how many of its steps the path has passed; those at the end may be missing.
    pub passed: Rc<Vec<u16>>,
    /// Labels of markers passed.
    pub labels: Rc<Vec<String>>,
    /// Values shown.
    pub prints: Trail<String>,
    /// Number of calls made so far.
    pub calls: u64,
    /// How many states were split off on the way here, without those that are known to be impossible: these come and go with goals.
    pub(crate) splits: u32,
    /// Number of forks on the way here.
    pub depth: u32,
    /// Instructions executed since something new was covered.
    pub since_new: u64,
    /// Instructions executed on the way here.
    pub executed: u64,
    /// Set if inputs that the path makes have values by chance, of this source.
    pub(crate) chance: Option<u64>,
    /// What this path has covered.
    pub covered: PathCoverage,
    /// Conditions that no branch decides and that depend on inputs: the numbers of their sides, and the condition.
    pub(crate) sides: Sides,
    /// How often something came into being that nobody had written; counted only where that is looked for.
    pub(crate) unwritten: usize,
    /// Whether something was decided by where objects lie in memory.
    pub(crate) layout_decides: bool,
    /// Pointers whose order with others of the same objects was asked for, with these objects: one that the inputs move far away may natively be on their other side.
    pub(crate) ordered: Rc<Vec<(Term, Provenance)>>,
    /// What there was when the entry returned, while what comes at the end of a program runs.
    pub(crate) returned: Option<Rc<Returned>>,
    /// What there was before the invariants that are being checked.
    pub(crate) upholding: Option<Rc<Upholding>>,
    /// Whether `klee_set_forking(0)` is in force: only the witness's side is followed.
    pub no_forking: bool,
}

impl HoldsTerms for Frame {
    fn mark(&self, marks: &mut Marks) {
        let Frame { func: _, pc: _, block: _, from: _, regs, locals: _, variadic: _, serial: _, upholds: _ } = self;
        regs.mark(marks);
    }
}

impl HoldsTerms for Pending {
    fn mark(&self, marks: &mut Marks) {
        let Pending { condition, number: _, tried, fate } = self;
        condition.mark(marks);
        tried.iter().for_each(|tried| tried.mark(marks));
        match fate {
            Fate::BadAccess { ptr, bytes: _, write: _, object: _ } => ptr.mark(marks),
            Fate::Continue | Fate::Error(..) => {}
        }
    }
}

/// Witnesses hold values of inputs, unknowns are inputs, and what is known of a path is about its conditions: both without terms of their own.
impl HoldsTerms for State {
    fn mark(&self, marks: &mut Marks) {
        let State {
            top,
            registers,
            callers,
            start: _,
            preconditions: _,
            entry,
            memory,
            path,
            knowledge: _,
            witness: _,
            seeds: _,
            pending,
            entering: _,
            answers: _,
            inputs: _,
            unknowns: _,
            next_numbers: _,
            phase: _,
            exit_handlers,
            held: _,
            jumps: _,
            output,
            surroundings,
            passed: _,
            labels: _,
            prints: _,
            calls: _,
            splits: _,
            depth: _,
            since_new: _,
            executed: _,
            chance: _,
            covered: _,
            sides,
            unwritten: _,
            layout_decides: _,
            ordered,
            returned,
            upholding,
            no_forking: _,
        } = self;
        returned.mark(marks);
        ordered.iter().for_each(|(pointer, _)| pointer.mark(marks));
        upholding.mark(marks);
        top.mark(marks);
        registers.mark(marks);
        callers.mark(marks);
        entry.mark(marks);
        memory.mark(marks);
        path.mark(marks);
        pending.mark(marks);
        exit_handlers.iter().for_each(|(_, argument)| argument.mark(marks));
        output.mark(marks);
        surroundings.mark(marks);
        sides.iter().for_each(|(_, _, condition)| condition.mark(marks));
    }
}

impl State {
    /// A state before its first instruction.
    pub fn new(memory: Memory, surroundings: SharedSurroundings, func: FuncId, function: &Function) -> Self {
        State {
            top: Frame::new(func, function, 0),
            registers: Registers::default(),
            start: func,
            preconditions: Rc::default(),
            entry: None,
            callers: Vec::new(),
            memory,
            path: Path::default(),
            knowledge: Knowledge::default(),
            witness: Witness::new(Assignment::new()),
            seeds: Vec::new(),
            pending: None,
            entering: None,
            answers: Trail::default(),
            inputs: Trail::default(),
            unknowns: Rc::default(),
            next_numbers: None,
            phase: Phase::Booting(0),
            exit_handlers: Rc::default(),
            held: Rc::default(),
            jumps: Rc::default(),
            output: Output::default(),
            surroundings,
            passed: Rc::default(),
            labels: Rc::default(),
            prints: Trail::default(),
            calls: 0,
            splits: 0,
            depth: 0,
            since_new: 0,
            executed: 0,
            chance: None,
            covered: PathCoverage::default(),
            sides: Sides::default(),
            unwritten: 0,
            layout_decides: false,
            ordered: Rc::default(),
            returned: None,
            upholding: None,
            no_forking: false,
        }
    }

    /// What may run before the entry, while that has not begun: constructors, then preconditions.
    pub fn starters<'s>(&'s self, program: &'s Program) -> impl Iterator<Item = FuncId> + 's {
        program.constructors.iter().chain(self.preconditions.iter()).copied()
    }

    /// The frame of a further call.
    pub fn new_frame(&mut self, func: FuncId, function: &Function) -> Frame {
        self.calls += 1;
        Frame::new(func, function, self.calls)
    }

    /// Whether the state, if it is feasible, is an error and nothing more.
    pub fn is_error(&self) -> bool {
        self.pending.as_ref().is_some_and(|p| !matches!(p.fate, Fate::Continue))
    }

    /// Whether it executes a predicate of an invariant or the condition of a place, and not the program.
    pub fn is_in_predicate(&self) -> bool {
        self.upholding.is_some()
    }

    /// Adds a condition that the witness satisfies.
    pub fn assume(&mut self, terms: &Terms, condition: Condition) {
        self.knowledge.learn(terms, &self.path, condition.term);
        self.path.push(condition);
    }

    /// What the conditions of the path say.
    #[inline]
    pub(crate) fn facts(&mut self, terms: &Terms) -> &Facts {
        self.knowledge.of(terms, &self.path)
    }

    /// The last decision and its condition, which may still have to be checked.
    pub fn last_decision(&self) -> Option<(Decision, Term)> {
        let pending = self.pending.iter().map(|pending| &pending.condition);
        pending.chain(self.path.newest_first()).find_map(|c| Some((c.decided?, c.term)))
    }

    /// Which way each decision went, oldest first; the last one may still have to be checked.
    pub fn ways(&self) -> PathWays {
        PathWays::Of(self.path.clone(), self.pending.as_ref().and_then(|pending| pending.condition.decided))
    }

    /// The instruction that is being executed.
    pub fn site(&self) -> Site {
        Site { func: self.top.func, pc: self.top.pc }
    }

    /// Gives memory back while the state waits. What it needs to go on is made again.
    pub fn forget(&mut self) {
        self.registers.pack(&mut self.top);
        self.knowledge.forget();
        self.witness.forget();
    }
}

/// A starting input given by the user: executed first, without the solver.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The inputs' values as given.
    pub inputs: Rc<Vec<Input>>,
    /// What the solver answers on their path when it is asked for a number, as far as that is known.
    pub answers: Rc<[u64]>,
    /// Their values as an assignment, for the inputs made so far.
    pub witness: Witness,
}

/// The assignment of a state, and what terms evaluate to under it.
///
/// A clone starts with an empty memo: most forked states are never run, and those that are get another assignment.
#[derive(Debug)]
pub struct Witness {
    assignment: Rc<Assignment>,
    memo: Option<Box<Evaluator>>,
}

impl Clone for Witness {
    fn clone(&self) -> Self {
        Witness { assignment: Rc::clone(&self.assignment), memo: None }
    }
}

impl Witness {
    /// Wraps an assignment.
    pub fn new(assignment: Assignment) -> Self {
        Witness { assignment: Rc::new(assignment), memo: None }
    }

    /// Wraps an assignment that others have too.
    pub(crate) fn shared_by(assignment: &Rc<Assignment>) -> Self {
        Witness { assignment: Rc::clone(assignment), memo: None }
    }

    /// The assignment.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// The assignment, shared.
    pub(crate) fn shared(&self) -> Rc<Assignment> {
        Rc::clone(&self.assignment)
    }

    /// Gives an input that no term depends on yet a value.
    pub fn set(&mut self, var: Var, value: u64) {
        Rc::make_mut(&mut self.assignment).set(var, value);
        self.memo = None;
    }

    fn evaluator(&mut self) -> &mut Evaluator {
        self.memo.get_or_insert_with(|| Box::new(Evaluator::new((*self.assignment).clone())))
    }

    /// The value of a term of at most 64 bits.
    pub fn word(&mut self, terms: &Terms, t: Term) -> u64 {
        self.evaluator().eval_u64(terms, t)
    }

    /// The value of a term of any width.
    pub fn bits(&mut self, terms: &Terms, t: Term) -> taw_expr::Bits {
        self.evaluator().eval(terms, t)
    }

    /// Whether a truth value holds.
    pub fn holds(&mut self, terms: &Terms, t: Term) -> bool {
        self.evaluator().holds(terms, t)
    }

    /// Gives memory back while the state waits.
    pub fn forget(&mut self) {
        self.memo = None;
    }
}
