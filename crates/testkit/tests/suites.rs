//! What Taw claims of suites against gcov: the examples, programs of `tests/programs`, the corpus.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    match taw_testkit::taw() {
        Ok(taw) => {
            let corpus = taw_testkit::root().join("tests/corpus");
            libtest_mimic::run(&arguments, taw_testkit::suite_trials(&taw, &corpus)).exit_code()
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
