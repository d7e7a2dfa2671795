//! How far a condition is from holding: branch distances (B. Korel, 1990) that know IEEE 754 and wrap-around.
//!
//! A score is 0 if the test holds and grows with the distance, slowly: a distance counts by its logarithm, once in units of the
//! last place and once as it is, so that conditions of different size can be added up. A NaN satisfies no ordered comparison
//! and every negated one.

use taw_expr::FloatFormat;

use super::number::{CoordinateKind, precision, signed, to_double};
use crate::tape::Tape;

/// What a NaN costs where a number is wanted: more than most distances.
const NAN: f64 = 8.0;
/// The least score of a test that fails.
const LEAST: f64 = 1.0 / 64.0;

/// A value on the tape.
#[derive(Clone, Copy, Debug)]
pub(super) struct TapeOperand {
    pub slot: u32,
    pub width: u32,
}

/// A comparison that shall hold. `No…` is satisfied by NaNs too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    NotLess,
    NotLessOrEqual,
    Unordered,
    Ordered,
    /// Of integers as two's complement.
    SignedLess,
    SignedLessOrEqual,
    /// The first operand is a truth value and true, or false.
    Holds,
    Fails,
}

/// One comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    pub relation: Relation,
    pub kind: CoordinateKind,
    pub a: TapeOperand,
    pub b: TapeOperand,
}

/// A condition: comparisons under conjunction and disjunction.
#[derive(Clone, Debug)]
pub(super) enum WalkCondition {
    Test(Test),
    All(Vec<WalkCondition>),
    Any(Vec<WalkCondition>),
}

impl TapeOperand {
    pub fn pattern(self, tape: &Tape) -> u128 {
        tape.wide(self.slot, self.width)
    }

    /// As a number of a float format.
    fn number(self, tape: &Tape, format: FloatFormat) -> f64 {
        to_double(format, self.pattern(tape))
    }
}

impl Test {
    /// The signed distance of the operands, whose sign changes where the relation's truth does; may be a NaN.
    pub fn difference(&self, tape: &Tape) -> f64 {
        match self.kind {
            CoordinateKind::Float(format) => {
                let (a, b) = (self.a.number(tape, format), self.b.number(tape, format));
                let difference = a - b;
                // The distance of two large numbers may be beyond all numbers.
                if difference.is_infinite() && a.is_finite() && b.is_finite() { a / 2.0 - b / 2.0 } else { difference }
            }
            CoordinateKind::Int(width) => {
                let (a, b) = (self.a.pattern(tape), self.b.pattern(tape));
                match self.relation {
                    Relation::Less | Relation::LessOrEqual => a as f64 - b as f64,
                    Relation::Equal | Relation::NotEqual => signed(width, a.wrapping_sub(b)) as f64,
                    _ => signed(width, a) as f64 - signed(width, b) as f64,
                }
            }
        }
    }

    pub fn score(&self, tape: &Tape) -> f64 {
        match self.kind {
            CoordinateKind::Float(format) => self.float_score(tape, format),
            CoordinateKind::Int(width) => self.int_score(tape, width),
        }
    }

    fn float_score(&self, tape: &Tape, format: FloatFormat) -> f64 {
        let (a, b) = (self.a.number(tape, format), self.b.number(tape, format));
        let is_nan = a.is_nan() || b.is_nan();
        let (holds, satisfied_by_nan) = match self.relation {
            Relation::Equal => (a == b, false),
            Relation::NotEqual => (a != b, true),
            Relation::Less | Relation::SignedLess => (a < b, false),
            Relation::LessOrEqual | Relation::SignedLessOrEqual => (a <= b, false),
            Relation::NotLess => (a >= b, true),
            Relation::NotLessOrEqual => (a > b, true),
            Relation::Unordered => (false, true),
            Relation::Ordered | Relation::Holds | Relation::Fails => (true, false),
        };
        match is_nan {
            true if satisfied_by_nan => 0.0,
            true => NAN,
            false if holds => 0.0,
            false if self.relation == Relation::Unordered => 1.0,
            false => distance(a, b, precision(format)),
        }
    }

    fn int_score(&self, tape: &Tape, width: u32) -> f64 {
        let (a, b) = (self.a.pattern(tape), self.b.pattern(tape));
        let holds = match self.relation {
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
            Relation::Less => a < b,
            Relation::LessOrEqual => a <= b,
            Relation::SignedLess => signed(width, a) < signed(width, b),
            Relation::SignedLessOrEqual => signed(width, a) <= signed(width, b),
            Relation::Holds => a != 0,
            Relation::Fails => a == 0,
            _ => true,
        };
        if holds {
            return 0.0;
        }
        if matches!(self.relation, Relation::Holds | Relation::Fails) {
            return 1.0;
        }
        let gap = self.difference(tape).abs();
        let size = logarithm(1.0 + gap) / f64::from(width);
        match self.relation {
            // Numbers that are near and patterns that are alike both count.
            Relation::Equal => (size + f64::from((a ^ b).count_ones()) / f64::from(width)) / 2.0,
            _ => size,
        }
        .max(LEAST)
    }
}

/// The distance of two numbers, in last places and as it is.
fn distance(a: f64, b: f64, precision: i32) -> f64 {
    let clamp = |x: f64| x.clamp(-f64::MAX / 4.0, f64::MAX / 4.0);
    let (a, b) = (clamp(a), clamp(b));
    let gap = (a - b).abs();
    let places = gap / a.abs().max(b.abs()).max(f64::MIN_POSITIVE) * (1u64 << precision.min(53)) as f64;
    (logarithm(1.0 + places) / f64::from(precision) + logarithm(1.0 + gap) / 64.0).max(LEAST)
}

/// About the binary logarithm of a positive number: exact for powers of two, linear between them. Only the order matters.
fn logarithm(x: f64) -> f64 {
    x.to_bits() as f64 / (1u64 << 52) as f64 - 1023.0
}

impl WalkCondition {
    /// The sum of what is missing of a conjunction, the least of a disjunction.
    pub fn score(&self, tape: &Tape) -> f64 {
        match self {
            Self::Test(test) => test.score(tape),
            Self::All(all) => all.iter().map(|goal| goal.score(tape)).sum(),
            Self::Any(any) => any.iter().map(|goal| goal.score(tape)).fold(f64::INFINITY, f64::min),
        }
    }

    /// A test that fails and whose success would help; `choose` picks one of several.
    pub fn failing(&self, tape: &Tape, choose: &mut dyn FnMut(usize) -> usize) -> Option<Test> {
        match self {
            Self::Test(test) => (test.score(tape) > 0.0).then_some(*test),
            Self::All(goals) | Self::Any(goals) => {
                let failing: Vec<&WalkCondition> = goals.iter().filter(|g| g.score(tape) > 0.0).collect();
                match failing.len() {
                    0 => None,
                    n => failing[choose(n)].failing(tape, choose),
                }
            }
        }
    }
}
