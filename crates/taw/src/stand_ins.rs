//! The C that stands in natively for functions which are defined nowhere (`--stub`): it hands back what a test has recorded of their calls.
//!
//! Boundary: the counterpart of `engine/src/step/stub.rs`, in the same order: through each pointer, then the result. A declaration is only
//! known by the machine's types, so these are what is declared here: they are passed alike.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use taw_engine::{Stub, StubShape};
use taw_ir::{FloatTy, Function, Passing, Program, Ty};
use taw_native::integer_type;

/// The name of the file where it is written for others.
pub const FILE: &str = "taw_stand_ins.c";

const HEAD: &str = "#include <stddef.h>\n#include <stdint.h>\n\
    void taw_replay_value(void *, size_t, const char *);\nvoid taw_replay_write(void *, const char *);\n\
    void taw_replay_forbidden(const char *);\n_Noreturn void exit(int);\nvoid *calloc(size_t, size_t);\n\
    void *memset(void *, int, size_t);\n";

/// The text, with what `callbacks` adds to it; nothing if there is no such function.
pub(crate) fn stand_ins(program: &Program, stubs: &BTreeMap<String, Stub>, callbacks: &str) -> Option<String> {
    let function = |name: &String| program.function_named(name).map(|id| &program.functions[id]);
    let known = stubs.iter().filter_map(|(name, stub)| Some((function(name)?, *stub)));
    let texts: Vec<String> = known.filter_map(|(function, stub)| stand_in(program, function, stub)).collect();
    (!texts.is_empty() || !callbacks.is_empty()).then(|| HEAD.to_owned() + &texts.concat() + callbacks)
}

/// One function; nothing if C cannot name it, or return what it does. Then a native run that calls it is not confirmed.
fn stand_in(program: &Program, function: &Function, stub: Stub) -> Option<String> {
    let (name, shape) = (&function.name, StubShape::of(program, function));
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.chars().all(is_letter) {
        return None;
    }
    // There the callee takes the address of the result from the stack, which only the right type makes it do.
    if shape.place.is_some() && program.layout.pointer_bits == 32 {
        return None;
    }
    let parameters: Vec<String> = function.params.iter().enumerate().map(|(i, p)| parameter(program, i, p)).collect();
    let list = match (parameters.is_empty(), function.variadic) {
        (true, true) => String::new(),
        (true, false) => "void".to_owned(),
        (false, true) => parameters.join(", ") + ", ...",
        (false, false) => parameters.join(", "),
    };
    let (declared, result) = result(program, function)?;
    let mut text = format!("{declared}__attribute__((weak)) {result} {name}({list}) {{\n");
    match stub {
        Stub::Fail | Stub::Never => {
            let _ = writeln!(text, "  taw_replay_forbidden(\"`{name}` is called\");");
        }
        _ if function.noreturn => text.push_str("  exit(1);\n"),
        Stub::Return | Stub::Havoc => text.push_str(&deeds(function, stub, &shape, &result)),
    }
    Some(text + "}\n")
}

/// What a call does.
fn deeds(function: &Function, stub: Stub, shape: &StubShape, result: &str) -> String {
    let name = &function.name;
    let mut text = String::new();
    if let Some((_, bytes)) = shape.place {
        let _ = writeln!(text, "  memset(a0, 0, {bytes});\n  taw_replay_write(a0, \"{name}()\");");
    }
    let hidden = usize::from(shape.place.is_some());
    let is_written = |p: &&taw_ir::Param| p.ty == Ty::Ptr && p.byval.is_none() && !p.read_only && stub == Stub::Havoc;
    for (i, _) in function.params.iter().enumerate().skip(hidden).filter(|(_, p)| is_written(p)) {
        let _ = writeln!(text, "  taw_replay_write(a{i}, \"{name}(arg{})\");", i - hidden + 1);
    }
    match function.returns[..] {
        [] => {}
        [Ty::Ptr] => match shape.object {
            Some((_, bytes)) => {
                let _ = write!(
                    text,
                    "  unsigned char is_some;\n  taw_replay_value(&is_some, 1, \"{name}() != NULL\");\n  \
                     void *object = calloc(1, {bytes});\n  taw_replay_write(object, \"*{name}()\");\n  \
                     return is_some ? object : NULL;\n"
                );
            }
            None => text.push_str("  return NULL;\n"),
        },
        [_] => {
            let _ = write!(
                text,
                "  {result} value;\n  taw_replay_value(&value, sizeof value, \"{name}()\");\n  return value;\n"
            );
        }
        _ => {
            let _ = writeln!(text, "  {result} value = {{0}};");
            for (i, _) in function.returns.iter().enumerate().filter(|(_, ty)| **ty != Ty::Ptr) {
                let _ = writeln!(text, "  taw_replay_value(&value.p{i}, sizeof value.p{i}, \"{name}().{i}\");");
            }
            text.push_str("  return value;\n");
        }
    }
    text
}

fn parameter(program: &Program, i: usize, param: &taw_ir::Param) -> String {
    match param.byval {
        Some(copy) => format!("struct {{ _Alignas({}) char bytes[{}]; }} a{i}", copy.align, copy.size),
        None => format!("{} a{i}", scalar(program, param.ty, param.passing)),
    }
}

/// The type of the result, after what must be said before; several parts are a structure of them.
fn result(program: &Program, function: &Function) -> Option<(String, String)> {
    let part = |ty: &Ty| scalar(program, *ty, Passing::Plain);
    match &function.returns[..] {
        [] => Some((String::new(), "void".to_owned())),
        [one] => Some((String::new(), part(one))),
        // Those of x86 come in two registers of their own, which no structure does.
        several if several.iter().any(|ty| matches!(ty, Ty::Float(FloatTy::F80))) => None,
        several => {
            let parts = several.iter().enumerate().map(|(i, ty)| format!("{} p{i};", part(ty)));
            let name = format!("struct {}_parts", function.name);
            Some((format!("{name} {{ {} }};\n", parts.collect::<Vec<_>>().join(" ")), name))
        }
    }
}

/// A type of C that is passed as that of the machine is.
pub(crate) fn scalar(program: &Program, ty: Ty, passing: Passing) -> String {
    match ty {
        Ty::Ptr => "void *".to_owned(),
        Ty::Float(FloatTy::F32) => "float".to_owned(),
        Ty::Float(FloatTy::F64) => "double".to_owned(),
        Ty::Float(FloatTy::F80) => "long double".to_owned(),
        Ty::Float(FloatTy::F128) => "__float128".to_owned(),
        Ty::Float(_) => "_Float16".to_owned(),
        other => integer_type(other.bits(&program.layout), passing != Passing::ZeroExtended),
    }
}
