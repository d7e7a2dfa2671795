//! From arguments to the settings of the library.

use std::io;
use std::path::PathBuf;

use taw::{Compile, CompileDatabase, Confinement, FileFlags, Keeper, Limits, SolverConfig, World};
use taw_report::{Destination, Keep};
use taw_solver::{Ingredient, StageChoice, Validate};

use crate::args::{CheckArg, CompileArgs, HarnessArg, KeepArg, RunArgs};
use crate::failure::Failure;
use crate::inputs::Remembered;

/// How to compile. Nobody is told of warnings.
pub(crate) fn compile(args: &RunArgs) -> Compile {
    let how = Compile::default().flags(cflags(&args.compile)).own_flags(args.compile.own_flags.iter().cloned());
    let mut how = how.checks(args.check.iter().map(|check| match check {
        CheckArg::Overflow => taw::Check::Overflow,
        CheckArg::FloatCast => taw::Check::FloatCast,
        CheckArg::Uninit => taw::Check::Uninit,
        CheckArg::Leak => taw::Check::Leak,
    }));
    if let Some(harness) = harness(args) {
        how = how.harness(harness);
    }
    if args.cover_libc {
        how = how.count_library();
    }
    if colours_wanted() { how.coloured() } else { how }
}

/// The entry point of another tool, if there is one.
pub(crate) fn harness(args: &RunArgs) -> Option<taw::Harness> {
    args.harness.map(|HarnessArg::Libfuzzer| taw::Harness::Libfuzzer { max_len: args.max_len })
}

/// What the program is started with; `before` is what `--stdin -` was when it was read.
///
/// # Errors
/// What is wrong with the options.
pub(crate) fn world(args: &RunArgs, before: Remembered<'_>) -> Result<World, Failure> {
    if let Some(entry) = args.entry.iter().find(|entry| *entry != "main").filter(|_| args.inputs.asks_for_arguments()) {
        return Err(Failure::Message(format!(
            "arguments are given to `main`, and the run starts at `{entry}`; leave --entry away, or the symbolic arguments"
        )));
    }
    args.inputs.world(taw::program_name(&args.files), before)
}

/// Who starts programs under test.
///
/// # Errors
/// If the system does not say which executable this is.
pub(crate) fn keeper(unconfined: bool) -> Result<Keeper, Failure> {
    let confinement = if unconfined { Confinement::None } else { Confinement::Whole };
    Keeper::this(confinement).map_err(Failure::message)
}

/// Takes files and flags from a database of compile commands, if one is named.
///
/// # Errors
/// If it cannot be read, or does not have a file.
pub(crate) fn apply_database(args: &mut RunArgs) -> Result<(), Failure> {
    apply_database_to(&mut args.files, &mut args.compile)
}

/// The same for these files and options.
pub(crate) fn apply_database_to(files: &mut Vec<PathBuf>, compile: &mut CompileArgs) -> Result<(), Failure> {
    let Some(path) = &compile.database else { return Ok(()) };
    let database = CompileDatabase::read(path)?;
    if files.is_empty() {
        *files = database.files().iter().map(|file| file.path.clone()).collect();
    }
    let sources = files.iter().filter(|file| taw::is_source(file));
    let flags = |file: &PathBuf| Ok(FileFlags { path: file.clone(), flags: database.flags_of(file)?.to_vec() });
    compile.own_flags = sources.map(flags).collect::<Result<_, taw::Error>>()?;
    Ok(())
}

/// What the user says to the compiler.
pub(crate) fn cflags(compile: &CompileArgs) -> Vec<String> {
    let mut cflags: Vec<String> = compile.include.iter().map(|dir| format!("-I{dir}")).collect();
    cflags.extend(compile.define.iter().map(|define| format!("-D{define}")));
    cflags.extend(compile.cflag.iter().cloned());
    cflags
}

fn colours_wanted() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// When to stop.
pub(crate) fn limits(args: &RunArgs) -> Limits {
    let search = &args.search;
    Limits {
        time: search.max_time,
        paths: search.max_paths,
        depth: search.max_depth,
        states: search.max_states.map(|states| usize::try_from(states).unwrap_or(usize::MAX)),
        instructions: search.max_instructions,
        path_instructions: search.max_path_instructions,
        memory: Some(search.max_memory),
        collect_after: search.collect_after,
    }
}

/// The stages that are left to `--plain-solver`: as in the IPPC paper, slices of what shares inputs, and an incremental back end.
const PLAIN: &[&str] = &["constants", "slice", "bitblast", "z3"];

/// How to solve.
pub(crate) fn solver(args: &RunArgs) -> SolverConfig {
    let solver = &args.solver;
    SolverConfig {
        query_time: Some(solver.solver_timeout),
        run_time: solver.max_solver_time,
        stages: match solver.plain_solver {
            true => StageChoice::Only(PLAIN.iter().map(|&stage| stage.to_owned()).collect()),
            false => StageChoice::All,
        },
        validate: if solver.validate { Validate::On } else { Validate::Off },
        dump: solver.dump_queries.clone(),
        walk_without: solver.walk_without.iter().filter_map(|name| Ingredient::named(name)).collect(),
        ..SolverConfig::default()
    }
}

/// Which tests stay.
pub(crate) fn keep(args: &RunArgs, unless_said: KeepArg) -> Keep {
    match args.output.keep.unwrap_or(unless_said) {
        KeepArg::All => Keep::All,
        KeepArg::Covering => Keep::Covering,
        KeepArg::Findings => Keep::Findings,
    }
}

/// Where to write.
pub(crate) fn destination(args: &RunArgs) -> Destination {
    match &args.output.out {
        Some(dir) => Destination::Named(dir.clone()),
        None => Destination::NumberedIn(PathBuf::from(".")),
    }
}
