//! Conditions of places (`file.c:LINE if EXPR`): expressions of the user's, compiled in front of the statements of a line of the program, where they see
//! what is in scope there.
//!
//! Each place is tried on its own first: what is not declared yet at one place of the line (`i` before the first part of `for (int i = 0; …)`) is not
//! asked there. Whatever else the compiler says of an expression is said to the user.

use std::path::PathBuf;

use taw_ir::FileId;
use taw_loader::{ConditionPlace, NoCondition, Sources, condition_text, is_sound, statements_at};
use taw_targets::{FileLine, Request, conditions, line_with_code};

use crate::Error;
use crate::program::Program;
use crate::stack::on_large_stack;

/// C in front of bytes of files.
pub(crate) type ConditionTexts = Vec<(PathBuf, Vec<(usize, String)>)>;

/// The program with what is asked in it; none if nothing is.
///
/// # Errors
/// If a line is in no C file or no place for a condition, or what is wrong with an expression.
pub(crate) fn asking(program: &Program, requests: &[Request]) -> Result<Option<Program>, Error> {
    let asked = conditions(requests);
    if asked.is_empty() {
        return Ok(None);
    }
    let mut texts = ConditionTexts::new();
    for (number, (at, expression)) in asked.iter().enumerate() {
        let fail = |why| Error::Condition { text: format!("{}:{} if {expression}", at.file, at.line), why };
        one_expression(expression).map_err(fail)?;
        let (file, line) = line_with_code(&program.places(), at).map_err(Error::Target)?;
        let path = source(program, file).map_err(fail)?;
        let likely = function_before(program, file, line);
        let places = on_large_stack(|| {
            program.with_sources(|sources| {
                let (function, places) = statements_at(sources, &path, line, likely)?;
                asked_at(sources, &path, &function, &places, |place| condition_text(number, expression, place.form))
            })
        })??;
        let places = places.map_err(|why| fail(why.to_string()))?;
        match texts.iter_mut().find(|(known, _)| *known == path) {
            Some((_, known)) => known.extend(places),
            None => texts.push((path, places)),
        }
    }
    // Stable: of one place, what was asked for first comes first.
    texts.iter_mut().for_each(|(_, places)| places.sort_by_key(|(offset, _)| *offset));
    let asked = asked.into_iter().map(|(at, text)| (at.clone(), text.to_owned())).collect();
    program.asking(texts, asked).map(Some)
}

/// The texts at those places where the expression has a meaning.
fn asked_at(
    sources: &Sources,
    file: &std::path::Path,
    function: &str,
    places: &[ConditionPlace],
    text: impl Fn(&ConditionPlace) -> String,
) -> Result<Vec<(usize, String)>, NoCondition> {
    let (mut found, mut undeclared) = (Vec::new(), None);
    for place in places {
        let here = (place.offset, text(place));
        let alone = Sources { conditions: vec![(file.to_owned(), vec![here.clone()])], ..sources.clone() };
        match is_sound(&alone, file, function) {
            Ok(()) => found.push(here),
            Err(NoCondition::Mistake(words)) if is_undeclared(&words) => {
                undeclared.get_or_insert(NoCondition::Mistake(words));
            }
            Err(why) => return Err(why),
        }
    }
    match undeclared {
        Some(why) if found.is_empty() => Err(why),
        _ => Ok(found),
    }
}

/// Whether all that the compiler says is that names are not declared.
fn is_undeclared(words: &str) -> bool {
    let mut errors = words.lines().filter(|line| line.contains("error: ")).peekable();
    errors.peek().is_some() && errors.all(|line| line.contains("use of undeclared identifier"))
}

/// What is put into the program as it is must be one expression, whatever the compiler would make of the rest.
fn one_expression(text: &str) -> Result<(), String> {
    let mut open: Vec<char> = Vec::new();
    let mut rest = text.chars().peekable();
    if text.starts_with('#') || text.contains("/*") || text.contains("//") || text.contains(['\n', '\r', '\\', ';']) {
        return Err("a condition is one expression on one line, without comments".to_owned());
    }
    while let Some(c) = rest.next() {
        let closes = match c {
            '"' | '\'' => {
                if !rest.by_ref().any(|inner| inner == c) {
                    return Err(format!("a {c} is not closed"));
                }
                continue;
            }
            '(' | '[' | '{' => {
                open.push(c);
                continue;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => continue,
        };
        if open.pop() != Some(closes) {
            return Err(format!("nothing opens what `{c}` closes"));
        }
    }
    open.pop().map_or(Ok(()), |c| Err(format!("nothing closes `{c}`")))
}

/// The C file in which a place is.
fn source(program: &Program, file: FileId) -> Result<PathBuf, String> {
    if let Some(path) = program.source_named(file) {
        return Ok(path.to_owned());
    }
    Err(match program.is_from_source() {
        true => "the line is in none of the C files that were given: conditions are compiled with the statements around them; \
                 leave the condition away, or name a line of a C file"
            .to_owned(),
        false => "what was given is compiled already, and a condition is compiled with the statements around it; give the C \
                  files (of a build: -p with its compile_commands.json), or leave the condition away"
            .to_owned(),
    })
}

/// The last function that begins before a line, as far as there is code of it.
fn function_before(program: &Program, file: FileId, line: u32) -> Option<&str> {
    let code = program.code();
    let before = code.functions.values().filter(|function| function.is_defined()).filter_map(|function| {
        let loc = &code.locs[function.loc?];
        (loc.file == file && loc.line <= line).then_some((loc.line, function.name.as_str()))
    });
    before.max().map(|(_, name)| name)
}

/// Whether a program asks all that is asked for.
///
/// # Errors
/// The first that it does not ask.
pub(crate) fn check(asked: &[(FileLine, String)], requests: &[Request]) -> Result<(), Error> {
    let wanted = conditions(requests);
    let unasked = (0..).zip(&wanted).find(|(number, (at, text))| {
        let known: Option<&(FileLine, String)> = asked.get(*number);
        known.is_none_or(|known| (&known.0, known.1.as_str()) != (*at, *text))
    });
    unasked.map_or(Ok(()), |(_, (at, text))| {
        let why = "the program was not compiled with it: `with_conditions` takes the same requests".to_owned();
        Err(Error::Condition { text: format!("{}:{} if {text}", at.file, at.line), why })
    })
}

#[cfg(test)]
mod tests {
    use super::one_expression;

    #[test]
    fn an_expression_stays_where_it_is_put() {
        for fine in ["x > (y[2] ? 1 : 0)", "strcmp(s, \"a)\") == 0", "c == ')'", "f((struct s){1, 2})"] {
            assert_eq!(one_expression(fine), Ok(()), "{fine}");
        }
        for (wrong, said) in [
            ("x) || (y", "nothing opens what `)`"),
            ("(x", "nothing closes `(`"),
            ("(x]", "nothing opens what `]`"),
            ("x; y", "one expression"),
            ("x /* y", "without comments"),
            ("c == '", "not closed"),
        ] {
            assert!(one_expression(wrong).unwrap_err().contains(said), "{wrong}");
        }
    }
}
