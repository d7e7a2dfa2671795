//! Which tests of a run stay: all, a small subset that covers as much, or those of findings alone; and what they cover.
//!
//! A test that covers a line or branch of the user's code which no test before it covered is written at once; any other never is.
//! So there are as many as there are such things at most, nothing covered is lost when the run is killed, and what is claimed
//! to be covered is what the tests in the directory cover. At the end a few go that later ones made superfluous.
//! These are found greedily: next is the test that adds most to what the tests of findings cover. Bounds only fall as tests are
//! chosen, so a queue of old bounds gives the best without asking all (Minoux 1978). Afterwards a test whose share is covered by
//! others is dropped.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use taw_engine::{Outcome, PathCoverage, TestCase, UserNumbers};

use crate::findings::Seen;

/// Which tests stay at the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// One per path.
    All,
    /// Findings, and a small subset of the others with the same line and branch coverage.
    #[default]
    Covering,
    /// Findings only.
    Findings,
}

/// The tests written so far, by what they are worth.
#[derive(Debug)]
pub(crate) struct KeptTests {
    keep: Keep,
    users: UserNumbers,
    /// What they cover together.
    covered: PathCoverage,
    /// Files, and whether each stays whatever it covers.
    files: Vec<(String, bool)>,
    /// For each different coverage its best test. Empty unless wanted.
    best: BTreeMap<Vec<u32>, Candidate>,
}

/// A test to choose; smaller is better where the coverage is the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Candidate {
    /// 0 for findings and places that were asked for, which stay; 1 for paths that ended by themselves; 2 for those that were cut
    /// short or ended in an error that another test shows.
    rank: u8,
    name: String,
}

impl KeptTests {
    pub(crate) fn new(keep: Keep, users: UserNumbers) -> Self {
        KeptTests { keep, users, covered: PathCoverage::default(), files: Vec::new(), best: BTreeMap::new() }
    }

    /// Whether a test is worth a file. `seen` says whether the error that it ends in is new, if it ends in one.
    pub(crate) fn wants(&self, test: &TestCase, seen: Option<Seen>) -> bool {
        let is_new = || test.covered.has_more_than(&self.covered, |number| self.users.has(number));
        match (self.keep, seen) {
            (_, Some(Seen::First(_) | Seen::Better(_))) => true,
            (Keep::Findings, _) => matches!(test.outcome, Outcome::Reached(_)),
            (Keep::All, None) => true,
            (Keep::All | Keep::Covering, _) => is_new(),
        }
    }

    /// Whether tests may go again when others cover as much.
    pub(crate) fn is_final(&self) -> bool {
        self.keep != Keep::Covering
    }

    /// Notes a test that was written to the file `name`.
    pub(crate) fn add(&mut self, name: &str, test: &TestCase, seen: Option<Seen>) {
        let rank = match (&test.outcome, seen) {
            (Outcome::Reached(_), _) | (_, Some(Seen::First(_) | Seen::Better(_))) => 0,
            (Outcome::Exit(_) | Outcome::Signal(_), _) => 1,
            _ => 2,
        };
        self.covered.add(&test.covered);
        self.files.push((name.to_owned(), self.is_final() || rank == 0));
        if !self.is_final() {
            let covered = test.covered.iter().filter(|&number| self.users.has(number)).collect();
            let candidate = Candidate { rank, name: name.to_owned() };
            let best = self.best.entry(covered).or_insert_with(|| candidate.clone());
            if candidate < *best {
                *best = candidate;
            }
        }
    }

    /// Another test shows the error that this one does: it stays only for what it covers.
    pub(crate) fn outdone(&mut self, name: &str) {
        if !self.is_final() {
            self.files.iter_mut().filter(|(known, _)| known == name).for_each(|(_, always)| *always = false);
            self.best.values_mut().filter(|best| best.name == name).for_each(|best| best.rank = 2);
        }
    }

    /// What the tests that stay cover of the user's code: as much as all that were written.
    pub(crate) fn covered(&self) -> &PathCoverage {
        &self.covered
    }

    /// The files that stay and those that go, each by name.
    pub(crate) fn divide(mut self) -> (Vec<String>, Vec<String>) {
        let mut chosen = choose(&self.best);
        chosen.sort();
        self.files.sort();
        let stays = |(name, always): &(String, bool)| *always || chosen.binary_search(name).is_ok();
        let (stay, go): (Vec<_>, Vec<_>) = self.files.into_iter().partition(stays);
        let names = |files: Vec<(String, bool)>| files.into_iter().map(|(name, _)| name).collect();
        (names(stay), names(go))
    }
}

/// The numbers of sets that together have as much as all; of two that are equal the first stays.
pub fn fewest(sets: &[Vec<u32>]) -> Vec<usize> {
    let mut best = BTreeMap::new();
    for (number, set) in sets.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
        best.entry(set.clone()).or_insert_with(|| Candidate { rank: 1, name: format!("{number:08}") });
    }
    let mut chosen: Vec<usize> = choose(&best).iter().filter_map(|name| name.parse().ok()).collect();
    chosen.sort_unstable();
    chosen
}

/// Names of tests that together cover as much as all.
fn choose(best: &BTreeMap<Vec<u32>, Candidate>) -> Vec<String> {
    let size = best.keys().filter_map(|set| set.last()).max().map_or(0, |&last| last as usize + 1);
    let mut times = vec![0u32; size];
    let mut queue = BinaryHeap::new();
    for (set, candidate) in best {
        if candidate.rank == 0 {
            count(&mut times, set);
        } else {
            queue.push((set.len(), Reverse(candidate), set));
        }
    }
    let mut chosen = Vec::new();
    while let Some((bound, candidate, set)) = queue.pop() {
        let gain = set.iter().filter(|&&number| times[number as usize] == 0).count();
        if gain == 0 {
            continue;
        }
        if gain < bound {
            queue.push((gain, candidate, set));
            continue;
        }
        count(&mut times, set);
        chosen.push((candidate.0, set));
    }
    chosen.retain(|(_, set)| {
        let needed = set.iter().any(|&number| times[number as usize] == 1);
        if !needed {
            set.iter().for_each(|&number| times[number as usize] -= 1);
        }
        needed
    });
    chosen.into_iter().map(|(candidate, _)| candidate.name.clone()).collect()
}

fn count(times: &mut [u32], set: &[u32]) {
    set.iter().for_each(|&number| times[number as usize] += 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn chosen(sets: &[(u8, &[u32])]) -> Vec<usize> {
        let name = |index: usize| format!("{index:03}");
        let best = sets
            .iter()
            .enumerate()
            .map(|(index, &(rank, set))| (set.to_vec(), Candidate { rank, name: name(index) }))
            .collect();
        choose(&best).iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn the_largest_test_makes_the_smaller_ones_superfluous() {
        assert_eq!(chosen(&[(1, &[0]), (1, &[1]), (1, &[0, 1, 2])]), [2]);
        assert_eq!(chosen(&[(0, &[0, 1]), (1, &[0]), (1, &[1, 2])]), [2], "findings cover too, and stay anyway");
        assert_eq!(chosen(&[(0, &[0])]), [0usize; 0]);
        assert_eq!(chosen(&[]), [0usize; 0]);
    }

    #[test]
    fn what_greed_takes_too_early_is_dropped() {
        // The large middle one is taken first, and then both others are needed for the ends.
        assert_eq!(chosen(&[(1, &[1, 2, 3, 4]), (1, &[0, 1, 2]), (1, &[3, 4, 5])]), [1, 2]);
    }

    #[test]
    fn coverage_is_kept_and_nothing_is_superfluous() {
        let mut state = 12345u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        for _ in 0..200 {
            let sets: Vec<Vec<u32>> = (0..random() % 20)
                .map(|_| (0..random() % 8).map(|_| random() % 30).collect::<BTreeSet<_>>().into_iter().collect())
                .collect();
            let sets: Vec<Vec<u32>> = sets.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
            let given: Vec<(u8, &[u32])> = sets.iter().map(|set| (1, set.as_slice())).collect();
            let chosen = chosen(&given);
            let union = |tests: &[usize]| tests.iter().flat_map(|&t| sets[t].clone()).collect::<BTreeSet<_>>();
            let all: Vec<usize> = (0..sets.len()).collect();
            assert_eq!(union(&chosen), union(&all));
            for out in &chosen {
                let rest: Vec<usize> = chosen.iter().copied().filter(|test| test != out).collect();
                assert_ne!(union(&rest), union(&all), "{out} of {chosen:?} is superfluous in {sets:?}");
            }
        }
    }
}
