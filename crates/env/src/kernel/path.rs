//! From a path to a file: components, links, permissions of the folders on the way.
//!
//! Bytes of a path may be symbolic. A component is compared with the names that exist, one decision for each: what equals none
//! of them is not there, whatever it is, so values are never enumerated. A [`Judge`] decides.

use std::rc::Rc;

use taw_engine::Value;

use super::Kernel;
use super::content::known;
use super::errno::Errno;
use super::host;
use super::inode::{Ino, InodeKind, Name, Right};

/// The longest component, and the longest path with its zero.
const NAME_MAX: usize = 255;
/// The longest path, with its final zero.
pub const PATH_MAX: usize = 4096;
/// The most links on the way.
const LINKS: u32 = 40;

/// Decides what symbolic bytes are.
pub trait Judge {
    /// Whether a byte is that character.
    fn is(&mut self, byte: Value, character: u8) -> bool;

    /// Whether bytes are equal one by one, and the one after them, if any, is a slash or zero.
    fn same(&mut self, bytes: &[Value], name: &[Value], after: Option<Value>) -> bool;

    /// Whether any byte is that character.
    fn any(&mut self, bytes: &[Value], character: u8) -> bool;
}

/// Decides about bytes that are all known.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Judge for Plain {
    fn is(&mut self, byte: Value, character: u8) -> bool {
        byte == Value::word(u64::from(character))
    }

    fn same(&mut self, bytes: &[Value], name: &[Value], after: Option<Value>) -> bool {
        bytes == name && after.is_none_or(|b| self.is(b, b'/') || self.is(b, 0))
    }

    fn any(&mut self, bytes: &[Value], character: u8) -> bool {
        bytes.iter().any(|b| self.is(*b, character))
    }
}

/// What the last component is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// A file that exists; a link at the end is followed.
    Target,
    /// A file that exists; a link at the end is the file.
    Itself,
    /// A name whose file exists, to be taken away: no link at its end is followed, whatever comes after it.
    Name,
    /// A name that may be free, to be given; as above.
    NewName,
    /// A file that is made if it does not exist; a link at the end is followed.
    NewTarget,
}

impl Want {
    fn follows(self, slash: bool) -> bool {
        match self {
            Want::Target => true,
            Want::Itself => slash,
            // What is made is no folder: with a slash after it that is an error, wherever a link leads.
            Want::NewTarget => !slash,
            Want::Name | Want::NewName => false,
        }
    }

    fn may_be_free(self) -> bool {
        matches!(self, Want::NewName | Want::NewTarget)
    }
}

/// What kind of component a path ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last {
    /// A name.
    Name,
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// None: the root.
    Root,
}

/// Where a path leads.
#[derive(Clone, Debug)]
pub struct ResolvedPath {
    /// The folder that the last component is in.
    pub dir: Ino,
    /// The last component.
    pub name: Name,
    /// What kind of component it is.
    pub last: Last,
    /// Whether slashes follow it.
    pub slash: bool,
    /// The file, if there is one.
    pub found: Option<Ino>,
}

/// A component as found in a folder.
struct Component {
    last: Last,
    name: Name,
    ino: Ino,
}

struct Walk<'k, 'j> {
    kernel: &'k mut Kernel,
    judge: &'j mut dyn Judge,
    want: Want,
    dir: Ino,
    path: Vec<Value>,
    at: usize,
    links: u32,
}

impl Kernel {
    /// Resolves a path that starts in a folder, unless it starts with a slash.
    ///
    /// # Errors
    /// As Linux gives them.
    pub fn walk(
        &mut self,
        start: Ino,
        path: &[Value],
        want: Want,
        judge: &mut dyn Judge,
    ) -> Result<ResolvedPath, Errno> {
        if path.len() >= PATH_MAX {
            return Err(Errno::ENAMETOOLONG);
        }
        let mut walk = Walk { kernel: self, judge, want, dir: start, path: path.to_vec(), at: 0, links: 0 };
        // Whether a symbolic path is empty is not asked where that is the same as naming nothing.
        let same = !want.may_be_free() && path.first().is_some_and(|byte| byte.as_word().is_none());
        if !same && walk.ended() {
            return Err(Errno::ENOENT);
        }
        walk.begin();
        let walked = walk.run();
        let (found, dir) = (walked.as_ref().ok().and_then(|walked| walked.found), walk.dir);
        if self.fs.inode(found.unwrap_or(dir)).of_the_machine {
            Rc::make_mut(&mut self.start).looked_outside();
        }
        walked
    }

    /// Resolves a path whose bytes are known.
    ///
    /// # Errors
    /// As Linux gives them.
    pub fn walk_known(&mut self, start: Ino, path: &[u8], want: Want) -> Result<ResolvedPath, Errno> {
        self.walk(start, &known(path), want, &mut Plain)
    }
}

impl Walk<'_, '_> {
    /// Whether the path ends here.
    fn ended(&mut self) -> bool {
        match self.path.get(self.at) {
            None => true,
            Some(byte) => self.judge.is(*byte, 0),
        }
    }

    /// Goes over slashes; whether there were any.
    fn slashes(&mut self) -> bool {
        let before = self.at;
        while let Some(byte) = self.path.get(self.at).copied()
            && self.judge.is(byte, b'/')
        {
            self.at += 1;
        }
        self.at > before
    }

    /// A path that starts with a slash starts at the root.
    fn begin(&mut self) {
        if self.slashes() {
            self.dir = self.kernel.fs.root();
        }
    }

    fn run(&mut self) -> Result<ResolvedPath, Errno> {
        if self.at > 0 && self.ended() {
            return Ok(self.at_root());
        }
        loop {
            let inode = self.kernel.fs.inode(self.dir);
            if !inode.is_directory() {
                return Err(Errno::ENOTDIR);
            }
            inode.permits(&self.kernel.who, Right::Execute)?;
            self.check_length()?;
            host::list(&mut self.kernel.fs, self.dir);
            let Some(found) = self.find() else { return self.missing() };
            self.at += found.name.len();
            let slash = self.slashes();
            let ended = self.ended();
            if let InodeKind::Symlink(target) = &self.kernel.fs.inode(found.ino).kind
                && (!ended || self.want.follows(slash))
            {
                let target = Rc::clone(target);
                if self.follow(&target, slash)? {
                    return Ok(self.at_root());
                }
                continue;
            }
            if ended {
                return self.arrive(found, slash);
            }
            self.dir = found.ino;
        }
    }

    /// The path is over and was nothing but slashes.
    fn at_root(&self) -> ResolvedPath {
        ResolvedPath { dir: self.dir, name: Rc::default(), last: Last::Root, slash: true, found: Some(self.dir) }
    }

    /// Goes on at a link's target; whether that is the root and the path is over.
    fn follow(&mut self, target: &Name, slash: bool) -> Result<bool, Errno> {
        self.links += 1;
        if self.links > LINKS {
            return Err(Errno::ELOOP);
        }
        let mut path: Vec<Value> = target.to_vec();
        if slash {
            path.push(Value::word(u64::from(b'/')));
        }
        path.extend(&self.path[self.at..]);
        self.path = path;
        self.at = 0;
        if self.path.len() >= PATH_MAX {
            return Err(Errno::ENAMETOOLONG);
        }
        if self.ended() {
            return Err(Errno::ENOENT);
        }
        self.begin();
        Ok(self.ended())
    }

    fn arrive(&mut self, found: Component, slash: bool) -> Result<ResolvedPath, Errno> {
        let by_name = matches!(self.want, Want::Name | Want::NewName | Want::NewTarget);
        if slash && !by_name && !self.kernel.fs.inode(found.ino).is_directory() {
            return Err(Errno::ENOTDIR);
        }
        Ok(ResolvedPath { dir: self.dir, name: found.name, last: found.last, slash, found: Some(found.ino) })
    }

    /// A component that is surely longer than any name may be.
    fn check_length(&self) -> Result<(), Errno> {
        let ends = |v: &Value| v.as_term().is_some() || [0, u64::from(b'/')].contains(&v.as_word().unwrap_or_default());
        let length = self.path[self.at..].iter().position(ends).unwrap_or(self.path.len() - self.at);
        if length > NAME_MAX { Err(Errno::ENAMETOOLONG) } else { Ok(()) }
    }

    fn matches(&mut self, name: &[Value]) -> bool {
        let rest = &self.path[self.at..];
        rest.len() >= name.len() && self.judge.same(&rest[..name.len()], name, rest.get(name.len()).copied())
    }

    /// The entry of the folder that the component is.
    fn find(&mut self) -> Option<Component> {
        let dir = self.dir;
        for (name, last) in [(&b"."[..], Last::Dot), (b"..", Last::DotDot)] {
            let name: Name = known(name).into();
            if self.matches(&name) {
                let parent = self.kernel.fs.inode(dir).directory().map_or(self.kernel.proc_self, |d| d.parent);
                // A folder that was removed may outlive the one it was in.
                let parent = if self.kernel.fs.lives(parent) { parent } else { dir };
                let ino = if last == Last::Dot { dir } else { parent };
                return Some(Component { last, name, ino });
            }
        }
        if let InodeKind::Descriptors = self.kernel.fs.inode(dir).kind {
            return self.find_descriptor();
        }
        let entries: Vec<(Name, Ino)> =
            self.kernel.fs.inode(dir).directory()?.entries(0).map(|(_, e)| (Rc::clone(&e.name), e.ino)).collect();
        entries.into_iter().find(|(name, _)| self.matches(name)).map(|(name, ino)| Component {
            last: Last::Name,
            name,
            ino,
        })
    }

    /// In `/proc/self/fd` each descriptor is a link to its file; to follow it is to have the file.
    fn find_descriptor(&mut self) -> Option<Component> {
        let open: Vec<(i32, Ino)> = self.kernel.open_descriptors();
        open.into_iter().find_map(|(fd, ino)| {
            let name: Name = known(fd.to_string().as_bytes()).into();
            self.matches(&name).then_some(Component { last: Last::Name, name, ino })
        })
    }

    /// No entry is the component. Where it ends matters only if it may be made.
    fn missing(&mut self) -> Result<ResolvedPath, Errno> {
        if !self.want.may_be_free() {
            return Err(Errno::ENOENT);
        }
        let start = self.at;
        while !self.ended() {
            self.at += 1;
        }
        let rest: Vec<Value> = self.path[start..self.at].to_vec();
        if !self.judge.any(&rest, b'/') {
            return self.free(rest, false);
        }
        let slash = rest.iter().position(|b| self.judge.is(*b, b'/')).unwrap_or(rest.len());
        let only_slashes = rest[slash..].iter().all(|b| self.judge.is(*b, b'/'));
        if only_slashes { self.free(rest[..slash].to_vec(), true) } else { Err(Errno::ENOENT) }
    }

    fn free(&self, name: Vec<Value>, slash: bool) -> Result<ResolvedPath, Errno> {
        if name.len() > NAME_MAX {
            return Err(Errno::ENAMETOOLONG);
        }
        Ok(ResolvedPath { dir: self.dir, name: name.into(), last: Last::Name, slash, found: None })
    }
}
