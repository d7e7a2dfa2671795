//! Inputs that something other than the search proposes, tried: the whole program runs on them, and what it meets on the way is as good as found by walking.
//!
//! Whoever simplifies the program (a slice, a loop as a function) may so be wrong without harm: it proposes, and nothing is believed.
//! Invariant: a test that comes from here went every decision of the program itself.

use std::cell::RefCell;
use std::time::Duration;

use taw_engine::{Config, Input, Reception, Recorded, Refusal, Sink, TestCase};
use taw_ir::Program;
use taw_search::Spent;

use crate::exploration::Exploration;
use crate::forward::Forward;
use crate::limits::LimitWatch;
use crate::{Limits, Plan};

/// What a trial has come to.
#[derive(Default)]
pub(crate) struct Trial {
    /// The goals that were met, in this order, and the test of each.
    pub(crate) met: Vec<(usize, TestCase)>,
    pub(crate) spent: Spent,
}

/// Collects what is met.
#[derive(Default)]
struct Met(RefCell<Vec<(usize, TestCase)>>);

impl Sink for &Met {
    fn path(&mut self, _: &TestCase) {}

    fn reached(&mut self, goal: usize, test: &TestCase) -> Reception {
        self.0.borrow_mut().push((goal, test.clone()));
        Reception::Futile(Refusal::Invisible("one is enough".to_owned()))
    }
}

/// A path of more instructions is not walked twice: its test has no decisions.
const SHORT: u64 = 1_000_000;

/// Runs the program on these inputs for so many instructions at most. A run that may be long is one of constants, and its test has the
/// decisions only if it was short.
pub(crate) fn try_long(
    program: &Program,
    plan: &Plan,
    inputs: &[Input],
    most: u64,
    left: Option<Duration>,
    watch: &mut LimitWatch<'_>,
) -> Trial {
    let constants = Plan { engine: Config { concrete: true, ..plan.engine.clone() }, ..plan.clone() };
    let seen = try_inputs(program, &constants, inputs, most, left, watch);
    if seen.met.is_empty() || seen.spent.instructions > SHORT {
        return seen;
    }
    let again = try_inputs(program, plan, inputs, most, left, watch);
    Trial { spent: seen.spent + again.spent, ..again }
}

/// Runs the program on these inputs for so many instructions at most.
pub(crate) fn try_inputs(
    program: &Program,
    plan: &Plan,
    inputs: &[Input],
    most: u64,
    left: Option<Duration>,
    watch: &mut LimitWatch<'_>,
) -> Trial {
    let recorded = Recorded { inputs: inputs.to_vec(), path: Vec::new() };
    let engine = Config { replay: Some(recorded), seeds: Vec::new(), trace: false, ..plan.engine.clone() };
    let limits = Limits { time: left, paths: None, instructions: None, ..plan.limits.clone() };
    let plan = Plan { engine, limits, ..plan.clone() };
    let met = Met::default();
    let explorer = Forward::new("DFS", plan.seed);
    let Some(mut run) = explorer.ok().and_then(|forward| Exploration::by(Box::new(forward), program, &plan).ok())
    else {
        return Trial::default();
    };
    while run.spent().instructions < most && !run.is_over() && run.advance(watch, &mut &met).is_continue() {}
    let spent = run.spent();
    Trial { met: met.0.take(), spent }
}
