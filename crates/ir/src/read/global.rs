//! Global variables and constant values of the text form.

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;

use super::Read;
use super::cursor::{Cursor, Token, numbered};
use crate::program::*;

/// Names, and what they name.
pub(super) type Symbols = BTreeMap<String, Symbol>;

/// A global of which nothing is known yet.
/// The bytes of the largest global: they are all kept.
const LARGEST: u64 = 1 << 31;

pub(super) fn empty() -> Global {
    Global {
        name: String::new(),
        size: 0,
        align: 1,
        init: None,
        constant: false,
        element: 1,
        source: None,
        loc: None,
        origin: Origin::User,
    }
}

/// `@name size 4 align 4 element 4 type1 "bytes" [offset; bytes] = value …`.
pub(super) fn read(cursor: &mut Cursor, constant: bool, symbols: &Symbols) -> Read<Global> {
    let name = cursor.symbol()?;
    cursor.keyword("size")?;
    let size: u64 = cursor.number()?;
    cursor.keyword("align")?;
    let align = cursor.number()?;
    cursor.keyword("element")?;
    let element = cursor.number()?;
    let source = cursor.eat_type();
    let mut global = Global { name, size, align, element, constant, source, ..empty() };
    if cursor.eat_word("external") {
        cursor.end()?;
        return Ok(global);
    }
    let mut bytes = if cursor.eat_word("zero") { Vec::new() } else { cursor.bytes()? };
    if size > LARGEST {
        return Err(format!("a global of {size} bytes: {LARGEST} are the most"));
    }
    bytes.resize(size as usize, 0);
    let mut relocations = Vec::new();
    while cursor.eat('[') {
        let offset = cursor.number()?;
        cursor.expect(';')?;
        let bytes = cursor.number()?;
        cursor.expect(']')?;
        cursor.expect('=')?;
        relocations.push(Relocation { offset, bytes, value: value(cursor, symbols)? });
    }
    cursor.end()?;
    global.init = Some(Initializer { bytes, relocations });
    Ok(global)
}

/// A constant value: a number, `undef`, `@name:b2+4`, `(value + value)`.
pub(super) fn value(cursor: &mut Cursor, symbols: &Symbols) -> Read<ConstValue> {
    if cursor.eat('(') {
        let a = Box::new(value(cursor, symbols)?);
        let add = cursor.eat('+');
        if !add {
            cursor.expect('-')?;
        }
        let b = Box::new(value(cursor, symbols)?);
        cursor.expect(')')?;
        return Ok(if add { ConstValue::Add(a, b) } else { ConstValue::Sub(a, b) });
    }
    if let Some(Token::Symbol(_)) = cursor.peek() {
        let name = cursor.symbol()?;
        let symbol = *symbols.get(&name).ok_or_else(|| format!("there is no @{name}"))?;
        return address(cursor, symbol);
    }
    let word = cursor.word()?;
    if word == "undef" {
        return Ok(ConstValue::Undef);
    }
    if let Some(number) = numbered(&word, "g") {
        return address(cursor, Symbol::Global(GlobalId::new(number)));
    }
    let words = match word.strip_prefix("0x") {
        Some(digits) => wide(digits),
        None => word.parse().ok().map(|n| vec![n]),
    };
    let words = words.ok_or_else(|| format!("`{word}` is no constant"))?;
    Ok(ConstValue::Bits(words.into()))
}

/// What may follow a symbol: a block, and a number of bytes.
fn address(cursor: &mut Cursor, symbol: Symbol) -> Read<ConstValue> {
    let symbol = match symbol {
        Symbol::Function(func) if cursor.eat(':') => Symbol::Block(func, cursor.block()?),
        other => other,
    };
    Ok(ConstValue::Address(symbol, cursor.offset()))
}

/// Words of 16 hexadecimal digits, most significant first.
fn wide(digits: &str) -> Option<Vec<u64>> {
    let words: Option<Vec<u64>> = digits
        .as_bytes()
        .chunks(16)
        .rev()
        .map(|word| u64::from_str_radix(str::from_utf8(word).ok()?, 16).ok())
        .collect();
    words.filter(|words| !words.is_empty())
}
