//! What a start in the middle of a program costs: `cargo bench -p taw-explore --bench unknown`.
//!
//! Making an unknown state (wanted: under 20 µs), whether or not its pointers are used; ten pointer parameters of which a path uses two beside two
//! parameters (wanted: at most twice), the others unused or used on other paths; the length of a list of 8 nodes (wanted: under 0.1 s). Each figure is the
//! least of several runs, which other work on the machine disturbs least.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use taw_engine::{Config, SharedSurroundings, Sink, TestCase, UnknownShapes};
use taw_env::{Kernel, World};
use taw_explore::{Limits, Plan, Summary, explore};
use taw_ir::{Program, read_program, verify};
use taw_solver::SolverConfig;

const STATES: usize = 10_000;
const RUNS: usize = 7;

/// Two pointers are used: both null or not, and a value of each.
const USE: &str = "\
b0:
    v20: i1 = cmp eq i64 v0, i64 0
    br v20, b4, b1
b1:
    v21: i1 = cmp eq i64 v1, i64 0
    br v21, b4, b2
b2:
    v22: i32 = load i32 v0
    v23: i1 = cmp slt i32 v22, i32 3
    br v23, b4, b3
b3:
    v24: i32 = load i32 v1
    v25: i1 = cmp slt i32 v24, i32 7
    br v25, b4, b5
b4:
    ret i32 0
b5:
    ret i32 1
}
";

/// Three pointers are compared with null, which makes them.
const COMPARED: &str = "\
b0:
    v20: i1 = cmp eq i64 v0, i64 0
    v21: i1 = cmp eq i64 v1, i64 0
    v22: i1 = cmp eq i64 v2, i64 0
    ret i32 0
}
";

/// Unless a number is 0, another pointer is compared with null on the way out.
const OTHERS: &str = "\
b7:
    v31: i1 = cmp eq i64 v2, i64 0
    br v31, b5, b8
b8:
    v32: i1 = cmp eq i64 v9, i64 0
    br v32, b5, b6
}
";

/// Counts nodes, at most 8.
const LENGTH: &str = "\
func @length(v0: ptr \"p\" type2) -> i32 {
b0:
    br b1 [v1: ptr = v0, v2: i32 = i32 0]
b1:
    v3: i1 = cmp eq i64 v1, i64 0
    br v3, b4, b2
b2:
    v4: i1 = cmp eq i32 v2, i32 8
    br v4, b4, b3
b3:
    v5: i32 = add v2, i32 1
    v6: ptr = ptradd v1, 8
    v7: ptr = load i64 v6
    br b1 [v1: ptr = v7, v2: i32 = v5]
b4:
    ret v2
}
";

/// Parameters that are pointers to structures, numbered so that those in use are the first or the last.
fn pointers(name: &str, numbers: impl Iterator<Item = usize>) -> String {
    let parameters: Vec<String> = numbers.map(|i| format!("v{i}: ptr \"p{i}\" type2")).collect();
    format!("func @{name}({}) -> i32 {{\n", parameters.join(", "))
}

/// As `last_of_ten`, and on another path two of the eight before are used.
fn others_on_other_paths() -> String {
    let head =
        pointers("others_on_other_paths", (2..10).chain(0..2)).replace(") -> i32", ", v10: i32 \"n\" type0) -> i32");
    let used =
        (0..6).rev().fold(USE.to_owned(), |text, block| text.replace(&format!("b{block}"), &format!("b{}", block + 1)));
    let used = used.trim_end().trim_end_matches('}');
    format!("{head}b0:\n    v30: i1 = cmp eq i32 v10, i32 0\n    br v30, b1, b7\n{used}{OTHERS}")
}

fn program() -> Program {
    let mut text = String::from(
        "target \"x86_64-unknown-linux-gnu\" 64 bits little\n\
         type type0 = integer \"int\" signed 32\n\
         type type1 = struct \"s\" bits 128 { \"a\" at 0: type0, \"next\" at 64: type2 }\n\
         type type2 = pointer type1\n\
         func @number(v0: i32 \"x\" type0) -> i32 {\nb0:\n    ret i32 0\n}\n",
    );
    text.push_str(&format!("{}b0:\n    ret i32 0\n}}\n", pointers("unused", 0..3)));
    text.push_str(&format!("{}{COMPARED}", pointers("compared", 0..3)));
    text.push_str(&format!("{}{USE}", pointers("two", 0..2)));
    text.push_str(&format!("{}{USE}", pointers("first_of_ten", 0..10)));
    text.push_str(&format!("{}{USE}", pointers("last_of_ten", (2..10).chain(0..2))));
    text.push_str(&others_on_other_paths());
    text.push_str(LENGTH);
    let program = read_program(&text).expect("the text is a program");
    verify(&program).expect("the program is right");
    program
}

/// The least time that exploring took, and what came of it.
fn least(program: &Program, entry: &str, times: usize, shapes: UnknownShapes) -> (Duration, Summary) {
    let once = || {
        let surroundings = SharedSurroundings::new(Kernel::new(World::default()));
        let plan = Plan {
            entries: vec![entry.to_owned(); times],
            left_out: Vec::new(),
            search: taw_search::DEFAULT_FORWARD.to_owned(),
            seed: 0,
            limits: Limits::default(),
            engine: Config { surroundings, shapes: shapes.clone(), ..Config::default() },
            solver: SolverConfig::default(),
            goals: Vec::new(),
            models: taw_env::MODELS,
        };
        let start = Instant::now();
        let summary = explore(program, &plan, &mut Nobody, &mut |_| {}, &AtomicBool::new(false)).expect("it runs");
        (start.elapsed(), summary)
    };
    (0..RUNS).map(|_| once()).min_by_key(|(time, _)| *time).expect("there are runs")
}

/// Whoever wants nothing of the paths.
struct Nobody;

impl Sink for Nobody {
    fn path(&mut self, _: &TestCase) {}
}

fn main() {
    let program = program();
    let plain = least(&program, "number", STATES, UnknownShapes::default()).0;
    let made = least(&program, "unused", STATES, UnknownShapes::default()).0;
    let each = made.saturating_sub(plain).as_secs_f64() / STATES as f64;
    println!(
        "a state with three unknown pointers instead of a number: {:.1} µs more each, made, run to its end and forgotten",
        each * 1e6
    );
    let used = least(&program, "compared", STATES, UnknownShapes::default()).0;
    let each = used.saturating_sub(plain).as_secs_f64() / STATES as f64;
    println!("three that are used: {:.1} µs more each", each * 1e6);
    let whole = made.as_secs_f64() / STATES as f64;
    println!("with all that every state needs: {:.1} µs", whole * 1e6);
    let two = least(&program, "two", 1, UnknownShapes::default());
    for name in ["first_of_ten", "last_of_ten", "others_on_other_paths"] {
        let ten = least(&program, name, 1, UnknownShapes::default());
        let ratio = ten.0.as_secs_f64() / two.0.as_secs_f64();
        let (paths, of) = (ten.1.paths.completed, two.1.paths.completed);
        println!("{name}: {ratio:.2} times the cost of two parameters ({paths} paths, {of})");
    }
    let shapes = UnknownShapes { nesting: 8, ..UnknownShapes::default() };
    let (time, summary) = least(&program, "length", 1, shapes);
    println!("a list of 8 nodes: {:.1} ms ({} paths)", time.as_secs_f64() * 1e3, summary.paths.completed);
}
