//! Where the results of `taw reach` go: a test for each target at once, and a native run that must get there too.
//!
//! An error that such a run cannot show, as a read beyond an object in a program without sanitizers, counts if the run gets to
//! its place; what was not seen is said.

use std::cell::Cell;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use taw_engine::{Outcome, Reception, Sink, TestCase};
use taw_native::{Replayed, Verdict};
use taw_report::{InputRecord, OutcomeRecord, OutputDir, TestFile};
use taw_targets::Target;

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::replay::Native;
use crate::terminal;

/// A test that reaches a target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrival {
    /// Relative to the output directory.
    pub test: String,
    pub inputs: Vec<InputRecord>,
    /// Whether a native run got there, and showed the error if there is to be one.
    pub confirmed: bool,
    /// Why a native run that got there did not show the error.
    pub unseen: Option<String>,
}

/// Whether the engine meets the error that a test ends with once more; none if that cannot be told.
pub(crate) type Meets<'p> = Box<dyn Fn(&Path, &TestFile) -> Option<bool> + 'p>;

/// The sink of a run that looks for targets.
pub(crate) struct ReachSink<'p> {
    targets: &'p [Target],
    out: OutputDir<'p>,
    native: Option<(Native, Meets<'p>)>,
    /// The last test for each target, none if there was none.
    results: Vec<Option<Arrival>>,
    /// Whether paths that reach nothing are wanted too.
    all_paths: bool,
    print_output: bool,
    found: &'p Cell<usize>,
    stop: Arc<AtomicBool>,
}

impl<'p> ReachSink<'p> {
    pub(crate) fn new(
        args: &RunArgs,
        targets: &'p [Target],
        out: OutputDir<'p>,
        found: &'p Cell<usize>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let results = vec![None; targets.len()];
        let print_output = args.print_output;
        ReachSink {
            print_output,
            targets,
            out,
            native: None,
            results,
            all_paths: args.output.keep.is_some(),
            found,
            stop,
        }
    }

    /// Lets native runs confirm what is found; an error that they do not show, `meets` must.
    pub(crate) fn confirm_by(&mut self, native: Native, meets: Meets<'p>) {
        self.native = Some((native, meets));
    }

    pub(crate) fn output(&self) -> &OutputDir<'p> {
        &self.out
    }

    pub(crate) fn results(&self) -> &[Option<Arrival>] {
        &self.results
    }

    pub(crate) fn into_output(self) -> OutputDir<'p> {
        self.out
    }
}

impl Sink for ReachSink<'_> {
    fn path(&mut self, test: &TestCase) {
        if self.all_paths || matches!(test.outcome, Outcome::Finding(_)) {
            self.out.path(test);
            self.found.set(self.out.findings().len());
        }
        if self.print_output {
            // As `taw run` does it.
            let _ = terminal::stderr().write_all(&test.written.both);
        }
    }

    fn reached(&mut self, goal: usize, test: &TestCase) -> Reception {
        let (name, file) = match self.out.reached(test, &self.targets[goal].route) {
            Ok(written) => written,
            Err(error) => {
                self.stop.store(true, Ordering::Relaxed);
                return Reception::Refused(error.to_string());
            }
        };
        let arrival = Arrival { test: name, inputs: file.inputs.clone(), ..Arrival::default() };
        let arrival = self.results[goal].insert(arrival);
        let Some((native, meets)) = &mut self.native else { return Reception::Accepted };
        let Target { goal: known, route, .. } = &self.targets[goal];
        let seen = matches!(file.outcome, OutcomeRecord::Reached { .. }).then(|| native.blind_to(route));
        if let Some(Ok(Some(why))) = seen {
            return Reception::Futile(format!("a path leads there, but no native run can confirm it: {why}"));
        }
        let why = match native.replay(&file) {
            Ok(Replayed { verdict: Verdict::Same, .. }) => {
                arrival.confirmed = true;
                return Reception::Accepted;
            }
            Ok(Replayed { verdict: Verdict::NotConfirmed, why, .. })
                if matches!(file.outcome, OutcomeRecord::Finding { .. })
                    && matches!(native.passes(&file, &known.name, route), Ok(true)) =>
            {
                if meets(&self.out.dir().join(&arrival.test), &file) == Some(false) {
                    return Reception::Refused(format!(
                        "a path leads there, but with its inputs as constants Taw itself does not meet the error; {why}"
                    ));
                }
                arrival.unseen = Some(why);
                return Reception::Accepted;
            }
            Ok(Replayed { why, .. }) | Err(Failure::Message(why) | Failure::Compiler(why)) => why,
            Err(Failure::ClosedPipe) => String::new(),
        };
        Reception::Refused(format!("a path leads there, but the native run does not confirm it: {why}"))
    }
}
