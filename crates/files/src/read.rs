//! Reading that ends: of names that stand in a file only regular files are opened, and nothing is read beyond a size.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

/// Opens a regular file; a pipe or a device is refused without waiting for it.
///
/// # Errors
/// What the system says, or that it is something else.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Looking first: to open some devices is to use them.
    regular(&fs::metadata(path)?)?;
    let flags = i32::try_from((OFlags::NONBLOCK | OFlags::NOCTTY).bits()).unwrap_or(0);
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// The content of a regular file of at most `limit` bytes.
///
/// # Errors
/// What the system says, or that it is something else, or larger.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    bounded(open_regular(path)?, limit)
}

/// The content, of at most `limit` bytes, of what the user has named: it may be a pipe.
///
/// # Errors
/// What the system says, or that it is larger.
pub fn read_named(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    bounded(File::open(path)?, limit)
}

fn regular(metadata: &fs::Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

fn bounded(file: File, limit: u64) -> io::Result<Vec<u8>> {
    // Asked first, because a file that is too large need not be read to be refused.
    if file.metadata()?.len() > limit { Err(too_large(limit)) } else { read_stream(file, limit) }
}

/// All that a stream gives, of at most `limit` bytes.
///
/// # Errors
/// What the system says, or that it is more.
pub fn read_stream(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    stream.take(limit.saturating_add(1)).read_to_end(&mut content)?;
    if content.len() as u64 > limit { Err(too_large(limit)) } else { Ok(content) }
}

fn too_large(limit: u64) -> io::Error {
    io::Error::other(format!("it has more than {} MB", limit >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    #[test]
    fn what_does_not_end_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), 0o600.into()).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("link")).unwrap();
        for path in [at("pipe"), at("socket"), at("link"), "/dev/zero".into(), "/dev/stdin".into(), at("")] {
            assert!(open_regular(&path).is_err(), "{}", path.display());
        }
        assert!(read_named(Path::new("/dev/zero"), 1 << 20).unwrap_err().to_string().contains("more than 1 MB"));
    }

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_regular(&path, 5).unwrap(), b"12345");
        assert!(read_regular(&path, 4).is_err());
        // Sparse: only its size is large.
        File::create(&path).unwrap().set_len(10 << 30).unwrap();
        assert!(read_regular(&path, 1 << 20).is_err());
    }
}
