//! A place in the source: the line and a caret under the column.

use std::fs;
use std::io::{self, Write};

use crate::style::{ACCENT, FRAME};

/// Shows the line, if the file can still be read; the place itself otherwise.
pub(crate) fn show(out: &mut impl Write, place: &str, file: &str, line: u32, column: Option<u32>) -> io::Result<()> {
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    writeln!(out, "{margin}{FRAME}-->{FRAME:#} {place}")?;
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
    let text = fs::read(file).ok()?;
    let line = text.split(|&byte| byte == b'\n').nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    Some(String::from_utf8_lossy(line).trim_end().to_owned())
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
        fs::write(&file, content).unwrap();
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
    fn a_line_that_is_not_there_is_left_out() {
        assert_eq!(shown("one\n", 17, Some(1)), "  --> a.c:2:2\n");
    }
}
