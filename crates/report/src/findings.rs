//! Findings of a run: the same error at the same place is one finding with a count.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use taw_engine::{CallerClass, Finding, FindingKind, Judgement};

use crate::api::ApiRecord;
use crate::caller::CallerRecord;
use crate::place::{Places, StackFrame};
use crate::test_file::{InputRecord, TestFile};

/// A finding as it is stored and printed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FindingRecord {
    /// Stable name of the kind of error.
    pub kind: String,
    /// What exactly, of the first time.
    pub message: String,
    /// The file of the place: that of the innermost call that is the user's.
    pub file: Option<String>,
    /// Its line, from 1.
    pub line: Option<u32>,
    /// Its column, from 1.
    pub column: Option<u32>,
    /// Its function.
    pub function: String,
    /// All calls, innermost first.
    pub stack: Vec<StackFrame>,
    /// The test that shows it first, relative to the output directory.
    pub test: String,
    /// On how many paths it was met.
    pub count: u64,
    /// What a native run of that test showed; none if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<Confirmed>,
    /// Why, or what else there is to say of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<String>,
    /// The branches of that test's path that the finding depends on by their inputs, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Because>,
    /// What it asks of the caller; none if paths start at `main`, which has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<CallerRecord>,
    /// Whether calls of the library's own functions lead to it; none if nobody asked (`--build-with`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<ApiRecord>,
    /// What the entry was called with in that test, as C; empty unless it takes pointers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call: Vec<String>,
    /// The inputs of that test that the call does not tell.
    #[serde(skip)]
    pub inputs: Vec<InputRecord>,
}

/// What a native run showed of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Confirmed {
    /// The program fails natively, at the place that was claimed.
    #[serde(rename = "confirmed")]
    Yes,
    /// The native run cannot show it.
    #[serde(rename = "not confirmed")]
    No,
    /// The native run contradicts it: a defect of Taw.
    #[serde(rename = "diverged")]
    Diverged,
}

/// A branch on the way to a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Because {
    /// Where it is.
    #[serde(flatten)]
    pub at: StackFrame,
    /// Whether its condition held.
    pub held: bool,
}

impl FindingRecord {
    /// Whether something became known after it was written.
    pub(crate) fn is_newer_than_its_file(&self) -> bool {
        self.count > 1 || self.confirmed.is_some() || self.caller.is_some() || self.api.is_some()
    }

    /// Its place in the order in which findings are shown: those first that no caller can be blamed for.
    pub fn order(&self) -> (bool, usize) {
        (!self.is_reachable(), self.caller.as_ref().map_or(0, CallerRecord::order))
    }

    /// Whether calls of the library's own functions lead to it.
    pub fn is_reachable(&self) -> bool {
        self.api.as_ref().is_some_and(ApiRecord::is_reachable)
    }

    /// What the findings have in common that are shown with it; none if paths start at `main`.
    pub fn heading(&self) -> Option<&'static str> {
        let reachable = self.is_reachable().then_some(ApiRecord::HEADING);
        reachable.or_else(|| self.caller.as_ref().map(CallerRecord::heading))
    }

    /// Whether it does not count, because a parameter that is null or the same as another explains it.
    pub fn is_left_out(&self) -> bool {
        !self.is_reachable() && self.caller.as_ref().is_some_and(|caller| caller.left_out)
    }

    /// `file:line:column` as far as known.
    pub fn place(&self) -> String {
        let (file, line, column) = (self.file.clone(), self.line, self.column);
        StackFrame { function: self.function.clone(), file, line, column, user: true }.place()
    }
}

/// What makes two findings the same: kind and place (the function, where there is no debug information).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    kind: FindingKind,
    function: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

/// What makes a finding the same as others, and its calls.
fn keyed(finding: &Finding, places: &Places<'_>) -> (Key, Vec<StackFrame>) {
    let stack = places.stack(&finding.stack);
    let at = StackFrame::reported(&stack).cloned().unwrap_or_else(|| StackFrame {
        function: "?".into(),
        file: None,
        line: None,
        column: None,
        user: true,
    });
    let StackFrame { function, file, line, column, .. } = at;
    (Key { kind: finding.kind, function, file, line, column }, stack)
}

/// The findings so far, in the order in which they were first met.
#[derive(Debug, Default)]
pub struct Findings {
    records: Vec<FindingRecord>,
    index: HashMap<Key, usize>,
    /// For each what the path of its test asks of the caller.
    classes: Vec<Option<CallerClass>>,
}

/// Whether a finding was known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen {
    /// The first at its place: its number.
    First(usize),
    /// One of an earlier number, on a path that asks less of the caller: its test is the better one.
    Better(usize),
    /// Counted with an earlier one.
    Again,
}

impl Findings {
    /// The findings, oldest first.
    pub fn records(&self) -> &[FindingRecord] {
        &self.records
    }

    /// Counts `finding`. The caller completes the record of a first one through [`Findings::complete`].
    pub(crate) fn count(&mut self, finding: &Finding, class: Option<CallerClass>, places: &Places<'_>) -> Seen {
        let (key, stack) = keyed(finding, places);
        if let Some(&known) = self.index.get(&key) {
            self.records[known].count += 1;
            if class >= self.classes[known] {
                return Seen::Again;
            }
            self.classes[known] = class;
            self.records[known].message = finding.message.clone();
            self.records[known].stack = stack;
            return Seen::Better(known);
        }
        let Key { function, file, line, column, .. } = key.clone();
        self.index.insert(key, self.records.len());
        self.classes.push(class);
        self.records.push(FindingRecord {
            kind: finding.kind.name().to_owned(),
            message: finding.message.clone(),
            file,
            line,
            column,
            function,
            stack,
            test: String::new(),
            count: 1,
            because: Vec::new(),
            confirmed: None,
            confirmation: None,
            caller: None,
            api: None,
            call: Vec::new(),
            inputs: Vec::new(),
        });
        Seen::First(self.records.len() - 1)
    }

    /// Keeps what a finding rests on, if it is told of the path that its test takes.
    pub(crate) fn judge(&mut self, judgement: &Judgement, quiet: bool, places: &Places<'_>) {
        let (key, _) = keyed(&judgement.finding, places);
        let Some(&known) = self.index.get(&key) else { return };
        let record = &mut self.records[known];
        if record.caller.is_none() && self.classes[known] == Some(judgement.of_path) {
            record.caller = Some(CallerRecord::new(judgement, quiet));
        }
    }

    /// Keeps whether calls of the library's own functions lead to finding number `index`.
    pub(crate) fn built(&mut self, index: usize, api: ApiRecord) {
        if let Some(record) = self.records.get_mut(index) {
            record.api = Some(api);
        }
    }

    /// Keeps what a native run showed of finding number `index`.
    pub(crate) fn confirm(&mut self, index: usize, confirmed: Confirmed, why: String) {
        if let Some(record) = self.records.get_mut(index) {
            record.confirmed = Some(confirmed);
            record.confirmation = Some(why).filter(|why| !why.is_empty());
        }
    }

    /// Says which test shows finding number `index`.
    pub(crate) fn complete(
        &mut self,
        index: usize,
        test: String,
        shown: &TestFile,
        because: Vec<Because>,
    ) -> &FindingRecord {
        let record = &mut self.records[index];
        record.because = because;
        record.test = test;
        record.inputs = shown.inputs_beside_call();
        record.call = shown.call.as_ref().map(|call| call.shown().to_vec()).unwrap_or_default();
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::tests::program;
    use taw_engine::StackEntry;

    #[test]
    fn the_same_kind_at_the_same_place_is_counted_once() {
        let (program, main, start, inner) = program();
        let places = Places::new(&program, "/src".into());
        let mut findings = Findings::default();
        let user = StackEntry { function: main, loc: Some(inner) };
        let library = StackEntry { function: start, loc: None };
        let leak = |stack: &[&StackEntry]| Finding {
            kind: FindingKind::Leak,
            message: String::new(),
            stack: stack.iter().map(|&entry| entry.clone()).collect(),
        };
        assert_eq!(findings.count(&leak(&[&user]), None, &places), Seen::First(0));
        assert_eq!(
            findings.count(&leak(&[&library, &user]), None, &places),
            Seen::Again,
            "the user's place is the same"
        );
        assert_eq!(findings.count(&leak(&[&library]), None, &places), Seen::First(1));
        let abort = Finding { kind: FindingKind::Abort, ..leak(&[&user]) };
        assert_eq!(findings.count(&abort, None, &places), Seen::First(2), "another kind");
        assert_eq!(findings.records()[0].count, 2);
        assert_eq!(findings.records()[0].place(), "dir/a.c:3:5");
    }
}
