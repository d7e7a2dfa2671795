//! The text of assembly statements: LLVM's templates in AT&T syntax, as instructions with operands.
//!
//! Only the grammar is here: what an argument is bound to and what an instruction means is not known. A text that is not
//! understood is an error that says which piece; nothing is guessed. Directives, labels and expressions are not understood.

use super::registers::{self, Register};

/// A prefix of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InstructionPrefix {
    None,
    /// The access to memory is atomic.
    Lock,
    /// Repetition; for some instructions without one it makes another instruction.
    Rep,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    pub prefix: InstructionPrefix,
    pub mnemonic: String,
    /// In the order of the text: the destination is the last.
    pub operands: Vec<WrittenOperand>,
}

/// An operand of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrittenOperand {
    /// `$0`, `${0:b}`: an operand of the statement.
    Argument { number: usize, modifier: Option<char> },
    /// `%eax`.
    Register(Register),
    /// `$$5`.
    Immediate(i64),
    /// `8(%rax,%rbx,4)`.
    Memory(WrittenAddress),
}

/// A place in memory: displacement + base + index * scale.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenAddress {
    /// A number, or an argument that is one.
    pub displacement: Option<Box<WrittenOperand>>,
    pub base: Option<Box<WrittenOperand>>,
    pub index: Option<Box<WrittenOperand>>,
    pub scale: u32,
}

/// The instructions of a template.
pub fn parse(text: &str) -> Result<Vec<Instruction>, String> {
    let text = without_comments(&first_variants(text)?)?;
    let mut prefix = InstructionPrefix::None;
    let mut instructions = Vec::new();
    for statement in text.split(['\n', '\r', ';']) {
        let mut rest = statement.trim();
        // A prefix may be a statement of its own: it is one byte before the next.
        while let Some((found, behind)) = leading_prefix(rest) {
            (prefix, rest) = (found, behind);
        }
        if rest.is_empty() {
            continue;
        }
        let (mnemonic, operands) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
        if !mnemonic.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(format!("`{rest}` is no plain instruction"));
        }
        let mnemonic = mnemonic.to_ascii_lowercase();
        instructions.push(Instruction { prefix, mnemonic, operands: operand_list(operands)? });
        prefix = InstructionPrefix::None;
    }
    match prefix {
        InstructionPrefix::None => Ok(instructions),
        _ => Err("a prefix without an instruction".to_string()),
    }
}

/// The text with the first of the variants in `$(a$|b$)`: variants are for syntaxes, and AT&T's is the first.
fn first_variants(text: &str) -> Result<String, String> {
    let mut kept = String::with_capacity(text.len());
    let mut variant = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        let pair = (c == '$').then(|| characters.clone().next()).flatten();
        match (pair, variant) {
            (Some('('), None) => variant = Some(0),
            (Some('|'), Some(n)) => variant = Some(n + 1),
            (Some(')'), Some(_)) => variant = None,
            (Some('(' | '|' | ')'), _) => return Err("variants that are not balanced".to_string()),
            (pair, within) => {
                let escaped = pair == Some('$');
                if within.unwrap_or(0) == 0 {
                    kept.push(c);
                    kept.extend(pair.filter(|_| escaped));
                }
                if !escaped {
                    continue;
                }
            }
        }
        characters.next();
    }
    match variant {
        None => Ok(kept),
        Some(_) => Err("variants that are not balanced".to_string()),
    }
}

fn without_comments(text: &str) -> Result<String, String> {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        code.push_str(&rest[..start]);
        code.push(' ');
        let end = rest[start..].find("*/").ok_or("a comment that does not end")?;
        rest = &rest[start + end + 2..];
    }
    code.push_str(rest);
    let line = |line: &str| line.split('#').next().and_then(|l| l.split("//").next()).unwrap_or_default().to_string();
    Ok(code.lines().map(line).collect::<Vec<_>>().join("\n"))
}

fn leading_prefix(statement: &str) -> Option<(InstructionPrefix, &str)> {
    let (word, rest) = statement.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((statement, ""));
    let prefix = match word.to_ascii_lowercase().as_str() {
        "lock" => InstructionPrefix::Lock,
        "rep" | "repe" | "repz" => InstructionPrefix::Rep,
        _ => return None,
    };
    Some((prefix, rest.trim_start()))
}

fn operand_list(text: &str) -> Result<Vec<WrittenOperand>, String> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut depth = 0i32;
    let outside = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    text.split(outside).map(|operand| term(operand.trim())).collect()
}

fn term(text: &str) -> Result<WrittenOperand, String> {
    let strange = || format!("the operand `{text}`");
    if let Some(immediate) = text.strip_prefix("$$") {
        return number(immediate).map(WrittenOperand::Immediate).ok_or_else(strange);
    }
    if let Some(argument) = argument(text) {
        return Ok(argument);
    }
    if let Some(name) = text.strip_prefix('%') {
        return registers::named(name).map(WrittenOperand::Register).ok_or_else(strange);
    }
    address(text).map(WrittenOperand::Memory).ok_or_else(strange)
}

/// `$N`, `${N}`, `${N:m}`.
fn argument(text: &str) -> Option<WrittenOperand> {
    let name = text.strip_prefix('$')?;
    let (number, modifier) = match name.strip_prefix('{') {
        Some(braced) => {
            let braced = braced.strip_suffix('}')?;
            braced.split_once(':').map_or((braced, ""), |parts| parts)
        }
        None => (name, ""),
    };
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let mut letters = modifier.chars();
    let modifier = letters.next();
    (digits && letters.next().is_none()).then_some(WrittenOperand::Argument { number: number.parse().ok()?, modifier })
}

/// `displacement(base,index,scale)`, of which much may be missing.
fn address(text: &str) -> Option<WrittenAddress> {
    let (outside, inside) = match text.split_once('(') {
        Some((outside, rest)) => (outside.trim(), Some(rest.strip_suffix(')')?)),
        None => (text, None),
    };
    let displacement = match outside {
        "" => None,
        outside => Some(Box::new(argument(outside).or_else(|| number(outside).map(WrittenOperand::Immediate))?)),
    };
    let parts: Vec<&str> = inside.map(|inside| inside.split(',').map(str::trim).collect()).unwrap_or_default();
    let register = |n: usize| match parts.get(n).copied().unwrap_or_default() {
        "" => Some(None),
        text => {
            let register = || registers::named(text.strip_prefix('%')?).map(WrittenOperand::Register);
            Some(Some(Box::new(argument(text).or_else(register)?)))
        }
    };
    let scale = match parts.get(2) {
        Some(text) => u32::try_from(number(text)?).ok().filter(|scale| matches!(scale, 1 | 2 | 4 | 8))?,
        None => 1,
    };
    let found = WrittenAddress { displacement, base: register(0)?, index: register(1)?, scale };
    let empty = found.displacement.is_none() && found.base.is_none() && found.index.is_none();
    (!empty && parts.len() <= 3).then_some(found)
}

/// A number as assemblers write it. One that needs 64 bits unsigned is the negative one of the same bits.
fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let lower = digits.to_ascii_lowercase();
    let value = if let Some(hex) = lower.strip_prefix("0x") {
        u64::from_str_radix(hex, 16)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        u64::from_str_radix(binary, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        u64::from_str_radix(&lower, 8)
    } else {
        lower.parse()
    };
    let value = value.ok()? as i64;
    Some(if negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argument_of(number: usize, modifier: Option<char>) -> WrittenOperand {
        WrittenOperand::Argument { number, modifier }
    }

    fn only(text: &str) -> Instruction {
        let mut all = parse(text).unwrap();
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    #[test]
    fn statements_are_split_and_the_destination_is_last() {
        let all = parse("addq $5,${1:q}\n\tadcq $3, ${0:q} ; nop # done; nop").unwrap();
        assert_eq!(all.iter().map(|i| i.mnemonic.as_str()).collect::<Vec<_>>(), ["addq", "adcq", "nop"]);
        assert_eq!(all[0].operands, [argument_of(5, None), argument_of(1, Some('q'))]);
        assert_eq!(all[2].operands, []);
    }

    #[test]
    fn a_text_of_comments_has_no_instructions() {
        for text in ["", " \n\t# barrier", "/* nop */ // nop"] {
            assert_eq!(parse(text), Ok(Vec::new()), "{text:?}");
        }
    }

    #[test]
    fn the_first_variant_is_taken() {
        let add = only("$(addl$|add$) $($1, $0$|$0, $1$)");
        assert_eq!((add.mnemonic.as_str(), add.operands), ("addl", vec![argument_of(1, None), argument_of(0, None)]));
        assert!(parse("$(a$|b").is_err() && parse("a$)").is_err());
    }

    #[test]
    fn immediates_are_numbers_of_all_bases() {
        for (text, value) in [("16", 16), ("-1", -1), ("0x10", 16), ("010", 8), ("0b11", 3), ("0xffffffffffffffff", -1)]
        {
            assert_eq!(only(&format!("mov $${text}, %eax")).operands[0], WrittenOperand::Immediate(value));
        }
        assert!(parse("mov $$symbol, %eax").is_err() && parse("mov $$(1+2), %eax").is_err());
    }

    #[test]
    fn prefixes_belong_to_the_next_instruction() {
        assert_eq!(only("lock; xaddl $0, $1").prefix, InstructionPrefix::Lock);
        assert_eq!(only("rep nop").prefix, InstructionPrefix::Rep);
        let all = parse("rep;bsf $1, ${0:q}; nop").unwrap();
        assert_eq!((all[0].prefix, all[1].prefix), (InstructionPrefix::Rep, InstructionPrefix::None));
        assert!(parse("nop; lock").is_err());
    }

    #[test]
    fn addresses_have_up_to_four_parts() {
        let WrittenOperand::Memory(address) = &only("lea -4($1,%rcx,8), $0").operands[0] else { panic!("no address") };
        assert_eq!(address.displacement.as_deref(), Some(&WrittenOperand::Immediate(-4)));
        assert_eq!(address.base.as_deref(), Some(&argument_of(1, None)));
        assert_eq!(address.index.as_deref(), registers::named("rcx").map(WrittenOperand::Register).as_ref());
        assert_eq!(address.scale, 8);
        assert!(parse("lea (%rax,%rbx,3), $0").is_err() && parse("mov (), $0").is_err());
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for text in
            ["1: nop", ".byte 0x90", "mov %fs:0, $0", "jmp *$0", "mov %rsp, $0", "mov ${0:qq}, $1", "add sym, $0"]
        {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
