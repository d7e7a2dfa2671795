//! The files that are there before the program starts.

use taw_engine::Stream;

use super::content::{Data, known};
use super::fs::Fs;
use super::inode::{Credentials, Device, Ino, Inode, InodeKind, Time};

/// Root, whom the system's files belong to.
pub const ROOT: Credentials = Credentials { uid: 0, gid: 0 };

/// The folders of the tree that the kernel must know.
#[derive(Clone, Copy, Debug)]
pub struct FolderTree {
    /// The current folder at the start.
    pub home: Ino,
    /// `/proc/self`.
    pub proc_self: Ino,
    /// What standard output is.
    pub out: Ino,
    /// What standard error is.
    pub err: Ino,
}

/// Makes the tree.
pub fn plant(fs: &mut Fs, user: &Credentials, now: Time) -> FolderTree {
    let root = fs.root();
    for name in ["bin", "usr", "var", "proc", "dev", "etc", "home", "tmp"] {
        fs.folder(root, name.as_bytes());
    }
    let tmp = fs.folder(root, b"tmp");
    fs.inode_mut(tmp).mode = 0o1777;
    let passwd = b"root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:User:/home/user:/bin/sh\n";
    fs.put(root, b"/etc/passwd", &Data::Known(passwd.to_vec()), &ROOT);
    fs.put(root, b"/etc/group", &Data::Known(b"root:x:0:\nuser:x:1000:\n".to_vec()), &ROOT);
    let home = fs.folder(root, b"home");
    let home = fs.folder(home, b"user");
    (fs.inode_mut(home).uid, fs.inode_mut(home).gid) = (user.uid, user.gid);
    let proc_self = plant_proc(fs, user, now);
    fs.give_to_the_machine();
    // Natively the program has a folder of its own, too.
    fs.inode_mut(home).of_the_machine = false;
    plant_devices(fs, now);
    let stream = |stream| {
        let mut inode = Inode::new(InodeKind::Stream(stream), 0o600, user, now);
        inode.links = 1;
        inode
    };
    let (out, err) = (fs.add(stream(Stream::Out)), fs.add(stream(Stream::Err)));
    FolderTree { home, proc_self, out, err }
}

fn plant_proc(fs: &mut Fs, user: &Credentials, now: Time) -> Ino {
    let root = fs.root();
    let proc = fs.folder(root, b"proc");
    let own = fs.folder(proc, b"self");
    (fs.inode_mut(own).uid, fs.inode_mut(own).gid) = (user.uid, user.gid);
    let mut descriptors = Inode::new(InodeKind::Descriptors, 0o500, user, now);
    descriptors.links = 2;
    fs.place(own, known(b"fd").into(), descriptors);
    let mounts = Data::Known(b"/dev/root / ext4 rw,relatime 0 0\n".to_vec());
    let detailed = Data::Known(b"1 0 8:1 / / rw,relatime - ext4 /dev/root rw\n".to_vec());
    for (path, data) in [("/proc/mounts", &mounts), ("/etc/mtab", &mounts), ("/proc/self/mountinfo", &detailed)] {
        fs.put(root, path.as_bytes(), data, &ROOT);
    }
    own
}

fn plant_devices(fs: &mut Fs, now: Time) {
    let root = fs.root();
    let dev = fs.folder(root, b"dev");
    for (name, device) in [
        ("null", Device::Null),
        ("zero", Device::Zero),
        ("full", Device::Full),
        ("random", Device::Random),
        ("urandom", Device::Urandom),
        ("tty", Device::Tty),
    ] {
        let mut inode = Inode::new(InodeKind::Device(device), 0o666, &ROOT, now);
        inode.of_the_machine = matches!(device, Device::Random | Device::Urandom | Device::Tty);
        fs.place(dev, known(name.as_bytes()).into(), inode);
    }
    for (name, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ] {
        let link = InodeKind::Symlink(known(target.as_bytes()).into());
        fs.place(dev, known(name.as_bytes()).into(), Inode::new(link, 0o777, &ROOT, now));
    }
}
