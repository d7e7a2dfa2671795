//! A program outside the workspace uses the library: the example `explore` as a package of its own.
//!
//! That package is not built by cargo, which would compile every crate of Taw once more: what a package is to cargo depends on the root of
//! the workspace that it is in (90 to 146 s of CPU, measured). Cargo is asked whether the package resolves, and the compiler is given its
//! source and the library that this test was built with, as cargo would.

mod common;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn an_example_outside_the_workspace_explores_a_file() {
    let (folder, file) = common::table();
    let library = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = folder.path().join("outside");
    fs::create_dir_all(package.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"outside\"\nedition = \"2024\"\n[dependencies]\ntaw = {{ path = {library:?} }}\n[workspace]\n"
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    // The same versions of all packages.
    fs::copy(library.join("../../Cargo.lock"), package.join("Cargo.lock")).unwrap();
    fs::copy(library.join("examples/explore.rs"), package.join("src/main.rs")).unwrap();

    let cargo = env::var_os("CARGO").expect("cargo runs the tests");
    let mut tree = Command::new(cargo);
    tree.args(["tree", "--offline", "--depth", "1", "--prefix", "none"]).current_dir(&package);
    assert!(done(&mut tree).contains("\ntaw v"), "the package does not depend on the library");

    done(&mut compiler(&package));
    let said = done(Command::new(package.join("outside")).env("LD_LIBRARY_PATH", natives()).arg(file));
    assert!(said.contains("exit 7: i=3\n"), "{said}");
}

/// Runs a command, which must succeed; what it wrote.
fn done(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(status.success(), "{command:?}: {status}\n{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// The compiler for the package's only source.
fn compiler(package: &Path) -> Command {
    let deps = env::current_exe().unwrap().parent().expect("target/PROFILE/deps").to_path_buf();
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition=2024", "--crate-name=outside", "-o", "outside", "src/main.rs"]).current_dir(package);
    rustc.arg("--extern").arg(format!("taw={}", built(&deps).display()));
    rustc.arg("-L").arg(format!("dependency={}", deps.display()));
    for folder in env::split_paths(&natives()) {
        rustc.arg("-L").arg(format!("native={}", folder.display()));
    }
    rustc
}

/// The library as it was built last. This test was built with one that is not older than the sources, so neither is that.
fn built(deps: &Path) -> PathBuf {
    let is_library = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libtaw-") && name.ends_with(".rlib")
    };
    let files = fs::read_dir(deps).unwrap().flatten().map(|entry| entry.path()).filter(is_library);
    files.max_by_key(|path| fs::metadata(path).and_then(|meta| meta.modified()).unwrap()).expect("the library")
}

/// Where the shared libraries of Z3 and LLVM are, as `.cargo/config.toml` says.
fn natives() -> std::ffi::OsString {
    let folder = |name: &str| PathBuf::from(env::var_os(name).unwrap_or_else(|| panic!("cargo sets {name}")));
    env::join_paths([folder("Z3_LIBRARY_PATH_OVERRIDE"), folder("LLVM_SYS_221_PREFIX").join("lib")]).unwrap()
}
