//! KLEE's intrinsics, as its documentation describes them, so that programs written for it run unchanged.

use std::rc::Rc;

use taw_engine::{Access, Argument, Cx, FindingKind, ModelDef, Stop, Value};

use crate::taw;

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef { name: "klee_make_symbolic", call: taw::symbolic },
    ModelDef { name: "klee_assume", call: taw::assume },
    ModelDef { name: "klee_assert", call: taw::assert },
    ModelDef { name: "klee_range", call: range },
    ModelDef { name: "klee_choose", call: |cx, args| taw::choose(cx, args[0], "klee_choose", "uintptr_t") },
    ModelDef { name: "klee_silent_exit", call: silent_exit },
    ModelDef { name: "klee_abort", call: abort },
    ModelDef { name: "klee_report_error", call: report_error },
    ModelDef { name: "klee_is_symbolic", call: is_symbolic },
    ModelDef { name: "klee_is_replay", call: nothing },
    ModelDef { name: "klee_get_valuef", call: get_value },
    ModelDef { name: "klee_get_valued", call: get_value },
    ModelDef { name: "klee_get_valuel", call: get_value },
    ModelDef { name: "klee_get_valuell", call: get_value },
    ModelDef { name: "klee_get_value_i32", call: get_value },
    ModelDef { name: "klee_get_value_i64", call: get_value },
    ModelDef { name: "klee_get_obj_size", call: get_obj_size },
    ModelDef { name: "klee_check_memory_access", call: check_memory_access },
    ModelDef { name: "klee_print_expr", call: taw::print },
    ModelDef { name: "klee_print_range", call: taw::print },
    ModelDef { name: "klee_warning", call: warning },
    ModelDef { name: "klee_warning_once", call: warning },
    ModelDef { name: "klee_set_forking", call: set_forking },
    ModelDef { name: "klee_prefer_cex", call: nothing },
    ModelDef { name: "klee_posix_prefer_cex", call: nothing },
    ModelDef { name: "klee_mark_global", call: nothing },
    ModelDef { name: "klee_open_merge", call: nothing },
    ModelDef { name: "klee_close_merge", call: nothing },
    ModelDef { name: "klee_stack_trace", call: nothing },
    ModelDef { name: "klee_get_errno", call: nothing },
];

/// Accepted: a hint or a matter of KLEE's own that changes no result here.
fn nothing(_: &mut Cx<'_, '_>, _: &[Argument]) -> Result<Value, Stop> {
    Ok(Value::word(0))
}

/// `int klee_range(int begin, int end, const char *name)`: from `begin` up to but not including `end`.
fn range(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    let name = cx.read_string(args[2].value)?;
    let value = cx.scalar_input(&name, "int", 32);
    let v = value.to_term(cx.terms(), 32);
    let (begin, end) = (args[0].value.to_term(cx.terms(), 32), args[1].value.to_term(cx.terms(), 32));
    let (low, high) = (cx.terms().sle(begin, v), cx.terms().slt(v, end));
    let inside = cx.terms().and(low, high);
    let inside = cx.value(inside);
    cx.assume(inside)?;
    Ok(value)
}

fn silent_exit(_: &mut Cx<'_, '_>, _: &[Argument]) -> Result<Value, Stop> {
    Err(Stop::Silent)
}

fn abort(_: &mut Cx<'_, '_>, _: &[Argument]) -> Result<Value, Stop> {
    Err(Stop::Bug(FindingKind::Abort, "the program calls klee_abort".to_owned()))
}

/// `void klee_report_error(const char *file, int line, const char *message, const char *suffix)`
fn report_error(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    let message = cx.read_string(args[2].value)?;
    Err(Stop::Bug(FindingKind::ReportedError, message))
}

fn is_symbolic(_: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    Ok(Value::bool(args[0].value.as_term().is_some()))
}

/// A value the argument can have, without constraining it to that value. What the program does with others is not explored.
fn get_value(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    let Some(t) = args[0].value.as_term() else { return Ok(args[0].value) };
    if cx.result_is_used() {
        cx.engine.incomplete.insert("klee_get_value gives one value of several".to_owned());
    }
    Ok(Value::word(cx.witness_word(t)))
}

/// `size_t klee_get_obj_size(void *ptr)`
fn get_obj_size(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
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
fn check_memory_access(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    cx.check_range(args[0].value, args[1].value, args[1].width)?;
    Ok(Value::word(0))
}

fn warning(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    let text = cx.read_string(args[0].value)?;
    Rc::make_mut(&mut cx.state.prints).push(format!("warning: {text}"));
    Ok(Value::word(0))
}

/// `void klee_set_forking(unsigned enable)`
fn set_forking(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    cx.state.no_forking = args[0].value == Value::word(0);
    Ok(Value::word(0))
}
