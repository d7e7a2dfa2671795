//! Stopping between compiling and linking, for command lines that do both: `taw cc a.c b.c -o program`.
//!
//! Clang deletes the objects as soon as they are linked, so their records must be in them before. Clang is told that its
//! linker is a script of ours, which tells the driver through a pipe that the objects are there, waits for its answer,
//! and becomes the real linker with the words that clang has given. Everything else, with all messages, is clang's.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::io::{FdFlags, fcntl_setfd};

/// Both ends of both pipes. The children inherit theirs.
pub(crate) struct StopPipes {
    script: PathBuf,
    ready: PipeReader,
    go: PipeWriter,
    /// The children's ends, which we must close for the pipes to end.
    theirs: (PipeWriter, PipeReader),
}

/// Our ends, when clang runs.
pub(crate) struct Waiting {
    ready: PipeReader,
    go: PipeWriter,
}

impl StopPipes {
    /// Prepares the script in `folder`. `linker` is the real one.
    pub(crate) fn before(linker: &Path, folder: &Path) -> io::Result<Self> {
        let (ready, tell) = io::pipe()?;
        let (listen, go) = io::pipe()?;
        fcntl_setfd(tell.as_fd(), FdFlags::empty())?;
        fcntl_setfd(listen.as_fd(), FdFlags::empty())?;
        // `ld`, because tools that read clang's -v look for such a name.
        let script = folder.join("ld");
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o700).open(&script)?;
        writeln!(file, "#!/bin/sh")?;
        writeln!(file, "echo ready > /dev/fd/{}; read answer < /dev/fd/{}", tell.as_raw_fd(), listen.as_raw_fd())?;
        write!(file, "exec ")?;
        file.write_all(&single_quoted(linker))?;
        writeln!(file, " \"$@\"")?;
        Ok(StopPipes { script, ready, go, theirs: (tell, listen) })
    }

    /// What to tell clang.
    pub(crate) fn option(&self) -> OsString {
        let mut option = OsString::from("--ld-path=");
        option.push(&self.script);
        option
    }

    /// To be called when clang has been started: only the children keep their ends.
    pub(crate) fn started(self) -> Waiting {
        drop(self.theirs);
        Waiting { ready: self.ready, go: self.go }
    }
}

impl Waiting {
    /// Does something when clang is about to link, and then lets it link. False if clang ends without linking.
    pub(crate) fn meanwhile(mut self, work: impl FnOnce()) -> bool {
        let links = matches!(self.ready.read(&mut [0]), Ok(1));
        if links {
            work();
            // If nobody listens any more, clang was stopped, and its exit status says so.
            let _ = self.go.write_all(b"go\n");
        }
        links
    }
}

fn single_quoted(path: &Path) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\'' => quoted.extend(b"'\\''"),
            byte => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    quoted
}

/// The linker that clang would take, if it can be told without asking it.
pub(crate) fn find(args: &[OsString], clang: &Path) -> Option<PathBuf> {
    let mut name = "ld".to_owned();
    let mut folders = Vec::new();
    let mut words = args.iter().filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        if let Some(path) = word.strip_prefix("--ld-path=") {
            return executable(Path::new(path)).or_else(|| on_path(path));
        } else if let Some(kind) = word.strip_prefix("-fuse-ld=") {
            name = if kind.starts_with('/') { kind.to_owned() } else { format!("ld.{kind}") };
        } else if word == "-B" {
            folders.extend(words.next().map(PathBuf::from));
        } else if let Some(folder) = word.strip_prefix("-B") {
            folders.push(PathBuf::from(folder));
        }
    }
    if name.starts_with('/') {
        return executable(Path::new(&name));
    }
    folders.extend(fs::canonicalize(clang).ok().and_then(|clang| clang.parent().map(Path::to_path_buf)));
    folders.iter().find_map(|folder| executable(&folder.join(&name))).or_else(|| on_path(&name))
}

/// A program on the path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return executable(Path::new(name));
    }
    std::env::split_paths(&std::env::var_os("PATH")?).find_map(|folder| executable(&folder.join(name)))
}

fn executable(path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let found = fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    found.then(|| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_survive_the_shell() {
        assert_eq!(single_quoted(Path::new("/a b/it's")), b"'/a b/it'\\''s'");
    }

    #[test]
    fn the_linker_is_the_one_that_was_named() {
        let find = |words: &str| find(&words.split(' ').map(OsString::from).collect::<Vec<_>>(), Path::new("clang"));
        assert_eq!(find("--ld-path=/bin/sh -fuse-ld=lld"), Some("/bin/sh".into()));
        assert_eq!(find("-fuse-ld=/bin/sh"), Some("/bin/sh".into()));
        assert_eq!(find("-fuse-ld=no-such-linker"), None);
        assert!(find("a.c").is_some_and(|path| path.ends_with("ld")));
    }
}
