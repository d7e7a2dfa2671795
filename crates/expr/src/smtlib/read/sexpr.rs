//! S-expressions, each with its place in the text.

use super::ScriptError;

/// A line and a column, both from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextPosition {
    /// Line, from 1.
    pub line: u32,
    /// Column, in characters.
    pub column: u32,
}

/// An atom or a list.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Form {
    /// A symbol (without bars), a keyword or a number, as written.
    Atom(String),
    Text(String),
    List(Vec<Sexpr>),
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sexpr {
    pub form: Form,
    pub place: TextPosition,
}

impl Sexpr {
    pub fn atom(&self) -> Option<&str> {
        match &self.form {
            Form::Atom(text) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Sexpr]> {
        match &self.form {
            Form::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn is(&self, text: &str) -> bool {
        self.atom() == Some(text)
    }

    /// A number written in decimal.
    pub fn number(&self) -> Result<u32, ScriptError> {
        let number = self.atom().and_then(|text| text.parse().ok());
        number.ok_or_else(|| ScriptError::wrong(self.place, "a number is needed here"))
    }
}

/// The s-expressions of a text.
pub(super) fn read(text: &str) -> Result<Vec<Sexpr>, ScriptError> {
    let mut reader = Reader { rest: text.chars().peekable(), place: TextPosition { line: 1, column: 1 } };
    // Lists that are open, each with its place; the first is the text itself.
    let mut open: Vec<(TextPosition, Vec<Sexpr>)> = vec![(reader.place, Vec::new())];
    while let Some(token) = reader.token()? {
        let (form, place) = match token {
            (Token::Open, place) => {
                open.push((place, Vec::new()));
                continue;
            }
            (Token::Close, place) => match open.pop() {
                Some((start, items)) if !open.is_empty() => (Form::List(items), start),
                _ => return Err(ScriptError::wrong(place, "there is no list to close: one `)` too many")),
            },
            (Token::Form(form), place) => (form, place),
        };
        let (_, items) = open.last_mut().expect("the text itself is open");
        items.push(Sexpr { form, place });
    }
    match open.len() {
        1 => Ok(open.remove(0).1),
        _ => Err(ScriptError::wrong(open[open.len() - 1].0, "this list is not closed: a `)` is missing")),
    }
}

enum Token {
    Open,
    Close,
    Form(Form),
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    place: TextPosition,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        match c {
            '\n' => self.place = TextPosition { line: self.place.line + 1, column: 1 },
            _ => self.place.column += 1,
        }
        Some(c)
    }

    fn token(&mut self) -> Result<Option<(Token, TextPosition)>, ScriptError> {
        while let Some(&c) = self.rest.peek() {
            if c == ';' {
                while self.next().is_some_and(|c| c != '\n') {}
            } else if c.is_whitespace() {
                self.next();
            } else {
                break;
            }
        }
        let place = self.place;
        let Some(c) = self.next() else { return Ok(None) };
        let token = match c {
            '(' => Token::Open,
            ')' => Token::Close,
            '"' => Token::Form(Form::Text(self.until('"', place)?)),
            '|' => Token::Form(Form::Atom(self.until('|', place)?)),
            _ => {
                let mut text = String::from(c);
                while let Some(&c) = self.rest.peek().filter(|c| !c.is_whitespace() && !"();\"|".contains(**c)) {
                    text.push(c);
                    self.next();
                }
                Token::Form(Form::Atom(text))
            }
        };
        Ok(Some((token, place)))
    }

    fn until(&mut self, end: char, start: TextPosition) -> Result<String, ScriptError> {
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(ScriptError::wrong(start, format!("the {end} that ends this is missing"))),
                // Twice the quotation mark is one, inside.
                Some(c) if c == end && !(end == '"' && self.rest.peek() == Some(&'"')) => return Ok(text),
                Some(c) if c == end => {
                    self.next();
                    text.push(end);
                }
                Some(c) => text.push(c),
            }
        }
    }
}
