//! What tests are called: `parse__returns_minus_1_when_len_is_0`.
//!
//! A name is the function, what the call gives, and as few facts about the inputs as tell the test from the others that give the same. Invariant: valid in C
//! and unique among the tests of a suite; the same tests get the same names in every run.

use std::collections::BTreeSet;

use super::{SuiteEnd, SuiteTest};
use crate::test_file::from_hex;

/// Characters of a name, about.
const LONG: usize = 88;
/// Facts in a name, at most.
const FACTS: usize = 3;

/// Gives each test without a name one. Names that there are stay.
pub fn name_tests(tests: &mut [&mut SuiteTest]) {
    let mut taken: BTreeSet<String> = tests.iter().map(|test| test.name.clone()).collect();
    for at in 0..tests.len() {
        if !tests[at].name.is_empty() {
            continue;
        }
        let name = proposed(at, tests);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut free = std::iter::once(name.clone()).chain(numbered).filter(|name| !taken.contains(name));
        tests[at].name = free.next().unwrap_or(name);
        taken.insert(tests[at].name.clone());
    }
}

fn proposed(at: usize, tests: &[&mut SuiteTest]) -> String {
    let test = &tests[at];
    let mut name = format!("{}__{}", test.function, what(test));
    let siblings: Vec<&SuiteTest> = tests
        .iter()
        .enumerate()
        .filter(|(i, other)| *i != at && other.function == test.function)
        .map(|(_, other)| &**other)
        .collect();
    let shared = |fact: &String| siblings.iter().filter(|other| other.facts.contains(fact)).count();
    let mut alike: Vec<&SuiteTest> = siblings.iter().copied().filter(|other| what(other) == what(test)).collect();
    let mut facts: Vec<&String> = test.facts.iter().collect();
    let mut chosen: Vec<&String> = Vec::new();
    while chosen.len() < FACTS && (chosen.is_empty() || !alike.is_empty()) {
        // Who is told apart from most of those that give the same, then from most others; the earlier fact where both do.
        let worth = |fact: &&&String| (alike.iter().filter(|other| other.facts.contains(fact)).count(), shared(fact));
        let Some(best) = facts.iter().min_by_key(worth).copied() else { break };
        facts.retain(|fact| *fact != best);
        let before = alike.len();
        alike.retain(|other| other.facts.contains(best));
        if !chosen.is_empty() && alike.len() == before {
            break;
        }
        chosen.push(best);
    }
    for (i, fact) in chosen.iter().enumerate() {
        if name.len() + fact.len() < LONG {
            name += &format!("_{}_{fact}", if i == 0 { "when" } else { "and" });
        }
    }
    name
}

/// What a call gives, in words.
fn what(test: &SuiteTest) -> String {
    match &test.end {
        SuiteEnd::Exits(code) => format!("exits_with_{code}"),
        SuiteEnd::Aborts => "aborts".to_owned(),
        SuiteEnd::Fails { kind, .. } => words(kind),
        SuiteEnd::Returns => {
            let result = test.result.as_ref().map(|(_, variable)| variable.as_str());
            let value = result.and_then(|result| {
                let equal = |check: &super::SuiteCheck| {
                    let (place, value) = check.text.split_once(" == ")?;
                    (place.trim_start_matches("(const void *)") == result).then(|| value_words(value))
                };
                test.checks.iter().find_map(equal)
            });
            let other = || match (result, test.checks.first()) {
                (Some(result), _) if test.checks.iter().any(|c| c.text == format!("{result} != NULL")) => {
                    "returns_an_object".to_owned()
                }
                (_, Some(check)) => match check.text.split_once(" == ") {
                    Some((place, value)) if !place.contains('(') => {
                        format!("sets_{}_to_{}", words(place), value_words(value))
                    }
                    _ => "returns".to_owned(),
                },
                (_, None) => "returns".to_owned(),
            };
            value.map_or_else(other, |value| format!("returns_{value}"))
        }
    }
}

/// A name of C's as a part of a name: `b->len` is `b_len`.
pub(super) fn words(text: &str) -> String {
    let word: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let parts: Vec<&str> = word.split('_').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "it".to_owned() } else { parts.join("_") }
}

/// A value of C's as a part of a name: `-1` is `minus_1`.
pub(super) fn value_words(value: &str) -> String {
    let value = value.trim();
    let number = value.trim_start_matches('(').trim_end_matches(')');
    let (sign, rest) = match number.strip_prefix('-') {
        Some(rest) => ("minus_", rest),
        None => ("", number),
    };
    if let Some(inner) = value.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        return character(inner);
    }
    match rest {
        "2147483647 - 1" | "9223372036854775807L - 1" | "9223372036854775807LL - 1" => "the_least".to_owned(),
        "NULL" => "null".to_owned(),
        _ if rest.contains("builtin_inf") => format!("{sign}infinity"),
        _ if rest.contains("builtin_nan") => "nan".to_owned(),
        _ if rest.starts_with(|c: char| c.is_ascii_digit()) => {
            let plain = rest.trim_end_matches(['U', 'L', 'f']);
            let plain = plain.strip_suffix(".0").unwrap_or(plain);
            format!("{sign}{}", words(&plain.replace("e-", "e_minus_").replace("p-", "p_minus_").replace('.', "_")))
        }
        _ => format!("{sign}{}", words(rest)),
    }
}

fn character(inner: &str) -> String {
    let named = [(" ", "space"), ("\\n", "newline"), ("\\t", "tab"), ("\\0", "nul"), ("%", "percent"), ("-", "dash")];
    let more =
        [(".", "dot"), (",", "comma"), ("/", "slash"), ("\\\\", "backslash"), ("\"", "quote"), ("_", "underscore")];
    let name = named.iter().chain(&more).find(|(text, _)| *text == inner).map(|(_, name)| (*name).to_owned());
    name.unwrap_or_else(|| match inner {
        one if one.len() == 1 && one.chars().all(|c| c.is_ascii_alphanumeric()) => one.to_owned(),
        // Others by their numbers.
        other => other.bytes().map(|byte| format!("x{byte:02x}")).collect(),
    })
}

/// Text in hexadecimal as a part of a name; nothing if it is no short word.
pub(super) fn text_words(hex: &str) -> Option<String> {
    let bytes = from_hex(hex)?;
    let text: Vec<u8> = bytes.iter().copied().take_while(|byte| *byte != 0).collect();
    match text.len() {
        0 if bytes.is_empty() => None,
        0 => Some("empty".to_owned()),
        1 => {
            let c = char::from(text[0]);
            (' '..='~').contains(&c).then(|| character(&if c == '\\' { "\\\\".to_owned() } else { c.to_string() }))
        }
        2..=12 if text.iter().all(u8::is_ascii_alphanumeric) => String::from_utf8(text).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::SuiteCheck;

    fn test(result: &str, facts: &[&str]) -> SuiteTest {
        SuiteTest {
            function: "parse".into(),
            name: String::new(),
            before: Vec::new(),
            call: String::new(),
            result: Some(("int result".into(), "result".into())),
            checks: vec![SuiteCheck { text: format!("result == {result}"), left_out: None }],
            end: SuiteEnd::Returns,
            gives: Vec::new(),
            callbacks: Vec::new(),
            facts: facts.iter().map(|fact| (*fact).to_owned()).collect(),
        }
    }

    fn named(mut tests: Vec<SuiteTest>) -> Vec<String> {
        name_tests(&mut tests.iter_mut().collect::<Vec<_>>());
        tests.into_iter().map(|test| test.name).collect()
    }

    #[test]
    fn a_name_says_what_the_call_gives_and_what_tells_it_apart() {
        let names = named(vec![
            test("-1", &["len_is_0"]),
            test("0", &["len_is_1", "s_is_empty"]),
            test("0", &["len_is_1", "s_is_x"]),
            test("0", &["len_is_1", "s_is_x"]),
        ]);
        assert_eq!(
            names,
            [
                "parse__returns_minus_1_when_len_is_0",
                "parse__returns_0_when_s_is_empty",
                "parse__returns_0_when_s_is_x",
                "parse__returns_0_when_s_is_x_2"
            ]
        );
    }

    #[test]
    fn names_that_there_are_stay() {
        let mut kept = test("-1", &["len_is_0"]);
        kept.name = "parse__of_old".into();
        assert_eq!(named(vec![kept, test("-1", &["len_is_3"])])[0], "parse__of_old");
    }

    #[test]
    fn values_are_words() {
        let words =
            ["-1", "(-2147483647 - 1)", "'a'", "' '", "0.5f", "4294967295U", "RED", "__builtin_nan(\"\")", "1e-5"];
        let said = words.map(value_words);
        assert_eq!(said, ["minus_1", "the_least", "a", "space", "0_5", "4294967295", "RED", "nan", "1e_minus_5"]);
        assert_eq!(text_words("616200").as_deref(), Some("ab"));
        assert_eq!((text_words("00").as_deref(), text_words("0102")), (Some("empty"), None));
    }
}
