//! SMT-LIB 2 scripts as terms: QF_BV, QF_FP, QF_BVFP, QF_ABV, and what this crate prints itself.
//!
//! Truth values are terms of width 1, floats their bits. Where the theory of floats has one NaN and terms have many patterns,
//! equality is that of the theory. Free arrays are read through fresh inputs that are equal where the indices are (W. Ackermann,
//! 1954). What the theory leaves open (conversions out of range, `fp.min` of zeros) is as evaluation has it.
//!
//! Boundary: one question per script. What is not understood is an error with its place, and never guessed.

mod array;
mod bits;
mod float;
mod sexpr;
mod term;

use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::arena::Terms;
use crate::assign::Assignment;
use crate::bits::Bits;
use crate::eval::Evaluator;
use crate::node::{FloatFormat, FunctionInfo, Term};

use array::ArrayValue;
pub use sexpr::TextPosition;
use sexpr::{Form, Sexpr};

/// What a script asks.
#[derive(Debug)]
pub struct Script {
    /// The assertions: truth values, all of which shall hold.
    pub assertions: Vec<Term>,
    /// The constants that the script declares, in order.
    pub declared: Vec<Declared>,
    /// What `(set-info :status …)` says.
    pub status: Option<String>,
    /// Whether it asks for a model.
    pub wants_model: bool,
}

/// A declared constant.
#[derive(Debug)]
pub struct Declared {
    /// Its name, as it is written in SMT-LIB.
    pub name: String,
    /// Its sort.
    sort: Sort,
    /// What stands for it.
    value: ScriptValue,
    /// Of an array, what is read of it: index and element.
    reads: Vec<(Term, Term)>,
}

impl Declared {
    /// `(define-fun name () sort value)` under an assignment, as `get-model` answers; `None` for rounding modes.
    pub fn definition(&self, terms: &Terms, assignment: &Assignment) -> Option<String> {
        let mut evaluator = Evaluator::new(assignment.clone());
        let value = match self.value {
            ScriptValue::Truth(t) => if evaluator.holds(terms, t) { "true" } else { "false" }.to_owned(),
            ScriptValue::Bits(t) => super::literal(&evaluator.eval(terms, t)),
            ScriptValue::Float(format, t) => float::literal(format, &evaluator.eval(terms, t)),
            ScriptValue::Array(_) => self.array(terms, &mut evaluator),
            ScriptValue::Mode(_) => return None,
        };
        Some(format!("(define-fun {} () {} {value})", self.name, self.sort))
    }
}

/// Why a script cannot be read. `Display` says where and what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptError {
    /// The place in the script at which reading stopped.
    pub place: TextPosition,
    /// What is wrong, or not understood.
    pub what: String,
    /// Whether the script may be right and only Taw does not understand it.
    pub is_unsupported: bool,
}

impl ScriptError {
    fn wrong(place: TextPosition, what: impl Into<String>) -> Self {
        Self { place, what: what.into(), is_unsupported: false }
    }

    fn unsupported(place: TextPosition, what: impl fmt::Display) -> Self {
        Self { place, what: format!("{what} is not supported"), is_unsupported: true }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.place.line, self.place.column, self.what)
    }
}

impl std::error::Error for ScriptError {}

/// A sort.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sort {
    Bool,
    Bits(u32),
    Float(FloatFormat),
    /// Widths of index and element.
    Array(u32, u32),
    Mode,
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float(format) => {
                let (exponent, significand) = super::float::sort(*format);
                write!(f, "(_ FloatingPoint {exponent} {significand})")
            }
            Sort::Array(index, element) => write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))"),
            Sort::Mode => write!(f, "RoundingMode"),
        }
    }
}

/// What a term of the script stands for.
#[derive(Clone, PartialEq, Debug)]
enum ScriptValue {
    Truth(Term),
    Bits(Term),
    Float(FloatFormat, Term),
    Array(ArrayValue),
    Mode(Mode),
}

/// A rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    NearestEven,
    NearestAway,
    Up,
    Down,
    Zero,
}

/// A defined function with parameters, expanded where it is used.
struct Macro {
    parameters: Vec<(String, Sort)>,
    body: Sexpr,
    /// How many there were before it: its body can name those only.
    before: usize,
}

/// The widest bit vector that is read: a script may name any width, and some operators take the square of it.
const WIDEST: u32 = 1 << 16;

/// The most terms that the definitions of a script may expand to: each may use the one before it twice.
const MOST_EXPANDED: usize = 1 << 20;

/// Reads `text` into `terms`. `functions` gives the opaque functions that scripts of [`Terms::smtlib`] name.
///
/// # Errors
/// If the text is no script, or says what is not supported.
pub fn read(
    terms: &mut Terms,
    text: &str,
    functions: &dyn Fn(&str) -> Option<FunctionInfo>,
) -> Result<Script, ScriptError> {
    let mut reader = Reader {
        terms,
        functions,
        values: FxHashMap::default(),
        macros: FxHashMap::default(),
        natives: FxHashMap::default(),
        sorts: FxHashMap::default(),
        arrays: Vec::new(),
        indices: Vec::new(),
        equalities: Vec::new(),
        script: Script { assertions: Vec::new(), declared: Vec::new(), status: None, wants_model: false },
        asked: false,
        visible: usize::MAX,
        expanded: 0,
        selected: FxHashMap::default(),
    };
    for command in sexpr::read(text)? {
        if !reader.command(&command)? {
            break;
        }
    }
    reader.relate_arrays();
    reader.relate_array_reads();
    Ok(reader.script)
}

struct Reader<'a> {
    terms: &'a mut Terms,
    functions: &'a dyn Fn(&str) -> Option<FunctionInfo>,
    values: FxHashMap<String, ScriptValue>,
    /// By name, oldest first: a body keeps to those that were there before it.
    macros: FxHashMap<String, Vec<Rc<Macro>>>,
    /// Opaque functions by the name they have in the script, with the widths of arguments and result.
    natives: FxHashMap<String, (crate::node::OpaqueFunction, Vec<u32>, u32)>,
    sorts: FxHashMap<String, Sort>,
    /// Reads of free arrays.
    arrays: Vec<array::Free>,
    /// Terms at which arrays are read and written.
    indices: Vec<Term>,
    equalities: Vec<array::Equality>,
    script: Script,
    /// Whether `check-sat` was met.
    asked: bool,
    /// How many definitions can be named here; in no definition, all.
    visible: usize,
    /// How many terms of definitions were read, each time that they are used.
    expanded: usize,
    /// Elements that were read of arrays; the array is kept, so that its address stays its own.
    selected: FxHashMap<(*const array::ArrayContent, Term), (ArrayValue, Term)>,
}

impl Reader<'_> {
    /// Whether the script goes on.
    fn command(&mut self, command: &Sexpr) -> Result<bool, ScriptError> {
        let place = command.place;
        let Some([head, rest @ ..]) = command.list() else {
            return Err(ScriptError::wrong(
                place,
                "a command is needed here: (assert …), (declare-const …), (check-sat)",
            ));
        };
        let name = head.atom().unwrap_or_default();
        if self.asked && !matches!(name, "get-model" | "get-value" | "exit" | "get-info" | "echo") {
            return Err(ScriptError::unsupported(place, format!("`{name}` after (check-sat)")));
        }
        match (name, rest) {
            ("set-info", [key, value]) if key.is(":status") => self.script.status = value.atom().map(str::to_owned),
            ("set-logic" | "set-info" | "set-option" | "get-value" | "get-info" | "echo", _) => {}
            ("declare-const", [name, sort]) => self.declare(name, &[], sort)?,
            ("declare-fun", [name, parameters, sort]) => {
                self.declare(name, parameters.list().unwrap_or_default(), sort)?;
            }
            ("define-fun" | "define-const", [name, definition @ ..]) => self.define(place, name, definition)?,
            ("define-sort", [name, parameters, sort]) if parameters.list() == Some(&[]) => {
                let sort = self.sort(sort)?;
                self.sorts.insert(symbol(name)?, sort);
            }
            ("assert", [t]) => {
                let t = self.truth(t)?;
                self.script.assertions.push(t);
            }
            ("check-sat", []) => self.asked = true,
            ("get-model", []) => self.script.wants_model = true,
            ("exit", []) => return Ok(false),
            ("assert" | "declare-const" | "declare-fun" | "check-sat" | "define-fun", _) => {
                return Err(ScriptError::wrong(place, format!("`{name}` has the wrong number of arguments")));
            }
            _ => return Err(ScriptError::unsupported(place, format!("the command `{name}`"))),
        }
        Ok(true)
    }

    fn declare(&mut self, name: &Sexpr, parameters: &[Sexpr], sort: &Sexpr) -> Result<(), ScriptError> {
        let (place, written) = (name.place, symbol(name)?);
        let sort = self.sort(sort)?;
        if !parameters.is_empty() {
            return self.declare_function(place, &written, parameters, &sort);
        }
        let value = self.fresh(&written, &sort, place)?;
        self.script.declared.push(Declared {
            name: super::quoted(&written),
            sort,
            value: value.clone(),
            reads: Vec::new(),
        });
        self.values.insert(written, value);
        Ok(())
    }

    /// A function that is evaluated natively, as [`Terms::smtlib`] declares it: `?f!sin!64!64`.
    fn declare_function(
        &mut self,
        place: TextPosition,
        name: &str,
        parameters: &[Sexpr],
        result: &Sort,
    ) -> Result<(), ScriptError> {
        let widths = parameters.iter().map(|p| self.sort(p)).collect::<Result<Vec<_>, _>>()?;
        let width_of = |sort: &Sort| if let Sort::Bits(width) = sort { Some(*width) } else { None };
        let widths: Option<Vec<u32>> = widths.iter().map(width_of).collect();
        let own = name.strip_prefix("?f!").and_then(|rest| rest.split('!').next());
        let info = own.and_then(|own| (self.functions)(own));
        match (info, widths, width_of(result)) {
            (Some(info), Some(widths), Some(width)) => {
                let function = self.terms.function(info);
                self.natives.insert(name.to_owned(), (function, widths, width));
                Ok(())
            }
            _ => Err(ScriptError::unsupported(place, format!("the uninterpreted function `{name}`"))),
        }
    }

    /// A value of which nothing is known.
    fn fresh(&mut self, name: &str, sort: &Sort, place: TextPosition) -> Result<ScriptValue, ScriptError> {
        Ok(match *sort {
            Sort::Bool => ScriptValue::Truth(self.input(name, 1)),
            Sort::Bits(width) => ScriptValue::Bits(self.input(name, width)),
            Sort::Float(format) => ScriptValue::Float(format, self.input(name, format.width())),
            Sort::Array(index, element) => ScriptValue::Array(self.free_array(name, index, element)),
            Sort::Mode => return Err(ScriptError::unsupported(place, "an unknown rounding mode")),
        })
    }

    /// Inputs of together `width` bits.
    fn input(&mut self, name: &str, width: u32) -> Term {
        let mut whole: Option<Term> = None;
        let mut done = 0;
        while done < width {
            let part = (width - done).min(64);
            let name = if part == width { name.to_owned() } else { format!("{name}!{done}") };
            let v = self.terms.new_var(&name, part);
            let t = self.terms.var(v);
            whole = Some(match whole {
                None => t,
                Some(low) => self.terms.concat(t, low),
            });
            done += part;
        }
        whole.expect("a sort has at least one bit")
    }

    fn define(&mut self, place: TextPosition, name: &Sexpr, definition: &[Sexpr]) -> Result<(), ScriptError> {
        let written = symbol(name)?;
        let (parameters, sort, body): (&[Sexpr], _, _) = match definition {
            [parameters, sort, body] if parameters.list().is_some() => {
                (parameters.list().unwrap_or_default(), sort, body)
            }
            [sort, body] => (&[], sort, body),
            _ => return Err(ScriptError::wrong(place, "a definition is (define-fun name (parameters) sort term)")),
        };
        let sort = self.sort(sort)?;
        if parameters.is_empty() {
            let value = self.term(body)?;
            self.check_sort(&value, &sort, body.place)?;
            self.values.insert(written, value);
            return Ok(());
        }
        let mut read = Vec::new();
        for parameter in parameters {
            let Some([name, sort]) = parameter.list() else {
                return Err(ScriptError::wrong(parameter.place, "a parameter is (name sort)"));
            };
            read.push((symbol(name)?, self.sort(sort)?));
        }
        let before = self.macros.values().map(Vec::len).sum();
        let definition = Rc::new(Macro { parameters: read, body: body.clone(), before });
        self.macros.entry(written).or_default().push(definition);
        Ok(())
    }

    fn sort(&self, sort: &Sexpr) -> Result<Sort, ScriptError> {
        let place = sort.place;
        if let Some(name) = sort.atom() {
            return match name {
                "Bool" => Ok(Sort::Bool),
                "Float16" => Ok(Sort::Float(FloatFormat::F16)),
                "Float32" => Ok(Sort::Float(FloatFormat::F32)),
                "Float64" => Ok(Sort::Float(FloatFormat::F64)),
                "Float128" => Ok(Sort::Float(FloatFormat::F128)),
                "RoundingMode" => Ok(Sort::Mode),
                _ => self
                    .sorts
                    .get(name)
                    .cloned()
                    .ok_or_else(|| ScriptError::unsupported(place, format!("the sort `{name}`"))),
            };
        }
        match sort.list() {
            Some([u, name, width]) if u.is("_") && name.is("BitVec") => match width.number()? {
                0 => Err(ScriptError::wrong(place, "a bit vector has at least one bit")),
                width => Ok(Sort::Bits(fitting(place, u64::from(width))?)),
            },
            Some([u, name, e, s]) if u.is("_") && name.is("FloatingPoint") => {
                float::format(e.number()?, s.number()?).map(Sort::Float).ok_or_else(|| {
                    ScriptError::unsupported(place, "a float format other than those of 16, 32, 64 and 128 bits")
                })
            }
            Some([name, index, element]) if name.is("Array") => match (self.sort(index)?, self.sort(element)?) {
                (Sort::Bits(index), Sort::Bits(element)) => Ok(Sort::Array(index, element)),
                _ => Err(ScriptError::unsupported(place, "an array of other than bit vectors")),
            },
            _ => Err(ScriptError::unsupported(place, "this sort")),
        }
    }

    fn check_sort(&self, value: &ScriptValue, sort: &Sort, place: TextPosition) -> Result<(), ScriptError> {
        let own = self.sort_of(value);
        match own == *sort {
            true => Ok(()),
            false => Err(ScriptError::wrong(place, format!("this is of sort {own}, but {sort} is needed"))),
        }
    }

    fn sort_of(&self, value: &ScriptValue) -> Sort {
        match value {
            ScriptValue::Truth(_) => Sort::Bool,
            ScriptValue::Bits(t) => Sort::Bits(self.terms.width(*t)),
            ScriptValue::Float(format, _) => Sort::Float(*format),
            ScriptValue::Array(array) => Sort::Array(array.index_width, array.element_width),
            ScriptValue::Mode(_) => Sort::Mode,
        }
    }
}

/// A width that is not too large.
fn fitting(place: TextPosition, width: u64) -> Result<u32, ScriptError> {
    match u32::try_from(width) {
        Ok(width) if width <= WIDEST => Ok(width),
        _ => Err(ScriptError::unsupported(place, format!("a bit vector of {width} bits (more than {WIDEST})"))),
    }
}

fn symbol(name: &Sexpr) -> Result<String, ScriptError> {
    match &name.form {
        Form::Atom(text) => Ok(text.clone()),
        _ => Err(ScriptError::wrong(name.place, "a name is needed here")),
    }
}

/// A literal bit vector: `#x0f`, `#b101`.
fn bits_literal(text: &str) -> Option<Bits> {
    let (digits, base, size) = match text.split_at_checked(2)? {
        ("#x", digits) => (digits, 16, 4),
        ("#b", digits) => (digits, 2, 1),
        _ => return None,
    };
    let mut words = vec![0u64; (digits.len() * size).div_ceil(64)];
    for (at, digit) in digits.chars().rev().enumerate() {
        let value = u64::from(digit.to_digit(base)?);
        words[at * size / 64] |= value << (at * size % 64);
    }
    (!digits.is_empty()).then(|| Bits::from_words((digits.len() * size) as u32, &words))
}
