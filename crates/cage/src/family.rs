//! The processes that descend from one: how many they are, what memory they hold, their end.

use std::fs;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait};

/// Processes that are looked at; more is a bomb, whose memory need not be known.
const MOST: usize = 1 << 12;

/// All descendants of a process, itself not among them.
pub(crate) fn descendants(of: Pid) -> Vec<Pid> {
    let mut found = children(of);
    let mut next = 0;
    while next < found.len() && found.len() < MOST {
        let more = children(found[next]);
        found.extend(more);
        next += 1;
    }
    found
}

/// The children of all threads of a process.
fn children(of: Pid) -> Vec<Pid> {
    let of = of.as_raw_pid();
    let Ok(tasks) = fs::read_dir(format!("/proc/{of}/task")) else { return Vec::new() };
    let lists = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|word| Pid::from_raw(word.parse().ok()?)).collect::<Vec<_>>()
        })
        .collect()
}

/// Resident memory of these processes, in bytes.
pub(crate) fn memory(of: &[Pid]) -> u64 {
    // Pages, the second word; one system call less than the lines of `status`.
    let pages = of.iter().filter_map(|pid| {
        let text = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_pid())).ok()?;
        text.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    pages.sum::<u64>() * rustix::param::page_size() as u64
}

/// Ends all descendants of this process, and waits until they are gone. They come to it when their parents end, because it is their
/// reaper.
pub(crate) fn end_all() {
    loop {
        let left = descendants(getpid());
        for &pid in &left {
            // Gone already, as a rule.
            let _ = kill_process(pid, Signal::KILL);
        }
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        if left.is_empty() {
            return;
        }
        thread::sleep(Duration::from_micros(100));
    }
}
