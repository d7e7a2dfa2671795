//! `taw-test.toml`: the options of `taw test`, so that they need not be said each time.
//!
//! A key is an option without its dashes; a list says it several times, `true` says one that takes nothing. What the command line says comes behind, and wins where an
//! option can be said once. It is the part of TOML that such a file needs: keys, strings, numbers, `true` and `false`, lists of these, and comments.

use std::path::Path;

use crate::failure::Failure;

/// Where it is looked for.
pub(crate) const CONFIG: &str = "taw-test.toml";

/// The words of the command line that a file stands for, and the files that it names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct TestConfig {
    pub words: Vec<String>,
    pub files: Vec<String>,
}

impl TestConfig {
    /// That of a folder; nothing if there is none.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, Failure> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&text)
                .map(Some)
                .map_err(|(line, why)| Failure::Message(format!("{}:{line}: {why}", path.display()))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::Message(format!("{}: {error}", path.display()))),
        }
    }

    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut config = TestConfig::default();
        let mut open: Option<(usize, String)> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let line = without_comment(line);
            let (start, whole) = match open.take() {
                Some((start, before)) => (start, format!("{before} {line}")),
                None => (number, line.to_owned()),
            };
            if whole.trim().is_empty() {
                continue;
            }
            // A list may go on.
            if whole.contains('[') && !whole.trim_end().ends_with(']') {
                open = Some((start, whole));
                continue;
            }
            config.add(&whole).map_err(|why| (start, why))?;
        }
        match open {
            Some((start, _)) => Err((start, "the list has no end".to_owned())),
            None => Ok(config),
        }
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once('=').ok_or("write KEY = VALUE, for example style = \"cmocka\"")?;
        let (key, value) = (key.trim(), value.trim());
        if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(format!("`{key}` is no option"));
        }
        let values = match value.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
            Some(list) => parts(list)?.iter().map(|part| scalar(part)).collect::<Result<Vec<_>, _>>()?,
            None => vec![scalar(value)?],
        };
        for value in values {
            match (key, value.as_str()) {
                ("files", _) => self.files.push(value),
                (_, "true") => self.words.push(option(key)),
                (_, "false") => {}
                _ => self.words.extend([option(key), value]),
            }
        }
        Ok(())
    }
}

/// `-I` for `I`, `--style` for `style`.
fn option(key: &str) -> String {
    if key.len() == 1 { format!("-{key}") } else { format!("--{key}") }
}

/// A line up to a `#` that is in no string.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') => return &line[..at],
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    line
}

/// The parts of a list.
fn parts(list: &str) -> Result<Vec<String>, String> {
    let (mut parts, mut part, mut quote) = (Vec::new(), String::new(), None);
    for c in list.chars() {
        match (quote, c) {
            (None, ',') => parts.push(std::mem::take(&mut part)),
            (None, '[') => return Err("a list in a list says nothing here".to_owned()),
            _ => {
                match quote {
                    None if c == '"' || c == '\'' => quote = Some(c),
                    Some(open) if open == c => quote = None,
                    _ => {}
                }
                part.push(c);
            }
        }
    }
    parts.push(part);
    parts.retain(|part| !part.trim().is_empty());
    Ok(parts)
}

/// One value: a string without its quotes, or a word as it is.
fn scalar(text: &str) -> Result<String, String> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return Ok(inner.to_owned());
    }
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return match inner.contains('\\') {
            true => Err("write strings with a backslash in single quotes".to_owned()),
            false => Ok(inner.to_owned()),
        };
    }
    let is_plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if is_plain { Ok(text.to_owned()) } else { Err(format!("`{text}` is no value; strings are in quotes")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_options() {
        let text = "# suite\nfiles = [\"lib.c\", 'util.c']\nstyle = \"cmocka\" # as ever\nstatic = true\nupdate = false\n\
                    assume = [\n  'n <= 8, or not', # with a comma\n  'm > 0',\n]\niterations = 500\nI = \"include\"\n";
        let config = TestConfig::parse(text).unwrap();
        assert_eq!(config.files, ["lib.c", "util.c"]);
        let words = "--style cmocka --static --assume|n <= 8, or not|--assume|m > 0|--iterations 500 -I include";
        let words: Vec<&str> = words
            .split('|')
            .flat_map(|part| if part.contains(['<', '>']) { vec![part] } else { part.split(' ').collect() })
            .collect();
        assert_eq!(config.words, words);
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        assert_eq!(TestConfig::parse("style = \"x\"\nnonsense\n").unwrap_err().0, 2);
        assert_eq!(TestConfig::parse("\nassume = [ 'a'\n").unwrap_err(), (2, "the list has no end".to_owned()));
        assert!(TestConfig::parse("style = cm ocka").unwrap_err().1.contains("in quotes"));
    }
}
