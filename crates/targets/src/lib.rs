//! What a run is to reach: targets as people and other tools write them, and what they are in a program.
//!
//! The way: text (`--target`) or a file of another tool ([`read`], one reader per format) → [`Request`] → [`resolve`]
//! against the program → [`Target`], with what the explorer looks for and what a native run must be seen to pass.

mod cppcheck;
mod diff;
mod gcov;
mod index;
mod labels;
mod lcov;
mod list;
mod near;
mod read;
mod resolve;
mod sarif;
mod trace;

pub use near::nearest;
pub use read::{TargetFile, read, read_diff};
pub use resolve::{AskedPlace, Resolved, Target, file_with_code, resolve};
pub use sarif::{SarifLog, SarifVerdict};

use taw_engine::FindingKind;

/// A line of a file, as somebody wrote it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileLine {
    /// The end of the file's path, or all of it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// One call of a stack trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceFrame {
    /// Its function, if the trace tells.
    pub function: Option<String>,
    /// Its place, if the trace tells.
    pub at: Option<FileLine>,
}

/// What is to be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spec {
    /// `file.c:12`.
    Line(FileLine),
    /// `file.c:12 if EXPR`: the line, where the expression holds.
    Condition(FileLine, String),
    /// `file.c:12!kind`, or `file.c:12!` for any kind of error.
    Error(FileLine, Option<FindingKind>),
    /// `function`.
    Function(String),
    /// `label:NAME`.
    Label(String),
    /// `label:*`.
    EveryLabel,
    /// `error-call:FUNCTION`.
    ErrorCall(String),
    /// The calls of a stack trace, outermost first.
    Trace(Vec<TraceFrame>),
    /// `A then B`: the last, after all before it in their order.
    Steps(Vec<Spec>),
}

/// Who asks for a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asker {
    /// A person: what is not there is an error.
    Person,
    /// A file of a tool that knows more than this program: what is not there is left out.
    Tool,
}

/// A target that somebody asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The place that is asked for.
    pub spec: Spec,
    /// Who asks for it.
    pub asker: Asker,
    /// The result of a SARIF log that it is about, by number.
    pub result: Option<usize>,
}

impl Request {
    /// What a person wrote on the command line or into a list.
    ///
    /// # Errors
    /// What is wrong with it, and how it should be.
    pub fn parse(text: &str) -> Result<Self, String> {
        Ok(Request { spec: parse(text.trim())?, asker: Asker::Person, result: None })
    }

    pub(crate) fn of_tool(spec: Spec) -> Self {
        Request { spec, asker: Asker::Tool, result: None }
    }
}

const FORMS: &str =
    "write file.c:LINE, 'file.c:LINE if EXPR', file.c:LINE!KIND, a function, label:NAME or error-call:FUNCTION";

/// The conditions that are asked for, each once: the number of one is its place in this list.
pub fn conditions(requests: &[Request]) -> Vec<(&FileLine, &str)> {
    fn add<'r>(spec: &'r Spec, found: &mut Vec<(&'r FileLine, &'r str)>) {
        match spec {
            Spec::Condition(at, text) if !found.contains(&(at, text)) => found.push((at, text)),
            Spec::Steps(steps) => steps.iter().for_each(|step| add(step, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    requests.iter().for_each(|request| add(&request.spec, &mut found));
    found
}

fn parse(text: &str) -> Result<Spec, String> {
    if !text.contains(" then ") {
        return parse_one(text);
    }
    let steps = text.split(" then ").map(|step| match parse_one(step.trim())? {
        Spec::Error(..) => Err(format!("`{step}`: an error is no step; name its line")),
        Spec::EveryLabel => Err(format!("`{step}`: a step is one place")),
        step => Ok(step),
    });
    steps.collect::<Result<_, _>>().map(Spec::Steps)
}

/// `PLACE if EXPR`, taken apart.
fn conditional(text: &str) -> Option<(&str, &str)> {
    let at = text.find(" if").filter(|at| !text[at + 3..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))?;
    Some((text[..at].trim_end(), text[at + 3..].trim()))
}

fn condition(text: &str, place: &str, expression: &str) -> Result<Spec, String> {
    if expression.is_empty() {
        return Err(format!("`{text}` has no condition behind `if`; write 'file.c:LINE if EXPR'"));
    }
    match parse_one(place)? {
        Spec::Line(at) => Ok(Spec::Condition(at, expression.to_owned())),
        _ => Err(format!("`{place}` is no line, and only a line can have a condition; write 'file.c:LINE if EXPR'")),
    }
}

fn parse_one(text: &str) -> Result<Spec, String> {
    if let Some(label) = text.strip_prefix("label:") {
        return match label {
            "" => Err(format!("`{text}` names no label; {FORMS}")),
            "*" => Ok(Spec::EveryLabel),
            name => Ok(Spec::Label(name.to_owned())),
        };
    }
    if let Some(function) = text.strip_prefix("error-call:") {
        return identifier(function).map(Spec::ErrorCall).ok_or_else(|| not_understood(text));
    }
    if let Some((place, expression)) = conditional(text) {
        return condition(text, place, expression);
    }
    let (place, kind) = match text.rsplit_once('!') {
        None => (text, None),
        Some((place, "")) => (place, Some(None)),
        Some((place, name)) => (place, Some(Some(kind_named(name)?))),
    };
    match (place.rsplit_once(':'), kind) {
        (Some((file, line)), kind) => {
            let line = line.parse().ok().filter(|line| *line > 0).filter(|_| !file.is_empty());
            let at = FileLine { file: file.to_owned(), line: line.ok_or_else(|| not_understood(text))? };
            Ok(kind.map_or(Spec::Line(at.clone()), |kind| Spec::Error(at, kind)))
        }
        (None, None) => identifier(text).map(Spec::Function).ok_or_else(|| not_understood(text)),
        (None, Some(_)) => Err(format!("`{text}` has no line; write file.c:LINE!KIND")),
    }
}

fn not_understood(text: &str) -> String {
    format!("`{text}` is no target; {FORMS}")
}

fn kind_named(name: &str) -> Result<FindingKind, String> {
    FindingKind::named(name).ok_or_else(|| {
        let names = FindingKind::TABLE.iter().map(|row| row.1);
        let guess = near::nearest(name, names.clone()).map(|near| format!("did you mean `{near}`? "));
        let known: Vec<&str> = names.collect();
        format!("`{name}` is no kind of error; {}known: {}", guess.unwrap_or_default(), known.join(", "))
    })
}

/// A name as C and C++ (mangled or not) and LLVM have them.
fn identifier(text: &str) -> Option<String> {
    let fits = |c: char| c.is_alphanumeric() || "_$.<>~@".contains(c);
    (!text.is_empty() && text.chars().all(fits) && !text.starts_with(|c: char| c.is_ascii_digit()))
        .then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Spec {
        Request::parse(text).unwrap().spec
    }

    fn at(file: &str, line: u32) -> FileLine {
        FileLine { file: file.into(), line }
    }

    #[test]
    fn every_form_is_understood() {
        assert_eq!(spec("src/a.c:12"), Spec::Line(at("src/a.c", 12)));
        assert_eq!(spec("a.c:12!"), Spec::Error(at("a.c", 12), None));
        assert_eq!(spec("a.c:12!leak"), Spec::Error(at("a.c", 12), Some(FindingKind::Leak)));
        assert_eq!(spec(" main "), Spec::Function("main".into()));
        assert_eq!(spec("label:a b!:3"), Spec::Label("a b!:3".into()));
        assert_eq!(spec("label:*"), Spec::EveryLabel);
        assert_eq!(spec("error-call:reach_error"), Spec::ErrorCall("reach_error".into()));
        assert_eq!(spec("a.c:3 if !p->x"), Spec::Condition(at("a.c", 3), "!p->x".into()));
        assert_eq!(spec("a.c:3 if(x > 2)"), Spec::Condition(at("a.c", 3), "(x > 2)".into()));
        let steps = vec![Spec::Condition(at("a.c", 3), "p->x > 2".into()), Spec::Line(at("b.c", 9))];
        assert_eq!(spec("a.c:3 if p->x > 2 then b.c:9"), Spec::Steps(steps));
    }

    #[test]
    fn a_condition_has_one_number_wherever_it_is_asked_for() {
        let texts = ["a.c:3 if x", "f then a.c:4 if x", "a.c:3 if x then g"];
        let requests = texts.map(|text| Request::parse(text).unwrap());
        assert_eq!(conditions(&requests), [(&at("a.c", 3), "x"), (&at("a.c", 4), "x")]);
    }

    #[test]
    fn what_is_wrong_is_said_with_the_way_out() {
        for (text, said) in [
            ("a.c:0", "is no target"),
            ("a.c:x", "is no target"),
            (":3", "is no target"),
            ("3", "is no target"),
            ("", "is no target"),
            ("label:", "names no label"),
            ("f!abort", "has no line"),
            ("a.c:3!double-fre", "did you mean `double-free`?"),
            ("a.c:3 if", "no condition behind"),
            ("f if x", "only a line can have a condition"),
            ("a.c:3! if x", "only a line can have a condition"),
            ("a.c:3!leak then f", "an error is no step"),
            ("f then label:*", "a step is one place"),
        ] {
            let error = Request::parse(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
