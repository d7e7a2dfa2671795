//! Compiles the runtime library, once per data layout, and lists it and the headers for `src/runtime.rs`.
//!
//! Every `runtime/libc/*.c` is one module: the loader links only what a program needs. Optimised a little, because it
//! is executed often and nobody debugs it; without builtins, lest `memcpy` becomes a call of itself.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const FLAGS: &[&str] = &[
    "-O1",
    "-g0",
    "-fno-builtin",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-fno-stack-protector",
    "-std=gnu17",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-builtin-requires-header",
    "-Wno-incompatible-library-redeclaration",
];

fn main() {
    let root = Path::new(&variable("CARGO_MANIFEST_DIR")).join("../../runtime");
    let out = PathBuf::from(variable("OUT_DIR"));
    println!("cargo:rerun-if-changed={}", root.display());
    println!("cargo:rerun-if-env-changed=TAW_CLANG");
    let clang = env::var("TAW_CLANG").unwrap_or_else(|_| "clang-22".into());

    let mut table = String::from("pub(crate) const MODULES: &[(&str, &[u8])] = &[\n");
    for source in sorted(&root.join("libc")).iter().filter(|path| path.extension().is_some_and(|e| e == "c")) {
        let stem = source.file_stem().and_then(|stem| stem.to_str()).expect("the runtime's names are plain");
        for (layout, flag) in [("x86-64", "-m64"), ("i386", "-m32")] {
            let module = out.join(format!("{stem}-{layout}.bc"));
            compile(&clang, flag, &root, source, &module);
            writeln!(table, "    ({:?}, include_bytes!({module:?})),", format!("{stem}.c for {layout}")).unwrap();
        }
    }
    table.push_str("];\npub(crate) const HEADERS: &[(&str, &str)] = &[\n");
    let mut headers = vec![("taw.h".to_owned(), root.join("taw.h"))];
    collect(&root.join("include"), "", &mut headers);
    for (name, path) in headers {
        writeln!(table, "    ({name:?}, include_str!({path:?})),").unwrap();
    }
    table.push_str("];\n");
    let replay = root.join("replay/replay.c");
    writeln!(table, "pub(crate) const REPLAY: &str = include_str!({replay:?});").unwrap();
    fs::write(out.join("runtime.rs"), table).expect("the build folder is writable");
}

fn compile(clang: &str, layout: &str, root: &Path, source: &Path, module: &Path) {
    let mut command = Command::new(clang);
    command.args(FLAGS).args([layout, "-emit-llvm", "-c", "-I"]).arg(root).arg("-o").arg(module).arg(source);
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(_) => {
            panic!("{clang} cannot compile {} with {layout}; `make setup` installs what it needs", source.display())
        }
        Err(error) => panic!("cannot run {clang}: {error}; `make setup` installs it, or name one in TAW_CLANG"),
    }
}

/// All files under `folder` by their path relative to it.
fn collect(folder: &Path, prefix: &str, found: &mut Vec<(String, PathBuf)>) {
    for path in sorted(folder) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("the runtime's names are plain");
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), found);
        } else {
            found.push((format!("{prefix}{name}"), path.clone()));
        }
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder stays readable").path()).collect();
    paths.sort();
    paths
}

fn variable(name: &str) -> String {
    env::var(name).expect("cargo sets it")
}
