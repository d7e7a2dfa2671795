//! Where results go, as they are found.

use crate::test_case::TestCase;

/// Receives results. Called at once when a thing is found, so that nothing is lost if the run dies.
pub trait Sink {
    /// A path ended (also by an error or a limit): here is its test. `new_coverage` says whether it covered a
    /// line or branch that no earlier path had.
    fn path(&mut self, test: &TestCase, new_coverage: bool);
}
