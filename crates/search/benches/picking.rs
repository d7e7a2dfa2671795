//! What choosing costs with 10,000 pending states: `cargo bench -p taw-search`.
//!
//! One round is what the explorer asks of a strategy per slice: choose, then hear that the chosen state forked and another
//! ended. Facts come from tables, so that only the strategy is measured. No test: a machine under load would fail it.

use std::rc::Rc;

use taw_search::{DEFAULT_DIRECTED, Delta, GoalId, NeedId, Progress, STRATEGIES, Spent, StateId, parse};

const PENDING: u64 = 10_000;
const ROUNDS: u64 = 200_000;
const GOALS: u32 = 50;
/// The promise, in microseconds.
const MOST: f64 = 10.0;

/// Facts that look like a run's: scattered, and as the contract says fixed unless a state runs.
struct Facts {
    slices: u64,
    misses: [(GoalId, u64); 1],
    needs: Rc<[NeedId]>,
}

/// A number that depends on both and looks like neither.
fn scatter(a: u64, b: u64) -> u64 {
    (a ^ b.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

impl Progress for Facts {
    fn depth(&self, id: StateId) -> u32 {
        (scatter(id.0, 1) % 200) as u32
    }
    fn since_new_coverage(&self, id: StateId) -> u64 {
        scatter(id.0, 2) % 100_000
    }
    fn distance_to_uncovered(&self, id: StateId) -> Option<u64> {
        Some(scatter(id.0, 3) % 500)
    }
    fn visits(&self, id: StateId) -> u64 {
        scatter(id.0, 4) % 500
    }
    fn covered(&self) -> u64 {
        self.slices / 100
    }
    fn work(&self) -> Spent {
        Spent { instructions: self.slices * 1000, queries: self.slices }
    }
    fn distance(&self, id: StateId) -> Option<u64> {
        Some(scatter(id.0, 5) % 1000)
    }
    fn distance_intra(&self, id: StateId) -> Option<u64> {
        scatter(id.0, 6).is_multiple_of(2).then_some(scatter(id.0, 6) % 1000)
    }
    fn distance_to(&self, id: StateId, goal: GoalId) -> Option<u64> {
        Some(scatter(id.0, 7 + u64::from(goal.0)) % 1000)
    }
    fn open_goals(&self) -> Vec<GoalId> {
        (0..GOALS).map(GoalId).collect()
    }
    fn misses(&self) -> &[(GoalId, u64)] {
        &self.misses
    }
    fn origin(&self, id: StateId) -> u64 {
        scatter(id.0, 100) % 50
    }
    fn closed_goals(&self) -> u64 {
        0
    }
    fn needs(&self) -> Rc<[NeedId]> {
        Rc::clone(&self.needs)
    }
    fn is_prepared(&self, id: StateId, need: NeedId) -> bool {
        scatter(id.0, 200 + u64::from(need.0)).is_multiple_of(30)
    }
    fn distance_by(&self, id: StateId, need: NeedId) -> Option<u64> {
        Some(scatter(id.0, 300 + u64::from(need.0)) % 1000)
    }
}

/// Microseconds of CPU time per round.
fn measure(strategy: &str) -> f64 {
    let mut searcher = parse(strategy, 1).expect(strategy);
    let mut facts = Facts { slices: 0, misses: [(GoalId(0), 0)], needs: (0..GOALS).map(NeedId).collect() };
    let initial: Vec<StateId> = (0..PENDING).map(StateId).collect();
    searcher.update(&Delta { ran: None, added: &initial[..1], removed: &[] }, &facts);
    for pair in initial.windows(2) {
        searcher.update(&Delta { ran: Some(pair[0]), added: &pair[1..], removed: &[] }, &facts);
    }
    let start = cpu_seconds();
    for round in 0..ROUNDS {
        let ran = searcher.select(&facts).expect("states are pending");
        facts.slices += 1;
        facts.misses = [(GoalId((round % u64::from(GOALS)) as u32), 1 + scatter(round, 8) % 1000)];
        let added = [StateId(PENDING + round)];
        searcher.update(&Delta { ran: Some(ran), added: &added, removed: &[ran] }, &facts);
    }
    (cpu_seconds() - start) * 1e6 / ROUNDS as f64
}

/// What this thread has used: other work of the machine counts less in it than in the time that passes.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts the time of threads");
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).expect("nanoseconds come first")
        / 1e9
}

fn main() {
    let combined = ["B(SDSE)", "RR(RP,SDSE)", "B(RR(RP,SDSE))", "B(Ph(KLEE,RR(RP,SDSE-rr),3))", DEFAULT_DIRECTED];
    let mut slow = 0;
    for name in STRATEGIES.iter().map(|def| def.name).chain(combined) {
        let micros = measure(name);
        slow += u32::from(micros > MOST);
        println!("{name:<30} {micros:>7.2} µs{}", if micros > MOST { "  TOO SLOW" } else { "" });
    }
    assert!(slow == 0, "{slow} strategies take more than {MOST} µs with {PENDING} pending states");
}
