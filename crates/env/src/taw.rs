//! `taw.h`: symbolic values, assumptions, markers.

use taw_engine::{Cx, FindingKind, ModelArgument, ModelDef, Stop, Value};

/// Makers of one scalar: name, C type, width in bits (0: the pointer's), signature.
macro_rules! makers {
    ($($name:literal $ty:literal $width:literal $signature:literal)*) => {
        &[$(ModelDef::new($name, $signature, |cx, args| named(cx, args, $ty, $width))),*]
    };
}

const MAKERS: &[ModelDef] = makers! {
    "taw_i8" "int8_t" 8 "c p" "taw_u8" "uint8_t" 8 "c p" "taw_i16" "int16_t" 16 "h p" "taw_u16" "uint16_t" 16 "h p"
    "taw_i32" "int32_t" 32 "i p" "taw_u32" "uint32_t" 32 "i p" "taw_i64" "int64_t" 64 "l p" "taw_u64" "uint64_t" 64 "l p"
    "taw_char" "char" 8 "c p" "taw_int" "int" 32 "i p" "taw_uint" "unsigned int" 32 "i p" "taw_long" "long" 0 "z p"
    "taw_ulong" "unsigned long" 0 "z p" "taw_size" "size_t" 0 "z p" "taw_float" "float" 32 "f p"
    "taw_double" "double" 64 "d p" "taw_long_double" "long double" 80 "e p" "klee_int" "int" 32 "i p"
};

const OTHERS: &[ModelDef] = &[
    ModelDef::new("taw_symbolic", "v wzp", symbolic),
    ModelDef::new("taw_bool", "i p", boolean),
    ModelDef::new("taw_assume", "v i", assume),
    ModelDef::new("taw_assert", "v i", assert),
    ModelDef::new("taw_target", "v p", target),
    ModelDef::new("taw_choose", "i i", |cx, args| choose(cx, args[0], "choice", "unsigned int")),
    ModelDef::new("taw_print", "v pl", print),
    ModelDef::new("taw_place_ask", "i i", ask),
    ModelDef::new("taw_place_tell", "i ii", tell),
];

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &concat();

const fn concat() -> [ModelDef; MAKERS.len() + OTHERS.len()] {
    let mut all = [OTHERS[0]; MAKERS.len() + OTHERS.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = if i < MAKERS.len() { MAKERS[i] } else { OTHERS[i - MAKERS.len()] };
        i += 1;
    }
    all
}

/// A fresh scalar whose name is the first argument.
pub(crate) fn named(cx: &mut Cx<'_, '_>, args: &[ModelArgument], ty: &str, width: u32) -> Result<Value, Stop> {
    let name = input_name(cx, args[0])?;
    let width = if width == 0 { cx.engine.program.layout.pointer_bits } else { width };
    Ok(cx.scalar_input(&name, ty, width))
}

/// The name of an input; a null pointer is none.
pub(crate) fn input_name(cx: &mut Cx<'_, '_>, name: ModelArgument) -> Result<String, Stop> {
    match cx.concretise(name.value, name.width) {
        0 => Ok("unnamed".to_owned()),
        address => cx.read_string(Value::word(address)),
    }
}

/// `void taw_symbolic(void *ptr, size_t size, const char *name)`
pub(crate) fn symbolic(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let size = cx.concretise(args[1].value, args[1].width);
    let name = input_name(cx, args[2])?;
    cx.symbolic_memory(args[0].value, size, &name)?;
    Ok(Value::word(0))
}

/// `int taw_bool(const char *name)`: 0 or 1.
fn boolean(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let name = input_name(cx, args[0])?;
    let value = cx.scalar_input(&name, "int", 32);
    below(cx, value, 2)?;
    Ok(value)
}

/// Assumes that a 32-bit value is less than a bound.
pub(crate) fn below(cx: &mut Cx<'_, '_>, value: Value, bound: u64) -> Result<(), Stop> {
    let (v, bound) = (value.to_term(cx.terms(), 32), cx.terms().bv(32, bound));
    let less = cx.terms().ult(v, bound);
    let less = cx.value(less);
    cx.assume(less)
}

/// Whether an argument is not zero.
pub(crate) fn truth(cx: &mut Cx<'_, '_>, arg: &ModelArgument) -> Value {
    let t = arg.value.to_term(cx.terms(), arg.width);
    let zero = cx.terms().constant(taw_expr::Bits::new(arg.width, 0));
    let t = cx.terms().ne(t, zero);
    cx.value(t)
}

/// `void taw_assume(int condition)`
pub(crate) fn assume(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let cond = truth(cx, &args[0]);
    cx.assume(cond)?;
    Ok(Value::word(0))
}

/// `void taw_assert(int condition)`
pub(crate) fn assert(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let cond = truth(cx, &args[0]);
    cx.require(cond, FindingKind::AssertionFailure, || "the assertion does not hold".to_owned())?;
    Ok(Value::word(0))
}

/// `void taw_target(const char *label)`
fn target(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let label = cx.read_label(args[0].value)?;
    cx.pass_marker(label);
    Ok(Value::word(0))
}

/// `unsigned taw_choose(unsigned n)` and its like: any number below `n`.
pub(crate) fn choose(cx: &mut Cx<'_, '_>, n: ModelArgument, name: &str, ty: &str) -> Result<Value, Stop> {
    let value = cx.scalar_input(name, ty, n.width);
    let (v, n) = (value.to_term(cx.terms(), n.width), n.value.to_term(cx.terms(), n.width));
    let less = cx.terms().ult(v, n);
    let less = cx.value(less);
    cx.assume(less)?;
    Ok(value)
}

/// `void taw_print(const char *name, long long value)`: shows the value, or the term that it is.
pub(crate) fn print(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let name = cx.read_string(args[0].value)?;
    for arg in args.iter().skip(1) {
        let text = match arg.value.as_term() {
            None => {
                format!("{name} = {}", taw_engine::signed(arg.value.as_word().unwrap_or_default(), arg.width.min(64)))
            }
            Some(t) => format!("{name} = {}", cx.engine.terms.show(t)),
        };
        cx.state.prints.push(text);
    }
    Ok(Value::word(0))
}

/// `int taw_place_ask(int number)`: whether the condition of a place is asked.
fn ask(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let number = cx.concretise(args[0].value, args[0].width);
    Ok(Value::word(u64::from(cx.ask_condition(number))))
}

/// `int taw_place_tell(int number, int holds)`: the answer; 0, so that it can stand in any expression.
fn tell(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let number = cx.concretise(args[0].value, args[0].width);
    let holds = truth(cx, &args[1]);
    cx.tell_condition(number, holds);
    Ok(Value::word(0))
}
