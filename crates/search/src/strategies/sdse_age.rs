//! SDSE-age: the state nearest to any goal, less what it has spent since it last came nearer (ours).
//!
//! SDSE is stuck where a path stays near and never arrives: in a loop without end, or in the first of several calls of which
//! only a later one can get there (dissertation, sections 3.1.2 and 3.3.1.2). Here such a path grows old: its score is its
//! distance plus the work it and those it was forked from have spent since the distance was last smaller than ever before
//! on the path. So a path that comes nearer runs as in SDSE, one that does not is left for the next, and none is given up.
//! Turns in a row without a fork count many times, until there is a fork: a loop that decides nothing is left after a few
//! turns, however old the others are, and a long computation is forgiven when it is over.

use std::collections::HashMap;

use crate::ranked::Ranked;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "SDSE-age",
    help: "as SDSE, but a state that has not come nearer for long waits",
    new: |seed| Box::new(SdseAge { ranked: Ranked::new(seed), ages: HashMap::new(), spent: 0 }),
};

/// How much more each turn in a row without a fork counts than the last.
const FRUITLESS: u64 = 4;

/// How long a path has not come nearer.
#[derive(Clone, Copy, Debug)]
struct Age {
    /// Its smallest distance so far.
    best: u64,
    /// Work since then.
    since: u64,
    /// What the turns since the last fork count on top of it.
    fruitless: u64,
    /// Goals closed at that time: with others to reach, a path is young again.
    closed: u64,
}

impl Age {
    /// The age after a turn that has led to `distance`.
    fn after(self, turn: Turn, distance: u64, closed: u64) -> Age {
        if distance < self.best || closed != self.closed {
            return Age::young(distance, closed);
        }
        let worse = self.fruitless.saturating_mul(FRUITLESS).saturating_add(turn.work);
        let fruitless = if turn.forked { 0 } else { worse };
        Age { since: self.since.saturating_add(turn.work), fruitless, ..self }
    }

    fn young(best: u64, closed: u64) -> Age {
        Age { best, since: 0, fruitless: 0, closed }
    }
}

/// What a state did with its turn.
#[derive(Clone, Copy, Debug)]
struct Turn {
    work: u64,
    forked: bool,
}

#[derive(Debug)]
struct SdseAge {
    ranked: Ranked,
    ages: HashMap<StateId, Age>,
    /// The run's work when last told of a slice.
    spent: u64,
}

impl Searcher for SdseAge {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        let ages = &self.ages;
        self.ranked.best(|id| score(facts.distance(id), ages.get(&id)))
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        let now = facts.work().units();
        let turn = Turn { work: now.saturating_sub(self.spent), forked: !delta.added.is_empty() };
        self.spent = now;
        let closed = facts.closed_goals();
        let parent = delta.ran.and_then(|id| self.ages.get(&id).copied());
        for &id in delta.ran.iter().chain(delta.added).filter(|id| !delta.removed.contains(id)) {
            let distance = facts.distance(id).unwrap_or(u64::MAX);
            let age = parent.map_or(Age::young(distance, closed), |age| age.after(turn, distance, closed));
            self.ages.insert(id, age);
        }
        for id in delta.removed {
            self.ages.remove(id);
        }
        let ages = &self.ages;
        self.ranked.update(delta, |id| score(facts.distance(id), ages.get(&id)));
    }
}

fn score(distance: Option<u64>, age: Option<&Age>) -> Option<u64> {
    let age = age.map_or(0, |age| age.since.saturating_add(age.fruitless));
    Some(distance?.saturating_add(age).min(u64::MAX - 1))
}
