//! `RR(x,y,…)`: the strategies take turns (KLEE's interleaving; dissertation, section 3.1.1).
//!
//! Turns are shared out by work, not by number: whoever has spent least chooses next. One slice may be three instructions
//! and another a hundred thousand; by number, a strategy that is stuck in a loop would take nearly all of the time.

use crate::{CombinatorDef, Delta, Progress, Searcher, StateId, StrategyArgument};

pub(super) const DEF: CombinatorDef = CombinatorDef {
    name: "RR",
    usage: "RR(x,y,…)",
    help: "round robin: the strategies take turns, each with the same share of the work",
    new: |arguments| {
        let inner: Option<Vec<_>> = arguments.into_iter().map(strategy).collect();
        match inner {
            Some(inner) if inner.len() >= 2 => Ok(Box::new(RoundRobin::new(inner))),
            _ => Err("two strategies or more"),
        }
    },
};

fn strategy(argument: StrategyArgument) -> Option<Box<dyn Searcher>> {
    match argument {
        StrategyArgument::Strategy(strategy) => Some(strategy),
        StrategyArgument::Number(_) => None,
    }
}

#[derive(Debug)]
pub(crate) struct RoundRobin {
    inner: Vec<Box<dyn Searcher>>,
    /// What each has spent, in units of work. A turn costs one at least.
    spent: Vec<u64>,
    /// Whose choice is running, and the units spent when it started.
    turn: Option<(usize, u64)>,
}

impl RoundRobin {
    pub(crate) fn new(inner: Vec<Box<dyn Searcher>>) -> Self {
        RoundRobin { spent: vec![0; inner.len()], inner, turn: None }
    }

    /// Puts what was spent since the last choice on the account of who chose.
    fn settle(&mut self, facts: &dyn Progress) {
        if let Some((who, start)) = self.turn.take() {
            self.spent[who] += (facts.work().units().saturating_sub(start)).max(1);
        }
    }
}

impl Searcher for RoundRobin {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        self.settle(facts);
        let idle: Vec<bool> = self.inner.iter().map(|searcher| searcher.is_idle(facts)).collect();
        let active = (0..self.inner.len()).filter(|&i| !idle[i]).min_by_key(|&i| self.spent[i]);
        let who = active.or_else(|| (0..self.inner.len()).min_by_key(|&i| self.spent[i]))?;
        // Who has nothing to do saves nothing up.
        for i in (0..self.inner.len()).filter(|&i| idle[i]) {
            self.spent[i] = self.spent[i].max(self.spent[who]);
        }
        self.turn = Some((who, facts.work().units()));
        self.inner[who].select(facts)
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        for searcher in &mut self.inner {
            searcher.update(delta, facts);
        }
    }

    fn is_idle(&self, facts: &dyn Progress) -> bool {
        self.inner.iter().all(|searcher| searcher.is_idle(facts))
    }
}
