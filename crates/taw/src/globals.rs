//! What global variables hold where paths start in the middle of a program, as the user says it. What can be wrong with that is said before the search.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use taw_engine::may_change;
use taw_ir::{Program, matches_pattern};
use taw_targets::nearest;

use crate::Error;

/// What global variables of these names hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalRule {
    /// A name, or a pattern of names: `*` stands for anything.
    pub pattern: String,
    /// Whether they hold anything of their types; else their initial values.
    pub unknown: bool,
}

impl fmt::Display for GlobalRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.unknown { "unknown" } else { "initial" };
        match self.pattern.as_str() {
            "*" => f.write_str(how),
            pattern => write!(f, "{pattern}={how}"),
        }
    }
}

impl FromStr for GlobalRule {
    type Err = String;

    /// Reads `initial`, `unknown` or `NAME=initial|unknown`; the error is what is not understood.
    fn from_str(text: &str) -> Result<Self, String> {
        let (pattern, how) = text.split_once('=').unwrap_or(("*", text));
        let unknown = match how {
            "initial" => false,
            "unknown" => true,
            _ => {
                return Err(format!(
                    "`{how}` is nothing that variables hold; say initial or unknown, or NAME=unknown for one"
                ));
            }
        };
        match pattern.is_empty() {
            true => Err("name the variable before `=`".into()),
            false => Ok(GlobalRule { pattern: pattern.to_owned(), unknown }),
        }
    }
}

/// The variables that hold anything: a rule for one name is stronger than a pattern, a pattern than `*`, and a later one than an earlier.
///
/// # Errors
/// If a variable that is named is none of the program's or constant, or paths start at `main` alone, which finds all as the program begins.
pub(crate) fn unknown_globals(
    rules: &[GlobalRule],
    program: &Program,
    entries: &[String],
) -> Result<BTreeSet<String>, Error> {
    let fail = |rule: &GlobalRule, why: String| Err(Error::Global { rule: rule.clone(), why });
    if let Some(rule) = rules.first().filter(|_| entries.iter().all(|entry| entry == "main")) {
        let why = "`main` starts with the variables as the program begins with them; it is for another --entry";
        return fail(rule, why.to_owned());
    }
    let names: Vec<&str> = program.globals.values().filter(|g| may_change(g)).map(|g| g.name.as_str()).collect();
    let is_absent = |rule: &&GlobalRule| !rule.pattern.contains('*') && !names.contains(&rule.pattern.as_str());
    if let Some(rule) = rules.iter().find(is_absent) {
        return fail(rule, absent(&rule.pattern, program, &names));
    }
    let rank = |rule: &GlobalRule| match rule.pattern.as_str() {
        "*" => 0,
        pattern if pattern.contains('*') => 1,
        _ => 2,
    };
    let mut ordered: Vec<&GlobalRule> = rules.iter().collect();
    ordered.sort_by_key(|rule| rank(rule));
    let is_unknown = |name: &&str| {
        let rule = ordered.iter().rev().find(|rule| matches_pattern(&rule.pattern, name));
        rule.is_some_and(|rule| rule.unknown)
    };
    Ok(names.iter().copied().filter(|name| is_unknown(name)).map(str::to_owned).collect())
}

/// Why there is no such variable.
fn absent(name: &str, program: &Program, names: &[&str]) -> String {
    let own = program.globals.values().find(|global| global.name == name);
    if own.is_some_and(|global| global.constant) {
        return format!("`{name}` is constant, and keeps its value");
    }
    // Those of functions are known by both names.
    let inner = names.iter().find(|known| known.rsplit('.').next() == Some(name) && known.contains('.'));
    let near = inner.copied().or_else(|| nearest(name, names.iter().copied()));
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let list = match names.len() {
        0 => "it has none that is not constant".to_owned(),
        1..=12 => format!("it has {}", names.join(", ")),
        more => format!("it has {more}"),
    };
    format!("the program has no global variable `{name}`{near} ({list})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_a_way_or_a_name_and_a_way() {
        let of = |pattern: &str, unknown| Ok(GlobalRule { pattern: pattern.into(), unknown });
        assert_eq!("unknown".parse(), of("*", true));
        assert_eq!("conf_*=initial".parse(), of("conf_*", false));
        assert!("limit=3".parse::<GlobalRule>().unwrap_err().contains("initial or unknown"));
        assert!(["=unknown", "", "limit"].iter().all(|text| text.parse::<GlobalRule>().is_err()));
    }
}
