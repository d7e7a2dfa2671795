//! SDSE-rr: the goals take turns; the state nearest to the goal whose turn it is (dissertation, section 3.2).
//!
//! One order of states per goal would cost states times goals. So only a few goals are served at a time, each with
//! as many turns as pay for its order, and then the next ones; with up to [`SERVED`] goals that is exactly the paper's.

use std::collections::{BTreeSet, VecDeque};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::ranked::Ranked;
use crate::{Delta, GoalId, Progress, Searcher, StateId, StrategyDef};

pub(super) const DEF: StrategyDef = StrategyDef {
    name: "SDSE-rr",
    help: "the targets take turns: the state nearest to the one whose turn it is",
    new: |seed| Box::new(SdseRr::new(seed)),
};

/// Goals served at a time.
const SERVED: usize = 4;
/// Turns of a goal before another may take its place, at least; and one per so many pending states.
const TURNS: usize = 32;
const STATES_PER_TURN: usize = 8;

/// A goal that is being served.
#[derive(Debug)]
struct Served {
    goal: GoalId,
    ranked: Ranked,
    turns: usize,
}

#[derive(Debug)]
struct SdseRr {
    pending: BTreeSet<StateId>,
    /// The next to serve is in front.
    served: VecDeque<Served>,
    /// Open goals that are not being served, who has waited longest in front.
    waiting: VecDeque<GoalId>,
    /// Goals closed when the two were last looked through.
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

    /// Lets go of goals that were reached.
    fn look_through(&mut self, facts: &dyn Progress) {
        let open = facts.open_goals();
        if self.closed.is_none() {
            self.waiting = open.iter().copied().collect();
        }
        self.closed = Some(facts.closed_goals());
        self.served.retain(|served| open.binary_search(&served.goal).is_ok());
        self.waiting.retain(|goal| open.binary_search(goal).is_ok());
    }

    fn serve_more(&mut self, facts: &dyn Progress) {
        while self.served.len() < SERVED
            && let Some(goal) = self.waiting.pop_front()
        {
            let mut ranked = Ranked::new(self.random.random());
            for &id in &self.pending {
                ranked.set(id, facts.distance_to(id, goal));
            }
            self.served.push_back(Served { goal, ranked, turns: 0 });
        }
    }
}

impl Searcher for SdseRr {
    fn select(&mut self, facts: &dyn Progress) -> Option<StateId> {
        if self.closed != Some(facts.closed_goals()) {
            self.look_through(facts);
        }
        self.serve_more(facts);
        let Some(mut served) = self.served.pop_front() else {
            // No goal is left: any state will do.
            return self.pending.first().copied();
        };
        // A distance to one goal is as it was when the state last ran.
        let chosen = served.ranked.best(|id| facts.distance_to(id, served.goal));
        served.turns += 1;
        let patience = TURNS.max(self.pending.len() / STATES_PER_TURN);
        if served.turns >= patience && !self.waiting.is_empty() {
            self.waiting.push_back(served.goal);
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
            served.ranked.update(delta, |id| facts.distance_to(id, served.goal));
        }
    }
}
