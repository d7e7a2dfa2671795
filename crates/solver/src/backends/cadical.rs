//! CaDiCaL, the SAT solver: a thin, safe handle over its C interface.
//!
//! The crate `cadical` brings and builds the C++ source. Its own handle is not used because it keeps back phases and
//! options; the functions below are those of the library it links. Boundary: nothing outside this file is unsafe here.

#![expect(unsafe_code, reason = "the SAT solver is a C++ library")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;

// Only for the library that it builds and links.
use cadical as _;

unsafe extern "C" {
    fn ccadical_init() -> *mut c_void;
    fn ccadical_release(solver: *mut c_void);
    fn ccadical_set_option(solver: *mut c_void, name: *const c_char, value: c_int);
    fn ccadical_limit(solver: *mut c_void, name: *const c_char, value: c_int);
    fn ccadical_add(solver: *mut c_void, literal: c_int);
    fn ccadical_assume(solver: *mut c_void, literal: c_int);
    fn ccadical_solve(solver: *mut c_void) -> c_int;
    fn ccadical_val(solver: *mut c_void, literal: c_int) -> c_int;
    fn ccadical_failed(solver: *mut c_void, literal: c_int) -> c_int;
    fn ccadical_set_terminate(
        solver: *mut c_void,
        state: *mut c_void,
        terminate: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
    );

    /// `void CaDiCaL::Solver::phase (int lit)`: missing from the C interface of this version.
    #[link_name = "_ZN7CaDiCaL6Solver5phaseEi"]
    fn solver_phase(solver: *mut c_void, literal: c_int);
}

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
    handle: NonNull<c_void>,
    /// The C++ object behind the handle.
    solver: NonNull<c_void>,
}

impl Cadical {
    /// A solver without clauses, tuned for many small incremental calls.
    pub fn new() -> Self {
        // SAFETY: no precondition; the result is checked.
        let handle = NonNull::new(unsafe { ccadical_init() }).expect("CaDiCaL is out of memory");
        // SAFETY: the handle points at `struct Wrapper : Learner, Terminator { Solver *solver; … }` of the pinned version:
        // two bases that consist of a pointer to virtual functions each, then the pointer read here.
        let solver = unsafe { handle.cast::<*mut c_void>().add(2).read() };
        let mut this = Self { handle, solver: NonNull::new(solver).expect("the handle holds a solver") };
        // "Lucky" assignments ignore the preferred values.
        this.set_option(c"lucky", 0);
        this
    }

    /// Sets an option of CaDiCaL. Must precede the first clause.
    fn set_option(&mut self, name: &CStr, value: i32) {
        // SAFETY: the handle is live; the name is a C string; unknown names are ignored by CaDiCaL.
        unsafe { ccadical_set_option(self.handle.as_ptr(), name.as_ptr(), value) }
    }

    /// Adds a clause.
    pub fn clause(&mut self, literals: &[i32]) {
        for &literal in literals.iter().chain(&[0]) {
            // SAFETY: the handle is live; zero only ends the clause.
            unsafe { ccadical_add(self.handle.as_ptr(), literal) }
        }
    }

    /// Assumes a literal for the next call of `solve`.
    pub fn assume(&mut self, literal: i32) {
        // SAFETY: the handle is live; the literal is not zero by the type's contract.
        unsafe { ccadical_assume(self.handle.as_ptr(), literal) }
    }

    /// Makes the solver try this literal's value first whenever it decides on its variable.
    pub fn prefer(&mut self, literal: i32) {
        // SAFETY: `solver` is the live C++ object of the handle; a non-virtual member function takes it as first argument.
        unsafe { solver_phase(self.solver.as_ptr(), literal) }
    }

    /// Solves under the assumptions made since the last call, with at most `conflicts` conflicts, until `stop` says so.
    pub fn solve(&mut self, conflicts: u32, stop: &mut dyn FnMut() -> bool) -> SatAnswer {
        let limit = c_int::try_from(conflicts).unwrap_or(c_int::MAX);
        let mut stop = stop;
        // SAFETY: the handle is live; the call-back's state is a local that outlives the call of `ccadical_solve`, and the
        // call-back is taken back before it goes.
        let code = unsafe {
            ccadical_limit(self.handle.as_ptr(), c"conflicts".as_ptr(), limit);
            ccadical_set_terminate(self.handle.as_ptr(), (&raw mut stop).cast(), Some(call_stop));
            let code = ccadical_solve(self.handle.as_ptr());
            ccadical_set_terminate(self.handle.as_ptr(), std::ptr::null_mut(), None);
            code
        };
        match code {
            10 => SatAnswer::Sat,
            20 => SatAnswer::Unsat,
            _ => SatAnswer::Stopped,
        }
    }

    /// The value of a variable in the model. Only after `Sat`.
    pub fn value(&self, variable: i32) -> bool {
        // SAFETY: the handle is live and, by contract, in the satisfied state.
        unsafe { ccadical_val(self.handle.as_ptr(), variable) > 0 }
    }

    /// Whether an assumed literal was needed for the contradiction. Only after `Unsat`.
    pub fn failed(&self, literal: i32) -> bool {
        // SAFETY: the handle is live and, by contract, in the unsatisfied state.
        unsafe { ccadical_failed(self.handle.as_ptr(), literal) != 0 }
    }
}

unsafe extern "C" fn call_stop(state: *mut c_void) -> c_int {
    // SAFETY: `state` is the `&mut dyn FnMut` that `Cadical::solve` holds for the length of the call.
    let stop = unsafe { &mut *state.cast::<&mut dyn FnMut() -> bool>() };
    c_int::from(stop())
}

impl Drop for Cadical {
    fn drop(&mut self) {
        // SAFETY: the handle is live and not used afterwards.
        unsafe { ccadical_release(self.handle.as_ptr()) }
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
        assert_eq!(sat.solve(100, &mut || false), SatAnswer::Unsat);
        assert!(sat.failed(-1) && sat.failed(-2) && !sat.failed(3));
        sat.assume(-1);
        assert_eq!(sat.solve(100, &mut || false), SatAnswer::Sat);
        assert!(sat.value(2));
    }

    /// Also pins the layout that `Cadical::new` relies on.
    #[test]
    fn preferred_values_are_taken_where_free() {
        for sign in [1, -1] {
            let mut sat = Cadical::new();
            for v in 1..=40 {
                sat.clause(&[v, v + 40]);
                sat.prefer(v * sign);
                sat.prefer((v + 40) * -sign);
            }
            assert_eq!(sat.solve(100, &mut || false), SatAnswer::Sat);
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
        assert_eq!(sat.solve(50, &mut || false), SatAnswer::Stopped);
    }
}
