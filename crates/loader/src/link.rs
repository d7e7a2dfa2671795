//! From several modules to one: the files in order, then what they need of the runtime library.

use std::collections::BTreeSet;

use crate::LoadError;
use crate::llvm::{LlvmContext, LlvmValue, Module};
use crate::lower::library_name;
use crate::read::{Named, bad_bitcode};

/// One module that is the whole program.
pub struct Linked<'c> {
    /// The module.
    pub module: Module<'c>,
    /// The names of the functions and globals that the files define; all others are the library's.
    pub user: BTreeSet<String>,
}

/// Links everything.
pub fn program<'c>(
    context: &'c LlvmContext,
    modules: Vec<Named<'c>>,
    runtime: &[(String, &'static [u8])],
) -> Result<Linked<'c>, LoadError> {
    let mut modules = modules.into_iter();
    let mut all = modules.next().ok_or(LoadError::NoInput)?;
    let mut with_target = (!target(&all.module).is_empty()).then(|| (all.name.clone(), target(&all.module)));
    for next in modules {
        same_target(&mut with_target, &next)?;
        link(&mut all.module, next, false)?;
    }
    let mut module = all.module;
    let user = definitions(&module);
    declare_library(&mut module);
    if let Some(library) = library(context, &mut module, runtime)? {
        link(&mut module, library, true)?;
        let name = "the runtime library".to_string();
        module.verify().map_err(|reason| LoadError::Malformed { name, reason })?;
    }
    Ok(Linked { module, user })
}

fn target(module: &Module<'_>) -> String {
    module.layout_text()
}

/// Remembers the first module that says what it is for, and refuses one that says otherwise.
fn same_target(first: &mut Option<(String, String)>, next: &Named<'_>) -> Result<(), LoadError> {
    let layout = target(&next.module);
    if layout.is_empty() {
        return Ok(());
    }
    match first {
        None => *first = Some((next.name.clone(), layout)),
        Some((_, known)) if *known == layout => {}
        Some((name, known)) => {
            return Err(LoadError::TargetMismatch {
                first: name.clone(),
                first_target: words(known),
                second: next.name.clone(),
                second_target: words(&layout),
            });
        }
    }
    Ok(())
}

/// A data layout in words, as far as programs on one machine differ.
fn words(layout: &str) -> String {
    let bits = if layout.split('-').any(|part| part.starts_with("p:32")) { "32" } else { "64" };
    format!("a target with {bits}-bit pointers (layout {layout})")
}

fn link<'c>(into: &mut Module<'c>, from: Named<'c>, only_needed: bool) -> Result<(), LoadError> {
    let name = from.name;
    into.link(from.module, only_needed).map_err(|reason| LoadError::Link { reason: plain(&reason), name })
}

/// LLVM's words for the common case, in ours.
fn plain(reason: &str) -> String {
    let twice = reason
        .strip_prefix("Linking globals named '")
        .and_then(|rest| rest.strip_suffix("': symbol multiply defined!"));
    match twice {
        Some(symbol) => format!("`{symbol}` is defined more than once; leave one of the definitions out"),
        None => reason.to_string(),
    }
}

fn definitions(module: &Module<'_>) -> BTreeSet<String> {
    let defined = |v: &LlvmValue<'_>| !v.is_declaration();
    module.functions().chain(module.globals()).filter(defined).map(LlvmValue::name).collect()
}

/// Functions that read the stream that they are passed.
const READS_STREAM: [&str; 10] =
    ["fgetc", "getc", "fgets", "fread", "fscanf", "vfscanf", "getline", "getdelim", "ungetc", "feof"];

/// Functions that write to it.
const WRITES_STREAM: [&str; 7] = ["fputc", "putc", "fputs", "fwrite", "fprintf", "vfprintf", "fflush"];

/// Declares the functions that intrinsics stand for (`sin` for `llvm.sin.f64`), so that the library's get linked.
fn declare_library(module: &mut Module<'_>) {
    let wanted: Vec<(String, String)> = module.functions().filter_map(|f| Some((library_name(f)?, f.name()))).collect();
    module.declare(&wanted);
    // Where paths start at a function that takes a stream, it is one of these.
    let uses = |names: &[&str]| module.functions().any(|f| f.is_declaration() && names.contains(&f.name().as_str()));
    let (reads, writes) = (uses(&READS_STREAM), uses(&WRITES_STREAM));
    if reads {
        module.declare_pointers(&["stdin"]);
    }
    if writes {
        module.declare_pointers(&["stdout"]);
    }
    if reads || writes {
        module.declare_pointers(&["__taw_file_r", "__taw_file_w", "__taw_file_rw"]);
    }
}

/// The modules of the runtime library that are for the program's target, as one. A program that does not say what it is for
/// gets the target that its triple names, or that of this machine.
fn library<'c>(
    context: &'c LlvmContext,
    program: &mut Module<'c>,
    runtime: &[(String, &'static [u8])],
) -> Result<Option<Named<'c>>, LoadError> {
    let mut modules = Vec::new();
    for (name, bytes) in runtime {
        let module = context.read_lazily(name, bytes).map_err(|reason| bad_bitcode(name, bytes, reason))?;
        modules.push(Named { name: name.clone(), module });
    }
    if target(program).is_empty() {
        let bits = if is_narrow(&program.triple()) { 32 } else { 64 };
        if let Some(like) = modules.iter().find(|named| named.module.layout().pointer_bits() == bits) {
            program.target_like(&like.module);
        }
    }
    let layout = target(program);
    let mut all: Option<Named<'c>> = None;
    for next in modules.into_iter().filter(|named| target(&named.module) == layout) {
        match &mut all {
            None => all = Some(next),
            Some(library) => link(&mut library.module, next, false)?,
        }
    }
    Ok(all)
}

/// Whether a triple names x86 with 32 bits.
fn is_narrow(triple: &str) -> bool {
    let machine = triple.split('-').next().unwrap_or_default();
    matches!(machine.as_bytes(), [b'i', b'3'..=b'6', b'8', b'6'])
}
