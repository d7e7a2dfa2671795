//! The other process, in its cage: started, asked, and started again when a function has ended it or does not answer.
//!
//! It is asked through pipes, which are twice as fast as sockets; a thread kills it when a call takes too long. Invariant: whatever
//! the functions do, a call comes back, within the deadline or little later. The time lost by calls that fail is bounded: the
//! deadline gets shorter with every hang, and when too much is lost nothing is called for a while.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use taw_cage::{Cage, Ended, Job, LimitHit};
use taw_engine::NativeFailure;

use super::source::SLOT;

/// The time a call has at first.
const DEADLINE: Duration = Duration::from_secs(1);
/// The time it has after many that did not come back.
const SHORTEST_DEADLINE: Duration = Duration::from_millis(20);
/// The time a process has to start.
const START: Duration = Duration::from_secs(10);
/// The time that may be lost by calls that fail, in all; and a quarter of the time that has passed.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time a process has to end after it has closed its link.
const END: Duration = Duration::from_millis(20);
/// How often the thread looks.
const GLANCE: Duration = Duration::from_millis(5);

/// A process that calls functions.
#[derive(Debug)]
pub(super) struct Worker {
    job: Job,
    links: Option<Links>,
    watch: Arc<Watchdog>,
    deadline: Duration,
    begun: Instant,
    /// Time lost by calls that failed.
    lost: Duration,
}

/// The ways to a running process and back.
#[derive(Debug)]
struct Links {
    requests: PipeWriter,
    replies: PipeReader,
}

/// What the thread sees.
#[derive(Debug)]
struct Watchdog {
    cage: Cage,
    /// Whether a process is in the cage.
    is_inhabited: AtomicBool,
    /// Odd while somebody waits for the process, another number each time.
    waits: AtomicU64,
    /// How long one may wait, in microseconds.
    limit: AtomicU64,
    /// Whether the thread has killed the process.
    killed: AtomicBool,
    is_over: AtomicBool,
}

impl Watchdog {
    fn kill(&self) {
        if self.is_inhabited.load(Ordering::Acquire) {
            // One that has just ended by itself is not missed.
            let _ = self.cage.kill();
        }
    }

    /// The thread: kills what is waited for too long.
    fn watch(&self) {
        let (mut seen, mut since) = (0, Instant::now());
        while !self.is_over.load(Ordering::Acquire) {
            thread::sleep(GLANCE);
            let waits = self.waits.load(Ordering::Acquire);
            if waits != seen {
                (seen, since) = (waits, Instant::now());
            } else if waits % 2 == 1
                && since.elapsed() >= Duration::from_micros(self.limit.load(Ordering::Acquire))
                && !self.killed.swap(true, Ordering::AcqRel)
            {
                self.kill();
            }
        }
    }
}

impl Worker {
    /// Starts the program once, to see that it can be started.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn new(cage: Cage, mut job: Job) -> Result<Self, String> {
        // It lives as long as the run; each call has its own limit.
        job.limits.time = Duration::MAX;
        let watch = Arc::new(Watchdog {
            cage,
            is_inhabited: AtomicBool::new(false),
            waits: AtomicU64::new(0),
            limit: AtomicU64::new(0),
            killed: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        });
        let of_thread = Arc::clone(&watch);
        thread::Builder::new().spawn(move || of_thread.watch()).map_err(|error| error.to_string())?;
        let mut worker =
            Worker { job, links: None, watch, deadline: DEADLINE, begun: Instant::now(), lost: Duration::ZERO };
        worker.links = Some(worker.start()?);
        Ok(worker)
    }

    /// Calls function `number`, whose arguments are `args`.
    pub(super) fn call(&mut self, number: u32, args: &[u8]) -> Result<[u8; SLOT], NativeFailure> {
        if self.lost > PATIENCE + self.begun.elapsed() / 4 {
            return Err(NativeFailure::NotCalled);
        }
        let mut links = match self.links.take() {
            Some(links) => links,
            None => self.start_again().map_err(NativeFailure::System)?,
        };
        let begin = Instant::now();
        let Ok(reply) = self.wait(self.deadline, || ask(&mut links, number, args)) else {
            let time = begin.elapsed();
            let failed = self.failure(time);
            self.lost += begin.elapsed();
            // Killed for the call before this one, which came back in the last moment.
            return failed.map_or_else(|| self.call(number, args), Err);
        };
        self.links = Some(links);
        match reply.split_first() {
            Some((0, value)) => Ok(value.try_into().expect("the rest of a reply is a slot")),
            _ => Err(NativeFailure::Varied),
        }
    }

    /// Waits for the process no longer than `limit`, or little longer.
    fn wait<T>(&self, limit: Duration, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        self.watch.limit.store(limit.as_micros() as u64, Ordering::Release);
        self.watch.waits.fetch_add(1, Ordering::AcqRel);
        let result = act();
        self.watch.waits.fetch_add(1, Ordering::AcqRel);
        result
    }

    /// After a call that failed, which costs this too.
    fn start_again(&mut self) -> Result<Links, String> {
        let begin = Instant::now();
        let links = self.start();
        self.lost += begin.elapsed();
        links
    }

    fn start(&self) -> Result<Links, String> {
        let pipe = || io::pipe().map_err(|error| error.to_string());
        let ((theirs_in, requests), (mut replies, theirs_out), (mut complaints, theirs_err)) =
            (pipe()?, pipe()?, pipe()?);
        let streams = [theirs_in.as_fd(), theirs_out.as_fd(), theirs_err.as_fd()];
        self.watch.cage.start(&self.job, streams).map_err(|error| error.to_string())?;
        self.watch.is_inhabited.store(true, Ordering::Release);
        // Else nobody would see that the process has closed its own.
        drop((theirs_in, theirs_out, theirs_err));
        let mut ready = [0];
        if let Err(error) = self.wait(START, || replies.read_exact(&mut ready)) {
            let mut text = self.end().and_then(|ended| ended.failed).unwrap_or_default();
            self.watch.killed.store(false, Ordering::Release);
            let _ = complaints.read_to_string(&mut text);
            return Err(if text.trim().is_empty() { error.to_string() } else { text.trim().to_owned() });
        }
        Ok(Links { requests, replies })
    }

    /// Why nothing came back, after so long a time; `None` if it is not the call's fault.
    fn failure(&mut self, time: Duration) -> Option<NativeFailure> {
        let ended = self.end().map(|ended| (ended.signal, ended.code));
        if self.watch.killed.swap(false, Ordering::AcqRel) {
            let deadline = self.deadline;
            self.deadline = (deadline / 2).max(SHORTEST_DEADLINE);
            return (time >= deadline).then_some(NativeFailure::Hung(deadline));
        }
        Some(match ended {
            Some((Some(signal), _)) => NativeFailure::Crashed(signal),
            Some((_, Some(code))) => NativeFailure::Ended(code),
            _ => NativeFailure::Closed,
        })
    }

    /// How the process ended; `None` if it had to be killed.
    fn end(&self) -> Option<Ended> {
        if !self.watch.is_inhabited.swap(false, Ordering::AcqRel) {
            return None;
        }
        let begin = Instant::now();
        let ended = self.watch.cage.wait(|| begin.elapsed() > END).ok()?;
        (ended.cut != Some(LimitHit::Stopped)).then_some(ended)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.watch.is_over.store(true, Ordering::Release);
        self.watch.kill();
        self.end();
    }
}

fn ask(links: &mut Links, number: u32, args: &[u8]) -> io::Result<[u8; SLOT + 1]> {
    let mut request = number.to_ne_bytes().to_vec();
    request.extend_from_slice(args);
    links.requests.write_all(&request)?;
    let mut reply = [0; SLOT + 1];
    links.replies.read_exact(&mut reply)?;
    Ok(reply)
}
