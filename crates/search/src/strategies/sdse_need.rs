//! SDSE-need: towards an assignment, and then to the branch that it may turn (ours).
//!
//! A distance does not know which assignments a condition needs: states crowd before a branch that a variable keeps shut,
//! while those on which an option has set it are few and anywhere. Here the [needs](crate::Progress::needs) of the run take
//! turns; a turn runs the state nearest to the one that is served, first to its assignment, then to its branch. Places where
//! states have stopped often count as further away, so that a need that cannot be met does not hold the same state forever.
//!
//! It is for a search that is stuck: as long as goals are reached now and then it is idle. And it looks at some states only:
//! where there are many, many are alike.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::ranked::Ranked;
use crate::{Delta, NeedId, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "SDSE-need",
    help: "the state nearest to an assignment that a branch on the way needs, and then to that branch",
    new: |seed| Box::new(SdseNeed::new(seed)),
};

/// Turns of a need before the next is served.
const TURNS: usize = 256;
/// States looked at when a need's turns begin, and those of them that are ranked although they have not passed the assignment.
const SAMPLE: usize = 1 << 14;
const UNPREPARED: usize = 1 << 10;
/// Work without a goal after which a search is stuck, at least; and a part of all the work that it took to the last one.
const PATIENCE: u64 = 16_000_000;
const PART: u64 = 8;

/// The need that is being served.
#[derive(Debug)]
struct Served {
    need: NeedId,
    ranked: Ranked,
    turns: usize,
}

#[derive(Debug)]
struct SdseNeed {
    pending: BTreeSet<StateId>,
    served: Option<Served>,
    /// Who has waited longest is in front.
    waiting: VecDeque<NeedId>,
    /// The needs that the two were made of.
    known: Rc<[NeedId]>,
    /// Goals closed, and the work when the last was.
    closed: (u64, u64),
    random: Pcg64Mcg,
}

impl SdseNeed {
    fn new(seed: u64) -> Self {
        SdseNeed {
            pending: BTreeSet::new(),
            served: None,
            waiting: VecDeque::new(),
            known: Rc::default(),
            closed: (0, 0),
            random: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    /// Lets go of needs that are no more, and lines up new ones.
    fn look_through(&mut self, facts: &dyn Progress) {
        let now = facts.needs();
        if Rc::ptr_eq(&now, &self.known) {
            return;
        }
        self.served.take_if(|served| now.binary_search(&served.need).is_err());
        self.waiting.retain(|need| now.binary_search(need).is_ok());
        let old = std::mem::replace(&mut self.known, Rc::clone(&now));
        // What is new comes first: the search has just got there.
        for &need in now.iter().rev().filter(|need| old.binary_search(need).is_err()) {
            self.waiting.push_front(need);
        }
    }

    fn serve(&mut self, need: NeedId, facts: &dyn Progress) -> Served {
        let mut ranked = Ranked::new(self.random.random());
        let step = self.pending.len().div_ceil(SAMPLE).max(1);
        let offset = self.random.random_range(0..step);
        let some = (self.pending.len() / step).div_ceil(UNPREPARED).max(1);
        for (number, &id) in self.pending.iter().skip(offset).step_by(step).enumerate() {
            if number % some == 0 || facts.is_prepared(id, need) {
                ranked.set(id, score(id, need, facts));
            }
        }
        Served { need, ranked, turns: 0 }
    }
}

impl Searcher for SdseNeed {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        self.look_through(facts);
        if self.served.as_ref().is_some_and(|served| served.turns >= TURNS) {
            self.waiting.extend(self.served.take().map(|served| served.need));
        }
        if self.served.is_none()
            && let Some(need) = self.waiting.pop_front()
        {
            self.served = Some(self.serve(need, facts));
        }
        let chosen = self.served.as_mut().and_then(|served| {
            served.turns += 1;
            served.ranked.best(|id| score(id, served.need, facts))
        });
        if chosen.is_none() {
            self.waiting.extend(self.served.take().map(|served| served.need));
        }
        chosen.or_else(|| self.pending.first().copied())
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        self.pending.extend(delta.added);
        for id in delta.removed {
            self.pending.remove(id);
        }
        if let Some(served) = &mut self.served {
            served.ranked.update(delta, |id| score(id, served.need, facts));
        }
        if self.closed.0 != facts.closed_goals() {
            self.closed = (facts.closed_goals(), facts.work().units());
        }
    }

    fn is_idle(&self, facts: &dyn Progress) -> bool {
        let (_, last) = self.closed;
        facts.work().units() - last < PATIENCE.max(last / PART) || facts.needs().is_empty()
    }
}

/// The distance, once more for each doubling of the times that states have stopped where this one is.
fn score(id: StateId, need: NeedId, facts: &dyn Progress) -> Option<u64> {
    let often = u64::from(u64::BITS - facts.visits(id).leading_zeros());
    Some((facts.distance_by(id, need)? + 1).saturating_mul(1 + often).min(u64::MAX - 1))
}
