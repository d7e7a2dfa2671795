//! Functions that the user declares pure (`--pure`): called natively, in another process.
//!
//! A call with unknown arguments is an opaque term, which evaluation asks the other process for (`worker`). Where a function
//! crashes, hangs or gives two results it has no value. So the term has one bit more, which says whether there is a value, and
//! that bit is a condition of the path. Hence no model rests on a value that nobody computed: a path whose witness has none
//! ends, with an error or the reason, and its other inputs go on. What may be concluded then is for [`OwnModel::doubt`]: once a
//! call has failed nothing is unreachable, because a call that failed here may come back elsewhere.
//!
//! Boundary: inputs on which a function crashes are not looked for. `errno` and floating-point exceptions are not modelled.

mod prototype;
mod source;
#[cfg(test)]
mod tests;
mod worker;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use taw_cage::{Cage, Job};
use taw_engine::{Cx, Doubt, FindingKind, ModelArgument, NativeFailure, NoResult, OwnModel, Stop, Unanswered, Value};
use taw_expr::{Bits, FloatFormat, FunctionInfo, NativeFunction, Outside, Term};

pub use prototype::{Prototype, Scalar};
use source::SLOT;
pub use source::worker_source;
use worker::Worker;

/// Results remembered: some 40 MB.
const MOST_KNOWN: usize = 1 << 18;

/// Models for functions, in the order of [`worker_source`]; `worker` is that program, built, to be started in `cage`.
///
/// # Errors
/// Why the program does not start.
pub fn pure_models(cage: Cage, worker: Job, functions: Vec<Prototype>) -> Result<Vec<Rc<dyn OwnModel>>, String> {
    let office = Office { worker: Worker::new(cage, worker)?, known: HashMap::new() };
    let office = Rc::new(RefCell::new(office));
    let model = |(number, prototype): (usize, Prototype)| {
        let function =
            Pure { prototype, number: number as u32, office: Rc::clone(&office), failures: RefCell::default() };
        Rc::new(PureModel(Rc::new(function))) as Rc<dyn OwnModel>
    };
    Ok(functions.into_iter().enumerate().map(model).collect())
}

type PureResult = Result<[u8; SLOT], NativeFailure>;

/// What all functions share: the process, and what it has answered.
#[derive(Debug)]
struct Office {
    worker: Worker,
    /// Answers by function and arguments.
    known: HashMap<(u32, Box<[u8]>), PureResult>,
}

impl Office {
    /// What is asked twice is computed once; but for calls that failed, not all is remembered for ever.
    fn ask(&mut self, number: u32, args: Vec<u8>) -> (PureResult, Asked) {
        let key = (number, args.into_boxed_slice());
        if let Some(answer) = self.known.get(&key) {
            return (answer.clone(), Asked::Before);
        }
        if self.known.len() >= MOST_KNOWN {
            self.known.retain(|_, answer| answer.is_err());
        }
        let answer = self.worker.call(number, &key.1);
        // What was not even tried may be tried later.
        if !matches!(answer, Err(NativeFailure::NotCalled | NativeFailure::System(_))) {
            self.known.insert(key, answer.clone());
        }
        (answer, Asked::Now)
    }
}

/// When a question was asked first.
#[derive(PartialEq)]
enum Asked {
    Before,
    Now,
}

/// A function in the other process.
#[derive(Debug)]
struct Pure {
    prototype: Prototype,
    number: u32,
    office: Rc<RefCell<Office>>,
    /// How many calls failed, and the first of them.
    failures: RefCell<(u32, Option<NoResult>)>,
}

impl Pure {
    fn ask(&self, args: &[Bits]) -> Result<Bits, NativeFailure> {
        let slots = args.iter().flat_map(|value| value.low_u128().to_le_bytes()).collect();
        let (answer, asked) = self.office.borrow_mut().ask(self.number, slots);
        if let Err(failed) = &answer
            && asked == Asked::Now
        {
            let mut failures = self.failures.borrow_mut();
            if failures.0 == 0 {
                failures.1 = Some(self.no_result(failed, args));
            }
            failures.0 += 1;
        }
        answer.map(|slot| Bits::from_u128(self.prototype.result.width(), u128::from_le_bytes(slot)))
    }

    fn no_result(&self, failed: &NativeFailure, args: &[Bits]) -> NoResult {
        let (function, arguments) = (self.prototype.name.clone(), self.prototype.show(args));
        NoResult { function, arguments, failure: failed.clone() }
    }
}

/// The function as terms have it: a bit that says whether there is a result, above the result (or zeros).
#[derive(Debug)]
struct Opaque(Rc<Pure>);

impl Outside for Opaque {
    fn call(&self, args: &[Bits]) -> Bits {
        match self.0.ask(args) {
            Ok(value) => Bits::new(1, 1).concat(&value),
            Err(_) => Bits::zero(1 + self.0.prototype.result.width()),
        }
    }

    fn parameter(&self, at: usize) -> Option<FloatFormat> {
        self.0.prototype.parameters.get(at)?.format()
    }
}

/// The function as the engine has it.
#[derive(Debug)]
struct PureModel(Rc<Pure>);

impl OwnModel for PureModel {
    fn name(&self) -> &str {
        &self.0.prototype.name
    }

    fn call(&self, cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
        let Prototype { name, parameters, result } = &self.0.prototype;
        let widths = || parameters.iter().map(|p| p.width());
        if !args.iter().map(|a| a.width).eq(widths()) {
            return Err(Stop::Unsupported(format!("a call of `{name}` with other types than it is declared with")));
        }
        // Concrete arguments leave nothing behind in the arena.
        if let Some(words) =
            args.iter().map(|a| Some(Bits::new(a.width, a.value.as_word()?))).collect::<Option<Vec<_>>>()
        {
            let value = self.0.ask(&words).map_err(|failed| self.stop(&failed, &words))?;
            return Ok(Value::of_bits(cx.terms(), &value));
        }
        let args: Vec<Term> = args.iter().map(|a| a.value.to_term(cx.terms(), a.width)).collect();
        let call = self.term(cx, &args);
        let defined = cx.terms().extract(call, result.width(), 1);
        let defined = cx.value(defined);
        let values: Vec<Bits> = args.iter().map(|&a| cx.state.witness.bits(&cx.engine.terms, a)).collect();
        if let Err(failed) = self.0.ask(&values) {
            // Other inputs may go on.
            cx.branch(defined);
            return Err(self.stop(&failed, &values));
        }
        cx.assume(defined)?;
        let value = cx.terms().extract(call, 0, result.width());
        Ok(cx.value(value))
    }

    fn doubt(&self) -> Option<Doubt> {
        let (count, first) = self.0.failures.borrow().clone();
        Some(Doubt::NoResults { count, first: first? })
    }
}

impl PureModel {
    fn term(&self, cx: &mut Cx<'_, '_>, args: &[Term]) -> Term {
        let Prototype { name, result, .. } = &self.0.prototype;
        let eval = NativeFunction::Outside(Rc::new(Opaque(Rc::clone(&self.0))));
        let function = cx.terms().function(FunctionInfo { name: name.clone(), eval });
        cx.terms().apply(function, args.into(), 1 + result.width())
    }

    fn stop(&self, failed: &NativeFailure, args: &[Bits]) -> Stop {
        let NoResult { function, arguments, failure } = self.0.no_result(failed, args);
        match failure {
            NativeFailure::Crashed(signal) => {
                Stop::Bug(FindingKind::NativeCrash, format!("`{function}` crashed (signal {signal}) on {arguments}"))
            }
            failure => Stop::Unknown(Unanswered::Call(NoResult { function, arguments, failure })),
        }
    }
}
