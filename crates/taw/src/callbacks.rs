//! The C by which a test names functions: those that stand in natively for functions of the caller's, and those of the program whose address is taken.
//!
//! Boundary: the counterpart of `engine/src/unknown/callback.rs`. The replay library looks symbols up in the table that is written here.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use taw_engine::{CALLBACKS, CallbackShape, callback_symbol, may_be_passed};
use taw_ir::{Passing, Program, Ty, Type, TypeId, functions_taken};

use crate::reached::{reached, types_of_parameters};
use crate::stand_ins::scalar;

/// Pointers are passed alike, whatever they point at: a sanitizer need not compare the types.
const HEAD: &str = "#if defined(__clang__)\n#define ANY_TYPE __attribute__((no_sanitize(\"function\")))\n#else\n#define ANY_TYPE\n#endif\n\
    const char *taw_replay_named(const char *, const char *, const char *);\n\
    struct taw_replay_code { const char *symbol; void (*function)(void); };\n";

/// What tests of entries name.
pub(crate) struct Callbacks {
    /// The C; empty if no entry is passed a function.
    pub text: String,
    /// Functions of the program that are named in it.
    pub functions: Vec<String>,
}

/// For all that may be passed to these entries.
pub(crate) fn callbacks(program: &Program, entries: &[String]) -> Callbacks {
    let types = function_types(program, entries);
    let mut all = Callbacks { text: String::new(), functions: Vec::new() };
    if types.is_empty() {
        return all;
    }
    all.text.push_str(HEAD);
    let mut rows = String::new();
    for ty in types {
        let Some(shape) = CallbackShape::of(program, ty) else { continue };
        for slot in 0..CALLBACKS {
            let symbol = callback_symbol(program, ty, slot);
            all.text += &function(program, &symbol, &shape);
            let _ = writeln!(rows, "  {{\"{symbol}\", (void (*)(void)){symbol}}},");
        }
    }
    let is_word = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    for func in functions_taken(program) {
        let function = &program.functions[func];
        if may_be_passed(function) && is_word(&function.name) {
            let name = &function.name;
            let _ = writeln!(all.text, "__attribute__((weak)) void {name}(void);");
            let _ = writeln!(rows, "  {{\"{name}\", {name}}},");
            all.functions.push(name.clone());
        }
    }
    let _ = write!(all.text, "const struct taw_replay_code taw_replay_codes[] = {{\n{rows}  {{0, 0}},\n}};\n");
    all
}

/// Types of functions that can be got at from the parameters of entries and from globals.
fn function_types(program: &Program, entries: &[String]) -> BTreeSet<TypeId> {
    let mut types = types_of_parameters(program, entries);
    if entries.iter().any(|name| name != "main") {
        types.extend(reached(program, program.globals.values().filter_map(|global| global.source).collect()));
    }
    types.retain(|ty| matches!(program.types.all[*ty], Type::Function { .. }));
    types
}

/// A function that gives back what the test has recorded of its calls.
fn function(program: &Program, symbol: &str, shape: &CallbackShape) -> String {
    let scalar = |ty: Ty| scalar(program, ty, Passing::Plain);
    let parameters: Vec<String> =
        shape.params.iter().enumerate().map(|(i, ty)| format!("{} a{i}", scalar(*ty))).collect();
    let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let result = shape.result.map_or("void".to_owned(), |(ty, _)| scalar(ty));
    let named = |before: &str, after: &str| format!("taw_replay_named(\"{symbol}\", \"{before}\", \"{after}\")");
    let body = match (shape.result, shape.object) {
        (None, _) => String::new(),
        (Some((Ty::Ptr, _)), None) => "  return NULL;\n".to_owned(),
        (Some((Ty::Ptr, _)), Some((_, bytes))) => format!(
            "  unsigned char is_some;\n  taw_replay_value(&is_some, 1, {});\n  void *object = calloc(1, {bytes});\n  \
             taw_replay_write(object, {});\n  return is_some ? object : NULL;\n",
            named("", "() != NULL"),
            named("*", "()")
        ),
        _ => format!(
            "  {result} value;\n  taw_replay_value(&value, sizeof value, {});\n  return value;\n",
            named("", "()")
        ),
    };
    format!("ANY_TYPE static {result} {symbol}({list}) {{\n{body}}}\n")
}
