//! `math.h`, for `double`, `float` and `long double`.
//!
//! What has a theory (square root, rounding, remainder, minimum…) is a term like any other. The rest (`sin`, `pow`, …) is
//! *opaque* (design decision 7): the term remembers the call, evaluating it calls the machine's own function (`libm`), and no
//! value is ever made concrete for it. `errno` and floating-point exceptions are not modelled.

use taw_engine::{Cx, ModelArgument, ModelDef, Stop, Value};
use taw_expr::{Bits, FloatBin, FloatFormat, FloatUn, FunctionInfo};

use crate::libm;

use FloatFormat::{F32, F64, F80};

/// A function of so many numbers of one type.
macro_rules! signature {
    (1 $letter:literal) => {
        concat!($letter, " ", $letter)
    };
    (2 $letter:literal) => {
        concat!($letter, " ", $letter, $letter)
    };
    (3 $letter:literal) => {
        concat!($letter, " ", $letter, $letter, $letter)
    };
}

macro_rules! exact {
    ($($double:literal $float:literal $extended:literal $count:tt $model:ident $op:expr;)*) => {
        &[$(
            ModelDef::new($double, signature!($count "d"), |cx, args| $model(cx, args, $op, F64)),
            ModelDef::new($float, signature!($count "f"), |cx, args| $model(cx, args, $op, F32)),
            ModelDef::new($extended, signature!($count "e"), |cx, args| $model(cx, args, $op, F80)),
        )*]
    };
}

const EXACT: &[ModelDef] = exact! {
    "sqrt" "sqrtf" "sqrtl" 1 unary FloatUn::Sqrt;
    "floor" "floorf" "floorl" 1 unary FloatUn::Floor;
    "ceil" "ceilf" "ceill" 1 unary FloatUn::Ceil;
    "trunc" "truncf" "truncl" 1 unary FloatUn::Trunc;
    "rint" "rintf" "rintl" 1 unary FloatUn::RoundEven;
    "nearbyint" "nearbyintf" "nearbyintl" 1 unary FloatUn::RoundEven;
    "roundeven" "roundevenf" "roundevenl" 1 unary FloatUn::RoundEven;
    "round" "roundf" "roundl" 1 unary FloatUn::RoundAway;
    "fmod" "fmodf" "fmodl" 2 binary FloatBin::Rem;
    "fmin" "fminf" "fminl" 2 binary FloatBin::Min;
    "fmax" "fmaxf" "fmaxl" 2 binary FloatBin::Max;
    "fabs" "fabsf" "fabsl" 1 absolute ();
    "copysign" "copysignf" "copysignl" 2 copy_sign ();
    "fma" "fmaf" "fmal" 3 fused ();
};

/// Rows of this header that have a theory.
pub(super) const MODELS: &[ModelDef] = EXACT;

/// A call of an opaque function, remembered as a term; of concrete arguments it is made at once.
pub(crate) fn apply(cx: &mut Cx<'_, '_>, args: &[ModelArgument], name: &str) -> Result<Value, Stop> {
    // The sign is left in a variable, if the program has it.
    let has_sign =
        |cx: &Cx<'_, '_>| cx.engine.program.globals.iter().any(|(_, global)| global.name.ends_with("signgam"));
    if name.starts_with("lgamma") && has_sign(cx) {
        return Err(Stop::Unsupported("`signgam`, which `lgamma` sets".to_owned()));
    }
    let &libm::LibmDef { width, ref eval, .. } =
        libm::find(name).expect("every row of the table is a function of libm");
    let words: Option<Vec<Bits>> = args.iter().map(|a| Some(Bits::new(width, a.value.as_word()?))).collect();
    if let Some(words) = words {
        return Ok(Value::word(eval.call(&words).low()));
    }
    let function = cx.terms().function(FunctionInfo { name: name.to_owned(), eval: eval.clone() });
    let args: Vec<_> = args.iter().map(|a| a.value.to_term(cx.terms(), width)).collect();
    let t = cx.terms().apply(function, args.into(), width);
    Ok(cx.value(t))
}

fn unary(cx: &mut Cx<'_, '_>, args: &[ModelArgument], op: FloatUn, fmt: FloatFormat) -> Result<Value, Stop> {
    let a = args[0].value.to_term(cx.terms(), fmt.width());
    let t = cx.terms().float_un(op, fmt, a);
    Ok(cx.value(t))
}

fn binary(cx: &mut Cx<'_, '_>, args: &[ModelArgument], op: FloatBin, fmt: FloatFormat) -> Result<Value, Stop> {
    let (a, b) = (args[0].value.to_term(cx.terms(), fmt.width()), args[1].value.to_term(cx.terms(), fmt.width()));
    let t = cx.terms().float_bin(op, fmt, a, b);
    Ok(cx.value(t))
}

fn absolute(cx: &mut Cx<'_, '_>, args: &[ModelArgument], (): (), fmt: FloatFormat) -> Result<Value, Stop> {
    let a = args[0].value.to_term(cx.terms(), fmt.width());
    let magnitude = cx.terms().constant(Bits::sign_bit(fmt.width()).not());
    let t = cx.terms().and(a, magnitude);
    Ok(cx.value(t))
}

fn copy_sign(cx: &mut Cx<'_, '_>, args: &[ModelArgument], (): (), fmt: FloatFormat) -> Result<Value, Stop> {
    let (a, b) = (args[0].value.to_term(cx.terms(), fmt.width()), args[1].value.to_term(cx.terms(), fmt.width()));
    let sign = cx.terms().constant(Bits::sign_bit(fmt.width()));
    let magnitude = cx.terms().not(sign);
    let (a, b) = (cx.terms().and(a, magnitude), cx.terms().and(b, sign));
    let t = cx.terms().or(a, b);
    Ok(cx.value(t))
}

fn fused(cx: &mut Cx<'_, '_>, args: &[ModelArgument], (): (), fmt: FloatFormat) -> Result<Value, Stop> {
    let [a, b, c] = [0, 1, 2].map(|i| args[i].value.to_term(cx.terms(), fmt.width()));
    let t = cx.terms().fma(fmt, a, b, c);
    Ok(cx.value(t))
}
