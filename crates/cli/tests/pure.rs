//! `--pure` as a user meets it: values found through a library, crashes and hangs survived, mistakes said before the search.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const LIBRARY: &str = r#"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
uint32_t checksum(uint32_t a, uint8_t b) {
  uint32_t h = a * 2654435761u ^ b * 40503u;
  h ^= h >> 15;
  return h * 2246822519u >> 20;
}
double curve(double x) { return x * x * x - 3 * x + exp(x); }
int divide(int a, int b) { return a / b; }
int slow(int x) {
  if (x == 5) for (;;) ;
  return x + 1;
}
int leave(int x) {
  if (x < 100) exit(4);
  return x;
}
unsigned count(unsigned x) {
  static unsigned n;
  return x + n++;
}
int length(const char *text) { return text[0]; }
"#;

const DECLARATIONS: &str = "#include <taw.h>\n#include <stdint.h>\n\
    uint32_t checksum(uint32_t a, uint8_t b);\ndouble curve(double x);\nint divide(int a, int b);\nint slow(int x);\n\
    int leave(int x);\nunsigned count(unsigned x);\nint length(const char *text);\n";

struct TestFolder {
    folder: TempDir,
}

/// What a target came to, and why.
struct Row {
    verdict: String,
    reason: String,
}

impl TestFolder {
    /// A folder with the library and a program whose `main` has this body.
    fn new(body: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = TestFolder { folder };
        place.write("prog.c", &format!("{DECLARATIONS}int main(void) {{\n{body}\nreturn 0; }}\n"));
        place.build("lib.so", LIBRARY);
        place
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn build(&self, name: &str, text: &str) {
        let source = format!("{name}.c");
        self.write(&source, text);
        let mut command = Command::new("clang-22");
        command.current_dir(self.folder.path()).args(["-shared", "-fPIC", "-O1", "-w", "-o", name, &source, "-lm"]);
        assert!(command.status().unwrap().success());
    }

    fn taw(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_taw")).current_dir(self.folder.path()).args(words).output().unwrap()
    }

    /// What became of `label:a`.
    fn reach(&self, words: &[&str]) -> Row {
        let words = [&["reach", "prog.c", "--out", "out", "--json", "--target", "label:a"], words].concat();
        let output = self.taw(&words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {text}"));
        let row = &document["targets"][0];
        let word = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        Row { verdict: word("verdict"), reason: word("reason") }
    }

    fn refused(&self, pure: &str, said: &str) {
        let output = self.taw(&["reach", "prog.c", "--out", "refused", "--target", "label:a", "--pure", pure]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(said), "--pure {pure} should be refused with `{said}`: {text}");
        assert!(!self.folder.path().join("refused").exists(), "--pure {pure} is refused before the search");
    }
}

#[test]
fn the_argument_of_a_hash_is_found_and_confirmed() {
    let body = "uint32_t a = taw_u32(\"a\"); uint8_t b = taw_u8(\"b\");\n\
                if (b > 3 && checksum(a, b) == 0x2a7) taw_target(\"a\");";
    let place = TestFolder::new(body);
    // A target counts as reached only if a native run gets there, which needs the library.
    assert_eq!(place.reach(&["--pure", "checksum=./lib.so"]).verdict, "reached");
    let replayed = place.taw(&["replay", "out"]);
    assert!(String::from_utf8_lossy(&replayed.stdout).contains("replayed  1 same"), "{replayed:?}");
    place.build("lib.so", &LIBRARY.replace("40503u", "40505u"));
    let changed = place.taw(&["replay", "out"]);
    assert!(String::from_utf8_lossy(&changed.stderr).contains("`./lib.so` has changed"), "{changed:?}");
}

#[test]
fn a_function_of_doubles_is_searched() {
    let place = TestFolder::new(
        "double x = taw_double(\"x\");\nif (curve(x) > 99.5 && curve(x) < 99.50001) taw_target(\"a\");",
    );
    assert_eq!(place.reach(&["--pure", "curve=lib.so"]).verdict, "reached");
}

#[test]
fn concrete_arguments_give_the_value_at_once() {
    let place = TestFolder::new("if (checksum(7, 9) == 0xfff0) taw_target(\"a\");");
    // No value of 12 bits is that: without unknowns this is a proof.
    assert_eq!(place.reach(&["--pure", "checksum=lib.so"]).verdict, "unreachable");
}

#[test]
fn a_crash_ends_the_path_and_not_the_search() {
    // The first input tried is (0, 0).
    let body = "int x = taw_int(\"x\"), y = taw_int(\"y\");\nif (divide(x, y) == 7) taw_target(\"a\");";
    let place = TestFolder::new(body);
    assert_eq!(place.reach(&["--pure", "divide=lib.so"]).verdict, "reached");
    let place = TestFolder::new("int y = taw_int(\"y\");\nif (divide(3, y * 0) == 7) taw_target(\"a\");");
    let row = place.reach(&["--pure", "divide=lib.so"]);
    assert_eq!(row.verdict, "unknown");
    assert!(row.reason.contains("`divide` crashed (signal 8) on (3, 0)"), "{}", row.reason);
    let output = place.taw(&["run", "prog.c", "--pure", "divide=lib.so", "--out", "run"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("native-crash: `divide` crashed (signal 8) on (3, 0)"), "{text}");
    assert!(text.contains("confirmed by a native run"), "{text}");
}

#[test]
fn a_function_that_ends_the_program_ends_the_path() {
    let place = TestFolder::new("int x = taw_int(\"x\");\nif (leave(x) == 123) taw_target(\"a\");");
    assert_eq!(place.reach(&["--pure", "leave=lib.so"]).verdict, "reached");
    let place = TestFolder::new("if (leave(3) == 3) taw_target(\"a\");");
    let reason = place.reach(&["--pure", "leave=lib.so"]).reason;
    assert!(reason.contains("ended the program with exit code 4"), "{reason}");
}

#[test]
fn a_hang_ends_the_path_and_proves_nothing() {
    let begin = Instant::now();
    let place = TestFolder::new("int x = taw_int(\"x\");\nif (x == 5 && slow(x) == 6) taw_target(\"a\");");
    let row = place.reach(&["--pure", "slow=lib.so", "--no-replay"]);
    // Natively it would be reached if one waited for ever: nobody knows.
    assert_eq!(row.verdict, "unknown");
    assert!(row.reason.contains("`slow` did not answer within 1s on (5)"), "{}", row.reason);
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    let place = TestFolder::new("int x = taw_int(\"x\");\nif (slow(x) < 100 && x == 5) taw_target(\"a\");");
    assert_eq!(place.reach(&["--pure", "slow=lib.so", "--no-replay"]).verdict, "unknown");
    let place = TestFolder::new("int x = taw_int(\"x\");\nif (x > 3 && slow(x) == 8) taw_target(\"a\");");
    assert_eq!(place.reach(&["--pure", "slow=lib.so"]).verdict, "reached");
}

#[test]
fn a_function_with_a_memory_is_not_pure() {
    let place = TestFolder::new("if (count(3) == 3) taw_target(\"a\");");
    let row = place.reach(&["--pure", "count=lib.so"]);
    assert_eq!(row.verdict, "unknown");
    assert!(row.reason.contains("`count` gave two different results for (3)"), "{}", row.reason);
}

#[test]
fn the_programs_own_function_and_the_c_librarys_are_called_too() {
    let body = "int x = taw_int(\"x\");\nif (own(x) == 0x123 && toupper(x & 127) == 'Q') taw_target(\"a\");";
    let place = TestFolder::new(body);
    let own = "#include <ctype.h>\nstatic int own(int x) { int h = 5381; for (int i = 0; i < 99; i++) h = h * 33 ^ x >> i % 9; \
               return h & 0x1ff; }\nint main(";
    let text = fs::read_to_string(place.folder.path().join("prog.c")).unwrap();
    place.write("prog.c", &text.replace("int main(", own));
    assert_eq!(place.reach(&["--pure", "own", "--pure", "toupper"]).verdict, "reached");
    place.refused("own=lib.so", "the program defines `own` itself (prog.c:");
}

#[test]
fn mistakes_are_said_before_the_search() {
    let place = TestFolder::new("if (length(\"x\") + checksum(1, 2) == 3) taw_target(\"a\");");
    place.refused(
        "length=lib.so",
        "`length`, called at prog.c:11, cannot be called natively: its parameter 1 is a pointer",
    );
    place.refused("cheksum=lib.so", "did you mean `checksum`?");
    place.refused("divide=lib.so", "does not call a function `divide`");
    place.refused("checksum=other.so", "`other.so` cannot be read");
    place.refused("checksum=lib.so.c", "is a source, and a library is wanted");
    place.refused("checksum", "say where it is: --pure checksum=LIB.so");
    place.refused("=lib.so", "name the function");
    place.build("empty.so", "int nothing_of_use;\n");
    place.refused("checksum=./empty.so", "`./empty.so` has no function `checksum`");
}

/// The types that can be passed; of each, values at its ends.
const TYPES: [(&str, [&str; 3]); 12] = [
    ("_Bool", ["0", "1", "1"]),
    ("signed char", ["-128", "-1", "127"]),
    ("unsigned char", ["255", "128", "1"]),
    ("short", ["-32768", "-2", "77"]),
    ("unsigned short", ["65535", "32768", "3"]),
    ("int", ["-2147483647", "-3", "9"]),
    ("unsigned", ["4294967295u", "2147483648u", "5"]),
    ("long", ["-9223372036854775807L", "-4", "11"]),
    ("unsigned long", ["18446744073709551615ul", "1ul", "6"]),
    ("float", ["-1.5f", "3.25f", "1e10f"]),
    ("double", ["-2.5", "1e100", "0.1"]),
    ("long double", ["-3.5L", "1e1000L", "0.1L"]),
];

/// The number of integer types, which come first.
const FIRST_FLOAT: usize = 9;

/// Every value that arrives, and its place among the others, counts in the result.
#[test]
fn any_mix_of_types_is_passed_as_native_code_does() {
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (mut library, mut program, mut calls) = (String::new(), String::from("#include <stdio.h>\n"), String::new());
    let mut options = Vec::new();
    for number in 0..60 {
        let result = TYPES[random(TYPES.len())].0;
        let types: Vec<usize> = (0..random(12)).map(|_| random(TYPES.len())).collect();
        let list: Vec<String> = types.iter().enumerate().map(|(i, &t)| format!("{} p{i}", TYPES[t].0)).collect();
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        let mut sum = "7ul".to_owned();
        for (i, &t) in types.iter().enumerate() {
            let weight = i + 2;
            let _ = match t < FIRST_FLOAT {
                // Widened, because compiled code relies on how the caller has done it already.
                true => write!(sum, " + (unsigned long)p{i} * {weight}"),
                false => write!(sum, " + (p{i} < 0 ? {weight} : p{i} > 100 ? {weight} * 3 : {weight} * 7)"),
            };
        }
        let _ = writeln!(library, "{result} f{number}({list}) {{ return ({sum}) & 0x7fffffff; }}");
        let _ = writeln!(program, "{result} f{number}({list});");
        let values: Vec<&str> = types.iter().map(|&t| TYPES[t].1[random(3)]).collect();
        let _ = writeln!(calls, "  printf(\"%lld\\n\", (long long)f{number}({}));", values.join(", "));
        options.push(format!("f{number}=lib.so"));
    }
    let place = TestFolder::new("");
    place.write("prog.c", &format!("{program}int main(void) {{\n{calls}  return 0;\n}}\n"));
    place.build("lib.so", &library);
    let mut words = vec!["run", "prog.c", "--out", "out", "--keep", "all", "--replay-tests"];
    options.iter().for_each(|option| words.extend(["--pure", option]));
    let output = place.taw(&words);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    // The test claims what was printed with values of the other process; natively the program calls the library itself.
    assert!(text.contains("replayed  1 same"), "{text}");
}
