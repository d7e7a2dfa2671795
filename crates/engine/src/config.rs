//! What a run may be told about the engine.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::loops::LoopMode;
use crate::model::OwnModel;
use crate::stub::Stub;
use crate::surroundings::{Boot, BootFn, Nothing, SharedSurroundings};
use crate::test_case::Input;
use crate::unknown::{CallerPromises, StagedParameters, Staging, UnknownShapes};

/// Checks that are off unless asked for (`--check`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// Signed overflow is an error.
    pub overflow: bool,
    /// A float that does not fit the integer it is converted to is an error.
    pub float_cast: bool,
    /// The compiler has put the two above into the code.
    pub in_the_code: bool,
    /// Branching on, or addressing by, uninitialised memory is an error.
    pub uninit: bool,
    /// Heap memory not freed at exit is an error.
    pub leak: bool,
}

/// A path recorded in a test, to be executed again without the solver: its inputs lead along it, and each decision is compared with the
/// recorded one when it is made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recorded {
    /// The inputs with their values; found by name.
    pub inputs: Vec<Input>,
    /// Which way each decision went.
    pub path: Vec<u32>,
}

/// Something that holds where paths start at a function: that another one, with the same parameters, does not return zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Precondition {
    /// Where paths start.
    pub entry: String,
    /// What is called first, with the same arguments.
    pub function: String,
    /// The expression that it is made of, if the user wrote one.
    pub text: Option<String>,
}

/// Settings of the engine.
#[derive(Clone, Debug)]
pub struct Config {
    /// Checks on request.
    pub checks: Checks,
    /// Functions, beside `taw_target`, whose call marks a place: their first argument is the label.
    pub markers: Vec<String>,
    /// How functions behave that are defined nowhere, by name.
    pub stubs: BTreeMap<String, Stub>,
    /// What holds where paths start.
    pub preconditions: Vec<Precondition>,
    /// The deepest call stack before a path is a stack overflow. Default: 65 536, which at 128 bytes a call is the
    /// usual stack of 8 MiB.
    pub max_stack: usize,
    /// The most heap a path may hold, in bytes. Default: 2 GiB.
    pub max_heap: u64,
    /// Whether the code went, or may have gone, through an optimiser: then a shift that is too wide is no error by itself, since optimisers
    /// compute values that are not used.
    pub optimised: bool,
    /// Whether the program natively has another C library than the one that it is explored with.
    pub other_library: bool,
    /// Whether what the ranges of a path settle is not split. Off only to measure what solvers do without.
    pub ranges: bool,
    /// Execute just this path.
    pub replay: Option<Recorded>,
    /// Take the inputs of that path for the constants that they are: nothing is symbolic, as in a native run.
    pub concrete: bool,
    /// Nobody wants to know what errors are about that the run meets: it is for its goals alone. What a path of thousands of decisions asks of the caller costs more than the path.
    pub goals_alone: bool,
    /// Note each line executed and each variable changed.
    pub trace: bool,
    /// Note each run and each question of concolic testing.
    pub trace_runs: bool,
    /// How large what is not known may be, where a path starts in the middle of a program.
    pub shapes: UnknownShapes,
    /// What callers keep to beside that.
    pub promises: CallerPromises,
    /// Parameters that are structures out of stages.
    pub staged: Vec<StagedParameters>,
    /// Set if the entry is an invariant, and the structures are wanted of which it holds.
    pub staging: Option<Staging>,
    /// Names of global variables that hold anything there, not their initial values.
    pub unknown_globals: BTreeSet<String>,
    /// Whether paths that start in the middle of a program may have any past: then a path that uses what the C library or the kernel keeps from
    /// earlier rests on a premise ([`Premise::Initial`](crate::Premise::Initial), [`Premise::Fresh`](crate::Premise::Fresh)).
    pub any_past: bool,
    /// What becomes of loops that depend on inputs.
    pub loops: LoopMode,
    /// Whether conditions that no branch decides (operands that become values) are decided all the same: each outcome is a path.
    pub decides_values: bool,
    /// Starting inputs: their paths are executed first, without the solver.
    pub seeds: Vec<Vec<Input>>,
    /// What is around the program when it starts.
    pub surroundings: SharedSurroundings,
    /// Models made for this run.
    pub own_models: Vec<Rc<dyn OwnModel>>,
    /// Makes, in every run anew, what must be made of symbolic inputs before the program starts.
    pub boot: BootFn,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            checks: Checks::default(),
            markers: Vec::new(),
            stubs: BTreeMap::new(),
            preconditions: Vec::new(),
            max_stack: 1 << 16,
            max_heap: 2 << 30,
            optimised: false,
            other_library: false,
            ranges: true,
            replay: None,
            concrete: false,
            goals_alone: false,
            trace: false,
            trace_runs: false,
            shapes: UnknownShapes::default(),
            promises: CallerPromises::default(),
            staged: Vec::new(),
            staging: None,
            unknown_globals: BTreeSet::new(),
            any_past: false,
            loops: LoopMode::Unrolled,
            decides_values: false,
            seeds: Vec::new(),
            surroundings: SharedSurroundings::new(Nothing),
            own_models: Vec::new(),
            boot: |_, _| Ok(Boot::Done),
        }
    }
}

/// Why the engine cannot start or go on: the user's to mend (exit code 2), never a property of the program under test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineError {
    /// There is no such entry function; the names that there are.
    NoEntry {
        /// The name asked for.
        name: String,
        /// Defined functions of the user's.
        candidates: Vec<String>,
    },
    /// The entry has a parameter that cannot be made symbolic.
    EntryParameter {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
        /// Why.
        why: &'static str,
    },
    /// A global that is defined nowhere is used.
    UndefinedGlobal {
        /// Its name.
        name: String,
    },
    /// A global does not fit the space of addresses.
    NoRoom {
        /// Its name.
        name: String,
        /// Its bytes.
        size: u64,
    },
}

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EngineError::NoEntry { name, candidates } => {
                write!(f, "there is no function `{name}` to start at; ")?;
                match candidates.as_slice() {
                    [] => write!(f, "the program defines no function"),
                    names => {
                        write!(
                            f,
                            "choose another with --entry, or '*' for all that no other calls: {}",
                            names.join(", ")
                        )
                    }
                }
            }
            EngineError::EntryParameter { function, parameter, why } => write!(
                f,
                "paths cannot start at `{function}`: {why} (`{parameter}`); \
                 write a small `main` that builds the argument and calls `{function}`"
            ),
            EngineError::NoRoom { name, size } => write!(
                f,
                "the variable `{name}` of {size} bytes does not fit the space of addresses; make it smaller, as by a macro"
            ),
            EngineError::UndefinedGlobal { name } => {
                write!(f, "the variable `{name}` is used but defined nowhere; add the file that defines it")
            }
        }
    }
}

impl std::error::Error for EngineError {}
