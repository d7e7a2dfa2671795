//! The constraints of an assembly statement: where LLVM is to put its operands.
//!
//! LLVM lists outputs, inputs and clobbers in this order, with commas between them. A list of places (`rm`) leaves the
//! choice to the compiler, so any of them is right; alternatives (`r|m`) are taken as the first one of every operand.

use super::registers::{self, Register};

/// One operand of a statement; clobbers are none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    pub role: OperandRole,
    pub place: Wanted,
}

/// Which way the value goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandRole {
    /// A part of the result.
    Output,
    /// An output through a pointer argument.
    IndirectOutput,
    /// An argument.
    Input,
    /// A pointer argument to what is read.
    IndirectInput,
}

/// Where the value has to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Some register; a constant may be in the instruction itself if `immediate`.
    Register { immediate: bool },
    /// This register.
    Fixed(Register),
    /// Memory, at the address that is passed.
    Memory,
    /// Wherever that output is.
    Tied(usize),
    /// A flag after the last instruction, named by its condition (`@ccb`).
    Flag(String),
    /// A place that is not known here, such as a vector register, in LLVM's letters.
    Other(String),
}

/// The operands of a statement, in the order of their numbers.
pub fn parse(constraints: &str) -> Result<Vec<Constraint>, String> {
    let operands = constraints.split(',').filter(|text| !text.is_empty() && !text.starts_with('~'));
    operands.map(one).collect()
}

fn one(text: &str) -> Result<Constraint, String> {
    if text.starts_with('!') {
        return Err("it jumps".to_string());
    }
    let output = text.starts_with('=');
    let codes = text.trim_start_matches(['=', '&', '%']);
    let (indirect, codes) = match codes.strip_prefix('*') {
        Some(codes) => (true, codes),
        None => (false, codes),
    };
    let codes = codes.trim_start_matches(['&', '%']);
    let role = match (output, indirect) {
        (true, true) => OperandRole::IndirectOutput,
        (true, false) => OperandRole::Output,
        (false, true) => OperandRole::IndirectInput,
        (false, false) => OperandRole::Input,
    };
    let place = match indirect {
        true => Wanted::Memory,
        false => place(codes.split('|').next().unwrap_or_default()),
    };
    Ok(Constraint { role, place })
}

fn place(codes: &str) -> Wanted {
    let other = || Wanted::Other(codes.to_string());
    if let Ok(output) = codes.parse() {
        return Wanted::Tied(output);
    }
    if let Some((name, rest)) = codes.strip_prefix('{').and_then(|codes| codes.split_once('}')) {
        // Immediates beside a fixed register (`{cx}I`) are another choice for the compiler.
        if let Some(flag) = name.strip_prefix("@cc") {
            return Wanted::Flag(flag.to_string());
        }
        let plain = rest.chars().all(is_immediate);
        return registers::named(name).filter(|_| plain).map_or_else(other, Wanted::Fixed);
    }
    let known = |c: char| is_immediate(c) || matches!(c, 'r' | 'q' | 'Q' | 'R' | 'l' | 'm' | 'o' | 'g' | 'X');
    if codes == "p" {
        Wanted::Memory
    } else if !codes.is_empty() && codes.chars().all(known) {
        Wanted::Register { immediate: codes.chars().any(|c| is_immediate(c) || matches!(c, 'g' | 'X')) }
    } else {
        other()
    }
}

/// The letters for constants, of all ranges.
fn is_immediate(code: char) -> bool {
    matches!(code, 'i' | 'n' | 's' | 'e' | 'Z' | 'I'..='O')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(OperandRole, Wanted)> {
        parse(text).unwrap().into_iter().map(|c| (c.role, c.place)).collect()
    }

    const ANY: Wanted = Wanted::Register { immediate: false };

    #[test]
    fn clobbers_are_no_operands() {
        assert_eq!(all("~{memory},~{dirflag}"), []);
        assert_eq!(all(""), []);
    }

    #[test]
    fn roles_and_places() {
        let ax = Wanted::Fixed(registers::named("ax").unwrap());
        assert_eq!(all("={ax},0"), [(OperandRole::Output, ax), (OperandRole::Input, Wanted::Tied(0))]);
        assert_eq!(
            all("=&r,%0,rm"),
            [(OperandRole::Output, ANY), (OperandRole::Input, Wanted::Tied(0)), (OperandRole::Input, ANY)]
        );
        assert_eq!(
            all("=*m,=*&rm,*m").into_iter().map(|c| c.0).collect::<Vec<_>>(),
            [OperandRole::IndirectOutput, OperandRole::IndirectOutput, OperandRole::IndirectInput]
        );
        assert_eq!(all("={@ccnz}"), [(OperandRole::Output, Wanted::Flag("nz".to_string()))]);
    }

    #[test]
    fn immediates_are_told_from_registers() {
        let immediate = Wanted::Register { immediate: true };
        for text in ["i", "rme", "imr", "Ir", "rZ"] {
            assert_eq!(all(text), [(OperandRole::Input, immediate.clone())], "{text}");
        }
        assert_eq!(all("{cx}I"), [(OperandRole::Input, Wanted::Fixed(registers::named("cx").unwrap()))]);
    }

    #[test]
    fn alternatives_are_the_first_ones() {
        assert_eq!(all("=r|m,0|r"), [(OperandRole::Output, ANY), (OperandRole::Input, Wanted::Tied(0))]);
    }

    #[test]
    fn places_that_are_not_known_keep_their_letters() {
        for text in ["x", "{xmm0}", "f", "^Yz", "{rsp}", "A"] {
            assert_eq!(all(text), [(OperandRole::Input, Wanted::Other(text.to_string()))]);
        }
        assert!(parse("!i").is_err());
    }
}
