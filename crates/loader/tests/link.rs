//! Several files become one program, with what they need of the runtime library.

mod support;

use std::process::Command;

use support::{function, source, sources};
use taw_ir::{Origin, Program};
use taw_loader::{Clang, Sources, load};

const LIBRARY: &str = "
static int state;
int bump(void) { return ++state; }
int twice(void) { bump(); return bump(); }
int strlen_like(const char *s) { int n = 0; while (s[n]) n++; return n; }
double sin(double x) { return x; }
int unneeded(void) { return 3; }
";

fn library(flags: &[&str]) -> &'static [u8] {
    let source = source("library.c", LIBRARY);
    let output = source.folder.path().join("library.bc");
    let clang = Clang::find().expect("clang is part of the set-up");
    let mut command = Command::new(clang.path());
    command.args(["-g", "-O1", "-Xclang", "-disable-llvm-passes", "-fno-builtin", "-c", "-emit-llvm"]).args(flags);
    assert!(command.arg(&source.path).arg("-o").arg(&output).status().expect("clang runs").success());
    Vec::leak(std::fs::read(output).expect("clang wrote it"))
}

fn with_library(content: &str, flags: &[&str]) -> Program {
    let source = source("main.c", content);
    let runtime = vec![("wide".to_string(), library(&[])), ("narrow".to_string(), library(&["-m32"]))];
    load(&Sources { runtime, ..sources(&source.path, flags) }).expect("it loads")
}

fn origin(program: &Program, name: &str) -> Option<Origin> {
    let f = &program.functions[program.function_named(name)?];
    f.is_defined().then_some(f.origin)
}

#[test]
fn only_what_is_needed_is_linked_and_marked() {
    for flags in [&[][..], &["-m32"]] {
        let program = with_library("int twice(void); int main(void) { return twice(); }", flags);
        assert_eq!(origin(&program, "main"), Some(Origin::User));
        assert_eq!(origin(&program, "twice"), Some(Origin::Library));
        assert_eq!(origin(&program, "bump"), Some(Origin::Library));
        assert_eq!(origin(&program, "unneeded"), None);
        let states = program.globals.values().filter(|g| g.name.starts_with("state")).count();
        assert_eq!(states, 1, "one variable for both functions");
    }
}

#[test]
fn the_definition_of_the_user_wins() {
    let program = with_library(
        "int twice(void); int bump(void) { return 5; } static int unneeded(void) { return 1; } int main(void) { return twice() + unneeded(); }",
        &[],
    );
    assert_eq!(origin(&program, "bump"), Some(Origin::User));
    assert_eq!(origin(&program, "unneeded"), Some(Origin::User));
    assert!(function(&program, "bump").contains("ret i32 5"));
}

#[test]
fn functions_behind_intrinsics_come_from_the_library() {
    let content = "double f(double x) { return __builtin_sin(x); } int main(void) { return (int)f(2); }";
    let program = with_library(content, &["-fno-math-errno"]);
    assert!(function(&program, "f").contains("call @sin("));
    assert_eq!(origin(&program, "sin"), Some(Origin::Library));
}

#[test]
fn files_are_linked_in_any_mixture() {
    let a = source(
        "a.c",
        "extern int shared; static int own = 1; int other(void); int main(void) { return other() + shared + own; }",
    );
    let b = source(
        "b.ll",
        "@shared = global i32 40\n@own = internal global i32 2\ndefine i32 @other() {\n  %x = load i32, ptr @own\n  ret i32 %x\n}\n",
    );
    let program =
        load(&Sources { files: vec![a.path.clone(), b.path.clone()], ..Sources::default() }).expect("it loads");
    assert!(program.functions.values().all(|f| f.is_defined()));
    assert_eq!(program.globals.values().filter(|g| g.name.starts_with("own")).count(), 2);
    let shared = &program.globals[program.global_names["shared"]];
    assert_eq!(shared.init.as_ref().map(|init| init.bytes.clone()), Some(vec![40, 0, 0, 0]));
}

/// Bitcode that other tools write often says nothing of its target: it is this machine's, unless the triple says otherwise.
#[test]
fn a_program_without_a_layout_gets_one() {
    let body = "declare i32 @twice()\ndefine i32 @main() { %r = call i32 @twice() ret i32 %r }\n";
    for (triple, bits) in
        [("", 64), ("target triple = \"x86_64-linux-gnu\"\n", 64), ("target triple = \"i686-linux-gnu\"\n", 32)]
    {
        let source = source("plain.ll", format!("{triple}{body}"));
        let runtime = vec![("narrow".to_string(), library(&["-m32"])), ("wide".to_string(), library(&[]))];
        let program = load(&Sources { runtime, ..sources(&source.path, &[]) }).expect("it loads");
        assert_eq!(program.layout.pointer_bits, bits, "{triple:?}");
        assert_eq!(origin(&program, "twice"), Some(Origin::Library));
    }
}
