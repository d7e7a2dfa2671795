//! The walk itself: which condition, which coordinate, when to move, when to give up and begin elsewhere.

use std::time::Instant;

use super::number::{Random, number};
use super::problem::{Coordinate, Problem, WalkedCondition};
use super::score::Test;
use super::{Effort, Ingredient, Without};
use crate::tape::Tape;

/// Of so many moves that do not help, one leads to moves of several coordinates.
const COMPOUND: usize = 4;
/// Moves of several coordinates tried where no single one helps.
const COMPOUNDS: u32 = 12;
/// Conditions repaired in such a move.
const REPAIRS: usize = 6;
/// Operations of the shortest rounds. How long a walk takes varies wildly: most are short, a few never end.
const ROUND: u64 = 60_000;
/// Moves between looks at the clock, and what they may cost.
const CLOCK: u32 = 512;
const LOOK: u64 = 4_000_000;
/// A search that costs more than that beside its own operations evaluates something dear, and is given up after so many rounds in which nothing got better.
const DEAR: u64 = 1_000_000;
const FLAT_ROUNDS: usize = 2;
/// The score of a condition that is false and of whose goal nothing seems to be missing.
const LEAST: f64 = 1.0 / 64.0;

/// A point on the walk.
pub(super) struct Walker<'p> {
    pub problem: &'p mut Problem,
    /// The bits of every coordinate.
    pub point: Vec<u128>,
    /// Per condition; 0 where it holds.
    pub scores: Vec<f64>,
    /// The sum of the scores.
    pub total: f64,
    /// The least that this sum has been.
    least: f64,
    /// Conditions that do not hold.
    pub broken: usize,
    pub random: Random,
    /// Conditions scored so far.
    pub evaluations: u64,
    work: u64,
    limit: u64,
    deadline: Option<Instant>,
    ticks: u32,
    /// What was spent when the clock was looked at.
    looked: u64,
    late: bool,
    without: Without,
}

impl<'p> Walker<'p> {
    pub fn new(problem: &'p mut Problem, effort: Effort) -> Self {
        let (conditions, coordinates) = (problem.conditions.len(), problem.coordinates.len());
        Self {
            point: vec![0; coordinates],
            scores: vec![0.0; conditions],
            total: 0.0,
            least: f64::INFINITY,
            broken: 0,
            random: Random(effort.seed),
            evaluations: 0,
            work: 0,
            limit: effort.work,
            deadline: effort.deadline,
            ticks: 0,
            looked: 0,
            late: false,
            without: effort.without,
            problem,
        }
    }

    pub fn uses(&self, ingredient: Ingredient) -> bool {
        !self.without.contains(ingredient)
    }

    /// Whether the budget is spent or the time is up.
    pub fn is_over(&mut self) -> bool {
        self.ticks += 1;
        let spent = self.spent();
        if self.ticks >= CLOCK || spent - self.looked >= LOOK {
            (self.ticks, self.looked) = (0, spent);
            self.late |= self.deadline.is_some_and(|end| Instant::now() >= end);
        }
        self.late || spent >= self.limit
    }

    /// Operations so far.
    fn spent(&self) -> u64 {
        self.work + self.problem.tape.extra_cost()
    }

    /// Goes to a point.
    fn load(&mut self, point: &[u128]) {
        for (x, &bits) in point.iter().enumerate() {
            self.point[x] = bits;
            write(self.problem, x, bits);
        }
        self.problem.tape.run_all();
        self.work += self.problem.tape.len() as u64;
        self.evaluations += self.scores.len() as u64;
        for (at, condition) in self.problem.conditions.iter().enumerate() {
            self.scores[at] = score(&self.problem.tape, condition);
        }
        self.broken = self.scores.iter().filter(|s| **s > 0.0).count();
        self.refresh();
    }

    /// Adds the scores up again: sums that were changed often are not exact.
    pub fn refresh(&mut self) {
        self.total = self.scores.iter().sum();
    }

    /// Gives a coordinate a value; the new total.
    pub fn set(&mut self, x: usize, bits: u128) -> f64 {
        write(self.problem, x, bits);
        self.point[x] = bits;
        let Problem { tape, coordinates, conditions: all, .. } = &mut *self.problem;
        let Coordinate { operations, conditions, cost, .. } = &coordinates[x];
        tape.rerun(operations);
        self.work += cost;
        self.evaluations += conditions.len() as u64;
        for &at in conditions {
            let at = at as usize;
            let (old, new) = (self.scores[at], score(tape, &all[at]));
            self.broken = self.broken + usize::from(new > 0.0) - usize::from(old > 0.0);
            self.total += new - old;
            self.scores[at] = new;
        }
        self.least = self.least.min(self.total);
        self.total
    }

    /// A comparison of a condition that fails.
    pub fn failing(&mut self, condition: usize) -> Option<Test> {
        let random = &mut self.random;
        self.problem.conditions[condition].goal.failing(&self.problem.tape, &mut |n| random.below(n))
    }

    /// Walks from each start, then from points by chance; says whether all conditions hold at the end.
    pub fn run(&mut self, starts: &[Vec<u128>]) -> bool {
        let mut first = f64::INFINITY;
        for round in 0.. {
            match starts.get(round) {
                Some(start) => self.load(start),
                None => self.begin_anew(starts),
            }
            if self.broken == 0 {
                return true;
            }
            if self.is_over() || self.is_stuck() {
                return false;
            }
            if round == 0 {
                first = self.total;
            }
            if round >= FLAT_ROUNDS && self.problem.tape.extra_cost() > DEAR && self.least > first - LEAST / 2.0 {
                return false;
            }
            self.round(ROUND * luby(round as u64 + 1));
            if self.broken == 0 {
                return true;
            }
        }
        false
    }

    /// Whether a broken condition depends on no coordinate: its inputs are all defined, and wherever the walk goes it is broken.
    fn is_stuck(&self) -> bool {
        let conditions = self.problem.conditions.iter().zip(&self.scores);
        conditions.into_iter().any(|(condition, score)| *score > 0.0 && condition.coordinates.is_empty())
    }

    /// A start with a few coordinates changed, or numbers of about one size.
    fn begin_anew(&mut self, starts: &[Vec<u128>]) {
        let mut point = starts[self.random.below(starts.len())].clone();
        if self.random.below(2) == 0 {
            let size = f64::exp2(8.0 * self.random.unit());
            for (x, bits) in point.iter_mut().enumerate() {
                let value = number(self.problem.coordinates[x].kind, size * (2.0 * self.random.unit() - 1.0));
                *bits = self.bounded(x, value);
            }
        }
        self.load(&point);
        for (x, bits) in point.iter_mut().enumerate() {
            if self.random.below(2) == 0 {
                *bits = self.stepped(x);
                *bits = self.bounded(x, *bits);
            }
        }
        self.load(&point);
    }

    /// Walks until all holds, or `allowance` or the budget is spent.
    fn round(&mut self, allowance: u64) {
        let end = self.spent() + allowance;
        self.refresh();
        let mut is_first = true;
        while self.broken > 0 && self.spent() < end && !self.is_over() {
            let condition = self.pick_condition();
            let x = self.pick_coordinate(condition);
            let others = self.problem.conditions[condition].coordinates.len() > 1;
            // A change of sign leads somewhere for the price of a few values; values by chance seldom do.
            let is_dear = self.problem.has_outside && self.uses(Ingredient::Bisection);
            let leads = is_dear && (std::mem::take(&mut is_first) || self.random.below(2) == 0);
            if leads && self.follow(condition, x) {
                continue;
            }
            if leads && self.is_over() {
                break;
            }
            // Moves of several coordinates are dear, so they are tried less often.
            if self.improve(condition, x) || self.random.below(COMPOUND) > 0 {
                continue;
            }
            let helped = match others {
                true => self.uses(Ingredient::Repair) && self.compounds(condition),
                false => self.uses(Ingredient::Bisection) && self.follow(condition, x),
            };
            if !helped && self.uses(Ingredient::Kick) {
                self.kick(condition);
            }
        }
    }

    fn pick_condition(&mut self) -> usize {
        let nth = self.random.below(self.broken);
        let mut broken = (0..self.scores.len()).filter(|&c| self.scores[c] > 0.0);
        broken.nth(nth).expect("as many are broken as were counted")
    }

    fn pick_coordinate(&mut self, condition: usize) -> usize {
        let all = &self.problem.conditions[condition].coordinates;
        all[self.random.below(all.len())] as usize
    }

    /// Tries to move several coordinates at once; says whether one of the tries helped.
    fn compounds(&mut self, condition: usize) -> bool {
        for _ in 0..COMPOUNDS {
            let point = self.point.clone();
            let before = self.total;
            self.compound(condition);
            if self.broken == 0 || self.is_over() {
                return true;
            }
            self.refresh();
            if self.total < before {
                return true;
            }
            self.back_to(&point);
        }
        false
    }

    /// Moves one coordinate freely and others to repair what that broke.
    fn compound(&mut self, condition: usize) {
        let coordinates = &self.problem.conditions[condition].coordinates;
        let x = coordinates[self.random.below(coordinates.len())] as usize;
        let Some(test) = self.failing(condition) else { return };
        let candidates = self.candidates(&test, x);
        if candidates.is_empty() {
            return;
        }
        let bits = candidates[self.random.below(candidates.len())];
        self.set(x, bits);
        let mut moved = vec![x];
        for _ in 0..REPAIRS {
            if self.broken == 0 {
                return;
            }
            let Some((broken, y)) = self.repairable(&moved) else { return };
            self.satisfy(broken, y);
            moved.push(y);
        }
    }

    /// A broken condition and a coordinate of it that has not moved.
    fn repairable(&mut self, moved: &[usize]) -> Option<(usize, usize)> {
        let mut all = Vec::new();
        for (at, condition) in self.problem.conditions.iter().enumerate().filter(|(c, _)| self.scores[*c] > 0.0) {
            let fresh = condition.coordinates.iter().map(|&y| y as usize).filter(|y| !moved.contains(y));
            all.extend(fresh.map(|y| (at, y)));
        }
        if all.is_empty() { None } else { Some(all[self.random.below(all.len())]) }
    }

    fn back_to(&mut self, point: &[u128]) {
        for (x, &bits) in point.iter().enumerate() {
            if self.point[x] != bits {
                self.set(x, bits);
            }
        }
        self.refresh();
    }

    /// Nothing helps: the coordinates of what is broken go elsewhere.
    fn kick(&mut self, condition: usize) {
        for at in 0..self.problem.conditions[condition].coordinates.len() {
            let x = self.problem.conditions[condition].coordinates[at] as usize;
            if self.random.below(2) == 0 {
                let bits = self.stepped(x);
                let bits = self.bounded(x, bits);
                self.set(x, bits);
            }
        }
        self.refresh();
    }
}

/// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 … (M. Luby and others, 1993): the number at a position, counted from 1.
fn luby(mut at: u64) -> u64 {
    loop {
        let power = (at + 1).next_power_of_two();
        if power == at + 1 {
            return power / 2;
        }
        at -= power / 2 - 1;
    }
}

/// Puts a coordinate's bits into the inputs.
fn write(problem: &mut Problem, x: usize, bits: u128) {
    let mut low = 0;
    for &(input, width) in &problem.coordinates[x].fields {
        problem.tape.set_input(input, (bits >> low) as u64 & (u64::MAX >> (64 - width)));
        low += width;
    }
}

fn score(tape: &Tape, condition: &WalkedCondition) -> f64 {
    if tape.word(condition.slot) != 0 { 0.0 } else { condition.goal.score(tape).max(LEAST) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn rounds_grow_as_luby_says() {
        let numbers: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(numbers, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
