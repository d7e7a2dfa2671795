//! What cannot be loaded is refused with a message that names it and the way out.

mod support;

use std::path::{Path, PathBuf};

use support::{bitcode, loaded, message, source, sources, try_load};
use taw_loader::{Sources, load};
use tempfile::TempDir;

#[test]
fn no_file_at_all() {
    assert!(message(load(&Sources::default())).starts_with("no input file: give C sources"));
}

#[test]
fn a_missing_file_is_named() {
    let said = message(load(&sources(Path::new("no/such/file.c"), &[])));
    assert_eq!(said, "cannot read `no/such/file.c`: No such file or directory (os error 2)");
    assert!(message(load(&sources(Path::new("/"), &[]))).starts_with("cannot read `/`: "));
}

#[test]
fn compile_errors_are_shown_as_clang_shows_them() {
    let source = source("wrong.c", "int main(void) { return x; }\n");
    let said = message(load(&sources(&source.path, &[])));
    let path = source.path.display();
    assert!(said.starts_with(&format!("{path}:1:25: error: use of undeclared identifier 'x'\n")), "{said}");
    assert!(said.ends_with("1 error generated."), "{said}");
}

#[test]
fn flags_reach_the_compiler() {
    assert!(loaded("flag.c", "int main(void) { return X; }", &["-DX=42"]).function_named("main").is_some());
    let said = message(try_load("flag.c", "int main(void) { return 0; }", &["--no-such-flag"]));
    assert!(said.contains("error: unknown argument: '--no-such-flag'"), "{said}");
}

#[test]
fn headers_are_found_in_the_include_folders_last() {
    let source = source("main.c", "#include <only_here.h>\nint main(void) { return HERE; }");
    std::fs::create_dir(source.folder.path().join("inc")).expect("a folder");
    std::fs::write(source.folder.path().join("inc/only_here.h"), "#define HERE 5\n").expect("a header");
    let mut sources = sources(&source.path, &[]);
    assert!(load(&sources).is_err());
    sources.include_dirs = vec![source.folder.path().join("inc")];
    assert!(load(&sources).is_ok());
}

#[test]
fn other_kinds_of_files_are_told_apart() {
    let kinds: [(&str, &[u8], &str); 3] = [
        ("a.bc", b"", "empty"),
        ("a.bc", b"hello, this is text", "not bitcode, though it is named so"),
        ("a.txt", b"hello, this is text", "of an unknown kind"),
    ];
    for (name, content, kind) in kinds {
        let said = message(try_load(name, content, &[]));
        assert!(said.contains(&format!("{name}` is {kind}; give C sources (.c), bitcode (.bc, made with")), "{said}");
    }
}

/// The bits of a text in the six-bit letters of bitcode.
fn letters(text: &str) -> Vec<bool> {
    let code = |c: char| match c {
        'a'..='z' => c as u32 - 'a' as u32,
        'A'..='Z' => c as u32 - 'A' as u32 + 26,
        '0'..='9' => c as u32 - '0' as u32 + 52,
        '.' => 62,
        _ => 63,
    };
    text.chars().flat_map(|c| (0..6).map(move |bit| code(c) >> bit & 1 == 1)).collect()
}

#[test]
fn bitcode_of_a_newer_llvm_is_named_as_such() {
    let mut bytes = bitcode(&[]);
    let (from, to) = (letters("LLVM22"), letters("LLVM99"));
    let bit = |bytes: &[u8], i: usize| bytes[i / 8] >> (i % 8) & 1 == 1;
    let start = (0..bytes.len() * 8 - from.len())
        .find(|&start| from.iter().enumerate().all(|(i, &b)| bit(&bytes, start + i) == b))
        .expect("the producer is in the file");
    for (i, &set) in to.iter().enumerate() {
        let at = start + i;
        bytes[at / 8] = bytes[at / 8] & !(1 << (at % 8)) | u8::from(set) << (at % 8);
    }
    // Half of it, in whole words: any other length has its own message.
    let end = bytes.len() / 8 * 4;
    let said = message(try_load("new.bc", &bytes[..end], &[]));
    assert!(said.contains("new.bc` was made by LLVM99."), "{said}");
    assert!(said.contains(", which is newer than LLVM 22."), "{said}");
}

#[test]
fn wrong_assembly_is_shown_with_its_place() {
    let said = message(try_load("wrong.ll", "define i32 @f() {\n  ret i64 0\n}\n", &[]));
    assert!(said.contains("wrong.ll:2:7: error: value doesn't match function result type 'i32'"), "{said}");
    let unreachable_use = "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 2\n  br label %b\nb:\n  ret i32 %x\n}\n";
    let said = message(try_load("broken.ll", unreachable_use, &[]));
    assert!(said.ends_with("is not well-formed LLVM IR: Instruction does not dominate all uses!"), "{said}");
}

#[test]
fn files_for_different_machines_do_not_mix() {
    let folder = TempDir::new().expect("a folder for the test");
    let paths: Vec<PathBuf> = [("a.bc", "-m64"), ("b.bc", "-m32")]
        .iter()
        .map(|(name, flag)| {
            let path = folder.path().join(name);
            std::fs::write(&path, bitcode(&[flag])).expect("it is written");
            path
        })
        .collect();
    let said = message(load(&Sources { files: paths, ..Sources::default() }));
    assert!(said.contains("a.bc` is for a target with 64-bit pointers"), "{said}");
    assert!(said.contains("b.bc` is for a target with 32-bit pointers"), "{said}");
}

#[test]
fn a_symbol_that_is_defined_twice_is_named() {
    let (a, b) = (source("a.c", "int twice(void) { return 1; }"), source("b.c", "int twice(void) { return 2; }"));
    let said = message(load(&Sources { files: vec![a.path.clone(), b.path.clone()], ..Sources::default() }));
    let expected = format!(
        "cannot link `{}`: `twice` is defined more than once; leave one of the definitions out",
        b.path.display()
    );
    assert_eq!(said, expected);
}
