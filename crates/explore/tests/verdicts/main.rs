//! Verdicts against brute force, on every small program: an *unreachable* is never wrong, whatever limits the run, whatever was
//! not understood and whoever explores; a *reached* has inputs that get there; and without limits everything is decided.

mod graphs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use graphs::{Block, Errors, Graph, SPECIALS, Special, graphs};
use taw_engine::{
    Config, Cx, Doubt, Goal, GoalStep, Input, InputType, ModelArgument, ModelDef, Models, Reception, Refusal, Sink,
    Stop, TestCase, Value,
};
use taw_explore::{Exploration, Explorer, Forward, GoalVerdict, Limits, Plan, Proof, View, Work};
use taw_ir::{BlockId, EntityRef, Program, Site, read_program, verify};
use taw_search::Delta;
use taw_solver::{SolverConfig, StageChoice};

/// What the programs call.
const MODELS: &[ModelDef] = &[ModelDef::new("pick", "c c", pick), ModelDef::new("no_fork", "v ", no_fork)];

/// The witness's value, as if there were no other.
fn pick(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let Some(term) = args[0].value.as_term() else { return Ok(args[0].value) };
    cx.engine.doubts.insert(Doubt::OneValue("pick"));
    Ok(Value::word(cx.witness_word(term)))
}

fn no_fork(cx: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    cx.state.no_forking = true;
    Ok(Value::word(0))
}

/// How a program is explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// Forward by this strategy, with no limit.
    Free(&'static str),
    States(usize),
    Depth(u32),
    Instructions(u64),
    Paths(u64),
    /// With a solver that answers next to nothing.
    Unsolved,
    /// In an order of chance, in tiny steps; stops by itself after so many.
    Chance(u64, u32),
    /// No test is accepted.
    Refused,
    /// Interrupted before it starts.
    Interrupted,
    /// States are given up as soon as memory is looked at, and then the run.
    Memory,
    /// With an input to start from.
    Seeded(u8),
    /// `g` should be started too, and cannot be.
    LeftOut,
    /// Backward from the goals as well, or one path after the other.
    Scheme(&'static str),
    /// One path after the other, so many of them.
    Runs(&'static str, u64),
    /// One path after the other, each so long at most.
    Short(&'static str, u64),
    /// One path after the other, with a solver that answers next to nothing.
    UnsolvedBy(&'static str),
    /// One path after the other, with an input to start from.
    SeededBy(&'static str, u8),
}

const WAYS: &[Manner] = &[
    Manner::States(1),
    Manner::Depth(1),
    Manner::Instructions(4),
    Manner::Unsolved,
    Manner::Chance(1, u32::MAX),
    Manner::Free("BFS"),
    Manner::States(2),
    Manner::Depth(2),
    Manner::Instructions(9),
    Manner::Chance(2, 3),
    Manner::Paths(1),
    Manner::Refused,
    Manner::Chance(3, 9),
    Manner::Interrupted,
    Manner::Memory,
    Manner::Seeded(200),
    Manner::LeftOut,
    Manner::Scheme("CCBSE(DFS)"),
    Manner::Scheme("Mix-CCBSE(BFS,0.1)"),
    Manner::Scheme("concolic(DFS)"),
    Manner::Scheme("concolic(IPPC,random)"),
    Manner::Scheme("concolic(IPPC-adaptive(DFS-crest))"),
    Manner::Scheme("concolic(IPPC(generational))"),
    Manner::SeededBy("concolic(DFS)", 77),
    Manner::Runs("concolic(DFS)", 2),
    Manner::Runs("concolic(DFS(1))", 9),
    Manner::Runs("concolic(DFS-crest(1))", 9),
    Manner::Runs("concolic(CFG)", 6),
    Manner::Runs("concolic(IPPC(RND))", 6),
    Manner::Runs("concolic(RND-uniform)", 6),
    Manner::Runs("concolic(hybrid)", 6),
    Manner::Runs("concolic(random-input)", 3),
    Manner::Short("concolic(DFS)", 3),
    Manner::UnsolvedBy("concolic(DFS)"),
    Manner::UnsolvedBy("concolic(IPPC)"),
];

/// Instructions that are enough for every program that ends.
const PLENTY: u64 = 300;

impl Manner {
    /// Whether nothing keeps it from deciding everything.
    fn is_free(self) -> bool {
        let is_whole = matches!(self, Manner::Scheme(_) | Manner::SeededBy(..));
        is_whole || matches!(self, Manner::Free(_) | Manner::Chance(_, u32::MAX) | Manner::Seeded(_))
    }

    fn limits(self, ends: bool) -> Limits {
        // A program that does not end needs a limit to do so.
        let endless = Limits { instructions: (!ends).then_some(PLENTY), collect_after: Some(1), ..Limits::default() };
        match self {
            Manner::States(most) => Limits { states: Some(most), ..endless },
            Manner::Depth(most) => Limits { depth: Some(most), ..endless },
            Manner::Instructions(most) => Limits { instructions: Some(most), ..endless },
            Manner::Paths(most) => Limits { paths: Some(most), ..endless },
            Manner::Runs(_, most) => Limits { paths: Some(most), ..endless },
            Manner::Short(_, most) => Limits { path_instructions: Some(most), ..endless },
            Manner::Memory => Limits { memory: Some(1), ..endless },
            _ => endless,
        }
    }

    fn seeds(self) -> Vec<Vec<Input>> {
        let (Manner::Seeded(byte) | Manner::SeededBy(_, byte)) = self else { return Vec::new() };
        vec![vec![Input { name: "x".into(), ty: InputType::Bytes, bytes: vec![byte] }]]
    }

    /// The notation of it, where that is more than a strategy.
    fn scheme(self) -> Option<&'static str> {
        match self {
            Manner::Scheme(scheme) | Manner::UnsolvedBy(scheme) => Some(scheme),
            Manner::Runs(scheme, _) | Manner::Short(scheme, _) | Manner::SeededBy(scheme, _) => Some(scheme),
            _ => None,
        }
    }

    fn explorer(self) -> Box<dyn Explorer> {
        match self {
            Manner::Chance(seed, most) => Box::new(Chance { seed, left: most }),
            // Memory is looked at now and then: many steps are needed.
            Manner::Memory => Box::new(Chance { seed: 4, left: u32::MAX }),
            Manner::Free(search) => Box::new(Forward::new(search, 0).unwrap()),
            _ => Box::new(Forward::new("DFS", 0).unwrap()),
        }
    }
}

/// Runs any state for a few instructions, until it has had enough.
struct Chance {
    seed: u64,
    left: u32,
}

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % n
    }
}

impl Explorer for Chance {
    fn next(&mut self, view: &View<'_, '_>) -> Option<Work> {
        self.left = self.left.checked_sub(1)?;
        let states: Vec<_> = view.states().collect();
        let at = self.below(states.len().max(1) as u64) as usize;
        Some(Work::Run { state: *states.get(at)?, budget: 1 + self.below(4) })
    }

    fn learn(&mut self, _: &Delta<'_>, _: &View<'_, '_>) {}
}

/// Checks each test that is said to reach a goal on the program itself.
struct Judge<'a> {
    graph: &'a Graph,
    goals: &'a [Block],
    accepts: bool,
    /// Goals that a test led to.
    shown: BTreeSet<usize>,
}

impl Sink for Judge<'_> {
    fn path(&mut self, _: &TestCase) {}

    fn reached(&mut self, goal: usize, test: &TestCase) -> Reception {
        let input = test.inputs[0].bytes[0];
        // What a model picks need not be what the function does: then the test is a guess.
        if !matches!(self.graph.special, Some((_, Special::Picks))) {
            let blocks = self.graph.run(input, Errors::End).blocks;
            assert!(
                blocks.contains(&self.goals[goal]),
                "{input} does not get to {:?}\n{}",
                self.goals[goal],
                self.graph.text()
            );
        }
        if !self.accepts {
            return Reception::Refused(Refusal::NotConfirmed(String::new()));
        }
        self.shown.insert(goal);
        Reception::Accepted
    }
}

fn goal(program: &Program, block: Block) -> Goal {
    let (name, number) = match block {
        Block::F(number) => ("f", number),
        Block::G(number) => ("g", number),
    };
    let func = program.function_named(name).unwrap();
    let pc = program.functions[func].blocks[BlockId::new(number)].start;
    Goal { name: format!("{block:?}"), steps: vec![GoalStep::Sites(vec![Site { func, pc }])] }
}

fn plan(program: &Program, goals: &[Block], way: Manner, ends: bool) -> Plan {
    let unsolved = StageChoice::Only(vec!["constants".into(), "slice".into()]);
    let is_unsolved = matches!(way, Manner::Unsolved | Manner::UnsolvedBy(_));
    let stages = if is_unsolved { unsolved } else { StageChoice::All };
    Plan {
        entries: vec!["f".into()],
        left_out: program.function_named("g").filter(|_| way == Manner::LeftOut).into_iter().collect(),
        search: way.scheme().unwrap_or("DFS").into(),
        seed: 0,
        limits: way.limits(ends),
        engine: Config { seeds: way.seeds(), ..Config::default() },
        solver: SolverConfig { stages, ..SolverConfig::default() },
        goals: goals.iter().map(|&block| goal(program, block)).collect(),
        models: Models { always: &[MODELS], stand_ins: &[], code: &[] },
    }
}

/// What is true of a program.
#[derive(Default)]
struct Truth {
    /// Where its inputs lead.
    reachable: BTreeSet<Block>,
    /// Where its inputs lead if it goes on after errors.
    beyond: BTreeSet<Block>,
    /// Whether it ends on all inputs.
    ends: bool,
}

impl Truth {
    fn of(graph: &Graph) -> Self {
        let mut truth = Truth { ends: true, ..Truth::default() };
        for input in 0..=u8::MAX {
            let trace = graph.run(input, Errors::End);
            truth.reachable.extend(trace.blocks);
            truth.ends &= trace.ends;
            if matches!(graph.special, Some((_, Special::Divides))) {
                truth.beyond.extend(graph.run(input, Errors::GoOn).blocks);
            }
        }
        truth.beyond.extend(&truth.reachable);
        truth
    }
}

/// Verdicts by kind, and states given up, so that a test that says nothing is seen.
type Counts = BTreeMap<&'static str, u64>;

/// Explores a program in one way, and compares.
fn check(graph: &Graph, program: &Program, truth: &Truth, way: Manner, counts: &mut Counts) {
    let goals = graph.blocks();
    let plan = plan(program, &goals, way, truth.ends);
    let mut judge = Judge { graph, goals: &goals, accepts: way != Manner::Refused, shown: BTreeSet::new() };
    let mut exploration = match way.scheme() {
        Some(_) => Exploration::new(program, &plan).unwrap(),
        None => Exploration::by(way.explorer(), program, &plan).unwrap(),
    };
    let summary = exploration.run(&mut judge, &mut |_| {}, &AtomicBool::new(way == Manner::Interrupted));
    *counts.entry("given up").or_default() += summary.shed;
    let is_understood = matches!(
        graph.special,
        None | Some((_, Special::Halves | Special::Calls | Special::Recurs | Special::Divides))
    );
    for (at, (outcome, block)) in summary.goals.iter().zip(&goals).enumerate() {
        let said = || format!("{way:?}: {block:?} is {:?}\n{}", outcome.verdict, graph.text());
        let kind = match &outcome.verdict {
            GoalVerdict::Reached => {
                assert!(judge.shown.contains(&at), "no test was shown: {}", said());
                "reached"
            }
            GoalVerdict::Unreachable(proof) => {
                *counts.entry("from its side").or_default() += u64::from(*proof == Proof::Backward);
                let is_left_out = way == Manner::LeftOut && matches!(block, Block::G(_));
                assert!(!truth.reachable.contains(block) && !is_left_out, "brute force gets there: {}", said());
                let is_beyond = truth.beyond.contains(block);
                assert!(!is_beyond || !outcome.unless.is_empty(), "an error may lead there: {}", said());
                if is_beyond { "unreachable but for errors" } else { "unreachable" }
            }
            GoalVerdict::Unknown(reasons) => {
                assert!(!reasons.is_empty(), "nobody knows why: {}", said());
                assert!(!(truth.ends && is_understood && way.is_free()), "nothing was in the way: {}", said());
                "unknown"
            }
        };
        *counts.entry(kind).or_default() += 1;
    }
}

/// Checks programs, each without limits and in some of the other ways, by turns.
fn check_all(programs: impl Iterator<Item = Graph>, ways: usize) -> (u64, Counts) {
    let (mut counts, mut number, mut turn) = (Counts::new(), 0, 0);
    for graph in programs {
        number += 1;
        let text = graph.text();
        let program = read_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        verify(&program).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let truth = Truth::of(&graph);
        check(&graph, &program, &truth, Manner::Free("DFS"), &mut counts);
        for _ in 0..ways {
            check(&graph, &program, &truth, WAYS[turn % WAYS.len()], &mut counts);
            turn += 1;
        }
    }
    (number, counts)
}

/// A graph as it is, and with each of its blocks special in each way.
fn with_specials(graph: Graph) -> impl Iterator<Item = Graph> {
    let blocks = 0..graph.ends.len();
    let specials = blocks.flat_map(|block| SPECIALS.map(|special| Some((block, special))));
    std::iter::once(None).chain(specials).map(move |special| Graph { special, ..graph.clone() })
}

/// Each kind of verdict is there, and each of these things at least a few times.
fn assert_says_much(counts: &Counts, few: &[&str]) {
    let verdicts = ["reached", "unreachable", "unknown"].map(|verdict| (verdict, 100));
    for (kind, least) in verdicts.into_iter().chain(few.iter().map(|&kind| (kind, 10))) {
        assert!(counts.get(kind).is_some_and(|&count| count >= least), "{kind}: {counts:?}");
    }
}

#[test]
fn verdicts_of_all_programs_of_two_blocks_in_every_way() {
    let all = (1..=2).flat_map(|blocks| graphs(blocks, 3)).flat_map(with_specials);
    let (number, counts) = check_all(all, WAYS.len());
    println!("{number} programs: {counts:?}");
    assert_says_much(&counts, &["given up"]);
}

#[test]
fn verdicts_of_all_programs_of_three_blocks() {
    let all = graphs(3, 2).into_iter().flat_map(with_specials);
    let (number, counts) = check_all(all, 1);
    println!("{number} programs: {counts:?}");
    assert_says_much(&counts, &["given up", "unreachable but for errors"]);
}

/// Of each graph one variant: which block is special, and how, goes by turns.
#[test]
fn verdicts_of_all_graphs_of_four_blocks_over_one_condition() {
    let turns = (0..4).flat_map(|block| SPECIALS.map(|special| Some((block, special)))).chain([None]).cycle();
    let all = graphs(4, 1).into_iter().zip(turns).map(|(graph, special)| Graph { special, ..graph });
    let (number, counts) = check_all(all, 1);
    println!("{number} programs: {counts:?}");
    assert_says_much(&counts, &["given up"]);
}
