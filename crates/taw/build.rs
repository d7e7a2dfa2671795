//! Compiles the runtime library, once per data layout, and lists it and the headers for `src/runtime.rs`.
//!
//! It is musl (`scripts/musl.sh`) with what `runtime/libc` replaces in it. The loader links only what a program needs. Optimised a little, because it is
//! executed often and nobody debugs it; without builtins, lest `memcpy` becomes a call of itself.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
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

    let musl = root.join("../.deps/musl");
    for file in ["musl.bc", "musl32.bc", "sysroot.tar.gz"] {
        let path = musl.join(file);
        println!("cargo:rerun-if-changed={}", path.display());
        assert!(path.is_file(), "{} is missing; `make setup` makes it (scripts/musl.sh)", path.display());
    }
    let mut table = String::from("pub(crate) const MODULES: &[(&str, &[u8])] = &[\n");
    let mut row = |name: &str, module: &Path| writeln!(table, "    ({name:?}, include_bytes!({module:?})),").unwrap();
    for (layout, module, of) in [("-m64", "musl.bc", "x86-64"), ("-m32", "musl32.bc", "i386")] {
        let replaced = compile_all(&clang, layout, &root.join("libc"), &out);
        let whole = out.join(format!("libc-{of}.bc"));
        link(&clang, &musl.join(module), &replaced, &whole);
        row(&format!("the C library for {of}"), &whole);
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
    let sysroot = musl.join("sysroot.tar.gz");
    writeln!(table, "pub(crate) const SYSROOT: &[u8] = include_bytes!({sysroot:?});").unwrap();
    // Here and not at run time: `taw cc` needs it hundreds of times in a `configure` script.
    let mut hasher = DefaultHasher::new();
    fs::read(&sysroot).expect("it was there a moment ago").hash(&mut hasher);
    writeln!(table, "pub(crate) const SYSROOT_NAME: &str = \"sysroot-{:016x}\";", hasher.finish()).unwrap();
    fs::write(out.join("runtime.rs"), table).expect("the build folder is writable");
}

/// Compiles the C files of a folder for one data layout.
fn compile_all(clang: &str, layout: &str, folder: &Path, out: &Path) -> Vec<PathBuf> {
    let sources = sorted(folder).into_iter().filter(|path| path.extension().is_some_and(|e| e == "c"));
    let module = |source: PathBuf| {
        let stem = source.file_stem().and_then(|stem| stem.to_str()).expect("the runtime's names are plain");
        let module = out.join(format!("libc-{stem}{layout}.bc"));
        compile(clang, layout, &source, &module);
        module
    };
    sources.map(module).collect()
}

/// Makes one module of the whole library and what replaces parts of it.
fn link(clang: &str, library: &Path, replaced: &[PathBuf], to: &Path) {
    let linker = clang.replace("clang", "llvm-link");
    let mut command = Command::new(&linker);
    command.arg("--suppress-warnings").arg(library).arg("-o").arg(to);
    for module in replaced {
        command.arg(format!("--override={}", module.display()));
    }
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(_) => panic!("{linker} cannot link the C library"),
        Err(error) => panic!("cannot run {linker}: {error}; `make setup` installs it"),
    }
}

fn compile(clang: &str, layout: &str, source: &Path, module: &Path) {
    let mut command = Command::new(clang);
    command.args(FLAGS).args([layout, "-emit-llvm", "-c", "-o"]).arg(module).arg(source);
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
