//! Places to be reached, and how far states are from them.
//!
//! A target is one or more steps that a path must pass in order, each at one of some instructions; the last is the place
//! itself. Nearly all have one step: those share one table of distances, from which a target is taken away when it is
//! closed. The others (stack traces) have a table per step, made when first asked for, as has a target when it is asked for
//! by itself.

use std::cell::OnceCell;
use std::rc::Rc;

use taw_engine::{Phase, State};
use taw_ir::{CallGraph, Distances, FuncId, Program, Site};
use taw_search::TargetId;

/// A target: per step the instructions at which it is passed.
pub type Steps = Vec<Vec<Site>>;

/// The targets of a run.
#[derive(Debug)]
pub struct Targets<'p> {
    program: &'p Program,
    graph: Rc<CallGraph>,
    targets: Vec<Target>,
    /// To the nearest open target of one step.
    nearest: Distances,
    closed: u64,
}

#[derive(Debug)]
struct Target {
    steps: Steps,
    open: bool,
    /// Per step the distances to it, and the shortest way from it through the steps after it.
    ways: Vec<OnceCell<(Distances, u64)>>,
}

impl<'p> Targets<'p> {
    /// All open. A target's number is its position. `graph` is the program's.
    pub fn new(program: &'p Program, graph: Rc<CallGraph>, targets: Vec<Steps>) -> Self {
        let plain: Vec<Site> = targets.iter().filter(|t| t.len() == 1).flatten().flatten().copied().collect();
        let nearest = Distances::to(program, &graph, &plain);
        let target = |steps: Steps| Target { ways: vec![OnceCell::new(); steps.len()], steps, open: true };
        Targets { program, graph, targets: targets.into_iter().map(target).collect(), nearest, closed: 0 }
    }

    /// The target is done with: reached, or given up.
    pub fn close(&mut self, target: TargetId) {
        let closed = &mut self.targets[target.0 as usize];
        if !std::mem::replace(&mut closed.open, false) {
            return;
        }
        self.closed += 1;
        if closed.steps.len() == 1 {
            let sites = closed.steps[0].clone();
            let shared =
                |site: &Site| self.targets.iter().any(|t| t.open && t.steps.len() == 1 && t.steps[0].contains(site));
            for site in sites.into_iter().filter(|site| !shared(site)) {
                self.nearest.remove(self.program, &self.graph, site);
            }
        }
    }

    /// The targets not closed yet, ascending.
    pub fn open(&self) -> Vec<TargetId> {
        (0..).map(TargetId).zip(&self.targets).filter(|(_, t)| t.open).map(|(id, _)| id).collect()
    }

    /// How many have been closed.
    pub fn closed(&self) -> u64 {
        self.closed
    }

    /// The distance of a state to the nearest open target; `None` means that none can be reached any more.
    ///
    /// `passed` says for each target how many of its steps the state has passed; those at the end may be missing.
    pub fn distance(&self, state: &State, passed: &[u16]) -> Option<u64> {
        let many = (0..).map(TargetId).zip(&self.targets).filter(|(_, t)| t.open && t.steps.len() > 1);
        let many = many.filter_map(|(id, _)| self.distance_to(state, id, passed)).min();
        measure(&self.nearest, state, self.program).into_iter().chain(many).min()
    }

    /// The distance of a state to one target.
    pub fn distance_to(&self, state: &State, target: TargetId, passed: &[u16]) -> Option<u64> {
        let passed = passed.get(target.0 as usize).copied().unwrap_or(0);
        let target = &self.targets[target.0 as usize];
        let step = usize::from(passed).min(target.steps.len() - 1);
        let (distances, rest) = self.way(target, step);
        Some(measure(distances, state, self.program)? + rest)
    }

    /// As [`distance`](Self::distance), for targets of one step and without ways into callees.
    pub fn distance_intra(&self, state: &State) -> Option<u64> {
        self.nearest.intra_from_stack(stack(state))
    }

    fn way<'a>(&self, target: &'a Target, step: usize) -> &'a (Distances, u64) {
        target.ways[step].get_or_init(|| {
            let sites = &target.steps[step];
            let rest = match target.steps.len() {
                len if step + 1 == len => 0,
                _ => {
                    let (next, rest) = self.way(target, step + 1);
                    // If the next step is not further in, it is further out: at least one more instruction.
                    rest + sites.iter().filter_map(|&site| next.from_site(site)).min().unwrap_or(1)
                }
            };
            (self.nearest.to_others(self.program, &self.graph, sites), rest)
        })
    }

    /// The distance from an instruction to the nearest open target of one step, without returning from its function.
    pub(crate) fn nearest_from(&self, site: Site) -> Option<u64> {
        self.nearest.from_site(site)
    }

    /// To the nearest open target of one step.
    pub(crate) fn nearest(&self) -> &Distances {
        &self.nearest
    }
}

/// The distance of a state in the calls it is in.
pub(crate) fn measure(distances: &Distances, state: &State, program: &Program) -> Option<u64> {
    distances.from_stack_then(stack(state), from_start(distances, state, program))
}

/// The calls of a state, innermost first.
pub(crate) fn stack(state: &State) -> impl Iterator<Item = Site> + '_ {
    let frames = std::iter::once(&state.top).chain(state.callers.iter().rev().map(|f| &**f));
    frames.map(|frame| Site { func: frame.func, pc: frame.pc })
}

/// The distance from the start of the program proper, for a state that is not there yet.
pub(crate) fn from_start(distances: &Distances, state: &State, program: &Program) -> Option<u64> {
    if !matches!(state.phase, Phase::Booting(_) | Phase::Starting(_)) {
        return None;
    }
    let first = |func: FuncId| distances.from_site(Site { func, pc: 0 });
    let entry = state.entry.iter().map(|frame| frame.func);
    entry.chain(program.constructors.iter().copied()).filter_map(first).min()
}
