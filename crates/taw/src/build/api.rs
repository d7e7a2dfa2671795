//! Functions of a library as a caller in C sees them: what they take, what they make, what they take away.
//!
//! Boundary: types of the debug information and names; no text is written here. What a careful caller cannot pass makes a function one that is left
//! out, with the reason.

use taw_engine::is_stream;
use taw_ir::{Passing, Program, Type, TypeId};

use super::defined;
use super::status::{Success, success};

/// The longest list of names of an enumeration that is tried.
const NAMES: usize = 200;
/// The most functions: which is called is chosen by a byte.
const FUNCTIONS: usize = 250;
/// The most objects that one call makes of a class: all places are numbered by a byte.
const MADE_AT_ONCE: usize = 8;

/// Words in the names of functions that make something of an object that nobody has used yet.
const MAKERS: [&str; 6] = ["create", "new", "setup", "open", "make", "construct"];
/// The word in the names of those after which there is no other, if a type has one.
const INITIALISERS: [&str; 2] = ["init", "ctor"];
/// Words in the names of functions after which an object is not used.
const ENDERS: [&str; 19] = [
    "free", "destroy", "delete", "deinit", "uninit", "fini", "close", "release", "dispose", "cleanup", "drop",
    "terminat", "shutdown", "unref", "kill", "dtor", "final", "done", "discard",
];
/// Words in the names of parameters that say how much there is of something.
const LENGTHS: [&str; 6] = ["len", "size", "count", "num", "cap", "max"];

/// What is passed for a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Passed {
    /// Any number, by the function that makes one.
    Number { maker: &'static str, is_wide_integer: bool },
    /// A name of an enumeration.
    Named(Vec<(String, i64)>),
    /// Characters with a zero byte behind them.
    Text { read_only: bool },
    /// Numbers in a row: their type and size.
    Data { of: String, bytes: u64 },
    /// A pointer to an object.
    Object { class: usize, read_only: bool },
    /// An object as it is.
    Value { class: usize },
    /// Where a pointer to an object is, or will be.
    Place { class: usize },
}

/// What a number may be the length of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LengthOf {
    /// Of a text or of numbers in a row.
    Row,
    /// Of pointers in a row, of which there is one.
    Place,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ApiParameter {
    pub name: String,
    pub passed: Passed,
    /// If it may say how long another is: it says no more than there is.
    pub length: Option<LengthOf>,
}

/// What a function gives back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GivenBack {
    /// Nothing that calls are made with.
    Nothing,
    /// A pointer to an object.
    Object(usize),
    /// An object.
    Value(usize),
}

/// What a function is called for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// To make something.
    Building,
    /// It is where findings are looked for: a pointer that is null is the caller's fault, unless it is clear that the function makes it.
    Entry,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ApiFunction {
    pub name: String,
    pub params: Vec<ApiParameter>,
    pub gives: GivenBack,
    /// When what it makes may be used.
    pub success: Success,
    /// The parameter that may be an object which nobody has used yet.
    pub initialises: Option<usize>,
    /// Whether its name says that it makes something.
    pub is_maker: bool,
    /// Whether it may be given a place where there is nothing yet.
    pub fills: bool,
    /// Whether objects that it was given are not used afterwards.
    pub ends: bool,
    /// Whether it is in the file of its callers.
    pub here: bool,
}

/// A type of objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ApiClass {
    /// As C writes it.
    pub spelled: String,
    /// Its size, if callers know it.
    pub bytes: Option<u64>,
}

/// What a caller can use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Api {
    pub classes: Vec<ApiClass>,
    pub functions: Vec<ApiFunction>,
    /// Functions that cannot be called, with the reason.
    pub left_out: Vec<(String, String)>,
}

impl ApiFunction {
    /// What it may make: the classes of objects, in the order in which they get their places.
    pub(super) fn makes(&self) -> Vec<usize> {
        let given = match self.gives {
            GivenBack::Nothing => None,
            GivenBack::Object(class) | GivenBack::Value(class) => Some(class),
        };
        let fresh = self.initialises.map(|at| match self.params[at].passed {
            Passed::Object { class, .. } => class,
            _ => unreachable!("only objects are initialised"),
        });
        let places = self.params.iter().filter_map(|param| match param.passed {
            Passed::Place { class } if self.fills => Some(class),
            _ => None,
        });
        given.into_iter().chain(fresh).chain(places).collect()
    }

    /// The classes of which it needs an object that was made before.
    fn needs(&self) -> impl Iterator<Item = usize> + '_ {
        let needed = |(at, param): (usize, &ApiParameter)| match param.passed {
            Passed::Object { class, .. } if self.initialises != Some(at) => Some(class),
            Passed::Value { class } => Some(class),
            Passed::Place { class } if !self.fills => Some(class),
            _ => None,
        };
        self.params.iter().enumerate().filter_map(needed)
    }
}

impl Api {
    /// Adds a function, or why it cannot be called.
    pub(super) fn add(&mut self, program: &Program, name: &str, here: bool, role: Role) {
        match self.function(program, name, here, role) {
            Ok(function) => match judged(&function) {
                None => self.functions.push(function),
                Some(why) => self.left_out.push((function.name, why)),
            },
            Err(why) => self.left_out.push((name.to_owned(), why)),
        }
    }

    /// A function as it is called.
    pub(super) fn function(
        &mut self,
        program: &Program,
        name: &str,
        here: bool,
        role: Role,
    ) -> Result<ApiFunction, String> {
        let function = defined(program, name).ok_or("it is not defined")?;
        let source = function.source.map(|source| &program.types.all[program.types.plain(source)]);
        let Some(Type::Function { returns, params, variadic }) = source else {
            return Err("it has no debug information".to_owned());
        };
        if *variadic {
            return Err("it takes any number of arguments".to_owned());
        }
        let arguments = function.arguments(&program.types, &program.layout);
        let firsts = arguments.iter().map(|argument| &function.params[argument.params.start]);
        let firsts: Vec<_> = firsts.filter(|param| param.passing != Passing::Result).collect();
        if firsts.len() != params.len() {
            return Err("the compiler has changed its parameters".to_owned());
        }
        let mut list = Vec::new();
        for (number, (&ty, param)) in params.iter().zip(&firsts).enumerate() {
            let passed = self.passed(program, ty, param.read_only)?;
            if !here && matches!(passed, Passed::Value { .. }) {
                return Err("it takes a structure and is in another file".to_owned());
            }
            let name = if param.name.is_empty() { format!("arg{number}") } else { param.name.clone() };
            list.push(ApiParameter { name, passed, length: None });
        }
        mark_lengths(&mut list);
        let gives = self.given(program, *returns);
        if !here && matches!(gives, GivenBack::Value(_)) {
            return Err("it gives back a structure and is in another file".to_owned());
        }
        let ends = has_word(name, &ENDERS);
        let is_maker = !ends && (has_word(name, &INITIALISERS) || has_word(name, &MAKERS));
        let is_new = |param: &ApiParameter| match param.passed {
            Passed::Object { class, read_only } => !read_only && self.classes[class].bytes.is_some(),
            _ => false,
        };
        let first = list.iter().position(|param| matches!(param.passed, Passed::Object { .. }));
        let first = first.filter(|first| is_new(&list[*first]));
        let initialised = first.filter(|_| is_maker);
        let returned = &program.types.all[program.types.plain(*returns)];
        let is_same = |at: usize| matches!((&list[at].passed, gives), (Passed::Object { class, .. }, GivenBack::Object(own)) if *class == own);
        // A pointer to something else may be a message.
        let tells = !matches!(returned, Type::Pointer { .. }) || initialised.is_some_and(is_same);
        Ok(ApiFunction {
            name: name.to_owned(),
            initialises: initialised,
            is_maker,
            fills: is_maker || !ends && role == Role::Building,
            params: list,
            gives,
            success: if tells { success(function, returned) } else { Success::Unclear },
            ends,
            here,
        })
    }

    fn passed(&mut self, program: &Program, ty: TypeId, read_only: bool) -> Result<Passed, String> {
        let types = &program.types;
        let cannot = || Err(format!("it takes a `{}`", types.spelled(ty)));
        match &types.all[types.plain(ty)] {
            Type::Enum { enumerators, .. } if (1..=NAMES).contains(&enumerators.len()) => {
                Ok(Passed::Named(enumerators.clone()))
            }
            number @ (Type::Integer { .. } | Type::Float { .. } | Type::Enum { .. }) => match maker(number) {
                Some((maker, is_wide_integer)) => Ok(Passed::Number { maker, is_wide_integer }),
                None => cannot(),
            },
            Type::Record(_) => Ok(Passed::Value { class: self.class(program, ty)? }),
            Type::Pointer { to } => match &types.all[types.plain(*to)] {
                Type::Integer { name, .. } if name == "char" => Ok(Passed::Text { read_only }),
                Type::Void => Ok(Passed::Data { of: "char".to_owned(), bytes: 1 }),
                Type::Integer { bits, .. } | Type::Float { bits, .. } => {
                    Ok(Passed::Data { of: types.spelled(types.plain(*to)), bytes: bits.div_ceil(8) })
                }
                Type::Record(_) => Ok(Passed::Object { class: self.class(program, *to)?, read_only }),
                Type::Pointer { to: inner } if !read_only => match &types.all[types.plain(*inner)] {
                    Type::Record(_) => Ok(Passed::Place { class: self.class(program, *inner)? }),
                    _ => cannot(),
                },
                _ => cannot(),
            },
            _ => cannot(),
        }
    }

    fn given(&mut self, program: &Program, ty: TypeId) -> GivenBack {
        let types = &program.types;
        let class = match &types.all[types.plain(ty)] {
            Type::Record(_) => self.class(program, ty).map(GivenBack::Value),
            Type::Pointer { to } => self.class(program, *to).map(GivenBack::Object),
            _ => return GivenBack::Nothing,
        };
        class.unwrap_or(GivenBack::Nothing)
    }

    /// The number of a structure or union: in C it is known by its tag, or else by another name.
    fn class(&mut self, program: &Program, mut ty: TypeId) -> Result<usize, String> {
        let types = &program.types;
        let mut spelled = types.spelled(ty);
        while let Type::Typedef { of, .. } = types.all[ty] {
            ty = of;
            if !matches!(&types.all[ty], Type::Record(record) if record.name.is_empty()) {
                spelled = types.spelled(ty);
            }
        }
        match &types.all[ty] {
            Type::Record(record) if is_stream(&types.all[ty]) => Err(format!("it takes a stream (`{}`)", record.name)),
            Type::Record(_) if spelled.contains('(') => Err("it takes a type without a name".to_owned()),
            Type::Record(_) => {
                let bytes = types.bytes(ty, &program.layout);
                let known = self.classes.iter().position(|class| class.spelled == spelled);
                let class = known.unwrap_or(self.classes.len());
                if known.is_none() {
                    self.classes.push(ApiClass { spelled, bytes });
                }
                self.classes[class].bytes = self.classes[class].bytes.or(bytes);
                Ok(class)
            }
            _ => Err("it takes no structure".to_owned()),
        }
    }

    /// Where a type has functions that are called after initialising, nothing else is given an object that nobody has used.
    fn initialise_first(&mut self) {
        let class = |f: &ApiFunction| match f.params[f.initialises?].passed {
            Passed::Object { class, .. } => Some(class),
            _ => None,
        };
        let is_first = |f: &&ApiFunction| has_word(&f.name, &INITIALISERS);
        let initialised: Vec<usize> = self.functions.iter().filter(is_first).filter_map(class).collect();
        for function in &mut self.functions {
            if !is_first(&&*function) && class(function).is_some_and(|class| initialised.contains(&class)) {
                function.initialises = None;
            }
        }
        let is_raw = |f: &ApiFunction| {
            has_word(&f.name, &["alloc"]) && f.makes().iter().any(|class| initialised.contains(class)) && !is_first(&f)
        };
        let (raw, kept) = std::mem::take(&mut self.functions).into_iter().partition(is_raw);
        self.functions = kept;
        let gone = |f: ApiFunction| (f.name, "what it makes must be initialised".to_owned());
        self.left_out.extend(Vec::into_iter(raw).map(gone));
    }

    /// Leaves out what can never be called, because nothing makes what it needs.
    pub(super) fn keep_what_can_be_called(&mut self) {
        self.initialise_first();
        let many = self.functions.split_off(self.functions.len().min(FUNCTIONS));
        self.left_out.extend(many.into_iter().map(|f| (f.name, format!("there are {FUNCTIONS} others"))));
        let mut made = vec![false; self.classes.len()];
        loop {
            let callable = |function: &&ApiFunction| function.needs().all(|class| made[class]);
            let more: Vec<usize> = self.functions.iter().filter(callable).flat_map(ApiFunction::makes).collect();
            if more.iter().all(|class| made[*class]) {
                break;
            }
            more.into_iter().for_each(|class| made[class] = true);
        }
        let (kept, gone) = std::mem::take(&mut self.functions).into_iter().partition(|f| f.needs().all(|c| made[c]));
        self.functions = kept;
        for function in gone {
            let why = self.lack(&function).unwrap_or_default();
            self.left_out.push((function.name, why));
        }
    }

    /// Why a function cannot be called: what nothing makes.
    pub(super) fn lack(&self, function: &ApiFunction) -> Option<String> {
        let made: Vec<usize> = self.functions.iter().flat_map(ApiFunction::makes).collect();
        let lacking = function.needs().find(|class| !made.contains(class));
        lacking.map(|class| format!("nothing makes a `{}`", self.classes[class].spelled))
    }

    /// How many objects of each class a call makes, at most.
    pub(super) fn makes_at_most(&self) -> Vec<usize> {
        let count = |class| move |f: &ApiFunction| f.makes().iter().filter(|made| **made == class).count();
        (0..self.classes.len()).map(|class| self.functions.iter().map(count(class)).max().unwrap_or(0)).collect()
    }
}

/// Why a function is none that a careful caller can build with.
fn judged(function: &ApiFunction) -> Option<String> {
    if function.makes().len() > MADE_AT_ONCE {
        return Some(format!("it makes more than {MADE_AT_ONCE} objects at once"));
    }
    let unclear = function.initialises.is_some() && function.success == Success::Unclear;
    unclear.then(|| "which of its results means success is not known".to_owned())
}

/// The function of `taw.h` that makes a number, and whether it is an integer of more than eight bits.
fn maker(number: &Type) -> Option<(&'static str, bool)> {
    let (signed, bits) = match number {
        Type::Float { bits: 32, .. } => return Some(("taw_float", false)),
        Type::Float { bits: 64, .. } => return Some(("taw_double", false)),
        Type::Float { bits: 80 | 96 | 128, name } if name == "long double" => return Some(("taw_long_double", false)),
        Type::Integer { name, .. } if name == "_Bool" || name == "bool" => return Some(("taw_bool", false)),
        Type::Integer { signed, bits, .. } | Type::Enum { signed, bits, .. } => (*signed, *bits),
        _ => return None,
    };
    Some(match (signed, bits) {
        (true, 8) => ("taw_i8", false),
        (false, 8) => ("taw_u8", false),
        (true, 16) => ("taw_i16", true),
        (false, 16) => ("taw_u16", true),
        (true, 32) => ("taw_i32", true),
        (false, 32) => ("taw_u32", true),
        (true, 64) => ("taw_i64", true),
        (false, 64) => ("taw_u64", true),
        _ => return None,
    })
}

/// A number behind a row may be its length, wherever it stands if its name says so; one with such a name right behind a place may be the number of places.
fn mark_lengths(params: &mut [ApiParameter]) {
    let is_row = |passed: &Passed| matches!(passed, Passed::Text { .. } | Passed::Data { .. });
    let any = params.iter().any(|param| is_row(&param.passed));
    let (mut behind_row, mut behind_place) = (false, false);
    for param in params {
        let named = param.name == "n" || has_word(&param.name, &LENGTHS);
        param.length = match param.passed {
            Passed::Number { is_wide_integer: true, .. } if behind_place && named => Some(LengthOf::Place),
            Passed::Number { is_wide_integer: true, .. } if behind_row || any && named => Some(LengthOf::Row),
            _ => None,
        };
        behind_row |= is_row(&param.passed);
        behind_place = matches!(param.passed, Passed::Place { .. });
    }
}

fn has_word(name: &str, words: &[&str]) -> bool {
    let name = name.to_lowercase();
    words.iter().any(|word| name.contains(word))
}
