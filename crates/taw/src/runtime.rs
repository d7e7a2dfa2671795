//! What programs under test are given: the headers, and the C library as bitcode. Both are inside the executable, so
//! that `taw` can be copied anywhere.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Error;

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
pub fn sysroot() -> io::Result<PathBuf> {
    // Neither may be relative: the current folder can be anybody's.
    let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
    // Among the temporary files of all users, each has one of their own.
    let shared = std::env::temp_dir().join(format!("taw-cache-{}", taw_files::user()));
    let places = cache.map(|cache| cache.join("taw")).into_iter().chain([shared]);
    let mut result = Err(io::ErrorKind::NotFound.into());
    for place in places {
        result = unpacked(&place, embedded::SYSROOT_NAME);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Unpacks beside the final place and renames: another Taw may be doing the same. Programs are compiled with what is there, so
/// nobody else must have been able to put it there.
fn unpacked(place: &Path, name: &str) -> io::Result<PathBuf> {
    let there = place.join(name);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    match taw_files::private_folder(place) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => taw_files::only_ours(place)?,
    }
    if there.symlink_metadata().is_ok() {
        taw_files::only_ours(&there)?;
        return Ok(there);
    }
    let usual = fs::Permissions::from_mode(0o755);
    let fresh = tempfile::Builder::new().prefix("unpacking-").permissions(usual).tempdir_in(place)?;
    tar::Archive::new(flate2::read::GzDecoder::new(embedded::SYSROOT)).unpack(fresh.path())?;
    match fs::rename(fresh.path(), &there) {
        Ok(()) => {
            let _ = fresh.keep();
        }
        Err(_) if taw_files::only_ours(&there).is_ok() => {}
        Err(error) => return Err(error),
    }
    Ok(there)
}

/// The C source of the library that gives native programs the inputs of a test.
pub(crate) const REPLAY: &str = embedded::REPLAY;

/// A folder for `-I` with `taw.h`, `klee/klee.h` and their like; gone when dropped.
pub(crate) fn include_folder() -> Result<TempDir, Error> {
    headers().map_err(Error::Headers)
}

fn headers() -> io::Result<TempDir> {
    let folder = taw_files::scratch("taw-include-")?;
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
