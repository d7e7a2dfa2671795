//! Loops as functions on random programs: whatever a path behind such a loop comes to, the program comes to on the same inputs, with its loops executed
//! by the engine, one instruction after the other.

mod random;

use std::sync::atomic::AtomicBool;

use random::{Dice, random_program};
use taw_engine::{Config, Doubt, Input, LoopMode, Outcome, Reason, Reception, Recorded, Sink, TestCase};
use taw_explore::{Exploration, Forward, Limits, Plan};
use taw_ir::{Program, read_program, verify};
use taw_solver::SolverConfig;

/// Keeps how paths end.
#[derive(Default)]
struct Ends(Vec<(Vec<Input>, String)>);

impl Sink for Ends {
    fn path(&mut self, test: &TestCase) {
        let end = match &test.outcome {
            Outcome::Exit(code) => format!("returns {code}"),
            Outcome::Finding(finding) => {
                format!("{:?} at {:?}", finding.kind, finding.stack.first().map(|f| f.function))
            }
            _ => return,
        };
        self.0.push((test.inputs.clone(), end));
    }

    fn reached(&mut self, _: usize, _: &TestCase) -> Reception {
        Reception::Accepted
    }
}

/// How paths from `@f` end, and whether a loop was taken as a function.
fn explored(program: &Program, engine: Config, paths: u64) -> (Ends, bool) {
    let plan = Plan {
        entries: vec!["f".into()],
        left_out: Vec::new(),
        search: "BFS".into(),
        seed: 0,
        limits: Limits { instructions: Some(200_000), paths: Some(paths), ..Limits::default() },
        engine,
        solver: SolverConfig { walk_last: 100_000, walk_first: 50_000, ..SolverConfig::default() },
        goals: Vec::new(),
        models: taw_env::MODELS,
    };
    let explorer = Box::new(Forward::new("BFS", 0).unwrap());
    let mut ends = Ends::default();
    let mut exploration = Exploration::by(explorer, program, &plan).unwrap();
    let summary = exploration.run(&mut ends, &mut |_| {}, &AtomicBool::new(false));
    let is_taken = summary.incomplete.contains(&Reason::Doubt(Doubt::LoopsTaken));
    (ends, is_taken)
}

/// Programs that a run looks at; `TAW_LOOPS` says another number, and `TAW_LOOPS_FROM` where to begin.
fn numbers() -> std::ops::Range<u64> {
    let number = |name: &str, else_: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(else_);
    let first = number("TAW_LOOPS_FROM", 0);
    first..first + number("TAW_LOOPS", 40)
}

#[test]
fn a_loop_as_a_function_does_what_the_loop_does() {
    let (mut taken, mut compared, mut programs) = (0, 0, 0);
    for seed in numbers() {
        let text = random_program(&mut Dice::new(seed));
        let program = read_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        verify(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let loops = LoopMode::Functions { budget: 100_000 };
        let (ends, is_taken) = explored(&program, Config { loops, ..Config::default() }, 12);
        programs += 1;
        taken += u64::from(is_taken);
        for (inputs, end) in ends.0 {
            let recorded = Recorded { inputs: inputs.clone(), path: Vec::new() };
            let engine = Config { replay: Some(recorded), concrete: true, ..Config::default() };
            let executed = explored(&program, engine, 2).0.0;
            compared += 1;
            assert_eq!(executed.len(), 1, "seed {seed}: constants take one path\n{program}");
            assert_eq!(executed[0].1, end, "seed {seed} with {inputs:?}\n{program}");
        }
    }
    println!("{programs} programs, {taken} with loops as functions, {compared} paths compared");
    assert!(taken * 2 > programs && compared > 2 * programs, "the programs say little");
}
