//! Moves along one coordinate: candidates for its value, and following a change of sign down to neighbours.

use super::Ingredient;
use super::inverse;
use super::number::{Kind, from_double, from_key, key, mask, signed, to_double};
use super::score::{Relation, Test};
use super::search::Walker;
use super::starts::{SPECIAL, bounded, number};

/// Values computed backwards per move.
const INVERSIONS: usize = 4;
/// Random steps per move.
const STEPS: usize = 6;
/// Points on the way down to two neighbours: as many as a double has bits, and some that are guesses.
const BISECTIONS: u32 = 100;
/// Pairs of neighbouring floats tried where the change of sign has no zero.
const NEIGHBOURS: u32 = 40;

/// The best value seen.
pub(super) struct Best {
    pub total: f64,
    pub bits: u128,
}

impl Best {
    pub fn offer(&mut self, total: f64, bits: u128) {
        if total < self.total {
            *self = Best { total, bits };
        }
    }
}

/// A value, and the difference of the test's operands there.
type Sample = (u128, f64);

/// The position of a value among all of its kind.
pub(super) fn place(kind: Kind, bits: u128) -> i128 {
    match kind {
        Kind::Float(format) => key(format, bits),
        Kind::Int(width) => signed(width, bits),
    }
}

pub(super) fn at_place(kind: Kind, place: i128) -> u128 {
    match kind {
        Kind::Float(format) => from_key(format, place),
        Kind::Int(width) => place as u128 & mask(width),
    }
}

pub(super) fn numeric(kind: Kind, bits: u128) -> f64 {
    match kind {
        Kind::Float(format) => to_double(format, bits),
        Kind::Int(width) => signed(width, bits) as f64,
    }
}

impl Walker<'_> {
    /// Moves coordinate `x` to a better place for `condition`, by the score of all; says whether there was one.
    pub fn improve(&mut self, condition: usize, x: usize) -> bool {
        let Some(test) = self.failing(condition) else { return false };
        let (before, start) = (self.total, self.point[x]);
        let mut best = Best { total: before, bits: start };
        self.explore(&test, x, &mut best);
        if self.broken == 0 {
            return true;
        }
        self.set(x, best.bits);
        self.refresh();
        best.total < before
    }

    /// Makes `condition` hold by moving `x`, whatever that breaks; says whether it holds.
    pub fn satisfy(&mut self, condition: usize, x: usize) -> bool {
        let Some(test) = self.failing(condition) else { return true };
        let start = self.point[x];
        // Only this condition counts.
        let mut best = Best { total: self.scores[condition], bits: start };
        for bits in self.candidates(&test, x) {
            self.set(x, bits);
            if self.scores[condition] == 0.0 {
                return true;
            }
            best.offer(self.scores[condition], bits);
        }
        self.set(x, start);
        let p = (start, test.difference(&self.problem.tape));
        let mut bracket: Option<Sample> = None;
        for scale in [-30, -20, -10, -4, 0, 4, 10] {
            for sign in [1.0, -1.0] {
                let bits = self.shifted(x, start, sign * f64::from(scale).exp2());
                self.set(x, bits);
                let v = test.difference(&self.problem.tape);
                if self.scores[condition] == 0.0 {
                    return true;
                }
                if bracket.is_none() && v * p.1.signum() < 0.0 {
                    bracket = Some((bits, v));
                }
            }
        }
        if let Some(q) = bracket {
            let mut sink = Best { total: f64::NEG_INFINITY, bits: start };
            self.bisect(&test, x, p, q, &mut sink, &|walker| walker.scores[condition] == 0.0);
        }
        if self.scores[condition] == 0.0 {
            return true;
        }
        self.set(x, best.bits);
        false
    }

    /// Tries candidates and follows changes of sign. Stops where everything holds.
    fn explore(&mut self, test: &Test, x: usize, best: &mut Best) {
        let start = self.point[x];
        let here = (start, test.difference(&self.problem.tape));
        let mut bracket: Option<(i128, Sample)> = None;
        let kind = self.problem.coordinates[x].kind;
        for bits in self.candidates(test, x) {
            let total = self.set(x, bits);
            best.offer(total, bits);
            if self.broken == 0 || self.is_over() {
                return;
            }
            let v = test.difference(&self.problem.tape);
            let distance = (place(kind, bits) - place(kind, start)).abs();
            if v * here.1.signum() < 0.0 && bracket.is_none_or(|(nearest, _)| distance < nearest) {
                bracket = Some((distance, (bits, v)));
            } else if self.uses(Ingredient::Bisection) && self.problem.conditions.len() < 64 {
                self.secant(test, x, here, (bits, v), best);
                if self.broken == 0 {
                    return;
                }
            }
        }
        if let Some((_, there)) = bracket.filter(|_| self.uses(Ingredient::Bisection)) {
            let ends = self.bisect(test, x, here, there, best, &|walker| walker.broken == 0);
            if self.broken > 0 && test.relation == Relation::Equal && self.uses(Ingredient::Neighbours) {
                self.neighbours(x, ends, best);
            }
        }
    }

    /// Where the difference would be zero if it were linear between two points.
    fn secant(&mut self, test: &Test, x: usize, p: Sample, q: Sample, best: &mut Best) {
        let kind = self.problem.coordinates[x].kind;
        let (a, b) = (numeric(kind, p.0), numeric(kind, q.0));
        let mut t = -p.1 / (q.1 - p.1);
        if test.relation != Relation::Equal {
            t *= 1.0 + self.random.unit();
        }
        let guess = a + t * (b - a);
        if !guess.is_finite() {
            return;
        }
        let bits = self.bounded(x, number(kind, guess));
        let total = self.set(x, bits);
        best.offer(total, bits);
    }

    /// Halves the way between two points where the difference has different signs until they are neighbours, which are returned.
    fn bisect(
        &mut self,
        test: &Test,
        x: usize,
        mut p: Sample,
        mut q: Sample,
        best: &mut Best,
        is_done: &dyn Fn(&Self) -> bool,
    ) -> [u128; 2] {
        let kind = self.problem.coordinates[x].kind;
        for round in 0..BISECTIONS {
            let (low, high) = (place(kind, p.0), place(kind, q.0));
            if (low - high).abs() <= 1 {
                break;
            }
            let guess = numeric(kind, p.0) - p.1 * (numeric(kind, q.0) - numeric(kind, p.0)) / (q.1 - p.1);
            let mut middle = place(kind, number(kind, guess));
            let is_between = middle > low.min(high) && middle < low.max(high);
            if round % 2 == 1 || guess.is_nan() || !is_between {
                middle = low + (high - low) / 2;
            }
            let bits = at_place(kind, middle);
            let total = self.set(x, bits);
            best.offer(total, bits);
            if is_done(self) {
                return [p.0, q.0];
            }
            let v = test.difference(&self.problem.tape);
            match v * p.1.signum() < 0.0 {
                true => q = (bits, v),
                false => p = (bits, v),
            }
        }
        [p.0, q.0]
    }

    /// The difference changes its sign between two neighbours without being zero: rounding. Other coordinates, moved by a few
    /// last places, round differently.
    fn neighbours(&mut self, x: usize, ends: [u128; 2], best: &mut Best) {
        let kind = self.problem.coordinates[x].kind;
        let near = place(kind, ends[0]);
        let others: Vec<usize> = self.beside(x);
        if others.is_empty() {
            for offset in (-4..=4).filter(|o| *o != 0) {
                let bits = at_place(kind, near + offset);
                let total = self.set(x, bits);
                best.offer(total, bits);
                if self.broken == 0 {
                    return;
                }
            }
            return;
        }
        for round in 0..NEIGHBOURS {
            let y = others[self.random.below(others.len())];
            let (y_kind, old) = (self.problem.coordinates[y].kind, self.point[y]);
            let reach = 1 << (round / 4).min(20);
            let step = self.random.below(2 * reach + 1) as i128 - reach as i128;
            let moved = self.bounded(y, at_place(y_kind, place(y_kind, old) + step));
            self.set(y, moved);
            let mut found = false;
            for offset in -1..=2 {
                let bits = at_place(kind, near + offset);
                let total = self.set(x, bits);
                if self.broken == 0 {
                    return;
                }
                if total < best.total {
                    *best = Best { total, bits };
                    found = true;
                }
            }
            if found {
                return;
            }
            self.set(y, old);
        }
    }

    /// The coordinates other than `x` of the conditions that `x` is in.
    fn beside(&self, x: usize) -> Vec<usize> {
        let conditions = &self.problem.coordinates[x].conditions;
        let broken = conditions.iter().filter(|&&c| self.scores[c as usize] > 0.0);
        let mut all: Vec<usize> =
            broken.flat_map(|&c| &self.problem.conditions[c as usize].coordinates).map(|&y| y as usize).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|&y| y != x);
        all
    }

    /// Values worth trying for `x`.
    pub fn candidates(&mut self, test: &Test, x: usize) -> Vec<u128> {
        let mut found: Vec<u128> = Vec::with_capacity(16);
        let kind = self.problem.coordinates[x].kind;
        if self.uses(Ingredient::Inversion) {
            for _ in 0..INVERSIONS {
                if let Some(bits) = inverse::candidate(self.problem, test, x, &mut self.random) {
                    let side = [0, 1, -1][self.random.below(3)];
                    found.extend([bits, at_place(kind, place(kind, bits) + side)]);
                }
            }
        }
        if self.uses(Ingredient::Constants) {
            found.push(number(kind, SPECIAL[self.random.below(SPECIAL.len())]));
            if let Some(bits) = self.constant(kind) {
                found.push(bits);
            }
        }
        if self.uses(Ingredient::Steps) {
            found.extend((0..STEPS).map(|_| self.stepped(x)));
        }
        for bits in &mut found {
            *bits = self.bounded(x, *bits);
        }
        let mut seen: Vec<u128> = Vec::with_capacity(found.len());
        found.into_iter().for_each(|bits| {
            if !seen.contains(&bits) {
                seen.push(bits);
            }
        });
        seen
    }

    /// A constant of the query, as it fits.
    fn constant(&mut self, kind: Kind) -> Option<u128> {
        let constants = &self.problem.constants;
        if constants.is_empty() {
            return None;
        }
        let (width, bits) = constants[self.random.below(constants.len())];
        let side = [0, 0, 1, -1][self.random.below(4)];
        Some(match kind {
            Kind::Int(own) => (bits.wrapping_add(side as u128)) & mask(own),
            Kind::Float(format) if width == format.width() => at_place(kind, place(kind, bits) + side),
            Kind::Float(format) => from_double(format, signed(width, bits) as f64),
        })
    }

    /// A random step of any size, in either direction.
    pub fn stepped(&mut self, x: usize) -> u128 {
        let (kind, old) = (self.problem.coordinates[x].kind, self.point[x]);
        let Kind::Float(format) = kind else { return self.integer_step(x) };
        let now = to_double(format, old);
        let scale = f64::exp2(24.0 * self.random.unit() - 12.0);
        let next = match self.random.below(8) {
            0..4 => now + self.random.sign() * self.random.unit() * scale,
            4 => now * (1.0 + self.random.sign() * self.random.unit() * scale.min(1.0)),
            5 => now * scale * self.random.sign(),
            _ => {
                let reach = 1i128 << self.random.below(format.width() as usize - 4);
                let step = if self.random.below(2) == 0 { reach } else { -reach };
                return from_key(format, key(format, old) + step);
            }
        };
        if next.is_nan() {
            from_double(format, self.random.sign() * self.random.unit() * scale)
        } else {
            from_double(format, next)
        }
    }

    fn integer_step(&mut self, x: usize) -> u128 {
        let (width, old) = (self.problem.coordinates[x].width, self.point[x]);
        let bit = 1u128 << self.random.below(width as usize);
        let next = match self.random.below(8) {
            0 | 1 => old.wrapping_add(bit),
            2 | 3 => old.wrapping_sub(bit),
            4 | 5 => old ^ bit,
            6 => u128::from(self.random.next()) | u128::from(self.random.next()) << 64,
            _ => old.wrapping_neg(),
        };
        next & mask(width)
    }

    /// A value plus a number.
    pub fn shifted(&self, x: usize, bits: u128, by: f64) -> u128 {
        let kind = self.problem.coordinates[x].kind;
        self.bounded(
            x,
            match kind {
                Kind::Float(format) => from_double(format, to_double(format, bits) + by),
                Kind::Int(width) => bits.wrapping_add(by as i128 as u128) & mask(width),
            },
        )
    }

    pub fn bounded(&self, x: usize, bits: u128) -> u128 {
        let coordinate = &self.problem.coordinates[x];
        bounded(coordinate.kind, (coordinate.low, coordinate.high), bits)
    }
}
