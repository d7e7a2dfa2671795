//! Strategies on trees of decisions: what they ask for, in which order, and when they are done.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// A full binary tree of so many levels. A path is the bits of its decisions; some are impossible.
struct Tree {
    levels: usize,
    impossible: BTreeSet<Vec<bool>>,
    walks: RefCell<BTreeMap<WalkId, Vec<bool>>>,
    /// Ways that were gone or asked for, as the decisions that lead there.
    done: RefCell<BTreeSet<Vec<bool>>>,
}

impl Walks for Tree {
    fn choices(&self, walk: WalkId) -> usize {
        self.walks.borrow()[&walk].len()
    }

    fn is_open(&self, walk: WalkId, choice: usize) -> bool {
        !self.done.borrow().contains(&self.turned(walk, choice))
    }

    fn sides(&self, walk: WalkId, choice: usize) -> Option<(BranchSide, BranchSide)> {
        let taken = u64::from(self.walks.borrow()[&walk][choice]);
        Some((BranchSide(2 * choice as u64 + taken), BranchSide(2 * choice as u64 + 1 - taken)))
    }

    fn distance(&self, side: BranchSide) -> Option<u64> {
        Some((self.levels as u64 - side.0 / 2).saturating_sub(1))
    }
}

impl Tree {
    fn new(levels: usize, impossible: &[&[bool]]) -> Self {
        let impossible = impossible.iter().map(|path| path.to_vec()).collect();
        Tree { levels, impossible, walks: RefCell::default(), done: RefCell::default() }
    }

    fn turned(&self, walk: WalkId, choice: usize) -> Vec<bool> {
        let mut way = self.walks.borrow()[&walk][..=choice].to_vec();
        way[choice] = !way[choice];
        way
    }

    /// A path that begins so, and goes on with zeros where it can.
    fn walk(&self, mut path: Vec<bool>) -> WalkId {
        while path.len() < self.levels {
            path.push(false);
            if self.impossible.contains(&path) {
                *path.last_mut().expect("not empty") = true;
            }
        }
        (1..=path.len()).for_each(|len| drop(self.done.borrow_mut().insert(path[..len].to_vec())));
        let id = WalkId(self.walks.borrow().len() as u64);
        self.walks.borrow_mut().insert(id, path);
        id
    }

    /// Lets a strategy work for so many steps; gives the paths in their order.
    fn explore(&self, strategy: &mut dyn WalkStrategy, most: usize) -> Vec<Vec<bool>> {
        let first = self.walk(Vec::new());
        let ran = |walk: WalkId, turned, next| {
            let walks = self.walks.borrow();
            let is_new = walks.iter().all(|(other, path)| *other == walk || path != &walks[&walk]);
            RunOutcome::Ran { walk, turned, predicted: true, next, gain: u64::from(is_new) }
        };
        strategy.learn(ran(first, false, 0), self);
        for _ in 0..most {
            let outcome = match strategy.next(self) {
                None => break,
                Some(NextRun::Random) => ran(self.walk(Vec::new()), false, 0),
                Some(NextRun::Turn { walk, choice }) => {
                    assert!(strategy.holds(walk), "it must not be forgotten");
                    let way = self.turned(walk, choice);
                    self.done.borrow_mut().insert(way.clone());
                    match self.impossible.contains(&way) {
                        true => RunOutcome::Impossible,
                        false => ran(self.walk(way), true, choice + 1),
                    }
                }
            };
            strategy.learn(outcome, self);
        }
        self.walks.borrow().values().cloned().collect()
    }
}

fn strategy(name: &str, number: Option<u64>) -> Box<dyn WalkStrategy> {
    (CONCOLIC.iter().find(|def| def.name == name).expect(name).new)(number, 1)
}

#[test]
fn those_that_end_have_gone_every_way_once() {
    for name in ["DFS", "DFS-crest", "generational"] {
        let tree = Tree::new(4, &[&[false, true], &[true, true, true]]);
        let mut strategy = strategy(name, None);
        let paths = tree.explore(&mut *strategy, 1000);
        assert_eq!(paths.len(), 4 + 4 + 2, "{name}");
        assert_eq!(paths.iter().collect::<BTreeSet<_>>().len(), paths.len(), "{name}: none twice");
        assert!(strategy.is_exhaustive(), "{name}");
    }
}

#[test]
fn the_paper_turns_the_deepest_first_and_crest_the_earliest() {
    let numbers = |name: &str| {
        let paths = Tree::new(3, &[]).explore(&mut *strategy(name, None), 1000);
        let number = |path: &Vec<bool>| path.iter().fold(0, |number, way| 2 * number + u32::from(*way));
        paths.iter().map(number).collect::<Vec<_>>()
    };
    assert_eq!(numbers("DFS"), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(numbers("DFS-crest"), [0, 4, 6, 7, 5, 2, 3, 1]);
}

#[test]
fn a_bound_is_no_exhaustive_search() {
    for (name, bound, paths) in [("DFS", 2, 4), ("DFS-crest", 1, 2)] {
        let mut strategy = strategy(name, Some(bound));
        assert_eq!(Tree::new(4, &[]).explore(&mut *strategy, 1000).len(), paths, "{name}");
        assert!(!strategy.is_exhaustive(), "{name}");
    }
    let mut enough = strategy("DFS", Some(4));
    assert_eq!(Tree::new(4, &[]).explore(&mut *enough, 1000).len(), 16);
    assert!(enough.is_exhaustive(), "no path had more");
}

#[test]
fn those_that_do_not_end_go_on_and_claim_nothing() {
    for def in CONCOLIC.iter().filter(|def| !["DFS", "DFS-crest", "generational"].contains(&def.name)) {
        let tree = Tree::new(3, &[&[true, true]]);
        let mut strategy = (def.new)(None, 7);
        let paths = tree.explore(&mut *strategy, 500);
        assert!(!strategy.is_exhaustive() && paths.len() > 100, "{}", def.name);
        if def.name != "random-input" {
            assert_eq!(paths.iter().collect::<BTreeSet<_>>().len(), 6, "{} finds all ways of a small tree", def.name);
        }
    }
}
