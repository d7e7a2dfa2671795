//! System calls: the one function through which the C library reaches the kernel.
//!
//! `long taw_syscall(long number, long a, long b, long c, long d, long e, long f)` returns what Linux on x86-64 would: a
//! result, or the negated number of an error.

use taw_engine::{Argument, Cx, ModelDef, Stop, Value};

use crate::kernel::Kernel;

/// Rows for the engine.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef { name: "taw_syscall", call: system_call },
    ModelDef { name: "taw_environ", call: environ },
    ModelDef { name: "taw_program_name", call: program_name },
];

fn system_call(cx: &mut Cx<'_, '_>, args: &[Argument]) -> Result<Value, Stop> {
    let number = cx.concretise(args[0].value, 64);
    Err(Stop::Unsupported(format!("system call {number}")))
}

/// `char *taw_program_name(void)`
fn program_name(cx: &mut Cx<'_, '_>, _: &[Argument]) -> Result<Value, Stop> {
    Ok(Value::word(cx.state.surroundings.get::<Kernel>().map_or(0, |kernel| kernel.program_name)))
}

/// `char **taw_environ(void)`
fn environ(cx: &mut Cx<'_, '_>, _: &[Argument]) -> Result<Value, Stop> {
    Ok(Value::word(cx.state.surroundings.get::<Kernel>().map_or(0, |kernel| kernel.environ)))
}
