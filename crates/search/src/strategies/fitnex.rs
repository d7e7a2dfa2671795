//! Fitnex: children of the paths that missed a goal by least (Xie, Tillmann, de Halleux, Schulte: "Fitness-Guided Path
//! Exploration in Dynamic Symbolic Execution", 2009).
//!
//! Some branches no distance over the program's graph can guide to: `if (count == 9)`, where the count is known on each path
//! and differs from path to path. What a path that goes the wrong way there misses by is its fitness. Chosen is a child of
//! the fittest path; among its children those that were split off where that has helped before, then the oldest. It runs
//! until it ends. The first state runs first; where there is nothing to climb, the choice is that of SDSE-age.
//!
//! Each goal is a hill that is climbed from the first state on. A path that another strategy has run already is not run
//! again but looked up, so that the climb is the same whoever else explores: following every path that others happen to run
//! ends on lower hills.

use std::collections::{BTreeMap, HashMap};

use super::sdse_age;
use crate::{Delta, GoalId, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "Fitnex",
    help: "forks of the paths that missed a target by least, as far as known numbers tell; else SDSE-age",
    new: |seed| Box::new(Fitnex::new((sdse_age::DEF.new)(seed))),
};

/// Turns that a state has to get to its end.
const PATIENCE: u32 = 2_000;

/// Work without a goal reached after which others may be said to be stuck.
const STUCK: u64 = 1_000_000;

/// One goal's search.
#[derive(Debug, Default)]
struct Hill {
    /// The least that it was missed by.
    best: Option<u64>,
    /// Who to run next, by what it promises to miss by; and what its parent missed by, if it has one.
    waiting: BTreeMap<(i64, StateId), Option<u64>>,
    /// For each way of a branch by how much less its takers missed than their parents: how often, and the sum.
    gains: HashMap<u64, (i64, i64)>,
}

/// A path that goes on, or has missed a goal.
#[derive(Debug, Default)]
struct ClimbedPath {
    /// The way of the branch that it was split off at.
    origin: u64,
    children: Vec<StateId>,
    misses: Vec<Miss>,
    ended: bool,
}

/// What a path missed one goal by.
#[derive(Clone, Copy, Debug)]
struct Miss {
    goal: GoalId,
    /// At least, since its children were last looked at; `None` if not since then.
    by: Option<u64>,
    /// How many of its children have been looked at.
    children: usize,
}

/// The state that runs.
#[derive(Clone, Copy, Debug)]
struct Current {
    id: StateId,
    /// For which goal, and what its parent missed that by; none for the first state, by which goals become known.
    climb: Option<(GoalId, Option<u64>)>,
    turns: u32,
}

#[derive(Debug)]
struct Fitnex {
    paths: HashMap<StateId, ClimbedPath>,
    first: Vec<StateId>,
    hills: BTreeMap<GoalId, Hill>,
    current: Option<Current>,
    /// The goal climbed for last.
    last: Option<GoalId>,
    /// Goals closed so far, and the run's work at that time.
    closed: (u64, u64),
    otherwise: Box<dyn Searcher>,
}

impl ClimbedPath {
    fn miss(&mut self, goal: GoalId) -> Option<&mut Miss> {
        self.misses.iter_mut().find(|miss| miss.goal == goal)
    }

    /// Notes that the path missed a goal.
    fn note(&mut self, goal: GoalId, by: u64) {
        match self.miss(goal) {
            Some(miss) => miss.by = Some(miss.by.map_or(by, |before| before.min(by))),
            None => self.misses.push(Miss { goal, by: Some(by), children: 0 }),
        }
    }
}

impl Hill {
    fn gain(&self, origin: u64) -> i64 {
        self.gains.get(&origin).map_or(0, |(count, sum)| sum / count)
    }

    /// Goes to a path that missed the goal: if it is as fit as any before, its children are next.
    fn go_to(&mut self, paths: &mut HashMap<StateId, ClimbedPath>, id: StateId, goal: GoalId, parent: Option<u64>) {
        let Some(path) = paths.get_mut(&id) else { return };
        let (origin, ended, count) = (path.origin, path.ended, path.children.len());
        let Some(miss) = path.miss(goal) else { return };
        let Some(by) = miss.by.take() else { return };
        let from = std::mem::replace(&mut miss.children, count);
        if let Some(parent) = parent {
            let (count, sum) = self.gains.entry(origin).or_default();
            *count += 1;
            *sum += signed(parent) - signed(by);
        }
        if self.best.is_some_and(|best| best < by) {
            return;
        }
        self.best = Some(by);
        for child in &paths[&id].children[from..] {
            let Some(path) = paths.get(child) else { continue };
            self.waiting.insert((signed(by).saturating_sub(self.gain(path.origin)), *child), Some(by));
        }
        if !ended {
            self.waiting.insert((signed(by), id), None);
        }
    }
}

fn signed(fitness: u64) -> i64 {
    i64::try_from(fitness).unwrap_or(i64::MAX)
}

impl Fitnex {
    fn new(otherwise: Box<dyn Searcher>) -> Self {
        Fitnex {
            paths: HashMap::new(),
            first: Vec::new(),
            hills: BTreeMap::new(),
            current: None,
            last: None,
            closed: (0, 0),
            otherwise,
        }
    }

    /// The next of the goals in turn that has somebody waiting who has not been run.
    fn climb(&mut self) -> Option<Current> {
        let after = self.hills.keys().copied().filter(|goal| self.last.is_some_and(|last| *goal > last));
        let turn: Vec<GoalId> = after.chain(self.hills.keys().copied()).collect();
        for goal in turn {
            let hill = self.hills.get_mut(&goal)?;
            while let Some(((_, id), parent)) = hill.waiting.pop_first() {
                let Some(path) = self.paths.get(&id) else { continue };
                if path.ended {
                    hill.go_to(&mut self.paths, id, goal, parent);
                } else {
                    self.last = Some(goal);
                    return Some(Current { id, climb: Some((goal, parent)), turns: 0 });
                }
            }
        }
        None
    }

    /// The state that was running has ended, or has had enough turns: it has shown what it is worth.
    fn look_at_current(&mut self) {
        if let Some(Current { id, climb: Some((goal, parent)), .. }) = self.current.take()
            && let Some(hill) = self.hills.get_mut(&goal)
        {
            hill.go_to(&mut self.paths, id, goal, parent);
        }
    }

    fn forget(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        for id in delta.removed {
            // Without a miss nobody will look at it or its children.
            if self.paths.get(id).is_some_and(|path| path.misses.is_empty()) {
                self.paths.remove(id);
            } else if let Some(path) = self.paths.get_mut(id) {
                path.ended = true;
            }
        }
        if facts.closed_goals() != self.closed.0 {
            self.closed = (facts.closed_goals(), facts.work().units());
            let open = facts.open_goals();
            self.hills.retain(|goal, _| open.binary_search(goal).is_ok());
        }
    }
}

impl Searcher for Fitnex {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        let runs = |c: &Current| c.turns < PATIENCE && self.paths.get(&c.id).is_some_and(|path| !path.ended);
        let current = self.current.filter(runs).or_else(|| {
            self.look_at_current();
            self.climb()
        });
        let Some(current) = current else { return self.otherwise.select(facts) };
        self.current = Some(Current { turns: current.turns + 1, ..current });
        Some(current.id)
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        self.otherwise.update(delta, facts);
        for &id in delta.added {
            self.paths.insert(id, ClimbedPath { origin: facts.origin(id), ..ClimbedPath::default() });
        }
        if delta.ran.is_none() {
            self.first.extend(delta.added);
            // Only the first states: what is given up between slices changes nobody's turn.
            if !delta.added.is_empty() {
                self.current = self.first.first().map(|&id| Current { id, climb: None, turns: 0 });
            }
        }
        if let Some(path) = delta.ran.and_then(|ran| self.paths.get_mut(&ran)) {
            path.children.extend(delta.added);
            for &(goal, by) in facts.misses() {
                path.note(goal, by);
                let first = || self.first.iter().map(|id| ((i64::MAX, *id), None)).collect();
                self.hills.entry(goal).or_insert_with(|| Hill { waiting: first(), ..Hill::default() });
            }
        }
        self.forget(delta, facts);
    }

    /// What is easy to reach needs no climbing.
    fn is_idle(&self, facts: &dyn Progress) -> bool {
        let has_one = self.current.is_some() || self.hills.values().any(|hill| !hill.waiting.is_empty());
        !has_one || facts.work().units() - self.closed.1 < STUCK
    }
}
