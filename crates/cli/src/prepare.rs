//! What comes before an exploration, of `taw run` and `taw reach` alike: everything that can be wrong is said before the output
//! directory is made.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use taw_engine::{Goal, Input, Recorded};
use taw_env::World;
use taw_explore::{Plan, Summary};
use taw_ir::{Global, Origin, Program};
use taw_report::{OutputDir, Places, Recipe, TestFile, read_seeds};

use crate::args::{KeepArg, RunArgs};
use crate::entries::Entries;
use crate::failure::Failure;
use crate::pure::PureFunctions;
use crate::{harness, inputs, interrupt, runtime, settings};

/// A program that is ready to be explored.
pub(crate) struct Ready {
    pub program: Program,
    /// The functions to start at.
    pub entries: Entries,
    /// How to build it natively.
    pub recipe: Recipe,
    /// Set by Ctrl-C, and by the output directory when a file cannot be written.
    pub stop: Arc<AtomicBool>,
    here: PathBuf,
    world: World,
    recorded: Option<Recorded>,
    seeds: Vec<Vec<Input>>,
    pure: PureFunctions,
}

impl Ready {
    /// Compiles and reads all that the arguments name.
    pub(crate) fn new(args: &RunArgs) -> Result<Self, Failure> {
        check_search(args)?;
        let walked = args.search.replay_path.as_deref().map(Walked::read).transpose()?;
        let world = settings::world(args, walked.as_ref().map(|walked| walked.stdin.as_slice()))?;
        let seeds = seeds(args, &world)?;
        let program = load(args)?;
        takes_arguments(args, &program)?;
        let entries = match &walked {
            Some(walked) => Entries::one(walked.entry.clone()),
            None => Entries::of(args, &program)?,
        };
        one_entry_for_seeds(&entries.names, &seeds)?;
        let here = env::current_dir().map_err(|error| Failure::Message(format!("no current directory: {error}")))?;
        let recipe = settings::recipe(args, &here, &program, &entries.names)?;
        let pure = PureFunctions::new(args, &program, &recipe)?;
        let (stop, recorded) = (Arc::new(AtomicBool::new(false)), walked.map(|walked| walked.path));
        Ok(Ready { program, entries, recipe, stop, here, world, recorded, seeds, pure })
    }

    /// Its places in words.
    pub(crate) fn places(&self) -> Places<'_> {
        Places::new(&self.program, self.here.clone())
    }

    /// Makes the output directory; from now on Ctrl-C ends the run cleanly.
    pub(crate) fn output(&self, args: &RunArgs, keep: KeepArg) -> Result<OutputDir<'_>, Failure> {
        let command = settings::command(&self.here, self.recipe.clone());
        let keep = settings::keep(args, keep);
        let out = OutputDir::create(&settings::target(args), command, self.places(), keep, Arc::clone(&self.stop));
        let out = out.map_err(Failure::message)?;
        interrupt::watch(Arc::clone(&self.stop))?;
        Ok(out)
    }

    /// What the user should know beside the results.
    pub(crate) fn notes(&self, summary: &Summary) -> Vec<String> {
        let named = |(program, seed): &(String, String)| format!("`{seed}` for `{program}`");
        let renamed: Vec<String> = summary.seeded_in_order.iter().map(named).collect();
        let renamed = (!renamed.is_empty())
            .then(|| format!("inputs of seeds were taken in order where names differ: {}", renamed.join(", ")));
        self.initial_globals().into_iter().chain(renamed).collect()
    }

    /// That functions which are started alone find globals as the program begins with them.
    fn initial_globals(&self) -> Option<String> {
        let is_open = |global: &Global| !global.constant && global.origin == Origin::User && global.init.is_some();
        let started: Vec<&str> = self.entries.names.iter().map(String::as_str).filter(|name| *name != "main").collect();
        let started = match started[..] {
            [] => return None,
            [one] => format!("`{one}` starts"),
            _ => "the entries start".to_owned(),
        };
        let any = self.program.globals.values().any(is_open);
        any.then(|| format!("when {started}, global variables have their initial values, and no others"))
    }

    /// What to explore and how.
    pub(crate) fn plan(&self, args: &RunArgs, goals: Vec<Goal>) -> Plan {
        let (entries, world) = (self.entries.clone(), self.world.clone());
        let mut plan = settings::plan(args, entries, world, self.recorded.clone(), self.seeds.clone(), goals);
        plan.engine.own_models = self.pure.models();
        plan
    }
}

/// A wrong name is said before anything is compiled.
fn check_search(args: &RunArgs) -> Result<(), Failure> {
    if let Some(name) = &args.search.search {
        taw_search::parse(name, args.search.seed).map_err(Failure::message)?;
    }
    Ok(())
}

/// A test whose path is walked again.
pub(crate) struct Walked {
    /// The function that was started.
    pub entry: String,
    /// The path.
    pub path: Recorded,
    /// What was on standard input.
    pub stdin: Vec<u8>,
}

impl Walked {
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let file = TestFile::read(path).map_err(Failure::message)?;
        file.check().map_err(|why| Failure::Message(format!("`{}` is not a sound test: {why}", path.display())))?;
        let inputs = file.inputs().unwrap_or_default();
        let stdin = file.given.as_ref().map(|given| given.stdin.bytes()).unwrap_or_default();
        let entry = file.entry.unwrap_or_else(|| "main".into());
        Ok(Walked { entry, path: Recorded { inputs, path: file.path }, stdin: stdin.unwrap_or_default() })
    }
}

/// The inputs to begin with.
fn seeds(args: &RunArgs, world: &World) -> Result<Vec<Vec<Input>>, Failure> {
    let mut seeds = Vec::new();
    for path in &args.search.seeds {
        for seed in read_seeds(path).map_err(Failure::message)? {
            let unfit = |why| Failure::Message(format!("a seed of `{}` cannot be used: {why}", path.display()));
            let seed = harness::adapt(args, seed).map_err(unfit)?;
            seeds.push(inputs::adapt(world, seed).map_err(unfit)?);
        }
    }
    Ok(seeds)
}

/// Inputs to begin with are of one function.
fn one_entry_for_seeds(entries: &[String], seeds: &[Vec<Input>]) -> Result<(), Failure> {
    if entries.len() > 1 && !seeds.is_empty() {
        return Err(Failure::Message("seeds are inputs of one function; name it with --entry".into()));
    }
    Ok(())
}

/// A `main` that takes no arguments would not see them.
fn takes_arguments(args: &RunArgs, program: &Program) -> Result<(), Failure> {
    let main = program.function_named("main").map(|id| &program.functions[id]);
    if args.inputs.asks_for_arguments() && main.is_some_and(|main| main.is_defined() && main.params.is_empty()) {
        return Err(Failure::Message(
            "`main` takes no arguments and would not see symbolic ones; write `int main(int argc, char **argv)`".into(),
        ));
    }
    Ok(())
}

/// The program, ready to be explored.
pub(crate) fn load(args: &RunArgs) -> Result<Program, Failure> {
    // Taw's headers, and the harness if there is one.
    let folder = runtime::include_folder().map_err(no_folder)?;
    let harness = harness::write(args, folder.path()).map_err(no_folder)?;
    let mut program = taw_loader::load(&settings::sources(args, folder.path().into(), harness).map_err(no_folder)?)?;
    taw_ir::promote(&mut program);
    if args.cover_libc {
        let libraries = program.functions.values_mut().filter(|function| function.origin == Origin::Library);
        libraries.for_each(|function| function.origin = Origin::CountedLibrary);
    }
    Ok(program)
}

fn no_folder(error: io::Error) -> Failure {
    Failure::Message(format!("cannot make a folder for headers: {error}; is $TMPDIR writable?"))
}
