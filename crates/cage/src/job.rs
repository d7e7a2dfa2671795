//! What is to be run, and how it ended: the words between Taw and the keeper.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long and how much one run may take, all of its processes together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunLimits {
    /// Wall-clock time.
    pub time: Duration,
    /// Resident memory, in bytes. The address space cannot be limited: sanitizers reserve terabytes of it.
    pub memory: u64,
    /// What it may print, in bytes.
    pub output: u64,
    /// What its scratch folder may hold, in bytes.
    pub disk: u64,
    /// Processes and threads at a time.
    pub processes: u64,
}

impl Default for RunLimits {
    /// Ten seconds, two gigabytes, 64 MB printed, 256 MB written, 128 processes.
    fn default() -> Self {
        RunLimits { time: Duration::from_secs(10), memory: 2 << 30, output: 64 << 20, disk: 256 << 20, processes: 128 }
    }
}

/// A program to be started.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Job {
    /// The file.
    pub program: PathBuf,
    /// The name by which it is called, if it is another.
    pub name: Option<Vec<u8>>,
    /// Its arguments, without the name.
    pub arguments: Vec<Vec<u8>>,
    /// Its whole environment.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Where it is started.
    pub directory: PathBuf,
    /// The folder that it may change, and nothing else.
    pub scratch: PathBuf,
    /// What it must be able to read, beside its own file, also where it lies in a folder for temporary files.
    pub visible: Vec<PathBuf>,
    /// Its limits.
    pub limits: RunLimits,
}

/// The limit that ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LimitHit {
    /// Of time.
    Time,
    /// Of memory.
    Memory,
    /// Of what it may print.
    Output,
    /// Of what it may write.
    Disk,
    /// Taw asked for it: the user does not want to wait, or the whole run's time is over.
    Stopped,
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ended {
    /// Exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The limit that made the keeper end it.
    pub cut: Option<LimitHit>,
    /// Why it could not be started.
    pub failed: Option<String>,
}

/// What Taw says to the keeper.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Ask {
    /// To run this, with three descriptors that come along; [`Say::Ended`] follows.
    Start(Box<Job>),
    /// To end it; that follows too.
    Kill,
}

/// What the keeper says to Taw.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Say {
    /// Once, at first: what cage there is; in words, why there is none.
    Ready(Result<crate::Offer, String>),
    /// A run is over, and all of its processes are gone.
    Ended(Ended),
}
