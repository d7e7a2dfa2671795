//! The start of a path: the world that the user described becomes memory and a kernel.
//!
//! Steps: for each number of arguments that is not fixed, one step makes the input and the next settles it (a step that
//! forks runs again from its start, so it must not make inputs); the last makes everything else, without forking.
//! Names of inputs do not depend on the numbers settled: `arg3` is the third symbolic place of the command line, whether or not
//! the places before it were used.

use std::rc::Rc;

use taw_engine::{Boot, Cx, InputType, ObjectKind, Region, Stop, Value};

use crate::kernel::Kernel;
use crate::kernel::content::Data;
use crate::start::Start;
use crate::streams;
use crate::world::{Arg, Content, World};

/// The type of the elements of a string, and of content that may be anything.
const STRING: &str = "char";
const BYTE: &str = "unsigned char";

/// Makes arguments, environment, standard input and files. See [`taw_engine::BootFn`].
///
/// # Errors
/// If the start is not possible.
pub fn boot(cx: &mut Cx<'_, '_>, step: usize) -> Result<Boot, Stop> {
    let Some(kernel) = cx.state.surroundings.get::<Kernel>() else { return Ok(Boot::Done) };
    let world = Rc::clone(&kernel.world);
    match world.args.iter().filter_map(Arg::bounds).nth(step / 2) {
        Some((min, max)) if step.is_multiple_of(2) => ask_number(cx, min, max)?,
        Some((min, max)) => settle_number(cx, min, max),
        None => return begin(cx, &world).map(|()| Boot::Done),
    }
    Ok(Boot::More)
}

/// The kernel's record of the start, to be changed.
fn start<'a>(cx: &'a mut Cx<'_, '_>) -> Option<&'a mut Start> {
    cx.state.surroundings.get_mut::<Kernel>().map(|kernel| Rc::make_mut(&mut kernel.start))
}

fn ask_number(cx: &mut Cx<'_, '_>, min: usize, max: usize) -> Result<(), Stop> {
    let number = cx.scalar_input("n_args", "unsigned int", 32);
    let name = cx.state.inputs.last().map(|input| input.name.clone());
    let n = number.to_term(cx.terms(), 32);
    let (least, most) = (cx.terms().bv(32, min as u64), cx.terms().bv(32, max as u64));
    let (enough, few) = (cx.terms().ule(least, n), cx.terms().ule(n, most));
    let within = cx.terms().and(enough, few);
    let within = cx.value(within);
    cx.assume(within)?;
    if let Some(start) = start(cx) {
        start.open = Some(number);
        start.inputs.extend(name);
    }
    Ok(())
}

/// Number by number, so that a path that is walked again decides the same.
fn settle_number(cx: &mut Cx<'_, '_>, min: usize, max: usize) {
    let open = cx.state.surroundings.get::<Kernel>().and_then(|kernel| kernel.start.open);
    let n = open.unwrap_or(Value::word(min as u64)).to_term(cx.terms(), 32);
    let mut count = min;
    while count < max {
        let this = cx.terms().bv(32, count as u64);
        let is = cx.terms().eq(n, this);
        let is = cx.value(is);
        if cx.branch(is) {
            break;
        }
        count += 1;
    }
    if let Some(start) = start(cx) {
        start.open = None;
        start.counts.push(count);
    }
}

/// Everything that is left once the numbers are known.
fn begin(cx: &mut Cx<'_, '_>, world: &World) -> Result<(), Stop> {
    let mut names = Vec::new();
    let stdin = match &world.stdin {
        Some(said) => content(cx, "stdin", BYTE, said, &mut names),
        None => Vec::new(),
    };
    let files: Vec<(String, Vec<Value>)> =
        world.files.iter().map(|(path, c)| (path.clone(), content(cx, path, BYTE, c, &mut names))).collect();
    let peers: Vec<Vec<Value>> =
        world.peers.iter().map(|(at, c)| content(cx, &format!("peer:{at}"), BYTE, c, &mut names)).collect();
    let mut env = Vec::new();
    for (name, value) in &world.env {
        let input = format!("${}", String::from_utf8_lossy(name));
        env.push((name.clone(), content(cx, &input, STRING, value, &mut names)));
    }
    let args = arguments(cx, world, &mut names);
    let mut words = vec![known(&world.program)];
    words.extend(args.iter().cloned());
    let argv = pointers(cx, &words, "an argument")?;
    let settings: Vec<Vec<Value>> =
        env.iter().map(|(name, value)| [known(name), known(b"="), value.clone()].concat()).collect();
    let environ = pointers(cx, &settings, "an environment variable")?;
    let name = cx.load(Value::word(argv), cx.engine.program.layout.pointer_bits)?.as_word().unwrap_or(0);
    cx.set_main_arguments(words.len() as u64, argv, environ);
    if let Some(start) = start(cx) {
        (start.args, start.env, start.stdin, start.files) = (args, env, stdin, files);
        start.inputs.extend(names);
    }
    if let Some(kernel) = cx.state.surroundings.get_mut::<Kernel>() {
        kernel.environ = environ;
        let start = Rc::clone(&kernel.start);
        kernel.set_stdin(&start.stdin);
        for (path, bytes) in &start.files {
            kernel.add_file(path, bytes);
        }
        for ((at, _), says) in world.peers.iter().zip(&peers) {
            kernel.peers.push(at.clone(), Data::of(says));
        }
        kernel.program_name = name;
    }
    streams::open(cx);
    Ok(())
}

fn arguments(cx: &mut Cx<'_, '_>, world: &World, names: &mut Vec<String>) -> Vec<Vec<Value>> {
    let counts = cx.state.surroundings.get::<Kernel>().map(|kernel| kernel.start.counts.clone()).unwrap_or_default();
    let mut counts = counts.into_iter();
    // The number of the next symbolic place.
    let mut place = 1;
    let mut args = Vec::new();
    for arg in &world.args {
        let (used, reserved, len) = match arg {
            Arg::Text(text) => {
                args.push(known(text));
                continue;
            }
            Arg::Symbolic(len) => (1, 1, *len),
            Arg::Several { min, max, len } if min == max => (*max, *max, *len),
            Arg::Several { max, len, .. } => (counts.next().unwrap_or(*max), *max, *len),
        };
        for i in 0..used {
            args.push(content(cx, &format!("arg{}", place + i), STRING, &Content::Symbolic(len), names));
        }
        place += reserved;
    }
    args
}

fn known(bytes: &[u8]) -> Vec<Value> {
    bytes.iter().map(|b| Value::word(u64::from(*b))).collect()
}

/// Bytes as values; unknown ones are an input, whose name is noted.
fn content(cx: &mut Cx<'_, '_>, name: &str, ty: &str, content: &Content, names: &mut Vec<String>) -> Vec<Value> {
    let len = match content {
        Content::Bytes(bytes) => return known(bytes),
        Content::Symbolic(0) => return Vec::new(),
        Content::Symbolic(len) => *len,
    };
    let vars = cx.make_input(name, InputType::Scalar(format!("{ty}[{len}]")), len, 1);
    names.extend(cx.state.inputs.last().map(|input| input.name.clone()));
    vars.iter()
        .map(|&var| {
            let t = cx.input_term(var);
            cx.value(t)
        })
        .collect()
}

/// Strings and an array of pointers to them, with a null at its end.
fn pointers(cx: &mut Cx<'_, '_>, strings: &[Vec<Value>], what: &'static str) -> Result<u64, Stop> {
    let layout = &cx.engine.program.layout;
    let (bytes, big_endian) = (u64::from(layout.pointer_bytes()), layout.big_endian);
    let size = (strings.len() as u64 + 1) * bytes;
    let array = room(cx, size, bytes, ObjectKind::Internal("argv"))?;
    for (i, string) in strings.iter().enumerate() {
        let base = room(cx, string.len() as u64 + 1, 1, ObjectKind::Internal(what))?;
        for (offset, byte) in string.iter().enumerate() {
            let object = cx.state.memory.object_mut(base);
            object.store(&mut cx.engine.terms, offset, *byte, 8, big_endian);
        }
        let object = cx.state.memory.object_mut(array);
        object.store(&mut cx.engine.terms, i * bytes as usize, Value::word(base), bytes as u32 * 8, big_endian);
    }
    Ok(array)
}

fn room(cx: &mut Cx<'_, '_>, size: u64, align: u64, kind: ObjectKind) -> Result<u64, Stop> {
    let full = || Stop::Unsupported("arguments that do not fit into memory".to_owned());
    cx.state.memory.allocate(Region::Heap, size, align, kind, 0).ok_or_else(full)
}
