//! GNU coreutils, built with `CC="taw cc"`: concrete runs equal to native ones.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let taw = taw_testkit::taw()?;
    // A build of one's own may be named; it must have been made with `taw cc`.
    let tools = match std::env::var_os("TAW_COREUTILS") {
        Some(folder) => Path::new(&folder).to_owned(),
        None => taw_testkit::built(&taw, "coreutils", &["--disable-nls"])?.join("src"),
    };
    let table = taw_testkit::root().join("tests/coreutils/commands.txt");
    taw_testkit::coreutils_trials(&taw, &table, &tools)
}
