//! Taw's side: a keeper that was started, and what it is asked.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fmt, fs};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{AtFlags, CWD, FileType, Gid, Uid, chownat, fchown, fstat};
use rustix::process::geteuid;

use crate::Offer;
use crate::job::{Ask, Ended, Job, Say};
use crate::keeper::{self, ASKED, NOBODY};
use crate::link;

/// How often somebody who waits is asked whether to go on.
const GLANCE: Duration = Duration::from_millis(20);

/// How far programs are confined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Confinement {
    /// As far as this machine allows; where it allows nothing, nothing is run.
    #[default]
    Whole,
    /// By Landlock and filters only, as in most containers.
    WithoutNamespaces,
    /// By namespaces and filters only, as on older kernels.
    WithoutLandlock,
    /// Not at all: the user says that the program is harmless.
    None,
}

impl Confinement {
    const WORDS: [(Confinement, &'static str); 4] = [
        (Confinement::Whole, "whole"),
        (Confinement::WithoutNamespaces, "without-namespaces"),
        (Confinement::WithoutLandlock, "without-landlock"),
        (Confinement::None, "none"),
    ];

    /// The confinement of that name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, name)| *name == word).map(|(confinement, _)| *confinement)
    }

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(confinement, _)| *confinement == self).map_or("whole", |(_, word)| word)
    }
}

/// How to start a keeper: an executable whose `main` calls [`crate::serve_if_asked`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keeper {
    /// The executable.
    program: PathBuf,
    /// How far its programs are confined.
    confinement: Confinement,
}

/// Why this executable cannot be a keeper.
#[derive(Debug)]
pub enum NoKeeper {
    /// Its `main` does not begin with [`crate::serve_if_asked`]: started again, it would do all that it does once more.
    DoesNotServe,
    /// The system does not say which executable it is.
    Nameless(io::Error),
}

impl fmt::Display for NoKeeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoKeeper::DoesNotServe => f.write_str(
                "this program is not prepared to keep programs under test: let its `main` begin with `serve_if_asked`, or name \
                 an executable that does, as `taw` is one",
            ),
            NoKeeper::Nameless(error) => write!(f, "cannot find Taw's own executable: {error}"),
        }
    }
}

impl std::error::Error for NoKeeper {}

impl Keeper {
    /// This very executable.
    ///
    /// # Errors
    /// If its `main` has not called [`crate::serve_if_asked`], or the system does not say which it is.
    pub fn this(confinement: Confinement) -> Result<Self, NoKeeper> {
        let program = env::current_exe().map_err(NoKeeper::Nameless)?;
        let keeper = Keeper { program, confinement };
        keeper.is_prepared().map(|()| keeper)
    }

    /// Another executable that keeps programs, of the same version of Taw: `taw` itself, or one that begins as it does.
    pub fn at(program: impl Into<PathBuf>, confinement: Confinement) -> Self {
        Keeper { program: program.into(), confinement }
    }

    /// This executable is not started again unless it has shown that it expects that, whoever names it: its `main` would run.
    fn is_prepared(&self) -> Result<(), NoKeeper> {
        let same = |this: &Path| this == self.program || fs::canonicalize(&self.program).is_ok_and(|path| path == this);
        match keeper::serves() || !env::current_exe().is_ok_and(|this| same(&this)) {
            true => Ok(()),
            false => Err(NoKeeper::DoesNotServe),
        }
    }
}

/// A cage for one program at a time. Dropping it ends the program.
#[derive(Debug)]
pub struct Cage {
    keeper: Child,
    link: UnixStream,
    offer: Offer,
}

impl Cage {
    /// Starts a keeper.
    ///
    /// # Errors
    /// Why this machine offers no confinement, in words that name the way out.
    pub fn open(keeper: &Keeper) -> Result<Self, String> {
        keeper.is_prepared().map_err(|why| why.to_string())?;
        match Self::start_keeper(keeper, keeper.confinement) {
            // Namespaces may be refused half-way; then Landlock must do.
            Err(why) if keeper.confinement == Confinement::Whole => {
                let mut cage = Self::start_keeper(keeper, Confinement::WithoutNamespaces).map_err(|also| {
                    format!("this machine offers no confinement (namespaces: {why}; without: {also})")
                })?;
                cage.offer.no_namespaces = Some(why);
                Ok(cage)
            }
            other => other.map_err(|why| format!("this machine offers no confinement ({why})")),
        }
    }

    fn start_keeper(keeper: &Keeper, confinement: Confinement) -> Result<Self, String> {
        let (link, theirs) = UnixStream::pair().map_err(|error| error.to_string())?;
        let mut command = Command::new(&keeper.program);
        command.args([ASKED, confinement.word()]).stdin(OwnedFd::from(theirs));
        command.stdout(Stdio::null()).stderr(Stdio::null()).env_clear();
        let child = command.spawn().map_err(|error| format!("{}: {error}", keeper.program.display()))?;
        // It has the keeper's end of the link, which would then never be closed.
        drop(command);
        // A keeper that says nothing is none; it is ended by dropping.
        let mut cage = Cage { keeper: child, link, offer: Offer::default() };
        match link::receive(&cage.link).map_err(|error| error.to_string())? {
            Some((Say::Ready(offer), _)) => cage.offer = offer?,
            _ => return Err(format!("`{}` does not keep programs", keeper.program.display())),
        }
        Ok(cage)
    }

    /// What kind of cage it is.
    pub fn offer(&self) -> &Offer {
        &self.offer
    }

    /// Starts a program on these descriptors for standard input, output and error. Its folders must have been handed over ([`hand_over`]).
    /// [`Cage::wait`] must follow before the next.
    ///
    /// # Errors
    /// If the keeper is gone.
    pub fn start(&self, job: &Job, streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        for stream in streams {
            hand_over_pipe(stream)?;
        }
        link::send(&self.link, &Ask::Start(Box::new(job.clone())), &streams)
    }

    /// Has the program ended, if it still runs.
    ///
    /// # Errors
    /// If the keeper is gone.
    pub fn kill(&self) -> io::Result<()> {
        link::send(&self.link, &Ask::Kill, &[])
    }

    /// Waits until nothing is left of the program. It is ended as soon as `stop` says so.
    ///
    /// # Errors
    /// If the keeper is gone.
    pub fn wait(&self, mut stop: impl FnMut() -> bool) -> io::Result<Ended> {
        let mut told = false;
        let glance = Timespec { tv_sec: 0, tv_nsec: GLANCE.as_nanos() as i64 };
        loop {
            let mut link = [PollFd::new(&self.link, PollFlags::IN)];
            let ready = poll(&mut link, Some(&glance)).or_else(|error| match error {
                rustix::io::Errno::INTR => Ok(0),
                error => Err(error),
            })?;
            if ready > 0 {
                return match link::receive(&self.link)? {
                    Some((Say::Ended(ended), _)) => Ok(ended),
                    _ => Err(io::Error::other("the process that keeps programs under test has ended")),
                };
            }
            if !told && stop() {
                told = true;
                self.kill()?;
            }
        }
    }

    /// Runs a program to its end.
    ///
    /// # Errors
    /// If the keeper is gone.
    pub fn run(&self, job: &Job, streams: [BorrowedFd<'_>; 3], stop: impl FnMut() -> bool) -> io::Result<Ended> {
        self.start(job, streams)?;
        self.wait(stop)
    }
}

impl Drop for Cage {
    fn drop(&mut self) {
        // It sees that the link is closed, ends what it has started, and itself.
        let _ = self.link.shutdown(std::net::Shutdown::Both);
        let _ = self.keeper.wait();
    }
}

/// Gives a folder of Taw's own to the user that caged programs run as, if that is another: root's programs run as nobody.
///
/// # Errors
/// If it cannot be given.
pub fn hand_over(folder: &Path) -> io::Result<()> {
    if !geteuid().is_root() {
        return Ok(());
    }
    let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    chownat(CWD, folder, Some(uid), Some(gid), AtFlags::SYMLINK_NOFOLLOW)?;
    if fs::symlink_metadata(folder)?.is_dir() {
        for entry in fs::read_dir(folder)? {
            hand_over(&entry?.path())?;
        }
    }
    Ok(())
}

/// Hands a pipe over to the program, which may open it once more by a name like `/dev/stdin`.
fn hand_over_pipe(stream: BorrowedFd<'_>) -> io::Result<()> {
    if geteuid().is_root() && FileType::from_raw_mode(fstat(stream)?.st_mode) == FileType::Fifo {
        fchown(stream, Some(Uid::from_raw(NOBODY)), Some(Gid::from_raw(NOBODY)))?;
    }
    Ok(())
}

/// Whether a file can be executed by the user that caged programs run as, wherever it lies.
pub fn can_execute(file: &Path) -> bool {
    is_open(file, 0o5)
}

/// Whether a file can be read by the user that caged programs run as, wherever it lies.
pub fn can_read(file: &Path) -> bool {
    is_open(file, 0o4)
}

fn is_open(file: &Path, bits: u32) -> bool {
    let allows = |path: &Path, bits: u32| {
        fs::metadata(path).is_ok_and(|data| data.permissions().mode() & bits == bits || data.uid() == NOBODY)
    };
    let folders = file.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
    !geteuid().is_root() || allows(file, bits) && folders.into_iter().all(|path| allows(path, 0o1))
}
