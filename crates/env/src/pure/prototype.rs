//! What a function takes and gives, as far as it can be called from outside: scalars only.
//!
//! Boundary: the declaration is read here once; nobody else needs to know it.

use taw_expr::{Bits, FloatFormat, fold};
use taw_ir::{FloatTy, Function, Layout, Passing, Ty};

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// An integer of 1, 8, 16, 32 or 64 bits. Whether it has a sign matters where native code widens it, and in words.
    Int {
        /// Its bits.
        bits: u32,
        /// Whether it has a sign.
        signed: bool,
    },
    /// A float of 32, 64 or 80 bits.
    Float(FloatFormat),
}

/// Parameters and result of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prototype {
    /// Its link name.
    pub name: String,
    /// What it takes.
    pub parameters: Vec<Scalar>,
    /// What it gives.
    pub result: Scalar,
}

impl Scalar {
    fn of(ty: Ty, passing: Passing, layout: &Layout) -> Result<Self, String> {
        let scalar = match ty {
            _ if passing == Passing::Part => return Err("a structure".into()),
            Ty::Ptr => return Err("a pointer".into()),
            Ty::Int(bits @ (1 | 8 | 16 | 32 | 64)) => Self::Int { bits, signed: passing != Passing::ZeroExtended },
            Ty::Float(FloatTy::F32) => Self::Float(FloatFormat::F32),
            Ty::Float(FloatTy::F64) => Self::Float(FloatFormat::F64),
            Ty::Float(FloatTy::F80) => Self::Float(FloatFormat::F80),
            other => return Err(format!("a number of {} bits", other.bits(layout))),
        };
        Ok(scalar)
    }

    /// Its bits.
    pub fn width(self) -> u32 {
        match self {
            Self::Int { bits, .. } => bits,
            Self::Float(format) => format.width(),
        }
    }

    /// The format, if it is a float.
    pub fn format(self) -> Option<FloatFormat> {
        match self {
            Self::Int { .. } => None,
            Self::Float(format) => Some(format),
        }
    }

    /// A type of C that is passed and returned as it is.
    pub(super) fn c_type(self) -> &'static str {
        match self {
            Self::Int { bits: 1, .. } => "_Bool",
            Self::Int { bits: 8, signed } => ["uint8_t", "int8_t"][usize::from(signed)],
            Self::Int { bits: 16, signed } => ["uint16_t", "int16_t"][usize::from(signed)],
            Self::Int { bits: 32, signed } => ["uint32_t", "int32_t"][usize::from(signed)],
            Self::Int { signed, .. } => ["uint64_t", "int64_t"][usize::from(signed)],
            Self::Float(FloatFormat::F32) => "float",
            Self::Float(FloatFormat::F64) => "double",
            Self::Float(_) => "long double",
        }
    }

    /// A value in words.
    fn show(self, value: &Bits) -> String {
        match self {
            Self::Int { bits: 1, .. } | Self::Int { signed: false, .. } => value.low().to_string(),
            Self::Int { bits, .. } => taw_engine::signed(value.low(), bits).to_string(),
            Self::Float(format) => {
                let double = fold::float_to_float(format, FloatFormat::F64, value.low_u128());
                format!("{:?}", f64::from_bits(double as u64))
            }
        }
    }
}

impl Prototype {
    /// That of a function of a program.
    ///
    /// # Errors
    /// What about it cannot be passed to or from another process.
    pub fn of(function: &Function, layout: &Layout) -> Result<Self, String> {
        if function.variadic {
            return Err("its declaration does not say how many arguments it takes".into());
        }
        let mut parameters = Vec::new();
        for (i, param) in function.params.iter().enumerate() {
            let passing = if param.byval.is_some() { Passing::Part } else { param.passing };
            let name = if param.name.is_empty() { String::new() } else { format!(" (`{}`)", param.name) };
            let scalar = Scalar::of(param.ty, passing, layout);
            parameters.push(scalar.map_err(|what| format!("its parameter {}{name} is {what}", i + 1))?);
        }
        let result = match function.returns[..] {
            [] => return Err("it returns nothing, so it can only have side effects".into()),
            [ty] => Scalar::of(ty, Passing::Plain, layout),
            _ => Err("a structure".into()),
        };
        let result = result.map_err(|what| format!("its result is {what}"))?;
        Ok(Prototype { name: function.name.clone(), parameters, result })
    }

    /// Arguments in words: `(3, 0.5)`.
    pub(super) fn show(&self, args: &[Bits]) -> String {
        let words: Vec<String> = self.parameters.iter().zip(args).map(|(scalar, value)| scalar.show(value)).collect();
        format!("({})", words.join(", "))
    }
}
