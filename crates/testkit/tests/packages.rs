//! Real packages, built with `CC="taw cc"`: concrete runs equal to native ones.

use std::fs;
use std::path::PathBuf;
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
    let folder = taw_testkit::root().join("tests/packages");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut tables: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    tables.sort();
    let mut all = Vec::new();
    for table in tables.iter().filter(|path| path.extension().is_some_and(|e| e == "txt")) {
        all.extend(taw_testkit::package_trials(&taw, table)?);
    }
    Ok(all)
}
