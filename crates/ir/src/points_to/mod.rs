//! Where pointers may point, for the whole program: an inclusion-based analysis (Andersen's) that knows neither the order of instructions nor who calls,
//! and has one cell for all that an object holds.
//!
//! Only what runs from `main` (or from entries), constructors and destructors on is looked at, indirect calls as the analysis itself resolves them. A local, a global, a
//! place that allocates are one object each, however often they run. What is not followed is [`AbstractObject::Anything`]: any object,
//! null, any function whose address is taken. Calls whose code is not there are as [`PointerConduct`] says; one that nobody knows
//! ([`PointsTo::obstacle`]) makes the whole of it worthless, because it may call whatever has a name.
//!
//! Integers are followed like pointers, so that copies by integers and byte by byte keep what they hold; an integer that may be something else than a
//! copy is anything when it is cast to a pointer. Two things are taken for granted: a number that never was an address is not
//! read as a pointer out of memory without a cast (inputs and files hold no addresses), and what nobody has written is not used as a pointer.
//!
//! Boundary: nothing of execution; who answers calls is told by the caller. Invariant: over-approximates. Whatever a run passes and stores, within
//! what is taken for granted, the sets have: `testkit/tests/points_to.rs` holds them against native runs.

mod calls;
mod constants;
mod constraints;
mod solve;

use std::collections::HashMap;

use cranelift_entity::SecondaryMap;

use crate::inst::Operand;
use crate::program::{AllocaId, CallId, FuncId, GlobalId, Program, UnsupportedId};

use solve::{PointerSolver, Sets};

/// Something that a pointer may point at, or what it may be otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AbstractObject {
    /// Nothing: it is null.
    Null,
    /// No address: of integers alone.
    Number,
    /// Whatever there is: not followed.
    Anything,
    /// An address of no object, and not null: `(void *)-1`.
    Nowhere,
    /// Memory that the kernel gives, and what it hands to signal handlers.
    Kernel,
    /// What there was before an entry that is not `main` was called, but for the program's own globals.
    Given,
    /// The arrays that `main` gets.
    Arguments,
    /// The strings in them.
    ArgumentText,
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
    /// A local variable.
    Local(FuncId, AllocaId),
    /// What a call allocates.
    Allocated(FuncId, CallId),
    /// The copy that is passed for a parameter, by its position.
    Copy(FuncId, u32),
    /// Arguments of a variadic function beyond its parameters.
    Further(FuncId),
}

/// What a call does to pointers where no code shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PointerConduct {
    /// Its code runs, and shows it.
    Runs,
    /// It does nothing to pointers.
    Nothing,
    /// It moves what it is given: see [`PointerMoves`].
    Moves(PointerMoves),
    /// It hands its arguments, and what they point at, to the kernel.
    HandsOut,
    /// Nobody knows.
    Unknown,
}

/// What a function without code does to pointers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PointerMoves {
    /// Positions of the arguments whose objects it writes: with what any argument's object holds.
    pub writes: Vec<usize>,
    /// Whether what it writes may be the address of memory that it allocates.
    pub writes_fresh: bool,
    /// What it gives back.
    pub result: MovedResult,
}

/// What a function without code gives back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MovedResult {
    /// A number, or nothing.
    #[default]
    Number,
    /// One of its arguments, or null; the arguments of the program, if it has none.
    Argument,
    /// Memory that it allocates, with what an argument's object holds, or null.
    Fresh,
}

/// Who answers calls.
pub trait PointerConducts {
    /// What a call of a function does.
    fn conduct(&self, func: FuncId) -> PointerConduct;

    /// Whether it keeps the functions that it is handed, and somebody calls them later with the other arguments.
    fn keeps(&self, func: FuncId) -> bool;
}

/// Why the analysis says nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PointsToObstacle {
    /// There is no `main`.
    NoMain,
    /// A function that nobody knows may be called.
    Unknown(FuncId),
    /// Something that cannot be executed may be met, in this function.
    Unsupported(FuncId, UnsupportedId),
}

/// Where a pointer may point: objects by their numbers, ascending.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Pointees(Vec<u32>);

impl Pointees {
    fn has(&self, object: AbstractObject) -> bool {
        let fixed = solve::FIXED.iter().position(|known| *known == object).expect("one that is always there");
        self.0.contains(&(fixed as u32))
    }

    /// Whether it may be anything.
    pub fn is_anything(&self) -> bool {
        self.has(AbstractObject::Anything)
    }

    /// Whether it may be null. A pointer that is passed in an integer, as a part of a structure, may be what any number is.
    pub fn may_be_null(&self) -> bool {
        self.is_anything() || self.has(AbstractObject::Null) || self.has(AbstractObject::Number)
    }

    /// Whether two pointers may lead to one object.
    pub fn may_share(&self, other: &Pointees) -> bool {
        let is_object = |object: &&u32| **object >= solve::FIRST_OBJECT;
        let has_any = |all: &Pointees| all.is_anything() || all.0.iter().any(|object| is_object(&object));
        match self.is_anything() || other.is_anything() {
            true => has_any(self) && has_any(other),
            false => self.0.iter().filter(is_object).any(|object| other.0.binary_search(object).is_ok()),
        }
    }

    /// The places among them, by their numbers.
    pub(crate) fn places(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied().filter(|object| *object > solve::NOWHERE)
    }

    /// Takes in what another has.
    pub fn extend(&mut self, other: &Pointees) {
        self.0.extend(&other.0);
        self.0.sort_unstable();
        self.0.dedup();
    }
}

/// The analysis of a program.
#[derive(Clone, Debug)]
pub struct PointsTo {
    objects: Vec<AbstractObject>,
    numbers: HashMap<AbstractObject, u32>,
    /// What each object holds.
    cells: Vec<Pointees>,
    /// For each function that may run what its parameters may be.
    parameters: SecondaryMap<FuncId, Option<Vec<Pointees>>>,
    /// For each function that may run where its registers and constants are among the sets.
    functions: SecondaryMap<FuncId, Option<Sets>>,
    sets: Vec<Pointees>,
    obstacle: Option<PointsToObstacle>,
}

impl PointsTo {
    /// Analyses a program from `main` on.
    pub fn new(program: &Program, conducts: &dyn PointerConducts) -> Self {
        let main = program.function_named("main").filter(|main| program.functions[*main].is_defined());
        let mut solver = PointerSolver::new(program, conducts);
        match main {
            Some(main) => solver.run_from(main),
            None => solver.obstacle = Some(PointsToObstacle::NoMain),
        }
        solver.finish()
    }

    /// Analyses a program from entries on that somebody calls who is not seen: what they are passed, and what globals hold that are said to be
    /// unknown, is anything that such a caller may have, its own objects, variables of the program and functions.
    pub fn from_entries(
        program: &Program,
        conducts: &dyn PointerConducts,
        entries: &[FuncId],
        globals_are_unknown: bool,
    ) -> Self {
        let mut solver = PointerSolver::new(program, conducts);
        solver.run_called(entries, globals_are_unknown);
        solver.finish()
    }

    /// Why nothing may be concluded from it, if something forbids it.
    pub fn obstacle(&self) -> Option<PointsToObstacle> {
        self.obstacle
    }

    /// Whether a function may run.
    pub fn runs(&self, func: FuncId) -> bool {
        self.parameters[func].is_some()
    }

    /// What a parameter may be, by its position, of a function that may run.
    pub fn parameter(&self, func: FuncId, at: usize) -> Pointees {
        self.parameters[func].as_ref().and_then(|all| all.get(at)).cloned().unwrap_or_default()
    }

    /// What a register or constant may be, of a function that may run.
    pub fn operand(&self, func: FuncId, operand: Operand) -> &Pointees {
        let sets = self.functions[func].expect("it may run");
        &self.sets[sets.operand(operand) as usize]
    }

    /// What is in the objects that a pointer may point at.
    pub fn content(&self, holder: &Pointees) -> Pointees {
        let mut all = Pointees::default();
        for &object in &holder.0 {
            all.extend(&self.cells[object as usize]);
        }
        let fixed = if holder.is_anything() { AbstractObject::Anything } else { AbstractObject::Null };
        all.extend(&self.only(fixed));
        all
    }

    /// What a global holds.
    pub fn content_of_global(&self, id: GlobalId) -> Pointees {
        self.content(&self.only(AbstractObject::Global(id)))
    }

    /// Whether a pointer may be one to this.
    pub fn may_be(&self, pointees: &Pointees, object: AbstractObject) -> bool {
        let known = self.numbers.get(&object).is_some_and(|number| pointees.0.binary_search(number).is_ok());
        known || pointees.is_anything()
    }

    /// What a pointer may be, in the order in which it was met; empty if it may be anything but for that.
    pub fn objects<'a>(&'a self, pointees: &'a Pointees) -> impl Iterator<Item = AbstractObject> + 'a {
        pointees.0.iter().map(|object| self.objects[*object as usize])
    }

    /// How many objects there are.
    pub(crate) fn count(&self) -> usize {
        self.objects.len()
    }

    /// The number of an object, if any pointer may be one to it.
    pub(crate) fn number_of(&self, object: AbstractObject) -> Option<u32> {
        self.numbers.get(&object).copied()
    }

    /// The object of a number.
    pub(crate) fn object(&self, number: u32) -> AbstractObject {
        self.objects[number as usize]
    }

    /// What an object holds, by its number.
    pub(crate) fn held(&self, number: u32) -> &Pointees {
        &self.cells[number as usize]
    }

    fn only(&self, object: AbstractObject) -> Pointees {
        Pointees(self.numbers.get(&object).into_iter().copied().collect())
    }
}
