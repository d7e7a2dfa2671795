//! A model's row is held against what the model does: memory that its signature does not name stays as it is.

use std::sync::atomic::AtomicBool;

use taw_engine::{Config, Cx, ModelArgument, ModelDef, Models, Outcome, Sink, Stop, TestCase, Value};
use taw_explore::{Limits, Plan, explore};
use taw_ir::read_program;
use taw_solver::SolverConfig;

/// Writes a byte through its argument.
fn write(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    cx.store(args[0].value, Value::word(7), 8)?;
    Ok(Value::word(0))
}

const MODELS: &[ModelDef] = &[ModelDef::new("honest", "v w", write), ModelDef::new("lying", "v p", write)];

struct Ends(Vec<Outcome>);

impl Sink for Ends {
    fn path(&mut self, test: &TestCase) {
        self.0.push(test.outcome.clone());
    }
}

/// Runs a program that calls a model with the address of a global, and returns what is in it then.
fn run(model: &str) -> Vec<Outcome> {
    let text = format!(
        "target \"x86_64-unknown-linux-gnu\" 64 bits little\nglobal @a size 1 align 1 element 1 zero\n\
         declare @{model}(v0: ptr)\nfunc @main() -> i32 {{\nb0:\n    call @{model}(ptr @a)\n    v0: i8 = load i8 ptr @a\n\
         \x20   v1: i32 = zext i8 v0\n    ret v1\n}}\n"
    );
    let program = read_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let plan = Plan {
        entries: vec!["main".into()],
        left_out: Vec::new(),
        search: "DFS".into(),
        seed: 0,
        limits: Limits::default(),
        engine: Config::default(),
        solver: SolverConfig::default(),
        goals: Vec::new(),
        models: Models { always: &[MODELS], stand_ins: &[], code: &[] },
    };
    let mut ends = Ends(Vec::new());
    explore(&program, &plan, &mut ends, &mut |_| {}, &AtomicBool::new(false)).unwrap();
    ends.0
}

#[test]
fn what_the_row_names_is_written() {
    assert!(matches!(run("honest")[..], [Outcome::Exit(7)]));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "`lying` changed memory that its row does not name")]
fn what_the_row_does_not_name_stays() {
    run("lying");
}
