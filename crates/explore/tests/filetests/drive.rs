//! The one place that starts explorations: a function of the program, called by a function made for the test that hands
//! results over. Only what a user of the library sees is used.

use std::fmt::Write;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use taw_engine::{
    Checks, Config, Cx, Doubt, Goal, Input, ModelArgument, Outcome, OwnModel, Reception, Recorded, SharedSurroundings,
    Sink, Stop, TestCase, Value,
};
use taw_env::{Kernel, World};
use taw_explore::{Limits, Plan, Summary, explore};
use taw_ir::{Function, Program, Ty, read_program, verify};
use taw_solver::SolverConfig;

use crate::answer::shown;

/// The function that calls the one in question.
pub const CALLER: &str = "filetest.caller";
/// It gets the results.
const RESULT: &str = "filetest.result";
/// It assumes that its two arguments are equal.
const PIN: &str = "filetest.pin";

/// A program with a function that calls another, and what is done with it.
pub struct Driven {
    /// The whole.
    pub program: Program,
    checks: Checks,
}

/// What is different from one exploration to the next.
#[derive(Default)]
pub struct Variation {
    /// Inputs, as constants.
    pub concrete: Option<Vec<Input>>,
    /// Inputs and decisions of a path that is walked again.
    pub recorded: Option<Recorded>,
    /// Inputs that the first path takes.
    pub seed: Option<Vec<Input>>,
    /// When to stop.
    pub limits: Limits,
    /// What is to be reached.
    pub goals: Vec<Goal>,
}

/// A path that ended.
#[derive(Clone)]
pub struct EndedPath {
    /// How, in words; what a finding says in detail is not part of it.
    pub outcome: String,
    /// How, and what a finding says.
    pub detail: String,
    /// Its inputs.
    pub inputs: Vec<Input>,
    /// Which way it went.
    pub decisions: Vec<u32>,
}

/// The end of an exploration.
pub struct Explored {
    /// All paths in the order in which they ended.
    pub paths: Vec<EndedPath>,
    /// For each goal that was reached the inputs.
    pub reached: Vec<(usize, Vec<Input>)>,
    /// What the explorer says.
    pub summary: Summary,
}

impl Driven {
    /// Adds a function that calls `function` with its own parameters; where `pinned` has a constant, it is equal to that.
    pub fn new(text: &str, function: &Function, pinned: &[String], checks: Checks) -> Result<Self, String> {
        let params = |i: usize, ty: Ty| format!("v{i}: {ty} \"{}\"", parameter_name(function, i));
        let list = |f: &dyn Fn(usize) -> String, n: usize| (0..n).map(f).collect::<Vec<_>>().join(", ");
        let taken = list(&|i| params(i, function.params[i].ty), function.params.len());
        let mut body = String::new();
        for (i, constant) in pinned.iter().enumerate() {
            let _ = writeln!(body, "    call @{PIN}(v{i}, {constant})");
        }
        let passed = list(&|i| format!("v{i}"), function.params.len());
        body.push_str(&calling(function, &passed));
        Self::with(text, &taken, &body, checks)
    }

    /// Adds a function that calls `function` with constants.
    pub fn constant(text: &str, function: &Function, constants: &[String], checks: Checks) -> Result<Self, String> {
        Self::with(text, "", &calling(function, &constants.join(", ")), checks)
    }

    fn with(text: &str, params: &str, body: &str, checks: Checks) -> Result<Self, String> {
        let text = format!(
            "{text}\ndeclare @{RESULT}(...)\ndeclare @{PIN}(...)\n\
             func @{CALLER}({params}) -> i32 {{\nb0:\n{body}    ret i32 0\n}}\n"
        );
        let program = read_program(&text).map_err(|error| format!("the calling function: {error}"))?;
        verify(&program).map_err(|error| format!("the calling function: {error}"))?;
        Ok(Driven { program, checks })
    }

    /// Explores the function to the end or to the limits.
    pub fn explore(&self, way: Variation) -> Result<Explored, String> {
        let search =
            if way.goals.is_empty() { taw_search::DEFAULT_FORWARD } else { taw_search::DEFAULT_DIRECTED }.to_owned();
        let concrete = way.concrete.is_some();
        let replay = way.concrete.map(|inputs| Recorded { inputs, path: Vec::new() }).or(way.recorded);
        let engine = Config {
            checks: self.checks,
            concrete,
            replay,
            seeds: way.seed.into_iter().collect(),
            surroundings: SharedSurroundings::new(Kernel::new(World::default())),
            own_models: vec![Rc::new(Results), Rc::new(Pin)],
            ..Config::default()
        };
        let plan = Plan {
            entries: vec![CALLER.to_owned()],
            left_out: Vec::new(),
            search,
            seed: 0,
            limits: Limits { time: Some(Duration::from_secs(20)), collect_after: Some(1), ..way.limits },
            engine,
            solver: SolverConfig::default(),
            goals: way.goals,
            models: taw_env::MODELS,
        };
        let (mut seen, stop) = (Seen::default(), AtomicBool::new(false));
        let summary =
            explore(&self.program, &plan, &mut seen, &mut |_| {}, &stop).map_err(|error| error.to_string())?;
        Ok(Explored { paths: seen.paths, reached: seen.reached, summary })
    }
}

/// The name of a parameter's input.
pub fn parameter_name(function: &Function, i: usize) -> String {
    let name = &function.params[i].name;
    if name.is_empty() { format!("arg{i}") } else { name.clone() }
}

/// The lines that call a function and hand its results over; registers from 1000 on hold them.
fn calling(function: &Function, passed: &str) -> String {
    let returns: Vec<String> = function.returns.iter().map(Ty::to_string).collect();
    let name = &function.name;
    if returns.is_empty() {
        return format!("    call @{name}({passed})\n    call @{RESULT}()\n");
    }
    let dsts: Vec<String> = returns.iter().zip(1000..).map(|(ty, i)| format!("v{i}: {ty}")).collect();
    let handed: Vec<String> = (1000..).take(returns.len()).map(|i| format!("v{i}")).collect();
    let (dsts, returns, handed) = (dsts.join(", "), returns.join(", "), handed.join(", "));
    format!("    {dsts} = call @{name}({passed}) -> {returns}\n    call @{RESULT}({handed})\n")
}

/// Notes results under the witness: nothing is decided after it.
#[derive(Debug)]
struct Results;

impl OwnModel for Results {
    fn name(&self) -> &str {
        RESULT
    }

    fn call(&self, cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
        let mut all = Vec::new();
        for arg in args {
            let term = arg.value.to_term(cx.terms(), arg.width);
            let bits = cx.state.witness.bits(&cx.engine.terms, term);
            all.push(format!("{}: {}", shown(&bits, arg.ty), arg.ty));
        }
        let text = if all.is_empty() { "returns".to_owned() } else { format!("== {}", all.join(", ")) };
        cx.state.prints.push(text);
        Ok(Value::word(0))
    }

    fn doubt(&self) -> Option<Doubt> {
        None
    }
}

#[derive(Debug)]
struct Pin;

impl OwnModel for Pin {
    fn name(&self) -> &str {
        PIN
    }

    fn call(&self, cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
        let [a, b] = [args[0], args[1]].map(|arg| arg.value.to_term(cx.terms(), arg.width));
        let equal = cx.terms().eq(a, b);
        let equal = cx.value(equal);
        cx.assume(equal)?;
        Ok(Value::word(0))
    }

    fn doubt(&self) -> Option<Doubt> {
        None
    }
}

#[derive(Default)]
struct Seen {
    paths: Vec<EndedPath>,
    reached: Vec<(usize, Vec<Input>)>,
}

impl Sink for Seen {
    fn path(&mut self, test: &TestCase) {
        let detail = detail(test);
        let outcome = match &test.outcome {
            Outcome::Finding(finding) => format!("error {}", finding.kind.name()),
            _ => detail.clone(),
        };
        self.paths.push(EndedPath {
            outcome,
            detail,
            inputs: test.inputs.clone(),
            decisions: test.path.to_vec().iter().map(|decision| decision.way).collect(),
        });
    }

    fn reached(&mut self, goal: usize, test: &TestCase) -> Reception {
        self.reached.push((goal, test.inputs.clone()));
        Reception::Accepted
    }
}

fn detail(test: &TestCase) -> String {
    match (&test.outcome, test.prints.last()) {
        (Outcome::Exit(0), Some(results)) => results.clone(),
        (Outcome::Exit(code), _) => format!("exit {code}"),
        (Outcome::Signal(signal), _) => format!("signal {signal}"),
        (Outcome::Finding(finding), _) => format!("error {}: {}", finding.kind.name(), plain(&finding.message)),
        (Outcome::Unsupported { what, .. }, _) => format!("unsupported: {what}"),
        (Outcome::Reached(name), _) => format!("reached {name}"),
        (Outcome::Halted(why), _) => format!("limit: {why:?}"),
        (Outcome::Unknown(why), _) => format!("unknown: {why:?}"),
    }
}

/// A message without addresses: where objects lie is nobody's business.
fn plain(message: &str) -> String {
    let word = |word: &str| match word.strip_prefix("0x") {
        Some(digits) if digits.len() > 4 => "0x…,".to_owned(),
        _ => word.to_owned(),
    };
    message.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
