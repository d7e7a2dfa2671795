//! Namespaces: a view of the machine in which everything is read-only but the scratch folder, with no network but loopback inside, and in which
//! the processes of a run are alone.
//!
//! Those that all runs of a keeper can share (user, network) are entered once, those of a run (processes, mounts, ipc) by `clone`. The folders in
//! which programs expect to write temporary files are the run's own.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind_recursive, mount_change, mount_remount};
use rustix::net::{AddressFamily, SendFlags, SocketFlags, SocketType, send, socket_with};
use rustix::process::{getgid, getuid};

use crate::job::Job;
use crate::raw;
use crate::walls::DEVICES;

/// What a run gets of its own by `clone`.
pub(crate) const OF_A_RUN: i32 = libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC;

/// Folders that hold temporary files or sockets of others: a run sees empty ones of its own instead.
pub(crate) const OWN: [&str; 4] = ["/tmp", "/var/tmp", "/dev/shm", "/run"];

/// Where they are in the scratch folder.
const OWN_IN_SCRATCH: &str = ".own";

/// Enters namespaces that all runs share, and makes the view read-only.
///
/// # Errors
/// What the machine does not allow. This process is then of no further use.
pub(crate) fn enter() -> Result<(), String> {
    let (uid, gid) = (getuid().as_raw(), getgid().as_raw());
    raw::enter_namespaces().map_err(|error| format!("they are not allowed: {error}"))?;
    let map = |file: &str, text: String| fs::write(file, text).map_err(|error| format!("{file}: {error}"));
    map("/proc/self/setgroups", "deny".into())?;
    // As themselves: a program that asks who it is should not hear "root".
    map("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
    map("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
    loopback().map_err(|error| format!("no loopback: {error}"))?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .map_err(|error| format!("mounts cannot be changed: {error}"))?;
    for (place, flags) in mounts().map_err(|error| format!("no list of mounts: {error}"))? {
        // One that is covered by another cannot be seen, and cannot be changed.
        if let Err(error) =
            mount_remount(&place, flags | MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID, "")
            && place.exists()
            && error != rustix::io::Errno::INVAL
        {
            return Err(format!("`{}` cannot be made read-only: {error}", place.display()));
        }
    }
    Ok(())
}

/// Brings the loopback device up: every network namespace starts with it down.
fn loopback() -> io::Result<()> {
    const RTM_NEWLINK: u16 = 16;
    const REQUEST: u16 = 1;
    const UP: u32 = 1;
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    let mut message = Vec::new();
    message.extend(32u32.to_ne_bytes());
    message.extend(RTM_NEWLINK.to_ne_bytes());
    message.extend(REQUEST.to_ne_bytes());
    message.extend([0; 8]);
    // Family and type do not matter; the first device, its flags, and which of them to change.
    message.extend([0; 4]);
    message.extend(1i32.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    send(&socket, &message, SendFlags::empty())?;
    Ok(())
}

/// Places where something is mounted, and the flags that must stay.
fn mounts() -> io::Result<Vec<(PathBuf, MountFlags)>> {
    let text = fs::read_to_string("/proc/self/mountinfo")?;
    let line = |line: &str| {
        let mut words = line.split(' ').skip(4);
        let place = unescaped(words.next()?);
        let flags = words.next()?.split(',').map(|option| match option {
            "nodev" => MountFlags::NODEV,
            "noexec" => MountFlags::NOEXEC,
            "noatime" => MountFlags::NOATIME,
            "nodiratime" => MountFlags::NODIRATIME,
            "relatime" => MountFlags::RELATIME,
            _ => MountFlags::empty(),
        });
        Some((place, flags.collect()))
    };
    Ok(text.lines().filter_map(line).collect())
}

/// Blanks and their like are octal in that list.
fn unescaped(word: &str) -> PathBuf {
    let mut text = word.to_owned();
    for (code, plain) in [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")] {
        text = text.replace(code, plain);
    }
    text.into()
}

/// Furnishes the namespaces of a run, from inside: its scratch folder, its own temporary folders, its own list of processes.
///
/// # Errors
/// What could not be done.
pub(crate) fn furnish(job: &Job) -> Result<(), String> {
    let told = |what: &Path| {
        let what = what.display().to_string();
        move |error: io::Error| format!("cannot show the run `{what}`: {error}")
    };
    writable(&job.scratch, &job.scratch).map_err(told(&job.scratch))?;
    // Opened while they can be seen.
    let shown: Vec<&Path> =
        [&job.scratch].into_iter().chain(&job.visible).chain([&job.program]).map(PathBuf::as_path).collect();
    let open = |path: &Path| openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok();
    let opened: Vec<_> = shown.iter().map(|path| open(path)).collect();
    let through = |fd: &OwnedFd| Path::new("/proc/self/fd").join(fd.as_raw_fd().to_string());
    let Some(Some(scratch)) = opened.first() else { return Err("the scratch folder is not there".into()) };
    for own in OWN.iter().map(Path::new).filter(|own| own.is_dir()) {
        let inside = through(scratch).join(OWN_IN_SCRATCH).join(own.strip_prefix("/").unwrap_or(own));
        fs::create_dir_all(&inside).and_then(|()| writable(&inside, own)).map_err(told(own))?;
    }
    for (number, (path, opened)) in shown.iter().zip(&opened).enumerate() {
        let is_there = shown[..number].iter().any(|before| path.starts_with(before));
        // What does not exist is missed when it is used.
        let Some(opened) = opened.as_ref().filter(|_| is_hidden(path) && !is_there) else { continue };
        show(&through(opened), path, number == 0).map_err(told(path))?;
    }
    for device in DEVICES {
        // So that they work where `/dev` does not allow devices; elsewhere it changes nothing.
        let _ = mount_bind_recursive(device, device);
    }
    // Where an older list must stay visible the kernel does not allow a new one; the old one is read-only.
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let _ = mount("proc", "/proc", "proc", flags, None);
    Ok(())
}

/// Whether a path lies in a folder of which the run has its own.
fn is_hidden(path: &Path) -> bool {
    OWN.iter().any(|own| path != Path::new(own) && path.starts_with(own))
}

/// Shows a file or folder at its place in a folder that is the run's own.
fn show(source: &Path, place: &Path, to_write: bool) -> io::Result<()> {
    if source.is_dir() {
        fs::create_dir_all(place)?;
    } else {
        fs::create_dir_all(place.parent().unwrap_or(place))?;
        File::create(place)?;
    }
    if to_write { writable(source, place) } else { bind(source, place) }
}

fn bind(source: &Path, place: &Path) -> io::Result<()> {
    Ok(mount_bind_recursive(source, place)?)
}

/// Shows a folder at a place, to be changed there.
fn writable(source: &Path, place: &Path) -> io::Result<()> {
    bind(source, place)?;
    let flags = MountFlags::BIND | MountFlags::NOSUID | MountFlags::NODEV;
    Ok(mount_remount(place, flags, "")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_read_with_their_flags() {
        let all = mounts().unwrap();
        assert!(all.iter().any(|(place, _)| place == Path::new("/")), "{all:?}");
        assert_eq!(unescaped("/a\\040b\\134"), Path::new("/a b\\"));
    }

    #[test]
    fn temporary_folders_are_hidden_and_others_are_not() {
        assert!(is_hidden(Path::new("/tmp/x")) && !is_hidden(Path::new("/dev/shm")));
        assert!(!is_hidden(Path::new("/tmpx")) && !is_hidden(Path::new("/usr/lib")));
    }
}
