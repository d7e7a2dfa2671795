//! One process with limits on time, memory and output, its words collected.
//!
//! Memory is watched from outside: the address space cannot be limited, because sanitizers reserve terabytes of it.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// Most that a program may print.
const OUTPUT: u64 = 64 << 20;

/// How long and how much one run may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Resident memory, in bytes.
    pub memory: u64,
}

impl Default for Limits {
    /// Ten seconds and two gigabytes.
    fn default() -> Self {
        Limits { time: Duration::from_secs(10), memory: 2 << 30 }
    }
}

/// The limit that ended a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    Time,
    Memory,
    Output,
}

/// How a process ended and what it said.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    /// Exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The limit that made us end it.
    pub cut: Option<Cut>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

/// Runs `command` with `input` on a pipe, as the modelled kernel has it, until it ends or exceeds a limit; then all of its
/// group is killed.
pub(super) fn run(command: &mut Command, input: Vec<u8>, limits: &Limits) -> io::Result<Ended> {
    let (out, err) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::piped()).stdout(out.try_clone()?).stderr(err.try_clone()?).process_group(0);
    let mut child = command.spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // Nobody waits for it: it ends when the program has read all, or has closed the pipe by ending.
        thread::spawn(move || pipe.write_all(&input));
    }
    let cut = watch(&mut child, &[&out, &err], limits);
    // Also children of a program that ended by itself.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // The group is gone as a rule.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait()?;
    let (stdout, stderr) = (content(out)?, content(err)?);
    Ok(Ended { code: status.code(), signal: status.signal(), cut: cut?, stdout, stderr })
}

fn content(mut file: File) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(OUTPUT).read_to_end(&mut content)?;
    Ok(content)
}

fn watch(child: &mut Child, streams: &[&File], limits: &Limits) -> io::Result<Option<Cut>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    let printed = || streams.iter().map(|file| file.metadata().map_or(0, |metadata| metadata.len())).sum::<u64>();
    loop {
        if child.try_wait()?.is_some() {
            return Ok(None);
        }
        let cut = if start.elapsed() > limits.time {
            Some(Cut::Time)
        } else if resident(child.id()) > limits.memory {
            Some(Cut::Memory)
        } else if printed() > OUTPUT {
            Some(Cut::Output)
        } else {
            None
        };
        if cut.is_some() {
            return Ok(cut);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Resident memory in bytes; 0 where the system does not say.
fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> Ended {
        run(Command::new("sh").args(["-c", script]), b"in\n".repeat(100_000), &limits).unwrap()
    }

    #[test]
    fn an_end_is_told_with_code_signal_and_words() {
        let ended = shell("echo a; echo b >&2; exit 3", Limits::default());
        assert_eq!((ended.code, ended.signal, ended.cut), (Some(3), None, None));
        assert_eq!((ended.stdout.as_slice(), ended.stderr.as_slice()), (&b"a\n"[..], &b"b\n"[..]));
        assert_eq!(shell("kill -ABRT $$", Limits::default()).signal, Some(6));
    }

    #[test]
    fn standard_input_is_read_to_its_end() {
        assert_eq!(shell("wc -c", Limits::default()).stdout.trim_ascii(), b"300000");
    }

    #[test]
    fn what_does_not_end_is_ended_with_its_children() {
        let start = Instant::now();
        let limits = Limits { time: Duration::from_millis(200), ..Limits::default() };
        assert_eq!(shell("sleep 100 & sleep 100", limits).cut, Some(Cut::Time));
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn too_much_memory_and_too_many_words_are_cut() {
        let small = Limits { memory: 20 << 20, ..Limits::default() };
        assert_eq!(shell("x=0123456789; while :; do x=$x$x; done", small).cut, Some(Cut::Memory));
        assert_eq!(shell("yes", Limits::default()).cut, Some(Cut::Output));
    }
}
