//! Programs of csmith by seed: the same checksum natively and under Taw.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let trials = taw_testkit::Seeds::from_environment()
        .and_then(|seeds| Ok(taw_testkit::csmith_trials(&taw_testkit::taw()?, seeds)));
    match trials {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
