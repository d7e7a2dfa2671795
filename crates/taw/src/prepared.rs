//! What comes before an exploration: everything that can be wrong is said before an output directory is made.
//!
//! A [`Prepared`] stays on the thread that made it, which has a large stack ([`Session::prepared`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use taw_engine::{
    CallerPromises, Config, Goal, Precondition, SharedSurroundings, Sink, StagedParameters, Stub, entry_obstacle,
    is_stream,
};
use taw_env::{Arg, Content, World};
use taw_explore::{Exploration, Plan, Snapshot, Summary};
use taw_ir::{FuncId, TypeId};
use taw_native::{Conditions, CoverageMode, Patience};
use taw_report::{CommandRecord, Destination, Keep, OutputDir, Places, Recipe};
use taw_solver::SolverConfig;
use taw_targets::{Resolved, resolve};

use crate::callbacks::callbacks;
use crate::entries::{Entries, Sharing};
use crate::globals::unknown_globals;
use crate::pure::{self, PureFunctions};
use crate::reached::types_of_parameters;
use crate::replay::NativeProgram;
use crate::session::Session;
use crate::stand_ins::stand_ins;
use crate::stubs::stubs_of;
use crate::{Error, build, preconditions, program::Program, staged, ties};

/// How long native runs may take after the time of the whole run: what was begun may come to its end.
const GRACE: Duration = Duration::from_secs(1);

/// A session of which all is known that can be before it is explored.
pub struct Prepared<'s> {
    session: &'s Session,
    /// The functions to start at.
    entries: Entries,
    /// How to build the program natively.
    recipe: Recipe,
    /// What is to be reached.
    resolved: Resolved,
    pure: PureFunctions,
    /// How functions behave that are defined nowhere.
    stubs: BTreeMap<String, Stub>,
    /// What holds where paths start.
    preconditions: Vec<Precondition>,
    /// What callers keep to beside that.
    promises: CallerPromises,
    /// Parameters that are structures of stages.
    staged: Vec<StagedParameters>,
    /// Names of global variables that hold anything there.
    unknown_globals: BTreeSet<String>,
    /// What the program is started with.
    world: World,
}

impl<'s> Prepared<'s> {
    /// Looks for all that the settings name.
    pub(crate) fn new(session: &'s Session) -> Result<Self, Error> {
        let program = &session.program;
        takes_arguments(session)?;
        let entries = match &session.walked {
            Some(walked) => Entries::one(walked.entry.clone()),
            None => Entries::of(&session.asked_entries(), program.code())?,
        };
        if entries.names.len() > 1 && !session.seeds.is_empty() {
            return Err(Error::SeedsOfOneEntry);
        }
        let stubs = stubs_of(&session.stubs, program.code(), &session.markers)?;
        let preconditions = preconditions::of(session, &entries.names)?;
        let promises = ties::promises(session, &entries.names)?;
        let staged = staged::staged(session, &entries.names)?;
        let mut unknown_globals = unknown_globals(&session.globals, program.code(), &entries.names)?;
        if entries.names.iter().all(|entry| build::is_driver(entry)) {
            unknown_globals.clear();
        }
        let callbacks = callbacks(program.code(), &entries.names);
        let mut recipe = Recipe {
            stand_ins: stand_ins(program.code(), &stubs, &callbacks.text),
            addressed: callbacks.functions,
            libraries: pure::libraries(&session.pure, program.directory())?,
            host: session.world.host.clone(),
            ..program
                .recipe(&[&entries.names[..], &build::drivers(session, &entries.names)].concat(), &session.markers)?
        };
        preconditions::tell(&mut recipe, &preconditions, program.code());
        let pure = PureFunctions::new(&session.pure, program.code(), &recipe, || session.keeper_or_this())?;
        let resolved = resolve(&program.places(), &session.markers, &session.requests, program.asked());
        let resolved = resolved.map_err(Error::Target)?;
        let world = world_of(session, &entries);
        let prepared = Prepared {
            session,
            entries,
            recipe,
            resolved,
            pure,
            stubs,
            preconditions,
            promises,
            staged,
            unknown_globals,
            world,
        };
        Ok(prepared)
    }

    /// How to build the program natively.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The names of functions that are defined nowhere and of which the settings say how they behave.
    pub fn stubbed(&self) -> impl Iterator<Item = &str> {
        self.stubs.keys().map(String::as_str)
    }

    /// What was said.
    pub(crate) fn session(&self) -> &'s Session {
        self.session
    }

    /// The program.
    pub fn program(&self) -> &'s Program {
        &self.session.program
    }

    /// Its places in words.
    pub fn places(&self) -> Places<'s> {
        self.session.program.places()
    }

    /// The functions to start at.
    pub fn entries(&self) -> &[String] {
        &self.entries.names
    }

    /// How they share the run.
    pub fn sharing(&self) -> Sharing {
        self.entries.sharing
    }

    /// Functions that are meant and cannot be started, each with the reason.
    pub fn not_started(&self) -> impl Iterator<Item = (&'s str, &'static str)> + '_ {
        let function = |id: &FuncId| &self.session.program.code().functions[*id];
        let left_out = self.entries.left_out.iter().map(function);
        let code = self.session.program.code();
        left_out.map(|function| (function.name.as_str(), entry_obstacle(code, function).unwrap_or_default()))
    }

    /// What is called before an entry, for each of them.
    pub fn preconditions(&self) -> &[Precondition] {
        &self.preconditions
    }

    /// C that stands in natively for functions which are defined nowhere, if the settings say how these behave.
    pub fn stand_ins(&self) -> Option<&str> {
        self.recipe.stand_ins.as_deref()
    }

    /// Whether parameters are structures of stages.
    pub fn has_stages(&self) -> bool {
        !self.staged.is_empty()
    }

    /// What is to be reached.
    pub fn targets(&self) -> &Resolved {
        &self.resolved
    }

    /// The flag that ends the exploration.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.session.stop
    }

    /// Makes the output directory. `command` is kept in it: what was said, so that it can be said again.
    ///
    /// # Errors
    /// If it cannot be made, or holds what is not Taw's.
    pub fn output(&self, to: &Destination, command: Vec<String>, keep: Keep) -> Result<OutputDir<'s>, Error> {
        let record = CommandRecord {
            program: self.recipe.clone(),
            taw: env!("CARGO_PKG_VERSION").into(),
            command,
            directory: self.recipe.directory.display().to_string(),
        };
        Ok(OutputDir::create(to, record, self.places(), keep, Arc::clone(self.stop()))?)
    }

    /// The program natively, for as long as the exploration may take from now on.
    ///
    /// # Errors
    /// If nobody can start it.
    pub fn native(&self) -> Result<NativeProgram, Error> {
        let until = self.session.limits.time.and_then(|time| Instant::now().checked_add(time + GRACE));
        let conditions = Conditions {
            keeper: self.session.keeper_or_this()?,
            limits: taw_cage::RunLimits::default(),
            coverage: CoverageMode::No,
            patience: Patience { stop: Arc::clone(self.stop()), until },
        };
        Ok(NativeProgram::new(self.recipe.clone(), conditions))
    }

    /// Explores, on this thread. `progress` is called a few times a second.
    ///
    /// # Errors
    /// What must be mended before the program can run.
    pub fn explore(&self, sink: &mut dyn Sink, progress: &mut dyn FnMut(&Snapshot)) -> Result<Summary, Error> {
        Ok(self.exploration()?.run(sink, progress, self.stop()))
    }

    /// The exploration before its first instruction, for who does not want to wait until it is taken apart at the end.
    ///
    /// # Errors
    /// What must be mended before the program can run.
    pub fn exploration(&self) -> Result<Exploration<'s>, Error> {
        Ok(Exploration::new(self.program().code(), &self.plan(self.goals()))?)
    }

    fn goals(&self) -> Vec<Goal> {
        self.resolved.targets.iter().map(|target| target.goal.clone()).collect()
    }

    /// What to explore and how.
    pub(crate) fn plan(&self, goals: Vec<Goal>) -> Plan {
        let session = self.session;
        let known = match (goals.is_empty(), &session.walked) {
            (true, _) => taw_search::DEFAULT_FORWARD,
            // A path that is known already is found by nobody.
            (false, Some(_)) => taw_search::DEFAULT_DIRECTED,
            (false, None) => taw_search::DEFAULT_REACH,
        };
        let entries = self.entries.clone();
        let mut limits = session.limits.clone();
        // The other half is for what leads to the findings.
        limits.time = limits.time.map(|time| if session.build.is_some() { time / 2 } else { time });
        Plan {
            entries: entries.names,
            left_out: entries.left_out,
            search: session.search.clone().unwrap_or_else(|| known.to_owned()),
            seed: session.seed,
            limits,
            engine: self.engine(),
            solver: SolverConfig { seed: session.seed, ..session.solver.clone() },
            models: taw_env::MODELS,
            goals,
        }
    }

    fn engine(&self) -> Config {
        let session = self.session;
        Config {
            checks: session.program.checks(),
            markers: session.markers.clone(),
            stubs: self.stubs.clone(),
            preconditions: self.preconditions.clone(),
            optimised: session.program.is_optimised(),
            other_library: session.program.is_from_source(),
            surroundings: SharedSurroundings::new(taw_env::Kernel::new(self.world.clone())),
            boot: taw_env::boot,
            replay: session.walked.as_ref().map(|walked| walked.path.clone()),
            seeds: session.seeds.clone(),
            shapes: session.shapes.clone(),
            promises: self.promises.clone(),
            staged: self.staged.clone(),
            staging: session.staging.clone(),
            unknown_globals: self.unknown_globals.clone(),
            trace: session.trace,
            trace_runs: session.trace_runs,
            ranges: session.ranges,
            decides_values: session.decides_values,
            own_models: self.pure.models(),
            ..Config::default()
        }
    }
}

/// What the program is started with: a stream that an entry is passed has something in it.
fn world_of(session: &Session, entries: &Entries) -> World {
    let program = session.program.code();
    let is_stream = |ty: &TypeId| is_stream(&program.types.all[*ty]);
    let content = Content::Symbolic(session.shapes.string as usize);
    let is_passed = || types_of_parameters(program, &entries.names).iter().any(is_stream);
    let stdin = session.world.stdin.clone().or_else(|| is_passed().then_some(content));
    World { stdin, ..session.world.clone() }
}

/// A `main` that takes no arguments would not see them.
fn takes_arguments(session: &Session) -> Result<(), Error> {
    let code = session.program.code();
    let main = code.function_named("main").map(|id| &code.functions[id]);
    let asked = session.world.args.iter().any(|arg| !matches!(arg, Arg::Text(_)));
    match asked && main.is_some_and(|main| main.is_defined() && main.params.is_empty()) {
        true => Err(Error::NoArguments),
        false => Ok(()),
    }
}
