//! The compiler: where it is and which version it has.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{LLVM_VERSION, LoadError};

/// A `clang` of the LLVM version that the loader reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clang {
    path: PathBuf,
    version: String,
}

impl Clang {
    /// The compiler to use: `$TAW_CLANG`, else `clang-22` on the path, else where Debian installs it.
    pub fn find() -> Result<Self, LoadError> {
        if let Some(named) = std::env::var_os("TAW_CLANG").filter(|v| !v.is_empty()) {
            let named = PathBuf::from(named);
            return match version_of(&named) {
                Some(version) => Self::checked(named, version),
                None => Err(LoadError::NoClang { looked: format!("`{}` from TAW_CLANG", named.display()) }),
            };
        }
        let candidates = [format!("clang-{LLVM_VERSION}"), format!("/usr/lib/llvm-{LLVM_VERSION}/bin/clang")];
        for candidate in &candidates {
            if let Some(version) = version_of(Path::new(candidate)) {
                return Self::checked(PathBuf::from(candidate), version);
            }
        }
        Err(LoadError::NoClang { looked: candidates.join(", ") })
    }

    fn checked(path: PathBuf, version: String) -> Result<Self, LoadError> {
        if version.split('.').next() == Some(&LLVM_VERSION.to_string()) {
            Ok(Clang { path, version })
        } else {
            Err(LoadError::ClangVersion { path, found: version })
        }
    }

    /// The program to run.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its version, as `22.1.8`.
    pub fn version(&self) -> &str {
        &self.version
    }
}

/// The version that a compiler reports; `None` if it does not run or is no clang.
fn version_of(path: &Path) -> Option<String> {
    let output = Command::new(path).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, rest) = text.lines().next()?.split_once("clang version ")?;
    Some(rest.split([' ', '(', '-', '+']).next()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_compiler_of_the_right_version() {
        let clang = Clang::find().expect("clang is part of the set-up");
        assert!(clang.version().starts_with(&format!("{LLVM_VERSION}.")), "{clang:?}");
    }

    #[test]
    fn another_version_is_refused() {
        let wrong = Clang::checked(PathBuf::from("clang-14"), "14.0.6".into()).expect_err("it is too old");
        assert_eq!(
            wrong.to_string(),
            "`clang-14` is of LLVM 14.0.6, but Taw reads LLVM 22; install clang-22 or name it in TAW_CLANG"
        );
    }

    #[test]
    fn a_program_that_is_no_clang_has_no_version() {
        assert_eq!(version_of(Path::new("true")), None);
        assert_eq!(version_of(Path::new("no-such-program-at-all")), None);
    }
}
