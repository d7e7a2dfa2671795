//! A real autotools package is configured and built by changing `CC`, works natively, and is explored from its executable.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const TAW: &str = env!("CARGO_BIN_EXE_taw");

fn sh(folder: &Path, line: &str) -> Output {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", line])
        .current_dir(folder)
        .env("CC", format!("{TAW} cc"))
        .env("TAW", TAW)
        .output()
        .expect("a shell")
}

fn succeeds(folder: &Path, line: &str) -> String {
    let output = sh(folder, line);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{line}: {}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[test]
#[ignore = "needs the network and minutes (fetches and builds a source package; `--test packages` builds another where it is there): cargo test -p taw-cli --test package -- --ignored"]
fn gzip_is_built_and_explored_by_changing_cc() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let fetched = sh(here, &format!("sh '{}' gzip source", root.join("scripts/source-package.sh").display()));
    if !fetched.status.success() {
        println!("skipped: the source package cannot be fetched: {}", String::from_utf8_lossy(&fetched.stderr));
        return;
    }
    succeeds(here, "mkdir build && cd build && FORCE_UNSAFE_CONFIGURE=1 ../source/gzip-*/configure CC=\"$CC\"");
    let build = here.join("build");
    let made = sh(&build, "make ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: MAKEINFO=:");
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success() && !said.contains("taw cc: warning"), "{said}");

    assert_eq!(succeeds(&build, "echo hello hello hello | ./gzip -9 | ./gzip -d"), "hello hello hello\n");
    let all = taw_embed::records(&fs::read(build.join("gzip")).expect("it was built")).expect("it is well-formed");
    assert!(all.len() > 20 && all.iter().any(|record| record.source.ends_with("deflate.c")));
    let run = sh(&build, "$TAW run ./gzip --print-output --out out -- --version");
    let printed = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{printed}{}", String::from_utf8_lossy(&run.stdout));
    assert!(printed.contains(succeeds(&build, "./gzip --version").trim()), "{printed}");
}
