//! Moves along a curve: one coordinate moves, and another follows so that an equality goes on to hold.
//!
//! Two equations in two variables are not solved by moving one at a time: each move breaks the other equation. Here the follower is
//! computed backwards from its equality, and the mover is led to where the difference of the other comparison changes its sign.

use super::Ingredient;
use super::inverse;
use super::line::{at_place, numeric, place};
use super::score::{Goal, Relation, Test};
use super::search::Walker;

/// Ways tried to make the follower follow.
const FOLLOWS: u32 = 3;
/// Halvings.
const HALVINGS: u32 = 70;
/// Places tried on either side where the difference changes its sign.
const AROUND: i128 = 24;
/// The sizes of steps in which a change of sign is looked for, as powers of two relative to the number.
const SIZES: [i32; 9] = [-40, -26, -16, -10, -6, -3, -1, 0, 2];

/// Who moves, who follows, and which condition it keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub mover: usize,
    pub follower: usize,
    pub kept: usize,
}

impl Walker<'_> {
    /// A link for a condition that fails: an equality that holds shares a coordinate with it and has another.
    pub fn link(&mut self, condition: usize) -> Option<Link> {
        if !self.uses(Ingredient::Links) {
            return None;
        }
        let mut all = Vec::new();
        for &mover in &self.problem.conditions[condition].coordinates {
            for &kept in &self.problem.coordinates[mover as usize].conditions {
                let equality = &self.problem.conditions[kept as usize];
                let is_equality = matches!(&equality.goal, Goal::Test(test) if test.relation == Relation::Equal);
                if !is_equality || kept as usize == condition || self.scores[kept as usize] > 0.0 {
                    continue;
                }
                let others = equality.coordinates.iter().filter(|y| **y != mover);
                all.extend(others.map(|&y| Link { mover: mover as usize, follower: y as usize, kept: kept as usize }));
            }
        }
        if all.is_empty() { None } else { Some(all[self.random.below(all.len())]) }
    }

    /// Looks along the curve for a point where `condition` holds; stays at the best point by the score of all.
    pub fn along(&mut self, condition: usize, link: Link) {
        let Some(test) = self.failing(condition) else { return };
        let kind = self.problem.coordinates[link.mover].kind;
        let start = (self.point[link.mover], self.point[link.follower]);
        let mut best = (self.total, start);
        let here = test.difference(&self.problem.tape);
        let size = numeric(kind, start.0).abs().max(f64::MIN_POSITIVE);
        let mut bracket = None;
        'sizes: for power in SIZES {
            for sign in [1.0, -1.0] {
                let bits = self.shifted(link.mover, start.0, sign * size * f64::from(power).exp2());
                let difference = self.sample(&test, link, bits, &mut best);
                if self.broken == 0 || self.is_over() {
                    return;
                }
                if difference * here.signum() < 0.0 {
                    bracket = Some((place(kind, bits), difference));
                    break 'sizes;
                }
            }
        }
        if let Some(there) = bracket {
            self.halve(&test, link, (place(kind, start.0), here), there, &mut best);
        }
        if self.broken > 0 {
            let (_, (mover, follower)) = best;
            self.set(link.mover, mover);
            self.set(link.follower, follower);
        }
    }

    fn halve(
        &mut self,
        test: &Test,
        link: Link,
        (mut low, here): (i128, f64),
        (mut high, _): (i128, f64),
        best: &mut (f64, (u128, u128)),
    ) {
        let kind = self.problem.coordinates[link.mover].kind;
        for _ in 0..HALVINGS {
            if (low - high).abs() <= 1 {
                break;
            }
            let middle = low + (high - low) / 2;
            let difference = self.sample(test, link, at_place(kind, middle), best);
            if self.broken == 0 {
                return;
            }
            match difference * here.signum() < 0.0 {
                true => high = middle,
                false => low = middle,
            }
        }
        for offset in 1..=AROUND {
            for at in [low - offset, high + offset] {
                self.sample(test, link, at_place(kind, at), best);
                if self.broken == 0 {
                    return;
                }
            }
        }
    }

    /// Puts the mover somewhere, lets the other follow, and gives the difference there: a NaN where it cannot follow.
    fn sample(&mut self, test: &Test, link: Link, bits: u128, best: &mut (f64, (u128, u128))) -> f64 {
        self.set(link.mover, bits);
        for _ in 0..FOLLOWS {
            let Some(kept) = self.failing(link.kept) else { break };
            let Some(needed) = inverse::candidate(self.problem, &kept, link.follower, &mut self.random) else { break };
            let kind = self.problem.coordinates[link.follower].kind;
            for offset in [0, 1, -1] {
                let near = self.bounded(link.follower, at_place(kind, place(kind, needed) + offset));
                self.set(link.follower, near);
                if self.scores[link.kept] == 0.0 {
                    break;
                }
            }
        }
        if self.total < best.0 {
            *best = (self.total, (bits, self.point[link.follower]));
        }
        test.difference(&self.problem.tape)
    }
}
