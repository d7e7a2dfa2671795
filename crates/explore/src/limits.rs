//! When to stop, and how much memory the process has taken.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::{Limits, PathCounts};

/// Watches the limits of a run. The memory, which costs a system call, is looked at only now and then.
pub(crate) struct Watch<'a> {
    limits: &'a Limits,
    stop: &'a AtomicBool,
    start: Instant,
    ticks: u32,
}

/// How many slices pass between two looks at the memory.
const EVERY: u32 = 256;

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: &'a Limits, stop: &'a AtomicBool) -> Self {
        Watch { limits, stop, start: Instant::now(), ticks: 0 }
    }

    pub(crate) fn elapsed(&self) -> std::time::Duration {
        self.start.elapsed()
    }

    /// Why the run must stop now, if it must.
    pub(crate) fn exceeded(&mut self, paths: &PathCounts) -> Option<String> {
        if self.stop.load(Ordering::Relaxed) {
            return Some("the run was interrupted".to_owned());
        }
        let ended = paths.completed + paths.errored + paths.unknown;
        if let Some(most) = self.limits.paths.filter(|most| ended >= *most) {
            return Some(format!("the limit of {most} paths was reached"));
        }
        if let Some(most) = self.limits.time.filter(|most| self.start.elapsed() >= *most) {
            return Some(format!("the time limit of {most:?} was reached"));
        }
        self.ticks = (self.ticks + 1) % EVERY;
        let most = self.limits.memory.filter(|_| self.ticks == 0)?;
        (resident_bytes()? >= most).then(|| format!("the memory limit of {} MiB was reached", most >> 20))
    }
}

/// Resident memory of this process.
fn resident_bytes() -> Option<u64> {
    const PAGE: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}
