//! Ctrl-C: the first ends the run cleanly, with everything found so far written; the second ends it at once.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

/// What a shell reports for a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Sets `stop` on Ctrl-C, hang-up or termination.
pub(crate) fn watch(stop: Arc<AtomicBool>) -> Result<(), Failure> {
    ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED);
        }
        eprintln!("\nstopping: what was found so far is being written (Ctrl-C again to end at once)");
    })
    .map_err(|error| Failure::Message(format!("cannot watch for Ctrl-C: {error}")))
}
