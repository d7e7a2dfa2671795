//! `setjmp` and `longjmp`.
//!
//! The buffer holds the number of a place noted in the state; the registers of the call it is in stay as they are, which is
//! what memory at -O0 does.

use std::rc::Rc;

use taw_engine::{Argument, Cx, Jump, ModelDef, Stop, Value};

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef::new("setjmp", "i p", set),
    ModelDef::new("_setjmp", "i p", set),
    ModelDef::new("__setjmp", "i p", set),
    ModelDef::new("sigsetjmp", "i p.", set),
    ModelDef::new("__sigsetjmp", "i p.", set),
    ModelDef::new("longjmp", "v pi", jump),
    ModelDef::new("_longjmp", "v pi", jump),
    ModelDef::new("siglongjmp", "v pi", jump),
    ModelDef::new("__longjmp_chk", "v pi", jump),
    // The compiler's own (`__builtin_setjmp`), as the loader names them.
    ModelDef::new("taw_builtin_setjmp", "i p", set),
    ModelDef::new("taw_builtin_longjmp", "v p", |cx, args| jump_with(cx, args[0], Value::word(1))),
];

/// `int setjmp(jmp_buf buffer)`
fn set(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    let top = &cx.state.top;
    let place = Jump { serial: top.serial, pc: top.pc, block: top.block };
    let number = cx.state.jumps.len() as u64 + 1;
    cx.store(args[0].value, Value::word(number), args[0].width)?;
    Rc::make_mut(&mut cx.state.jumps).push(place);
    Ok(Value::word(0))
}

/// `void longjmp(jmp_buf buffer, int value)`: `setjmp` returns the value, or 1 for 0.
fn jump(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    let value = args[1].value.to_term(cx.terms(), 32);
    let (zero, one) = (cx.terms().bv(32, 0), cx.terms().bv(32, 1));
    let is_zero = cx.terms().eq(value, zero);
    let value = cx.terms().ite(is_zero, one, value);
    let value = cx.value(value);
    jump_with(cx, args[0], value)
}

fn jump_with(cx: &mut Cx<'_, '_>, buffer: Argument, value: Value) -> Result<Value, Stop> {
    let number = cx.load(buffer.value, buffer.width)?;
    let number = cx.concretise(number, buffer.width);
    cx.long_jump(number, value)
}
