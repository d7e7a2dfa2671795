//! Sums and quotients that are a multiple of one term, computed without a rounding that shows: `(x + x + x + x) / 4` is `x`.
//!
//! Intervals alone forget that two operands are the same number. Facts used, for binary floats that do not overflow: a product with a
//! power of two is exact; a sum of two exact multiples is the multiple, rounded once; `3x + x`, where `3x` was rounded, is exactly `4x`
//! (a tie is rounded to the even neighbour, which is `4x`). Boundary: says nothing of the sign of zero.

use taw_expr::{BinOp, FloatBin, Node, Term};

use super::{MAX_DEPTH, TermIntervals, format_of, is_sign, number};

/// Larger multiples are not followed.
const MOST: i32 = 1 << 20;

/// What a multiple is of: a term, or the product of two of which nothing more is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    Term(Term),
    Product(Term, Term),
}

/// The number `times · base`, rounded once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Multiple {
    pub times: i32,
    pub base: Base,
}

impl Multiple {
    fn once(t: Term) -> Self {
        Self { times: 1, base: Base::Term(t) }
    }

    /// Whether computing it took no rounding.
    fn is_exact(self) -> bool {
        self.times.unsigned_abs().is_power_of_two()
    }

    fn plus(self, other: Self) -> Option<Self> {
        let times = self.times + other.times;
        let one_more = matches!((self.times, other.times), (3, 1) | (1, 3) | (-3, -1) | (-1, -3));
        let is_sum = self.is_exact() && other.is_exact() || one_more || times == 0;
        (self.base == other.base && is_sum && times.abs() <= MOST).then_some(Self { times, ..self })
    }

    fn scaled(self, factor: f64) -> Option<Self> {
        let times = f64::from(self.times) * factor;
        let is_power = factor.abs().log2().fract() == 0.0;
        let is_whole = times.fract() == 0.0 && times != 0.0 && times.abs() <= f64::from(MOST);
        (is_power && is_whole).then_some(Self { times: times as i32, ..self })
    }
}

impl TermIntervals<'_> {
    /// What a float is a multiple of; at least, of itself.
    pub(super) fn multiple(&mut self, t: Term, depth: u32) -> Multiple {
        if let Some(&found) = self.multiples.get(&t) {
            return found;
        }
        let found = match depth > MAX_DEPTH {
            true => None,
            false => self.as_multiple(t, depth),
        };
        let found = found.unwrap_or(Multiple::once(t));
        self.multiples.insert(t, found);
        found
    }

    fn as_multiple(&mut self, t: Term, depth: u32) -> Option<Multiple> {
        let terms = self.terms;
        match *terms.node(t) {
            Node::Bin(BinOp::Xor, a, b) if is_sign(terms, b) => self.multiple(a, depth + 1).scaled(-1.0),
            Node::FloatBin(op, format, a, b) if format_of(format.width()) == Some(format) => {
                let is_finite = [a, b].iter().all(|&o| self.interval(o, depth + 1).is_finite());
                let constant = |t: Term| terms.as_u64(t).map(|bits| number(format, bits));
                match (op, constant(a), constant(b)) {
                    _ if !is_finite => None,
                    (FloatBin::Add | FloatBin::Sub, _, Some(0.0)) => Some(self.multiple(a, depth + 1)),
                    (FloatBin::Add, Some(0.0), _) => Some(self.multiple(b, depth + 1)),
                    (FloatBin::Add, ..) => self.multiple(a, depth + 1).plus(self.multiple(b, depth + 1)),
                    (FloatBin::Sub, ..) => {
                        let subtrahend = self.multiple(b, depth + 1).scaled(-1.0)?;
                        self.multiple(a, depth + 1).plus(subtrahend)
                    }
                    (FloatBin::Mul, _, Some(c)) if c.abs() >= 1.0 => self.multiple(a, depth + 1).scaled(c),
                    (FloatBin::Mul, Some(c), _) if c.abs() >= 1.0 => self.multiple(b, depth + 1).scaled(c),
                    (FloatBin::Div, _, Some(c)) if c.abs() >= 1.0 => self.multiple(a, depth + 1).scaled(1.0 / c),
                    (FloatBin::Mul, ..) => product(self.multiple(a, depth + 1), self.multiple(b, depth + 1)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The product of two terms but for their signs.
fn product(a: Multiple, b: Multiple) -> Option<Multiple> {
    let (Base::Term(x), Base::Term(y)) = (a.base, b.base) else { return None };
    let is_plain = a.times.abs() == 1 && b.times.abs() == 1;
    is_plain.then(|| Multiple { times: a.times * b.times, base: Base::Product(x.min(y), x.max(y)) })
}

#[cfg(test)]
mod tests {
    use taw_expr::{FloatCmp, FloatFormat, Terms};

    use super::super::contradict;
    use super::*;

    const F64: FloatFormat = FloatFormat::F64;

    #[test]
    fn three_and_one_is_four() {
        let mut state = 1u64;
        for round in 0..200_000u64 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(round | 1);
            let (x, y) = (f64::from_bits(state), f32::from_bits((state >> 32) as u32));
            if (4.0 * x).is_finite() {
                assert_eq!(x + x + x + x, 4.0 * x, "{x:e}");
                assert_eq!(x + x + x + x + x, 5.0 * x, "{x:e}");
            }
            if (4.0 * y).is_finite() {
                assert_eq!(y + y + y + y, 4.0 * y, "{y:e}");
            }
        }
    }

    /// The mean of four equal numbers is the number, if they are integers of 32 bits; of any doubles it may overflow.
    #[test]
    fn a_mean_of_equal_numbers_is_the_number() {
        for small in [true, false] {
            let mut terms = Terms::new();
            let v = terms.new_var("x", if small { 32 } else { 64 });
            let v = terms.var(v);
            let x = if small { terms.int_to_float(F64, true, v) } else { v };
            let sum = (0..3).fold(x, |sum, _| terms.float_bin(FloatBin::Add, F64, sum, x));
            let four = terms.bv(64, 4.0f64.to_bits());
            let mean = terms.float_bin(FloatBin::Div, F64, sum, four);
            let distance = terms.float_bin(FloatBin::Sub, F64, mean, x);
            let zero = terms.bv(64, 0);
            let is_zero = terms.float_cmp(FloatCmp::Eq, F64, distance, zero);
            let differs = terms.not(is_zero);
            assert_eq!(contradict(&terms, &[differs]), small);
            assert!(!contradict(&terms, &[is_zero]));
        }
    }

    #[test]
    fn six_times_is_not_two_threes() {
        let (mut found, x) = (0, 0.1f64.to_bits());
        for x in (x..x + 1000).map(f64::from_bits) {
            found += u32::from(x + x + x + x + x + x != 6.0 * x);
        }
        assert!(found > 0);
        let three = Multiple { times: 3, base: Base::Term(Terms::new().bv(64, 1)) };
        assert_eq!(three.plus(three), None);
    }
}
