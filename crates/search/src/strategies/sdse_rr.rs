//! SDSE-rr: the targets take turns; the state nearest to the target whose turn it is (dissertation, section 3.2).
//!
//! One order of states per target would cost states times targets. So only a few targets are served at a time, each with
//! as many turns as pay for its order, and then the next ones; with up to [`SERVED`] targets that is exactly the paper's.

use std::collections::{BTreeSet, VecDeque};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::ranked::Ranked;
use crate::{Delta, Progress, Searcher, StateId, StrategyDef, TargetId};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "SDSE-rr",
    help: "the targets take turns: the state nearest to the one whose turn it is",
    new: |seed| Box::new(SdseRr::new(seed)),
};

/// Targets served at a time.
const SERVED: usize = 4;
/// Turns of a target before another may take its place, at least; and one per so many pending states.
const TURNS: usize = 32;
const STATES_PER_TURN: usize = 8;

/// A target that is being served.
#[derive(Debug)]
struct Served {
    target: TargetId,
    ranked: Ranked,
    turns: usize,
}

#[derive(Debug)]
struct SdseRr {
    pending: BTreeSet<StateId>,
    /// The next to serve is in front.
    served: VecDeque<Served>,
    /// Open targets that are not being served, who has waited longest in front.
    waiting: VecDeque<TargetId>,
    /// Targets closed when the two were last looked through.
    closed: Option<u64>,
    random: Pcg64Mcg,
}

impl SdseRr {
    fn new(seed: u64) -> Self {
        SdseRr {
            pending: BTreeSet::new(),
            served: VecDeque::new(),
            waiting: VecDeque::new(),
            closed: None,
            random: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    /// Lets go of targets that were reached.
    fn look_through(&mut self, facts: &dyn Progress) {
        let open = facts.open_targets();
        if self.closed.is_none() {
            self.waiting = open.iter().copied().collect();
        }
        self.closed = Some(facts.closed_targets());
        self.served.retain(|served| open.binary_search(&served.target).is_ok());
        self.waiting.retain(|target| open.binary_search(target).is_ok());
    }

    fn serve_more(&mut self, facts: &dyn Progress) {
        while self.served.len() < SERVED
            && let Some(target) = self.waiting.pop_front()
        {
            let mut ranked = Ranked::new(self.random.random());
            for &id in &self.pending {
                ranked.set(id, facts.distance_to(id, target));
            }
            self.served.push_back(Served { target, ranked, turns: 0 });
        }
    }
}

impl Searcher for SdseRr {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        if self.closed != Some(facts.closed_targets()) {
            self.look_through(facts);
        }
        self.serve_more(facts);
        let Some(mut served) = self.served.pop_front() else {
            // No target is left: any state will do.
            return self.pending.first().copied();
        };
        // A distance to one target is as it was when the state last ran.
        let chosen = served.ranked.best(|id| facts.distance_to(id, served.target));
        served.turns += 1;
        let patience = TURNS.max(self.pending.len() / STATES_PER_TURN);
        if served.turns >= patience && !self.waiting.is_empty() {
            self.waiting.push_back(served.target);
        } else {
            self.served.push_back(served);
        }
        chosen
    }

    fn update(&mut self, delta: &Delta<'_>, facts: &dyn Progress) {
        self.pending.extend(delta.added);
        for id in delta.removed {
            self.pending.remove(id);
        }
        for served in &mut self.served {
            served.ranked.update(delta, |id| facts.distance_to(id, served.target));
        }
    }
}
