//! What to explore and how, before anything is done: settings with defaults, and the ways to start.
//!
//! Boundary: plain data, which may go from thread to thread. What an exploration needs beyond it is made by [`Session::prepared`], on
//! the thread that explores.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use taw_cage::{Confinement, Keeper};
use taw_engine::{Input, Sink, Staging, TestCase, UnknownShapes};
use taw_env::World;
use taw_explore::{Limits, Summary};
use taw_solver::SolverConfig;
use taw_targets::Request;

use crate::build::{self, BuildWith};
use crate::globals::GlobalRule;
use crate::invariants::InvariantRule;
use crate::prepared::Prepared;
use crate::program::Program;
use crate::pure::PureFunction;
use crate::reach::{Confirm, Reached};
use crate::seeds::read_seeds;
use crate::stack::on_large_stack;
use crate::staged::StageRule;
use crate::stubs::StubRule;
use crate::ties::ArrayRule;
use crate::walked::WalkedTest;
use crate::{Error, conditions, postconditions, preconditions, reach};

/// Of memory, unless something else is said: 4 GiB.
const MEMORY: u64 = 4 << 30;

/// An exploration that may be begun.
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) program: Program,
    pub(crate) entries: Vec<String>,
    pub(crate) markers: Vec<String>,
    pub(crate) shapes: UnknownShapes,
    pub(crate) pure: Vec<PureFunction>,
    pub(crate) stubs: Vec<StubRule>,
    pub(crate) globals: Vec<GlobalRule>,
    pub(crate) assumed: Vec<String>,
    pub(crate) required: Vec<String>,
    pub(crate) ensured: Vec<String>,
    pub(crate) arrays: Vec<ArrayRule>,
    pub(crate) strings: Vec<String>,
    pub(crate) invariants: Vec<InvariantRule>,
    pub(crate) stages: Vec<StageRule>,
    pub(crate) staging: Option<Staging>,
    pub(crate) build: Option<BuildWith>,
    pub(crate) world: World,
    pub(crate) search: Option<String>,
    pub(crate) seed: u64,
    pub(crate) limits: Limits,
    pub(crate) solver: SolverConfig,
    pub(crate) seeds: Vec<Vec<Input>>,
    pub(crate) requests: Vec<Request>,
    pub(crate) walked: Option<WalkedTest>,
    pub(crate) trace: bool,
    pub(crate) trace_runs: bool,
    pub(crate) ranges: bool,
    pub(crate) decides_values: bool,
    pub(crate) keeper: Option<Keeper>,
    pub(crate) stop: Arc<AtomicBool>,
}

impl Session {
    /// Everything that `main` can do when nothing is given to it: no arguments, no input, no time limit, 4 GiB of memory.
    pub fn new(program: Program) -> Self {
        let world = World::of(program.name().as_bytes());
        Session {
            program,
            entries: Vec::new(),
            markers: Vec::new(),
            shapes: UnknownShapes::default(),
            pure: Vec::new(),
            stubs: Vec::new(),
            globals: Vec::new(),
            assumed: Vec::new(),
            required: Vec::new(),
            ensured: Vec::new(),
            arrays: Vec::new(),
            strings: Vec::new(),
            invariants: Vec::new(),
            stages: Vec::new(),
            staging: None,
            build: None,
            world,
            search: None,
            seed: 0,
            limits: Limits { memory: Some(MEMORY), ..Limits::default() },
            solver: SolverConfig::default(),
            seeds: Vec::new(),
            requests: Vec::new(),
            walked: None,
            trace: false,
            trace_runs: false,
            ranges: true,
            decides_values: false,
            keeper: None,
            stop: Arc::default(),
        }
    }

    /// Starts at this function, whose parameters and what they point at are symbolic; `*` stands for all that no other calls, `parse_*` for all
    /// of such names, `each` for each on its own ([`Prepared::explore_each`]). Said several times, paths start at each.
    #[must_use]
    pub fn entry(mut self, function: impl Into<String>) -> Self {
        self.entries.push(function.into());
        self
    }

    /// What pointers that nobody knows may point at, where paths start at a function.
    #[must_use]
    pub fn shapes(mut self, shapes: UnknownShapes) -> Self {
        self.shapes = shapes;
        self
    }

    /// Treats calls of this function as marks; its first argument is the label, as of `taw_target`.
    #[must_use]
    pub fn marker(mut self, function: impl Into<String>) -> Self {
        self.markers.push(function.into());
        self
    }

    /// Calls this function natively instead of running it: it must take and return numbers and have no effects.
    #[must_use]
    pub fn pure(mut self, function: PureFunction) -> Self {
        self.pure.push(function);
        self
    }

    /// How functions behave that are declared and defined nowhere. Without this a path ends at a call of one.
    #[must_use]
    pub fn stub(mut self, rule: StubRule) -> Self {
        self.stubs.push(rule);
        self
    }

    /// What global variables hold where paths start at a function other than `main`. Without this they have their initial values.
    #[must_use]
    pub fn globals(mut self, rule: GlobalRule) -> Self {
        self.globals.push(rule);
        self
    }

    /// Starts only where this expression holds: C over the names of the entry's parameters and all that its file declares.
    #[must_use]
    pub fn assume(mut self, expression: impl Into<String>) -> Self {
        self.assumed.push(expression.into());
        self
    }

    /// Starts only where this function of the program, called with the entry's arguments, does not return zero.
    #[must_use]
    pub fn require(mut self, function: impl Into<String>) -> Self {
        self.required.push(function.into());
        self
    }

    /// Where an entry returns, this function of the program does not return zero: called with all of its arguments, or with each one that it takes, the
    /// result among them. Anything else is an error.
    #[must_use]
    pub fn ensure(mut self, function: impl Into<String>) -> Self {
        self.ensured.push(function.into());
        self
    }

    /// Callers pass arrays of exactly as many elements as a number says, two parameters or two members of a structure.
    #[must_use]
    pub fn array(mut self, rule: ArrayRule) -> Self {
        self.arrays.push(rule);
        self
    }

    /// Callers pass null or text that ends with a zero byte: by the name of a parameter or a member (`buf.name`); `*` stands for every `char *`.
    #[must_use]
    pub fn string(mut self, name: impl Into<String>) -> Self {
        self.strings.push(name.into());
        self
    }

    /// Of every structure of a type that callers pass a function of the program holds.
    #[must_use]
    pub fn invariant(mut self, rule: InvariantRule) -> Self {
        self.invariants.push(rule);
        self
    }

    /// Parameters of the entry are structures of a stage: any of them, of which the invariant holds that it was made with.
    #[must_use]
    pub fn staged(mut self, rule: StageRule) -> Self {
        self.stages.push(rule);
        self
    }

    /// Compiles the program again with what is [assumed](Session::assume), [required](Session::require) and [invariant](Session::invariant), for the entries that were said before.
    ///
    /// # Errors
    /// If something is no expression there, or an entry is not in a C file.
    pub fn with_preconditions(mut self) -> Result<Self, Error> {
        if let Some((program, entries)) = postconditions::ensuring(&self)? {
            (self.program, self.entries) = (program, entries);
        }
        if let Some(program) = preconditions::assuming(&self)? {
            self.program = program;
        }
        Ok(self)
    }

    /// Searches for each finding as a sequence of calls of these functions, and compiles the program again with what makes such calls, for the entries
    /// that were said before; comes after [`Session::with_preconditions`].
    ///
    /// # Errors
    /// If there is no such function, or no entry but `main`.
    pub fn build_with(mut self, functions: BuildWith) -> Result<Self, Error> {
        self.build = Some(functions);
        self.program = self.program.appended(build::texts(&self)?)?;
        Ok(self)
    }

    /// What the program is started with: arguments, environment, standard input, files.
    #[must_use]
    pub fn world(mut self, world: World) -> Self {
        self.world = world;
        self
    }

    /// Which path to run next, by the name of a strategy. Without this the best known is taken.
    ///
    /// # Errors
    /// If there is no such strategy.
    pub fn search(mut self, strategy: impl Into<String>) -> Result<Self, Error> {
        let strategy = strategy.into();
        taw_search::SearchScheme::parse(&strategy)?;
        self.search = Some(strategy);
        Ok(self)
    }

    /// The only source of randomness: the same seed gives the same run.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// When to stop.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How to solve. The seed is that of the session.
    #[must_use]
    pub fn solver(mut self, solver: SolverConfig) -> Self {
        self.solver = solver;
        self
    }

    /// Executes these inputs first.
    #[must_use]
    pub fn seeds(mut self, seeds: impl IntoIterator<Item = Vec<Input>>) -> Self {
        self.seeds.extend(seeds);
        self
    }

    /// Executes first the inputs in these files or folders, which are read for the [`Session::world`] that was given before.
    ///
    /// # Errors
    /// If one cannot be read, or does not fit what is symbolic.
    pub fn seeds_from<P: AsRef<Path>>(mut self, paths: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        for path in paths {
            self.seeds.extend(read_seeds(path.as_ref(), self.program.harness(), &self.world)?);
        }
        Ok(self)
    }

    /// Looks for inputs that lead to these places: `file.c:LINE`, `file.c:LINE if EXPR`, `file.c:LINE!KIND`, a function, `label:NAME`,
    /// `error-call:FUNCTION`; `A then B` for some in order. The run is over when all are decided, and paths that lead to none are dropped.
    ///
    /// # Errors
    /// If one is not understood, or has a condition that is no expression there. Whether there is such a place is looked for when the session is
    /// prepared.
    pub fn targets<S: AsRef<str>>(self, targets: impl IntoIterator<Item = S>) -> Result<Self, Error> {
        let parsed = targets.into_iter().map(|text| Request::parse(text.as_ref()).map_err(Error::Target));
        let parsed = parsed.collect::<Result<Vec<_>, _>>()?;
        let session = self.requests(parsed);
        let requests = session.requests.clone();
        session.with_conditions(&requests)
    }

    /// Compiles the program again with the conditions of these requests, which need not be those of the session: a test that was found with them
    /// takes the same path only with them.
    ///
    /// # Errors
    /// If one is no expression where it is asked, or the place is not in a C file.
    pub fn with_conditions(mut self, requests: &[Request]) -> Result<Self, Error> {
        if let Some(program) = conditions::asking(&self.program, requests)? {
            self.program = program;
        }
        Ok(self)
    }

    /// Adds what is to be reached as it was read from files of other tools.
    #[must_use]
    pub fn requests(mut self, requests: impl IntoIterator<Item = Request>) -> Self {
        self.requests.extend(requests);
        self
    }

    /// Executes just the path of a test, without the solver.
    #[must_use]
    pub fn walk(mut self, walked: WalkedTest) -> Self {
        self.walked = Some(walked);
        self
    }

    /// Notes each line executed and each variable changed, for [`Session::walk`].
    #[must_use]
    pub fn trace(mut self) -> Self {
        self.trace = true;
        self
    }

    /// Notes each run and each question of concolic testing, in [`Summary::concolic_trace`](crate::Summary::concolic_trace).
    #[must_use]
    pub fn trace_runs(mut self) -> Self {
        self.trace_runs = true;
        self
    }

    /// Asks the solver at every branch that depends on inputs, also where the ranges of the path settle it: to measure solvers.
    #[must_use]
    pub fn without_ranges(mut self) -> Self {
        self.ranges = false;
        self
    }

    /// Explores each outcome of a condition that becomes a value, as if a branch decided it.
    #[must_use]
    pub fn decide_values(mut self) -> Self {
        self.decides_values = true;
        self
    }

    /// Who starts programs natively: see [`serve_if_asked`](crate::serve_if_asked). Without this it is this executable.
    #[must_use]
    pub fn keeper(mut self, keeper: Keeper) -> Self {
        self.keeper = Some(keeper);
        self
    }

    /// A flag that ends the exploration when it is set, as by a handler of Ctrl-C; it is also set when a result cannot be written.
    #[must_use]
    pub fn stop_by(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Explores. Each path that ends is told to `sink`, as is each target that is reached.
    ///
    /// # Errors
    /// What must be mended before the program can run.
    pub fn explore(&self, sink: &mut (dyn Sink + Send)) -> Result<Summary, Error> {
        self.prepared(|prepared| prepared.explore(sink, &mut |_| {}))
    }

    /// Looks for the targets, and has native runs confirm what is found if `confirm` says so. Nothing is written but temporary files.
    ///
    /// # Errors
    /// What must be mended before the program can run.
    pub fn reach(&self, confirm: Confirm) -> Result<Reached, Error> {
        self.prepared(|prepared| reach::in_memory(prepared, confirm))
    }

    /// Does all that may fail before an exploration, then `work`, on a thread with a stack that is large enough.
    ///
    /// # Errors
    /// What must be mended before the program can run, or what `work` says.
    pub fn prepared<T, E>(&self, work: impl FnOnce(&Prepared<'_>) -> Result<T, E> + Send) -> Result<T, E>
    where
        T: Send,
        E: From<Error> + Send,
    {
        on_large_stack(|| work(&Prepared::new(self)?))?
    }

    /// Who starts programs natively.
    pub(crate) fn keeper_or_this(&self) -> Result<Keeper, Error> {
        match &self.keeper {
            Some(keeper) => Ok(keeper.clone()),
            None => Ok(Keeper::this(Confinement::Whole)?),
        }
    }

    /// The functions to start at, as asked for.
    pub(crate) fn asked_entries(&self) -> Vec<String> {
        if self.entries.is_empty() { vec!["main".into()] } else { self.entries.clone() }
    }
}

/// A sink for each path, made of a function.
pub struct Each<F>(pub F);

impl<F: FnMut(&TestCase)> Sink for Each<F> {
    fn path(&mut self, test: &TestCase) {
        (self.0)(test);
    }
}
