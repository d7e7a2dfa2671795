//! `taw cc` and `taw c++`: where the compiler and the C library are; the rest is `taw_driver`'s.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use taw_driver::{Language, Toolchain};

use crate::style::ERROR;
use crate::terminal;

/// What `taw cc --help` says before clang says the rest.
const ABOUT: &str = "\
taw cc, taw c++: clang, with bitcode in every object, so that `taw run ./program` explores what was built.

  make CC=\"taw cc\"            or   ./configure CC=\"taw cc\" && make
  taw cc a.c b.c -o program   and  taw run ./program

C programs are linked statically with the C library that Taw carries (musl), so that the program which is explored and
the one which runs natively are the same. With TAW_CC_LIBC=host the library and headers of this machine are taken
instead, as they are for -m32, --target and --sysroot; functions of theirs that Taw does not know end a path as
unsupported. `taw c++` always takes the host's, because there is no C++ library for Taw's C library: set TAW_CC_LIBC=host
for the C parts of a C++ project. Static programs cannot use shared libraries: ./configure --disable-shared. Link-time
optimisation (-flto) is switched off. TAW_CLANG names another clang.

Everything else is clang's:
";

/// Behaves as clang. The exit status is clang's, or 127 if there is none, as of a shell.
pub(crate) fn run(language: Language, args: &[OsString]) -> u8 {
    let version = taw_loader::LLVM_VERSION;
    let Some(clang) = taw_driver::find_clang(version) else {
        let named = env::var("TAW_CLANG").ok().filter(|named| !named.is_empty());
        let what = named.map_or_else(|| format!("clang-{version}"), |named| format!("{named} (from TAW_CLANG)"));
        terminal::tell(format_args!(
            "{ERROR}error{ERROR:#}: {what}: not found; install the package clang-{version}, or name a clang in TAW_CLANG"
        ));
        return 127;
    };
    if args.first().is_some_and(|word| word == "--help") {
        print!("{ABOUT}");
    }
    // An interrupt is for clang, too; when it has ended, our temporary files go as its own do.
    let _ = ctrlc::set_handler(|| {});
    let result = sysroot().and_then(|sysroot| taw_driver::run(&Toolchain { clang, sysroot }, language, args));
    result.unwrap_or_else(|error| {
        terminal::tell(format_args!("{ERROR}error{ERROR:#}: cannot run clang: {error}; is $TMPDIR writable?"));
        126
    })
}

/// Taw's C library, unless the host's is asked for.
fn sysroot() -> io::Result<Option<PathBuf>> {
    if env::var_os("TAW_CC_LIBC").is_some_and(|libc| libc == "host") {
        return Ok(None);
    }
    taw::sysroot().map(Some)
}
