//! When to stop, and how much memory the process has taken.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use taw_engine::{Halt, Limit, State};

use crate::Limits;

impl Limits {
    /// Why a state may not go on for its own sake, if it may not.
    pub(crate) fn too_deep(&self, state: &State) -> Option<Halt> {
        let deep = self.depth.filter(|most| state.depth > *most).map(Limit::Depth);
        let long = || self.path_instructions.filter(|most| state.executed >= *most).map(Limit::PathInstructions);
        deep.or_else(long).map(Halt::from)
    }

    /// Why no further state may be added to so many, if none may.
    pub(crate) fn full(&self, states: usize) -> Option<Halt> {
        self.states.filter(|most| states >= *most).map(|most| Limit::States(most).into())
    }
}

/// Watches the limits of a run. The memory, which costs a system call, is looked at only now and then.
pub(crate) struct LimitWatch<'a> {
    limits: &'a Limits,
    stop: &'a AtomicBool,
    start: Instant,
    ticks: u32,
    /// Resident memory at the last look; 0 if states were given up since.
    resident: u64,
    /// Resident memory at which states are given up.
    ceiling: u64,
    /// How often in a row the process was above the limit after states had been given up.
    in_vain: u32,
}

/// How many slices pass between two looks at the memory.
const EVERY: u32 = 64;
/// Of the memory limit: what is left when states are given up, and what the process may grow by afterwards before more are.
/// The allocator keeps most of what states leave, for others; so the process does not shrink, and may not grow much.
const RESERVE: u64 = 8;
const GROWTH: u64 = 64;
/// How often in a row states are given up in vain before the run stops.
const IN_VAIN: u32 = 4;

impl<'a> LimitWatch<'a> {
    pub(crate) fn new(limits: &'a Limits, stop: &'a AtomicBool) -> Self {
        let ceiling = limits.memory.map_or(u64::MAX, |most| most - most / RESERVE);
        LimitWatch { limits, stop, start: Instant::now(), ticks: 0, resident: 0, ceiling, in_vain: 0 }
    }

    pub(crate) fn elapsed(&self) -> std::time::Duration {
        self.start.elapsed()
    }

    /// Why the run must stop now, if it must.
    pub(crate) fn exceeded(&mut self, ended: u64, instructions: u64) -> Option<Halt> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(Halt::Interrupted);
        }
        if let Some(most) = self.limits.paths.filter(|most| ended >= *most) {
            return Some(Limit::Paths(most).into());
        }
        if let Some(most) = self.limits.time.filter(|most| self.start.elapsed() >= *most) {
            return Some(Limit::Time(most).into());
        }
        if let Some(most) = self.limits.instructions.filter(|most| instructions >= *most) {
            return Some(Limit::Instructions(most).into());
        }
        self.ticks = (self.ticks + 1) % EVERY;
        let most = self.limits.memory.filter(|_| self.ticks == 0)?;
        self.resident = resident_bytes()?;
        self.in_vain = if self.resident < most { 0 } else { self.in_vain };
        (self.in_vain >= IN_VAIN).then_some(Limit::Memory(most).into())
    }

    /// Whether the process is so large that states should be given up.
    pub(crate) fn is_short_of_memory(&self) -> bool {
        self.resident >= self.ceiling
    }

    /// States have been given up. What that was worth is seen at the next look: allocators take their time.
    pub(crate) fn relieved(&mut self) {
        let most = self.limits.memory.unwrap_or(u64::MAX);
        self.in_vain += u32::from(self.resident >= most);
        self.ceiling = (most - most / RESERVE).max(self.resident.saturating_add(most / GROWTH).min(most));
        self.resident = 0;
    }
}

/// Resident memory of this process.
pub(crate) fn resident_bytes() -> Option<u64> {
    const PAGE: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}
