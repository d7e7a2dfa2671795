//! Functions that are declared and defined nowhere, and how the user says that they behave. What can be wrong with that is said before the
//! search.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use taw_engine::{Config, Stub};
use taw_env::MODELS;
use taw_ir::{Origin, Program, matches_pattern};
use taw_targets::nearest;

use crate::Error;
use crate::pure::called;

/// How functions of these names behave if they are defined nowhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubRule {
    /// A name, or a pattern of names: `*` stands for anything.
    pub pattern: String,
    /// How they behave.
    pub stub: Stub,
}

impl fmt::Display for StubRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.pattern, self.stub.word())
    }
}

impl FromStr for StubRule {
    type Err = String;

    /// Reads `NAME[=return|havoc|fail|never]`; the error is what is not understood.
    fn from_str(text: &str) -> Result<Self, String> {
        let (pattern, stub) = match text.split_once('=') {
            None => (text, Stub::Havoc),
            Some((pattern, word)) => {
                let unknown = || format!("`{word}` is no way to behave; say return, havoc, fail or never");
                (pattern, Stub::named(word).ok_or_else(unknown)?)
            }
        };
        match pattern.is_empty() {
            true => Err("name the function before `=`, or `*` for all that are defined nowhere".into()),
            false => Ok(StubRule { pattern: pattern.to_owned(), stub }),
        }
    }
}

/// What the rules mean in a program, by name: a rule for one name is stronger than a pattern, and a later one than an earlier.
///
/// # Errors
/// If a function that is named is none of the program's, or is not missing.
pub(crate) fn stubs_of(
    rules: &[StubRule],
    program: &Program,
    markers: &[String],
) -> Result<BTreeMap<String, Stub>, Error> {
    let (patterns, names): (Vec<&StubRule>, Vec<&StubRule>) = rules.iter().partition(|rule| rule.pattern.contains('*'));
    let config = Config { markers: markers.to_vec(), ..Config::default() };
    let called = called(program);
    let missing = taw_engine::undefined(program, MODELS, &config);
    let missing = missing.into_iter().filter(|id| called.contains(id)).map(|id| program.functions[id].name.as_str());
    let missing: Vec<&str> = missing.collect();
    let mut stubs = BTreeMap::new();
    for rule in patterns {
        let meant = missing.iter().filter(|name| matches_pattern(&rule.pattern, name));
        stubs.extend(meant.map(|name| ((*name).to_owned(), rule.stub)));
    }
    for rule in names {
        is_missing(&rule.pattern, program, &missing).map_err(|why| Error::Stub { rule: rule.clone(), why })?;
        stubs.insert(rule.pattern.clone(), rule.stub);
    }
    Ok(stubs)
}

/// # Errors
/// Why a function needs nobody to stand in for it.
fn is_missing(name: &str, program: &Program, missing: &[&str]) -> Result<(), String> {
    // What Taw knows by name and cannot execute is missing, too.
    let stand_in = MODELS.stand_ins.iter().copied().flatten().any(|model| model.name == name);
    let declared = program.function_named(name).map(|id| &program.functions[id]);
    match declared {
        _ if missing.contains(&name) => Ok(()),
        Some(function) if !function.is_defined() && stand_in => Ok(()),
        Some(function) if function.is_defined() && function.origin == Origin::User => {
            Err(format!("the program defines `{name}` itself; only what is defined nowhere can be stood in for"))
        }
        Some(_) if called(program).iter().any(|id| program.functions[*id].name == name) => {
            Err(format!("Taw knows what `{name}` does; only what is defined nowhere can be stood in for"))
        }
        _ => {
            let guess = nearest(name, missing.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
            let list = match missing {
                [] => "all functions that it calls are defined".to_owned(),
                names => format!("defined nowhere: {}", names.join(", ")),
            };
            Err(format!("the program calls no function `{name}`{} ({list})", guess.unwrap_or_default()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_a_pattern_and_a_behaviour() {
        let of = |pattern: &str, stub| Ok(StubRule { pattern: pattern.into(), stub });
        assert_eq!("f".parse(), of("f", Stub::Havoc));
        assert_eq!("log_*=never".parse(), of("log_*", Stub::Never));
        assert!("f=often".parse::<StubRule>().unwrap_err().contains("return, havoc, fail or never"));
        assert!(["=fail", ""].iter().all(|text| text.parse::<StubRule>().is_err()));
    }
}
