//! The machine's own mathematical functions: those of `<math.h>` that have no theory, in `double`, `float` and `long double`.
//!
//! They are called when a term is evaluated, so a test does natively what it claims: both call the same library. All are pure but
//! for `errno`, the floating-point exceptions and `signgam`, which are not modelled: a program that reads them is not served.
//! `long double` is the x87 format; where the compiler's is another, its functions give what that one gives.

#![expect(
    unsafe_code,
    reason = "foreign functions: each is declared with the type that C gives it, and is pure and total"
)]

use taw_expr::{Bits, FunctionInfo, NativeFunction};

/// A `long double` as it lies in memory.
#[repr(C, align(16))]
struct LongDouble([u8; 16]);

impl LongDouble {
    fn of(bits: &Bits) -> Self {
        LongDouble(bits.low_u128().to_le_bytes())
    }

    fn bits(&self) -> Bits {
        Bits::from_u128(80, u128::from_le_bytes(self.0))
    }
}

const NOTHING: LongDouble = LongDouble([0; 16]);

/// Functions of native/long_double.c that stand for those of which the linker finds others.
mod own {
    use super::LongDouble;
    // SAFETY: the types are those of the C file.
    unsafe extern "C" {
        pub safe fn taw_cbrt(x: f64) -> f64;
        pub safe fn taw_cbrtf(x: f32) -> f32;
        pub safe fn taw_cbrtl(x: &LongDouble, result: &mut LongDouble);
        #[cfg(test)]
        pub safe fn taw_libm(name: &std::ffi::c_char) -> Option<extern "C" fn(f64) -> f64>;
    }
}

/// A function by its C name, with the width of its arguments and result.
pub(crate) struct LibmDef {
    pub name: &'static str,
    pub width: u32,
    pub eval: NativeFunction,
}

/// Declares functions of one and of two arguments, each as double, float, long double and long double by address, and lists them.
macro_rules! functions {
    (one { $($d1:ident $f1:ident $l1:ident $s1:ident)* } two { $($d2:ident $f2:ident $l2:ident $s2:ident)* }) => {
        mod c {
            use super::LongDouble;
            // SAFETY: the types are those of <math.h> and of native/long_double.c; no function keeps an address.
            unsafe extern "C" {
                $(pub safe fn $d1(x: f64) -> f64; pub safe fn $f1(x: f32) -> f32;
                  pub safe fn $s1(x: &LongDouble, result: &mut LongDouble);)*
                $(pub safe fn $d2(x: f64, y: f64) -> f64; pub safe fn $f2(x: f32, y: f32) -> f32;
                  pub safe fn $s2(x: &LongDouble, y: &LongDouble, result: &mut LongDouble);)*
            }
        }

        /// Every function.
        pub(crate) const FUNCTIONS: &[LibmDef] = &[
            LibmDef { name: "cbrt", width: 64, eval: NativeFunction::Double(|x| own::taw_cbrt(x)) },
            LibmDef { name: "cbrtf", width: 32, eval: NativeFunction::Single(|x| own::taw_cbrtf(x)) },
            LibmDef { name: "cbrtl", width: 80, eval: NativeFunction::Bits(|args| one(args, own::taw_cbrtl)) },
            $(LibmDef { name: stringify!($d1), width: 64, eval: NativeFunction::Double(|x| c::$d1(x)) },
              LibmDef { name: stringify!($f1), width: 32, eval: NativeFunction::Single(|x| c::$f1(x)) },
              LibmDef { name: stringify!($l1), width: 80, eval: NativeFunction::Bits(|args| one(args, c::$s1)) },)*
            $(LibmDef { name: stringify!($d2), width: 64, eval: NativeFunction::Double2(|x, y| c::$d2(x, y)) },
              LibmDef { name: stringify!($f2), width: 32, eval: NativeFunction::Single2(|x, y| c::$f2(x, y)) },
              LibmDef { name: stringify!($l2), width: 80, eval: NativeFunction::Bits(|args| two(args, c::$s2)) },)*
        ];

        /// The models' rows, one per function.
        #[rustfmt::skip]
        pub(crate) const MODELS: &[taw_engine::ModelDef] = &[
            row!(cbrt "d d"), row!(cbrtf "f f"), row!(cbrtl "e e"),
            $(row!($d1 "d d"), row!($f1 "f f"), row!($l1 "e e"),)*
            $(row!($d2 "d dd"), row!($f2 "f ff"), row!($l2 "e ee"),)*
        ];
    };
}

macro_rules! row {
    ($name:ident $signature:literal) => {
        taw_engine::ModelDef::new(stringify!($name), $signature, |cx, args| {
            crate::math::apply(cx, args, stringify!($name))
        })
    };
}

functions! {
    one {
        acos acosf acosl taw_acosl  acosh acoshf acoshl taw_acoshl  asin asinf asinl taw_asinl
        asinh asinhf asinhl taw_asinhl  atan atanf atanl taw_atanl  atanh atanhf atanhl taw_atanhl
        cos cosf cosl taw_cosl  cosh coshf coshl taw_coshl
        erf erff erfl taw_erfl  erfc erfcf erfcl taw_erfcl  exp expf expl taw_expl
        exp10 exp10f exp10l taw_exp10l  exp2 exp2f exp2l taw_exp2l  expm1 expm1f expm1l taw_expm1l
        j0 j0f j0l taw_j0l  j1 j1f j1l taw_j1l  lgamma lgammaf lgammal taw_lgammal
        log logf logl taw_logl  log10 log10f log10l taw_log10l  log1p log1pf log1pl taw_log1pl
        log2 log2f log2l taw_log2l  logb logbf logbl taw_logbl  sin sinf sinl taw_sinl
        sinh sinhf sinhl taw_sinhl  tan tanf tanl taw_tanl  tanh tanhf tanhl taw_tanhl
        tgamma tgammaf tgammal taw_tgammal  y0 y0f y0l taw_y0l  y1 y1f y1l taw_y1l
    }
    two {
        atan2 atan2f atan2l taw_atan2l  hypot hypotf hypotl taw_hypotl  nextafter nextafterf nextafterl taw_nextafterl
        pow powf powl taw_powl  remainder remainderf remainderl taw_remainderl
    }
}

fn one(args: &[Bits], f: extern "C" fn(&LongDouble, &mut LongDouble)) -> Bits {
    let mut result = NOTHING;
    f(&LongDouble::of(&args[0]), &mut result);
    result.bits()
}

fn two(args: &[Bits], f: extern "C" fn(&LongDouble, &LongDouble, &mut LongDouble)) -> Bits {
    let mut result = NOTHING;
    f(&LongDouble::of(&args[0]), &LongDouble::of(&args[1]), &mut result);
    result.bits()
}

/// A function by name.
pub(crate) fn find(name: &str) -> Option<&'static LibmDef> {
    FUNCTIONS.iter().find(|f| f.name == name)
}

/// The opaque function of this C name, if it is one of `<math.h>` that this machine evaluates natively.
pub fn libm_function(name: &str) -> Option<FunctionInfo> {
    find(name).map(|f| FunctionInfo { name: name.to_owned(), eval: f.eval.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_types_of_a_function_agree_as_far_as_they_reach() {
        for double in FUNCTIONS.iter().filter(|f| f.width == 64) {
            let [single, extended] = ["f", "l"].map(|suffix| find(&format!("{}{suffix}", double.name)).expect("a row"));
            let is_unary = matches!(double.eval, NativeFunction::Double(_));
            // 1.25 and 0.5 are in the domain of all but acosh and atanh of one of them.
            let x = if double.name == "atanh" || double.name.starts_with("a") && double.name != "acosh" {
                0.5
            } else {
                1.25
            };
            let args = |convert: &dyn Fn(f64) -> Bits| match is_unary {
                true => vec![convert(x)],
                false => vec![convert(x), convert(0.5)],
            };
            let want = f64::from_bits(double.eval.call(&args(&|v| Bits::new(64, v.to_bits()))).low());
            let near = f32::from_bits(
                single.eval.call(&args(&|v| Bits::new(32, u64::from((v as f32).to_bits())))).low() as u32,
            );
            let far = extended.eval.call(&args(&|v| {
                let format = (taw_expr::FloatFormat::F64, taw_expr::FloatFormat::F80);
                Bits::from_u128(80, taw_expr::fold::float_to_float(format.0, format.1, u128::from(v.to_bits())))
            }));
            let far =
                taw_expr::fold::float_to_float(taw_expr::FloatFormat::F80, taw_expr::FloatFormat::F64, far.low_u128());
            let far = f64::from_bits(far as u64);
            assert!(want.is_finite(), "{}({x}) = {want}", double.name);
            assert!((f64::from(near) - want).abs() <= 1e-5 * want.abs().max(1.0), "{}: {near} {want}", single.name);
            assert!((far - want).abs() <= 1e-14 * want.abs().max(1.0), "{}: {far} {want}", extended.name);
        }
    }

    /// A native program calls the C library's functions, whatever the linker found for us.
    #[test]
    fn no_function_is_another_than_the_c_library_has() {
        for f in FUNCTIONS {
            let NativeFunction::Double(own) = f.eval else { continue };
            let name = std::ffi::CString::new(f.name).expect("names are plain");
            // SAFETY: the string ends with a zero and outlives the call.
            let first = unsafe { &*name.as_ptr() };
            let real = own::taw_libm(first).expect("the library has every function");
            for i in 0..500 {
                let x = f64::from(i) * 0.37 - 20.0;
                let (a, b) = (own(x), real(x));
                assert!(a == b || (a.is_nan() && b.is_nan()), "{}({x}) is {a} here and {b} there", f.name);
            }
        }
    }
}
