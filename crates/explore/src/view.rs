//! What explorers and strategies see of a run: depth, age of coverage, distances to goals and to what is not covered.
//!
//! Boundary: nothing can be changed through it. What takes time to find out is kept until it may have changed: a distance until the state has run or a goal is closed.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use taw_engine::{Coverage, Engine, Goals, State};
use taw_ir::{BlockId, CallGraph, Distances, EntityRef, FuncId, Program, Site};
use taw_search::{Delta, GoalId, NeedId, Progress, Spent, StateId};

use crate::goal_distances::{GoalDistances, from_start, goal_id, stack};
use crate::hunt::Hunt;
use crate::store::StateStore;

/// A look at a run between two pieces of work; as [`Progress`], what strategies weigh.
pub struct View<'a, 'p> {
    pub(crate) store: &'a StateStore,
    pub(crate) engine: &'a Engine<'p>,
    pub(crate) notes: &'a Notes,
    /// Goals missed in the last slice, and by how much.
    pub(crate) misses: &'a [(GoalId, u64)],
    /// What is to be reached; none if the search has no direction.
    pub(crate) hunt: Option<&'a Hunt<'p>>,
}

/// What is known of the states and kept between slices.
#[derive(Default)]
pub(crate) struct Notes {
    graph: OnceCell<Rc<CallGraph>>,
    uncovered: RefCell<Option<Uncovered>>,
    /// How often states have stopped at a place.
    visits: HashMap<Site, u64>,
    /// Distances of states to the nearest goal, and the number of goals closed when they were made.
    distances: RefCell<HashMap<StateId, (u64, Option<u64>)>>,
    /// Blocks covered, goals closed and forks (roughly) when needs were last looked through.
    needs_of: Cell<(u64, u64, u64)>,
}

impl Notes {
    /// The call graph of the program, as the engine runs it.
    pub(crate) fn graph(&self, engine: &Engine<'_>) -> Rc<CallGraph> {
        let make = || Rc::new(CallGraph::with_conduct(engine.program, &|func| engine.conduct(func)));
        Rc::clone(self.graph.get_or_init(make))
    }

    /// Follows a slice. To be called before a strategy is told of it.
    pub(crate) fn follow(&mut self, delta: &Delta<'_>, store: &StateStore) {
        let distances = self.distances.get_mut();
        for id in delta.removed {
            distances.remove(id);
        }
        for id in delta.ran.iter().chain(delta.added) {
            distances.remove(id);
            if let Some(state) = store.get(*id) {
                *self.visits.entry(Site { func: state.top.func, pc: state.top.pc }).or_default() += 1;
            }
        }
    }
}

impl View<'_, '_> {
    /// The states that wait, ascending.
    pub fn states(&self) -> impl Iterator<Item = StateId> + '_ {
        self.store.ids()
    }

    /// The newest state that a seed leads to, if there is one.
    pub fn seeded(&self) -> Option<StateId> {
        self.store.seeded()
    }

    /// Whether something is to be reached.
    pub fn is_directed(&self) -> bool {
        self.hunt.is_some()
    }

    fn goals(&self) -> &Goals {
        &self.engine.goals
    }

    fn with_distances<T>(
        &self,
        id: StateId,
        measure: impl FnOnce(&GoalDistances<'_>, &State) -> Option<T>,
    ) -> Option<T> {
        measure(&self.hunt?.distances, self.store.get(id)?)
    }
}

impl Progress for View<'_, '_> {
    fn depth(&self, id: StateId) -> u32 {
        self.store.get(id).map_or(0, |s| s.depth)
    }

    fn since_new_coverage(&self, id: StateId) -> u64 {
        self.store.get(id).map_or(0, |s| s.since_new)
    }

    fn distance_to_uncovered(&self, id: StateId) -> Option<u64> {
        let state = self.store.get(id)?;
        let program = self.engine.program;
        let graph = self.notes.graph(self.engine);
        let mut uncovered = self.notes.uncovered.borrow_mut();
        let uncovered = uncovered.get_or_insert_with(|| Uncovered::new(program, &graph));
        uncovered.catch_up(program, &graph, &self.engine.coverage);
        let distances = &uncovered.distances;
        distances.from_stack_then(stack(state), from_start(distances, state, program))
    }

    fn visits(&self, id: StateId) -> u64 {
        let place = self.store.get(id).map(|state| Site { func: state.top.func, pc: state.top.pc });
        place.and_then(|site| self.notes.visits.get(&site)).copied().unwrap_or(0)
    }

    fn covered(&self) -> u64 {
        self.engine.coverage.log.len() as u64
    }

    fn work(&self) -> Spent {
        Spent { instructions: self.engine.stats.instructions, queries: self.engine.solver.queries() }
    }

    fn distance(&self, id: StateId) -> Option<u64> {
        let closed = self.closed_goals();
        if let Some(&(then, distance)) = self.notes.distances.borrow().get(&id)
            && then == closed
        {
            return distance;
        }
        let distance = self.with_distances(id, |goals, state| goals.distance(self.goals(), state, &state.passed));
        self.notes.distances.borrow_mut().insert(id, (closed, distance));
        distance
    }

    fn distance_intra(&self, id: StateId) -> Option<u64> {
        self.with_distances(id, |goals, state| goals.distance_intra(state))
    }

    fn distance_to(&self, id: StateId, goal: GoalId) -> Option<u64> {
        self.with_distances(id, |goals, state| goals.distance_to(state, goal, &state.passed))
    }

    fn open_goals(&self) -> Vec<GoalId> {
        self.goals().open().map(goal_id).collect()
    }

    fn misses(&self) -> &[(GoalId, u64)] {
        self.misses
    }

    fn origin(&self, id: StateId) -> u64 {
        let last = self.store.get(id).and_then(|state| Some(state.last_decision()?.0));
        // Ways beyond the 255th of a switch share a number.
        last.map_or(0, |d| (d.func.index() as u64) << 40 | u64::from(d.pc) << 8 | u64::from(d.way.min(255)))
    }

    fn closed_goals(&self) -> u64 {
        self.goals().closed()
    }

    fn needs(&self) -> Rc<[NeedId]> {
        let Some(hunt) = self.hunt else { return Rc::default() };
        let now = (self.covered(), self.goals().closed(), self.engine.stats.forks / NEEDS_EVERY);
        if self.notes.needs_of.replace(now) != now {
            hunt.needs.borrow_mut().refresh(&self.engine.coverage, &hunt.distances);
        }
        hunt.needs.borrow().open()
    }

    fn is_prepared(&self, id: StateId, need: NeedId) -> bool {
        let coverage = &self.engine.coverage;
        let state = self.store.get(id).zip(self.hunt);
        state.is_some_and(|(state, hunt)| hunt.needs.borrow().is_prepared(need, state, coverage))
    }

    fn distance_by(&self, id: StateId, need: NeedId) -> Option<u64> {
        let (state, hunt) = self.store.get(id).zip(self.hunt)?;
        hunt.needs.borrow().distance(need, state, &self.engine.coverage, hunt.distances.nearest())
    }
}

/// Forks after which needs are looked through again although nothing new was covered: an edge may have been taken.
const NEEDS_EVERY: u64 = 1024;

/// Distances to the user's blocks that nobody has been in: a block is taken away when it is covered.
struct Uncovered {
    distances: Distances,
    /// How much of the coverage's log is in them.
    seen: usize,
}

impl Uncovered {
    fn new(program: &Program, graph: &CallGraph) -> Self {
        let users = program.functions.iter().filter(|(_, f)| f.origin.counts());
        let starts = |(func, f): (FuncId, &taw_ir::Function)| {
            f.blocks.values().map(|block| Site { func, pc: block.start }).collect::<Vec<_>>()
        };
        let sites: Vec<Site> = users.flat_map(starts).collect();
        Uncovered { distances: Distances::to(program, graph, &sites), seen: 0 }
    }

    fn catch_up(&mut self, program: &Program, graph: &CallGraph, coverage: &Coverage) {
        let start = |func: FuncId, block: BlockId| program.functions[func].blocks[block].start;
        let covered = coverage.log[self.seen..].iter();
        let sites: Vec<Site> = covered.map(|&(func, block)| Site { func, pc: start(func, block) }).collect();
        if !sites.is_empty() {
            self.distances.remove(program, graph, &sites);
        }
        self.seen = coverage.log.len();
    }
}
