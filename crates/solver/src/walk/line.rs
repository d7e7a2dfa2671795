//! Moves along one coordinate: candidates for its value, and following a change of sign down to neighbours.

use super::Ingredient;
use super::inverse;
use super::number::{
    CoordinateKind, at_place, bounded, from_double, from_key, key, mask, number, place, signed, to_double,
};
use super::score::Test;
use super::search::Walker;

/// Values computed backwards per move.
const INVERSIONS: usize = 4;
/// Random steps per move of an integer. Of floats they did not pay.
const STEPS: usize = 4;
/// Points on the way down to two neighbours: as many as a double has bits.
const BISECTIONS: u32 = 64;
/// The sizes of steps in which a change of sign is looked for, as powers of two.
const FLOAT_SIZES: [i32; 7] = [-30, -20, -10, -4, 0, 4, 10];
const INTEGER_SIZES: [i32; 7] = [0, 1, 3, 5, 9, 16, 28];

/// Values per move where loops are evaluated.
const DEAR_VALUES: usize = 5;
/// Where else is looked at the end of the way down, where loops are evaluated.
const NEIGHBOURS: [i128; 6] = [-1, 1, -2, 2, -3, 3];

/// Numbers that are like no others.
const SPECIAL: [f64; 18] = [
    0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -0.0,
    10.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    1e-8,
    1e10,
    std::f64::consts::PI,
    std::f64::consts::FRAC_PI_2,
];

/// What a move along a line is for.
#[derive(Clone, Copy)]
enum Aim {
    /// That one condition holds, whatever others do.
    One(usize),
    /// That all hold.
    All,
}

/// The best value seen.
struct Best {
    total: f64,
    bits: u128,
}

impl Best {
    fn offer(&mut self, total: f64, bits: u128) {
        if total < self.total {
            *self = Best { total, bits };
        }
    }
}

impl Walker<'_> {
    /// Moves coordinate `x` to a better place for `condition`, by the score of all; says whether there was one.
    pub fn improve(&mut self, condition: usize, x: usize) -> bool {
        let Some(test) = self.failing(condition) else { return false };
        let before = self.total;
        let mut best = Best { total: before, bits: self.point[x] };
        for bits in self.candidates(&test, x) {
            let total = self.set(x, bits);
            best.offer(total, bits);
            if self.broken == 0 {
                return true;
            }
            if self.is_over() {
                break;
            }
        }
        self.set(x, best.bits);
        self.refresh();
        best.total < before
    }

    /// Makes `condition` hold by moving `x`, whatever that breaks; if it cannot, comes as near as it can.
    pub fn satisfy(&mut self, condition: usize, x: usize) {
        let Some(test) = self.failing(condition) else { return };
        let start = self.point[x];
        // Only this condition counts.
        let mut best = Best { total: self.scores[condition], bits: start };
        for bits in self.candidates(&test, x) {
            self.set(x, bits);
            if self.scores[condition] == 0.0 {
                return;
            }
            best.offer(self.scores[condition], bits);
        }
        self.set(x, start);
        if !self.uses(Ingredient::Bisection) || !self.cross(&test, Aim::One(condition), x, &mut best) {
            self.set(x, best.bits);
        }
    }

    /// Follows a change of sign of what fails in `condition`; says whether that made things better. For a function that cannot be
    /// computed backwards this is what leads to a value.
    pub fn follow(&mut self, condition: usize, x: usize) -> bool {
        let Some(test) = self.failing(condition) else { return false };
        let before = self.total;
        let mut best = Best { total: before, bits: self.point[x] };
        if self.cross(&test, Aim::All, x, &mut best) {
            return true;
        }
        self.set(x, best.bits);
        self.refresh();
        best.total < before
    }

    /// Gives `x` a value on the way to an aim; says whether that is it.
    fn tries(&mut self, aim: Aim, x: usize, bits: u128, best: &mut Best) -> bool {
        let total = self.set(x, bits);
        let (missing, is_there) = match aim {
            Aim::One(condition) => (self.scores[condition], self.scores[condition] == 0.0),
            Aim::All => (total, self.broken == 0),
        };
        best.offer(missing, bits);
        is_there
    }

    /// Looks for a place where the difference of the test changes its sign, and follows it; says whether the aim was met there.
    fn cross(&mut self, test: &Test, aim: Aim, x: usize, best: &mut Best) -> bool {
        let (start, here) = (self.point[x], test.difference(&self.problem.tape));
        let sizes =
            if let CoordinateKind::Int(_) = self.problem.coordinates[x].kind { INTEGER_SIZES } else { FLOAT_SIZES };
        for (size, sign) in sizes.into_iter().flat_map(|size| [(size, 1.0), (size, -1.0)]) {
            if self.problem.has_outside && self.is_over() {
                return false;
            }
            let there = self.shifted(x, start, sign * f64::from(size).exp2());
            if self.tries(aim, x, there, best) {
                return true;
            }
            if test.difference(&self.problem.tape) * here.signum() < 0.0 {
                return self.bisect(test, aim, x, (start, here, there), best);
            }
        }
        false
    }

    /// Halves the way from `start`, where the difference is `here`, to a point where it has the other sign, until the two are
    /// neighbours or the aim is met.
    fn bisect(
        &mut self,
        test: &Test,
        aim: Aim,
        x: usize,
        (start, here, end): (u128, f64, u128),
        best: &mut Best,
    ) -> bool {
        let kind = self.problem.coordinates[x].kind;
        let (mut low, mut high) = (place(kind, start), place(kind, end));
        for _ in 0..BISECTIONS {
            if (low - high).abs() <= 1 || (self.problem.has_outside && self.is_over()) {
                break;
            }
            let middle = low + (high - low) / 2;
            if self.tries(aim, x, at_place(kind, middle), best) {
                return true;
            }
            match test.difference(&self.problem.tape) * here.signum() < 0.0 {
                true => high = middle,
                false => low = middle,
            }
        }
        // A function of whole numbers that nobody knows need not go up or down evenly.
        let is_whole = matches!(kind, CoordinateKind::Int(_)) && self.problem.has_outside;
        is_whole && NEIGHBOURS.into_iter().any(|by| self.tries(aim, x, at_place(kind, low + by), best))
    }

    /// Values worth trying for `x`, each once.
    pub fn candidates(&mut self, test: &Test, x: usize) -> Vec<u128> {
        let mut found: Vec<u128> = Vec::with_capacity(16);
        let kind = self.problem.coordinates[x].kind;
        if self.uses(Ingredient::Inversion) {
            for _ in 0..INVERSIONS {
                found.extend(inverse::candidate(self.problem, test, x, &mut self.random));
            }
        }
        if self.uses(Ingredient::Constants) {
            found.push(number(kind, SPECIAL[self.random.below(SPECIAL.len())]));
            found.extend(self.constant(kind));
        }
        if self.uses(Ingredient::Steps) && matches!(kind, CoordinateKind::Int(_)) {
            found.extend((0..STEPS).map(|_| self.stepped(x)));
        }
        // Each is an evaluation: where that is dear, there are fewer.
        let is_dear = self.problem.tape.extra_cost() > 0;
        let found = if is_dear { found.split_off(found.len().saturating_sub(DEAR_VALUES)) } else { found };
        let mut seen: Vec<u128> = Vec::with_capacity(found.len());
        for bits in found {
            let bits = self.bounded(x, bits);
            if !seen.contains(&bits) {
                seen.push(bits);
            }
        }
        seen
    }

    /// A constant of the query, as it fits.
    fn constant(&mut self, kind: CoordinateKind) -> Option<u128> {
        let constants = &self.problem.constants;
        if constants.is_empty() {
            return None;
        }
        let (width, bits) = constants[self.random.below(constants.len())];
        let side = [0, 0, 1, -1][self.random.below(4)];
        Some(match kind {
            CoordinateKind::Int(own) => (bits.wrapping_add(side as u128)) & mask(own),
            CoordinateKind::Float(format) if width == format.width() => at_place(kind, place(kind, bits) + side),
            CoordinateKind::Float(format) => from_double(format, signed(width, bits) as f64),
        })
    }

    /// A random step of any size, in either direction.
    pub fn stepped(&mut self, x: usize) -> u128 {
        let (kind, old) = (self.problem.coordinates[x].kind, self.point[x]);
        let CoordinateKind::Float(format) = kind else { return self.integer_step(x) };
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
            0 => old.wrapping_add(bit),
            1 => old.wrapping_sub(bit),
            2 | 3 => old ^ bit,
            // Of a function of which nothing is known only trying helps.
            4..7 => {
                let any = u128::from(self.random.next()) | u128::from(self.random.next()) << 64;
                // What takes longer the larger it is had better be small now and then.
                let is_small = self.problem.has_outside && self.random.below(2) == 0;
                if is_small { (any & mask(width)) >> self.random.below(width as usize) } else { any }
            }
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
                CoordinateKind::Float(format) => from_double(format, to_double(format, bits) + by),
                CoordinateKind::Int(width) => bits.wrapping_add(by as i128 as u128) & mask(width),
            },
        )
    }

    pub fn bounded(&self, x: usize, bits: u128) -> u128 {
        let coordinate = &self.problem.coordinates[x];
        bounded(coordinate.kind, (coordinate.low, coordinate.high), bits)
    }
}
