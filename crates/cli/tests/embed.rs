//! What `taw cc` builds can be explored: the executable has the bitcode of exactly what was linked into it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use taw_embed::{SourceBitcode, records};
use tempfile::TempDir;

const TAW: &str = env!("CARGO_BIN_EXE_taw");

/// A folder with files.
struct TestFolder(TempDir);

impl TestFolder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content) in files {
            fs::write(folder.path().join(name), content).expect("a file");
        }
        TestFolder(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// A shell command in the folder, with `$CC` and `$TAW`.
    fn output(&self, line: &str) -> Output {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env("TAW", TAW).env("CC", format!("{TAW} cc")).env("CXX", format!("{TAW} c++"));
        shell.current_dir(self.path()).output().expect("a shell")
    }

    /// A command that must succeed without a word on standard error; what it prints.
    fn sh(&self, line: &str) -> String {
        let output = self.output(line);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{line}: {}: {stderr}", output.status);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The sources whose records a file has; `?` marks those without bitcode.
    fn sources(&self, file: &str) -> Vec<String> {
        let bytes = fs::read(self.path().join(file)).expect("it was built");
        let mark = |content: &SourceBitcode| if matches!(content, SourceBitcode::Bitcode(_)) { "" } else { "?" };
        let all = records(&bytes).expect("it is well-formed");
        all.iter().map(|record| format!("{}{}", record.source, mark(&record.content))).collect()
    }
}

/// Three files that belong together; the third has a bug that only an argument count shows.
const PROJECT: &[(&str, &str)] = &[
    ("main.c", "#include \"lib.h\"\nint main(int argc, char **argv) { (void)argv; return pick(argc + 3) + other; }\n"),
    ("lib.h", "int pick(int);\nextern int other;\n"),
    ("pick.c", "static int table[4] = {1, 2, 3, 4};\nint pick(int i) { return table[i]; }\n"),
    ("other.c", "int other = 5;\n"),
    ("unused.c", "int unused(void) { return 1; }\n"),
];

#[test]
fn what_was_linked_is_what_is_there() {
    let place = TestFolder::new(PROJECT);
    place.sh("$CC main.c pick.c other.c -o in-one-go");
    assert_eq!(place.sources("in-one-go"), ["main.c", "pick.c", "other.c"]);
    place.sh("for f in *.c; do $CC -O2 -c $f; done; $CC -o by-objects other.o main.o pick.o");
    assert_eq!(place.sources("by-objects"), ["other.c", "main.c", "pick.c"]);
    place.sh("ar rc lib.a unused.o pick.o other.o; $CC main.c lib.a -o with-library");
    assert_eq!(place.sources("with-library"), ["main.c", "pick.c", "other.c"]);
    assert_eq!(place.sources("lib.a"), ["unused.c", "pick.c", "other.c"]);
    place.sh("$CC -fuse-ld=lld main.o lib.a -Wl,--gc-sections -Wl,-s -o by-lld; strip with-library");
    assert_eq!(place.sources("by-lld"), ["main.c", "pick.c", "other.c"]);
    assert_eq!(place.sources("with-library"), ["main.c", "pick.c", "other.c"]);
    place.sh("$CC -ffunction-sections main.c pick.c other.c -Wl,--gc-sections -o collected");
    assert_eq!(place.sources("collected"), ["main.c", "pick.c", "other.c"]);
}

#[test]
fn partial_links_count_once() {
    let place = TestFolder::new(&[
        ("a.c", "__attribute__((weak)) int f(void) { return 1; }\n"),
        ("b.c", "int f(void);\nint main(void) { return f(); }\n"),
    ]);
    place.sh("$CC -c a.c b.c; ld -r a.o -o r1.o; ld -r a.o r1.o -o r2.o; $CC r2.o b.o -o program");
    assert_eq!(place.sources("r2.o"), ["a.c"]);
    assert_eq!(place.sources("program"), ["a.c", "b.c"]);
}

#[test]
fn every_way_to_an_object_carries_bitcode() {
    let place = TestFolder::new(&[("a.c", "int main(void) { return 0; }\n"), ("pre.i", "int x;\n")]);
    let ways = [
        ("$CC -c a.c -save-temps -o o", "a.c"),
        ("$CC -c a.c -fno-integrated-as -o o", "a.c"),
        ("$CC -c -x c - -o o < a.c", "<stdin>"),
        ("$CC -x c - -o o < a.c", "<stdin>"),
        ("$CC a.c -save-temps -o o", "a.c"),
        ("$CC -c pre.i -o o", "pre.i"),
        ("$CC -c -flto a.c -o o", "a.c"),
        ("$CC -flto=thin a.c -o o", "a.c"),
        ("$CC -c -gsplit-dwarf -g a.c -o o", "a.c"),
        ("$CC -c -O3 -march=native a.c -o o", "a.c"),
        ("$CC -shared -fPIC a.c -o o", "a.c"),
        ("echo '-c a.c' > words; $CC @words -o o", "a.c"),
        ("TAW_CC_LIBC=host $CC a.c -o o", "a.c"),
        ("$CXX -x c++ a.c -o o", "a.c"),
        ("$CC -m32 -c a.c -o o", "a.c"),
        ("$CC --ld-path=/usr/bin/ld a.c -o o", "a.c"),
    ];
    for (line, source) in ways {
        place.sh(line);
        assert_eq!(place.sources("o"), [source], "{line}");
        fs::remove_file(place.path().join("o")).expect("it was built");
    }
}

#[test]
fn what_was_compiled_before_a_failure_has_its_bitcode() {
    let place = TestFolder::new(&[("a.c", "int main(void) { return 0; }\n"), ("bad.c", "int x = y;\n")]);
    assert_eq!(place.output("$CC -c a.c bad.c").status.code(), Some(1));
    assert_eq!(place.sources("a.o"), ["a.c"]);
}

#[test]
fn sources_without_bitcode_are_named() {
    let only_natively = "#if !__has_feature(address_sanitizer)\n#error no\n#endif\nint f(void) { return 1; }\n";
    let place = TestFolder::new(&[
        ("asm.s", "\t.globl f\nf:\tret\n\t.section .note.GNU-stack,\"\",@progbits\n"),
        ("main.c", "int f(void);\nint main(void) { return f(); }\n"),
        ("native.c", only_natively),
    ]);
    place.sh("$CC asm.s main.c -o program; $CC -c asm.s");
    assert_eq!(place.sources("program"), ["asm.s?", "main.c"]);
    let said = place.output("$CC -c -fsanitize=address native.c");
    let stderr = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success() && stderr.lines().count() == 1, "{stderr}");
    assert_eq!(stderr, "taw cc: warning: native.c: Taw will not see this source: native.c:2:2: error: no\n");
    assert_eq!(place.sources("native.o"), ["native.c?"]);

    let run =
        |file: &str| String::from_utf8_lossy(&place.output(&format!("$TAW run {file} --out out")).stderr).into_owned();
    let program = run("program");
    assert!(program.contains("warning: `asm.s` is in `program` as machine code only (it is assembly)"), "{program}");
    assert!(run("asm.o").contains("the bitcode in `asm.o` cannot be used: `asm.s` has no bitcode: it is assembly"));
}

#[test]
fn a_project_with_a_makefile_is_explored_by_changing_cc() {
    let makefile = "CFLAGS = -O2 -MD -Wall -Werror\n\
                    program: main.o lib.a\n\t$(CC) $(LDFLAGS) -o $@ $^ -lm\n\
                    lib.a: pick.o other.o unused.o\n\t$(AR) rc $@ $^\n\
                    -include *.d\n";
    let place = TestFolder::new(PROJECT);
    fs::write(place.path().join("Makefile"), makefile).expect("a file");
    place.sh("make CC=\"$CC\"");
    assert!(place.sh("make CC=\"$CC\"").contains("up to date"));
    assert!(fs::read_to_string(place.path().join("main.d")).expect("-MD made it").contains("lib.h"));
    assert_eq!(place.sh("touch lib.h; make CC=\"$CC\" | grep -c -- -c").trim(), "1", "only main.o depends on lib.h");
    let found = place.output("$TAW run ./program --no-replay --out out");
    let said = String::from_utf8_lossy(&found.stdout).into_owned() + &String::from_utf8_lossy(&found.stderr);
    assert_eq!(found.status.code(), Some(1), "{said}");
    assert!(said.contains("pick.c:2"), "{said}");
}

#[test]
fn machine_code_of_others_is_refused_with_the_way_out() {
    let place = TestFolder::new(&[("a.c", "int main(void) { return 0; }\n")]);
    place.sh("clang-22 a.c -o program; clang-22 -c a.c; ar rc lib.a a.o");
    for (file, kind) in [("program", "an ELF file"), ("lib.a", "an archive")] {
        let said = place.output(&format!("$TAW run {file}"));
        let stderr = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(2), "{stderr}");
        assert!(
            stderr.contains(&format!("`{file}` is {kind} without bitcode in it; was it built with `taw cc` (make CC=")),
            "{stderr}"
        );
    }
}

#[test]
fn the_commands_are_shown_on_request() {
    let place = TestFolder::new(&[("a.c", "int main(void) { return 0; }\n")]);
    let said = |line: &str| String::from_utf8_lossy(&place.output(line).stderr).into_owned();
    let shown = said("$CC -v a.c -o program");
    let command = |with: &str| shown.lines().filter(|line| line.starts_with(" \"") && line.contains(with)).count();
    assert_eq!((command(" -cc1 "), command("/ld\" ")), (1, 1), "{shown}");
    assert_eq!(said("$CC -v -c a.c").matches(" -cc1 -triple").count(), 1);
}

#[test]
fn two_c_libraries_in_one_program_are_told() {
    let place = TestFolder::new(&[
        ("a.c", "int f(void) { return 1; }\n"),
        ("b.cc", "extern \"C\" int f(void);\nint main() { return f(); }\n"),
    ]);
    place.sh("$CC -c a.c; $CXX b.cc a.o -o mixed; TAW_CC_LIBC=host $CC -c a.c; $CXX b.cc a.o -o same");
    let said =
        |file: &str| String::from_utf8_lossy(&place.output(&format!("$TAW run {file} --out out")).stderr).into_owned();
    assert!(said("mixed").contains("build all of it with TAW_CC_LIBC=host"), "{}", said("mixed"));
    assert!(!said("same").contains("warning"), "{}", said("same"));
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let place = TestFolder::new(&[("slow.c", "#include \"/dev/stdin\"\n")]);
    fs::create_dir(place.path().join("tmp")).expect("a folder");
    // The whole group is interrupted, as a terminal does it.
    let line = "mkfifo pipe; exec 3<>pipe; export TMPDIR=$PWD/tmp; setsid $CC -c slow.c <&3 & group=$!; \
                until [ -n \"$(ls tmp)\" ]; do sleep 0.02; done; sleep 0.3; kill -INT -$group; wait $group; echo $?; ls tmp";
    assert_eq!(place.sh(line), "130\n");
}

/// What `configure` scripts ask a compiler.
const CONFIGURE: &str = r#"
set -e
try() { # NAME, FLAGS, PROGRAM: does it compile and link, and say nothing?
    printf '%s\n' "$3" > conftest.c
    if $CC $2 conftest.c -o conftest 2> conftest.err && ! [ -s conftest.err ]; then echo "$1 yes"; else echo "$1 no"; fi
    rm -f conftest*
}
try works "" 'int main(void) { return 0; }'
try stdio "-Werror" '#include <stdio.h>
int main(void) { return puts(""); }'
try missing-header "" '#include <no_such_header.h>
int main(void) { return 0; }'
try missing-function "" 'int no_such_function(); int main(void) { return no_such_function(); }'
try math "-lm" '#include <math.h>
int main(int c, char **v) { return (int)sqrt(c); }'
try threads "-pthread" '#include <pthread.h>
int main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; return pthread_mutex_lock(&m); }'
try bad-flag "-fno-such-flag" 'int main(void) { return 0; }'
try kernel-header "" '#include <linux/fs.h>
#include <asm/ioctls.h>
int main(void) { return 0; }'
echo 'int main(void) { return sizeof(long) == 8 ? 0 : 1; }' > conftest.c
$CC conftest.c -o conftest && ./conftest && echo "long 8"
echo '#define A 1' | $CC -E - | grep -c . > /dev/null && echo "cpp yes"
$CC -v > conftest.v 2>&1 && grep -q 'clang version' conftest.v && echo "v yes"
$CC -dumpmachine
rm -f conftest*
ls
"#;

#[test]
fn configure_gets_the_answers_of_the_library_under_test() {
    let place = TestFolder::new(&[("configure", CONFIGURE)]);
    let said = place.sh("sh configure 2>&1");
    let expected = "works yes\nstdio yes\nmissing-header no\nmissing-function no\nmath yes\nthreads yes\nbad-flag no\n\
                    kernel-header yes\nlong 8\ncpp yes\nv yes\nx86_64-unknown-linux-musl\nconfigure\n";
    assert_eq!(said, expected);
}
