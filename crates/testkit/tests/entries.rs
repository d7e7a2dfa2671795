//! Random functions over pointers, started from the signature alone: outcomes are what trying all object graphs says.

use std::process::ExitCode;

/// Seeds of the default run, 20 functions each; TAW_SEEDS=1..1000 asks for more.
const SAMPLE: u32 = 10;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let trials = taw_testkit::Seeds::from_environment(SAMPLE)
        .and_then(|seeds| Ok(taw_testkit::entry_trials(&taw_testkit::taw()?, seeds)));
    match trials {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
