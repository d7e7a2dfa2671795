//! Backwards from a comparison that fails: which value of one coordinate would make it hold, all else being as it is?
//!
//! The wanted value is pushed down through one operation after the other, each inverted in the operand that leads to the
//! coordinate (A. Niemetz, M. Preiner and A. Biere, 2017, for bit vectors; here floats and the functions of libm too). Where an
//! operation has several inverses, chance chooses. Boundary: a result is a candidate; rounding may have spoilt it.

use std::f64::consts::PI;

use taw_expr::{BinOp, Bits, FloatBin, FloatFormat, FloatUn, NativeFunction, Node, fold};

use super::number::{CoordinateKind, Random, from_double, from_key, key, mask, to_double};
use super::problem::Problem;
use super::score::{Relation, TapeOperand, Test};
use crate::tape::{Code, Operation, SlotRange};

/// Longer ways down are not taken.
const MAX_DEPTH: u32 = 200;

/// A candidate for coordinate `x` that would satisfy `test`.
pub(super) fn candidate(problem: &Problem, test: &Test, x: usize, random: &mut Random) -> Option<u128> {
    let bit = 1u64 << (x % 64);
    let leads = |operand: &TapeOperand| problem.reach[operand.slot as usize] & bit != 0;
    let is_left = match (leads(&test.a), leads(&test.b)) {
        (true, true) => random.next() >> 63 == 0,
        (left, right) => {
            if !left && !right {
                return None;
            }
            left
        }
    };
    let (moving, fixed) = if is_left { (test.a, test.b) } else { (test.b, test.a) };
    let wanted = wanted(problem, test, is_left, fixed, random);
    let mut way = Inversion { problem, x, bit, random };
    way.down(moving.slot, moving.width, wanted)
}

/// A value of the moving side that satisfies the relation.
fn wanted(problem: &Problem, test: &Test, is_left: bool, fixed: TapeOperand, random: &mut Random) -> u128 {
    let pattern = fixed.pattern(&problem.tape);
    match test.kind {
        CoordinateKind::Float(format) => {
            let up = match test.relation {
                Relation::Equal | Relation::LessOrEqual | Relation::NotLess | Relation::Ordered
                    if random.below(3) < 2 =>
                {
                    return pattern;
                }
                Relation::Less | Relation::LessOrEqual => !is_left,
                Relation::NotLess | Relation::NotLessOrEqual => is_left,
                Relation::Unordered => return from_double(format, f64::NAN),
                _ => random.below(2) == 0,
            };
            let step = if up { 1.0 } else { -1.0 };
            match random.below(3) {
                0 => from_key(format, key(format, pattern) + if up { 1 } else { -1 }),
                1 => from_double(format, to_double(format, pattern) + step),
                _ => from_double(format, to_double(format, pattern) + step * (random.unit() * 12.0).exp2()),
            }
        }
        CoordinateKind::Int(width) => {
            let up = match test.relation {
                Relation::Equal => return pattern,
                Relation::Holds => return 1,
                Relation::Fails => return 0,
                Relation::LessOrEqual | Relation::SignedLessOrEqual if random.below(2) == 0 => return pattern,
                Relation::NotEqual => random.below(2) == 0,
                _ => !is_left,
            };
            let step = match random.below(2) {
                0 => 1,
                _ => 1u128 << random.below(width as usize),
            };
            (if up { pattern.wrapping_add(step) } else { pattern.wrapping_sub(step) }) & mask(width)
        }
    }
}

struct Inversion<'a> {
    problem: &'a Problem,
    x: usize,
    bit: u64,
    random: &'a mut Random,
}

impl Inversion<'_> {
    fn down(&mut self, mut slot: u32, mut width: u32, mut wanted: u128) -> Option<u128> {
        let coordinate = &self.problem.coordinates[self.x];
        for _ in 0..MAX_DEPTH {
            if coordinate.slot == Some(slot) {
                return Some(wanted & mask(coordinate.width));
            }
            if let Some(part) = coordinate.fields.iter().position(|f| f.0 == slot as usize) {
                return Some(self.with_field(part, wanted));
            }
            let operation = self.problem.tape.operations()[self.problem.producer[slot as usize]? as usize];
            (slot, width, wanted) = self.through(&operation, width, wanted)?;
        }
        None
    }

    /// The whole coordinate with one part replaced.
    fn with_field(&self, part: usize, wanted: u128) -> u128 {
        let coordinate = &self.problem.coordinates[self.x];
        let (mut bits, mut low) = (0, 0);
        for (at, &(input, width)) in coordinate.fields.iter().enumerate() {
            let value = if at == part { wanted } else { u128::from(self.problem.tape.word(input as u32)) };
            bits |= (value & mask(width)) << low;
            low += width;
        }
        bits
    }

    fn leads(&self, slot: u32) -> bool {
        self.problem.reach[slot as usize] & self.bit != 0
    }

    /// Which of two operands changes: whether it is the second.
    fn second(&mut self, a: u32, b: u32) -> Option<bool> {
        match (self.leads(a), self.leads(b)) {
            (false, false) => None,
            (true, true) => Some(a != b && self.random.next() >> 63 == 0),
            (left, _) => Some(!left),
        }
    }

    /// The operand that leads on, its width, and the value it must have.
    fn through(&mut self, operation: &Operation, width: u32, wanted: u128) -> Option<(u32, u32, u128)> {
        let Operation { code, a, b, c, .. } = *operation;
        let operands = |width: u32| [a, b].map(|slot| SlotRange { slot, width });
        match code {
            Code::Bin(op) => self.integer(op, u32::from(operation.width), operands(u32::from(operation.width)), wanted),
            Code::Concat => match self.second(a, b)? {
                true => Some((b, c, wanted & mask(c))),
                false => Some((a, width - c, wanted >> c)),
            },
            Code::Extract => {
                let old = self.word(a);
                Some((a, 64, old & !(mask(width) << c) | (wanted & mask(width)) << c))
            }
            Code::SExt => Some((a, c, wanted & mask(c))),
            Code::Ite => {
                let taken = if self.word(a) != 0 { b } else { c };
                self.leads(taken).then_some((taken, width, wanted))
            }
            Code::Double(op) => self.float(op, FloatFormat::F64, operands(64), wanted),
            Code::Single(op) => self.float(op, FloatFormat::F32, operands(32), wanted),
            Code::DoubleUn(op) => Some((a, 64, rounded(op, FloatFormat::F64, wanted))),
            Code::SingleUn(op) => Some((a, 32, rounded(op, FloatFormat::F32, wanted))),
            Code::Widen => Some((a, 32, fold::float_to_float(FloatFormat::F64, FloatFormat::F32, wanted))),
            Code::ToDouble => Some((a, c, fold::float_to_int(FloatFormat::F64, b == 1, wanted, c).low_u128())),
            Code::Native => self.native(operation, wanted),
            Code::Soft => self.soft(operation, wanted),
            _ => None,
        }
    }

    fn word(&self, slot: u32) -> u128 {
        u128::from(self.problem.tape.word(slot))
    }

    fn value(&self, place: SlotRange) -> u128 {
        self.problem.tape.wide(place.slot, place.width)
    }

    fn float(
        &mut self,
        op: FloatBin,
        format: FloatFormat,
        [a, b]: [SlotRange; 2],
        wanted: u128,
    ) -> Option<(u32, u32, u128)> {
        let second = self.second(a.slot, b.slot)?;
        let (moving, other) = if second { (b, self.value(a)) } else { (a, self.value(b)) };
        let by = |op, x, y| fold::float_bin(op, format, x, y);
        let needed = match (op, second) {
            // A square: both operands are the one that moves.
            (FloatBin::Mul, _) if a.slot == b.slot => {
                let root = fold::float_un(FloatUn::Sqrt, format, wanted);
                root | u128::from(self.random.below(2) == 0) << (format.width() - 1)
            }
            (FloatBin::Add, _) => by(FloatBin::Sub, wanted, other),
            (FloatBin::Mul, _) => by(FloatBin::Div, wanted, other),
            (FloatBin::Sub, false) => by(FloatBin::Add, wanted, other),
            (FloatBin::Sub, true) => by(FloatBin::Sub, other, wanted),
            (FloatBin::Div, false) => by(FloatBin::Mul, wanted, other),
            (FloatBin::Div, true) => by(FloatBin::Div, other, wanted),
            (FloatBin::Rem, true) => return None,
            (FloatBin::Rem | FloatBin::Min | FloatBin::Max, _) => wanted,
        };
        Some((moving.slot, moving.width, needed))
    }

    fn native(&mut self, operation: &Operation, wanted: u128) -> Option<(u32, u32, u128)> {
        let native = self.problem.tape.native(operation);
        let (format, name) = match native {
            NativeFunction::Double(_) | NativeFunction::Double2(_) => {
                (FloatFormat::F64, self.problem.names[operation.c as usize].as_str())
            }
            _ => (FloatFormat::F32, self.problem.names[operation.c as usize].trim_end_matches('f')),
        };
        let is_unary = native.arity() == Some(1);
        let second = if is_unary { false } else { self.second(operation.a, operation.b)? };
        let (moving, fixed) = if second { (operation.b, operation.a) } else { (operation.a, operation.b) };
        let number = |slot: u32| to_double(format, u128::from(self.problem.tape.word(slot)));
        let (now, other) = (number(moving), number(fixed));
        let name = if second { (name, 1) } else { (name, 0) };
        let needed = inverse(name, to_double(format, wanted), other, now, self.random)?;
        Some((moving, format.width(), from_double(format, needed)))
    }

    fn soft(&mut self, operation: &Operation, wanted: u128) -> Option<(u32, u32, u128)> {
        let (node, places) = self.problem.tape.soft(operation)?;
        let first = places[0];
        match *node {
            Node::FloatToFloat(from, to, _) => Some((first.slot, first.width, fold::float_to_float(to, from, wanted))),
            Node::FloatToInt { from, signed, width, .. } => {
                let needed = fold::int_to_float(from, signed, &Bits::from_u128(width, wanted));
                Some((first.slot, first.width, needed))
            }
            Node::IntToFloat { to, signed, .. } => {
                Some((first.slot, first.width, fold::float_to_int(to, signed, wanted, first.width).low_u128()))
            }
            Node::FloatUn(op, format, _) => Some((first.slot, first.width, rounded(op, format, wanted))),
            Node::FloatBin(op, format, ..) => self.float(op, format, [first, places[1]], wanted),
            Node::ZExt(..) | Node::SExt(..) => Some((first.slot, first.width, wanted & mask(first.width))),
            Node::Extract { lo, width, .. } => {
                let old = self.value(first);
                Some((first.slot, first.width, old & !(mask(width) << lo) | (wanted & mask(width)) << lo))
            }
            Node::Bin(op, ..) if op != BinOp::Concat && !op.is_comparison() => {
                self.integer(op, first.width, [first, places[1]], wanted)
            }
            _ => None,
        }
    }

    fn integer(&mut self, op: BinOp, width: u32, [a, b]: [SlotRange; 2], wanted: u128) -> Option<(u32, u32, u128)> {
        let second = self.second(a.slot, b.slot)?;
        let (moving, other) = if second { (b, self.value(a)) } else { (a, self.value(b)) };
        let (old, all) = (self.value(moving), mask(width));
        let needed = match (op, second) {
            (BinOp::Add, _) => wanted.wrapping_sub(other),
            (BinOp::Sub, false) => wanted.wrapping_add(other),
            (BinOp::Sub, true) => other.wrapping_sub(wanted),
            (BinOp::Xor, _) => wanted ^ other,
            (BinOp::And, _) => old & !other | wanted & other,
            (BinOp::Or, _) => old & other | wanted & !other,
            (BinOp::Mul, _) => quotient(wanted, other, width)?,
            (BinOp::Shl, false) if other < u128::from(width) => old & !(all >> other) | wanted >> other,
            (BinOp::LShr | BinOp::AShr, false) if other < u128::from(width) => {
                wanted << other | old & ((1 << other) - 1)
            }
            (BinOp::UDiv | BinOp::SDiv, false) => wanted.wrapping_mul(other),
            (BinOp::URem | BinOp::SRem, false) if other != 0 => (old - old % other).wrapping_add(wanted),
            _ => return None,
        };
        Some((moving.slot, moving.width, needed & all))
    }
}

/// An operand of a root or a rounding.
fn rounded(op: FloatUn, format: FloatFormat, wanted: u128) -> u128 {
    match op {
        FloatUn::Sqrt => fold::float_bin(FloatBin::Mul, format, wanted, wanted),
        _ => wanted,
    }
}

/// Some `q` with `q * factor = value` modulo `2^width`, if there is one.
fn quotient(value: u128, factor: u128, width: u32) -> Option<u128> {
    let shift = if factor == 0 { return None } else { factor.trailing_zeros() };
    if value & ((1 << shift) - 1) != 0 {
        return None;
    }
    let odd = factor >> shift;
    // Newton's iteration for the inverse: each step doubles the number of right bits, from five on.
    let mut inverse = odd.wrapping_mul(3) ^ 2;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some((value >> shift).wrapping_mul(inverse) & (mask(width) >> shift))
}

/// The argument of a function of libm (its name, and which argument) that gives `w`; for periodic ones, near `now`.
fn inverse((name, argument): (&str, u32), w: f64, other: f64, now: f64, random: &mut Random) -> Option<f64> {
    let near = |x: f64, period: f64| {
        let turns = ((now - x) / period).round();
        if turns.is_finite() { x + turns * period } else { x }
    };
    let either = |x: f64, random: &mut Random| if random.below(2) == 0 { x } else { -x };
    let found = match (name, argument) {
        ("sin", _) => near(if random.below(2) == 0 { w.asin() } else { PI - w.asin() }, 2.0 * PI),
        ("cos", _) => near(either(w.acos(), random), 2.0 * PI),
        ("tan", _) => near(w.atan(), PI),
        ("asin", _) => w.sin(),
        ("acos", _) => w.cos(),
        ("atan", _) => w.tan(),
        ("sinh", _) => w.asinh(),
        ("cosh", _) => either(w.acosh(), random),
        ("tanh", _) => w.atanh(),
        ("asinh", _) => w.sinh(),
        ("acosh", _) => w.cosh(),
        ("atanh", _) => w.tanh(),
        ("exp", _) => w.ln(),
        ("exp2", _) => w.log2(),
        ("exp10", _) => w.log10(),
        ("expm1", _) => w.ln_1p(),
        ("log", _) => w.exp(),
        ("log2", _) => w.exp2(),
        ("log10", _) => 10f64.powf(w),
        ("log1p", _) => w.exp_m1(),
        ("cbrt", _) => w * w * w,
        ("pow", 0) if w < 0.0 => -(-w).powf(1.0 / other),
        ("pow", 0) if other == 2.0 => either(w.sqrt(), random),
        ("pow", 0) => w.powf(1.0 / other),
        ("pow", _) => w.ln() / other.ln(),
        ("hypot", _) => either((w * w - other * other).sqrt(), random),
        ("atan2", 0) => other * w.tan(),
        ("atan2", _) => other / w.tan(),
        _ => return None,
    };
    (!found.is_nan()).then_some(found)
}
