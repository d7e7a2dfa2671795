//! What programs under test are given: the headers, and the C library as bitcode. Both are inside the executable, so
//! that `taw` can be copied anywhere.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/runtime.rs"));
}

/// The library's modules with names for messages, for every data layout; the loader takes those that fit.
pub(crate) fn modules() -> Vec<(String, &'static [u8])> {
    embedded::MODULES.iter().map(|&(name, bitcode)| (name.to_owned(), bitcode)).collect()
}

/// The folder with the headers and native libraries of the C library, unpacked once per user and version of Taw.
///
/// # Errors
/// If there is no place to unpack it to.
pub(crate) fn sysroot() -> io::Result<PathBuf> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    let places = cache.map(|cache| cache.join("taw")).into_iter().chain([std::env::temp_dir().join("taw-cache")]);
    let mut result = Err(io::ErrorKind::NotFound.into());
    for place in places {
        result = unpacked(&place, embedded::SYSROOT_NAME);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Unpacks beside the final place and renames: another Taw may be doing the same.
fn unpacked(place: &Path, name: &str) -> io::Result<PathBuf> {
    let there = place.join(name);
    if there.is_dir() {
        return Ok(there);
    }
    fs::create_dir_all(place)?;
    let fresh = TempDir::with_prefix_in("unpacking-", place)?;
    tar::Archive::new(flate2::read::GzDecoder::new(embedded::SYSROOT)).unpack(fresh.path())?;
    match fs::rename(fresh.path(), &there) {
        Ok(()) => {
            let _ = fresh.keep();
        }
        Err(_) if there.is_dir() => {}
        Err(error) => return Err(error),
    }
    Ok(there)
}

/// The C source of the library that gives native programs the inputs of a test.
pub(crate) const REPLAY: &str = embedded::REPLAY;

/// A folder for `-I` with `taw.h`, `klee/klee.h` and their like; gone when dropped.
pub(crate) fn include_folder() -> io::Result<TempDir> {
    let folder = TempDir::with_prefix("taw-include-")?;
    for (name, content) in embedded::HEADERS {
        let path = folder.path().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, content)?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headers_are_where_programs_include_them() {
        let folder = include_folder().unwrap();
        for name in ["taw.h", "klee/klee.h"] {
            assert!(folder.path().join(name).is_file(), "{name}");
        }
    }

    #[test]
    fn there_is_a_library_for_both_layouts() {
        let modules = modules();
        for layout in ["x86-64", "i386"] {
            assert!(modules.iter().any(|(name, _)| name.ends_with(layout)), "{layout}");
        }
        assert!(modules.iter().all(|(_, bitcode)| bitcode.starts_with(b"BC")));
    }
}
