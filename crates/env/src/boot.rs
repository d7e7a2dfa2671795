//! The start of a path: the world that the user described becomes memory and a kernel.

use std::rc::Rc;

use taw_engine::{Boot, Cx, Kind, Region, Stop, Value};

use crate::kernel::Kernel;
use crate::world::{Arg, Content};

/// Makes arguments and environment. See [`taw_engine::BootFn`].
///
/// # Errors
/// If the start is not possible.
pub fn boot(cx: &mut Cx<'_, '_>, _step: usize) -> Result<Boot, Stop> {
    let Some(kernel) = cx.state.surroundings.get::<Kernel>() else { return Ok(Boot::Done) };
    let world = Rc::clone(&kernel.world);
    let known = |bytes: &[u8]| bytes.iter().map(|b| Value::word(u64::from(*b))).collect::<Vec<_>>();
    let args: Vec<Vec<Value>> = world
        .args
        .iter()
        .filter_map(|arg| match arg {
            Arg::Text(bytes) => Some(known(bytes)),
            Arg::Symbolic(_) | Arg::Several { .. } => None,
        })
        .collect();
    let env: Vec<(Vec<u8>, Vec<Value>)> = world
        .env
        .iter()
        .filter_map(|(name, value)| match value {
            Content::Bytes(bytes) => Some((name.clone(), known(bytes))),
            Content::Symbolic(_) => None,
        })
        .collect();
    let mut words = vec![known(&world.program)];
    words.extend(args.iter().cloned());
    let argv = pointers(cx, &words);
    let settings: Vec<Vec<Value>> =
        env.iter().map(|(name, value)| [known(name), known(b"="), value.clone()].concat()).collect();
    let environ = pointers(cx, &settings);
    let name = cx.load(Value::word(argv), cx.engine.program.layout.pointer_bits)?.as_word().unwrap_or(0);
    cx.set_main_arguments(words.len() as u64, argv, environ);
    if let Some(kernel) = cx.state.surroundings.get_mut::<Kernel>() {
        kernel.args = Rc::new(args);
        kernel.env = Rc::new(env);
        kernel.environ = environ;
        kernel.program_name = name;
    }
    Ok(Boot::Done)
}

/// Strings and an array of pointers to them, with a null at its end.
fn pointers(cx: &mut Cx<'_, '_>, strings: &[Vec<Value>]) -> u64 {
    let layout = &cx.engine.program.layout;
    let (bytes, big_endian) = (u64::from(layout.pointer_bytes()), layout.big_endian);
    let size = (strings.len() as u64 + 1) * bytes;
    let array = cx.state.memory.allocate(Region::Heap, size, bytes, Kind::Internal("argv"), 0).unwrap_or(0);
    for (i, string) in strings.iter().enumerate() {
        let len = string.len() as u64 + 1;
        let base = cx.state.memory.allocate(Region::Heap, len, 1, Kind::Internal("an argument"), 0).unwrap_or(0);
        for (offset, byte) in string.iter().enumerate() {
            let object = cx.state.memory.object_mut(base);
            object.store(&mut cx.engine.terms, offset, *byte, 8, big_endian);
        }
        let object = cx.state.memory.object_mut(array);
        object.store(&mut cx.engine.terms, i * bytes as usize, Value::word(base), bytes as u32 * 8, big_endian);
    }
    array
}
