//! Float operations, inverted in one operand. Rounding makes the inverse inexact: evaluation decides, and the next value
//! up or down is tried as another way.

use taw_expr::{Bits, FloatBin, FloatCmp, FloatFormat, FloatUn, Node, Term, Terms, fold};

use super::Force;
use crate::scratch::Scratch;

impl Force {
    /// Tries to make a comparison true or false.
    pub(super) fn float_truth(
        &mut self,
        terms: &Terms,
        scratch: &mut Scratch,
        (op, format, a, b): (FloatCmp, FloatFormat, Term, Term),
        want: bool,
    ) -> bool {
        if format.width() > 64 {
            return false;
        }
        let (moving, fixed) = self.mover(terms, a, b);
        let other = self.now(terms, scratch, fixed);
        // A comparison is false on a NaN: the last way out.
        let nan = fold::float_bin(FloatBin::Div, format, 0, 0) as u64;
        let (below, above) = (next(format, other, false), next(format, other, true));
        let ways = match (op, want) {
            (FloatCmp::Unordered, true) => vec![nan],
            (FloatCmp::Unordered, false) => vec![other, 0],
            (FloatCmp::Eq, true) => vec![other],
            (FloatCmp::Eq, false) => vec![above, below, 0, nan],
            (FloatCmp::Lt | FloatCmp::Le, _) => {
                let is_below = (moving == a) == want;
                let near = if is_below { below } else { above };
                let far = near_by(format, other, if is_below { -1 } else { 1 });
                // `Le` wanted, or `Lt` not wanted: equality will do.
                let touch = if (op == FloatCmp::Le) == want { other } else { near };
                if want { vec![touch, far, near] } else { vec![touch, far, near, nan] }
            }
        };
        let value = ways[self.choose(ways.len() as u32) as usize];
        self.value(terms, scratch, moving, value)
    }

    /// Tries to give a float operation (or a conversion) a value.
    pub(super) fn float_value(&mut self, terms: &Terms, scratch: &mut Scratch, t: Term, value: u64) -> bool {
        let wanted = u128::from(value);
        match *terms.node(t) {
            Node::FloatBin(op, format, a, b) if format.width() <= 64 => {
                let (moving, fixed) = self.mover(terms, a, b);
                let other = u128::from(self.now(terms, scratch, fixed));
                let inverse = |op| fold::float_bin(op, format, wanted, other);
                let needed = match op {
                    FloatBin::Add => inverse(FloatBin::Sub),
                    FloatBin::Mul => inverse(FloatBin::Div),
                    FloatBin::Sub if moving == a => inverse(FloatBin::Add),
                    FloatBin::Sub => fold::float_bin(FloatBin::Sub, format, other, wanted),
                    FloatBin::Div if moving == a => inverse(FloatBin::Mul),
                    FloatBin::Div => fold::float_bin(FloatBin::Div, format, other, wanted),
                    FloatBin::Rem | FloatBin::Min | FloatBin::Max => wanted,
                };
                let needed = self.nudged(format, needed as u64);
                self.value(terms, scratch, moving, needed)
            }
            Node::FloatUn(op, format, a) if format.width() <= 64 => {
                let needed = match op {
                    FloatUn::Sqrt => fold::float_bin(FloatBin::Mul, format, wanted, wanted) as u64,
                    _ => value,
                };
                let needed = self.nudged(format, needed);
                self.value(terms, scratch, a, needed)
            }
            Node::FloatToFloat(from, to, a) if from.width() <= 64 => {
                let needed = fold::float_to_float(to, from, wanted) as u64;
                self.value(terms, scratch, a, needed)
            }
            Node::FloatToInt { from, signed, arg, width } if from.width() <= 64 => {
                let needed = fold::int_to_float(from, signed, &Bits::new(width, value)) as u64;
                self.value(terms, scratch, arg, needed)
            }
            Node::IntToFloat { to, signed, arg } => {
                let width = terms.width(arg);
                width <= 64 && {
                    let needed = fold::float_to_int(to, signed, wanted, width).low();
                    let needed = needed.wrapping_add([0, 1, u64::MAX][self.choose(3) as usize]);
                    self.value(terms, scratch, arg, needed)
                }
            }
            _ => false,
        }
    }

    /// The value or, as other ways, its neighbours: what rounding took may be needed.
    fn nudged(&mut self, format: FloatFormat, value: u64) -> u64 {
        match self.choose(3) {
            0 => value,
            1 => next(format, value, true),
            _ => next(format, value, false),
        }
    }
}

/// The next pattern above or below, in the order of the numbers they stand for.
fn next(format: FloatFormat, value: u64, up: bool) -> u64 {
    let sign = 1u64 << (format.width() - 1);
    let is_negative = value & sign != 0;
    if value & !sign == 0 {
        return if up { 1 } else { sign | 1 };
    }
    // An infinity has no neighbour beyond; its successor would be a NaN.
    let outwards = is_negative != up;
    let moved = if outwards { value + 1 } else { value - 1 };
    if fold::is_nan(format, u128::from(moved)) { value } else { moved }
}

/// The number plus a small integer.
fn near_by(format: FloatFormat, value: u64, distance: i64) -> u64 {
    let distance = fold::int_to_float(format, true, &Bits::new(64, distance as u64));
    fold::float_bin(FloatBin::Add, format, u128::from(value), distance) as u64
}
