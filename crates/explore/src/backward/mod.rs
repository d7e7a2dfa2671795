//! Call-chain-backward search (`CCBSE`, `Mix-CCBSE`; Ma, section 3.1.2): from the functions of the goals with an unknown state, then from their callers,
//! up to where the program begins.
//!
//! Each function is a run of its own ([`origin`]). A path that one finds becomes a guide for whoever calls it ([`guides`]); a run that ends without any,
//! and was cut off nowhere, is a proof: no call of that function gets there. Where every way to a goal leads into such a call, the goal is unreachable.
//!
//! Boundary: nothing is reached here. A goal is reached when a path from where the program begins gets there, which the [`Exploration`](crate::Exploration) that owns this
//! executes itself. Invariant: a function is started when a goal lies in it, or when a run from something that it calls has found a path or is over
//! without a proof; so when nothing is left to start, every chain of calls to an open goal ends where paths begin.

mod guides;
mod node_run;
mod origin;
mod points;
mod sides;
mod slices;
mod suffix;
mod symcretic;
mod trace;
mod turns;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use taw_engine::{Engine, GoalStep, TestCase, entry_obstacle};
use taw_ir::{CallGraph, FuncId, LocId, Origin, Program, Site};
use taw_search::{SearchScheme, Spent};

pub(crate) use guides::{Guided, Guides, SharedGuides};
use origin::{Found, OriginRun, proves};
use points::Points;
use slices::{Sliced, Slices};
use symcretic::{Symcretic, SymcreticYield};

use crate::hunt::Hunt;
use crate::limits::LimitWatch;
use crate::{GoalOutcome, GoalVerdict, Plan, Proof};

/// Slices that a run gets in one turn.
const TURN: u32 = 16;

/// What it costs to start a run, in units, for each instruction of the program.
const STARTING: u64 = 4;

/// What a portfolio does backward at least when nothing is left forward, in units.
const AFTERWARDS: u64 = 10_000_000;

/// Where it is known that nothing gets to a goal any more, whatever was before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Barrier {
    /// A function: no call of it gets there.
    pub func: FuncId,
    /// A place in it, which every call that gets there would pass: nothing gets there from here on; none if it is all of the function.
    pub from: Option<LocId>,
}

/// What was done backward, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BackwardCounts {
    /// Functions that runs started at.
    pub origins: u64,
    /// Places in the middle of functions that runs started at.
    pub points: u64,
    /// Slices of the program that goals were looked for in.
    pub slices: u64,
    /// Goals that were decided so.
    pub sliced: u64,
    /// Paths found from such a function to a goal.
    pub found: u64,
    /// Calls that took one up and got to the goal.
    pub stitched: u64,
    /// Calls that took one up and did not.
    pub refuted: u64,
    /// Of the goals that were reached, those whose test comes from such a path.
    pub decisive: u64,
    /// Stretches between two places with a choice that ways back from the goals have.
    pub segments: u64,
    /// Branches on them that were skipped because the solver has no answer.
    pub skipped: u64,
    /// Ways that were followed back to where the program begins, and run from there.
    pub wholes: u64,
    /// Instructions executed and queries asked.
    pub spent: Spent,
}

/// The backward half of a run.
pub(crate) struct Backward<'p> {
    program: &'p Program,
    plan: Plan,
    /// The strategy of every run.
    search: String,
    /// What the forward half gets of the work; nothing: it is one of the functions, and waits until it is ready.
    share: Option<f64>,
    /// What the forward half spends before anything is done here.
    head_start: u64,
    /// The strategy in slices, if there are any.
    in_slices: Option<String>,
    slices: Slices<'p>,
    /// Ways back from the goals, if that is how it goes: then it does nothing else.
    symcretic: Option<Symcretic<'p>>,
    pub(crate) guides: SharedGuides,
    /// How many calls lead to a function.
    depths: BTreeMap<FuncId, usize>,
    /// Functions that were made ready.
    seen: BTreeSet<FuncId>,
    /// Ready, and not started.
    waiting: BTreeSet<(usize, FuncId)>,
    /// Where paths begin can be run.
    pub(crate) is_forward_ready: bool,
    runs: Vec<OriginRun<'p>>,
    /// Places in the middle of functions, nearest to the goals first.
    points: Points,
    /// For each goal the functions that no call of gets there, and the outcome of each.
    barred: BTreeMap<usize, BTreeMap<FuncId, GoalOutcome>>,
    /// For each goal the places of it that nothing gets to, and the outcome of each.
    dead: BTreeMap<usize, BTreeMap<Site, GoalOutcome>>,
    counts: BackwardCounts,
    /// What runs that are over have spent; of that, what slices have.
    past: Spent,
    on_slices: Spent,
}

/// What a piece of work has come to.
#[derive(Default)]
pub(crate) struct BackwardYield {
    /// Goals that are unreachable.
    pub(crate) proved: Vec<(usize, GoalOutcome)>,
    /// Goals that the whole program was seen to meet, and the test of each.
    pub(crate) met: Vec<(usize, TestCase)>,
}

impl<'p> Backward<'p> {
    /// Before anything is started; nothing if the scheme goes forward only.
    pub(crate) fn new(scheme: &SearchScheme, program: &'p Program, plan: &Plan, guides: SharedGuides) -> Option<Self> {
        let (search, share, in_slices) = match scheme {
            SearchScheme::Forward(_) | SearchScheme::Concolic(_) => return None,
            SearchScheme::Symcretic => (String::new(), None, None),
            SearchScheme::Backward(search) => (search.clone(), None, None),
            SearchScheme::Mixed { forward, backward, share, portfolio_after } => {
                (backward.clone(), Some(*share), portfolio_after.map(|start| (forward.clone(), start)))
            }
        };
        let (in_slices, head_start) = in_slices.map_or((None, 0), |(search, start)| (Some(search), start));
        Some(Backward {
            program,
            plan: plan.clone(),
            search,
            share,
            head_start,
            in_slices,
            slices: Slices::default(),
            symcretic: (*scheme == SearchScheme::Symcretic).then(Symcretic::default),
            guides,
            depths: BTreeMap::new(),
            seen: BTreeSet::new(),
            waiting: BTreeSet::new(),
            is_forward_ready: false,
            runs: Vec::new(),
            points: Points::default(),
            barred: BTreeMap::new(),
            dead: BTreeMap::new(),
            counts: BackwardCounts::default(),
            past: Spent::default(),
            on_slices: Spent::default(),
        })
    }

    /// The functions in which goals lie are ready.
    pub(crate) fn begin(&mut self, hunt: &Hunt<'p>, open: impl Iterator<Item = usize>) {
        self.depths = depths(&hunt.graph, self.program, &self.plan.entries);
        let open: Vec<usize> = open.filter(|goal| !hunt.is_late(*goal)).collect();
        if let Some(symcretic) = &mut self.symcretic {
            *symcretic = Symcretic::new(&open);
            return;
        }
        self.points = Points::new(self.program, &self.plan, &open);
        if self.in_slices.is_some() {
            self.slices = Slices::new(self.program, &self.plan, &open);
        }
        for goal in open {
            let sites = self.plan.goals[goal].steps.last().map_or(&[][..], GoalStep::sites);
            let functions: BTreeSet<FuncId> = sites.iter().map(|site| site.func).collect();
            functions.into_iter().for_each(|func| self.make_ready(&hunt.graph, func));
        }
    }

    /// A function may be started; where that cannot be, its callers may.
    fn make_ready(&mut self, graph: &CallGraph, func: FuncId) {
        let mut ready = vec![func];
        while let Some(func) = ready.pop() {
            let function = &self.program.functions[func];
            if self.plan.entries.contains(&function.name) {
                self.is_forward_ready = true;
                continue;
            }
            let Some(&depth) = self.depths.get(&func) else { continue };
            if !self.seen.insert(func) {
                continue;
            }
            let starts = function.origin == Origin::User
                && !function.variadic
                && entry_obstacle(self.program, function).is_none();
            match starts {
                true => drop(self.waiting.insert((depth, func))),
                false => ready.extend(graph.callers(func).map(|site| site.func)),
            }
        }
    }

    fn make_callers_ready(&mut self, graph: &CallGraph, func: FuncId) {
        let callers: BTreeSet<FuncId> = graph.callers(func).map(|site| site.func).collect();
        callers.into_iter().for_each(|caller| self.make_ready(graph, caller));
    }

    /// Whether nothing is left to do.
    pub(crate) fn is_over(&self) -> bool {
        if let Some(symcretic) = &self.symcretic {
            return symcretic.is_over();
        }
        self.runs.is_empty() && self.waiting.is_empty() && self.points.is_empty() && self.slices.is_empty()
    }

    /// Whether the next piece of work is the backward half's, when the forward half has spent that.
    pub(crate) fn has_turn(&self, forward: Spent) -> bool {
        if self.is_over() {
            return false;
        }
        match self.share {
            None if self.symcretic.is_some() => true,
            // Nothing is nearer to where paths begin than that itself.
            None => !self.is_forward_ready || !self.points.is_empty(),
            Some(share) => {
                let forward = forward.units();
                // Asked after every slice of the forward half: what is cheap comes first.
                forward >= self.head_start
                    && (self.spent().units() as f64) * share <= (forward as f64) * (1.0 - share)
                    && (self.has_origins() || !self.points.is_empty() || self.slices.level(forward).is_some())
            }
        }
    }

    /// Whether enough was done here for a run that has nothing left forward. From the middle of a program there may be no end: a portfolio, which nobody has asked
    /// to go back, does not wait for one.
    pub(crate) fn has_had_enough(&self, forward: Spent) -> bool {
        self.in_slices.is_some() && self.spent().units() >= forward.units().max(AFTERWARDS)
    }

    /// What was spent on it.
    pub(crate) fn spent(&self) -> Spent {
        let past = self.symcretic.as_ref().map_or(self.past, |symcretic| symcretic.counts.spent);
        self.runs.iter().map(|origin| origin.run.spent()).fold(past, |sum, spent| sum + spent)
    }

    pub(crate) fn counts(&self) -> BackwardCounts {
        let guides = self.guides.borrow();
        let ways = self.symcretic.as_ref().map(|symcretic| symcretic.counts).unwrap_or_default();
        BackwardCounts {
            stitched: guides.stitched,
            refuted: guides.refuted,
            segments: ways.segments,
            skipped: ways.skipped,
            wholes: ways.wholes,
            spent: self.spent(),
            ..self.counts
        }
    }

    /// A goal of the forward half was reached, by a path that was found here or without.
    pub(crate) fn reached(&mut self, led: bool) {
        self.counts.decisive += u64::from(led);
    }

    /// Goals that are decided are nobody's any more.
    pub(crate) fn close(&mut self, goal: usize) {
        self.guides.borrow_mut().close(goal);
        self.slices.close(goal);
        if let Some(symcretic) = &mut self.symcretic {
            symcretic.close(goal);
        }
        for origin in &mut self.runs {
            origin.run.forget_goal(goal);
        }
    }

    /// A piece of work: in a slice, from a place in the middle, or from the function nearest to where paths begin.
    pub(crate) fn work(
        &mut self,
        engine: &Engine<'p>,
        hunt: &Hunt<'p>,
        open: &[usize],
        forward: u64,
        watch: &mut LimitWatch<'_>,
    ) -> BackwardYield {
        if let Some(mut symcretic) = self.symcretic.take() {
            let SymcreticYield { proved, met } = symcretic.work(&self.sliced(engine, hunt, watch), watch);
            self.symcretic = Some(symcretic);
            return BackwardYield { proved: proved.into_iter().collect(), met };
        }
        let is_slice_due = match self.slices.level(forward) {
            None => false,
            Some(0) => true,
            Some(_) => {
                self.points.is_empty() && (self.on_slices.units() * 2 <= self.spent().units() || !self.has_origins())
            }
        };
        if is_slice_due {
            return self.try_slice(engine, hunt, forward, watch);
        }
        let proved = match self.points.is_empty() {
            true => self.run_nearest(hunt, open, watch),
            false => self.try_point(hunt, open, watch),
        };
        BackwardYield { proved, met: Vec::new() }
    }

    /// What starting a run costs, beside what it does.
    fn starting(&self) -> Spent {
        let size: usize = self.program.functions.values().map(|function| function.code.len()).sum();
        Spent { instructions: size as u64 * STARTING, queries: 0 }
    }

    fn has_origins(&self) -> bool {
        !self.runs.is_empty() || !self.waiting.is_empty()
    }

    /// What is sliced.
    fn sliced<'a>(&'a self, engine: &'a Engine<'p>, hunt: &'a Hunt<'p>, watch: &LimitWatch<'_>) -> Sliced<'a, 'p> {
        Sliced {
            engine,
            graph: &hunt.graph,
            program: self.program,
            plan: &self.plan,
            search: self.in_slices.as_deref().unwrap_or(&self.search),
            left: self.plan.limits.time.map(|time| time.saturating_sub(watch.elapsed())),
        }
    }

    /// Looks for a goal in a slice of the program.
    fn try_slice(
        &mut self,
        engine: &Engine<'p>,
        hunt: &Hunt<'p>,
        forward: u64,
        watch: &mut LimitWatch<'_>,
    ) -> BackwardYield {
        let mut slices = std::mem::take(&mut self.slices);
        let attempt = slices.attempt(&self.sliced(engine, hunt, watch), forward, watch);
        self.slices = slices;
        self.counts.slices += 1;
        self.on_slices = self.on_slices + attempt.spent;
        self.past = self.past + attempt.spent;
        BackwardYield { proved: attempt.proved.into_iter().collect(), met: attempt.met }
    }

    /// Runs the function nearest to where paths begin for a while; the goals that are thereby proved unreachable.
    fn run_nearest(
        &mut self,
        hunt: &Hunt<'p>,
        open: &[usize],
        watch: &mut LimitWatch<'_>,
    ) -> Vec<(usize, GoalOutcome)> {
        let Some(at) = self.nearest(open, watch) else { return Vec::new() };
        let (found, origin) = (Found::default(), &mut self.runs[at]);
        let over = (0..TURN).any(|_| origin.run.is_over() || origin.run.advance(watch, &mut &found).is_break());
        let func = origin.func;
        let mut is_new = false;
        for (goal, ways) in found.take() {
            is_new |= self.guides.borrow_mut().add(func, goal, &ways);
            self.counts.found += 1;
        }
        if is_new {
            self.make_callers_ready(&hunt.graph, func);
        }
        if over { self.ended(at, hunt, open, watch) } else { Vec::new() }
    }

    /// Looks whether anything gets to goals from a place in the middle of their function.
    fn try_point(&mut self, hunt: &Hunt<'p>, open: &[usize], watch: &mut LimitWatch<'_>) -> Vec<(usize, GoalOutcome)> {
        let left = self.plan.limits.time.map(|time| time.saturating_sub(watch.elapsed()));
        let Some(tried) = self.points.attempt(self.program, &self.plan, open, left, watch) else { return Vec::new() };
        self.counts.points += 1;
        self.past = self.past + tried.spent + self.starting();
        let mut decided = Vec::new();
        for (goal, outcome) in tried.dead {
            let sites = self.plan.goals[goal].steps.last().map_or(&[][..], GoalStep::sites);
            let here = sites.iter().filter(|site| site.func == tried.func);
            self.dead.entry(goal).or_default().extend(here.map(|site| (*site, outcome.clone())));
            decided.extend(self.behind(goal, hunt).map(|outcome| (goal, outcome)));
        }
        decided
    }

    /// The run to go on with: that of the function nearest to where paths begin, which is started if need be.
    fn nearest(&mut self, open: &[usize], watch: &LimitWatch<'_>) -> Option<usize> {
        let started = self.runs.iter().map(|origin| origin.depth).min();
        while let Some(&(depth, func)) = self.waiting.first().filter(|(depth, _)| started.is_none_or(|at| *depth < at))
        {
            self.waiting.remove(&(depth, func));
            let left = self.plan.limits.time.map(|time| time.saturating_sub(watch.elapsed()));
            let origin = OriginRun::new(func, depth, self.program, &self.plan, &self.search, &self.guides, left);
            // What cannot be started has been told apart; what else is wrong is so for the whole program, and said there.
            let Ok(mut origin) = origin else { continue };
            let closed = (0..self.plan.goals.len()).filter(|goal| !open.contains(goal));
            closed.for_each(|goal| origin.run.forget_goal(goal));
            self.counts.origins += 1;
            self.past = self.past + self.starting();
            self.runs.push(origin);
            break;
        }
        (0..self.runs.len()).min_by_key(|&at| self.runs[at].depth)
    }

    /// A run is over: either nobody can get to a goal through its function, or its callers must be asked.
    fn ended(
        &mut self,
        at: usize,
        hunt: &Hunt<'p>,
        open: &[usize],
        watch: &mut LimitWatch<'_>,
    ) -> Vec<(usize, GoalOutcome)> {
        let OriginRun { func, mut run, .. } = self.runs.swap_remove(at);
        let summary = run.finish(None, watch, &mut &Found::default());
        self.past = self.past + run.spent();
        let mut is_barred = true;
        let mut decided = Vec::new();
        for &goal in open.iter().filter(|goal| !hunt.is_late(**goal)) {
            if !proves(&summary, &summary.goals[goal]) {
                is_barred = false;
                continue;
            }
            self.barred.entry(goal).or_default().insert(func, summary.goals[goal].clone());
            decided.extend(self.behind(goal, hunt).map(|outcome| (goal, outcome)));
        }
        if !is_barred {
            self.make_callers_ready(&hunt.graph, func);
        }
        decided
    }

    /// The outcome of a goal of which every way there is barred.
    fn behind(&self, goal: usize, hunt: &Hunt<'p>) -> Option<GoalOutcome> {
        let (nobody, nothing) = (BTreeMap::new(), BTreeMap::new());
        let (barred, dead) = (self.barred.get(&goal).unwrap_or(&nobody), self.dead.get(&goal).unwrap_or(&nothing));
        let functions: BTreeSet<FuncId> = barred.keys().copied().collect();
        let is_dead = |site: &Site| dead.contains_key(site);
        if !hunt.is_behind(goal, &functions, &is_dead) {
            return None;
        }
        // Those that are needed: without one of them the way is open.
        let mut needed = functions.clone();
        for func in functions {
            needed.remove(&func);
            if !hunt.is_behind(goal, &needed, &is_dead) {
                needed.insert(func);
            }
        }
        let outcomes: Vec<&GoalOutcome> = needed.iter().map(|func| &barred[func]).chain(dead.values()).collect();
        let whole = needed.iter().map(|&func| Barrier { func, from: None });
        let points = dead.values().flat_map(|outcome| outcome.barred.iter().copied());
        let told = outcomes.iter().find(|outcome| !outcome.conflict.is_empty()).or(outcomes.first())?;
        Some(GoalOutcome {
            verdict: GoalVerdict::Unreachable(Proof::Backward),
            barred: whole.chain(points).collect::<BTreeSet<_>>().into_iter().collect(),
            unless: outcomes.iter().flat_map(|outcome| outcome.unless.clone()).collect(),
            ..(*told).clone()
        })
    }
}

/// How many calls it takes to get to each function from where paths begin.
fn depths(graph: &CallGraph, program: &Program, entries: &[String]) -> BTreeMap<FuncId, usize> {
    let mut called: BTreeMap<FuncId, BTreeSet<FuncId>> = BTreeMap::new();
    for (func, _) in &program.functions {
        for site in graph.callers(func) {
            called.entry(site.func).or_default().insert(func);
        }
    }
    let roots = entries.iter().filter_map(|entry| program.function_named(entry));
    let mut depths: BTreeMap<FuncId, usize> = roots.map(|func| (func, 0)).collect();
    let mut todo: VecDeque<FuncId> = depths.keys().copied().collect();
    while let Some(func) = todo.pop_front() {
        let next = depths[&func] + 1;
        for &callee in called.get(&func).into_iter().flatten() {
            depths.entry(callee).or_insert_with(|| {
                todo.push_back(callee);
                next
            });
        }
    }
    depths
}

/// Guides that nobody has found yet.
pub(crate) fn no_guides() -> SharedGuides {
    Rc::new(std::cell::RefCell::new(Guides::default()))
}
