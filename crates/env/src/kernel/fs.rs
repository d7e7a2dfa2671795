//! The tree of files in memory: names are added, taken away and moved here.
//!
//! Boundary: paths are resolved before (`path.rs`); what is here works on folders and names. Each operation checks all, in the
//! order in which Linux does, before it changes anything.

use std::rc::Rc;

use taw_engine::{HoldsTerms, Value};
use taw_expr::Marks;

use super::content::{Data, FileContent, known};
use super::errno::Errno;
use super::inode::{Credentials, Directory, Ino, Inode, InodeKind, Name, Right, Time};
use super::socket::Socket;

/// The most names a file may have.
const LINKS: u64 = 65_000;

/// The files.
#[derive(Clone, Debug)]
pub struct Fs {
    inodes: imbl::OrdMap<Ino, Rc<Inode>>,
    next: Ino,
    root: Ino,
}

/// Who does something, and when.
#[derive(Clone, Debug)]
pub struct Actor {
    /// On whose behalf: what permissions are looked up for.
    pub who: Credentials,
    /// The time that inodes are stamped with.
    pub now: Time,
}

/// A name in a folder, and what it names.
#[derive(Clone, Debug)]
pub struct NamePlace {
    /// The folder.
    pub dir: Ino,
    /// The name.
    pub name: Name,
}

/// What becomes of a target that exists when something is renamed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replace {
    /// It is replaced.
    Yes,
    /// The two change places.
    Exchange,
}

impl HoldsTerms for Fs {
    fn mark(&self, marks: &mut Marks) {
        let Fs { inodes, next: _, root: _ } = self;
        inodes.values().for_each(|inode| inode.mark(marks));
    }
}

impl Fs {
    /// An empty root that belongs to root.
    pub fn new(now: Time) -> Self {
        let root = Inode::new(InodeKind::Directory(Directory::new(1)), 0o755, &Credentials { uid: 0, gid: 0 }, now);
        Fs { inodes: imbl::OrdMap::unit(1, Rc::new(root)), next: 2, root: 1 }
    }

    /// The root.
    pub fn root(&self) -> Ino {
        self.root
    }

    /// An inode that lives.
    pub fn inode(&self, ino: Ino) -> &Inode {
        &self.inodes[&ino]
    }

    /// An inode that lives, to be changed: from here on this path's own.
    pub fn inode_mut(&mut self, ino: Ino) -> &mut Inode {
        Rc::make_mut(self.inodes.get_mut(&ino).expect("an inode that is named or open lives"))
    }

    /// Whether a number is an inode's.
    pub fn lives(&self, ino: Ino) -> bool {
        self.inodes.contains_key(&ino)
    }

    /// Numbers of the sockets that are so.
    pub fn sockets(&self, wanted: impl Fn(&Socket) -> bool) -> Vec<Ino> {
        let is = |inode: &Inode| matches!(&inode.kind, InodeKind::Socket(socket) if wanted(socket));
        self.inodes.iter().filter(|(_, inode)| is(inode)).map(|(ino, _)| *ino).collect()
    }

    /// Adds an inode that has no name yet.
    pub fn add(&mut self, inode: Inode) -> Ino {
        let ino = self.next;
        self.next += 1;
        self.inodes.insert(ino, Rc::new(inode));
        ino
    }

    /// Says of all that is there that it stands for something of the machine.
    pub fn give_to_the_machine(&mut self) {
        for ino in self.inodes.keys().copied().collect::<Vec<_>>() {
            self.inode_mut(ino).of_the_machine = true;
        }
    }

    /// What a name in a folder names.
    pub fn entry(&self, dir: Ino, name: &[Value]) -> Option<Ino> {
        self.inode(dir).directory()?.named(name)
    }

    /// Gives an inode a name, without checks.
    pub fn place(&mut self, dir: Ino, name: Name, inode: Inode) -> Ino {
        let ino = self.add(inode);
        self.attach(dir, name, ino);
        ino
    }

    /// The folder of that name, made if it is not there. For the tree before the start.
    pub fn folder(&mut self, dir: Ino, name: &[u8]) -> Ino {
        let name = known(name);
        if let Some(there) = self.entry(dir, &name) {
            return there;
        }
        let (who, now) = (Credentials { uid: self.inode(dir).uid, gid: self.inode(dir).gid }, self.inode(dir).mtime);
        let mut inode = Inode::new(InodeKind::Directory(Directory::new(dir)), 0o755, &who, now);
        inode.of_the_machine = self.inode(dir).of_the_machine;
        self.place(dir, name.into(), inode)
    }

    fn directory_mut(&mut self, dir: Ino) -> &mut Directory {
        match &mut self.inode_mut(dir).kind {
            InodeKind::Directory(directory) => directory,
            _ => unreachable!("only folders have names in them"),
        }
    }

    fn attach(&mut self, dir: Ino, name: Name, ino: Ino) {
        self.directory_mut(dir).insert(name, ino);
        if let InodeKind::Directory(child) = &mut self.inode_mut(ino).kind {
            child.parent = dir;
            self.inode_mut(dir).links += 1;
        }
    }

    fn detach(&mut self, place: &NamePlace, ino: Ino) {
        self.directory_mut(place.dir).remove(&place.name);
        if self.inode(ino).is_directory() {
            self.inode_mut(place.dir).links -= 1;
        }
    }

    fn touch(&mut self, dir: Ino, now: Time) {
        let inode = self.inode_mut(dir);
        (inode.mtime, inode.ctime) = (now, now);
    }

    /// Forgets an inode that has neither names nor users.
    pub fn release(&mut self, ino: Ino) {
        if self.inode(ino).links == 0 && self.inode(ino).opens == 0 {
            self.inodes.remove(&ino);
        }
    }

    /// Whether somebody may make a name in a folder.
    ///
    /// # Errors
    /// Why not.
    pub fn may_create(&self, dir: Ino, actor: &Actor) -> Result<(), Errno> {
        let inode = self.inode(dir);
        match inode.directory() {
            None => return Err(Errno::EACCES),
            Some(directory) if directory.removed => return Err(Errno::ENOENT),
            Some(_) => {}
        }
        inode.permits(&actor.who, Right::Write)?;
        inode.permits(&actor.who, Right::Execute)
    }

    fn may_delete(&self, dir: Ino, ino: Ino, want_dir: Option<bool>, actor: &Actor) -> Result<(), Errno> {
        let (folder, victim) = (self.inode(dir), self.inode(ino));
        if folder.directory().is_none() {
            return Err(Errno::EPERM);
        }
        folder.permits(&actor.who, Right::Write)?;
        folder.permits(&actor.who, Right::Execute)?;
        let owner = [0, victim.uid, folder.uid].contains(&actor.who.uid);
        if folder.mode & 0o1000 != 0 && !owner {
            return Err(Errno::EPERM);
        }
        match (want_dir, victim.is_directory()) {
            (Some(true), false) => Err(Errno::ENOTDIR),
            (Some(false), true) => Err(Errno::EISDIR),
            _ => Ok(()),
        }
    }

    /// Makes a file of any kind under a name that is free.
    ///
    /// # Errors
    /// If the folder may not be changed.
    pub fn create(&mut self, place: NamePlace, kind: InodeKind, mode: u32, actor: &Actor) -> Result<Ino, Errno> {
        self.may_create(place.dir, actor)?;
        let mut inode = Inode::new(kind, mode, &actor.who, actor.now);
        let folder = self.inode(place.dir);
        if folder.mode & 0o2000 != 0 {
            inode.gid = folder.gid;
            inode.mode |= if inode.is_directory() { 0o2000 } else { 0 };
        }
        let ino = self.place(place.dir, place.name, inode);
        self.touch(place.dir, actor.now);
        Ok(ino)
    }

    /// Gives a file a further name.
    ///
    /// # Errors
    /// If that is not allowed.
    pub fn link(&mut self, ino: Ino, place: NamePlace, actor: &Actor) -> Result<(), Errno> {
        let inode = self.inode(ino);
        let harmless = matches!(inode.kind, InodeKind::Regular(_)) && inode.mode & 0o4000 == 0;
        let rights = inode.permits(&actor.who, Right::Read).and(inode.permits(&actor.who, Right::Write));
        if inode.owned_by(&actor.who).is_err() && (!harmless || rights.is_err()) {
            return Err(Errno::EPERM);
        }
        self.may_create(place.dir, actor)?;
        if inode.is_directory() {
            return Err(Errno::EPERM);
        }
        if inode.links == 0 {
            return Err(Errno::ENOENT);
        }
        if inode.links >= LINKS {
            return Err(Errno::EMLINK);
        }
        let inode = self.inode_mut(ino);
        inode.links += 1;
        inode.ctime = actor.now;
        self.touch(place.dir, actor.now);
        self.attach(place.dir, place.name, ino);
        Ok(())
    }

    /// Takes the name of a file that is no folder away.
    ///
    /// # Errors
    /// If that is not allowed.
    pub fn unlink(&mut self, place: &NamePlace, ino: Ino, actor: &Actor) -> Result<(), Errno> {
        self.may_delete(place.dir, ino, Some(false), actor)?;
        self.detach(place, ino);
        self.touch(place.dir, actor.now);
        let inode = self.inode_mut(ino);
        inode.links -= 1;
        inode.ctime = actor.now;
        self.release(ino);
        Ok(())
    }

    /// Removes an empty folder. `busy` says whether it is one that a process is in: that is no hindrance on Linux, but it stays.
    ///
    /// # Errors
    /// If that is not allowed.
    pub fn rmdir(&mut self, place: &NamePlace, ino: Ino, actor: &Actor) -> Result<(), Errno> {
        self.may_delete(place.dir, ino, Some(true), actor)?;
        self.need_empty(ino)?;
        self.detach(place, ino);
        self.touch(place.dir, actor.now);
        self.bury(ino);
        Ok(())
    }

    fn need_empty(&self, ino: Ino) -> Result<(), Errno> {
        match self.inode(ino).directory() {
            Some(directory) if directory.is_empty() && directory.host.is_none() => Ok(()),
            _ => Err(Errno::ENOTEMPTY),
        }
    }

    fn bury(&mut self, ino: Ino) {
        self.directory_mut(ino).removed = true;
        self.inode_mut(ino).links = 0;
        self.release(ino);
    }

    /// Whether `inner` is `outer` or below it.
    fn is_below(&self, inner: Ino, outer: Ino) -> bool {
        let mut at = inner;
        loop {
            if at == outer {
                return true;
            }
            match self.inode(at).directory() {
                Some(directory) if directory.parent != at && self.lives(directory.parent) => at = directory.parent,
                _ => return false,
            }
        }
    }

    /// Moves a name. `to_ino` is what the new name names now.
    ///
    /// # Errors
    /// If that is not allowed.
    pub fn rename(
        &mut self,
        from: &NamePlace,
        ino: Ino,
        to: NamePlace,
        to_ino: Option<Ino>,
        replace: Replace,
        actor: &Actor,
    ) -> Result<(), Errno> {
        if self.is_below(to.dir, ino) {
            return Err(Errno::EINVAL);
        }
        if to_ino.is_some_and(|target| self.is_below(from.dir, target)) {
            return Err(if replace == Replace::Exchange { Errno::EINVAL } else { Errno::ENOTEMPTY });
        }
        if to_ino == Some(ino) {
            return Ok(());
        }
        self.check_rename(from, ino, &to, to_ino, replace, actor)?;
        self.detach(from, ino);
        if let Some(target) = to_ino {
            self.detach(&to, target);
            match replace {
                Replace::Exchange => self.attach(from.dir, Rc::clone(&from.name), target),
                Replace::Yes if self.inode(target).is_directory() => self.bury(target),
                Replace::Yes => {
                    let inode = self.inode_mut(target);
                    inode.links -= 1;
                    inode.ctime = actor.now;
                    self.release(target);
                }
            }
        }
        let dir = to.dir;
        self.attach(dir, to.name, ino);
        self.inode_mut(ino).ctime = actor.now;
        self.touch(from.dir, actor.now);
        self.touch(dir, actor.now);
        Ok(())
    }

    fn check_rename(
        &self,
        from: &NamePlace,
        ino: Ino,
        to: &NamePlace,
        to_ino: Option<Ino>,
        replace: Replace,
        actor: &Actor,
    ) -> Result<(), Errno> {
        let is_dir = self.inode(ino).is_directory();
        self.may_delete(from.dir, ino, None, actor)?;
        match (to_ino, replace) {
            (None, _) => self.may_create(to.dir, actor)?,
            (Some(target), Replace::Yes) => self.may_delete(to.dir, target, Some(is_dir), actor)?,
            (Some(target), Replace::Exchange) => self.may_delete(to.dir, target, None, actor)?,
        }
        // A folder that moves gets another `..`, which is a change of the folder itself.
        if is_dir && from.dir != to.dir {
            self.inode(ino).permits(&actor.who, Right::Write)?;
        }
        match to_ino {
            Some(target) if replace == Replace::Yes && is_dir => self.need_empty(target),
            _ => Ok(()),
        }
    }

    /// The path of a folder from the root, if it still has one.
    pub fn path_of(&self, dir: Ino) -> Option<Vec<Value>> {
        let mut names = Vec::new();
        let mut at = dir;
        while at != self.root {
            let directory = self.inode(at).directory().filter(|d| !d.removed)?;
            let parent = self.inode(directory.parent).directory()?;
            names.push(parent.name_of(at)?);
            at = directory.parent;
        }
        let mut path = Vec::new();
        for name in names.iter().rev() {
            path.push(Value::word(u64::from(b'/')));
            path.extend(name.iter());
        }
        if path.is_empty() {
            path.push(Value::word(u64::from(b'/')));
        }
        Some(path)
    }

    /// The path of a file that is no folder: that of its first name, by number of the folder.
    pub fn path_of_file(&self, ino: Ino) -> Option<Vec<Value>> {
        let (dir, name) = self.inodes.iter().find_map(|(dir, inode)| Some((*dir, inode.directory()?.name_of(ino)?)))?;
        let mut path = self.path_of(dir)?;
        if dir != self.root {
            path.push(Value::word(u64::from(b'/')));
        }
        path.extend(name.iter());
        Some(path)
    }

    /// A regular file under a path without links, with the folders on the way. For the tree before the start.
    pub fn put(&mut self, start: Ino, path: &[u8], data: &Data, who: &Credentials) -> Ino {
        let mut dir = if path.first() == Some(&b'/') { self.root } else { start };
        let parts: Vec<&[u8]> = path.split(|b| *b == b'/').filter(|p| !p.is_empty() && *p != b".").collect();
        let Some((last, above)) = parts.split_last() else { return dir };
        for part in above {
            dir = self.folder(dir, part);
        }
        let (name, now) = (known(last), self.inode(dir).mtime);
        let content = InodeKind::Regular(FileContent::new(data));
        match self.entry(dir, &name) {
            Some(there) => {
                let inode = self.inode_mut(there);
                (inode.kind, inode.of_the_machine) = (content, false);
                there
            }
            None => self.place(dir, name.into(), Inode::new(content, 0o644, who, now)),
        }
    }
}
