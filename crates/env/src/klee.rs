//! KLEE's intrinsics, as its documentation describes them, so that programs written for it run unchanged.

use taw_engine::{Access, Cx, Doubt, FindingKind, ModelArgument, ModelDef, Stop, Value};

use crate::{process, taw};

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef::new("klee_make_symbolic", "v wzp", taw::symbolic),
    ModelDef::new("klee_assume", "v z", taw::assume),
    ModelDef::new("klee_assert", "v z", taw::assert),
    ModelDef::new("klee_range", "i iip", range),
    ModelDef::new("klee_choose", "z z", |cx, args| taw::choose(cx, args[0], "klee_choose", "uintptr_t")),
    ModelDef::new("klee_silent_exit", "v i", silent_exit),
    ModelDef::new("klee_abort", "v ", abort),
    ModelDef::new("klee_report_error", "v pipp", report_error),
    ModelDef::new("klee_is_symbolic", "i z", is_symbolic),
    ModelDef::new("klee_is_replay", "i ", nothing),
    ModelDef::new("klee_get_valuef", "f f", get_value),
    ModelDef::new("klee_get_valued", "d d", get_value),
    ModelDef::new("klee_get_valuel", "z z", get_value),
    ModelDef::new("klee_get_valuell", "l l", get_value),
    ModelDef::new("klee_get_value_i32", "i i", get_value),
    ModelDef::new("klee_get_value_i64", "l l", get_value),
    ModelDef::new("klee_get_obj_size", "z p", get_obj_size),
    ModelDef::new("klee_check_memory_access", "v pz", check_memory_access),
    ModelDef::new("klee_print_expr", "v p.", taw::print),
    ModelDef::new("klee_print_range", "v p.", taw::print),
    ModelDef::new("klee_warning", "v p", warning),
    ModelDef::new("klee_warning_once", "v p", warning),
    ModelDef::new("klee_set_forking", "v i", set_forking),
    ModelDef::new("klee_prefer_cex", "v pz", nothing),
    ModelDef::new("klee_posix_prefer_cex", "v pz", nothing),
    ModelDef::new("klee_mark_global", "v p", nothing),
    ModelDef::new("klee_open_merge", "v ", nothing),
    ModelDef::new("klee_close_merge", "v ", nothing),
    ModelDef::new("klee_stack_trace", "v ", nothing),
    ModelDef::new("klee_get_errno", "i ", nothing),
    ModelDef::new("klee_assert_fail", "v p.", process::assert_fail),
    ModelDef::new("klee_define_fixed_object", "v pz", define_fixed_object),
];

/// Accepted: a hint or a matter of KLEE's own that changes no result here.
fn nothing(_: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    Ok(Value::word(0))
}

/// `int klee_range(int begin, int end, const char *name)`: from `begin` up to but not including `end`.
fn range(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let name = taw::input_name(cx, args[2])?;
    let value = cx.scalar_input(&name, "int", 32);
    let v = value.to_term(cx.terms(), 32);
    let (begin, end) = (args[0].value.to_term(cx.terms(), 32), args[1].value.to_term(cx.terms(), 32));
    let (low, high) = (cx.terms().sle(begin, v), cx.terms().slt(v, end));
    let inside = cx.terms().and(low, high);
    let inside = cx.value(inside);
    cx.assume(inside)?;
    Ok(value)
}

fn silent_exit(_: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    Err(Stop::Silent)
}

fn abort(_: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    Err(Stop::Bug(FindingKind::Abort, "the program calls klee_abort".to_owned()))
}

/// `void klee_report_error(const char *file, int line, const char *message, const char *suffix)`
fn report_error(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let message = cx.read_string(args[2].value)?;
    Err(Stop::Bug(FindingKind::ReportedError, message))
}

fn is_symbolic(_: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    Ok(Value::bool(args[0].value.as_term().is_some()))
}

/// A value the argument can have, without constraining it to that value. What the program does with others is not explored.
fn get_value(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let Some(t) = args[0].value.as_term() else { return Ok(args[0].value) };
    if cx.result_is_used() {
        cx.engine.doubts.insert(Doubt::OneValue("klee_get_value"));
    }
    Ok(Value::word(cx.witness_word(t)))
}

/// `size_t klee_get_obj_size(void *ptr)`
fn get_obj_size(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let address = cx.concretise(args[0].value, args[0].width);
    cx.resolve(Value::word(address), 0, Access::Read)?;
    let object = cx.state.memory.object(address).map(|o| (o.size, o.limit));
    Ok(match object {
        Some((_, Some(limit))) => cx.value(limit),
        Some((size, None)) => Value::word(size),
        None => Value::word(0),
    })
}

/// `void klee_check_memory_access(const void *address, size_t size)`
fn check_memory_access(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    cx.check_range(args[0].value, args[1].value, args[1].width)?;
    Ok(Value::word(0))
}

fn warning(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let text = cx.read_string(args[0].value)?;
    cx.state.prints.push(format!("warning: {text}"));
    Ok(Value::word(0))
}

/// `void klee_set_forking(unsigned enable)`
fn set_forking(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    cx.state.no_forking = args[0].value == Value::word(0);
    Ok(Value::word(0))
}

fn define_fixed_object(_: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    Err(Stop::Unsupported("an object at an address that the program chooses (`klee_define_fixed_object`)".to_owned()))
}
