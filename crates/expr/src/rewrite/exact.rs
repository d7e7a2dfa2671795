//! Rules of floats that are integers exactly: comparing or converting them back needs no floating-point theory.
//!
//! C programs convert integers to floats and compare the result with constants all the time, and such a query costs a
//! floating-point solver seconds.

use crate::arena::Terms;
use crate::bits::Bits;
use crate::fold;
use crate::node::{BinOp, FloatCmp, FloatFormat, FloatUn, Node, Term};

/// An integer behind a float.
#[derive(Clone, Copy)]
struct Exact {
    integer: Term,
    signed: bool,
}

/// The integer that `a` is the exact value of.
fn exact(t: &Terms, fmt: FloatFormat, a: Term) -> Option<Exact> {
    match *t.node(a) {
        Node::IntToFloat { to, signed, arg } if to == fmt => {
            // The smallest number has one bit more than the largest, but is a power of two.
            let fits = t.width(arg) <= precision(fmt) + u32::from(signed);
            fits.then_some(Exact { integer: arg, signed })
        }
        Node::FloatToFloat(from, to, inner) if to == fmt && precision(from) < precision(to) => exact(t, from, inner),
        _ => None,
    }
}

/// Significant bits of a format.
pub(super) fn precision(fmt: FloatFormat) -> u32 {
    match fmt {
        FloatFormat::F16 => 11,
        FloatFormat::F32 => 24,
        FloatFormat::F64 => 53,
        FloatFormat::F80 => 64,
        FloatFormat::F128 => 113,
    }
}

fn widened(t: &mut Terms, e: Exact, width: u32) -> Term {
    if e.signed { t.sext(e.integer, width) } else { t.zext(e.integer, width) }
}

/// (fp.to_sbv (to_fp x)) → (sign_extend x), likewise unsigned, where nothing is lost
pub(crate) fn to_int(t: &mut Terms, from: FloatFormat, signed: bool, arg: Term, width: u32) -> Option<Term> {
    let e = exact(t, from, arg)?;
    let own = t.width(e.integer);
    let fits = match (e.signed, signed) {
        (true, true) | (false, false) => width >= own,
        (false, true) => width > own,
        (true, false) => false,
    };
    fits.then(|| widened(t, e, width))
}

/// (fp.lt (to_fp x) (to_fp y)) → (bvslt x y), (fp.lt (to_fp x) c) → (bvslt x ⌈c⌉), and so on
pub(crate) fn compare(t: &mut Terms, op: FloatCmp, fmt: FloatFormat, a: Term, b: Term) -> Option<Term> {
    let op = match op {
        FloatCmp::Eq => BinOp::Eq,
        FloatCmp::Lt => BinOp::Slt,
        FloatCmp::Le => BinOp::Sle,
        FloatCmp::Unordered => return None,
    };
    match (exact(t, fmt, a), exact(t, fmt, b)) {
        (Some(x), Some(y)) => {
            let width = t.width(x.integer).max(t.width(y.integer)) + 1;
            let (x, y) = (widened(t, x, width), widened(t, y, width));
            Some(t.bin(op, x, y))
        }
        (Some(x), None) => {
            let c = t.as_const(b)?.low_u128();
            // x < c is x < ⌈c⌉, x ≤ c is x ≤ ⌊c⌋
            let round = if op == BinOp::Slt { FloatUn::Ceil } else { FloatUn::Floor };
            against(t, op, fmt, x, c, round, |t, x, c| t.bin(op, x, c))
        }
        (None, Some(x)) => {
            let c = t.as_const(a)?.low_u128();
            // c < x is ⌊c⌋ < x, c ≤ x is ⌈c⌉ ≤ x
            let round = if op == BinOp::Sle { FloatUn::Ceil } else { FloatUn::Floor };
            against(t, op, fmt, x, c, round, |t, x, c| t.bin(op, c, x))
        }
        (None, None) => None,
    }
}

/// Compares an integer with a constant that is rounded to one first.
fn against(
    t: &mut Terms,
    op: BinOp,
    fmt: FloatFormat,
    x: Exact,
    c: u128,
    round: FloatUn,
    comparison: impl FnOnce(&mut Terms, Term, Term) -> Term,
) -> Option<Term> {
    let width = t.width(x.integer) + 2;
    let limit = fold::int_to_float(fmt, true, &Bits::sign_bit(width).lshr(1));
    let whole = fold::float_un(round, fmt, c);
    if op == BinOp::Eq && !fold::float_cmp(FloatCmp::Eq, fmt, whole, c) {
        return (!fold::is_nan(fmt, c)).then(|| t.bool(false));
    }
    let negated_limit = fold::float_bin(crate::node::FloatBin::Sub, fmt, 0, limit);
    let inside =
        fold::float_cmp(FloatCmp::Lt, fmt, negated_limit, whole) && fold::float_cmp(FloatCmp::Lt, fmt, whole, limit);
    // A constant beyond every value of the integer is left to the other rules: it is rare.
    if !inside {
        return None;
    }
    let c = t.constant(fold::float_to_int(fmt, true, whole, width));
    let x = widened(t, x, width);
    Some(comparison(t, x, c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::Assignment;
    use crate::eval::Evaluator;

    #[test]
    fn comparisons_of_integers_as_floats_agree_with_floats() {
        let constants = [-129.0, -128.0, -127.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 126.5, 127.0, 127.5, 255.0, 300.0];
        let mut t = Terms::new();
        let var = t.new_var("x", 8);
        let x = t.var(var);
        for signed in [false, true] {
            let as_float = t.int_to_float(FloatFormat::F64, signed, x);
            for c in constants {
                let constant = t.bv(64, f64::to_bits(c));
                for op in [FloatCmp::Eq, FloatCmp::Lt, FloatCmp::Le] {
                    let left = t.float_cmp(op, FloatFormat::F64, as_float, constant);
                    let right = t.float_cmp(op, FloatFormat::F64, constant, as_float);
                    for value in 0..=255u64 {
                        let mut assignment = Assignment::new();
                        assignment.set(var, value);
                        let mut evaluator = Evaluator::new(assignment);
                        let number = if signed { f64::from(value as u8 as i8) } else { value as f64 };
                        let holds = |a: f64, b: f64| match op {
                            FloatCmp::Eq => a == b,
                            FloatCmp::Lt => a < b,
                            _ => a <= b,
                        };
                        assert_eq!(evaluator.holds(&t, left), holds(number, c), "{op:?} {number} {c}");
                        assert_eq!(evaluator.holds(&t, right), holds(c, number), "{op:?} {c} {number}");
                    }
                }
            }
        }
    }

    #[test]
    fn there_and_back_is_the_integer() {
        let mut t = Terms::new();
        let var = t.new_var("x", 32);
        let x = t.var(var);
        let there = t.int_to_float(FloatFormat::F64, true, x);
        assert_eq!(t.float_to_int(FloatFormat::F64, true, there, 32), x);
        let there = t.int_to_float(FloatFormat::F32, true, x);
        assert_ne!(t.float_to_int(FloatFormat::F32, true, there, 32), x);
    }
}
