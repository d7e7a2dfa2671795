//! The end of a program: `exit`, `abort`, `assert`.

use std::rc::Rc;

use taw_engine::{Cx, FindingKind, ModelArgument, ModelDef, Stop, Value};
use taw_ir::Effect;

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef::new("exit", "v i", exit).with(Effect::Exits),
    ModelDef::new("_exit", "v i", exit_now).with(Effect::Ends),
    ModelDef::new("_Exit", "v i", exit_now).with(Effect::Ends),
    ModelDef::new("quick_exit", "v i", exit_now).with(Effect::Exits),
    ModelDef::new("abort", "v ", abort).with(Effect::Ends),
    ModelDef::new("__assert_fail", "v p.", assert_fail).with(Effect::Ends),
    ModelDef::new("__assert", "v p.", assert_fail).with(Effect::Ends),
    ModelDef::new("atexit", "i p", |cx, args| at_exit(cx, args[0].value, Value::word(0))).with(Effect::KeepsForExit),
    ModelDef::new("__cxa_atexit", "i pp.", |cx, args| at_exit(cx, args[0].value, args[1].value))
        .with(Effect::KeepsForExit),
];

/// `void exit(int code)`: handlers run first.
fn exit(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let code = cx.exit_code(args[0].value);
    cx.hold_registers();
    Err(cx.exit(code))
}

fn exit_now(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    Err(Stop::Exit(cx.exit_code(args[0].value)))
}

fn abort(_: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    Err(Stop::Bug(FindingKind::Abort, "the program calls abort".to_owned()))
}

/// `void __assert_fail(const char *expression, …)`
pub(crate) fn assert_fail(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let expression = cx.read_string(args[0].value)?;
    Err(Stop::Bug(FindingKind::AssertionFailure, format!("assertion `{expression}` does not hold")))
}

fn at_exit(cx: &mut Cx<'_, '_>, function: Value, argument: Value) -> Result<Value, Stop> {
    let bits = cx.engine.program.layout.pointer_bits;
    let address = cx.concretise(function, bits);
    Rc::make_mut(&mut cx.state.exit_handlers).push((address, argument));
    Ok(Value::word(0))
}
