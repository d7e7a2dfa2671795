//! From arguments to a session, of `taw run` and `taw reach` alike: what can be wrong with options is said before anything is compiled.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use taw::{BuildWith, Compile, LoadError, Prepared, Program, Session, Summary, WalkedTest, World};
use taw_engine::Input;
use taw_report::{OutputDir, unknown_callers_in_words};
use taw_targets::Request;

use crate::args::{KeepArg, RunArgs};
use crate::failure::Failure;
use crate::shapes::AliasArg;
use crate::{interrupt, settings, terminal};

/// What the arguments say, with the program compiled.
pub(crate) fn session(args: &RunArgs, requests: Vec<Request>) -> Result<Session, Failure> {
    check_search(args)?;
    let walked = args.search.replay_path.as_deref().map(WalkedTest::read).transpose()?;
    let world = settings::world(args, walked.as_ref().map(|walked| walked.stdin.as_slice()))?;
    let seeds = seeds(args, &world)?;
    let session = configured(args, &settings::compile(args).on_warning(terminal::pass_on), world)?;
    let session = session.seeds(seeds).with_conditions(&requests)?.requests(requests);
    Ok(match walked {
        Some(walked) => session.walk(walked),
        None => session,
    })
}

/// The session that walks the path of one test of an earlier run.
pub(crate) fn walking(
    args: &RunArgs,
    requests: &[Request],
    how: &Compile,
    walked: WalkedTest,
) -> Result<Session, Failure> {
    let world = settings::world(args, Some(&walked.stdin))?;
    Ok(configured(args, how, world)?.with_conditions(requests)?.walk(walked))
}

/// The session that explores functions of a program for tests.
pub(crate) fn testing(args: &RunArgs, program: Program) -> Result<Session, Failure> {
    check_search(args)?;
    let world = settings::world(args, None)?;
    set(args, program, world)
}

fn configured(args: &RunArgs, how: &Compile, world: World) -> Result<Session, Failure> {
    let program = Program::compile(args.files.clone(), how).map_err(|error| of_several_programs(args, error))?;
    set(args, program, world)
}

fn set(args: &RunArgs, program: Program, world: World) -> Result<Session, Failure> {
    check_whole(args, &program)?;
    let mut session = Session::new(program)
        .world(world)
        .seed(args.search.seed)
        .shapes(args.shapes.shapes())
        .limits(settings::limits(args))
        .solver(settings::solver(args))
        .keeper(settings::keeper(args.output.unconfined)?);
    session = args.entry.iter().fold(session, Session::entry);
    session = args.marker.iter().fold(session, Session::marker);
    session = args.pure.iter().cloned().fold(session, Session::pure);
    session = args.stub.iter().cloned().fold(session, Session::stub);
    session = args.array.iter().cloned().fold(session, Session::array);
    session = args.string.iter().fold(session, Session::string);
    session = args.invariant.iter().cloned().fold(session, Session::invariant);
    session = args.stage.iter().cloned().fold(session, Session::staged);
    session = args.shapes.globals.iter().cloned().fold(session, Session::globals);
    session = args.requires.iter().fold(session, Session::require);
    session = args.ensures.iter().fold(session, Session::ensure);
    session = args.assume.iter().fold(session, Session::assume).with_preconditions()?;
    if !args.build_with.is_empty() {
        session = session.build_with(BuildWith { functions: args.build_with.clone(), calls: args.build_calls })?;
    }
    if args.search.trace {
        session = session.trace_runs();
    }
    if args.solver.plain_solver {
        session = session.without_ranges();
    }
    match &args.search.search {
        Some(strategy) => Ok(session.search(strategy)?),
        None => Ok(session),
    }
}

/// Who asks for an analysis of the whole program has one.
fn check_whole(args: &RunArgs, program: &Program) -> Result<(), Failure> {
    let code = program.code();
    let is_whole = code.function_named("main").is_some_and(|main| code.functions[main].is_defined());
    match args.shapes.alias {
        Some(AliasArg::PointsTo) if !is_whole => Err(Failure::Message(
            "--alias points-to needs the whole program, and there is no `main`; add the files that call the entry, or use --alias same-type"
                .to_owned(),
        )),
        _ => Ok(()),
    }
}

/// A build may make several programs, of which all files together are none.
fn of_several_programs(args: &RunArgs, error: taw::Error) -> Failure {
    match &error {
        taw::Error::Load(LoadError::Link { .. }) if args.compile.database.is_some() => {
            Failure::Message(format!("{error}; if the build makes several programs, name the files of one beside -p"))
        }
        _ => error.into(),
    }
}

/// Makes the output directory; from now on Ctrl-C ends the run cleanly.
pub(crate) fn output<'s>(args: &RunArgs, prepared: &Prepared<'s>, keep: KeepArg) -> Result<OutputDir<'s>, Failure> {
    let command = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let out = prepared.output(&settings::destination(args), command, settings::keep(args, keep))?;
    interrupt::watch(Arc::clone(prepared.stop()))?;
    Ok(out)
}

/// What the user should know beside the results.
pub(crate) fn notes(prepared: &Prepared<'_>, summary: &Summary) -> Vec<String> {
    let named = |(program, seed): &(String, String)| format!("`{seed}` for `{program}`");
    let renamed: Vec<String> = summary.seeded_in_order.iter().map(named).collect();
    let renamed = (!renamed.is_empty())
        .then(|| format!("inputs of seeds were taken in order where names differ: {}", renamed.join(", ")));
    let code = prepared.program().code();
    let callers = summary.callers_unknown.iter().map(|(entry, why)| unknown_callers_in_words(*entry, why, code));
    renamed.into_iter().chain(callers).chain(stages(prepared, summary)).collect()
}

/// What was done of invariants whose structures were given.
fn stages(prepared: &Prepared<'_>, summary: &Summary) -> Option<String> {
    let stats = &summary.stats;
    prepared.has_stages().then(|| {
        format!(
            "invariants of stages: {} instructions executed, {} queries asked, {} calls answered by the stage",
            stats.in_invariants, stats.queries_in_invariants, stats.answered_by_stages
        )
    })
}

/// A wrong name is said before anything is compiled.
fn check_search(args: &RunArgs) -> Result<(), Failure> {
    if let Some(name) = &args.search.search {
        taw_search::SearchScheme::parse(name).map_err(Failure::message)?;
    }
    Ok(())
}

/// The inputs to begin with.
fn seeds(args: &RunArgs, world: &World) -> Result<Vec<Vec<Input>>, Failure> {
    let read = |path: &PathBuf| taw::read_seeds(path, settings::harness(args), world);
    let seeds = args.search.seeds.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    Ok(seeds.into_iter().flatten().collect())
}
