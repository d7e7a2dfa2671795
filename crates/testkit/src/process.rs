//! A process with a deadline, its output collected.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a process ended and what it said.
#[derive(Clone, Debug)]
pub struct CommandOutput {
    /// Exit code; none if a signal or the deadline ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether the deadline ended it.
    pub timed_out: bool,
    /// Standard output; with [`run`]'s `merged`, standard error too, interleaved.
    pub stdout: Vec<u8>,
    /// Standard error; empty if merged.
    pub stderr: Vec<u8>,
}

impl CommandOutput {
    /// Standard error, or the merged output, as text.
    pub fn said(&self) -> String {
        let mut all = String::from_utf8_lossy(&self.stderr).into_owned();
        all.push_str(&String::from_utf8_lossy(&self.stdout));
        all
    }
}

/// Whether standard error goes into the same file as standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Streams {
    /// Each on its own.
    Apart,
    /// One file, in order of writing.
    Merged,
}

/// Runs `command` with an empty standard input until it ends or `limit` has passed.
///
/// # Errors
/// If it cannot be started.
pub fn run(command: &mut Command, streams: Streams, limit: Duration) -> Result<CommandOutput, String> {
    run_on(command, Stdio::null(), streams, limit)
}

/// Runs `command` with this standard input until it ends or `limit` has passed.
///
/// # Errors
/// If it cannot be started.
pub fn run_on(command: &mut Command, stdin: Stdio, streams: Streams, limit: Duration) -> Result<CommandOutput, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let cannot = |error: std::io::Error| format!("cannot run `{name}`: {error}");
    let mut out = tempfile::tempfile().map_err(cannot)?;
    let mut err = match streams {
        Streams::Apart => tempfile::tempfile().map_err(cannot)?,
        Streams::Merged => out.try_clone().map_err(cannot)?,
    };
    let mut child = command
        .stdin(stdin)
        .stdout(out.try_clone().map_err(cannot)?)
        .stderr(err.try_clone().map_err(cannot)?)
        .spawn()
        .map_err(cannot)?;
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    let (status, timed_out) = loop {
        if let Some(status) = child.try_wait().map_err(cannot)? {
            break (status, false);
        }
        if start.elapsed() > limit {
            child.kill().map_err(cannot)?;
            break (child.wait().map_err(cannot)?, true);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let stderr = if streams == Streams::Apart { content(&mut err).map_err(cannot)? } else { Vec::new() };
    let stdout = content(&mut out).map_err(cannot)?;
    Ok(CommandOutput { code: status.code(), signal: status.signal(), timed_out, stdout, stderr })
}

fn content(file: &mut File) -> std::io::Result<Vec<u8>> {
    let mut all = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut all)?;
    Ok(all)
}
