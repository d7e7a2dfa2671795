//! How an opaque function is evaluated: by a native function of its own type, by one on bits, or by somebody else.
//!
//! The types are told apart because a solver that evaluates a term a million times must not allocate its arguments.
//! Invariant: [`NativeFunction::call`] gives the same result as the native function does, bit for bit.

use std::fmt;
use std::rc::Rc;

use crate::bits::Bits;
use crate::node::FloatFormat;

/// A native function: pure and total.
#[derive(Clone, Debug)]
pub enum NativeFunction {
    /// `double f(double)`
    Double(fn(f64) -> f64),
    /// `double f(double, double)`
    Double2(fn(f64, f64) -> f64),
    /// `float f(float)`
    Single(fn(f32) -> f32),
    /// `float f(float, float)`
    Single2(fn(f32, f32) -> f32),
    /// Any other: from the arguments' bits to the result's.
    Bits(fn(&[Bits]) -> Bits),
    /// One that somebody else evaluates, at a price; nothing is known of it but its values.
    Outside(Rc<dyn Outside>),
}

/// A function that is evaluated elsewhere: pure and total, and dear.
pub trait Outside: fmt::Debug {
    /// The result's bits.
    fn call(&self, args: &[Bits]) -> Bits;

    /// The format of parameter `at`, if that is a float.
    fn parameter(&self, at: usize) -> Option<FloatFormat>;

    /// What the last call cost, in operations on words. A call that another process answers takes as long as some 500; but where only trying helps, a
    /// budget that counts it so would try too little.
    fn price(&self) -> u64 {
        64
    }
}

impl NativeFunction {
    /// The number of arguments, where the type tells.
    pub fn arity(&self) -> Option<usize> {
        match self {
            Self::Double(_) | Self::Single(_) => Some(1),
            Self::Double2(_) | Self::Single2(_) => Some(2),
            Self::Bits(_) | Self::Outside(_) => None,
        }
    }

    /// The format of parameter `at`, if that is a float; of a function on bits, whose result has `width` bits, it is the result's.
    pub fn parameter(&self, at: usize, width: u32) -> Option<FloatFormat> {
        match self {
            Self::Double(_) | Self::Double2(_) => Some(FloatFormat::F64),
            Self::Single(_) | Self::Single2(_) => Some(FloatFormat::F32),
            Self::Bits(_) => (width == 80).then_some(FloatFormat::F80),
            Self::Outside(function) => function.parameter(at),
        }
    }

    /// The result's bits. The arguments have the widths of the function's type.
    pub fn call(&self, args: &[Bits]) -> Bits {
        match self {
            Self::Double(_) | Self::Double2(_) => Bits::new(64, self.word(args[0].low(), second(args))),
            Self::Single(_) | Self::Single2(_) => Bits::new(32, self.word(args[0].low(), second(args))),
            Self::Bits(f) => f(args),
            Self::Outside(function) => function.call(args),
        }
    }

    /// The result's word, of a function on floats or doubles; `b` is not looked at if there is one argument.
    ///
    /// # Panics
    /// If the function is another.
    #[inline]
    pub fn word(&self, a: u64, b: u64) -> u64 {
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        match self {
            Self::Double(f) => f(f64::from_bits(a)).to_bits(),
            Self::Double2(f) => f(f64::from_bits(a), f64::from_bits(b)).to_bits(),
            Self::Single(f) => u64::from(f(x).to_bits()),
            Self::Single2(f) => u64::from(f(x, y).to_bits()),
            Self::Bits(_) | Self::Outside(_) => panic!("only functions on floats and doubles are called by words"),
        }
    }
}

fn second(args: &[Bits]) -> u64 {
    args.get(1).map_or(0, Bits::low)
}
