//! System calls: the one function through which the C library reaches the kernel.
//!
//! `long taw_syscall(long number, long a, long b, long c, long d, long e, long f)` returns what Linux on x86-64 would: a
//! result, or the negated number of an error. A new call is one `fn` and one row in its family's table; a new family is one
//! file and one line in [`TABLES`].

mod address;
mod call;
mod descriptor;
mod dir;
mod failure;
mod file;
mod memory;
mod message;
mod names;
mod open;
mod peer;
mod pipe;
mod poll;
mod process;
mod signal;
mod socket;
mod stat;
mod time;

use std::rc::Rc;

use taw_engine::{Cx, Doubt, ModelArgument, ModelDef, Stop, Value};

use crate::kernel::errno::Errno;
use crate::kernel::{Kernel, STEP};
use call::{Fail, SyscallResult, SystemCall};

/// Rows for the engine.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef::new("taw_syscall", "z z.", system_call),
    ModelDef::new("taw_environ", "p ", environ),
    ModelDef::new("taw_errno_is", "v p", errno_is),
    ModelDef::new("taw_program_name", "p ", program_name),
];

/// A row of a table of system calls.
pub(crate) struct SyscallDef {
    /// Its number on x86-64.
    number: u64,
    /// What it does.
    call: fn(&mut SystemCall<'_, '_, '_>) -> SyscallResult,
    /// How it may fail on request (`--fail-syscalls`).
    failures: &'static [Errno],
}

impl SyscallDef {
    const fn new(number: u64, call: fn(&mut SystemCall<'_, '_, '_>) -> SyscallResult) -> Self {
        SyscallDef { number, call, failures: &[] }
    }

    const fn failing(self, failures: &'static [Errno]) -> Self {
        SyscallDef { failures, ..self }
    }
}

/// Every system call, by family.
const TABLES: &[&[SyscallDef]] = &[
    file::CALLS,
    open::CALLS,
    descriptor::CALLS,
    dir::CALLS,
    stat::CALLS,
    pipe::CALLS,
    memory::CALLS,
    process::CALLS,
    signal::CALLS,
    poll::CALLS,
    socket::CALLS,
    message::CALLS,
    time::CALLS,
];

/// Calls that answer otherwise on every machine, or at every time: processes, clocks, randomness, names.
const OF_THE_MACHINE: &[u64] =
    &[27, 39, 63, 79, 96, 98, 99, 100, 102, 104, 107, 108, 110, 115, 135, 140, 186, 201, 228, 318];

fn system_call(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let number = cx.concretise(args[0].value, args[0].width);
    let Some(def) = TABLES.iter().copied().flatten().find(|def| def.number == number) else {
        return refuse(cx, number);
    };
    cx.rest_on_fresh_kernel();
    if cx.state.surroundings.get::<Kernel>().is_none() {
        return Err(Stop::Unsupported("system calls without a kernel".to_owned()));
    }
    let injected = failure::choose(cx, def)?;
    let mut kernel = cx.state.surroundings.get::<Kernel>().expect("checked above").clone();
    if OF_THE_MACHINE.contains(&number) {
        Rc::make_mut(&mut kernel.start).questioned(&names::name_of(number));
    }
    signal::settle(cx, &mut kernel);
    let mut call = SystemCall { cx, kernel, args: &args[1..], result: None, past: Vec::new() };
    let answer = match injected {
        Some(errno) => {
            call.kernel.failures -= 1;
            Err(Fail::Errno(errno))
        }
        None => (def.call)(&mut call),
    };
    if let Err(Fail::Errno(errno)) = &answer
        && (*errno == Errno::EACCES || *errno == Errno::EPERM)
    {
        Rc::make_mut(&mut call.kernel.start).refused(&names::name_of(number));
    }
    finish(call, answer)
}

/// What starts processes and threads: no kernel is without it.
const STARTING: &[u64] = &[56, 57, 58, 59, 322, 435];

/// A call that is not modelled is answered as by a kernel that is built without it; how one that has it goes on is not seen.
fn refuse(cx: &mut Cx<'_, '_>, number: u64) -> Result<Value, Stop> {
    let name = names::name_of(number);
    if STARTING.contains(&number) {
        return Err(Stop::Unsupported(format!("system call {name}")));
    }
    cx.engine.doubts.insert(Doubt::CallRefused(name.clone()));
    if let Some(kernel) = cx.state.surroundings.get_mut::<Kernel>() {
        Rc::make_mut(&mut kernel.start).questioned(&name);
    }
    Ok(Value::word((-i64::from(Errno::ENOSYS.0)) as u64))
}

/// Makes the call's kernel the state's.
fn finish(call: SystemCall<'_, '_, '_>, answer: SyscallResult) -> Result<Value, Stop> {
    let SystemCall { cx, mut kernel, result, .. } = call;
    let result = match answer {
        Ok(word) => result.unwrap_or(Value::word(word)),
        Err(Fail::Errno(Errno(number))) => Value::word((-i64::from(number)) as u64),
        Err(Fail::Stop(stop)) => return Err(stop),
    };
    kernel.pass_until(kernel.clock + STEP);
    kernel.armed = None;
    signal::deliver(cx, kernel, result)
}

/// `char *taw_program_name(void)`
fn program_name(cx: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    cx.rest_on_fresh_kernel();
    Ok(Value::word(cx.state.surroundings.get::<Kernel>().map_or(0, |kernel| kernel.program_name)))
}

/// `void taw_errno_is(int *at)`: where functions that are not the C library's leave their errors.
fn errno_is(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let at = args[0].value.as_word().unwrap_or_default();
    if let Some(kernel) = cx.state.surroundings.get_mut::<Kernel>() {
        kernel.errno = at;
    }
    Ok(Value::word(0))
}

/// `char **taw_environ(void)`
fn environ(cx: &mut Cx<'_, '_>, _: &[ModelArgument]) -> Result<Value, Stop> {
    cx.rest_on_fresh_kernel();
    Ok(Value::word(cx.state.surroundings.get::<Kernel>().map_or(0, |kernel| kernel.environ)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_call_is_there_twice_and_each_has_a_name() {
        let mut numbers: Vec<u64> = super::TABLES.iter().copied().flatten().map(|def| def.number).collect();
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count);
        assert!(numbers.iter().all(|n| !super::names::name_of(*n).starts_with("number")));
    }
}
