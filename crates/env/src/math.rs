//! `math.h`, for `double` and `float`.
//!
//! What has a theory (square root, rounding, remainder, minimum…) is a term like any other. The rest (`sin`, `pow`, …) is
//! *opaque* (design decision 7): the term remembers the call, evaluating it calls the machine's own function, and no value is
//! ever made concrete for it. `errno` and floating-point exceptions are not modelled.

use taw_engine::{Argument, Cx, ModelDef, Stop, Value};
use taw_expr::{Bits, FloatBin, FloatFormat, FloatUn, FunctionInfo};

use FloatFormat::{F32, F64};

macro_rules! opaque {
    ($($double:literal $float:literal $method:ident ($($arg:ident),*))*) => {
        &[$(
            ModelDef { name: $double, call: |cx, args| {
                fn eval(args: &[Bits]) -> Bits {
                    let mut args = args.iter().map(|b| f64::from_bits(b.low()));
                    $(let $arg = args.next().unwrap_or(f64::NAN);)*
                    Bits::new(64, opaque!(@call f64 $method $($arg),*).to_bits())
                }
                apply(cx, args, $double, eval, 64)
            } },
            ModelDef { name: $float, call: |cx, args| {
                fn eval(args: &[Bits]) -> Bits {
                    let mut args = args.iter().map(|b| f32::from_bits(b.low() as u32));
                    $(let $arg = args.next().unwrap_or(f32::NAN);)*
                    Bits::new(32, u64::from(opaque!(@call f32 $method $($arg),*).to_bits()))
                }
                apply(cx, args, $float, eval, 32)
            } },
        )*]
    };
    (@call $ty:ident $method:ident $($arg:ident),*) => { $ty::$method($($arg),*) };
}

const OPAQUE: &[ModelDef] = opaque! {
    "sin" "sinf" sin(x) "cos" "cosf" cos(x) "tan" "tanf" tan(x)
    "asin" "asinf" asin(x) "acos" "acosf" acos(x) "atan" "atanf" atan(x) "atan2" "atan2f" atan2(y, x)
    "sinh" "sinhf" sinh(x) "cosh" "coshf" cosh(x) "tanh" "tanhf" tanh(x)
    "exp" "expf" exp(x) "exp2" "exp2f" exp2(x) "expm1" "expm1f" exp_m1(x)
    "log" "logf" ln(x) "log2" "log2f" log2(x) "log10" "log10f" log10(x) "log1p" "log1pf" ln_1p(x)
    "cbrt" "cbrtf" cbrt(x) "pow" "powf" powf(x, y) "hypot" "hypotf" hypot(x, y)
};

macro_rules! exact {
    ($($double:literal $float:literal $model:ident $op:expr;)*) => {
        &[$(
            ModelDef { name: $double, call: |cx, args| $model(cx, args, $op, F64) },
            ModelDef { name: $float, call: |cx, args| $model(cx, args, $op, F32) },
        )*]
    };
}

const EXACT: &[ModelDef] = exact! {
    "sqrt" "sqrtf" unary FloatUn::Sqrt;
    "floor" "floorf" unary FloatUn::Floor;
    "ceil" "ceilf" unary FloatUn::Ceil;
    "trunc" "truncf" unary FloatUn::Trunc;
    "rint" "rintf" unary FloatUn::RoundEven;
    "nearbyint" "nearbyintf" unary FloatUn::RoundEven;
    "roundeven" "roundevenf" unary FloatUn::RoundEven;
    "round" "roundf" unary FloatUn::RoundAway;
    "fmod" "fmodf" binary FloatBin::Rem;
    "fmin" "fminf" binary FloatBin::Min;
    "fmax" "fmaxf" binary FloatBin::Max;
    "fabs" "fabsf" absolute ();
    "copysign" "copysignf" copy_sign ();
    "fma" "fmaf" fused ();
};

const ALL: [ModelDef; OPAQUE.len() + EXACT.len()] = {
    let mut all = [OPAQUE[0]; OPAQUE.len() + EXACT.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = if i < OPAQUE.len() { OPAQUE[i] } else { EXACT[i - OPAQUE.len()] };
        i += 1;
    }
    all
};

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &ALL;

fn apply(
    cx: &mut Cx<'_, '_>,
    args: &[Argument],
    name: &str,
    eval: fn(&[Bits]) -> Bits,
    width: u32,
) -> Result<Value, Stop> {
    let words: Option<Vec<Bits>> = args.iter().map(|a| Some(Bits::new(width, a.value.as_word()?))).collect();
    if let Some(words) = words {
        return Ok(Value::word(eval(&words).low()));
    }
    let function = cx.terms().function(FunctionInfo { name: name.to_owned(), eval });
    let args: Vec<_> = args.iter().map(|a| a.value.to_term(cx.terms(), width)).collect();
    let t = cx.terms().apply(function, args.into(), width);
    Ok(cx.value(t))
}

fn unary(cx: &mut Cx<'_, '_>, args: &[Argument], op: FloatUn, fmt: FloatFormat) -> Result<Value, Stop> {
    let a = args[0].value.to_term(cx.terms(), fmt.width());
    let t = cx.terms().float_un(op, fmt, a);
    Ok(cx.value(t))
}

fn binary(cx: &mut Cx<'_, '_>, args: &[Argument], op: FloatBin, fmt: FloatFormat) -> Result<Value, Stop> {
    let (a, b) = (args[0].value.to_term(cx.terms(), fmt.width()), args[1].value.to_term(cx.terms(), fmt.width()));
    let t = cx.terms().float_bin(op, fmt, a, b);
    Ok(cx.value(t))
}

fn absolute(cx: &mut Cx<'_, '_>, args: &[Argument], (): (), fmt: FloatFormat) -> Result<Value, Stop> {
    let a = args[0].value.to_term(cx.terms(), fmt.width());
    let magnitude = cx.terms().constant(Bits::sign_bit(fmt.width()).not());
    let t = cx.terms().and(a, magnitude);
    Ok(cx.value(t))
}

fn copy_sign(cx: &mut Cx<'_, '_>, args: &[Argument], (): (), fmt: FloatFormat) -> Result<Value, Stop> {
    let (a, b) = (args[0].value.to_term(cx.terms(), fmt.width()), args[1].value.to_term(cx.terms(), fmt.width()));
    let sign = cx.terms().constant(Bits::sign_bit(fmt.width()));
    let magnitude = cx.terms().not(sign);
    let (a, b) = (cx.terms().and(a, magnitude), cx.terms().and(b, sign));
    let t = cx.terms().or(a, b);
    Ok(cx.value(t))
}

fn fused(cx: &mut Cx<'_, '_>, args: &[Argument], (): (), fmt: FloatFormat) -> Result<Value, Stop> {
    let [a, b, c] = [0, 1, 2].map(|i| args[i].value.to_term(cx.terms(), fmt.width()));
    let t = cx.terms().fma(fmt, a, b, c);
    Ok(cx.value(t))
}
