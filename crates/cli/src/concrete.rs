//! A test once more in the engine, with nothing symbolic: whether the error that it claims is there.
//!
//! Sanitizers miss some errors of memory. Before that is believed, the engine must meet the error with the inputs as constants too:
//! what it concludes of terms alone is a defect of Taw.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use taw_engine::{Outcome, Sink, Surroundings, TestCase};
use taw_report::{FindingRecord, Frame, OutcomeRecord, Places, TestFile};

use crate::args::RunArgs;
use crate::prepare::{Ready, Walked};
use crate::settings;

/// Time for one such run.
const LIMIT: Duration = Duration::from_secs(10);

/// The file and line of an error.
type Place<'a> = (Option<&'a str>, Option<u32>);

/// What the concrete run of a test met.
struct Met<'p> {
    places: Places<'p>,
    claimed: Place<'p>,
    /// Whether it met the error; none if it did not come to an end.
    error: Option<bool>,
}

impl Sink for Met<'_> {
    fn path(&mut self, test: &TestCase) {
        self.error = match &test.outcome {
            Outcome::Finding(finding) => {
                let stack = self.places.stack(&finding.stack);
                let at: Option<&Frame> = stack.iter().find(|frame| frame.user).or(stack.first());
                Some(at.is_some_and(|at| (at.file.as_deref(), at.line) == self.claimed))
            }
            Outcome::Exit(_) => Some(false),
            _ => None,
        };
    }
}

/// Whether the engine meets a finding on the constants of its test; none if that cannot be told.
pub(crate) fn meets(ready: &Ready, args: &RunArgs, test: &Path, claimed: &FindingRecord) -> Option<bool> {
    meets_at(ready, args, test, (claimed.file.as_deref(), claimed.line))
}

/// Whether it meets the error that a test ends with.
pub(crate) fn meets_end(ready: &Ready, args: &RunArgs, path: &Path, test: &TestFile) -> Option<bool> {
    let OutcomeRecord::Finding { stack, .. } = &test.outcome else { return None };
    let at = stack.iter().find(|frame| frame.user).or(stack.first())?;
    meets_at(ready, args, path, (at.file.as_deref(), at.line))
}

fn meets_at(ready: &Ready, args: &RunArgs, test: &Path, claimed: Place<'_>) -> Option<bool> {
    let walked = Walked::read(test).ok()?;
    let mut plan = ready.plan(args, Vec::new());
    plan.entries = vec![walked.entry];
    plan.left_out = Vec::new();
    plan.limits.time = Some(LIMIT);
    let world = settings::world(args, Some(&walked.stdin)).ok()?;
    plan.engine.surroundings = Surroundings::new(taw_env::Kernel::new(world));
    plan.engine.replay = Some(walked.path);
    plan.engine.concrete = true;
    plan.engine.seeds = Vec::new();
    let mut met = Met { places: ready.places(), claimed, error: None };
    taw_explore::explore(&ready.program, &plan, &mut met, &mut |_| {}, &AtomicBool::new(false)).ok()?;
    met.error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command, KeepArg};
    use clap::Parser;

    /// The error is met with constants where it is, and one that is claimed elsewhere is not.
    #[test]
    fn an_error_is_met_at_its_place_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let (source, out) = (folder.path().join("p.c"), folder.path().join("out"));
        let text = "#include <taw.h>\nint a[4];\nint main(void) {\n  unsigned i = taw_u32(\"i\");\n  taw_assume(i < 5);\n\
                    \x20 return a[i];\n}\n";
        std::fs::write(&source, text).unwrap();
        let words = ["taw", "run", source.to_str().unwrap(), "--out", out.to_str().unwrap()];
        let Command::Run(args) = Cli::try_parse_from(words).unwrap().command else { panic!("not a run") };
        let ready = Ready::new(&args).ok().unwrap();
        let mut found = ready.output(&args, KeepArg::Covering).ok().unwrap();
        let plan = ready.plan(&args, Vec::new());
        taw_explore::explore(&ready.program, &plan, &mut found, &mut |_| {}, &AtomicBool::new(false)).unwrap();
        let finding = found.findings()[0].clone();
        let test = found.dir().join(&finding.test);
        assert_eq!(meets(&ready, &args, &test, &finding), Some(true));
        let elsewhere = FindingRecord { line: Some(4), ..finding };
        assert_eq!(meets(&ready, &args, &test, &elsewhere), Some(false));
    }
}
