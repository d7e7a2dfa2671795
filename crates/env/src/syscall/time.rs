//! Time: a clock that starts at the same moment in every run and goes on a little with every system call, or is an input.

use std::rc::Rc;

use taw_engine::Value;

use super::SyscallDef;
use super::call::{Fail, SyscallResult, SystemCall};
use crate::kernel::SECOND;
use crate::kernel::errno::Errno;
use crate::kernel::inode::Time;

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(228, clock_gettime),
    SyscallDef::new(229, clock_getres),
    SyscallDef::new(227, |_| Err(Errno::EPERM.into())),
    SyscallDef::new(96, gettimeofday),
    SyscallDef::new(201, time),
    SyscallDef::new(35, nanosleep).failing(&[Errno::EINTR]),
    SyscallDef::new(230, clock_nanosleep).failing(&[Errno::EINTR]),
    SyscallDef::new(100, times),
    SyscallDef::new(98, getrusage),
];

/// Seconds and nanoseconds now; the seconds may be an input.
fn now(call: &mut SystemCall<'_, '_, '_>) -> Result<(Value, i64), Fail> {
    if call.kernel.world.symbolic_time {
        return Ok((symbolic_now(call)?, 0));
    }
    Ok((Value::word((call.kernel.clock / SECOND) as u64), call.kernel.clock % SECOND))
}

/// A fresh input that is no less than the one before.
fn symbolic_now(call: &mut SystemCall<'_, '_, '_>) -> Result<Value, Fail> {
    let seconds = call.cx.scalar_input("time", "unsigned int", 32);
    let input = call.cx.state.inputs.last().map_or(String::new(), |input| input.name.clone());
    Rc::make_mut(&mut call.kernel.start).answered(input, None, "the time that the clock shows".to_owned());
    let t = seconds.to_term(call.cx.terms(), 32);
    let t = call.cx.terms().zext(t, 64);
    if let Some(last) = call.kernel.last_time {
        let last = last.to_term(call.cx.terms(), 64);
        let later = call.cx.terms().ule(last, t);
        let later = call.cx.value(later);
        call.cx.assume(later)?;
    }
    let seconds = call.cx.value(t);
    call.kernel.last_time = Some(seconds);
    Ok(seconds)
}

fn write_time(call: &mut SystemCall<'_, '_, '_>, to: u64, unit: i64) -> SyscallResult {
    call.check_write(to, 16)?;
    let (seconds, nanoseconds) = now(call)?;
    call.cx.store(Value::word(to), seconds, 64)?;
    call.cx.store(Value::word(to + 8), Value::word((nanoseconds / unit) as u64), 64)?;
    Ok(0)
}

/// `int clock_gettime(clockid_t clock, struct timespec *to)`
fn clock_gettime(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (clock, to) = (call.int(0), call.word(1));
    match clock {
        0 | 5 | 8 | 11 => write_time(call, to, 1),
        // Those that do not count from 1970 count from the start, and are never an input.
        1..=4 | 6 | 7 | 9 => {
            let since = call.kernel.clock - crate::kernel::START + 100 * SECOND;
            write_span(call, to, since, 1)
        }
        _ => Err(Errno::EINVAL.into()),
    }
}

fn write_span(call: &mut SystemCall<'_, '_, '_>, to: u64, span: Time, unit: i64) -> SyscallResult {
    let bytes = [(span / SECOND).to_le_bytes(), (span % SECOND / unit).to_le_bytes()].concat();
    call.write_bytes(to, &bytes)?;
    Ok(0)
}

fn clock_getres(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (clock, to) = (call.int(0), call.word(1));
    if !(0..=11).contains(&clock) {
        return Err(Errno::EINVAL.into());
    }
    if to == 0 { Ok(0) } else { write_span(call, to, 1, 1) }
}

/// `int gettimeofday(struct timeval *to, struct timezone *zone)`
fn gettimeofday(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (to, zone) = (call.word(0), call.word(1));
    if zone != 0 {
        call.write_bytes(zone, &[0; 8])?;
    }
    if to == 0 { Ok(0) } else { write_time(call, to, 1000) }
}

/// `time_t time(time_t *to)`
fn time(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let to = call.word(0);
    if to != 0 {
        call.check_write(to, 8)?;
    }
    let (seconds, _) = now(call)?;
    if to != 0 {
        call.cx.store(Value::word(to), seconds, 64)?;
    }
    call.result = Some(seconds);
    Ok(0)
}

fn span(call: &mut SystemCall<'_, '_, '_>, address: u64) -> Result<Time, Fail> {
    let (seconds, nanoseconds) = (call.load(address, 8)? as i64, call.load(address + 8, 8)? as i64);
    if seconds < 0 || !(0..SECOND).contains(&nanoseconds) {
        return Err(Errno::EINVAL.into());
    }
    Ok(seconds.saturating_mul(SECOND).saturating_add(nanoseconds))
}

/// A time that a call may wait at most, as `struct timespec`; none for a null pointer.
pub(super) fn timeout(call: &mut SystemCall<'_, '_, '_>, address: u64) -> Result<Option<Time>, Fail> {
    if address == 0 { Ok(None) } else { span(call, address).map(Some) }
}

/// Lets time pass. An alarm in between interrupts.
fn sleep(call: &mut SystemCall<'_, '_, '_>, until: Time, left: u64) -> SyscallResult {
    if let Some(at) = call.ring(until) {
        if left != 0 {
            write_span(call, left, until - at, 1)?;
        }
        return Err(Errno::EINTR.into());
    }
    call.kernel.pass_until(until);
    Ok(0)
}

/// `int nanosleep(const struct timespec *span, struct timespec *left)`
fn nanosleep(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (length, left) = (call.word(0), call.word(1));
    let until = call.kernel.clock.saturating_add(span(call, length)?);
    sleep(call, until, left)
}

/// `int clock_nanosleep(clockid_t clock, int flags, const struct timespec *span, struct timespec *left)`
fn clock_nanosleep(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (clock, how, length, left) = (call.int(0), call.int(1), call.word(2), call.word(3));
    let length = span(call, length)?;
    let until = match (how & 1, clock) {
        (0, _) => call.kernel.clock.saturating_add(length),
        (_, 0) => length,
        _ => length.saturating_add(crate::kernel::START - 100 * SECOND),
    };
    sleep(call, until, left)
}

/// Clock ticks of 10 ms since the start.
fn ticks(call: &SystemCall<'_, '_, '_>) -> u64 {
    ((call.kernel.clock - crate::kernel::START) / (SECOND / 100)) as u64
}

/// `clock_t times(struct tms *to)`
fn times(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let to = call.word(0);
    let ticks = ticks(call);
    if to != 0 {
        let bytes = call.words_as_bytes(&[ticks, 0, 0, 0]);
        call.write_bytes(to, &bytes)?;
    }
    Ok(ticks + 10_000)
}

/// `int getrusage(int who, struct rusage *to)`
fn getrusage(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (who, to) = (call.int(0), call.word(1));
    if !(-1..=1).contains(&who) {
        return Err(Errno::EINVAL.into());
    }
    let used = call.kernel.clock - crate::kernel::START;
    let mut bytes = [(used / SECOND).to_le_bytes(), (used % SECOND / 1000).to_le_bytes()].concat();
    bytes.resize(144, 0);
    call.write_bytes(to, &bytes)?;
    Ok(0)
}
