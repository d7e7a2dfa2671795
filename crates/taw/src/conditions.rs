//! Conditions of places (`file.c:LINE if EXPR`): expressions of the user's, compiled in front of the statements of a line of the program, where they see
//! what is in scope there.
//!
//! Each place is tried on its own first: what is not declared yet at one place of the line (`i` before the first part of `for (int i = 0; …)`) is not
//! asked there. Whatever else the compiler says of an expression is said to the user.

use std::path::{Path, PathBuf};

use taw_ir::{CONDITION_FILE, Callee, Function, LocId};
use taw_loader::{
    ConditionForm, ConditionPlace, FOREVER, LineStatements, NoCondition, Sources, condition_text, is_sound,
    statements_at,
};
use taw_targets::{AskedPlace, Request, conditions, file_with_code};

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
    let conditions = conditions(requests);
    if conditions.is_empty() {
        return Ok(None);
    }
    let (mut all, mut asked, mut lines) = (ConditionTexts::new(), Vec::new(), Vec::new());
    for (number, (at, expression)) in conditions.into_iter().enumerate() {
        let fail = |why| Error::Condition { text: format!("{}:{} if {expression}", at.file, at.line), why };
        one_expression(expression).map_err(fail)?;
        let path = source(program, &at.file).map_err(fail)?;
        let found = on_large_stack(|| {
            program.with_sources(|sources| {
                let found = statements_at(sources, path, at.line, function_before(program, path, at.line))?;
                let text = |place: &ConditionPlace| condition_text(number, expression, place.form);
                Ok((asked_at(sources, path, &found, text)?, found.line))
            })
        })??;
        let (texts, line) = found.map_err(|why| match why {
            NoCondition::Mistake(words) => fail(mistake(&words, number, expression)),
            why => fail(why.to_string()),
        })?;
        let moved = || format!("no statement begins on line {}; the next line with one is {line}", at.line);
        asked.push(AskedPlace {
            said: (at.clone(), expression.to_owned()),
            name: format!("{}:{line} if {expression}", shown(program, path)),
            note: (line != at.line).then(moved),
        });
        lines.push((path, line, format!("{}:{line} if {expression}", at.file)));
        match all.iter_mut().find(|(known, _)| known == path) {
            Some((_, known)) => known.extend(texts),
            None => all.push((path.to_owned(), texts)),
        }
    }
    for (_, texts) in &mut all {
        // What completes an expression comes behind all that is asked there; else what was asked for first comes first.
        texts.sort_by_key(|(offset, text)| (*offset, text == FOREVER));
        texts.dedup_by(|b, a| b == a && a.1 == FOREVER);
    }
    let asking = program.asking(all, asked)?;
    everywhere(&asking, &lines).map(|()| Some(asking))
}

/// Whether all code of the lines asks: a file that is included by another, or by itself, is compiled more than once, and only asks where it is
/// given. Optimised code has parts of functions in others, so nobody can tell.
fn everywhere(program: &Program, lines: &[(&Path, u32, String)]) -> Result<(), Error> {
    let code = program.code();
    let asks = code.function_named("taw_place_ask");
    let is_asking = |function: &Function| {
        function.calls.values().any(|call| matches!(call.callee, Callee::Direct(callee) if Some(callee) == asks))
    };
    for (path, line, text) in lines.iter().filter(|_| !program.is_optimised()) {
        let files: Vec<_> = code.files.keys().filter(|id| program.source_named(*id) == Some(path)).collect();
        let is_there = |loc: &Option<LocId>| {
            loc.is_some_and(|loc| code.locs[loc].line == *line && files.contains(&code.locs[loc].file))
        };
        let mut there = code.functions.values().filter(|function| function.locs.iter().any(is_there));
        if let Some(silent) = there.find(|function| !is_asking(function)) {
            let why = format!("its line is code of `{}`, too: does another file include this one?", silent.name);
            return Err(Error::Condition { text: text.clone(), why });
        }
    }
    Ok(())
}

/// The texts at those places where the expression has a meaning.
fn asked_at(
    sources: &Sources,
    file: &Path,
    found: &LineStatements,
    text: impl Fn(&ConditionPlace) -> String,
) -> Result<Vec<(usize, String)>, NoCondition> {
    let (mut texts, mut undeclared) = (Vec::new(), None);
    for place in &found.places {
        let mut here = vec![(place.offset, text(place))];
        if place.form == ConditionForm::Forever {
            here.push((place.offset, FOREVER.to_owned()));
        }
        let alone = Sources { conditions: vec![(file.to_owned(), here.clone())], ..sources.clone() };
        match is_sound(&alone, file, &found.function) {
            Ok(()) => texts.extend(here),
            Err(NoCondition::Mistake(words)) if is_undeclared(&words) => {
                undeclared.get_or_insert(NoCondition::Mistake(words));
            }
            Err(why) => return Err(why),
        }
    }
    match undeclared {
        Some(why) if texts.is_empty() => Err(why),
        _ => Ok(texts),
    }
}

/// The first mistake that the compiler finds in an expression, and where; all that it says, if that is elsewhere.
fn mistake(words: &str, number: usize, expression: &str) -> String {
    let first = words.lines().find_map(|line| line.split_once(": error: "));
    let place = first.and_then(|(place, said)| {
        let (rest, column) = place.rsplit_once(':')?;
        let line: usize = rest.strip_prefix(CONDITION_FILE)?.strip_prefix(':')?.parse().ok()?;
        // What comes too early, or is of the wrong type, is found behind the expression.
        let behind = expression.len();
        let column =
            if line == number + 1 { column.parse::<usize>().ok()?.saturating_sub(1).min(behind) } else { behind };
        Some((said, column))
    });
    match place {
        Some((said, column)) => {
            let before = expression.get(..column).map_or(column, |before| before.chars().count());
            format!("{said}\n  {expression}\n  {:before$}^", "")
        }
        None => words.trim_end().to_owned(),
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

/// The C file that is meant by a name.
fn source<'p>(program: &'p Program, name: &str) -> Result<&'p Path, String> {
    match program.sources_ending(name)[..] {
        [path] => return Ok(path),
        [_, _, ..] => return Err(format!("`{name}` is several files; write more of the path")),
        [] => {}
    }
    let file = file_with_code(&program.places(), name)?;
    match (program.source_named(file), program.is_from_source()) {
        (Some(path), _) => Ok(path),
        (None, true) => Err(format!(
            "`{name}` is none of the C files that were given, and a condition is compiled with the statements around it; name a line of a C \
             file, or leave the condition away"
        )),
        (None, false) => Err("what was given is compiled already, and a condition is compiled with the statements around it; give the C \
             files (of a build: -p with its compile_commands.json), or leave the condition away"
            .to_owned()),
    }
}

/// A source as reports name it.
fn shown(program: &Program, path: &Path) -> String {
    let id = program.code().files.keys().find(|id| program.source_named(*id) == Some(path));
    id.map_or_else(|| path.display().to_string(), |id| program.places().file(id))
}

/// The last function that begins before a line, as far as there is code of it.
fn function_before<'p>(program: &'p Program, path: &Path, line: u32) -> Option<&'p str> {
    let code = program.code();
    let files: Vec<_> = code.files.keys().filter(|id| program.source_named(*id) == Some(path)).collect();
    let before = code.functions.values().filter(|function| function.is_defined()).filter_map(|function| {
        let at = &code.locs[function.loc?];
        (at.line <= line && files.contains(&at.file)).then_some((at.line, function.name.as_str()))
    });
    before.max().map(|(_, name)| name)
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
