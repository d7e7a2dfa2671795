//! Facts from tables, for the tests of strategies; the defaults are those of a state that nothing is known of.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{Delta, GoalId, NeedId, Progress, Searcher, Spent, StateId};

#[derive(Default)]
pub(crate) struct StateFacts {
    pub(crate) depth: BTreeMap<StateId, u32>,
    pub(crate) since: BTreeMap<StateId, u64>,
    pub(crate) to_uncovered: BTreeMap<StateId, u64>,
    pub(crate) visits: BTreeMap<StateId, u64>,
    pub(crate) covered: u64,
    pub(crate) instructions: u64,
    pub(crate) distance: BTreeMap<(StateId, GoalId), u64>,
    /// Every goal, reached or not.
    pub(crate) goals: BTreeSet<GoalId>,
    pub(crate) intra: BTreeMap<StateId, u64>,
    pub(crate) closed: BTreeSet<GoalId>,
    /// Needs with the numbers of goals are as far away as these.
    pub(crate) needs: Rc<[NeedId]>,
    pub(crate) prepared: BTreeSet<(StateId, NeedId)>,
    pub(crate) misses: Vec<(GoalId, u64)>,
    pub(crate) origin: BTreeMap<StateId, u64>,
}

impl StateFacts {
    /// Distances of states to goals, as rows of `(state, goal, distance)`.
    pub(crate) fn distances(rows: &[(u64, u32, u64)]) -> Self {
        let row = |&(id, goal, distance): &(u64, u32, u64)| ((StateId(id), GoalId(goal)), distance);
        let goals = rows.iter().map(|&(_, goal, _)| GoalId(goal)).collect();
        StateFacts { distance: rows.iter().map(row).collect(), goals, ..StateFacts::default() }
    }
}

impl Progress for StateFacts {
    fn depth(&self, id: StateId) -> u32 {
        self.depth.get(&id).copied().unwrap_or(0)
    }
    fn since_new_coverage(&self, id: StateId) -> u64 {
        self.since.get(&id).copied().unwrap_or(1_000_000)
    }
    fn distance_to_uncovered(&self, id: StateId) -> Option<u64> {
        self.to_uncovered.get(&id).copied()
    }
    fn visits(&self, id: StateId) -> u64 {
        self.visits.get(&id).copied().unwrap_or(0)
    }
    fn covered(&self) -> u64 {
        self.covered
    }
    fn work(&self) -> Spent {
        Spent { instructions: self.instructions, queries: 0 }
    }
    fn distance(&self, id: StateId) -> Option<u64> {
        self.open_goals().into_iter().filter_map(|goal| self.distance_to(id, goal)).min()
    }
    fn distance_intra(&self, id: StateId) -> Option<u64> {
        self.intra.get(&id).copied()
    }
    fn distance_to(&self, id: StateId, goal: GoalId) -> Option<u64> {
        self.distance.get(&(id, goal)).copied()
    }
    fn open_goals(&self) -> Vec<GoalId> {
        self.goals.difference(&self.closed).copied().collect()
    }
    fn misses(&self) -> &[(GoalId, u64)] {
        &self.misses
    }
    fn origin(&self, id: StateId) -> u64 {
        self.origin.get(&id).copied().unwrap_or(0)
    }
    fn closed_goals(&self) -> u64 {
        self.closed.len() as u64
    }
    fn needs(&self) -> Rc<[NeedId]> {
        Rc::clone(&self.needs)
    }
    fn is_prepared(&self, id: StateId, need: NeedId) -> bool {
        self.prepared.contains(&(id, need))
    }
    fn distance_by(&self, id: StateId, need: NeedId) -> Option<u64> {
        self.distance_to(id, GoalId(need.0))
    }
}

/// Tells a strategy of its first states.
pub(crate) fn begin(searcher: &mut dyn Searcher, initial: &[u64], facts: &StateFacts) {
    let added: Vec<StateId> = initial.iter().copied().map(StateId).collect();
    searcher.update(&Delta { ran: None, added: &added, removed: &[] }, facts);
}

/// Tells a strategy that `ran` forked `added` off.
pub(crate) fn fork(searcher: &mut dyn Searcher, ran: u64, added: u64) {
    let delta = Delta { ran: Some(StateId(ran)), added: &[StateId(added)], removed: &[] };
    searcher.update(&delta, &StateFacts::default());
}

/// Tells a strategy that `ran` ended.
pub(crate) fn end(searcher: &mut dyn Searcher, ran: u64) {
    let delta = Delta { ran: Some(StateId(ran)), added: &[], removed: &[StateId(ran)] };
    searcher.update(&delta, &StateFacts::default());
}

/// The choice of a strategy.
pub(crate) fn chosen(searcher: &mut dyn Searcher, facts: &StateFacts) -> u64 {
    searcher.select(facts).expect("states are pending").0
}

/// Runs a random program of `budget` forks to its end, checks each choice, and returns the choices.
pub(crate) fn drain(searcher: &mut dyn Searcher, program_seed: u64, budget: u64) -> Vec<StateId> {
    let mut program = Pcg64Mcg::seed_from_u64(program_seed);
    let mut facts = StateFacts::distances(&[(0, 0, 9), (0, 1, 5)]);
    let mut pending = BTreeSet::from([StateId(0)]);
    let mut next_id = 1;
    let mut trace = Vec::new();
    begin(searcher, &[0], &facts);
    while let Some(ran) = searcher.select(&facts) {
        assert!(pending.contains(&ran), "{searcher:?} chose {ran:?}, which is not pending");
        trace.push(ran);
        // The last state forks until the budget is spent, so that every program is of the size asked for.
        let least = u64::from(pending.len() == 1);
        let forks = if next_id > budget { 0 } else { program.random_range(least..3) };
        let added: Vec<StateId> = (next_id..next_id + forks).map(StateId).collect();
        next_id += forks;
        let mut removed = Vec::new();
        if forks == 0 || program.random_bool(0.3) {
            removed.push(ran);
        }
        // Another state may end too: a limit, or a merge.
        if let Some(&other) = pending.iter().next().filter(|&&id| id != ran && program.random_bool(0.05)) {
            removed.push(other);
        }
        pending.extend(&added);
        for id in &removed {
            pending.remove(id);
        }
        facts.happen(&mut program, ran, &added);
        searcher.update(&Delta { ran: Some(ran), added: &added, removed: &removed }, &facts);
        // States are given up between slices, too.
        let middle = pending.range(StateId(next_id / 2)..).next().copied();
        if let Some(shed) = middle.filter(|_| pending.len() > 1 && program.random_bool(0.05)) {
            pending.remove(&shed);
            searcher.update(&Delta { ran: None, added: &[], removed: &[shed] }, &facts);
        }
    }
    assert!(pending.is_empty(), "{} states were forgotten", pending.len());
    trace
}

impl StateFacts {
    /// What a slice changes, within what the contract of `Progress` allows.
    fn happen(&mut self, program: &mut Pcg64Mcg, ran: StateId, added: &[StateId]) {
        self.instructions += program.random_range(1..200);
        self.covered += program.random_range(0..2);
        self.misses.clear();
        if program.random_bool(0.3) {
            self.misses.push((GoalId(program.random_range(0..2)), program.random_range(1..9)));
        }
        for &id in [ran].iter().chain(added) {
            self.depth.insert(id, program.random_range(0..40));
            self.visits.insert(id, program.random_range(0..9));
            self.origin.insert(id, program.random_range(0..5));
            for goal in [GoalId(0), GoalId(1)] {
                if program.random_bool(0.7) {
                    self.distance.insert((id, goal), program.random_range(0..50));
                } else {
                    self.distance.remove(&(id, goal));
                }
            }
        }
        if self.instructions > 5_000 {
            self.closed.insert(GoalId(0));
        }
        if self.instructions.is_multiple_of(509) {
            self.needs =
                [GoalId(0), GoalId(1)].iter().filter(|_| program.random_bool(0.5)).map(|t| NeedId(t.0)).collect();
        }
    }
}
