//! Findings through the library's own functions (`--build-with`): what a start in the middle takes for given, calls of the API must make.
//!
//! The way: functions as a caller sees them (`api.rs`, `status.rs`) → drivers in C behind the user's file, which make some calls and then that of the
//! entry (`driver.rs`) → a search for each finding's place from there (`search.rs`) → the calls of its test as C (`told.rs`).
//!
//! Invariant: a driver is a careful caller. It passes no null, uses nothing after it was destroyed or could not be made, and says no length that is not
//! there: what fails then is not the caller's fault. What it does not try is named wherever nothing is found.

mod api;
mod driver;
mod search;
mod status;
mod told;
mod words;

use std::collections::BTreeMap;
use std::path::PathBuf;

use taw_ir::{Call, Callee, Function, Origin, Program as Code, matches_pattern};
use taw_targets::nearest;

use crate::entries::{Entries, users};
use crate::session::Session;
use crate::{Error, preconditions};

use api::{Api, ApiFunction, Role};

/// How everything is called that drivers are made of.
const MADE: &str = "taw_build_";

/// What the objects of findings are built with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildWith {
    /// Functions, by name or pattern.
    pub functions: Vec<String>,
    /// How many calls there are before that of the entry, at most.
    pub calls: u32,
}

/// The driver that makes so many calls before that of the entry.
fn name_of(entry: &str, calls: u32) -> String {
    format!("{MADE}{entry}_{calls}")
}

/// Whether an entry is a driver, which starts as the program does.
pub(crate) fn is_driver(entry: &str) -> bool {
    entry.starts_with(MADE)
}

/// What is made here is not the user's code.
pub(crate) fn set_apart(program: &mut Code) {
    let made = program.functions.values_mut().filter(|function| function.name.starts_with(MADE));
    made.for_each(|function| function.origin = Origin::Library);
}

/// The drivers of a session's program, for its entries.
pub(crate) fn drivers(session: &Session, entries: &[String]) -> Vec<String> {
    let Some(asked) = &session.build else { return Vec::new() };
    let names = entries.iter().flat_map(|entry| (0..=asked.calls).map(|calls| name_of(entry, calls)));
    names.filter(|name| defined(session.program.code(), name).is_some()).collect()
}

/// The text of the drivers, by the file that it goes behind.
///
/// # Errors
/// If a function is none of the program's, or nothing is started but `main`.
pub(crate) fn texts(session: &Session) -> Result<Vec<(PathBuf, String)>, Error> {
    let Some(asked) = &session.build else { return Ok(Vec::new()) };
    let functions = functions(session.program.code(), &asked.functions)?;
    let text = |(file, entries): (PathBuf, Vec<String>)| {
        let (api, entries) = seen_from(session, &functions, &entries);
        let started = entries.into_iter().filter_map(Result::ok);
        let started = started.map(|entry| (preconditions::called_with(session, &entry.name), entry));
        let text = driver::text(&api, &started.collect::<Vec<_>>(), asked.calls, &session.shapes);
        (file, text)
    };
    Ok(entries_by_file(session, asked)?.into_iter().map(text).collect())
}

/// The entries, by the file that they are in.
fn entries_by_file(session: &Session, asked: &BuildWith) -> Result<BTreeMap<PathBuf, Vec<String>>, Error> {
    let entries = Entries::of(&session.asked_entries(), session.program.code())?.names;
    let fail = |why: &str| Error::Precondition { option: OPTION, text: asked.functions.join(","), why: why.to_owned() };
    if entries.iter().all(|entry| entry == "main") {
        return Err(fail("it is about what callers pass to a function: name that with --entry"));
    }
    let mut files: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| *entry != "main") {
        // That there is no such entry is said elsewhere.
        let Some(function) = defined(session.program.code(), entry) else { continue };
        if let Some(file) = function.loc.and_then(|loc| session.program.source_of(loc)) {
            files.entry(file.to_owned()).or_default().push(entry.clone());
        }
    }
    let are_there = entries.iter().any(|entry| entry != "main" && defined(session.program.code(), entry).is_some());
    if files.is_empty() && are_there {
        return Err(fail("the entry is in none of the C files that were given"));
    }
    Ok(files)
}

const OPTION: &str = "build-with";

/// What callers in the file of some entries can call: functions, and the entries themselves or why these cannot be called.
fn seen_from(session: &Session, functions: &[String], entries: &[String]) -> (Api, Vec<Result<ApiFunction, String>>) {
    let code = session.program.code();
    let file = |name: &str| defined(code, name)?.loc.and_then(|loc| session.program.source_of(loc));
    let here = entries.first().and_then(|entry| file(entry));
    let is_here = |name: &str| file(name).is_some() && file(name) == here;
    let mut api = Api::default();
    let is_assumed_of = |name: &str| {
        preconditions::called_with(session, name).iter().any(|condition| defined(code, condition).is_some())
    };
    for name in functions {
        match !is_here(name) && is_assumed_of(name) {
            true => api.left_out.push((name.clone(), "what is assumed of it is in another file".to_owned())),
            false => api.add(code, name, is_here(name), Role::Building),
        }
    }
    let entries = entries.iter().map(|entry| api.function(code, entry, true, Role::Entry)).collect();
    api.keep_what_can_be_called();
    (api, entries)
}

/// The functions that names and patterns mean: none that is `static`.
fn functions(code: &Code, patterns: &[String]) -> Result<Vec<String>, Error> {
    let all: Vec<&Function> = users(code).into_iter().map(|id| &code.functions[id]).collect();
    let exported = |function: &&&Function| !function.is_static && function.name != "main";
    let names = || all.iter().filter(exported).map(|function| function.name.as_str());
    let mut found: Vec<String> = Vec::new();
    for pattern in patterns {
        let fail = |why: String| Error::Precondition { option: OPTION, text: pattern.clone(), why };
        let meant: Vec<&str> = names().filter(|name| matches_pattern(pattern, name)).collect();
        if meant.is_empty() {
            let is_hidden = all.iter().any(|function| function.name == *pattern);
            let near = nearest(&pattern.replace('*', ""), names());
            return Err(fail(match near {
                _ if is_hidden => {
                    format!("`{pattern}` is static (or `main`): no caller outside of its file can use it")
                }
                Some(near) => format!("the program exports no such function; did you mean `{near}`?"),
                None => "the program exports no such function; `taw run --list` shows what there is".to_owned(),
            }));
        }
        for name in meant {
            if !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
            }
        }
    }
    Ok(found)
}

/// Whether drivers call a function, and it did not become a part of them: then its lines are not the user's any more.
fn is_called(code: &Code, name: &str) -> bool {
    let made = code.functions.values().filter(|function| function.name.starts_with(MADE));
    let direct = |call: &Call| match call.callee {
        Callee::Direct(id) => code.functions[id].name == name,
        Callee::Indirect(_) => false,
    };
    made.flat_map(|function| function.calls.values()).any(direct)
}

fn defined<'p>(code: &'p Code, name: &str) -> Option<&'p Function> {
    code.function_named(name).map(|id| &code.functions[id]).filter(|function| function.is_defined())
}
