//! What an entry with pointers is called with, as a test stores it: objects with their bytes, and which pointers lead where.
//!
//! `objects` and `arguments` are what tools need; `c` is the same for people and compilers (`c/`). Invariant (`check`): whatever points, points
//! into an object of the list or just past it.

use serde::{Deserialize, Serialize};
use taw_engine::{GraphArgument, GraphGlobal, GraphObject, GraphPointer, ObjectGraph};
use taw_ir::{HeldUnion, Program};

use crate::c::CallText;
use crate::place::Places;
use crate::test_file::{from_hex, to_hex};

/// What an entry is called with.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CallRecord {
    /// Its parameters, in order.
    pub arguments: Vec<ArgumentRecord>,
    /// The objects that they lead to.
    pub objects: Vec<ObjectRecord>,
    /// Names of the inputs that the objects were made of: no call of the program asks for them.
    pub inputs: Vec<String>,
    /// The call as C, line by line.
    pub c: Vec<String>,
    /// Why a compiler could not take that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwritable: Option<String>,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ArgumentRecord {
    /// Its name; of a number, of its input.
    pub name: String,
    /// Whether it is a pointer.
    pub pointer: bool,
    /// Where it points; absent if it is null or a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<ObjectSpot>,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObjectRecord {
    /// How C calls a pointer to it.
    pub name: String,
    /// The type of its elements as C writes it, or empty.
    #[serde(rename = "type")]
    pub ty: String,
    /// How many elements it has.
    pub count: u64,
    /// Its bytes before the call in hexadecimal; zeros where nobody looked, and where pointers are.
    pub bytes: String,
    /// The pointers in it that are not null.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pointers: Vec<PointerRecord>,
    /// What its unions hold, where one that may hold a pointer was looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<UnionRecord>,
    /// Of a function or a stream, which has no bytes: its symbol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Set if it is a global variable of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub global: Option<GlobalRecord>,
}

/// A global variable, and what of it is set before the call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GlobalRecord {
    /// Its symbol.
    pub symbol: String,
    /// The file that defines it, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What is set of its bytes, as offsets and numbers of bytes; the rest stays as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<(u64, u64)>,
}

/// A union in an object, and what it holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnionRecord {
    /// Its offset in bytes.
    pub at: u64,
    /// The member that it holds; empty for bytes that several members may have.
    pub member: String,
}

/// A pointer in an object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PointerRecord {
    /// Its offset in bytes.
    pub at: u64,
    /// Where it points.
    pub to: ObjectSpot,
}

/// A place in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObjectSpot {
    /// The number of the object, from 0.
    pub object: usize,
    /// Bytes from its beginning.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub plus: u64,
}

/// A name, which may hold anything, in a file that is separated by blanks.
pub fn one_word(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    if word.is_empty() { "_".into() } else { word }
}

fn global_record(global: &GraphGlobal, program: &Program) -> GlobalRecord {
    let of = &program.globals[global.id];
    let file = of.loc.map(|loc| program.files[program.locs[loc].file].path.clone());
    GlobalRecord { symbol: of.name.clone(), file, set: global.set.clone() }
}

fn union_record(held: &HeldUnion, program: &Program) -> UnionRecord {
    let member = held.member.and_then(|member| program.types.members(held.of)?.get(member));
    UnionRecord { at: held.at, member: member.map(|member| member.name.clone()).unwrap_or_default() }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl From<GraphPointer> for ObjectSpot {
    fn from(pointer: GraphPointer) -> Self {
        ObjectSpot { object: pointer.object, plus: pointer.plus }
    }
}

impl CallRecord {
    /// The stored form of what `entry` was called with.
    pub(crate) fn new(graph: &ObjectGraph, written: CallText, places: &Places<'_>) -> Self {
        let argument = |argument: &GraphArgument| match argument {
            GraphArgument::Number(name) => ArgumentRecord { name: name.clone(), pointer: false, to: None },
            GraphArgument::Copy(of) => {
                ArgumentRecord { name: String::new(), pointer: true, to: Some(ObjectSpot::from(*of)) }
            }
            GraphArgument::Result => ArgumentRecord { name: String::new(), pointer: false, to: None },
            GraphArgument::Pointer(name, to) => {
                ArgumentRecord { name: name.clone(), pointer: true, to: to.map(ObjectSpot::from) }
            }
        };
        let object = |object: &GraphObject| ObjectRecord {
            name: object.name.clone(),
            ty: object.element.map(|ty| places.program().types.spelled(ty)).unwrap_or_default(),
            count: object.count,
            bytes: to_hex(&object.bytes),
            pointers: object
                .pointers
                .iter()
                .filter_map(|(at, to)| Some(PointerRecord { at: *at, to: ObjectSpot::from((*to)?) }))
                .collect(),
            holds: object.held.iter().map(|held| union_record(held, places.program())).collect(),
            code: object.code.clone(),
            global: object.global.as_ref().map(|global| global_record(global, places.program())),
        };
        CallRecord {
            arguments: graph.arguments.iter().map(argument).collect(),
            objects: graph.objects.iter().map(object).collect(),
            inputs: graph.inputs.clone(),
            c: written.before.into_iter().chain([written.call + ";"]).collect(),
            unwritable: written.unwritable,
        }
    }

    /// The call as C, if it has more to say than the inputs do.
    pub fn shown(&self) -> &[String] {
        if self.objects.is_empty() && !self.arguments.iter().any(|argument| argument.pointer) { &[] } else { &self.c }
    }

    /// Whether it can be built: what a hand or another tool may have got wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        let mut sizes = Vec::new();
        for object in &self.objects {
            let is_empty = object.code.is_some() || object.count == 0;
            let bytes = from_hex(&object.bytes).filter(|bytes| bytes.is_empty() == is_empty);
            let bytes = bytes.ok_or_else(|| format!("the bytes of object `{}` are not hexadecimal", object.name))?;
            sizes.push(bytes.len() as u64);
        }
        let inside = |to: &ObjectSpot| sizes.get(to.object).is_some_and(|size| to.plus <= *size);
        for object in &self.objects {
            let size = object.bytes.len() as u64 / 2;
            let fits = |pointer: &PointerRecord| pointer.at < size && inside(&pointer.to);
            let is_part = |(at, bytes): &(u64, u64)| at.checked_add(*bytes).is_some_and(|end| end <= size);
            if !object.global.iter().flat_map(|global| &global.set).all(is_part) {
                return Err(format!("more is set of `{}` than it has", object.name));
            }
            if !object.pointers.iter().all(fits) {
                return Err(format!("a pointer in object `{}` leads out of the test's objects", object.name));
            }
        }
        match self.arguments.iter().find(|argument| argument.to.as_ref().is_some_and(|to| !inside(to))) {
            Some(argument) => Err(format!("argument `{}` leads out of the test's objects", argument.name)),
            None => Ok(()),
        }
    }

    /// The global variables among the objects.
    pub fn globals(&self) -> impl Iterator<Item = &GlobalRecord> {
        self.objects.iter().filter_map(|object| object.global.as_ref())
    }

    /// The objects as the replay library reads them, before the inputs that calls ask for. `places` has for each of the [`globals`](Self::globals)
    /// its distance from the library's own `taw_replay_begin`.
    pub fn replay_lines(&self, places: &[i64]) -> String {
        let mut places = places.iter();
        let mut text = String::new();
        for object in &self.objects {
            text += &match (&object.code, &object.global) {
                (Some(symbol), _) => format!("#code {symbol} {}\n", one_word(&object.name)),
                (None, Some(_)) => {
                    format!("#global {} {}\n", object.bytes.len() / 2, places.next().copied().unwrap_or_default())
                }
                (None, None) => format!("#object {} {}\n", object.bytes.len() / 2, object.bytes),
            };
        }
        for (number, object) in self.objects.iter().enumerate() {
            for (at, bytes) in object.global.iter().flat_map(|global| &global.set) {
                let hex = &object.bytes[2 * *at as usize..2 * (at + bytes) as usize];
                text += &format!("#set {number} {at} {bytes} {hex}\n");
            }
            for PointerRecord { at, to } in &object.pointers {
                text += &format!("#pointer {number} {at} {} {}\n", to.object, to.plus);
            }
        }
        for argument in self.arguments.iter().filter(|argument| argument.pointer) {
            text += &match argument.to {
                Some(to) => format!("#argument {} {}\n", to.object, to.plus),
                None => "#argument -1 0\n".to_owned(),
            };
        }
        text
    }
}
