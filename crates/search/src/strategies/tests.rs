//! What every strategy owes, looped over the registry; and what only one does.

use std::collections::{BTreeMap, BTreeSet};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::STRATEGIES;
use crate::{Delta, Progress, Searcher, StateId};

/// Facts from a table; the defaults are those of a state that nothing is known of.
#[derive(Default)]
struct Facts {
    since: BTreeMap<StateId, u64>,
    distance: BTreeMap<StateId, u64>,
}

impl Progress for Facts {
    fn depth(&self, _: StateId) -> u32 {
        0
    }
    fn since_new_coverage(&self, id: StateId) -> u64 {
        self.since.get(&id).copied().unwrap_or(1_000_000)
    }
    fn distance_to_uncovered(&self, id: StateId) -> Option<u64> {
        self.distance.get(&id).copied()
    }
}

fn begin(searcher: &mut dyn Searcher, initial: &[StateId]) {
    searcher.update(&Delta { ran: None, added: initial, removed: &[] }, &Facts::default());
}

fn fork(searcher: &mut dyn Searcher, ran: u64, added: u64) {
    let delta = Delta { ran: Some(StateId(ran)), added: &[StateId(added)], removed: &[] };
    searcher.update(&delta, &Facts::default());
}

fn end(searcher: &mut dyn Searcher, ran: u64) {
    let delta = Delta { ran: Some(StateId(ran)), added: &[], removed: &[StateId(ran)] };
    searcher.update(&delta, &Facts::default());
}

/// Runs a random program of `budget` forks to its end, checks each choice, and returns the choices.
fn drain(searcher: &mut dyn Searcher, program_seed: u64, budget: u64) -> Vec<StateId> {
    let mut program = Pcg64Mcg::seed_from_u64(program_seed);
    let facts = Facts::default();
    let mut pending = BTreeSet::from([StateId(0)]);
    let mut next_id = 1;
    let mut trace = Vec::new();
    begin(searcher, &[StateId(0)]);
    while let Some(ran) = searcher.select(&facts) {
        assert!(pending.contains(&ran), "{searcher:?} chose {ran:?}, which is not pending");
        trace.push(ran);
        // The last state forks until the budget is spent, so that every program is of the size asked for.
        let least = u64::from(pending.len() == 1);
        let forks = if next_id > budget { 0 } else { program.random_range(least..3) };
        let added: Vec<StateId> = (next_id..next_id + forks).map(StateId).collect();
        next_id += forks;
        let mut removed = Vec::new();
        if forks == 0 || program.random_bool(0.3) {
            removed.push(ran);
        }
        // Another state may end too: a limit, or a merge.
        if let Some(&other) = pending.iter().next().filter(|&&id| id != ran && program.random_bool(0.05)) {
            removed.push(other);
        }
        pending.extend(&added);
        for id in &removed {
            pending.remove(id);
        }
        searcher.update(&Delta { ran: Some(ran), added: &added, removed: &removed }, &facts);
    }
    assert!(pending.is_empty(), "{} states were forgotten", pending.len());
    trace
}

#[test]
fn every_strategy_drains_every_program_and_never_chooses_a_state_that_ended() {
    for def in STRATEGIES {
        for program in 0..40 {
            drain(&mut *(def.new)(7), program, 300);
        }
    }
}

#[test]
fn every_strategy_makes_the_same_choices_from_the_same_seed() {
    for def in STRATEGIES {
        for seed in 0..4 {
            assert_eq!(drain(&mut *(def.new)(seed), 3, 500), drain(&mut *(def.new)(seed), 3, 500), "{}", def.name);
        }
    }
}

#[test]
fn every_strategy_chooses_again_without_an_update() {
    for def in STRATEGIES {
        let mut searcher = (def.new)(1);
        assert_eq!(searcher.select(&Facts::default()), None, "{}", def.name);
        begin(&mut *searcher, &[StateId(4), StateId(9)]);
        for _ in 0..10 {
            let chosen = searcher.select(&Facts::default()).expect("two states are pending");
            assert!([StateId(4), StateId(9)].contains(&chosen), "{}", def.name);
        }
    }
}

#[test]
fn names_are_unique_and_rows_explain_themselves() {
    let names: BTreeSet<String> = STRATEGIES.iter().map(|def| def.name.to_ascii_lowercase()).collect();
    assert_eq!(names.len(), STRATEGIES.len());
    assert!(STRATEGIES.iter().all(|def| !def.help.is_empty()));
}

fn named(name: &str) -> Box<dyn Searcher> {
    crate::parse(name, 5).expect("it is in the list")
}

#[test]
fn dfs_ends_a_path_before_it_takes_the_newest_fork() {
    let mut dfs = named("DFS");
    begin(&mut *dfs, &[StateId(0)]);
    fork(&mut *dfs, 0, 1);
    fork(&mut *dfs, 0, 2);
    let mut order = Vec::new();
    while let Some(id) = dfs.select(&Facts::default()) {
        order.push(id.0);
        end(&mut *dfs, id.0);
    }
    assert_eq!(order, [0, 2, 1]);
}

#[test]
fn bfs_finishes_a_level_before_the_next() {
    let mut bfs = named("BFS");
    begin(&mut *bfs, &[StateId(0)]);
    let mut order = Vec::new();
    for new in 1..8 {
        let ran = bfs.select(&Facts::default()).expect("pending").0;
        order.push(ran);
        fork(&mut *bfs, ran, new);
    }
    // Level 0 forks once, level 1 twice, level 2 four times.
    assert_eq!(order, [0, 0, 1, 0, 2, 1, 3]);
}

/// How often each state is chosen.
fn histogram(searcher: &mut dyn Searcher, facts: &Facts, draws: u32) -> BTreeMap<u64, f64> {
    let mut counts = BTreeMap::new();
    for _ in 0..draws {
        *counts.entry(searcher.select(facts).expect("pending").0).or_insert(0.0) += 1.0 / f64::from(draws);
    }
    counts
}

fn assert_near(counts: &BTreeMap<u64, f64>, expected: &[(u64, f64)]) {
    for &(id, share) in expected {
        let seen = counts.get(&id).copied().unwrap_or(0.0);
        // Five standard deviations of 40 000 draws: a chance of less than one in a million per comparison.
        let tolerance = 5.0 * (share * (1.0 - share) / 40_000.0).sqrt() + 1e-9;
        assert!((seen - share).abs() <= tolerance, "state {id}: {seen} instead of {share}");
    }
}

#[test]
fn random_path_halves_the_chance_at_every_fork() {
    let mut rp = named("RP");
    begin(&mut *rp, &[StateId(0)]);
    // A loop that forks 10 times: state k leaves it after k rounds, state 0 is still in it.
    for exit in 1..=10 {
        fork(&mut *rp, 0, exit);
    }
    let mut expected: Vec<(u64, f64)> = (1..=10).map(|k| (k, 0.5_f64.powi(k as i32))).collect();
    expected.push((0, 0.5_f64.powi(10)));
    assert_near(&histogram(&mut *rp, &Facts::default(), 40_000), &expected);
    // When the first exit ends, its half goes to the rest of the tree.
    end(&mut *rp, 1);
    assert_near(&histogram(&mut *rp, &Facts::default(), 40_000), &[(2, 0.5), (3, 0.25), (4, 0.125)]);
}

#[test]
fn random_state_gives_all_the_same_chance_however_the_tree_looks() {
    let mut random = named("random-state");
    begin(&mut *random, &[StateId(0)]);
    for exit in 1..=9 {
        fork(&mut *random, 0, exit);
    }
    let expected: Vec<(u64, f64)> = (0..10).map(|id| (id, 0.1)).collect();
    assert_near(&histogram(&mut *random, &Facts::default(), 40_000), &expected);
}

#[test]
fn coverage_new_prefers_what_is_fresh_or_near() {
    let mut covnew = named("coverage-new");
    let facts = Facts {
        since: BTreeMap::from([(StateId(0), 10)]),   // weight 1 + 1e-8
        distance: BTreeMap::from([(StateId(1), 2)]), // weight 1e-12 + 1/4
    };
    let all = [StateId(0), StateId(1), StateId(2)];
    covnew.update(&Delta { ran: None, added: &all, removed: &[] }, &facts);
    assert_near(&histogram(&mut *covnew, &facts, 40_000), &[(0, 0.8), (1, 0.2), (2, 0.0)]);
    // Weights follow what the state that ran has done since.
    covnew.update(&Delta { ran: Some(StateId(0)), added: &[], removed: &[] }, &Facts::default());
    assert_near(&histogram(&mut *covnew, &facts, 40_000), &[(1, 1.0)]);
}

#[test]
fn a_hundred_thousand_states_take_no_noticeable_time() {
    for def in STRATEGIES {
        let start = std::time::Instant::now();
        let slices = drain(&mut *(def.new)(1), 11, 100_000).len();
        assert!(slices > 50_000, "the program ended early: {slices} slices");
        assert!(start.elapsed().as_secs() < 20, "{} is not logarithmic", def.name);
    }
}
