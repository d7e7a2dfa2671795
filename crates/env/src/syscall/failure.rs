//! System calls that fail because the user wants to see what the program does then (`--fail-syscalls N`).
//!
//! Whether a call fails, and how, is an input of one byte, so that a test of such a path goes the same way again in Taw.

use std::rc::Rc;

use taw_engine::{Cx, Stop, Value};

use super::{SyscallDef, names};
use crate::kernel::Kernel;
use crate::kernel::errno::Errno;

/// The error that the call is to fail with on this path, if it is.
pub(super) fn choose(cx: &mut Cx<'_, '_>, def: &SyscallDef) -> Result<Option<Errno>, Stop> {
    let Some(kernel) = cx.state.surroundings.get::<Kernel>() else { return Ok(None) };
    if kernel.failures == 0 || def.failures.is_empty() {
        return Ok(None);
    }
    let choice = match kernel.armed {
        Some(choice) => choice,
        None => arm(cx, def)?,
    };
    for (i, errno) in def.failures.iter().enumerate() {
        let t = choice.to_term(cx.terms(), 8);
        let number = cx.terms().bv(8, i as u64 + 1);
        let here = cx.terms().eq(t, number);
        let here = cx.value(here);
        if cx.branch(here) {
            return Ok(Some(*errno));
        }
    }
    Ok(None)
}

/// Makes the input, once: a call that is executed again finds it in the kernel.
fn arm(cx: &mut Cx<'_, '_>, def: &SyscallDef) -> Result<Value, Stop> {
    let name = format!("fail_{}", names::name_of(def.number));
    let choice = cx.scalar_input(&name, "unsigned char", 8);
    let input = cx.state.inputs.last().map_or(name, |input| input.name.clone());
    let t = choice.to_term(cx.terms(), 8);
    let most = cx.terms().bv(8, def.failures.len() as u64);
    let possible = cx.terms().ule(t, most);
    let possible = cx.value(possible);
    cx.assume(possible)?;
    if let Some(kernel) = cx.state.surroundings.get_mut::<Kernel>() {
        kernel.armed = Some(choice);
        let how = format!("a failing system call ({})", names::name_of(def.number));
        Rc::make_mut(&mut kernel.start).answered(input, Some(choice), how);
    }
    Ok(choice)
}
