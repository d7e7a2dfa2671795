//! Tries a module in a process of its own first: LLVM's readers crash, hang or eat all memory on some corrupt files.
//!
//! That process is this executable again, told so by its first word; it reads the module from its standard input and ends. Boundary: an
//! executable is started again only if its `main` has called [`read_if_asked`], as nobody else's `main` may run twice; the module is then
//! read without a trial.

use std::io::{self, Read, Write};
use std::mem::ManuallyDrop;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::compile::ModuleContent;
use crate::llvm::LlvmContext;
use crate::read;

/// The word after which an executable only reads a module.
const ASKED: &str = "llvm-reader";
/// How long reading may take, in seconds of computing: far more than any real module needs.
const PATIENCE: u64 = 60;

/// Whether `main` has called [`read_if_asked`].
static SERVES: AtomicBool = AtomicBool::new(false);

/// Reads a module and ends, if this process was started for that; otherwise returns none at once. To be called first in `main`; what it
/// returns is what `main` must return.
#[must_use = "a process that was to read a module has nothing else to do: `main` must return the code"]
pub fn read_if_asked() -> Option<ExitCode> {
    SERVES.store(true, Ordering::Relaxed);
    let mut words = std::env::args_os().skip(1);
    if words.next()? != ASKED {
        return None;
    }
    let content = match words.next()?.to_str()? {
        "bitcode" => ModuleContent::Bitcode,
        "text" => ModuleContent::Text,
        _ => return None,
    };
    Some(attempt(content).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS))
}

/// Parses and checks what comes in; what LLVM says does not matter here, only that it comes back.
fn attempt(content: fn(Vec<u8>) -> ModuleContent) -> io::Result<()> {
    let most = |limit| Rlimit { current: Some(limit), maximum: Some(limit) };
    // No core file of a crash that is expected. Who has set a lower limit keeps it.
    let _ = setrlimit(Resource::Core, most(0));
    let _ = setrlimit(Resource::Cpu, most(PATIENCE));
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    // The process ends afterwards: tidying up would be a waste.
    let context = ManuallyDrop::new(LlvmContext::new());
    if let Ok(module) = read::parse(&context, "", &content(bytes)) {
        let _ = ManuallyDrop::new(module).verify();
    }
    Ok(())
}

/// Whether LLVM comes back from reading a module, whatever it then says. True also where that cannot be tried.
pub(crate) fn survives(content: &ModuleContent) -> bool {
    let (kind, bytes) = match content {
        ModuleContent::Bitcode(bytes) => ("bitcode", bytes),
        ModuleContent::Text(bytes) => ("text", bytes),
    };
    let Some(this) = SERVES.load(Ordering::Relaxed).then(std::env::current_exe).and_then(Result::ok) else {
        return true;
    };
    let mut command = Command::new(this);
    command.args([ASKED, kind]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut reader) = command.spawn() else { return true };
    if let Some(mut input) = reader.stdin.take() {
        // What it does not want to read to the end, it ends differently for.
        let _ = input.write_all(bytes);
    }
    reader.wait().is_ok_and(|status| status.success())
}
