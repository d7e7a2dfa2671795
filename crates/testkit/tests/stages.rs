//! `taw stage` and `--stage`: the counts of the staged paper from stages, random invariants against brute force, files that are no good.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use taw_testkit::{CommandOutput, Streams, Taw, root, run, taw};

const LIMIT: Duration = Duration::from_secs(300);

struct StageFolder {
    taw: Taw,
    folder: tempfile::TempDir,
}

impl StageFolder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        StageFolder { taw: taw().unwrap(), folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn taw(&self, words: &[&str]) -> CommandOutput {
        let mut command = self.taw.command(words);
        command.current_dir(self.folder.path());
        run(&mut command, Streams::Apart, LIMIT).unwrap()
    }

    /// What a command says that must succeed.
    fn said(&self, words: &[&str]) -> String {
        let ended = self.taw(words);
        assert_eq!(ended.code, Some(0), "{words:?}: {}", ended.said());
        String::from_utf8(ended.stdout).unwrap()
    }

    /// What a command says that must be refused.
    fn refused(&self, words: &[&str]) -> String {
        let ended = self.taw(words);
        assert_eq!(ended.code, Some(2), "{words:?}: {}", ended.said());
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(!said.contains("Taw has failed"), "{said}");
        said
    }

    /// The document of a run, which leaves its tests in `out`.
    fn document(&self, words: &[&str]) -> Value {
        let words: Vec<&str> =
            ["run", "--json", "--keep", "all", "--out", "out"].iter().chain(words).copied().collect();
        let ended = self.taw(&words);
        serde_json::from_slice(&ended.stdout).unwrap_or_else(|e| panic!("{words:?}: {e}: {}", ended.said()))
    }

    /// The labels of each test in `out`.
    fn labels(&self) -> Vec<BTreeSet<String>> {
        let tests = fs::read_dir(self.path("out/tests")).unwrap();
        let labels = |path: PathBuf| {
            let test: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            let labels = test["labels"].as_array().cloned().unwrap_or_default();
            labels.iter().map(|label| label.as_str().unwrap().to_owned()).collect()
        };
        tests.map(|entry| labels(entry.unwrap().path())).collect()
    }
}

fn notes(document: &Value) -> String {
    document["notes"].to_string()
}

/// A method: its file, its parameters with the invariants of their stages, sizes and valid paths.
type Row = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static [(u32, usize)]);

const POOLS: &[Row] = &[
    ("search_tree.c", "st_add", &[("t", "tree_repOk")], &[(3, 29), (4, 99)]),
    ("search_tree.c", "st_remove", &[("t", "tree_repOk")], &[(3, 49), (4, 175)]),
    ("search_tree.c", "st_isEqual", &[("a", "tree_repOk"), ("b", "tree_repOk")], &[(2, 16), (3, 81)]),
    ("search_tree.c", "st_isPreOrder", &[("t", "tree_repOk"), ("l", "list_repOk")], &[(2, 16), (3, 48)]),
    ("search_tree.c", "st_union", &[("a", "tree_repOk"), ("b", "tree_repOk")], &[(2, 82)]),
    ("sorted_list.c", "sl_add", &[("l", "list_repOk")], &[(6, 28), (8, 45)]),
    ("sorted_list.c", "sl_remove", &[("l", "list_repOk")], &[(6, 28), (8, 45)]),
    ("sorted_list.c", "sl_merge", &[("a", "list_repOk"), ("b", "list_repOk")], &[(3, 69)]),
    ("sorted_list.c", "sl_isEqual", &[("a", "list_repOk"), ("b", "list_repOk")], &[(4, 55)]),
    (
        "sorted_list.c",
        "sl_isIntersection",
        &[("a", "list_repOk"), ("b", "list_repOk"), ("c", "list_repOk")],
        &[(2, 112)],
    ),
    ("binary_heap.c", "bh_add", &[("h", "heap_repOk")], &[(8, 25), (10, 33)]),
    ("binary_heap.c", "bh_remove", &[("h", "heap_repOk")], &[(8, 35), (10, 56)]),
];

const POINTERS: &[Row] = &[
    ("", "add", &[("t", "tree_ok")], &[(3, 29), (4, 99)]),
    ("", "remove_key", &[("t", "tree_ok")], &[(3, 49), (4, 175)]),
    ("", "is_equal", &[("a", "tree_ok"), ("b", "tree_ok")], &[(2, 16), (3, 81)]),
    ("", "is_preorder", &[("t", "tree_ok"), ("l", "list_ok")], &[(2, 16), (3, 48)]),
    ("", "tree_union", &[("a", "tree_ok"), ("b", "tree_ok")], &[(2, 82)]),
    ("", "list_add", &[("l", "list_ok")], &[(6, 28), (8, 45)]),
    ("", "list_remove", &[("l", "list_ok")], &[(6, 28), (8, 45)]),
    ("", "list_merge", &[("a", "list_ok"), ("b", "list_ok")], &[(3, 69)]),
    ("", "list_equal", &[("a", "list_ok"), ("b", "list_ok")], &[(4, 55)]),
    ("", "is_intersection", &[("a", "list_ok"), ("b", "list_ok"), ("c", "list_ok")], &[(2, 112)]),
    ("", "heap_add", &[("h", "heap_ok")], &[(8, 25)]),
    ("", "heap_remove", &[("h", "heap_ok")], &[(8, 35)]),
];

/// How many structures of an invariant there are, up to a size.
fn shapes(invariant: &str, size: u32) -> usize {
    match invariant {
        "tree_repOk" | "tree_ok" => [1, 2, 4, 9, 23, 65][size as usize],
        _ => size as usize + 1,
    }
}

fn counts(rows: &[Row], source: &dyn Fn(&str) -> PathBuf) {
    let folder = StageFolder::new(&[]);
    for &(file, method, parameters, sizes) in rows {
        for &(size, paths) in sizes {
            let (file, define) = (source(file).display().to_string(), format!("-DMAX_SIZE={size}"));
            let (nodes, mut rules) = (size.to_string(), Vec::new());
            for &(name, invariant) in parameters {
                let stage = format!("{invariant}{size}.stage");
                let words = [
                    "stage",
                    &file,
                    &define,
                    "--repok",
                    invariant,
                    "--max-nodes",
                    &nodes,
                    "--split",
                    "size",
                    "-o",
                    &stage,
                ];
                let said = folder.said(&words);
                let wanted = format!("{} structures", shapes(invariant, size));
                assert!(said.starts_with(&wanted), "{method} {size}: {said}");
                rules.push(format!("{name}={stage}"));
            }
            let mut words = vec![file.as_str(), &define, "--entry", method, "--marker", "reach"];
            words.extend((size == sizes[0].0 && paths < 60).then_some("--replay-tests"));
            rules.iter().for_each(|rule| words.extend(["--stage", rule]));
            let document = folder.document(&words);
            let valid = folder
                .labels()
                .iter()
                .filter(|labels| labels.iter().any(|l| l.ends_with("valid") || l.ends_with("empty")))
                .count();
            let explored = document["paths"]["completed"].as_u64().unwrap() as usize;
            assert_eq!((valid, explored), (paths, paths), "{method} {size}: {document}");
            assert_eq!(document["exhaustive"], true, "{method} {size}");
            assert!(notes(&document).contains("0 instructions executed, 0 queries asked"), "{}", notes(&document));
        }
    }
}

/// Explored is valid, with the counts of the paper, and nothing of an invariant is executed.
#[test]
fn pools_from_stages_have_the_paths_of_the_paper() {
    counts(POOLS, &|file| root().join("tests/corpus").join(file));
}

#[test]
fn pointers_from_stages_have_the_paths_of_the_paper() {
    counts(POINTERS, &|_| root().join("tests/staged/pointers.c"));
}

/// Keys that increase: one way to choose them for each shape.
#[test]
fn instances_are_those_of_a_black_box() {
    let folder = StageFolder::new(&[]);
    let file = root().join("tests/staged/pointers.c").display().to_string();
    // Shapes by nodes, times the ways to choose as many of four numbers.
    let choose = [1, 4, 6, 4];
    for (invariant, by_nodes) in [("tree_ok", [1, 1, 2, 5]), ("list_ok", [1, 1, 1, 1])] {
        let wanted: u64 = by_nodes.iter().zip(choose).map(|(shapes, ways)| shapes * ways).sum();
        folder.said(&["stage", &file, "--repok", invariant, "--max-nodes", "3", "-o", "s.stage"]);
        let said = folder.said(&["show", "s.stage", "--concrete=0..3"]);
        assert!(said.contains(&format!("{wanted} instances of")), "{said}");
    }
    let c = folder.said(&["show", "s.stage", "--concrete"]);
    let file = folder.path("all.c");
    fs::write(&file, format!("#include \"{}\"\n{c}", root().join("tests/staged/pointers.c").display())).unwrap();
    let mut clang = Command::new("clang-22");
    clang.args(["-fsyntax-only", "-Wno-unused"]).arg(&file);
    let ended = run(&mut clang, Streams::Merged, LIMIT).unwrap();
    assert_eq!(ended.code, Some(0), "{}", ended.said());
}

/// A number generator that needs no more than this.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn value(&mut self, of: &str) -> String {
        match self.roll(4) {
            0 => format!("{of}->a"),
            1 => format!("{of}->b"),
            2 => format!("({of}->a + {of}->b)"),
            _ => self.roll(4).to_string(),
        }
    }

    fn comparison(&mut self, of: &[&str]) -> String {
        let (x, y) = (of[self.roll(of.len() as u64) as usize], of[self.roll(of.len() as u64) as usize]);
        let (left, right) = (self.value(x), self.value(y));
        format!("{left} {} {right}", ["<", "<=", "==", "!=", ">"][self.roll(5) as usize])
    }
}

/// A ring of up to two nodes with two numbers from 0 to 3 each; the invariant and the function are random.
fn random_program(seed: u64) -> (String, usize) {
    let mut dice = Dice(seed);
    (0..5).for_each(|_| _ = dice.roll(2));
    let mut ok = String::new();
    for _ in 0..1 + dice.roll(2) {
        let _ = writeln!(ok, "  if ({}) return 0;", dice.comparison(&["p"]));
    }
    for _ in 0..dice.roll(3) {
        let _ = writeln!(ok, "  if (p->next && {}) return {};", dice.comparison(&["p", "p->next"]), dice.roll(2) * 2);
    }
    if dice.roll(3) == 0 {
        ok.push_str("  if (p->next == p) return 0;\n");
    }
    if dice.roll(3) == 0 {
        ok.push_str("  if (p->next && p->next->next == p && p->next != p) return 0;\n");
    }
    let mut body = String::new();
    let labels = 6;
    for label in 0..labels {
        let what = match dice.roll(4) {
            0 => format!("p->next && {}", dice.comparison(&["p->next"])),
            1 => format!("p->next && p->next->next == p && {}", dice.comparison(&["p", "p->next"])),
            2 => format!("{} && {}", dice.comparison(&["p"]), dice.comparison(&["p"])),
            _ => format!("!p->next && {}", dice.comparison(&["p"])),
        };
        let _ = writeln!(body, "  if ({what}) reach(\"L{label}\");");
    }
    let text = format!(
        "void reach(const char *label);\nstruct s {{ unsigned char a, b; struct s *next; }};\n\
         static int in(const struct s *p) {{ return p->a < 4 && p->b < 4; }}\n\
         int ok(const struct s *p) {{\n  if (!in(p)) return 0;\n  if (p->next && !in(p->next)) return 0;\n\
         \x20 if (p->next && p->next->next && p->next->next != p && p->next->next != p->next) return 0;\n{ok}  return 1;\n}}\n\
         int f(struct s *p) {{\n{body}  return 0;\n}}\n"
    );
    (text, labels)
}

/// Tries all graphs of up to two nodes.
const ALL_GRAPHS: &str = r#"
#include <stdio.h>
static char seen[16];
static long count;
void reach(const char *label) { seen[label[1] - '0'] = 1; }
static void try(struct s *p) { if (ok(p)) { count++; f(p); } }
int main(void) {
  struct s x, y;
  for (int v = 0; v < 16; v++) {
    x.a = v & 3; x.b = v >> 2;
    x.next = 0; try(&x);
    x.next = &x; try(&x);
    x.next = &y;
    for (int w = 0; w < 16; w++) {
      y.a = w & 3; y.b = w >> 2;
      y.next = 0; try(&x);
      y.next = &x; try(&x);
      y.next = &y; try(&x);
    }
  }
  printf("%ld", count);
  for (int i = 0; i < 16; i++) if (seen[i]) printf(" L%d", i);
  puts("");
}
"#;

/// The truth of a program: how many structures there are, and the labels that they reach.
fn brute_force(folder: &StageFolder, text: &str) -> (u64, BTreeSet<String>) {
    fs::write(folder.path("brute.c"), format!("{text}{ALL_GRAPHS}")).unwrap();
    let mut clang = Command::new("clang-22");
    clang.args(["-w", "-o", "brute", "brute.c"]).current_dir(folder.folder.path());
    let built = run(&mut clang, Streams::Merged, LIMIT).unwrap();
    assert_eq!(built.code, Some(0), "{}", built.said());
    let ended = run(&mut Command::new(folder.path("brute")), Streams::Merged, LIMIT).unwrap();
    let said = ended.said();
    let mut words = said.split_whitespace();
    (words.next().unwrap().parse().unwrap(), words.map(str::to_owned).collect())
}

/// Instances of stages are all structures that satisfy a random invariant, each once; and what starts from them reaches what they reach.
#[test]
fn random_invariants_against_brute_force() {
    let seeds = std::env::var("TAW_SEEDS").ok().and_then(|text| text.split_once("..")?.1.parse().ok()).unwrap_or(25);
    let (mut some, mut none) = (0, 0);
    for seed in 1..=seeds {
        let (text, labels) = random_program(seed);
        let folder = StageFolder::new(&[("p.c", &text)]);
        let (count, reached) = brute_force(&folder, &text);
        let words = ["stage", "p.c", "--repok", "ok", "--max-nodes", "2", "-o", "s.stage"];
        if count == 0 {
            assert!(folder.refused(&words).contains("no structure of which it holds"), "seed {seed}\n{text}");
            none += 1;
            continue;
        }
        some += 1;
        folder.said(&words);
        let said = folder.said(&["show", "s.stage", "--concrete=0..3"]);
        assert!(
            said.contains(&format!("\n{count} instances of")),
            "seed {seed}: {count} by brute force; {said}\n{text}"
        );
        let document =
            folder.document(&["p.c", "--entry", "f", "--stage", "p=s.stage", "--marker", "reach", "--replay-tests"]);
        let found: BTreeSet<String> = folder.labels().into_iter().flatten().collect();
        assert_eq!(found, reached, "seed {seed}\n{text}");
        assert_eq!(document["exhaustive"], true, "seed {seed}: {document}\n{text}");
        let targets: Vec<String> = (0..labels).map(|label| format!("label:L{label}")).collect();
        let mut words =
            vec!["reach", "--json", "p.c", "--entry", "f", "--stage", "p=s.stage", "--marker", "reach", "--out", "r"];
        targets.iter().for_each(|target| words.extend(["--target", target]));
        let document: Value = serde_json::from_slice(&folder.taw(&words).stdout).unwrap();
        for (label, row) in document["targets"].as_array().unwrap().iter().enumerate() {
            let wanted = if reached.contains(&format!("L{label}")) { "reached" } else { "unreachable" };
            assert_eq!(row["verdict"], wanted, "seed {seed}, L{label}\n{text}");
            if wanted == "unreachable" {
                assert!(row["rests_on"].to_string().contains("structures of s.stage"), "{row}");
            }
        }
    }
    assert!(some > none, "{some} invariants hold of something, {none} of nothing");
}

const LIST: &str = "struct item { int key; struct item *next; };\n\
    int sorted(const struct item *l) { for (; l && l->next; l = l->next) if (l->key >= l->next->key) return 0; return 1; }\n\
    int length(struct item *l) { int n = 0; for (; l; l = l->next) n++; return n; }\n\
    int last(struct item *l) { while (l->next) l = l->next; return l->key; }\n\
    int both(struct item *l, struct item *m) { return sorted(l) && sorted(m) && (l != 0) == (m != 0); }\n\
    int two(struct item *a, struct item *b) { return a && !b; }\n\
    int other(const long *x) { return *x > 0; }\n";

/// Null is a structure where the invariant takes it, and an error found from it names the premise.
#[test]
fn the_empty_list_is_null() {
    let folder = StageFolder::new(&[("l.c", LIST)]);
    let said = folder.said(&[
        "stage",
        "l.c",
        "--type",
        "struct item",
        "--repok",
        "sorted",
        "--max-nodes",
        "3",
        "-o",
        "l.stage",
    ]);
    assert!(
        said.starts_with("4 structures") && said.contains("not all: structures with more than 3 objects"),
        "{said}"
    );
    let document = folder.document(&["l.c", "--entry", "length", "--stage", "l=l.stage"]);
    assert_eq!((document["paths"]["completed"].as_u64(), document["exhaustive"].as_bool()), (Some(4), Some(true)));
    let rests_on = document["rests_on"].to_string();
    assert!(
        rests_on.contains("`l` is one of the 4 structures of l.stage") && rests_on.contains("--max-nodes"),
        "{rests_on}"
    );
    let document = folder.document(&["l.c", "--entry", "last", "--stage", "l=l.stage"]);
    assert_eq!(document["findings"][0]["kind"], "null-dereference", "{document}");
    assert_eq!(document["findings"][0]["confirmed"], "confirmed", "{document}");
    assert_eq!(document["findings"][0]["caller"]["class"], "values", "{document}");
}

/// An invariant that does not hold any more is an error, which the native program shows too; of a function that keeps it there is none.
#[test]
fn what_an_entry_must_ensure() {
    let folder = StageFolder::new(&[]);
    let pointers = fs::read_to_string(root().join("tests/staged/pointers.c")).unwrap();
    let file = folder.path("t.c");
    fs::write(&file, &pointers).unwrap();
    let stage = |invariant: &str| {
        folder.said(&["stage", "t.c", "--repok", invariant, "--max-nodes", "3", "-o", "s.stage"]);
    };
    stage("list_ok");
    let words = ["t.c", "--entry", "list_remove", "--stage", "l=s.stage", "--ensures", "list_ok", "--marker", "reach"];
    let document = folder.document(&words);
    assert_eq!(document["findings"], serde_json::json!([]), "{document}");
    assert_eq!((document["paths"]["completed"].as_u64(), document["exhaustive"].as_bool()), (Some(10), Some(true)));
    fs::write(&file, pointers.replace("  *at = (*at)->next;\n  return --l->size;", "  *at = 0;\n  return --l->size;"))
        .unwrap();
    let document = folder.document(&words);
    assert_eq!(document["findings"][0]["kind"], "assertion-failure", "{document}");
    assert_eq!(document["findings"][0]["confirmed"], "confirmed", "{document}");
    assert!(
        document["findings"][0]["message"].as_str().unwrap().contains("list_ok(l) after list_remove"),
        "{document}"
    );
    let said = folder.refused(&["run", "t.c", "--entry", "list_remove", "--ensures", "tree_ok"]);
    assert!(said.contains("`list_remove` has no parameter or result that `tree_ok` takes"), "{said}");
}

/// Parameters of one invariant are structures that belong together.
#[test]
fn an_invariant_of_two_parameters_makes_pairs() {
    let folder = StageFolder::new(&[("l.c", LIST)]);
    folder.said(&["stage", "l.c", "--repok", "both", "--max-nodes", "2", "-o", "pair.stage"]);
    let document = folder.document(&["l.c", "--entry", "two", "--stage", "a,b=pair.stage", "--replay-tests"]);
    assert_eq!(document["exhaustive"], true);
    let tests = fs::read_dir(folder.path("out/tests")).unwrap().count();
    assert!(tests > 2, "{document}");
    assert!(!document.to_string().contains("\"exit\": 1"), "both are null or none is");
    let said = folder.refused(&["run", "l.c", "--entry", "two", "--stage", "a=pair.stage"]);
    assert!(said.contains("`both` holds of 2 parameters, and 1 are named"), "{said}");
}

/// Bytes that satisfy a predicate, as many as were said.
#[test]
fn buffers_are_structures_too() {
    let text = "int brackets(const char *s) { int d = 0; for (int i = 0; i < 4; i++) { if (s[i] == '(') d++; else if (s[i] == ')') d--; else return 0; \
                if (d < 0) return 0; } return d == 0; }\nint second(const char *s) { return s[1] == '('; }\n";
    let folder = StageFolder::new(&[("b.c", text)]);
    let said = folder.said(&["stage", "b.c", "--type", "char[4]", "--repok", "brackets", "-o", "b.stage"]);
    assert!(said.starts_with("2 structures") && said.contains("These are all"), "{said}");
    let document = folder.document(&["b.c", "--entry", "second", "--stage", "s=b.stage", "--replay-tests"]);
    assert_eq!(document["paths"]["completed"], 2);
}

#[test]
fn what_is_no_invariant_is_refused() {
    let text = "int g;\nstruct p { int a; int b; };\n\
        int writes(struct p *p) { p->a = 1; return p->b; }\n\
        int counts(struct p *p) { g++; return p->a; }\n\
        int prints(const char *);\nint puts(const char *);\nint says(struct p *p) { puts(\"x\"); return p->a; }\n\
        int never(struct p *p) { return p->a < p->b && p->b < p->a; }\n\
        int fails(struct p *p) { return 7 / p->a; }\n\
        int number(int x) { return x; }\nvoid nothing(struct p *p) { (void)p; }\n\
        int through(struct p *p, int (*f)(int)) { return f(p->a); }\n";
    let folder = StageFolder::new(&[("p.c", text)]);
    let stage = |invariant: &str| folder.refused(&["stage", "p.c", "--repok", invariant, "-o", "p.stage"]);
    for (invariant, why) in [
        ("writes", "`writes` of --repok, which changes memory"),
        ("counts", "`counts` of --repok, which changes memory"),
        ("says", "`says` of --repok, which"),
        ("never", "there is no structure of which it holds"),
        ("fails", "`fails` of --repok, which fails itself (division-by-zero"),
        ("number", "it takes something else than pointers"),
        ("nothing", "it returns no truth value"),
        ("through", "which calls a function of the caller's"),
        ("nevr", "did you mean `never`"),
    ] {
        let said = stage(invariant);
        assert!(said.contains(why), "{invariant}: {said}");
        assert!(!folder.path("p.stage").exists());
    }
    let said = folder.refused(&["stage", "p.c", "--type", "struct q", "--repok", "never", "-o", "p.stage"]);
    assert!(said.contains("it takes a pointer to `struct p`, not to `struct q`"), "{said}");
    let said = folder.refused(&["stage", "p.c", "--type", "char[x]", "--repok", "never", "-o", "p.stage"]);
    assert!(said.contains("say a number from 1 to 4096"), "{said}");
}

/// A stage is of a layout and an invariant, and of nothing else.
#[test]
fn a_stage_is_refused_where_layout_or_invariant_have_changed() {
    let folder = StageFolder::new(&[("l.c", LIST)]);
    folder.said(&["stage", "l.c", "--repok", "sorted", "--max-nodes", "2", "-o", "l.stage"]);
    let edit = |from: &str, to: &str| {
        assert!(LIST.contains(from));
        fs::write(folder.path("m.c"), LIST.replace(from, to)).unwrap();
        folder.taw(&["run", "m.c", "--entry", "length", "--stage", "l=l.stage", "--out", "out"])
    };
    for (from, to) in [
        ("int last", "/* more\nlines */ static int unrelated = 3;\nint last"),
        ("n = 0", "n = 2 - 2"),
        ("int sorted(const struct item *l)", "int sorted(struct item const *l)"),
    ] {
        let ended = edit(from, to);
        assert_eq!(ended.code, Some(0), "{to}: {}", ended.said());
    }
    for (from, to, why) in [
        ("l->key >= l->next->key", "l->key > l->next->key", "`sorted`, or something that it calls, is not what it was"),
        ("int key; struct", "long key; struct", "is not what it was"),
    ] {
        let ended = edit(from, to);
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.code == Some(2) && said.contains(why), "{to}: {said}");
    }
    // Without the invariant nobody can see whether that has changed, but what lies where.
    let only = "struct item { int key; struct item *next; };\nint length(struct item *l) { int n = 0; for (; l; l = l->next) n++; return n; }\n";
    fs::write(folder.path("o.c"), only).unwrap();
    let document = folder.document(&["o.c", "--entry", "length", "--stage", "l=l.stage"]);
    assert_eq!(document["paths"]["completed"], 3);
    fs::write(folder.path("o.c"), only.replace("int key; ", "int pad; int key; int more; ")).unwrap();
    let said = folder.refused(&["run", "o.c", "--entry", "length", "--stage", "l=l.stage"]);
    assert!(said.contains("does not lie in memory as it did"), "{said}");
    let said = folder.refused(&["run", "l.c", "--entry", "other", "--stage", "x=l.stage"]);
    assert!(said.contains("the stage is of `struct item`, and the parameter leads to `long`"), "{said}");
    let said = folder.refused(&["run", "l.c", "--entry", "length", "--stage", "q=l.stage"]);
    assert!(said.contains("`length` has no parameter `q`"), "{said}");
}

#[test]
fn files_that_are_no_stage_are_refused() {
    let folder = StageFolder::new(&[("l.c", LIST), ("foreign.stage", "{\"a\": 1}\n"), ("empty.stage", "")]);
    folder.said(&["stage", "l.c", "--repok", "sorted", "--max-nodes", "3", "-o", "l.stage"]);
    let text = fs::read_to_string(folder.path("l.stage")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path(name), text).unwrap();
    write("older.stage", &text.replacen("taw-stage 1", "taw-stage 0", 1));
    write("cut.stage", &text[..text.len() / 2]);
    write("cut_end.stage", text.trim_end());
    write("changed.stage", &text.replacen("slt(", "sle(", 1));
    fs::write(folder.path("bytes.stage"), [0xff, 0xfe, 0x00]).unwrap();
    for (name, why) in [
        ("foreign.stage", "is no stage; `taw stage` makes one"),
        ("empty.stage", "is no stage"),
        ("bytes.stage", "is no stage"),
        ("older.stage", "is a stage of version 0, and this Taw reads version 1"),
        ("cut.stage", "is cut off"),
        ("cut_end.stage", "is cut off"),
        ("changed.stage", "is damaged: its hash does not fit"),
        ("missing.stage", "cannot read"),
    ] {
        for words in [vec!["show", name], vec!["run", "l.c", "--entry", "length", "--stage", &format!("l={name}")]] {
            let said = folder.refused(&words);
            assert!(said.contains(why), "{words:?}: {said}");
        }
    }
    assert!(!Path::new(&folder.path("taw-out-1")).exists(), "nothing is written before all is known");
}
