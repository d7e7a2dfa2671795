//! What a finding of a start in the middle rests on: which of the caller's unknowns had to be what.
//!
//! The errors that paths meet are kept by kind and place. At the end, of each the path that asks least of the caller is taken, and its
//! conditions are made as few as the paths that are known to end there allow (`proof.rs`); what is left is told as [`CallerNeed`]s
//! (`needs.rs`). Boundary: values, no words; those are `report`'s. Invariant: where all needs of a [`Judgement`] hold, the error happens,
//! whatever else the caller passes. The definition, for users, is in `docs/soundness.md`.

mod c_text;
mod literals;
mod needs;
mod proof;

use std::rc::Rc;
use std::time::{Duration, Instant};

use taw_expr::{Assignment, Marks, Var};
use taw_ir::Origin;

use crate::cx::Engine;
use crate::finding::{Finding, FindingKind, StackEntry};
use crate::holds::HoldsTerms;
use crate::path::Path;
use crate::reason::Doubt;
use crate::state::{MadeInput, State};
use crate::trail::Trail;
use crate::unknown::Unknowns;

use literals::literals;

/// Paths that are kept of one error: more would prove little more, and cost.
const PATHS: usize = 48;
/// Errors that are judged; a run has few.
const ERRORS: usize = 256;
/// Time for all judgements of a run. It is a safety net: how much is proved is limited by counts.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a finding asks of the caller, the least first: the order in which findings are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CallerClass {
    /// Nothing: it happens whatever is passed.
    Always,
    /// Numbers, text, pointers to objects.
    Values,
    /// An array that is shorter than the function takes it to be.
    Lengths,
    /// Pointers into one object, or just past its end.
    Aliasing,
    /// A null pointer.
    Null,
}

/// One thing that a caller has to do for a finding. Pointers by their names in C.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CallerNeed {
    /// A pointer is null.
    Null {
        /// Which.
        pointer: String,
        /// Whether it is a parameter, and not one in an object.
        parameter: bool,
        /// Whether the program has compared it with null, and went on.
        tested: bool,
    },
    /// A pointer points at the object of another, so many elements into it if that matters and it is an array.
    Same {
        /// Which.
        pointer: String,
        /// The other.
        other: String,
        /// Whether both are parameters.
        parameters: bool,
        /// How many elements into it.
        at: Option<u64>,
    },
    /// A pointer is just past the end of another's object.
    Past {
        /// Which.
        pointer: String,
        /// The other.
        other: String,
        /// Whether both are parameters.
        parameters: bool,
    },
    /// A pointer points at something in an object, or at a global variable.
    Inside {
        /// Which.
        pointer: String,
        /// What, as C calls it.
        place: String,
        /// Whether it is just past the end of that.
        past: bool,
        /// Whether the pointer is a parameter, and the object is a parameter's or a variable.
        parameters: bool,
    },
    /// A pointer is something that is not tried; it was compared only.
    Elsewhere {
        /// Which.
        pointer: String,
    },
    /// An array has so many elements, and would have to have more.
    Short {
        /// The pointer to it.
        pointer: String,
        /// How many.
        count: u64,
        /// Whether these are bytes of whatever it is.
        bytes: bool,
    },
    /// A pointer is a function of the program, or a stream of the C library's.
    Known {
        /// Which pointer.
        pointer: String,
        /// What C calls the function or stream.
        symbol: String,
    },
    /// Text: what it is in the test.
    Text {
        /// The pointer to it.
        pointer: String,
        /// Its bytes, up to the last, which is zero.
        bytes: Vec<u8>,
    },
    /// A union holds something.
    Union {
        /// Which.
        union: String,
        /// The members that have it.
        members: Vec<String>,
    },
    /// A condition on numbers, as C.
    Holds(String),
    /// Conditions on these numbers that are too long to be told.
    DependsOn(Vec<String>),
    /// A pointer points at an object of its own: what everybody expects.
    Object {
        /// Which.
        pointer: String,
    },
    /// An array has that many elements, or more.
    Enough {
        /// The pointer to it.
        pointer: String,
        /// How many.
        count: u64,
    },
}

/// An array that is shorter than a number says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShortArray {
    /// The pointer to it.
    pub pointer: String,
    /// The pointer as an option names it: a parameter, or the member of a structure (`buf.data`).
    pub option: String,
    /// The number, in the same way.
    pub length: String,
}

/// What a finding rests on.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The finding, on the path that asks least of the caller.
    pub finding: Finding,
    /// What that path as a whole asks.
    pub of_path: CallerClass,
    /// What the error asks.
    pub class: CallerClass,
    /// In detail; empty only if nothing is asked.
    pub needs: Vec<CallerNeed>,
    /// An array that is too short for what a number says, and would be in no other way.
    pub pair: Option<ShortArray>,
    /// Whether parameters that are null or the same alone explain it.
    pub is_precondition: bool,
}

/// A path that met an error.
pub(crate) struct ErrorPath {
    finding: Finding,
    class: CallerClass,
    path: Path,
    witness: Rc<Assignment>,
    unknowns: Rc<Unknowns>,
    inputs: Trail<Rc<MadeInput>>,
}

/// The paths that met one error, the one that asks least first.
struct ErrorPaths {
    at: (FindingKind, Option<StackEntry>),
    paths: Vec<ErrorPath>,
}

/// The errors that paths have met which started in the middle.
#[derive(Default)]
pub(crate) struct ErrorsMet {
    errors: Vec<ErrorPaths>,
}

impl HoldsTerms for ErrorsMet {
    fn mark(&self, marks: &mut Marks) {
        for error in self.errors.iter().flat_map(|error| &error.paths) {
            let ErrorPath { finding: _, class: _, path, witness: _, unknowns: _, inputs: _ } = error;
            path.mark(marks);
        }
    }
}

impl ErrorPath {
    /// What the path says of an input.
    fn value(&self, var: Var) -> u64 {
        self.witness.value(var)
    }
}

impl Engine<'_> {
    /// Keeps the path of an error, and says what it asks of the caller; nothing of paths from `main`, which has no caller.
    pub(crate) fn note_error(&mut self, state: &State, finding: &Finding) -> Option<CallerClass> {
        if self.config.concrete || self.config.goals_alone || self.program.functions[state.start].name == "main" {
            return None;
        }
        let mut error = ErrorPath {
            finding: finding.clone(),
            class: CallerClass::Always,
            path: state.path.clone(),
            witness: state.witness.shared(),
            unknowns: Rc::clone(&state.unknowns),
            inputs: state.inputs.clone(),
        };
        let all = literals(&mut self.terms, &error.path);
        error.class = self.class_of_path(&error, &all);
        let class = error.class;
        self.keep_error(error);
        Some(class)
    }

    fn keep_error(&mut self, error: ErrorPath) {
        let users = |entry: &&StackEntry| self.program.functions[entry.function].origin == Origin::User;
        let stack = &error.finding.stack;
        let place = stack.iter().find(users).or(stack.first()).cloned();
        let at = (error.finding.kind, place);
        let errors = &mut self.errors_met.errors;
        let number = errors.iter().position(|known| known.at == at).unwrap_or(errors.len());
        if number == errors.len() {
            if number < ERRORS {
                errors.push(ErrorPaths { at, paths: vec![error] });
            }
            return;
        }
        let paths = &mut errors[number].paths;
        if error.class < paths[0].class {
            paths.insert(0, error);
            paths.truncate(PATHS);
        } else if paths.len() < PATHS {
            paths.push(error);
        }
    }

    /// What each error rests on that was met by a path from the middle, in the order in which they were met.
    pub fn judge(&mut self) -> Vec<Judgement> {
        let errors = std::mem::take(&mut self.errors_met.errors);
        // Who walks one path again knows of no other, and asks nothing.
        let is_walked = self.doubts.contains(&Doubt::OnlyRecorded);
        if errors.is_empty() || is_walked {
            return Vec::new();
        }
        self.solver.set_deadline(Instant::now().checked_add(PATIENCE));
        let is_followed = !self.doubts.iter().any(is_of_callers);
        let all = errors.into_iter().map(|error| self.judgement(&error.paths, is_followed)).collect();
        only_pairs_that_explain_all(all)
    }

    fn judgement(&mut self, paths: &[ErrorPath], is_followed: bool) -> Judgement {
        let best = &paths[0];
        let all = literals(&mut self.terms, &best.path);
        let needed = match is_followed {
            true => self.needed(paths, &all),
            // Other paths prove nothing then.
            false => self.without_repetition(best, &all),
        };
        let mut told = self.needs(best, &needed);
        if told.needs.is_empty() && !is_followed {
            (told.class, told.needs) = (CallerClass::Values, vec![CallerNeed::DependsOn(Vec::new())]);
        }
        told
    }
}

/// Leaves a pair out where the same array is also too short in another way: that the number is its length would not explain it.
fn only_pairs_that_explain_all(mut all: Vec<Judgement>) -> Vec<Judgement> {
    let shorts = |judgement: &Judgement| {
        let names = judgement.needs.iter().filter_map(|need| match need {
            CallerNeed::Short { pointer, .. } => Some((pointer.clone(), judgement.pair.clone())),
            _ => None,
        });
        names.collect::<Vec<_>>()
    };
    let known: Vec<(String, Option<ShortArray>)> = all.iter().flat_map(shorts).collect();
    for judgement in &mut all {
        let explains = |pair: &ShortArray| {
            known.iter().filter(|(name, _)| *name == pair.pointer).all(|(_, other)| other.as_ref() == Some(pair))
        };
        judgement.pair = judgement.pair.take().filter(explains);
    }
    all
}

/// Whether a doubt is of calls that were not followed, and not of the surroundings: then nothing can be said of every caller.
fn is_of_callers(doubt: &Doubt) -> bool {
    let is_of_others = matches!(doubt, Doubt::Unchecked(_) | Doubt::OnlyRecorded)
        || matches!(doubt, Doubt::HeapRefused(_) | Doubt::MappingRefused(_) | Doubt::CallRefused(_));
    !is_of_others
}
