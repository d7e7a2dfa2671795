//! What every strategy owes, looped over the registry; and what only one does.

use std::collections::{BTreeMap, BTreeSet};

use super::STRATEGIES;
use crate::facts::{StateFacts, begin, chosen, drain, end, fork};
use crate::{Delta, GoalId, NeedId, Searcher, StateId, parse};

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
        assert_eq!(searcher.select(&StateFacts::default()), None, "{}", def.name);
        begin(&mut *searcher, &[4, 9], &StateFacts::default());
        for _ in 0..10 {
            let chosen = searcher.select(&StateFacts::default()).expect("two states are pending");
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
    begin(&mut *dfs, &[0], &StateFacts::default());
    fork(&mut *dfs, 0, 1);
    fork(&mut *dfs, 0, 2);
    let mut order = Vec::new();
    while let Some(id) = dfs.select(&StateFacts::default()) {
        order.push(id.0);
        end(&mut *dfs, id.0);
    }
    assert_eq!(order, [0, 2, 1]);
}

#[test]
fn bfs_finishes_a_level_before_the_next() {
    let mut bfs = named("BFS");
    begin(&mut *bfs, &[0], &StateFacts::default());
    let mut order = Vec::new();
    for new in 1..8 {
        let ran = bfs.select(&StateFacts::default()).expect("pending").0;
        order.push(ran);
        fork(&mut *bfs, ran, new);
    }
    // Level 0 forks once, level 1 twice, level 2 four times.
    assert_eq!(order, [0, 0, 1, 0, 2, 1, 3]);
}

/// How often each state is chosen.
fn histogram(searcher: &mut dyn Searcher, facts: &StateFacts, draws: u32) -> BTreeMap<u64, f64> {
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
    begin(&mut *rp, &[0], &StateFacts::default());
    // A loop that forks 10 times: state k leaves it after k rounds, state 0 is still in it.
    for exit in 1..=10 {
        fork(&mut *rp, 0, exit);
    }
    let mut expected: Vec<(u64, f64)> = (1..=10).map(|k| (k, 0.5_f64.powi(k as i32))).collect();
    expected.push((0, 0.5_f64.powi(10)));
    assert_near(&histogram(&mut *rp, &StateFacts::default(), 40_000), &expected);
    // When the first exit ends, its half goes to the rest of the tree.
    end(&mut *rp, 1);
    assert_near(&histogram(&mut *rp, &StateFacts::default(), 40_000), &[(2, 0.5), (3, 0.25), (4, 0.125)]);
}

#[test]
fn random_state_gives_all_the_same_chance_however_the_tree_looks() {
    let mut random = named("random-state");
    begin(&mut *random, &[0], &StateFacts::default());
    for exit in 1..=9 {
        fork(&mut *random, 0, exit);
    }
    let expected: Vec<(u64, f64)> = (0..10).map(|id| (id, 0.1)).collect();
    assert_near(&histogram(&mut *random, &StateFacts::default(), 40_000), &expected);
}

#[test]
fn coverage_new_prefers_what_is_fresh_or_near() {
    let mut covnew = named("coverage-new");
    let facts = StateFacts {
        since: BTreeMap::from([(StateId(0), 10)]),       // weight 1 + 1e-8
        to_uncovered: BTreeMap::from([(StateId(1), 2)]), // weight 1e-12 + 1/4
        ..StateFacts::default()
    };
    let all = [StateId(0), StateId(1), StateId(2)];
    covnew.update(&Delta { ran: None, added: &all, removed: &[] }, &facts);
    assert_near(&histogram(&mut *covnew, &facts, 40_000), &[(0, 0.8), (1, 0.2), (2, 0.0)]);
    // Weights follow what the state that ran has done since.
    covnew.update(&Delta { ran: Some(StateId(0)), added: &[], removed: &[] }, &StateFacts::default());
    assert_near(&histogram(&mut *covnew, &facts, 40_000), &[(1, 1.0)]);
}

#[test]
fn path_weighted_halves_the_chance_for_each_fork_that_was() {
    let mut weighted = named("path-weighted");
    let facts = StateFacts {
        depth: BTreeMap::from([(StateId(0), 1), (StateId(1), 2), (StateId(2), 2)]),
        ..StateFacts::default()
    };
    begin(&mut *weighted, &[0, 1, 2], &facts);
    assert_near(&histogram(&mut *weighted, &facts, 40_000), &[(0, 0.5), (1, 0.25), (2, 0.25)]);
    // Unlike RP: without state 0, the others share its chance in proportion.
    end(&mut *weighted, 0);
    assert_near(&histogram(&mut *weighted, &facts, 40_000), &[(1, 0.5), (2, 0.5)]);
}

#[test]
fn sdse_takes_the_nearest_and_a_hopeless_state_last() {
    let mut sdse = named("SDSE");
    let facts = StateFacts::distances(&[(0, 0, 7), (1, 0, 3), (1, 1, 9)]);
    begin(&mut *sdse, &[0, 1, 2], &facts);
    let mut order = Vec::new();
    while let Some(id) = sdse.select(&facts) {
        order.push(id.0);
        end(&mut *sdse, id.0);
    }
    assert_eq!(order, [1, 0, 2]);
}

#[test]
fn sdse_looks_again_when_a_target_was_reached() {
    for name in ["SDSE", "SDSE-rr"] {
        let mut sdse = named(name);
        let mut facts = StateFacts::distances(&[(0, 0, 1), (0, 1, 8), (1, 1, 5)]);
        begin(&mut *sdse, &[0, 1], &facts);
        assert_eq!(chosen(&mut *sdse, &facts), 0, "{name}");
        facts.closed.insert(GoalId(0));
        assert_eq!(chosen(&mut *sdse, &facts), 1, "{name}");
    }
}

#[test]
fn sdse_gives_equals_the_same_chance() {
    let mut sdse = named("SDSE");
    let facts = StateFacts::distances(&[(0, 0, 4), (1, 0, 4)]);
    begin(&mut *sdse, &[0, 1], &facts);
    let mut counts = BTreeMap::new();
    for _ in 0..40_000 {
        let id = chosen(&mut *sdse, &facts);
        *counts.entry(id).or_insert(0.0) += 1.0 / 40_000.0;
        sdse.update(&Delta { ran: Some(StateId(id)), added: &[], removed: &[] }, &facts);
    }
    assert_near(&counts, &[(0, 0.5), (1, 0.5)]);
}

#[test]
fn sdse_age_leaves_a_path_that_does_not_come_nearer() {
    let mut age = named("SDSE-age");
    let mut facts = StateFacts::distances(&[(0, 0, 10), (1, 0, 500)]);
    begin(&mut *age, &[0, 1], &facts);
    let mut slice = |age: &mut dyn Searcher, ran: u64, work: u64, distance: u64| {
        facts.instructions += work;
        facts.distance.insert((StateId(ran), GoalId(0)), distance);
        age.update(&Delta { ran: Some(StateId(ran)), added: &[], removed: &[] }, &facts);
        chosen(age, &facts)
    };
    assert_eq!(slice(&mut *age, 0, 90, 11), 0, "11 + 90 + 90 is still less than 500");
    assert_eq!(slice(&mut *age, 0, 200, 10), 1, "10 + 290 + 4 * 90 + 200 is not");
    assert_eq!(slice(&mut *age, 1, 9000, 499), 1, "it came nearer: the work is forgiven");
    assert_eq!(slice(&mut *age, 1, 1000, 499), 0, "it did not");
    assert_eq!(slice(&mut *age, 0, 1000, 9), 0, "nearer than ever: young again");
}

#[test]
fn sdse_age_multiplies_in_a_loop_without_forks() {
    let mut age = named("SDSE-age");
    let mut facts = StateFacts::distances(&[(0, 0, 10), (1, 0, 100_000)]);
    begin(&mut *age, &[0, 1], &facts);
    let mut turns = 0;
    while chosen(&mut *age, &facts) == 0 {
        turns += 1;
        facts.instructions += 1000;
        age.update(&Delta { ran: Some(StateId(0)), added: &[], removed: &[] }, &facts);
    }
    assert_eq!(turns, 5, "1, 5, 21, 85, 341 thousand");
    // A fork, and only the work itself still counts.
    facts.distance.insert((StateId(2), GoalId(0)), 10);
    age.update(&Delta { ran: Some(StateId(0)), added: &[StateId(2)], removed: &[] }, &facts);
    assert_ne!(chosen(&mut *age, &facts), 1);
}

#[test]
fn sdse_age_is_inherited_by_forks() {
    let mut age = named("SDSE-age");
    let mut facts = StateFacts::distances(&[(0, 0, 10), (1, 0, 500), (2, 0, 10), (3, 0, 5)]);
    begin(&mut *age, &[0, 1], &facts);
    facts.instructions += 1000;
    age.update(&Delta { ran: Some(StateId(0)), added: &[StateId(2)], removed: &[StateId(0)] }, &facts);
    assert_eq!(chosen(&mut *age, &facts), 1, "state 2 is as old as the path it is on");
    age.update(&Delta { ran: Some(StateId(2)), added: &[StateId(3)], removed: &[] }, &facts);
    assert_eq!(chosen(&mut *age, &facts), 3, "unless it is nearer");
}

#[test]
fn sdse_intra_goes_by_its_own_distances() {
    let mut intra = named("SDSE-intra");
    let intra_facts = BTreeMap::from([(StateId(0), 2)]);
    let facts = StateFacts { intra: intra_facts, ..StateFacts::distances(&[(0, 0, 50), (1, 0, 1)]) };
    begin(&mut *intra, &[0, 1], &facts);
    assert_eq!(chosen(&mut *intra, &facts), 0);
}

#[test]
fn sdse_pr_chooses_in_proportion_to_the_inverse() {
    let mut pr = named("SDSE-pr");
    let mut facts = StateFacts::distances(&[(0, 0, 1), (1, 0, 4), (1, 1, 4), (0, 1, 4)]);
    begin(&mut *pr, &[0, 1, 2], &facts);
    assert_near(&histogram(&mut *pr, &facts, 40_000), &[(0, 0.8), (1, 0.2), (2, 0.0)]);
    facts.closed.insert(GoalId(0));
    assert_near(&histogram(&mut *pr, &facts, 40_000), &[(0, 0.5), (1, 0.5), (2, 0.0)]);
}

#[test]
fn sdse_rr_serves_every_target_in_turn() {
    let mut rr = named("SDSE-rr");
    // State k is nearest to goal k.
    let rows: Vec<(u64, u32, u64)> =
        (0..30).flat_map(|id| (0..30).map(move |t| (id, t, u64::from(t).abs_diff(id)))).collect();
    let facts = StateFacts::distances(&rows);
    begin(&mut *rr, &(0..30).collect::<Vec<_>>(), &facts);
    let choices: Vec<u64> = (0..2000).map(|_| chosen(&mut *rr, &facts)).collect();
    assert_eq!(choices[..8], [0, 1, 2, 3, 0, 1, 2, 3], "the first targets take turns");
    assert_eq!(choices.iter().collect::<BTreeSet<_>>().len(), 30, "and all have theirs");
}

#[test]
fn sdse_need_serves_one_need_after_the_other() {
    let mut search = named("SDSE-need");
    let mut facts = StateFacts::distances(&[(0, 0, 1), (1, 0, 5), (2, 0, 5), (0, 1, 5), (1, 1, 5), (2, 1, 1)]);
    begin(&mut *search, &[0, 1, 2], &facts);
    facts.needs = [NeedId(0), NeedId(1)].into();
    assert!(search.is_idle(&facts), "others may still find it");
    facts.instructions = 100_000_000;
    assert!(!search.is_idle(&facts));
    let choices: BTreeSet<u64> = (0..1000).map(|_| chosen(&mut *search, &facts)).collect();
    assert_eq!(choices, BTreeSet::from([0, 2]), "the nearest to each");
    facts.visits.insert(StateId(0), 1);
    facts.needs = [NeedId(0)].into();
    assert_eq!(chosen(&mut *search, &facts), 0, "it was served before");
    facts.visits.insert(StateId(0), 1 << 40);
    assert_ne!(chosen(&mut *search, &facts), 0, "states have stopped there often");
    facts.closed.insert(GoalId(1));
    search.update(&Delta { ran: Some(StateId(0)), added: &[], removed: &[] }, &facts);
    assert!(search.is_idle(&facts), "a target has just been reached");
}

#[test]
fn sdse_need_finds_the_few_that_have_passed_the_assignment() {
    let mut search = named("SDSE-need");
    let rows: Vec<(u64, u32, u64)> = (0..15_000).map(|id| (id, 0, if id == 13_337 { 2 } else { 90 })).collect();
    let mut facts = StateFacts::distances(&rows);
    facts.needs = [NeedId(0)].into();
    facts.prepared.insert((StateId(13_337), NeedId(0)));
    begin(&mut *search, &(0..15_000).collect::<Vec<_>>(), &facts);
    assert_eq!(chosen(&mut *search, &facts), 13_337);
}

#[test]
fn closest_to_uncovered_follows_what_others_cover() {
    let mut closest = named("closest-to-uncovered");
    let mut facts =
        StateFacts { to_uncovered: BTreeMap::from([(StateId(0), 1), (StateId(1), 5)]), ..StateFacts::default() };
    begin(&mut *closest, &[0, 1, 2], &facts);
    assert_eq!(chosen(&mut *closest, &facts), 0);
    facts.to_uncovered.insert(StateId(0), 9);
    assert_eq!(chosen(&mut *closest, &facts), 1);
}

#[test]
fn least_covered_goes_where_nobody_was() {
    let mut least = named("least-covered");
    let mut facts = StateFacts { visits: BTreeMap::from([(StateId(0), 3), (StateId(1), 2)]), ..StateFacts::default() };
    begin(&mut *least, &[0, 1], &facts);
    assert_eq!(chosen(&mut *least, &facts), 1);
    facts.visits.insert(StateId(1), 4);
    assert_eq!(chosen(&mut *least, &facts), 0);
}

#[test]
fn sage_expands_the_path_that_covered_most() {
    let mut sage = named("SAGE");
    let mut facts = StateFacts::default();
    begin(&mut *sage, &[0], &facts);
    assert_eq!(chosen(&mut *sage, &facts), 0);
    let mut slice = |sage: &mut dyn Searcher, ran: u64, added: &[u64], covered: u64, ends: bool| {
        facts.covered += covered;
        let added: Vec<StateId> = added.iter().copied().map(StateId).collect();
        let removed: &[StateId] = if ends { &[StateId(ran)] } else { &[] };
        sage.update(&Delta { ran: Some(StateId(ran)), added: &added, removed }, &facts);
        sage.select(&facts).map(|id| id.0)
    };
    assert_eq!(slice(&mut *sage, 0, &[1, 2], 5, false), Some(0), "a path runs to its end");
    assert_eq!(slice(&mut *sage, 0, &[], 0, true), Some(1), "then its children, each to its end");
    assert_eq!(slice(&mut *sage, 1, &[10], 1, true), Some(2));
    assert_eq!(slice(&mut *sage, 2, &[20, 21], 3, true), Some(20), "2 covered more than 1");
    assert_eq!(slice(&mut *sage, 20, &[], 0, true), Some(21));
    assert_eq!(slice(&mut *sage, 21, &[], 0, true), Some(10));
    assert_eq!(slice(&mut *sage, 10, &[], 0, true), None);
}

#[test]
fn a_hundred_thousand_states_take_no_noticeable_time() {
    for def in STRATEGIES {
        let start = cpu_seconds();
        let slices = drain(&mut *(def.new)(1), 11, 100_000).len();
        assert!(slices > 50_000, "the program ended early: {slices} slices");
        assert!(cpu_seconds() - start < 20.0, "{} is not logarithmic", def.name);
    }
}

/// What this thread has used, which other work of the machine does not change.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok()).unwrap_or(0.0) / 1e9
}

/// Tells a strategy that `ran` went on to its end, splitting `added` off first, and missed goal 0 by so much.
fn run_to_end(searcher: &mut dyn Searcher, facts: &mut StateFacts, ran: u64, added: &[u64], missed_by: u64) {
    let added: Vec<StateId> = added.iter().copied().map(StateId).collect();
    let ran = StateId(ran);
    searcher.update(&Delta { ran: Some(ran), added: &added, removed: &[] }, facts);
    facts.misses = vec![(GoalId(0), missed_by)];
    searcher.update(&Delta { ran: Some(ran), added: &[], removed: &[ran] }, facts);
    facts.misses.clear();
}

#[test]
fn fitnex_follows_the_children_of_the_path_that_missed_by_least() {
    let mut facts = StateFacts::distances(&[(0, 0, 1)]);
    let mut searcher = parse("Fitnex", 1).expect("it is known");
    begin(&mut *searcher, &[0], &facts);
    assert_eq!(chosen(&mut *searcher, &facts), 0);
    run_to_end(&mut *searcher, &mut facts, 0, &[1, 2, 3], 9);
    assert_eq!(chosen(&mut *searcher, &facts), 1, "the oldest child");
    assert_eq!(chosen(&mut *searcher, &facts), 1, "to its end");
    run_to_end(&mut *searcher, &mut facts, 1, &[4, 5], 8);
    assert_eq!(chosen(&mut *searcher, &facts), 4, "a child of the better one");
    run_to_end(&mut *searcher, &mut facts, 4, &[6], 12);
    assert_eq!(chosen(&mut *searcher, &facts), 5, "not of the worse one");
}

#[test]
fn fitnex_looks_up_what_others_have_run() {
    let mut facts = StateFacts::distances(&[(0, 0, 1)]);
    let mut searcher = parse("Fitnex", 1).expect("it is known");
    begin(&mut *searcher, &[0], &facts);
    run_to_end(&mut *searcher, &mut facts, 0, &[1, 2], 9);
    // Both run by somebody else, the second one far better; but the first is whose turn it was.
    run_to_end(&mut *searcher, &mut facts, 2, &[3], 2);
    run_to_end(&mut *searcher, &mut facts, 1, &[4], 8);
    assert_eq!(chosen(&mut *searcher, &facts), 4);
}
