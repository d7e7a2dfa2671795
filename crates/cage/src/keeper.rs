//! The keeper: a process with one thread that starts programs under test, watches them and ends them.
//!
//! It is this executable, started again with [`ASKED`]; what it is told comes through its standard input, a socket. When that is closed, Taw has
//! ended, and so does all that the keeper has started.

use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    DumpableBehavior, Gid, Pid, Signal, Uid, WaitOptions, geteuid, getpid, getuid, kill_process, set_child_subreaper,
    set_dumpable_behavior, setsid, waitpid,
};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use crate::cage::Confinement;
use crate::init::{self, InitReport};
use crate::job::{Ask, Ended, Job, LimitHit, Say};
use crate::raw::{self, Forked};
use crate::{Offer, family, link, space};

/// The word after which an executable is a keeper.
pub(crate) const ASKED: &str = "cage-keeper";

/// The user that root becomes.
pub(crate) const NOBODY: u32 = 65534;

/// Files in a scratch folder; more is meant to exhaust something.
const MOST_FILES: usize = 20_000;
/// How long a program is left alone at first, and at the most.
const FIRST_LOOK: Duration = Duration::from_micros(500);
const LONGEST_LOOK: Duration = Duration::from_millis(20);

/// Whether `main` has called [`serve_if_asked`], so that this executable may be started again as a keeper.
static SERVES: AtomicBool = AtomicBool::new(false);

/// Whether this executable can be a keeper.
pub(crate) fn serves() -> bool {
    SERVES.load(Ordering::Relaxed)
}

/// Keeps programs if this process was started for that; otherwise returns none at once. To be called first in `main`, before there are
/// threads; what it returns is what `main` must return.
#[must_use = "a process that was a keeper has nothing else to do: `main` must return the code"]
pub fn serve_if_asked() -> Option<ExitCode> {
    SERVES.store(true, Ordering::Relaxed);
    let mut words = std::env::args_os().skip(1);
    if words.next()? != ASKED {
        return None;
    }
    let confinement = Confinement::from_word(words.next()?.to_str()?)?;
    let link = UnixStream::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    Some(match serve(&link, confinement) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

fn serve(link: &UnixStream, confinement: Confinement) -> io::Result<()> {
    // Ctrl-C is for Taw, which then tells us.
    let _ = setsid();
    set_child_subreaper(Some(getpid()))?;
    let offer = offer(confinement);
    link::send(link, &Say::Ready(offer.clone()), &[])?;
    let Ok(offer) = offer else { return Ok(()) };
    // Those that share the limit of processes with a run that has no namespace of its own.
    let others = if offer.has_namespaces() { 0 } else { tasks_of(getuid().as_raw()) };
    while let Some((ask, streams)) = link::receive(link)? {
        let Ask::Start(mut job) = ask else { continue };
        job.limits.processes += others;
        let ended = run(link, &job, &offer, streams)?;
        link::send(link, &Say::Ended(ended), &[])?;
    }
    Ok(())
}

/// Confines this process as far as all of its runs are confined alike.
fn offer(confinement: Confinement) -> Result<Offer, String> {
    let mut offer = Offer { landlock: raw::landlock_version(), ..Offer::default() };
    match confinement {
        Confinement::None => {
            let none = Some("not asked for".into());
            return Ok(Offer { is_unconfined: true, landlock: 0, no_namespaces: none, ..offer });
        }
        Confinement::Whole => {}
        Confinement::WithoutNamespaces => offer.no_namespaces = Some("not asked for".into()),
        Confinement::WithoutLandlock => offer.landlock = 0,
    }
    if geteuid().is_root() {
        become_nobody().map_err(|error| format!("root cannot become another user ({error})"))?;
        offer.is_nobody = true;
    }
    if offer.no_namespaces.is_none() {
        // After a failure in the middle this process is no good; Taw asks again, without.
        space::enter()?;
    }
    if offer.landlock == 0 && !offer.has_namespaces() {
        return Err("neither Landlock nor namespaces".into());
    }
    Ok(offer)
}

fn become_nobody() -> io::Result<()> {
    let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    set_thread_groups(&[])?;
    set_thread_res_gid(gid, gid, gid)?;
    set_thread_res_uid(uid, uid, uid)?;
    // Else `/proc/self` is root's, and no user namespace can be made.
    Ok(set_dumpable_behavior(DumpableBehavior::Dumpable)?)
}

/// Threads of a user's processes.
fn tasks_of(uid: u32) -> u64 {
    let Ok(entries) = fs::read_dir("/proc") else { return 0 };
    let of_user = entries.flatten().filter(|entry| entry.metadata().is_ok_and(|data: Metadata| data.uid() == uid));
    of_user.map(|entry| fs::read_dir(entry.path().join("task")).map_or(0, |tasks| tasks.count() as u64)).sum()
}

/// One run, from its start until nothing of it is left.
fn run(link: &UnixStream, job: &Job, offer: &Offer, streams: Vec<OwnedFd>) -> io::Result<Ended> {
    let failed = |error: io::Error| Ended { failed: Some(error.to_string()), ..Ended::default() };
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    let flags = if offer.has_namespaces() { space::OF_A_RUN } else { 0 };
    let init = match raw::fork_into(flags) {
        Ok(Forked::Child) => {
            drop(reader);
            init::live(job, offer, streams, writer.into())
        }
        Ok(Forked::Parent(init)) => init,
        Err(error) => return Ok(failed(error)),
    };
    drop(writer);
    let printed: Vec<File> = streams.into_iter().skip(1).map(File::from).collect();
    let cut = watch(link, &reader, job, init, &printed);
    // In a namespace of processes all others end with the first.
    let _ = kill_process(init, Signal::KILL);
    let _ = waitpid(Some(init), WaitOptions::empty());
    family::end_all();
    let report = first_line(reader);
    Ok(match (cut?, report) {
        (None, Some(InitReport::Exited(code))) => Ended { code: Some(code), ..Ended::default() },
        (None, Some(InitReport::Signaled(signal))) if signal == Signal::XFSZ.as_raw() => {
            Ended { signal: Some(signal), cut: Some(LimitHit::Disk), ..Ended::default() }
        }
        (None, Some(InitReport::Signaled(signal))) => Ended { signal: Some(signal), ..Ended::default() },
        (None, Some(InitReport::Failed(why))) => Ended { failed: Some(why), ..Ended::default() },
        (None, None) => Ended { failed: Some("its first process was ended from outside".into()), ..Ended::default() },
        (cut, _) => Ended { signal: Some(Signal::KILL.as_raw()), cut, ..Ended::default() },
    })
}

fn first_line(reader: OwnedFd) -> Option<InitReport> {
    let mut line = String::new();
    BufReader::new(File::from(reader)).read_line(&mut line).ok()?;
    serde_json::from_str(&line).ok()
}

/// Waits until the run has reported, or exceeds a limit, or Taw wants it to end.
fn watch(link: &UnixStream, report: &OwnedFd, job: &Job, init: Pid, printed: &[File]) -> io::Result<Option<LimitHit>> {
    let start = Instant::now();
    let mut pause = FIRST_LOOK;
    loop {
        let left = job.limits.time.saturating_sub(start.elapsed()).min(pause);
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        let mut waited = [PollFd::new(report, PollFlags::IN), PollFd::new(link, PollFlags::IN)];
        match poll(&mut waited, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [reported, asked] = waited.map(|fd| !fd.revents().is_empty());
        if reported {
            return Ok(None);
        }
        if asked {
            // Anything it could say now, and its end, means the same.
            let _ = link::receive::<Ask>(link);
            return Ok(Some(LimitHit::Stopped));
        }
        if start.elapsed() >= job.limits.time {
            return Ok(Some(LimitHit::Time));
        }
        if let Some(cut) = exceeded(job, init, printed) {
            return Ok(Some(cut));
        }
        pause = (pause * 2).min(LONGEST_LOOK);
    }
}

fn exceeded(job: &Job, init: Pid, printed: &[File]) -> Option<LimitHit> {
    if family::memory(&family::descendants(init)) > job.limits.memory {
        return Some(LimitHit::Memory);
    }
    let lengths =
        printed.iter().filter_map(|file| file.metadata().ok()).filter(Metadata::is_file).map(|data| data.len());
    if lengths.sum::<u64>() > job.limits.output {
        return Some(LimitHit::Output);
    }
    let mut count = 0;
    (size(&job.scratch, &mut count) > job.limits.disk || count > MOST_FILES).then_some(LimitHit::Disk)
}

/// What a folder holds, in bytes that the disk has given for it.
fn size(folder: &Path, count: &mut usize) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let mut sum = 0;
    for entry in entries.flatten() {
        *count += 1;
        if *count > MOST_FILES {
            break;
        }
        let Ok(data) = entry.metadata() else { continue };
        sum += if data.is_dir() { size(&entry.path(), count) } else { data.blocks() * 512 };
    }
    sum
}
