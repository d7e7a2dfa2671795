//! The other process: started, asked, and started again when a function has ended it or does not answer.
//!
//! Invariant: whatever the functions do, a call comes back, within the deadline or little later. What is lost by calls that fail
//! is bounded: the deadline gets shorter with every hang, and after some seconds lost in all nothing is called any more.

use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::source::SLOT;

/// The time a call has at first.
const DEADLINE: Duration = Duration::from_secs(1);
/// The time it has after many that did not come back.
const SHORTEST_DEADLINE: Duration = Duration::from_millis(20);
/// The time a process has to start.
const START: Duration = Duration::from_secs(10);
/// All time that may be lost by calls that fail.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a call has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failed {
    /// It ended the process; how.
    Ended(String),
    /// It did not come back in time.
    Hung(Duration),
    /// It gave two results for the same arguments.
    Varied,
    /// It was not made: too many before had failed.
    NotCalled,
    /// The system did not let it be made.
    System(String),
}

impl Failed {
    /// What the function did, after its name and before its arguments.
    pub(super) fn in_words(&self) -> String {
        match self {
            Self::Ended(how) => format!("crashed ({how}) on"),
            Self::Hung(time) => format!("did not answer within {time:?} on"),
            Self::Varied => "gave two different results for".into(),
            Self::NotCalled => "crashed or hung too often, so it was not called on".into(),
            Self::System(why) => format!("could not be called ({why}) on"),
        }
    }
}

/// A process that calls functions.
#[derive(Debug)]
pub(super) struct Worker {
    program: PathBuf,
    running: Option<Running>,
    deadline: Duration,
    /// What is left of [`PATIENCE`].
    patience: Duration,
}

#[derive(Debug)]
struct Running {
    child: Child,
    link: UnixStream,
}

impl Worker {
    /// Starts the program once, to see that it can be started.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn new(program: PathBuf) -> Result<Self, String> {
        let running = Some(Running::start(&program, DEADLINE)?);
        Ok(Worker { program, running, deadline: DEADLINE, patience: PATIENCE })
    }

    /// Calls function `number`, whose arguments are `args`.
    pub(super) fn call(&mut self, number: u32, args: &[u8]) -> Result<[u8; SLOT], Failed> {
        if self.patience.is_zero() {
            return Err(Failed::NotCalled);
        }
        let begin = Instant::now();
        let result = self.attempt(number, args);
        if let Err(failed) = &result
            && *failed != Failed::Varied
        {
            self.patience = self.patience.saturating_sub(begin.elapsed());
        }
        result
    }

    fn attempt(&mut self, number: u32, args: &[u8]) -> Result<[u8; SLOT], Failed> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.program, self.deadline).map_err(Failed::System)?,
        };
        match running.ask(number, args) {
            Ok(reply) => {
                self.running = Some(running);
                let (&varied, value) = reply.split_first().expect("a reply has a first byte");
                if varied != 0 {
                    return Err(Failed::Varied);
                }
                Ok(value.try_into().expect("the rest of a reply is a slot"))
            }
            // A process that is dropped is killed.
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                let deadline = self.deadline;
                self.deadline = (deadline / 2).max(SHORTEST_DEADLINE);
                Err(Failed::Hung(deadline))
            }
            Err(_) => Err(Failed::Ended(running.last_words())),
        }
    }
}

impl Running {
    fn start(program: &PathBuf, deadline: Duration) -> Result<Self, String> {
        let said = |error: io::Error| error.to_string();
        let (link, other) = UnixStream::pair().map_err(said)?;
        let mut command = Command::new(program);
        // In a group of its own: Ctrl-C is for Taw.
        command.stdin(OwnedFd::from(other)).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let child = command.spawn().map_err(said)?;
        drop(command);
        let mut running = Running { child, link };
        running.link.set_read_timeout(Some(START)).map_err(said)?;
        let mut ready = [0];
        if let Err(error) = running.link.read_exact(&mut ready) {
            return Err(running.complaint().unwrap_or_else(|| error.to_string()));
        }
        running.link.set_read_timeout(Some(deadline)).map_err(said)?;
        Ok(running)
    }

    fn ask(&mut self, number: u32, args: &[u8]) -> io::Result<[u8; SLOT + 1]> {
        let mut request = number.to_ne_bytes().to_vec();
        request.extend_from_slice(args);
        self.link.write_all(&request)?;
        let mut reply = [0; SLOT + 1];
        self.link.read_exact(&mut reply)?;
        Ok(reply)
    }

    /// What the process said before it ended: it could not be loaded.
    fn complaint(&mut self) -> Option<String> {
        let mut text = String::new();
        self.end();
        self.child.stderr.take()?.read_to_string(&mut text).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// How the process ended, of which nothing can be read any more.
    fn last_words(&mut self) -> String {
        let ended = self.end();
        match ended.map(|status| (status.signal(), status.code())) {
            Some((Some(signal), _)) => format!("signal {signal}"),
            Some((_, Some(code))) => format!("it ended the program with exit code {code}"),
            _ => "it closed its link to Taw".to_owned(),
        }
    }

    /// The status of a process that ends by itself, or `None` if it had to be killed.
    fn end(&mut self) -> Option<ExitStatus> {
        for _ in 0..200 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            sleep(Duration::from_micros(100));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        None
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
