//! All that people read goes out through here, and nothing in it can command a terminal: control characters are shown as
//! `\x1b`. Names, labels, output, source lines and paths are the program's, or of whoever wrote a test; only Taw's own styles
//! are let through, and of clang's words its colours.
//!
//! A style is known by where it comes from, not by how it looks: while one writes itself, [`OWN`] is set. So styles must be
//! written to the stream itself, not to a text before.

use std::cell::Cell;
use std::fmt;
use std::io::{self, StderrLock, StdoutLock, Write};

use anstream::AutoStream;

thread_local! {
    /// Whether what is being written is a style of Taw's own.
    static OWN: Cell<bool> = const { Cell::new(false) };
}

/// A style of Taw's own; the alternate form ends it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style(pub(crate) anstyle::Style);

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        as_own(|| fmt::Display::fmt(&self.0, f))
    }
}

fn as_own(write: impl FnOnce() -> fmt::Result) -> fmt::Result {
    let before = OWN.replace(true);
    let result = write();
    OWN.set(before);
    result
}

/// What a compiler says, in its colours.
pub(crate) struct Coloured<'a>(pub(crate) &'a str);

impl fmt::Display for Coloured<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find("\x1b[") {
            let length = colour(&rest[at..]);
            f.write_str(&rest[..at])?;
            let shown = &rest[at..at + length.unwrap_or(1)];
            match length {
                Some(_) => as_own(|| f.write_str(shown))?,
                None => f.write_str(shown)?,
            }
            rest = &rest[at + shown.len()..];
        }
        f.write_str(rest)
    }
}

/// The length of the sequence that sets colours at the start of a text.
fn colour(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\x1b[")?;
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    numbers[end..].starts_with('m').then_some(end + 3)
}

/// A stream without control characters of others.
pub(crate) struct Legible<W>(W);

impl<W: Write> Write for Legible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match OWN.get() || bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
            true => self.0.write_all(bytes)?,
            false => self.0.write_all(legible(bytes).as_bytes())?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard output, for people. A document for programs goes to `anstream::stdout`.
pub(crate) fn stdout() -> Legible<AutoStream<StdoutLock<'static>>> {
    Legible(anstream::stdout().lock())
}

/// Standard error, for people.
pub(crate) fn stderr() -> Legible<AutoStream<StderrLock<'static>>> {
    Legible(anstream::stderr().lock())
}

/// A line on standard error; nobody is left to tell if that fails.
pub(crate) fn tell(line: fmt::Arguments<'_>) {
    let _ = writeln!(stderr(), "{line}");
}

/// Warnings of a compiler, as it words and colours them.
pub(crate) fn pass_on(words: &str) {
    let _ = write!(stderr(), "{}", Coloured(words));
}

/// A text of others within a line of ours: it does not end the line.
pub(crate) struct Within<T>(pub(crate) T);

impl<T: fmt::Display> fmt::Display for Within<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `pad` keeps the width of a column.
        f.pad(&self.0.to_string().replace('\n', "\\n"))
    }
}

/// A text with its control characters, and what is no text at all, in the notation of C.
fn legible(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' | '\t' => text.push(c),
                '\r' => text.push_str("\\r"),
                c if c.is_ascii_control() => text.push_str(&format!("\\x{:02x}", u32::from(c))),
                c if c.is_control() || turns(c) => text.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
                c => text.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

/// Marks that change the order in which a line is shown, or end it.
fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::{BOLD, ERROR};

    fn written(write: impl FnOnce(&mut Legible<Vec<u8>>) -> io::Result<()>) -> String {
        let mut out = Legible(Vec::new());
        write(&mut out).unwrap();
        String::from_utf8(out.0).unwrap()
    }

    #[test]
    fn only_styles_of_our_own_command_the_terminal() {
        let name = "\x1b]0;title\x07\x1b[2J\u{9b}31m\u{202e}\r\n\tü\x7f";
        let shown = written(|out| writeln!(out, "{ERROR}{name}{ERROR:#}"));
        assert_eq!(shown, format!("{ERROR}\\x1b]0;title\\x07\\x1b[2J\\u{{9b}}31m\\u{{202e}}\\r\n\tü\\x7f{ERROR:#}\n"));
        // A name that looks as a style does is not one.
        let own = format!("{BOLD}");
        assert!(own.starts_with('\x1b'));
        assert_eq!(written(|out| write!(out, "{own}{BOLD}{own}")), format!("\\x1b[1m{BOLD}\\x1b[1m"));
    }

    #[test]
    fn a_name_does_not_end_a_line_of_ours() {
        assert_eq!(written(|out| writeln!(out, "[{:6}]", Within("a\nb"))), "[a\\nb  ]\n");
    }

    #[test]
    fn what_is_no_text_is_shown_byte_by_byte() {
        assert_eq!(written(|out| out.write_all(b"a\xff\x9b1m\0")), "a\\xff\\x9b1m\\x00");
    }

    #[test]
    fn a_compiler_may_use_colours_and_nothing_else() {
        let said = "\x1b[0;1;31merror\x1b[0m: \x1b[2J \x1b]0;x\x07 \x1b[";
        assert_eq!(
            written(|out| write!(out, "{}", Coloured(said))),
            "\x1b[0;1;31merror\x1b[0m: \\x1b[2J \\x1b]0;x\\x07 \\x1b["
        );
    }
}
