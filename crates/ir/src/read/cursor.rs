//! A line of the text form as tokens, and the small parts that many lines have.

use cranelift_entity::EntityRef;

use super::Read;
use crate::function::ByVal;
use crate::inst::FloatTy;
use crate::program::{BlockId, Reg, Ty};

/// A piece of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name, keyword or number; also `...` and `->`.
    Word(String),
    /// `@name`.
    Symbol(String),
    /// What is between quotation marks, unescaped.
    Text(Vec<u8>),
    /// `+4` or `-4`, right behind something.
    Offset(i64),
    /// Any other character.
    Mark(char),
}

/// The tokens of a line, read from the left. What follows ` ; ` is not among them.
#[derive(Debug)]
pub(super) struct Cursor {
    tokens: Vec<Token>,
    at: usize,
    /// What follows ` ; `.
    pub(super) comment: Option<String>,
}

impl Cursor {
    /// Takes a line apart.
    pub(super) fn new(line: &str) -> Read<Self> {
        let mut cursor = Cursor { tokens: Vec::new(), at: 0, comment: None };
        let mut at = 0;
        // Blanks matter twice: before the `;` of a comment, and not before the sign of an offset.
        let mut blank = true;
        while let Some(c) = line[at..].chars().next() {
            let rest = &line[at..];
            if c.is_whitespace() {
                at += c.len_utf8();
                blank = true;
                continue;
            }
            if c == ';' && blank {
                cursor.comment = Some(rest[1..].trim().to_owned());
                break;
            }
            let (token, length) = if blank { token(rest)? } else { offset(rest).map_or_else(|| token(rest), Ok)? };
            cursor.tokens.push(token);
            at += length;
            blank = false;
        }
        Ok(cursor)
    }

    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    fn next(&mut self, wanted: &str) -> Read<Token> {
        let token = self.peek().cloned().ok_or_else(|| format!("{wanted} is missing at the end"))?;
        self.skip();
        Ok(token)
    }

    pub(super) fn end(&mut self) -> Read<()> {
        match self.peek() {
            None => Ok(()),
            Some(token) => Err(format!("{token:?} is too much")),
        }
    }

    pub(super) fn eat(&mut self, mark: char) -> bool {
        let here = self.peek() == Some(&Token::Mark(mark));
        self.at += usize::from(here);
        here
    }

    pub(super) fn expect(&mut self, mark: char) -> Read<()> {
        if self.eat(mark) { Ok(()) } else { Err(format!("`{mark}` is missing before {:?}", self.peek())) }
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let here = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        self.at += usize::from(here);
        here
    }

    pub(super) fn keyword(&mut self, word: &str) -> Read<()> {
        if self.eat_word(word) { Ok(()) } else { Err(format!("`{word}` is missing before {:?}", self.peek())) }
    }

    pub(super) fn word(&mut self) -> Read<String> {
        match self.next("a word")? {
            Token::Word(word) => Ok(word),
            other => Err(format!("{other:?} where a word should be")),
        }
    }

    pub(super) fn symbol(&mut self) -> Read<String> {
        match self.next("a name")? {
            Token::Symbol(name) => Ok(name),
            other => Err(format!("{other:?} where `@name` should be")),
        }
    }

    pub(super) fn bytes(&mut self) -> Read<Vec<u8>> {
        match self.next("a text")? {
            Token::Text(bytes) => Ok(bytes),
            other => Err(format!("{other:?} where a text should be")),
        }
    }

    pub(super) fn string(&mut self) -> Read<String> {
        String::from_utf8(self.bytes()?).map_err(|_| "a text is not UTF-8".to_owned())
    }

    /// A number of any type; `0x` for hexadecimal.
    pub(super) fn number<N: TryFrom<u64>>(&mut self) -> Read<N> {
        let word = self.word()?;
        let number = match word.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => word.parse(),
        };
        let fitting = number.ok().and_then(|n| N::try_from(n).ok());
        fitting.ok_or_else(|| format!("`{word}` is no number that fits here"))
    }

    /// A number with or without a sign.
    pub(super) fn signed(&mut self) -> Read<i64> {
        let negative = self.eat('-');
        if !negative {
            self.eat('+');
        }
        let size: u64 = self.number()?;
        Ok(if negative { (size as i64).wrapping_neg() } else { size as i64 })
    }

    /// A number of bytes right behind an address; 0 if there is none.
    pub(super) fn offset(&mut self) -> i64 {
        let Some(&Token::Offset(offset)) = self.peek() else { return 0 };
        self.skip();
        offset
    }

    pub(super) fn ty(&mut self) -> Read<Ty> {
        let word = self.word()?;
        ty(&word).ok_or_else(|| format!("`{word}` is no type"))
    }

    pub(super) fn types(&mut self) -> Read<Vec<Ty>> {
        let mut types = vec![self.ty()?];
        while self.eat(',') {
            types.push(self.ty()?);
        }
        Ok(types)
    }

    /// `i32`, as its width.
    pub(super) fn width(&mut self) -> Read<u32> {
        match self.ty()? {
            Ty::Int(width) => Ok(width),
            other => Err(format!("{other} where an integer type should be")),
        }
    }

    pub(super) fn float(&mut self) -> Read<FloatTy> {
        match self.ty()? {
            Ty::Float(float) => Ok(float),
            other => Err(format!("{other} where a float type should be")),
        }
    }

    pub(super) fn register(&mut self) -> Read<Reg> {
        let word = self.word()?;
        let number = numbered(&word, "v").ok_or_else(|| format!("`{word}` is no register"))?;
        Ok(Reg::new(number))
    }

    pub(super) fn block(&mut self) -> Read<BlockId> {
        let word = self.word()?;
        let number = numbered(&word, "b").ok_or_else(|| format!("`{word}` is no block"))?;
        Ok(BlockId::new(number))
    }

    /// `byval(size, align)`, if it is there.
    pub(super) fn byval(&mut self) -> Read<Option<ByVal>> {
        if !self.eat_word("byval") {
            return Ok(None);
        }
        self.expect('(')?;
        let size = self.number()?;
        self.expect(',')?;
        let align = self.number()?;
        self.expect(')')?;
        Ok(Some(ByVal { size, align }))
    }
}

/// Registers and blocks are numbered from 0 without gaps, and no function has as many.
const MOST: usize = 1 << 22;

/// The number of `v12`, for the prefix `v`.
pub(super) fn numbered(word: &str, prefix: &str) -> Option<usize> {
    let digits = word.strip_prefix(prefix)?;
    if digits.starts_with('+') { None } else { digits.parse().ok().filter(|&n| n < MOST) }
}

/// The type of that name.
pub(super) fn ty(word: &str) -> Option<Ty> {
    Some(match word {
        "ptr" => Ty::Ptr,
        "f16" => Ty::Float(FloatTy::F16),
        "f32" => Ty::Float(FloatTy::F32),
        "f64" => Ty::Float(FloatTy::F64),
        "f80" => Ty::Float(FloatTy::F80),
        "f128" => Ty::Float(FloatTy::F128),
        _ => Ty::Int(numbered(word, "i")? as u32),
    })
}

/// The first token of a text that does not begin with a blank, and its length.
fn token(text: &str) -> Read<(Token, usize)> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let span = |from: usize| text[from..].find(|c| !is_name(c)).map_or(text.len(), |n| from + n);
    let first = text.chars().next().unwrap_or(' ');
    if text.starts_with("->") {
        return Ok((Token::Word("->".to_owned()), 2));
    }
    match first {
        '"' => quoted(text),
        '@' => Ok((Token::Symbol(text[1..span(1)].to_owned()), span(1))),
        c if is_name(c) => Ok((Token::Word(text[..span(0)].to_owned()), span(0))),
        c => Ok((Token::Mark(c), c.len_utf8())),
    }
}

/// `+4` or `-4` at the start of a text, and its length.
fn offset(text: &str) -> Option<(Token, usize)> {
    let digits = text.strip_prefix(['+', '-'])?;
    let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let offset = text[..=length].parse().ok()?;
    Some((Token::Offset(offset), length + 1))
}

/// A text in quotation marks, with the escapes of both `escape_ascii` and `{:?}`.
fn quoted(text: &str) -> Read<(Token, usize)> {
    let mut bytes = Vec::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((Token::Text(bytes), at + 1)),
            '\\' => bytes.extend(escaped(&mut chars).ok_or("an escape is not understood")?),
            c => bytes.extend(c.to_string().bytes()),
        }
    }
    Err("a quotation mark is never closed".to_owned())
}

/// What follows a backslash.
fn escaped(chars: &mut impl Iterator<Item = (usize, char)>) -> Option<Vec<u8>> {
    let mut next = || chars.next().map(|(_, c)| c);
    Some(match next()? {
        'n' => vec![b'\n'],
        't' => vec![b'\t'],
        'r' => vec![b'\r'],
        '0' => vec![0],
        'x' => vec![(next()?.to_digit(16)? * 16 + next()?.to_digit(16)?) as u8],
        'u' => {
            (next()? == '{').then_some(())?;
            let mut code = 0;
            loop {
                match next()? {
                    '}' => break,
                    digit => code = code * 16 + digit.to_digit(16)?,
                }
            }
            char::from_u32(code)?.to_string().into_bytes()
        }
        c @ ('\\' | '"' | '\'') => vec![c as u8],
        _ => return None,
    })
}
