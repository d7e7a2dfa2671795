//! Paths from the beginning of a function to a goal, and how a run that comes by such a function takes them up.
//!
//! A guide is the decisions of a path that was found from an unknown state. Whoever gets into a call of its function goes the way it says, before
//! anything else is run: at each fork the side that agrees; and whoever went another way within such a call waits until nothing else is left. It is nothing
//! but an order of work: no state is dropped because of a guide, and what a state gets to, it got to by itself. So a guide may be wrong for this caller, or
//! for the second half of its way, and costs some work then, nothing else.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use taw_engine::{Decision, State};
use taw_ir::FuncId;
use taw_search::{Delta, StateId};

use crate::explorer::{Explorer, Work};
use crate::forward::{DIRECTED_SLICE, Forward};
use crate::view::View;

/// Slices that a state may run without a decision that its guide knows.
const PATIENCE: u32 = 16;

/// A path from the beginning of a function to a goal.
#[derive(Debug)]
struct Guide {
    func: FuncId,
    goal: usize,
    ways: Vec<Decision>,
}

/// The paths that are known, and what came of them. All explorers of a run share it.
#[derive(Debug, Default)]
pub(crate) struct Guides {
    all: Vec<Rc<Guide>>,
    /// Calls that took a guide up, and did not get to its goal.
    pub(super) refuted: u64,
    /// Calls that took a guide up, and got to its goal.
    pub(super) stitched: u64,
    /// Goals of the guides that the state which runs now follows.
    running: Vec<usize>,
}

/// The paths of a run, for all of its explorers.
pub(crate) type SharedGuides = Rc<RefCell<Guides>>;

impl Guides {
    /// A path was found from the beginning of `func`; false if it is known.
    pub(super) fn add(&mut self, func: FuncId, goal: usize, ways: &[Decision]) -> bool {
        let is_known = self.all.iter().any(|known| known.func == func && known.goal == goal && known.ways == ways);
        if !is_known {
            self.all.push(Rc::new(Guide { func, goal, ways: ways.to_vec() }));
        }
        !is_known
    }

    /// A goal is decided: nobody wants to be led there any more.
    pub(super) fn close(&mut self, goal: usize) {
        self.all.retain(|guide| guide.goal != goal);
    }

    /// The state that runs has reached a goal; whether it was led there.
    pub(crate) fn arrived(&mut self, goal: usize) -> bool {
        let led = self.running.contains(&goal);
        self.stitched += u64::from(led);
        led
    }
}

/// A state on the way that a guide says.
#[derive(Clone, Debug)]
struct Follower {
    guide: Rc<Guide>,
    /// How many calls were open when the guide's function was entered, that one included.
    depth: usize,
    /// Decisions of the guide that lie behind.
    next: usize,
    /// It went another way; kept until the call is over, so that it does not begin anew.
    lost: bool,
}

impl Follower {
    /// What a decision of the state means for it. One that the guide does not know may have been none when it was found.
    fn decide(&mut self, decision: Decision) {
        let is_there = |known: &Decision| (known.func, known.pc) == (decision.func, decision.pc);
        let Some(further) = self.guide.ways[self.next..].iter().position(is_there) else { return };
        self.lost |= self.guide.ways[self.next + further].way != decision.way;
        self.next += further + 1;
    }

    /// How much of its way lies behind, in thousandths.
    fn progress(&self) -> usize {
        (self.next + 1) * 1000 / (self.guide.ways.len() + 1)
    }
}

/// What is known of a state.
#[derive(Clone, Debug, Default)]
struct Followers {
    /// Decisions that were looked at.
    seen: usize,
    /// Slices since the guide knew a decision.
    idle: u32,
    all: Vec<Follower>,
}

impl Followers {
    fn best(&self) -> Option<usize> {
        let on_the_way = self.all.iter().filter(|follower| !follower.lost && self.idle < PATIENCE);
        on_the_way.map(Follower::progress).max()
    }

    /// Whether the state is in a call whose known ways it did not go.
    fn is_astray(&self) -> bool {
        !self.all.is_empty() && self.best().is_none()
    }
}

/// Runs states that a guide leads first, then those of a strategy, and last those that a guide has lost.
pub(crate) struct Guided {
    forward: Forward,
    guides: SharedGuides,
    /// All states, while there are guides.
    states: BTreeMap<StateId, Followers>,
    /// Those that a guide leads, by how far they have come.
    led: BTreeSet<(usize, StateId)>,
    /// Those that wait until nothing else is left; the strategy does not know of them.
    astray: BTreeSet<StateId>,
}

impl Guided {
    pub(crate) fn new(forward: Forward, guides: SharedGuides) -> Self {
        Guided { forward, guides, states: BTreeMap::new(), led: BTreeSet::new(), astray: BTreeSet::new() }
    }

    /// What becomes of a state's followers when it, or what was split off from it, is there.
    fn follow(before: Option<&Followers>, state: &State, guides: &Guides) -> Followers {
        let decisions = state.path.decisions() + usize::from(state.pending.is_some());
        // Of a state that nobody has looked at yet, all decisions may be of this call.
        let nothing = Followers::default();
        let before = before.unwrap_or(&nothing);
        let frames: Vec<FuncId> = state.frames().map(|frame| frame.func).collect();
        let at_depth = |depth: usize| frames.len().checked_sub(depth).and_then(|at| frames.get(at)).copied();
        let mut now = Followers { seen: decisions, ..before.clone() };
        now.all.retain(|follower| at_depth(follower.depth) == Some(follower.guide.func));
        for (at, func) in frames.iter().enumerate() {
            let depth = frames.len() - at;
            for guide in guides.all.iter().filter(|guide| guide.func == *func) {
                if !now.all.iter().any(|known| known.depth == depth && Rc::ptr_eq(&known.guide, guide)) {
                    now.all.push(Follower { guide: Rc::clone(guide), depth, next: 0, lost: false });
                }
            }
        }
        let reached: usize = now.all.iter().map(|follower| follower.next).sum();
        for decision in newest(state, decisions.saturating_sub(before.seen)) {
            now.all.iter_mut().filter(|follower| !follower.lost).for_each(|follower| follower.decide(decision));
        }
        let moved = now.all.iter().map(|follower| follower.next).sum::<usize>() > reached;
        now.idle = if moved { 0 } else { now.idle + 1 };
        now
    }
}

/// The last decisions of a state, oldest first.
fn newest(state: &State, count: usize) -> Vec<Decision> {
    let pending = state.pending.iter().map(|pending| &pending.condition);
    let all = pending.chain(state.path.newest_first()).filter_map(|condition| condition.decided);
    let mut newest: Vec<Decision> = all.take(count).collect();
    newest.reverse();
    newest
}

impl Guided {
    fn forget(&mut self, id: StateId) -> Option<Followers> {
        let followers = self.states.remove(&id)?;
        if let Some(progress) = followers.best() {
            self.led.remove(&(progress, id));
        }
        Some(followers)
    }

    fn remember(&mut self, id: StateId, followers: Followers) {
        if let Some(progress) = followers.best() {
            self.led.insert((progress, id));
        }
        self.states.insert(id, followers);
    }

    /// Looks at the states that a slice has left; those that are astray now.
    fn look_at(&mut self, delta: &Delta<'_>, view: &View<'_, '_>) -> Vec<StateId> {
        let before = delta.ran.and_then(|ran| self.forget(ran));
        let guides = Rc::clone(&self.guides);
        let mut guides = guides.borrow_mut();
        let was_led = before.as_ref().is_some_and(|before| before.best().is_some());
        guides.refuted += u64::from(was_led && delta.ran.is_some_and(|ran| delta.removed.contains(&ran)));
        let mut astray = Vec::new();
        for &id in delta.ran.iter().chain(delta.added).filter(|_| !guides.all.is_empty()) {
            let Some(state) = view.store.get(id) else { continue };
            let now = Self::follow(before.as_ref(), state, &guides);
            if now.is_astray() {
                astray.push(id);
            }
            self.remember(id, now);
        }
        for &id in delta.removed {
            self.forget(id);
        }
        astray
    }

    /// Those that a guide has lost are the strategy's again.
    fn call_back(&mut self, view: &View<'_, '_>) -> Option<Work> {
        let back: Vec<StateId> = std::mem::take(&mut self.astray).into_iter().collect();
        if back.is_empty() {
            return None;
        }
        self.forward.learn(&Delta { ran: None, added: &back, removed: &[] }, view);
        self.forward.next(view)
    }
}

impl Explorer for Guided {
    fn next(&mut self, view: &View<'_, '_>) -> Option<Work> {
        self.guides.borrow_mut().running.clear();
        let Some(&(_, state)) = self.led.last().filter(|_| view.seeded().is_none()) else {
            return self.forward.next(view).or_else(|| self.call_back(view));
        };
        let led = self.states[&state].all.iter().filter(|follower| !follower.lost);
        self.guides.borrow_mut().running.extend(led.map(|follower| follower.guide.goal));
        Some(Work::Run { state, budget: DIRECTED_SLICE })
    }

    fn learn(&mut self, delta: &Delta<'_>, view: &View<'_, '_>) {
        let astray = self.look_at(delta, view);
        // Whoever is astray is gone, for the strategy; and what it does not have cannot be taken away from it.
        let removed = delta.removed.iter().filter(|id| !self.astray.remove(id)).copied();
        let ran = delta.ran.filter(|id| astray.contains(id));
        let removed: Vec<StateId> = removed.chain(ran).collect();
        let added: Vec<StateId> = delta.added.iter().filter(|id| !astray.contains(id)).copied().collect();
        self.forward.learn(&Delta { ran: delta.ran, added: &added, removed: &removed }, view);
        self.astray.extend(astray);
    }
}
