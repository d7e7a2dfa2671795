//! `taw cc` beside plain clang: the same exit status, the same words, the same files.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

/// What every case starts with.
const FILES: &[(&str, &str)] = &[
    ("a.c", "#include \"a.h\"\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", twice(21)); return 0; }\n"),
    ("a.h", "int twice(int);\n"),
    ("b.c", "int twice(int x) { return 2 * x; }\n"),
    ("one.c", "int main(void) { return 7; }\n"),
    ("empty.c", ""),
    ("warn.c", "int main(void) { int unused; return 0; }\n"),
    ("bad.c", "int main(void) { return nowhere; }\n"),
    ("undefined.c", "int nowhere(void); int main(void) { return nowhere(); }\n"),
    ("pre.i", "# 1 \"orig.c\"\nint main(void) { return 3; }\n"),
    ("text.txt", "int main(void) { return 4; }\n"),
    ("with space.c", "int main(void) { return 5; }\n"),
    ("asm.s", "\t.globl f\nf:\tret\n\t.section .note.GNU-stack,\"\",@progbits\n"),
    ("asm.S", "#define RETURN ret\n\t.globl g\ng:\tRETURN\n\t.section .note.GNU-stack,\"\",@progbits\n"),
    ("ir.ll", "define i32 @h() {\n  ret i32 1\n}\n"),
    ("words", "-c\none.c -o\n'from file.o'"),
    ("plus.cc", "#include <string>\nint main() { return (int)std::string(\"abc\").size(); }\n"),
    ("input", "int main(void) { return 6; }\n"),
];

/// Command lines; `;` separates those that follow each other in one folder.
const CASES: &[&str] = &[
    "",
    "-c one.c",
    "-c a.c b.c",
    "-c a.c b.c -o both.o",
    "-c one.c -o out.o",
    "-c empty.c",
    "-O2 -g -Wall -Wextra -c one.c -o opt.o",
    "one.c",
    "a.c b.c -o program",
    "-O2 -o program a.c b.c -lm",
    "-c a.c; -c b.c; a.o b.o -o program",
    "-c b.c; a.c b.o -o program",
    "-E a.c",
    "-E a.c -o a.i",
    "-E -dM empty.c",
    "-S one.c",
    "-S one.c -o -",
    "-S -emit-llvm one.c -o one.ll",
    "-c -emit-llvm one.c",
    "-M a.c",
    "-MM a.c -MF deps",
    "-c -MD a.c",
    "-c -MMD -MP -MF x.d -MT target a.c -o y.o",
    "-MD one.c -o program",
    "-MD a.c b.c -o program",
    "-Wp,-MD,x.d -c a.c",
    "-fsyntax-only -Wall warn.c",
    "-Wall -c warn.c",
    "-Wall warn.c -o program",
    "-Wall -Werror -c warn.c",
    "-Wall -Werror warn.c -o program",
    "-Weverything -c one.c",
    "-c bad.c",
    "bad.c one.c -o program",
    "undefined.c -o program",
    "one.c -lno-such-library",
    "-c missing.c",
    "missing.o",
    "--no-such-flag -c one.c",
    "-fno-such-flag -c one.c",
    "-c one.c -lm -L.",
    "-o",
    "-c one.c -o no/such/folder/one.o",
    "-c one.c -o /dev/null",
    "one.c -o /dev/null",
    "-c one.c -o -",
    "-x c -c text.txt",
    "-x c text.txt -o program",
    "-c pre.i",
    "pre.i -o program",
    "-x c -c - -o stdin.o <input",
    "-x c - -o program <input",
    "-x c -E - <input",
    "-x c -fsyntax-only - <input",
    "-c asm.s",
    "-c asm.S",
    "asm.S asm.s one.c -o program",
    "-c ir.ll",
    "@words",
    "--version",
    "-dumpversion",
    "-dumpmachine",
    "-print-search-dirs",
    "-print-prog-name=ld",
    "-print-file-name=crt1.o",
    "-print-libgcc-file-name",
    "-print-multi-os-directory",
    "-qversion",
    "-pipe -c one.c",
    "-c one.c -save-temps",
    "a.c b.c -save-temps -o program",
    "-c one.c -fno-integrated-as",
    "a.c b.c -fno-integrated-as -o program",
    "-c one.c -g -gsplit-dwarf",
    "-c one.c --coverage",
    "-c one.c -ffunction-sections -fdata-sections",
    "one.c -Wl,--gc-sections -Wl,-s -o program",
    "-shared -fPIC b.c -o libb.so",
    "-shared -fPIC b.c -o libb.so; a.c -L. -lb -o program",
    "-r one.c -o partial",
    "-static one.c -o program",
    "-no-pie one.c -o program",
    "-pthread one.c -o program",
    "-fuse-ld=lld one.c -o program",
    "-fuse-ld=nonsense one.c -o program",
    "--ld-path=no-such-linker one.c -o program",
    "-### -c one.c",
    "-x c-header a.h -o a.h.gch; -include a.h -c one.c",
    "-include a.h -c b.c",
    "-c with\\space.c",
    "with\\space.c -o pro\\gram",
    "-m32 -c one.c",
    "-fsanitize=undefined -c one.c",
    "-fsanitize=address one.c -o program",
    "-std=c89 -pedantic-errors -c one.c",
    "-c one.c -Wno-such-warning",
    "-c one.c -Xclang -no-such-thing",
    "-c one.c -march=nonsense",
];

/// What a series of commands has left.
#[derive(PartialEq, Eq, Debug)]
struct Left {
    status: Vec<Option<i32>>,
    stdout: String,
    stderr: String,
    files: BTreeMap<String, Vec<u8>>,
}

/// A space in a word is written as a backslash.
fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(|word| word.replace('\\', " ")).collect()
}

/// Runs the commands in a fresh folder, which is gone afterwards: the next ones have the same name in their outputs.
fn left(folder: &Path, start: &[&str], env: &[(&str, &str)], case: &str) -> Left {
    fs::create_dir(folder).expect("a folder");
    for (name, content) in FILES {
        fs::write(folder.join(name), content).expect("a file");
    }
    let mut left = Left { status: Vec::new(), stdout: String::new(), stderr: String::new(), files: BTreeMap::new() };
    for line in case.split(';') {
        let (line, stdin) = line.split_once('<').map_or((line, None), |(line, stdin)| (line, Some(stdin)));
        let mut command = Command::new(start[0]);
        command.args(&start[1..]).args(words(line)).envs(env.iter().copied()).current_dir(folder);
        let input = |name: &str| File::open(folder.join(name)).expect("it is there").into();
        let output = command.stdin(stdin.map_or_else(Stdio::null, input)).output().expect("it runs");
        left.status.push(output.status.code());
        left.stdout += &normal(&output.stdout);
        left.stderr += &normal(&output.stderr);
    }
    for entry in fs::read_dir(folder).expect("the folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !FILES.iter().any(|(file, _)| *file == name) {
            left.files.insert(name, fs::read(entry.path()).expect("a file"));
        }
    }
    fs::remove_dir_all(folder).expect("it was ours");
    left
}

/// Without the random part of the names of clang's temporary files: `/tmp/one-012abc.o`.
fn normal(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let temporary = std::env::temp_dir().display().to_string() + "/";
    let mut parts = text.split(temporary.as_str());
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find('.').unwrap_or(0);
        result += &temporary;
        result += part[..end].rsplit_once('-').map_or(&part[..end], |(name, _)| name);
        result += &part[end..];
    }
    result
}

/// Equal but for the section: an object is as clang has made it, but for its header and with something after it.
fn alike(name: &str, ours: &[u8], plain: &[u8]) -> bool {
    const HEADER: usize = 64;
    match plain.get(..HEADER) {
        Some(header) if header.starts_with(b"\x7FELF") && name.ends_with(".o") => {
            ours.len() >= plain.len() && ours[HEADER..plain.len()] == plain[HEADER..]
        }
        // What a linker wrote has other offsets. Precompiled headers know when their sources were written.
        Some(header) if header.starts_with(b"\x7FELF") => ours.starts_with(b"\x7FELF"),
        _ => ours == plain || name.ends_with(".gch"),
    }
}

/// What is different between ours and plain clang.
fn differences(case: &str, start: &[&str], env: &[(&str, &str)], plain: &[&str]) -> Vec<String> {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("case");
    let (ours, plain) = (left(&folder, start, env, case), left(&folder, plain, &[], case));
    let mut wrong = Vec::new();
    let mut differs = |what: &str, a: &dyn Debug, b: &dyn Debug| {
        wrong.push(format!("`{case}`: {what}\n  taw:   {a:?}\n  clang: {b:?}"));
    };
    if ours.status != plain.status {
        differs("exit status", &ours.status, &plain.status);
    }
    if ours.stdout != plain.stdout {
        differs("standard output", &ours.stdout, &plain.stdout);
    }
    if ours.stderr != plain.stderr {
        differs("messages", &ours.stderr, &plain.stderr);
    }
    if !ours.files.keys().eq(plain.files.keys()) {
        differs("files", &ours.files.keys(), &plain.files.keys());
        return wrong;
    }
    for (name, content) in &ours.files {
        if !alike(name, content, &plain.files[name]) {
            differs("content of a file", name, name);
        }
    }
    wrong
}

/// All cases, on all processors.
fn compare(cases: &[&str], start: &[&str], env: &[(&str, &str)], plain: &[&str]) {
    let width = std::thread::available_parallelism().map_or(1, usize::from);
    let work = |turn: usize| {
        cases.iter().skip(turn).step_by(width).flat_map(|case| differences(case, start, env, plain)).collect::<Vec<_>>()
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..width).map(|turn| scope.spawn(move || work(turn))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

const TAW: &str = env!("CARGO_BIN_EXE_taw");

#[test]
fn taw_cc_does_what_clang_does() {
    compare(CASES, &[TAW, "cc"], &[("TAW_CC_LIBC", "host")], &["clang-22"]);
}

/// With Taw's C library it is clang with a few more words.
#[test]
fn taw_cc_does_what_clang_does_for_our_c_library() {
    let shown = Command::new(TAW).args(["cc", "-###", "-x", "c", "-c", "/dev/null"]).output().expect("it runs").stderr;
    let shown = String::from_utf8_lossy(&shown);
    let (_, sysroot) = shown.split_once("\"-isysroot\" \"").expect("a C library of ours");
    let sysroot = format!("--sysroot={}", sysroot.split('"').next().unwrap_or_default());
    let plain = |link: &'static str| {
        [
            "clang-22",
            "--start-no-unused-arguments",
            "--target=x86_64-linux-musl",
            &sysroot,
            "-rtlib=compiler-rt",
            "--unwindlib=none",
            link,
            "--end-no-unused-arguments",
        ]
    };
    let cases = [
        "-c a.c b.c",
        "a.c b.c -o program",
        "-Weverything -c one.c",
        "-E a.c",
        "-M a.c",
        "-MD one.c -o program",
        "undefined.c",
        "one.c -lno-such-library",
        "one.c -lm -lpthread -ldl -lrt -o program",
        "asm.S one.c -o program",
        "-r one.c -o partial",
        "-pie -fPIE one.c -o program",
        "-rdynamic -pthread one.c -o program",
        "-c -m64 -march=native one.c",
        "-x c - -o program <input",
        "-print-search-dirs",
        "-dumpmachine",
        "-O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong -c a.c",
        "-c bad.c",
    ];
    compare(&cases, &[TAW, "cc"], &[], &plain("-static"));
    compare(&["-shared -fPIC b.c -o libb.so", "-shared -fPIC a.c -o liba.so"], &[TAW, "cc"], &[], &plain("-O0"));
}

#[test]
fn taw_cxx_does_what_clang_does_for_cxx() {
    let cases = [
        "plus.cc -o program",
        "-c plus.cc",
        "-O2 -c -MD plus.cc",
        "-E a.c",
        "-c bad.c",
        "--version",
        "-c plus.cc -Werror -Wall",
    ];
    compare(&cases, &[TAW, "c++"], &[], &["clang-22", "--driver-mode=g++"]);
}

#[test]
fn without_a_compiler_it_fails_as_a_shell_does() {
    let output =
        Command::new(TAW).args(["cc", "-c", "x.c"]).env("TAW_CLANG", "no-such-clang").output().expect("it runs");
    assert_eq!(output.status.code(), Some(127));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no-such-clang (from TAW_CLANG): not found; install the package clang-22"), "{said}");
}
