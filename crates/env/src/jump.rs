//! `setjmp` and `longjmp`.
//!
//! The buffer holds the number of a place noted in the state, and for `sigsetjmp` the signals that are blocked, which
//! `runtime/musl/signal.c` blocks again; the registers of the call it is in stay as they are, which is what memory at -O0 does.

use std::rc::Rc;

use taw_engine::{Cx, Jump, ModelArgument, ModelDef, Stop, Value};

use taw_ir::Effect;

use crate::kernel::Kernel;

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef::new("setjmp", "i w", set).with(Effect::Lands),
    ModelDef::new("_setjmp", "i w", set).with(Effect::Lands),
    ModelDef::new("__setjmp", "i w", set).with(Effect::Lands),
    ModelDef::new("sigsetjmp", "i wi", set_with_mask).with(Effect::Lands),
    ModelDef::new("__sigsetjmp", "i wi", set_with_mask).with(Effect::Lands),
    ModelDef::new("taw_longjmp", "v pi", jump).with(Effect::Jumps),
    // The compiler's own (`__builtin_setjmp`), as the loader names them.
    ModelDef::new("taw_builtin_setjmp", "i w", set).with(Effect::Lands),
    ModelDef::new("taw_builtin_longjmp", "v p", |cx, args| jump_with(cx, args[0], Value::word(1))).with(Effect::Jumps),
];

/// `int setjmp(jmp_buf buffer)`
fn set(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    fill(cx, args, None)
}

/// `int sigsetjmp(sigjmp_buf buffer, int with_mask)`
fn set_with_mask(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let wanted = args.get(1).is_some_and(|arg| cx.concretise(arg.value, arg.width) != 0);
    let mask = cx.state.surroundings.get::<Kernel>().filter(|_| wanted).map(|kernel| kernel.signals.blocked);
    fill(cx, args, mask)
}

/// Notes the place and fills the buffer: its number, whether there is a mask, the mask.
fn fill(cx: &mut Cx<'_, '_>, args: &[ModelArgument], mask: Option<u64>) -> Result<Value, Stop> {
    let word = cx.engine.program.layout.pointer_bits;
    let address = cx.concretise(args[0].value, args[0].width);
    let at = |n: u64| Value::word(address + n * u64::from(word / 8));
    let top = &cx.state.top;
    let place = Jump { serial: top.serial, pc: top.pc, block: top.block };
    let number = cx.state.jumps.len() as u64 + 1;
    cx.store(at(0), Value::word(number), word)?;
    cx.store(at(1), Value::word(u64::from(mask.is_some())), word)?;
    if let Some(mask) = mask {
        cx.store(at(2), Value::word(mask), 64)?;
    }
    Rc::make_mut(&mut cx.state.jumps).push(place);
    Ok(Value::word(0))
}

/// `void taw_longjmp(jmp_buf buffer, int value)`: `setjmp` returns the value, or 1 for 0.
fn jump(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let value = args[1].value.to_term(cx.terms(), 32);
    let (zero, one) = (cx.terms().bv(32, 0), cx.terms().bv(32, 1));
    let is_zero = cx.terms().eq(value, zero);
    let value = cx.terms().ite(is_zero, one, value);
    let value = cx.value(value);
    jump_with(cx, args[0], value)
}

fn jump_with(cx: &mut Cx<'_, '_>, buffer: ModelArgument, value: Value) -> Result<Value, Stop> {
    let number = cx.load(buffer.value, buffer.width)?;
    let number = cx.concretise(number, buffer.width);
    cx.long_jump(number, value)
}
