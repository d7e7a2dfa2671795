//! What is known of the functions of libm: where their values lie.
//!
//! The library does not round correctly, so bounds that are computed by calling it are widened by a few last places; bounds
//! that are facts of mathematics and exact in binary (the sine is at most 1) are not, as the library keeps to them.

use std::f64::consts::{FRAC_PI_2, PI};

use super::interval::{ALL, Interval, NONE};

/// How many last places a value may be off.
const SLACK: u32 = 4;

/// The values of a function of doubles by its name.
pub(super) fn image(name: &str, args: &[Interval]) -> Interval {
    let x = args[0];
    let is_infinite = x.low == f64::NEG_INFINITY || x.high == f64::INFINITY;
    if args.iter().all(|a| !a.has_numbers()) {
        return Interval { nan: true, ..NONE };
    }
    let between = |low: f64, high: f64| Interval::numbers(low, high).with_nan(x.nan);
    let monotone = |f: fn(f64) -> f64| x.monotone(f).widened(SLACK);
    match name {
        "sin" | "cos" => between(-1.0, 1.0).with_nan(is_infinite),
        "tanh" | "erf" => between(-1.0, 1.0),
        "erfc" => between(0.0, 2.0),
        "asin" => between(-FRAC_PI_2, FRAC_PI_2).widened(1).with_nan(outside(x, -1.0, 1.0)),
        "acos" => between(0.0, PI.next_up()).with_nan(outside(x, -1.0, 1.0)),
        "atan" => monotone(f64::atan).meet(between(-FRAC_PI_2, FRAC_PI_2).widened(1).with_nan(true)),
        "atan2" => Interval::numbers(-PI, PI).widened(1).with_nan(x.nan || args[1].nan),
        "exp" => monotone(f64::exp).meet(Interval { low: 0.0, ..ALL }),
        "exp2" => monotone(f64::exp2).meet(Interval { low: 0.0, ..ALL }),
        "exp10" => between(0.0, f64::INFINITY),
        "expm1" => between(-1.0, f64::INFINITY),
        "log" => logarithm(x, 0.0, f64::ln),
        "log2" => logarithm(x, 0.0, f64::log2),
        "log10" => logarithm(x, 0.0, f64::log10),
        "log1p" => logarithm(x, -1.0, f64::ln_1p),
        "cbrt" => monotone(f64::cbrt),
        "sinh" => monotone(f64::sinh),
        "cosh" => between(1.0, f64::INFINITY),
        "acosh" => between(0.0, f64::INFINITY).with_nan(outside(x, 1.0, f64::INFINITY)),
        "hypot" => Interval::numbers(0.0, f64::INFINITY).with_nan(x.nan || args[1].nan),
        "pow" => power(x, args[1]),
        _ => ALL,
    }
}

fn outside(x: Interval, low: f64, high: f64) -> bool {
    x.has_numbers() && (x.low < low || x.high > high)
}

fn logarithm(x: Interval, pole: f64, f: fn(f64) -> f64) -> Interval {
    let nan = x.nan || outside(x, pole, f64::INFINITY);
    let positive = Interval { low: x.low.max(pole), nan: false, ..x };
    if !positive.has_numbers() {
        return Interval { nan: true, ..NONE };
    }
    positive.monotone(f).widened(SLACK).with_nan(nan)
}

fn power(x: Interval, y: Interval) -> Interval {
    let nan = x.nan || y.nan;
    let exponent = (y.low == y.high && !y.nan).then_some(y.low);
    match exponent {
        Some(2.0) => x.magnitude().monotone(|v| v * v).widened(SLACK).meet(Interval { low: 0.0, ..ALL }),
        Some(n) if n % 2.0 == 0.0 => Interval::numbers(0.0, f64::INFINITY).with_nan(nan),
        _ if x.low >= 0.0 => Interval::numbers(0.0, f64::INFINITY).with_nan(nan),
        _ => ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Unary = (&'static str, fn(f64) -> f64);
    type Binary = (&'static str, fn(f64, f64) -> f64);
    const UNARY: [Unary; 19] = [
        ("sin", f64::sin),
        ("cos", f64::cos),
        ("tan", f64::tan),
        ("asin", f64::asin),
        ("acos", f64::acos),
        ("atan", f64::atan),
        ("sinh", f64::sinh),
        ("cosh", f64::cosh),
        ("tanh", f64::tanh),
        ("exp", f64::exp),
        ("exp2", f64::exp2),
        ("expm1", f64::exp_m1),
        ("log", f64::ln),
        ("log2", f64::log2),
        ("log10", f64::log10),
        ("log1p", f64::ln_1p),
        ("cbrt", f64::cbrt),
        ("square", |x| x * x),
        ("acosh", f64::acosh),
    ];

    fn numbers() -> Vec<f64> {
        let mut all = vec![0.0, 0.5, 1.0, 1.5, 3.0, 100.0, 710.0, 1e-300, 1e300, f64::INFINITY, 5e-324];
        all.extend(all.clone().iter().map(|x| -x));
        all.sort_by(f64::total_cmp);
        all
    }

    fn holds(image: Interval, value: f64) -> bool {
        if value.is_nan() { image.nan } else { image.contains(value) }
    }

    #[test]
    fn every_value_is_in_the_image() {
        let numbers = numbers();
        for (name, f) in UNARY {
            for (i, &low) in numbers.iter().enumerate() {
                for &high in &numbers[i..] {
                    let image = image(name, &[Interval::numbers(low, high)]);
                    for &x in numbers.iter().filter(|x| (low..=high).contains(*x)) {
                        assert!(holds(image, f(x)), "{name}({x}) = {} is not in {image:?}", f(x));
                    }
                }
            }
        }
    }

    #[test]
    fn every_value_of_two_arguments_is_in_the_image() {
        let numbers = numbers();
        let binary: [Binary; 3] = [("pow", f64::powf), ("hypot", f64::hypot), ("atan2", f64::atan2)];
        for (name, f) in binary {
            for &x in &numbers {
                for y in [0.0, 1.0, 2.0, -2.0, 0.5, 3.0, 4.0, f64::INFINITY] {
                    let image = image(name, &[Interval::numbers(x.min(0.25), x.max(0.25)), Interval::exact(y)]);
                    assert!(holds(image, f(x, y)), "{name}({x}, {y}) = {} is not in {image:?}", f(x, y));
                }
            }
        }
    }
}
