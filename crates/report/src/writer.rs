//! Writes tests beside the run: a file costs about as much time as a short path, and the engine need not wait for it.
//!
//! The queue is short, so that at most [`QUEUE`] tests (some milliseconds) are not yet on disk when the process is
//! killed; dropping the writer waits for all of them. Findings do not go through here: they are written at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use serde::Serialize;

use crate::output_dir::OutputError;
use crate::test_file::TestFile;
use taw_files::write_atomically;

/// Tests that may wait to be written.
const QUEUE: usize = 64;

/// A file to write.
type WriteJob = (PathBuf, TestFile);

/// Writes tests on a thread of its own.
#[derive(Debug)]
pub(crate) struct TestWriter {
    /// `None` once the writer is being dropped.
    queue: Option<SyncSender<WriteJob>>,
    thread: Option<JoinHandle<()>>,
    failure: Arc<Mutex<Option<OutputError>>>,
}

impl TestWriter {
    /// Starts the thread, which sets `stop` when a file cannot be written.
    pub(crate) fn new(stop: Arc<AtomicBool>) -> Self {
        let (queue, jobs) = sync_channel(QUEUE);
        let failure = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&failure);
        let thread = thread::spawn(move || write_all(&jobs, &shared, &stop));
        TestWriter { queue: Some(queue), thread: Some(thread), failure }
    }

    /// Has `test` written to `path`; waits only if the queue is full.
    pub(crate) fn write(&self, path: PathBuf, test: TestFile) {
        if let Some(queue) = &self.queue {
            // Fails only after a failure that is already kept.
            let _ = queue.send((path, test));
        }
    }

    /// Waits until all is written, and says what could not be.
    pub(crate) fn finish(mut self) -> Result<(), OutputError> {
        self.wait();
        match self.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    fn wait(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // It does not panic; if it did, the hook has said so.
            let _ = thread.join();
        }
    }
}

impl Drop for TestWriter {
    fn drop(&mut self) {
        self.wait();
    }
}

fn write_all(jobs: &Receiver<WriteJob>, failure: &Mutex<Option<OutputError>>, stop: &AtomicBool) {
    for (path, test) in jobs {
        if let Err(error) = write_atomically(&path, &compact(&test)) {
            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(OutputError::io(&path, error));
            stop.store(true, Ordering::Relaxed);
            return;
        }
    }
}

/// JSON on one line.
pub(crate) fn compact(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec(value).expect("our records are plain data with string keys");
    text.push(b'\n');
    text
}
