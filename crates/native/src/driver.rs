//! The C that is written for one program: a `main` that calls the entry with the inputs of a test, and markers.

use std::fmt::Write as _;

use taw_report::{EntryPoint, Parameter, Recipe};

use crate::preconditions;

/// The text, free of warnings.
pub(crate) fn source(recipe: &Recipe) -> String {
    let mut text = String::from("#include <stddef.h>\n#include <stdint.h>\n");
    for marker in recipe.markers.iter().filter(|marker| !marker.defined && !marker.function.starts_with("taw_")) {
        let name = &marker.function;
        let _ = write!(
            text,
            "void taw_target(const char *);\n__attribute__((weak)) void {name}(const char *label) {{ taw_target(label); }}\n"
        );
    }
    if recipe.has_driver() {
        text.push_str(&main_for(&recipe.entries));
    }
    text
}

/// Linked with `--wrap=main`, so that a program's own `main` does not collide. Which entry is called, the test says.
fn main_for(entries: &[EntryPoint]) -> String {
    let mut text = String::from(
        "void taw_replay_next(void *, size_t);\nvoid *taw_replay_pointer(void);\nint taw_replay_starts(const char *);\n\
         int __real_main(int, char **);\n",
    );
    let mut calls = String::new();
    for (number, entry) in entries.iter().enumerate() {
        let call = match entry.function.as_str() {
            "main" => {
                let types = ["int".to_owned(), "char **".to_owned()];
                // One that takes nothing is called with more than it takes, which does no harm.
                text.push_str(&preconditions::declared(entry, &types));
                format!("({}__real_main(argc, argv))", preconditions::called(entry, &["argc", "argv"], ", "))
            }
            _ => {
                text.push_str(&caller(number, entry));
                format!("call{number}()")
            }
        };
        let _ = match entries {
            [_] => writeln!(calls, "  return {call};"),
            _ => writeln!(calls, "  if (taw_replay_starts(\"{}\")) return {call};", entry.function),
        };
    }
    let end = if entries.len() == 1 { "" } else { "  return 99;\n" };
    text + &format!("int __wrap_main(int argc, char **argv) {{\n{calls}{end}}}\n")
}

/// A function that calls an entry with the values of the test.
fn caller(number: usize, entry: &EntryPoint) -> String {
    let mut copies = String::new();
    let mut types: Vec<String> = entry.parameters.iter().map(c_type).collect();
    for (i, (ty, parameter)) in types.iter_mut().zip(&entry.parameters).enumerate() {
        let Some(size) = parameter.copy else { continue };
        *ty = format!("struct copy{number}_{i}");
        // What is passed in memory is so for its size; what is small, for a long double in it.
        let part = if size == 16 { "long double part".to_owned() } else { format!("unsigned char part[{size}]") };
        let _ = writeln!(copies, "{ty} {{ {part}; }};");
    }
    let result = entry.result.map_or("void".to_owned(), |bits| integer_type(bits, true));
    let list = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
    let name = &entry.function;
    let declared = preconditions::declared(entry, &types);
    let mut text = format!("{copies}{declared}{result} {name}({list});\nstatic int call{number}(void) {{\n");
    let mut arguments = Vec::new();
    for (i, (ty, parameter)) in types.iter().zip(&entry.parameters).enumerate() {
        let _ = match parameter.pointer {
            _ if parameter.result => {
                writeln!(text, "  static char room[1 << 16] __attribute__((aligned(16)));\n  void *a{i} = room;")
            }
            _ if parameter.copy.is_some() => writeln!(text, "  {ty} a{i} = *({ty} *)taw_replay_pointer();"),
            true => writeln!(text, "  void *a{i} = taw_replay_pointer();"),
            false => write!(text, "  {ty} a{i};\n  taw_replay_next(&a{i}, sizeof a{i});\n"),
        };
        arguments.push(format!("a{i}"));
    }
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    text.push_str(&preconditions::called(entry, &words, ";\n"));
    let call = format!("{name}({})", arguments.join(", "));
    match entry.result {
        Some(_) => text + &format!("  return (int){call};\n}}\n"),
        None => text + &format!("  {call};\n  return 0;\n}}\n"),
    }
}

/// A type that is passed as the parameter is: the width decides, and of narrow integers the sign.
fn c_type(parameter: &Parameter) -> String {
    match (parameter.float, parameter.bits) {
        _ if parameter.pointer => "void *".into(),
        (true, 16) => "_Float16".into(),
        (true, 32) => "float".into(),
        (true, 64) => "double".into(),
        (true, 128) => "__float128".into(),
        (true, _) => "long double".into(),
        (false, bits) => integer_type(bits, is_signed(&parameter.ty)),
    }
}

/// A type of C that is passed and returned as an integer of that width.
pub fn integer_type(bits: u32, signed: bool) -> String {
    let sign = if signed { "" } else { "u" };
    match bits {
        1 => "_Bool".into(),
        2..=8 => format!("{sign}int8_t"),
        9..=16 => format!("{sign}int16_t"),
        17..=32 => format!("{sign}int32_t"),
        33..=64 => format!("{sign}int64_t"),
        _ => format!("{}__int128", if signed { "" } else { "unsigned " }),
    }
}

fn is_signed(ty: &str) -> bool {
    !["unsigned", "uint", "size_t", "_Bool", "bool", "char16_t", "char32_t"].iter().any(|word| ty.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taw_report::Marker;

    #[test]
    fn an_entry_gets_a_main_and_a_marker_a_body() {
        let parameter = |ty: &str, bits, float| Parameter {
            ty: ty.into(),
            bits,
            float,
            pointer: ty.ends_with('*'),
            copy: None,
            result: false,
        };
        let parameters =
            vec![parameter("unsigned char", 8, false), parameter("double", 64, true), parameter("char *", 64, false)];
        let recipe = Recipe {
            entries: vec![EntryPoint { function: "f".into(), parameters, result: Some(16), ..EntryPoint::default() }],
            markers: vec![Marker { function: "mark".into(), defined: false }],
            ..Recipe::default()
        };
        let text = source(&recipe);
        assert!(text.contains("int16_t f(uint8_t, double, void *);"), "{text}");
        assert!(text.contains("return (int)f(a0, a1, a2);"), "{text}");
        assert!(text.contains("void mark(const char *label)"), "{text}");
    }

    #[test]
    fn of_several_entries_the_test_says_which() {
        let entry = |name: &str| EntryPoint { function: name.into(), ..EntryPoint::default() };
        let text = source(&Recipe { entries: vec![entry("main"), entry("g")], ..Recipe::default() });
        assert!(text.contains("if (taw_replay_starts(\"main\")) return (__real_main(argc, argv));"), "{text}");
        assert!(text.contains("if (taw_replay_starts(\"g\")) return call1();"), "{text}");
    }
}
