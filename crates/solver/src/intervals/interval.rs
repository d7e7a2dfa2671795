//! Sets of floats: the numbers between two bounds, and perhaps NaN.
//!
//! Rounding to nearest is monotone, so the bounds of a sum are the rounded sums of bounds: nothing has to be widened where the
//! operation is rounded correctly. The two zeros are one number here. Invariant: bounds are no NaNs; `low > high` is no number at all.

use taw_expr::{FloatBin, FloatFormat, FloatUn};

/// A set of floats of one format, as doubles (which hold every `float`).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Interval {
    pub low: f64,
    pub high: f64,
    /// Whether NaN is in it.
    pub nan: bool,
}

/// Every float, and NaN.
pub(crate) const ALL: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
/// No float at all: what a contradiction leaves.
pub(crate) const NONE: Interval = Interval { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: false };

impl Interval {
    /// The numbers from one bound to the other.
    pub fn numbers(low: f64, high: f64) -> Self {
        if low.is_nan() || high.is_nan() { Self { nan: false, ..ALL } } else { Self { low, high, nan: false } }
    }

    pub fn exact(value: f64) -> Self {
        if value.is_nan() { Self { nan: true, ..NONE } } else { Self::numbers(value, value) }
    }

    pub fn with_nan(self, nan: bool) -> Self {
        Self { nan: self.nan || nan, ..self }
    }

    pub fn has_numbers(self) -> bool {
        self.low <= self.high
    }

    pub fn is_empty(self) -> bool {
        !self.nan && !self.has_numbers()
    }

    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether it is a number that is not infinite, for certain.
    pub fn is_finite(self) -> bool {
        !self.nan && self.low.is_finite() && self.high.is_finite()
    }

    fn has_infinity(self) -> bool {
        self.has_numbers() && (self.low == f64::NEG_INFINITY || self.high == f64::INFINITY)
    }

    pub fn meet(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high), nan: self.nan && other.nan }
    }

    pub fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high), nan: self.nan || other.nan }
    }

    pub fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low, nan: self.nan }
    }

    pub fn magnitude(self) -> Self {
        if !self.has_numbers() {
            return self;
        }
        let low = if self.contains(0.0) { 0.0 } else { self.low.abs().min(self.high.abs()) };
        Self { low, high: self.low.abs().max(self.high.abs()), nan: self.nan }
    }

    /// Every bound one double further out: for what is not rounded correctly.
    pub fn widened(self, times: u32) -> Self {
        (0..times).fold(self, |wide, _| Self { low: wide.low.next_down(), high: wide.high.next_up(), ..wide })
    }

    /// The image under a function that is monotone.
    pub fn monotone(self, f: impl Fn(f64) -> f64) -> Self {
        if !self.has_numbers() {
            return self;
        }
        let (low, high) = (f(self.low), f(self.high));
        if low.is_nan() || high.is_nan() { ALL } else { Self { low, high, nan: self.nan } }
    }

    /// `op` on one operand.
    pub fn unary(op: FloatUn, a: Self) -> Self {
        match op {
            FloatUn::Sqrt => {
                let is_negative = a.has_numbers() && a.low < 0.0;
                let roots = Self { low: a.low.max(0.0), ..a };
                if roots.has_numbers() {
                    roots.monotone(f64::sqrt).with_nan(is_negative)
                } else {
                    Self { nan: true, ..NONE }
                }
            }
            FloatUn::Floor => a.monotone(f64::floor),
            FloatUn::Ceil => a.monotone(f64::ceil),
            FloatUn::Trunc => a.monotone(f64::trunc),
            FloatUn::RoundEven => a.monotone(f64::round_ties_even),
            FloatUn::RoundAway => a.monotone(f64::round),
        }
    }

    /// `op` on two operands of a format, which is `float` or `double`.
    pub fn binary(op: FloatBin, format: FloatFormat, a: Self, b: Self) -> Self {
        let nan = a.nan || b.nan;
        if !a.has_numbers() || !b.has_numbers() {
            return match op {
                FloatBin::Min | FloatBin::Max => a.join(b),
                _ => Self { nan, ..NONE },
            };
        }
        let (infinite_a, infinite_b) = (a.has_infinity(), b.has_infinity());
        match op {
            FloatBin::Add => corners(format, a, b, |x, y| x + y).with_nan(nan || infinite_a && infinite_b),
            FloatBin::Sub => corners(format, a, b, |x, y| x - y).with_nan(nan || infinite_a && infinite_b),
            FloatBin::Mul => {
                let is_undefined = infinite_a && b.contains(0.0) || infinite_b && a.contains(0.0);
                let mut product = corners(format, a, b, |x, y| x * y);
                if is_undefined {
                    // Beside the product that is none are those of small and of large numbers.
                    product = Interval { nan: false, ..ALL };
                }
                product.with_nan(nan || is_undefined)
            }
            FloatBin::Div if b.contains(0.0) => ALL,
            FloatBin::Div => corners(format, a, b, |x, y| x / y).with_nan(nan || infinite_a && infinite_b),
            FloatBin::Rem => {
                let most = a.magnitude().high.min(b.magnitude().high);
                let low = if a.low < 0.0 { -most } else { 0.0 };
                let high = if a.high > 0.0 { most } else { 0.0 };
                Self::numbers(low, high).with_nan(nan || infinite_a || b.contains(0.0))
            }
            FloatBin::Min if !nan => Self::numbers(a.low.min(b.low), a.high.min(b.high)),
            FloatBin::Max if !nan => Self::numbers(a.low.max(b.low), a.high.max(b.high)),
            FloatBin::Min | FloatBin::Max => a.join(b),
        }
    }
}

/// The hull of an operation that is monotone in each operand, from its values at the corners. A corner that is undefined (both
/// infinite) leaves the other values open.
fn corners(format: FloatFormat, a: Interval, b: Interval, f: impl Fn(f64, f64) -> f64) -> Interval {
    let mut hull = NONE;
    for x in [a.low, a.high] {
        for y in [b.low, b.high] {
            let value = match format {
                // One rounding: the exact result of two floats, rounded to double and then to float, may be rounded twice.
                FloatFormat::F32 => {
                    let double = f(x, y);
                    let single = f64::from(double as f32);
                    let slack =
                        Interval::numbers(f64::from((double as f32).next_down()), f64::from((double as f32).next_up()));
                    if single.is_nan() {
                        return Interval { nan: false, ..ALL };
                    } else {
                        hull = hull.join(slack)
                    }
                    single
                }
                _ => f(x, y),
            };
            if value.is_nan() {
                return Interval { nan: false, ..ALL };
            }
            hull = hull.join(Interval::exact(value));
        }
    }
    hull
}
