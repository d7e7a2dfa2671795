//! Concolic testing: one path after the other is executed from its start to its end, each on inputs that turn a decision of an earlier one.
//!
//! No state waits: what is kept is the path that a strategy holds (`search/src/concolic/`), as its conditions and what else could have been decided. States that the
//! engine splits off are looked at and forgotten. So memory is that of one path, and every run is a test.
//! The map: `drive.rs` runs and turns as the part of an [`Exploration`](crate::Exploration) that it is, `branches.rs` knows how far branches are from what is not covered,
//! `counts.rs` what is counted and traced; how a decision is turned is the engine's (`engine/src/turn.rs`), what a path leaves too (`engine/src/walked.rs`).
//! Invariant: a run is exhaustive only if the strategy has asked for every way of every decision, each question was answered, each run went where it should, and none was cut
//! short. Papers: see `search/src/concolic/mod.rs`.

mod branches;
mod counts;
mod drive;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use taw_engine::{Engine, FirstInputs, HoldsTerms, PartsPay, State, TurnBy, Walk, WalkEdge};
use taw_ir::{CallGraph, EdgeId, EntityRef, FuncId};
use taw_search::{BranchSide, ConcolicScheme, FirstRun, Solving, StateId, WalkId, WalkStrategy, Walks};

use branches::BranchDistances;
pub use counts::{ConcolicCounts, ConcolicEvent};

/// The paths of one entry.
struct EntryWalks {
    /// The state before the first instruction.
    initial: Box<State>,
    strategy: Box<dyn WalkStrategy>,
    /// The paths that the strategy may ask for.
    walks: BTreeMap<WalkId, Walk>,
    /// Inputs to run on before the strategy is asked.
    first: VecDeque<FirstInputs>,
    next: u64,
    /// Whether the strategy wants no more.
    is_over: bool,
}

/// A run in progress; its state is in the store.
struct Running {
    entry: usize,
    state: StateId,
    walk: Walk,
    /// The path and the decision in it that was turned.
    from: Option<(WalkId, usize)>,
    /// Blocks that were covered when it began.
    blocks: usize,
}

/// The concolic part of a run.
pub(crate) struct Concolic {
    /// One for each place where paths begin; they take turns.
    entries: Vec<EntryWalks>,
    turn: usize,
    by: TurnBy,
    running: Option<Running>,
    /// For inputs by chance.
    seed: u64,
    branches: RefCell<Option<BranchDistances>>,
    pub(crate) counts: ConcolicCounts,
    wants_trace: bool,
    pub(crate) trace: Vec<ConcolicEvent>,
}

impl Concolic {
    /// Before the first run from each of these states.
    fn new(scheme: &ConcolicScheme, initial: impl Iterator<Item = Box<State>>, seed: u64, wants_trace: bool) -> Self {
        let entry = |(number, initial): (usize, Box<State>)| {
            let own = seed.wrapping_add(number as u64);
            let first: VecDeque<FirstInputs> = match (initial.seeds.len(), scheme.first) {
                (0, FirstRun::Zeros) => [FirstInputs::Zeros].into(),
                (0, FirstRun::Random) => [FirstInputs::Random(own)].into(),
                (seeds, _) => (0..seeds).map(FirstInputs::Seed).collect(),
            };
            let strategy = scheme.strategy(own);
            EntryWalks { initial, strategy, walks: BTreeMap::new(), first, next: 0, is_over: false }
        };
        Concolic {
            entries: initial.enumerate().map(entry).collect(),
            turn: 0,
            by: match scheme.solving {
                Solving::Whole => TurnBy::Whole,
                Solving::Parts => TurnBy::Parts,
                Solving::Adaptive => TurnBy::Adaptive(PartsPay::default()),
            },
            running: None,
            seed,
            branches: RefCell::default(),
            counts: ConcolicCounts::default(),
            wants_trace,
            trace: Vec::new(),
        }
    }

    /// The entry whose turn it is.
    fn next_entry(&mut self) -> Option<usize> {
        let count = self.entries.len();
        let turn = (0..count).map(|ahead| (self.turn + ahead) % count).find(|&entry| !self.entries[entry].is_over)?;
        self.turn = turn + 1;
        Some(turn)
    }

    /// Another source of inputs by chance.
    fn next_source(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.seed
    }

    fn note(&mut self, event: impl FnOnce() -> ConcolicEvent) {
        if self.wants_trace {
            self.trace.push(event());
        }
    }
}

impl HoldsTerms for Concolic {
    fn mark(&self, marks: &mut taw_engine::Marks) {
        for entry in &self.entries {
            entry.initial.mark(marks);
            entry.walks.values().for_each(|walk| walk.mark(marks));
        }
        if let Some(running) = &self.running {
            running.walk.mark(marks);
        }
    }
}

/// What a strategy sees of the paths of an entry.
struct WalksView<'a, 'p> {
    walks: &'a BTreeMap<WalkId, Walk>,
    engine: &'a Engine<'p>,
    graph: &'a CallGraph,
    branches: &'a RefCell<Option<BranchDistances>>,
}

/// A side of a branch as a number, and back.
fn side_of(edge: WalkEdge) -> BranchSide {
    BranchSide((edge.func.index() as u64) << 32 | edge.edge.index() as u64)
}

fn edge_of(side: BranchSide) -> WalkEdge {
    WalkEdge { func: FuncId::new((side.0 >> 32) as usize), edge: EdgeId::new(side.0 as u32 as usize) }
}

impl Walks for WalksView<'_, '_> {
    fn choices(&self, walk: WalkId) -> usize {
        self.walks.get(&walk).map_or(0, Walk::choices)
    }

    fn is_open(&self, walk: WalkId, choice: usize) -> bool {
        self.walks.get(&walk).is_some_and(|walk| walk.is_open(choice))
    }

    fn sides(&self, walk: WalkId, choice: usize) -> Option<(BranchSide, BranchSide)> {
        let (taken, other) = self.walks.get(&walk)?.sides(choice)?;
        Some((side_of(taken), side_of(other)))
    }

    fn distance(&self, side: BranchSide) -> Option<u64> {
        let mut branches = self.branches.borrow_mut();
        let branches = branches.get_or_insert_with(|| BranchDistances::new(self.engine.program, self.graph));
        branches.of(self.engine.program, &self.engine.coverage, edge_of(side))
    }
}
