//! A test once more in the engine, with nothing symbolic: whether the error that it claims is there.
//!
//! Sanitizers miss some errors of memory. Before that is believed, the engine must meet the error with the inputs as constants too:
//! what it concludes of terms alone is a defect of Taw.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use taw_engine::{Outcome, Sink, TestCase};
use taw_report::{OutcomeRecord, Places, StackFrame, TestFile};

use crate::prepared::Prepared;
use crate::walked::WalkedTest;

/// Time for one such run.
const LIMIT: Duration = Duration::from_secs(10);

/// The file and line of an error.
type ErrorPlace<'a> = (Option<&'a str>, Option<u32>);

/// What the concrete run of a test met.
struct Met<'p> {
    places: Places<'p>,
    claimed: ErrorPlace<'p>,
    /// Whether it met the error; none if it did not come to an end.
    error: Option<bool>,
}

impl Sink for Met<'_> {
    fn path(&mut self, test: &TestCase) {
        self.error = match &test.outcome {
            Outcome::Finding(finding) => {
                let stack = self.places.stack(&finding.stack);
                let at = StackFrame::reported(&stack);
                Some(at.is_some_and(|at| (at.file.as_deref(), at.line) == self.claimed))
            }
            Outcome::Exit(_) | Outcome::Signal(_) => Some(false),
            _ => None,
        };
    }
}

impl Prepared<'_> {
    /// Whether the engine meets the error that a test ends with, with the inputs as the constants that they are; none if that cannot be
    /// told.
    pub fn meets(&self, test: &TestFile) -> Option<bool> {
        let OutcomeRecord::Finding { stack, .. } = &test.outcome else { return None };
        let at = StackFrame::reported(stack)?;
        test.check().ok()?;
        let walked = WalkedTest::of(test);
        let mut plan = self.plan(Vec::new());
        plan.entries = vec![walked.entry];
        plan.left_out = Vec::new();
        plan.limits.time = Some(LIMIT);
        plan.engine.replay = Some(walked.path);
        plan.engine.concrete = true;
        plan.engine.seeds = Vec::new();
        let mut met = Met { places: self.places(), claimed: (at.file.as_deref(), at.line), error: None };
        let never = AtomicBool::new(false);
        taw_explore::explore(self.program().code(), &plan, &mut met, &mut |_| {}, &never).ok()?;
        met.error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compile, Each, Error, Program, Session};

    /// What `meets` is asked of: the tests of all findings of a text.
    fn with_findings(text: &str, entry: &str, judge: impl Fn(&Prepared<'_>, &TestFile) + Sync) {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("p.c");
        std::fs::write(&source, text).unwrap();
        let session = Session::new(Program::compile([source], &Compile::default()).unwrap()).entry(entry);
        session
            .prepared(|prepared| -> Result<(), Error> {
                let mut found = Vec::new();
                let keep = |test: &TestCase| found.push(TestFile::new(test, &prepared.places()));
                prepared.explore(&mut Each(keep), &mut |_| {})?;
                found.retain(|test| matches!(test.outcome, OutcomeRecord::Finding { .. }));
                assert!(!found.is_empty());
                found.iter().for_each(|test| judge(prepared, test));
                Ok(())
            })
            .unwrap();
    }

    /// The error is met with constants where it is, and one that is claimed elsewhere is not.
    #[test]
    fn an_error_is_met_at_its_place_and_nowhere_else() {
        let text = "#include <taw.h>\nint a[4];\nint main(void) {\n  unsigned i = taw_u32(\"i\");\n  taw_assume(i < 5);\n\
                    \x20 return a[i];\n}\n";
        with_findings(text, "main", |prepared, test| {
            assert_eq!(prepared.meets(test), Some(true));
            let mut test = test.clone();
            let OutcomeRecord::Finding { stack, .. } = &mut test.outcome else { unreachable!() };
            stack[0].line = Some(4);
            assert_eq!(prepared.meets(&test), Some(false));
        });
    }

    /// Bytes that were made all at once, since an unknown offset touched them, and are made in pieces where it is known.
    #[test]
    fn bytes_of_the_caller_are_the_same_however_they_are_touched() {
        let text = "long last(void *block, unsigned at) {\n  const unsigned char *bytes = block;\n\
                    \x20 if (!block || at < 25 || at > 27 || bytes[at - 20] != 42 || bytes[31] != 7) return 0;\n\
                    \x20 return *(const long *)(bytes + at);\n}\n";
        with_findings(text, "last", |prepared, test| assert_eq!(prepared.meets(test), Some(true), "{test:?}"));
    }
}
