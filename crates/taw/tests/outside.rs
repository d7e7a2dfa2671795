//! A program outside the workspace uses the library: the example `explore` as a package of its own.

mod common;

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// As in the workspace, so that packages of others are not built once more.
const PROFILE: &str = "[profile.dev]\nopt-level = 1\ndebug = \"line-tables-only\"\n";

#[test]
#[ignore = "builds all crates of Taw once more, in minutes; `examples.rs` runs the same source within the workspace"]
fn an_example_outside_the_workspace_explores_a_file() {
    let (_folder, file) = common::table();
    let library = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Below the workspace's folder and no member of it: so that cargo finds where LLVM and Z3 are (`.cargo/config.toml`), and the same
    // flags, which are a part of what makes a build the same.
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    fs::create_dir_all(package.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"outside\"\nedition = \"2024\"\n[dependencies]\ntaw = {{ path = {library:?} }}\n[workspace]\n{PROFILE}"
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    // The same versions of all packages.
    fs::copy(library.join("../../Cargo.lock"), package.join("Cargo.lock")).unwrap();
    fs::copy(library.join("examples/explore.rs"), package.join("src/main.rs")).unwrap();
    let cargo = env::var_os("CARGO").expect("cargo runs the tests");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("target/tmp");
    let mut run = Command::new(cargo);
    run.args(["run", "--offline", "--quiet", "--target-dir"]).arg(target).arg("--").arg(file);
    let output = run.current_dir(&package).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("exit 7: i=3\n"), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}
