//! The law of slices on random programs: what an exploration of the whole program reaches, one of the slice must not call unreachable. And
//! what slices are for: conditionals that do not matter cost nothing.

mod random;

use std::fmt::Write;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use random::{Dice, random_program};
use taw_engine::{Config, Engine, Goal, GoalStep, Reception, Sink, TestCase};
use taw_explore::{Exploration, Forward, GoalVerdict, Limits, Plan};
use taw_ir::{BlockId, CallGraph, EntityRef, FuncId, Inst, Program, ProgramSlice, Site, read_program, verify};
use taw_solver::{Solver, SolverConfig};

/// Takes every test.
struct Accepting;

impl Sink for Accepting {
    fn path(&mut self, _: &TestCase) {}

    fn reached(&mut self, _: usize, _: &TestCase) -> Reception {
        Reception::Accepted
    }
}

/// What an exploration from `@f` says of places.
fn verdicts(program: &Program, sites: &[Site]) -> Vec<GoalVerdict> {
    let goal = |site: &Site| Goal { name: format!("{site:?}"), steps: vec![GoalStep::Sites(vec![*site])] };
    let plan = Plan {
        entries: vec!["f".into()],
        left_out: Vec::new(),
        search: "BFS".into(),
        seed: 0,
        limits: Limits { instructions: Some(6_000), ..Limits::default() },
        engine: Config::default(),
        solver: SolverConfig::default(),
        goals: sites.iter().map(goal).collect(),
        models: taw_env::MODELS,
    };
    let explorer = Box::new(Forward::new("BFS", 0).unwrap());
    let mut exploration = Exploration::by(explorer, program, &plan).unwrap();
    let summary = exploration.run(&mut Accepting, &mut |_| {}, &AtomicBool::new(false));
    summary.goals.into_iter().map(|outcome| outcome.verdict).collect()
}

fn program_of(text: &str) -> Program {
    let program = read_program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    program
}

/// A slice from `@f`, called by anybody.
fn sliced(program: &Program, goals: &[Site], guards: u32) -> ProgramSlice {
    let solver = Solver::new(SolverConfig::default()).unwrap();
    let engine = Engine::new(program, Config::default(), solver, taw_env::MODELS).unwrap();
    let graph = Rc::new(CallGraph::with_conduct(program, &|func: FuncId| engine.conduct(func)));
    let entries = [program.function_named("f").unwrap()];
    let points_to = engine.points_to_from(&entries, false);
    let slicer = engine.slicer(&graph, Rc::new(points_to), &entries);
    let slice = slicer.and_then(|slicer| slicer.slice(goals, guards));
    let slice = slice.unwrap_or_else(|obstacle| panic!("{}\n{program}", obstacle.in_words(program)));
    verify(&slice.program).unwrap_or_else(|error| panic!("{error}\n{program}\n{}", slice.program));
    slice
}

/// Programs that a run looks at; `TAW_SLICES` says another number, and `TAW_SLICES_FROM` where to begin.
fn numbers() -> std::ops::Range<u64> {
    let number = |name: &str, else_: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(else_);
    let first = number("TAW_SLICES_FROM", 0);
    first..first + number("TAW_SLICES", 400)
}

#[test]
fn what_is_reached_is_reached_in_the_slice() {
    let (mut reached, mut proved, mut shrunk, mut tried) = (0, 0, 0, 0);
    for seed in numbers() {
        let mut dice = Dice::new(seed);
        let random = random_program(&mut dice);
        let program = program_of(&random.text);
        let mut sites = Vec::new();
        for (name, blocks) in &random.functions {
            let func = program.function_named(name).unwrap();
            let start = |block: u64| program.functions[func].blocks[BlockId::new(block as usize)].start;
            sites.extend((0..*blocks).map(|block| Site { func, pc: start(block) }));
        }
        let whole = verdicts(&program, &sites);
        for (site, verdict) in sites.iter().zip(&whole) {
            // Each that could show a breach, and some of the others.
            if *verdict != GoalVerdict::Reached && !dice.one_in(4) {
                continue;
            }
            let guards = [0, 1, 1, 2, 99][dice.below(5) as usize];
            let slice = sliced(&program, &[*site], guards);
            tried += 1;
            shrunk += u64::from(slice.after * 2 < slice.before);
            let of_slice = slice.site(*site).map(|site| verdicts(&slice.program, &[site]).remove(0));
            let is_unreachable = of_slice.as_ref().is_none_or(|said| matches!(said, GoalVerdict::Unreachable(_)));
            proved += u64::from(is_unreachable);
            reached += u64::from(*verdict == GoalVerdict::Reached);
            assert!(
                !is_unreachable || *verdict != GoalVerdict::Reached,
                "seed {seed}: {site:?} is reached, and in the slice with {guards} guards {of_slice:?}\n{program}\n{}",
                slice.program
            );
        }
    }
    println!("{tried} slices, {reached} of what is reached, {proved} proofs, {shrunk} of less than half");
    assert!(reached * 10 > tried && proved * 20 > tried && shrunk * 4 > tried, "the programs say little");
}

/// `slicing` with so many conditionals: their sides write, call, loop and return early; the goal looks at `y` alone, which was set before.
fn conditionals(count: usize) -> String {
    let mut text = String::from("target \"x86_64-unknown-linux-gnu\" 64 bits little\n");
    text.push_str("global @sink size 4 align 4 element 4 zero\n");
    text.push_str("func @put(v0: ptr, v1: i32) {\nb0:\n    store i32 v0, v1\n    ret\n}\n");
    text.push_str("func @f(v0: i32 \"z\"");
    (1..=count).for_each(|i| write!(text, ", v{i}: i32 \"x{i}\"").unwrap());
    let (y, cond, at) = (count + 1, count + 2, count + 3);
    writeln!(text, ") {{\nb0:\n    v{y}: i32 = and v0, i32 15\n    v{at}: i32 = copy i32 0\n    br b1").unwrap();
    for i in 1..=count {
        let (head, side, next) = (2 * i - 1, 2 * i, 2 * i + 1);
        writeln!(text, "b{head}:\n    v{cond}: i1 = cmp sgt i32 v{i}, i32 0\n    br v{cond}, b{side}, b{next}")
            .unwrap();
        let end = 2 * count + 3;
        match i % 4 {
            0 => writeln!(text, "b{side}:\n    store i32 ptr @sink, v{i}\n    br b{next}").unwrap(),
            1 => writeln!(text, "b{side}:\n    call @put(ptr @sink, v{i})\n    br b{next}").unwrap(),
            2 => writeln!(text, "b{side}:\n    br b{end}").unwrap(),
            _ => writeln!(
                text,
                "b{side}:\n    v{at}: i32 = add v{at}, i32 1\n    v{cond}: i1 = cmp ult i32 v{at}, v{i}\n    br v{cond}, b{side}, b{next}"
            )
            .unwrap(),
        }
    }
    let (last, goal, end) = (2 * count + 1, 2 * count + 2, 2 * count + 3);
    writeln!(text, "b{last}:\n    v{cond}: i1 = cmp eq i32 v{y}, i32 16\n    br v{cond}, b{goal}, b{end}").unwrap();
    writeln!(text, "b{goal}:\n    ret\nb{end}:\n    ret\n}}").unwrap();
    text
}

#[test]
fn two_hundred_conditionals_are_one_branch() {
    let program = program_of(&conditionals(200));
    let func = program.function_named("f").unwrap();
    let goal = Site { func, pc: program.functions[func].blocks[BlockId::new(402)].start };
    let slice = sliced(&program, &[goal], 1);
    let is_branch = |inst: &&Inst| matches!(inst, Inst::CondBr { .. });
    let branches = slice.program.functions[func].code.iter().filter(is_branch).count();
    assert_eq!(branches, 1, "{}", slice.program);
    assert!(slice.after < 12, "{}", slice.program);
    let site = slice.site(goal).unwrap();
    assert!(matches!(verdicts(&slice.program, &[site])[..], [GoalVerdict::Unreachable(_)]), "{}", slice.program);
}
