//! The process that calls pure functions, where it does not start. This executable keeps it.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use taw_cage::{Cage, Confinement, Job, Keeper, hand_over};
use taw_env::pure_models;

fn main() -> ExitCode {
    if let Some(code) = taw_cage::serve_if_asked() {
        return code;
    }
    let facts = [
        Trial::test("a_program_that_is_not_there_is_no_worker", || {
            let why = start("/nowhere/at/all").unwrap_err();
            if why.contains("No such file") { Ok(()) } else { Err(why.into()) }
        }),
        Trial::test("a_program_that_does_not_answer_is_no_worker", || match start("/bin/false") {
            Err(_) => Ok(()),
            Ok(()) => Err("it started".into()),
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), facts.into()).exit_code()
}

fn start(program: &str) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    hand_over(scratch.path()).map_err(|error| error.to_string())?;
    let cage = Cage::open(&Keeper::this(Confinement::Whole).map_err(|error| error.to_string())?)?;
    let job = Job {
        program: program.into(),
        directory: scratch.path().into(),
        scratch: scratch.path().into(),
        ..Job::default()
    };
    pure_models(cage, job, Vec::new()).map(drop)
}
