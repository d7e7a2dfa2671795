//! Ranges of values, without and with sign at once, and how operations change them.
//!
//! Invariant: a result's range contains every value that operands within their ranges can give.

use taw_expr::{BinOp, fold};

/// The least and the greatest value, both as numbers without sign and as two's complement. Neither pair is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub width: u32,
    pub unsigned: (i128, i128),
    pub signed: (i128, i128),
}

/// A range as it is kept: paths are many. Its width is that of the term it is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packed {
    unsigned: (u64, u64),
    signed: (i64, i64),
}

impl From<Range> for Packed {
    fn from(range: Range) -> Self {
        let ((least, most), (lowest, highest)) = (range.unsigned, range.signed);
        Packed { unsigned: (least as u64, most as u64), signed: (lowest as i64, highest as i64) }
    }
}

impl Packed {
    pub fn unpacked(self, width: u32) -> Range {
        let ((least, most), (lowest, highest)) = (self.unsigned, self.signed);
        Range { width, unsigned: (least.into(), most.into()), signed: (lowest.into(), highest.into()) }
    }
}

/// Which numbers the bits of a term stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum NumberView {
    Unsigned,
    Signed,
}

impl NumberView {
    pub const BOTH: [Self; 2] = [Self::Unsigned, Self::Signed];

    /// The number that bits stand for.
    pub fn number(self, width: u32, value: u64) -> i128 {
        match self {
            NumberView::Unsigned => i128::from(value),
            NumberView::Signed => i128::from(((value << (64 - width)) as i64) >> (64 - width)),
        }
    }

    /// The least and the greatest number of a width.
    pub fn limits(self, width: u32) -> (i128, i128) {
        match self {
            NumberView::Unsigned => (0, (1 << width) - 1),
            NumberView::Signed => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        }
    }
}

impl Range {
    /// Every value of a width of at most 64 bits.
    pub fn all(width: u32) -> Self {
        Range { width, unsigned: NumberView::Unsigned.limits(width), signed: NumberView::Signed.limits(width) }
    }

    pub fn exact(width: u32, value: u64) -> Self {
        let of = |view: NumberView| (view.number(width, value), view.number(width, value));
        Range { width, unsigned: of(NumberView::Unsigned), signed: of(NumberView::Signed) }
    }

    /// The values between two numbers in a view; all if a number is none of the width.
    fn between(width: u32, view: NumberView, (lo, hi): (i128, i128)) -> Self {
        let (least, most) = view.limits(width);
        let mut range = Range::all(width);
        if least <= lo && hi <= most {
            *range.of_mut(view) = (lo, hi);
        }
        range.agreed().unwrap_or(Range::all(width))
    }

    pub fn of(&self, view: NumberView) -> (i128, i128) {
        match view {
            NumberView::Unsigned => self.unsigned,
            NumberView::Signed => self.signed,
        }
    }

    fn of_mut(&mut self, view: NumberView) -> &mut (i128, i128) {
        match view {
            NumberView::Unsigned => &mut self.unsigned,
            NumberView::Signed => &mut self.signed,
        }
    }

    /// The one value, if there is only one.
    pub fn value(&self) -> Option<u64> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0 as u64)
    }

    /// What is in both; `None` if nothing is.
    pub fn meet(self, other: Self) -> Option<Self> {
        let both = |a: (i128, i128), b: (i128, i128)| (a.0.max(b.0), a.1.min(b.1));
        let (unsigned, signed) = (both(self.unsigned, other.unsigned), both(self.signed, other.signed));
        Range { width: self.width, unsigned, signed }.agreed()
    }

    /// The part between two numbers in a view; `None` if there is none.
    pub fn within(mut self, view: NumberView, (lo, hi): (i128, i128)) -> Option<Self> {
        let range = self.of_mut(view);
        *range = (range.0.max(lo), range.1.min(hi));
        self.agreed()
    }

    /// What is in either.
    pub fn join(self, other: Self) -> Self {
        let either = |a: (i128, i128), b: (i128, i128)| (a.0.min(b.0), a.1.max(b.1));
        let (unsigned, signed) = (either(self.unsigned, other.unsigned), either(self.signed, other.signed));
        Range { width: self.width, unsigned, signed }
    }

    /// Each view told what the other knows; `None` if nothing is left.
    fn agreed(mut self) -> Option<Self> {
        let (modulus, sign) = (1i128 << self.width, 1i128 << (self.width - 1));
        let (lo, hi) = self.signed;
        // On one side of zero the views differ by nothing or by the modulus.
        if let Some(shift) = (lo >= 0).then_some(0).or((hi < 0).then_some(modulus)) {
            self.unsigned = (self.unsigned.0.max(lo + shift), self.unsigned.1.min(hi + shift));
        }
        let (lo, hi) = self.unsigned;
        if let Some(shift) = (hi < sign).then_some(0).or((lo >= sign).then_some(modulus)) {
            self.signed = (self.signed.0.max(lo - shift), self.signed.1.min(hi - shift));
        }
        (self.unsigned.0 <= self.unsigned.1 && self.signed.0 <= self.signed.1).then_some(self)
    }

    /// With zeros before it.
    pub fn zero_extended(self, width: u32) -> Self {
        Range::between(width, NumberView::Unsigned, self.unsigned)
    }

    /// With its sign before it.
    pub fn sign_extended(self, width: u32) -> Self {
        Range::between(width, NumberView::Signed, self.signed)
    }

    /// Some of its bits, from `low` on.
    pub fn extracted(self, low: u32, width: u32) -> Self {
        Range::between(width, NumberView::Unsigned, (self.unsigned.0 >> low, self.unsigned.1 >> low))
    }
}

/// The range of an operation's result, whose width is `width`.
pub(super) fn bin(op: BinOp, width: u32, x: Range, y: Range) -> Range {
    if let (Some(a), Some(b)) = (x.value(), y.value())
        && x.width == width
        && y.width == width
    {
        return Range::exact(width, fold::bin_u64(op, width, a, b));
    }
    let ((xl, xh), (yl, yh)) = (x.unsigned, y.unsigned);
    let bits = i128::from(width);
    let unsigned = match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul => return arithmetic(op, width, x, y),
        BinOp::UDiv if yl > 0 => (xl / yh, xh / yl),
        BinOp::URem if yl > 0 && xh < yl => (xl, xh),
        BinOp::URem if yl > 0 => (0, xh.min(yh - 1)),
        BinOp::And => (0, xh.min(yh)),
        BinOp::Or => (xl.max(yl), (1 << (128 - (xh | yh).leading_zeros())) - 1),
        BinOp::Shl if yh < bits => (xl << yl, xh.checked_mul(1 << yh).unwrap_or(i128::MAX)),
        BinOp::LShr if yh < bits => (xl >> yh, xh >> yl),
        BinOp::Concat => (xl << y.width | yl, xh << y.width | yh),
        _ => return Range::all(width),
    };
    Range::between(width, NumberView::Unsigned, unsigned)
}

/// What does not wrap around in a view has bounds there; what wraps around as a whole also does.
fn arithmetic(op: BinOp, width: u32, x: Range, y: Range) -> Range {
    let views = NumberView::BOTH.map(|view| {
        let ((xl, xh), (yl, yh)) = (x.of(view), y.of(view));
        let (lo, hi) = match op {
            BinOp::Add => (xl + yl, xh + yh),
            BinOp::Sub => (xl - yh, xh - yl),
            _ => {
                let corners = [(xl, yl), (xl, yh), (xh, yl), (xh, yh)].map(|(a, b)| a.checked_mul(b));
                let least = corners.iter().copied().min().flatten();
                match least.zip(corners.iter().copied().max().flatten()) {
                    Some(range) if corners.iter().all(Option::is_some) => range,
                    _ => return Range::all(width),
                }
            }
        };
        let (modulus, least) = (1i128 << width, view.limits(width).0);
        let turns = (lo - least).div_euclid(modulus);
        match turns == (hi - least).div_euclid(modulus) {
            true => Range::between(width, view, (lo - turns * modulus, hi - turns * modulus)),
            false => Range::all(width),
        }
    });
    let [unsigned, signed] = views;
    unsigned.meet(signed).unwrap_or(Range::all(width))
}
