//! Inputs to begin with: files of other tools and of Taw, as the program asks for them.

use std::path::Path;

use taw_engine::{Input, InputType};
use taw_env::{Arg, Content, World};

use crate::Error;
use crate::harness::Harness;

/// Reads the seeds of a file or folder: `.ktest`, Test-Comp XML, tests of Taw, raw bytes. Raw bytes are what a `harness` is given if there
/// is one; else standard input if that is symbolic, else the only symbolic file, else the only symbolic argument of `world`.
///
/// # Errors
/// If one cannot be read, or is longer than what it is for.
pub fn read_seeds(path: &Path, harness: Option<Harness>, world: &World) -> Result<Vec<Vec<Input>>, Error> {
    let unfit = |why| Error::UnfitSeed { path: path.into(), why };
    let adapted = |seed: Vec<Input>| {
        let seed = match harness {
            Some(harness) => harness.adapt(seed),
            None => Ok(seed),
        };
        seed.and_then(|seed| adapt(world, seed)).map_err(unfit)
    };
    taw_report::read_seeds(path)?.into_iter().map(adapted).collect()
}

/// Whether a seed is bytes that nobody has named.
pub(crate) fn is_raw(seed: &[Input]) -> bool {
    matches!(seed, [one] if one.name.is_empty() && one.ty == InputType::Bytes)
}

/// A raw seed as what of the world it is for.
fn adapt(world: &World, seed: Vec<Input>) -> Result<Vec<Input>, String> {
    let Some((name, len)) = raw_place(world).filter(|_| is_raw(&seed)) else { return Ok(seed) };
    match seed[0].bytes.len() {
        held if held > len => Err(format!("it has {held} bytes, and `{name}` has {len}")),
        _ => Ok(seed.into_iter().map(|input| Input { name: name.clone(), ..input }).collect()),
    }
}

fn raw_place(world: &World) -> Option<(String, usize)> {
    let symbolic = |content: &Content| match content {
        Content::Symbolic(len) => Some(*len),
        Content::Bytes(_) => None,
    };
    if let Some(len) = world.stdin.as_ref().and_then(symbolic) {
        return Some(("stdin".to_owned(), len));
    }
    let mut files = world.files.iter().filter_map(|(name, content)| Some((name.clone(), symbolic(content)?)));
    match (files.next(), files.next()) {
        (Some(only), None) => return Some(only),
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    let mut args = world.args.iter().filter(|arg| !matches!(arg, Arg::Text(_)));
    match (args.next(), args.next()) {
        (Some(Arg::Symbolic(len)), None) => Some(("arg1".to_owned(), *len)),
        _ => None,
    }
}
