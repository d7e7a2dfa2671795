//! Suites of C tests that people keep (`taw test`): what a test says, how it is called, and the files of a style.
//!
//! The way: a path's [`TestFile`] → [`SuiteTest`] (statements, a call, what it gives) → `names` → `text` in a [`SuiteStyle`] → `cmake`. Tests need their
//! framework and nothing of Taw's: a file includes the source under test, so types and `static` functions are in scope. Whether a test holds natively
//! is asked with the same text in another style ([`SuiteFile::trial`]) before it is written.
//!
//! Boundary: makes texts, runs nothing. Invariant: whatever C cannot say is an error with the reason, never half a test.

mod cmake;
mod duties;
mod names;
mod stand_ins;
mod styles;
mod text;

use std::path::PathBuf;

use taw_ir::{FuncId, Program};

use crate::call::ObjectRecord;
use crate::test_file::{InputRecord, OutcomeRecord, TestFile};

pub use cmake::{CmakeProgram, CmakeSuite, SANITIZERS, cmake};
pub use duties::{Criterion, Duties, Duty, DutyKind};
pub use names::name_tests;
pub use stand_ins::{SuiteStandIn, stand_in};
pub use styles::{STYLES, SuiteStyle};
pub use text::{SuiteFile, TRIAL_RESULTS};

/// What every file that Taw writes begins with, behind the sign for a comment.
pub const MARKER: &str = "Made by `taw test`";

/// A test as C says it.
#[derive(Clone, PartialEq, Debug)]
pub struct SuiteTest {
    /// The function that it calls.
    pub function: String,
    /// Its own name; empty until [`name_tests`] gives it one.
    pub name: String,
    /// Statements that make the objects.
    pub before: Vec<String>,
    /// The call, as an expression.
    pub call: String,
    /// The declaration of the variable that gets the result, and its name.
    pub result: Option<(String, String)>,
    /// What holds afterwards.
    pub checks: Vec<SuiteCheck>,
    /// How the call ends.
    pub end: SuiteEnd,
    /// What functions that are defined nowhere give back, by function.
    pub gives: Vec<(String, Vec<String>)>,
    /// Functions of the caller's, at the level of the file.
    pub callbacks: Vec<String>,
    /// What there is to say about it: the inputs in words of C identifiers, the most telling first.
    pub(crate) facts: Vec<String>,
}

/// A condition that holds after a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteCheck {
    /// In C.
    pub text: String,
    /// Why it is not asserted, if it is not.
    pub left_out: Option<String>,
}

/// How a call ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SuiteEnd {
    /// It returns.
    Returns,
    /// It ends the process with this status.
    Exits(i32),
    /// It ends the process by `abort`.
    Aborts,
    /// It is an error.
    Fails {
        /// The kind.
        kind: String,
        /// What exactly, and where.
        message: String,
    },
}

impl SuiteTest {
    /// A test as C says it.
    ///
    /// # Errors
    /// Why C cannot.
    pub fn of(test: &TestFile, stand_ins: &[SuiteStandIn]) -> Result<Self, String> {
        let function = test.entry.clone().ok_or("it starts at `main`")?;
        let record = test.call.as_ref().ok_or("it does not say what the function is called with")?;
        let given = test.given()?;
        if let Some(why) = record.unwritable.as_ref().or(given.excuses.first()) {
            return Err(why.clone());
        }
        let needs_world = !given.args.is_empty() || !given.env.is_empty() || !given.files.is_empty();
        if needs_world || !given.stdin.is_empty() {
            return Err("it needs files or standard input".to_owned());
        }
        let gives = stand_ins::given_back(test, stand_ins)?;
        let (call, lines) = record.c.split_last().ok_or("it has no call")?;
        let (before, callbacks) = stand_ins::callbacks(&function, test, lines)?;
        let result = test.returned.as_ref().and_then(|returned| returned.declared.clone()).map(|declared| {
            let variable = variable_of(&declared);
            (declared, variable)
        });
        let checks = test.returned.iter().flat_map(|returned| returned.checks.iter());
        Ok(SuiteTest {
            facts: facts(test),
            function,
            name: String::new(),
            before,
            call: call.trim_end_matches(';').to_owned(),
            result,
            checks: checks.map(|text| SuiteCheck { text: text.clone(), left_out: None }).collect(),
            end: SuiteEnd::of(test)?,
            gives,
            callbacks,
        })
    }

    /// Whether two say the same of what goes in.
    pub fn has_inputs_of(&self, other: &SuiteTest) -> bool {
        (&self.before, &self.call, &self.gives, &self.callbacks)
            == (&other.before, &other.call, &other.gives, &other.callbacks)
    }
}

impl SuiteEnd {
    fn of(test: &TestFile) -> Result<Self, String> {
        match &test.outcome {
            OutcomeRecord::Exit { .. } if test.returned.is_some() => Ok(SuiteEnd::Returns),
            OutcomeRecord::Exit { code } => Ok(SuiteEnd::Exits(code & 0xff)),
            OutcomeRecord::Finding { finding, message, .. } if finding == "abort" && message.contains("abort") => {
                Ok(SuiteEnd::Aborts)
            }
            OutcomeRecord::Finding { finding, message, stack } => {
                let place = stack.first().map(|frame| format!(" at {}", frame.place())).unwrap_or_default();
                Ok(SuiteEnd::Fails { kind: finding.clone(), message: format!("{message}{place}") })
            }
            OutcomeRecord::Signal { signal } => Err(format!("a signal ({signal}) ends it")),
            OutcomeRecord::Unsupported { what, .. } => Err(what.clone()),
            OutcomeRecord::Limit { reason } | OutcomeRecord::Unknown { reason } => Err(reason.clone()),
            OutcomeRecord::Reached { .. } => Err("it ends before the call does".to_owned()),
        }
    }
}

/// The name in a declaration such as `int (*result)[3]`.
fn variable_of(declared: &str) -> String {
    let words = declared.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_result = |word: &&str| {
        word.strip_prefix("result").is_some_and(|rest| rest.trim_start_matches('_').chars().all(|c| c.is_ascii_digit()))
    };
    words.into_iter().find(is_result).unwrap_or("result").to_owned()
}

/// The user's file that defines a function, if it is C.
pub fn source_of(program: &Program, id: FuncId, sources: &[PathBuf]) -> Option<PathBuf> {
    let path = PathBuf::from(&program.files[program.locs[program.functions[id].loc?].file].path);
    let full = path.canonicalize().ok()?;
    let is_c = |file: &&PathBuf| file.extension().is_some_and(|extension| extension == "c");
    sources.iter().filter(is_c).find(|file| file.canonicalize().ok().as_ref() == Some(&full)).cloned()
}

/// What is said of the inputs: pointers that are null, numbers, text; in the order in which the path asked for them.
fn facts(test: &TestFile) -> Vec<String> {
    let objects = test.call.as_ref().map_or(&[][..], |call| &call.objects);
    test.inputs.iter().filter_map(|input| fact(input, objects)).collect()
}

fn fact(input: &InputRecord, objects: &[ObjectRecord]) -> Option<String> {
    let name = names::words(&input.name);
    match input.ty.as_str() {
        "choice" if input.value == "null" => Some(format!("{name}_is_null")),
        "choice" => None,
        _ if input.name.ends_with(".further") => None,
        ty if ty.starts_with("char[") => {
            let object = objects.iter().find(|object| format!("*{}", object.name) == input.name)?;
            names::text_words(&object.bytes).map(|text| format!("{}_is_{text}", names::words(&object.name)))
        }
        ty if ty.contains('[') || input.value.len() > 24 => None,
        _ => Some(format!("{name}_is_{}", names::value_words(&input.value))),
    }
}
