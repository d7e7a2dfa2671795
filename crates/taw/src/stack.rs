//! Work that needs a large stack has a thread of its own for it, whatever stack the caller has.

use std::panic;
use std::thread;

use crate::Error;

/// Terms and source code may nest deeply; address space costs nothing until it is used.
const SIZE: usize = 1 << 30;

/// Runs `work` on a thread with a large stack, and waits for it. A panic of it goes on in the caller.
///
/// # Errors
/// If there is no thread to be had.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("taw".into()).stack_size(SIZE).spawn_scoped(scope, work);
        let thread = thread.map_err(Error::Thread)?;
        thread.join().map_or_else(|panicked| panic::resume_unwind(panicked), Ok)
    })
}
