//! `--invariant 'struct buf'=buf_ok`: which structures, and which function of the program holds of them.
//!
//! A static function that nobody uses is in no code; then one that calls it is added to the file of the first entry, as for `--requires`.
//! Boundary: when a predicate runs is the engine's (`unknown/invariant.rs`).

use std::fmt;
use std::str::FromStr;

use taw_engine::Invariant;
use taw_ir::{Origin, Program, Ty, Type, TypeId};
use taw_targets::nearest;

use crate::Error;
use crate::preconditions::{MADE, defined, predicate};
use crate::session::Session;
use crate::ties::{guess, records_named};

/// A structure and the function that holds of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantRule {
    /// The structure, by its tag (`struct buf`) or another name.
    pub ty: String,
    /// The function: it takes a pointer to one and returns a truth value.
    pub function: String,
}

impl fmt::Display for InvariantRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.ty, self.function)
    }
}

impl FromStr for InvariantRule {
    type Err = String;

    /// Reads `TYPE=FUNCTION`.
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').map(|(ty, function)| (ty.trim(), function.trim()));
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let fits = |(ty, function): &(&str, &str)| {
            !ty.is_empty()
                && !function.is_empty()
                && function.chars().all(is_word)
                && ty.chars().all(|c| is_word(c) || c == ' ')
        };
        match parts.filter(fits) {
            Some((ty, function)) => Ok(InvariantRule { ty: ty.to_owned(), function: function.to_owned() }),
            None => Err("say TYPE=FUNCTION, as 'struct buf'=buf_ok".to_owned()),
        }
    }
}

fn fail(rule: &InvariantRule) -> impl Fn(String) -> Error {
    let text = rule.to_string();
    move |why| Error::Precondition { option: "invariant", text: text.clone(), why }
}

fn made_name(rule: &InvariantRule) -> String {
    format!("{MADE}invariant_{}", rule.function)
}

/// What has to be added to a source so that all predicates are in the code: functions that call those which nobody uses.
///
/// # Errors
/// If there is no such structure.
pub(crate) fn missing_calls(session: &Session) -> Result<String, Error> {
    let code = session.program.code();
    let mut text = String::new();
    for rule in session.invariants.iter().filter(|rule| defined(code, &rule.function).is_none()) {
        let records = records_named(code, &rule.ty).map_err(fail(rule))?;
        let tag =
            records.iter().find(|id| matches!(&code.types.all[**id], Type::Record(record) if !record.name.is_empty()));
        let ty = tag.map_or_else(|| rule.ty.clone(), |id| code.types.spelled(*id));
        let parameter = (format!("{ty} *taw_object"), "taw_object".to_owned());
        let call = format!("{}(taw_object)", rule.function);
        text.push_str(&predicate(&made_name(rule), &[parameter], "--invariant", &call));
    }
    Ok(text)
}

/// The invariants of a session.
///
/// # Errors
/// If there is no such structure or function, or the function does not take the structure.
pub(crate) fn invariants(session: &Session) -> Result<Vec<Invariant>, Error> {
    let code = session.program.code();
    let mut all: Vec<Invariant> = Vec::new();
    for rule in &session.invariants {
        let made = made_name(rule);
        let function = if defined(code, &made).is_some() { made } else { rule.function.clone() };
        let records = records_named(code, &rule.ty).map_err(fail(rule))?;
        fits(code, &function, &records).map_err(fail(rule))?;
        // One structure has several numbers, if several files use it; a tag is enough for all.
        let mut tags = Vec::new();
        for of in records {
            let Type::Record(record) = &code.types.all[of] else { continue };
            if record.name.is_empty() || !tags.contains(&&record.name) {
                tags.push(&record.name);
                all.push(Invariant { of, function: function.clone(), said: (rule.ty.clone(), rule.function.clone()) });
            }
        }
    }
    Ok(all)
}

fn fits(program: &Program, function: &str, records: &[TypeId]) -> Result<(), String> {
    let Some(predicate) = defined(program, function) else {
        let users = program.functions.values().filter(|f| f.is_defined() && f.origin == Origin::User);
        let near = guess(nearest(function, users.map(|f| f.name.as_str())));
        return Err(format!("the program defines no function `{function}`{near}"));
    };
    let types = &program.types;
    let spelled = |id: TypeId| types.spelled(types.plain(id));
    let takes = |param: &taw_ir::Param| {
        let to = param.source.and_then(|source| types.pointee(source));
        let is_it = |to: TypeId| records.iter().any(|of| types.plain(to) == *of || spelled(to) == spelled(*of));
        param.ty == Ty::Ptr && param.byval.is_none() && to.is_some_and(is_it)
    };
    match (&predicate.params[..], &predicate.returns[..]) {
        ([param], _) if !takes(param) => Err(format!("`{function}` takes no pointer to such a structure")),
        ([_], [Ty::Int(bits)]) if *bits <= 64 && !predicate.variadic => Ok(()),
        ([_], _) => Err(format!("`{function}` returns no truth value")),
        _ => Err(format!("`{function}` does not take a pointer to the structure and nothing else")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_a_type_and_a_function() {
        let rule: InvariantRule = "struct buf=buf_ok".parse().unwrap();
        assert_eq!((rule.ty.as_str(), rule.function.as_str()), ("struct buf", "buf_ok"));
        assert!(["buf", "=f", "buf=", "buf=f(x)", "b*=f"].iter().all(|text| text.parse::<InvariantRule>().is_err()));
    }
}
