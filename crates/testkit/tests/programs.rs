//! `tests/programs/**/*.c`: one test per file.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    match taw_testkit::taw() {
        Ok(taw) => {
            let trials = taw_testkit::program_trials(&taw, &taw_testkit::root().join("tests/programs"));
            libtest_mimic::run(&arguments, trials).exit_code()
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
