//! Where the walk begins: what is given, and the points where programs are interesting.

use taw_expr::Assignment;

use super::number::{Kind, Random, from_double, key, mask};
use super::problem::Problem;
use super::{Effort, Ingredient};

/// Numbers that are like no others.
pub(super) const SPECIAL: [f64; 18] = [
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

/// The same number for a coordinate of any kind.
pub(super) fn number(kind: Kind, value: f64) -> u128 {
    match kind {
        Kind::Float(format) => from_double(format, value),
        Kind::Int(width) => (value as i128) as u128 & mask(width),
    }
}

/// Points, the most promising first.
pub(super) fn starts(problem: &Problem, bases: &[&Assignment], effort: Effort) -> Vec<Vec<u128>> {
    let mut starts: Vec<Vec<u128>> = bases.iter().map(|base| problem.point(base)).collect();
    if effort.without.contains(Ingredient::Starts) {
        return starts;
    }
    let mut random = Random(effort.seed ^ 0x5151);
    let all =
        |value: f64| problem.coordinates.iter().map(move |c| bounded(c.kind, (c.low, c.high), number(c.kind, value)));
    starts.extend([1.0, 0.0, f64::NAN, -1.0, 10.0, 0.5].map(|value| all(value).collect()));
    starts.push(all(1.0).map(|bits| bits ^ u128::from(random.next() >> 60)).collect());
    for scale in [1.0, 4.0, 10.0] {
        let mut one = |kind: Kind| number(kind, scale * (2.0 * random.unit() - 1.0));
        starts.push(problem.coordinates.iter().map(|c| bounded(c.kind, (c.low, c.high), one(c.kind))).collect());
    }
    let first = starts[0].clone();
    let mut seen = vec![first];
    for start in starts.into_iter().skip(1) {
        if !seen.contains(&start) {
            seen.push(start);
        }
    }
    seen
}

/// The nearest value within bounds; a NaN stays what it is.
pub(super) fn bounded(kind: Kind, (low, high): (i128, i128), bits: u128) -> u128 {
    let Kind::Float(format) = kind else { return bits };
    if taw_expr::fold::is_nan(format, bits) || (low == i128::MIN && high == i128::MAX) {
        return bits;
    }
    let at = key(format, bits);
    if at < low || at > high { super::number::from_key(format, at.clamp(low, high)) } else { bits }
}
