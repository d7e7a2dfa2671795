//! One system call being executed: its arguments, the program's memory, and a copy of the kernel.
//!
//! Invariant: the kernel here is a copy that becomes the state's when the call is over, so a call that is executed again after
//! a fork starts from what was. Memory and output are changed only after the last decision.

use taw_engine::{Access, Cx, ModelArgument, Stop, Value};
use taw_expr::Term;

use crate::kernel::Kernel;
use crate::kernel::content::Data;
use crate::kernel::errno::Errno;
use crate::kernel::inode::{Ino, Right};
use crate::kernel::path::{Judge, PATH_MAX, ResolvedPath, Want};

/// Why a system call has no result.
pub enum Fail {
    /// The program is told so.
    Errno(Errno),
    /// The path does not go on.
    Stop(Stop),
}

impl From<Errno> for Fail {
    fn from(errno: Errno) -> Self {
        Fail::Errno(errno)
    }
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Self {
        Fail::Stop(stop)
    }
}

/// What a system call answers.
pub type SyscallResult = Result<u64, Fail>;

/// `AT_FDCWD`.
const CURRENT: i32 = -100;

/// A system call.
pub struct SystemCall<'c, 'a, 'p> {
    pub cx: &'c mut Cx<'a, 'p>,
    pub kernel: Kernel,
    pub args: &'c [ModelArgument],
    /// The result, where it is not a number that is known.
    pub result: Option<Value>,
    /// Arguments that the caller of an entry has passed as pointers just past the end of an object: nobody does that for what is there.
    pub past: Vec<u64>,
}

impl SystemCall<'_, '_, '_> {
    /// An argument, which is made concrete.
    pub fn word(&mut self, i: usize) -> u64 {
        let Some(arg) = self.args.get(i) else { return 0 };
        let (value, is_past) = self.cx.settled_or_past(arg.value);
        let word = self.cx.concretise(value, arg.width);
        self.past.extend(is_past.then_some(word));
        word
    }

    /// An argument of type `int`.
    pub fn int(&mut self, i: usize) -> i32 {
        let Some(arg) = self.args.get(i) else { return 0 };
        let low = match arg.value.as_term() {
            None => arg.value,
            Some(t) => {
                let low = self.cx.terms().extract(t, 0, 32);
                self.cx.value(low)
            }
        };
        self.cx.concretise(low, 32) as u32 as i32
    }

    /// An argument of type `unsigned`.
    pub fn uint(&mut self, i: usize) -> u32 {
        self.int(i) as u32
    }

    /// Whether there is memory at an address; see [`Cx::reaches`].
    fn reaches(&mut self, address: u64, len: u64, access: Access) -> Result<bool, Fail> {
        match self.cx.reaches(address, len, access) {
            Err(Stop::Bug(..)) if self.past.contains(&address) => Err(Stop::Infeasible.into()),
            answer => Ok(answer?),
        }
    }

    /// Reads the program's memory.
    pub fn read(&mut self, address: u64, len: u64) -> Result<Data, Fail> {
        if !self.reaches(address, len, Access::Read)? {
            return Err(Errno::EFAULT.into());
        }
        let Some(object) = self.cx.state.memory.object(address).cloned().filter(|_| len > 0) else {
            return Ok(Data::default());
        };
        let (at, len) = ((address - object.base) as usize, len as usize);
        if let Some(bytes) = object.concrete_bytes(at, len) {
            return Ok(Data::Known(bytes));
        }
        Ok(Data::Mixed((at..at + len).map(|i| object.byte(&mut self.cx.engine.terms, i)).collect()))
    }

    /// Reads memory that must be concrete.
    pub fn read_known(&mut self, address: u64, len: u64) -> Result<Vec<u8>, Fail> {
        Ok(match self.read(address, len)? {
            Data::Known(bytes) => bytes,
            Data::Mixed(values) => values.iter().map(|v| self.cx.concretise(*v, 8) as u8).collect(),
        })
    }

    /// Reads a word of memory, which is made concrete.
    pub fn load(&mut self, address: u64, bytes: u32) -> Result<u64, Fail> {
        if !self.reaches(address, u64::from(bytes), Access::Read)? {
            return Err(Errno::EFAULT.into());
        }
        let value = self.cx.load(Value::word(address), bytes * 8)?;
        Ok(self.cx.concretise(value, bytes * 8))
    }

    /// How many bytes an address or a `long` has in the program's memory; whatever else the kernel reads there is as on 64 bits.
    pub fn word_bytes(&self) -> u32 {
        self.cx.engine.program.layout.pointer_bits / 8
    }

    /// The n-th of such words at an address.
    pub fn load_word(&mut self, address: u64, n: u64) -> Result<u64, Fail> {
        let bytes = self.word_bytes();
        self.load(address + n * u64::from(bytes), bytes)
    }

    /// Such words as bytes.
    pub fn words_as_bytes(&self, words: &[u64]) -> Vec<u8> {
        let bytes = self.word_bytes() as usize;
        words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(bytes)).collect()
    }

    /// Whether memory may be written.
    pub fn check_write(&mut self, address: u64, len: u64) -> Result<(), Fail> {
        if self.reaches(address, len, Access::Write)? { Ok(()) } else { Err(Errno::EFAULT.into()) }
    }

    /// Writes the program's memory.
    pub fn write(&mut self, address: u64, data: &Data) -> Result<(), Fail> {
        self.check_write(address, data.len() as u64)?;
        if data.is_empty() {
            return Ok(());
        }
        let object = self.cx.state.memory.object_mut(address);
        let at = (address - object.base) as usize;
        match data {
            Data::Known(bytes) => object.write(at, bytes),
            Data::Mixed(values) => {
                for (i, value) in values.iter().enumerate() {
                    object.store(&mut self.cx.engine.terms, at + i, *value, 8, false);
                }
            }
        }
        Ok(())
    }

    /// Writes concrete bytes.
    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fail> {
        self.write(address, &Data::Known(bytes.to_vec()))
    }

    /// A path in the program's memory: its bytes up to the first that is surely zero.
    pub fn path(&mut self, i: usize) -> Result<Vec<Value>, Fail> {
        let address = self.word(i);
        self.string(address, PATH_MAX, Errno::ENAMETOOLONG)
    }

    /// A string in the program's memory, up to the first byte that is surely zero.
    pub fn string(&mut self, address: u64, most: usize, too_long: Errno) -> Result<Vec<Value>, Fail> {
        if !self.reaches(address, 1, Access::Read)? {
            return Err(Errno::EFAULT.into());
        }
        let object = self.cx.state.memory.object(address).cloned().ok_or(Errno::EFAULT)?;
        let mut bytes = Vec::new();
        for at in (address - object.base) as usize..object.size as usize {
            let byte = object.byte(&mut self.cx.engine.terms, at);
            if byte == Value::word(0) {
                return Ok(bytes);
            }
            if bytes.len() == most {
                return Err(too_long.into());
            }
            bytes.push(byte);
        }
        // No byte is surely zero: where none is, the string leaves its object.
        if Decider(self.cx).any(&bytes, 0) {
            return Ok(bytes);
        }
        self.reaches(address, object.size - (address - object.base) + 1, Access::Read)?;
        Err(Errno::EFAULT.into())
    }

    /// The folder that a path given with this descriptor starts in.
    pub fn start(&mut self, dirfd: i32, path: &[Value]) -> Result<Ino, Fail> {
        let absolute = path.first().is_some_and(|b| *b == Value::word(u64::from(b'/')));
        if dirfd == CURRENT || absolute {
            return Ok(self.kernel.cwd);
        }
        let ino = self.kernel.file(dirfd)?.ino;
        if !self.kernel.fs.inode(ino).is_directory() {
            return Err(Errno::ENOTDIR.into());
        }
        Ok(ino)
    }

    /// Resolves a path.
    pub fn walk(&mut self, dirfd: i32, path: &[Value], want: Want) -> Result<ResolvedPath, Fail> {
        // That nothing is named is said before what is wrong with the folder.
        if path.first().is_none_or(|byte| dirfd != CURRENT && Decider(self.cx).is(*byte, 0)) {
            return Err(Errno::ENOENT.into());
        }
        let start = self.start(dirfd, path)?;
        Ok(self.kernel.walk(start, path, want, &mut Decider(self.cx))?)
    }

    /// The file that a path argument names.
    pub fn lookup(&mut self, dirfd: i32, path: usize, want: Want) -> Result<Ino, Fail> {
        let path = self.path(path)?;
        Ok(self.walk(dirfd, &path, want)?.found.ok_or(Errno::ENOENT)?)
    }

    /// Whether the process may do something with a file.
    pub fn permit(&self, ino: Ino, right: Right) -> Result<(), Errno> {
        self.kernel.fs.inode(ino).permits(&self.kernel.who, right)
    }

    /// Nothing can end this wait: no other process is there.
    pub fn wait_for_ever(&self, what: &str) -> Fail {
        Fail::Stop(Stop::Unsupported(format!("the program waits for ever: {what}, and no other process is there")))
    }
}

/// `AT_FDCWD`, for calls without a folder.
pub const HERE: i32 = CURRENT;

/// Decides about bytes of names by splitting the state.
pub struct Decider<'d, 'a, 'p>(pub &'d mut Cx<'a, 'p>);

impl Decider<'_, '_, '_> {
    fn equal(&mut self, byte: Value, other: Value) -> Term {
        let (a, b) = (byte.to_term(self.0.terms(), 8), other.to_term(self.0.terms(), 8));
        self.0.terms().eq(a, b)
    }

    fn is_one_of(&mut self, byte: Value, characters: &[u8]) -> Term {
        let mut any = self.0.terms().bool(false);
        for character in characters {
            let here = self.equal(byte, Value::word(u64::from(*character)));
            any = self.0.terms().or(any, here);
        }
        any
    }

    fn decide(&mut self, condition: Term) -> bool {
        let condition = self.0.value(condition);
        self.0.branch(condition)
    }
}

impl Judge for Decider<'_, '_, '_> {
    fn is(&mut self, byte: Value, character: u8) -> bool {
        match byte.as_word() {
            Some(word) => word == u64::from(character),
            None => {
                let condition = self.is_one_of(byte, &[character]);
                self.decide(condition)
            }
        }
    }

    fn same(&mut self, bytes: &[Value], name: &[Value], after: Option<Value>) -> bool {
        let differ = |(a, b): (&Value, &Value)| a.as_word().is_some() && b.as_word().is_some() && a != b;
        if bytes.iter().zip(name).any(differ) {
            return false;
        }
        let mut all = self.0.terms().bool(true);
        for (byte, other) in bytes.iter().zip(name) {
            let same = self.equal(*byte, *other);
            all = self.0.terms().and(all, same);
        }
        if let Some(byte) = after {
            let ends = self.is_one_of(byte, &[0, b'/']);
            all = self.0.terms().and(all, ends);
        }
        self.decide(all)
    }

    fn any(&mut self, bytes: &[Value], character: u8) -> bool {
        let mut any = self.0.terms().bool(false);
        for byte in bytes {
            let here = self.is_one_of(*byte, &[character]);
            any = self.0.terms().or(any, here);
        }
        self.decide(any)
    }
}
