//! Signals that a program sends to itself, and timers.
//!
//! A handler runs when a system call returns, as it does under Linux. `runtime/musl/signal.c` runs it and then says so
//! (`rt_sigreturn`): what it blocks is unblocked, and what has come in the meantime is delivered. Of a handler that a jump has left
//! only its mask remains. An alarm rings when the program waits: nothing else takes time.

use taw_engine::{Cx, FindingKind, ObjectKind, Region, SharedSurroundings, Stop, Value};

use super::SyscallDef;
use super::call::{Fail, SyscallResult, SystemCall};
use super::process::PID;
use crate::kernel::errno::Errno;
use crate::kernel::inode::Time;
use crate::kernel::process::{Action, Handling};
use crate::kernel::{Kernel, SECOND};

/// Rows of this family.
pub(super) const CALLS: &[SyscallDef] = &[
    SyscallDef::new(13, sigaction),
    SyscallDef::new(14, sigprocmask),
    SyscallDef::new(15, sigreturn),
    SyscallDef::new(127, sigpending),
    SyscallDef::new(130, sigsuspend),
    SyscallDef::new(128, sigtimedwait),
    SyscallDef::new(131, sigaltstack),
    SyscallDef::new(62, |call| kill(call, 0, 1)),
    SyscallDef::new(200, |call| kill(call, 0, 1)),
    SyscallDef::new(234, |call| kill(call, 1, 2)),
    SyscallDef::new(34, pause),
    SyscallDef::new(37, alarm),
    SyscallDef::new(36, getitimer),
    SyscallDef::new(38, setitimer),
];

const ABORT: u32 = 6;
const PIPE: u32 = 13;
const ALARM: u32 = 14;
/// Those that neither handlers nor masks reach: `SIGKILL` and `SIGSTOP`.
const UNSTOPPABLE: u64 = bit(9) | bit(19);

const fn bit(signal: u32) -> u64 {
    1 << (signal - 1)
}

/// What happens by default.
enum Default {
    Ignore,
    Stop,
    End,
}

fn default_of(signal: u32) -> Default {
    match signal {
        17 | 18 | 23 | 28 => Default::Ignore,
        19..=22 => Default::Stop,
        _ => Default::End,
    }
}

impl SystemCall<'_, '_, '_> {
    /// Rings an alarm that is due before a moment; when that is.
    pub(super) fn ring(&mut self, before: Time) -> Option<Time> {
        let (at, interval) = self.kernel.signals.alarm.filter(|(at, _)| *at <= before)?;
        self.kernel.pass_until(at);
        self.kernel.signals.alarm = (interval > 0).then(|| (at.saturating_add(interval), interval));
        self.kernel.signals.pending |= bit(ALARM);
        self.deliverable().then_some(at)
    }

    /// Whether a signal would be noticed now.
    fn deliverable(&self) -> bool {
        let signals = &self.kernel.signals;
        let noticed = |signal: u32| match signals.actions.get(&signal).map_or(0, |a| a.handler) {
            0 => !matches!(default_of(signal), Default::Ignore),
            1 => false,
            _ => true,
        };
        (1..=64).any(|s| signals.pending & !signals.blocked & bit(s) != 0 && noticed(s))
    }

    /// A wait that only an alarm can end.
    pub(super) fn wait(&mut self, what: &str) -> Fail {
        if self.deliverable() || self.ring(Time::MAX).is_some() {
            return Errno::EINTR.into();
        }
        self.wait_for_ever(what)
    }

    /// Blocks these signals instead of the others until the call is over, handlers included.
    pub(super) fn replace_mask(&mut self, mask: u64) {
        self.kernel.signals.restore = Some(self.kernel.signals.blocked);
        self.kernel.signals.blocked = mask & !UNSTOPPABLE;
    }

    /// Nobody reads what is written.
    pub(super) fn broken_pipe(&mut self) -> Fail {
        self.kernel.signals.pending |= bit(PIPE);
        Errno::EPIPE.into()
    }
}

/// Forgets handlers that are over without having said so: a jump has left them, or nothing stands around them that would.
pub(super) fn settle(cx: &Cx<'_, '_>, kernel: &mut Kernel) {
    while let Some(last) = kernel.signals.handling.last().copied() {
        let state = &*cx.state;
        if state.top.serial == last.serial || state.callers.iter().any(|f| f.serial == last.serial) {
            break;
        }
        if !last.returns {
            kernel.signals.blocked = last.mask;
        }
        kernel.signals.handling.pop_back();
    }
}

/// `rt_sigreturn`: the handler that runs is over.
fn sigreturn(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    if let Some(last) = call.kernel.signals.handling.pop_back() {
        call.kernel.signals.blocked = last.mask;
    }
    Ok(0)
}

/// Makes the call's kernel the state's, and delivers what is to be delivered when the call returns.
pub(super) fn deliver(cx: &mut Cx<'_, '_>, mut kernel: Kernel, result: Value) -> Result<Value, Stop> {
    loop {
        let open = kernel.signals.pending & (!kernel.signals.blocked | UNSTOPPABLE);
        if open == 0 {
            break;
        }
        let signal = open.trailing_zeros() + 1;
        kernel.signals.pending &= !bit(signal);
        let action = kernel.signals.actions.get(&signal).copied().unwrap_or_default();
        match (action.handler, default_of(signal)) {
            (1, _) | (0, Default::Ignore) => {}
            (0, Default::Stop) => return Err(Stop::Unsupported(format!("signal {signal} stops the program"))),
            (0, Default::End) if signal == ABORT => {
                return Err(Stop::Bug(FindingKind::Abort, "the program aborts".to_owned()));
            }
            (0, Default::End) => return Err(Stop::Signal(signal as i32)),
            _ => return run_handler(cx, kernel, signal, action, result),
        }
    }
    if let Some(mask) = kernel.signals.restore.take() {
        kernel.signals.blocked = mask;
    }
    cx.state.surroundings = SharedSurroundings::new(kernel);
    Ok(result)
}

fn run_handler(
    cx: &mut Cx<'_, '_>,
    mut kernel: Kernel,
    signal: u32,
    action: Action,
    result: Value,
) -> Result<Value, Stop> {
    const SIGINFO: u64 = 4;
    const ONSTACK: u64 = 0x0800_0000;
    const NODEFER: u64 = 0x4000_0000;
    const RESETHAND: u64 = 0x8000_0000;
    let signals = &mut kernel.signals;
    let mask = signals.restore.take().unwrap_or(signals.blocked);
    let returns = action.restorer != 0;
    let on_stack = action.flags & ONSTACK != 0 && signals.stack.2 != 0;
    signals.handling.push_back(Handling { serial: cx.state.calls + 1, mask, returns, on_stack });
    let own = if action.flags & NODEFER != 0 { 0 } else { bit(signal) };
    signals.blocked = (mask | action.mask | own) & !UNSTOPPABLE;
    if action.flags & RESETHAND != 0 {
        signals.actions.remove(&signal);
    }
    let uid = kernel.who.uid;
    cx.state.surroundings = SharedSurroundings::new(kernel);
    let mut args = vec![Value::word(action.handler), Value::word(u64::from(signal))];
    if action.flags & SIGINFO != 0 {
        let info = signal_info(signal, uid, cx.engine.program.layout.pointer_bits);
        args.push(Value::word(record(cx, 128, &info)));
        args.push(Value::word(record(cx, 968, &[])));
    }
    if returns {
        cx.interrupt(action.restorer, &args, result)
    } else {
        cx.interrupt(action.handler, &args[1..], result)
    }
}

/// The beginning of a `siginfo_t`: number, error, code, and from the next word on who sent it.
fn signal_info(signal: u32, uid: u32, word: u32) -> Vec<u8> {
    let words = [signal, 0, 0, 0, PID as u32, uid];
    let rest = if word == 64 { 3 } else { 4 };
    words[..3].iter().chain(&words[rest..]).flat_map(|w| w.to_le_bytes()).collect()
}

/// Memory for what a handler is told.
fn record(cx: &mut Cx<'_, '_>, size: u64, bytes: &[u8]) -> u64 {
    let kind = ObjectKind::Internal("what a signal handler is told");
    let Some(base) = cx.state.memory.allocate(Region::Heap, size, 16, kind, 0) else { return 0 };
    cx.state.memory.object_mut(base).write(0, bytes);
    base
}

fn signal_number(number: i32) -> Result<u32, Errno> {
    if (1..=64).contains(&number) { Ok(number as u32) } else { Err(Errno::EINVAL) }
}

/// `int rt_sigaction(int signal, const struct k_sigaction *new, struct k_sigaction *old, size_t size)`
fn sigaction(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (signal, new, old) = (call.int(0), call.word(1), call.word(2));
    let signal = signal_number(signal)?;
    if new != 0 && bit(signal) & UNSTOPPABLE != 0 {
        return Err(Errno::EINVAL.into());
    }
    let action = if new == 0 {
        None
    } else {
        let (handler, flags, restorer) = (call.load_word(new, 0)?, call.load_word(new, 1)?, call.load_word(new, 2)?);
        let mask = call.load(new + 3 * u64::from(call.word_bytes()), 8)?;
        Some(Action { handler, flags, restorer, mask: mask & !UNSTOPPABLE })
    };
    if old != 0 {
        let was = call.kernel.signals.actions.get(&signal).copied().unwrap_or_default();
        let mut bytes = call.words_as_bytes(&[was.handler, was.flags, was.restorer]);
        bytes.extend(was.mask.to_le_bytes());
        call.write_bytes(old, &bytes)?;
    }
    if let Some(action) = action {
        if action.handler == 1 || (action.handler == 0 && matches!(default_of(signal), Default::Ignore)) {
            call.kernel.signals.pending &= !bit(signal);
        }
        call.kernel.signals.actions.insert(signal, action);
    }
    Ok(0)
}

/// `int rt_sigprocmask(int how, const sigset_t *new, sigset_t *old, size_t size)`
fn sigprocmask(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (how, new, old, size) = (call.int(0), call.word(1), call.word(2), call.word(3));
    if size != 8 {
        return Err(Errno::EINVAL.into());
    }
    let was = call.kernel.signals.blocked;
    let blocked = if new == 0 {
        was
    } else {
        let set = call.load(new, 8)?;
        match how {
            0 => was | set,
            1 => was & !set,
            2 => set,
            _ => return Err(Errno::EINVAL.into()),
        }
    };
    if old != 0 {
        call.write_bytes(old, &was.to_le_bytes())?;
    }
    call.kernel.signals.blocked = blocked & !UNSTOPPABLE;
    Ok(0)
}

fn sigpending(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let to = call.word(0);
    let set = call.kernel.signals.pending & call.kernel.signals.blocked;
    call.write_bytes(to, &set.to_le_bytes())?;
    Ok(0)
}

/// `int rt_sigsuspend(const sigset_t *mask, size_t size)`
fn sigsuspend(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let address = call.word(0);
    let mask = call.load(address, 8)?;
    call.replace_mask(mask);
    Err(call.wait("it waits for a signal"))
}

/// `int rt_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout, size_t size)`
fn sigtimedwait(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (set, info, limit) = (call.word(0), call.word(1), call.word(2));
    let set = call.load(set, 8)?;
    let limit = super::time::timeout(call, limit)?;
    let until = limit.map_or(Time::MAX, |span| call.kernel.clock.saturating_add(span));
    if call.kernel.signals.pending & set == 0 {
        call.ring(until);
    }
    let waiting = call.kernel.signals.pending & set;
    if waiting == 0 {
        return Err(if limit.is_some() { Errno::EAGAIN.into() } else { call.wait("it waits for a signal") });
    }
    let signal = waiting.trailing_zeros() + 1;
    if info != 0 {
        let mut bytes = signal_info(signal, call.kernel.who.uid, call.word_bytes() * 8);
        bytes.resize(128, 0);
        call.write_bytes(info, &bytes)?;
    }
    call.kernel.signals.pending &= !bit(signal);
    Ok(u64::from(signal))
}

/// `int sigaltstack(const stack_t *new, stack_t *old)`: remembered, and handlers know that they are on it; where their variables lie
/// is another matter: calls have memory of their own here.
fn sigaltstack(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    const ON: u32 = 1;
    const DISABLED: u32 = 2;
    const AUTODISARM: u32 = 1 << 31;
    let (new, old) = (call.word(0), call.word(1));
    let was = call.kernel.signals.stack;
    let busy = call.kernel.signals.handling.iter().any(|handling| handling.on_stack);
    let stack = if new == 0 {
        was
    } else {
        let (address, flags, size) = (call.load_word(new, 0)?, call.load_word(new, 1)? as u32, call.load_word(new, 2)?);
        let mode = flags & !AUTODISARM;
        match mode {
            _ if busy => return Err(Errno::EPERM.into()),
            0 | ON if size < 2048 => return Err(Errno::ENOMEM.into()),
            0 | ON => (address, flags & AUTODISARM, size),
            DISABLED => (0, DISABLED, 0),
            _ => return Err(Errno::EINVAL.into()),
        }
    };
    if old != 0 {
        let flags = if was.2 == 0 { DISABLED } else { was.1 | u32::from(busy) };
        let bytes = call.words_as_bytes(&[was.0, u64::from(flags), was.2]);
        call.write_bytes(old, &bytes)?;
    }
    call.kernel.signals.stack = stack;
    Ok(0)
}

/// `int kill(pid_t pid, int signal)` and its like, to the process itself.
fn kill(call: &mut SystemCall<'_, '_, '_>, pid: usize, signal: usize) -> SyscallResult {
    let (pid, signal) = (call.int(pid), call.int(signal));
    if !(0..=64).contains(&signal) {
        return Err(Errno::EINVAL.into());
    }
    if ![0, -1, PID as i32, -(PID as i32)].contains(&pid) {
        return Err(Errno::ESRCH.into());
    }
    if signal != 0 {
        call.kernel.signals.pending |= bit(signal as u32);
    }
    Ok(0)
}

fn pause(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    Err(call.wait("it waits for a signal"))
}

/// Seconds until the alarm, rounded up, but at least one if it is set.
fn seconds_left(call: &SystemCall<'_, '_, '_>) -> u64 {
    let left = call.kernel.signals.alarm.map_or(0, |(at, _)| (at - call.kernel.clock).max(1));
    (left as u64).div_ceil(SECOND as u64)
}

/// `unsigned alarm(unsigned seconds)`
fn alarm(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let seconds = Time::from(call.uint(0));
    let left = seconds_left(call);
    call.kernel.signals.alarm = (seconds > 0).then(|| (call.kernel.clock.saturating_add(seconds * SECOND), 0));
    Ok(left)
}

fn timer_bytes(call: &SystemCall<'_, '_, '_>) -> Vec<u8> {
    let (at, interval) = call.kernel.signals.alarm.unwrap_or((call.kernel.clock, 0));
    let left = (at - call.kernel.clock).max(0);
    let words: Vec<u64> =
        [interval, left].iter().flat_map(|t| [t / SECOND, t % SECOND / 1000]).map(|w| w as u64).collect();
    call.words_as_bytes(&words)
}

fn getitimer(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (which, to) = (call.int(0), call.word(1));
    if which != 0 {
        return Err(Stop::Unsupported("timers that count processor time".to_owned()).into());
    }
    let bytes = timer_bytes(call);
    call.write_bytes(to, &bytes)?;
    Ok(0)
}

/// `int setitimer(int which, const struct itimerval *new, struct itimerval *old)`
fn setitimer(call: &mut SystemCall<'_, '_, '_>) -> SyscallResult {
    let (which, new, old) = (call.int(0), call.word(1), call.word(2));
    if which != 0 {
        return Err(Stop::Unsupported("timers that count processor time".to_owned()).into());
    }
    let mut words = [0i64; 4];
    for (i, word) in words.iter_mut().enumerate() {
        *word = call.load_word(new, i as u64)? as i64;
    }
    let micro = |seconds: i64, rest: i64| match (seconds, rest) {
        (0.., 0..1_000_000) => Ok(seconds.saturating_mul(SECOND).saturating_add(rest * 1000)),
        _ => Err(Errno::EINVAL),
    };
    let (interval, value) = (micro(words[0], words[1])?, micro(words[2], words[3])?);
    if old != 0 {
        let bytes = timer_bytes(call);
        call.write_bytes(old, &bytes)?;
    }
    call.kernel.signals.alarm = (value > 0).then(|| (call.kernel.clock.saturating_add(value), interval));
    Ok(0)
}
