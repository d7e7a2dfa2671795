//! What a finding of a start in the middle asks of the caller, as it is stored and told.
//!
//! Boundary: the only place where a [`Judgement`] becomes text. Invariant: *whatever the caller passes* is said of nothing but what needs nothing.

use serde::{Deserialize, Serialize};
use taw_engine::{CallerClass, CallerNeed, Judgement};

/// The classes: stable name, and what findings of it have in common; in the order in which they are shown.
const CLASSES: &[(CallerClass, &str, &str)] = &[
    (CallerClass::Always, "always", ALWAYS),
    (CallerClass::Values, "values", "for certain values"),
    (CallerClass::Lengths, "lengths", "if an array is shorter than the function takes it to be"),
    (CallerClass::Aliasing, "aliasing", "if pointers lead to the same object"),
    (CallerClass::Null, "null", "if a pointer is null"),
];

const ALWAYS: &str = "whatever the caller passes";

/// What a finding asks of the caller.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallerRecord {
    /// `always`, `values`, `lengths`, `aliasing` or `null`: the most that is asked.
    pub class: String,
    /// All of it in words: "whatever the caller passes", "if `b` is null".
    pub says: String,
    /// The conditions one by one: where all of them hold it happens, unless `depends_on` names more. That other pointers lead to objects, long
    /// enough for the rest, is said only where there is nothing else to say.
    #[serde(rename = "if")]
    pub conditions: Vec<String>,
    /// Inputs on which there are further conditions, too long to be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// An option that excludes it, if the caller keeps to that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub propose: Option<String>,
    /// Whether a parameter that is null, or points where another does, alone explains it.
    pub precondition: bool,
    /// Whether it does not count for that reason (`--quiet-preconditions`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
}

impl CallerRecord {
    pub(crate) fn new(judgement: &Judgement, quiet: bool) -> Self {
        let is_expected = |need: &&CallerNeed| matches!(need, CallerNeed::Object { .. } | CallerNeed::Enough { .. });
        let (expected, mut told): (Vec<_>, Vec<_>) = judgement.needs.iter().partition(is_expected);
        // That pointers point at something need not be said, unless there is nothing else.
        if told.is_empty() {
            told = expected;
        }
        let depends = |need: &&CallerNeed| match need {
            CallerNeed::DependsOn(names) => names.clone(),
            _ => Vec::new(),
        };
        let (shorts, others): (Vec<_>, Vec<_>) =
            told.iter().copied().partition(|need| matches!(need, CallerNeed::Short { .. }));
        let words = |needs: &[&CallerNeed]| needs.iter().filter_map(|need| condition(need)).collect::<Vec<_>>();
        let (others, shorts) = (objects(&others).map_or_else(|| words(&others), |all| vec![all]), words(&shorts));
        let depends_on: Vec<String> = told.iter().flat_map(depends).collect();
        CallerRecord {
            class: row(judgement.class).1.to_owned(),
            says: sentence(judgement.class, &others, &shorts, &depends_on),
            conditions: others.into_iter().chain(shorts).collect(),
            depends_on,
            propose: judgement.pair.as_ref().map(|pair| format!("--array {}={}", pair.option, pair.length)),
            precondition: judgement.is_precondition,
            left_out: quiet && judgement.is_precondition,
        }
    }

    /// What findings of its class have in common.
    pub fn heading(&self) -> &'static str {
        CLASSES[self.order()].2
    }

    /// Its place in the order in which findings are shown.
    pub(crate) fn order(&self) -> usize {
        CLASSES.iter().position(|(_, name, _)| *name == self.class).unwrap_or(CLASSES.len() - 1)
    }
}

fn row(class: CallerClass) -> &'static (CallerClass, &'static str, &'static str) {
    CLASSES.iter().find(|row| row.0 == class).expect("every class is in the table")
}

fn sentence(class: CallerClass, others: &[String], shorts: &[String], depends_on: &[String]) -> String {
    let names: Vec<String> = depends_on.iter().map(|name| format!("`{name}`")).collect();
    let mut said = match (others, shorts) {
        ([], []) if class == CallerClass::Always => return ALWAYS.to_owned(),
        ([], []) if names.is_empty() => return "depending on what no input tells".to_owned(),
        ([], []) => return format!("depending on {}", joined(&names)),
        (others, []) => format!("if {}", joined(others)),
        ([], shorts) => format!("if {}", joined(shorts)),
        (others, shorts) => format!("if {} while {}", joined(others), joined(shorts)),
    };
    if !names.is_empty() {
        said += &format!("; it depends on {}, too", joined(&names));
    }
    said
}

/// Pointers that point at objects, if that is all there is to say and they are several.
fn objects(needs: &[&CallerNeed]) -> Option<String> {
    let name = |need: &&CallerNeed| match need {
        CallerNeed::Object { pointer } => Some(format!("`{pointer}`")),
        _ => None,
    };
    let names: Option<Vec<String>> = needs.iter().map(name).collect();
    names.filter(|names| names.len() > 1).map(|names| format!("{} point at objects", joined(&names)))
}

/// `a`, `a and b`, `a, b and c`.
fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn condition(need: &CallerNeed) -> Option<String> {
    Some(match need {
        CallerNeed::Null { pointer, tested: true, .. } => {
            format!("`{pointer}` is null (which the function has checked)")
        }
        CallerNeed::Null { pointer, .. } => format!("`{pointer}` is null"),
        CallerNeed::Same { pointer, other, at: Some(0), .. } => {
            format!("`{other}` and `{pointer}` are the same object")
        }
        CallerNeed::Same { pointer, other, at: Some(at), .. } => {
            format!("`{pointer}` points at element {at} of `{other}`")
        }
        CallerNeed::Same { pointer, other, at: None, .. } => format!("`{pointer}` points into `{other}`"),
        CallerNeed::Past { pointer, other, .. } => format!("`{pointer}` points past the end of `{other}`"),
        CallerNeed::Inside { pointer, place, past: false, .. } => format!("`{pointer}` points at `{place}`"),
        CallerNeed::Inside { pointer, place, past: true, .. } => {
            format!("`{pointer}` points past the end of `{place}`")
        }
        CallerNeed::Elsewhere { pointer } => format!("`{pointer}` points at something that is not tried"),
        CallerNeed::Short { pointer, count, bytes } => {
            let (what, several) = (if *bytes { "byte" } else { "element" }, if *count == 1 { "" } else { "s" });
            format!("`{pointer}` has {count} {what}{several}")
        }
        CallerNeed::Known { pointer, symbol } => format!("`{pointer}` is `{symbol}`"),
        CallerNeed::Text { pointer, bytes } => format!("`{pointer}` is a text such as {}", quoted(bytes)),
        CallerNeed::Union { union, members } => {
            let members: Vec<String> = members.iter().map(|member| format!("`{member}`")).collect();
            format!("`{union}` holds {}", members.join(" or "))
        }
        CallerNeed::Holds(text) => format!("`{text}`"),
        CallerNeed::DependsOn(_) => return None,
        CallerNeed::Object { pointer } => format!("`{pointer}` points at an object"),
        CallerNeed::Enough { pointer, count } => format!("`{pointer}` is long enough ({count} elements)"),
    })
}

/// Text as C writes it.
fn quoted(bytes: &[u8]) -> String {
    let one = |byte: &u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        // Octal: it ends after three digits, whatever follows.
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", bytes.iter().map(one).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use taw_engine::{Finding, FindingKind, ShortArray};

    fn says(class: CallerClass, needs: Vec<CallerNeed>) -> CallerRecord {
        let finding = Finding { kind: FindingKind::Abort, message: String::new(), stack: Vec::new() };
        let pair = Some(ShortArray { pointer: "b->data".into(), option: "buf.data".into(), length: "buf.len".into() });
        CallerRecord::new(&Judgement { finding, of_path: class, class, needs, pair, is_precondition: false }, true)
    }

    #[test]
    fn conditions_make_a_sentence() {
        let short = CallerNeed::Short { pointer: "b->data".into(), count: 4, bytes: false };
        let holds = CallerNeed::Holds("b->len > 16".into());
        let object = CallerNeed::Object { pointer: "b".into() };
        let null = CallerNeed::Null { pointer: "p".into(), parameter: true, tested: false };
        let text = CallerNeed::Text { pointer: "s".into(), bytes: b"a\"\x01".to_vec() };
        let more = CallerNeed::DependsOn(vec!["x".into(), "y".into()]);
        let record = says(CallerClass::Lengths, vec![short, holds.clone(), object.clone()]);
        assert_eq!(record.says, "if `b->len > 16` while `b->data` has 4 elements");
        assert_eq!(record.propose.as_deref(), Some("--array buf.data=buf.len"));
        assert_eq!(record.conditions, ["`b->len > 16`", "`b->data` has 4 elements"]);
        assert_eq!(says(CallerClass::Always, Vec::new()).says, "whatever the caller passes");
        assert_eq!(says(CallerClass::Values, vec![object]).says, "if `b` points at an object");
        assert_eq!(says(CallerClass::Values, vec![text]).says, r#"if `s` is a text such as "a\"\001""#);
        assert_eq!(
            says(CallerClass::Null, vec![null, holds, more.clone()]).says,
            "if `p` is null and `b->len > 16`; it depends on `x` and `y`, too"
        );
        assert_eq!(says(CallerClass::Values, vec![more]).says, "depending on `x` and `y`");
        assert_eq!(
            says(CallerClass::Values, vec![CallerNeed::DependsOn(Vec::new())]).says,
            "depending on what no input tells"
        );
    }

    #[test]
    fn classes_come_in_the_order_of_blame() {
        let classes = CLASSES.iter().map(|row| row.0);
        assert!(classes.clone().is_sorted());
        assert_eq!(classes.map(|class| says(class, Vec::new()).order()).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }
}
