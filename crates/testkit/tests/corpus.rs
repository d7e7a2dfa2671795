//! The corpus (`tests/corpus`): labels, native replay, exact path counts.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    match taw_testkit::taw() {
        Ok(taw) => {
            let corpus = taw_testkit::root().join("tests/corpus");
            libtest_mimic::run(&arguments, taw_testkit::corpus_trials(&taw, &corpus)).exit_code()
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
