//! Where results go, as they are found.

use crate::reason::Refusal;
use crate::test_case::TestCase;

/// What a sink thinks of a test that reaches a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reception {
    /// The goal is reached.
    Accepted,
    /// It is not, or that cannot be shown; why.
    Refused(Refusal),
    /// It cannot be shown by any test; why.
    Futile(Refusal),
}

/// Receives results. Called at once when a thing is found, so that nothing is lost if the run dies.
pub trait Sink {
    /// A path ended (also by an error or a limit): here is its test.
    fn path(&mut self, test: &TestCase);

    /// A path has reached the goal of that number: here are the inputs. If the goal is an error, [`Sink::path`] was called
    /// for it before.
    fn reached(&mut self, _goal: usize, _test: &TestCase) -> Reception {
        Reception::Accepted
    }
}
