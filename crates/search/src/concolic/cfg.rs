//! Control-flow-directed search (CREST's `-cfg`): the decision whose other side is nearest to a branch that nobody has covered, in the graph of branches; and then
//! along that graph.
//!
//! The score of a decision is the distance of its other side and how often that side was taken before on this path; ties by chance. A path that went where it
//! should and has not arrived is followed: of its next decisions those are turned whose other side is nearer still. New coverage makes that path the one to search from;
//! after 30 runs without any, inputs by chance do. Decisions that are no branches (checks) come last. It does not end by itself.
//! Unlike there, what was covered is never forgotten: it is no aim any more.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{BranchSide, ConcolicDef, NextRun, RunOutcome, WalkId, WalkStrategy, Walks};

pub(super) const DEF: ConcolicDef = ConcolicDef {
    name: "CFG",
    usage: "CFG",
    help: "the decision nearest to a branch that is not covered, and on along the control flow (CREST); until a limit",
    has_number: false,
    new: |_, seed| Box::new(Cfg { random: Pcg64Mcg::seed_from_u64(seed), ..Cfg::default() }),
};

/// Runs from one path without new coverage.
const RUNS: u32 = 30;
/// The distance from where nothing uncovered can be reached.
const FAR: u64 = 10_000;
/// What a decision that is no branch counts as.
const NO_BRANCH: u64 = 2 * FAR;

/// Something to turn, and the distance from there that it should come to at most.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    walk: WalkId,
    choice: usize,
    distance: u64,
}

#[derive(Debug)]
struct Cfg {
    random: Pcg64Mcg,
    /// The path to search from.
    walk: Option<WalkId>,
    /// Its decisions by score, the best last.
    ranked: Vec<Candidate>,
    /// What lies nearer along paths that were led there, the nearest last.
    along: Vec<Candidate>,
    /// What was asked for last.
    asked: Option<Candidate>,
    runs: u32,
}

impl Default for Cfg {
    fn default() -> Self {
        let random = Pcg64Mcg::seed_from_u64(0);
        Cfg { random, walk: None, ranked: Vec::new(), along: Vec::new(), asked: None, runs: 0 }
    }
}

fn distance(walks: &dyn Walks, side: BranchSide) -> u64 {
    walks.distance(side).unwrap_or(FAR)
}

impl Cfg {
    /// Begins to search from a path.
    fn from(&mut self, walk: WalkId, walks: &dyn Walks) {
        let mut seen: HashMap<BranchSide, u64> = HashMap::new();
        let mut ranked = Vec::new();
        for choice in 0..walks.choices(walk) {
            let (score, distance) = match walks.sides(walk, choice) {
                Some((taken, other)) => {
                    let (far, times) = (distance(walks, other), seen.get(&other).copied().unwrap_or(0));
                    *seen.entry(taken).or_default() += 1;
                    (far + times, far)
                }
                None => (NO_BRANCH, 0),
            };
            ranked.push(((score, self.random.random::<u32>()), Candidate { walk, choice, distance }));
        }
        ranked.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
        self.ranked = ranked.into_iter().map(|(_, candidate)| candidate).collect();
        (self.walk, self.runs) = (Some(walk), 0);
        self.along.clear();
    }

    /// Goes on along a path that should come nearer: its decisions from `next` on, as long as the sides it takes are near enough.
    fn follow(&mut self, walk: WalkId, next: usize, most: u64, walks: &dyn Walks) {
        let (mut bound, mut found) = (most, Vec::new());
        for choice in next..walks.choices(walk) {
            let Some((taken, other)) = walks.sides(walk, choice) else { continue };
            let far = distance(walks, other);
            if far < bound {
                found.push(Candidate { walk, choice, distance: far });
            }
            let here = distance(walks, taken);
            if here > bound {
                break;
            }
            bound = bound.min(here.max(1));
        }
        found.sort_by_key(|candidate| std::cmp::Reverse(candidate.distance));
        self.along.extend(found);
    }
}

impl WalkStrategy for Cfg {
    fn next(&mut self, _: &dyn Walks) -> Option<NextRun> {
        self.asked = match self.runs < RUNS {
            true => self.along.pop().or_else(|| self.ranked.pop()),
            false => None,
        };
        let Some(Candidate { walk, choice, .. }) = self.asked else {
            (self.walk, self.ranked, self.along) = (None, Vec::new(), Vec::new());
            return Some(NextRun::Random);
        };
        Some(NextRun::Turn { walk, choice })
    }

    fn learn(&mut self, outcome: RunOutcome, walks: &dyn Walks) {
        let RunOutcome::Ran { walk, predicted, next, gain, .. } = outcome else { return };
        let asked = self.asked.take();
        if gain > 0 || self.walk.is_none() {
            return self.from(walk, walks);
        }
        self.runs += 1;
        if let Some(asked) = asked.filter(|asked| predicted && (1..FAR).contains(&asked.distance)) {
            self.follow(walk, next, asked.distance, walks);
        }
    }

    fn holds(&self, walk: WalkId) -> bool {
        let asked = self.along.iter().chain(&self.ranked).chain(&self.asked);
        self.walk == Some(walk) || asked.into_iter().any(|candidate| candidate.walk == walk)
    }

    fn is_exhaustive(&self) -> bool {
        false
    }
}
