//! The C program that calls functions for another process: a table written for their prototypes, before `runtime/pure/worker.c`.
//!
//! The compiler knows how arguments are passed, so nobody here has to. Functions are named by `__asm__`, so that no header and no
//! built-in function of the compiler can disagree.

use std::fmt::Write as _;

use super::prototype::{Prototype, Scalar};

/// Bytes that an argument or a result takes in a message.
pub(super) const SLOT: usize = 16;

const WORKER: &str = include_str!("../../../../runtime/pure/worker.c");

/// The whole program; it is linked with `--wrap=main`.
pub fn worker_source(functions: &[Prototype]) -> String {
    let mut text = format!("#include <stdint.h>\n#include <string.h>\ntypedef unsigned char taw_slot[{SLOT}];\n");
    let mut table = String::new();
    for (number, function) in functions.iter().enumerate() {
        text.push_str(&shim(number, function));
        let _ = writeln!(table, "  {{taw_shim_{number}}},");
    }
    let most = functions.iter().map(|f| f.parameters.len()).max().unwrap_or(0).max(1);
    let _ = write!(
        text,
        "static const struct {{\n  void (*call)(const taw_slot *, unsigned char *);\n}} \
         taw_functions[] = {{\n{table}}};\n#define TAW_MOST_PARAMETERS {most}\n"
    );
    text + WORKER
}

/// A function that takes its arguments out of slots.
fn shim(number: usize, function: &Prototype) -> String {
    let types: Vec<&str> = function.parameters.iter().map(|p| p.c_type()).collect();
    let list = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
    let result = function.result.c_type();
    let mut text = format!(
        "extern {result} taw_pure_{number}({list}) __asm__({:?});\n\
         static void taw_shim_{number}(const taw_slot *args, unsigned char *result) {{\n",
        function.name
    );
    let mut names = Vec::new();
    for (i, parameter) in function.parameters.iter().enumerate() {
        let (ty, bytes) = (parameter.c_type(), bytes(*parameter));
        let _ = writeln!(text, "  {ty} a{i} = 0;\n  memcpy(&a{i}, args[{i}], {bytes});");
        names.push(format!("a{i}"));
    }
    let bytes = bytes(function.result);
    let call = names.join(", ");
    let _ = writeln!(text, "  {result} value = taw_pure_{number}({call});\n  memcpy(result, &value, {bytes});\n}}");
    text
}

/// Bytes of a value, without what pads it in memory.
fn bytes(scalar: Scalar) -> u32 {
    scalar.width().div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taw_expr::FloatFormat;

    #[test]
    fn types_are_those_of_the_declaration() {
        let byte = Scalar::Int { bits: 8, signed: true };
        let extended = Scalar::Float(FloatFormat::F80);
        let f = Prototype { name: "f".into(), parameters: vec![byte, extended], result: byte };
        let text = worker_source(&[f]);
        assert!(text.contains("extern int8_t taw_pure_0(int8_t, long double) __asm__(\"f\");"), "{text}");
        assert!(text.contains("memcpy(&a1, args[1], 10);"), "{text}");
        assert!(text.contains("{taw_shim_0},"), "{text}");
    }
}
