//! Reads the text form of a program: the inverse of `text`.
//!
//! What the text does not say is lost: aliases, where functions and globals are declared, directories of files, the types
//! of registers that nobody writes. So writing what was read gives the same text, and the same program behaves the same.

mod cursor;
mod global;
mod inst;
mod place;
mod types;

use std::collections::BTreeMap;
use std::fmt;

use cranelift_entity::EntityRef;

use crate::function::*;
use crate::program::*;
use cursor::{Cursor, Token};
use inst::Body;

/// Why a text is no program: line, from 1, and what is wrong in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong in it.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TextError {}

/// What reading a part gives: the part, or what is wrong with it in words.
type Read<T> = Result<T, String>;

/// Reads the text form of a program. Empty lines, and lines that begin with `#` or `;`, say nothing.
///
/// # Errors
/// If it is none; the first line that is wrong is named. What is well written may still be no sensible program: see
/// [`verify`](crate::verify).
pub fn read_program(text: &str) -> Result<Program, TextError> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line))
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with(['#', ';']))
        .collect();
    let mut reader = Reader { program: Program::default(), symbols: BTreeMap::new(), places: Default::default() };
    reader.declare(&lines)?;
    reader.define(&lines)?;
    reader.program.files = reader.places.files;
    reader.program.locs = reader.places.locs;
    Ok(reader.program)
}

struct Reader {
    program: Program,
    /// Functions and globals by name.
    symbols: BTreeMap<String, Symbol>,
    places: place::ReadPlaces,
}

fn at<T>(line: usize, result: Read<T>) -> Result<T, TextError> {
    result.map_err(|message| TextError { line, message })
}

impl Reader {
    /// First every name, so that any may be used before its line.
    fn declare(&mut self, lines: &[(usize, &str)]) -> Result<(), TextError> {
        for &(number, line) in lines {
            let mut words = line.split_whitespace();
            let kind = words.next().unwrap_or_default();
            let symbol = match kind {
                "func" | "declare" => Symbol::Function(self.program.functions.push(Function::default())),
                "global" | "constant" => Symbol::Global(self.program.globals.push(global::empty())),
                _ => continue,
            };
            let mut cursor = at(number, Cursor::new(line))?;
            cursor.skip();
            let name = at(number, cursor.symbol())?;
            if !name.is_empty() && self.symbols.insert(name.clone(), symbol).is_some() {
                return Err(TextError { line: number, message: format!("@{name} is there twice") });
            }
            match symbol {
                Symbol::Function(id) => drop(self.program.names.insert(name, id)),
                Symbol::Global(id) => drop(self.program.global_names.insert(name, id)),
                Symbol::Block(..) => {}
            }
        }
        Ok(())
    }

    fn define(&mut self, lines: &[(usize, &str)]) -> Result<(), TextError> {
        let mut rest = lines.iter();
        let (mut functions, mut globals) = (0, 0);
        while let Some(&(number, line)) = rest.next() {
            let mut cursor = at(number, Cursor::new(line))?;
            match at(number, cursor.word())?.as_str() {
                "type" => {
                    let (id, ty) = at(number, types::read(&mut cursor))?;
                    let next = self.program.types.all.push(ty);
                    at(number, if next == id { Ok(()) } else { Err(format!("{next} should be next")) })?;
                }
                "target" => self.program.layout = at(number, layout(&mut cursor))?,
                kind @ ("constructor" | "destructor") => {
                    let id = at(number, self.function_named(&mut cursor))?;
                    let first = kind == "constructor";
                    if first { &mut self.program.constructors } else { &mut self.program.destructors }.push(id);
                }
                kind @ ("global" | "constant") => {
                    let read = global::read(&mut cursor, kind == "constant", &self.symbols);
                    self.program.globals[GlobalId::new(globals)] = at(number, read)?;
                    globals += 1;
                }
                kind @ ("func" | "declare") => {
                    let mut function = at(number, header(&mut cursor))?;
                    if kind == "func" {
                        at(number, cursor.expect('{'))?;
                        let body: Vec<(usize, &str)> =
                            rest.by_ref().take_while(|(_, line)| line.trim() != "}").copied().collect();
                        Body::new(&mut function, &self.program.layout, &self.symbols, &mut self.places).read(&body)?;
                    }
                    at(number, cursor.end())?;
                    self.program.functions[FuncId::new(functions)] = function;
                    functions += 1;
                }
                other => return Err(TextError { line: number, message: format!("`{other}` begins nothing") }),
            }
        }
        Ok(())
    }

    fn function_named(&self, cursor: &mut Cursor) -> Read<FuncId> {
        let name = cursor.symbol()?;
        match self.symbols.get(&name) {
            Some(&Symbol::Function(id)) => Ok(id),
            _ => Err(format!("there is no function @{name}")),
        }
    }
}

/// `target "triple" 64 bits little`.
fn layout(cursor: &mut Cursor) -> Read<Layout> {
    let triple = cursor.string()?;
    let pointer_bits = cursor.number()?;
    cursor.keyword("bits")?;
    let big_endian = match cursor.word()?.as_str() {
        "big" => true,
        "little" => false,
        other => return Err(format!("the byte order is `big` or `little`, not `{other}`")),
    };
    Ok(Layout { pointer_bits, big_endian, triple })
}

/// `@name(params) -> returns noreturn library type3`, up to the brace.
fn header(cursor: &mut Cursor) -> Read<Function> {
    let mut function = Function { name: cursor.symbol()?, ..Function::default() };
    cursor.expect('(')?;
    while !cursor.eat(')') {
        if cursor.eat_word("...") {
            function.variadic = true;
        } else {
            let param = param(cursor)?;
            inst::note_register(&mut function, param.reg, param.ty);
            function.params.push(param);
        }
        if !cursor.eat(',') {
            cursor.expect(')')?;
            break;
        }
    }
    if cursor.eat_word("->") {
        function.returns = cursor.types()?;
    }
    function.noreturn = cursor.eat_word("noreturn");
    if cursor.eat_word("library") {
        function.origin = Origin::Library;
    }
    function.source = cursor.eat_type();
    Ok(function)
}

/// `v0: i32 "x" type1 byval(8, 8)`, `v0: i8 signext`, `v0: ptr const atleast 12`.
fn param(cursor: &mut Cursor) -> Read<Param> {
    let reg = cursor.register()?;
    cursor.expect(':')?;
    let ty = cursor.ty()?;
    let name = match cursor.peek() {
        Some(Token::Text(_)) => cursor.string()?,
        _ => String::new(),
    };
    let source = cursor.eat_type();
    let byval = cursor.byval()?;
    let passing = Passing::WORDS.iter().find(|(_, word)| cursor.eat_word(word)).map(|(passing, _)| *passing);
    let read_only = cursor.eat_word("const");
    let at_least = if cursor.eat_word("atleast") { cursor.number()? } else { 0 };
    Ok(Param { reg, ty, name, source, byval, passing: passing.unwrap_or_default(), read_only, at_least })
}
