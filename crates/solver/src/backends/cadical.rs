//! CaDiCaL, the SAT solver, as the bit-blasting back end uses it: assumptions, preferred values, limits.
//!
//! The crate `cadical-sys` brings and builds the C++ source and makes its functions safe: a call that CaDiCaL forbids is a
//! panic. Boundary: nothing outside this file knows which SAT solver answers.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

use cadical_sys::{CaDiCal, Status, Terminator};

/// The answer of one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SatAnswer {
    Sat,
    Unsat,
    /// A limit was reached.
    Stopped,
}

/// A SAT solver. Literals are non-zero integers as in DIMACS.
pub(crate) struct Cadical {
    sat: CaDiCal,
    /// When the running call has to end; CaDiCaL asks [`Clock`].
    deadline: Rc<Cell<Option<Instant>>>,
}

/// Ends a call whose time is up.
struct Clock(Rc<Cell<Option<Instant>>>);

impl Terminator for Clock {
    fn terminated(&mut self) -> bool {
        self.0.get().is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Cadical {
    /// A solver without clauses, tuned for many small incremental calls.
    pub fn new() -> Self {
        let (mut sat, deadline) = (CaDiCal::new(), Rc::default());
        sat.connect_terminator(Clock(Rc::clone(&deadline)));
        // "Lucky" assignments ignore the preferred values.
        assert!(sat.set("lucky", 0), "CaDiCaL has this option");
        Self { sat, deadline }
    }

    /// Adds a clause.
    pub fn clause(&mut self, literals: &[i32]) {
        self.sat.clause6(literals);
    }

    /// Assumes a literal for the next call of `solve`.
    pub fn assume(&mut self, literal: i32) {
        self.sat.assume(literal);
    }

    /// Makes the solver try this literal's value first whenever it decides on its variable.
    pub fn prefer(&mut self, literal: i32) {
        self.sat.phase(literal);
    }

    /// Solves under the assumptions made since the last call, with at most `conflicts` conflicts and until `deadline`.
    pub fn solve(&mut self, conflicts: u32, deadline: Option<Instant>) -> SatAnswer {
        self.deadline.set(deadline);
        self.sat.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        match self.sat.solve() {
            Status::SATISFIABLE => SatAnswer::Sat,
            Status::UNSATISFIABLE => SatAnswer::Unsat,
            Status::UNKNOWN => SatAnswer::Stopped,
        }
    }

    /// The value of a variable in the model. Only after `Sat`.
    pub fn value(&mut self, variable: i32) -> bool {
        self.sat.val(variable) > 0
    }

    /// Whether an assumed literal was needed for the contradiction. Only after `Unsat`.
    pub fn failed(&mut self, literal: i32) -> bool {
        self.sat.failed(literal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_fail_where_they_contradict() {
        let mut sat = Cadical::new();
        sat.clause(&[1, 2]);
        sat.assume(-1);
        sat.assume(-2);
        sat.assume(3);
        assert_eq!(sat.solve(100, None), SatAnswer::Unsat);
        assert!(sat.failed(-1) && sat.failed(-2) && !sat.failed(3));
        sat.assume(-1);
        assert_eq!(sat.solve(100, None), SatAnswer::Sat);
        assert!(sat.value(2));
    }

    #[test]
    fn preferred_values_are_taken_where_free() {
        for sign in [1, -1] {
            let mut sat = Cadical::new();
            for v in 1..=40 {
                sat.clause(&[v, v + 40]);
                sat.prefer(v * sign);
                sat.prefer((v + 40) * -sign);
            }
            assert_eq!(sat.solve(100, None), SatAnswer::Sat);
            assert!((1..=40).all(|v| sat.value(v) == (sign > 0)));
        }
    }

    #[test]
    fn a_hard_problem_stops_at_its_limit() {
        let (pigeons, holes) = (11, 10);
        let mut sat = Cadical::new();
        for p in 0..pigeons {
            sat.clause(&(0..holes).map(|h| 1 + p * holes + h).collect::<Vec<_>>());
            for q in 0..p {
                (0..holes).for_each(|h| sat.clause(&[-(1 + p * holes + h), -(1 + q * holes + h)]));
            }
        }
        assert_eq!(sat.solve(50, None), SatAnswer::Stopped);
    }
}
