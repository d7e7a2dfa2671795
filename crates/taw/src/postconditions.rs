//! `--ensures tree_ok`: a function of the program holds of what an entry leaves. The usual one is the invariant that held before.
//!
//! The entry becomes a function of its own, compiled behind the file that has it: it calls the entry and then asserts. So the check is code like any
//! other, and a native run makes it too.
//! Boundary: which arguments the function is asked of is decided by types: all of the entry's, or each one that it takes alone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use taw_ir::{Function, Program as Code, Type, TypeId};

use crate::Error;
use crate::entries::Entries;
use crate::preconditions::{defined, parameters};
use crate::program::Program;
use crate::session::Session;

/// What an entry that is asked of afterwards is called.
fn name_of(entry: &str) -> String {
    format!("{entry}_ensured")
}

/// The program with such entries, and their names.
///
/// # Errors
/// If there is no such function, or it takes nothing that an entry has.
pub(crate) fn ensuring(session: &Session) -> Result<Option<(Program, Vec<String>)>, Error> {
    let (program, code) = (&session.program, session.program.code());
    let Some(first) = session.ensured.first() else { return Ok(None) };
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut names = Vec::new();
    for entry in Entries::of(&session.asked_entries(), code)?.names {
        let fail = |text: &str, why: String| Error::Precondition { option: "ensures", text: text.to_owned(), why };
        let Some(function) = defined(code, &entry) else {
            names.push(entry);
            continue;
        };
        let place = function.loc.and_then(|loc| program.source_of(loc));
        let place = place.ok_or_else(|| fail(first, format!("`{entry}` is in none of the C files that were given")))?;
        let parameters = parameters(function, &code.types).map_err(|why| fail(first, format!("`{entry}` {why}")))?;
        let mut checks = String::new();
        for ensured in &session.ensured {
            let calls = calls(code, function, ensured, &parameters).map_err(|why| fail(ensured, why))?;
            for call in calls {
                checks.push_str(&format!(
                    "  if (!({call})) __assert_fail(\"{call} after {entry}\", \"--ensures\", 1, \"{entry}\");\n"
                ));
            }
        }
        let list: Vec<&str> = parameters.iter().map(|(declared, _)| declared.as_str()).collect();
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        let passed: Vec<&str> = parameters.iter().map(|(_, name)| name.as_str()).collect();
        let (call, name) = (format!("{entry}({})", passed.join(", ")), name_of(&entry));
        let (kept, given) = match result_of(code, function) {
            None => (format!("  {call};\n"), String::new()),
            Some(ty) => (
                format!("  {} = {call};\n", code.types.declared(ty, "taw_result".to_owned())),
                "  return taw_result;\n".to_owned(),
            ),
        };
        let head = match result_of(code, function) {
            None => format!("void {name}({list})"),
            Some(ty) => code.types.declared(ty, format!("{name}({list})")),
        };
        texts.entry(place.to_owned()).or_default().push_str(&format!(
            "extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));\n\
             #line 1 \"--ensures\"\n{head}; {head} {{\n{kept}{checks}{given}}}\n"
        ));
        names.push(name);
    }
    Ok(Some((program.appended(texts.into_iter().collect())?, names)))
}

/// What a function returns, if it returns something.
fn result_of(code: &Code, function: &Function) -> Option<TypeId> {
    let source = function.source?;
    match code.types.all[code.types.plain(source)] {
        Type::Function { returns, .. } if !matches!(code.types.all[code.types.plain(returns)], Type::Void) => {
            Some(returns)
        }
        _ => None,
    }
}

/// The calls that must hold: with all arguments, or with each one that fits, the result among them.
fn calls(code: &Code, entry: &Function, ensured: &str, passed: &[(String, String)]) -> Result<Vec<String>, String> {
    let Some(predicate) = defined(code, ensured) else {
        return Err(format!("the program defines no function `{ensured}` that is used or not static"));
    };
    let types = &code.types;
    let takes = |function: &Function| match function.source.map(|source| &types.all[types.plain(source)]) {
        Some(Type::Function { params, .. }) => Some(params.clone()),
        _ => None,
    };
    let (Some(wanted), Some(has)) = (takes(predicate), takes(entry)) else {
        return Err("there is no debug information of it".to_owned());
    };
    let is_same = |a: TypeId, b: TypeId| {
        let plain = |id: TypeId| match types.pointee(id) {
            Some(to) => format!("{} *", types.spelled(types.plain(to))),
            None => types.spelled(types.plain(id)),
        };
        plain(a) == plain(b)
    };
    let names: Vec<&str> = passed.iter().map(|(_, name)| name.as_str()).collect();
    if wanted.len() == has.len() && wanted.iter().zip(&has).all(|(a, b)| is_same(*a, *b)) {
        return Ok(vec![format!("{ensured}({})", names.join(", "))]);
    }
    let [only] = wanted[..] else {
        return Err(format!("`{ensured}` does not take the parameters that `{}` takes, nor one of them", entry.name));
    };
    let fitting = has.iter().zip(&names).filter(|(ty, _)| is_same(**ty, only));
    let mut calls: Vec<String> = fitting.map(|(_, name)| format!("{ensured}({name})")).collect();
    if result_of(code, entry).is_some_and(|ty| is_same(ty, only)) {
        calls.push(format!("{ensured}(taw_result)"));
    }
    match calls.is_empty() {
        true => Err(format!("`{}` has no parameter or result that `{ensured}` takes", entry.name)),
        false => Ok(calls),
    }
}
