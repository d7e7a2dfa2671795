//! What each combinator owes, and what all owe: to forget no state and to be the same from the same seed.

use std::collections::BTreeMap;

use crate::facts::{StateFacts, begin, chosen, drain, end};
use crate::{Delta, GoalId, NeedId, StateId, parse};

const COMBINED: &[&str] = &[
    "B(DFS)",
    "B(SAGE)",
    "RR(RP,SDSE)",
    "RR(SAGE,BFS)",
    "RR(DFS,SDSE-rr,least-covered)",
    "B(RR(RP,SDSE))",
    "B(Ph(KLEE,RR(RP,SDSE-rr),3))",
    "Ph(SAGE,SDSE-pr,1)",
];

#[test]
fn combinations_drain_every_program() {
    for text in COMBINED {
        for program in 0..20 {
            drain(&mut *parse(text, 7).expect(text), program, 300);
        }
    }
}

#[test]
fn combinations_make_the_same_choices_from_the_same_seed() {
    for text in COMBINED {
        let choices = |seed| drain(&mut *parse(text, seed).expect(text), 3, 400);
        assert_eq!(choices(5), choices(5), "{text}");
    }
}

#[test]
fn a_batch_stays_with_its_state_until_it_ends() {
    let mut batched = parse("B(BFS)", 0).expect("it is written so");
    begin(&mut *batched, &[0, 1], &StateFacts::default());
    let facts = StateFacts::default();
    assert_eq!(chosen(&mut *batched, &facts), 0);
    // Breadth first would go to state 1 after the fork.
    let delta = Delta { ran: Some(StateId(0)), added: &[StateId(2)], removed: &[] };
    batched.update(&delta, &facts);
    assert_eq!(chosen(&mut *batched, &facts), 0);
    end(&mut *batched, 0);
    assert_eq!(chosen(&mut *batched, &facts), 1);
}

#[test]
fn a_batch_ends() {
    let mut batched = parse("B(BFS)", 0).expect("it is written so");
    begin(&mut *batched, &[0, 1], &StateFacts::default());
    let facts = StateFacts::default();
    let mut next = 2;
    let turns = std::iter::from_fn(|| {
        let id = chosen(&mut *batched, &facts);
        let delta = Delta { ran: Some(StateId(id)), added: &[StateId(next)], removed: &[] };
        next += 1;
        batched.update(&delta, &facts);
        Some(id)
    });
    assert!(turns.take(1000).any(|id| id != 0), "it never asks again");
}

#[test]
fn a_batch_that_spends_much_ends_early() {
    let mut batched = parse("B(BFS)", 0).expect("it is written so");
    let mut facts = StateFacts::default();
    begin(&mut *batched, &[0, 1], &facts);
    assert_eq!(chosen(&mut *batched, &facts), 0);
    facts.instructions += 1_000_000;
    batched.update(&Delta { ran: Some(StateId(0)), added: &[StateId(2)], removed: &[] }, &facts);
    assert_eq!(chosen(&mut *batched, &facts), 1);
}

#[test]
fn a_round_robin_shares_the_work_not_the_turns() {
    let mut robin = parse("RR(SDSE,SDSE-intra)", 0).expect("it is written so");
    let intra = BTreeMap::from([(StateId(1), 1)]);
    let mut facts = StateFacts { intra, ..StateFacts::distances(&[(0, 0, 1)]) };
    begin(&mut *robin, &[0, 1], &facts);
    // SDSE always takes state 0, SDSE-intra state 1, whose slices cost a hundred times as much.
    let mut turns = [0; 2];
    for _ in 0..1010 {
        let id = chosen(&mut *robin, &facts);
        turns[id as usize] += 1;
        facts.instructions += if id == 1 { 100 } else { 1 };
        robin.update(&Delta { ran: Some(StateId(id)), added: &[], removed: &[] }, &facts);
    }
    assert!((8..=12).contains(&turns[1]), "{turns:?}");
}

#[test]
fn who_is_idle_has_no_turns_and_saves_none_up() {
    let mut robin = parse("RR(BFS,SDSE-need)", 0).expect("it is written so");
    // Breadth-first takes state 0; state 1 is nearest to the need.
    let mut facts = StateFacts::distances(&[(0, 7, 9), (1, 7, 1)]);
    begin(&mut *robin, &[0, 1], &facts);
    let mut turns = |facts: &mut StateFacts| {
        let mut turns = [0; 2];
        for _ in 0..100 {
            let id = chosen(&mut *robin, facts);
            turns[id as usize] += 1;
            facts.instructions += 1_000_000;
            robin.update(&Delta { ran: Some(StateId(id)), added: &[], removed: &[] }, facts);
        }
        turns
    };
    assert_eq!(turns(&mut facts), [100, 0], "there is no need");
    facts.needs = [NeedId(7)].into();
    let [first, second] = turns(&mut facts);
    assert!((49..=51).contains(&first) && (49..=51).contains(&second), "{first} and {second}");
}

#[test]
fn phases_switch_when_targets_take_too_long() {
    let mut phases = parse("Ph(DFS,BFS,3)", 0).expect("it is written so");
    let mut facts = StateFacts::distances(&[(0, 0, 1), (0, 1, 1)]);
    begin(&mut *phases, &[0, 1], &facts);
    let mut step = |instructions: u64, reached: Option<u32>| {
        facts.instructions = instructions;
        facts.closed.extend(reached.map(GoalId));
        phases.update(&Delta { ran: Some(StateId(1)), added: &[], removed: &[] }, &facts);
        // Depth-first chooses the newest, breadth-first the oldest.
        chosen(&mut *phases, &facts)
    };
    assert_eq!(step(1_000_000, None), 1, "no limit before the first target");
    assert_eq!(step(1_000_010, Some(0)), 1);
    assert_eq!(step(3_000_000, Some(1)), 1, "within three times the work");
    assert_eq!(step(9_000_000, None), 1, "exactly three times");
    assert_eq!(step(9_000_001, None), 0, "too late");
    assert_eq!(step(9_000_002, Some(2)), 0, "for good");
}
