//! How clang is told to use Taw's C library, musl: the words for `taw cc`, for the program that is explored and for its native runs.
//! They are the same, so that what configure finds out, what is explored and what is replayed are the same.
//!
//! Boundary: words only; where the library's tree is, who has unpacked it knows. The library is for C on x86-64.

use std::ffi::OsString;
use std::path::Path;

/// For compiling and for linking: headers and libraries of the tree, and none of the host's.
pub fn system(sysroot: &Path) -> [OsString; 2] {
    let mut root = OsString::from("--sysroot=");
    root.push(sysroot);
    ["--target=x86_64-linux-musl".into(), root]
}

/// For linking, too: the compiler's own library is LLVM's, because the host's is for the host's C library.
pub const LINK: [&str; 2] = ["-rtlib=compiler-rt", "--unwindlib=none"];

/// For linking a program, too: there is no dynamic loader for this library on the host.
pub const PROGRAM: &str = "-static";

/// Whether a user's word names a target or a system of its own, for which this library is not.
pub fn is_other_system(word: &str) -> bool {
    matches!(word, "-m32" | "-mx32" | "-target" | "--target" | "--sysroot" | "-isysroot")
        || ["--target=", "--sysroot=", "-isysroot"].iter().any(|prefix| word.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_for_other_machines_and_systems_are_told_from_those_of_this_one() {
        for other in ["-m32", "-target", "--target=i386-linux-gnu", "--sysroot=/", "-isysroot/x"] {
            assert!(is_other_system(other), "{other}");
        }
        for same in ["-m64", "-march=native", "-mavx2", "-I/usr/i386", "-DTARGET=--target"] {
            assert!(!is_other_system(same), "{same}");
        }
    }
}
