//! Files that the caller of an entry has opened: one for reading, one for writing, one for both (`runtime/musl/streams.c`).
//!
//! What is in one that can be read is not known, nor how much that is: both are decided when a system call first names its descriptor. More than
//! `--max-string` bytes are not tried: a path on which there are more ends where that would show. In a test such a file is one of those that the
//! native program is given, by the name that the replay library opens. Invariant: what is asked for is kept before anything is decided, so a
//! system call that is executed again asks for nothing twice.

use std::rc::Rc;

use taw_engine::{Bound, Cx, HoldsTerms, InputType, ModelArgument, Stop, Value};
use taw_expr::Marks;

use crate::kernel::content::{Data, FileContent};
use crate::kernel::fd::flags;
use crate::kernel::inode::{Ino, Inode, InodeKind};
use crate::kernel::{Kernel, START};

/// The files: name, descriptor, how it is open.
const FILES: [(&str, i32, u32); 3] =
    [("file_r", 1009, 0), ("file_w", 1010, flags::WRONLY), ("file_rw", 1011, flags::RDWR)];

/// A file that the caller has opened.
#[derive(Clone, Debug)]
pub(crate) struct CallerStream {
    name: &'static str,
    fd: i32,
    ino: Ino,
    content: StreamContent,
}

/// What is in it.
#[derive(Clone, Debug)]
enum StreamContent {
    /// Nobody has looked.
    Unasked,
    /// The first so many of these bytes; one more than there are: more than that.
    Asked(Rc<[Value]>, Value),
    /// What the kernel has; with more behind it, of which nothing is known, if it has this many bytes.
    Known { longer_than: Option<u64> },
}

impl HoldsTerms for CallerStream {
    fn mark(&self, marks: &mut Marks) {
        if let StreamContent::Asked(bytes, length) = &self.content {
            bytes.iter().for_each(|byte| byte.mark(marks));
            length.mark(marks);
        }
    }
}

/// Opens the files, if paths start in the middle of a program that has them.
pub(crate) fn open(cx: &mut Cx<'_, '_>) {
    let program = cx.engine.program;
    let is_there = program.globals.values().any(|global| global.name == "__taw_file_r_FILE");
    let is_main = program.functions[cx.state.start].name == "main";
    let Some(kernel) = cx.state.surroundings.get_mut::<Kernel>().filter(|_| is_there && !is_main) else { return };
    for (name, fd, how) in FILES {
        let who = kernel.who.clone();
        let ino = kernel.fs.add(Inode::new(InodeKind::Regular(FileContent::default()), 0o600, &who, START));
        kernel.install_at(fd, ino, how);
        let content = match how {
            flags::WRONLY => StreamContent::Known { longer_than: None },
            _ => StreamContent::Unasked,
        };
        kernel.streams.push(CallerStream { name, fd, ino, content });
        Rc::make_mut(&mut kernel.start).files.push((name.to_owned(), Vec::new()));
    }
}

/// Before a system call: decides what is in the files whose descriptors it names.
///
/// # Errors
/// If it would show what is behind the bytes that are tried.
pub(crate) fn approach(cx: &mut Cx<'_, '_>, number: u64, args: &[ModelArgument]) -> Result<(), Stop> {
    let named = |stream: &CallerStream| args.iter().any(|arg| arg.value.as_word() == Some(stream.fd as u64));
    let Some(kernel) = cx.state.surroundings.get::<Kernel>().filter(|kernel| !kernel.streams.is_empty()) else {
        return Ok(());
    };
    let numbers: Vec<usize> = (0..kernel.streams.len()).filter(|i| named(&kernel.streams[*i])).collect();
    for i in numbers {
        ask(cx, i)?;
        settle(cx, i);
        check_shown(cx, i, number, args)?;
    }
    Ok(())
}

fn stream<'a>(cx: &'a mut Cx<'_, '_>, i: usize) -> &'a mut CallerStream {
    &mut cx.state.surroundings.get_mut::<Kernel>().expect("who asks has seen it").streams[i]
}

/// Makes the inputs.
fn ask(cx: &mut Cx<'_, '_>, i: usize) -> Result<(), Stop> {
    let CallerStream { name, content: StreamContent::Unasked, .. } = stream(cx, i).clone() else { return Ok(()) };
    let most = cx.engine.config.shapes.string as usize;
    let mut bytes = Vec::new();
    let mut names = Vec::new();
    if most > 0 {
        let vars = cx.make_input(name, InputType::Scalar(format!("unsigned char[{most}]")), most, 1);
        names.extend(cx.state.inputs.last().map(|input| input.name.clone()));
        for &var in vars.iter() {
            let byte = cx.input_term(var);
            bytes.push(cx.value(byte));
        }
    }
    let length = cx.scalar_input(&format!("{name}.length"), "unsigned int", 32);
    names.extend(cx.state.inputs.last().map(|input| input.name.clone()));
    stream(cx, i).content = StreamContent::Asked(bytes.into(), length);
    if let Some(kernel) = cx.state.surroundings.get_mut::<Kernel>() {
        Rc::make_mut(&mut kernel.start).inputs.extend(names);
    }
    let (length, longer) = (length.to_term(cx.terms(), 32), cx.terms().bv(32, most as u64 + 1));
    let is_tried = cx.terms().ule(length, longer);
    let is_tried = cx.value(is_tried);
    cx.assume(is_tried)
}

/// Decides how long it is: number by number, so that a path that is walked again decides the same.
fn settle(cx: &mut Cx<'_, '_>, i: usize) {
    let CallerStream { name, ino, content: StreamContent::Asked(bytes, length), .. } = stream(cx, i).clone() else {
        return;
    };
    let length = length.to_term(cx.terms(), 32);
    let is_so_long = |cx: &mut Cx<'_, '_>, count: usize| {
        let this = cx.terms().bv(32, count as u64);
        let is = cx.terms().eq(length, this);
        let is = cx.value(is);
        cx.branch(is)
    };
    let found = (0..=bytes.len()).find(|count| is_so_long(cx, *count));
    let there = &bytes[..found.unwrap_or(bytes.len())];
    let longer_than = found.is_none().then_some(bytes.len() as u64);
    stream(cx, i).content = StreamContent::Known { longer_than };
    let Some(kernel) = cx.state.surroundings.get_mut::<Kernel>() else { return };
    kernel.fs.inode_mut(ino).kind = InodeKind::Regular(FileContent::new(&Data::of(there)));
    let start = Rc::make_mut(&mut kernel.start);
    if let Some((_, content)) = start.files.iter_mut().find(|(path, _)| path == name) {
        *content = there.to_vec();
    }
}

/// System calls that show nothing of how long a file is.
const BLIND: [u64; 5] = [1, 3, 16, 20, 72];
/// Those that read, and move to a place.
const READ: u64 = 0;
const READ_SEVERAL: u64 = 19;
const SEEK: u64 = 8;

/// Whether the C library reads for a stream: into its buffer, so more than it is asked for.
fn fills_buffer(cx: &Cx<'_, '_>) -> bool {
    let functions = &cx.engine.program.functions;
    cx.engine.stack_of(cx.state).iter().take(3).any(|frame| functions[frame.function].name == "__stdio_read")
}

/// Ends the path where a system call would show what is behind the bytes that are there. Where a buffer is filled, what is there will do as
/// long as there is some.
fn check_shown(cx: &mut Cx<'_, '_>, i: usize, number: u64, args: &[ModelArgument]) -> Result<(), Stop> {
    let CallerStream { fd, content: StreamContent::Known { longer_than: Some(most) }, .. } = *stream(cx, i) else {
        return Ok(());
    };
    let word = |i: usize| args.get(i).and_then(|arg| arg.value.as_word());
    let offset = cx.state.surroundings.get::<Kernel>().and_then(|kernel| Some(kernel.file(fd).ok()?.offset));
    let at = offset.unwrap_or(most);
    let is_fine = match number {
        READ | READ_SEVERAL if fills_buffer(cx) => at < most,
        READ => word(2).is_some_and(|len| at.saturating_add(len) <= most),
        SEEK => word(2).is_some_and(|whence| whence < 2),
        number => BLIND.contains(&number),
    };
    if is_fine { Ok(()) } else { Err(Stop::NotTried(Bound::File(most))) }
}
