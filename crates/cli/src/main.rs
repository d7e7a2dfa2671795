//! The `taw` command.
//!
//! The way of a command: `args` (what may be said) → `settings` and `prepare` (what it means to the library, the crate `taw`) → `run` (what
//! is done with the results) → `summary` or `document` (what is shown); `taw reach` goes the same way through `reach*`. Exit codes: 0 nothing found, 1 findings, 2 wrong
//! usage or a failure of Taw, 3 not decided.

mod args;
mod bench;
mod bench_concolic;
mod cc;
mod doctor;
mod document;
mod emit;
mod failure;
mod functions;
mod idle;
mod inputs;
mod interrupt;
mod listing;
mod over_time;
mod plot;
mod prepare;
mod progress;
mod reach;
mod reach_args;
mod reach_document;
mod reach_summary;
mod replay;
mod run;
mod runs;
mod settings;
mod shapes;
mod show;
mod snippet;
mod solve;
mod spread;
mod stage;
mod stage_args;
mod stage_show;
mod steps;
mod style;
mod summary;
mod terminal;
mod test;
mod units;

use std::io::Write;
use std::process::ExitCode;
use std::{env, panic};

/// States are many small allocations that come and go.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use clap::Parser;

use args::{Cli, Command};
use failure::Failure;
use reach_args::Bench;
use run::ExitAnswer;
use style::ERROR;
use taw_driver::Language;
use terminal::Coloured;

fn main() -> ExitCode {
    // Before there are threads: this may be the process that keeps programs under test in their cage, or that reads a module first.
    if let Some(code) = taw::serve_if_asked() {
        return code;
    }
    panic::set_hook(Box::new(own_up));
    // Terms in scripts may nest deeply, and the stack of this thread may be tiny (`ulimit -s`): even arguments are read on another.
    // A panic has been owned up to; unwinding has written what was found.
    let answer = panic::catch_unwind(|| taw::on_large_stack(|| dispatch(Cli::parse().command)));
    answer.map_or(ExitCode::from(2), |answer| exit_code(answer.map_err(Failure::from).flatten()))
}

fn dispatch(command: Command) -> Result<ExitAnswer, Failure> {
    let mut out = terminal::stdout();
    match command {
        Command::Run(mut args) => {
            drop(out);
            settings::apply_database(&mut args)?;
            return run::run(&args);
        }
        Command::Reach(mut args) => {
            drop(out);
            settings::apply_database(&mut args.run)?;
            return reach::reach(&args);
        }
        Command::Test(args) => {
            drop(out);
            let mut args = test::options::with_config(args)?;
            settings::apply_database_to(&mut args.files, &mut args.compile)?;
            return test::test(&args);
        }
        Command::Stage(mut args) => {
            settings::apply_database(&mut args.run)?;
            stage::stage(&mut out, &mut args)?;
        }
        Command::Replay(args) => {
            drop(out);
            return replay::replay(&args);
        }
        Command::Bench { what: Bench::Strategies(args) } => {
            drop(out);
            return bench::strategies(&args);
        }
        Command::Bench { what: Bench::Concolic(args) } => {
            drop(out);
            return bench_concolic::concolic(&args);
        }
        Command::Cc { words } => {
            drop(out);
            return Ok(ExitAnswer::Status(cc::run(Language::C, &words)));
        }
        Command::Cxx { words } => {
            drop(out);
            return Ok(ExitAnswer::Status(cc::run(Language::Cxx, &words)));
        }
        Command::Solve(args) => return solve::solve(&mut out, &args),
        Command::Show { tests, path: true, trust, .. } => steps::show(&mut out, &tests, &trust)?,
        Command::Show { tests, path: false, stage, .. } => {
            let (stages, tests): (Vec<_>, Vec<_>) = tests.into_iter().partition(|path| stage_show::is_stage(path));
            show::show(&mut out, &tests)?;
            stage_show::show(&mut out, &stages, &stage)?;
        }
        Command::Doctor => {
            drop(out);
            // Says nothing of others' words.
            return Ok(doctor::doctor(&mut anstream::stdout().lock())?);
        }
        Command::Strategies => listing::strategies(&mut out)?,
        Command::Man { folder } => listing::man(&folder)?,
        Command::Completions { shell } => listing::completions(shell, &mut out)?,
    }
    out.flush()?;
    Ok(ExitAnswer::Clean)
}

fn exit_code(answer: Result<ExitAnswer, Failure>) -> ExitCode {
    match answer {
        Ok(ExitAnswer::Clean) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Ok(ExitAnswer::Findings) => ExitCode::from(1),
        Ok(ExitAnswer::Undecided) => ExitCode::from(3),
        Ok(ExitAnswer::Status(status)) => ExitCode::from(status),
        Ok(ExitAnswer::Sat) => ExitCode::from(10),
        Ok(ExitAnswer::Unsat) => ExitCode::from(20),
        Err(Failure::Message(text)) => {
            terminal::tell(format_args!("{ERROR}error{ERROR:#}: {text}"));
            ExitCode::from(2)
        }
        Err(Failure::Compiler(text)) => {
            terminal::tell(format_args!("{}", Coloured(&text)));
            ExitCode::from(2)
        }
    }
}

/// A panic is Taw's fault, never the user's or their program's: say so, and what to report.
fn own_up(panic: &panic::PanicHookInfo<'_>) {
    let payload = panic.payload();
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    let what = owned.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    let place = panic.location().map_or_else(|| "an unknown place".into(), ToString::to_string);
    let command: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let version = env!("CARGO_PKG_VERSION");
    terminal::tell(format_args!(
        "{ERROR}Taw has failed{ERROR:#}; this is a defect of Taw {version}, not of your program.\n  what:    panicked at {place}: \
         {what}\n  command: {}\nPlease report these lines with the program. What was found until now is in the output directory.",
        command.join(" ")
    ));
}
