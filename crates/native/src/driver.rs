//! The C that is written for one program: a `main` that calls the entry with the inputs of a test, and markers. Its own names begin with `taw_`: an entry
//! may have any other.

use std::fmt::Write as _;

use taw_report::{EntryPoint, MachineValue, Parameter, Recipe};

use crate::preconditions;

/// Bytes of a result of unknown size, at most.
const LARGEST: u64 = 1 << 16;

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
        "void taw_replay_next(void *, size_t);\nvoid taw_replay_begin(void);\nvoid *taw_replay_pointer(void);\nvoid taw_replay_returned(void *, size_t);\n\
         void *memcpy(void *, const void *, size_t);\nvoid *memset(void *, int, size_t);\nint taw_replay_starts(const char *);\n\
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
                format!("taw_call{number}()")
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

/// A function that calls an entry with the values of the test, and tells what it gives.
fn caller(number: usize, entry: &EntryPoint) -> String {
    let mut declared = String::new();
    let passed: Vec<(usize, &Parameter)> = entry.parameters.iter().enumerate().filter(|(_, p)| !p.result).collect();
    let mut types = Vec::new();
    for (i, parameter) in &passed {
        types.push(match (parameter.copy, &parameter.part) {
            (Some(size), _) => {
                let name = format!("struct copy{number}_{i}");
                declared += &in_memory(&name, size, parameter.align);
                name
            }
            (None, Some(part)) => machine_type(part, &mut declared),
            (None, None) => c_type(parameter),
        });
    }
    let result = result_type(number, entry, &mut declared);
    let list = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
    let name = &entry.function;
    let first = preconditions::declared(entry, &types);
    let mut text = format!(
        "{declared}{first}{result} {name}({list});\nstatic int taw_call{number}(void) {{\n  taw_replay_begin();\n"
    );
    let mut arguments = Vec::new();
    let mut whole = None;
    for ((i, parameter), ty) in passed.iter().zip(&types) {
        if let Some(part) = &parameter.part {
            if whole.replace(part.of) != Some(part.of) {
                let _ = writeln!(text, "  unsigned char *taw_whole{} = taw_replay_pointer();", part.of);
            }
            let (of, at, bytes) = (part.of, part.at, part.bytes());
            let _ = writeln!(
                text,
                "  {ty} taw_a{i};\n  memset(&taw_a{i}, 0, sizeof taw_a{i});\n  memcpy(&taw_a{i}, taw_whole{of} + {at}, {bytes});"
            );
        } else {
            let _ = match parameter.pointer {
                _ if parameter.copy.is_some() => writeln!(text, "  {ty} taw_a{i} = *({ty} *)taw_replay_pointer();"),
                true => writeln!(text, "  void *taw_a{i} = taw_replay_pointer();"),
                false => write!(text, "  {ty} taw_a{i};\n  taw_replay_next(&taw_a{i}, sizeof taw_a{i});\n"),
            };
        }
        arguments.push(format!("taw_a{i}"));
    }
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    text.push_str(&preconditions::called(entry, &words, ";\n"));
    let call = format!("{name}({})", arguments.join(", "));
    text + &told(&call, &result, entry)
}

/// The call, what it gives told, and the exit code.
fn told(call: &str, result: &str, entry: &EntryPoint) -> String {
    if result == "void" {
        return format!("  {call};\n  taw_replay_returned(0, 0);\n  return 0;\n}}\n");
    }
    let mut text =
        format!("  static unsigned char taw_bytes[{}];\n  {result} taw_value = {call};\n", entry.result_bytes.max(1));
    match &entry.results[..] {
        [] => text += "  memcpy(taw_bytes, &taw_value, sizeof taw_bytes);\n",
        [only] => {
            let _ = writeln!(text, "  memcpy(taw_bytes + {}, &taw_value, {});", only.at, only.bytes());
        }
        [first, second] if is_long_double(first) => {
            let half = second.at;
            let _ = writeln!(
                text,
                "  memcpy(taw_bytes, &taw_value, 10);\n  memcpy(taw_bytes + {half}, (char *)&taw_value + sizeof taw_value / 2, 10);"
            );
        }
        several => {
            for (i, part) in several.iter().enumerate() {
                let _ = writeln!(text, "  memcpy(taw_bytes + {}, &taw_value.p{i}, {});", part.at, part.bytes());
            }
        }
    }
    let code = if entry.result.is_some() { "(int)taw_value" } else { "0" };
    text + &format!("  taw_replay_returned(taw_bytes, {});\n  return {code};\n}}\n", entry.result_bytes)
}

fn is_long_double(part: &MachineValue) -> bool {
    part.float && part.bits == 80
}

/// A type that comes back as the result does.
fn result_type(number: usize, entry: &EntryPoint, declared: &mut String) -> String {
    let in_room = entry.parameters.iter().any(|parameter| parameter.result);
    match (&entry.results[..], entry.result) {
        ([], _) if in_room => {
            let name = format!("struct room{number}");
            let size = if entry.result_bytes == 0 { LARGEST } else { entry.result_bytes.max(17) };
            *declared += &in_memory(&name, size, 1);
            name
        }
        ([], _) => "void".to_owned(),
        (_, Some(bits)) => integer_type(bits, true),
        ([only], _) => machine_type(only, declared),
        ([first, ..], _) if is_long_double(first) => "_Complex long double".to_owned(),
        (several, _) => {
            let parts: Vec<String> = several.iter().map(|part| machine_type(part, declared)).collect();
            let members =
                parts.iter().enumerate().map(|(i, ty)| format!("{ty} p{i} __attribute__((aligned(sizeof(void *))));"));
            let name = format!("struct result{number}");
            *declared += &format!("{name} {{ {} }};\n", members.collect::<Vec<_>>().join(" "));
            name
        }
    }
}

/// A structure that is passed and returned in memory, whatever its size: what is small is so for a member that is not aligned.
fn in_memory(name: &str, size: u64, align: u64) -> String {
    let aligned = if align > 8 { format!(" __attribute__((aligned({align})))") } else { String::new() };
    match size {
        3..=16 => format!(
            "{name} {{ char first; short second; char rest[{}]; }} __attribute__((packed)){aligned};\n",
            size - 3
        ),
        _ => format!("{name} {{ unsigned char part[{size}]; }}{aligned};\n"),
    }
}

/// A type that has a register as a part of a value has it.
fn machine_type(part: &MachineValue, declared: &mut String) -> String {
    let one = match (part.float, part.bits) {
        _ if part.pointer => "void *".to_owned(),
        (true, bits) => float_type(bits).to_owned(),
        (false, bits) => integer_type(bits, true),
    };
    if part.lanes == 1 {
        return one;
    }
    let name = format!("taw_{}{}x{}", if part.float { "float" } else { "int" }, part.bits, part.lanes);
    let line = format!("typedef {one} {name} __attribute__((vector_size({})));\n", part.bytes());
    if !declared.contains(&line) {
        *declared += &line;
    }
    name
}

fn float_type(bits: u32) -> &'static str {
    match bits {
        16 => "_Float16",
        32 => "float",
        64 => "double",
        128 => "__float128",
        _ => "long double",
    }
}

/// A type that is passed as the parameter is: the width decides, and of narrow integers the sign.
fn c_type(parameter: &Parameter) -> String {
    match (parameter.float, parameter.bits) {
        _ if parameter.pointer => "void *".into(),
        (true, bits) => float_type(bits).into(),
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
            align: 0,
            part: None,
            result: false,
        };
        let parameters =
            vec![parameter("unsigned char", 8, false), parameter("double", 64, true), parameter("char *", 64, false)];
        let results = vec![MachineValue { of: 0, at: 0, bits: 16, float: false, pointer: false, lanes: 1 }];
        let recipe = Recipe {
            entries: vec![EntryPoint {
                function: "f".into(),
                parameters,
                result: Some(16),
                results,
                result_bytes: 2,
                ..EntryPoint::default()
            }],
            markers: vec![Marker { function: "mark".into(), defined: false }],
            ..Recipe::default()
        };
        let text = source(&recipe);
        assert!(text.contains("int16_t f(uint8_t, double, void *);"), "{text}");
        assert!(text.contains("int16_t taw_value = f(taw_a0, taw_a1, taw_a2);"), "{text}");
        assert!(text.contains("void mark(const char *label)"), "{text}");
    }

    #[test]
    fn no_variable_is_called_as_an_entry_may_be() {
        let number = MachineValue { of: 0, at: 0, bits: 32, float: false, pointer: false, lanes: 1 };
        let parameter = Parameter {
            ty: "int".into(),
            bits: 32,
            float: false,
            pointer: false,
            copy: None,
            align: 0,
            part: None,
            result: false,
        };
        for name in ["a0", "value", "bytes", "call0"] {
            let entry = EntryPoint {
                function: name.into(),
                parameters: vec![parameter.clone()],
                result: Some(32),
                results: vec![number.clone()],
                result_bytes: 4,
                ..EntryPoint::default()
            };
            let text = source(&Recipe { entries: vec![entry], ..Recipe::default() });
            assert_eq!(text.matches(&format!(" {name}")).count(), 2, "declared and called: {text}");
        }
    }

    #[test]
    fn of_several_entries_the_test_says_which() {
        let entry = |name: &str| EntryPoint { function: name.into(), ..EntryPoint::default() };
        let text = source(&Recipe { entries: vec![entry("main"), entry("g")], ..Recipe::default() });
        assert!(text.contains("if (taw_replay_starts(\"main\")) return (__real_main(argc, argv));"), "{text}");
        assert!(text.contains("if (taw_replay_starts(\"g\")) return taw_call1();"), "{text}");
    }
}
