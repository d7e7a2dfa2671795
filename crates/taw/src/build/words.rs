//! What came of the search in words: a sequence that was found, that there is none, or that none was found and why that proves nothing.
//!
//! Invariant: whatever drivers do not try is named with every answer but *reachable*.

use std::collections::BTreeSet;

use taw_engine::UnknownShapes;
use taw_report::{ApiRecord, ApiVerdict};

use super::BuildWith;
use super::api::{Api, ApiFunction, Passed};
use super::driver::{OwnSlot, ROOM, longest_text, own_slots, row_of};
use super::status::Success;
use crate::reach::ReachingTest;

/// What was tried.
pub(super) struct Scope {
    calls: u32,
    functions: Vec<String>,
    /// What was not.
    limits: Vec<String>,
}

impl Scope {
    pub(super) fn new(asked: &BuildWith, api: &Api, entry: Option<&ApiFunction>, shapes: &UnknownShapes) -> Self {
        let functions: Vec<String> = api.functions.iter().map(|function| format!("`{}`", function.name)).collect();
        Scope { calls: asked.calls, functions, limits: limits(api, entry, shapes) }
    }

    /// `4 calls of `list_new` and `list_add``.
    fn words(&self) -> String {
        let calls = if self.calls == 1 { "1 call".to_owned() } else { format!("{} calls", self.calls) };
        match &self.functions[..] {
            [] => format!("{calls} of nothing that can be called"),
            [one] => format!("{calls} of {one}"),
            [all @ .., last] => format!("{calls} of {} and {last}", all.join(", ")),
        }
    }
}

/// What drivers do not try, as far as it concerns these functions.
fn limits(api: &Api, entry: Option<&ApiFunction>, shapes: &UnknownShapes) -> Vec<String> {
    let all: Vec<&ApiFunction> = api.functions.iter().chain(entry).collect();
    let params = || all.iter().flat_map(|function| &function.params);
    let any = |is: fn(&Passed) -> bool| params().any(|param| is(&param.passed));
    let mut limits = Vec::new();
    if any(|passed| !matches!(passed, Passed::Number { .. } | Passed::Named(_))) {
        limits.push("no null is passed".to_owned());
    }
    let is_object =
        |passed: &Passed| matches!(passed, Passed::Object { .. } | Passed::Value { .. } | Passed::Place { .. });
    if any(is_object) {
        limits.push("objects are what these calls make".to_owned());
    }
    if any(|passed| matches!(passed, Passed::Text { .. } | Passed::Data { .. })) {
        limits.push(format!("texts and arrays are new, and have {ROOM} bytes if they may be written"));
    }
    if any(|passed| matches!(passed, Passed::Text { .. })) {
        limits.push(format!("texts have up to {} characters", longest_text(shapes)));
    }
    let rows = params().filter_map(|param| match &param.passed {
        Passed::Data { bytes, .. } => Some(row_of(*bytes, shapes)),
        _ => None,
    });
    if let Some(most) = rows.max() {
        limits.push(format!("arrays hold up to {most} values, and zeros behind them"));
    }
    let lengths: BTreeSet<String> =
        params().filter(|param| param.length.is_some()).map(|p| format!("`{}`", p.name)).collect();
    if !lengths.is_empty() {
        let lengths: Vec<String> = lengths.into_iter().collect();
        limits.push(format!("no more is said by {} than is there", lengths.join(", ")));
    }
    if any(|passed| matches!(passed, Passed::Named(_))) {
        limits.push("of enumerations only their names are passed".to_owned());
    }
    if all.iter().any(|function| function.initialises.is_some()) {
        limits.push("new objects are zero before they are initialised".to_owned());
    }
    let enders: Vec<String> = api.functions.iter().filter(|f| f.ends).map(|f| format!("`{}`", f.name)).collect();
    if !enders.is_empty() {
        limits.push(format!("nothing is used after {}", enders.join(", ")));
    }
    let unclear = |f: &&ApiFunction| {
        f.success == Success::Unclear && own_slots(f).iter().any(|own| matches!(own, OwnSlot::Place(_)))
    };
    let unclear: Vec<String> = api.functions.iter().filter(unclear).map(|f| format!("`{}`", f.name)).collect();
    if !unclear.is_empty() {
        limits.push(format!(
            "what is given to {} is not used again: which results mean success is not known",
            unclear.join(", ")
        ));
    }
    limits.extend(api.left_out.iter().map(|(name, why)| format!("`{name}` is not called: {why}")));
    limits
}

/// That a sequence was found.
pub(super) fn found(test: ReachingTest, is_replayed: bool) -> ApiRecord {
    let says = "reachable through the API".to_owned();
    let confirmation = match (&test.unseen, is_replayed) {
        (Some(why), _) => Some(format!("not confirmed: {why}; with its inputs as constants Taw meets the error too")),
        (None, true) => None,
        (None, false) => Some("not confirmed: no native run was wanted".to_owned()),
    };
    ApiRecord { verdict: ApiVerdict::Reachable, says, confirmation, test: Some(test.test), c: test.call }
}

/// That there is none.
pub(super) fn none(scope: &Scope, premises: &BTreeSet<String>, unless: &BTreeSet<String>) -> ApiRecord {
    let mut says = format!("no sequence of up to {} leads to it", scope.words());
    if !scope.limits.is_empty() {
        says += &format!(", where {}", scope.limits.join("; "));
    }
    if !premises.is_empty() {
        says += &format!(", if {}", premises.iter().cloned().collect::<Vec<_>>().join(", and "));
    }
    if !unless.is_empty() {
        let places: Vec<&str> = unless.iter().map(String::as_str).collect();
        says += &format!("; calls that end in the errors at {} are not followed further", places.join(", "));
    }
    ApiRecord { verdict: ApiVerdict::Nowhere, says, confirmation: None, test: None, c: Vec::new() }
}

/// That none was found, which proves nothing.
pub(super) fn not_found(scope: &Scope, why: &[String]) -> ApiRecord {
    let why: Vec<&str> = why.iter().chain(&scope.limits).map(String::as_str).collect();
    let says = format!("not found within {}: {}", scope.words(), why.join("; "));
    ApiRecord { verdict: ApiVerdict::NotFound, says, confirmation: None, test: None, c: Vec::new() }
}
