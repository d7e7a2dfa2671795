//! Finding the `taw` binary.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::taw::Taw;

/// The binary named by TAW_BIN, else the one of this build, brought up to date by cargo.
///
/// # Errors
/// If there is none and it cannot be built.
pub fn taw() -> Result<Taw, String> {
    if let Some(path) = std::env::var_os("TAW_BIN") {
        // Cargo starts tests in the folder of their package; a person means the root.
        let path = crate::root().join(PathBuf::from(path));
        let path = path.canonicalize().map_err(|e| format!("TAW_BIN={}: {e}", path.display()))?;
        return Ok(Taw::new(path));
    }
    let test = std::env::current_exe().map_err(|e| e.to_string())?;
    // target/PROFILE/deps/test-hash
    let folder = test.ancestors().nth(2).ok_or("the test binary is in no target folder")?;
    let binary = folder.join("taw");
    // nextest starts this once per test and has built everything before.
    if !(std::env::var_os("NEXTEST").is_some() && binary.exists()) {
        build(folder)?;
    }
    Ok(Taw::new(binary))
}

fn build(folder: &Path) -> Result<(), String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--bin", "taw", "--target-dir"]);
    cargo.arg(folder.parent().ok_or("no target folder")?).current_dir(crate::root());
    if folder.file_name().is_some_and(|name| name == "release") {
        cargo.arg("--release");
    }
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo build --bin taw: {status}")),
        Err(error) => Err(format!("cargo cannot be started: {error}")),
    }
}
