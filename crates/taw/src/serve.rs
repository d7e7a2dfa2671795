//! What an executable does that this library has started again: keep programs under test, or read a module that LLVM may crash on.

use std::process::ExitCode;

/// Does what this process was started again for, if it was; otherwise returns none at once, and the executable may be started again from
/// now on. To be called first in `main`, before there are threads; what it returns is what `main` must return.
#[must_use = "a process that was started again has nothing else to do: `main` must return the code"]
pub fn serve_if_asked() -> Option<ExitCode> {
    taw_loader::read_if_asked().or_else(taw_cage::serve_if_asked)
}
