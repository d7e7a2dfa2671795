//! A place in the source: the line and a caret under the column.

use std::io::{self, Write};
use std::path::Path;

use taw_ir::CONDITION_FILE;

use crate::style::{ACCENT, FRAME};
use crate::terminal::Within;

/// A larger file is no source that somebody wrote; a test may name any file.
const LARGEST: u64 = 64 << 20;

/// Shows the line, if the file can still be read; the place itself otherwise.
pub(crate) fn show(out: &mut impl Write, place: &str, file: &str, line: u32, column: Option<u32>) -> io::Result<()> {
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    writeln!(out, "{margin}{FRAME}-->{FRAME:#} {}", Within(place))?;
    let Some(text) = self::line(file, line) else { return Ok(()) };
    writeln!(out, "{margin} {FRAME}|{FRAME:#}")?;
    writeln!(out, "{FRAME}{number} |{FRAME:#} {text}")?;
    if let Some(column) = column {
        writeln!(out, "{margin} {FRAME}|{FRAME:#} {}{ACCENT}^{ACCENT:#}", padding(&text, column))?;
    }
    Ok(())
}

/// One line of a file, without its end.
pub(crate) fn line(file: &str, line: u32) -> Option<String> {
    let text = taw_files::read_regular(Path::new(file), LARGEST).ok()?;
    let line = text.split(|&byte| byte == b'\n').nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    Some(String::from_utf8_lossy(line).trim_end().to_owned())
}

/// The condition around the operator at `column` (bytes, from 1): up to the parenthesis or operator that ends it. The whole
/// line, if that is not clear.
pub(crate) fn condition(file: &str, number: u32, column: Option<u32>) -> Option<String> {
    let text = line(file, number)?;
    let part = column.and_then(|column| around(&text, (column as usize).checked_sub(1)?));
    Some(part.unwrap_or(text.trim()).to_owned())
}

/// The same of a place that may be in a condition of the user's (`file.c:LINE if EXPR`), which are in no file.
pub(crate) fn condition_among(asked: &[String], file: &str, number: u32, column: Option<u32>) -> Option<String> {
    if Path::new(file).file_name().is_none_or(|name| name != CONDITION_FILE) {
        return condition(file, number, column);
    }
    let text = asked.get((number as usize).checked_sub(1)?)?;
    let part = column.and_then(|column| around(text, (column as usize).checked_sub(1)?));
    Some(part.unwrap_or(text).to_owned())
}

fn around(text: &str, at: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let ends = |i: usize| b";?:{},".contains(&bytes[i]) || matches!(bytes.get(i..i + 2), Some(b"&&" | b"||"));
    let (mut start, mut depth) = (at.min(bytes.len()), 0);
    while start > 0 {
        match bytes[start - 1] {
            b')' => depth += 1,
            b'(' if depth == 0 => break,
            b'(' => depth -= 1,
            _ if depth == 0 && (ends(start - 1) || start > 1 && ends(start - 2)) => break,
            _ => {}
        }
        start -= 1;
    }
    let (mut end, mut depth) = (at, 0);
    while end < bytes.len() {
        match bytes[end] {
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            _ if depth == 0 && ends(end) => break,
            _ => {}
        }
        end += 1;
    }
    text.get(start..end).map(str::trim).filter(|part| !part.is_empty())
}

/// What brings a caret under `column` (bytes, from 1): tabs stay tabs, so that they are as wide as above.
fn padding(text: &str, column: u32) -> String {
    let before = column.saturating_sub(1) as usize;
    let kept = text.char_indices().take_while(|&(at, _)| at < before);
    kept.map(|(_, c)| if c == '\t' { '\t' } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(content: &str, line: u32, column: Option<u32>) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        std::fs::write(&file, content).unwrap();
        let mut out = Vec::new();
        show(&mut out, "a.c:2:2", file.to_str().unwrap(), line, column).unwrap();
        anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
    }

    #[test]
    fn the_caret_is_under_the_column() {
        assert_eq!(shown("one\n\tx = 1;\n", 2, Some(2)), " --> a.c:2:2\n  |\n2 | \tx = 1;\n  | \t^\n");
        assert_eq!(shown("one\nü = 1;\n", 2, Some(4)), " --> a.c:2:2\n  |\n2 | ü = 1;\n  |   ^\n");
    }

    #[test]
    fn a_condition_ends_where_the_next_begins() {
        let text = "  if (x > 10 && (y & 3) == 2 || !f(y, 1)) return a ? b == 1 : 2;";
        let part = |operator: &str| around(text, text.find(operator).unwrap());
        assert_eq!(part("> 10"), Some("x > 10"));
        assert_eq!(part("== 2"), Some("(y & 3) == 2"));
        assert_eq!(part("f(y"), Some("!f(y, 1)"));
        assert_eq!(part("== 1"), Some("b == 1"));
        assert_eq!(around("while (*in) {", 7), Some("*in"));
    }

    #[test]
    fn a_line_that_is_not_there_is_left_out() {
        assert_eq!(shown("one\n", 17, Some(1)), "  --> a.c:2:2\n");
    }
}
