//! Random whole programs with labels in nested calls: forward, backward and mixed, no verdict is wrong.

use std::process::ExitCode;

/// Seeds of the default run; TAW_SEEDS=1..1000 asks for more.
const SAMPLE: u32 = 16;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let trials = taw_testkit::Seeds::from_environment(SAMPLE)
        .and_then(|seeds| Ok(taw_testkit::backward_trials(&taw_testkit::taw()?, seeds)));
    match trials {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
