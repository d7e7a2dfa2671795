//! Places that a run is to reach: which instructions are watched, and what happens when a state gets to one.
//!
//! A goal is a list of steps that a state passes in order ([`State::passed`]); the last one is the place itself. Invariant:
//! only instructions of open goals are watched, so a function without any runs as fast as ever. Which goals are open is kept here and
//! nowhere else: explorers read it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use taw_ir::{FileId, FuncId, Guard, Origin, Program, SecondaryMap, Site, guards};

use crate::cx::Cx;
use crate::finding::{Finding, FindingKind, StackEntry};
use crate::reason::Cut;
use crate::state::State;
use crate::test_case::{Outcome, TestCase};

/// What a state must pass. Each knows the instructions at which that can happen, for distances.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalStep {
    /// One of these instructions is about to be executed.
    Sites(Vec<Site>),
    /// A marker with that label is passed.
    Label(String, Vec<Site>),
    /// An error of that kind (of any, if none) at a line: the explorer sees it in the finding that ends the path.
    Error(ErrorAt, Vec<Site>),
}

impl GoalStep {
    /// The instructions at which it can be passed.
    pub fn sites(&self) -> &[Site] {
        match self {
            GoalStep::Sites(sites) | GoalStep::Label(_, sites) | GoalStep::Error(_, sites) => sites,
        }
    }
}

/// An error at a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErrorAt {
    /// Of what kind; none if any will do.
    pub kind: Option<FindingKind>,
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
}

impl ErrorAt {
    /// Whether a finding is such an error: the place is that of the innermost call that is the user's.
    pub fn is_met_by(&self, finding: &Finding, program: &Program) -> bool {
        let users = |entry: &&StackEntry| program.functions[entry.function].origin == Origin::User;
        let place = finding.stack.iter().find(users).or(finding.stack.first()).and_then(|entry| entry.loc);
        let here = place.is_some_and(|loc| program.locs[loc].file == self.file && program.locs[loc].line == self.line);
        here && self.kind.is_none_or(|kind| kind == finding.kind)
    }
}

/// A place to be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// Its name in tests.
    pub name: String,
    /// What must be passed, in order; never empty.
    pub steps: Vec<GoalStep>,
}

/// A state that has reached a goal.
#[derive(Debug)]
pub struct Arrival {
    /// Number of the goal.
    pub goal: usize,
    /// The inputs that lead there.
    pub test: Box<TestCase>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Open,
    /// Reached, and the explorer has not said yet what it thinks of it.
    Waiting,
    Closed,
}

/// Goals and steps to note at an instruction or label: numbers of both.
type Notes = Vec<(usize, u16)>;

/// What is watched in one function.
#[derive(Clone, Debug, Default)]
struct WatchedFunction {
    /// For each instruction whether it is.
    at: Vec<bool>,
    notes: BTreeMap<u32, Notes>,
    /// Goals whose guards are there.
    guards: BTreeMap<u32, Vec<(usize, Guard)>>,
}

/// The goals of a run.
#[derive(Debug, Default)]
pub struct Goals {
    goals: Vec<(Goal, Standing)>,
    closed: u64,
    functions: SecondaryMap<FuncId, Option<Box<WatchedFunction>>>,
    labels: BTreeMap<String, Notes>,
    arrivals: Vec<Arrival>,
    /// For each goal the branches that decide whether its last step is reached.
    guards: Vec<Vec<(FuncId, Guard)>>,
    misses: Vec<(usize, u64)>,
    /// Goals whose condition had no answer on some path, and why.
    unanswered: BTreeMap<usize, BTreeSet<Cut>>,
}

impl Goals {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }

    /// The goals that are not closed yet, ascending.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        let open = self.goals.iter().enumerate().filter(|(_, (_, standing))| *standing != Standing::Closed);
        open.map(|(number, _)| number)
    }

    /// How many are closed.
    pub fn closed(&self) -> u64 {
        self.closed
    }

    /// All open.
    pub fn new(program: &Program, goals: Vec<Goal>) -> Self {
        let goals = goals.into_iter().map(|goal| (goal, Standing::Open)).collect();
        let mut all = Goals { goals, ..Goals::default() };
        all.guards = all.goals.iter().map(|(goal, _)| guards_of(program, goal)).collect();
        all.watch(program);
        all
    }

    /// Open goals that states have missed since the last time this was asked, and by how much.
    pub fn misses(&mut self) -> Vec<(usize, u64)> {
        std::mem::take(&mut self.misses)
    }

    /// Why the condition of a goal had no answer on some paths.
    pub fn unanswered(&self, goal: usize) -> impl Iterator<Item = &Cut> {
        self.unanswered.get(&goal).into_iter().flatten()
    }

    /// The condition with that label has no answer on a path.
    pub(crate) fn leave_unanswered(&mut self, label: &str, why: Cut) {
        let is_it = |step: &GoalStep| matches!(step, GoalStep::Label(known, _) if known == label);
        for (number, (goal, _)) in self.goals.iter().enumerate() {
            if goal.steps.iter().any(is_it) {
                self.unanswered.entry(number).or_default().insert(why.clone());
            }
        }
    }

    /// The name of the first goal that has such a step.
    pub(crate) fn named(&self, is: impl Fn(&GoalStep) -> bool) -> Option<&str> {
        self.goals.iter().find(|(goal, _)| goal.steps.iter().any(&is)).map(|(goal, _)| goal.name.as_str())
    }

    /// Who got somewhere since the last time this was asked. Each goal waits until it is closed or opened again.
    pub fn arrivals(&mut self) -> Vec<Arrival> {
        std::mem::take(&mut self.arrivals)
    }

    /// The goal, which is open, is done with.
    pub fn close(&mut self, program: &Program, goal: usize) {
        self.goals[goal].1 = Standing::Closed;
        self.closed += 1;
        self.watch(program);
    }

    /// The arrival was not good enough: wait for another.
    pub fn reopen(&mut self, goal: usize) {
        self.goals[goal].1 = Standing::Open;
    }

    /// Watches what open goals need, and nothing else.
    fn watch(&mut self, program: &Program) {
        self.functions = SecondaryMap::new();
        self.labels.clear();
        let open = self.goals.iter().enumerate().filter(|(_, (_, standing))| *standing != Standing::Closed);
        for (number, (goal, _)) in open {
            for (step, wanted) in (0..).zip(&goal.steps) {
                match wanted {
                    GoalStep::Error(..) => {}
                    GoalStep::Label(label, _) => self.labels.entry(label.clone()).or_default().push((number, step)),
                    GoalStep::Sites(sites) => {
                        for site in sites {
                            let watch = watch_at(&mut self.functions, program, *site);
                            watch.notes.entry(site.pc).or_default().push((number, step));
                        }
                    }
                }
            }
            for &(func, guard) in &self.guards[number] {
                let watch = watch_at(&mut self.functions, program, Site { func, pc: guard.pc });
                watch.guards.entry(guard.pc).or_default().push((number, guard));
            }
        }
    }

    /// Whether anything is watched in a function.
    #[inline]
    pub(crate) fn watches(&self, func: FuncId) -> bool {
        self.functions[func].is_some()
    }

    /// Whether a step of an open goal is passed at an instruction.
    pub(crate) fn has_step_at(&self, func: FuncId, pc: u32) -> bool {
        self.functions[func].as_ref().is_some_and(|watch| watch.notes.contains_key(&pc))
    }

    /// Whether an instruction is watched.
    #[inline]
    fn is_watched(&self, func: FuncId, pc: u32) -> bool {
        self.functions[func].as_ref().is_some_and(|watch| watch.at[pc as usize])
    }

    /// Notes that a state passes steps; the goals whose last step that is.
    fn note(&mut self, notes: &Notes, state: &mut State) -> Vec<usize> {
        let mut reached = Vec::new();
        for &(goal, step) in notes {
            let (wanted, standing) = &mut self.goals[goal];
            if *standing != Standing::Open || state.passed.get(goal).copied().unwrap_or(0) != step {
                continue;
            }
            if usize::from(step) + 1 == wanted.steps.len() {
                *standing = Standing::Waiting;
                reached.push(goal);
            } else {
                let passed = Rc::make_mut(&mut state.passed);
                passed.resize(passed.len().max(goal + 1), 0);
                passed[goal] = step + 1;
            }
        }
        reached
    }
}

/// The guards of a goal's last step.
fn guards_of(program: &Program, goal: &Goal) -> Vec<(FuncId, Guard)> {
    let sites = goal.steps.last().map_or(&[][..], GoalStep::sites);
    let of = |site: &Site| {
        guards(&program.functions[site.func], site.pc).into_iter().map(|guard| (site.func, guard)).collect()
    };
    sites.iter().flat_map::<Vec<_>, _>(of).collect()
}

fn watch_at<'w>(
    functions: &'w mut SecondaryMap<FuncId, Option<Box<WatchedFunction>>>,
    program: &Program,
    site: Site,
) -> &'w mut WatchedFunction {
    let watch = functions[site.func].get_or_insert_default();
    watch.at.resize(program.functions[site.func].code.len(), false);
    watch.at[site.pc as usize] = true;
    watch
}

impl Cx<'_, '_> {
    /// The state is about to execute an instruction of a function in which something is watched.
    #[inline]
    pub(crate) fn look_around(&mut self) {
        let (func, pc) = (self.state.top.func, self.state.top.pc);
        if self.engine.goals.is_watched(func, pc) && self.state.upholding.is_none() {
            let Some(watch) = &self.engine.goals.functions[func] else { return };
            let missed = watch.guards.get(&pc).into_iter().flatten();
            let missed = missed.filter_map(|(goal, guard)| Some((*goal, self.near_miss(guard)?)));
            let missed: Vec<(usize, u64)> = missed.collect();
            let notes = watch.notes.get(&pc).cloned();
            self.engine.goals.misses.extend(missed);
            self.arrive(&notes.unwrap_or_default());
        }
    }

    /// The state passes a marker.
    pub(crate) fn look_at_label(&mut self, label: &str) {
        if let Some(notes) = self.engine.goals.labels.get(label).cloned() {
            self.arrive(&notes);
        }
    }

    #[cold]
    fn arrive(&mut self, notes: &Notes) {
        let reached = self.engine.goals.note(notes, self.state);
        if !reached.is_empty() {
            // The block it is in counts up to here.
            self.cover_partial();
        }
        for goal in reached {
            let name = self.engine.goals.goals[goal].0.name.clone();
            let test = Box::new(self.engine.test_case(self.state, Outcome::Reached(name)));
            self.engine.goals.arrivals.push(Arrival { goal, test });
        }
    }
}
