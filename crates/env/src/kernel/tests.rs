//! Laws of the file system that need no program: paths, permissions, copies of the kernel.

use taw_engine::{Surroundings, Value, Witness};
use taw_expr::{Assignment, Terms};

use super::content::{Data, FileContent, known};
use super::errno::Errno;
use super::fd::flags;
use super::fs::{NamePlace, Replace};
use super::inode::{Directory, Ino, InodeKind};
use super::path::{Last, ResolvedPath, Want};
use super::{Kernel, tree};
use crate::World;

fn kernel() -> Kernel {
    Kernel::new(World::default())
}

fn look(kernel: &mut Kernel, path: &str, want: Want) -> Result<ResolvedPath, Errno> {
    kernel.walk_known(kernel.cwd, path.as_bytes(), want)
}

fn find(kernel: &mut Kernel, path: &str) -> Result<Ino, Errno> {
    look(kernel, path, Want::Target)?.found.ok_or(Errno::ENOENT)
}

fn make(kernel: &mut Kernel, path: &str, kind: InodeKind, mode: u32) -> Result<Ino, Errno> {
    let walked = look(kernel, path, Want::NewName)?;
    assert!(walked.found.is_none(), "{path} is there");
    let actor = kernel.actor();
    kernel.fs.create(NamePlace { dir: walked.dir, name: walked.name }, kind, mode, &actor)
}

fn folder(kernel: &mut Kernel, path: &str, mode: u32) -> Ino {
    make(kernel, path, InodeKind::Directory(Directory::new(0)), mode).expect("a folder")
}

fn file(kernel: &mut Kernel, path: &str, text: &str) -> Ino {
    let content = FileContent::new(&Data::Known(text.as_bytes().to_vec()));
    make(kernel, path, InodeKind::Regular(content), 0o644).expect("a file")
}

fn link(kernel: &mut Kernel, path: &str, target: &str) {
    make(kernel, path, InodeKind::Symlink(known(target.as_bytes()).into()), 0o777).expect("a link");
}

fn rename(kernel: &mut Kernel, from: &str, to: &str) -> Result<(), Errno> {
    let (old, new) = (look(kernel, from, Want::Name)?, look(kernel, to, Want::NewName)?);
    let actor = kernel.actor();
    let (from, to) = (NamePlace { dir: old.dir, name: old.name }, NamePlace { dir: new.dir, name: new.name });
    kernel.fs.rename(&from, old.found.ok_or(Errno::ENOENT)?, to, new.found, Replace::Yes, &actor)
}

#[test]
fn paths_lead_through_folders_and_links() {
    let mut k = kernel();
    let d = folder(&mut k, "d", 0o755);
    let f = file(&mut k, "d/f", "");
    link(&mut k, "d/up", "..");
    link(&mut k, "far", "/home/user/d/up/d");
    for path in ["d/f", "./d//f", "d/../d/f", "far/f", "d/up/far/./f", "/home/user/d/f", "/proc/../home/user/d/f"] {
        assert_eq!(find(&mut k, path), Ok(f), "{path}");
    }
    assert_eq!(find(&mut k, "far/"), Ok(d));
    assert_eq!(find(&mut k, "d/f/"), Err(Errno::ENOTDIR));
    assert_eq!(find(&mut k, "d/f/.."), Err(Errno::ENOTDIR));
    assert_eq!(find(&mut k, "no/f"), Err(Errno::ENOENT));
    assert_eq!(find(&mut k, "").err(), Some(Errno::ENOENT));
    assert_eq!(look(&mut k, "d/.", Want::Name).expect("a folder").last, Last::Dot);
    assert_eq!(look(&mut k, "/", Want::Name).expect("the root").last, Last::Root);
}

#[test]
fn links_in_a_circle_and_names_too_long_are_refused() {
    let mut k = kernel();
    link(&mut k, "a", "b");
    link(&mut k, "b", "a");
    assert_eq!(find(&mut k, "a"), Err(Errno::ELOOP));
    assert!(look(&mut k, "a", Want::Itself).is_ok());
    assert_eq!(find(&mut k, &"n".repeat(256)), Err(Errno::ENAMETOOLONG));
    assert_eq!(find(&mut k, &"n".repeat(255)), Err(Errno::ENOENT));
    assert_eq!(find(&mut k, &"n/".repeat(2048)), Err(Errno::ENAMETOOLONG));
    link(&mut k, "l0", ".");
    for i in 1..=40 {
        link(&mut k, &format!("l{i}"), &format!("l{}", i - 1));
    }
    assert!(find(&mut k, "l39").is_ok());
    assert_eq!(find(&mut k, "l40"), Err(Errno::ELOOP));
}

#[test]
fn permissions_are_those_of_the_first_class_that_fits() {
    let mut k = kernel();
    folder(&mut k, "closed", 0o600);
    let open = folder(&mut k, "open", 0o711);
    file(&mut k, "open/f", "");
    assert_eq!(find(&mut k, "closed/f"), Err(Errno::EACCES));
    k.fs.inode_mut(open).uid = 0;
    assert!(find(&mut k, "open/f").is_ok(), "the group may search it");
    assert_eq!(make(&mut k, "open/g", InodeKind::Symlink(known(b"x").into()), 0o777), Err(Errno::EACCES));
    k.fs.inode_mut(open).mode = 0o705;
    assert_eq!(find(&mut k, "open/f"), Err(Errno::EACCES), "its group has less than the others");
    k.who.uid = 0;
    assert!(find(&mut k, "open/f").is_ok(), "root may");
}

#[test]
fn in_a_sticky_folder_only_owners_take_names_away() {
    let mut k = kernel();
    let f = file(&mut k, "/tmp/f", "");
    k.fs.inode_mut(f).uid = 7;
    let place = look(&mut k, "/tmp/f", Want::Name).expect("the file");
    let place = NamePlace { dir: place.dir, name: place.name };
    let actor = k.actor();
    assert_eq!(k.fs.unlink(&place, f, &actor), Err(Errno::EPERM));
    assert_eq!(rename(&mut k, "/tmp/f", "mine"), Err(Errno::EPERM));
    k.fs.inode_mut(f).uid = k.who.uid;
    assert_eq!(k.fs.unlink(&place, f, &actor), Ok(()));
}

#[test]
fn a_folder_never_moves_into_itself_and_counts_its_links() {
    let mut k = kernel();
    let d = folder(&mut k, "d", 0o755);
    let e = folder(&mut k, "d/e", 0o755);
    assert_eq!(k.fs.inode(d).links, 3);
    assert_eq!(rename(&mut k, "d", "d/e/x"), Err(Errno::EINVAL));
    assert_eq!(rename(&mut k, "d/e", "d"), Err(Errno::ENOTEMPTY));
    assert_eq!(rename(&mut k, "d/e", "e"), Ok(()));
    assert_eq!((k.fs.inode(d).links, find(&mut k, "e/..")), (2, Ok(k.cwd)));
    file(&mut k, "f", "");
    assert_eq!(rename(&mut k, "e", "f"), Err(Errno::ENOTDIR));
    assert_eq!(rename(&mut k, "f", "e"), Err(Errno::EISDIR));
    assert_eq!(rename(&mut k, "e", "d"), Ok(()));
    assert_eq!(find(&mut k, "d"), Ok(e));
}

#[test]
fn a_file_lives_until_its_last_name_and_its_last_user_are_gone() {
    let mut k = kernel();
    let f = file(&mut k, "f", "text");
    let fd = k.install(f, 0).expect("a descriptor");
    let other = k.free_fd(0).expect("a descriptor");
    k.duplicate(fd, other, false).expect("a copy");
    let place = look(&mut k, "f", Want::Name).expect("the file");
    let actor = k.actor();
    k.fs.unlink(&NamePlace { dir: place.dir, name: place.name }, f, &actor).expect("no name");
    assert!(find(&mut k, "f").is_err() && k.fs.lives(f));
    k.close(fd).expect("open");
    assert!(k.fs.lives(f));
    k.close(other).expect("open");
    assert!(!k.fs.lives(f));
    assert_eq!(k.close(fd), Err(Errno::EBADF));
}

#[test]
fn no_copy_of_the_kernel_sees_what_another_did() {
    let mut a = kernel();
    let f = file(&mut a, "f", "before");
    let mut b = a.clone();
    let InodeKind::Regular(content) = &mut b.fs.inode_mut(f).kind else { panic!("a file") };
    content.write(0, &Data::Known(b"after!".to_vec()));
    folder(&mut b, "d", 0o755);
    rename(&mut b, "f", "g").expect("renamed");
    let InodeKind::Regular(content) = &a.fs.inode(f).kind else { panic!("a file") };
    assert_eq!(content.read(0, 9), Data::Known(b"before".to_vec()));
    assert_eq!((find(&mut a, "f"), find(&mut a, "g"), find(&mut a, "d").is_err()), (Ok(f), Err(Errno::ENOENT), true));
}

#[test]
fn the_lowest_free_descriptor_is_given_up_to_the_limit() {
    let mut k = kernel();
    let null = find(&mut k, "/dev/null").expect("a device");
    for wanted in 3..1024 {
        assert_eq!(k.install(null, flags::RDWR), Ok(wanted));
    }
    assert_eq!(k.install(null, 0), Err(Errno::EMFILE));
    k.close(500).expect("open");
    assert_eq!(k.install(null, 0), Ok(500));
}

#[test]
fn what_is_given_is_what_there_is_at_the_start() {
    let mut k = kernel();
    let bytes: Vec<Value> = known(b"a\0b");
    k.add_file("dir/name", &bytes);
    k.set_stdin(&bytes);
    let f = find(&mut k, "dir/name").expect("the file");
    assert_eq!((k.fs.inode(f).size(), k.fs.inode(f).uid), (3, 1000));
    let passwd = find(&mut k, "/etc/passwd").expect("the file");
    assert_eq!(k.fs.inode(passwd).uid, tree::ROOT.uid);
    // Only what the user gave is part of a test, and nothing was given here.
    let given = k.given(&Terms::new(), &mut Witness::new(Assignment::new()));
    assert!(given.files.is_empty());
}
