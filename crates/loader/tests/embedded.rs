//! Modules that ride in objects, executables and archives are linked as the linker has linked them.

mod support;

use std::path::Path;
use std::process::Command;

use support::{function, source};
use taw_embed::{SourceBitcode, SourceRecord, append_section};
use taw_ir::Program;
use taw_loader::{Clang, LoadError, Sources, load};
use tempfile::TempDir;

fn run(folder: &Path, program: &Path, words: &[&str]) {
    let status = Command::new(program).args(words).current_dir(folder).status().expect("it runs");
    assert!(status.success(), "{words:?}");
}

/// An object with the bitcode of a source, as `taw cc` makes it.
fn object(folder: &Path, name: &str, content: &str, flags: &[&str]) {
    let clang = Clang::find().expect("clang is part of the set-up");
    std::fs::write(folder.join(name), content).expect("the source is written");
    run(folder, clang.path(), &[&["-c", name, "-o", "object"], flags].concat());
    let unoptimised = ["-g", "-O1", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", name, "-o", "bitcode"];
    run(folder, clang.path(), &[&unoptimised, flags].concat());
    let read = |name: &str| std::fs::read(folder.join(name)).expect("clang wrote it");
    let record = SourceRecord {
        source: name.into(),
        directory: folder.display().to_string(),
        target: String::new(),
        content: SourceBitcode::Bitcode(read("bitcode")),
    };
    std::fs::write(folder.join(name.replace(".c", ".o")), with_section(&read("object"), &record.to_bytes()))
        .expect("it is written");
}

fn with_section(object: &[u8], content: &[u8]) -> Vec<u8> {
    let appended = append_section(object, content).expect("it is well-formed").expect("it is an object");
    let mut file = object.to_vec();
    file.extend(appended.tail);
    file[..appended.header.len()].copy_from_slice(&appended.header);
    file
}

/// Links the files natively with these words and loads what comes out.
fn linked(files: &[(&str, &str)], words: &[&str]) -> Result<Program, LoadError> {
    let folder = TempDir::new().expect("a folder for the test");
    for (name, content) in files {
        object(folder.path(), name, content, &[]);
    }
    let clang = Clang::find().expect("clang is part of the set-up");
    run(folder.path(), clang.path(), &[words, &["-o", "program"]].concat());
    load(&Sources { files: vec![folder.path().join("program")], ..Sources::default() })
}

fn returned(program: &Program, name: &str, value: &str) {
    let text = function(program, name);
    assert!(text.contains(&format!("ret {value} ")), "{value} is not what {name} returns:\n{text}");
}

const MAIN: &str = "int f(void);\nint main(void) { return f(); }\n";

#[test]
fn a_strong_symbol_wins_over_a_weak_one_wherever_it_stands() {
    let weak = "__attribute__((weak)) int f(void) { return 11; }\n";
    let files = [("main.c", MAIN), ("weak.c", weak), ("strong.c", "int f(void) { return 22; }\n")];
    for order in [["main.o", "weak.o", "strong.o"], ["strong.o", "weak.o", "main.o"]] {
        returned(&linked(&files, &order).expect("it loads"), "f", "i32 22");
    }
}

#[test]
fn of_two_weak_symbols_the_first_linked_wins() {
    let weak = |value: u32| format!("__attribute__((weak)) int f(void) {{ return {value}; }}\n");
    let (first, second) = (weak(11), weak(22));
    let files = [("main.c", MAIN), ("first.c", first.as_str()), ("second.c", second.as_str())];
    returned(&linked(&files, &["main.o", "first.o", "second.o"]).expect("it loads"), "f", "i32 11");
    returned(&linked(&files, &["main.o", "second.o", "first.o"]).expect("it loads"), "f", "i32 22");
}

#[test]
fn static_functions_and_common_symbols_of_one_name_live_together() {
    let folder = TempDir::new().expect("a folder for the test");
    object(
        folder.path(),
        "a.c",
        "int common; static int s(void) { return common; } int f(void) { return s(); }\n",
        &["-fcommon"],
    );
    object(
        folder.path(),
        "b.c",
        "int common[4]; int f(void); static int s(void) { return 1; } int main(void) { return s() + f(); }\n",
        &["-fcommon"],
    );
    let files = vec![folder.path().join("a.o"), folder.path().join("b.o")];
    let program = load(&Sources { files, ..Sources::default() }).expect("it loads");
    let common =
        program.to_string().lines().filter(|line| line.contains("@common")).map(str::to_owned).collect::<Vec<_>>();
    assert!(common.iter().any(|line| line.contains("16")), "the larger one counts: {common:?}");
}

#[test]
fn definitions_that_the_linker_was_told_to_pass_over_are_named() {
    let files = [("main.c", MAIN), ("a.c", "int f(void) { return 1; }\n"), ("b.c", "int f(void) { return 2; }\n")];
    let error = linked(&files, &["main.o", "a.o", "b.o", "-Wl,-z,muldefs"]).expect_err("there are two");
    assert_eq!(error.to_string(), "cannot link `b.c`: `f` is defined more than once; leave one of the definitions out");
}

#[test]
fn a_library_gives_all_its_members() {
    let folder = TempDir::new().expect("a folder for the test");
    object(folder.path(), "main.c", MAIN, &[]);
    object(folder.path(), "a.c", "int f(void) { return 1; }\n", &[]);
    run(folder.path(), Path::new("ar"), &["rc", "all.a", "main.o", "a.o"]);
    run(folder.path(), Path::new("ar"), &["rcT", "thin.a", "main.o", "a.o"]);
    let try_load = |name: &str| load(&Sources { files: vec![folder.path().join(name)], ..Sources::default() });
    returned(&try_load("all.a").expect("it loads"), "f", "i32 1");
    let said = try_load("thin.a").expect_err("its members are elsewhere").to_string();
    assert!(said.contains("it is a thin archive, which only names its members; make it without `T`"), "{said}");
}

#[test]
fn damage_is_told() {
    let folder = TempDir::new().expect("a folder for the test");
    object(folder.path(), "main.c", "int main(void) { return 0; }\n", &[]);
    let mut bytes = std::fs::read(folder.path().join("main.o")).expect("it was made");
    let inside = bytes.windows(4).position(|w| w == b"BC\xC0\xDE").expect("the bitcode is in it") + 40;
    bytes[inside] ^= 1;
    let damaged = source("damaged.o", &bytes);
    let message = |path: &Path| {
        load(&Sources { files: vec![path.into()], ..Sources::default() }).expect_err("it is damaged").to_string()
    };
    let said = message(&damaged.path);
    assert!(
        said.contains(
            "damaged.o` cannot be used: it is damaged: a record's checksum is wrong; build it anew with `taw cc`"
        ),
        "{said}"
    );
    let cut = source("cut.o", &bytes[..bytes.len() - 100]);
    let said = message(&cut.path);
    assert!(said.contains("cut.o` cannot be used: it is damaged"), "{said}");
}
