//! Where the results of an exploration without targets go: the output directory, and native runs that confirm what is found.

use taw_engine::{Outcome, Sink, TestCase};
use taw_report::OutputDir;

use crate::Error;
use crate::confirm::{Confirmer, Contradiction};
use crate::prepared::Prepared;
use crate::replay::NativeProgram;

/// Who is told of each path after it was written, with the number of findings so far.
pub type Observer<'a> = Box<dyn FnMut(&TestCase, usize) + 'a>;

/// The sink of a run that looks for errors.
pub struct Results<'p> {
    out: OutputDir<'p>,
    /// Runs the tests of findings natively.
    confirmer: Option<Confirmer>,
    observer: Observer<'p>,
}

impl<'p> Results<'p> {
    /// Results go to `out`; findings are confirmed by `native` beside the exploration, if it is given.
    pub fn new(out: OutputDir<'p>, native: Option<NativeProgram>, observer: Observer<'p>) -> Self {
        Results { out, confirmer: native.map(Confirmer::new), observer }
    }

    /// The output directory.
    pub fn output(&self) -> &OutputDir<'p> {
        &self.out
    }

    /// Waits for the native runs, and marks the findings.
    ///
    /// # Errors
    /// If there is no compiler.
    pub fn finish(self, prepared: &Prepared<'_>) -> Result<(OutputDir<'p>, Confirmations), Error> {
        let Results { mut out, confirmer, .. } = self;
        let confirmed = confirmer.map(|confirmer| confirmer.finish(&mut out, prepared)).transpose()?;
        let (native, contradictions) = confirmed.map_or((None, Vec::new()), |(native, found)| (Some(native), found));
        Ok((out, Confirmations { native, contradictions }))
    }
}

/// What the native runs left.
pub struct Confirmations {
    /// The program, for further runs; none if none were wanted.
    pub native: Option<NativeProgram>,
    /// Findings that a native run contradicts.
    pub contradictions: Vec<Contradiction>,
}

impl Sink for Results<'_> {
    fn path(&mut self, test: &TestCase) {
        self.out.path(test);
        if let (Some(confirmer), Outcome::Finding(_)) = (&mut self.confirmer, &test.outcome) {
            confirmer.look_at(&self.out);
        }
        (self.observer)(test, self.out.findings().len());
    }
}
