//! From arguments to the settings of loader, solver, explorer and report.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use std::{env, io};

use clap::ValueEnum;
use taw_cage::{Confinement, Keeper};
use taw_engine::{Checks, Config, Goal, Input, Recorded, Surroundings};
use taw_env::World;
use taw_explore::{Limits, Plan};
use taw_ir::Program;
use taw_loader::Sources;
use taw_native::{Conditions, Coverage, Patience};
use taw_report::{CommandRecord, Destination, EntryPoint, Keep, Marker, Recipe, Source};
use taw_solver::{Ingredient, SolverConfig, Validate};

use crate::args::{Check, CompileArgs, KeepArg, RunArgs};
use crate::entries::Entries;
use crate::failure::Failure;
use crate::inputs::Remembered;
use crate::{harness, pure, runtime, terminal};

/// What to load. `headers` is the folder of Taw's own, `harness` the generated source.
pub(crate) fn sources(args: &RunArgs, headers: PathBuf, harness: Option<PathBuf>) -> io::Result<Sources> {
    let mut cflags = cflags(&args.compile);
    // clang's messages pass through a pipe and would lose their colours.
    if colours_wanted() {
        cflags.push("-fcolor-diagnostics".into());
    }
    cflags.extend(checks_in_the_code(&args.check, &cflags));
    let files = args.files.iter().cloned().chain(harness).collect();
    let sysroot = Some(runtime::sysroot()?);
    Ok(Sources {
        files,
        cflags,
        runtime: runtime::modules(),
        sysroot,
        include_dirs: vec![headers],
        warn: Some(terminal::pass_on),
    })
}

/// The arithmetic that is checked on request is marked by the compiler, which alone knows what the program wrote: it folds
/// constants before there is any code, and an optimiser computes values that are not used.
fn checks_in_the_code(asked: &[Check], cflags: &[String]) -> Vec<String> {
    let wraps = cflags.iter().rev().find(|flag| ["-fwrapv", "-fno-wrapv"].contains(&flag.as_str()));
    let names = [(Check::Overflow, "signed-integer-overflow"), (Check::FloatCast, "float-cast-overflow")];
    let names = names.into_iter().filter(|(check, _)| asked.contains(check));
    let names = names.filter(|(check, _)| *check != Check::Overflow || wraps.is_none_or(|flag| flag != "-fwrapv"));
    let flags = names.flat_map(|(_, name)| [format!("-fsanitize={name}"), format!("-fsanitize-trap={name}")]);
    let flags: Vec<String> = flags.collect();
    // Each check keeps its own trap and place.
    let apart = ["-fno-sanitize-merge", "-fsanitize-debug-trap-reasons=none"].map(str::to_owned);
    if flags.is_empty() { flags } else { flags.into_iter().chain(apart).collect() }
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
    args.inputs.world(program_name(&args.files), before)
}

/// The name by which the program is called: that of an executable, and a fixed one for what has none yet.
fn program_name(files: &[PathBuf]) -> &OsStr {
    match files {
        [file] if file.extension().is_none() => file.file_name().unwrap_or(OsStr::new("program")),
        _ => OsStr::new("program"),
    }
}

/// How to build the program natively.
///
/// # Errors
/// If a source has disappeared since it was compiled, or a library is not there.
pub(crate) fn recipe(
    args: &RunArgs,
    directory: &Path,
    program: &Program,
    entries: &[String],
) -> Result<Recipe, Failure> {
    let gone = |error| Failure::Message(format!("a source disappeared while it was read: {error}"));
    let name = |check: &Check| check.to_possible_value().map(|value| value.get_name().to_owned());
    let sources = args.files.iter().map(|path| Source::read(directory, path));
    Ok(Recipe {
        directory: directory.into(),
        sources: sources.collect::<io::Result<_>>().map_err(gone)?,
        generated: harness::source(args),
        cflags: cflags(&args.compile),
        libraries: pure::libraries(args, directory)?,
        entries: entries.iter().map(|entry| EntryPoint::of(program, entry)).collect(),
        markers: args.marker.iter().map(|marker| Marker::of(program, marker)).collect(),
        host: args.inputs.host().unwrap_or_default(),
        checks: args.check.iter().filter_map(name).collect(),
    })
}

/// How long native runs may take after the time of the whole run: what was begun may come to its end.
const GRACE: Duration = Duration::from_secs(1);

/// Under what conditions native runs are made from now on.
///
/// # Errors
/// If the system does not say which executable this is.
pub(crate) fn conditions(args: &RunArgs, stop: &Arc<AtomicBool>) -> Result<Conditions, Failure> {
    let until = args.search.max_time.and_then(|time| Instant::now().checked_add(time + GRACE));
    Ok(Conditions {
        keeper: keeper(args.output.unconfined)?,
        limits: taw_cage::Limits::default(),
        coverage: Coverage::No,
        patience: Patience { stop: Arc::clone(stop), until },
    })
}

/// Who starts programs under test.
///
/// # Errors
/// If the system does not say which executable this is.
pub(crate) fn keeper(unconfined: bool) -> Result<Keeper, Failure> {
    let confinement = if unconfined { Confinement::None } else { Confinement::Whole };
    Keeper::this(confinement).map_err(|error| Failure::Message(format!("cannot find Taw's own executable: {error}")))
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

/// What to explore and how.
pub(crate) fn plan(
    args: &RunArgs,
    entries: Entries,
    world: World,
    replay: Option<Recorded>,
    seeds: Vec<Vec<Input>>,
    goals: Vec<Goal>,
) -> Plan {
    let search = &args.search;
    Plan {
        entries: entries.names,
        left_out: entries.left_out,
        search: strategy(args, &goals).to_owned(),
        seed: search.seed,
        limits: Limits {
            time: search.max_time,
            paths: search.max_paths,
            depth: search.max_depth,
            states: search.max_states.map(|states| usize::try_from(states).unwrap_or(usize::MAX)),
            instructions: search.max_instructions,
            memory: Some(search.max_memory),
        },
        engine: Config { replay, seeds, ..engine(args, world) },
        solver: solver(args),
        models: taw_env::MODELS,
        goals,
    }
}

/// The strategy asked for, or the best known.
fn strategy<'a>(args: &'a RunArgs, goals: &[Goal]) -> &'a str {
    let known = if goals.is_empty() { taw_search::DEFAULT_FORWARD } else { taw_search::DEFAULT_DIRECTED };
    args.search.search.as_deref().unwrap_or(known)
}

fn engine(args: &RunArgs, world: World) -> Config {
    let asked = |check| args.check.contains(&check);
    Config {
        checks: Checks {
            overflow: asked(Check::Overflow),
            float_cast: asked(Check::FloatCast),
            in_the_code: args.files.iter().all(|file| taw_loader::is_source(file)),
            uninit: asked(Check::Uninit),
            leak: asked(Check::Leak),
        },
        markers: args.marker.clone(),
        optimised: optimised(&args.files, &args.compile.cflag),
        surroundings: Surroundings::new(taw_env::Kernel::new(world)),
        boot: taw_env::boot,
        ..Config::default()
    }
}

/// Whether the code is, or may be, optimised: of sources the last `-O` decides, of bitcode nobody knows.
fn optimised(files: &[PathBuf], cflags: &[String]) -> bool {
    let bitcode = |file: &PathBuf| file.extension().is_some_and(|e| e == "bc" || e == "ll");
    files.iter().any(bitcode)
        || cflags.iter().rev().find_map(|flag| flag.strip_prefix("-O")).is_some_and(|level| level != "0")
}

/// How to solve.
pub(crate) fn solver(args: &RunArgs) -> SolverConfig {
    let solver = &args.solver;
    SolverConfig {
        query_time: Some(solver.solver_timeout),
        run_time: solver.max_solver_time,
        validate: if solver.validate { Validate::On } else { Validate::Off },
        dump: solver.dump_queries.clone(),
        seed: args.search.seed,
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
pub(crate) fn target(args: &RunArgs) -> Destination {
    match &args.output.out {
        Some(dir) => Destination::Named(dir.clone()),
        None => Destination::NumberedIn(PathBuf::from(".")),
    }
}

/// What is kept of the command.
pub(crate) fn command(directory: &Path, program: Recipe) -> CommandRecord {
    CommandRecord {
        program,
        taw: env!("CARGO_PKG_VERSION").into(),
        command: env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        directory: directory.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::optimised;
    use std::path::PathBuf;

    fn said(file: &str, cflags: &str) -> bool {
        optimised(&[PathBuf::from(file)], &cflags.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn the_last_level_of_optimisation_decides_of_sources() {
        assert!(said("a.c", "-O2") && said("a.c", "-O") && said("a.c", "-O0 -Os -m32"));
        assert!(!said("a.c", "-m32") && !said("a.c", "-O0") && !said("a.c", "-O2 -O0"));
    }

    #[test]
    fn bitcode_may_be_optimised() {
        assert!(said("a.bc", "-O0") && said("a.ll", ""));
    }
}
