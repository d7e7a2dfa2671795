//! Real packages, built with `CC="taw cc"`: fetched as Debian source packages when a test needs them, never kept in the
//! repository.
//!
//! Invariant: a package that was built stays in the build folder until what builds it changes (the compiler driver, the C library).

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{Streams, run};
use crate::taw::Taw;

/// Long enough for two busy cores.
const LIMIT: Duration = Duration::from_secs(1800);

/// The folder of a package that is configured and made with `taw cc`.
///
/// # Errors
/// If it cannot be fetched or does not build; the end of what was said.
pub fn built(taw: &Taw, name: &str, configure: &[String]) -> Result<PathBuf, String> {
    let place = crate::root().join("target/tmp/packages");
    let stamp = recipe(name, configure)?;
    let folder = place.join(format!("{name}-{stamp:016x}"));
    if folder.join("built").is_file() {
        return Ok(folder.join("source"));
    }
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    fetch(name, &folder)?;
    let source = folder.join("source");
    let cc = format!("{} cc", taw.binary().display());
    // Packages refuse to be configured by root without being told that it is meant.
    step(Command::new("./configure").args(configure).env("CC", &cc).env("FORCE_UNSAFE_CONFIGURE", "1"), &source)?;
    // Debian's patches leave generated files older than their sources: they are good as they are.
    let generators = ["ACLOCAL=:", "AUTOMAKE=:", "AUTOCONF=:", "AUTOHEADER=:", "MAKEINFO=:", "HELP2MAN=:"];
    step(Command::new("make").args(["-j2", "V=0"]).args(generators), &source)?;
    fs::write(folder.join("built"), "").map_err(|e| e.to_string())?;
    Ok(source)
}

fn fetch(name: &str, folder: &Path) -> Result<(), String> {
    let script = crate::root().join("scripts/source-package.sh");
    step(Command::new("sh").arg(script).args([name, "fetched"]), folder)?;
    let fetched = fs::read_dir(folder.join("fetched")).map_err(|e| e.to_string())?;
    let tree = fetched.filter_map(Result::ok).map(|entry| entry.path()).find(|path| path.is_dir());
    let tree = tree.ok_or_else(|| format!("the source package of {name} has no folder in it"))?;
    fs::rename(&tree, folder.join("source")).map_err(|e| format!("{}: {e}", tree.display()))
}

/// A number that changes when what builds packages changes.
fn recipe(name: &str, configure: &[String]) -> Result<u64, String> {
    let mut hasher = DefaultHasher::new();
    (name, configure).hash(&mut hasher);
    for folder in ["crates/driver/src", "runtime/musl/arch", "scripts"] {
        let folder = crate::root().join(folder);
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.is_file()).collect();
        files.sort();
        for file in files {
            fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?.hash(&mut hasher);
        }
    }
    Ok(hasher.finish())
}

fn step(command: &mut Command, folder: &Path) -> Result<(), String> {
    let ended = run(command.current_dir(folder), Streams::Merged, LIMIT)?;
    if ended.code == Some(0) {
        return Ok(());
    }
    let said = ended.said();
    let lines: Vec<&str> = said.lines().collect();
    let last = lines[lines.len().saturating_sub(30)..].join("\n");
    let name = command.get_program().to_string_lossy().into_owned();
    Err(format!("`{name}` in {} ended with {:?}:\n{last}", folder.display(), ended.code))
}
