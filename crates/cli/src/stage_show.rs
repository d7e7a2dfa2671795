//! `taw show tree.stage`: each structure with its condition.

use std::io::Write;
use std::path::{Path, PathBuf};

use taw_report::StageFile;

use crate::failure::Failure;
use crate::stage_args::StageShowArgs;

/// Whether a file is a stage, by its name.
pub(crate) fn is_stage(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "stage")
}

/// Shows stages.
pub(crate) fn show(out: &mut impl Write, stages: &[PathBuf], _args: &StageShowArgs) -> Result<(), Failure> {
    for path in stages {
        let file = StageFile::read(path).map_err(Failure::message)?;
        writeln!(out, "{:?}", file)?;
    }
    Ok(())
}
