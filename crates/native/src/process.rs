//! One process in the cage, its words collected, for as long as somebody has the patience to wait.

use std::fs::File;
use std::io::{self, PipeReader, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use taw_cage::{Cage, Job, LimitHit};

/// How often a compiler is looked after.
const GLANCE: Duration = Duration::from_millis(2);

/// How long native runs are waited for: not after Ctrl-C, and not after the time of the whole run.
#[derive(Clone, Debug, Default)]
pub struct Patience {
    /// Set when the user does not want to wait any longer.
    pub stop: Arc<AtomicBool>,
    /// When the time of the whole run is over.
    pub until: Option<Instant>,
}

impl Patience {
    /// Whether it has come to its end.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Why nothing more is waited for.
    pub fn why_over(&self) -> String {
        let what =
            if self.stop.load(Ordering::Relaxed) { "the run was stopped" } else { "the time of the run was over" };
        format!("{what} before its native run was; `taw replay` makes it")
    }
}

/// How a process ended and what it said.
#[derive(Clone, Debug)]
pub(crate) struct RunOutput {
    /// Exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The limit that made us end it.
    pub cut: Option<LimitHit>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

/// Runs a program with pipes for its three streams, as the modelled kernel has them, until it ends or exceeds a limit: it may open
/// them by name and write to one that it has opened twice.
///
/// # Errors
/// Why it was not run to its end.
pub(crate) fn run(cage: &Cage, job: &Job, input: Vec<u8>, patience: &Patience) -> Result<RunOutput, String> {
    let failed = |error: io::Error| format!("the program cannot be started: {error}");
    let (reader, mut writer) = io::pipe().map_err(failed)?;
    let (out, to_out) = io::pipe().map_err(failed)?;
    let (err, to_err) = io::pipe().map_err(failed)?;
    cage.start(job, [reader.as_fd(), to_out.as_fd(), to_err.as_fd()]).map_err(failed)?;
    // Else the pipes would never be closed.
    drop((reader, to_out, to_err));
    // Nobody waits for it: it ends when the program has read all, or has closed the pipe by ending.
    thread::spawn(move || writer.write_all(&input));
    let flooded = Arc::new(AtomicBool::new(false));
    let [out, err] = [out, err].map(|pipe| collect(pipe, job.limits.output, &flooded));
    let ended = cage.wait(|| patience.is_over() || flooded.load(Ordering::Relaxed)).map_err(failed)?;
    if ended.failed.is_some() {
        return Err(format!("the program cannot be started: {}", ended.failed.unwrap_or_default()));
    }
    let cut = match ended.cut {
        _ if flooded.load(Ordering::Relaxed) => Some(LimitHit::Output),
        Some(LimitHit::Stopped) => return Err(patience.why_over()),
        Some(LimitHit::Disk) => return Err(format!("natively it writes more than {} MB", job.limits.disk >> 20)),
        cut => cut,
    };
    let content = |pipe: JoinHandle<io::Result<Vec<u8>>>| pipe.join().expect("reading does not panic").map_err(failed);
    Ok(RunOutput { code: ended.code, signal: ended.signal, cut, stdout: content(out)?, stderr: content(err)? })
}

/// Reads what a program writes, but not without end.
fn collect(pipe: PipeReader, most: u64, flooded: &Arc<AtomicBool>) -> JoinHandle<io::Result<Vec<u8>>> {
    let flooded = Arc::clone(flooded);
    thread::spawn(move || {
        let mut content = Vec::new();
        pipe.take(most + 1).read_to_end(&mut content)?;
        if content.len() as u64 > most {
            flooded.store(true, Ordering::Relaxed);
            content.truncate(most as usize);
        }
        Ok(content)
    })
}

fn content(mut file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(most).read_to_end(&mut content)?;
    Ok(content)
}

/// Runs a compiler, for as long as there is patience; its words are the error.
pub(crate) fn said(mut command: Command, patience: &Patience) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |error: io::Error| format!("cannot run `{name}`: {error}");
    let words = tempfile::tempfile().map_err(failed)?;
    let errors = words.try_clone().map_err(failed)?;
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors).spawn().map_err(failed)?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        if patience.is_over() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(patience.why_over());
        }
        thread::sleep(GLANCE);
    };
    if status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&content(words, 1 << 20).map_err(failed)?).trim().to_owned();
    Err(if words.is_empty() { format!("`{name}` ended with {status}") } else { words })
}
